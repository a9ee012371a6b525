/// Facts of a resolved scene.
#include "view/scene_facts.hpp"

#include <gtest/gtest.h>

namespace scree::view {
namespace {

constexpr const char* kScene = R"(scree: 1
step:
  h: 0.0002
materials:
  glass:
    density: 2500
  steel:
    {}
default_law:
  law: "coulomb"
laws:
  - between: ["glass", "steel"]
    law: "max_dissipation"
obstacles:
  - box:
      name: "gate"
      material: "steel"
)";

TEST(SceneFacts, HaveTheStepTheMaterialsAndThoseOfObstacles) {
  const SceneFacts facts = facts_of(kScene);
  EXPECT_EQ(facts.step, 0.0002);
  EXPECT_EQ(facts.materials, (std::vector<std::string>{"glass", "steel"}));
  EXPECT_EQ(facts.material_of_obstacle.at("gate"), "steel");
}

TEST(SceneFacts, FindTheLawOfAPairInEitherOrder) {
  const SceneFacts facts = facts_of(kScene);
  EXPECT_EQ(facts.law_between("steel", "glass"), "max_dissipation");
  EXPECT_EQ(facts.law_between("glass", "steel"), "max_dissipation");
  EXPECT_EQ(facts.law_between("glass", "glass"), "coulomb");
}

TEST(SceneFacts, AreUnknownWithoutAScene) {
  EXPECT_EQ(facts_of("").step, 0);
  EXPECT_EQ(facts_of("- a list").law_between("a", "b"), "");
}

}  // namespace
}  // namespace scree::view

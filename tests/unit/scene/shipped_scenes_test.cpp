#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

std::filesystem::path shipped(const std::string& name) {
  return std::filesystem::path(SCREE_SOURCE_DIR) / "scenes" / name;
}

TEST(ShippedScenes, load_without_problems_and_warnings) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped(""))) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    try {
      const Scene scene = load_scene(entry.path());
      EXPECT_EQ(scene.name, entry.path().stem().string());
      EXPECT_GT(scene.state.bodies.size(), 0u) << entry.path();
      EXPECT_EQ(reported(scene.warnings), "") << entry.path();
    } catch (const SceneError& e) {
      ADD_FAILURE() << e.what();
    }
  }
  EXPECT_GE(count, 8);
}

TEST(ShippedScenes, the_channel_is_that_of_the_paper) {
  const Scene scene = load_scene(shipped("channel_full.yaml"));
  EXPECT_EQ(scene.until, 10);
  EXPECT_EQ(scene.model.step.h, 10e-6);
  EXPECT_EQ(scene.model.laws(0, 0).friction, 0.4);
  EXPECT_EQ(scene.model.laws(0, 0).restitution, 0);
  EXPECT_EQ(scene.model.materials.at(0).density, 2650);
  EXPECT_EQ(scene.model.inflows.at(0).layer.size(), 65u * 20u);
  // the published 1.4e6 spheres per second
  EXPECT_EQ(scene.model.inflows.at(0).advance, 0.94e-3);
  // 150 x 65 x 20 positions, except those in the obstacle, which covers (pi/2 + 2) cm² of the 97.5
  // cm²
  const double places = 150. * 65. * 20.;
  EXPECT_NEAR(static_cast<double>(scene.state.bodies.size()), places * (1 - 3.57 / 97.5),
              0.01 * places);
}

TEST(ShippedScenes, the_full_channel_loads_with_problems_told_as_fast_as_without) {
  try {
    load_scene(shipped("channel_full.yaml"), {"bodies[0].lattice.radius=0.6 mm"});
    FAIL();
  } catch (const SceneError& e) {
    EXPECT_EQ(e.problems.size(), 1u) << e.what();
  }
}

}  // namespace
}  // namespace scree::test

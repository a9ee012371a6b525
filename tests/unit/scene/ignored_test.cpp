#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

const std::string kWorld =
    "scree: 1\nuntil: 1\nstep: {h: 1e-3}\n"
    "materials: {fines: {density: 2500}, coarse: {density: 2500}, steel: {}}\n"
    "default_law: {law: coulomb, friction: 0.4}\n"
    "obstacles:\n  - box: {name: sieve, material: steel, min: [-1, -1, -1], max: [1, 1, 0]}\n";

std::string with_spheres(const std::string& ignore, const std::string& first = "fines",
                         const std::string& second = "coarse") {
  return kWorld + "ignore: " + ignore +
         "\nbodies:\n"
         "  - sphere: {name: one, material: " +
         first +
         ", radius: 1, position: [0, 0, 3]}\n"
         "  - sphere: {name: two, material: " +
         second + ", radius: 1, position: [0, 0, 4]}\n";
}

TEST(SceneIgnore, lets_what_ignores_each_other_overlap_by_material_obstacle_and_body) {
  EXPECT_EQ(problems_of(with_spheres("[]")).size(), 1U);
  EXPECT_TRUE(problems_of(with_spheres("[[fines, coarse]]")).empty());
  EXPECT_TRUE(problems_of(with_spheres("[[coarse, fines]]")).empty());
  EXPECT_TRUE(problems_of(with_spheres("[[one, coarse]]")).empty());
  EXPECT_TRUE(problems_of(with_spheres("[[two, one]]")).empty());
  EXPECT_EQ(problems_of(with_spheres("[[fines, fines], [one, sieve]]")).size(), 1U);
  EXPECT_TRUE(problems_of(with_spheres("[[fines, fines]]", "fines", "fines")).empty());
}

TEST(SceneIgnore, refuses_names_that_are_none_and_that_are_several_things) {
  expect_problem(with_spheres("[[fines, coarse], [fines, seive]]"), "ignore[1][1]",
                 "there is no material, obstacle or body 'seive'; did you mean 'sieve'");
  const std::string twice =
      kWorld +
      "ignore: [[steel, fines]]\nbodies:\n"
      "  - sphere: {name: steel, material: fines, radius: 1, position: [0, 0, 3]}\n";
  expect_problem(twice, "ignore[0][0]", "a material and a body or obstacle have the name");
}

TEST(SceneIgnore, lets_random_places_lie_in_what_is_ignored) {
  const std::string region = "region: {min: [-1, -1, -1], max: [1, 1, 0]}";
  const auto scene = [&](const std::string& ignore) {
    return kWorld + "ignore: " + ignore +
           "\nbodies:\n  - random: {material: fines, radius: 20 cm, count: 5, " + region + "}\n";
  };
  EXPECT_FALSE(problems_of(scene("[]")).empty());
  EXPECT_TRUE(problems_of(scene("[[fines, sieve]]")).empty());
}

}  // namespace
}  // namespace scree::test

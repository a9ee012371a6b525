#include <cmath>
#include <numbers>

#include "scree/geometry/clump.hpp"
#include "scree/sim/solid_prototype.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

using std::numbers::pi;

std::string clump(const std::string& parts, const std::string& more = "") {
  return with_body("solid: {shape: {clump: [" + parts + "]}, position: [1, 2, 3]" + more + "}");
}

const std::string kDumbbell =
    "{shape: {sphere: {radius: 10 cm}}, position: [0, 0, 0]}, "
    "{shape: {sphere: {radius: 10 cm}}, position: [0, 0, 40 cm]}";

TEST(SceneClumps, stand_by_the_frame_of_their_parts_with_the_mass_of_their_union) {
  const Scene scene =
      load_text(clump(kDumbbell, ", orientation: {axis: [0, 1, 0], angle: 90 deg}"));
  const Body body = scene.state.bodies[0];
  EXPECT_NEAR(norm(body.position - Vec3{1.2, 2, 3}), 0, 1e-14);
  EXPECT_NEAR(body.mass, 2500 * 2 * 4 * pi / 3 * 1e-3, 1e-10);
  EXPECT_NEAR(body.radius, 0.3, 1e-15);
  const Pose given =
      shape_pose(prototype_of(scene, 0), body.radius, {body.position, body.orientation});
  EXPECT_NEAR(norm(given.position - Vec3{1, 2, 3}), 0, 1e-14);
  ASSERT_EQ(scene.model.clumps.size(), 1U);
}

TEST(SceneClumps, of_one_part_are_that_shape_to_the_bit) {
  const Scene one = load_text(clump("{shape: {sphere: {radius: 10 cm}}}"));
  const Scene sphere = load_text(with_body("sphere: {radius: 10 cm, position: [1, 2, 3]}"));
  EXPECT_EQ(state_hash(one.state), state_hash(sphere.state));
  EXPECT_TRUE(prototype_of(one, 0).is_sphere());
  const Scene aside = load_text(clump("{shape: {sphere: {radius: 10 cm}}, position: [1, 0, 0]}"));
  EXPECT_EQ(aside.state.bodies.position[0], (Vec3{2, 2, 3}));
}

TEST(SceneClumps, of_the_same_parts_share_a_prototype_at_any_scale) {
  const Scene scene = load_text(
      kBase + "bodies:\n  - solid: {shape: {clump: [" + kDumbbell +
      "]}, position: [0, 0, 0]}\n  - solid: {shape: {clump: [{shape: {sphere: {radius: 20 cm}}}, "
      "{shape: {sphere: {radius: 20 cm}}, position: [0, 0, 80 cm]}]}, position: [5, 0, 0]}\n");
  EXPECT_EQ(scene.state.bodies.prototype[0], scene.state.bodies.prototype[1]);
  EXPECT_EQ(scene.model.clumps.size(), 1U);
  EXPECT_NEAR(scene.state.bodies.mass[1], 8 * scene.state.bodies.mass[0], 1e-9);
}

TEST(SceneClumps, fill_regions_at_random_without_overlap_of_their_parts) {
  const Scene scene = load_text(with_body(
      "random: {region: {min: [0, 0, 0], max: [2, 2, 2]}, count: 20, scale: {uniform: [0.7, 1]}, "
      "shape: {clump: [" +
      kDumbbell + "]}}"));
  ASSERT_EQ(scene.state.bodies.size(), 20U);
  const Bodies& bodies = scene.state.bodies;
  const auto ends = [&](std::size_t i) {
    const auto parts = std::get<Clump>(prototype_of(scene, i).shape).parts->parts();
    const Vec3 half = bodies.radius[i] * rotate(bodies.orientation[i], parts[0].pose.position);
    return std::array{bodies.position[i] + half, bodies.position[i] - half};
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const Vec3& a : ends(i))
        for (const Vec3& b : ends(j))
          EXPECT_GE(norm(a - b), (bodies.radius[i] + bodies.radius[j]) / 3 * (1 - 1e-12));
}

TEST(SceneClumps, whose_parts_are_not_connected_are_warned_of) {
  const Scene loose = load_text(clump(kDumbbell));
  ASSERT_EQ(loose.warnings.size(), 1U);
  EXPECT_NE(loose.warnings[0].message.find("part 1 does not touch"), std::string::npos)
      << reported(loose.warnings);
  EXPECT_TRUE(load_text(clump(kDumbbell + ", {shape: {capsule: {radius: 1 cm, length: 40 cm}}, "
                                          "position: [0, 0, 20 cm]}"))
                  .warnings.empty());
}

TEST(SceneClumps, that_cannot_be_are_refused) {
  expect_problem(clump(""), "bodies[0].solid.shape.clump", "");
  expect_problem(clump("{shape: {ball: {radius: 1}}}"), "bodies[0].solid.shape.clump[0].shape.ball",
                 "unknown key 'ball'");
  expect_problem(clump("{shape: {sphere: {radius: 1}}}, {shape: {sphere: {radius: 1 mm}}}"),
                 "bodies[0].solid.shape.clump", "inside its smallest part");
  expect_problem(
      "scree: 1\nuntil: 1\nstep: {h: 1e-6}\nmaterials: {stone: {density: 2500}}\n"
      "default_law: {law: hertz_mindlin, k_n: 1e9, k_t: 1e9, restitution: 0.5, friction: 0.3}\n"
      "bodies:\n  - solid: {shape: {clump: [" +
          kDumbbell + ", {shape: {ellipsoid: {semi_axes: [1, 2, 1]}}}]}, position: [0, 0, 0]}\n",
      "bodies[0].solid", "alone or in a clump");
}

TEST(SceneClumps, have_compliant_laws_and_a_step_that_is_chosen) {
  const Scene scene = load_text(
      "scree: 1\nuntil: 1\nstep: {h: auto}\nmaterials: {stone: {density: 2500}}\n"
      "default_law: {law: cundall_strack, k_n: 1e4, k_t: 3e3, restitution: 0.5, friction: 0.3}\n"
      "obstacles:\n  - half_space: {point: [0, 0, -1], normal: [0, 0, 1]}\n"
      "bodies:\n  - solid: {shape: {clump: [" +
      kDumbbell + "]}, position: [0, 0, 0]}\n");
  const double mass = scene.state.bodies.mass[0], longest = pi * std::sqrt(mass / 1e4) / 50;
  EXPECT_LT(scene.model.step.h, longest);
  EXPECT_GT(scene.model.step.h, longest / 3);
}

TEST(SceneClumps, have_a_step_that_is_not_refused_where_dashpots_ask_for_a_short_one) {
  const Scene scene = load_text(
      "scree: 1\nuntil: 1\nstep: {h: auto}\nmaterials: {m: {density: 1000}}\n"
      "default_law: {law: cundall_strack, k_n: 1e6, k_t: 5e5, friction: 0.5, restitution: 0.1, "
      "damping_ratio: 1}\n"
      "bodies:\n  - box: {position: [0, 0, 0.3], size: [0.05, 0.05, 0.5]}\n"
      "obstacles:\n  - half_space: {point: [0, 0, 0], normal: [0, 0, 1]}\n");
  EXPECT_GT(scene.model.step.h, 1e-7);
  EXPECT_LT(scene.model.step.h, 2e-6);
}

TEST(SceneClumps, of_one_part_are_that_part_where_it_is_as_obstacles_too) {
  const Scene scene = load_text(
      kBase +
      "obstacles:\n  - solid: {position: [1, 2, 3], orientation: {axis: [0, 0, 1], angle: 90 deg}, "
      "shape: {clump: [{shape: {box: {size: [2, 4, 6]}}, position: [10, 0, 0]}]}}\n");
  const Obstacle& box = scene.model.obstacles.at(0);
  EXPECT_NEAR(signed_distance(box.shape, box.pose, {1, 12, 7}).distance, 1, 1e-12);
  EXPECT_NEAR(signed_distance(box.shape, box.pose, {1, 14, 3}).distance, 1, 1e-12);
}

TEST(SceneClumps, are_obstacles_placed_by_the_frame_of_their_parts) {
  const Scene scene = load_text(
      kBase + "obstacles:\n  - solid: {name: stairs, position: [1, 2, 3], shape: {clump: [" +
      kDumbbell + "]}}\n");
  const Obstacle& stairs = scene.model.obstacles.at(0);
  ASSERT_TRUE(is_clump(stairs.shape));
  EXPECT_EQ(scene.model.clumps.size(), 1U);
  EXPECT_NEAR(norm(stairs.pose.position - Vec3{1, 2, 3.2}), 0, 1e-14);
  EXPECT_NEAR(signed_distance(stairs.shape, stairs.pose, {1, 2, 4}).distance, 0.5, 1e-12);
}

}  // namespace
}  // namespace scree::test

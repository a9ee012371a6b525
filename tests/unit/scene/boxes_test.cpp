#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/collision/contact_points.hpp"
#include "scree/sim/state.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

/// Largest overlap of all pairs and with obstacles [m].
double deepest_overlap(const Scene& scene) {
  double deepest = 0;
  for (std::size_t i = 0; i < scene.state.bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      deepest = std::max(deepest, -separation(shape_of(scene, i), pose_of(scene, i),
                                              shape_of(scene, j), pose_of(scene, j))
                                       .distance);
    for (const Obstacle& o : scene.model.obstacles)
      deepest = std::max(
          deepest, -separation(shape_of(scene, i), pose_of(scene, i), o.shape, o.pose).distance);
  }
  return deepest;
}

void expect_edges(const Scene& scene, std::size_t i, const Vec3& size) {
  const Shape shape = shape_of(scene, i);
  ASSERT_TRUE(std::holds_alternative<Box>(shape));
  EXPECT_NEAR(norm(2 * std::get<Box>(shape).half_extent - size), 0, 1e-15 * norm(size));
}

TEST(SceneBoxes, have_what_their_keys_say) {
  const Scene scene =
      load_text(with_body("box: {position: [1 mm, 0, 2], size: [2 cm, 4 cm, 6 cm], velocity: [1, "
                          "0, 0], angular_velocity: [0, 1, 0],"
                          " orientation: {axis: [0, 0, 1], angle: 90 deg}}"));
  const Body body = scene.state.bodies[0];
  EXPECT_EQ(body.position, (Vec3{0.001, 0, 2}));
  EXPECT_EQ(body.velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(body.angular_velocity, (Vec3{0, 1, 0}));
  EXPECT_DOUBLE_EQ(body.orientation.z, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(body.mass, 2500 * 0.02 * 0.04 * 0.06);
  EXPECT_DOUBLE_EQ(body.radius, std::hypot(0.01, 0.02, 0.03));
  expect_edges(scene, 0, {0.02, 0.04, 0.06});
  const Vec3 moments =
      body.mass * body.radius * body.radius * scene.model.prototypes.at(body.prototype).inertia;
  EXPECT_DOUBLE_EQ(moments.x, body.mass / 12 * (0.04 * 0.04 + 0.06 * 0.06));
  EXPECT_DOUBLE_EQ(moments.y, body.mass / 12 * (0.02 * 0.02 + 0.06 * 0.06));
  EXPECT_DOUBLE_EQ(moments.z, body.mass / 12 * (0.02 * 0.02 + 0.04 * 0.04));
}

TEST(SceneBoxes, may_be_given_by_their_corners) {
  const std::string more = ", orientation: {axis: [0, 0, 1], angle: 90 deg}, velocity: [1, 0, 0]}";
  const Scene by_corners = load_text(with_body("box: {min: [1, 2, 3], max: [2, 4, 7]" + more)),
              by_centre =
                  load_text(with_body("box: {position: [1.5, 3, 5], size: [1, 2, 4]" + more));
  EXPECT_EQ(state_hash(by_corners.state), state_hash(by_centre.state));
  expect_edges(by_corners, 0, {1, 2, 4});
  EXPECT_EQ(by_corners.state.bodies.position[0], (Vec3{1.5, 3, 5}));
  EXPECT_NE(by_corners.resolved.find("max: [2, 4, 7]"), std::string::npos);
}

TEST(SceneBoxes, given_by_halves_or_twice_are_refused) {
  const auto box = [](const std::string& keys) { return with_body("box: {" + keys + "}"); };
  const std::string path = "bodies[0].box", ways = "min and max, or by position and size; found ";
  expect_problem(box("position: [0, 0, 0]"), path, ways + "position");
  expect_problem(box("max: [1, 1, 1], size: [1, 1, 1]"), path, ways + "max, size");
  expect_problem(box("min: [0, 0, 0], max: [1, 1, 1], position: [0, 0, 0], size: [1, 1, 1]"), path,
                 ways + "min, max, position, size");
  expect_problem(box("mass: 1"), path, ways + "none of these keys");
  expect_problem(box("min: [0, 0, 0], max: [1, 0, 1]"), path + ".max",
                 "max must be greater than min along each axis; along y");
  expect_problem(box("min: [0, 0, 0], max: [1, 1, 1e-9]"), path, "1e+09 times the shortest");
  expect_problem(box("min: [0, 0, 0], max: [1, 1, 1], orientation: [0, 0, 0, 0]"),
                 path + ".orientation", "zero length");
}

TEST(SceneBoxes, may_have_a_mass_or_a_density_of_their_own) {
  EXPECT_EQ(load_text(with_body("box: {position: [0, 0, 0], size: [1, 1, 1], mass: 3 g}"))
                .state.bodies.mass[0],
            0.003);
  EXPECT_EQ(load_text(with_body("box: {position: [0, 0, 0], size: [1, 1, 2], density: 7}"))
                .state.bodies.mass[0],
            14);
  expect_problem(with_body("box: {position: [0, 0, 0], size: [1, 1, 1], mass: 1, density: 1}"),
                 "bodies[0].box.density", "exclude each other");
}

TEST(SceneBoxes, of_one_shape_share_a_prototype_whatever_their_size) {
  const Scene scene = load_text(
      kBase +
      "bodies:\n"
      "  - box: {position: [0, 0, 0], size: [0.1, 0.2, 0.3]}\n"
      "  - sphere: {position: [1, 0, 0], radius: 0.1}\n"
      "  - box: {position: [2, 0, 0], size: [0.3, 0.6, 0.9]}\n"
      "  - box: {position: [5, 0, 0], size: [0.3, 0.2, 0.1]}\n"
      "  - random: {region: {min: [6, 0, 0], max: [9, 3, 3]}, count: 9, size: [10 cm, 20 cm, "
      "30 cm], scale: {uniform: [0.5, 2]}}\n");
  EXPECT_EQ(scene.model.prototypes.size(), 3u);
  EXPECT_EQ(scene.state.bodies.prototype[0], scene.state.bodies.prototype[2]);
  EXPECT_EQ(scene.state.bodies.prototype[0], scene.state.bodies.prototype[12]);
  EXPECT_EQ(scene.state.bodies.prototype[1], 0);
  EXPECT_NE(scene.state.bodies.prototype[0], scene.state.bodies.prototype[3]);
}

TEST(SceneBoxes, with_sizes_that_no_box_has_are_refused) {
  const auto box = [](const std::string& size) {
    return with_body("box: {position: [0, 0, 0], size: " + size + "}");
  };
  expect_problem(box("[1, 0, 1]"), "bodies[0].box.size[1]", "greater than 0");
  expect_problem(box("[1, 1, -2 cm]"), "bodies[0].box.size[2]", "greater than 0");
  expect_problem(box("[1, 1, .inf]"), "bodies[0].box.size[2]", "finite");
  expect_problem(box("[1, 1, 2 kg]"), "bodies[0].box.size[2]", "wrong dimension");
  expect_problem(box("[1, 1]"), "bodies[0].box.size", "a list of 3");
  expect_problem(box("1 cm"), "bodies[0].box.size", "a list of 3");
  expect_problem(box("[1, 1, 1e-9]"), "bodies[0].box.size", "1e+09 times the shortest");
  expect_problem(with_body("box: {position: [0, 0, 0], size: [1, 1, 1], radius: 1}"),
                 "bodies[0].box.radius", "unknown key 'radius'");
  expect_problem(with_body("random: {region: {min: [0, 0, 0], max: [9, 9, 9]}, count: 2, seed: 1, "
                           "shape: {box: [1, 1, 2]}}"),
                 "bodies[0].random.shape.box", "give size instead of shape");
  expect_problem(box("[1e-30, 1e-30, 1e-30]"), "bodies[0].box", "has a mass of");
}

TEST(SceneBoxes, that_overlap_are_refused_by_their_true_shapes) {
  const auto two = [](const std::string& second) {
    return kBase + "bodies:\n  - box: {position: [0, 0, 0], size: [1, 1, 1]}\n  - " + second + "\n";
  };
  // A stack with touching faces, and corners that miss each other: the bounding spheres overlap.
  EXPECT_TRUE(problems_of(two("box: {position: [0, 0, 1], size: [1, 1, 1]}")).empty());
  EXPECT_TRUE(problems_of(two("box: {position: [1, 1.3, 0], size: [1, 1, 1], orientation: {axis: "
                              "[0, 0, 1], angle: 45 deg}}"))
                  .empty());
  expect_problem(two("box: {position: [0, 0, 0.75], size: [1, 1, 1]}"), "bodies[1].box",
                 "overlaps bodies[0].box (size 1 x 1 x 1 m at 0, 0, 0) by 0.25 m, 50 % of the "
                 "smaller half width");
  expect_problem(two("sphere: {position: [0, 0, 0.9], radius: 0.5}"), "bodies[1].sphere",
                 "by 0.1 m");
  EXPECT_TRUE(problems_of(two("sphere: {position: [0.9, 0.9, 0], radius: 0.5}")).empty());
}

TEST(SceneBoxes, that_overlap_obstacles_are_refused_by_their_true_shapes) {
  const std::string floor =
      "obstacles: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], name: floor}}]\n";
  const auto standing = [&](const std::string& z) {
    return with_body("box: {position: [0, 0, " + z + "], size: [1, 2, 3]}") + floor;
  };
  EXPECT_TRUE(problems_of(standing("1.5")).empty());
  expect_problem(standing("1.4"), "bodies[0].box", "overlaps the obstacle 'floor' by 0.1 m");
  // A cylinder next to a face: the bounding sphere overlaps it, the box does not.
  const auto beside = [](const std::string& x) {
    return with_body("box: {position: [0, 0, 0], size: [1, 1, 4]}") +
           "obstacles: [{cylinder: {position: [" + x +
           ", 0, 0], axis: [0, 0, 1], length: 9, radius: 0.5}}]\n";
  };
  EXPECT_TRUE(problems_of(beside("1.01")).empty());
  expect_problem(beside("0.9"), "bodies[0].box", "overlaps the obstacle 'obstacles[0]' by 0.1 m");
}

TEST(SceneBoxes, stand_on_a_lattice_as_spheres_do) {
  const std::string lattice =
      "lattice: {region: {min: [0, 0, 0], max: [2, 2, 1]}, spacing: 1, size: [1, 1, 0.5]";
  const Scene scene = load_text(with_body(lattice + "}"));
  ASSERT_EQ(scene.state.bodies.size(), 4u);
  expect_edges(scene, 3, {1, 1, 0.5});
  EXPECT_EQ(scene.state.bodies.orientation[0], Quaternion{});
  EXPECT_DOUBLE_EQ(scene.state.bodies.mass[0], 1250);
  const Scene turned =
      load_text(with_body(lattice + ", orientation: {axis: [0, 0, 1], angle: 90 deg}}"));
  EXPECT_DOUBLE_EQ(turned.state.bodies.orientation[2].z, std::sqrt(0.5));
  expect_problem(
      with_body(
          "lattice: {region: {min: [0, 0, 0], max: [2, 2, 1]}, spacing: 1, size: [1, 1.5, 0.5]}"),
      "bodies[0].lattice.spacing", "boxes of width 1.5 m overlap at a spacing of 1 m along y");
}

TEST(SceneBoxes, on_a_lattice_may_be_turned_at_random_and_avoid_obstacles) {
  const Scene scene = load_text(with_body("lattice: {region: {min: [0, 0, 0], max: [4, 4, 4]}, "
                                          "spacing: 1, size: [0.4, 0.5, 0.6], orientation: random,"
                                          " avoid_obstacles: true, seed: 4}") +
                                "obstacles: [{box: {min: [0, 0, 0], max: [2, 4, 4]}}]\n");
  EXPECT_EQ(scene.state.bodies.size(), 32u);
  EXPECT_EQ(deepest_overlap(scene), 0);
  EXPECT_NE(scene.state.bodies.orientation[0], scene.state.bodies.orientation[1]);
}

TEST(SceneBoxes, of_a_random_filling_overlap_nothing_and_stay_inside) {
  const Scene scene =
      load_text(with_body("random: {region: {min: [0, 0, 0], max: [1, 1, 1]}, "
                          "volume_fraction: 0.15, size: [0.1, 0.15, 0.2],"
                          " scale: {uniform: [0.5, 1]}, seed: 3}") +
                "obstacles: [{sphere: {position: [0.5, 0.5, 0.5], radius: 0.2}}]\n");
  const Bodies& b = scene.state.bodies;
  double solid = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    solid += b.mass[i] / 2500;
    const Vec3 half = reach(shape_of(scene, i), b.orientation[i]);
    for (int k = 0; k < 3; ++k) {
      EXPECT_GE(b.position[i][k] - half[k], -1e-12);
      EXPECT_LE(b.position[i][k] + half[k], 1 + 1e-12);
    }
  }
  EXPECT_LT(deepest_overlap(scene), 1e-12);
  EXPECT_NEAR(solid, 0.15, 0.02);  // the mean over some 100 draws
}

TEST(SceneBoxes, of_a_random_filling_stand_as_they_are_told) {
  const Scene scene = load_text(with_body(
      "random: {region: {min: [0, 0, 0], max: [1, 1, 0.2]}, count: 20, size: [0.1, 0.1, 0.2],"
      " orientation: [1, 0, 0, 0]}"));
  ASSERT_EQ(scene.state.bodies.size(), 20u);
  EXPECT_EQ(scene.state.bodies.orientation[7], Quaternion{});
  EXPECT_LT(deepest_overlap(scene), 1e-12);
}

TEST(SceneBoxes, in_size_classes_share_the_solid_volume) {
  const Scene scene = load_text(
      with_body("random: {region: {min: [0, 0, 0], max: [1, 1, 1]}, volume_fraction: 0.1, size: "
                "[0.1, 0.1, 0.2],"
                " scale: {classes: [{scale: 1, share: 0.75}, {scale: 0.25, share: 0.25}]}}"));
  double large = 0, small = 0;
  for (std::size_t i = 0; i < scene.state.bodies.size(); ++i)
    (scene.state.bodies.radius[i] > 0.05 ? large : small) += scene.state.bodies.mass[i] / 2500;
  EXPECT_NEAR(large, 0.075, 0.002);  // whole boxes of 0.002
  EXPECT_NEAR(small, 0.025, 0.0001);
}

TEST(SceneBoxes, of_groups_are_told_what_is_wrong) {
  const std::string region = "{region: {min: [0, 0, 0], max: [1, 1, 1]}, ";
  expect_problem(with_body("random: " + region + "count: 2}"), "bodies[0].random",
                 "give exactly one of radius");
  expect_problem(with_body("random: " + region + "count: 2, radius: 0.1, size: [1, 1, 1]}"),
                 "bodies[0].random", "give exactly one of radius");
  expect_problem(with_body("random: " + region + "count: 2, radius: 0.1, orientation: random}"),
                 "bodies[0].random.orientation", "applies to boxes");
  expect_problem(with_body("random: " + region + "count: 2, radius: 0.1, scale: 2}"),
                 "bodies[0].random.scale", "applies to boxes");
  expect_problem(
      with_body("random: " + region + "count: 2, size: [0.1, 0.1, 0.1], orientation: sideways}"),
      "bodies[0].random.orientation", "expected 'random', or a list of 4");
  expect_problem(
      with_body("random: " + region + "count: 2, size: [0.1, 0.1, 0.1], scale: {uniform: [2, 1]}}"),
      "bodies[0].random.scale.uniform", "the smallest scale 2 is above the largest 1");
  expect_problem(
      with_body("random: " + region + "count: 2, size: [0.1, 0.1, 2], orientation: [1, 0, 0, 0]}"),
      "bodies[0].random.region",
      "along z the region is 1 m wide, less than the largest box, which takes 2 m");
  expect_problem(with_body("random: " + region + "count: 20, size: [0.5, 0.5, 0.5]}"),
                 "bodies[0].random", "20 boxes would fill 2.500 of the region");
}

TEST(SceneBoxes, do_not_come_through_inflows) {
  expect_problem(kBase +
                     "inflows: [{point: [0, 0, 0], velocity: [1, 0, 0], advance: 1, radius: 0.1, "
                     "size: [1, 1, 1],"
                     " layer: {region: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1}}]\n",
                 "inflows[0].size", "an inflow brings in only spheres");
}

TEST(SceneBoxes, load_to_the_same_state_and_prototypes_from_the_resolved_scene) {
  const Scene scene =
      load_text(with_body("random: {region: {min: [0, 0, 0], max: [1, 1, 1]}, count: 30, size: [10 "
                          "cm, 1.5 dm, 0.2], scale: "
                          "{uniform: [0.5, 1]}, jitter: [1, 1, 1]}"));
  const Scene again = load_text(scene.resolved);
  EXPECT_EQ(state_hash(scene.state), state_hash(again.state));
  ASSERT_EQ(again.model.prototypes.size(), 2u);
  EXPECT_EQ(scene.model.prototypes[1].inertia, again.model.prototypes[1].inertia);
}

TEST(SceneBoxes, that_rotate_far_in_a_step_are_warned_of) {
  const auto warnings = [](const std::string& kind, const std::string& spin) {
    return load_text(
               with_body(kind + ", position: [0, 0, 0], angular_velocity: [0, 0, " + spin + "]}"))
        .warnings;
  };
  const auto reported = warnings("box: {size: [1, 1, 1]", "500");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_NE(reported[0].message.find("rotates by 0.5 rad in one step"), std::string::npos)
      << reported[0].message;
  EXPECT_TRUE(warnings("box: {size: [1, 1, 1]", "50").empty());
  EXPECT_TRUE(warnings("sphere: {radius: 1", "500").empty());
}

}  // namespace
}  // namespace scree::test

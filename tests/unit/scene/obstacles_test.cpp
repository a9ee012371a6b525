#include <algorithm>
#include <numbers>

#include "scene/yaml/time_expression.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

std::string with_obstacle(const std::string& obstacle) {
  return kBase + "obstacles:\n  - " + obstacle + "\n";
}

double distance(const Scene& scene, const Vec3& x) {
  const Obstacle& o = scene.model.obstacles.at(0);
  return signed_distance(o.shape, o.pose, x).distance;
}

TEST(SceneObstacles, a_half_space_stands_behind_its_plane) {
  const Scene scene = load_text(with_obstacle("half_space: {point: [1, 2, 3], normal: [2, 0, 0]}"));
  EXPECT_NEAR(distance(scene, {5, 7, 9}), 4, 1e-14);
  EXPECT_EQ(scene.model.obstacles[0].name, "obstacles[0]");
  for (const char* normal : {"[0, 0, 1]", "[0, 0, -1]", "[0, -3, 0]"})
    EXPECT_NEAR(std::abs(distance(
                    load_text(with_obstacle(std::string("half_space: {point: [0, 0, 0], normal: ") +
                                            normal + "}")),
                    {0, 2, 2})),
                2, 1e-12);
}

TEST(SceneObstacles, a_box_may_be_given_by_corners_or_centre) {
  const Scene corners = load_text(with_obstacle("box: {min: [1, 1, 1], max: [3, 5, 7]}"));
  const Scene centre = load_text(with_obstacle("box: {position: [2, 3, 4], size: [2, 4, 6]}"));
  for (const Scene* scene : {&corners, &centre}) {
    EXPECT_NEAR(distance(*scene, {4, 3, 4}), 1, 1e-14);
    EXPECT_NEAR(distance(*scene, {2, 3, 8}), 1, 1e-14);
  }
  const Scene turned =
      load_text(with_obstacle("box: {position: [0, 0, 0], size: [2, 4, 6], orientation: {axis: [0, "
                              "0, 1], angle: 90 deg}}"));
  EXPECT_NEAR(distance(turned, {3, 0, 0}), 1, 1e-14);
}

TEST(SceneObstacles, cylinders_and_capsules_may_be_given_by_their_ends) {
  for (const char* keys : {"{from: [0, 0, 0], to: [4, 0, 0], radius: 1}",
                           "{position: [2, 0, 0], axis: [9, 0, 0], length: 4, radius: 1}"}) {
    const Scene cylinder = load_text(with_obstacle(std::string("cylinder: ") + keys));
    EXPECT_NEAR(distance(cylinder, {5, 0, 0}), 1, 1e-14);
    EXPECT_NEAR(distance(cylinder, {2, 3, 0}), 2, 1e-14);
    const Scene capsule = load_text(with_obstacle(std::string("capsule: ") + keys));
    EXPECT_NEAR(distance(capsule, {6, 0, 0}), 1, 1e-14);
  }
}

TEST(SceneObstacles, shapes_given_by_halves_are_refused) {
  expect_problem(with_obstacle("box: {min: [0, 0, 0], size: [1, 1, 1]}"), "obstacles[0].box",
                 "by min and max, or by position and size; found min, size");
  expect_problem(with_obstacle("box: {min: [0, 0, 0], max: [1, 1, 0]}"), "obstacles[0].box.max",
                 "along z");
  expect_problem(with_obstacle("cylinder: {radius: 1, from: [0, 0, 0]}"), "obstacles[0].cylinder",
                 "or by from and to; found from");
  expect_problem(with_obstacle("capsule: {radius: 1, from: [0, 0, 0], to: [0, 0, 0]}"),
                 "obstacles[0].capsule.to", "same point");
  expect_problem(with_obstacle("half_space: {point: [0, 0, 0], normal: [0, 0, 0]}"),
                 "obstacles[0].half_space.normal", "zero length");
  expect_problem(
      with_obstacle("box: {position: [0, 0, 0], size: [1, 1, 1], orientation: [0, 0, 0, 0]}"),
      "obstacles[0].box.orientation", "zero length");
  expect_problem(with_obstacle("sphere: {position: [0, 0, 0], radius: 1, material: stone}"),
                 "obstacles[0].sphere.material", "no material 'stone'");
}

TEST(SceneObstacles, motion_follows_numbers_and_expressions_of_t) {
  const Scene scene = load_text(with_obstacle(
      "sphere: {position: [0, 0, 0], radius: 1, motion: {velocity: [1, 0.5*sin(2*pi*t), t^2], "
      "angular_velocity: [0, 0, \"3\"]}}"));
  const auto motion = scene.model.obstacles.at(0).motion;
  const auto copy = motion;
  const Twist twist = motion(0.25);
  EXPECT_EQ(twist.linear.x, 1);
  EXPECT_DOUBLE_EQ(twist.linear.y, 0.5);
  EXPECT_DOUBLE_EQ(twist.linear.z, 0.0625);
  EXPECT_EQ(twist.angular.z, 3);
  EXPECT_DOUBLE_EQ(copy(1).linear.z, 1);
}

TEST(SceneObstacles, an_obstacle_without_motion_is_at_rest) {
  EXPECT_FALSE(load_text(with_obstacle("sphere: {position: [0, 0, 0], radius: 1}"))
                   .model.obstacles.at(0)
                   .motion);
}

TEST(SceneObstacles, bad_expressions_are_told_with_the_position) {
  const auto scene = [](const std::string& e) {
    return with_obstacle("sphere: {position: [0, 0, 0], radius: 1, motion: {velocity: [0, 0, '" +
                         e + "']}}");
  };
  const std::string path = "obstacles[0].sphere.motion.velocity[2]";
  expect_problem(scene("sin(t"), path, "character");
  expect_problem(scene("3*x"), path, "character 3");
  expect_problem(scene("1/t"), path, "at t = 0 s");
  expect_problem(scene("sqrt(0.5-t)"), path, "at t = 0.51 s");
  expect_problem(scene("1e200*1e200"), path, "finite");
  expect_problem(scene("1,5"), path, "one value");
  expect_problem(scene("t=3"), path, "assignments");
  expect_problem(scene(""), path, "not an expression");
  expect_problem(scene("2 m/s"), path, "not an expression");
  expect_problem(scene(std::string(2000, '(')), path, "characters");
}

TEST(SceneObstacles, a_motion_names_the_expression_that_fails_between_the_samples) {
  const Scene scene =
      load_text(with_obstacle("sphere: {position: [0, 0, 0], radius: 1, motion: {velocity: [0, 0, "
                              "'(abs(t-0.5005)<1e-9) ? sqrt(-1) : 0']}}"));
  const auto& motion = scene.model.obstacles.at(0).motion;
  EXPECT_EQ(motion(0.5).linear.z, 0);
  try {
    motion(0.5005);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "velocity[2], '(abs(t-0.5005)<1e-9) ? sqrt(-1) : 0', is nan");
  }
}

TEST(SceneObstacles, a_motion_is_tried_as_far_as_steps_go) {
  // The second step of 7 ms goes from 7 to 14 ms and evaluates the motion at 10.5 ms.
  const std::string times = "until: 10 ms\nstep: {h: 7 ms}\n";
  std::string base = kBase;
  base.replace(base.find("until"), base.find("materials") - base.find("until"), times);
  const auto scene = [&](const char* expression) {
    return base +
           "obstacles:\n  - sphere: {position: [0, 0, 0], radius: 1, motion: {velocity: [0, 0, '" +
           expression + "']}}\n";
  };
  expect_problem(scene("sqrt(0.0102-t)"), "obstacles[0].sphere.motion.velocity[2]",
                 "needed from 0 to 0.0105 s");
  EXPECT_NO_THROW(load_text(scene("sqrt(0.0106-t)")));
}

TEST(SceneObstacles, a_motion_that_changes_within_steps_is_warned_of) {
  const auto warnings = [](const std::string& velocity, const std::string& spin = "0") {
    return load_text(
               with_obstacle("sphere: {position: [0, 0, 0], radius: 1, motion: {velocity: [0, "
                             "0, '" +
                             velocity + "'], angular_velocity: [0, 0, '" + spin + "']}}"))
        .warnings;
  };
  const auto contains = [](const std::vector<SceneProblem>& reported, const std::string& words) {
    return std::ranges::any_of(
        reported, [&](const auto& one) { return one.message.find(words) != std::string::npos; });
  };
  // Steps of 1 ms: a shaker at 990 Hz would act as one of 10 Hz, one at 1000 Hz would move one way
  // only.
  for (const char* hasty : {"0.1*cos(2*pi*990*t)", "0.1*sin(2*pi*1000*t)", "0.1*sin(2*pi*150*t)",
                            "(t*1000 - rint(t*1000 - 0.5) < 0.3) ? 1 : 0"})
    EXPECT_TRUE(contains(warnings(hasty), "changes within a step of 0.001 s")) << hasty;
  EXPECT_TRUE(contains(warnings("0.1*cos(2*pi*125*t)"), "misses 2."));  // (pi/8)^2/6
  // Twenty steps per period; one jump; a ramp through zero; rest.
  for (const char* slow :
       {"0.1*sin(2*pi*50*t)", "(t < 0.2503) ? 0.1 : 0", "2*t", "t-0.5", "1e-3", "0*t"})
    EXPECT_TRUE(warnings(slow).empty()) << slow;
  // 101 times from 0 to 1 s are 10 ms apart: at each of them this rotation is 0.
  EXPECT_TRUE(contains(warnings("0", "100*sin(2*pi*50*t)"), "rotates by up to"));
}

TEST(SceneObstacles, an_obstacle_that_keeps_a_run_from_rest_or_moves_after_it_is_warned_of) {
  const auto warnings = [](const std::string& speed) {
    return load_text(with_obstacle("half_space: {point: [0, 0, 0], normal: [0, 0, 1], motion: "
                                   "{velocity: [0, 0, \"" +
                                   speed + "\"]}}"),
                     {"until=rest", "step.h=10 ms", "gravity=[0, 0, -9.81]"})
        .warnings;
  };
  ASSERT_EQ(warnings("1").size(), 1u);
  EXPECT_NE(warnings("1")[0].message.find("never stops"), std::string::npos);
  ASSERT_EQ(warnings("(t > 30) ? 5 : 0").size(), 1u);
  EXPECT_NE(warnings("(t > 30) ? 5 : 0")[0].message.find("may end at rest before that"),
            std::string::npos);
  EXPECT_TRUE(warnings("(t < 30) ? 5 : 0").empty());
  // Motion under a load is unknown before the run.
  EXPECT_TRUE(warnings("-0.01*(10 - force_z)").empty());
}

TEST(SceneObstacles, no_two_have_the_same_name) {
  const std::string wall = "half_space: {name: wall, point: [0, 0, 0], normal: [0, 0, 1]}\n";
  expect_problem(with_obstacle(wall) + "  - sphere: {name: wall, position: [0, 0, 5], radius: 1}\n",
                 "obstacles[1].sphere.name",
                 "obstacles[0].half_space, on line 7, already has the name 'wall'");
  expect_problem(
      with_obstacle("half_space: {name: 'obstacles[1]', point: [0, 0, 0], normal: [0, 0, 1]}\n") +
          "  - sphere: {position: [0, 0, 5], radius: 1}\n",
      "obstacles[1].sphere.name", "already has the name 'obstacles[1]'");
  expect_problem(with_obstacle(wall) +
                     "inflows:\n  - {name: wall, point: [0, 0, 1], velocity: [1, 0, 0], advance: "
                     "0.2, radius: 0.1,\n"
                     "     layer: {region: {min: [0.1, 1, 1], max: [0.3, 2, 2]}, spacing: 0.2}}\n",
                 "inflows[0].name", "already has the name 'wall'");
  expect_problem(kBase +
                     "outflows: [{name: exit, min: [0, 0, 0], max: [1, 1, 1]}, {name: exit, min: "
                     "[2, 0, 0], max: "
                     "[3, 1, 1]}]\n",
                 "outflows[1].name", "outflows[0], on line 6, already has the name 'exit'");
}

TEST(SceneFlows, an_inflow_makes_its_plate_and_layer) {
  const Scene scene = load_text(
      kBase +
      "inflows:\n  - {point: [0, 0, 0], velocity: [1, 0, 0], advance: 0.2, radius: 0.1,\n"
      "     layer: {region: {min: [0, 0, 0], max: [0.2, 1, 1]}, spacing: [0.2, 0.25, 0.25]}}\n"
      "outflows: [{min: [3, -.inf, -.inf], max: [.inf, .inf, .inf]}]\n");
  const Inflow& inflow = scene.model.inflows.at(0);
  EXPECT_EQ(inflow.layer.size(), 16u);
  EXPECT_EQ(inflow.plate, 0u);
  EXPECT_NEAR(distance(scene, {0.1, 0.3, 0.4}), 0.1, 1e-15);
  EXPECT_EQ(scene.state.inflows.size(), 1u);
  EXPECT_TRUE(std::isinf(scene.model.outflows.at(0).max.x));
  EXPECT_EQ(scene.model.outflows.at(0).min.x, 3);
}

TEST(SceneFlows, an_inflow_that_cannot_work_is_refused) {
  const auto inflow = [](const std::string& more, const std::string& velocity = "[1, 0, 0]") {
    return kBase + "inflows:\n  - {point: [0, 0, 0], velocity: " + velocity + ", radius: 0.1, " +
           more +
           ", layer: {region: {min: [0, 0, 0], max: [0.2, 1, 1]}, spacing: [0.2, 0.25, 0.25]}}\n";
  };
  expect_problem(inflow("advance: 0.2", "[0, 0, 0]"), "inflows[0].velocity", "zero length");
  expect_problem(inflow("advance: 0.2, normal: [-1, 0, 0]"), "inflows[0].velocity",
                 "side that its normal points to");
  expect_problem(inflow("advance: 1e-4"), "inflows[0].advance", "in one step");
  expect_problem(
      inflow("advance: 0.2") + "obstacles: [{sphere: {position: [0.3, 0.5, 0.5], radius: 0.2}}]\n",
      "inflows[0].layer", "overlap an obstacle");
  expect_problem(kBase + "outflows: [{min: [0, 0, 0], max: [1, -1, 1]}]\n", "outflows[0].max",
                 "along y");
}

}  // namespace
}  // namespace scree::test

/// Motions of obstacles: poses are exact to rounding, for any number of steps.
#include <algorithm>
#include <numbers>

#include "scree/sim/simulation.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

constexpr double kPi = std::numbers::pi;

std::string with_motion(const std::string& motion, const std::string& more = "") {
  return kBase + more +
         "obstacles:\n  - sphere: {position: [2, 0, 0], radius: 1, motion: " + motion + "}\n";
}

Pose at(const Scene& scene, double t, std::size_t obstacle = 0) {
  return scene.model.obstacles.at(obstacle).path(t);
}

void expect_at(const Pose& pose, const Vec3& position, double tolerance = 1e-14) {
  EXPECT_LT(norm(pose.position - position), tolerance)
      << pose.position.x << ' ' << pose.position.y << ' ' << pose.position.z;
}

TEST(Motions, AMillionStepsAboutAnAxisEndWhereTheClosedFormSays) {
  Scene scene =
      load_text(with_motion("{pivot: [1, 0, 5], axis: [0, 0, 2], speed: 30 rpm}"), {"step.h=1e-4"});
  Simulation simulation(scene.model, scene.state);
  for (int k = 0; k < 1'000'000; ++k) {
    const Pose before = simulation.obstacle_pose(0);
    ASSERT_FALSE(simulation.step().motion_fault);
    if (k % 10007 != 0) continue;
    const ObstacleState& obstacle = simulation.state().obstacles[0];
    const Pose after = advance_pose(before, obstacle.twist, 1e-4);
    ASSERT_LT(norm(after.position - obstacle.pose.position), 1e-15)
        << "by its twist it comes there";
    ASSERT_LT(norm(rotation_vector(after.orientation * conjugate(obstacle.pose.orientation))),
              1e-14);
    // An angle of 314 rad is rounded to 6e-14, over a step of 1e-4 s.
    ASSERT_NEAR(obstacle.twist.angular.z, kPi, 1e-9);
  }
  // 50 revolutions in 100 s.
  expect_at(simulation.obstacle_pose(0), {2, 0, 0}, 1e-12);
  EXPECT_LT(norm(rotation_vector(simulation.obstacle_pose(0).orientation)), 1e-12);
}

TEST(Motions, ASpeedThatIsAnExpressionIsIntegrated) {
  const Scene scene =
      load_text(with_motion("{pivot: [0, 0, 0], axis: [0, 0, 1], speed: \"3*sin(2*t) + 5*t^4\"}"));
  for (const double t : {0.0, 0.0005, 0.25, 1.0, 0.5}) {  // also back in time
    const double angle = 1.5 * (1 - std::cos(2 * t)) + std::pow(t, 5);
    expect_at(at(scene, t), {2 * std::cos(angle), 2 * std::sin(angle), 0}, 1e-13);
  }
}

TEST(Motions, OscillationsBeginWithTheirPhase) {
  const Scene line = load_text(
      with_motion("{direction: [0, 0, 5], amplitude: 2 mm, frequency: 4 Hz, phase: 90 deg}"));
  expect_at(line.model.obstacles[0].pose, {2, 0, 0.002});
  for (const double t : {0.0, 0.1, 0.25, 3.125})
    expect_at(at(line, t), {2, 0, 0.002 * std::cos(8 * kPi * t)});
  const Scene turn =
      load_text(with_motion("{pivot: [0, 0, 0], axis: [0, 1, 0], amplitude: 10 deg, period: 2 s}"));
  const double angle = 10 * kPi / 180 * std::sin(kPi * 0.4);
  expect_at(at(turn, 0.4), {2 * std::cos(angle), 0, -2 * std::sin(angle)});
}

TEST(Motions, StopAndGo) {
  const Scene scene =
      load_text(with_motion("{direction: [0, 1, 0], speed: 50 cm/s, from: 0.2, until: 0.6 s}"));
  const double times[] = {0, 0.2, 0.3, 0.6, 0.9}, way[] = {0, 0, 0.05, 0.2, 0.2};
  for (int k = 0; k < 5; ++k) expect_at(at(scene, times[k]), {2, way[k], 0});
  // The t of the motion begins at `from`.
  const Scene late =
      load_text(with_motion("{direction: [0, 1, 0], displacement: t^2, from: 0.2, until: 0.7}"));
  expect_at(at(late, 0.5), {2, 0.09, 0});
  expect_at(at(late, 1), {2, 0.25, 0});
  const auto twist = load_text(with_motion("{velocity: [1, 0, t], from: 0.25, until: 0.5}"))
                         .model.obstacles[0]
                         .motion;
  EXPECT_FALSE(moves(twist(0.2)));
  EXPECT_FALSE(moves(twist(0.6)));
  EXPECT_EQ(twist(0.375).linear.z, 0.125);
}

TEST(Motions, ObstaclesOfOneMotionMoveAsOneAndRideOnOthers) {
  const std::string obstacles =
      "motions:\n"
      "  arm: {pivot: [0, 0, 0], axis: [0, 0, 1], angle: t}\n"
      "  tool: {pivot: [3, 0, 0], axis: [0, 0, 1], angle: -2*t, carried_by: arm}\n"
      "obstacles:\n"
      "  - sphere: {position: [4, 0, 0], radius: 0.1, motion: tool}\n"
      "  - box: {position: [3, 1, 0], size: [1, 1, 1], motion: tool}\n"
      "  - sphere: {position: [3, 0, 2], radius: 0.1, motion: arm}\n";
  const Scene scene = load_text(kBase + obstacles);
  const double t = 0.7;
  const Vec3 hub{3 * std::cos(t), 3 * std::sin(t), 0};
  expect_at(at(scene, t, 0), hub + Vec3{std::cos(t), -std::sin(t), 0});
  expect_at(at(scene, t, 1), hub + Vec3{std::sin(t), std::cos(t), 0});
  expect_at(at(scene, t, 2), hub + Vec3{0, 0, 2});
  for (const std::size_t k : {0, 1}) {
    const Obstacle& obstacle = scene.model.obstacles[k];
    const Pose pose = obstacle.path(t);
    expect_at({pose.position + rotate(pose.orientation, obstacle.pivot), {}}, hub);
  }
}

TEST(Motions, TablesAreFollowedToTheirDigits) {
  write_file("way.csv", "t,x,y,z,angle\n0.1,1,0,0,0\n0.2,1,0,1,0.5\n0.4,3,0,1,-0.5\n");
  const Scene scene = load_text(with_motion("{table: way.csv, pivot: [2, 0, 0], axis: [0, 0, 1]}"));
  expect_at(at(scene, 0), {1, 0, 0});
  expect_at(at(scene, 0.2), {1, 0, 1});
  expect_at(at(scene, 0.3), {2, 0, 1});
  expect_at(at(scene, 7), {3, 0, 1});
  EXPECT_NEAR(rotation_vector(at(scene, 0.15).orientation).z, 0.25, 1e-14);
  EXPECT_NEAR(rotation_vector(at(scene, 7).orientation).z, -0.5, 1e-14);
  write_file("turn.csv", "t,qw,qx,qy,qz\n0,1,0,0,0\n1,0,0,0,2\n");
  const Scene turn = load_text(with_motion("{table: turn.csv}"));
  expect_at(at(turn, 0.5), {0, 2, 0});
  // The resolved scene finds the table from another folder.
  const Scene again = load_scene_text(turn.resolved, "/nowhere/scene.yaml");
  expect_at(again.model.obstacles[0].path(0.5), {0, 2, 0});
}

TEST(Motions, BadRowsAreReportedByFileAndLine) {
  const auto expect = [](const std::string& table, const std::string& words, int line,
                         const std::string& keys = "") {
    const std::string file = write_file("bad.csv", table).string();
    const auto problems = problems_of(with_motion("{table: bad.csv" + keys + "}"));
    ASSERT_EQ(problems.size(), 1u) << reported(problems);
    EXPECT_NE(problems[0].message.find(words), std::string::npos) << problems[0].message;
    EXPECT_EQ(problems[0].line, line);
    EXPECT_EQ(problems[0].file, file);
  };
  expect("t,x,y,z\n0,0,0,0\n0,1,1,1\n", "not later than 0", 3);
  expect("t,x,y,z\n0,0,0,nan\n", "found 'nan', expected a number", 2);
  expect("t,x,y,z\n0,0,0\n", "found 3 columns", 2);
  expect("t,x,y\n0,0,0\n", "give all of the columns x, y and z", 1);
  expect("t,angle\n0,0\n", "needs the key axis", 1);
  expect("t,x,y,z\n0,0,0,0\n", "no column angle", 1, ", axis: [0, 0, 1]");
  expect("t,qw,qx,qy,qz\n0,0,0,0,0\n", "zero length", 2);
  expect("t\n0\n", "has no pose", 1);
}

TEST(Motions, ThatCannotBeMeantAreRefused) {
  const std::string path = "obstacles[0].sphere.motion";
  const auto refuse = [&](const std::string& keys, const std::string& key,
                          const std::string& words) {
    expect_problem(with_motion("{" + keys + "}"), path + key, words);
  };
  const std::string axis = "pivot: [0, 0, 0], axis: [0, 0, 1], ";
  refuse("axis: [0, 0, 1], speed: 1", "", "'pivot' is missing");
  refuse(axis + "speed: 1, angle: t", "", "exactly one of");
  refuse(axis + "direction: [0, 0, 1], speed: 1", "", "give a motion a pivot and an axis");
  refuse(axis + "speed: 2 m/s", ".speed", "is in m/s");
  refuse(axis + "speed: 0.5 Hz", ".speed", "write rpm");
  refuse(axis + "speed: 30 rpn", ".speed", "not an expression of t");
  refuse(axis + "amplitude: 1 mm, frequency: 1", ".amplitude", "is in m");
  refuse(axis + "amplitude: 1 deg", "", "either frequency or period");
  refuse(axis + "amplitude: 1 deg, frequency: 6.28 rad/s", ".frequency", "angular speed");
  refuse(axis + "speed: 1, phase: 1", ".phase", "needs an amplitude");
  refuse(axis + "angle: 1/(t-0.5)", ".angle", "is inf");
  refuse(axis + "speed: 2000 rad/s", ".speed", "rotates by 2 rad in one step");
  refuse("direction: [0, 0, 0], speed: 1", ".direction", "zero length");
  refuse("direction: [0, 0, 1], speed: 1 rpm", ".speed", "is in rad/s");
  refuse("velocity: [1, 0, 0], speed: 1", ".speed", "own frame");
  refuse("direction: [1, 0, 0], speed: 1, from: 2, until: 1", ".until", "later than from");
  refuse("carried_by: arm", "", "give a motion a pivot and an axis");
  refuse("direction: [1, 0, 0], speed: 1, carried_by: arm", ".carried_by", "no motion 'arm'");
  expect_problem(with_motion("arm"), path, "no motion 'arm'");
  expect_problem(
      with_motion("a", "motions: {a: {direction: [1, 0, 0], speed: 1, carried_by: a}}\n"),
      "motions.a.carried_by", "carries itself");
  expect_problem(with_motion("a", "motions: {a: {velocity: [1, 0, 0]}}\n"), "motions.a",
                 "a shared motion");
}

TEST(Motions, OfASceneWithoutAStepAreNotJudgedByIt) {
  std::string text = with_motion("{pivot: [0, 0, 0], axis: [0, 0, 1], speed: 30 rpm}");
  const std::size_t at_step = text.find("step:");
  ASSERT_NE(at_step, std::string::npos);
  text.erase(at_step, text.find('\n', at_step) + 1 - at_step);
  const auto problems = problems_of(text);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].message.find("step"), std::string::npos) << problems[0].message;
}

TEST(Motions, WhatGoesToAndFroWithinAStepIsWarnedOf) {
  const auto warnings = [](const std::string& keys) {
    return load_text(with_motion("{direction: [0, 0, 1], " + keys + "}")).warnings;
  };
  for (const char* hasty : {"amplitude: 1 mm, frequency: 1000 Hz",
                            "displacement: 0.1*sin(900*pi*t)", "speed: \"sin(2*pi*300*t)\""}) {
    ASSERT_EQ(warnings(hasty).size(), 1u) << hasty;
    EXPECT_NE(warnings(hasty)[0].message.find("to and fro"), std::string::npos);
  }
  for (const char* slow : {"amplitude: 1 mm, frequency: 40 Hz", "speed: \"(t<0.3) ? 1 : 0\""})
    EXPECT_TRUE(warnings(slow).empty()) << slow << reported(warnings(slow));
}

TEST(Motions, GoOnAfterARestartToTheSameBits) {
  const Scene scene = load_text(
      kBase +
      "motions: {drum: {pivot: [0, 0, 0.1], axis: [0, 1, 0], speed: \"2+sin(9*t)\"}}\n"
      "obstacles:\n"
      "  - box: {position: [0, 0, -0.1], size: [1, 1, 0.2], motion: drum}\n"
      "  - box: {position: [0, 0.5, 0.1], size: [0.3, 0.1, 0.3], motion: drum}\n"
      "bodies:\n  - lattice: {region: {min: [-0.2, -0.2, 0.01], max: [0.2, 0.2, 0.4]}, spacing: "
      "0.13, radius: 0.05}\n");
  Simulation whole(scene.model, scene.state, 1);
  for (int k = 0; k < 60; ++k) whole.step();
  Simulation restarted(load_text(scene.resolved).model, whole.state(), 2);
  for (int k = 0; k < 60; ++k) {
    whole.step();
    restarted.step();
    ASSERT_EQ(state_hash(restarted.state()), state_hash(whole.state())) << k;
  }
}

}  // namespace
}  // namespace scree::test

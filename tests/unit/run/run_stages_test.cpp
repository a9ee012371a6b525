/// Runs in stages.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/io/run_manifest.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/reproduction.hpp"
#include "scree/run/run.hpp"
#include "support/in_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Balls come to rest in a box, whose bottom then opens, while a lid moves.
constexpr const char* kSceneOfStages = R"(scree: 1
name: box
step: {h: 1 ms}
solver: {max_sweeps: 5000}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5, rolling_friction: 0.1 mm, spinning_friction: 0.1 mm}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [18 mm, 18 mm, 12 mm]}
      spacing: 6 mm
      radius: 2.5 mm
obstacles:
  - half_space: {name: floor, point: [0, 0, -0.5], normal: [0, 0, 1]}
  - box: {name: gate, min: [-1, -1, -0.01], max: [1, 1, 0]}
  - box: {name: lid, position: [0, 0, 0.2], size: [0.1, 0.1, 0.01], motion: {velocity: [0, 0, 0]}}
stages:
  - name: fill
    until: rest
    rest: {at_most: 2 s}
  - name: open
    until: 50 ms
    remove: [gate]
    move:
      lid: {pivot: [0, 0, 0.1], axis: [1, 0, 0], speed: '10 rad/s'}
  - name: float
    until: 20 ms
    gravity: [0, 0, 0]
    stop: [lid]
    output: {frame_interval: 5 ms}
output:
  frame_interval: 30 ms
  checkpoint_interval: 1 ms
)";

struct StageListener : RunObserver {
  explicit StageListener(std::uint64_t last = 1000000) : last_step(last) {}
  void stage(const Scene& /*scene*/, std::size_t index, const Simulation& simulation) override {
    stages.push_back(index);
    steps.push_back(simulation.state().step);
  }
  void step(const Simulation& simulation) override {
    step_now = simulation.report().step;
    lid = simulation.obstacle_pose(2);
    velocity = simulation.state().bodies.velocity[0];
    if (stages.back() == 1) sank = simulation.state().bodies.position[0].z;
  }
  bool stop_requested() override { return step_now >= last_step; }

  std::uint64_t last_step, step_now = 0;
  std::vector<std::size_t> stages;
  std::vector<std::uint64_t> steps;
  Pose lid;
  Vec3 velocity;
  double sank = 0;
};

class Stages : public InDirectory {
 protected:
  Stages() : options{.scene_file = directory / "box.yaml", .threads = 1} {
    std::ofstream(options.scene_file) << kSceneOfStages;
  }
  RunResult run_box(const fs::path& to, RunObserver& observer,
                    const std::vector<std::string>& overrides = {}) {
    return run(load_scene(options.scene_file, overrides), to, options, observer);
  }
  RunOptions options;
};

TEST_F(Stages, FollowOneAnother) {
  StageListener listener;
  const RunResult result = run_box(directory / "out", listener);
  EXPECT_EQ(result.outcome.exit_status, kDone) << result.outcome.verdict;
  EXPECT_EQ(listener.stages, (std::vector<std::size_t>{0, 1, 2}));
  ASSERT_EQ(result.stages.size(), 3u);
  EXPECT_EQ(result.stages[0].ended, StageRecord::End::at_rest);
  EXPECT_LT(result.stages[0].end, 1);
  EXPECT_EQ(result.stages[1].first_step, result.stages[0].last_step);
  EXPECT_EQ(result.stages[1].last_step, result.stages[1].first_step + 50);
  EXPECT_EQ(result.summary.last.step, result.stages[1].last_step + 20);

  // Bodies on the gate fall freely, and without gravity they do not accelerate.
  const double g = 9.81, t = 0.05;
  EXPECT_NEAR(listener.velocity.z, -g * t, 1e-3 * g * t);
  EXPECT_NEAR(listener.sank, 2.5e-3 - g * t * t / 2, 0.03 * g * t * t);
  EXPECT_NEAR(result.summary.energy_budget().unaccounted, 0, 1e-12);

  // The lid rotated at 10 rad/s for 50 ms about the pivot, and stands still.
  const Vec3 arm = rotate(rotation({1, 0, 0}, 0.5), Vec3{0, 0, 0.1});
  EXPECT_NEAR(norm(listener.lid.position - (Vec3{0, 0, 0.1} + arm)), 0, 1e-12);

  const auto verdict = Json::parse(text_of(directory / "out" / "verdict.json"));
  EXPECT_EQ(verdict.at("stages")[0].at("ended"), "at_rest");
  EXPECT_EQ(verdict.at("stages")[2].at("ended"), "in_time");
  EXPECT_NE(result.outcome.verdict.find("'fill' came to rest at t = "), std::string::npos);
}

TEST_F(Stages, GoOnWithTheSameBitsWhereverTheyAreStopped) {
  StageListener patient;
  const RunResult whole = run_box(directory / "whole", patient);
  const std::uint64_t opened = whole.stages[1].first_step, floated = whole.stages[2].first_step;
  for (const std::uint64_t last : {std::uint64_t{20}, opened - 1, opened, opened + 1, floated - 1,
                                   floated, floated + 1, whole.summary.last.step - 1}) {
    StageListener hasty(last);
    const RunResult part = run_box(directory / "out", hasty);
    EXPECT_EQ(part.outcome.exit_status, kInterrupted) << last;
    EXPECT_EQ(part.summary.last.step, std::max(last, hasty.step_now)) << last;
    options.old_run = OldRun::go_on;
  }
  StageListener rest;
  const RunResult resumed = run_box(directory / "out", rest);
  EXPECT_EQ(resumed.outcome.status, RunOutcome::Status::done);
  EXPECT_EQ(resumed.outcome.verdict.substr(resumed.outcome.verdict.find("Stages:")),
            whole.outcome.verdict.substr(whole.outcome.verdict.find("Stages:")));
  const RunComparison found =
      compare_runs(directory / "whole", directory / "out", RunManifest(directory / "whole"));
  EXPECT_TRUE(found.different.empty()) << found.different.front();
  EXPECT_GE(found.compared, 20U);
  StageListener nobody;
  EXPECT_TRUE(run_box(directory / "out", nobody).was_complete);
}

TEST_F(Stages, EndTheRunWhereOneDoesNotComeToRest) {
  StageListener listener;
  const RunResult result = run_box(directory / "out", listener, {"stages[0].rest.at_most=20 ms"});
  EXPECT_EQ(result.outcome.exit_status, kToleranceMissed);
  EXPECT_EQ(listener.stages.size(), 1u);
  EXPECT_EQ(result.summary.last.step, 20u);
  EXPECT_EQ(result.stages[0].ended, StageRecord::End::not_at_rest);
  EXPECT_NE(result.outcome.verdict.find("'fill' had not come to rest at t = 0.02 s, and ended"),
            std::string::npos)
      << result.outcome.verdict;
  options.old_run = OldRun::go_on;
  EXPECT_TRUE(run_box(directory / "out", listener, {"stages[0].rest.at_most=20 ms"}).was_complete);
}

TEST_F(Stages, AreToldWithTheirTolerancesWhereTheseDiffer) {
  StageListener first, second;
  const std::vector<std::string> lax{"stages[2].solver={tolerance: 0.5}"};
  run_box(directory / "out", first, {lax.front(), "until=10 ms"});
  const auto verdict_now = [&] { return Json::parse(text_of(directory / "out" / "verdict.json")); };
  EXPECT_EQ(verdict_now().at("tolerance"), 0.03);  // of the stage that has begun
  EXPECT_EQ(verdict_now().at("largest_tolerance"), 0.03);
  options.old_run = OldRun::go_on;
  const RunResult whole = run_box(directory / "out", second, lax);
  EXPECT_EQ(verdict_now().at("tolerance"), 0.03);
  EXPECT_EQ(verdict_now().at("largest_tolerance"), 0.5);
  EXPECT_NE(
      whole.outcome.verdict.find("Every step met its tolerance (0.5 to 0.03, by stage); worst"),
      std::string::npos)
      << whole.outcome.verdict;
}

TEST_F(Stages, EndInTheMiddleWhereTheSceneSaysUntil) {
  StageListener first, second;
  const RunResult part = run_box(directory / "out", first, {"until=10 ms"});
  EXPECT_EQ(part.summary.last.step, 10u);
  options.old_run = OldRun::go_on;
  const RunResult whole = run_box(directory / "out", second);
  EXPECT_EQ(whole.outcome.exit_status, kDone) << whole.outcome.verdict;
  EXPECT_EQ(whole.stages.size(), 3u);
}

TEST_F(Stages, StopBelts) {
  std::ofstream(options.scene_file) << R"(scree: 1
step: {h: 1 ms}
materials: {stone: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
bodies: [{box: {position: [0, 0, 0.01], size: [0.04, 0.04, 0.02]}}]
obstacles:
  - half_space: {name: belt, point: [0, 0, 0], normal: [0, 0, 1], surface_velocity: [0.5, 0, 0]}
  - box: {name: far, min: [5, 5, 5], max: [6, 6, 6]}
  - box: {name: further, min: [8, 8, 8], max: [9, 9, 9]}
stages:
  - {name: run, until: 0.5 s}
  - {name: halt, until: 0.5 s, stop: [belt]}
)";
  StageListener carried(499), whole;
  run_box(directory / "carried", carried);
  EXPECT_NEAR(carried.velocity.x, 0.5, 1e-6);
  run_box(directory / "whole", whole);
  EXPECT_NEAR(whole.velocity.x, 0, 1e-6);
}

/// A ball on a smooth plate, which makes half a revolution about a pivot and then follows its load.
struct OnPlate : RunObserver {
  void step(const Simulation& simulation) override {
    lifted.push_back(simulation.state().obstacles[0].twist.linear.z);
    plate = simulation.obstacle_pose(0);
    force = simulation.state().step_loads[0].force.z;
  }
  std::vector<double> lifted;
  Pose plate;
  double force = 0;
};

TEST_F(Stages, MoveByLoadWhatTurnedAboutAPivotBefore) {
  std::ofstream(options.scene_file) << R"(scree: 1
step: {h: 1 ms}
materials: {stone: {density: 2500}}
default_law: {law: frictionless}
bodies: [{sphere: {position: [2 cm, 0, 1 cm], radius: 1 cm}}]
obstacles:
  - box: {name: plate, position: [0, 0, -1 cm], size: [20 cm, 20 cm, 2 cm],
          motion: {velocity: [0, 0, 0]}}
stages:
  - name: turn
    until: 0.1 s
    move: {plate: {pivot: [3 cm, 0, -1 cm], axis: [0, 0, 1], speed: '10*pi'}}
  - name: answer
    until: 10 ms
    move: {plate: {velocity: [0, 0, '-1e-3*torque_y']}}
)";
  OnPlate seen;
  const RunResult result = run_box(directory / "out", seen);
  EXPECT_EQ(result.outcome.exit_status, kDone) << result.outcome.verdict;
  ASSERT_EQ(seen.lifted.size(), 110u);
  // Its middle is 6 cm from where it was, and the ball 4 cm behind it: about there, and not about
  // the pivot, is the torque that the plate answers to from the first step on.
  const double weight = 2500 * 4.0 / 3 * std::numbers::pi * 1e-6 * 9.81;
  double height = -0.01;
  for (std::size_t k = 100; k < seen.lifted.size(); ++k) {
    EXPECT_NEAR(seen.lifted[k], 1e-3 * 0.04 * weight, 1e-3 * 1e-3 * 0.04 * weight) << k;
    height += 1e-3 * seen.lifted[k];
  }
  EXPECT_NEAR(norm(seen.plate.position - Vec3{0.06, 0, height}), 0, 1e-12);
}

}  // namespace
}  // namespace scree

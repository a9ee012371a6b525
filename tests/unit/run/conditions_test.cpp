/// Runs that end when a condition holds.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/run.hpp"
#include "support/in_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A ball falls freely: its kinetic energy is m (g t)² / 2, with t half a step ahead or behind.
constexpr const char* kFall = R"(scree: 1
name: fall
until: {when: "t > 0.25", at_most: 1 s}
step: {h: 1 ms}
gravity: [0, 0, -10]
materials:
  lead: {density: 1000}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - sphere: {position: [0, 0, 100], radius: 1 cm}
output: {checkpoint_interval: 10 ms}
)";

/// Two balls roll out of the world, one after the other.
constexpr const char* kLeaving = R"(scree: 1
name: leaving
until: {when: "bodies_out >= 2", at_most: 2 s}
step: {h: 1 ms}
gravity: [0, 0, 0]
materials:
  lead: {density: 1000}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - sphere: {position: [0, 0, 0], radius: 1 cm, velocity: [1, 0, 0]}
  - sphere: {position: [-0.2, 0, 0], radius: 1 cm, velocity: [1, 0, 0]}
  - sphere: {position: [-0.4, 0, 0], radius: 1 cm, velocity: [1, 0, 0]}
outflows:
  - {name: end, min: [0.1005, -.inf, -.inf], max: [.inf, .inf, .inf]}
output: {checkpoint_interval: 50 ms}
)";

/// A cell with two balls in it that never meet is sheared and compressed.
constexpr const char* kCell = R"(scree: 1
name: cell
until: {when: "strain_xz >= 0.5", at_most: 2 s}
step: {h: 1 ms}
gravity: [0, 0, 0]
materials:
  lead: {density: 1000}
default_law: {law: coulomb, friction: 0.3}
cell: {period: [1, 1, 1], rate: {xz: 2, yy: -0.4}}
bodies:
  - sphere: {position: [0.5, 0.5, 0.5], radius: 1 cm}
output: {checkpoint_interval: 50 ms}
)";

/// Stops after a step.
struct RunStopper : RunObserver {
  explicit RunStopper(std::uint64_t last = 1000000) : last_step(last) {}
  void step(const Simulation& simulation) override { step_now = simulation.report().step; }
  bool stop_requested() override { return step_now >= last_step; }
  std::uint64_t last_step, step_now = 0;
};

class Conditions : public InDirectory {
 protected:
  RunResult run_of(const std::string& text, const std::vector<std::string>& set = {},
                   const std::string& to = "out", OldRun old_run = OldRun::refuse,
                   std::uint64_t last_step = 1000000) {
    const fs::path file = directory / "scene.yaml";
    std::ofstream(file) << text;
    RunStopper stopper(last_step);
    const RunOptions options{
        .scene_file = file, .overrides = set, .threads = 1, .old_run = old_run};
    return run(load_scene(file, set), directory / to, options, stopper);
  }
  /// End time of a run that ends by a condition.
  double end_of(const std::string& text, const std::string& when) {
    return run_of(text, {"until.when='" + when + "'"}, "run" + std::to_string(++count_))
        .summary.last.time;
  }
  static std::string refusal(const std::function<void()>& f) {
    try {
      f();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }
  std::string refused(const std::string& text, const std::string& when) {
    return refusal([&] { run_of(text, {"until.when='" + when + "'"}); });
  }

 private:
  int count_ = 0;
};

TEST_F(Conditions, EndARunInTheFirstStepInWhichTheyHold) {
  const RunResult result = run_of(kFall);
  EXPECT_EQ(result.summary.last.step, 251u);
  EXPECT_EQ(result.end, EndedBy::condition);
  EXPECT_EQ(result.outcome.exit_status, kDone);
  EXPECT_NE(result.outcome.verdict.find("Ended at t = 0.251 s: 't > 0.25' held."),
            std::string::npos)
      << result.outcome.verdict;
  const Json verdict = Json::parse(text_of(directory / "out" / "verdict.json"));
  EXPECT_EQ(verdict["end"]["by"], "condition");
  EXPECT_EQ(verdict["end"]["condition"], "t > 0.25");
}

TEST_F(Conditions, HoldWhereTheClosedFormOfAFallSaysSo) {
  // v = g t after every step, exactly but for rounding: ½ m v² passes E at t = √(2 E/m) / g.
  const double mass = 1000 * 4.0 / 3 * std::acos(-1.0) * 1e-6;
  for (const double energy : {1e-4, 1e-3, 1e-2}) {
    const double t = std::sqrt(2 * energy / mass) / 10;
    const double end = end_of(kFall, "kinetic_energy > " + std::to_string(energy));
    EXPECT_NEAR(end, t, 0.0011) << energy;
    EXPECT_GE(end, t - 1e-9) << energy;
  }
}

TEST_F(Conditions, CountBodiesThatLeave) {
  // The bodies move at 1 m/s over 0.1005 m and 0.3005 m.
  const RunResult result = run_of(kLeaving);
  EXPECT_EQ(result.summary["bodies_removed"].total, 2);
  EXPECT_NEAR(result.summary.last.time, 0.3005, 0.0021);
  EXPECT_EQ(run_of(kLeaving, {"until.when='bodies_out == 1 && bodies == 2'"}, "one")
                .summary["bodies_removed"]
                .total,
            1u);
}

TEST_F(Conditions, MeasureTheStrainOfACell) {
  const RunResult result = run_of(kCell);
  EXPECT_NEAR(result.summary.last.time, 0.25, 0.0011);
  // Compressed at 0.4/s, ln(L/L0) is −0.1 after a quarter of a second; L/L0 is (1 − 0.0004)^n.
  EXPECT_NEAR(end_of(kCell, "strain_yy <= -0.1"), 0.25, 0.0011);
}

TEST_F(Conditions, HoldForAsLongAsIsAskedWithoutABreak) {
  const std::string now_and_then = "sin(2*pi*t/0.1) > 0";  // half of the time, 50 ms each
  const RunResult never =
      run_of(kFall, {"until.when='" + now_and_then + "'", "until.lasting=60 ms"}, "never");
  EXPECT_EQ(never.end, EndedBy::limit);
  const RunResult soon =
      run_of(kFall, {"until.when='" + now_and_then + "'", "until.lasting=20 ms"}, "soon");
  EXPECT_EQ(soon.summary.last.step, 20u);
  EXPECT_NE(soon.outcome.verdict.find("held for 0.02 s"), std::string::npos);
  EXPECT_NE(soon.outcome.verdict.find("already in the first step"), std::string::npos);
}

TEST_F(Conditions, ThatNeverHoldEndAtTheLimitAndMissTheVerdict) {
  const RunResult result = run_of(kFall, {"until={when: 'bodies > 1', at_most: 50 ms}"});
  EXPECT_EQ(result.summary.last.step, 50u);
  EXPECT_EQ(result.end, EndedBy::limit);
  EXPECT_EQ(result.outcome.exit_status, kToleranceMissed);
  EXPECT_NE(result.outcome.verdict.find("until.at_most"), std::string::npos);
  EXPECT_EQ(Json::parse(text_of(directory / "out" / "verdict.json"))["end"]["by"], "limit");
}

TEST_F(Conditions, ThatAreNoNumberDoNotHold) {
  const RunResult result = run_of(
      kFall, {"until={when: 'sqrt(-t) > 0 || contacts_sliding/contacts < 1', at_most: 10 ms}"});
  EXPECT_EQ(result.end, EndedBy::limit);
  EXPECT_NE(result.outcome.verdict.find("its value was not a number, as in 0/0"), std::string::npos)
      << result.outcome.verdict;
  EXPECT_EQ(
      run_of(kFall, {"until={when: '1/bodies_in > 1 || t > 0.005', at_most: 10 ms}"}, "known").end,
      EndedBy::condition)
      << "what is known of one side is enough";
}

TEST_F(Conditions, EndAResumedRunAsOneThatWasNotStopped) {
  for (const auto& [name, scene, cut] :
       {std::tuple("leaving", kLeaving, 170), std::tuple("cell", kCell, 77)}) {
    const std::string whole = std::string(name) + "_whole", stopped = std::string(name) + "_cut";
    const RunResult once = run_of(scene, {}, whole);
    EXPECT_EQ(run_of(scene, {}, stopped, OldRun::refuse, static_cast<std::uint64_t>(cut)).end,
              EndedBy::interrupt);
    const RunResult twice = run_of(scene, {}, stopped, OldRun::go_on);
    EXPECT_EQ(twice.summary.last.step, once.summary.last.step);
    EXPECT_EQ(text_of(directory / stopped / "verdict.json"),
              text_of(directory / whole / "verdict.json"));
    EXPECT_TRUE(run_of(scene, {}, stopped, OldRun::go_on).was_complete);
  }
}

TEST_F(Conditions, MayBeOthersWhenARunGoesOnAndKeepWhatWasCounted) {
  run_of(kLeaving, {"until.when='bodies_out >= 1'"});
  const RunResult result = run_of(kLeaving, {}, "out", OldRun::go_on);
  EXPECT_EQ(result.summary["bodies_removed"].total, 2);
  EXPECT_EQ(result.end, EndedBy::condition);
}

TEST_F(Conditions, AreRefusedWhereTheRunBeganWithoutOne) {
  run_of(kFall, {"until=0.1 s"});
  EXPECT_NE(refusal([&] { run_of(kFall, {}, "out", OldRun::go_on); }).find("without a condition"),
            std::string::npos);
}

TEST_F(Conditions, EndAStageAndTheNextOneCountsAnew) {
  std::string scene = kFall;
  scene.erase(scene.find("until:"), scene.find("step:") - scene.find("until:"));
  scene +=
      "stages:\n"
      "  - {name: one, until: {when: 't >= 0.03', at_most: 1 s}}\n"
      "  - {name: two, until: {when: 't >= 0.02', at_most: 1 s}}\n"
      "  - {name: three, until: 10 ms}\n";
  const RunResult result = run_of(scene);
  ASSERT_EQ(result.stages.size(), 3u);
  EXPECT_EQ(result.stages[0].last_step, 30u);
  EXPECT_EQ(result.stages[1].last_step, 50u);
  EXPECT_EQ(result.stages[1].ended, StageRecord::End::at_condition);
  EXPECT_EQ(result.end, EndedBy::time);
  EXPECT_NE(result.outcome.verdict.find("'one' met its condition at t = 0.03 s"),
            std::string::npos);
  for (const std::uint64_t cut : {20u, 30u, 45u, 55u}) {
    const std::string to = "cut" + std::to_string(cut);
    run_of(scene, {}, to, OldRun::refuse, cut);
    run_of(scene, {}, to, OldRun::go_on);
    EXPECT_EQ(text_of(directory / to / "verdict.json"), text_of(directory / "out" / "verdict.json"))
        << cut;
  }
  const RunResult missed =
      run_of(scene, {"stages[0].until={when: 'bodies == 7', at_most: 10 ms}"}, "missed");
  EXPECT_EQ(missed.stages.size(), 1u);
  EXPECT_EQ(missed.outcome.exit_status, kToleranceMissed);
  EXPECT_NE(missed.outcome.verdict.find("'one' had not met its condition"), std::string::npos);
}

TEST_F(Conditions, ThatCannotBeReadAreRefusedWithWhatWasMeant) {
  EXPECT_NE(refused(kFall, "kinetic_energie < 1").find("did you mean 'kinetic_energy'"),
            std::string::npos)
      << refused(kFall, "kinetic_energie < 1");
  EXPECT_NE(refused(kFall, "kinetic_energy").find("is not a condition"), std::string::npos);
  EXPECT_NE(refused(kFall, "bodies = 3").find("compare with '=='"), std::string::npos);
  EXPECT_NE(refused(kFall, "bodies > 1, t < 2").find("one value"), std::string::npos);
  EXPECT_NE(refused(kFall, "0.1 < t < 0.2").find("write 0.1 < t && t < 0.2"), std::string::npos)
      << refused(kFall, "0.1 < t < 0.2");
  for (const char* same : {"0/0 > 1", "1 < 2"})
    EXPECT_NE(refused(kFall, same).find("never changes"), std::string::npos);
  EXPECT_NE(refused(kFall, "bodies >").find("cannot be read"), std::string::npos);
  EXPECT_NE(refused(kFall, "strain_xx > 1").find("the cell is not strained"), std::string::npos);
  EXPECT_NE(refusal([&] { run_of(kFall, {"until={when: 't > 1'}"}); }).find("at_most"),
            std::string::npos);
  EXPECT_NE(refusal([&] { run_of(kFall, {"until.at_moust=1 s"}); }).find("at_most"),
            std::string::npos);
  EXPECT_TRUE(fs::is_empty(directory) || !fs::exists(directory / "out"));
}

TEST_F(Conditions, StandInTheResolvedScene) {
  const Scene scene = load_scene_text(kFall, "fall.yaml", {"until.lasting=2 ms"});
  const Scene again = load_scene_text(scene.resolved, "resolved.yaml");
  ASSERT_TRUE(again.condition);
  EXPECT_EQ(again.condition->text, "t > 0.25");
  EXPECT_EQ(again.condition->lasting, 0.002);
  EXPECT_EQ(again.until, 1);
  EXPECT_EQ(again.resolved, scene.resolved);
}

}  // namespace
}  // namespace scree

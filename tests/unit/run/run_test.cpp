#include "scree/run/run.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "scree/io/frames.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/io/statistics.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/reproduction.hpp"
#include "support/in_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Balls that fall onto each other and a floor within 100 steps; samples of every kind.
constexpr const char* kSceneOfHeap = R"(scree: 1
name: heap
until: 100 ms
step: {h: 1 ms}
solver: {max_sweeps: 5000}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [20 mm, 20 mm, 20 mm]}
      spacing: 5 mm
      radius: 2.5 mm
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output:
  frame_interval: 30 ms
  statistics_interval: 40 ms
  analysis:
    - {name: all, region: {min: [0, 0, 0], max: [20 mm, 20 mm, 20 mm]}, interval: 70 ms}
)";

constexpr std::uint64_t kNever = 1000000;

/// Counts its calls, and requests a stop after a step.
struct RunListener : RunObserver {
  explicit RunListener(std::uint64_t last = kNever) : last_step(last) {}
  void begin(const Scene& /*scene*/, const Simulation& simulation, bool resumed_) override {
    first_step = step_now = simulation.state().step;
    resumed = resumed_;
  }
  void step(const Simulation& simulation) override {
    ++steps;
    step_now = simulation.report().step;
  }
  bool stop_requested() override { return step_now >= last_step; }
  void end(const Scene& /*scene*/, const RunResult& result) override {
    ended = result.outcome.status;
  }

  std::uint64_t last_step, first_step = kNever, step_now = 0, steps = 0;
  bool resumed = false;
  std::optional<RunOutcome::Status> ended;
};

class Run : public InDirectory {
 protected:
  Run() : options{.scene_file = directory / "heap.yaml", .threads = 1} {
    std::ofstream(options.scene_file) << kSceneOfHeap;
    out = directory / "out";
  }
  RunResult run_heap(const fs::path& to, RunObserver& observer,
                     const std::vector<std::string>& overrides = {}) {
    options.overrides = overrides;
    return run(load_scene(options.scene_file, overrides), to, options, observer);
  }

  RunOptions options;
  fs::path out;
};

std::vector<std::uint64_t> steps_of(const std::vector<ListedFrame>& frames) {
  std::vector<std::uint64_t> steps;
  for (const ListedFrame& frame : frames)
    steps.push_back(static_cast<std::uint64_t>(frame.time / 1e-3 + 0.5));
  return steps;
}

TEST_F(Run, ThatIsStoppedByTheObserverAndResumedHasTheSameBitsAsOneThatWentThrough) {
  RunListener patient;
  const RunResult whole = run_heap(directory / "whole", patient);
  EXPECT_EQ(whole.outcome.status, RunOutcome::Status::done) << whole.outcome.verdict;

  // Between samples of all kinds, at one of them, and right before the end.
  for (const std::uint64_t last : {17U, 60U, 99U}) {
    RunListener hasty(last);
    const RunResult part = run_heap(out, hasty);
    EXPECT_EQ(part.outcome.status, RunOutcome::Status::interrupted);
    EXPECT_EQ(part.outcome.exit_status, kInterrupted);
    EXPECT_EQ(part.summary.steps, last);
    EXPECT_TRUE(fs::exists(out / "FAILED"));
    options.old_run = OldRun::go_on;
  }
  RunListener rest;
  const RunResult resumed = run_heap(out, rest);
  EXPECT_TRUE(rest.resumed);
  EXPECT_EQ(rest.first_step, 99U);
  EXPECT_EQ(resumed.outcome.status, RunOutcome::Status::done);
  EXPECT_EQ(resumed.summary.steps, whole.summary.steps);
  EXPECT_EQ(resumed.frames, whole.frames);

  const RunComparison found =
      compare_runs(directory / "whole", out, RunManifest(directory / "whole"));
  EXPECT_TRUE(found.different.empty()) << found.different.front();
  EXPECT_GE(found.compared, 20U);
}

TEST_F(Run, WritesFramesRowsAndAnalysesWhenTheyAreDueAndAtItsEnds) {
  RunListener listener;
  run_heap(out, listener);
  using Steps = std::vector<std::uint64_t>;
  EXPECT_EQ(steps_of(read_series(out / "grains.hdf.series")), (Steps{0, 30, 60, 90, 100}));
  EXPECT_EQ(steps_of(read_series(out / "contacts.hdf.series")), (Steps{0, 30, 60, 90, 100}));
  Steps rows, samples;
  for (const Report& row : read_energies(out / "statistics.csv")) rows.push_back(row.step);
  EXPECT_EQ(rows, (Steps{0, 40, 80, 100}));
  std::istringstream table(text_of(out / "analysis" / "all" / "solid_fraction.csv"));
  std::string line;
  for (std::getline(table, line); std::getline(table, line);)
    samples.push_back(std::stoull(line.substr(line.find(',') + 1)));
  EXPECT_EQ(samples, (Steps{0, 70, 100}));
}

TEST_F(Run, TellsTheObserverOfItsBeginEachStepAndItsEnd) {
  RunListener listener;
  const RunResult result = run_heap(out, listener);
  EXPECT_EQ(listener.first_step, 0U);
  EXPECT_FALSE(listener.resumed);
  EXPECT_EQ(listener.steps, 100U);
  EXPECT_EQ(listener.ended, RunOutcome::Status::done);
  EXPECT_EQ(result.summary.last.step, 100U);
  EXPECT_EQ(result.outcome.exit_status, kDone);
}

TEST_F(Run, SaysInItsOutcomeAndItsManifestThatTheToleranceWasMissed) {
  RunListener listener;
  const RunResult result =
      run_heap(out, listener, {"solver.max_sweeps=1", "solver.tolerance=1e-13"});
  EXPECT_FALSE(result.summary.is_met());
  EXPECT_EQ(result.outcome.exit_status, kToleranceMissed);
  EXPECT_EQ(RunManifest(out).whole_number("/exit_status"), kToleranceMissed);
  EXPECT_EQ(RunManifest(out).text("/verdict"), result.outcome.verdict);
}

TEST_F(Run, ThatIsCompleteIsNotRunAgain) {
  RunListener first, second;
  const RunResult result = run_heap(out, first);
  options.old_run = OldRun::go_on;
  const RunResult again = run_heap(out, second);
  EXPECT_TRUE(again.was_complete);
  EXPECT_EQ(again.outcome.verdict, result.outcome.verdict);
  EXPECT_EQ(second.first_step, kNever);
  run_heap(out, second, {"until=120 ms"});
  EXPECT_EQ(second.first_step, 100U);
}

TEST_F(Run, WritesTheProblemsOfTheStepsAskedFor) {
  options.dumped_steps = {90, 95};
  RunListener listener;
  run_heap(out, listener);
  EXPECT_TRUE(fs::exists(problem_file(out, 90)));
  EXPECT_TRUE(fs::exists(problem_file(out, 95)));
  EXPECT_EQ(std::distance(fs::directory_iterator(out / "problems"), {}), 2);
}

TEST_F(Run, RefusesADirectoryWithARunOrAnotherSceneAndLeavesItAsItIs) {
  RunListener first, second;
  run_heap(out, first);
  const std::string manifest = text_of(out / "manifest.json");
  EXPECT_THROW(run_heap(out, second), InputError);
  options.old_run = OldRun::go_on;
  EXPECT_THROW(run_heap(out, second, {"default_law.friction=0.1"}), InputError);
  EXPECT_EQ(second.first_step, kNever);
  EXPECT_EQ(text_of(out / "manifest.json"), manifest);
}

/// A looser heap, whose balls fall first.
const std::string kLooser = "bodies[0].lattice.spacing=6 mm";
const std::vector<std::string> kUntilRest{kLooser, "until=rest", "rest={at_most: 2 s}"};

TEST_F(Run, EndsWhenAllIsAtRestAndSaysSo) {
  RunListener listener;
  const RunResult result = run_heap(out, listener, kUntilRest);
  EXPECT_EQ(result.outcome.exit_status, kDone) << result.outcome.verdict;
  EXPECT_LT(result.summary.last.time, 1);
  EXPECT_NE(result.outcome.verdict.find("At rest at t = "), std::string::npos);
  EXPECT_EQ(RunManifest(out).text("/verdict"), result.outcome.verdict);
  const auto verdict = Json::parse(text_of(out / "verdict.json"));
  EXPECT_EQ(verdict.at("rest").at("reached"), true);
  EXPECT_EQ(steps_of(read_series(out / "grains.hdf.series")).back(), result.summary.steps);
}

TEST_F(Run, ThatDoesNotComeToRestInTimeMissesItsVerdict) {
  RunListener listener;
  const RunResult result =
      run_heap(out, listener, {kLooser, "until=rest", "rest={at_most: 15 ms}"});
  EXPECT_EQ(result.outcome.status, RunOutcome::Status::done);
  EXPECT_EQ(result.outcome.exit_status, kToleranceMissed);
  EXPECT_EQ(result.summary.steps, 15U);
  EXPECT_GT(result.summary.rest->report.moving_share, 0.01);
  EXPECT_NE(result.outcome.verdict.find("Not at rest at t = 0.015 s: "), std::string::npos)
      << result.outcome.verdict;
}

TEST_F(Run, UntilRestThatIsStoppedAndResumedEndsInTheSameStepWithTheSameBits) {
  RunListener patient;
  const RunResult whole = run_heap(directory / "whole", patient, kUntilRest);
  // Once while it falls, and once while it is still but not yet for long enough
  for (const std::uint64_t last : {17UL, whole.summary.steps - 20}) {
    RunListener hasty(last);
    EXPECT_EQ(run_heap(out, hasty, kUntilRest).outcome.status, RunOutcome::Status::interrupted);
    options.old_run = OldRun::go_on;
  }
  RunListener rest;
  EXPECT_EQ(run_heap(out, rest, kUntilRest).summary.steps, whole.summary.steps);
  const auto same = [&] {
    return compare_runs(directory / "whole", out, RunManifest(directory / "whole"))
        .different.empty();
  };
  EXPECT_TRUE(same());

  // Killed after its last step, before it was marked as done
  fs::remove(out / "DONE");
  RunListener again;
  EXPECT_EQ(run_heap(out, again, kUntilRest).summary.steps, whole.summary.steps);
  EXPECT_TRUE(same());

  EXPECT_TRUE(run_heap(out, rest, kUntilRest).was_complete);
}

TEST_F(Run, ThatCameToRestGoesOnToALaterTimeOrAStricterRest) {
  RunListener listener;
  const std::uint64_t steps = run_heap(out, listener, kUntilRest).summary.steps;
  options.old_run = OldRun::go_on;
  RunListener later;
  const RunResult stricter =
      run_heap(out, later, {kLooser, "until=rest", "rest={at_most: 2 s, lasting: 0.3 s}"});
  EXPECT_EQ(later.first_step, steps);
  EXPECT_EQ(stricter.summary.steps, steps + 300);
  RunListener latest;
  EXPECT_EQ(run_heap(out, latest, {kLooser, "until=2.5 s"}).summary.steps, 2500U);
  EXPECT_EQ(latest.first_step, steps + 300);
}

TEST_F(Run, ThatEndedAtATimeIsNotTakenForOneThatCameToRest) {
  RunListener listener, again;
  run_heap(out, listener, {kLooser});
  options.old_run = OldRun::go_on;
  EXPECT_THROW(run_heap(out, again, {kLooser, "until=rest", "rest={at_most: 50 ms}"}), InputError);
  EXPECT_THROW(run_heap(out, again, {kLooser, "until=rest", "rest={at_most: 0.1 s}"}), InputError);
  EXPECT_GT(run_heap(out, again, kUntilRest).summary.steps, 100U);
}

TEST_F(Run, IsLeftAsFailedByWhatAnObserverThrows) {
  struct Thrower : RunObserver {
    void step(const Simulation& simulation) override {
      if (simulation.report().step == 10) throw OutputError("the disk is full");
    }
  } thrower;
  EXPECT_THROW(run_heap(out, thrower), OutputError);
  EXPECT_NE(text_of(out / "FAILED").find("the disk is full"), std::string::npos);
  EXPECT_EQ(RunManifest(out).whole_number("/exit_status"), kInputOutputFailure);
  EXPECT_EQ(exit_status_of(InputError("")), kBadInput);
  EXPECT_EQ(exit_status_of(std::runtime_error("")), kInternalError);
}

}  // namespace
}  // namespace scree

/// Batches: what is varied, how runs are called, and what is refused before any of them begins.
#include "scree/run/batch.hpp"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/run/exit_status.hpp"
#include "support/in_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<std::string>;

constexpr const char* kSceneOfBatch = R"(scree: 1
name: ball
until: 20 ms
step: {h: 1 ms}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - sphere: {position: [0, 0, 10.1 mm], radius: 1 cm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output: {frame_interval: 10 ms, checkpoint_interval: 1 ms}
)";

Values values(const std::string& text) { return batch_parameter("x=" + text).values; }

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(BatchValues, AreOneByOneWithWhatIsInBracketsKeptTogether) {
  EXPECT_EQ(values("0.1, 0.2,0.5"), (Values{"0.1", "0.2", "0.5"}));
  EXPECT_EQ(values("coulomb,max_dissipation"), (Values{"coulomb", "max_dissipation"}));
  EXPECT_EQ(values("[0, 0, -9.81],[0, 1, -9.81]"), (Values{"[0, 0, -9.81]", "[0, 1, -9.81]"}));
  EXPECT_EQ(values("{law: coulomb, friction: 0.1}"), Values{"{law: coulomb, friction: 0.1}"});
  EXPECT_EQ(values("'a,b',c"), (Values{"'a,b'", "c"}));
  EXPECT_EQ(values("true,false"), (Values{"true", "false"}));
}

TEST(BatchValues, AreNumbersFromOneToAnotherWithTheDigitsThatPeopleWrite) {
  EXPECT_EQ(values("0.1:0.8:8"), (Values{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"}));
  EXPECT_EQ(values("1mm:2mm:3"), (Values{"1mm", "1.5mm", "2mm"}));
  EXPECT_EQ(values("5:-5:3"), (Values{"5", "0", "-5"}));
  EXPECT_EQ(values("1e3:1e6:4:log"), (Values{"1000", "10000", "100000", "1000000"}));
}

TEST(BatchValues, AreWholeNumbersOneAfterTheOther) {
  EXPECT_EQ(values("1..3"), (Values{"1", "2", "3"}));
  EXPECT_EQ(values("-1..1,7"), (Values{"-1", "0", "1", "7"}));
}

TEST(BatchValues, ThatMakeNoSenseAreRefusedWithWhatToWrite) {
  for (const char* text : {"x", "=1", "x=", "x=1,,2", "x=1:2", "x=1mm:2:3", "x=1:2:1", "x=1:2:0.5",
                           "x=1:1:3", "x=0:1:3:log", "x=1:2:3:lin", "x=3..1", "x=1..999999"}) {
    if (std::string(text) == "x=1:2") {  // a word as YAML has it
      EXPECT_EQ(batch_parameter(text).values, Values{"1:2"});
      continue;
    }
    EXPECT_THROW(batch_parameter(text), InputError) << text;
  }
  EXPECT_NE(refusal([] { batch_parameter("step.h=1us:2ms:3"); }).find("in different units"),
            std::string::npos);
}

TEST(BatchColumns, NameAFileAndAPlaceInIt) {
  const BatchColumn column = batch_column("statistics.csv:kinetic_energy");
  EXPECT_EQ(column.name + "|" + column.file + "|" + column.key,
            "kinetic_energy|statistics.csv|kinetic_energy");
  const BatchColumn power = batch_column("power=verdict.json:/obstacles/0/mean_power");
  EXPECT_EQ(power.name + "|" + power.file + "|" + power.key,
            "power|verdict.json|/obstacles/0/mean_power");
  for (const char* text : {"statistics.csv", "kinetic_energy", "verdict.json:energy", "../x.csv:a",
                           "/etc/x.csv:a", "x.csv:", "=x.csv:a", "x.hdf:a"})
    EXPECT_THROW(batch_column(text), InputError) << text;
}

class Batches : public InDirectory {
 protected:
  Batches() : scene(directory / "ball.yaml") { std::ofstream(scene) << kSceneOfBatch; }

  BatchPlan plan_of(const Values& over, const Values& set = {}, const Values& columns = {}) {
    BatchRequest request{scene, {}, set, {}, {}};
    for (const std::string& text : over) request.parameters.push_back(batch_parameter(text));
    for (const std::string& text : columns) request.columns.push_back(batch_column(text));
    return plan_batch(request);
  }
  std::string refused(const Values& over, const Values& set = {}) {
    return refusal([&] { plan_of(over, set); });
  }

  fs::path scene;
};

TEST_F(Batches, HaveRunsForEveryCombinationWithNamesThatOneReads) {
  const BatchPlan plan =
      plan_of({"default_law.friction=0.1,0.2", "bodies[0].sphere.radius=9mm,10mm"});
  Values names;
  for (const BatchRun& run : plan.runs) names.push_back(run.name);
  EXPECT_EQ(names, (Values{"friction=0.1_radius=9mm", "friction=0.1_radius=10mm",
                           "friction=0.2_radius=9mm", "friction=0.2_radius=10mm"}));
  EXPECT_EQ(plan.runs[0].values, (Values{"0.1", "0.009"}));  // in SI units
  EXPECT_GT(plan.memory, 0);
}

TEST_F(Batches, TakeMoreOfAPathWhereItsLastKeyWouldNotBeClear) {
  std::ofstream(scene, std::ios::app) << "description: two\n";
  const BatchPlan plan = plan_of({"output.frame_interval=1ms,2ms",
                                  "bodies[0].sphere.position[2]="
                                  "11mm,12mm",
                                  "until=10ms"});
  EXPECT_EQ(plan.parameters[0].label, "frame_interval");
  EXPECT_EQ(plan.parameters[1].label, "position2");
  EXPECT_EQ(plan.runs[3].name, "frame_interval=2ms_position2=12mm_until=10ms");
}

TEST_F(Batches, RefuseAPathThatTheSceneDoesNotHave) {
  EXPECT_NE(refused({"default_law.frction=0.1"}).find("did you mean 'friction'"),
            std::string::npos);
  // An override would make a new material, and all runs would be the same.
  EXPECT_NE(refused({"materials.glas.density=1,2"}).find("did you mean 'glass'"),
            std::string::npos);
  EXPECT_NE(refused({"bodies[1].sphere.radius=1,2"}).find("no entry [1]"), std::string::npos);
  EXPECT_NE(refused({"bodies.sphere.radius=1,2"}).find("is a list"), std::string::npos);
  EXPECT_NE(refused({"until[0]=1"}).find("is not a list"), std::string::npos);
}

TEST_F(Batches, RefuseACombinationThatIsNoSceneBeforeAnyRuns) {
  const std::string message = refused({"default_law.friction=0.1,-1"});
  EXPECT_NE(message.find("--over default_law.friction=-1"), std::string::npos) << message;
  EXPECT_NE(message.find("out of range"), std::string::npos) << message;
  EXPECT_NE(refused({"step.h=1kg"}).find("dimension"), std::string::npos);
  EXPECT_NE(refused({"default_law.law=coulomb,colomb"}).find("did you mean"), std::string::npos);
}

TEST_F(Batches, RefuseWhatWouldRunTheSameSceneTwice) {
  EXPECT_NE(refused({"default_law.friction=0.5,0.50"}).find("are the same scene"),
            std::string::npos);
  EXPECT_NE(refused({"until=1ms", "until=2ms"}).find("varied twice"), std::string::npos);
  EXPECT_NE(refused({"until=1ms,2ms"}, {"until=3ms"}).find("--set"), std::string::npos);
}

TEST_F(Batches, RunIntoOneDirectoryWithATable) {
  const BatchPlan plan = plan_of({"default_law.friction=0.1,0.2"}, {},
                                 {"time_of_row=statistics.csv:time", "verdict.json:/energy/created",
                                  "none=verdict.json:/rest"});
  BatchObserver observer;
  const BatchResult result = run_batch(plan, directory / "out", {.jobs = 2}, observer);
  EXPECT_EQ(result.exit_status, kDone);
  const std::string table = text_of(directory / "out" / "table.csv");
  EXPECT_EQ(
      table.substr(0, table.find('\n')),
      "run,friction,status,exit_status,verdict,ended_by,time,steps,steps_within_tolerance,residual,"
      "share_within_tolerance,bodies_entered,bodies_left,energy_created,energy_dissipated,"
      "bodies,contacts_loaded,max_penetration,kinetic_energy,potential_energy,time_of_row,"
      "created,none,message");
  EXPECT_NE(table.find("\nfriction=0.1,0.1,done,0,met,time,0.02,20,20,"), std::string::npos)
      << table;
  EXPECT_TRUE(fs::exists(directory / "out" / "friction=0.2" / "DONE"));
}

/// Stops the batch after so many runs.
struct BatchStopper : BatchObserver {
  explicit BatchStopper(int runs) : left(runs) {}
  void ended(const BatchRun&, const BatchEnd&) override { --left; }
  bool stop_requested() override { return left <= 0; }
  std::atomic<int> left;
};

TEST_F(Batches, GoOnWhereTheyWereStoppedAndRunNothingTwice) {
  const BatchPlan plan = plan_of({"default_law.friction=0.1:0.6:6"});
  BatchObserver whole;
  run_batch(plan, directory / "whole", {.jobs = 1}, whole);
  BatchStopper stopper(2);
  const fs::path cut = directory / "cut";
  const BatchResult first = run_batch(plan, cut, {.jobs = 1}, stopper);
  EXPECT_TRUE(first.interrupted);
  EXPECT_EQ(first.exit_status, kInterrupted);
  EXPECT_EQ(first.ends[1].status, BatchEnd::Status::done);
  EXPECT_EQ(first.ends[2].status, BatchEnd::Status::missing);
  EXPECT_NE(text_of(cut / "table.csv").find("missing"), std::string::npos);
  const auto done_at = fs::last_write_time(cut / "friction=0.1" / "DONE");
  BatchObserver again;
  EXPECT_EQ(run_batch(plan, cut, {.jobs = 3}, again).exit_status, kDone);
  EXPECT_EQ(fs::last_write_time(cut / "friction=0.1" / "DONE"), done_at);
  EXPECT_EQ(text_of(cut / "table.csv"), text_of(directory / "whole" / "table.csv"));
}

TEST_F(Batches, RefuseADirectoryOfAnotherBatchAndLeaveItAsItWas) {
  BatchObserver observer;
  run_batch(plan_of({"default_law.friction=0.1,0.2"}), directory / "out", {}, observer);
  const std::string table = text_of(directory / "out" / "table.csv");
  const auto message = [&](const BatchPlan& plan) {
    return refusal([&] { run_batch(plan, directory / "out", {}, observer); });
  };
  EXPECT_NE(message(plan_of({"default_law.friction=0.1,0.3"})).find("it varies"),
            std::string::npos);
  EXPECT_NE(message(plan_of({"default_law.friction=0.1,0.2"}, {"until=10ms"})).find("--set"),
            std::string::npos);
  std::string changed = kSceneOfBatch;
  changed.replace(changed.find("1 cm"), 4, "9 mm");
  std::ofstream(scene) << changed;
  EXPECT_NE(message(plan_of({"default_law.friction=0.1,0.2"})).find("was changed since"),
            std::string::npos);
  EXPECT_EQ(text_of(directory / "out" / "table.csv"), table);
  fs::create_directories(directory / "other" / "something");
  EXPECT_NE(refusal([&] {
              run_batch(plan_of({"default_law.friction=0.1,0.2"}), directory / "other", {},
                        observer);
            }).find("does not hold a batch"),
            std::string::npos);
}

TEST_F(Batches, NameARunThatFailsAndRunTheOthers) {
  const BatchPlan plan = plan_of({"default_law.friction=0.1,0.2,0.3"});
  // A file where the second run's directory would be.
  fs::create_directories(directory / "out");
  std::ofstream(directory / "out" / "batch.json.part") << "";
  BatchObserver observer;
  struct Spoiler : BatchObserver {
    std::unique_ptr<RunObserver> observer_of(const BatchRun& run, const fs::path& path) override {
      if (run.name == "friction=0.2") std::ofstream(path) << "no directory";
      return nullptr;
    }
  } spoiler;
  const BatchResult result = run_batch(plan, directory / "out", {.jobs = 1}, spoiler);
  EXPECT_EQ(result.ends[0].status, BatchEnd::Status::done);
  EXPECT_EQ(result.ends[1].status, BatchEnd::Status::failed);
  EXPECT_EQ(result.ends[2].status, BatchEnd::Status::done);
  EXPECT_NE(result.ends[1].message.find("does not hold a run of scree"), std::string::npos);
  EXPECT_EQ(result.exit_status, kBadInput);
  EXPECT_NE(text_of(directory / "out" / "table.csv").find("friction=0.2,0.2,failed,"),
            std::string::npos);
  // Once it can be made, it is.
  fs::remove(directory / "out" / "friction=0.2");
  EXPECT_EQ(run_batch(plan, directory / "out", {.jobs = 1}, observer).exit_status, kDone);
}

}  // namespace
}  // namespace scree

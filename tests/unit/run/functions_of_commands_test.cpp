/// The functions behind `scree analyse`, `solve` and `contact`, called by another program.
#include <fstream>
#include <gtest/gtest.h>

#include "scree/run/exit_status.hpp"
#include "scree/run/problem_collection.hpp"
#include "scree/run/run.hpp"
#include "scree/run/run_analysis.hpp"
#include "scree/run/solved_contacts.hpp"
#include "support/in_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

const fs::path kProblems = fs::path(SCREE_TEST_DATA) / "fclib";

class FunctionsOfCommands : public InDirectory {};

/// Records its calls, and requests a stop after some results.
struct CollectionListener : CollectionObserver {
  explicit CollectionListener(std::size_t max_value) : max_results(max_value) {}
  void begin() override { heard += "begin "; }
  void result(const Json& /*result*/) override {
    heard += "result ";
    ++results;
  }
  bool stop_requested() override { return results >= max_results; }
  void end(const CollectionResult& /*result*/) override {
    heard += "end";
    wrote_before_end = fs::exists(file);
  }

  std::size_t max_results, results = 0;
  std::string heard;
  fs::path file;
  bool wrote_before_end = false;
};

TEST_F(FunctionsOfCommands, ACollectionSolvesEachProblemByEachSolver) {
  CollectionListener listener(1000);
  listener.file = directory / "results.json";
  const CollectionResult result =
      solve_collection(find_problems({kProblems}), {SolverKind::gauss_seidel, SolverKind::newton},
                       {}, directory, listener);
  EXPECT_EQ(result.results.size(), 8);
  EXPECT_EQ(result.exit_status, kDone);
  EXPECT_FALSE(result.interrupted);
  ASSERT_EQ(result.solvers.size(), 2);
  EXPECT_EQ(result.solvers[0].name, "gauss_seidel");
  EXPECT_EQ(result.solvers[1].statuses.at("converged"), 4);
  EXPECT_GT(result.solvers[1].mean_seconds, 0);
  EXPECT_FALSE(listener.wrote_before_end);
  EXPECT_EQ(Json::parse(text_of(listener.file)), result.json());
}

TEST_F(FunctionsOfCommands, AnObserverStopsACollection) {
  CollectionListener listener(1);
  const CollectionResult result =
      solve_collection(find_problems({kProblems}), {SolverKind::newton}, {}, directory, listener);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.exit_status, kInterrupted);
  EXPECT_EQ(result.problems, 4);
  EXPECT_EQ(listener.heard, "begin result end");
  EXPECT_EQ(Json::parse(text_of(directory / "results.json"))["results"].size(), 1);
}

TEST_F(FunctionsOfCommands, AFileThatIsNoProblemIsTold) {
  std::ofstream(directory / "broken.h5") << "no problem";
  CollectionListener listener(1000);
  const CollectionResult result =
      solve_collection(find_problems({directory}), {SolverKind::newton}, {}, {}, listener);
  EXPECT_EQ(result.not_usable(), 1);
  EXPECT_EQ(result.exit_status, kBadInput);
  EXPECT_FALSE(is_solved(result.results.at(0)));
}

TEST_F(FunctionsOfCommands, ASolveEndsEarlyWhenItIsAskedTo) {
  ProblemSettings settings;
  settings.solver.tolerance = 1e-300;  // out of reach
  const ProblemPlace place = find_problems({kProblems / "OneObject-i1028-138.hdf5"}).front();
  const Problem problem = read_problem(place.name, place.path, settings);
  const SolvedProblem solved =
      solve_one(problem, SolverKind::gauss_seidel, settings, [] { return true; });
  EXPECT_TRUE(solved.is_suited());
  EXPECT_EQ(solved.exit_status(), kInterrupted);
}

/// A ball that slides over a floor: one solution of Coulomb's law, r = (1, −μ, 0) N s.
SingleContactProblem sliding_ball() {
  return {"ball", {1, 0, 0, 3.5, 0, 3.5}, {-1, 0.7, 0}, 0.1, {}};
}

TEST_F(FunctionsOfCommands, ContactsAreSolvedByEachLaw) {
  const ContactAnswer answer = solve_contact(sliding_ball(), {});
  ASSERT_EQ(answer.solutions.size(), 1);
  EXPECT_EQ(answer.count, 1);
  EXPECT_EQ(answer.status(), LocalStatus::solved);
  EXPECT_NEAR(answer.solutions[0].solution.r.y, -0.1, 1e-14);
  const ContactAnswer joint = solve_contact(sliding_ball(), {.law = std::nullopt});
  EXPECT_NEAR(joint.solutions.at(0).solution.r.y, -0.2, 1e-14);

  SingleContactProblem impossible = sliding_ball();
  impossible.W = {};
  const std::vector problems{sliding_ball(), impossible};
  const SolvedContacts solved = solve_contacts(problems, {});
  EXPECT_EQ(solved.problems(), 2);
  EXPECT_EQ(solved.statuses(), (SolvedContacts::Counts{{"ill_posed", 1}, {"solved", 1}}));
  EXPECT_FALSE(solved.all_are_solved());
  EXPECT_TRUE(SolvedContacts{}.all_are_solved());
}

/// Balls at rest one above the other, and what becomes of them in ten steps.
constexpr const char* kColumn = R"(scree: 1
name: column
until: 10 ms
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - lattice:
      {region: {min: [0, 0, 0], max: [10 mm, 10 mm, 10 mm]}, spacing: 5 mm, radius: 2.5 mm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output: {frame_interval: 5 ms, statistics_interval: 5 ms}
)";

TEST_F(FunctionsOfCommands, ARunIsAnalysedFromItsFrames) {
  std::ofstream(directory / "scene.yaml") << kColumn;
  RunObserver nobody;
  const fs::path where = directory / "run";
  scree::run(load_scene(directory / "scene.yaml"), where,
             {.scene_file = directory / "scene.yaml", .threads = 1}, nobody);
  std::vector<std::string> warnings;
  const Warn warn = [&](const std::string& message) { warnings.push_back(message); };
  const RunAnalysis analysis =
      analyse_run(where, {.region = Region{{0, 0, 0}, {0.01, 0.01, 0.01}}}, warn);
  EXPECT_EQ(warnings, std::vector<std::string>{});
  EXPECT_EQ(analysis.tables.frames(), 3);
  EXPECT_EQ(analysis.tables.last().bodies, 8);
  EXPECT_EQ(analysis.directory, where / "analysis");
  EXPECT_EQ(analysis_json(analysis)["frames"], 3);
  for (const std::string& file : analysis.files) EXPECT_TRUE(fs::exists(where / "analysis" / file));

  analyse_run(where, {.region = Region{{1, 1, 1}, {2, 2, 2}}}, warn);
  EXPECT_EQ(warnings.size(), 1);
  EXPECT_THROW(analyse_run(where, {.region = Region{{1, 1, 1}, {0, 2, 2}}}, warn), InputError);
  EXPECT_THROW(analyse_run(where, {.plane = Plane{{}, {0, 0, 0}}}, warn), InputError);
}

}  // namespace
}  // namespace scree

#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace scree::test {
namespace {

SolverSettings solver_of(const std::string& keys) {
  return load_text(kBase + (keys.empty() ? "" : "solver: {" + keys + "}\n") +
                   "bodies: [{sphere: {position: [0, 0, 1], radius: 1}}]\n")
      .model.solver;
}

bool same(const SolverSettings& a, const SolverSettings& b) {
  return a.method == b.method && a.tolerance == b.tolerance && a.max_sweeps == b.max_sweeps &&
         a.warm_start == b.warm_start && a.acceleration == b.acceleration;
}

TEST(Accuracy, SaysHowContactsAreSolved) {
  for (const Accuracy accuracy : kAccuracies)
    EXPECT_TRUE(
        same(solver_of("accuracy: " + std::string(name(accuracy))), solver_settings(accuracy)))
        << name(accuracy);
}

TEST(Accuracy, IsThatOfEngineeringInScenesAndModels) {
  EXPECT_TRUE(same(solver_of(""), solver_settings(Accuracy::engineering)));
  const Model model;
  EXPECT_TRUE(same(model.solver, solver_settings(Accuracy::engineering)));
}

TEST(Accuracy, IsFinerWhereMoreIsAsked) {
  const auto tolerance = [](Accuracy a) { return solver_settings(a).tolerance; };
  EXPECT_GT(tolerance(Accuracy::draft), tolerance(Accuracy::engineering));
  EXPECT_GT(tolerance(Accuracy::engineering), tolerance(Accuracy::reference));
}

TEST(Accuracy, GivesWayToKeysOfItsOwn) {
  const SolverSettings asked = solver_of("accuracy: draft, tolerance: 1e-7, max_sweeps: 7");
  EXPECT_EQ(asked.tolerance, 1e-7);
  EXPECT_EQ(asked.max_sweeps, 7);
  EXPECT_EQ(solver_of("acceleration: none").acceleration, Acceleration::none);
  EXPECT_EQ(solver_of("method: newton").acceleration, Acceleration::none);
}

TEST(Accuracy, WarnsWhereAnotherToleranceCounts) {
  const auto warnings_of = [](const std::string& keys) {
    return load_text(kBase + "solver: {" + keys + "}\n" +
                     "bodies: [{sphere: {position: [0, 0, 1], radius: 1}}]\n")
        .warnings.size();
  };
  const std::size_t none = warnings_of("accuracy: draft");
  EXPECT_EQ(warnings_of("accuracy: draft, tolerance: 1e-7"), none + 1);
  EXPECT_EQ(warnings_of("accuracy: draft, tolerance: 0.1"), none);
  EXPECT_EQ(warnings_of("tolerance: 1e-7"), none);
}

TEST(Accuracy, OfNoSuchNameIsRefusedOnce) {
  expect_problem(kBase, "solver.accuracy", "engineering", {"solver.accuracy=fine"});
}

}  // namespace
}  // namespace scree::test

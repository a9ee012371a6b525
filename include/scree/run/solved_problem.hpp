/// A problem file, one solution of it, and how programs are told of both.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "scree/io/fclib.hpp"
#include "scree/io/json_text.hpp"
#include "scree/solvers/solve_problem.hpp"

namespace scree {

struct ProblemSettings {
  LawKind law = LawKind::coulomb;  ///< of all contacts
  int facets = PairLaw{}.facets;   ///< of a polyhedral cone
  SolverSettings solver;           ///< but for the method: it is named for each solve
  double max_seconds = std::numeric_limits<double>::infinity();  ///< for each solve, wall clock
  int threads = 1;  ///< of automatic; results do not depend on it
};

struct Problem {
  std::string name;  ///< stem of its file; no two of a collection have the same
  FclibFile file;
  FrictionContactProblem system;
  Asymmetry asymmetry{};

  /// More than rounding leaves.
  bool is_asymmetric() const { return asymmetry.share > 1e-6; }
  int contacts() const { return static_cast<int>(file.mu.size()); }
  int joint_rows() const { return static_cast<int>(system.q.size()) - 3 * contacts(); }
};

/// Reads a file, and takes the law that was asked for. Throws as read_fclib and delassus_problem
/// do.
Problem read_problem(const std::string& name, const std::filesystem::path& path,
                     const ProblemSettings& settings);

struct SolvedProblem {
  SolverKind solver = SolverKind::automatic;
  Solution solution;
  double fclib_residual = 0;     ///< E
  double dissipation = 0;        ///< of contacts and joints together [J]
  std::array<int, 3> classes{};  ///< contacts of each ContactClass
  int worst = -1;                ///< contact with the largest residual; −1 if there are none
  double largest_spread = 0;     ///< of the contacts [N s]; if the minimum norm was asked for
  std::vector<int> contradictory_contacts,
      contradictory_joints;  ///< what Solution::infeasibility lies on; joints by their rows

  bool is_suited() const { return solution.status != SolveStatus::unsuited; }
  int exit_status() const;
};

/// Asked twenty times a second by the thread that called, while another one solves: true ends a
/// solve early, with the best impulses by then. None: never.
using StopRequested = std::function<bool()>;

/// Solves by one solver.
SolvedProblem solve_one(const Problem& problem, SolverKind solver, const ProblemSettings& settings,
                        const StopRequested& stop_requested = {});

/// The fields of docs/guide/problem_files.md.
Json json_of(const Problem& problem, const SolvedProblem& solved, const ProblemSettings& settings);

/// Where W is not symmetric, by how much, and what that means.
std::string asymmetry_in_words(const Problem& problem);

/// Why a solver did not take the problem, and what to do.
std::string unsuited(LawKind law, SolverKind solver);

/// Tables (CSV): E_s over iterations; impulse, velocity and certificate of each block.
std::string history_table(const Solution& solution);
std::string contacts_table(const Problem& problem, const Solution& solution);

}  // namespace scree

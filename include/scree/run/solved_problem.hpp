/// A problem file, one solution of it, and both as JSON.
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
  LawKind law = LawKind::coulomb;                         ///< of all contacts
  int facets = PairLaw{}.facets;                          ///< of a polyhedral cone
  Coulomb::Choice choice = Coulomb::Choice::dissipation;  ///< among several solutions of coulomb
  SolverSettings solver;  ///< without the method, which is an argument of each solve
  /// Label of each contact, for jacobi: Gauss–Seidel inside a subdomain, Jacobi between them.
  /// Empty: each contact is one; each joint always is
  std::vector<int> subdomains;
  double max_seconds = std::numeric_limits<double>::infinity();  ///< for each solve, wall clock [s]
  int threads = 1;  ///< of the automatic solver; results do not depend on it
};

struct Problem {
  std::string name;  ///< stem of its file; unique in a collection
  FclibFile file;
  FrictionContactProblem system;
  Asymmetry asymmetry{};

  /// True if W is asymmetric by more than rounding.
  bool is_asymmetric() const { return asymmetry.share > 1e-6; }
  int contacts() const { return static_cast<int>(file.mu.size()); }
  int joint_rows() const { return static_cast<int>(system.q.size()) - 3 * contacts(); }
};

/// Gives the laws of a problem their facets and choices.
void complete_laws(FrictionContactProblem& problem, const ProblemSettings& settings);

/// Reads a problem with the law of the settings. Throws as read_fclib and delassus_problem do.
Problem read_problem(const std::string& name, const std::filesystem::path& path,
                     const ProblemSettings& settings);

struct SolvedProblem {
  SolverKind solver = SolverKind::automatic;
  Solution solution;
  double fclib_residual = 0;     ///< E
  double dissipation = 0;        ///< of contacts and joints together [J]
  std::array<int, 3> classes{};  ///< contacts of each ContactClass
  int worst = -1;                ///< contact with the largest residual; −1 if there are none
  double largest_spread = 0;     ///< of the contacts [N s]; only with the minimum norm
  std::vector<int> contradictory_contacts,
      contradictory_joints;  ///< contacts and rows of joints with a part in Solution::infeasibility

  bool is_suited() const { return solution.status != SolveStatus::unsuited; }
  int exit_status() const;
};

/// Called twenty times a second by the calling thread while another thread solves: true ends the
/// solve early, with the best impulses so far. Empty: never stops.
using StopRequested = std::function<bool()>;

/// Solves by one solver. Throws InputError if subdomains are not one for each contact.
SolvedProblem solve_one(const Problem& problem, SolverKind solver, const ProblemSettings& settings,
                        const StopRequested& stop_requested = {});

/// The fields of docs/guide/problem_files.md.
Json json_of(const Problem& problem, const SolvedProblem& solved, const ProblemSettings& settings);

/// Sentence on the asymmetry of W: its position, size and consequence.
std::string asymmetry_in_words(const Problem& problem);

/// Sentence why a solver does not accept the problem, and what to do.
std::string unsuited(LawKind law, SolverKind solver);

/// Tables (CSV): E_s over iterations; impulse, velocity and certificate of each block.
std::string history_table(const Solution& solution);
std::string contacts_table(const Problem& problem, const Solution& solution);

}  // namespace scree

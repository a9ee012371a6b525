/// Solvers of many contacts with the Delassus operator explicit or as factors, and their reports.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "scree/core/threads.hpp"
#include "scree/solvers/certificate.hpp"
#include "scree/solvers/friction_contact_problem.hpp"
#include "scree/solvers/solver_settings.hpp"

namespace scree {

enum class SolveStatus : std::uint8_t {
  converged,   ///< E_s ≤ tolerance
  stalled,     ///< no method of the portfolio, or no further iteration, reduced E_s
  infeasible,  ///< there is no solution, and Solution::infeasibility proves it
  time_limit,  ///< max_seconds are over
  stopped,     ///< SolveContext::stop requested it
  unsuited,    ///< the solver does not take a law of this problem, or the problem is too large
};
std::string_view name(SolveStatus status);

/// Inputs of one solve next to its settings.
struct SolveContext {
  std::span<const double> start;  ///< r to start from [N s]; empty for zero
  /// Label of each block, for jacobi: Gauss–Seidel inside a subdomain, Jacobi between them.
  std::span<const int> subdomain;
  double max_seconds = std::numeric_limits<double>::infinity();  ///< wall clock
  /// Ends a solve from another thread
  std::stop_token stop;
  ThreadPool* pool = nullptr;  ///< for the islands of automatic; null: this thread alone
};

/// Indeterminacy of the impulses: how far they can change at the same velocities.
struct Hyperstatic {
  /// Dimension of the null space of W on the impulses that the velocities leave free [-].
  int dimension = 0;
  /// For each block: lower bound of the range of r_n, with the others adapting within their laws
  /// [N s].
  std::vector<double> spread;
  bool minimum_norm = true;  ///< Solution::r is the one of least norm
};

struct Iterate {
  int iteration;
  double residual;  ///< E_s [-]
};

struct Solution {
  Vector r;  ///< [N s]
  Vector u;  ///< W r + q [m/s]
  SolveStatus status = SolveStatus::stalled;
  int iterations = 0;            ///< sweeps, Newton steps and factorisations together
  double seconds = 0;            ///< wall clock, without the certificates
  double layout_seconds = 0;     ///< included in `seconds`, for laying out W
  double residual = 0;           ///< E_s [-]
  std::vector<Iterate> history;  ///< E_s at each measurement
  std::vector<ContactCertificate> blocks;
  std::optional<Hyperstatic> hyperstatic;  ///< with SolverSettings::minimum_norm
  /// Proof of infeasibility, an impulse p [N s]: Wᵀp = 0 to within rounding, so that p·u = q·p for
  /// any r. q·p = −1 J, while p·u ≥ 0 for all u that the laws admit: so u = W r + q has no
  /// solution. p_i is in the friction cone for cone complementarity, along n for other laws,
  /// arbitrary for joints; zero outside one island.
  std::optional<Vector> infeasibility;
};

/// Solves the problem. Numerical failure does not throw, and the answer is the best impulse that
/// was seen. Throws InputError if numbers are not finite, sizes do not match, a friction
/// coefficient is negative, or a contact's diagonal block of W has trace zero.
Solution solve(const FrictionContactProblem& problem, const SolverSettings& settings = {},
               const SolveContext& context = {});
/// The same for a factored problem. gauss_seidel, psor, jacobi, accelerated_gradient and
/// barzilai_borwein do not form W; all others do.
Solution solve(const FactoredProblem& problem, const SolverSettings& settings = {},
               const SolveContext& context = {});

/// E_s = sqrt(Σ e²) / S, e the residual of each block's own law, S undone_speed() [-].
double scaled_residual(const FrictionContactProblem& problem, const Vector& r);

/// E of FCLIB's description, as Siconos computes it: sqrt(Σ |r − P(r − û)|²) / max(|q|, |r|, |u|),
/// the natural map of each law with a step of 1 kg; Coulomb's map for max_dissipation, which has
/// none. Use it only to compare with other programs: it adds N s to m/s and so depends on the units
/// of the file, and it means little where impulses are large or W is small.
double fclib_residual(const FrictionContactProblem& problem, const Vector& r);

/// Certificates of an impulse, block by block; a joint has only a residual and an energy.
std::vector<ContactCertificate> certify(const FrictionContactProblem& problem, const Vector& r);

}  // namespace scree

/// Solvers of many contacts, the Delassus operator explicit or as factors, and what they say of
/// their answer.
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
  stalled,     ///< nothing in the portfolio, or no further iteration, brought it down
  infeasible,  ///< there is no solution, and Solution::infeasibility proves it
  time_limit,  ///< max_seconds are over
  stopped,     ///< SolveContext::stop asked for it
  unsuited,    ///< the solver cannot take a law of this problem, or it is too large for it
};
std::string_view name(SolveStatus status);

/// What one solve has beside its settings.
struct SolveContext {
  std::span<const double> start;  ///< r to start from [N s]; empty for zero
  /// Label of each block, for jacobi: Gauss–Seidel inside a subdomain, Jacobi between them.
  std::span<const int> subdomain;
  double max_seconds = std::numeric_limits<double>::infinity();  ///< of wall clock
  /// Ends a solve from another thread
  std::stop_token stop;
  ThreadPool* pool = nullptr;  ///< of automatic, for islands; without one, this thread alone
};

/// How far impulses are told by the velocities that they make.
struct Hyperstatic {
  /// Of the null space of W on the impulses that the velocities leave free [-].
  int dimension = 0;
  /// Of each block: how far r_n can go at least, others giving way within their laws [N s].
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
  double layout_seconds = 0;     ///< of them, for laying out W
  double residual = 0;           ///< E_s [-]
  std::vector<Iterate> history;  ///< where it was measured
  std::vector<ContactCertificate> blocks;
  std::optional<Hyperstatic> hyperstatic;  ///< if minimum_norm was asked for
  /// An impulse p that no admissible velocity can take work from, yet must if u = W r + q has a
  /// solution: Wᵀp = 0 to within rounding, so that p·u = q·p for any r, and q·p = −1 J, while p·u ≥
  /// 0 where the laws hold [N s]. p_i is in the friction cone for cone complementarity, along n for
  /// other laws, anything for joints; zero outside one island.
  std::optional<Vector> infeasibility;
};

/// Solves the problem; never throws on numerical grounds, and never returns an impulse worse than
/// one it has seen. Throws InputError where numbers are not finite, sizes do not fit, a friction
/// coefficient is negative, or a contact's own block of W has trace zero.
Solution solve(const FrictionContactProblem& problem, const SolverSettings& settings = {},
               const SolveContext& context = {});
/// The same; gauss_seidel, psor, jacobi, accelerated_gradient and barzilai_borwein do not form W,
/// all others do.
Solution solve(const FactoredProblem& problem, const SolverSettings& settings = {},
               const SolveContext& context = {});

/// E_s = sqrt(Σ e²) / |q|, e the residual of each block's own law [-].
double scaled_residual(const FrictionContactProblem& problem, const Vector& r);

/// E of FCLIB's description, as Siconos computes it: sqrt(Σ |r − P(r − û)|²) / max(|q|, |r|, |u|),
/// the natural map of each law with a step of 1 kg; of max_dissipation, which has none, Coulomb's.
/// To compare with other programs: it adds N s to m/s, so that it depends on the units of the file,
/// and where impulses are large or W is small it says little.
double fclib_residual(const FrictionContactProblem& problem, const Vector& r);

/// Certificates of an impulse, block by block; a joint has a residual and an energy alone.
std::vector<ContactCertificate> certify(const FrictionContactProblem& problem, const Vector& r);

}  // namespace scree

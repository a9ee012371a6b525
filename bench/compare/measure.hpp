#pragma once

#include "compare/candidate.hpp"

namespace scree::compare {

/// Largest relative residual of a solved problem [-].
inline constexpr double kResidual = 1e-8;

/// Residual of Coulomb's law at r, the same for all programs, with u = W r + q and û = u + μ |u_t|
/// n:
///
///     E_q = sqrt( Σ |(r_i − P(r_i − ρ_i û_i)) / ρ_i|² ) / |q|,   ρ_i = 3 / trace(W_ii)
double relative_residual(const FrictionContactProblem& problem, std::span<const double> r);

struct Measurement {
  double seconds;   ///< CPU time; infinite if no tolerance gave a solution
  double residual;  ///< E_q of that solution, or the least reached
};

/// Time of the solve at the first of falling tolerances that solves the problem. Each solve runs in
/// its own process, which is killed after `limit` seconds of CPU time. Short solves are repeated;
/// the least time counts.
Measurement measure(const Candidate& candidate, const FrictionContactProblem& problem, int limit);

}  // namespace scree::compare

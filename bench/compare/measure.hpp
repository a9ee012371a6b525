#pragma once

#include "compare/candidate.hpp"

namespace scree::compare {

/// What counts as solved: E_s ≤ 1e-8.
inline constexpr double kResidual = 1e-8;

/// How far r is off Coulomb's law, whatever the units, with u = W r + q and û = u + μ |u_t| n:
///
///     E_s = sqrt( Σ |(r_i − P(r_i − ρ_i û_i)) / ρ_i|² ) / |q|,   ρ_i = 3 / trace(W_ii)
double scaled_residual(const FrictionContactProblem& problem, std::span<const double> r);

struct Measurement {
  double seconds;   ///< CPU time; infinite if no tolerance gave a solution
  double residual;  ///< E_s of that solution, or the least that was reached
};

/// The time of the first of falling tolerances that solves the problem, its own solve alone. Each
/// solve runs in a process of its own, which is killed after `limit` seconds of CPU time; short
/// ones are repeated, and the least time counts.
Measurement measure(const Candidate& candidate, const FrictionContactProblem& problem, int limit);

}  // namespace scree::compare

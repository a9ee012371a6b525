/// Interior point method for second-order cones: scaling after Nesterov and Todd [NesterovTodd97],
/// predictor and corrector after Mehrotra [Mehrotra92].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

struct InteriorPointSettings {
  int max_iterations = 100;
  /// Smooths |u_t| of De Saxcé's shift to sqrt(|u_t|² + ε²) − ε with ε this times the mean
  /// complementarity [-].
  double smoothing = 0;
};

/// Primal-dual interior point for the second-order cones, Nesterov–Todd scaling, Mehrotra's
/// predictor and corrector:
///
///     û = W r + q + s n,   û ∈ K*, r ∈ K, r·û → 0
///
/// with s = μ|u_t| for Coulomb's law (in the Jacobian, too), 0 for cone complementarity.
///
/// Starts cold. Records iterates projected onto the cones; r is the best of them.
void interior_point(const InteriorPointSettings& settings, Vector& r, Progress& progress);

}  // namespace scree

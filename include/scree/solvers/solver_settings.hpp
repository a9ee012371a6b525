/// How contacts are solved, and how well: those of a step as those of a problem from a file.
#pragma once

#include <cstdint>
#include <limits>

#include "scree/solvers/solver_kind.hpp"

namespace scree {

enum class Acceleration : std::uint8_t { none, anderson, nesterov };

struct SolverSettings {
  /// In a step gauss_seidel goes from body to body; all others take all contacts together
  SolverKind method = SolverKind::automatic;
  double tolerance = 1e-8;  ///< on the scale-free residual E_s [-]
  /// Cap on sweeps, or on what the method counts, per solve
  int max_sweeps = std::numeric_limits<int>::max();
  /// Of gauss_seidel in a step: before so many are made only E_s ≤ min(tolerance, fine) ends them
  int min_sweeps = 1;
  double fine = 1e-4;      ///< [-]
  bool warm_start = true;  ///< A step starts from the impulses of the last
  /// Of gauss_seidel, psor, jacobi; gauss_seidel of a step knows nesterov alone
  Acceleration acceleration = Acceleration::none;
  double relaxation = 0;  ///< ω of psor and jacobi, below 2 [-]; 0 for their own choice
  int facets = 16;        ///< of lemke's cones for laws of round ones
  /// Of all impulses with the same velocities, the one of least norm; not in a step
  bool minimum_norm = false;
};

}  // namespace scree

/// Solver, tolerance and limits of a solve, in a time step and for a problem from a file.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "scree/solvers/solver_kind.hpp"

namespace scree {

enum class Acceleration : std::uint8_t { none, anderson, nesterov };

struct SolverSettings {
  /// In a step, gauss_seidel sweeps over contacts without a matrix; all others solve one matrix
  /// problem of all contacts
  SolverKind method = SolverKind::automatic;
  double tolerance = 1e-8;  ///< on the scale-free residual E_s [-]
  /// Cap on sweeps, or on the method's own iterations, per solve
  int max_sweeps = std::numeric_limits<int>::max();
  bool warm_start = true;  ///< True if a step starts from the impulses of the previous one
  /// For gauss_seidel, psor and jacobi; gauss_seidel in a step takes only nesterov
  Acceleration acceleration = Acceleration::none;
  double relaxation = 0;  ///< ω of psor and jacobi, below 2 [-]; 0 for their own choice
  /// Numbers of blocks along x, y and z that jacobi cuts space into in a step: Gauss–Seidel inside
  /// them, Jacobi between them. Without them each contact is a block
  std::optional<std::array<int, 3>> blocks;
  int facets = 16;  ///< facets of lemke's cones that replace round ones
  /// True to find the impulses of least norm among all with the same velocities; not in a step
  bool minimum_norm = false;
};

}  // namespace scree

/// Overlaps undone at the level of positions, apart from the velocities that bodies keep.
///
/// The contacts are those of the velocity solve, with unknowns of their own: motions w of the
/// bodies, from zero, and pushes p ≥ 0 along the normals, without friction,
///
///     0 ≤ p  ⊥  w_n + b ≥ 0,      b = x if x ≥ 0, else ε x,      x = room + u_n
///
/// with u the velocities that were solved for: x h is the gap at the end of the step, and the
/// overlap that is let be, so that pushes open no other overlap and ask for nothing where a pair
/// parts by itself. Positions move by h (v + w); then w is forgotten.
#pragma once

#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Of eight contacts, a lane each as in the block of the same place.
struct alignas(kCacheLine) CorrectionBlock {
  /// What the pair may close in the step: gap and the overlap that is let be, over h. In solve(): b
  /// [m/s].
  double room[kBlock];
  double push[kBlock];  ///< [N s]
};

class PositionCorrection {
 public:
  /// Of ContactProblem::blocks and full; `room` is to be set before solve().
  AlignedVector<CorrectionBlock> blocks, full;

  static constexpr int kMostSweeps = 4;

  /// `part`: ε, of an overlap, undone per step [-]. Ends early when a sweep changes motions by less
  /// than a tenth of what the first one did. Same bits for any instruction set and number of
  /// threads.
  void solve(const ContactProblem& problem, double part, ThreadPool& pool);

  /// w of a body, scaled as in ContactProblem [m/s].
  const Vec3& velocity(BodyIndex body) const { return bodies_[body].velocity; }
  const Vec3& spin(BodyIndex body) const { return bodies_[body].spin; }

  std::size_t bytes() const;

 private:
  double sweep(const ContactProblem& problem, ThreadPool& pool);

  AlignedVector<BodyRecord> bodies_;
  /// Of chunks of sphere blocks, then of full ones: max (W_nn |Δp|)² [m²/s²]
  AlignedVector<double> largest_;
};

}  // namespace scree

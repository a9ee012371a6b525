/// Overlaps undone at the level of positions, apart from the velocities that bodies keep. Our own.
///
/// The contacts are those of the velocity solve, with unknowns of their own: motions w of the
/// bodies, from zero, and pushes p ≥ 0 along the normals, without friction,
///
///     0 ≤ p  ⊥  w_n + b ≥ 0,      b = x if x ≥ 0, else ε x,      x = admissible_approach + u_n
///
/// with u the velocities that were solved for: x h is the gap at the end of the step, and the
/// overlap that is let be, so that pushes open no other overlap where there is room for all, and
/// ask for nothing where a pair parts by itself. Positions move by h (v + w); then w is forgotten.
///
/// Where there is no room for all, no p solves this, and a sweep ends with what its last contacts
/// ask for. So the last sweep goes backward, and w is the mean before and after it: what two walls
/// ask of a body between them is shared out, and the deeper overlap is the one that gets less.
#pragma once

#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Of eight contacts, a lane each as in the block of the same place.
struct alignas(kCacheLine) CorrectionBlock {
  /// What the pair may close in the step: gap and the overlap that is let be, over h. In solve(),
  /// from the first sweep on: b [m/s].
  double admissible_approach[kBlock];
  double pseudo_impulse[kBlock];  ///< [N s]
};

/// Half of a body's motion w, linear or of its spin, scaled as in ContactProblem.
struct alignas(4 * sizeof(double)) PseudoVelocity {
  Vec3 w;          ///< [m/s]
  double inverse;  ///< mass or inertia, as BodyRecord has it [1/kg]
};

class PositionCorrection {
 public:
  /// Of ContactProblem::blocks and full; `admissible_approach` is to be set before solve().
  AlignedVector<CorrectionBlock> blocks, full;

  static constexpr int kMaxSweeps = 4;

  /// `part`: ε, of an overlap, undone per step [-]. Ends early when a sweep changes motions by less
  /// than a tenth of what the first one did, or else after a backward one. Same bits for any
  /// instruction set and number of threads. `workspace` is memory whose contents are lost, and
  /// whose size is as before; it grows meanwhile if it has not workspace_vectors().
  void solve(const ContactProblem& problem, double fraction, AlignedVector<Vec3>& workspace,
             ThreadPool& pool);

  static std::size_t workspace_vectors(const ContactProblem& problem) {
    return (problem.full.empty() ? 1U : 2U) * std::size_t{problem.free_bodies};
  }

  /// w of a body, scaled as in ContactProblem [m/s].
  Vec3 velocity(BodyIndex body) const { return linear_[body].w; }
  /// Zero without full contacts: pushes turn no sphere.
  Vec3 spin(BodyIndex body) const { return angular_.empty() ? Vec3{} : angular_[body].w; }

  std::size_t bytes() const;

 private:
  enum class Sweep { first, forward, backward };
  /// The first one finds b. Returns max W_nn |Δp| [m/s].
  double sweep(const ContactProblem& problem, Sweep which, double fraction, ThreadPool& pool);
  /// w becomes the mean of it before and after a sweep.
  void average_backward(const ContactProblem& problem, double fraction,
                        AlignedVector<Vec3>& workspace, ThreadPool& pool);

  AlignedVector<PseudoVelocity> linear_,
      angular_;  ///< of each record; the latter empty without full
  /// Of chunks of sphere blocks, then of full ones: max (W_nn |Δp|)² [m²/s²]
  AlignedVector<double> largest_;
};

}  // namespace scree

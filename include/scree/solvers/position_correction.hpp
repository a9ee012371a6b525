/// Position correction: undoes overlaps by pseudo-velocities, which do not add to velocities. Our
/// own.
///
/// The contacts are those of the velocity solve. The unknowns are pseudo-velocities w of the
/// bodies, from zero, and pseudo-impulses p ≥ 0 along the normals, without friction,
///
///     0 ≤ p  ⊥  w_n + b ≥ 0,      b = x if x ≥ 0, else ε x,      x = admissible_approach + u_n
///
/// with u the solved velocities. x h is the gap at the end of the step plus the tolerated overlap.
/// So the correction creates no new overlap where the free space is sufficient, and does nothing
/// where a pair separates by itself. Positions move by h (v + w); then w is discarded.
///
/// Without sufficient space no p solves this, and the last contacts of a sweep decide its result.
/// So the last sweep goes backward, and w is the mean before and after it: a body between two walls
/// is shared between them, and the deeper overlap is reduced less.
#pragma once

#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Eight contacts, in the lanes of the contact block with the same index.
struct alignas(kCacheLine) CorrectionBlock {
  /// Closing speed that the pair may have in the step: gap plus tolerated overlap, over h. In
  /// solve(), from the first sweep on: b [m/s].
  double admissible_approach[kBlock];
  double pseudo_impulse[kBlock];  ///< [N s]
};

/// Linear or angular half of a body's pseudo-velocity w, scaled as in ContactProblem.
struct alignas(4 * sizeof(double)) PseudoVelocity {
  Vec3 w;          ///< [m/s]
  double inverse;  ///< mass or inertia, as BodyRecord has it [1/kg]
};

class PositionCorrection {
 public:
  /// For ContactProblem::blocks and contact_blocks; set `admissible_approach` before solve().
  AlignedVector<CorrectionBlock> blocks, contact_blocks;

  /// Computes w. `fraction`: ε, fraction of an overlap that a step undoes [-]. Ends early when a
  /// sweep changes w by less than a tenth of the first sweep's change, else after a backward sweep.
  /// Same bits for any instruction set and number of threads. `workspace` is overwritten; it grows
  /// to workspace_vectors() if it is smaller, and gets its size back at the end.
  void solve(const ContactProblem& problem, double fraction, AlignedVector<Vec3>& workspace,
             ThreadPool& pool);

  static std::size_t workspace_vectors(const ContactProblem& problem) {
    return (problem.contact_blocks.empty() ? 1U : 2U) * std::size_t{problem.free_bodies};
  }

  /// w of a body, scaled as in ContactProblem [m/s].
  Vec3 velocity(BodyIndex body) const { return linear_[body].w; }
  /// Pseudo-spin; zero without contact blocks, because normal impulses do not rotate spheres.
  Vec3 spin(BodyIndex body) const { return angular_.empty() ? Vec3{} : angular_[body].w; }

  std::size_t bytes() const;

 private:
  enum class Sweep { first, forward, backward };
  /// Relaxes all contacts once; the first sweep computes b. Returns max W_nn |Δp| [m/s].
  double sweep(const ContactProblem& problem, Sweep kind, double fraction, ThreadPool& pool);
  /// Sets w to its mean before and after a backward sweep.
  void average_backward(const ContactProblem& problem, double fraction,
                        AlignedVector<Vec3>& workspace, ThreadPool& pool);

  AlignedVector<PseudoVelocity> linear_,
      angular_;  ///< one per record; the latter empty without `contact_blocks`
  /// For chunks of sphere blocks, then of contact blocks: max (W_nn |Δp|)² [m²/s²]
  AlignedVector<double> largest_;
};

}  // namespace scree

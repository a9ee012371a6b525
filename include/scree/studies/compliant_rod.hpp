/// Painlevé's rod on a compliant contact: spring and damper along the normal, damper along the
/// tangent [Preclik11, Eq. 21, 22].
///
///     λ_n = 0 if g_n > 0, else −k_n g_n − γ_n min(ġ_n, 0)
///     λ_t = −sign(ġ_t) min(μ λ_n, γ_t |ġ_t|)
#pragma once

#include <functional>
#include <optional>

#include "scree/studies/rod.hpp"

namespace scree::studies {

struct Compliance {
  double stiffness;           ///< k_n [N/m] > 0
  double normal_damping;      ///< γ_n [N s/m] ≥ 0
  double tangential_damping;  ///< γ_t [N s/m] > 0
};

/// Branches of the law; the motion is smooth between changes of branch.
/// Receding: ġ_n ≥ 0, the damper is off
enum class NormalBranch { open, approaching, receding };
/// viscous: γ_t |ġ_t| < μ λ_n, where the stiff limit sticks.
enum class TangentialBranch { slip_left, viscous, slip_right };

struct CompliantSettings {
  double until = 0.02;       ///< [s]
  double tolerance = 1e-11;  ///< on the error of a step, relative
  bool stop_at_break = false;
  /// Stop once slip has become viscous and neither the velocity of the end nor the velocity that
  /// its spring can add is above this [m/s].
  double settled = 0;
  /// Contact alone: no loads, and the rod does not rotate meanwhile. This is the motion in the
  /// stiff limit, on the time scale of the contact.
  bool frozen = false;
  std::size_t max_steps = 50'000'000;
};

struct Impulse {
  double time = 0;      ///< [s]
  double n = 0, t = 0;  ///< ∫λ_n, ∫λ_t up to then [N s]
};

struct CompliantRun {
  /// False if max_steps came first, or the motion stalled between two branches
  bool finished = false;
  bool settled = false;  ///< stopped for that reason
  Impulse end;
  std::optional<Impulse> stick;              ///< first time at which slip became viscous
  std::optional<Impulse> broke;              ///< last time at which the contact opened
  NormalBranch branch = NormalBranch::open;  ///< at the end
  TangentialBranch friction = TangentialBranch::slip_left;
  double gap = 0, angle = 0;      ///< at the end [m], [rad]
  NormalTangential gap_velocity;  ///< at the end [m/s]
  double largest_force = 0;       ///< of λ_n at the ends of steps [N]
  std::size_t steps = 0, switches = 0;
};

/// Called after each step and each change of branch: time [s], forces λ_n and λ_t [N].
using ForceRecorder = std::function<void(double time, double normal, double tangential)>;

/// Integrates from `start` with the gap set to `gap` [m], negative for penetration. The time and
/// branch of every switch are found to rounding.
CompliantRun run_compliant(const Rod& rod, const RodState& start, double gap, const Loads& loads,
                           const Compliance& compliance, const CompliantSettings& settings,
                           const ForceRecorder& record = {});

}  // namespace scree::studies

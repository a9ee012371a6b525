/// Painlevé's rod: an inclined rod whose lower end touches a plane [Preclik11, §2–4], in the plane
/// of its motion.
#pragma once

#include <vector>

#include "scree/studies/planar_contact.hpp"

namespace scree::studies {

struct Rod {
  double mass = 1;    ///< m [kg]
  double length = 2;  ///< l [m]
  /// I about the centre of mass [kg m²]; m l²/12 for the slender rod
  double inertia = 1.0 / 3.0;
  double friction = 1.5;  ///< μ [-]
};

/// The centre of mass is at (x, y); the angle from the plane to the rod is positive
/// counterclockwise.
struct RodState {
  double x = 0, y = 0, angle = 0;                   ///< [m], [m], [rad]
  double velocity_x = 0, velocity_y = 0, spin = 0;  ///< [m/s], [m/s], [rad/s]
};

struct Loads {
  double force_x = 0, force_y = 0;  ///< [N]
  double torque = 0;                ///< [N m]
};

/// (n, t): normal first, as everywhere.
struct NormalTangential {
  double n = 0, t = 0;
};

/// State of a rod with its lower end at the origin, moving without rotation.
RodState touching(const Rod& rod, double angle, double velocity_x);

/// [m], [Preclik11, Eq. 2]
NormalTangential gap(const Rod& rod, const RodState& state);
/// [m/s], [Preclik11, Eq. 3]
NormalTangential gap_velocity(const Rod& rod, const RodState& state);
/// Acceleration of the gap without contact forces [m/s²], [Preclik11, Eq. 4].
NormalTangential free_gap_acceleration(const Rod& rod, const RodState& state, const Loads& loads);

/// A = W_nn + μ W_nt, the coefficient of λ_n with friction on a rod sliding to the left [1/kg],
/// [Preclik11, Eq. 10].
double sliding_coefficient(const Rod& rod, double angle);
/// Friction coefficient above which it is negative; for the slender rod (cos φ + 1/(3 cos φ)) / sin
/// φ [Preclik18, §4.2].
double critical_friction(const Rod& rod, double angle);

/// Forces λ [N] that keep a closed contact (g_n = ġ_n = 0) admissible in the immediate future
/// [Preclik11, §2]. Where the rod slides, A λ_n − b ≥ 0 ⊥ λ_n ≥ 0 has none, one or two solutions by
/// the signs of A and b.
PlanarSolutions force_solutions(const Rod& rod, const RodState& state, const Loads& loads);

/// Impulses at one instant [Preclik11, Eq. 14, 15].
PlanarContact impulse_problem(const Rod& rod, const RodState& state);

/// Impulses δt λ of one time step, gap term included [Preclik11, Eq. 19].
PlanarContact step_problem(const Rod& rod, const RodState& state, const Loads& loads,
                           double time_step);

/// The state after the step with that impulse [Preclik11, Eq. 16, 17].
RodState after_step(const Rod& rod, RodState state, const Loads& loads, double time_step,
                    NormalTangential impulse);

}  // namespace scree::studies

/// Positions and orientations from velocities, and rotation free of torque.
#pragma once

#include "scree/geometry/shape.hpp"
#include "scree/math/axis_set.hpp"

namespace scree {

/// φ' = (φ + h Q(φ) ω) / |…|, the orientation update of [Preclik18, §3.1]; turns by 2 atan(h|ω|/2)
/// instead of h|ω|.
Quaternion advance_orientation(const Quaternion& q, const Vec3& angular_velocity, double h);

/// Free rotation of a body with principal moments `inertia` (any unit, all positive) over a step,
/// the gyroscopic term included.
///
/// [Preclik18, §3.1] adds −h ω × Iω to the angular momentum, which drifts with t·h in energy and
/// momentum. Here ω' = I(φ')⁻¹ L with L = I(φ) ω kept to rounding. The motion is split (Touma and
/// Wisdom 1994; Dullweber, Leimkuhler and McLachlan 1997) into that of a body with the same moment
/// about all axes, which turns about L, and what is left of the energy along two principal axes,
/// there and back: of second order, the same in the limit h → 0, and symplectic, so that energy
/// swings about its value by O(h²) and does not drift. The moment is one of the two whose
/// reciprocals differ least, and little is left: bodies of revolution turn exactly, however far in
/// a step.
///
/// A body that does not turn about some axes of the world, `locked`, keeps its angular momentum
/// about the others. It turns by the mean of its angular velocities before and after the step, of
/// second order as well.
void rotate_freely(Quaternion& q, Vec3& angular_velocity, const Vec3& inertia, double h,
                   AxisSet locked = 0);

/// Turns a body by a rotation vector [rad], apart from its motion: its angular momentum stays, ω' =
/// I(φ')⁻¹ L, of a locked body the part of it about axes that it turns about.
void turn(Quaternion& q, Vec3& angular_velocity, const Vec3& inertia, const Vec3& by,
          AxisSet locked = 0);

}  // namespace scree

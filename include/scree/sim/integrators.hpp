/// Positions and orientations from velocities, and rotation free of torque.
#pragma once

#include "scree/geometry/shape.hpp"
#include "scree/math/axis_set.hpp"

namespace scree {

/// φ' = (φ + h Q(φ) ω) / |…|, the orientation update of [Preclik18, §3.1]; rotates by 2
/// atan(h|ω|/2) instead of h|ω|.
Quaternion advance_orientation(const Quaternion& q, const Vec3& angular_velocity, double h);

/// Free rotation of a body with principal moments `inertia` (any unit, all positive) over a step,
/// the gyroscopic term included.
///
/// [Preclik18, §3.1] adds −h ω × Iω to the angular momentum (FreeRotation::explicit_term); its
/// energy and momentum drift with t·h. Here ω' = I(φ')⁻¹ L, and L = I(φ) ω is conserved to
/// rounding. The motion is split (Touma and Wisdom 1994; Dullweber, Leimkuhler and McLachlan 1997).
/// The first part is the motion of a body with the same moment about all axes, which rotates about
/// L. The rest of the energy acts along two principal axes, symmetrically there and back. The
/// scheme is of second order and symplectic: energy oscillates by O(h²) and does not drift. The
/// moment is one of the two whose reciprocals differ least, so the rest is small; bodies of
/// revolution rotate exactly, by any angle in a step.
///
/// A body whose rotation about some axes of the world is `locked` keeps its angular momentum about
/// the others. It rotates by the mean of its angular velocities before and after the step, also of
/// second order.
void rotate_freely(Quaternion& q, Vec3& angular_velocity, const Vec3& inertia, double h,
                   AxisSet locked = 0);

/// Rotates a body by a rotation vector [rad] without changing its angular momentum: ω' = I(φ')⁻¹ L.
/// For a locked body only the components of L about free axes count.
void turn(Quaternion& q, Vec3& angular_velocity, const Vec3& inertia, const Vec3& by,
          AxisSet locked = 0);

}  // namespace scree

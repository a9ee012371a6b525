/// Positions and orientations from velocities, and rotation free of torque.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

/// φ' = (φ + h Q(φ) ω) / |…|, the orientation update of [Preclik18, §3.1]; turns by 2 atan(h|ω|/2)
/// instead of h|ω|.
Quaternion advance_orientation(const Quaternion& q, const Vec3& angular_velocity, double h);

/// Free rotation of a body with principal moments `inertia` (any unit, all positive) over a step,
/// the gyroscopic term included.
///
/// [Preclik18, §3.1] adds −h ω × Iω to the angular momentum, which drifts with t·h in energy and
/// momentum. Here ω' = I(φ')⁻¹ L with L = I(φ) ω kept to rounding, and φ' by turning about one
/// principal axis after the other, there and back (Touma and Wisdom 1994; Dullweber, Leimkuhler and
/// McLachlan 1997): of second order, the same in the limit h → 0, and symplectic, so that energy
/// swings about its value by O(h²) and does not drift.
void rotate_freely(Quaternion& q, Vec3& angular_velocity, const Vec3& inertia, double h);

/// Turns a body by a rotation vector [rad], apart from its motion: its angular momentum stays, ω' =
/// I(φ')⁻¹ L.
void turn(Quaternion& q, Vec3& angular_velocity, const Vec3& inertia, const Vec3& by);

}  // namespace scree

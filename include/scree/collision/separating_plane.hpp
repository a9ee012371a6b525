/// Separating plane: keeps two convex bodies apart during a step.
///
/// The bodies lie on its two sides. With its normal n and the distance by which they may still
/// close along it (`remaining_gap`),
///
///     u_n ≥ −remaining_gap / h     keeps them apart throughout the step, for any velocities.
///
/// It is orthogonal to the shortest displacement between the bodies at the start of the step,
/// unless this plane would stop a pair that passes. Then it is placed where the free paths of the
/// step, straight at constant velocity, come closest, so the free paths satisfy it.
/// docs/theory/time_stepping.md has the proof.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

struct SeparatingPlane {
  Vec3 normal;  ///< unit, from A to B; of a sphere and a shape: from the shape to the sphere
  double gap;   ///< between the surfaces at the start of the step [m]; < 0: overlap
  /// Distance by which the pair may still close along the normal [m]; equals gap unless the pair
  /// passes
  double remaining_gap;
  Vec3 velocity;  ///< velocity of the shape's surface at the plane [m/s]; zero between spheres
  /// Cosine of the angle between the normal and that of the instant at which the free paths touch;
  /// 1 if they do not touch [-].
  double turn_cosine = 1;
};

/// Separating plane of two spheres. `apart` = x_B − x_A [m], `touch` = sum of radii [m], `approach`
/// = velocity of B's centre relative to A's [m/s].
SeparatingPlane plane_between_spheres(const Vec3& apart, double touch, const Vec3& approach,
                                      double h);

/// Component of v orthogonal to a unit normal.
inline Vec3 along(const Vec3& v, const Vec3& normal) { return v - dot(v, normal) * normal; }

/// Change of the velocity of an obstacle's surface next to a sphere, along the surface, when the
/// sphere's centre moves by `displacement` relative to the obstacle [m/s]. On a plane the nearest
/// point travels with the sphere; on a corner, or the pole of a ball, it stays.
Vec3 change_along(const Shape& shape, const Pose& pose, const Twist& twist, const Vec3& centre,
                  const Vec3& displacement, const Vec3& normal);

/// Separating plane of a flying sphere and a convex shape that moves by `twist`.
SeparatingPlane plane_between(const Shape& shape, const Pose& pose, const Twist& twist,
                              const Vec3& centre, double radius, const Vec3& velocity, double h);

}  // namespace scree

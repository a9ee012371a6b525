/// The plane that keeps two convex bodies apart during a step.
///
/// Bodies lie on its two sides. With its normal n, and how far they may still close along it from
/// where they stand (`remaining_gap`),
///
///     u_n ≥ −remaining_gap / h     keeps them apart at every time of the step, whatever their
///     velocities turn out to be.
///
/// It stands across the shortest way between them at the start of the step, unless that would stop
/// a pair that passes: then it stands where the free paths of the step, straight and at constant
/// velocity, come closest, and they obey it as they are. docs/theory/time_stepping.md has the
/// proof.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

struct SeparatingPlane {
  Vec3 normal;  ///< unit, from A to B; of a sphere and a shape: from the shape to the sphere
  double gap;   ///< between the surfaces at the start of the step [m]; < 0: overlap
  /// By how much the pair may still close along the normal [m]; = gap but where the pair passes
  double remaining_gap;
  Vec3 velocity;  ///< of the shape's surface at the plane [m/s]; zero between spheres
  /// Cosine of the angle between the normal and that of the instant in which the free paths touch;
  /// 1 if they do not [-].
  double turn_cosine = 1;
};

/// Between two spheres. `apart` = x_B − x_A [m], `touch` = sum of radii [m], `approach` = velocity
/// of B's centre less A's [m/s].
SeparatingPlane plane_between_spheres(const Vec3& apart, double touch, const Vec3& approach,
                                      double h);

/// What is left of v across a unit normal.
inline Vec3 along(const Vec3& v, const Vec3& normal) { return v - dot(v, normal) * normal; }

/// By how much the velocity of a part's surface next to a sphere changes, along the surface, when
/// the sphere's centre moves by `way` against the part [m/s]. On a plane the place travels with the
/// sphere; on a corner, or the pole of a ball, it stays.
Vec3 change_along(const Shape& part, const Pose& pose, const Twist& twist, const Vec3& centre,
                  const Vec3& way, const Vec3& normal);

/// Between a sphere that flies and a convex shape that moves by `twist`.
SeparatingPlane plane_between(const Shape& shape, const Pose& pose, const Twist& twist,
                              const Vec3& centre, double radius, const Vec3& velocity, double h);

}  // namespace scree

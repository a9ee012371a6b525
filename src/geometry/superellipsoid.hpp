/// Surface of a superellipsoid, by a parameter that is smooth even where the surface is flat.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

/// Point and normal of the surface at parameter m, a direction of the unit sphere that is stretched
/// to the surface.
struct SurfacePoint {
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< outward, unit
};
SurfacePoint surface_point(const Superellipsoid& s, const Vec3& m);

/// Support point: the farthest point of the shape along n [m].
Vec3 support_point(const Superellipsoid& s, const Vec3& n);

/// Norm whose unit ball is the shape, at a point, and its gradient [1/m].
struct Gauge {
  double value;
  Vec3 gradient;
};
Gauge gauge_at(const Superellipsoid& s, const Vec3& point);

/// Parameter m of the surface point with outward normal n.
Vec3 parameter_of_normal(const Superellipsoid& s, const Vec3& n);

/// Surface point near the parameter m whose normal passes through `point`.
SurfacePoint stationary_point(const Superellipsoid& s, const Vec3& point, const Vec3& m);

/// Largest distance of the surface from the centre [m].
double bounding_radius_of(const Superellipsoid& s);

SurfaceDistance signed_distance(const Superellipsoid& s, const Vec3& point);
VolumeProperties volume_properties(const Superellipsoid& s);

}  // namespace scree

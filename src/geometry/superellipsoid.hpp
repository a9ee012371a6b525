/// The surface of a superellipsoid, by a parameter that is smooth where the surface is flat.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

/// What the surface shows in the direction m (unit) of the unit sphere that it is stretched from.
struct SurfacePoint {
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< outward, unit
};
SurfacePoint surface_point(const Superellipsoid& s, const Vec3& m);

/// The farthest point of the shape along n [m].
Vec3 support_point(const Superellipsoid& s, const Vec3& n);

/// The direction m of the surface's point with the outward normal n.
Vec3 parameter_of_normal(const Superellipsoid& s, const Vec3& n);

/// Where the way from a point to the surface stands across it, near the direction m.
SurfacePoint stationary_point(const Superellipsoid& s, const Vec3& point, const Vec3& m);

/// Largest distance of the surface from the centre [m].
double bounding_radius_of(const Superellipsoid& s);

SurfaceDistance signed_distance(const Superellipsoid& s, const Vec3& point);
VolumeProperties volume_properties(const Superellipsoid& s);

}  // namespace scree

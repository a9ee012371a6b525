/// Functions for points and separation of each pair of shapes. The shape that comes first in
/// `Shape` is A.
#pragma once

#include "collision/narrow/convex_core.hpp"
#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/rounded_box.hpp"
#include "scree/collision/contact_points.hpp"

namespace scree {

Manifold sphere_points(const Sphere& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       double margin);
SurfaceDistance sphere_separation(const Sphere& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b);

/// Features: the vertices of B.
Manifold half_space_points(const Pose& pose_a, const RoundedBox& b, const Pose& pose_b,
                           double margin);
SurfaceDistance half_space_separation(const Pose& pose_a, const RoundedBox& b, const Pose& pose_b);

/// Features: the points of the rims.
Manifold half_space_points(const Pose& pose_a, const Cylinder& b, const Pose& pose_b,
                           double margin);
SurfaceDistance half_space_separation(const Pose& pose_a, const Cylinder& b, const Pose& pose_b);

/// Features: 0–7 vertices of A, 8–17 points of the rims, then edges of A and the side or a rim.
Manifold box_cylinder_points(const RoundedBox& a, const Pose& pose_a, const Cylinder& b,
                             const Pose& pose_b, double margin);
SurfaceDistance box_cylinder_separation(const RoundedBox& a, const Pose& pose_a, const Cylinder& b,
                                        const Pose& pose_b);

/// Features: 0–9 points of the rims of A, 10–19 of B, then where sides and rims cross.
Manifold points_of_cylinders(const Cylinder& a, const Pose& pose_a, const Cylinder& b,
                             const Pose& pose_b, double margin);
SurfaceDistance separation_of_cylinders(const Cylinder& a, const Pose& pose_a, const Cylinder& b,
                                        const Pose& pose_b);

/// Any two convex shapes except spheres and half-spaces. Features: corners of the support features
/// of A and B, and crossings of their edges.
Manifold points_of_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          double margin);
SurfaceDistance separation_of_convex(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b);
/// Points where the support features of two cores along n, from A to B, lie over one another; no
/// gap is less than `least` [m]. A feature of 2^16 or more is not a corner of A.
Candidates points_along(const ConvexCore& a, const ConvexCore& b, const Vec3& n, double least,
                        double margin);
/// Features: corners of the support feature of B that faces the plane.
Manifold half_space_points(const Pose& pose_a, const ConvexCore& b, double margin);

}  // namespace scree

/// Shapes as values, each in its own frame, and their mass properties.
#pragma once

#include <variant>

#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

class ClumpParts;
class ConvexHull;
class TriangleMesh;

struct Sphere {
  double radius;  ///< [m] > 0
};
/// Points with z ≤ 0; the outward normal is +z.
struct HalfSpace {};
struct Box {
  Vec3 half_extent;  ///< [m] > 0 each
};
/// Solid cylinder about the z axis, closed by flat caps at z = ±half_length.
struct Cylinder {
  double radius;       ///< [m] > 0
  double half_length;  ///< [m] > 0
};
/// Cylinder about the z axis with hemispherical caps; half_length is that of the axis segment,
/// without caps.
struct Capsule {
  double radius;       ///< [m] > 0
  double half_length;  ///< [m] ≥ 0
};

/// Truncated cone about the z axis, from z = bottom to z = top; one radius may be zero.
struct Frustum {
  double bottom_radius, top_radius;  ///< [m] ≥ 0, one of them > 0
  double bottom, top;                ///< [m], bottom < top
};
/// Points with (|x/a|^l + |y/b|^l)^(v/l) + |z/c|^v ≤ 1; an ellipsoid if both exponents are 2.
struct Superellipsoid {
  Vec3 semi_axes;                    ///< a, b, c [m] > 0
  double lateral = 2, vertical = 2;  ///< exponents l and v [-] ≥ 2: the higher, the more box-like
};
/// Convex polyhedron: a hull times a scale. The hull must outlive it.
struct Polyhedron {
  const ConvexHull* hull;
  double scale = 1;  ///< [-] > 0
};

/// Triangle surface, for obstacles: a mesh times a scale. The mesh must outlive it.
struct Mesh {
  const TriangleMesh* mesh;
  double scale = 1;  ///< [-] > 0
};
/// Shell of zero thickness about the z axis, for obstacles: the side of a frustum, which repels on
/// both sides, and optional discs that close it.
struct Hollow {
  double bottom_radius, top_radius;  ///< [m] ≥ 0, one of them > 0
  double bottom, top;                ///< [m], bottom < top
  bool closed_bottom = false, closed_top = false;
};

/// Rigid union of convex shapes, for bodies: clump parts times a scale. The parts must outlive it.
struct Clump {
  const ClumpParts* parts;
  double scale = 1;  ///< [-] > 0
};

using Shape = std::variant<Sphere, HalfSpace, Box, Cylinder, Capsule, Frustum, Superellipsoid,
                           Polyhedron, Mesh, Hollow, Clump>;

/// True for surfaces, which need not be convex: a body can touch them at several points. Obstacles
/// only.
inline bool is_surface(const Shape& shape) {
  return std::holds_alternative<Mesh>(shape) || std::holds_alternative<Hollow>(shape);
}
inline bool is_clump(const Shape& shape) { return std::holds_alternative<Clump>(shape); }
/// True for convex surfaces of revolution about the z axis: a spin about it moves them along
/// themselves. Spheres do not count.
inline bool is_of_revolution(const Shape& shape) {
  const auto* body = std::get_if<Superellipsoid>(&shape);
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Capsule>(shape) ||
         std::holds_alternative<Frustum>(shape) ||
         (body && body->semi_axes.x == body->semi_axes.y && body->lateral == 2);
}

/// Pose of a shape's frame in the inertial frame.
struct Pose {
  Vec3 position;           ///< [m]
  Quaternion orientation;  ///< body frame to inertial frame
};

/// Velocity of a rigid body: linear at the origin of its frame, and angular.
struct Twist {
  Vec3 linear;   ///< [m/s]
  Vec3 angular;  ///< [rad/s], inertial frame
};
inline bool moves(const Twist& twist) { return twist.linear != Vec3{} || twist.angular != Vec3{}; }

/// Pose after a time h with constant twist.
inline Pose advance_pose(const Pose& pose, const Twist& twist, double h) {
  return {pose.position + h * twist.linear, rotate_exactly(pose.orientation, twist.angular, h)};
}

/// Constant twist that takes one pose to another in a time h, rotating by less than π.
inline Twist twist_between(const Pose& from, const Pose& to, double h) {
  return {(to.position - from.position) / h,
          rotation_vector(to.orientation * conjugate(from.orientation)) / h};
}

/// Pose moved rigidly by `motion`, which takes each point x to motion(x).
inline Pose moved(const Pose& motion, const Pose& pose) {
  return {motion.position + rotate(motion.orientation, pose.position),
          normalised(motion.orientation * pose.orientation)};
}

/// Velocity of a point that moves with the body [m/s]; `point` in the inertial frame.
inline Vec3 velocity_at(const Pose& pose, const Twist& twist, const Vec3& point) {
  return twist.linear + cross(twist.angular, point - pose.position);
}

/// Volume, centre of mass, and moments of inertia about it for density 1, along the axes of the
/// shape's frame, which are principal axes. Space where parts of a clump overlap counts once.
struct VolumeProperties {
  double volume;  ///< [m³]
  Vec3 inertia;   ///< ∫(|x|² − x_k²) dV [m⁵]
  Vec3 centre;    ///< in the shape's frame [m]
};
/// Mass properties of a shape. Throws std::domain_error for half-spaces, whose volume is infinite,
/// and for surfaces, which have none.
VolumeProperties volume_properties(const Shape& shape);

/// Radius of the bounding sphere about the frame's origin [m]; infinite for a half-space.
double bounding_radius(const Shape& shape);

/// Shape with all lengths multiplied by a factor > 0.
Shape scaled(const Shape& shape, double factor);

/// Support function: extent of the shape from its frame's origin along a unit vector of the
/// inertial frame [m]. Infinite for a half-space, except along its own normal.
double support(const Shape& shape, const Pose& pose, const Vec3& direction);

/// Half edges [m] of the smallest axis-aligned box, centred at the frame's origin, that holds the
/// shape rotated by `orientation`. Infinite for a half-space.
Vec3 reach(const Shape& shape, const Quaternion& orientation);

/// Distance of a point from the surface of a shape [m], negative inside, and the outward unit
/// normal there. Inside a clump it is the depth in one part; the clump's surface may be farther.
struct SurfaceDistance {
  double distance;
  Vec3 normal;
};
/// Signed distance in the shape's own frame.
SurfaceDistance signed_distance(const Shape& shape, const Vec3& point);
/// Signed distance for a shape at `pose`; point and normal in the inertial frame.
SurfaceDistance signed_distance(const Shape& shape, const Pose& pose, const Vec3& point);

}  // namespace scree

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
/// All points with z ≤ 0; the outward normal is +z.
struct HalfSpace {};
struct Box {
  Vec3 half_extent;  ///< [m] > 0 each
};
/// Solid cylinder about the z axis, closed by flat caps at z = ±half_length.
struct Cylinder {
  double radius;       ///< [m] > 0
  double half_length;  ///< [m] > 0
};
/// Cylinder about the z axis with hemispherical caps; half_length is that of the axis segment, caps
/// not counted.
struct Capsule {
  double radius;       ///< [m] > 0
  double half_length;  ///< [m] ≥ 0
};

/// Cone about the z axis, cut across it at z = bottom and z = top; one radius may be zero.
struct Frustum {
  double bottom_radius, top_radius;  ///< [m] ≥ 0, one of them > 0
  double bottom, top;                ///< [m], bottom < top
};
/// All points with (|x/a|^l + |y/b|^l)^(v/l) + |z/c|^v ≤ 1; an ellipsoid where both exponents
/// are 2.
struct Superellipsoid {
  Vec3 semi_axes;                    ///< a, b, c [m] > 0
  double lateral = 2, vertical = 2;  ///< exponents l and v [-] ≥ 2: the higher, the more a box
};
/// Convex polyhedron; the hull's lengths times a factor. The hull has to outlive it.
struct Polyhedron {
  const ConvexHull* hull;
  double scale = 1;  ///< [-] > 0
};

/// Surface of triangles, for obstacles; the mesh's lengths times a factor. The mesh has to outlive
/// it.
struct Mesh {
  const TriangleMesh* mesh;
  double scale = 1;  ///< [-] > 0
};
/// Shell without thickness about the z axis, for obstacles: the side of a frustum, which repels
/// from inside and from outside, and discs that close it on request.
struct Hollow {
  double bottom_radius, top_radius;  ///< [m] ≥ 0, one of them > 0
  double bottom, top;                ///< [m], bottom < top
  bool closed_bottom = false, closed_top = false;
};

/// Rigid union of convex shapes, for bodies; the lengths of its parts times a factor. The parts
/// have to outlive it.
struct Clump {
  const ClumpParts* parts;
  double scale = 1;  ///< [-] > 0
};

using Shape = std::variant<Sphere, HalfSpace, Box, Cylinder, Capsule, Frustum, Superellipsoid,
                           Polyhedron, Mesh, Hollow, Clump>;

/// Whether a shape is a surface that need not be convex, which is for obstacles alone: a body can
/// touch it in several places.
inline bool is_surface(const Shape& shape) {
  return std::holds_alternative<Mesh>(shape) || std::holds_alternative<Hollow>(shape);
}
inline bool is_clump(const Shape& shape) { return std::holds_alternative<Clump>(shape); }

/// Where a shape's frame stands in the inertial frame.
struct Pose {
  Vec3 position;           ///< [m]
  Quaternion orientation;  ///< body frame to inertial frame
};

/// Velocity of a rigid body: of the origin of its frame, and about it.
struct Twist {
  Vec3 linear;   ///< [m/s]
  Vec3 angular;  ///< [rad/s], inertial frame
};
inline bool moves(const Twist& twist) { return twist.linear != Vec3{} || twist.angular != Vec3{}; }

/// Where a pose is after a time h with constant twist.
inline Pose advance_pose(const Pose& pose, const Twist& twist, double h) {
  return {pose.position + h * twist.linear, rotate_exactly(pose.orientation, twist.angular, h)};
}

/// The constant twist that takes one pose to another in a time h, turning by less than half a turn.
inline Twist twist_between(const Pose& from, const Pose& to, double h) {
  return {(to.position - from.position) / h,
          rotation_vector(to.orientation * conjugate(from.orientation)) / h};
}

/// A pose moved as `motion` moves the pose at the origin: to the place motion(x) of each point x.
inline Pose moved(const Pose& motion, const Pose& pose) {
  return {motion.position + rotate(motion.orientation, pose.position),
          normalised(motion.orientation * pose.orientation)};
}

/// Velocity of a point that moves with the body [m/s]; `point` in the inertial frame.
inline Vec3 velocity_at(const Pose& pose, const Twist& twist, const Vec3& point) {
  return twist.linear + cross(twist.angular, point - pose.position);
}

/// Volume, centre of mass and moments of inertia about it for density 1, along the axes of the
/// shape's frame, which are principal axes. Where parts of a clump overlap, space counts once.
struct VolumeProperties {
  double volume;  ///< [m³]
  Vec3 inertia;   ///< ∫(|x|² − x_k²) dV [m⁵]
  Vec3 centre;    ///< in the shape's frame [m]
};
/// Throws std::domain_error for a half-space, which has no finite volume, and for surfaces, which
/// have none.
VolumeProperties volume_properties(const Shape& shape);

/// Radius of the bounding sphere about the frame's origin [m]; infinite for a half-space.
double bounding_radius(const Shape& shape);

/// The shape with all its lengths times a factor > 0.
Shape scaled(const Shape& shape, double factor);

/// How far the shape reaches from its frame's origin along a unit vector of the inertial frame [m];
/// infinite for a half-space, but along its own normal.
double support(const Shape& shape, const Pose& pose, const Vec3& direction);

/// Half edges [m] of the smallest box along the inertial axes that holds the shape when it is
/// turned by `orientation`; both have their middle at the frame's origin. Infinite for a
/// half-space.
Vec3 reach(const Shape& shape, const Quaternion& orientation);

/// Distance of a point from the surface of a shape [m], negative inside, and the outward unit
/// normal there. Inside a clump the depth is that in one of its parts: the surface may be farther.
struct SurfaceDistance {
  double distance;
  Vec3 normal;
};
/// `point` and the result are in the shape's own frame.
SurfaceDistance signed_distance(const Shape& shape, const Vec3& point);
/// The same for a shape that stands at `pose`; point and normal in the inertial frame.
SurfaceDistance signed_distance(const Shape& shape, const Pose& pose, const Vec3& point);

}  // namespace scree

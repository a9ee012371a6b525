/// Narrow phase: contact points of two convex shapes.
///
/// The first two functions are symmetric: with A and B swapped they return the same points and
/// features with opposite normals, bit for bit. The exceptions are two boxes or capsules of the
/// same size: nothing tells A from B, so gaps agree to rounding and features depend on which is A.
/// Both functions use only the four basic operations and square roots, so all machines agree in
/// every bit; exceptions are a sphere and a cylinder, frusta, and superellipsoids. None allocates.
///
/// Frusta, superellipsoids and polyhedra use the general narrow phase. For overlaps deeper than a
/// few hundredths of the smaller shape, its penetration direction may not be the shortest.
///
/// Two half-spaces never collide. A surface (`is_surface`) can touch at several points with
/// different normals, so contact_points() accepts surfaces only against spheres; call
/// points_on_surface() for other bodies. Both functions throw std::domain_error for unsupported
/// pairs: two surfaces, or a surface and a half-space. They throw for clumps, too: call
/// points_of_clump().
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Point where two convex bodies touch or may come to touch: up to four per pair. Its feature stays
/// the same while the same features of the two surfaces meet.
struct ContactPoint {
  std::uint32_t feature;  ///< key of the point among those of its pair
  /// Midway between the two surfaces, along the normal [m], inertial frame
  Vec3 point;
  Vec3 normal;  ///< unit, from A to B
  double gap;   ///< between the surfaces along the normal [m]; < 0: overlap
};
struct Manifold {
  int count = 0;
  std::array<ContactPoint, 4> points;
};

/// Points of A and B whose gap is below `margin` [m], spread widely; always contains the point of
/// least gap. All share one normal: the direction between the closest points of separate shapes, or
/// the axis of least penetration of overlapping ones. For boxes, a face axis wins over an edge–edge
/// axis if it is as good to a thousandth of the smaller box.
///
/// A feature names a vertex or a pair of edges. For a capsule these are the ends of its axis and
/// the axis; its points are those of the sphere about the axis point that meets the other shape.
Manifold contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        double margin);

/// Minimum distance between two convex shapes [m], or minus the depth of the overlap (the shortest
/// separating displacement), and its direction, from A to B. Infinite between two half-spaces. For
/// a surface and a body other than a sphere: the least gap of points_on_surface(). For a clump:
/// that of its nearest part.
SurfaceDistance separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// Thresholds that distinguish sliding over a seam from resting and falling.
struct SeamTest {
  Vec3 fall;     ///< velocity increment of B relative to A by weight in the step [m/s]
  double slow;   ///< pairs that close no faster are at rest [m/s]
  double level;  ///< tolerance for two faces to lie in one plane [m]
};

/// Manifold for A sliding onto B across a seam, such as that between two floors. It applies if A
/// reaches one of the points `start` (of contact_points()) within the step h [s], and A and B have
/// coplanar faces along which A slides. The normal is that of the common plane: it keeps the bodies
/// apart, and A slides on. The normal of the shortest separation would stop A at an edge that it
/// does not hit. Empty if there is no such plane.
std::optional<Manifold> internal_edge_manifold(const Shape& a, const Pose& pose_a,
                                               const Twist& twist_a, const Shape& b,
                                               const Pose& pose_b, const Twist& twist_b,
                                               const Manifold& start, double margin, double h,
                                               const SeamTest& test);

/// Contact points for a step of length h [s], in which the pair may pass.
///
/// A solver keeps `gap + h u_n ≥ 0` at each point. This is a plane, and it would stop two bodies
/// that pass each other. So the free paths (constant twists over h) are checked. If they violate a
/// plane of the start, but never touch, the manifold is that of the instant of closest approach.
/// Its points and normal are carried back to the start with the bodies, and its gaps are the
/// remaining gaps at the start along that normal.
///
/// * Free paths that do not touch satisfy the points returned, those of the start or of that
///   instant. A pass that 24 steps of conservative advancement cannot clear counts as a touch:
///   never in pure translation; in rotation if closer than about a millionth of the gap.
/// * Bodies that do not rotate stay apart throughout the step, whatever their velocities become, if
///   they satisfy the points. Rotating bodies can overlap by at most 2 h |ω| times their radii,
///   where a feature outside the manifold swings in.
/// * A pair that violates no plane of the start keeps its points; it may still collide by rotation.
Manifold contact_points_in_step(const Shape& a, const Pose& pose_a, const Twist& twist_a,
                                const Shape& b, const Pose& pose_b, const Twist& twist_b,
                                double margin, double h);

}  // namespace scree

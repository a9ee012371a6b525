/// Where two convex shapes touch: the narrow phase.
///
/// The first two functions treat A and B alike: with the two swapped they give the same points and
/// features with the normals turned, bit for bit. Only two boxes or capsules of one size have
/// nothing that tells them apart: their gaps agree to rounding, and features say which is A. But
/// for a sphere and a cylinder, and for frusta and superellipsoids, they use the four basic
/// operations and square roots only, so that machines agree in every bit. None allocates.
///
/// Points of frusta, superellipsoids and polyhedra come of the general narrow phase: of overlaps
/// deeper than a few hundredths of the smaller shape it gives a way out, not surely the shortest.
///
/// Two half-spaces are taken never to meet. A surface (`is_surface`) can touch in several places
/// with normals of their own: of a surface and what is no sphere contact_points() throws
/// std::domain_error, see points_on_surface(); and so do both functions of two surfaces, and of a
/// surface and a half-space. So do clumps, see points_of_clump().
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Where two convex bodies touch, or may come to touch: up to four points, each with a feature
/// that stays the same for as long as the same parts of the two surfaces meet.
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

/// Points of A and B whose gap is below `margin` [m], well spread, the one of least gap always
/// among them. All have one normal: that of the closest points of two shapes that are apart, and
/// the axis of least penetration of two that overlap. There an axis across a face of a box is
/// preferred to one across two edges if it is as good to a thousandth of the smaller box.
///
/// A feature names a vertex or a pair of edges. Of a capsule these are the ends of its axis and the
/// axis, and its points are those of the sphere about the point of the axis that meets the other.
Manifold contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        double margin);

/// Least distance between two convex shapes [m]; negative: depth of the overlap, the least way that
/// parts them; and its direction, from A to B. Infinite between two half-spaces. Of a surface and
/// what is no sphere: the least gap of points_on_surface(). Of a clump: of its nearest part.
SurfaceDistance separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// What tells sliding over a seam from resting and from falling.
struct SeamTest {
  Vec3 fall;     ///< what weight gives B more of velocity in the step than A [m/s]
  double slow;   ///< what closes no faster rests [m/s]
  double level;  ///< how far apart two faces may be that are in one plane [m]
};

/// Points where A slides on to B over a seam, as over that of two floors: A comes in the step of
/// length h [s] upon one of `start`, the points of contact_points(), and A and B have a face each
/// in one plane, along which A slides. Their normal is that of the plane. It keeps the two apart,
/// as any plane does that has them on its two sides, and lets A go on, where that across the
/// shortest way would stop it before an edge that A does not hit. Nothing where there is no such
/// plane.
std::optional<Manifold> internal_edge_manifold(const Shape& a, const Pose& pose_a,
                                               const Twist& twist_a, const Shape& b,
                                               const Pose& pose_b, const Twist& twist_b,
                                               const Manifold& start, double margin, double h,
                                               const SeamTest& test);

/// The same for a step of length h [s], in which the pair may pass.
///
/// A solver keeps `gap + h u_n ≥ 0` at each point. That is a plane, and it would stop two bodies
/// that pass each other. So where the free paths (constant twists over h) break it at a point of
/// the start, and yet never touch, the points and the normal are those of the instant at which the
/// paths come closest, carried back to the start with the bodies, and the gaps are the room that
/// there is at the start along that normal.
///
/// * Free paths that do not touch obey the points they get, those of the start or those of the
///   instant. A pass so close that 24 steps of conservative advancement do not get by counts as a
///   touch: in translation none, in rotation one by less than about a millionth of the gap.
/// * Bodies that do not turn stay apart at all times of the step, whatever their velocities turn
///   out to be, if they obey the points. Bodies that turn overlap by 2 h |ω| times their radii at
///   the most: where a part that is not among the points turns into the way.
/// * A pair that breaks no point of the start keeps those, and may still meet by turning.
Manifold contact_points_in_step(const Shape& a, const Pose& pose_a, const Twist& twist_a,
                                const Shape& b, const Pose& pose_b, const Twist& twist_b,
                                double margin, double h);

}  // namespace scree

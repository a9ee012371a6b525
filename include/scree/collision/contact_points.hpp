/// Where two convex shapes touch: the narrow phase.
///
/// Both functions treat A and B alike: with the two swapped they give the same points and features
/// with the normals turned, bit for bit. Only two boxes or capsules of one size have nothing that
/// tells them apart: their gaps agree to rounding, and features say which is A. The functions use
/// the four basic operations and square roots only, so that machines agree in every bit, and they
/// allocate nothing.
///
/// Every pair of shapes but that of two half-spaces, which are taken never to meet.
#pragma once

#include <array>
#include <cstdint>

#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Where two convex bodies touch, or may come to touch: up to four points, each with a feature
/// that stays the same for as long as the same parts of the two surfaces meet.
struct ContactPoint {
  std::uint32_t feature;  ///< key of the point among those of its pair
  Vec3 point;             ///< midway between the two surfaces, along the normal [m], inertial frame
  Vec3 normal;            ///< unit, from A to B
  double gap;             ///< between the surfaces along the normal [m]; < 0: overlap
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
/// parts them; and its direction, from A to B. Infinite between two half-spaces.
SurfaceDistance separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

}  // namespace scree

/// Common form of convex shapes for the general narrow phase: a core, and all points within a
/// radius of it. A capsule is a segment with a radius; other shapes are their own core. All
/// positions are in the axes of the caller.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "geometry/superellipsoid.hpp"
#include "scree/core/unset_array.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Feature of a surface most nearly orthogonal to a direction: a face, an edge or a point.
struct SupportFeature {
  static constexpr int kMax = 8;

  int count = 0;
  UnsetArray<Vec3, kMax> corner;  ///< [m], counter-clockwise about the outward normal
  UnsetArray<std::uint32_t, kMax> feature;
  Vec3 normal;  ///< outward, unit

  void add(const Vec3& position, std::uint32_t id) {
    corner[count] = position;
    feature[count++] = id;
  }
};

/// Pose of B in A's frame.
inline Pose seen_from(const Pose& a, const Pose& b) {
  return {rotate_back(a.orientation, b.position - a.position),
          conjugate(a.orientation) * b.orientation};
}

/// Outward normals that a feature of a surface can have: one, those of a circle about an axis, or
/// any.
struct NormalChoice {
  enum class Kind : std::uint8_t { one, circle, any };
  Kind kind;
  Vec3 normal;            ///< the only normal, unit
  Vec3 axis;              ///< axis of the circle, unit
  double along_axis = 0;  ///< normal · axis on the circle
  bool is_edge = false, is_corner = false;
  std::array<Vec3, 2> ends;  ///< ends of an edge, or position of a corner [m]
};
/// Normals of the features that may meet near a direction.
class NormalChoices {
 public:
  void add(const NormalChoice& choice) { items_[count_++] = choice; }
  const NormalChoice* begin() const { return items_.data(); }
  const NormalChoice* end() const { return items_.data() + count_; }

 private:
  std::array<NormalChoice, 6> items_;
  int count_ = 0;
};

class ConvexCore {
 public:
  /// Core of a shape other than a sphere or a half-space.
  ConvexCore(const Shape& shape, const Pose& pose);

  double radius() const { return radius_; }         ///< distance of the surface from the core [m]
  const Vec3& centre() const { return position_; }  ///< some point of the core [m]
  double size() const { return size_; }  ///< distance of the core's farthest point from it [m]
  bool is_curved() const;                ///< true if the surface has curved regions
  const Superellipsoid* superellipsoid() const { return std::get_if<Superellipsoid>(&form_); }

  const Polyhedron* polyhedron() const { return std::get_if<Polyhedron>(&form_); }

  /// Farthest point along n [m].
  Vec3 support(const Vec3& n) const;
  SupportFeature facing(const Vec3& n) const;
  /// Normals of the feature that some points of the core span, near the outward normal n.
  NormalChoices choices(const std::array<Vec3, 3>& points, int count, const Vec3& n) const;

  /// Signed distance of a point from the core, negative inside [m], and its direction.
  SurfaceDistance distance_of(const Vec3& point) const;
  /// True if the support point is continuous in the direction.
  bool is_round() const { return superellipsoid(); }

  /// Vector in the core's own axes, and back.
  Vec3 to_core(const Vec3& v) const {
    return is_rotated_ ? Vec3{dot(axes_[0], v), dot(axes_[1], v), dot(axes_[2], v)} : v;
  }
  Vec3 from_core(const Vec3& v) const {
    return is_rotated_ ? v.x * axes_[0] + v.y * axes_[1] + v.z * axes_[2] : v;
  }

 private:
  struct Segment {
    double half_length;
  };
  using Form = std::variant<Box, Segment, Frustum, Superellipsoid, Polyhedron>;
  ConvexCore(const Form& form, const Pose& pose, double radius, double size);
  static ConvexCore of(const Shape& shape, const Pose& pose);

  Form form_;
  Vec3 position_, axes_[3];
  /// False for a polyhedron whose axes are those of the caller, where the product can be skipped.
  /// Other shapes depend on the signs of zeros, which a product with these axes can change.
  bool is_rotated_;
  double radius_, size_;
};

}  // namespace scree

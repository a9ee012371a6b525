/// Any convex shape as the general narrow phase sees it.
///
/// A core, and all that lies within a radius of it: a capsule is a segment with a radius, other
/// shapes are their own core. All places are in the axes of whoever looks at it.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "geometry/superellipsoid.hpp"
#include "scree/core/unset_array.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// The part of a surface that lies most nearly across a direction: a face, an edge or a point.
struct SupportFeature {
  static constexpr int kMax = 8;

  int count = 0;
  UnsetArray<Vec3, kMax> corner;  ///< [m], round the outward normal
  UnsetArray<std::uint32_t, kMax> feature;
  Vec3 normal;  ///< outward, unit

  void add(const Vec3& place, std::uint32_t id) {
    corner[count] = place;
    feature[count++] = id;
  }
};

/// The pose of B as A sees it.
inline Pose seen_from(const Pose& a, const Pose& b) {
  return {rotate_back(a.orientation, b.position - a.position),
          conjugate(a.orientation) * b.orientation};
}

/// Which normals a part of a surface can have, outward: one, those of a circle about an axis, any.
struct NormalChoice {
  enum class Kind : std::uint8_t { one, circle, any };
  Kind kind;
  Vec3 normal;            ///< the one, unit
  Vec3 axis;              ///< of the circle, unit
  double along_axis = 0;  ///< normal · axis on the circle
  bool is_edge = false, is_corner = false;
  std::array<Vec3, 2> ends;  ///< of an edge; the place of a corner [m]
};
/// Of the parts that may be met near a normal.
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
  /// Not of a sphere or a half-space.
  ConvexCore(const Shape& shape, const Pose& pose);

  double radius() const { return radius_; }      ///< about the core [m]
  const Vec3& centre() const { return place_; }  ///< some point of the core [m]
  double size() const { return size_; }          ///< no point of the core is farther from it [m]
  bool is_curved() const;  ///< its surface has other parts than faces, edges and corners
  const Superellipsoid* superellipsoid() const { return std::get_if<Superellipsoid>(&form_); }

  const Polyhedron* polyhedron() const { return std::get_if<Polyhedron>(&form_); }

  /// The farthest point along n [m].
  Vec3 support(const Vec3& n) const;
  SupportFeature facing(const Vec3& n) const;
  /// Of the part that some points of the core span, near the outward normal n.
  NormalChoices choices(const std::array<Vec3, 3>& points, int count, const Vec3& n) const;

  /// How far a point is from the core, below 0 inside of it [m], and which way.
  SurfaceDistance distance_of(const Vec3& point) const;
  /// Whether the support changes without leaps as the direction turns.
  bool is_round() const { return superellipsoid(); }

  /// A vector in the core's own axes, and back.
  Vec3 to_core(const Vec3& v) const {
    return is_turned_ ? Vec3{dot(axes_[0], v), dot(axes_[1], v), dot(axes_[2], v)} : v;
  }
  Vec3 from_core(const Vec3& v) const {
    return is_turned_ ? v.x * axes_[0] + v.y * axes_[1] + v.z * axes_[2] : v;
  }

 private:
  struct Segment {
    double half_length;
  };
  using Form = std::variant<Box, Segment, Frustum, Superellipsoid, Polyhedron>;
  ConvexCore(const Form& form, const Pose& pose, double radius, double size);
  static ConvexCore of(const Shape& shape, const Pose& pose);

  Form form_;
  Vec3 place_, axes_[3];
  /// False of a polyhedron whose axes are those of who looks at it. Other shapes look at the signs
  /// of zeros, which a product with these axes can change.
  bool is_turned_;
  double radius_, size_;
};

}  // namespace scree

#include "scree/collision/contact_points.hpp"

#include <array>
#include <limits>

#include "collision/narrow/pairs.hpp"

namespace scree {
namespace {

/// Whether A comes before B in an order that both callers, of (A, B) and of (B, A), agree on. It
/// must not change as bodies move: between equal shapes it is that of the caller.
bool in_order(const RoundedBox& a, const RoundedBox& b) {
  const auto numbers = [](const RoundedBox& box) {
    return std::array{box.half_extent.x, box.half_extent.y, box.half_extent.z, box.radius};
  };
  return numbers(a) <= numbers(b);
}

SurfaceDistance turned(SurfaceDistance separation) {
  separation.normal = -separation.normal;
  return separation;
}

Manifold turned(Manifold manifold) {
  for (int k = 0; k < manifold.count; ++k) manifold.points[k].normal = -manifold.points[k].normal;
  return manifold;
}

template <class T>
constexpr bool kIsRoundedBox = requires(const T& shape) {
  rounded(shape);
};

struct Points {
  const Pose &pose_a, &pose_b;
  double margin;

  template <class B>
  Manifold operator()(const Sphere& a, const B& b) const {
    return sphere_points(a, pose_a, b, pose_b, margin);
  }
  template <class B>
  Manifold operator()(const HalfSpace&, const B& b) const {
    if constexpr (kIsRoundedBox<B>)
      return half_space_points(pose_a, rounded(b), pose_b, margin);
    else
      return {};
  }
  template <class A, class B>
  Manifold operator()(const A& shape_a, const B& shape_b) const {
    if constexpr (kIsRoundedBox<A> && kIsRoundedBox<B>) {
      const RoundedBox a = rounded(shape_a), b = rounded(shape_b);
      return in_order(a, b) ? points_of_boxes(a, pose_a, b, pose_b, margin)
                            : turned(points_of_boxes(b, pose_b, a, pose_a, margin));
    } else {
      return {};
    }
  }
};

struct Separation {
  const Pose &pose_a, &pose_b;

  template <class B>
  SurfaceDistance operator()(const Sphere& a, const B& b) const {
    return sphere_separation(a, pose_a, b, pose_b);
  }
  template <class B>
  SurfaceDistance operator()(const HalfSpace&, const B& b) const {
    if constexpr (kIsRoundedBox<B>)
      return half_space_separation(pose_a, rounded(b), pose_b);
    else
      return {std::numeric_limits<double>::infinity(), rotate(pose_a.orientation, {0, 0, 1})};
  }
  template <class A, class B>
  SurfaceDistance operator()(const A& shape_a, const B& shape_b) const {
    if constexpr (kIsRoundedBox<A> && kIsRoundedBox<B>) {
      const RoundedBox a = rounded(shape_a), b = rounded(shape_b);
      return in_order(a, b) ? separation_of_boxes(a, pose_a, b, pose_b)
                            : turned(separation_of_boxes(b, pose_b, a, pose_a));
    } else {
      return {};
    }
  }
};

}  // namespace

Manifold contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        double margin) {
  if (b.index() < a.index()) return turned(contact_points(b, pose_b, a, pose_a, margin));
  return std::visit(Points{pose_a, pose_b, margin}, a, b);
}

SurfaceDistance separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (b.index() < a.index()) return turned(separation(b, pose_b, a, pose_a));
  return std::visit(Separation{pose_a, pose_b}, a, b);
}

}  // namespace scree

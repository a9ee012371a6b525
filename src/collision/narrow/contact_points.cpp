/// Dispatches contact points and separation to the functions of each pair of shapes.
#include "scree/collision/contact_points.hpp"

#include <array>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "collision/narrow/pairs.hpp"
#include "scree/collision/clump_contacts.hpp"
#include "scree/collision/surface_contacts.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree {
namespace {

/// True if A comes before B in an order on which both callers, of (A, B) and of (B, A), agree. It
/// must not change as bodies move: between equal shapes it is the caller's.
bool in_order(const RoundedBox& a, const RoundedBox& b) {
  const auto numbers = [](const RoundedBox& box) {
    return std::array{box.half_extent.x, box.half_extent.y, box.half_extent.z, box.radius};
  };
  return numbers(a) <= numbers(b);
}
/// The wider first: then stationary points along the rim of the other are far apart.
bool in_order(const Cylinder& a, const Cylinder& b) {
  return std::pair(a.radius, a.half_length) >= std::pair(b.radius, b.half_length);
}

bool in_order(const Frustum& a, const Frustum& b) {
  const auto numbers = [](const Frustum& f) {
    return std::array{f.bottom_radius, f.top_radius, f.bottom, f.top};
  };
  return numbers(a) <= numbers(b);
}
bool in_order(const Superellipsoid& a, const Superellipsoid& b) {
  const auto numbers = [](const Superellipsoid& s) {
    return std::array{s.semi_axes.x, s.semi_axes.y, s.semi_axes.z, s.lateral, s.vertical};
  };
  return numbers(a) <= numbers(b);
}
bool in_order(const Polyhedron& a, const Polyhedron& b) {
  const auto numbers = [](const Polyhedron& p) {
    return std::array{static_cast<double>(p.hull->vertices().size()), p.scale, p.hull->volume()};
  };
  return numbers(a) <= numbers(b);
}
/// Different kinds: the order in `Shape`.
template <class A, class B>
bool in_order(const A& /*a*/, const B& /*b*/) {
  return Shape(A{}).index() < Shape(B{}).index();
}

SurfaceDistance flipped(SurfaceDistance separation) {
  separation.normal = -separation.normal;
  return separation;
}

Manifold flipped(Manifold manifold) {
  for (int k = 0; k < manifold.count; ++k) manifold.points[k].normal = -manifold.points[k].normal;
  return manifold;
}

template <class T>
concept Rounded = requires(const T& shape) {
  rounded(shape);
};
/// Shapes without special pair functions.
template <class T>
concept General =
    std::same_as<T, Frustum> || std::same_as<T, Superellipsoid> || std::same_as<T, Polyhedron>;
template <class T>
concept Solid = General<T> || Rounded<T> || std::same_as<T, Cylinder>;

struct Points {
  const Pose &pose_a, &pose_b;
  double margin;

  template <class B>
  Manifold operator()(const Sphere& a, const B& b) const {
    return sphere_points(a, pose_a, b, pose_b, margin);
  }
  Manifold operator()(const HalfSpace&, const HalfSpace&) const { return {}; }
  Manifold operator()(const HalfSpace&, const Rounded auto& b) const {
    return half_space_points(pose_a, rounded(b), pose_b, margin);
  }
  Manifold operator()(const HalfSpace&, const Cylinder& b) const {
    return half_space_points(pose_a, b, pose_b, margin);
  }
  Manifold operator()(const Rounded auto& shape_a, const Rounded auto& shape_b) const {
    const RoundedBox a = rounded(shape_a), b = rounded(shape_b);
    return in_order(a, b) ? points_of_boxes(a, pose_a, b, pose_b, margin)
                          : flipped(points_of_boxes(b, pose_b, a, pose_a, margin));
  }
  Manifold operator()(const Rounded auto& a, const Cylinder& b) const {
    return box_cylinder_points(rounded(a), pose_a, b, pose_b, margin);
  }
  Manifold operator()(const Cylinder& a, const Cylinder& b) const {
    return in_order(a, b) ? points_of_cylinders(a, pose_a, b, pose_b, margin)
                          : flipped(points_of_cylinders(b, pose_b, a, pose_a, margin));
  }
  Manifold operator()(const HalfSpace&, const General auto& b) const {
    return half_space_points(pose_a, ConvexCore(b, pose_b), margin);
  }
  Manifold operator()(const Solid auto& a, const General auto& b) const {
    return in_order(a, b) ? points_of_convex(a, pose_a, b, pose_b, margin)
                          : flipped(points_of_convex(b, pose_b, a, pose_a, margin));
  }
};

struct Separation {
  const Pose &pose_a, &pose_b;

  template <class B>
  SurfaceDistance operator()(const Sphere& a, const B& b) const {
    return sphere_separation(a, pose_a, b, pose_b);
  }
  SurfaceDistance operator()(const HalfSpace&, const Rounded auto& b) const {
    return half_space_separation(pose_a, rounded(b), pose_b);
  }
  SurfaceDistance operator()(const HalfSpace&, const Cylinder& b) const {
    return half_space_separation(pose_a, b, pose_b);
  }
  SurfaceDistance operator()(const HalfSpace&, const HalfSpace&) const {
    return {std::numeric_limits<double>::infinity(), rotate(pose_a.orientation, {0, 0, 1})};
  }
  SurfaceDistance operator()(const Rounded auto& shape_a, const Rounded auto& shape_b) const {
    const RoundedBox a = rounded(shape_a), b = rounded(shape_b);
    return in_order(a, b) ? separation_of_boxes(a, pose_a, b, pose_b)
                          : flipped(separation_of_boxes(b, pose_b, a, pose_a));
  }
  SurfaceDistance operator()(const Rounded auto& a, const Cylinder& b) const {
    return box_cylinder_separation(rounded(a), pose_a, b, pose_b);
  }
  SurfaceDistance operator()(const Cylinder& a, const Cylinder& b) const {
    return in_order(a, b) ? separation_of_cylinders(a, pose_a, b, pose_b)
                          : flipped(separation_of_cylinders(b, pose_b, a, pose_a));
  }
  SurfaceDistance operator()(const HalfSpace&, const General auto& b) const {
    const Vec3 normal = rotate(pose_a.orientation, {0, 0, 1});
    return {dot(normal, pose_b.position - pose_a.position) - support(b, pose_b, -normal), normal};
  }
  SurfaceDistance operator()(const Solid auto& a, const General auto& b) const {
    return in_order(a, b) ? separation_of_convex(a, pose_a, b, pose_b)
                          : flipped(separation_of_convex(b, pose_b, a, pose_a));
  }
};

/// Swaps a pair whose shapes come in the other order.
template <class Visitor, class Result>
struct InOrder {
  const Visitor &as_given, &swapped;

  template <class A, class B>
  Result operator()(const A& a, const B& b) const {
    if constexpr (std::is_invocable_v<const Visitor&, const A&, const B&>)
      return as_given(a, b);
    else if constexpr (std::is_invocable_v<const Visitor&, const B&, const A&>)
      return flipped(swapped(b, a));
    else
      throw std::domain_error(
          "call points_on_surface() for a surface and a body other than a sphere; two surfaces, or "
          "a "
          "surface and a half-space, do not collide");
  }
};

}  // namespace

Manifold contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        double margin) {
  if (is_clump(a) || is_clump(b)) throw std::domain_error("call points_of_clump() for clumps");
  const Points as_given{pose_a, pose_b, margin}, swapped{pose_b, pose_a, margin};
  return std::visit(InOrder<Points, Manifold>{as_given, swapped}, a, b);
}

SurfaceDistance separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (is_clump(a) || is_clump(b)) return separation_of_clump(a, pose_a, b, pose_b);
  const auto is_body = [](const Shape& shape) {
    return !is_surface(shape) && !std::holds_alternative<Sphere>(shape) &&
           !std::holds_alternative<HalfSpace>(shape);
  };
  if (is_body(a) && is_surface(b)) return separation_from_surface(a, pose_a, b, pose_b);
  if (is_surface(a) && is_body(b)) return flipped(separation_from_surface(b, pose_b, a, pose_a));
  const Separation as_given{pose_a, pose_b}, swapped{pose_b, pose_a};
  return std::visit(InOrder<Separation, SurfaceDistance>{as_given, swapped}, a, b);
}

}  // namespace scree

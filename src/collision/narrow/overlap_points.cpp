/// Points of overlapping shapes for springs: all corners and rim points below a flat side.
#include "scree/collision/overlap_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "collision/narrow/manifold_reduction.hpp"
#include "scree/collision/contact_points.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree {
namespace {

/// Flat side of a shape: the plane n·x = height, with the shape below it.
struct Side {
  const Shape& shape;
  const Pose& pose;
  Vec3 normal;    ///< out of the shape
  double height;  ///< [m]

  /// True if the vertical through p meets the side or its border, such as the corners of a shape
  /// that lies flush on an equal one.
  bool is_under(const Vec3& p) const {
    if (std::holds_alternative<HalfSpace>(shape)) return true;
    const double border = kSamePoint * bounding_radius(shape);
    const Vec3 at = rotate_back(pose.orientation, p - pose.position);
    const Vec3 n = rotate_back(pose.orientation, normal);
    const Vec3 foot = at - (dot(normal, p) - height) * n;
    if (const auto* box = std::get_if<Box>(&shape)) {
      for (int k = 0; k < 3; ++k)
        if (std::abs(n[k]) < 0.5 && std::abs(foot[k]) > box->half_extent[k] + border) return false;
      return true;
    }
    if (const auto* cylinder = std::get_if<Cylinder>(&shape))
      return std::hypot(foot.x, foot.y) <= cylinder->radius + border;
    if (const auto* frustum = std::get_if<Frustum>(&shape))
      return std::hypot(foot.x, foot.y) <=
             (n.z > 0 ? frustum->top_radius : frustum->bottom_radius) + border;
    const auto& polyhedron = std::get<Polyhedron>(shape);
    const ConvexHull& hull = *polyhedron.hull;
    const auto loop = hull.loop(hull.faces()[hull.facing(n)]);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3 from = polyhedron.scale * hull.vertices()[loop[k]],
                 to = polyhedron.scale * hull.vertices()[loop[(k + 1) % loop.size()]];
      if (dot(cross(to - from, foot - from), n) < -border * norm(to - from)) return false;
    }
    return true;
  }
};

/// Flat side of a shape with normal n; empty if it has no such side.
std::optional<Side> side_along(const Shape& shape, const Pose& pose, const Vec3& n) {
  constexpr double kCosineTolerance = 1e-12;  // deviation of a cosine from 1, for an angle of 1e-6
  const Vec3 seen = rotate_back(pose.orientation, n);
  Vec3 own;
  if (std::holds_alternative<HalfSpace>(shape)) {
    own = {0, 0, 1};
  } else if (std::holds_alternative<Box>(shape)) {
    constexpr double kOneAtMost = 0.9;  // at most one of three cosines exceeds this
    for (int k = 0; k < 3; ++k)
      if (std::abs(seen[k]) > kOneAtMost) own[k] = std::copysign(1, seen[k]);
  } else if (std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Frustum>(shape)) {
    own.z = std::copysign(1, seen.z);
  } else if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) {
    own = polyhedron->hull->faces()[polyhedron->hull->facing(seen)].normal;
  } else {
    return {};
  }
  if (!(dot(own, seen) > 1 - kCosineTolerance)) return {};
  const Vec3 normal = rotate(pose.orientation, own);
  const double up = std::holds_alternative<HalfSpace>(shape) ? 0 : support(shape, pose, normal);
  return Side{shape, pose, normal, dot(normal, pose.position) + up};
}

/// Collects the points of a shape below a side: at most `limit`, the deepest.
class Below {
 public:
  Below(const Side& side, std::uint32_t limit) : side_(side), limit_(static_cast<int>(limit)) {}

  void add_corners(const Polyhedron& p, const Pose& pose) {
    const auto vertices = p.hull->vertices();
    const Vec3 down = rotate_back(pose.orientation, -side_.normal);
    const double to_side = dot(side_.normal, pose.position) - side_.height;
    for (std::uint32_t v = 0; v < vertices.size(); ++v)
      if (p.scale * dot(down, vertices[v]) > to_side)
        add(v, pose.position + rotate(pose.orientation, p.scale * vertices[v]));
  }

  /// Adds the points of a cylinder or a frustum, given the radii of its rims and their positions
  /// along the axis.
  void add_rims(const std::array<double, 2>& radius, const std::array<double, 2>& position,
                const Pose& pose) {
    constexpr std::uint32_t kFixed = 2, kAcross = 10;
    constexpr double kLevel = 1e-15;  // sine produced by rounding
    const Vec3 &n = side_.normal, x = rotate(pose.orientation, {1, 0, 0}),
               y = rotate(pose.orientation, {0, 1, 0}), axis = rotate(pose.orientation, {0, 0, 1});
    const double along = dot(n, axis);
    const Vec3 downhill = along * axis - n;
    const double sine = norm(downhill);
    const Vec3 down = sine > kLevel ? downhill / sine : x, level = cross(axis, down);
    const std::uint32_t facing = along > 0 ? 0 : 1;
    for (const std::uint32_t end : {0U, 1U}) {
      const Vec3 centre = pose.position + position[end] * axis;
      const double r = radius[end], depth = side_.height - dot(n, centre);
      if (end == facing && r > 0 && depth >= r * sine) {
        const std::uint32_t feature = kFixed + 4 * end;
        add(feature, centre - r * x);
        add(feature + 1, centre + r * x);
        add(feature + 2, centre - r * y);
        add(feature + 3, centre + r * y);
      } else {
        add(end, centre + r * down);
        if (end != facing || r == 0) continue;
        const std::uint32_t feature = kAcross + 2 * end;
        add(feature, centre - r * level);
        add(feature + 1, centre + r * level);
      }
    }
  }

  bool reaches_beyond_border() const { return beyond_border_; }
  const SurfacePoints& points() const { return points_; }

 private:
  void add(std::uint32_t feature, const Vec3& position) {
    const double gap = dot(side_.normal, position) - side_.height;
    if (!(gap < 0)) return;
    beyond_border_ = beyond_border_ || !side_.is_under(position);
    const ContactPoint point{feature, position - 0.5 * gap * side_.normal, side_.normal, gap};
    if (points_.count < limit_) {
      points_.points[static_cast<std::size_t>(points_.count++)] = point;
      return;
    }
    const auto begin = points_.points.begin();
    const auto shallowest = std::max_element(
        begin, begin + points_.count,
        [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
    if (gap < shallowest->gap) *shallowest = point;
  }

  const Side& side_;
  int limit_;
  bool beyond_border_ = false;
  SurfacePoints points_;
};

/// True for cylinders, frusta, and polyhedra whose faces have at most kMaxOnSurface corners.
bool has_continuous_points(const Shape& shape) {
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape))
    return polyhedron->hull->max_corners() <= kMaxOnSurface;
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Frustum>(shape);
}

/// Points of a shape below the side of the other with normal n; empty if there is no such side, or
/// if not all points lie over it.
std::optional<OverlapPoints> points_below(const Shape& other, const Pose& pose_other, const Vec3& n,
                                          const Shape& shape, const Pose& pose) {
  if (!has_continuous_points(shape)) return {};
  const auto side = side_along(other, pose_other, n);
  if (!side) return {};
  const std::uint32_t limit = max_overlaps(other, shape);
  Below below(*side, limit);
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape))
    below.add_corners(*polyhedron, pose);
  else if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    below.add_rims({cylinder->radius, cylinder->radius},
                   {-cylinder->half_length, cylinder->half_length}, pose);
  else if (const auto* frustum = std::get_if<Frustum>(&shape))
    below.add_rims({frustum->bottom_radius, frustum->top_radius}, {frustum->bottom, frustum->top},
                   pose);
  if (below.reaches_beyond_border()) return {};
  return OverlapPoints{below.points(), limit};
}

OverlapPoints flipped(OverlapPoints points) {
  for (int k = 0; k < points.count; ++k) {
    Vec3& normal = points.points[static_cast<std::size_t>(k)].normal;
    normal = -normal;
  }
  return points;
}

}  // namespace

OverlapPoints overlap_points(const Shape& a, const Pose& pose_a, const Shape& b,
                             const Pose& pose_b) {
  if (std::holds_alternative<HalfSpace>(a))
    if (const auto points =
            points_below(a, pose_a, rotate(pose_a.orientation, {0, 0, 1}), b, pose_b))
      return *points;
  if (std::holds_alternative<HalfSpace>(b)) return flipped(overlap_points(b, pose_b, a, pose_a));
  const Manifold found = contact_points(a, pose_a, b, pose_b, 0);
  if (found.count > 0) {
    const Vec3& n = found.points[0].normal;
    if (const auto points = points_below(a, pose_a, n, b, pose_b)) return *points;
    if (const auto points = points_below(b, pose_b, -n, a, pose_a)) return flipped(*points);
  }
  OverlapPoints points;
  for (int k = 0; k < found.count; ++k)
    if (const ContactPoint& p = found.points[static_cast<std::size_t>(k)]; p.gap <= 0)
      points.points[static_cast<std::size_t>(points.count++)] = p;
  return points;
}

std::uint32_t max_overlaps(const Shape& a, const Shape& b) {
  std::uint32_t limit = 4;
  for (const Shape* shape : {&a, &b})
    if (const auto* polyhedron = std::get_if<Polyhedron>(shape))
      if (const std::uint32_t corners = polyhedron->hull->max_corners(); corners <= kMaxOnSurface)
        limit = std::max(limit, corners);
  return limit;
}

}  // namespace scree

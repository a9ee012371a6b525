/// Contact points of clumps: collects the points of all near pairs of parts, drops hidden ones and
/// duplicates, and reduces them to a few.
#include "scree/collision/clump_contacts.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "collision/narrow/body_on_surface.hpp"
#include "collision/narrow/clump_parts.hpp"
#include "collision/narrow/feature_hash.hpp"
#include "collision/narrow/pairs.hpp"
#include "collision/narrow/wrench_reduction.hpp"
#include "scree/collision/contact_points.hpp"

namespace scree {
namespace {

/// Calls f for near parts of two shapes; see NearParts::for_each.
template <class F>
void for_each_near(const PlacedParts& a, const PlacedParts& b, double margin, F&& f) {
  NearParts(a, b, margin).for_each(f);
}

struct ClumpItem {
  std::uint32_t feature;
  Vec3 point, normal;
  double gap;
  ClumpPoints::Parts parts;
  bool is_alone;  ///< counts on its own: never dropped for a neighbour
};

/// Use of the points of a clump.
enum class Purpose { impulses, springs };

/// Collects the points of all parts and reduces them to a few; one at a time in a thread.
class ClumpCollector {
 public:
  ClumpCollector(const PlacedParts& a, const PlacedParts& b, double margin,
                 Purpose purpose = Purpose::impulses)
      : a_(a), b_(b), margin_(margin), purpose_(purpose), items_(buffers().items) {
    items_.clear();
  }

  /// Adds points of two parts. `at_start`: points of the start, false for points carried back from
  /// a later instant.
  template <class Points>
  void add(const Points& found, std::uint32_t i, std::uint32_t j, bool at_start) {
    const bool one = !b_.is_surface() && !a_.is_surface() && (a_.is_round(i) || b_.is_round(j));
    const ContactPoint* nearest = nullptr;
    for (int k = 0; k < found.count; ++k) {
      const ContactPoint& p = found.points[k];
      if (!nearest || p.gap < nearest->gap) nearest = &p;
      if (!one) add(p, i, j, at_start);
    }
    if (one && nearest) add(*nearest, i, j, at_start);
  }

  ClumpPoints finish() {
    keep_deepest_hidden();
    drop_duplicates();
    if (purpose_ == Purpose::springs)
      keep_deepest();
    else
      reduce_by_wrench(items_, buffers().nearest, clump().middle(), clump().size());
    ClumpPoints points;
    for (const ClumpItem& item : items_) {
      points.parts[static_cast<std::size_t>(points.count)] = item.parts;
      points.points[points.count++] = {item.feature, item.point, item.normal, item.gap};
    }
    return points;
  }

 private:
  struct Buffers {
    std::vector<ClumpItem> items;
    std::vector<double> nearest;
  };
  static Buffers& buffers() {
    thread_local Buffers all;
    return all;
  }

  const PlacedParts& clump() const { return a_.is_clump() ? a_ : b_; }

  /// True if a spring of two parts depends on their overlap alone.
  bool is_alone(std::uint32_t i, std::uint32_t j) const {
    if (purpose_ == Purpose::impulses) return false;
    if (a_.is_surface() || b_.is_surface())
      return (a_.is_surface() ? b_ : a_).is_sphere(a_.is_surface() ? j : i);
    return a_.is_round(i) || b_.is_round(j);
  }

  void add(const ContactPoint& p, std::uint32_t i, std::uint32_t j, bool at_start) {
    if (!(p.gap < margin_)) return;
    const ClumpItem item{
        feature(p.feature, i, j), p.point, p.normal, p.gap, {i, j}, is_alone(i, j)};
    if (at_start && !item.is_alone &&
        (a_.hides(i, p.point - p.gap / 2 * p.normal) ||
         b_.hides(j, p.point + p.gap / 2 * p.normal))) {
      if (item.gap < hidden_.gap) hidden_ = item;
    } else {
      items_.push_back(item);
    }
  }

  /// In deep overlaps all points may be inside; the deepest of all counts in any case.
  void keep_deepest_hidden() {
    double least = margin_;
    for (const ClumpItem& item : items_) least = std::min(least, item.gap);
    const double rounding = 1e-9 * std::min(a_.size(), b_.size());
    if (hidden_.gap < least - rounding) items_.push_back(hidden_);
  }

  /// Keeps the deepest points; among equal ones, those found first.
  void keep_deepest() {
    if (items_.size() <= kMaxOnSurface) return;
    std::ranges::stable_sort(items_, {}, &ClumpItem::gap);
    items_.resize(kMaxOnSurface);
  }

  std::uint32_t feature(std::uint32_t of_parts, std::uint32_t i, std::uint32_t j) const {
    const std::uint64_t parts = std::uint64_t{i} << 16 | j;
    if (!a_.is_surface() && !b_.is_surface())
      return static_cast<std::uint32_t>(mixed(parts << 32 | of_parts) >> 33);
    // The lowest twelve bits belong to the body's part alone.
    const std::uint32_t part = a_.is_surface() ? j : i;
    const bool sphere = (a_.is_surface() ? b_ : a_).is_sphere(part);
    const std::uint32_t of_body = sphere ? 0 : of_parts & kPartMask;
    const std::uint32_t of_surface = sphere ? of_parts : of_parts >> 12;
    return feature_on_surface(part, of_body, of_surface);
  }

  void drop_duplicates() {
    const double size = std::min(a_.size(), b_.size());
    const double same_distance = 1e-4 * size, rounding = 1e-9 * size;
    std::size_t kept = 0;
    for (const ClumpItem& item : items_) {
      const auto end = items_.begin() + static_cast<std::ptrdiff_t>(kept);
      const auto known = std::find_if(items_.begin(), end, [&](const ClumpItem& other) {
        return !item.is_alone && !other.is_alone &&
               squared_norm(item.point - other.point) <= same_distance * same_distance &&
               dot(item.normal, other.normal) > kFlush;
      });
      if (known == end) {
        items_[kept++] = item;
      } else if (item.gap < known->gap - rounding) {
        const std::uint32_t feature = known->feature;
        *known = item;
        known->feature = feature;
      }
    }
    items_.resize(kept);
  }

  const PlacedParts &a_, &b_;
  double margin_;
  Purpose purpose_;
  std::vector<ClumpItem>& items_;
  ClumpItem hidden_{0, {}, {}, std::numeric_limits<double>::infinity(), {}, false};
};

/// Points of a sphere at `centre`, as A, and a surface.
SurfacePoints sphere_on_surface(const Shape& sphere, const Vec3& centre, const Shape& surface,
                                const Pose& pose, double margin) {
  const double radius = std::get<Sphere>(sphere).radius;
  const SurfaceTouches touches = touches_of_sphere(
      surface, rotate_back(pose.orientation, centre - pose.position), radius, margin);
  SurfacePoints points;
  for (int k = 0; k < touches.count; ++k) {
    const SurfaceTouch& touch = touches.touches[k];
    const Vec3 normal = rotate(pose.orientation, touch.normal);
    const double gap = touch.height - radius;
    points.points[points.count++] = {touch.feature, centre - (radius + gap / 2) * normal, -normal,
                                     gap};
  }
  return points;
}

/// Part with its motion.
struct MovingPart {
  Shape shape;
  Pose pose;
  Twist twist;
};

SurfacePoints sphere_on_surface_in_step(const MovingPart& sphere, const MovingPart& surface,
                                        double margin, double h) {
  const double radius = std::get<Sphere>(sphere.shape).radius;
  const Vec3& centre = sphere.pose.position;
  const SphereOnSurfaces found =
      scree::sphere_on_surface_in_step(surface.shape, surface.pose, surface.twist, centre, radius,
                                       sphere.twist.linear, {}, margin, h);
  SurfacePoints points;
  for (int k = 0; k < found.count; ++k) {
    const SeparatingPlane& plane = found.points[k].plane;
    points.points[points.count++] = {found.points[k].feature,
                                     centre - (radius + plane.remaining_gap / 2) * plane.normal,
                                     -plane.normal, plane.remaining_gap};
  }
  return points;
}

SurfacePoints flipped(SurfacePoints points) {
  for (int k = 0; k < points.count; ++k) points.points[k].normal = -points.points[k].normal;
  return points;
}

/// True if the points of the start serve for the step: one touches, or none closes.
template <class Points>
bool are_of_step(const Points& start, const Pose& a, const Twist& twist_a, const Pose& b,
                 const Twist& twist_b, double h, double touch) {
  const auto begin = start.points.begin(), end = begin + start.count;
  const auto closes = [&](const ContactPoint& p) {
    const Vec3 u = velocity_at(b, twist_b, p.point) - velocity_at(a, twist_a, p.point);
    return p.gap + h * dot(u, p.normal) < 0;
  };
  return std::any_of(begin, end, [&](const auto& p) { return p.gap <= touch; }) ||
         std::none_of(begin, end, closes);
}

/// Adds the points of two shapes for a step, by the functions for points at its start and in it.
template <class Points>
void add_points_in_step(ClumpCollector& collector, const PlacedPart& of_a, const PlacedPart& of_b,
                        const MovingPart& a, const MovingPart& b, double margin, double h,
                        const SeamTest& test, const Points& start, auto in_step) {
  if constexpr (std::is_same_v<Points, Manifold>)
    if (const auto points = internal_edge_manifold(a.shape, a.pose, a.twist, b.shape, b.pose,
                                                   b.twist, start, margin, h, test))
      return collector.add(*points, of_a.index, of_b.index, false);
  if (are_of_step(start, a.pose, a.twist, b.pose, b.twist, h, test.level))
    collector.add(start, of_a.index, of_b.index, true);
  else
    collector.add(in_step(a.shape, a.pose, a.twist, b.shape, b.pose, b.twist, margin, h),
                  of_a.index, of_b.index, false);
}

ClumpPoints points_at_start(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            double margin, Purpose purpose) {
  const PlacedParts parts_a(a, pose_a), parts_b(b, pose_b);
  ClumpCollector collector(parts_a, parts_b, margin, purpose);
  for_each_near(parts_a, parts_b, margin, [&](const PlacedPart& of_a, const PlacedPart& of_b) {
    const Shape shape_a = parts_a.shape(of_a), shape_b = parts_b.shape(of_b);
    const Pose at_a = parts_a.pose(of_a), at_b = parts_b.pose(of_b);
    const auto add = [&](const auto& points) {
      collector.add(points, of_a.index, of_b.index, true);
    };
    if (parts_b.is_surface())
      add(parts_a.is_sphere(of_a.index)
              ? sphere_on_surface(shape_a, of_a.position, shape_b, at_b, margin)
              : points_on_surface(shape_a, at_a, shape_b, at_b, margin));
    else if (parts_a.is_surface())
      add(flipped(parts_b.is_sphere(of_b.index)
                      ? sphere_on_surface(shape_b, of_b.position, shape_a, at_a, margin)
                      : points_on_surface(shape_b, at_b, shape_a, at_a, margin)));
    else
      add(contact_points(shape_a, at_a, shape_b, at_b, margin));
  });
  return collector.finish();
}

}  // namespace

std::uint32_t feature_on_surface(std::uint32_t part, std::uint32_t of_part,
                                 std::uint32_t of_surface) {
  return static_cast<std::uint32_t>(mixed(std::uint64_t{part} << 32 | of_surface) >> 45) << 12 |
         static_cast<std::uint32_t>(mixed(std::uint64_t{part} << 12 | of_part) >> 52);
}

SurfacePoints points_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b, double margin) {
  return points_at_start(a, pose_a, b, pose_b, margin, Purpose::impulses);
}

ClumpPoints overlaps_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b) {
  return points_at_start(a, pose_a, b, pose_b, 0, Purpose::springs);
}

SurfacePoints points_of_clump_in_step(const Shape& a, const Pose& pose_a, const Twist& twist_a,
                                      const Shape& b, const Pose& pose_b, const Twist& twist_b,
                                      double margin, double h, const SeamTest& test) {
  const PlacedParts parts_a(a, pose_a), parts_b(b, pose_b);
  ClumpCollector collector(parts_a, parts_b, margin);
  for_each_near(parts_a, parts_b, margin, [&](const PlacedPart& of_a, const PlacedPart& of_b) {
    if (parts_a.is_sphere(of_a.index) && parts_b.is_sphere(of_b.index)) {
      // Fast path without copies of shapes: most spheres do not pass.
      const Pose at_a{of_a.position, {}}, at_b{of_b.position, {}};
      const Manifold start =
          sphere_points(parts_a.sphere(of_a), at_a, parts_b.sphere(of_b), at_b, margin);
      if (start.count == 0) return;
      if (are_of_step(start, at_a, parts_a.twist(of_a, twist_a), at_b, parts_b.twist(of_b, twist_b),
                      h, test.level)) {
        collector.add(start, of_a.index, of_b.index, true);
        return;
      }
    }
    const MovingPart part_a{parts_a.shape(of_a), parts_a.pose(of_a), parts_a.twist(of_a, twist_a)};
    const MovingPart part_b{parts_b.shape(of_b), parts_b.pose(of_b), parts_b.twist(of_b, twist_b)};
    if (!parts_b.is_surface())
      add_points_in_step(
          collector, of_a, of_b, part_a, part_b, margin, h, test,
          contact_points(part_a.shape, part_a.pose, part_b.shape, part_b.pose, margin),
          contact_points_in_step);
    else if (parts_a.is_sphere(of_a.index))
      collector.add(sphere_on_surface_in_step(part_a, part_b, margin, h), of_a.index, of_b.index,
                    false);
    else
      add_points_in_step(
          collector, of_a, of_b, part_a, part_b, margin, h, test,
          points_on_surface(part_a.shape, part_a.pose, part_b.shape, part_b.pose, margin),
          points_on_surface_in_step);
  });
  return collector.finish();
}

SurfaceDistance separation_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b) {
  const PlacedParts parts_a(a, pose_a), parts_b(b, pose_b);
  SurfaceDistance nearest{std::numeric_limits<double>::infinity(), {0, 0, 1}};
  for (std::uint32_t i = 0; i < parts_a.count(); ++i) {
    const PlacedPart of_a = parts_a.placed(i);
    const Shape shape = parts_a.shape(of_a);
    for (std::uint32_t j = 0; j < parts_b.count(); ++j) {
      const PlacedPart of_b = parts_b.placed(j);
      if (norm(of_b.position - of_a.position) - of_a.reach - of_b.reach > nearest.distance)
        continue;
      const SurfaceDistance apart =
          separation(shape, parts_a.pose(of_a), parts_b.shape(of_b), parts_b.pose(of_b));
      if (apart.distance < nearest.distance) nearest = apart;
    }
  }
  return nearest;
}

std::uint32_t max_points_of_clump(const Shape& a, const Shape& b) {
  constexpr std::uint32_t kPointsOfFlatParts = 4;
  struct Count {
    std::uint32_t round, other;
  };
  const auto count_of = [](const Shape& shape) -> Count {
    if (const auto* clump = std::get_if<Clump>(&shape)) {
      const std::uint32_t round = clump->parts->round_parts();
      return {round, static_cast<std::uint32_t>(clump->parts->parts().size()) - round};
    }
    const bool round =
        std::holds_alternative<Sphere>(shape) || std::holds_alternative<Superellipsoid>(shape);
    return {round ? 1U : 0U, round ? 0U : 1U};
  };
  const Count of_a = count_of(a), of_b = count_of(b);
  const std::uint32_t points = of_a.round * (of_b.round + of_b.other) + of_a.other * of_b.round +
                               kPointsOfFlatParts * of_a.other * of_b.other;
  return std::min<std::uint32_t>(points, kMaxOnSurface);
}

}  // namespace scree

/// Contact points of two rounded boxes.
///
/// Projected along the normal, the upper side of A and the lower side of B overlap in a convex
/// patch. On it the gap is a convex function, linear above each pair of faces. Corners of the patch
/// are vertices of one box over the other, and crossings of two edges. Vertices are searched over
/// all faces, edges on the face of each box most nearly orthogonal to the normal.
///
/// Radii are subtracted along the normal: the points of a capsule are those of spheres about its
/// axis. They lie inside it, and on its surface where the axis is orthogonal to the normal or ends.
#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/manifold_reduction.hpp"

namespace scree {
namespace {

/// Collects the points along one normal.
class BoxCollector {
 public:
  /// The gap of the axis [m] is a lower bound for all points.
  BoxCollector(const BoxPair& pair, const BoxPair::Axis& axis, double margin)
      : pair_(pair),
        n_(axis.normal),
        n_in_b_(pair.to_b(axis.normal)),
        least_(axis.separation - pair.radii()),
        margin_(margin),
        slack_(kSamePoint * pair.size()),
        candidates_(2 * slack_) {}

  Candidates& collect() {
    kernels::Overlay found;
    box_kernels().lay_over(
        pair_.boxes(),
        {n_, n_in_b_, dot(pair_.farthest_of_b(n_), n_), margin_ - least_, slack_,
         seen_vertices(pair_.a().half_extent, n_), seen_vertices(pair_.b().half_extent, -n_in_b_)},
        found);
    const Vec3& half_of_a = pair_.a().half_extent;
    for_each_vertex(found.of_a, [&](int v) {
      add_above(vertex_feature_of_a(v), vertex(half_of_a, v), found.height_of_a[v]);
    });
    for_each_vertex(found.of_b, [&](int v) {
      const double gap = gap_of(found.height_of_b[v]);
      add(vertex_feature_of_b(v), pair_.vertex_of_b(v) - (pair_.b().radius + 0.5 * gap) * n_, gap);
    });
    for (int k = 0; k < found.crossings; ++k) {
      const auto& [of_a, of_b, on_a, height] = found.crossing[k];
      add_above(
          edges_feature(edge_index(of_a.axis, of_a.vertex), edge_index(of_b.axis, of_b.vertex)),
          on_a, height);
    }
    return candidates_;
  }

  /// Adds the closest points, if rounding excluded them.
  void add_closest(const BoxPair::Closest& closest) {
    constexpr double kRounding = 1e-12;
    if (candidates_.min_gap() > least_ + kRounding * pair_.size())
      add(closest.feature,
          0.5 * (closest.on_a + closest.on_b + (pair_.a().radius - pair_.b().radius) * n_), least_);
  }
  void add_deepest_vertex() {
    add(vertex_feature_of_b(pair_.farthest_vertex_of_b(n_)),
        pair_.farthest_of_b(n_) - (pair_.b().radius + 0.5 * least_) * n_, least_);
  }

 private:
  void add(std::uint32_t feature, const Vec3& point, double gap) {
    if (gap < margin_) candidates_.add(feature, point, gap);
  }

  double gap_of(double height) const { return std::max(least_, height - pair_.radii()); }
  /// Adds a point of A's core that is `height` below that of B [m].
  void add_above(std::uint32_t feature, const Vec3& point, double height) {
    const double gap = gap_of(height);
    add(feature, point + (pair_.a().radius + 0.5 * gap) * n_, gap);
  }

  const BoxPair& pair_;
  const Vec3 n_, n_in_b_;
  const double least_, margin_, slack_;
  Candidates candidates_;
};

/// Points of two overlapping cores.
Manifold points_in_overlap(const BoxPair& pair, const BoxPair::Axes& axes, double margin) {
  const BoxPair::Axis axis = chosen_axis(axes, pair.min_half_extent());
  BoxCollector collector(pair, axis, margin);
  if (Candidates& found = collector.collect();
      shows_overlap(found.min_gap(), axes.any.separation - pair.radii(), pair.min_half_extent()))
    return found.reduced_manifold(axis.normal, margin);
  // The preferred face does not lie under the other box.
  BoxCollector exact(pair, axes.any, margin);
  Candidates& found = exact.collect();
  if (found.is_empty()) exact.add_deepest_vertex();
  return found.reduced_manifold(axes.any.normal, margin);
}

/// Points of two boxes that touch along edges; empty otherwise.
std::optional<Manifold> points_of_edges_that_touch(const BoxPair& pair, const BoxPair::Axes& axes,
                                                   double margin) {
  if (!(axes.any.separation < kTouching * pair.size())) return {};
  const auto n = normal_between_faces(axes, pair.size());
  if (!n) return {};
  const double separation = dot(*n, pair.farthest_of_b(*n) - pair.farthest_of_a(*n));
  if (!is_nearly_best(separation, axes.any.separation, pair.size())) return {};
  BoxCollector collector(pair, {*n, separation}, margin);
  const Candidates& found = collector.collect();
  const double close = axes.any.separation - pair.radii() + kTouching * pair.size();
  if (found.count_up_to(close) < 2) return {};
  return found.reduced_manifold(*n, margin);
}

Manifold points_apart(const BoxPair& pair, const BoxPair::Axis& best, double margin) {
  const BoxPair::Closest closest = pair.closest_points(best);
  if (closest.axis.separation - pair.radii() >= margin) return {};
  BoxCollector collector(pair, closest.axis, margin);
  Candidates& found = collector.collect();
  collector.add_closest(closest);
  return found.reduced_manifold(closest.axis.normal, margin);
}

}  // namespace

Manifold points_of_boxes(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b,
                         const Pose& pose_b, double margin) {
  BoxPair pair(a, pose_a, b, pose_b);
  const BoxPair::Axes axes = pair.best_axes(margin);
  if (axes.any.separation - pair.radii() >= margin) return {};
  auto points = points_of_edges_that_touch(pair, axes, margin);
  if (!points)
    points = axes.any.separation > 0 ? points_apart(pair, axes.any, margin)
                                     : points_in_overlap(pair, axes, margin);
  to_inertial_frame(*points, pose_a);
  return *points;
}

}  // namespace scree

/// The points of two rounded boxes.
///
/// Seen along the normal, the upper side of A and the lower side of B overlap in a convex patch, on
/// which the gap is a convex function, linear above each pair of faces. Its corners are where a
/// vertex of one lies over the other, and where two edges cross. Vertices are looked for on all
/// faces, edges on the face of each box that lies most nearly across the normal.
///
/// A radius is taken off along the normal: the points of a capsule are those of spheres about its
/// axis, which lie in it, and touch its surface where the axis is across the normal or ends.
#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/manifold_reduction.hpp"

namespace scree {
namespace {

/// Collects the points along one normal.
class Collector {
 public:
  /// `least` is the gap of the axis [m]; no point has less.
  Collector(const BoxPair& pair, const BoxPair::Axis& axis, double margin)
      : pair_(pair),
        n_(axis.normal),
        n_in_b_(pair.to_b(axis.normal)),
        least_(axis.separation - pair.radii()),
        margin_(margin),
        slack_(kSamePlace * pair.size()),
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

  /// The closest points, if rounding kept them out.
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
  /// Of a place in the core of A, so far below that of B [m].
  void add_above(std::uint32_t feature, const Vec3& place, double height) {
    const double gap = gap_of(height);
    add(feature, place + (pair_.a().radius + 0.5 * gap) * n_, gap);
  }

  const BoxPair& pair_;
  const Vec3 n_, n_in_b_;
  const double least_, margin_, slack_;
  Candidates candidates_;
};

/// Points of two cores that overlap.
Manifold points_in_overlap(const BoxPair& pair, const BoxPair::Axes& axes, double margin) {
  const BoxPair::Axis axis = chosen_axis(axes, pair.min_half_extent());
  Collector collector(pair, axis, margin);
  if (Candidates& found = collector.collect();
      shows_overlap(found.min_gap(), axes.any.separation - pair.radii(), pair.min_half_extent()))
    return found.reduced_manifold(axis.normal, margin);
  // The face that was preferred does not lie under the other box.
  Collector exact(pair, axes.any, margin);
  Candidates& found = exact.collect();
  if (found.is_empty()) exact.add_deepest_vertex();
  return found.reduced_manifold(axes.any.normal, margin);
}

/// Points of two boxes that touch along edges; none of others.
std::optional<Manifold> points_of_edges_that_touch(const BoxPair& pair, const BoxPair::Axes& axes,
                                                   double margin) {
  if (!(axes.any.separation < kTouching * pair.size())) return {};
  const auto n = normal_between_faces(axes, pair.size());
  if (!n) return {};
  const double separation = dot(*n, pair.farthest_of_b(*n) - pair.farthest_of_a(*n));
  if (!is_as_good(separation, axes.any.separation, pair.size())) return {};
  Collector collector(pair, {*n, separation}, margin);
  const Candidates& found = collector.collect();
  const double close = axes.any.separation - pair.radii() + kTouching * pair.size();
  if (found.count_up_to(close) < 2) return {};
  return found.reduced_manifold(*n, margin);
}

Manifold points_apart(const BoxPair& pair, const BoxPair::Axis& best, double margin) {
  const BoxPair::Closest closest = pair.closest_points(best);
  if (closest.axis.separation - pair.radii() >= margin) return {};
  Collector collector(pair, closest.axis, margin);
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
  place(*points, pose_a);
  return *points;
}

}  // namespace scree

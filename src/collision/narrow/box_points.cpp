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

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/box_sides.hpp"
#include "collision/narrow/candidates.hpp"

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
    vertices_of_a();
    vertices_of_b();
    edges();
    return candidates_;
  }

  /// The closest points, if rounding kept them out.
  void add_closest(const BoxPair::Closest& closest) {
    constexpr double kRounding = 1e-12;
    if (candidates_.least_gap() > least_ + kRounding * pair_.size())
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

  void vertices_of_a() {
    const Vec3& half_extent = pair_.a().half_extent;
    const double farthest = dot(pair_.farthest_of_a(n_), n_);
    const HeightAboveBox height_above(pair_.b().half_extent, -n_in_b_, slack_);
    for_each_vertex(seen_vertices(half_extent, n_), [&](int v) {
      const Vec3 p = vertex(half_extent, v);
      double height;
      if (farthest - dot(p, n_) >= margin_ - least_ ||
          !height_above(pair_.to_b(p - pair_.centre_of_b()), height))
        return;
      const double gap = std::max(least_, height - pair_.radii());
      add(vertex_feature_of_a(v), p + (pair_.a().radius + 0.5 * gap) * n_, gap);
    });
  }

  void vertices_of_b() {
    const Vec3& half_extent = pair_.b().half_extent;
    const double farthest = dot(pair_.farthest_of_b(n_), n_);
    const HeightAboveBox height_above(pair_.a().half_extent, n_, slack_);
    for_each_vertex(seen_vertices(half_extent, -n_in_b_), [&](int v) {
      const Vec3 p = pair_.centre_of_b() + pair_.from_b(vertex(half_extent, v));
      double height;
      if (dot(p, n_) - farthest >= margin_ - least_ || !height_above(p, height)) return;
      const double gap = std::max(least_, height - pair_.radii());
      add(vertex_feature_of_b(v), p - (pair_.b().radius + 0.5 * gap) * n_, gap);
    });
  }

  void edges() {
    const FaceEdges of_a(pair_.a().half_extent, n_, margin_ - least_);
    const FaceEdges of_b(pair_.b().half_extent, -n_in_b_, margin_ - least_);
    std::array<Vec3, 4> middle_of_b;
    for (int l = 0; l < of_b.size(); ++l)
      middle_of_b[l] = pair_.centre_of_b() + pair_.from_b(of_b[l].middle);
    for (int k = 0; k < of_a.size(); ++k)
      for (int l = 0; l < of_b.size(); ++l) crossing(of_a[k], of_b[l], middle_of_b[l]);
  }

  void crossing(const BoxEdge& of_a, const BoxEdge& of_b, const Vec3& middle_of_b) {
    constexpr double kParallel = 1e-6;  // their ends are vertices over the other
    // n · (v × e), e the axis of A's edge
    const int i = of_a.axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const auto n_dot_cross_e = [&](const Vec3& v) { return n_[i1] * v[i2] - n_[i2] * v[i1]; };
    const Vec3& f = pair_.axis_of_b(of_b.axis);
    const double sine = -n_dot_cross_e(f);
    if (std::abs(sine) < kParallel) return;
    // a + s e + height n = b + t f
    const Vec3 r = middle_of_b - of_a.middle;
    const double t = n_dot_cross_e(r) / sine;
    if (std::abs(t) > pair_.b().half_extent[of_b.axis]) return;
    const double s = dot(n_, cross(r, f)) / sine;
    if (std::abs(s) > pair_.a().half_extent[i]) return;
    Vec3 e;
    e[i] = 1;
    const Vec3 on_a = of_a.middle + s * e;
    const double gap = std::max(least_, dot(n_, r + t * f - s * e) - pair_.radii());
    add(edges_feature(of_a.index, of_b.index), on_a + (pair_.a().radius + 0.5 * gap) * n_, gap);
  }

  const BoxPair& pair_;
  const Vec3 n_, n_in_b_;
  const double least_, margin_, slack_;
  Candidates candidates_;
};

/// Points of two cores that overlap.
Manifold points_in_overlap(const BoxPair& pair, const BoxPair::Axes& axes, double margin) {
  const BoxPair::Axis axis = chosen_axis(axes, pair.least_half_extent());
  Collector collector(pair, axis, margin);
  if (Candidates& found = collector.collect(); shows_overlap(
          found.least_gap(), axes.any.separation - pair.radii(), pair.least_half_extent()))
    return found.well_spread(axis.normal, margin);
  // The face that was preferred does not lie under the other box.
  Collector exact(pair, axes.any, margin);
  Candidates& found = exact.collect();
  if (found.is_empty()) exact.add_deepest_vertex();
  return found.well_spread(axes.any.normal, margin);
}

Manifold points_apart(const BoxPair& pair, const BoxPair::Axis& best, double margin) {
  const BoxPair::Closest closest = pair.closest_points(best);
  if (closest.axis.separation - pair.radii() >= margin) return {};
  Collector collector(pair, closest.axis, margin);
  Candidates& found = collector.collect();
  collector.add_closest(closest);
  return found.well_spread(closest.axis.normal, margin);
}

}  // namespace

Manifold points_of_boxes(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b,
                         const Pose& pose_b, double margin) {
  BoxPair pair(a, pose_a, b, pose_b);
  const BoxPair::Axes axes = pair.best_axes(margin);
  if (axes.any.separation - pair.radii() >= margin) return {};
  Manifold points = axes.any.separation > 0 ? points_apart(pair, axes.any, margin)
                                            : points_in_overlap(pair, axes, margin);
  place(points, pose_a);
  return points;
}

}  // namespace scree

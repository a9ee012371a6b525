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
#include <limits>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/candidates.hpp"

namespace scree {
namespace {

/// A corner this close to another, or to the face it should lie over, is there: of the size of
/// the smaller box [-].
constexpr double kSamePlace = 1e-5;

int most_across(const Vec3& n) {
  const int k = std::abs(n.y) > std::abs(n.x) ? 1 : 0;
  return std::abs(n.z) > std::abs(n[k]) ? 2 : k;
}

/// How far along n the point p lies above the core of a box, both in its axes; false if beside it.
bool height_above(const Vec3& half_extent, const Vec3& p, const Vec3& n, double slack,
                  double& height) {
  constexpr double kUpright = 0.1;  // cosine of a face that is seen too nearly edge-on [-]
  const int first = most_across(n);
  for (int turn = 0; turn < 3; ++turn) {
    const int k = (first + turn) % 3;
    if (std::abs(n[k]) < kUpright) continue;
    const double t = ((n[k] > 0 ? p[k] : -p[k]) - half_extent[k]) / std::abs(n[k]);
    const auto is_within = [&](int l) {
      return std::abs(p[l] - t * n[l]) <= half_extent[l] + slack;
    };
    if (!is_within((k + 1) % 3) || !is_within((k + 2) % 3)) continue;
    height = t;
    return true;
  }
  return false;
}

struct Edge {
  int index, axis;
  Vec3 middle;
};
/// Edges of the face most nearly across n that come within `depth` of the farthest vertex along n.
struct Edges {
  std::array<Edge, 4> items;
  int count = 0;

  Edges(const Vec3& half_extent, const Vec3& n, double depth) {
    const int across = most_across(n);
    const double farthest = std::abs(half_extent.x * n.x) + std::abs(half_extent.y * n.y) +
                            std::abs(half_extent.z * n.z);
    for (const int k : {(across + 1) % 3, (across + 2) % 3}) {
      const int beside = 3 - across - k;
      if (half_extent[k] == 0) continue;
      for (int side = 0; side < (half_extent[beside] > 0 ? 2 : 1); ++side) {
        const int v = (n[across] > 0 && half_extent[across] > 0 ? 1 << across : 0) | side << beside;
        Vec3 middle = vertex(half_extent, v);
        middle[k] = 0;
        if (farthest - dot(middle, n) - half_extent[k] * std::abs(n[k]) < depth)
          items[count++] = {edge_index(k, v), k, middle};
      }
    }
  }
};

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
    for (int v = 0; v < 8; ++v) {
      const Vec3 p = vertex(half_extent, v);
      if (!is_distinct_vertex(half_extent, v) || farthest - dot(p, n_) >= margin_ - least_)
        continue;
      double height;
      if (!height_above(pair_.b().half_extent, pair_.to_b(p - pair_.centre_of_b()), -n_in_b_,
                        slack_, height))
        continue;
      const double gap = std::max(least_, height - pair_.radii());
      add(vertex_feature_of_a(v), p + (pair_.a().radius + 0.5 * gap) * n_, gap);
    }
  }

  void vertices_of_b() {
    const Vec3& half_extent = pair_.b().half_extent;
    const double farthest = dot(pair_.farthest_of_b(n_), n_);
    for (int v = 0; v < 8; ++v) {
      const Vec3 p = pair_.centre_of_b() + pair_.from_b(vertex(half_extent, v));
      if (!is_distinct_vertex(half_extent, v) || dot(p, n_) - farthest >= margin_ - least_)
        continue;
      double height;
      if (!height_above(pair_.a().half_extent, p, n_, slack_, height)) continue;
      const double gap = std::max(least_, height - pair_.radii());
      add(vertex_feature_of_b(v), p - (pair_.b().radius + 0.5 * gap) * n_, gap);
    }
  }

  void edges() {
    const Edges of_a(pair_.a().half_extent, n_, margin_ - least_);
    const Edges of_b(pair_.b().half_extent, -n_in_b_, margin_ - least_);
    for (int k = 0; k < of_a.count; ++k)
      for (int l = 0; l < of_b.count; ++l) crossing(of_a.items[k], of_b.items[l]);
  }

  void crossing(const Edge& of_a, const Edge& of_b) {
    constexpr double kParallel = 1e-6;  // their ends are vertices over the other
    Vec3 e;
    e[of_a.axis] = 1;
    const Vec3& f = pair_.axis_of_b(of_b.axis);
    const double sine = dot(n_, cross(e, f));
    if (std::abs(sine) < kParallel) return;
    // a + s e + height n = b + t f
    const Vec3 r = pair_.centre_of_b() + pair_.from_b(of_b.middle) - of_a.middle;
    const double s = dot(n_, cross(r, f)) / sine, t = dot(n_, cross(r, e)) / sine;
    if (std::abs(s) > pair_.a().half_extent[of_a.axis] ||
        std::abs(t) > pair_.b().half_extent[of_b.axis])
      return;
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
  // A face where an edge is hardly better, so that the choice does not change with rounding.
  constexpr double kRelative = 1.05, kAbsolute = 1e-3;
  const bool takes_face = axes.face.separation > -std::numeric_limits<double>::infinity() &&
                          axes.face.separation >= kRelative * axes.any.separation -
                                                      kAbsolute * pair.least_half_extent();
  const BoxPair::Axis& axis = takes_face ? axes.face : axes.any;
  Collector collector(pair, axis, margin);
  if (Candidates& found = collector.collect(); !found.is_empty())
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
  const BoxPair pair(a, pose_a, b, pose_b);
  const BoxPair::Axes axes = pair.best_axes();
  if (axes.any.separation - pair.radii() >= margin) return {};
  Manifold manifold = axes.any.separation > 0 ? points_apart(pair, axes.any, margin)
                                              : points_in_overlap(pair, axes, margin);
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& c = manifold.points[k];
    c.point = pose_a.position + rotate(pose_a.orientation, c.point);
    c.normal = rotate(pose_a.orientation, c.normal);
  }
  return manifold;
}

}  // namespace scree

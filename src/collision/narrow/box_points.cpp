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
#include <array>
#include <bit>
#include <cmath>

#include "collision/narrow/box_lanes.hpp"
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
    const VertexSet near = vertices_where([&](int c) {
      return farthest - dot<2>(two_vertices(half_extent, c), both(n_)) < margin_ - least_;
    });
    for_each_over(
        near & seen_vertices(half_extent, n_),
        [&](int v, int w, Two& height) {
          const TwoVectors p = both(vertex(half_extent, v), vertex(half_extent, w));
          return height_above(pair_.to_b(p - both(pair_.centre_of_b())), height);
        },
        [&](int v, double height) {
          const double gap = std::max(least_, height - pair_.radii());
          add(vertex_feature_of_a(v), vertex(half_extent, v) + (pair_.a().radius + 0.5 * gap) * n_,
              gap);
        });
  }

  void vertices_of_b() {
    const Vec3& half_extent = pair_.b().half_extent;
    const double farthest = dot(pair_.farthest_of_b(n_), n_);
    const HeightAboveBox height_above(pair_.a().half_extent, n_, slack_);
    std::array<TwoVectors, 4> places;
    const VertexSet near = vertices_where([&](int c) {
      places[c] = both(pair_.centre_of_b()) + pair_.from_b(two_vertices(half_extent, c));
      return dot<2>(places[c], both(n_)) - farthest < margin_ - least_;
    });
    const auto place = [&](int v) { return lane_of<2>(places[v / 2], v % 2); };
    for_each_over(
        near & seen_vertices(half_extent, -n_in_b_),
        [&](int v, int w, Two& height) { return height_above(both(place(v), place(w)), height); },
        [&](int v, double height) {
          const double gap = std::max(least_, height - pair_.radii());
          add(vertex_feature_of_b(v), place(v) - (pair_.b().radius + 0.5 * gap) * n_, gap);
        });
  }

  /// Edges of B, by their axes and middles in A's axes.
  struct TwoEdges {
    std::array<Two, 3> along, middle;
    Two half_length;
  };
  void edges() {
    const FaceEdges of_a(pair_.a().half_extent, n_, margin_ - least_);
    const FaceEdges of_b(pair_.b().half_extent, -n_in_b_, margin_ - least_);
    const std::array<double, 3> half_of_b{pair_.b().half_extent.x, pair_.b().half_extent.y,
                                          pair_.b().half_extent.z};
    std::array<TwoEdges, 2> twos{};
    for (int l = 0; l < of_b.size(); ++l) {
      TwoEdges& two = twos[l / 2];
      const Vec3 &f = pair_.axis_of_b(of_b[l].axis),
                 middle = pair_.centre_of_b() + pair_.from_b(of_b[l].middle);
      for (int i = 0; i < 3; ++i) {
        two.along[i][l % 2] = f[i];
        two.middle[i][l % 2] = middle[i];
      }
      two.half_length[l % 2] = half_of_b[of_b[l].axis];
    }
    for (int k = 0; k < of_a.size(); ++k)
      for (int c = 0; 2 * c < of_b.size(); ++c) crossings(of_a[k], of_b, c, twos[c]);
  }

  /// Of an edge of A with edges 2c and 2c + 1 of B.
  void crossings(const BoxEdge& of_a, const FaceEdges& of_b, int c, const TwoEdges& b) {
    constexpr double kParallel = 1e-6;  // their ends are vertices over the other
    const int i = of_a.axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const std::array<double, 3> n{n_.x, n_.y, n_.z},
        half_of_a{pair_.a().half_extent.x, pair_.a().half_extent.y, pair_.a().half_extent.z};
    // n · (v × e), e the axis of A's edge
    const auto n_dot_cross_e = [&](const std::array<Two, 3>& v) {
      return n[i1] * v[i2] - n[i2] * v[i1];
    };
    const Two sine = -n_dot_cross_e(b.along);
    // a + s e + height n = b + t f
    const std::array<Two, 3> r{b.middle[0] - of_a.middle.x, b.middle[1] - of_a.middle.y,
                               b.middle[2] - of_a.middle.z};
    const TwoVectors along{b.along[0], b.along[1], b.along[2]}, way{r[0], r[1], r[2]};
    const Two t = n_dot_cross_e(r) / sine, s = dot<2>(both(n_), cross<2>(way, along)) / sine;
    std::uint32_t meet = bits((absolute(sine) >= kParallel) & (absolute(t) <= b.half_length) &
                              (absolute(s) <= half_of_a[i]));
    for (; meet != 0; meet &= meet - 1) {
      const int lane = std::countr_zero(meet);
      if (2 * c + lane == of_b.size()) break;
      Vec3 e;
      e[i] = 1;
      const Vec3 on_a = of_a.middle + s[lane] * e;
      const double height =
          dot(n_, lane_of<2>(way, lane) + t[lane] * lane_of<2>(along, lane) - s[lane] * e);
      const double gap = std::max(least_, height - pair_.radii());
      add(edges_feature(of_a.index, of_b[2 * c + lane].index),
          on_a + (pair_.a().radius + 0.5 * gap) * n_, gap);
    }
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

/// Contact points of two convex shapes of any kind.
///
/// The shortest displacement between the cores gives the normal. Projected along it, the two
/// support features (faces, edges or points) overlap in a convex patch. Its corners are corners of
/// one over the other, and crossings of two edges.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/convex_core.hpp"
#include "collision/narrow/hull_separation.hpp"
#include "collision/narrow/kernels/hulls.hpp"
#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/pairs.hpp"
#include "collision/narrow/refine_distance.hpp"
#include "scree/core/infinity.hpp"
#include "scree/core/unset_array.hpp"

namespace scree {
namespace {

constexpr double kConvexRounding = 1e-13;  // fraction of sizes
constexpr std::uint32_t kOfB = 1U << 16, kClosest = 1U << 17, kCrossing = 1U << 31;

/// Key of a crossing of two edges, from their ends. Two crossings of a pair rarely share one.
std::uint32_t crossing_feature(std::uint32_t a0, std::uint32_t a1, std::uint32_t b0,
                               std::uint32_t b1) {
  std::uint64_t key = std::uint64_t{std::min(a0, a1)} << 48 |
                      std::uint64_t{std::max(a0, a1)} << 32 |
                      std::uint64_t{std::min(b0, b1)} << 16 | std::max(b0, b1);
  key = (key ^ key >> 32) * 0x9e3779b97f4a7c15U;
  key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9U;
  return kCrossing | static_cast<std::uint32_t>(key >> 33);
}

static_assert(SupportFeature::kMax == kernels::SeenFeature::kMax);

/// Support feature viewed along n: above or below every point of a plane orthogonal to n.
class Patch {
 public:
  Patch(const SupportFeature& feature, const Vec3& n, double slack)
      : feature_(feature), n_(n), m_(feature.normal), slack2_(slack * slack) {
    if (feature.count == 1) m_ = n;
    if (feature.count == 2) {  // plane through the edge, most nearly orthogonal to n
      const Vec3 unit = edge(0) / norm(edge(0));
      m_ = n - dot(n, unit) * unit;
      m_ = m_ / norm(m_);
    }
    upright_ = dot(m_, n);
  }

  const Vec3& corner(int k) const { return feature_.corner[k]; }
  Vec3 edge(int k) const { return corner(next(k)) - corner(k); }  ///< to the next corner [m]
  std::uint32_t feature(int k) const { return feature_.feature[k]; }
  std::uint32_t next_feature(int k) const { return feature_.feature[next(k)]; }
  kernels::SeenFeature seen() const {
    return {{feature_.corner.data(), static_cast<std::size_t>(feature_.count)},
            feature_.count > 2 ? feature_.count : feature_.count - 1,
            upright_ > 0 ? 1.0 : -1.0};
  }

  /// Set of corners of another feature that lie over or under this one; bit k is corner k. `inside`
  /// are those on the inner side of all its edges.
  std::uint64_t covered(const SupportFeature& other, std::uint64_t inside) const {
    constexpr double kUpright = 0.1;  // cosine of a face that is nearly edge-on [-]
    if (std::abs(upright_) < kUpright) return 0;
    if (feature_.count > 2) return inside;
    std::uint64_t near = 0;
    for (int k = 0; k < other.count; ++k) near |= std::uint64_t{is_near(other.corner[k])} << k;
    return near;
  }
  /// Height along n above p, which it covers [m].
  double height_from(const Vec3& p) const { return dot(feature_.corner[0] - p, m_) / upright_; }

 private:
  int next(int k) const { return k + 1 < feature_.count ? k + 1 : 0; }
  /// True if p lies within the slack of a point or an edge.
  bool is_near(const Vec3& p) const {
    Vec3 displacement = p - feature_.corner[0];
    displacement -= dot(displacement, n_) * n_;
    if (feature_.count == 2) {
      Vec3 along = edge(0);
      along -= dot(along, n_) * n_;
      const double length2 = squared_norm(along);
      if (length2 > 0)
        displacement -= std::clamp(dot(displacement, along) / length2, 0.0, 1.0) * along;
    }
    return squared_norm(displacement) <= slack2_;
  }

  const SupportFeature& feature_;
  Vec3 n_, m_;
  double slack2_, upright_;
};

class ConvexPair {
 public:
  ConvexPair(const ConvexCore& a, const ConvexCore& b) : a_(a), b_(b) {}

  /// Points along n; no gap is less than `least` [m].
  Candidates points(const Vec3& n, double least, double margin) const {
    const double slack = kSamePoint * size();
    const SupportFeature feature_a = a_.facing(n), feature_b = b_.facing(-n);
    const Patch on_a(feature_a, n, slack), on_b(feature_b, n, slack);
    Candidates found(2 * slack);
    const auto add = [&](std::uint32_t feature, const Vec3& core_of_a, double height) {
      const double gap = std::max(least, height - radii());
      if (gap < margin) found.add(feature, core_of_a + (a_.radius() + 0.5 * gap) * n, gap);
    };
    kernels::FeatureOverlay overlay;
    hull_kernels().lay_over(on_a.seen(), on_b.seen(), n, slack, overlay);
    for_each_bit(on_b.covered(feature_a, overlay.of_a), [&](int k) {
      add(on_a.feature(k), on_a.corner(k), on_b.height_from(on_a.corner(k)));
    });
    for_each_bit(on_a.covered(feature_b, overlay.of_b), [&](int k) {
      const double below = on_a.height_from(on_b.corner(k));
      add(kOfB + on_b.feature(k), on_b.corner(k) + below * n, -below);
    });
    for_each_bit(overlay.crossings, [&](int bit) {
      const int k = bit / SupportFeature::kMax, l = bit % SupportFeature::kMax;
      const Vec3 e = on_a.edge(k), f = on_b.edge(l), r = on_b.corner(l) - on_a.corner(k);
      const double sine = dot(n, cross(e, f));
      const double s = dot(n, cross(r, f)) / sine, t = dot(n, cross(r, e)) / sine;
      add(crossing_feature(on_a.feature(k), on_a.next_feature(k), on_b.feature(l),
                           on_b.next_feature(l)),
          on_a.corner(k) + s * e, dot(n, r + t * f - s * e));
    });
    return found;
  }

  /// Best axes: n itself, and the normals of flat sides that the shapes turn to n and against it.
  BoxPair::Axes across_flat_sides(const Vec3& n, double distance) const {
    BoxPair::Axes axes{{n, distance}, {{}, -kInfinity}};
    const SupportFeature of_a = a_.facing(n), of_b = b_.facing(-n);
    if (of_a.count > 2) axes.face = {of_a.normal, separation(of_a.normal)};
    if (of_b.count > 2) axes.other_face = {-of_b.normal, separation(-of_b.normal)};
    if (axes.other_face.separation > axes.face.separation) std::swap(axes.face, axes.other_face);
    return axes;
  }
  double separation(const Vec3& n) const { return dot(n, b_.support(-n) - a_.support(n)); }

  double size() const { return std::min(a_.size() + a_.radius(), b_.size() + b_.radius()); }
  double radii() const { return a_.radius() + b_.radius(); }

 private:
  const ConvexCore &a_, &b_;
};

/// Point midway between the closest points of the cores. The ends of the displacement are unique
/// where surfaces are round. Over straight and flat features they may be any of their points, so a
/// point that both bodies share is searched: the known one, else the support point of either, else
/// by alternating projection.
Vec3 midpoint_of_closest(const ConvexCore& a, const ConvexCore& b, const CoreDistance& best) {
  const Vec3 known = 0.5 * (best.on_a + best.on_b);
  if (a.is_round() || b.is_round()) return known;
  const Vec3 half_way = 0.5 * best.distance * best.normal;
  const double close = 0.5 * std::abs(best.distance) + kSamePoint * std::min(a.size(), b.size());
  const auto farther = [&](const Vec3& p) {
    const SurfaceDistance of_a = a.distance_of(p), of_b = b.distance_of(p);
    return of_a.distance > of_b.distance ? of_a : of_b;
  };
  Vec3 point = known;
  double least = kInfinity;
  for (const Vec3& p :
       {known, a.support(best.normal) + half_way, b.support(-best.normal) - half_way})
    if (const double excess = farther(p).distance; excess < least && least > close) {
      least = excess;
      point = p;
    }
  constexpr int kMaxProjections = 50;
  for (int k = 0; k < kMaxProjections && least > close; ++k) {
    const SurfaceDistance excess = farther(point);
    least = excess.distance;
    if (least > close) point -= (least - 0.5 * std::abs(best.distance)) * excess.normal;
  }
  return point;
}

/// Points of two shapes that touch along edges; empty otherwise.
std::optional<Manifold> points_of_edges_that_touch(const ConvexPair& pair,
                                                   const BoxPair::Axes& axes, double margin) {
  const auto n = normal_between_faces(axes, pair.size());
  if (!n) return {};
  const double separation = pair.separation(*n);
  if (!is_nearly_best(separation, axes.any.separation, pair.size())) return {};
  const Candidates found = pair.points(*n, separation - pair.radii(), margin);
  const double close = axes.any.separation - pair.radii() + kTouching * pair.size();
  if (found.count_up_to(close) < 2) return {};
  return found.reduced_manifold(*n, margin);
}

/// Points of two cores, in the axes of the caller.
Manifold points_of_cores(const ConvexCore& a, const ConvexCore& b, double margin) {
  const ConvexPair pair(a, b);
  const auto hulls = separation_of_hulls(a, b, margin);
  const CoreDistance best =
      hulls && hulls->is_distance ? hulls->any : refine_distance(a, b, margin + pair.radii());
  double gap = best.distance - pair.radii();
  if (gap >= margin) return {};
  const Vec3 normal = best.normal;
  if (best.distance < kTouching * pair.size()) {
    const BoxPair::Axes axes =
        hulls ? BoxPair::Axes{{normal, best.distance}, hulls->face, hulls->other_face}
              : pair.across_flat_sides(normal, best.distance);
    if (const auto points = points_of_edges_that_touch(pair, axes, margin)) return *points;
    if (best.distance <= 0) {
      const BoxPair::Axis axis = chosen_axis(axes, pair.size());
      const Candidates found = pair.points(axis.normal, axis.separation - pair.radii(), margin);
      if (shows_overlap(found.min_gap(), gap, pair.size()))
        return found.reduced_manifold(axis.normal, margin);
    }
  }
  Candidates found = pair.points(normal, gap, margin);
  if (found.min_gap() > gap + kConvexRounding * pair.size())
    found.add(kClosest, midpoint_of_closest(a, b, best) + 0.5 * (a.radius() - b.radius()) * normal,
              gap);
  return found.reduced_manifold(normal, margin);
}

}  // namespace

Candidates points_along(const ConvexCore& a, const ConvexCore& b, const Vec3& n, double least,
                        double margin) {
  return ConvexPair(a, b).points(n, least, margin);
}

SurfaceDistance separation_of_convex(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b) {
  const ConvexCore core_a(a, {}), core_b(b, seen_from(pose_a, pose_b));
  const auto hulls = separation_of_hulls(core_a, core_b, kInfinity);
  const CoreDistance found =
      hulls && hulls->is_distance ? hulls->any : refine_distance(core_a, core_b, kInfinity);
  return {found.distance - core_a.radius() - core_b.radius(),
          rotate(pose_a.orientation, found.normal)};
}

Manifold points_of_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          double margin) {
  Manifold points =
      points_of_cores(ConvexCore(a, {}), ConvexCore(b, seen_from(pose_a, pose_b)), margin);
  to_inertial_frame(points, pose_a);
  return points;
}

Manifold half_space_points(const Pose& pose_a, const ConvexCore& b, double margin) {
  const Vec3 normal = rotate(pose_a.orientation, {0, 0, 1});
  const double offset = dot(normal, pose_a.position);
  Candidates found(0);
  const auto add = [&](std::uint32_t feature, const Vec3& point) {
    const double gap = dot(normal, point) - offset - b.radius();
    if (gap < margin) found.add(feature, point - (b.radius() + 0.5 * gap) * normal, gap);
  };
  const SupportFeature feature = b.facing(-normal);
  for (int k = 0; k < feature.count; ++k) add(feature.feature[k], feature.corner[k]);
  const Vec3 deepest = b.support(-normal);
  if (feature.count != 1 &&
      found.min_gap() > dot(normal, deepest) - offset - b.radius() + kConvexRounding * b.size())
    add(kClosest, deepest);
  return found.reduced_manifold(normal, margin);
}

}  // namespace scree

/// Points of a box or a capsule and a cylinder, in the axes of the box.
///
/// The maximum separation over all directions is the distance, or minus the depth of an overlap. It
/// is attained along one of these: a face's normal; the cylinder's axis; orthogonal to an edge and
/// the axis; from a vertex to the axis or to a rim; or orthogonal to an edge where the separation
/// is stationary, which means from an edge to a rim.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/box_sides.hpp"
#include "collision/narrow/cylinder_sides.hpp"
#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/pairs.hpp"
#include "math/false_position.hpp"
#include "scree/core/infinity.hpp"

namespace scree {
namespace {

using Axis = BoxPair::Axis;

class BoxAndCylinder {
 public:
  BoxAndCylinder(const RoundedBox& a, const Pose& pose_a, const Cylinder& b, const Pose& pose_b)
      : box_(a),
        cylinder_(b, rotate_back(pose_a.orientation, pose_b.position - pose_a.position),
                  conjugate(pose_a.orientation) * pose_b.orientation) {
    const Vec3& h = a.half_extent;
    size_ = std::min(std::max({h.x, h.y, h.z}) + a.radius, std::max(b.radius, b.half_length));
    thinnest_ = std::min({size_, b.radius, b.half_length});
    for (int k = 0; k < 3; ++k)
      if (h[k] > 0) thinnest_ = std::min(thinnest_, h[k]);
  }

  /// Best among the normals of flat faces, and among all directions. The search stops if one
  /// reaches `enough` [m].
  BoxPair::Axes best_axes(double enough) const;

  /// Points along n with a gap below the margin; none has a smaller gap than the axis [m].
  Candidates points(const Axis& axis, double margin) const;

  /// Fallback if rounding has excluded every point.
  void add_highest_vertex(const Axis& axis, double margin, Candidates& found) const {
    const Vec3& n = axis.normal;
    const int v = (n.x > 0) | (n.y > 0) << 1 | (n.z > 0) << 2;
    add(v, vertex(box_.half_extent, v), axis.separation, axis, margin, found);
  }
  double thinnest() const { return thinnest_; }

 private:
  double separation(const Vec3& n) const {
    const Vec3& h = box_.half_extent;
    return cylinder_.lowest(n) - h.x * std::abs(n.x) - h.y * std::abs(n.y) - h.z * std::abs(n.z);
  }
  void try_direction(const Vec3& n, Axis& best) const {
    if (const double s = separation(n); s > best.separation) best = {n, s};
  }
  void try_both(const Vec3& n, Axis& best) const {
    try_direction(dot(cylinder_.centre, n) < 0 ? -n : n, best);
  }
  void try_vertex(const Vec3& v, Axis& best) const;
  void try_across_edge(int k, Axis& best) const;
  void add(std::uint32_t feature, const Vec3& on_core, double height, const Axis& axis,
           double margin, Candidates& found) const {
    const double gap = std::max(height, axis.separation) - box_.radius;
    if (gap < margin) found.add(feature, on_core + (box_.radius + 0.5 * gap) * axis.normal, gap);
  }

  RoundedBox box_;
  PlacedCylinder cylinder_;
  double size_;      ///< size of the smaller [m]
  double thinnest_;  ///< minimum extent of both, without zero extents [m]
};

void BoxAndCylinder::try_vertex(const Vec3& v, Axis& best) const {
  const Vec3 from_centre = v - cylinder_.centre;
  const double z = dot(from_centre, cylinder_.axis);
  const Vec3 radial = from_centre - z * cylinder_.axis;
  const double r = norm(radial);
  if (r == 0) return;
  try_direction(-radial / r, best);
  const double outside = r - cylinder_.radius, beyond = std::abs(z) - cylinder_.half_length;
  if (outside <= 0 || beyond <= 0) return;
  const Vec3 to_rim = -outside / r * radial + (z > 0 ? -beyond : beyond) * cylinder_.axis;
  try_direction(to_rim / norm(to_rim), best);
}

/// Slope of the separation along directions orthogonal to an edge, as they rotate through the
/// quarter in which the edge stays the support: n = (1 − fraction, fraction), normalised.
class SlopeAcrossEdge {
 public:
  /// Takes the centre relative to the edge, and the axis, along the two directions at the ends of
  /// the quarter; of the axis also its component along the edge.
  SlopeAcrossEdge(const PlacedCylinder& cylinder, const std::array<double, 2>& centre,
                  const std::array<double, 2>& axis, double along_edge)
      : radius_(cylinder.radius),
        half_length_(cylinder.half_length),
        centre_(centre),
        axis_(axis),
        along_edge2_(along_edge * along_edge) {}

  /// Derivative of the separation by the angle [m]: the displacement between the two support
  /// points, along the derivative of n.
  double slope(double fraction) const {
    const At at = seen(fraction);
    return at.nx * centre_[1] - at.ny * centre_[0] + (at.rim * at.along - at.end) * at.across;
  }
  /// Second derivative by the angle [m].
  double change(double fraction) const {
    return rest_change(seen(fraction)) + rim_change(seen(fraction));
  }

  /// Samples in increasing order between which the slope has at most one extremum. Its curvature is
  /// largest where n is along the axis or orthogonal to it; each quarter has one of these
  /// directions. Where n passes the axis, the rim's contribution jumps within a small angle, and
  /// decays like an inverse cube. The slope has its extremum where this changes as fast as the
  /// rest.
  std::array<double, 9> samples() const {
    constexpr double kBend = 1e-9;  // fraction of a quarter rotation
    const bool passes = axis_[0] * axis_[1] > 0;
    const double extent = std::abs(axis_[0]) + std::abs(axis_[1]);
    const double bend = extent > 0 ? std::abs(axis_[passes ? 1 : 0]) / extent : 0.5;
    const At at = seen(bend);
    const double rest = std::abs(rest_change(at)), leap = radius_ * at.along * at.along;
    const double reach = rest > 0 ? std::cbrt(leap * along_edge2_ / rest) : 0;
    const double across = std::sqrt(std::max(0.0, reach * reach - along_edge2_));
    double bend_width =
        passes && across > 0 ? across / std::abs(at.along) * at.length * at.length : 0;
    std::array samples{
        0.0, 0.25, 0.5, 0.75, bend - bend_width, bend - kBend, bend + kBend, bend + bend_width,
        1.0};
    for (double& sample : samples) sample = std::clamp(sample, 0.0, 1.0);
    std::sort(samples.begin(), samples.end());
    return samples;
  }

 private:
  struct At {
    double length, nx, ny, along, across, sine2, rim, end;
  };
  At seen(double fraction) const {
    const double length = std::sqrt((1 - fraction) * (1 - fraction) + fraction * fraction);
    const double nx = (1 - fraction) / length, ny = fraction / length;
    const double along = nx * axis_[0] + ny * axis_[1], across = nx * axis_[1] - ny * axis_[0];
    const double sine2 = across * across + along_edge2_;
    return {length,
            nx,
            ny,
            along,
            across,
            sine2,
            sine2 > 0 ? radius_ / std::sqrt(sine2) : 0,
            along > 0 ? half_length_ : -half_length_};
  }
  double rest_change(const At& at) const {
    return at.end * at.along - at.nx * centre_[0] - at.ny * centre_[1];
  }
  double rim_change(const At& at) const {
    if (at.sine2 == 0) return 0;
    return at.rim * (at.across * at.across - at.along * at.along * along_edge2_ / at.sine2);
  }

  double radius_, half_length_;
  std::array<double, 2> centre_, axis_;
  double along_edge2_;
};

/// Calls use(fraction) where the slope falls through zero: at local maxima of the separation.
template <class Use>
void for_each_maximum(const SlopeAcrossEdge& across, const Use& use) {
  constexpr double kRounding = 1e-15;
  const auto slope = [&](double fraction) { return across.slope(fraction); };
  const auto change = [&](double fraction) { return across.change(fraction); };
  const auto use_fall = [&](double low, double high, double slope_low, double slope_high) {
    if (slope_low < 0 || slope_high > 0 || slope_low <= slope_high) return;
    const Bracket at = narrowed({low, high, slope_low, slope_high}, kRounding, slope);
    use(at.a);
    use(at.b);
  };
  const auto samples = across.samples();
  double low = samples[0], slope_low = slope(low), change_low = change(low);
  for (const double high : samples) {
    const double slope_high = slope(high), change_high = change(high);
    const bool same_side = (slope_low > 0) == (slope_high > 0);
    const bool nears_zero =
        slope_low > 0 ? change_low < 0 && change_high > 0 : change_low > 0 && change_high < 0;
    if (same_side && nears_zero) {
      constexpr double kEnough = 1e-9;
      const double middle = narrowed({low, high, change_low, change_high}, kEnough, change).a;
      const double slope_middle = slope(middle);
      use_fall(low, middle, slope_low, slope_middle);
      use_fall(middle, high, slope_middle, slope_high);
    } else {
      use_fall(low, high, slope_low, slope_high);
    }
    low = high;
    slope_low = slope_high;
    change_low = change_high;
  }
}

/// Tries directions orthogonal to the edges along axis k, one quarter of a rotation after the
/// other.
void BoxAndCylinder::try_across_edge(int k, Axis& best) const {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  for (const double side_i : {-1.0, 1.0})
    for (const double side_j : {-1.0, 1.0}) {
      const double x = side_i * cylinder_.centre[i] - box_.half_extent[i],
                   y = side_j * cylinder_.centre[j] - box_.half_extent[j];
      // Upper bound of the separation: a ball fits into the cylinder.
      const double corner =
          x > 0 || y > 0 ? norm(Vec3{std::max(x, 0.0), std::max(y, 0.0), 0}) : std::max(x, y);
      if (corner - std::min(cylinder_.radius, cylinder_.half_length) <= best.separation) continue;
      const SlopeAcrossEdge slope(cylinder_, {x, y},
                                  {side_i * cylinder_.axis[i], side_j * cylinder_.axis[j]},
                                  cylinder_.axis[k]);
      for_each_maximum(slope, [&](double fraction) {
        Vec3 n;
        n[i] = side_i * (1 - fraction);
        n[j] = side_j * fraction;
        try_direction(n / norm(n), best);
      });
    }
}

BoxPair::Axes BoxAndCylinder::best_axes(double enough) const {
  const Vec3& h = box_.half_extent;
  Axis flat{{}, -kInfinity};
  const Vec3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k)
    if (h[(k + 1) % 3] > 0 && h[(k + 2) % 3] > 0) try_both(units[k], flat);
  try_both(cylinder_.axis, flat);
  Axis best = flat;
  for (int k = 0; k < 3; ++k) {
    if (h[k] == 0) continue;
    const Vec3 n = cross(units[k], cylinder_.axis);
    const double sine = norm(n);
    constexpr double kParallel = 1e-10;  // rounding alone gives a sine of 1e-16
    if (sine > kParallel) try_both(n / sine, best);
  }
  for_each_vertex(distinct_vertices(h), [&](int v) { try_vertex(vertex(h, v), best); });
  for (int k = 0; k < 3; ++k)
    if (h[k] > 0 && best.separation < enough) try_across_edge(k, best);
  // If both axes lie on one line, any orthogonal direction is as good.
  if (std::max({h.x, h.y}) == 0) try_both(cylinder_.across[0], best);
  return {best, flat};
}

constexpr std::uint32_t kRimFeatures = 8, kSideFeatures = kRimFeatures + RimPoints::kFeatures,
                        kRimCrossings = kSideFeatures + 12;

Candidates BoxAndCylinder::points(const Axis& axis, double margin) const {
  const Vec3& n = axis.normal;
  const Vec3& h = box_.half_extent;
  const double slack = kSamePoint * size_, depth = margin + box_.radius - axis.separation;
  const double highest = std::abs(h.x * n.x) + std::abs(h.y * n.y) + std::abs(h.z * n.z);
  Candidates found(2 * slack);
  double height;
  for_each_vertex(seen_vertices(h, n), [&](int v) {
    const Vec3 p = vertex(h, v);
    if (highest - dot(n, p) < depth && cylinder_.height_above(p, n, slack, height))
      add(v, p, height, axis, margin, found);
  });
  const HeightAboveBox height_above(h, n, slack);
  for (const auto& [feature, position] : RimPoints(cylinder_, n))
    if (height_above(position, height))
      add(kRimFeatures + feature, position - height * n, height, axis, margin, found);
  const FaceEdges edges(h, n, depth);
  for (int k = 0; k < edges.size(); ++k) {
    const BoxEdge& of_box = edges[k];
    Edge edge{of_box.middle, {}, h[of_box.axis]};
    edge.along[of_box.axis] = 1;
    if (const auto crossing = side_crossing(cylinder_, n, edge))
      add(kSideFeatures + of_box.index, edge.point(crossing->s), crossing->height, axis, margin,
          found);
    for (const auto& [feature, s, below] : RimCrossings(cylinder_, n, edge))
      add(kRimCrossings + RimCrossings::kFeatures * of_box.index + feature, edge.point(s), below,
          axis, margin, found);
  }
  return found;
}

}  // namespace

SurfaceDistance box_cylinder_separation(const RoundedBox& a, const Pose& pose_a, const Cylinder& b,
                                        const Pose& pose_b) {
  const Axis best = BoxAndCylinder(a, pose_a, b, pose_b).best_axes(kInfinity).any;
  return {best.separation - a.radius, rotate(pose_a.orientation, best.normal)};
}

Manifold box_cylinder_points(const RoundedBox& a, const Pose& pose_a, const Cylinder& b,
                             const Pose& pose_b, double margin) {
  const BoxAndCylinder pair(a, pose_a, b, pose_b);
  const BoxPair::Axes axes = pair.best_axes(margin + a.radius);
  if (axes.any.separation - a.radius >= margin) return {};
  Axis axis = chosen_axis(axes, pair.thinnest());
  Candidates found = pair.points(axis, margin);
  if (!shows_overlap(found.min_gap(), axes.any.separation - a.radius, pair.thinnest())) {
    axis = axes.any;
    found = pair.points(axis, margin);
  }
  if (found.is_empty()) pair.add_highest_vertex(axis, margin, found);
  Manifold points = found.reduced_manifold(axis.normal, margin);
  to_inertial_frame(points, pose_a);
  return points;
}

}  // namespace scree

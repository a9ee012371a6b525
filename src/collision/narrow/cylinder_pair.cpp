/// Contact points of two cylinders, in the axes of A.
///
/// The maximum separation over all directions is the distance, or minus the depth of an overlap. It
/// is attained along one of these: an axis; orthogonal to both axes; from an axis to a rim point
/// whose distance from it is stationary; or between two rims at a stationary distance.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/cylinder_sides.hpp"
#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/pairs.hpp"
#include "math/false_position.hpp"
#include "scree/core/infinity.hpp"
#include "scree/math/trigonometric.hpp"

namespace scree {
namespace {

using Axis = BoxPair::Axis;

/// Rim: centre + radius (cos β x + sin β y).
struct Rim {
  Vec3 centre, x, y;  ///< [m], [-]
  double radius;      ///< [m]

  Rim(const PlacedCylinder& c, int end)
      : centre(c.end(end)), x(c.across[0]), y(c.across[1]), radius(c.radius) {}
  Vec3 point(const Direction& e) const { return centre + radius * (e.c * x + e.s * y); }
  Vec3 tangent(const Direction& e) const { return e.c * y - e.s * x; }
  /// Coordinate of its points along v.
  TrigonometricLinear along(const Vec3& v) const {
    return {dot(centre, v), radius * dot(x, v), radius * dot(y, v)};
  }
  /// Derivative dF/dβ of a linear F.
  static TrigonometricLinear slope(const TrigonometricLinear& f) { return {0, f.a2, -f.a1}; }
};

/// Half the squared distance of a rim's point from another rim, as a function of its angle: slope
/// and second derivative.
class RimDistance {
 public:
  /// Takes the rim `seen` relative to the centre of the other rim, whose axes are x, y and `axis`.
  RimDistance(const Rim& other, const Vec3& axis, const Rim& seen)
      : radius_(other.radius),
        x_(seen.along(other.x)),
        y_(seen.along(other.y)),
        z_(seen.along(axis)) {}

  double slope(const Direction& e) const {
    return beyond(e) * growth(e) + z_(e) * Rim::slope(z_)(e);
  }
  /// Second derivative.
  double change(const Direction& e) const {
    const TrigonometricLinear dx = Rim::slope(x_), dy = Rim::slope(y_), dz = Rim::slope(z_);
    const double u = dx(e), v = dy(e), w = dz(e), r = from_axis(e);
    const double radial_curvature =
        u * u + v * v + x_(e) * Rim::slope(dx)(e) + y_(e) * Rim::slope(dy)(e);
    const double angle_change = r > 0 ? growth(e) / r : 0;
    return beyond(e) * radial_curvature + (r > 0 ? radius_ / r * angle_change * angle_change : 0) +
           w * w + z_(e) * Rim::slope(dz)(e);
  }

  double x(const Direction& e) const { return x_(e); }
  double y(const Direction& e) const { return y_(e); }
  double z(const Direction& e) const { return z_(e); }
  double from_axis(const Direction& e) const { return std::sqrt(x_(e) * x_(e) + y_(e) * y_(e)); }

 private:
  /// Slope of half the squared distance from the axis.
  double growth(const Direction& e) const {
    return x_(e) * Rim::slope(x_)(e) + y_(e) * Rim::slope(y_)(e);
  }
  /// Distance beyond the other rim, as a fraction of that from the axis.
  double beyond(const Direction& e) const {
    const double r = from_axis(e);
    return r > 0 ? 1 - radius_ / r : 0;
  }

  double radius_;
  TrigonometricLinear x_, y_, z_;
};

/// Calls use(e) where the distance is stationary: where its slope changes sign between two samples,
/// 1/32 of a rotation apart, or changes it twice in between.
template <class Use>
void for_each_stationary(const RimDistance& distance, const Use& use) {
  constexpr int kSamples = 32;
  constexpr double kStep = 0.09849140335716425;  // tan(π/32)
  constexpr double kRounding = 1e-16, kEnough = 1e-9;
  Direction low;
  const auto slope = [&](double half_tangent) { return distance.slope(turned(low, half_tangent)); };
  const auto change = [&](double half_tangent) {
    return distance.change(turned(low, half_tangent));
  };
  const auto use_root = [&](const Bracket& bracket) {
    if ((bracket.f_a < 0) == (bracket.f_b < 0)) return;
    const Bracket at = narrowed(bracket, kRounding, slope);
    use(turned(low, at.a));
    use(turned(low, at.b));
  };
  double slope_low = distance.slope(low), change_low = distance.change(low);
  for (int k = 0; k < kSamples; ++k) {
    // The circle closes to the bit, since a root may lie on the seam.
    const Direction high = k + 1 < kSamples ? unit(turned(low, kStep)) : Direction{};
    const double slope_high = distance.slope(high), change_high = distance.change(high);
    const bool nears_zero =
        slope_low < 0 ? change_low > 0 && change_high < 0 : change_low < 0 && change_high > 0;
    if ((slope_low < 0) == (slope_high < 0) && nears_zero) {
      const double angle_change = narrowed({0, kStep, change_low, change_high}, kEnough, change).a;
      const double slope_mid = slope(angle_change);
      use_root({0, angle_change, slope_low, slope_mid});
      use_root({angle_change, kStep, slope_mid, slope_high});
    } else {
      use_root({0, kStep, slope_low, slope_high});
    }
    low = high;
    slope_low = slope_high;
    change_low = change_high;
  }
}

class TwoCylinders {
 public:
  TwoCylinders(const Cylinder& a, const Pose& pose_a, const Cylinder& b, const Pose& pose_b)
      : a_(a, {}, {}),
        b_(b, rotate_back(pose_a.orientation, pose_b.position - pose_a.position),
           conjugate(pose_a.orientation) * pose_b.orientation),
        size_(std::min(std::max(a.radius, a.half_length), std::max(b.radius, b.half_length))) {}

  /// Best among the axes, which are normals of flat faces, and among all directions. The search
  /// stops if one reaches `enough` [m].
  BoxPair::Axes best_axes(double enough) const;

  /// Points along n with a gap below the margin; none has a smaller gap than the axis [m].
  Candidates points(const Axis& axis, double margin) const;

  /// Fallback if rounding has excluded every point.
  void add_highest_point(const Axis& axis, double margin, Candidates& found) const {
    const RimPoints highest(a_, -axis.normal);
    const auto along = [&](const RimPoints::Point& p) { return dot(axis.normal, p.position); };
    const auto& [feature, position] = *std::ranges::max_element(highest, {}, along);
    add(feature, position, axis.separation, axis, margin, found);
  }
  /// Minimum extent of both [m].
  double thinnest() const {
    return std::min({a_.radius, a_.half_length, b_.radius, b_.half_length});
  }

 private:
  double separation(const Vec3& n) const { return b_.lowest(n) + a_.lowest(-n); }
  void try_direction(const Vec3& n, Axis& best) const {
    if (const double s = separation(n); s > best.separation) best = {n, s};
  }
  void try_both(const Vec3& n, Axis& best) const {
    try_direction(dot(b_.centre, n) < 0 ? -n : n, best);
  }
  void try_axis_and_rim(const PlacedCylinder& side, const Rim& rim, Axis& best) const;
  void try_rims(const Rim& a, const Rim& b, Axis& best) const;
  void add_rim_points(const Axis& axis, double margin, Candidates& found) const;
  void add_side_crossings(const Axis& axis, double margin, Candidates& found) const;
  void add_rim_crossings(const Axis& axis, double margin, Candidates& found) const;
  /// Adds a point of A.
  void add(std::uint32_t feature, const Vec3& on_a, double height, const Axis& axis, double margin,
           Candidates& found) const {
    const double gap = std::max(height, axis.separation);
    if (gap < margin) found.add(feature, on_a + 0.5 * gap * axis.normal, gap);
  }

  PlacedCylinder a_, b_;
  double size_;  ///< size of the smaller [m]
};

/// Tries the directions from a cylinder's axis to points of the other's rim, and their opposites
/// for points beyond the axis.
void TwoCylinders::try_axis_and_rim(const PlacedCylinder& side, const Rim& rim, Axis& best) const {
  Rim seen = rim;
  seen.centre = rim.centre - side.centre;
  const TrigonometricLinear x = seen.along(side.across[0]), y = seen.along(side.across[1]);
  const DirectionRoots stationary = real_roots(x * Rim::slope(x) + y * Rim::slope(y));
  for (int k = 0; k < stationary.count; ++k) {
    const Direction& e = stationary.at[static_cast<std::size_t>(k)];
    const double u = x(e), v = y(e), r = std::sqrt(u * u + v * v);
    if (r == 0) continue;
    const Vec3 outward = u / r * side.across[0] + v / r * side.across[1];
    try_direction(outward, best);
    try_direction(-outward, best);
  }
}

/// Tries the directions between two rims at stationary distances. The normal is orthogonal to both
/// tangents, and equals the displacement unless that is too short to have a direction.
void TwoCylinders::try_rims(const Rim& a, const Rim& b, Axis& best) const {
  constexpr double kShort = 1e-6;     // fraction of the size, at which rounding rotates it by 1e-10
  constexpr double kParallel = 1e-6;  // the sine
  const Vec3 axis = cross(a.x, a.y);
  Rim seen = b;
  seen.centre = b.centre - a.centre;
  const RimDistance distance(a, axis, seen);
  for_each_stationary(distance, [&](const Direction& e) {
    const double r = distance.from_axis(e);
    if (r == 0) return;
    const Vec3 outward = distance.x(e) / r * a.x + distance.y(e) / r * a.y;
    const Vec3 displacement = (r - a.radius) * outward + distance.z(e) * axis;
    const double length = norm(displacement);
    if (length > kShort * size_) {
      try_direction(displacement / length, best);
      try_direction(-displacement / length, best);
      return;
    }
    const Vec3 across = cross(cross(axis, outward), b.tangent(e));
    const double sine = norm(across);
    if (sine < kParallel) return;
    try_direction(across / sine, best);
    try_direction(-across / sine, best);
  });
}

BoxPair::Axes TwoCylinders::best_axes(double enough) const {
  Axis flat{{}, -kInfinity};
  try_both(a_.axis, flat);
  try_both(b_.axis, flat);
  Axis best = flat;
  const Vec3 n = cross(a_.axis, b_.axis);
  const double sine = norm(n);
  constexpr double kParallel = 1e-10;  // rounding alone gives a sine of 1e-16
  if (sine > kParallel) try_both(n / sine, best);
  // If both lie on one axis, any orthogonal direction is as good.
  try_both(a_.across[0], best);
  for (const int end : {0, 1}) {
    try_axis_and_rim(a_, Rim(b_, end), best);
    try_axis_and_rim(b_, Rim(a_, end), best);
  }
  for (const int end_a : {0, 1})
    for (const int end_b : {0, 1})
      if (best.separation < enough) try_rims(Rim(a_, end_a), Rim(b_, end_b), best);
  return {best, flat};
}

constexpr std::uint32_t kRimPointsOfB = RimPoints::kFeatures, kSides = 2 * RimPoints::kFeatures,
                        kSideOfA = kSides + 1, kSideOfB = kSideOfA + RimCrossings::kFeatures,
                        kRims = kSideOfB + RimCrossings::kFeatures;

void TwoCylinders::add_rim_points(const Axis& axis, double margin, Candidates& found) const {
  const Vec3& n = axis.normal;
  const double slack = kSamePoint * size_;
  double height = 0;
  for (const auto& [feature, position] : RimPoints(a_, -n))
    if (b_.height_above(position, n, slack, height))
      add(feature, position, height, axis, margin, found);
  for (const auto& [feature, position] : RimPoints(b_, n))
    if (a_.height_above(position, -n, slack, height))
      add(kRimPointsOfB + feature, position - height * n, height, axis, margin, found);
}

/// Adds crossings of the lines along which the sides face each other, with each other and with the
/// rims.
void TwoCylinders::add_side_crossings(const Axis& axis, double margin, Candidates& found) const {
  const Vec3& n = axis.normal;
  const auto of_a = facing_line(a_, -n), of_b = facing_line(b_, n);
  if (of_a) {
    if (const auto crossing = side_crossing(b_, n, *of_a))
      add(kSides, of_a->point(crossing->s), crossing->height, axis, margin, found);
    for (const auto& [feature, s, height] : RimCrossings(b_, n, *of_a))
      add(kSideOfA + feature, of_a->point(s), height, axis, margin, found);
  }
  if (of_b)
    for (const auto& [feature, s, height] : RimCrossings(a_, -n, *of_b))
      add(kSideOfB + feature, of_b->point(s) - height * n, height, axis, margin, found);
}

/// Adds crossings of the rims of the facing caps, projected along n.
void TwoCylinders::add_rim_crossings(const Axis& axis, double margin, Candidates& found) const {
  constexpr double kUpright = 0.3;
  const Vec3& n = axis.normal;
  const double along_a = dot(n, a_.axis), along_b = dot(n, b_.axis);
  if (std::min(std::abs(along_a), std::abs(along_b)) < kUpright) return;
  const int end_a = along_a > 0 ? 1 : 0, end_b = along_b > 0 ? 0 : 1;
  const Rim rim(b_, end_b);
  Rim seen = rim;
  seen.centre = rim.centre - a_.end(end_a);
  // Project b's rim along n into the plane of a's cap, relative to that cap's centre.
  const TrigonometricLinear height = (1 / along_a) * seen.along(a_.axis);
  const auto moved = [&](const Vec3& across) {
    return seen.along(across) - dot(n, across) * height;
  };
  const TrigonometricLinear x = moved(a_.across[0]), y = moved(a_.across[1]);
  TrigonometricQuadratic beyond = x * x + y * y;
  beyond.c0 -= a_.radius * a_.radius;
  const DirectionRoots roots = real_roots(beyond);
  for (int k = 0; k < roots.count; ++k) {
    const Direction& e = roots.at[static_cast<std::size_t>(k)];
    add(kRims + 4 * static_cast<std::uint32_t>(2 * end_a + end_b) + static_cast<std::uint32_t>(k),
        rim.point(e) - height(e) * n, height(e), axis, margin, found);
  }
}

Candidates TwoCylinders::points(const Axis& axis, double margin) const {
  Candidates found(2 * kSamePoint * size_);
  add_rim_points(axis, margin, found);
  add_side_crossings(axis, margin, found);
  add_rim_crossings(axis, margin, found);
  return found;
}

}  // namespace

SurfaceDistance separation_of_cylinders(const Cylinder& a, const Pose& pose_a, const Cylinder& b,
                                        const Pose& pose_b) {
  const Axis best = TwoCylinders(a, pose_a, b, pose_b).best_axes(kInfinity).any;
  return {best.separation, rotate(pose_a.orientation, best.normal)};
}

Manifold points_of_cylinders(const Cylinder& a, const Pose& pose_a, const Cylinder& b,
                             const Pose& pose_b, double margin) {
  const TwoCylinders pair(a, pose_a, b, pose_b);
  const BoxPair::Axes axes = pair.best_axes(margin);
  if (axes.any.separation >= margin) return {};
  Axis axis = chosen_axis(axes, pair.thinnest());
  Candidates found = pair.points(axis, margin);
  if (!shows_overlap(found.min_gap(), axes.any.separation, pair.thinnest())) {
    axis = axes.any;
    found = pair.points(axis, margin);
  }
  if (found.is_empty()) pair.add_highest_point(axis, margin, found);
  Manifold points = found.reduced_manifold(axis.normal, margin);
  to_inertial_frame(points, pose_a);
  return points;
}

}  // namespace scree

/// Gauss's theorem, twice. All lengths are in radii, from the sphere's centre. The part of the unit
/// ball in a box is bounded by a patch of the sphere, where x·n = 1, and by parts of faces, where
/// x·n is the distance d of the face, so
///
///     3 V = S + Σ_faces d A(d).
///
/// A face cuts the ball in a disc of radius ρ, ρ² = 1 − d², and the part of it in the face's
/// rectangle is bounded by arcs of angle θ in all and by pieces of edges of length l:
///
///     2 A = ρ² θ + Σ_edges d l(d).
///
/// S, the area of the patch, and θ, the angle of the arcs, remain. Both follow by inclusion and
/// exclusion: from the whole subtract the regions beyond each face, add those beyond two, subtract
/// those beyond three. Each region is a patch with as many sides, and Gauss–Bonnet gives its area
/// from its angles and the curvature of its sides. Distances are ≥ 0 there; reflection covers the
/// rest, as the region beyond −d and the reflected region beyond d make up the whole.
#include "scree/analysis/solid_fraction.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// Distances of two opposite faces, −1 ≤ low ≤ high ≤ 1.
struct Interval {
  double low, high;
  /// Distance of the face on one side, outwards.
  double outward(bool upper) const { return upper ? high : -low; }
};

/// √(1 − a² − b²), half the length of the edge in which faces at distances a and b meet; 0 where
/// they meet outside the ball. All angles and lengths use the same values, so that their errors
/// cancel if faces are nearly tangent.
double half_chord(double a, double b) {
  if (std::abs(a) < std::abs(b)) std::swap(a, b);
  return std::sqrt(std::max(0.0, (1 - a) * (1 + a) - b * b));
}

/// Angle of the arcs of the disc at distance d that lie beyond a line at distance a.
double arc_beyond(double d, double a) { return 2 * std::atan2(half_chord(d, a), a); }

/// The same beyond two lines at a right angle.
double arc_beyond(double d, double a, double b) {
  if (a < 0) return arc_beyond(d, b) - arc_beyond(d, -a, b);
  if (b < 0) return arc_beyond(d, a) - arc_beyond(d, a, -b);
  if (a * a + b * b + d * d >= 1) return 0;
  return std::atan2(half_chord(d, a), a) - std::atan2(b, half_chord(d, b));
}

/// Area of the unit sphere beyond a face at distance a.
double patch_beyond(double a) { return 2 * std::numbers::pi * (1 - a); }

/// Area beyond two faces: 2π minus the outer angles of two corners and the total curvature of two
/// arcs.
double patch_beyond(double a, double b) {
  if (a < 0) return patch_beyond(b) - patch_beyond(-a, b);
  if (b < 0) return patch_beyond(a) - patch_beyond(a, -b);
  const double s = half_chord(a, b);
  if (s == 0) return 0;
  return 2 *
         (std::numbers::pi - std::atan2(s, -a * b) - a * std::atan2(s, b) - b * std::atan2(s, a));
}

/// Area beyond three faces: the same with three corners and three arcs.
double patch_beyond(double a, double b, double c) {
  if (a < 0) return patch_beyond(b, c) - patch_beyond(-a, b, c);
  if (b < 0) return patch_beyond(a, c) - patch_beyond(a, -b, c);
  if (c < 0) return patch_beyond(a, b) - patch_beyond(a, b, -c);
  if (a * a + b * b + c * c >= 1) return 0;
  const double ab = half_chord(a, b), bc = half_chord(b, c), ca = half_chord(c, a);
  const double corners = std::atan2(ab, -a * b) + std::atan2(bc, -b * c) + std::atan2(ca, -c * a);
  const double arcs = a * (std::atan2(ab, b) - std::atan2(c, ca)) +
                      b * (std::atan2(bc, c) - std::atan2(a, ab)) +
                      c * (std::atan2(ca, a) - std::atan2(b, bc));
  return 2 * std::numbers::pi - corners - arcs;
}

/// S: area of the unit sphere in the box.
double patch_in(const std::array<Interval, 3>& box) {
  double area = 4 * std::numbers::pi;
  for (const bool i : {false, true}) {
    const double x = box[0].outward(i), y = box[1].outward(i), z = box[2].outward(i);
    area -= patch_beyond(x) + patch_beyond(y) + patch_beyond(z);
    for (const bool j : {false, true}) {
      const double y2 = box[1].outward(j), z2 = box[2].outward(j);
      area += patch_beyond(x, y2) + patch_beyond(y, z2) + patch_beyond(x, z2);
      for (const bool k : {false, true}) area -= patch_beyond(x, y2, box[2].outward(k));
    }
  }
  return area;
}

/// Length of the part of [−half, half] in an interval.
double chord_in(double half, const Interval& in) {
  return std::max(0.0, std::min(half, in.high) - std::max(-half, in.low));
}

/// A: area of the part of the disc at distance d, |d| < 1, that lies in a rectangle.
double disc_in(double d, const Interval& u, const Interval& v) {
  const double squared_radius = (1 - d) * (1 + d);
  double theta = 2 * std::numbers::pi, edges = 0;
  for (const bool i : {false, true}) {
    for (const auto& [across, along] : {std::pair{u, v}, std::pair{v, u}}) {
      const double a = across.outward(i);
      theta -= arc_beyond(d, a);
      edges += a * chord_in(half_chord(d, a), along);
    }
    for (const bool j : {false, true}) theta += arc_beyond(d, u.outward(i), v.outward(j));
  }
  return (squared_radius * theta + edges) / 2;
}

}  // namespace

double sphere_box_overlap(const Vec3& centre, double radius, const Region& region) {
  const double whole = 4 * std::numbers::pi / 3;
  const double volume_of_radius = radius * radius * radius;
  std::array<Interval, 3> box{};
  double farthest = 0;  // corner, squared
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const double low = (region.min[k] - centre[k]) / radius,
                 high = (region.max[k] - centre[k]) / radius;
    if (!(low < high) || low >= 1 || high <= -1) return 0;
    inside = inside && low <= -1 && high >= 1;
    farthest += std::max(low * low, high * high);
    box[static_cast<std::size_t>(k)] = {std::max(low, -1.0), std::min(high, 1.0)};
  }
  if (inside) return whole * volume_of_radius;
  if (farthest <= 1) return region.volume();

  double thrice = patch_in(box);
  for (std::size_t k = 0; k < 3; ++k) {
    for (const bool upper : {false, true}) {
      const double d = box[k].outward(upper);
      if (std::abs(d) < 1) thrice += d * disc_in(d, box[(k + 1) % 3], box[(k + 2) % 3]);
    }
  }
  return std::clamp(thrice / 3, 0.0, whole) * volume_of_radius;
}

Solid solid_of(const Bodies& bodies, std::span<const Prototype> prototypes, std::size_t body) {
  assert(bodies.prototype[body] < prototypes.size());
  return {scaled(prototypes[bodies.prototype[body]].shape, bodies.radius[body]),
          {bodies.position[body], bodies.orientation[body]}};
}

double solid_fraction(const Bodies& bodies, std::span<const Prototype> prototypes,
                      const Region& region) {
  const double volume = region.volume();
  if (!(volume > 0)) return 0;
  double filled = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    filled += solid_of(bodies, prototypes, i).overlap(region);
  return filled / volume;
}

double solid_fraction(std::span<const Vec3> position, std::span<const double> radius,
                      const Region& region) {
  const double volume = region.volume();
  if (!(volume > 0)) return 0;
  double filled = 0;
  for (std::size_t i = 0; i < position.size(); ++i)
    filled += sphere_box_overlap(position[i], radius[i], region);
  return filled / volume;
}

}  // namespace scree

/// Visible lines, rims and caps of a cylinder, and their crossings with edges.
#include "collision/narrow/cylinder_sides.hpp"

#include <cmath>

namespace scree {
namespace {

// cosine or sine: surfaces rotated away further are missed by edges
constexpr double kFromSide = 0.3;
constexpr double kParallelToSide = 1e-6;  // sine of an edge and a line, or a direction [-]

}  // namespace

bool PlacedCylinder::height_above(const Vec3& p, const Vec3& n, double slack,
                                  double& height) const {
  constexpr double kUpright = 0.1;  // cosine of a cap that is nearly edge-on [-]
  const double along = dot(n, axis);
  if (std::abs(along) > kUpright) {
    const double t = dot(facing_cap(n) - p, axis) / along;
    const Vec3 hit = p + t * n - facing_cap(n);
    height = t;
    if (norm(hit) <= radius + slack) return true;
  }
  // Solve |q + t m| = radius, projected along the axis.
  const Vec3 from_centre = p - centre;
  const Vec3 q = from_centre - dot(from_centre, axis) * axis;
  const Vec3 m = n - along * axis;
  const double m2 = squared_norm(m);
  if (m2 < kUpright * kUpright) return false;
  const double middle = -dot(q, m) / m2;
  const Vec3 nearest = q + middle * m;
  const double chord2 = radius * radius - squared_norm(nearest);
  if (chord2 < 0) return false;
  height = middle - std::sqrt(chord2 / m2);
  return std::abs(dot(from_centre + height * n, axis)) <= half_length + slack;
}

std::optional<Edge> facing_line(const PlacedCylinder& cylinder, const Vec3& n) {
  const Vec3 downhill = dot(n, cylinder.axis) * cylinder.axis - n;
  const double sine = norm(downhill);
  if (sine < kFromSide) return {};
  return Edge{cylinder.centre + cylinder.radius / sine * downhill, cylinder.axis,
              cylinder.half_length};
}

std::optional<Crossing> side_crossing(const PlacedCylinder& cylinder, const Vec3& n,
                                      const Edge& edge) {
  const auto line = facing_line(cylinder, n);
  if (!line) return {};
  const Vec3 &e = edge.along, &z = cylinder.axis;
  const double across = dot(n, cross(e, z));
  if (std::abs(across) < kParallelToSide) return {};
  // Solve middle + s e + height n = lowest + t z.
  const Vec3 r = line->middle - edge.middle;
  const double s = dot(n, cross(r, z)) / across, t = dot(n, cross(r, e)) / across;
  if (std::abs(s) > edge.half_length || std::abs(t) > cylinder.half_length) return {};
  return Crossing{0, s, dot(n, r + t * z - s * e)};
}

RimCrossings::RimCrossings(const PlacedCylinder& cylinder, const Vec3& n, const Edge& edge) {
  const Vec3 &e = edge.along, &z = cylinder.axis;
  const double along = dot(n, z);
  if (std::abs(along) < kFromSide) return;
  // Project the edge along n into the plane of the cap; relative to the cap's centre it is q + s f.
  const Vec3 from_cap = edge.middle - cylinder.facing_cap(n);
  const Vec3 q = from_cap - dot(from_cap, z) / along * n, f = e - dot(e, z) / along * n;
  const double f2 = squared_norm(f);
  if (f2 < kParallelToSide) return;
  const double middle = -dot(q, f) / f2;
  const double chord2 = cylinder.radius * cylinder.radius - squared_norm(q + middle * f);
  if (chord2 <= 0) return;
  const double chord = std::sqrt(chord2 / f2);
  for (const int root : {0, 1}) {
    const double s = middle + (root == 0 ? -chord : chord);
    if (std::abs(s) > edge.half_length) continue;
    crossings_[static_cast<std::size_t>(count_++)] = {
        static_cast<std::uint32_t>((along > 0 ? 0 : 2) + root), s,
        -dot(from_cap + s * e, z) / along};
  }
}

RimPoints::RimPoints(const PlacedCylinder& cylinder, const Vec3& n) {
  constexpr double kAcross = 0.7;  // cosine of a cap nearly orthogonal to n [-]
  // sine below which rounding leaves a cap without a lowest point [-]
  constexpr double kFlat = 1e-9;
  // A cap that leans rolls on its lowest point. A fixed point next to it, in a quarter of the rim,
  // would be nearly as low, and would stop the roll when it comes near the ground.
  constexpr double kLeans = 0.01;       // sine [-]
  constexpr double kNearLowest = 0.71;  // cosine along the rim [-]
  const double along = dot(n, cylinder.axis);
  const Vec3 downhill = along * cylinder.axis - n;
  const double sine = norm(downhill);
  if (sine > kFlat)
    for (const int end : {0, 1})
      points_[count_++] = {static_cast<std::uint32_t>(end),
                           cylinder.end(end) + cylinder.radius / sine * downhill};
  if (std::abs(along) < kAcross) return;
  std::uint32_t feature = along > 0 ? 2 : 6;
  for (const Vec3& across : cylinder.across) {
    for (const double side : {-1.0, 1.0}) {
      const bool is_near_lowest = side * dot(across, downhill) > kNearLowest * sine;
      if (sine < kLeans || !is_near_lowest)
        points_[count_++] = {feature, cylinder.facing_cap(n) + side * cylinder.radius * across};
      ++feature;
    }
  }
}

}  // namespace scree

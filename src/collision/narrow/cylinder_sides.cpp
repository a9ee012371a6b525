#include "collision/narrow/cylinder_sides.hpp"

#include <cmath>

namespace scree {

RimPoints::RimPoints(const PlacedCylinder& cylinder, const Vec3& n) {
  constexpr double kAcross = 0.7;  // cosine of a cap that is nearly across n [-]
  constexpr double kFlat = 1e-9;   // sine of a cap that has no lowest point for rounding [-]
  const double along = dot(n, cylinder.axis);
  const Vec3 downhill = along * cylinder.axis - n;
  const double sine = norm(downhill);
  if (sine > kFlat)
    for (const int end : {0, 1})
      points_[count_++] = {
          static_cast<std::uint32_t>(end),
          cylinder.centre +
              (end == 0 ? -cylinder.half_length : cylinder.half_length) * cylinder.axis +
              cylinder.radius / sine * downhill};
  if (std::abs(along) < kAcross) return;
  std::uint32_t feature = along > 0 ? 2 : 6;
  for (const Vec3& across : cylinder.across)
    for (const double side : {-cylinder.radius, cylinder.radius})
      points_[count_++] = {feature++, cylinder.facing_cap(n) + side * across};
}

}  // namespace scree

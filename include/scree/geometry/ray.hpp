/// Rays against shapes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/geometry/shape.hpp"

namespace scree {

struct Ray {
  Vec3 origin;     ///< [m]
  Vec3 direction;  ///< unit
};

/// True if a ray meets the box from low to high nearer than `within`; rounding errs towards true.
inline bool meets_box(const Ray& ray, const Vec3& low, const Vec3& high, double within) {
  constexpr double kRoundUp = 1 + 1e-14;
  double from = 0, to = within;
  for (int k = 0; k < 3; ++k) {
    const double x = ray.origin[k], speed = ray.direction[k];
    if (speed == 0) {
      if (x < low[k] || x > high[k]) return false;
      continue;
    }
    const double at_low = (low[k] - x) / speed, at_high = (high[k] - x) / speed;
    from = std::max(from, std::min(at_low, at_high));
    to = std::min(to, std::max(at_low, at_high) * kRoundUp);
  }
  return from <= to;
}

/// First point of a surface that a ray meets from outside.
struct RayHit {
  /// from the origin [m]; infinite: the ray misses
  double distance = std::numeric_limits<double>::infinity();
  Vec3 normal;  ///< unit, outward; of a two-sided surface, towards the origin
  bool is_there() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// Hit of a ray on a shape in its own frame. A solid that contains the origin is not seen, nor is
/// the back of a one-sided mesh.
RayHit cast_ray(const Ray& ray, const Shape& shape);
/// The same for a shape at `pose`; ray and normal in the inertial frame.
RayHit cast_ray(const Ray& ray, const Shape& shape, const Pose& pose);

}  // namespace scree

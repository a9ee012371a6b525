/// Search for a direction at which a tangential residual vanishes: Levenberg–Marquardt on the unit
/// sphere.
#pragma once

#include <algorithm>
#include <cmath>

#include "scree/math/vec3.hpp"

namespace scree {

/// Two unit vectors orthogonal to n and to each other.
struct Tangents {
  Vec3 first, second;

  explicit Tangents(const Vec3& n) {
    // Duff et al. 2017: no branch except the sign, exact to rounding.
    const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    first = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    second = {b, sign + n.y * n.y * a, -n.y};
  }
};

/// Direction, searched from m, where residual(m) has no component orthogonal to normal(m). The
/// residual's length must be of order one. Returns the best direction found.
template <class Residual>
Vec3 stationary_direction(Vec3 m, const Residual& residual) {
  constexpr int kMaxSteps = 40;
  constexpr double kStep = 1e-6, kTolerance = 1e-15, kMinDamping = 1e-12, kMaxDamping = 1e6;
  double damping = 1e-6;
  Vec3 r = residual(m);
  for (int step = 0; step < kMaxSteps && squared_norm(r) > kTolerance * kTolerance; ++step) {
    const Tangents t(m);
    const auto moved = [&](double x, double y) {
      const Vec3 to = m + x * t.first + y * t.second;
      return to / norm(to);
    };
    const Vec3 dx = (residual(moved(kStep, 0)) - residual(moved(-kStep, 0))) / (2 * kStep),
               dy = (residual(moved(0, kStep)) - residual(moved(0, -kStep))) / (2 * kStep);
    const double xx = dot(dx, dx), xy = dot(dx, dy), yy = dot(dy, dy), bx = -dot(dx, r),
                 by = -dot(dy, r), trace = xx + yy;
    bool better = false;
    for (; !better && damping <= kMaxDamping; damping *= 10) {
      const double a = xx + damping * trace, d = yy + damping * trace, det = a * d - xy * xy;
      if (!(det > 0)) continue;
      const Vec3 to = moved((d * bx - xy * by) / det, (a * by - xy * bx) / det);
      const Vec3 r_to = residual(to);
      if (squared_norm(r_to) < squared_norm(r)) {
        m = to;
        r = r_to;
        better = true;
      }
    }
    if (!better) break;
    damping = std::max(1e-3 * damping, kMinDamping);
  }
  return m;
}

}  // namespace scree

#include "laws/tresca.hpp"

#include "scree/math/trigonometric.hpp"

namespace scree {
namespace {

/// Minimum of ½ xᵀAx + bᵀx over |x| ≤ limit, A = W_tt: x = −(A + λ 1)⁻¹b with λ ≥ 0. Newton's
/// method finds λ from 1/|x| = 1/limit; 1/|x| is concave in λ, so λ is approached from one side.
Direction min_in_disc(const SymMat3& W, const Direction& b, double limit) {
  if (!(limit > 0)) return {0, 0};
  double lambda = 0;
  Direction x;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double yy = W.yy + lambda, zz = W.zz + lambda, det = yy * zz - W.yz * W.yz;
    x = {(W.yz * b.s - zz * b.c) / det, (W.yz * b.c - yy * b.s) / det};
    const double length = std::hypot(x.c, x.s);
    if (length <= limit * (1 + 1e-15)) break;
    // d|x|/dλ = −xᵀ(A + λ 1)⁻¹x / |x|
    const double fall = (zz * x.c * x.c - 2 * W.yz * x.c * x.s + yy * x.s * x.s) / (det * length);
    const double step = (length / limit - 1) * length / fall;
    if (!(lambda + step > lambda)) break;
    lambda += step;
  }
  const double length = std::hypot(x.c, x.s);
  return length > limit ? Direction{x.c * limit / length, x.s * limit / length} : x;
}

}  // namespace

Vec3 tresca_friction(const SymMat3& W, const Vec3& q, double r_n, double limit) {
  const Direction free = min_in_disc(W, {q.y + W.xy * r_n, q.z + W.xz * r_n}, limit);
  return {r_n, free.c, free.s};
}

Vec3 tresca_impulse(const SymMat3& W, const Vec3& q, double r_n, double limit, bool& held_back) {
  const Direction b{q.y + W.xy * r_n, q.z + W.xz * r_n};
  const Direction free = min_in_disc(W, b, limit);
  const double open = q.x + W.xx * r_n;  // u_n without friction
  const double coupling = std::hypot(W.xy, W.xz);
  const double rounding = 1e-14 * (std::abs(q.x) + W.xx * r_n + coupling * limit);
  if (open + W.xy * free.c + W.xz * free.s >= -rounding) return {r_n, free.c, free.s};
  held_back = true;
  // Minimise along the chord u_n = 0 of the disc, whose direction is J w.
  const Direction toward{W.xy / coupling, W.xz / coupling}, along{-toward.s, toward.c};
  const double depth = std::clamp(-open / coupling, -limit, limit),
               half = std::sqrt(std::max(0.0, limit * limit - depth * depth));
  const Direction foot{depth * toward.c, depth * toward.s};
  const double slope = along.c * (W.yy * foot.c + W.yz * foot.s + b.c) +
                       along.s * (W.yz * foot.c + W.zz * foot.s + b.s);
  const double stiffness =
      W.yy * along.c * along.c + 2 * W.yz * along.c * along.s + W.zz * along.s * along.s;
  const double position = std::clamp(-slope / stiffness, -half, half);
  return {r_n, foot.c + position * along.c, foot.s + position * along.s};
}

}  // namespace scree

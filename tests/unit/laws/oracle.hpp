/// Random contacts of every class, and their solutions by brute force: dense scans of directions
/// refined by bisection, in extended precision. No polynomial, no root formula, nothing of what is
/// tested.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "scree/laws/contact_law.hpp"
#include "scree/math/random.hpp"

namespace scree::test {

using Real = long double;
inline constexpr Real kPi = std::numbers::pi_v<Real>;

struct Problem {
  SymMat3 W;
  Vec3 q;
  double mu;
};

/// R diag(λ) Rᵀ, λ spread over `condition` by powers, R from random directions.
inline SymMat3 random_block(RandomStream& random, double condition) {
  Quaternion turn{random.normal(), random.normal(), random.normal(), random.normal()};
  const double size =
      std::sqrt(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  turn = {turn.w / size, turn.x / size, turn.y / size, turn.z / size};
  double power[3] = {0, 1, random.uniform()};
  std::swap(power[0], power[random.next_bits() % 3]);
  return rotated_diagonal(turn, {std::pow(condition, -power[0]), std::pow(condition, -power[1]),
                                 std::pow(condition, -power[2])});
}

enum class Kind {
  well_conditioned,
  ill_conditioned,     ///< 1e4 to 1e6
  high_friction,       ///< μ to 100
  strongly_coupled,    ///< Painlevé number 0.9 to 0.999
  near_parabolic,      ///< within 1e-3 to 1e-9 of 1
  parabolic,           ///< 1 to rounding
  hyperbolic,          ///< 1.001 to 10
  no_normal_velocity,  ///< q_n = 0, hyperbolic
  frictionless,        ///< μ = 0
};
inline constexpr Kind kAllKinds[] = {
    Kind::well_conditioned, Kind::ill_conditioned,    Kind::high_friction,
    Kind::strongly_coupled, Kind::near_parabolic,     Kind::parabolic,
    Kind::hyperbolic,       Kind::no_normal_velocity, Kind::frictionless};
inline std::string name(Kind kind) {
  static const char* const names[] = {"well_conditioned", "ill_conditioned",    "high_friction",
                                      "strongly_coupled", "near_parabolic",     "parabolic",
                                      "hyperbolic",       "no_normal_velocity", "frictionless"};
  return names[static_cast<int>(kind)];
}

inline Problem random_problem(Kind kind, RandomStream& random) {
  const bool ill = kind == Kind::ill_conditioned;
  Problem p{random_block(random, ill ? std::pow(10, random.uniform(4, 6))
                                     : std::pow(10, random.uniform(0, 2))),
            {-std::abs(random.normal()), random.normal(), random.normal()},
            random.uniform(0, 1.5)};
  const double coupling = std::hypot(p.W.xy, p.W.xz);
  const auto couple = [&](double painleve) { p.mu = painleve * p.W.xx / coupling; };
  switch (kind) {
    case Kind::well_conditioned:
    case Kind::ill_conditioned:
      break;
    case Kind::high_friction:
      p.mu = std::pow(10, random.uniform(0, 2));
      break;
    case Kind::strongly_coupled:
      couple(random.uniform(0.9, 0.999));
      break;
    case Kind::near_parabolic:
      couple(1 + (random.uniform() < 0.5 ? -1 : 1) * std::pow(10, random.uniform(-9, -3)));
      break;
    case Kind::parabolic:
      couple(1);
      break;
    case Kind::no_normal_velocity:
      p.q.x = 0;
      [[fallthrough]];
    case Kind::hyperbolic:
      couple(std::pow(10, random.uniform(0.0005, 1)));
      break;
    case Kind::frictionless:
      p.mu = 0;
  }
  return p;
}

struct Real3 {
  Real x = 0, y = 0, z = 0;
};
inline Real dot(const Real3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 rounded(const Real3& a) {
  return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}
inline Real3 apply(const SymMat3& W, const Real3& r, const Vec3& q = {}) {
  return {W.xx * r.x + W.xy * r.y + W.xz * r.z + q.x, W.xy * r.x + W.yy * r.y + W.yz * r.z + q.y,
          W.xz * r.x + W.yz * r.y + W.zz * r.z + q.z};
}
inline Real energy(const Problem& p, const Real3& r) {
  const Real3 q{p.q.x, p.q.y, p.q.z};
  return dot(r, apply(p.W, r)) / 2 + dot(r, q);
}

/// −W⁻¹q by Cramer's rule.
inline Real3 sticking(const Problem& p) {
  const Real a = p.W.xx, b = p.W.xy, c = p.W.xz, d = p.W.yy, e = p.W.yz, f = p.W.zz;
  const Real xx = d * f - e * e, xy = c * e - b * f, xz = b * e - c * d, yy = a * f - c * c,
             yz = b * c - a * e, zz = a * d - b * b;
  const Real det = a * xx + b * xy + c * xz;
  return {-(xx * p.q.x + xy * p.q.y + xz * p.q.z) / det,
          -(xy * p.q.x + yy * p.q.y + yz * p.q.z) / det,
          -(xz * p.q.x + yz * p.q.y + zz * p.q.z) / det};
}
inline bool in_cone(const Real3& r, Real mu) {
  return r.x >= 0 && std::hypot(r.y, r.z) <= mu * r.x;
}

/// Angles from 0 to 2π, spaced evenly and, where the plane u_n = 0 is nearly parallel to the cone's
/// rays or is so, ever closer to those: around the direction against w and the two where W_nn + μ
/// w·e = 0.
inline std::vector<Real> scan_angles(const Problem& p, int samples) {
  std::vector<Real> angles;
  for (int k = 0; k <= samples; ++k) angles.push_back(2 * kPi * k / samples);
  const Real toward = std::atan2(static_cast<Real>(p.W.xz), static_cast<Real>(p.W.xy));
  const Real strength = p.mu * std::hypot(static_cast<Real>(p.W.xy), static_cast<Real>(p.W.xz));
  const Real half = strength > p.W.xx ? std::acos(-p.W.xx / strength) : kPi;
  for (const Real centre : {toward + half, toward - half, toward + kPi})
    for (Real step = 1; step > 1e-17L; step *= 0.9L)
      for (const Real angle : {centre - step, centre + step}) {
        const Real turns = angle / (2 * kPi);
        angles.push_back(2 * kPi * (turns - std::floor(turns)));
      }
  std::ranges::sort(angles);
  return angles;
}

/// Where f goes from positive to negative or back along the scan, by bisection; f must be
/// continuous where it is finite.
template <class F>
std::vector<Real> changes_of_sign(const std::vector<Real>& angles, F&& f) {
  std::vector<Real> found;
  Real last = f(angles[0]);
  for (std::size_t k = 1; k < angles.size(); ++k) {
    const Real next = f(angles[k]);
    if (std::isfinite(last) && std::isfinite(next) && (last > 0) != (next > 0)) {
      Real low = angles[k - 1], high = angles[k];
      for (int iteration = 0; iteration < 70; ++iteration) {
        const Real middle = (low + high) / 2;
        ((f(middle) > 0) == (last > 0) ? low : high) = middle;
      }
      found.push_back((low + high) / 2);
    }
    last = next;
  }
  return found;
}

/// r = ρ (1, μ e) with u_n = 0; x is not a number where there is none with r_n > 0.
inline Real3 on_conic(const Problem& p, Real angle) {
  const Real c = std::cos(angle), s = std::sin(angle);
  const Real rho = -p.q.x / (p.W.xx + p.mu * (p.W.xy * c + p.W.xz * s));
  return {rho > 0 ? rho : std::numeric_limits<Real>::quiet_NaN(), p.mu * rho * c, p.mu * rho * s};
}

/// The lowest of the energy's minima along the conic; how many there are in `minima`.
inline Real3 min_on_conic(const Problem& p, int* minima = nullptr) {
  const auto slope = [&](Real angle) {
    const Real c = std::cos(angle), s = std::sin(angle);
    const Real3 r = on_conic(p, angle), u = apply(p.W, r, p.q);
    const Real plane = p.W.xx + p.mu * (p.W.xy * c + p.W.xz * s);
    const Real change = -p.mu * (-p.W.xy * s + p.W.xz * c) / plane;  // (dρ/dα)/ρ
    return u.y * (change * r.y - r.z) + u.z * (change * r.z + r.y) + u.x * change * r.x;
  };
  Real3 best;
  Real min_value = std::numeric_limits<Real>::infinity();
  const auto stationary = changes_of_sign(scan_angles(p, 2000), slope);
  for (const Real angle : stationary)
    if (const Real3 r = on_conic(p, angle); energy(p, r) < min_value)
      min_value = energy(p, r), best = r;
  if (minima) *minima = static_cast<int>((stationary.size() + 1) / 2);
  return best;
}

/// q_n = 0: the set is a wedge of the plane u_n = 0 with its tip in the origin.
inline Real3 min_in_wedge(const Problem& p) {
  const Real toward = std::atan2(static_cast<Real>(p.W.xz), static_cast<Real>(p.W.xy));
  const Real strength = p.mu * std::hypot(static_cast<Real>(p.W.xy), static_cast<Real>(p.W.xz));
  if (p.W.xx > strength) return {};
  const Real edge = std::acos(-p.W.xx / strength);
  Real3 best;
  Real min_value = 0;
  for (int k = 0; k <= 1000; ++k) {
    const Real angle = toward + edge + (2 * kPi - 2 * edge) * k / 1000, c = std::cos(angle),
               s = std::sin(angle);
    const Real3 ray{-(p.W.xy * c + p.W.xz * s) / p.W.xx, c, s};
    const Real length =
        std::max<Real>(0, -dot(ray, {p.q.x, p.q.y, p.q.z}) / dot(ray, apply(p.W, ray)));
    const Real3 r{length * ray.x, length * ray.y, length * ray.z};
    if (const Real e = energy(p, r); e < min_value) min_value = e, best = r;
  }
  return best;
}

inline Real3 max_dissipation_by_force(const Problem& p) {
  if (p.q.x > 0) return {};
  if (const Real3 r = sticking(p); in_cone(r, p.mu)) return r;
  if (p.mu == 0) return {-p.q.x / static_cast<Real>(p.W.xx), 0, 0};
  return p.q.x == 0 ? min_in_wedge(p) : min_on_conic(p);
}

inline Real3 cone_complementarity_by_force(const Problem& p) {
  if (const Real3 r = sticking(p); in_cone(r, p.mu)) return r;
  const auto best_along = [&](Real angle) -> Real3 {
    const Real3 ray{1, p.mu * std::cos(angle), p.mu * std::sin(angle)};
    const Real length =
        std::max<Real>(0, -dot(ray, {p.q.x, p.q.y, p.q.z}) / dot(ray, apply(p.W, ray)));
    return {length, length * ray.y, length * ray.z};
  };
  const auto slope = [&](Real angle) {
    const Real3 r = best_along(angle), u = apply(p.W, r, p.q);
    return r.x > 0 ? u.z * r.y - u.y * r.z : std::numeric_limits<Real>::quiet_NaN();
  };
  Real3 best;
  Real min_value = 0;
  if (p.mu == 0) return best_along(0);
  for (const Real angle : changes_of_sign(scan_angles(p, 2000), slope))
    if (const Real3 r = best_along(angle); energy(p, r) < min_value)
      min_value = energy(p, r), best = r;
  return best;
}

/// Impulses that slide and obey Coulomb's law, q_n ≠ 0: u_n = 0, slip along −e.
inline std::vector<Real3> coulomb_sliding_by_force(const Problem& p, int samples) {
  const auto across = [&](Real angle) {
    const Real3 r = on_conic(p, angle), u = apply(p.W, r, p.q);
    return std::isfinite(r.x) ? std::cos(angle) * u.z - std::sin(angle) * u.y : r.x;
  };
  std::vector<Real3> found;
  for (const Real angle : changes_of_sign(scan_angles(p, samples), across)) {
    const Real3 r = on_conic(p, angle), u = apply(p.W, r, p.q);
    if (u.y * r.y + u.z * r.z < 0) found.push_back(r);
  }
  return found;
}

}  // namespace scree::test

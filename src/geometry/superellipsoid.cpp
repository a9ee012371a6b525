/// Surface, support points, distance and mass properties of superellipsoids.
#include "geometry/superellipsoid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/stationary_direction.hpp"

namespace scree {
namespace {

/// Power x^e for x ≥ 0.
double power(double x, double e) {
  if (e == 1) return x;
  if (e == 2) return x * x;
  if (e == 0.5) return std::sqrt(x);
  return x > 0 ? std::pow(x, e) : 0;
}
double signed_power(double x, double e) { return std::copysign(power(std::abs(x), e), x); }

double lateral_norm(double x, double y, double l) {
  return power(power(std::abs(x), l) + power(std::abs(y), l), 1 / l);
}

/// Norm whose unit ball is the shape with semi-axes 1.
double gauge(const Superellipsoid& s, const Vec3& m) {
  return lateral_norm(lateral_norm(m.x, m.y, s.lateral), m.z, s.vertical);
}

Vec3 stretched(const Superellipsoid& s, const Vec3& v) {
  return {s.semi_axes.x * v.x, s.semi_axes.y * v.y, s.semi_axes.z * v.z};
}
Vec3 shrunk(const Superellipsoid& s, const Vec3& v) {
  return {v.x / s.semi_axes.x, v.y / s.semi_axes.y, v.z / s.semi_axes.z};
}
Vec3 unit(const Vec3& v) { return v / norm(v); }

/// Gradient of the gauge at m of gauge 1, along the shape's axes.
Vec3 outward(const Superellipsoid& s, const Vec3& m) {
  const double rho = lateral_norm(m.x, m.y, s.lateral);
  const double side = power(rho, s.vertical - 1);
  const auto across = [&](double x) {
    return rho > 0 ? side * signed_power(x / rho, s.lateral - 1) : 0;
  };
  return shrunk(s, {across(m.x), across(m.y), signed_power(m.z, s.vertical - 1)});
}

/// Maximum of hypot(a x, b y) over |x|^l + |y|^l = 1 (Hölder).
double farthest_corner(double a, double b, double l) {
  const double larger = std::max(a, b), other = std::min(a, b) / larger;
  if (l == 2) return larger;
  return larger * power(1 + power(other, 2 * l / (l - 2)), (l - 2) / (2 * l));
}

/// Euler's beta function B(x, y).
double beta(double x, double y) { return std::tgamma(x) * std::tgamma(y) / std::tgamma(x + y); }

}  // namespace

SurfacePoint surface_point(const Superellipsoid& s, const Vec3& m) {
  const Vec3 on_unit = m / gauge(s, m);
  return {stretched(s, on_unit), unit(outward(s, on_unit))};
}

Vec3 support_point(const Superellipsoid& s, const Vec3& n) {
  // Hölder: the dual of an l-norm is that of the exponent l / (l − 1).
  const double l = 1 / (s.lateral - 1), v = 1 / (s.vertical - 1);  // dual exponents minus 1
  const Vec3 d = stretched(s, n);
  const double t = lateral_norm(d.x, d.y, l + 1), all = lateral_norm(t, d.z, v + 1);
  if (all == 0) return {0, 0, s.semi_axes.z};
  const double side = power(t / all, v);
  const auto across = [&](double x) { return t > 0 ? side * signed_power(x / t, l) : 0; };
  return stretched(s, {across(d.x), across(d.y), signed_power(d.z / all, v)});
}

Gauge gauge_at(const Superellipsoid& s, const Vec3& point) {
  const Vec3 m = shrunk(s, point);
  const double value = gauge(s, m);
  return {value, value > 0 ? outward(s, m / value) : Vec3{}};
}

Vec3 parameter_of_normal(const Superellipsoid& s, const Vec3& n) {
  return unit(shrunk(s, support_point(s, n)));
}

double bounding_radius_of(const Superellipsoid& s) {
  const auto [a, b, c] = s.semi_axes;
  return farthest_corner(farthest_corner(a, b, s.lateral), c, s.vertical);
}

SurfacePoint stationary_point(const Superellipsoid& s, const Vec3& point, const Vec3& m) {
  const double size = std::max({s.semi_axes.x, s.semi_axes.y, s.semi_axes.z});
  const auto residual = [&](const Vec3& direction) {
    const auto [on_surface, n] = surface_point(s, direction);
    const Vec3 displacement = point - on_surface;
    return (displacement - dot(n, displacement) * n) / size;
  };
  return surface_point(s, stationary_direction(m, residual));
}

SurfaceDistance signed_distance(const Superellipsoid& s, const Vec3& point) {
  const Vec3 scaled = shrunk(s, point);
  // From outside, the normal to the surface is unique. From inside there are several: the shortest
  // is searched from the point's own direction and along the axes.
  const double depth = gauge(s, scaled);
  std::array<Vec3, 4> starts;
  std::size_t count = 0;
  if (depth > 0) {
    starts[count++] = unit(scaled);
    if (depth > 1) starts[0] = parameter_of_normal(s, unit(outward(s, scaled / depth)));
  }
  if (depth < 1)
    for (int k = 0; k < 3; ++k) {
      Vec3 axis;
      axis[k] = std::copysign(1.0, point[k]);
      starts[count++] = axis;
    }
  SurfaceDistance best{-std::numeric_limits<double>::infinity(), {}};
  for (std::size_t k = 0; k < count; ++k) {
    const SurfacePoint found = stationary_point(s, point, starts[k]);
    const double distance = dot(found.normal, point - found.point);
    if (distance > best.distance) best = {distance, found.normal};
  }
  return best;
}

VolumeProperties volume_properties(const Superellipsoid& s) {
  const auto [a, b, c] = s.semi_axes;
  if (s.lateral == 2 && s.vertical == 2) {
    const double volume = 4 * std::numbers::pi / 3 * a * b * c;
    return {volume, volume / 5 * Vec3{b * b + c * c, c * c + a * a, a * a + b * b}, {}};
  }
  // Jaklič, Leonardis and Solina, Segmentation and Recovery of Superquadrics, 2000, chapter 2.
  const double e1 = 2 / s.vertical, e2 = 2 / s.lateral, scale = a * b * c * e1 * e2;
  const double volume = 2 * scale * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2);
  const double lateral = scale / 2 * beta(1.5 * e2, e2 / 2) * beta(e1 / 2, 2 * e1 + 1);
  const double vertical = 2 * scale * beta(e2 / 2, e2 / 2 + 1) * beta(1.5 * e1, e1 + 1);
  const double xx = a * a * lateral, yy = b * b * lateral, zz = c * c * vertical;
  return {volume, {yy + zz, zz + xx, xx + yy}, {}};
}

}  // namespace scree

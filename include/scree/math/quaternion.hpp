/// Unit quaternions for orientations: body frame to inertial frame.
#pragma once

#include "scree/math/vec3.hpp"

namespace scree {

struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
  constexpr bool operator==(const Quaternion&) const = default;
};

constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
constexpr Quaternion conjugate(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline double norm(const Quaternion& q) {
  return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
inline Quaternion normalised(const Quaternion& q) {
  const double s = 1 / norm(q);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// R(q) v: vector v of the body frame, seen from the inertial frame. q has unit length.
constexpr Vec3 rotate(const Quaternion& q, const Vec3& v) {
  const Vec3 axis{q.x, q.y, q.z};
  const Vec3 t = 2 * cross(axis, v);
  return v + q.w * t + cross(axis, t);
}
constexpr Vec3 rotate_back(const Quaternion& q, const Vec3& v) { return rotate(conjugate(q), v); }

/// Rotation by `angle` [rad] about `axis` (any length but 0).
inline Quaternion rotation(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2) / norm(axis);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/// Rotation as axis times angle [rad], with an angle of at most π.
inline Vec3 rotation_vector(const Quaternion& q) {
  const double sign = q.w < 0 ? -1 : 1;
  const Vec3 axis = sign * Vec3{q.x, q.y, q.z};
  const double sine = norm(axis);
  // 2 asin(s)/s is 2 where s vanishes.
  return sine > 1e-100 ? 2 * std::atan2(sine, sign * q.w) / sine * axis : 2 * axis;
}

/// Orientation after rotating for a time h by exactly h ω, with ω in the inertial frame [rad/s].
inline Quaternion rotate_exactly(const Quaternion& q, const Vec3& angular_velocity, double h) {
  const double angle = h * norm(angular_velocity);
  return angle > 0 ? normalised(rotation(angular_velocity, angle) * q) : q;
}

/// Shortest rotation that takes unit vector a to unit vector b.
Quaternion rotation_between(const Vec3& a, const Vec3& b);

}  // namespace scree

/// Symmetric 3×3 blocks: Delassus operators and tensors of inertia.
#pragma once

#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Entries named by the contact frame: x is the normal n, y and z are the tangents t1 and t2.
struct SymMat3 {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  constexpr double trace() const { return xx + yy + zz; }
  constexpr bool operator==(const SymMat3&) const = default;
};

constexpr SymMat3 diagonal(double x, double y, double z) { return {x, 0, 0, y, 0, z}; }
constexpr Vec3 operator*(const SymMat3& m, const Vec3& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
constexpr double determinant(const SymMat3& m) {
  return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) +
         m.xz * (m.xy * m.yz - m.yy * m.xz);
}

/// Solves m x = b for symmetric positive definite m by LDLᵀ; false if a pivot is not positive.
constexpr bool solve_positive_definite(const SymMat3& m, const Vec3& b, Vec3& x) {
  const double d1 = m.xx;
  const double l21 = m.xy / d1, l31 = m.xz / d1;
  const double d2 = m.yy - l21 * m.xy;
  const double c32 = m.yz - l31 * m.xy;
  const double l32 = c32 / d2;
  const double d3 = m.zz - l31 * m.xz - l32 * c32;
  if (!(d1 > 0 && d2 > 0 && d3 > 0)) return false;
  const double y2 = b.y - l21 * b.x, y3 = b.z - l31 * b.x - l32 * y2;
  x.z = y3 / d3;
  x.y = y2 / d2 - l32 * x.z;
  x.x = b.x / d1 - l21 * x.y - l31 * x.z;
  return true;
}

/// R diag(principal) Rᵀ with R the rotation of q: a body's inertia tensor in the inertial frame.
constexpr SymMat3 rotated_diagonal(const Quaternion& q, const Vec3& principal) {
  const Vec3 a = rotate(q, {1, 0, 0}), b = rotate(q, {0, 1, 0}), c = rotate(q, {0, 0, 1});
  const auto entry = [&](int i, int j) {
    return principal.x * a[i] * a[j] + principal.y * b[i] * b[j] + principal.z * c[i] * c[j];
  };
  return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
}

}  // namespace scree

/// Functions of one block that vanish if (u, r) obeys its law, with their derivatives: F, ∂F/∂u,
/// ∂F/∂r. There are those of Alart and Curnier [AlartCurnier91], and of Fischer and Burmeister for
/// cones [FukushimaLuoTseng02].
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "laws/single_contact.hpp"
#include "scree/laws/impact_dissipation.hpp"
#include "scree/solvers/friction_contact_problem.hpp"
#include "solvers/methods/newton.hpp"
#include "solvers/operators/cones.hpp"

namespace scree {

struct Linearisation {
  bool open = false;  ///< True if r = 0 solves the block at its present u − W r; then F = r
  Eigen::Vector3d F = Eigen::Vector3d::Zero();
  Eigen::Matrix3d by_u = Eigen::Matrix3d::Zero(), by_r = Eigen::Matrix3d::Zero();
};

inline Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Alart and Curnier: F_n = r_n − [r_n − ρ u_n]₊,  F_t = r_t − P_D(r_t − ρ u_t), D the disc of
/// radius μ [r_n − ρ u_n]₊; over ρ [m/s].
inline Linearisation alart_curnier(const Coulomb& law, const SymMat3& W, const Vec3& u,
                                   const Vec3& r) {
  const double rho = natural_map_step(W), over = 1 / rho;
  Linearisation l;
  const double zn = r.x - rho * u.x;
  if (!(zn > 0)) {
    l.open = true;
    return l;
  }
  const double z1 = r.y - rho * u.y, z2 = r.z - rho * u.z, zt = std::hypot(z1, z2),
               radius = law.mu * zn;
  l.by_r.setZero();
  l.by_u.setIdentity();
  if (zt <= radius) {
    l.F = eigen(u);
    return l;
  }
  const double d1 = z1 / zt, d2 = z2 / zt, s = radius / zt;
  Eigen::Matrix2d P;  // derivative of the direction, times the radius
  P << s * (1 - d1 * d1), -s * d1 * d2, -s * d1 * d2, s * (1 - d2 * d2);
  const Eigen::Vector2d d{d1, d2};
  l.F << u.x, over * (r.y - radius * d1), over * (r.z - radius * d2);
  l.by_u.bottomRightCorner<2, 2>() = P;
  l.by_u.bottomLeftCorner<2, 1>() = law.mu * d;
  l.by_r.bottomRightCorner<2, 2>() = over * (Eigen::Matrix2d::Identity() - P);
  l.by_r.bottomLeftCorner<2, 1>() = -over * law.mu * d;
  return l;
}

inline Linearisation alart_curnier(const Frictionless&, const SymMat3& W, const Vec3& u,
                                   const Vec3& r) {
  const double rho = natural_map_step(W);
  Linearisation l;
  if (!(r.x - rho * u.x > 0)) {
    l.open = true;
    return l;
  }
  l.F << u.x, r.y / rho, r.z / rho;
  l.by_u.setZero();
  l.by_u(0, 0) = 1;
  l.by_r.setIdentity();
  l.by_r /= rho;
  l.by_r(0, 0) = 0;
  return l;
}

/// The natural map r − P_K(r − ρ u) over ρ [m/s].
inline Linearisation alart_curnier(const ConeComplementarity& law, const SymMat3& W, const Vec3& u,
                                   const Vec3& r) {
  const double rho = natural_map_step(W), over = 1 / rho, mu = law.mu;
  const Vec3 z = r - rho * u;
  const double t = tangential_norm(z);
  Linearisation l;
  if (mu * t <= -z.x) {
    l.open = true;
    return l;
  }
  l.by_u.setIdentity();
  l.by_r.setZero();
  if (t <= mu * z.x) {
    l.F = eigen(u);
    return l;
  }
  // P(z) = (c, μ c d), c = (z_n + μ t)/(1 + μ²)
  const double c = (z.x + mu * t) / (1 + mu * mu), d1 = z.y / t, d2 = z.z / t, s = mu * c / t,
               a = 1 / (1 + mu * mu);
  const Eigen::Vector3d ray{1, mu * d1, mu * d2};
  Eigen::Matrix3d P = a * ray * ray.transpose();
  P.bottomRightCorner<2, 2>() +=
      s * (Eigen::Matrix2d() << 1 - d1 * d1, -d1 * d2, -d1 * d2, 1 - d2 * d2).finished();
  l.F = over * (eigen(r) - c * ray);
  l.by_u = P;
  l.by_r = over * (Eigen::Matrix3d::Identity() - P);
  return l;
}

/// Map for all other laws: r − S(u − W r) with S the law's solution of one contact, derivatives by
/// differences; over ρ [m/s].
template <class Law>
Linearisation alart_curnier(const Law& law, const SymMat3& W, const Vec3& u, const Vec3& r) {
  const double over = 1 / natural_map_step(W);
  const Vec3 q = u - W * r;
  Vec3 x = r;
  law.solve(W, q, x);
  Linearisation l;
  if (x == Vec3{}) {
    l.open = true;
    return l;
  }
  Eigen::Matrix3d S;
  const double step = 1e-7 * (norm(q) + W.trace() * norm(r));
  for (int k = 0; k < 3; ++k) {
    Vec3 moved = q, y = x;
    moved[k] += step;
    law.solve(W, moved, y);
    S.col(k) = eigen(y - x) / step;
  }
  Eigen::Matrix3d full;
  full << W.xx, W.xy, W.xz, W.xy, W.yy, W.yz, W.xz, W.yz, W.zz;
  l.F = over * eigen(r - x);
  l.by_u = -over * S;
  l.by_r = over * (Eigen::Matrix3d::Identity() + S * full);
  return l;
}

/// That of the law that acts.
inline Linearisation alart_curnier(const ImpactDissipation& law, const SymMat3& W, const Vec3& u,
                                   const Vec3& r) {
  return law.maximises(W, u - W * r) ? alart_curnier(MaxDissipation{law.mu}, W, u, r)
                                     : alart_curnier(Coulomb{law.mu}, W, u, r);
}

/// Fischer and Burmeister: x + z − (x∘x + z∘z)^½ of the second-order cone, x = P r / ρ, z = P⁻¹ û,
/// P = diag(μ, 1, 1); zero iff x and z are in the cone and x·z = 0 [m/s]. û = u + μ|u_t| n where
/// `shifted`.
inline Linearisation fischer_burmeister(double mu, bool shifted, const SymMat3& W, const Vec3& u,
                                        const Vec3& r) {
  using Eigen::Matrix3d, Eigen::Vector3d;
  const double rho = natural_map_step(W);
  Vector3d x = eigen(r) / rho, z = eigen(u);
  Matrix3d dx = Matrix3d::Identity() / rho, dz = Matrix3d::Identity();
  Linearisation l;
  if (mu == 0) {  // the half-line of the normal; no friction
    const double root = std::hypot(x[0], z[0]);
    l.F << x[0] + z[0] - root, x[1], x[2];
    l.by_r = dx;
    const double cx = root > 0 ? x[0] / root : 0.7, cz = root > 0 ? z[0] / root : 0.7;
    l.by_r(0, 0) *= 1 - cx;
    l.by_u.setZero();
    l.by_u(0, 0) = 1 - cz;
    return l;
  }
  const double slip = z.tail<2>().norm();
  if (shifted) {
    z[0] += mu * slip;
    if (slip > 0) dz.topRightCorner<1, 2>() = mu * z.tail<2>().transpose() / slip;
  }
  x[0] *= mu;
  dx.row(0) *= mu;
  z[0] /= mu;
  dz.row(0) /= mu;
  const auto arrow = [](const Vector3d& v) {
    Matrix3d L = v[0] * Matrix3d::Identity();
    L.row(0) = v.transpose();
    L.col(0) = v;
    return L;
  };
  const Vector3d square = arrow(x) * x + arrow(z) * z;
  const double tail = square.tail<2>().norm(), high = std::sqrt(square[0] + tail);
  // On the border of the cone the root has no derivative: take that of a point near it.
  const double low = std::sqrt(std::max(square[0] - tail, 1e-24 * (square[0] + tail)));
  Vector3d root(0.5 * (high + low), 0, 0);
  if (tail > 0) root.tail<2>() = 0.5 * (high - low) / tail * square.tail<2>();
  l.F = x + z - root;
  if (!(high > 0)) {
    l.by_r = dx;
    l.by_u = dz;
    return l;
  }
  const Matrix3d inverse = arrow(root).inverse();
  l.by_r = (Matrix3d::Identity() - inverse * arrow(x)) * dx;
  l.by_u = (Matrix3d::Identity() - inverse * arrow(z)) * dz;
  return l;
}

template <class Law>
Linearisation linearise(NewtonFunction function, const Law& law, const SymMat3& W, const Vec3& u,
                        const Vec3& r) {
  if constexpr (is_round_cone<Law>()) {
    if (function == NewtonFunction::fischer_burmeister)
      return fischer_burmeister(law.mu, is_shifted_cone<Law>(), W, u, r);
  } else if constexpr (Law::traits.is_projection_on_round_cone()) {
    if (function == NewtonFunction::fischer_burmeister)
      return fischer_burmeister(0, false, W, u, r);
  }
  return alart_curnier(law, W, u, r);
}

}  // namespace scree

/// Motions, forces and inertias of rigid bodies about one fixed point.
#pragma once

#include "scree/math/sym_mat3.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Angular part, and linear part at the reference point.
struct SpatialMotion {
  Vec3 angular, linear;

  SpatialMotion& operator+=(const SpatialMotion& other) {
    angular += other.angular;
    linear += other.linear;
    return *this;
  }
};
inline SpatialMotion operator+(SpatialMotion a, const SpatialMotion& b) { return a += b; }
inline SpatialMotion operator*(double s, const SpatialMotion& m) {
  return {s * m.angular, s * m.linear};
}
/// Rate of a motion that is carried by another.
inline SpatialMotion cross(const SpatialMotion& by, const SpatialMotion& m) {
  return {cross(by.angular, m.angular), cross(by.angular, m.linear) + cross(by.linear, m.angular)};
}

/// Torque about the reference point, and force.
struct SpatialForce {
  Vec3 torque, force;

  SpatialForce& operator+=(const SpatialForce& other) {
    torque += other.torque;
    force += other.force;
    return *this;
  }
};
inline SpatialForce operator+(SpatialForce a, const SpatialForce& b) { return a += b; }
/// Rate of a momentum that is carried by a motion.
inline SpatialForce cross(const SpatialMotion& by, const SpatialForce& f) {
  return {cross(by.angular, f.torque) + cross(by.linear, f.force), cross(by.angular, f.force)};
}
inline double dot(const SpatialMotion& m, const SpatialForce& f) {
  return dot(m.angular, f.torque) + dot(m.linear, f.force);
}

struct SpatialInertia {
  double mass = 0;  ///< [kg]
  Vec3 moment;      ///< mass times centre [kg m]
  SymMat3 tensor;   ///< about the reference point [kg m²]

  SpatialInertia& operator+=(const SpatialInertia& other) {
    mass += other.mass;
    moment += other.moment;
    SymMat3& t = tensor;
    const SymMat3& o = other.tensor;
    t = {t.xx + o.xx, t.xy + o.xy, t.xz + o.xz, t.yy + o.yy, t.yz + o.yz, t.zz + o.zz};
    return *this;
  }
};
/// Momentum of a motion.
inline SpatialForce operator*(const SpatialInertia& inertia, const SpatialMotion& m) {
  return {inertia.tensor * m.angular + cross(inertia.moment, m.linear),
          inertia.mass * m.linear + cross(m.angular, inertia.moment)};
}
/// Inertia of a body with this tensor about its centre.
inline SpatialInertia inertia_about(double mass, const Vec3& c, const SymMat3& about_centre) {
  SpatialInertia inertia{mass, mass * c, about_centre};
  inertia += {0,
              {},
              {mass * (c.y * c.y + c.z * c.z), -mass * c.x * c.y, -mass * c.x * c.z,
               mass * (c.x * c.x + c.z * c.z), -mass * c.y * c.z, mass * (c.x * c.x + c.y * c.y)}};
  return inertia;
}

}  // namespace scree

/// Force and torque on a rigid body.
#pragma once

#include "scree/math/vec3.hpp"

namespace scree {

/// Wrench in the inertial frame.
struct Wrench {
  Vec3 force;   ///< [N]
  Vec3 torque;  ///< [N m]
  constexpr bool operator==(const Wrench&) const = default;
  constexpr Wrench& operator+=(const Wrench& other) {
    force += other.force;
    torque += other.torque;
    return *this;
  }
};

}  // namespace scree

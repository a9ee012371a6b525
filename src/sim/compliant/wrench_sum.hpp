/// Sums of forces and of their torques.
#pragma once

#include "scree/core/exact_sum.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Sum over contacts, bit for bit independent of their order.
class WrenchSum {
 public:
  /// `arm` goes from the reference point of torques to the point of the force.
  void add(const Vec3& force, const Vec3& arm, const Vec3& couple) {
    const Vec3 torque = cross(arm, force) + couple;
    for (int axis = 0; axis < 3; ++axis) {
      force_[axis].add(force[axis]);
      torque_[axis].add(torque[axis]);
    }
  }
  WrenchSum& operator+=(const WrenchSum& other) {
    for (int axis = 0; axis < 3; ++axis) {
      force_[axis] += other.force_[axis];
      torque_[axis] += other.torque_[axis];
    }
    return *this;
  }
  void clear() {
    for (int axis = 0; axis < 3; ++axis) {
      force_[axis].clear();
      torque_[axis].clear();
    }
  }
  Wrench value() const {
    return {{force_[0].value(), force_[1].value(), force_[2].value()},
            {torque_[0].value(), torque_[1].value(), torque_[2].value()}};
  }

 private:
  ExactSum force_[3], torque_[3];
};

}  // namespace scree

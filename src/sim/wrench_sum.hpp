/// Forces and their torques, summed up.
#pragma once

#include "scree/core/exact_sum.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Over contacts in any order, to the same bits.
class WrenchSum {
 public:
  /// `arm` goes from the point that torques are about to where the force acts.
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

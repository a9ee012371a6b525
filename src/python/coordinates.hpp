/// Classes of Python for the joints of a simulation.
#pragma once

#include "python/simulations.hpp"
#include "scree/sim/joint_coordinates.hpp"

namespace scree::python {

/// Some free coordinates of a simulation: `count` from `first` on.
struct Coordinates {
  HeldPointer held;
  std::size_t first = 0, count = 0;

  JointCoordinates view() const { return JointCoordinates(held->simulation); }
};

/// All joints.
struct Joints : Coordinates {};

/// One joint, and its free coordinates or one of them.
struct OneJoint : Coordinates {
  std::uint32_t index = 0;  ///< in Model::joints
};

/// Coordinates of trees of bodies, and their equations of motion; members of Joints.
void bind_joint_trees(pybind11::class_<Joints>& joints);

}  // namespace scree::python

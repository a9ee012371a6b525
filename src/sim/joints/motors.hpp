/// Motors of free coordinates: those of the model, and changes by users.
#pragma once

#include "scree/sim/joint.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Drive of a free coordinate; one that is free if the joint lists none.
const JointDrive& drive_of(const Joint& joint, std::size_t coordinate);

/// Settings of the motor of a free coordinate, by its index in free_coordinates().
MotorSettings motor_settings(const State& state, const Motor& of_model, std::size_t index);

}  // namespace scree

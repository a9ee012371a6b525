/// Checks of a model and of a state: every number is tested, whatever its source.
#pragma once

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Throws InputError with the name of the first invalid field, its value and what is needed.
void check_model(const Model& model);
/// Throws InputError for an invalid state, or one that does not fit the checked model.
void check_state(const Model& model, const State& state);
/// The part of check_state for sizes and indices: whoever reads a state with its model relies on
/// it.
void check_indices(const Model& model, const State& state);

/// Checks the conditions of step.sleep for a model, and the sleeping bodies of a state; called by
/// these two.
void check_sleep(const Model& model);
void check_sleep(const State& state);

/// True if a shape is a superellipsoid, or has one as a part.
bool has_superellipsoid(const Shape& shape);

// Checks joints; called by these two.
void check_joints(const Model& model);
/// Checks that their bodies exist, and that they are closed at the start.
void check_joints(const Model& model, const State& state);
/// Coordinate of a checked joint at the start [m] or [rad].
double coordinate_at_start(const Model& model, const State& state, const GearEnd& coordinate);
/// All checks of these two for one joint.
void check_joint(const Model& model, const State& state, std::size_t joint);

// Checks of changes between steps: they throw InputError as above.
/// Checks all of a body except its id, as `body.radius` and so on.
void check_body(const Model& model, const Body& body);
/// Checks that one more body can be stored, and has an id.
void check_room(const State& state);
/// Checks the total wrench on a body, and its increments of the velocities of the record.
void check_applied(const Wrench& applied, const VelocityIncrement& increment);
void check_point(const Vec3& point);
/// Checks settings that a user gives the motor of a coordinate of a joint.
void check_motor(const Model& model, const FreeCoordinate& coordinate,
                 const MotorSettings& settings);
/// Checks that an obstacle exists.
void check_obstacle(const Model& model, std::uint32_t obstacle);
/// Checks that an obstacle can be moved by hand, with this twist.
void check_obstacle_twist(const Model& model, std::uint32_t obstacle, const Twist& twist);

}  // namespace scree

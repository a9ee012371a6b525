/// Whether a model, and a state of it, can be stepped: each number is looked at, whoever gave it.
#pragma once

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Throws InputError with the name of the first field that cannot be used, what it holds and what
/// is needed.
void check_model(const Model& model);
/// The same for a state, and for whether it belongs to the model, which has been checked.
void check_state(const Model& model, const State& state);

/// What step.sleep asks of a model, and of who sleeps in a state; called by these two.
void check_sleep(const Model& model);
void check_sleep(const State& state);

/// Whether a shape is a superellipsoid, or has one as a part.
bool has_superellipsoid(const Shape& shape);

// Of joints, called by these two.
void check_joints(const Model& model);
/// Whether their bodies are there, and whether they are closed at the start.
void check_joints(const Model& model, const State& state);
/// Of a joint that has been checked, at the start [m] or [rad].
double coordinate_at_start(const Model& model, const State& state, const GearEnd& coordinate);
/// All that these two ask of one joint alone.
void check_joint(const Model& model, const State& state, std::size_t joint);

// What is changed between steps: throw InputError as above.
/// All of a body but its id, as `body.radius` and so on.
void check_body(const Model& model, const Body& body);
/// Whether one more body can be stored, and named.
void check_room(const State& state);
/// What is applied to a body in all, and what it adds to the velocities of its record.
void check_applied(const Wrench& applied, const VelocityIncrement& increment);
void check_point(const Vec3& point);
/// Whether an obstacle is there.
void check_obstacle(const Model& model, std::uint32_t obstacle);
/// Whether it can be moved by hand, and so.
void check_obstacle_twist(const Model& model, std::uint32_t obstacle, const Twist& twist);

}  // namespace scree

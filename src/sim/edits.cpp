/// Changes by hand between steps: bodies, forces, obstacles; and the columns of bodies.
#include <algorithm>
#include <cmath>
#include <string>

#include "scree/core/error.hpp"
#include "sim/checks/check_model.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {

BodyIndex Simulation::Internals::index_of(BodyId id) {
  const std::optional<BodyIndex> index = body_places.find(state.bodies, id);
  if (!index || state.neighbours.has_left(*index))
    throw InputError("there is no body with id " + std::to_string(id.value));
  return *index;
}

void Simulation::Internals::accumulate_work(double work) {
  const double sum = state.ledger.wall_work + work;
  if (!std::isfinite(sum))
    throw InputError("body: its energy exceeds the range of double precision");
  state.ledger.wall_work = sum;
}

/// Springs at points store any energy from a user's change, without a limit.
static void lift_energy_cap(Neighbours& list, BodyIndex body) {
  if (list.force_held.empty()) return;
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    if (list.pairs[p].owner != body && list.pairs[p].other != body) continue;
    for (auto [slot, end] = list.places(p); slot < end; ++slot) list.force_held[slot] = {};
  }
}

template <class T>
void Simulation::Internals::change(BodyId id, T Body::*field, const T& value) {
  const BodyIndex i = index_of(id);
  Bodies& bodies = state.bodies;
  Body changed = bodies[i];
  changed.*field = value;
  check_body(model, changed);
  Bodies alone;
  alone.push_back(changed);
  const Vec3 shift = changed.position - bodies.position[i];
  if (shift != Vec3{} && took_part(i)) centre_before.emplace(i, centre_at_start(i));
  accumulate_work(total_energy(model, alone, 0) - total_energy(model, bodies, i));
  state.sleep.disturb(i);
  lift_energy_cap(state.neighbours, i);
  // The neighbour list lasts while the skin does.
  if (state.neighbours.valid) state.neighbours.skin[i] -= norm(shift);
  bodies.position[i] = changed.position;
  bodies.orientation[i] = changed.orientation;
  bodies.velocity[i] = changed.velocity;
  bodies.angular_velocity[i] = changed.angular_velocity;
}

BodyIndex Simulation::index_of(BodyId id) const { return internals_->index_of(id); }

bool Simulation::has_body(BodyId id) const {
  const std::optional<BodyIndex> index = internals_->body_places.find(internals_->state.bodies, id);
  return index && !internals_->state.neighbours.has_left(*index);
}

Body Simulation::body(BodyId id) const {
  return internals_->state.bodies[internals_->index_of(id)];
}

BodyColumns Simulation::columns() const {
  return {internals_->state, internals_->generation.counter()};
}

void Simulation::Internals::require_no_joint(BodyId id) const {
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    if (state.joints[k].is_absent() || (joint.a.body != id && joint.b.body != id)) continue;
    throw InputError("body " + std::to_string(id.value) + " hangs in the joint '" + joint.name +
                     "' and cannot be moved alone; assign the coordinates of all joints, or use "
                     "forces, velocities or a motor");
  }
}

void Simulation::move_to(BodyId id, const Vec3& position) {
  internals_->require_no_joint(id);
  internals_->change(id, &Body::position, position);
}

void Simulation::turn_to(BodyId id, const Quaternion& orientation) {
  internals_->require_no_joint(id);
  internals_->change(id, &Body::orientation, orientation);
}

void Simulation::change_velocity(BodyId id, const Vec3& velocity) {
  internals_->change(id, &Body::velocity, velocity);
}

void Simulation::change_angular_velocity(BodyId id, const Vec3& angular_velocity) {
  internals_->change(id, &Body::angular_velocity, angular_velocity);
}

BodyId Simulation::add(Body body) {
  State& state = internals_->state;
  check_body(internals_->model, body);
  check_room(state);
  body.id = {state.next_id};
  Bodies alone;
  alone.push_back(body);
  internals_->accumulate_work(total_energy(internals_->model, alone, 0));
  state.bodies.push_back(body);
  if (!state.applied.empty()) state.applied.push_back({});
  ++state.next_id;
  state.neighbours.valid = false;
  internals_->contacts_by_body = {};
  internals_->generation.grow();
  return body.id;
}

void Simulation::remove(BodyId id) {
  State& state = internals_->state;
  const BodyIndex i = internals_->index_of(id);
  internals_->accumulate_work(-total_energy(internals_->model, state.bodies, i));
  state.sleep.disturb(i);
  // The next step removes it from the arrays, like bodies that an outflow deletes.
  state.neighbours.valid = false;
  state.neighbours.skin.resize(state.bodies.size());
  state.neighbours.skin[i] = Neighbours::kLeft;
  if (!state.applied.empty()) state.applied[i] = {};
  internals_->removed_by_hand = true;
  internals_->generation.grow();
}

void Simulation::apply_force(BodyId id, const Vec3& force, const Vec3& torque) {
  const BodyIndex i = internals_->index_of(id);
  AlignedVector<Wrench>& applied = internals_->state.applied;
  Wrench sum = applied.empty() ? Wrench{} : applied[i];
  sum += {force, torque};
  check_applied(sum, increment_of(internals_->context(), i, sum));
  internals_->state.sleep.disturb(i);
  if (applied.empty()) applied.resize(internals_->state.bodies.size());
  applied[i] = sum;
}

void Simulation::apply_force_at(BodyId id, const Vec3& force, const Vec3& point) {
  const Vec3 arm = point - internals_->state.bodies.position[internals_->index_of(id)];
  check_point(point);
  apply_force(id, force, cross(arm, force));
}

std::uint32_t Simulation::obstacle(std::string_view name) const {
  const auto& obstacles = internals_->model.obstacles;
  const auto found = std::ranges::find(obstacles, name, &Obstacle::name);
  if (found == obstacles.end())
    throw InputError("there is no obstacle with the name " + std::string(name));
  if (std::ranges::count(obstacles, name, &Obstacle::name) > 1)
    throw InputError("there are several obstacles with the name " + std::string(name) +
                     "; use an index");
  return static_cast<std::uint32_t>(found - obstacles.begin());
}

const Pose& Simulation::obstacle_pose(std::uint32_t obstacle) const {
  check_obstacle(internals_->model, obstacle);
  return internals_->state.obstacles[obstacle].pose;
}

void Simulation::move_obstacle(std::uint32_t obstacle, const Twist& twist) {
  check_obstacle_twist(internals_->model, obstacle, twist);
  auto& by_hand = internals_->state.moved_by_hand;
  const auto entry = std::ranges::lower_bound(by_hand, obstacle);
  const bool listed = entry != by_hand.end() && *entry == obstacle;
  if (moves(twist) && !listed) by_hand.insert(entry, obstacle);
  if (!moves(twist) && listed) by_hand.erase(entry);
  internals_->state.obstacles[obstacle].twist = twist;
}

}  // namespace scree

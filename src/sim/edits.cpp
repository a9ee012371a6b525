/// What is changed by hand between steps: bodies, forces, parts; and the columns to look at.
#include <algorithm>
#include <cmath>
#include <string>

#include "scree/core/error.hpp"
#include "sim/body_motion.hpp"
#include "sim/check_model.hpp"
#include "sim/simulation_parts.hpp"

namespace scree {

BodyIndex Simulation::Parts::index_of(BodyId id) {
  const std::optional<BodyIndex> index = body_places.find(state.bodies, id);
  if (!index || state.neighbours.has_left(*index))
    throw InputError("there is no body of id " + std::to_string(id.value));
  return *index;
}

void Simulation::Parts::book_work(double work) {
  const double sum = state.ledger.wall_work + work;
  if (!std::isfinite(sum))
    throw InputError("body: its energy is above what double precision can hold");
  state.ledger.wall_work = sum;
}

/// What a hand puts into springs at points is not counted: they may hold what they do.
static void let_springs_hold(Neighbours& list, BodyIndex body) {
  if (list.force_held.empty()) return;
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    if (list.pairs[p].owner != body && list.pairs[p].other != body) continue;
    for (auto [place, end] = list.places(p); place < end; ++place) list.force_held[place] = {};
  }
}

template <class T>
void Simulation::Parts::change(BodyId id, T Body::*field, const T& value) {
  const BodyIndex i = index_of(id);
  Bodies& bodies = state.bodies;
  Body changed = bodies[i];
  changed.*field = value;
  check_body(model, changed);
  Bodies alone;
  alone.push_back(changed);
  const Vec3 shift = changed.position - bodies.position[i];
  if (shift != Vec3{} && took_part(i)) centre_before.emplace(i, centre_at_start(i));
  book_work(total_energy(model, alone, 0) - total_energy(model, bodies, i));
  state.sleep.disturb(i);
  let_springs_hold(state.neighbours, i);
  // The list of neighbours lasts for as long as it reaches far enough.
  if (state.neighbours.valid) state.neighbours.slack[i] -= norm(shift);
  bodies.position[i] = changed.position;
  bodies.orientation[i] = changed.orientation;
  bodies.velocity[i] = changed.velocity;
  bodies.angular_velocity[i] = changed.angular_velocity;
}

BodyIndex Simulation::index_of(BodyId id) const { return parts_->index_of(id); }

bool Simulation::has_body(BodyId id) const {
  const std::optional<BodyIndex> index = parts_->body_places.find(parts_->state.bodies, id);
  return index && !parts_->state.neighbours.has_left(*index);
}

Body Simulation::body(BodyId id) const { return parts_->state.bodies[parts_->index_of(id)]; }

BodyColumns Simulation::columns() const { return {parts_->state, parts_->generation.counter()}; }

void Simulation::Parts::require_no_joint(BodyId id) const {
  for (const Joint& joint : model.joints)
    if (joint.a.body == id || joint.b.body == id)
      throw InputError(
          "body " + std::to_string(id.value) + " hangs in the joint '" + joint.name +
          "', which another pose would tear; drive it by forces, velocities or a motor");
}

void Simulation::move_to(BodyId id, const Vec3& position) {
  parts_->require_no_joint(id);
  parts_->change(id, &Body::position, position);
}

void Simulation::turn_to(BodyId id, const Quaternion& orientation) {
  parts_->require_no_joint(id);
  parts_->change(id, &Body::orientation, orientation);
}

void Simulation::change_velocity(BodyId id, const Vec3& velocity) {
  parts_->change(id, &Body::velocity, velocity);
}

void Simulation::change_angular_velocity(BodyId id, const Vec3& angular_velocity) {
  parts_->change(id, &Body::angular_velocity, angular_velocity);
}

BodyId Simulation::add(Body body) {
  State& state = parts_->state;
  check_body(parts_->model, body);
  check_room(state);
  body.id = {state.next_id};
  Bodies alone;
  alone.push_back(body);
  parts_->book_work(total_energy(parts_->model, alone, 0));
  state.bodies.push_back(body);
  if (!state.applied.empty()) state.applied.push_back({});
  ++state.next_id;
  state.neighbours.valid = false;
  parts_->contacts_by_body = {};
  parts_->generation.grow();
  return body.id;
}

void Simulation::remove(BodyId id) {
  State& state = parts_->state;
  const BodyIndex i = parts_->index_of(id);
  parts_->book_work(-total_energy(parts_->model, state.bodies, i));
  state.sleep.disturb(i);
  // The next step takes it out of the arrays, as it does with what an outflow deletes.
  state.neighbours.valid = false;
  state.neighbours.slack.resize(state.bodies.size());
  state.neighbours.slack[i] = Neighbours::kLeft;
  if (!state.applied.empty()) state.applied[i] = {};
  parts_->removed_by_hand = true;
  parts_->generation.grow();
}

void Simulation::apply_force(BodyId id, const Vec3& force, const Vec3& torque) {
  const BodyIndex i = parts_->index_of(id);
  AlignedVector<Wrench>& applied = parts_->state.applied;
  Wrench sum = applied.empty() ? Wrench{} : applied[i];
  sum += {force, torque};
  check_applied(sum, gain_of(parts_->context(), i, sum));
  parts_->state.sleep.disturb(i);
  if (applied.empty()) applied.resize(parts_->state.bodies.size());
  applied[i] = sum;
}

void Simulation::apply_force_at(BodyId id, const Vec3& force, const Vec3& point) {
  const Vec3 arm = point - parts_->state.bodies.position[parts_->index_of(id)];
  check_point(point);
  apply_force(id, force, cross(arm, force));
}

std::uint32_t Simulation::part(std::string_view name) const {
  const auto& parts = parts_->model.obstacles;
  const auto found = std::ranges::find(parts, name, &Obstacle::name);
  if (found == parts.end()) throw InputError("there is no part of the name " + std::string(name));
  if (std::ranges::count(parts, name, &Obstacle::name) > 1)
    throw InputError("there are several parts of the name " + std::string(name) +
                     "; take the index of one");
  return static_cast<std::uint32_t>(found - parts.begin());
}

const Pose& Simulation::part_pose(std::uint32_t part) const {
  check_part(parts_->model, part);
  return parts_->state.obstacles[part].pose;
}

void Simulation::move_part(std::uint32_t part, const Twist& twist) {
  check_part_twist(parts_->model, part, twist);
  auto& by_hand = parts_->state.moved_by_hand;
  const auto place = std::ranges::lower_bound(by_hand, part);
  const bool listed = place != by_hand.end() && *place == part;
  if (moves(twist) && !listed) by_hand.insert(place, part);
  if (!moves(twist) && listed) by_hand.erase(place);
  parts_->state.obstacles[part].twist = twist;
}

}  // namespace scree

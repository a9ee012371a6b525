// Initial state of a model, and hashes of states.
#include "scree/sim/state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/sim/model.hpp"

namespace scree {
namespace {

/// FNV-like hash over 64-bit words, each mixed first: order matters, every bit counts.
class Hasher {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void add(const T& number) { add(&number, 1); }
  template <class T, class Allocator>
  void add(const std::vector<T, Allocator>& array) {
    add(array.data(), array.size());
  }
  std::uint64_t hash() const { return mix_bits(hash_); }

 private:
  template <class T>
  void add(const T* data, std::size_t count) {
    const char* bytes = reinterpret_cast<const char*>(data);
    std::size_t left = count * sizeof(T);
    add_word(left);
    for (; left > 0; left -= std::min<std::size_t>(left, 8), bytes += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes, std::min<std::size_t>(left, 8));
      add_word(word);
    }
  }
  void add_word(std::uint64_t word) { hash_ = (hash_ ^ mix_bits(word)) * 0x9e3779b97f4a7c15ULL; }

  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace

void Bodies::reserve(std::size_t n) {
  for_each_field([n](auto& field) { field.reserve(n); });
}

void Bodies::push_back(const Body& body) {
  id.push_back(body.id);
  position.push_back(body.position);
  orientation.push_back(body.orientation);
  velocity.push_back(body.velocity);
  angular_velocity.push_back(body.angular_velocity);
  radius.push_back(body.radius);
  mass.push_back(body.mass);
  prototype.push_back(body.prototype);
  material.push_back(body.material);
}

Body Bodies::operator[](std::size_t i) const {
  return {id[i],     position[i], orientation[i], velocity[i], angular_velocity[i],
          radius[i], mass[i],     prototype[i],   material[i]};
}

std::size_t worn_facets(const Obstacle& obstacle) {
  return obstacle.records_wear ? std::get<Mesh>(obstacle.shape).mesh->facets().size() : 0;
}

std::size_t first_worn_facet(const Model& model, std::size_t obstacle) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < obstacle; ++k) first += worn_facets(model.obstacles[k]);
  return first;
}

State initial_state(const Model& model) {
  State state;
  for (const Obstacle& obstacle : model.obstacles) state.obstacles.push_back({obstacle.pose, {}});
  state.obstacle_loads.resize(model.obstacles.size());
  state.step_loads.resize(model.obstacles.size());
  state.facet_wear.resize(first_worn_facet(model, model.obstacles.size()));
  for (const Inflow& inflow : model.inflows) state.inflows.push_back({.random = {inflow.seed, 0}});
  for (const Filling& filling : model.fillings)
    state.fillings.push_back({.random = {filling.seed, 0}});
  for (const Joint& joint : model.joints)
    state.joints.push_back({.detached_at = joint.attached ? -1.0 : 0.0});
  state.cell.edges = model.domain.edges();
  state.cell.gradient = model.strain.rate;
  return state;
}

namespace {

/// Hash of one body, with its data in the neighbour list.
std::uint64_t hash_of_body(const State& state, std::size_t i) {
  Hasher hasher;
  state.bodies.for_each_field([&](const auto& field) { hasher.add(field[i]); });
  if (state.neighbours.valid)
    hasher.add(state.neighbours.skin[i]);
  else if (state.neighbours.has_left(i))
    hasher.add(Neighbours::kLeft);
  return hasher.hash();
}

/// Hash of the wrench on one body in the next step; 0 if it is zero, as for an empty array.
std::uint64_t hash_of_applied(const State& state, std::size_t i) {
  if (state.applied[i] == Wrench{}) return 0;
  Hasher hasher;
  hasher.add(state.bodies.id[i]);
  hasher.add(state.applied[i]);
  return hasher.hash();
}

/// Hash of the targets that a user has set; 0 if there are none, as for an empty array.
std::uint64_t hash_of_targets(const State& state) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < state.joint_targets.size(); ++k) {
    if (std::isnan(state.joint_targets[k])) continue;
    Hasher hasher;
    hasher.add(k);
    hasher.add(state.joint_targets[k]);
    sum += hasher.hash();
  }
  return sum;
}

/// Hash of one pair: its bodies, and its memories by feature.
std::uint64_t hash_of_pair(const State& state, std::size_t pair) {
  const Neighbours& list = state.neighbours;
  const auto [owner, other] = list.pairs[pair];
  const BodyId id = state.bodies.id[owner];
  const BodyId other_id = other & Neighbours::kObstacle
                              ? obstacle_id(other & ~Neighbours::kObstacle)
                              : state.bodies.id[other];
  Hasher hasher;
  hasher.add(std::min(id, other_id));
  hasher.add(std::max(id, other_id));
  if (list.is_added(pair)) hasher.add(true);
  std::uint64_t points = 0;
  for (auto [slot, end] = list.places(pair); slot < end; ++slot) {
    Hasher point;
    point.add(list.feature.empty() ? 0U : list.feature[slot]);
    point.add(list.impulse[slot]);
    if (!list.force_memory.empty()) point.add(list.force_memory[slot]);
    if (!list.force_moment.empty()) point.add(list.force_moment[slot]);
    if (!list.force_radius.empty()) point.add(list.force_radius[slot]);
    if (!list.force_held.empty()) point.add(list.force_held[slot]);
    if (!list.angular_impulse.empty()) point.add(list.angular_impulse[slot]);
    points += point.hash();
  }
  hasher.add(points);
  return hasher.hash();
}

/// Hash of the calm state of one body.
std::uint64_t hash_of_calm(const State& state, std::size_t i) {
  const Sleep& sleep = state.sleep;
  Hasher hasher;
  hasher.add(state.bodies.id[i]);
  hasher.add(sleep.position[i]);
  hasher.add(sleep.orientation[i]);
  hasher.add(sleep.calm_steps[i]);
  hasher.add(sleep.island[i]);
  return hasher.hash();
}

}  // namespace

std::uint64_t state_hash(const State& state) {
  Hasher hasher;
  hasher.add(state.time);
  hasher.add(state.step);
  hasher.add(state.next_id);
  hasher.add(state.obstacles);
  hasher.add(state.inflows);
  hasher.add(state.neighbours.obstacle_skin);
  hasher.add(state.neighbours.valid);
  if (state.neighbours.drift != Vec3{}) hasher.add(state.neighbours.drift);
  hasher.add(state.ledger);
  if (!state.joints.empty()) hasher.add(state.joints);
  if (const std::uint64_t targets = hash_of_targets(state); targets != 0) hasher.add(targets);
  if (!state.changed_motors.empty()) hasher.add(state.changed_motors);
  if (state.cell != CellState{}) hasher.add(state.cell);
  std::uint64_t bodies = 0, pairs = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) bodies += hash_of_body(state, i);
  for (std::size_t p = 0; p < state.neighbours.pairs.size(); ++p) pairs += hash_of_pair(state, p);
  hasher.add(state.bodies.size());
  hasher.add(bodies);
  hasher.add(pairs);
  std::uint64_t applied = 0;
  for (std::size_t i = 0; i < state.applied.size(); ++i) applied += hash_of_applied(state, i);
  if (applied != 0) hasher.add(applied);
  if (state.force_total.ledger != ForceLedger{}) hasher.add(state.force_total.ledger);
  if (!state.force_books.empty()) hasher.add(state.force_books);
  if (state.field_work != 0) hasher.add(state.field_work);
  if (!state.moved_by_hand.empty()) hasher.add(state.moved_by_hand);
  if (!state.fillings.empty()) hasher.add(state.fillings);
  hasher.add(state.obstacle_loads);
  hasher.add(state.step_loads);
  if (!state.facet_wear.empty()) hasher.add(state.facet_wear);
  std::uint64_t calm = 0;
  for (std::size_t i = 0; i < state.sleep.island.size(); ++i) calm += hash_of_calm(state, i);
  if (calm != 0) hasher.add(calm);
  if (!state.sleep.contacts.empty()) hasher.add(state.sleep.contacts);
  return hasher.hash();
}

std::uint64_t motion_hash(const State& state) {
  Hasher hasher;
  hasher.add(state.time);
  hasher.add(state.obstacles);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    if (state.neighbours.has_left(i)) continue;
    const Body body = state.bodies[i];
    Hasher of_body;
    of_body.add(body.id);
    of_body.add(body.position);
    of_body.add(body.orientation);
    of_body.add(body.velocity);
    of_body.add(body.angular_velocity);
    of_body.add(body.radius);
    sum += of_body.hash();
  }
  hasher.add(sum);
  return hasher.hash();
}

}  // namespace scree

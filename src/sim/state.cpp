#include "scree/sim/state.hpp"

#include <cstring>

#include "scree/sim/model.hpp"

namespace scree {
namespace {

/// FNV-like hash over 64-bit words, each mixed first: order matters, every bit counts.
class Hasher {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
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
  template <class Vector>
  void add(const Vector& v) {
    add(v.data(), v.size());
  }
  void add_word(std::uint64_t word) { hash_ = (hash_ ^ mix_bits(word)) * 0x9e3779b97f4a7c15ULL; }
  void add_number(double x) { add(&x, 1); }
  std::uint64_t hash() const { return mix_bits(hash_); }

 private:
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

State initial_state(const Model& model) {
  State state;
  for (const Obstacle& obstacle : model.obstacles) state.obstacles.push_back({obstacle.pose, {}});
  for (const Inflow& inflow : model.inflows) state.inflows.push_back({.random = {inflow.seed, 0}});
  return state;
}

std::uint64_t state_hash(const State& state) {
  Hasher hasher;
  hasher.add_number(state.time);
  hasher.add_word(state.step);
  hasher.add_word(state.next_id);
  state.bodies.for_each_field([&](const auto& field) { hasher.add(field); });
  hasher.add(state.obstacles);
  for (const InflowState& inflow : state.inflows) {
    hasher.add_number(inflow.travelled);
    hasher.add_word(inflow.layers);
    hasher.add_word(inflow.random.seed);
    hasher.add_word(inflow.random.position);
  }
  const Neighbours& n = state.neighbours;
  hasher.add(n.pairs), hasher.add(n.first), hasher.add(n.group), hasher.add(n.percussion), hasher.add(n.slack);
  hasher.add(n.obstacle_slack);
  hasher.add_word(n.group_count);
  hasher.add_word(n.valid);
  hasher.add_number(state.ledger.dissipated);
  hasher.add_number(state.ledger.wall_work);
  return hasher.hash();
}

}  // namespace scree

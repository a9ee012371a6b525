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

State initial_state(const Model& model) {
  State state;
  for (const Obstacle& obstacle : model.obstacles) state.obstacles.push_back({obstacle.pose, {}});
  for (const Inflow& inflow : model.inflows) state.inflows.push_back({.random = {inflow.seed, 0}});
  return state;
}

std::uint64_t state_hash(const State& state) {
  Hasher hasher;
  for_each_field(state, [&](const char*, const auto& field) { hasher.add(field); });
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

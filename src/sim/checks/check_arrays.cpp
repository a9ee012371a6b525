// Checks that the arrays of a state fit each other.
#include <algorithm>
#include <string>

#include "scree/core/error.hpp"
#include "scree/sim/state.hpp"
#include "sim/checks/requirements.hpp"

namespace scree {
namespace {

using namespace requirements;

void check_sizes_of_bodies(const State& state) {
  const Bodies& bodies = state.bodies;
  require(bodies.size() < Neighbours::kObstacle, {{}, 0, "bodies.size()"}, bodies.size(),
          "indices have 31 bits");
  const char* const* field_name = Bodies::kFieldNames;
  bodies.for_each_field([&](const auto& field) {
    require(field.size() == bodies.size(),
            {{}, 0, "bodies." + std::string(*field_name++) + ".size()"}, field.size(),
            "there are " + std::to_string(bodies.size()) + " ids");
  });
  require(state.applied.empty() || state.applied.size() == bodies.size(), {{}, 0, "applied.size()"},
          state.applied.size(), "it must be empty, or of the size of bodies");
}

void check_sizes_of_obstacles(const State& state) {
  require(state.obstacle_loads.size() == state.obstacles.size() &&
              state.step_loads.size() == state.obstacles.size(),
          "obstacle_loads and step_loads must have the size of obstacles");
}

void check_sizes_of_sleep(const State& state) {
  const Sleep& sleep = state.sleep;
  const std::size_t bodies = sleep.island.size();
  require(bodies <= state.bodies.size() && sleep.position.size() == bodies &&
              sleep.orientation.size() == bodies && sleep.calm_steps.size() == bodies,
          "sleep belongs to other bodies; begin with that of initial_state(model)");
}

/// True if the pairs are grouped by owner, as `first` says, and name bodies and obstacles of the
/// state; an invalid list may lack the last bodies.
bool has_its_pairs(const Neighbours& list, std::size_t bodies, std::size_t obstacles) {
  const std::size_t pairs = list.pairs.size(),
                    owners = list.first.empty() ? 0 : list.first.size() - 1;
  if (owners > bodies || list.skin.size() > bodies) return false;
  if (list.valid &&
      (owners != bodies || list.skin.size() != bodies || list.obstacle_skin.size() != obstacles))
    return false;
  if (list.first.empty()) return pairs == 0;
  if (list.first.front() != 0 || list.first.back() > pairs || !std::ranges::is_sorted(list.first))
    return false;
  for (const auto [owner, other] : list.pairs) {
    const bool known = other & Neighbours::kObstacle ? (other & ~Neighbours::kObstacle) < obstacles
                                                     : other < bodies && other != owner;
    if (owner >= bodies || !known) return false;
  }
  for (std::size_t owner = 0; owner < owners; ++owner)
    for (std::uint32_t p = list.first[owner]; p < list.first[owner + 1]; ++p)
      if (list.pairs[p].owner != owner) return false;
  return true;
}

/// True if each pair has its slots, and each slot an impulse.
bool has_its_slots(const Neighbours& list) {
  const std::size_t pairs = list.pairs.size();
  std::size_t slots = pairs;
  if (!list.first_place.empty()) {
    if (list.first_place.size() != pairs + 1 || list.first_place.front() != 0 ||
        !std::ranges::is_sorted(list.first_place))
      return false;
    slots = list.first_place.back();
  }
  return list.impulse.size() == slots &&
         list.feature.size() == (list.first_place.empty() ? 0 : slots);
}

/// Memories that only some laws need are empty, or have a number for each slot.
void check_sizes_of_memories(const Neighbours& list) {
  const auto fits = [&](const auto& array) {
    return array.empty() || array.size() == list.impulse.size();
  };
  require(
      fits(list.force_memory) && fits(list.force_moment) && fits(list.force_radius) &&
          fits(list.force_held) && fits(list.angular_impulse),
      "neighbours.force_memory, force_moment, force_radius, force_held and angular_impulse must "
      "be empty, or have the size of neighbours.impulse");
}

}  // namespace

void check_arrays(const State& state) {
  check_sizes_of_bodies(state);
  check_sizes_of_obstacles(state);
  check_sizes_of_sleep(state);
  require(has_its_pairs(state.neighbours, state.bodies.size(), state.obstacles.size()) &&
              has_its_slots(state.neighbours),
          "neighbours is a list of other bodies; begin with that of initial_state(model)");
  check_sizes_of_memories(state.neighbours);
}

}  // namespace scree

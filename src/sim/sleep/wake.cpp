/// Waking of bodies. docs/theory/sleep.md
#include <algorithm>
#include <vector>

#include "sim/motion/body_motion.hpp"
#include "sim/sleep/sleep.hpp"

namespace scree {
namespace {

/// Resizes arrays to all present bodies; new ones are awake.
void make_room(Sleep& sleep, std::size_t bodies) {
  sleep.position.resize(bodies);
  sleep.orientation.resize(bodies);
  sleep.calm_steps.resize(bodies);
  sleep.island.resize(bodies, Sleep::kAwake);
}

/// Wakes islands; their ids are unsorted, with duplicates.
void wake(Sleep& sleep, std::vector<BodyId>& islands) {
  std::ranges::sort(islands);
  const auto wakes = [&](BodyId island) { return std::ranges::binary_search(islands, island); };
  for (std::size_t i = 0; i < sleep.island.size(); ++i) {
    if (!sleep.sleeps(i) || !wakes(sleep.island[i])) continue;
    sleep.island[i] = Sleep::kAwake;
    sleep.calm_steps[i] = 0;
  }
  std::erase_if(sleep.contacts,
                [&](const SleepingContact& contact) { return wakes(contact.island); });
}

}  // namespace

bool sleeps(const StepContext& c, const Neighbours::Pair& pair) {
  const Sleep& sleep = c.state.sleep;
  if (!sleep.sleeps(pair.owner)) return false;
  return pair.other & Neighbours::kObstacle ? !surface_moves(c, pair.other & ~Neighbours::kObstacle)
                                            : sleep.sleeps(pair.other);
}

void wake_disturbed(StepContext& c) {
  Sleep& sleep = c.state.sleep;
  make_room(sleep, c.state.bodies.size());
  std::vector<BodyId> islands;
  for (std::size_t i = 0; i < sleep.island.size(); ++i)
    if (sleep.sleeps(i) && sleep.calm_steps[i] == 0) islands.push_back(sleep.island[i]);
  if (!islands.empty()) wake(sleep, islands);
}

bool wake_met(StepContext& c) {
  Sleep& sleep = c.state.sleep;
  if (sleep.island.empty()) return false;
  const auto& pairs = c.state.neighbours.pairs;
  std::vector<BodyId> islands;
  const auto meet = [&](BodyIndex body) {
    if (!(body & Neighbours::kObstacle) && sleep.sleeps(body))
      islands.push_back(sleep.island[body]);
  };
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (c.scratch.slot[p] == Scratch::kNoContact) continue;
    meet(pairs[p].owner);
    meet(pairs[p].other);
  }
  if (islands.empty()) return false;
  wake(sleep, islands);
  return true;
}

}  // namespace scree

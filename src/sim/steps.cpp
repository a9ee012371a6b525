#include "scree/sim/steps.hpp"

#include <cmath>

#include "scree/sim/state.hpp"

namespace scree {

std::uint64_t steps_until(double until, double h) {
  const double steps = until / h;
  const double nearest = std::round(steps);
  // until = n h from a scene gives n, up to a few units in the last place.
  const bool whole = std::abs(steps - nearest) <= 1e-9 * std::fmax(1, nearest);
  return static_cast<std::uint64_t>(whole ? nearest : std::ceil(steps));
}

bool is_within_leapfrog(const State& state) {
  const Neighbours& list = state.neighbours;
  return state.step > 0 ||
         (!list.first.empty() && (list.pairs.empty() || !list.force_memory.empty()));
}

}  // namespace scree

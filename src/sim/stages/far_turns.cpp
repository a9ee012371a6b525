/// Bodies that spin too fast for what compliant contacts remember to follow them.
#include <algorithm>
#include <numbers>

#include "sim/step.hpp"

namespace scree {

void look_for_far_turns(StepContext& c) {
  if (c.report.force_contacts == 0) return;
  const Bodies& bodies = c.state.bodies;
  const double h = c.model.step.h, most = std::numbers::pi / h;
  const std::size_t n = bodies.size();
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const auto is_ahead = [&](std::size_t i, std::size_t of) {
    if (of == kNone) return true;
    const double spin = squared_norm(bodies.angular_velocity[i]),
                 other = squared_norm(bodies.angular_velocity[of]);
    return spin > other || (spin == other && bodies.id[i] < bodies.id[of]);
  };
  std::vector<std::size_t>& fastest = c.scratch.forces.fastest;
  fastest.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, kNone);
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    std::size_t& first = fastest[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (!(squared_norm(bodies.angular_velocity[i]) > most * most)) continue;
      const BodyGain& gain = c.scratch.forces.gain[i];
      const bool touches = gain.velocity != Vec3{} || gain.spin != Vec3{};
      if (touches && !c.state.neighbours.has_left(i) && is_ahead(i, first)) first = i;
    }
  });
  for (const std::size_t i : fastest) {
    if (i == kNone) continue;
    const double turn = h * norm(bodies.angular_velocity[i]);
    const auto& told = c.report.far_turn;
    if (!told || turn > told->turn || (turn == told->turn && bodies.id[i] < told->body))
      c.report.far_turn = FarTurn{bodies.id[i], turn};
  }
}

}  // namespace scree

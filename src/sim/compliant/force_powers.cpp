/// Power of compliant forces, by law.
#include <algorithm>

#include "sim/compliant/forces.hpp"
#include "sim/motion/body_motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

// Prefetches a body: bodies at an obstacle are scattered in memory.
[[gnu::always_inline]] inline void prefetch(const StepContext& c, BodyIndex i) {
  __builtin_prefetch(&c.state.bodies.velocity[i]);
  __builtin_prefetch(&c.state.bodies.angular_velocity[i]);
  __builtin_prefetch(&c.state.bodies.radius[i]);
  __builtin_prefetch(&c.scratch.problem.bodies[i]);
}

/// Powers of a law's contacts in a chunk.
ForceContacts::BothPowers powers_in(const StepContext& c, const ForceContacts::Chunk& chunk,
                                    std::size_t law) {
  const Bodies& bodies = c.state.bodies;
  const ForceContacts::OwnRows& rows = chunk.own[law];
  ForceContacts::BothPowers sums = chunk.on_obstacles[law];
  for (std::size_t k = 0; k < rows.body.size(); ++k) {
    if (k + kForceRowsAhead < rows.body.size()) prefetch(c, rows.body[k + kForceRowsAhead]);
    const BodyIndex i = rows.body[k];
    const TorqueRow torques = rows.torques.empty() ? TorqueRow{} : rows.torques[k];
    const Vec3 flow = rows.flow.empty() ? Vec3{} : rows.flow[k];
    sums.before.add(rows.forces[k], torques, bodies.velocity[i] + flow, bodies.angular_velocity[i]);
    sums.after.add(rows.forces[k], torques, c.scratch.problem.bodies[i].velocity + flow,
                   angular_velocity(c, i));
  }
  return sums;
}

}  // namespace

void find_powers_of_laws(StepContext& c, const ForceContacts::BothPowers& of_all) {
  ForceContacts& f = c.scratch.forces;
  const std::size_t rest = f.main_law, chunks = f.chunks.size() + 1;
  f.of_laws.assign(f.laws(), {});
  f.of_laws[rest] = of_all;
  f.powers.resize(std::max(f.powers.size(), chunks));
  for (std::size_t law = 0; law < f.laws(); ++law) {
    if (law == rest) continue;
    c.pool.for_each_chunk(chunks, [&](std::size_t k) {
      f.powers[k] = powers_in(c, k < f.chunks.size() ? f.chunks[k] : f.alone, law);
    });
    for (std::size_t k = 0; k < chunks; ++k) f.of_laws[law] += f.powers[k];
    f.of_laws[rest] -= f.of_laws[law];
  }
  // Removes the rounding of moments that the law lacks.
  if (!f.numbers[2 * rest].has_moment())
    f.of_laws[rest].before.moment = f.of_laws[rest].after.moment = 0;
}

}  // namespace scree

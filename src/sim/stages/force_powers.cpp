/// Power of compliant forces law by law.
#include <algorithm>

#include "sim/body_motion.hpp"

namespace scree {
namespace {

/// Of a law's contacts in a chunk.
ForceContacts::BothPowers powers_in(const StepContext& c, const ForceContacts::Chunk& chunk,
                                    std::size_t law) {
  const Bodies& bodies = c.state.bodies;
  ForceContacts::BothPowers sums = chunk.on_obstacles[law];
  for (const ForceContacts::OwnRow& row : chunk.own[law]) {
    sums.before.add(row.forces, row.turning, bodies.velocity[row.body] + row.flow,
                    bodies.angular_velocity[row.body]);
    sums.after.add(row.forces, row.turning, c.scratch.problem.bodies[row.body].velocity + row.flow,
                   angular_velocity(c, row.body));
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
  // What rounding leaves of moments that the law has not.
  if (!f.numbers[2 * rest].has_moment())
    f.of_laws[rest].before.moment = f.of_laws[rest].after.moment = 0;
}

}  // namespace scree

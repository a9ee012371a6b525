/// Islands of bodies that hardly move: sums over bodies, the same in any order of storage.
#include "sim/contacts/still_islands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/step_settings.hpp"

namespace scree {

void find_still_islands(StepContext& context) {
  const Bodies& bodies = context.state.bodies;
  const ContactIslands& islands = context.scratch.islands.islands;
  std::vector<Scratch::Islands::Motion>& motions = context.scratch.islands.motions;
  const auto for_each_body = [&](auto&& f) {
    for (BodyIndex body = 0; body < context.scratch.problem.free_bodies; ++body)
      if (const std::uint32_t island = islands.of(body); island != ContactIslands::kNone)
        f(body, motions[island]);
  };
  const double slow = kHardlyMovingFraction * norm(context.model.gravity) * context.model.step.h;
  const auto unit = FixedPointUnit::of(slow), squared_unit = FixedPointUnit::of(slow * slow);
  std::vector<double>& fine_residual = context.scratch.islands.fine_residual;
  fine_residual.assign(islands.all().size(), std::numeric_limits<double>::infinity());
  if (!(slow > 0)) return;
  motions.assign(islands.all().size(), {});
  for_each_body([&](BodyIndex body, Scratch::Islands::Motion& island) {
    ++island.bodies;
    for (int k = 0; k < 3; ++k) island.velocity[k].add(bodies.velocity[body][k], unit);
  });
  for_each_body([&](BodyIndex body, Scratch::Islands::Motion& island) {
    Vec3 mean;
    for (int k = 0; k < 3; ++k) mean[k] = island.velocity[k].value(unit) / island.bodies;
    island.squared.add(squared_norm(bodies.velocity[body] - mean) +
                           squared_norm(bodies.radius[body] * bodies.angular_velocity[body]),
                       squared_unit);
  });
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const double speed =
        std::sqrt(motions[k].squared.value(squared_unit) / std::max(motions[k].bodies, 1.0));
    if (speed <= slow)
      fine_residual[k] =
          std::max(kFineResidual, kResidualOfMotion * kHardlyMovingFraction * speed / slow);
  }
}

}  // namespace scree

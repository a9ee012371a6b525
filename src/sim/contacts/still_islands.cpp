/// Islands of bodies that hardly move: a maximum over bodies, the same in any order of storage.
#include "sim/contacts/still_islands.hpp"

#include "solvers/step_settings.hpp"

namespace scree {

void find_still_islands(StepContext& context) {
  const Bodies& bodies = context.state.bodies;
  const ContactIslands& islands = context.scratch.islands.islands;
  std::vector<std::uint8_t>& still = context.scratch.islands.still;
  std::vector<BodyIndex>& first = context.scratch.islands.first_body;
  first.assign(islands.all().size(), ContactIslands::kNone);
  const auto for_each_body = [&](auto&& f) {
    for (BodyIndex body = 0; body < context.scratch.problem.free_bodies; ++body)
      if (const std::uint32_t island = islands.of(body); island != ContactIslands::kNone)
        f(body, island);
  };
  for_each_body([&](BodyIndex body, std::uint32_t island) {
    BodyIndex& of_island = first[island];
    if (of_island == ContactIslands::kNone || bodies.id[body] < bodies.id[of_island])
      of_island = body;
  });
  const double slow =
      kHardlyMovingFraction * norm(context.model.gravity) * context.model.step.h;
  still.assign(first.size(), 1);
  for_each_body([&](BodyIndex body, std::uint32_t island) {
    const double squared =
        squared_norm(bodies.velocity[body] - bodies.velocity[first[island]]) +
        squared_norm(bodies.radius[body] * bodies.angular_velocity[body]);
    if (!(squared <= slow * slow)) still[island] = 0;
  });
}

}  // namespace scree

// Accelerations of bodies that a user watches.
#include <algorithm>
#include <string>

#include "scree/core/error.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {
namespace {

Twist twist_of_body(const Bodies& bodies, BodyIndex i) {
  return {bodies.velocity[i], bodies.angular_velocity[i]};
}

}  // namespace

void Simulation::Internals::note_velocities() {
  for (Watched& body : watched)
    if (const auto i = body_places.find(state.bodies, body.id))
      body.before = twist_of_body(state.bodies, *i);
}

void Simulation::Internals::find_accelerations(double duration) {
  for (Watched& body : watched) {
    body.acceleration = {};
    const auto i = body_places.find(state.bodies, body.id);
    if (!i) continue;
    const Twist after = twist_of_body(state.bodies, *i);
    body.acceleration = {(after.linear - body.before.linear) / duration,
                         (after.angular - body.before.angular) / duration};
  }
}

void Simulation::watch(BodyId id) {
  internals_->index_of(id);
  auto& watched = internals_->watched;
  const auto place = std::ranges::lower_bound(watched, id, {}, &Internals::Watched::id);
  if (place == watched.end() || place->id != id) watched.insert(place, {.id = id});
}

Twist Simulation::acceleration(BodyId id) const {
  const auto& watched = internals_->watched;
  const auto place = std::ranges::lower_bound(watched, id, {}, &Internals::Watched::id);
  if (place == watched.end() || place->id != id)
    throw InputError("the acceleration of body " + std::to_string(id.value) +
                     " is not recorded; call watch() before the step");
  return place->acceleration;
}

}  // namespace scree

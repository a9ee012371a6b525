/// Values to write.
#pragma once

#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "support/in_directory.hpp"
#include "support/prototypes.hpp"

namespace scree {

/// Three bodies whose order in memory is not that of their ids.
inline State three_bodies() {
  State state;
  state.time = 0.25;
  state.step = 50;
  state.next_id = 10;
  for (const std::uint64_t id : {7U, 2U, 9U}) {
    Body body;
    body.id = {id};
    body.position = {static_cast<double>(id), 0.5, -1};
    body.orientation = {0.6, 0.8, 0, 0};
    body.velocity = {0, static_cast<double>(id), 0};
    body.angular_velocity = {0, 0, static_cast<double>(id)};
    body.radius = 0.1 * static_cast<double>(id);
    body.mass = 2;
    body.material = 1;
    state.bodies.push_back(body);
  }
  return state;
}

inline ContactRecord contact_between(BodyId a, BodyId b, double normal_impulse, ContactClass kind) {
  return {a, b, {1, 2, 3}, {0, 0, 1}, {0, 0, normal_impulse}, -1e-6, 1e-9, kind};
}

}  // namespace scree

// Return to an earlier state of the same model.
#include "sim/checks/check_model.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {

void Simulation::Internals::forget_last_step() {
  // Made with the list of pairs
  scratch.schedule.clear();
  scratch.slot.clear();
  scratch.cached_separating_axis.clear();
  scratch.knows.clear();
  scratch.known_facets.clear();
  scratch.forces.first_row.clear();
  scratch.obstacle_contacts.looked_at = Scratch::ObstacleContacts::kNotYet;
  // Joints that have broken since are there again, and have no forces.
  scratch.joints.ends.clear();
  scratch.joints.found.clear();
  scratch.joints.blocks.clear();
  scratch.problem.free_bodies = 0;
  contacts_by_body = {};
  certifier.reset();
  centre_before.clear();
  removed_by_hand = false;
  for (Watched& body : watched) body.acceleration = {};
}

void Simulation::restore(const State& state) {
  check_state(internals_->model, state);
  internals_->state = state;
  internals_->forget_last_step();
  internals_->body_places.forget();
  internals_->generation.grow();
  internals_->begin();
}

}  // namespace scree

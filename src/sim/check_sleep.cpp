#include <algorithm>
#include <string>

#include "sim/check_model.hpp"
#include "sim/requirements.hpp"

namespace scree {

using namespace requirements;

std::string unfit_for_sleep(const Model& model) {
  if (!model.joints.empty()) return "joints";
  if (std::ranges::any_of(model.laws.all(), [](const PairLaw& law) { return is_compliant(law); }))
    return "compliant laws";
  if (model.strain.any()) return "a strained cell";
  if (!model.fields.empty()) return "fields";
  return "";
}

void check_sleep(const Model& model) {
  if (!model.step.sleep) return;
  const std::string unfit = unfit_for_sleep(model);
  require(unfit.empty(),
          "step.sleep does not support models with " + unfit +
              ", which act on bodies without a contact to wake them; leave step.sleep out");
}

void check_sleep(const State& state) {
  const Sleep& sleep = state.sleep;
  const std::size_t bodies = sleep.island.size();
  require(bodies <= state.bodies.size() && sleep.position.size() == bodies &&
              sleep.orientation.size() == bodies && sleep.calm_steps.size() == bodies,
          "sleep belongs to other bodies; begin with that of initial_state(model)");
  for (std::size_t i = 0; i < bodies; ++i)
    require_finite({"sleep.position", i, ""}, sleep.position[i]);
  for (std::size_t k = 0; k < sleep.contacts.size(); ++k) {
    const SleepingContact& contact = sleep.contacts[k];
    require_finite({"sleep.contacts", k, "impulse"}, contact.impulse);
    require_finite({"sleep.contacts", k, "gap"}, contact.gap);
    require_index({"sleep.contacts", k, "kind"}, contact.kind, 3, "classes of contacts");
    require(!is_obstacle(contact.b) || contact.b.value - kFirstObstacleId < state.obstacles.size(),
            {"sleep.contacts", k, "b"}, contact.b.value, "there is no such obstacle");
  }
}

}  // namespace scree

#include <algorithm>
#include <string>

#include "sim/checks/check_model.hpp"
#include "sim/checks/requirements.hpp"

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
  for (std::size_t i = 0; i < sleep.island.size(); ++i) {
    require_finite({"sleep", i, "position"}, sleep.position[i]);
    require_unit({"sleep", i, "orientation"}, sleep.orientation[i]);
  }
  for (std::size_t k = 0; k < sleep.contacts.size(); ++k) {
    const SleepingContact& contact = sleep.contacts[k];
    require_finite({"sleep.contacts", k, "point"}, contact.point);
    require_finite({"sleep.contacts", k, "normal"}, contact.normal);
    require_finite({"sleep.contacts", k, "impulse"}, contact.impulse);
    require_finite({"sleep.contacts", k, "angular_impulse"}, contact.angular_impulse);
    for (const double number :
         {contact.gap, contact.depth, contact.residual, contact.cone_violation,
          contact.complementarity_violation, contact.painleve_number})
      require_finite({"sleep.contacts", k, "gap or certificate"}, number);
    require_index({"sleep.contacts", k, "kind"}, contact.kind, 3, "classes of contacts");
    require(!is_obstacle(contact.b) || contact.b.value - kFirstObstacleId < state.obstacles.size(),
            {"sleep.contacts", k, "b"}, contact.b.value, "there is no such obstacle");
  }
}

}  // namespace scree

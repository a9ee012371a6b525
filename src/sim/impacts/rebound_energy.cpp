// Energy of rebounds. Newton's law prescribes the separation speed of a pair that hits, whatever is
// needed to hold the other contacts of its bodies: a set of connected contacts may give more energy
// than it takes. Between velocities before forces and those after the step, contacts give
//
//     Σ r·(u⁻ + u⁺)/2 + Σ s·(w⁻ + w⁺)/2,   s, w of the rolling rows
//
// docs/theory/impacts.md
#include <cmath>

#include "sim/impacts/impact_islands.hpp"
#include "sim/impacts/impacts.hpp"

namespace scree {
namespace {

const Finding kReboundEnergy("energy_of_rebounds");

/// True if Newton's law gives a rebound: with separate position correction, no other bias is below
/// 0.
bool rebounds(const ImpactContacts& contacts, std::size_t k) {
  return contacts.bias(k) < 0 && dot(contacts.impulse(k), contacts.normal(k)) > 0;
}

/// Energy that a contact gives, and the size of the terms in this difference [J].
struct GivenEnergy {
  double given, size;
};
GivenEnergy energy_of(const ContactProblem& problem, const ImpactContacts& contacts, std::size_t k,
                      std::span<const BodyRecord> before) {
  const Vec3 r = contacts.impulse(k);
  double at_start = 0.5 * dot(r, contacts.velocity(k, before)),
         at_end = 0.5 * dot(r, contacts.velocity(k, problem.bodies));
  if (const auto rolling = contacts.rolling(k)) {
    at_start += 0.5 * dot(rolling->impulse(), rolling->velocity(before));
    at_end += 0.5 * dot(rolling->impulse(), rolling->velocity(problem.bodies));
  }
  return {at_start + at_end, std::abs(at_start) + std::abs(at_end)};
}

/// True if any contact rebounds, in a problem in which only contacts act between bodies.
bool any_rebounds(const StepContext& c, const ImpactContacts& contacts) {
  const StepSettings& step = c.model.step;
  if (!c.scratch.any_restitution || step.impacts != ImpactLaw::newton ||
      step.overlap_correction != OverlapCorrection::positions || c.model.strain.any() ||
      !c.scratch.problem.joints.empty())
    return false;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (contacts.holds(k) && rebounds(contacts, k)) return true;
  return false;
}

}  // namespace

void find_energy_of_rebounds(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  const ImpactContacts contacts(c.scratch.problem);
  if (!any_rebounds(c, contacts)) return;
  set_velocities_before(c);
  find_islands(c, [&](std::size_t k) { return contacts.impulse(k) != Vec3{}; });
  ExactSum given, size, made;
  for_each_island(c, [&](std::uint64_t, std::span<const SortItem> items) {
    given.clear();
    size.clear();
    bool any = false;
    for (const SortItem& item : items) {
      const GivenEnergy energy = energy_of(problem, contacts, item.value, c.scratch.phases.bodies);
      given.add(energy.given);
      size.add(energy.size);
      any = any || rebounds(contacts, item.value);
    }
    if (any && given.value() > kEnergyRounding * size.value()) made.add(given.value());
  });
  c.report[kReboundEnergy].value = made.value();
}

}  // namespace scree

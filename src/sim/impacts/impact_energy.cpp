// Kinetic energy of an expansion r^E from the velocities u of all contacts before it, scaled by χ:
//
//     G(χ) = χ r^E·u + ½ χ² r^E·W r^E
//
// Any χ in [0, 1] keeps impulses in their cones and bodies apart: velocities are between those
// before and those after expansion.
//
// ImpactLaw::energetic requires G(χ) ≤ Σ e² C, with C = −r^C·(u⁻ + u^C)/2 the energy that
// compression took at each contact, rolling rows included. Where contacts pass energy on, some C
// are negative, and Σ e² C may exceed Σ C. So G must not exceed Σ C either, nor the energy that the
// solve took. Then no set of contacts creates energy, whatever the residuals of the two phases.
#include <algorithm>
#include <cmath>

#include "sim/impacts/impact_islands.hpp"
#include "sim/impacts/impact_joints.hpp"
#include "sim/impacts/impacts.hpp"

namespace scree {
namespace {

using ImpactContact = ImpactPhases::ImpactContact;

/// r^E·u and r^E·W r^E of a contact, rolling rows included [J].
struct ExpansionWork {
  double linear = 0, quadratic = 0;
};
ExpansionWork work_of(const StepContext& c, const ImpactContacts& contacts, std::size_t k,
                      const ImpactContact& impact) {
  const ContactProblem& problem = c.scratch.problem;
  const auto& before = c.scratch.phases.bodies;
  const Vec3 u = contacts.velocity(k, before), after = contacts.velocity(k, problem.bodies);
  ExpansionWork work{dot(impact.expansion, u), dot(impact.expansion, after - u)};
  const auto rolling = contacts.rolling(k);
  if (!rolling) return work;
  const Vec3 w = rolling->velocity(before);
  work.linear += dot(rolling->impulse(), w);
  work.quadratic += dot(rolling->impulse(), rolling->velocity(problem.bodies) - w);
  return work;
}

/// Largest χ ≤ 1 with G(χ) ≤ most, up to rounding [-].
double largest_share(const ExpansionWork& work, double most) {
  const double given = work.linear + 0.5 * work.quadratic;
  const double rounding =
      kEnergyRounding * (std::abs(work.linear) + work.quadratic + std::abs(most));
  if (given <= most + rounding) return 1;
  const double root = std::sqrt(work.linear * work.linear + 2 * work.quadratic * most);
  // Root without cancellation.
  return work.linear > 0 ? 2 * most / (work.linear + root) : (root - work.linear) / work.quadratic;
}

void scale(ContactProblem& problem, const ImpactContacts& contacts, std::size_t k,
           ImpactContact& impact, double share) {
  impact.expansion *= share;
  if (contacts.is_of_spheres(k)) return;
  const ContactBlock& block = problem.contact_blocks[k / kBlock - problem.blocks.size()];
  if (block.rolling == ContactBlock::kNone) return;
  for (auto& row : problem.rolling[block.rolling].impulse) row[k % kBlock] *= share;
}

/// Calls f(joint, its island) for all joints on an island.
template <class F>
void for_each_joint(const StepContext& c, F&& f) {
  const ContactProblem& problem = c.scratch.problem;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    std::uint32_t island = kNoIsland;
    problem.joints[k].for_each_side([&](const JointBlock::Side& side) {
      if (side.body < problem.free_bodies) island = c.scratch.phases.island[side.body];
    });
    if (island != kNoIsland) f(k, island);
  }
}

void find_joint_works(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  auto& works = c.scratch.phases.joint_works;
  works.assign(problem.joints.empty() ? 0 : problem.free_bodies, {});
  for_each_joint(c, [&](std::size_t joint, std::uint32_t island) {
    works[island] += works_of_joint(c, joint);
  });
}

/// Scales the expansion of each island.
void limit_expansion(StepContext& c) {
  ImpactPhases& phases = c.scratch.phases;
  ContactProblem& problem = c.scratch.problem;
  const ImpactContacts contacts(problem);
  find_islands(c, [&](std::size_t k) { return phases.impulse_of_impact(k) != Vec3{}; });
  phases.share.assign(problem.free_bodies, 1);
  find_joint_works(c);
  ExactSum linear, quadratic, wanted, compression, solve;
  for_each_island(c, [&](std::uint64_t island, std::span<const SortItem> items) {
    for (ExactSum* sum : {&linear, &quadratic, &wanted, &compression, &solve}) sum->clear();
    for (const SortItem& item : items) {
      const std::size_t k = item.value;
      const ImpactContact& impact = phases.contacts[k];
      const ExpansionWork work = work_of(c, contacts, k, impact);
      linear.add(work.linear);
      quadratic.add(work.quadratic);
      wanted.add(impact.restitution * impact.restitution * impact.work);
      compression.add(impact.work);
      solve.add(impact.solve_work);
    }
    if (!problem.joints.empty()) {
      const ImpactPhases::JointWorks& works = phases.joint_works[island];
      linear.add(works.linear);
      quadratic.add(works.quadratic);
      compression.add(works.compression);
      solve.add(works.solve);
    }
    const double most = std::min({wanted.value(), compression.value(), solve.value()});
    const double share = largest_share({linear.value(), quadratic.value()}, std::max(0.0, most));
    phases.share[island] = share;
    if (share == 1) return;
    ++c.report.impact_work.held_back;
    for (const SortItem& item : items)
      scale(problem, contacts, item.value, phases.contacts[item.value], share);
  });
  for_each_joint(c, [&](std::size_t joint, std::uint32_t island) {
    for (double& r : phases.joints[joint].expansion) r *= phases.share[island];
  });
  for (BodyIndex i = 0; i < problem.free_bodies; ++i) {
    if (phases.island[i] == kNoIsland || phases.share[phases.island[i]] == 1) continue;
    const double share = phases.share[phases.island[i]];
    BodyRecord& body = problem.bodies[i];
    const BodyRecord& before = phases.bodies[i];
    body.velocity = before.velocity + share * (body.velocity - before.velocity);
    body.spin = before.spin + share * (body.spin - before.spin);
  }
}

}  // namespace

void bound_expansion(StepContext& c) {
  const ImpactContacts contacts(c.scratch.problem);
  if (c.model.step.impacts == ImpactLaw::energetic) limit_expansion(c);
  ImpactPhases::JointWorks of_joints;
  for (std::size_t k = 0; k < c.scratch.problem.joints.size(); ++k)
    of_joints += works_of_joint(c, k);
  c.scratch.phases.driven = of_joints.driven;
  c.report.impact_work.compression =
      of_joints.compression +
      sum_over_impact_contacts(
          c, [](std::size_t, const ImpactContact& impact) { return impact.work; });
  c.report.impact_work.expansion =
      of_joints.linear + 0.5 * of_joints.quadratic +
      sum_over_impact_contacts(c, [&](std::size_t k, const ImpactContact& impact) {
        const ExpansionWork work = work_of(c, contacts, k, impact);
        return work.linear + 0.5 * work.quadratic;
      });
}

}  // namespace scree

/// Energy balance of compliant contacts.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/compliant/forces.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kSoftOverlap("soft_overlap"), kSoftDepth("soft_depth"),
    kEnergyGrowth("energy_growth");

/// Finds powers of the forces on bodies, with the velocities after the solve.
void find_powers_after_solve(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  c.pool.for_each_range(c.state.bodies.size(), kBodiesPerChunk,
                        [&](std::size_t begin, std::size_t end) {
                          ForcePower after;
                          for (std::size_t i = begin; i < end; ++i)
                            after.add(f.rows[i], f.torque_row_of(i),
                                      c.scratch.problem.bodies[i].velocity, angular_velocity(c, i));
                          f.powers[begin / kBodiesPerChunk].after = after;
                        });
}

/// Powers of the forces on bodies, with velocities before and after the solve.
ForceContacts::BothPowers powers_on_bodies(StepContext& c) {
  if (!c.scratch.problem.is_empty()) find_powers_after_solve(c);
  ForceContacts::BothPowers total;
  for (const ForceContacts::BothPowers& sum : c.scratch.forces.powers) total += sum;
  return total;
}

/// Powers of the forces on obstacles.
ForceContacts::BothPowers powers_on_obstacles(const ForceContacts& f) {
  ForceContacts::BothPowers total;
  f.for_each_chunk([&](const ForceContacts::Chunk& chunk) {
    for (const ForceContacts::BothPowers& of_law : chunk.on_obstacles) total += of_law;
  });
  return total;
}

/// Sums that contain the deepest contact relative to its bodies.
const ForceSums* deepest(const ForceContacts& f) {
  const ForceSums* most = nullptr;
  f.for_each_chunk([&](const ForceContacts::Chunk& chunk) {
    for (const ForceSums& sums : chunk.sums)
      if (!most || sums.share > most->share) most = &sums;
  });
  return most;
}

std::pair<BodyId, BodyId> ids_of(const StepContext& c, std::uint32_t pair) {
  const auto [owner, other] = c.state.neighbours.pairs[pair];
  const BodyId id = c.state.bodies.id[owner],
               beside = other & Neighbours::kObstacle ? obstacle_id(other & ~Neighbours::kObstacle)
                                                      : c.state.bodies.id[other];
  return std::minmax(id, beside);
}

/// Adds compliant contacts to the counts of the report.
void count_contacts(StepContext& c) {
  const ForceContacts& f = c.scratch.forces;
  Report& report = c.report;
  report.contacts_touching += report.force_contacts;
  f.for_each_chunk([&](const ForceContacts::Chunk& chunk) {
    for (const ForceSums& sums : chunk.sums) {
      report.contacts_loaded += static_cast<std::uint32_t>(sum_of_lanes(sums.loaded));
      report.contacts_sliding += static_cast<std::uint32_t>(sum_of_lanes(sums.sliding));
      report.max_penetration = std::max(report.max_penetration, sums.depth);
    }
  });
  const ForceSums* most = deepest(f);
  if (!most) return;
  report.max_relative_penetration = std::max(report.max_relative_penetration, most->share);
  if (!(most->share > kTooSoft)) return;
  const auto [a, b] = ids_of(c, most->deepest);
  report[kSoftOverlap] = on_body(most->share, a, b);
  report[kSoftDepth].value = most->overlap;
}

BodyId fastest_body(const StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  std::size_t fastest = 0;
  double most = -1;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    const double energy = kinetic_energy(c.model, bodies, i);
    if (energy > most) {
      most = energy;
      fastest = i;
    }
  }
  return bodies.size() == 0 ? BodyId{} : bodies.id[fastest];
}

/// Energy of springs when forces were evaluated, and work of sticking shear springs in the step so
/// far [J].
struct Springs {
  SpringEnergies held;
  double sheared = 0;

  void add(const ForceSums& sums) {
    held += sums.held();
    sheared += sum_of_lanes(sums.sheared);
  }
};

/// Estimate of the energy of springs half a step ago.
SpringEnergies held_before(const StepContext& c, const ForcePower& before, const Springs& springs) {
  return {springs.held.normal + c.model.step.h / 2 * before.elastic,
          std::max(0.0, springs.held.shear - 1.5 * springs.sheared), springs.held.moment};
}

/// Starts the balance of a run that continues another leapfrog. It uses the energy of springs after
/// the last step there, if this is known and nothing has been added.
void open_books(const SpringEnergies& estimate, ForceBooks& books) {
  const ForceEnergy& last = books.energy;
  const SpringEnergies held =
      last == ForceEnergy{}
          ? estimate
          : SpringEnergies{last.elastic_normal, last.elastic_shear, last.elastic_moment};
  books.ledger.at_start = held.sum();
  books.ledger.elastic = books.ledger.at_start - held.normal;
  books.ledger.shear = -held.shear;
  books.ledger.moment = -held.moment;
}

/// Adds the works of a step.
void accumulate_energies(const StepContext& c, const Springs& springs,
                         const ForceContacts::BothPowers& sum, ForceBooks& books) {
  ForceLedger& ledger = books.ledger;
  const SpringEnergies& held = springs.held;
  const double whole = half_step_factor(c) * c.model.step.h, half = c.model.step.h / 2;
  const auto work = [&](double ForcePower::*of) {
    return whole * (sum.before.*of + sum.after.*of) / 2;
  };
  if (is_first_of_all(c))
    ledger.at_start = held.normal;
  else if (c.state.step == 0)
    open_books(held_before(c, sum.before, springs), books);
  ledger.elastic += work(&ForcePower::elastic);
  ledger.damping += work(&ForcePower::damping);
  ledger.shear += work(&ForcePower::shear);
  ledger.moment += work(&ForcePower::moment);

  // Springs are half a step ahead of their evaluation, like the works. Those at the bound of
  // friction keep their energy, and moments count as evaluated.
  const double pushed = is_first_of_all(c) ? work(&ForcePower::elastic) : half * sum.after.elastic;
  ForceEnergy& energy = books.energy;
  energy.elastic_normal = held.normal - pushed;
  energy.elastic_shear = held.shear - springs.sheared / 2;
  energy.elastic_moment = held.moment;
  energy.at_start = ledger.at_start;
  energy.damped = -ledger.damping - ledger.elastic - (energy.elastic_normal - ledger.at_start);
  energy.slid = -ledger.shear - energy.elastic_shear;
  energy.rolled = -ledger.moment - energy.elastic_moment;
  const double there = std::abs(held.normal) + held.shear + held.moment;
  ledger.max_held = std::max(ledger.max_held, there);
}

/// Adds the works of each law.
void accumulate_laws(StepContext& c, const ForceContacts::BothPowers& of_all) {
  const ForceContacts& f = c.scratch.forces;
  if (c.state.force_books.empty()) return;
  find_powers_of_laws(c, of_all);
  for (std::size_t law = 0; law < f.laws(); ++law) {
    Springs springs;
    f.for_each_chunk([&](const ForceContacts::Chunk& chunk) { springs.add(chunk.sums[law]); });
    accumulate_energies(c, springs, f.of_laws[law], c.state.force_books[law]);
  }
}

}  // namespace

void accumulate_forces(StepContext& c) {
  Springs springs;
  c.scratch.forces.for_each_chunk([&](const ForceContacts::Chunk& chunk) {
    for (const ForceSums& sums : chunk.sums) springs.add(sums);
  });
  ForceContacts::BothPowers sum = powers_on_bodies(c);
  sum += powers_on_obstacles(c.scratch.forces);
  sum += {c.scratch.on_cell, c.scratch.on_cell};
  count_contacts(c);
  accumulate_energies(c, springs, sum, c.state.force_total);
  c.report.force_energy = c.state.force_total.energy;
  accumulate_laws(c, sum);
}

void look_for_energy_growth(StepContext& c) {
  const ForceEnergy& energy = c.report.force_energy;
  // A shear spring with negative energy overshoots in every step.
  const double made = std::max(-energy.dissipated(), -energy.elastic_shear);
  const double there = std::max(c.report.kinetic_energy, c.state.force_total.ledger.max_held);
  if (made > kUnstableEnergyFraction * there && made > 0)
    c.report[kEnergyGrowth] = on_body(made, fastest_body(c));
}

}  // namespace scree

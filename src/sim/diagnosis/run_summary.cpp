/// Sums up the reports of all steps of a run for its verdict.
#include "scree/sim/run_summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

const Finding kOverTolerance("steps_over_tolerance"), kWorstResidual("worst_residual"),
    kGrowingPenetration("contacts_growing_penetration");

}  // namespace

bool Tally::add(const Measured& measured, double time, std::uint64_t step) {
  total += measured.value;
  last = measured;
  if (measured.value > 0 && ++steps == 1) {
    first = measured;
    first_time = time;
  }
  const double size = std::abs(measured.value);
  // NaN is the worst value, and stays.
  const bool is_largest = std::isnan(size) || size > largest.value;
  if (is_largest) {
    largest = {size, time, step};
    of_largest = measured;
  }
  return is_largest;
}

Measured measured(const FindingRow& row, const Report& report) {
  return row.of ? row.of(report) : report[row];
}

void Tallies::add(const Report& report) {
  for (const FindingRow& row : finding_table())
    (*this)[row].add(measured(row, report), report.time, report.step);
}

double folded(const Tally& tally, Fold fold) {
  switch (fold) {
    case Fold::total:
      return tally.total;
    case Fold::largest:
      return tally.largest.value;
    case Fold::steps:
      return static_cast<double>(tally.steps);
    case Fold::last:
      return tally.last.value;
  }
  return 0;
}

bool RunSummary::add(const Report& report) {
  ++steps;
  body_steps += report.bodies;
  if (!report.converged && !(report.residual <= worst_missed.residual) &&
      !std::isnan(worst_missed.residual))
    worst_missed = report;
  max_kinetic_energy = std::max({max_kinetic_energy, first.kinetic_energy, report.kinetic_energy});
  Tally worst = tallies[kWorstResidual];
  tallies.add(report);
  last = report;
  return worst.add({report.worst_residual}, report.time, report.step);
}

bool RunSummary::exceeds(const FindingRow& row) const {
  if (row.exceeds) return row.exceeds(*this);
  const double value = folded(tallies[row], row.fold);
  return value > row.limit || (std::isnan(value) && row.severity >= Severity::missed);
}

bool RunSummary::exceeds_any(Severity severity) const {
  return std::ranges::any_of(finding_table(), [&](const FindingRow& row) {
    return row.severity >= severity && exceeds(row);
  });
}

bool RunSummary::asks_for_contradiction() const {
  return contradiction.contacts.empty() &&
         ((!last.converged && std::has_single_bit(tallies[kOverTolerance].steps)) ||
          (tallies[kGrowingPenetration].last.value > 0 &&
           std::has_single_bit(tallies[kGrowingPenetration].steps)));
}

bool RunSummary::asks_for_step_fit() const {
  constexpr double kDeeper = 1.1;
  constexpr std::uint64_t kNowAndThen = 1000;  // steps
  return last.force_contacts > 0 &&
         (last.max_relative_penetration > kDeeper * depth_looked_at || steps % kNowAndThen == 0);
}

double RunSummary::share_skipped() const {
  const double added = tallies["bodies_added"].total, skipped = tallies["bodies_skipped"].total;
  return skipped == 0 ? 0 : skipped / (added + skipped);
}

bool RunSummary::add(const StepFit& fit) {
  depth_looked_at = std::max(depth_looked_at, last.max_relative_penetration);
  const bool first_time = !step_fit.is_too_long() && fit.is_too_long();
  const auto excess = [](const StepFit& f) {
    return std::max(f.of_contact * StepFit::kFewestSteps, f.of_stable / kStableFraction);
  };
  if (excess(fit) > excess(step_fit)) step_fit = fit;
  return first_time;
}

bool measures_rebounds(const Model& model) {
  return model.joints.empty() && !model.strain.any() &&
         model.step.overlap_correction == OverlapCorrection::positions;
}

EnergyBudget energy_budget(const Report& first, const Report& last) {
  EnergyBudget budget{};
  const auto energy = [](const Report& report) {
    return report.kinetic_energy + report.potential_energy + report.force_energy.elastic() +
           report.joint_energy;
  };
  budget.change = energy(last) - energy(first);
  if (first.step == 0) budget.change -= last.force_energy.at_start - first.force_energy.elastic();
  budget.dissipated = last.dissipated_energy - first.dissipated_energy;
  budget.wall_work = last.wall_work - first.wall_work;
  budget.unaccounted = budget.change + budget.dissipated - budget.wall_work;
  return budget;
}

WorstOverlap worst_overlap(const Simulation& simulation) {
  const BodyColumns columns = simulation.columns();
  const auto inscribed_radius = [&](BodyId id) {
    const std::size_t i = simulation.index_of(id);
    return simulation.model().prototypes[columns.prototypes()[i]].inscribed_radius() *
           columns.radii()[i];
  };
  const auto material = [&](BodyId id) {
    return is_obstacle(id) ? simulation.model().obstacles[id.value - kFirstObstacleId].material
                           : columns.materials()[simulation.index_of(id)];
  };
  // Compliant contacts overlap by design.
  const auto is_soft = [&](const ContactRecord& c) {
    return is_compliant(simulation.model().laws(material(c.a), material(c.b)));
  };
  const Report& report = simulation.report();
  WorstOverlap worst{.time = report.time};
  if (!(report.max_relative_penetration > WorstOverlap::kNoticeable)) return worst;
  simulation.for_each_piece_of_contacts([&](std::span<const ContactRecord> piece) {
    for (const ContactRecord& contact : piece) {
      const double radius = is_obstacle(contact.b) ? inscribed_radius(contact.a)
                                                   : std::min(inscribed_radius(contact.a),
                                                              inscribed_radius(contact.b));
      const double share = -contact.gap / radius;
      if (share > std::max(worst.share, WorstOverlap::kNoticeable) && !is_soft(contact))
        worst = {report.time, contact.a, contact.b, -contact.gap, share};
    }
  });
  return worst;
}

RestOutcome rest_outcome(const RestWatch& watch, const RunSummary& summary, const Model& model) {
  const bool has_bodies =
      static_cast<double>(summary.first.bodies) + summary["bodies_added"].total > 0 ||
      !model.inflows.empty() || !model.fillings.empty();
  const bool none = has_bodies && watch.report().bodies == 0;
  return {watch.criterion(), watch.report(), watch.at_rest() && !none, none};
}

namespace {

/// True if the first body of a filling is due.
bool waits_for_first(const Filling& filling, const FillingState& state, const Model& model,
                     double now) {
  constexpr double kDueRounding = 1e-12;
  const double time = std::min(now, filling.until) - filling.from;
  if (state.entered > 0 || state.next_kind == 0 || !(time > 0)) return false;
  if (filling.number_rate > 0) return filling.number_rate * time * (1 + kDueRounding) >= 1;
  const Filling::Kind& kind = filling.kinds[state.next_kind - 1];
  const Shape shape = scaled(model.prototypes[kind.prototype].shape, state.next_radius);
  return filling.mass_rate * time * (1 + kDueRounding) >=
         kind.density * volume_properties(shape).volume;
}

/// True if an obstacle occupies all of many positions for a body in a filling's region.
bool fills_region(const Shape& obstacle, const Pose& pose, const Filling& filling, double radius) {
  constexpr int kProbes = 8;  // along each axis
  const Vec3 room = radius * Vec3{1, 1, 1}, low = filling.min + room, high = filling.max - room;
  for (int k = 0; k < kProbes * kProbes * kProbes; ++k) {
    const int steps[] = {k % kProbes, k / kProbes % kProbes, k / (kProbes * kProbes)};
    Vec3 probe;
    for (int axis = 0; axis < 3; ++axis)
      probe[axis] = filling.min[axis] < filling.max[axis]
                        ? low[axis] + (high[axis] - low[axis]) * steps[axis] / (kProbes - 1)
                        : filling.min[axis];
    if (!(signed_distance(obstacle, pose, probe).distance < radius)) return false;
  }
  return true;
}

}  // namespace

std::vector<StarvedFilling> starved_fillings(const Simulation& simulation) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  std::vector<StarvedFilling> starved;
  for (std::uint32_t k = 0; k < model.fillings.size(); ++k) {
    const Filling& filling = model.fillings[k];
    if (!waits_for_first(filling, state.fillings[k], model, state.time)) continue;
    StarvedFilling& found = starved.emplace_back(StarvedFilling{k, {}});
    // Ignored obstacles do not block a body.
    for (std::uint32_t obstacle = 0; obstacle < model.obstacles.size() && model.ignored.empty();
         ++obstacle)
      if (!found.obstacle && !model.obstacles[obstacle].is_absent &&
          fills_region(model.obstacles[obstacle].shape, state.obstacles[obstacle].pose, filling,
                       state.fillings[k].next_radius))
        found.obstacle = obstacle;
  }
  return starved;
}

void add_step(RunSummary& summary, const Simulation& simulation,
              FunctionRef<void(const std::string&)> warn) {
  const Report& report = simulation.report();
  summary.motion_fault = report.motion_fault;
  if (report.motion_fault) return;
  if (summary.add(report)) summary.worst_contact = simulation.worst_contact();
  if (summary.began(kGrowingPenetration)) summary.growing_penetration = worst_overlap(simulation);
  if (summary.asks_for_step_fit() && summary.add(step_fit(simulation)))
    warn(describe(summary.step_fit, simulation.model()));
  if (summary.asks_for_contradiction())
    summary.contradiction = {report.time, simulation.contradiction()};
}

}  // namespace scree

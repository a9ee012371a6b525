/// Sums up the reports of all steps of a run for its verdict.
#include "scree/analysis/run_summary.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Keeps the largest value; true if `value` is the largest so far.
bool take(Extreme& extreme, double value, const Report& report) {
  // NaN is the worst value, and stays.
  const bool larger = value != value || value > extreme.value;
  if (larger) extreme = {value, report.time, report.step};
  return larger;
}

}  // namespace

bool RunSummary::add(const Report& report) {
  ++steps;
  body_steps += report.bodies;
  if (!report.converged) {
    if (steps_over_tolerance == 0) first_time_over_tolerance = report.time;
    ++steps_over_tolerance;
    if (!(report.residual <= worst_missed.residual) && !std::isnan(worst_missed.residual))
      worst_missed = report;
  }
  contacts_left_out += report.contacts_left_out;
  contacts_beyond_margin += report.contacts_beyond_margin;
  bodies_beyond_margin += report.bodies_beyond_margin;
  missed_restitution += report.missed_restitution;
  slow_restitution += report.slow_restitution;
  max_kinetic_energy = std::max({max_kinetic_energy, first.kinetic_energy, report.kinetic_energy});
  take(max_rotation, report.max_rotation, report);
  if (take(field_swing, report.field_swing.value, report)) swinging_body = report.field_swing.body;
  take(joint_error, report.joint_error, report);
  if (take(joint_velocity, report.joint_velocity, report)) worst_joint = report.worst_joint;
  joint_work += report.joint_work;
  if (take(joint_work_in_step, std::abs(report.joint_work), report))
    working_joint = report.working_joint;
  steps_with_scaled_inertia += report.bodies_slowed > 0 ? 1 : 0;
  if (take(spring_swing, report.spring_swing, report)) fastest_spring = report.fastest_spring;
  if (joints_broken == 0 && report.joints_broken > 0) {
    first_broken = report.broken_joint;
    first_broken_at = report.time;
  }
  joints_broken += report.joints_broken;
  take(residual, report.residual, report);
  const bool worst_so_far = take(worst_residual, report.worst_residual, report);
  take(max_penetration, report.max_penetration, report);
  take(max_relative_penetration, report.max_relative_penetration, report);
  if (report.soft_overlap.share > 0 && ++steps_too_soft == 1)
    too_soft = {report.time, report.soft_overlap.a, report.soft_overlap.b,
                report.soft_overlap.depth, report.soft_overlap.share};
  energy_growth = report.energy_growth;
  excessive_rotation = report.excessive_rotation;
  steps_of_growing_penetration += report.contacts_growing_penetration > 0 ? 1 : 0;
  contacts += report.contacts - report.contacts_asleep;
  contacts_over_tolerance += report.contacts_over_tolerance;
  local_failures += report.local_failures;
  energy_created += report.energy_created;
  take(energy_created_in_step, report.energy_created, report);
  steps_with_energy_created += report.energy_created > 0 ? 1 : 0;
  energy_of_rebounds += report.energy_of_rebounds;
  take(energy_of_rebounds_in_step, report.energy_of_rebounds, report);
  bias_work += report.bias_work;
  compression_work += report.impact_work.compression;
  push_work += report.push_work;
  bodies_added += report.bodies_added;
  bodies_removed += report.bodies_removed;
  bodies_skipped += report.bodies_skipped;
  steps_waiting += report.fillings_waiting > 0;
  bodies_not_finite = report.bodies_not_finite;
  last = report;
  return worst_so_far;
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
  const bool has_bodies = summary.first.bodies + summary.bodies_added > 0 ||
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
  if (summary.asks_for_growing_penetration())
    summary.growing_penetration = worst_overlap(simulation);
  if (summary.asks_for_step_fit() && summary.add(step_fit(simulation)))
    warn(describe(summary.step_fit, simulation.model()));
  if (summary.asks_for_contradiction())
    summary.contradiction = {report.time, simulation.contradiction()};
}

}  // namespace scree

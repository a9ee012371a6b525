#include "scree/analysis/run_summary.hpp"

#include <fmt/format.h>

namespace scree {
namespace {

/// Whether it is the largest so far.
bool take(Extreme& extreme, double value, const Report& report) {
  // NaN is the worst of all, and stays.
  const bool larger = value != value || value > extreme.value;
  if (larger) extreme = {value, report.time, report.step};
  return larger;
}

std::string name_of(BodyId id) {
  return is_obstacle(id) ? fmt::format("obstacle {}", id.value - kFirstObstacleId) : fmt::format("body {}", id.value);
}

std::string plural(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

bool RunSummary::add(const Report& report) {
  ++steps;
  body_steps += report.bodies;
  if (!report.converged) {
    if (steps_over_tolerance == 0) first_time_over_tolerance = report.time;
    ++steps_over_tolerance;
  }
  take(residual, report.residual, report);
  const bool worst_so_far = take(worst_residual, report.worst_residual, report);
  take(max_penetration, report.max_penetration, report);
  contacts += report.contacts;
  contacts_over_tolerance += report.contacts_over_tolerance;
  local_failures += report.local_failures;
  energy_created += report.energy_created;
  take(energy_created_in_step, report.energy_created, report);
  steps_with_energy_created += report.energy_created > 0 ? 1 : 0;
  bias_work += report.bias_work;
  bodies_added += report.bodies_added;
  bodies_removed += report.bodies_removed;
  bodies_skipped += report.bodies_skipped;
  bodies_not_finite = report.bodies_not_finite;
  last = report;
  return worst_so_far;
}

EnergyBudget energy_budget(const Report& first, const Report& last) {
  EnergyBudget budget{};
  budget.change = last.kinetic_energy + last.potential_energy - first.kinetic_energy - first.potential_energy;
  budget.dissipated = last.dissipated_energy - first.dissipated_energy;
  budget.wall_work = last.wall_work - first.wall_work;
  budget.unaccounted = budget.change + budget.dissipated - budget.wall_work;
  return budget;
}

std::vector<std::string> judgement(const RunSummary& s) {
  std::vector<std::string> lines;
  if (s.bodies_not_finite > 0) {
    lines.push_back(
        fmt::format("The state is not to be trusted: at t = {:.6g} s {} a position or velocity that is not "
                    "finite. Try a smaller time step (step.h), and look at the last frames.",
                    s.last.time, plural(s.bodies_not_finite, "body has", "bodies have")));
  }
  if (s.steps_over_tolerance > 0) {
    lines.push_back(fmt::format(
        "The tolerance {:.3g} was missed in {} of {}, first at t = {:.6g} s; worst residual {:.3g} at t = {:.6g} s. "
        "Allow more sweeps or iterations (solver.max_sweeps) or a smaller time step (step.h).",
        s.tolerance, s.steps_over_tolerance, plural(s.steps, "step", "steps"), s.first_time_over_tolerance,
        s.residual.value, s.residual.time));
  } else if (s.bodies_not_finite == 0) {
    lines.push_back(fmt::format("Every step met the tolerance {:.3g}; worst residual {:.3g} at t = {:.6g} s.",
                                s.tolerance, s.residual.value, s.residual.time));
  }
  if (s.steps_with_energy_created > 0) {
    lines.push_back(fmt::format(
        "Contacts made energy, which no law allows, in {}: {:.3g} J in all, at most {:.3g} J, at t = {:.6g} s. "
        "Ask for a smaller tolerance (solver.tolerance).",
        plural(s.steps_with_energy_created, "step", "steps"), s.energy_created, s.energy_created_in_step.value,
        s.energy_created_in_step.time));
  }
  return lines;
}

std::vector<std::string> verdict(const RunSummary& s, double wall_seconds) {
  std::vector<std::string> lines = judgement(s);
  lines.push_back(fmt::format("{} to t = {:.6g} s in {:.3g} s: {:.3g} body-steps/s.", plural(s.steps, "step", "steps"),
                              s.last.time, wall_seconds,
                              static_cast<double>(s.body_steps) / (wall_seconds > 0 ? wall_seconds : 1)));
  const std::string which = s.worst_contact.residual > 0
                                ? fmt::format(" {} to {}, {},", name_of(s.worst_contact.a), name_of(s.worst_contact.b),
                                              name(s.worst_contact.kind))
                                : "";
  lines.push_back(fmt::format(
      "Contacts within their part of the tolerance: {:.6g} %, all but {} of {}. Worst contact:{} residual {:.3g} m/s "
      "at t "
      "= {:.6g} s; deepest penetration {:.3g} m at t = {:.6g} s.",
      100 * share_within_tolerance(s.contacts, s.contacts_over_tolerance), s.contacts_over_tolerance, s.contacts, which,
      s.worst_residual.value, s.worst_residual.time, s.max_penetration.value, s.max_penetration.time));
  const auto budget = s.energy_budget();
  lines.push_back(
      fmt::format("Energy: change {:.4g} J = work of walls and flow {:.4g} J - dissipated in contacts {:.4g} J "
                  "+ unaccounted {:.3g} J.",
                  budget.change, budget.wall_work, budget.dissipated, budget.unaccounted));
  if (s.bodies_added + s.bodies_removed + s.bodies_skipped > 0) {
    lines.push_back(fmt::format("Bodies: {} entered, {} left, {} found no room to enter; {} at the end.",
                                s.bodies_added, s.bodies_removed, s.bodies_skipped, s.last.bodies));
  }
  if (s.local_failures > 0) {
    lines.push_back(fmt::format("{} no solution of {} own law; the percussion of greatest dissipation was taken.",
                                plural(s.local_failures, "contact had", "contacts had"),
                                s.local_failures == 1 ? "its" : "their"));
  }
  return lines;
}

}  // namespace scree

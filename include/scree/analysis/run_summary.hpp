/// A whole run in a few numbers, and the verdict on it in plain words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree {

/// The largest value of something, and when it was taken.
struct Extreme {
  double value = 0;
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
};

/// What became of mechanical energy between two reports [J].
struct EnergyBudget {
  double change;       ///< of kinetic and potential energy
  double dissipated;   ///< in contacts
  double wall_work;    ///< by moving obstacles, and carried in and out by bodies
  double unaccounted;  ///< change + dissipated − wall_work: error of time stepping and of undoing penetrations
};
EnergyBudget energy_budget(const Report& first, const Report& last);

struct RunSummary {
  double tolerance = 0;  ///< on Report::residual [-]

  std::uint64_t steps = 0;
  std::uint64_t body_steps = 0;  ///< bodies summed over steps
  std::uint64_t steps_over_tolerance = 0;
  double first_time_over_tolerance = 0;       ///< [s]; says nothing if there is no such step
  Extreme residual;                           ///< E_s [-]
  Extreme worst_residual;                     ///< of one contact [m/s]
  Extreme max_penetration;                    ///< [m]
  std::uint64_t contacts = 0;                 ///< summed over steps
  std::uint64_t contacts_over_tolerance = 0;  ///< of them, see Report
  WorstContact worst_contact;                 ///< that of worst_residual
  std::uint64_t local_failures = 0;
  double energy_created = 0;       ///< see Report, summed over steps [J]
  Extreme energy_created_in_step;  ///< [J]
  std::uint64_t steps_with_energy_created = 0;
  double bias_work = 0;  ///< see Report, summed over steps [J]
  std::uint64_t bodies_added = 0, bodies_removed = 0, bodies_skipped = 0;
  std::size_t bodies_not_finite = 0;  ///< in the last step
  Report first, last;

  explicit RunSummary(double tolerance_, const Report& initial)
      : tolerance(tolerance_), first(initial), last(initial) {}

  /// Takes a step into account. True if its worst contact is the worst so far: then worst_contact is to be told.
  bool add(const Report& report);

  bool within_tolerance() const { return steps_over_tolerance == 0 && bodies_not_finite == 0; }
  /// Every step met the tolerance, and contacts made no energy.
  bool is_met() const { return within_tolerance() && steps_with_energy_created == 0; }

  EnergyBudget energy_budget() const { return scree::energy_budget(first, last); }
};

/// Whether the run can be trusted, and if not what to do: the sentences that come first in the verdict.
std::vector<std::string> judgement(const RunSummary& summary);

/// What a user is to know when a run has ended: one sentence a line.
std::vector<std::string> verdict(const RunSummary& summary, double wall_seconds);

}  // namespace scree

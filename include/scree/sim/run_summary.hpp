/// A whole run in a few numbers, and the sentences of its verdict.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/sim/findings.hpp"
#include "scree/sim/force_times.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/rest.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// Budget of mechanical energy between two reports [J].
struct EnergyBudget {
  double change;      ///< of kinetic and potential energy
  double dissipated;  ///< in contacts
  double wall_work;   ///< by moving obstacles, and energy carried in and out by bodies
  /// change + dissipated − wall_work: rounding, and the error in the rotation of bodies of unequal
  /// inertia
  double unaccounted;
};
EnergyBudget energy_budget(const Report& first, const Report& last);

/// Contacts that no velocities can satisfy together, see Simulation::contradiction.
struct Contradiction {
  double time = 0;  ///< [s]
  std::vector<std::pair<BodyId, BodyId>> contacts;
};

/// Overlap of a step that is largest relative to its bodies.
struct WorstOverlap {
  static constexpr double kNoticeable = 0.01;  ///< of the radius [-]; smaller overlaps are ignored
  double time = 0;                             ///< [s]
  BodyId a{}, b{};
  double depth = 0;  ///< [m]; 0: none is noticeable
  double share = 0;  ///< of the smaller inscribed radius, see Prototype [-]
};
/// Worst overlap at the start of the last step.
WorstOverlap worst_overlap(const Simulation& simulation);

/// Outcome of a run that was to end at rest.
struct RestOutcome {
  RestCriterion criterion;
  RestReport report;  ///< of the last step
  bool reached = false;
  bool has_no_bodies = false;  ///< all bodies left, or none entered: not reached
};

/// A filling of which no body entered although one was due.
struct StarvedFilling {
  std::uint32_t filling;                  ///< of Model::fillings
  std::optional<std::uint32_t> obstacle;  ///< that fills its region, index in Model::obstacles
};
std::vector<StarvedFilling> starved_fillings(const Simulation& simulation);

/// Bodies that fall and have no obstacle below them, where there are obstacles.
struct FallingBodies {
  std::size_t count = 0;
  BodyId lowest{};
};
FallingBodies falling_bodies(const Simulation& simulation);

/// Outcome of a run that was to end by a condition.
struct ConditionOutcome {
  std::string text;    ///< of the condition
  double lasting = 0;  ///< time for which it was to hold [s]
  bool reached = false;
  bool held_at_once = false;  ///< in the first step
  bool is_number = true;      ///< not NaN in the last step
};

struct RunSummary {
  double tolerance = 0;          ///< of Report::residual, the smallest of all stages so far [-]
  double largest_tolerance = 0;  ///< of all stages so far [-]
  /// True if bodies that found no room to enter make the run miss its verdict
  bool strict_inflow = false;

  std::uint64_t steps = 0;
  std::uint64_t body_steps = 0;  ///< bodies summed over steps
  Tallies tallies;
  double max_kinetic_energy = 0;  ///< of all steps [J]

  // Looked up in the step where a finding was the first, or the worst.
  WorstOverlap growing_penetration;
  WorstContact worst_contact;
  Report worst_missed;          ///< of the step over tolerance with the largest residual
  Contradiction contradiction;  ///< first one found
  StepFit step_fit;             ///< worst among the steps whose compliant contacts were checked
  double depth_looked_at = 0;   ///< largest max_relative_penetration of the checked steps [-]
  std::optional<MotionFault> motion_fault;  ///< of the step after the last, which was not made

  // Set at the end.
  WorstOverlap lasting_overlap;
  std::optional<RestOutcome> rest;            ///< of a run that was to end at rest
  std::optional<ConditionOutcome> condition;  ///< of a run that was to end by a condition
  std::vector<StarvedFilling> starved;
  FallingBodies falling;

  Report first, last;

  explicit RunSummary(double tolerance_, const Report& initial)
      : tolerance(tolerance_), largest_tolerance(tolerance_), first(initial), last(initial) {}

  Tally& operator[](Finding finding) { return tallies[finding]; }
  const Tally& operator[](Finding finding) const { return tallies[finding]; }

  /// Sets the tolerance of the following steps.
  void begin_stage(double stage_tolerance) {
    tolerance = std::min(tolerance, stage_tolerance);
    largest_tolerance = std::max(largest_tolerance, stage_tolerance);
  }
  bool has_one_tolerance() const { return tolerance == largest_tolerance; }

  /// Adds a step. True if its worst contact is the worst so far: then the caller sets
  /// worst_contact.
  bool add(const Report& report);
  /// Adds the fit of the last step. True if it is the first step that is too long.
  bool add(const StepFit& fit);

  /// True if the last step is the first with this finding.
  bool began(Finding finding) const {
    return tallies[finding].last.value > 0 && tallies[finding].steps == 1;
  }
  /// True if the last step should be searched for a contradiction: none is known, and the step
  /// missed the tolerance or let a deep overlap grow. The searches become rarer, at powers of two.
  bool asks_for_contradiction() const;
  /// True if the length of the last step should be checked against its compliant contacts: if one
  /// is deeper than all before, and every thousand steps, as another may be stiffer.
  bool asks_for_step_fit() const;

  /// True if a finding is above its limit, or its rule says so.
  bool exceeds(const FindingRow& row) const;
  bool exceeds(Finding finding) const { return exceeds(finding_table()[finding.index()]); }
  /// True if the run ended early because its state is wrong or cannot be continued.
  bool failed() const { return exceeds_any(Severity::failed); }
  /// True if no finding misses the verdict and, if required, all came to rest and the condition was
  /// reached.
  bool is_met() const {
    return !exceeds_any(Severity::missed) && !(rest && !rest->reached) &&
           !(condition && !condition->reached);
  }
  bool within_tolerance() const { return !exceeds("steps_over_tolerance") && !failed(); }

  /// Fraction of the bodies due from inflows that found no room [-].
  double share_skipped() const;
  EnergyBudget energy_budget() const { return scree::energy_budget(first, last); }
  /// Energy that contacts took [J]: what they dissipated, and what impacts by phases took in their
  /// compression, of which the expansion may give back all.
  double energy_turned_over() const {
    return std::max(energy_budget().dissipated, 0.0) + tallies["compression"].total;
  }
  /// Energy that contacts may create without missing the verdict [J]: the smallest tolerance
  /// squared, but at most a hundredth, times the energy that they turned over. Energies are
  /// quadratic in velocities, which are right up to the tolerance.
  double energy_left_open() const {
    constexpr double kMax = 0.01;
    return std::min(tolerance * tolerance, kMax) * energy_turned_over();
  }
  /// Reference for other energies: the largest of kinetic energy, total dissipation and total work
  /// of walls [J].
  double largest_energy() const {
    const EnergyBudget budget = energy_budget();
    return std::max({max_kinetic_energy, std::abs(budget.dissipated), std::abs(budget.wall_work)});
  }
  /// True if fields acted in any stage.
  bool fields_acted() const {
    return last.field_work != first.field_work || tallies["field_swing"].largest.value > 0;
  }
  /// Energy of missed restitution [J], at most the energy dissipated in contacts: a body between
  /// two others is pressed harder than it was hit. Without the bound if contacts added energy in
  /// total.
  double energy_of(Finding missed) const {
    const double dissipated = energy_budget().dissipated, energy = tallies[missed].total;
    return dissipated > 0 ? std::min(energy, dissipated) : energy;
  }

 private:
  /// True if a finding of this severity or a worse one is above its limit.
  bool exceeds_any(Severity severity) const;
};

/// Outcome of a run that is watched for rest, as if it ended now.
RestOutcome rest_outcome(const RestWatch& watch, const RunSummary& summary, const Model& model);

/// True if steps measure the energy created by Newton's law of impacts: the
/// finding energy_of_rebounds.
bool measures_rebounds(const Model& model);

/// Adds the last step of a simulation, with all data looked up for it; `warn` receives warnings
/// during the run.
void add_step(RunSummary& summary, const Simulation& simulation,
              FunctionRef<void(const std::string&)> warn);

/// Name of a body in messages: the name of an obstacle, or "body 7".
std::string name_of(BodyId id, const Model& model);

/// Name of the faulty item: "the motion of 'lid'", "the field 'wind'".
std::string name_of(const MotionFault& fault, const Model& model);

/// Sentence on steps that are too long for compliant contacts.
std::string describe(const StepFit& fit, const Model& model);

/// First sentences of the verdict: if the run can be trusted, and what to do if not.
Sentences judgement(const RunSummary& summary, const Model& model);

/// All sentences for the user at the end of a run, one a line.
Sentences verdict(const RunSummary& summary, double wall_seconds, const Model& model);

}  // namespace scree

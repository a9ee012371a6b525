/// A whole run in a few numbers, and the sentences of its verdict.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/sim/force_times.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/rest.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// Largest value of a quantity, with its time and step.
struct Extreme {
  double value = 0;
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
};

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
  std::uint64_t steps_over_tolerance = 0;
  double first_time_over_tolerance = 0;  ///< [s]; meaningless if there is no such step
  Extreme residual;                      ///< E_s [-]
  Extreme worst_residual;                ///< of one contact [m/s]
  Extreme max_penetration;               ///< [m]
  Extreme max_relative_penetration;      ///< see Report [-]
  /// Steps in which a deep overlap grew, see Report; and the worst overlap of the first of them
  std::uint64_t steps_of_growing_penetration = 0;
  WorstOverlap growing_penetration;
  /// Steps in which a compliant contact was deeper than kTooSoft; and the first of them
  std::uint64_t steps_too_soft = 0;
  WorstOverlap too_soft;
  std::uint64_t contacts = 0;                 ///< summed over steps
  std::uint64_t contacts_over_tolerance = 0;  ///< among them, see Report
  WorstContact worst_contact;                 ///< that of worst_residual
  /// Report of the step over tolerance with the largest residual
  Report worst_missed;
  Contradiction contradiction;                             ///< first one found
  std::uint64_t contacts_left_out = 0;                     ///< see Report, summed over steps
  std::uint64_t contacts_beyond_margin = 0;                ///< see Report, summed over steps
  std::uint64_t bodies_beyond_margin = 0;                  ///< see Report, summed over steps
  MissedRestitution missed_restitution, slow_restitution;  ///< see Report, summed over steps
  double max_kinetic_energy = 0;                           ///< of all steps [J]
  Extreme joint_error, joint_velocity;                     ///< see Report [m], [m/s]
  std::uint32_t worst_joint = 0;                ///< that of joint_velocity, in Model::joints
  double joint_work = 0;                        ///< see Report, summed over steps [J]
  Extreme joint_work_in_step;                   ///< its size [J]
  std::uint32_t working_joint = 0;              ///< of that, in Model::joints
  std::uint64_t steps_with_scaled_inertia = 0;  ///< with Report::bodies_slowed > 0
  Extreme spring_swing;                         ///< see Report [rad]
  std::uint32_t fastest_spring = 0;             ///< that of spring_swing, in Model::joints
  std::uint64_t joints_broken = 0;
  std::uint32_t first_broken = 0;  ///< in Model::joints
  double first_broken_at = 0;      ///< [s]
  Extreme max_rotation;            ///< see Report [rad]
  Extreme field_swing;             ///< see FieldSwing [-]
  BodyId swinging_body{};          ///< of it
  std::uint64_t local_failures = 0;
  double energy_created = 0;       ///< see Report, summed over steps [J]
  Extreme energy_created_in_step;  ///< [J]
  std::uint64_t steps_with_energy_created = 0;
  double energy_of_rebounds = 0;       ///< see Report, summed over steps [J]
  Extreme energy_of_rebounds_in_step;  ///< [J]
  double compression_work = 0;         ///< sum over steps of ImpactWork::compression [J]
  double bias_work = 0;                ///< see Report, summed over steps [J]
  double push_work = 0;                ///< the same
  std::uint64_t bodies_added = 0, bodies_removed = 0, bodies_skipped = 0;
  std::uint64_t steps_waiting = 0;    ///< steps in which the next body of a filling found no room
  std::size_t bodies_not_finite = 0;  ///< in the last step
  std::optional<EnergyGrowth> energy_growth;            ///< in the last step
  std::optional<ExcessiveRotation> excessive_rotation;  ///< the same
  /// Worst fit among the steps whose compliant contacts were checked
  StepFit step_fit;
  double depth_looked_at = 0;  ///< largest max_relative_penetration of the checked steps [-]
  std::optional<MotionFault> motion_fault;    ///< of the step after the last, which was not made
  WorstOverlap lasting_overlap;               ///< set at the end
  std::optional<RestOutcome> rest;            ///< the same, of a run that was to end at rest
  std::optional<ConditionOutcome> condition;  ///< the same, by a condition
  std::vector<StarvedFilling> starved;        ///< the same
  FallingBodies falling;                      ///< the same
  Report first, last;

  explicit RunSummary(double tolerance_, const Report& initial)
      : tolerance(tolerance_), largest_tolerance(tolerance_), first(initial), last(initial) {}

  /// Sets the tolerance of the following steps.
  void begin_stage(double stage_tolerance) {
    tolerance = std::min(tolerance, stage_tolerance);
    largest_tolerance = std::max(largest_tolerance, stage_tolerance);
  }

  bool has_one_tolerance() const { return tolerance == largest_tolerance; }

  /// Adds a step. True if its worst contact is the worst so far: then the caller sets
  /// worst_contact.
  bool add(const Report& report);

  /// True if the last step is the first in which a deep overlap grew.
  bool asks_for_growing_penetration() const {
    return last.contacts_growing_penetration > 0 && steps_of_growing_penetration == 1;
  }

  /// True if the last step should be searched for a contradiction: none is known, and the step
  /// missed the tolerance or let a deep overlap grow. The searches become rarer, at powers of two.
  bool asks_for_contradiction() const {
    return contradiction.contacts.empty() &&
           ((!last.converged && std::has_single_bit(steps_over_tolerance)) ||
            (last.contacts_growing_penetration > 0 &&
             std::has_single_bit(steps_of_growing_penetration)));
  }

  /// True if the last step is the first in which a compliant contact was too deep.
  bool began_too_soft() const { return last.soft_overlap.share > 0 && steps_too_soft == 1; }

  /// True if the length of the last step should be checked against its compliant contacts: if one
  /// is deeper than all before, and every thousand steps, as another may be stiffer.
  bool asks_for_step_fit() const {
    constexpr double kDeeper = 1.1;
    constexpr std::uint64_t kNowAndThen = 1000;  // steps
    return last.force_contacts > 0 &&
           (last.max_relative_penetration > kDeeper * depth_looked_at || steps % kNowAndThen == 0);
  }
  /// Adds the fit of the last step. True if it is the first step that is too long.
  bool add(const StepFit& fit);

  /// True if the run ended early because its state is wrong or cannot be continued.
  bool failed() const {
    return bodies_not_finite > 0 || motion_fault || energy_growth || excessive_rotation;
  }
  bool within_tolerance() const { return steps_over_tolerance == 0 && !failed(); }
  /// Fraction of the bodies due from inflows that found no room [-].
  double share_skipped() const {
    return bodies_skipped == 0 ? 0
                               : static_cast<double>(bodies_skipped) /
                                     static_cast<double>(bodies_added + bodies_skipped);
  }
  /// Energy that contacts may create without missing the verdict [J]: the smallest tolerance
  /// squared, but at most a hundredth, times the energy that they turned over. Energies are
  /// quadratic in velocities, which are right up to the tolerance.
  double energy_left_open() const {
    constexpr double kMax = 0.01;
    return std::min(tolerance * tolerance, kMax) * energy_turned_over();
  }
  /// Energy that contacts took [J]: what they dissipated, and what impacts by phases took in their
  /// compression, of which the expansion may give back all.
  double energy_turned_over() const {
    return std::max(energy_budget().dissipated, 0.0) + compression_work;
  }
  bool makes_energy() const { return energy_created > energy_left_open(); }
  /// True if joints created or removed more than a fraction of the largest kinetic energy, which
  /// exact joints do not: in all, or in one step, as later steps may cancel the sum.
  bool joints_work() const {
    constexpr double kMax = 0.05, kMaxInStep = 0.25;
    return !(std::abs(joint_work) <= kMax * max_kinetic_energy) ||
           !(joint_work_in_step.value <= kMaxInStep * max_kinetic_energy);
  }
  /// Reference for other energies: the largest of kinetic energy, total dissipation and total work
  /// of walls [J].
  double largest_energy() const {
    const EnergyBudget budget = energy_budget();
    return std::max({max_kinetic_energy, std::abs(budget.dissipated), std::abs(budget.wall_work)});
  }
  /// True if the unaccounted energy exceeds a fraction of that and the rounding of potential
  /// energies and of springs.
  bool energy_is_unaccounted() const {
    constexpr double kMax = 0.05, kRounding = 1e-9;
    const double stored =
        std::max({std::abs(first.potential_energy), std::abs(last.potential_energy),
                  first.force_energy.elastic(), last.force_energy.elastic()});
    return !(std::abs(energy_budget().unaccounted) <= kMax * largest_energy() + kRounding * stored);
  }
  /// True if fields acted in any stage.
  bool fields_acted() const { return last.field_work != first.field_work || field_swing.value > 0; }
  bool fields_swing() const { return !(field_swing.value <= FieldSwing::kMax); }
  /// True if the run met its verdict: every step met the tolerance, no pair was left out and no
  /// deep overlap grew, contacts created no energy beyond the bound of the tolerance, joints did no
  /// work, all energy is accounted for, fields reversed no velocity, no filling was starved, and,
  /// if required, every body could enter, all came to rest, and the condition was reached.
  bool is_met() const {
    return within_tolerance() && contacts_left_out == 0 && steps_of_growing_penetration == 0 &&
           steps_too_soft == 0 && !makes_energy() && !joints_work() && !energy_is_unaccounted() &&
           !fields_swing() && !(strict_inflow && bodies_skipped + steps_waiting > 0) &&
           starved.empty() && !(rest && !rest->reached) && !(condition && !condition->reached);
  }

  EnergyBudget energy_budget() const { return scree::energy_budget(first, last); }
  /// Energy of missed restitution [J], at most the energy dissipated in contacts: a body between
  /// two others is pressed harder than it was hit. Without the bound if contacts added energy in
  /// total.
  double energy_of(const MissedRestitution& lost) const {
    const double dissipated = energy_budget().dissipated;
    return dissipated > 0 ? std::min(lost.energy, dissipated) : lost.energy;
  }
};

/// Outcome of a run that is watched for rest, as if it ended now.
RestOutcome rest_outcome(const RestWatch& watch, const RunSummary& summary, const Model& model);

/// True if steps measure the energy created by Newton's law of impacts: see
/// Report::energy_of_rebounds.
bool measures_rebounds(const Model& model);

/// Adds the last step of a simulation, with all data looked up for it; `warn` receives warnings
/// during the run.
void add_step(RunSummary& summary, const Simulation& simulation,
              FunctionRef<void(const std::string&)> warn);

/// Name of a body in messages: the name of an obstacle, or "body 7".
std::string name_of(BodyId id, const Model& model);

/// Name of the faulty item: "the motion of 'lid'", "the field 'wind'".
std::string name_of(const MotionFault& fault, const Model& model);

/// Sentence on joints that created or removed energy.
std::string describe_joint_work(const RunSummary& summary, const Model& model);

/// Sentence on steps that are too long for compliant contacts.
std::string describe(const StepFit& fit, const Model& model);

/// First sentences of the verdict: if the run can be trusted, and what to do if not.
std::vector<std::string> judgement(const RunSummary& summary, const Model& model);

/// All sentences for the user at the end of a run, one a line.
std::vector<std::string> verdict(const RunSummary& summary, double wall_seconds,
                                 const Model& model);

}  // namespace scree

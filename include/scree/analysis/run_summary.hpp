/// A whole run in a few numbers, and the verdict on it in plain words.
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

/// The largest value of something, and when it was taken.
struct Extreme {
  double value = 0;
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
};

/// What became of mechanical energy between two reports [J].
struct EnergyBudget {
  double change;      ///< of kinetic and potential energy
  double dissipated;  ///< in contacts
  double wall_work;   ///< by moving obstacles, and carried in and out by bodies
  /// Change + dissipated − wall_work: rounding, and the swing of bodies of unequal inertia
  double unaccounted;
};
EnergyBudget energy_budget(const Report& first, const Report& last);

/// Contacts that no velocities can obey together, see Simulation::contradiction.
struct Contradiction {
  double time = 0;  ///< [s]
  std::vector<std::pair<BodyId, BodyId>> contacts;
};

/// The overlap of a step that is largest for its bodies.
struct WorstOverlap {
  static constexpr double kNoticeable = 0.01;  ///< of the radius [-]; less is not looked for
  double time = 0;                             ///< [s]
  BodyId a{}, b{};
  double depth = 0;  ///< [m]; 0: none is noticeable
  double share = 0;  ///< of the smaller inner radius, see Prototype [-]
};
/// At the start of the last step.
WorstOverlap worst_overlap(const Simulation& simulation);

/// How a run that was to end at rest ended.
struct RestOutcome {
  RestCriterion criterion;
  RestReport report;  ///< of the last step
  bool reached = false;
  bool has_no_bodies = false;  ///< though there were some, or some were to come: not reached
};

/// A filling by which not one body came in, though one was due.
struct StarvedFilling {
  std::uint32_t filling;                  ///< of Model::fillings
  std::optional<std::uint32_t> obstacle;  ///< that stands all over its region, of Model::obstacles
};
std::vector<StarvedFilling> starved_fillings(const Simulation& simulation);

/// How a run that was to end by a condition ended.
struct ConditionOutcome {
  std::string text;    ///< of the condition
  double lasting = 0;  ///< for how long it was to hold [s]
  bool reached = false;
  bool held_at_once = false;  ///< in the first step
  bool is_number = true;      ///< and not NaN, in the last step
};

struct RunSummary {
  double tolerance = 0;          ///< on Report::residual, the smallest of all stages so far [-]
  double largest_tolerance = 0;  ///< of these [-]
  /// Bodies that found no room to enter make the run miss its verdict
  bool strict_inflow = false;

  std::uint64_t steps = 0;
  std::uint64_t body_steps = 0;  ///< bodies summed over steps
  std::uint64_t steps_over_tolerance = 0;
  double first_time_over_tolerance = 0;  ///< [s]; says nothing if there is no such step
  Extreme residual;                      ///< E_s [-]
  Extreme worst_residual;                ///< of one contact [m/s]
  Extreme max_penetration;               ///< [m]
  Extreme max_relative_penetration;      ///< see Report [-]
  /// In which contacts were driven deeper, see Report; and the worst overlap of the first of them
  std::uint64_t steps_of_growing_penetration = 0;
  WorstOverlap growing_penetration;
  /// In which a compliant contact was deeper than kTooSoft; and the first of them
  std::uint64_t steps_too_soft = 0;
  WorstOverlap too_soft;
  std::uint64_t contacts = 0;                 ///< summed over steps
  std::uint64_t contacts_over_tolerance = 0;  ///< of them, see Report
  WorstContact worst_contact;                 ///< that of worst_residual
  /// Of the steps over tolerance, that of the largest residual
  Report worst_missed;
  Contradiction contradiction;                             ///< the first that was found
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
  Extreme largest_turn;            ///< see Report [rad]
  Extreme field_swing;             ///< see FieldSwing [-]
  BodyId swinging_body{};          ///< of it
  std::uint64_t local_failures = 0;
  double energy_created = 0;       ///< see Report, summed over steps [J]
  Extreme energy_created_in_step;  ///< [J]
  std::uint64_t steps_with_energy_created = 0;
  double energy_of_rebounds = 0;       ///< see Report, summed over steps [J]
  Extreme energy_of_rebounds_in_step;  ///< [J]
  double bias_work = 0;                ///< see Report, summed over steps [J]
  double push_work = 0;                ///< the same
  std::uint64_t bodies_added = 0, bodies_removed = 0, bodies_skipped = 0;
  std::uint64_t steps_waiting = 0;            ///< in which a filling had a body that found no place
  std::size_t bodies_not_finite = 0;          ///< in the last step
  std::optional<EnergyGrowth> energy_growth;  ///< in the last step
  std::optional<ExcessiveRotation> excessive_rotation;  ///< the same
  /// Of the steps in which compliant contacts were looked at, the one that is too long by most
  StepFit step_fit;
  double depth_looked_at = 0;                 ///< the largest max_relative_penetration of them [-]
  std::optional<MotionFault> motion_fault;    ///< of the step after the last, which was not done
  WorstOverlap lasting_overlap;               ///< to be set at the end
  std::optional<RestOutcome> rest;            ///< the same, of a run that was to end at rest
  std::optional<ConditionOutcome> condition;  ///< the same, by a condition
  std::vector<StarvedFilling> starved;        ///< the same
  Report first, last;

  explicit RunSummary(double tolerance_, const Report& initial)
      : tolerance(tolerance_), largest_tolerance(tolerance_), first(initial), last(initial) {}

  /// The steps that follow are asked for this.
  void begin_stage(double stage_tolerance) {
    tolerance = std::min(tolerance, stage_tolerance);
    largest_tolerance = std::max(largest_tolerance, stage_tolerance);
  }

  bool has_one_tolerance() const { return tolerance == largest_tolerance; }

  /// Takes a step into account. True if its worst contact is the worst so far: then worst_contact
  /// is to be told.
  bool add(const Report& report);

  /// Whether the step just added is the first that drove contacts deeper.
  bool asks_for_growing_penetration() const {
    return last.contacts_growing_penetration > 0 && steps_of_growing_penetration == 1;
  }

  /// Whether to look for a contradiction in the step just added: where it missed the tolerance or
  /// drove contacts deeper, and none is known, ever more rarely.
  bool asks_for_contradiction() const {
    return contradiction.contacts.empty() &&
           ((!last.converged && std::has_single_bit(steps_over_tolerance)) ||
            (last.contacts_growing_penetration > 0 &&
             std::has_single_bit(steps_of_growing_penetration)));
  }

  /// Whether the step just added is the first in which a compliant contact was too deep.
  bool began_too_soft() const { return last.soft_overlap.share > 0 && steps_too_soft == 1; }

  /// Whether to look how long the step just added is for its compliant contacts: where one is
  /// deeper than all before, and now and then, as another may be stiffer.
  bool asks_for_step_fit() const {
    constexpr double kDeeper = 1.1;
    constexpr std::uint64_t kNowAndThen = 1000;  // steps
    return last.force_contacts > 0 &&
           (last.max_relative_penetration > kDeeper * depth_looked_at || steps % kNowAndThen == 0);
  }
  /// Takes the fit of the step just added. True: it is the first that is too long.
  bool add(const StepFit& fit);

  /// Ended before its time, by a state that cannot be trusted or cannot be gone on from.
  bool failed() const {
    return bodies_not_finite > 0 || motion_fault || energy_growth || excessive_rotation;
  }
  bool within_tolerance() const { return steps_over_tolerance == 0 && !failed(); }
  /// Of the bodies that inflows were to lay, those that found no room [-].
  double share_skipped() const {
    return bodies_skipped == 0 ? 0
                               : static_cast<double>(bodies_skipped) /
                                     static_cast<double>(bodies_added + bodies_skipped);
  }
  /// What contacts may have made without missing the verdict [J]: energies go with the squares of
  /// velocities, of which E_s up to the tolerance is left. The square of the smallest, a
  /// hundredth at most, of what contacts dissipated.
  double energy_left_open() const {
    constexpr double kMax = 0.01;
    return std::min(tolerance * tolerance, kMax) * std::max(energy_budget().dissipated, 0.0);
  }
  bool makes_energy() const { return energy_created > energy_left_open(); }
  /// Whether joints gave or took more than a part of the largest kinetic energy, which none does by
  /// itself: in all, or in a step, which what they take in the next may hide.
  bool joints_work() const {
    constexpr double kMax = 0.05, kMaxInStep = 0.25;
    return !(std::abs(joint_work) <= kMax * max_kinetic_energy) ||
           !(joint_work_in_step.value <= kMaxInStep * max_kinetic_energy);
  }
  /// The largest of what the run had of kinetic energy, and of what was dissipated and of the work
  /// of walls in all: what other energies are set beside [J].
  double largest_energy() const {
    const EnergyBudget budget = energy_budget();
    return std::max({max_kinetic_energy, std::abs(budget.dissipated), std::abs(budget.wall_work)});
  }
  /// Whether more than a part of that came from nowhere or went there, and more than rounding of
  /// potential energies.
  bool energy_is_unaccounted() const {
    constexpr double kMax = 0.05, kRounding = 1e-9;
    const double potential =
        std::max(std::abs(first.potential_energy), std::abs(last.potential_energy));
    return !(std::abs(energy_budget().unaccounted) <=
             kMax * largest_energy() + kRounding * potential);
  }
  /// Fields did something, in whichever stage.
  bool fields_acted() const { return last.field_work != first.field_work || field_swing.value > 0; }
  bool fields_swing() const { return !(field_swing.value <= FieldSwing::kMax); }
  /// Every step met the tolerance, no pair was left out or driven deeper, contacts made no energy
  /// but what the tolerance leaves open, joints none and took none, all energy is accounted for,
  /// fields turned no velocity round, no filling was starved, and, if they count, every body could
  /// enter, all came to rest, and the condition was reached.
  bool is_met() const {
    return within_tolerance() && contacts_left_out == 0 && steps_of_growing_penetration == 0 &&
           steps_too_soft == 0 && !makes_energy() && !joints_work() && !energy_is_unaccounted() &&
           !fields_swing() && !(strict_inflow && bodies_skipped + steps_waiting > 0) &&
           starved.empty() && !(rest && !rest->reached) && !(condition && !condition->reached);
  }

  EnergyBudget energy_budget() const { return scree::energy_budget(first, last); }
  /// Of rebounds that are missing, but no more than contacts dissipated: a body between two others
  /// is pressed harder than it was hit [J]. As it was counted where contacts gave energy on the
  /// whole, which bounds nothing.
  double energy_of(const MissedRestitution& lost) const {
    const double dissipated = energy_budget().dissipated;
    return dissipated > 0 ? std::min(lost.energy, dissipated) : lost.energy;
  }
};

/// How a run that is watched for rest ended, or would if it ended now.
RestOutcome rest_outcome(const RestWatch& watch, const RunSummary& summary, const Model& model);

/// Whether steps measure what Newton's law of impacts makes of energy: see
/// Report::energy_of_rebounds.
bool measures_rebounds(const Model& model);

/// Takes the last step of a simulation into account, with what has to be looked up for it; `warn`
/// hears what is to be known while the run goes on.
void add_step(RunSummary& summary, const Simulation& simulation,
              FunctionRef<void(const std::string&)> warn);

/// What a body is called in messages: the name of an obstacle, or "body 7".
std::string name_of(BodyId id, const Model& model);

/// What a fault is of: "the motion of 'lid'", "the field 'wind'".
std::string name_of(const MotionFault& fault, const Model& model);

/// What is to be known of joints that gave or took energy.
std::string describe_joint_work(const RunSummary& summary, const Model& model);

/// What is to be known of steps that are too long for compliant contacts.
std::string describe(const StepFit& fit, const Model& model);

/// Whether the run can be trusted, and if not what to do: the sentences that come first in the
/// verdict.
std::vector<std::string> judgement(const RunSummary& summary, const Model& model);

/// What a user is to know when a run has ended: one sentence a line.
std::vector<std::string> verdict(const RunSummary& summary, double wall_seconds,
                                 const Model& model);

}  // namespace scree

/// The table of findings: what each is, when it matters, and what a verdict says of it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/diagnosis/words.hpp"

namespace scree {
namespace {

/// Smallest energy that remarks tell of, as a fraction of the largest kinetic energy [-].
constexpr double kReportedEnergy = 0.01;

/// True if some bodies have edges or flat sides.
bool has_edges(const Model& model) {
  return std::ranges::any_of(model.prototypes, [](const Prototype& p) {
    return !p.is_sphere() && !std::holds_alternative<Superellipsoid>(p.shape);
  });
}

/// "Joints that missed in the same step: 'a', 'b'. "; empty if no other joint did.
std::string joints_missed_with(std::uint32_t joint, const RunSummary& s, const Model& model) {
  constexpr std::size_t kMaxNamed = 8;
  std::vector<std::string> names;
  std::size_t others = 0;
  for (const std::uint32_t other : s.worst_missed.joints_missed)
    if (other != joint && ++others <= kMaxNamed)
      names.push_back(fmt::format("'{}'", model.joints[other].name));
  if (others == 0) return {};
  if (others > kMaxNamed) names.push_back(fmt::format("{} more", others - kMaxNamed));
  return fmt::format("Joints that missed in the same step: {}. ", fmt::join(names, ", "));
}

Sentences say_missed_tolerance(const RunSummary& s, const Model& model) {
  const Tally& over = s["steps_over_tolerance"];
  const Tally& apart = s["joint_velocity"];
  const std::string steps = plural(s.steps, "step", "steps");
  const std::string missed = s.has_one_tolerance()
                                 ? fmt::format("The tolerance {:.3g} was missed in {} of {}",
                                               s.tolerance, over.steps, steps)
                                 : fmt::format("{} of {} missed their tolerance ({})", over.steps,
                                               steps, tolerances_of(s));
  Sentences lines{
      fmt::format("{}, first at t = {:.6g} s; worst residual {:.3g} at t = {:.6g} s. {}", missed,
                  over.first_time, s.worst_missed.residual, s.worst_missed.time, advice(s, model))};
  if (!model.joints.empty() && apart.largest.value >= s["worst_residual"].largest.value)
    lines.push_back(fmt::format(
        "The joint '{}' missed most: its ends separate at {:.3g} m/s at t = {:.6g} s. {}Joints, "
        "motors and obstacles contradict each other there: no motion satisfies all of them.",
        model.joints[apart.of_largest.joint()].name, apart.largest.value, apart.largest.time,
        joints_missed_with(apart.of_largest.joint(), s, model)));
  return lines;
}

Sentences say_growing_penetration(const RunSummary& s, const Model& model) {
  const WorstOverlap& overlap = s.growing_penetration;
  std::string why;
  if (s.contradiction.contacts.empty())
    why =
        " Obstacles squeeze bodies there, in each step by less than the tolerance, or steps are "
        "too long for the speed of impacts. Look at moving obstacles, or take a smaller time "
        "step (step.h).";
  else if (!s.exceeds("steps_over_tolerance"))
    why = ' ' + describe(s.contradiction, model);
  return {fmt::format(
      "Bodies were driven into each other in {}: at t = {:.6g} s {} and {} overlapped by {:.3g} "
      "m, {:.3g} % of the smaller radius, and an overlap of more than {:.3g} % still grew.{}",
      plural(s["contacts_growing_penetration"].steps, "step", "steps"), overlap.time,
      name_of(overlap.a, model), name_of(overlap.b, model), overlap.depth, 100 * overlap.share,
      100 * kDeepOverlap, why)};
}

Sentences say_joint_work(const RunSummary& s, const Model& model) {
  const Tally& work = s["joint_work"];
  return {fmt::format(
      "Joints {} {:.3g} J, {:.3g} % of the largest kinetic energy of the run; exact joints do no "
      "work. Steps are too long for the rotation of the jointed bodies. The largest error in a "
      "step is {:.3g} J at t = {:.6g} s, mainly at '{}'. Take a smaller step (step.h). Motions are "
      "sudden where links align, or a universal joint bends by a right angle: there few steps are "
      "short enough.",
      work.total > 0 ? "created" : "removed", std::abs(work.total),
      100 * std::abs(work.total) / s.max_kinetic_energy, work.largest.value, work.largest.time,
      model.joints[work.of_largest.joint()].name)};
}

/// True if joints created or removed more than these fractions of the largest kinetic energy: in
/// all, or in one step, as later steps may cancel the sum.
bool joints_work(const RunSummary& s, double most, double most_in_step) {
  const Tally& work = s["joint_work"];
  return !(std::abs(work.total) <= most * s.max_kinetic_energy) ||
         !(work.largest.value <= most_in_step * s.max_kinetic_energy);
}

/// True if the unaccounted energy exceeds a fraction of the largest energy and the rounding of
/// potential energies and of springs.
bool energy_is_unaccounted(const RunSummary& s) {
  constexpr double kMax = 0.05, kRounding = 1e-9;
  const double stored =
      std::max({std::abs(s.first.potential_energy), std::abs(s.last.potential_energy),
                s.first.force_energy.elastic(), s.last.force_energy.elastic()});
  return !(std::abs(s.energy_budget().unaccounted) <=
           kMax * s.largest_energy() + kRounding * stored);
}

Sentences say_starved(const RunSummary& s, const Model& model) {
  Sentences lines;
  for (const StarvedFilling& starved : s.starved)
    lines.push_back(fmt::format(
        "No body of the filling '{}' entered, although some were due: {} Move or enlarge its "
        "region (fillings[].region), or move the obstacles or bodies in it.",
        model.fillings[starved.filling].name,
        starved.obstacle ? fmt::format("the obstacle '{}' fills its region.",
                                       model.obstacles[*starved.obstacle].name)
                         : "obstacles or other bodies were at each position that was tried."));
  return lines;
}

/// Impacts that should have rebounded and did not, and advice.
Sentences say_missed(const RunSummary& s, Finding energy, Finding impacts, const std::string& which,
                     const char* help) {
  const double dissipated = s.energy_budget().dissipated;
  const std::string of_all =
      dissipated > 0 ? fmt::format(" of the {:.3g} J that contacts dissipated", dissipated) : "";
  return {fmt::format(
      "Rebounds are missing: {} {}. If each of them had rebounded alone, they would have kept at "
      "most {:.3g} J{}. This matters where bodies bounce and fly; in a dense bed or flow other "
      "bodies stop a rebound at once. {}",
      plural(s[impacts].total, "impact was", "impacts were"), which, s.energy_of(energy), of_all,
      help)};
}

/// Value of a finding that is a member of the report.
template <auto member>
Measured from(const Report& report) {
  return {static_cast<double>(report.*member)};
}

Measured from_count(std::uint64_t count) { return {static_cast<double>(count)}; }

/// Row of a number without a limit.
constexpr FindingRow figure(std::string_view id, std::string_view unit,
                            Measured (*of)(const Report&), const FindingRow::Keys& keys = {},
                            std::optional<Fold> column = {}) {
  return {.id = id, .unit = unit, .of = of, .keys = keys, .column = column};
}

// As a table: clang-format would give each cell of a row its own line.
// clang-format off
constexpr FindingRow kTable[] = {
    // Faults that stop the run.
    {.id = "motion_fault", .severity = Severity::failed,
     .exceeds = [](const RunSummary& s) { return s.motion_fault.has_value(); },
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       return {fmt::format(
           "The run stopped at t = {:.9g} s: at t = {:.9g} s {} is invalid: {}. All earlier "
           "results are valid. Correct the scene and start the run again.",
           s.last.time, s.motion_fault->time, name_of(*s.motion_fault, model),
           s.motion_fault->what)};
     }},
    {.id = "bodies_not_finite",
     .meaning = "Number of bodies that are not finite; if above 0, the state cannot be trusted.",
     .fold = Fold::last, .severity = Severity::failed,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       return {fmt::format(
           "Do not trust the state: at t = {:.6g} s {} a position or velocity that is not finite. "
           "Take a smaller time step (step.h), and look at the last frames.",
           s.last.time, plural(s["bodies_not_finite"].last.value, "body has", "bodies have"))};
     }},
    {.id = "energy_growth", .unit = "J",
     .meaning = "Energy that springs released beyond what they received, if the state cannot be "
                "trusted [J].",
     .who = Who::body, .fold = Fold::last, .severity = Severity::failed,
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       const Measured& growth = s["energy_growth"].last;
       return {fmt::format(
           "Do not trust the state: by t = {:.6g} s, step {}, springs had released {:.3g} J more "
           "than they received. {} is the fastest body. The step {:.3g} s is too long for the "
           "springs: take a smaller one, or step.h: auto.{}",
           s.last.time, s.last.step, growth.value, name_of(growth.body(), model), model.step.h,
           has_edges(model)
               ? " If that does not help, bodies touch at edges or at overhanging flat "
                 "sides, where the contact points jump. No step is short enough for "
                 "them: take a rigid law, or more damping."
               : "")};
     }},
    // Contacts and joints mistook it for a rotation in the opposite direction. At a joint it is
    // relative to the other end.
    {.id = "excessive_rotation", .unit = "rad",
     .meaning = "Rotation above pi of a body with compliant contacts or a joint in this step "
                "[rad].",
     .who = Who::body, .fold = Fold::last, .severity = Severity::failed,
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       const Measured& rotation = s["excessive_rotation"].last;
       return {fmt::format(
           "Do not trust the state: at t = {:.6g} s, step {}, {}, which has contacts or a "
           "joint, rotated by {:.3g} rad in a step. Compliant contacts and joints mistake "
           "more than half a revolution for a rotation in the opposite direction. Take a "
           "smaller step (step.h): {:.2g} s or less.",
           s.last.time, s.last.step, name_of(rotation.body(), model), rotation.value,
           0.1 * model.step.h / rotation.value)};
     }},

    // Steps that were not solved well enough.
    {.id = "soft_overlap", .unit = "-",
     .meaning = "Largest overlap of a compliant contact, as a fraction of the smaller inscribed "
                "radius; 0 up to 10 % [-].",
     .who = Who::pair, .fold = Fold::steps, .severity = Severity::missed,
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       const auto& soft = s["soft_overlap"];
       return {fmt::format(
           "Compliant contacts were too soft in {}: first at t = {:.6g} s {} and {} overlapped by "
           "{:.3g} m, {:.3g} % of the smaller radius. Contact laws are valid up to {:.3g} %. Take "
           "stiffer contacts (k_n, young), with a smaller step.",
           plural(soft.steps, "step", "steps"), soft.first_time, name_of(soft.first.body(), model),
           name_of(soft.first.other_body(), model), s["soft_depth"].first.value,
           100 * soft.first.value, 100 * kTooSoft)};
     }, .keys = {.steps = "/contacts/steps_too_soft"}},
    {.id = "soft_depth", .unit = "m", .meaning = "Depth of this overlap [m]."},
    {.id = "steps_over_tolerance",
     .of = [](const Report& r) { return Measured{r.converged ? 0.0 : 1.0}; },
     .severity = Severity::missed, .sentences = say_missed_tolerance,
     .keys = {.first_time = "/first_time_over_tolerance"}},
    // In a cell also pairs that meet by other images than the nearest.
    {.id = "contacts_left_out",
     .meaning = "Number of pairs that met in the step without a contact.",
     .severity = Severity::missed,
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       return {fmt::format(
           "{} within a step without a contact: {}. Take a smaller time step (step.h){}.",
           plural(s["contacts_left_out"].total, "pair met", "pairs met"),
           model.domain.repeats()
               ? "bodies move so far in a step that they pass images of others in the "
                 "cell, or impulses reach more bodies than the search for new contacts can "
                 "follow"
               : "impulses reach more bodies in a step than the search for new contacts "
                 "can follow",
           model.domain.repeats() ? ", or a larger cell" : "")};
     }, .keys = {.total = "/contacts/left_out"}, .column = Fold::total},
    {.id = "contacts_growing_penetration",
     .meaning = "Number of contacts with a deep overlap that velocities increased in this step.",
     .fold = Fold::steps, .severity = Severity::missed, .sentences = say_growing_penetration,
     .keys = {.steps = "/contacts/steps_of_growing_penetration"}, .column = Fold::total},

    // Energy that no law allows.
    // Beyond the work of walls, gap terms and rebounds.
    {.id = "energy_created", .unit = "J",
     .meaning = "Energy from contacts beyond their laws in this step; 0 within rounding [J].",
     .severity = Severity::missed,
     .exceeds = [](const RunSummary& s) {
       return s["energy_created"].total > s.energy_left_open();
     },
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const Tally& created = s["energy_created"];
       return {fmt::format(
           "Contacts created energy, which no law allows, in {}: {:.3g} J in all, at most {:.3g} J "
           "in a step, at t = {:.6g} s. Take a smaller tolerance (solver.tolerance).",
           plural(created.steps, "step", "steps"), created.total, created.largest.value,
           created.largest.time)};
     },
     .remarks = [](const RunSummary& s, const Model&) -> Sentences {
       const Tally& created = s["energy_created"];
       if (created.steps == 0) return {};
       return {fmt::format(
           "Contacts created {:.3g} J in {}, {:.2g} of the energy that they turned over, which is "
           "within the bound of the tolerance.",
           created.total, plural(created.steps, "step", "steps"),
           created.total / s.energy_turned_over())};
     }, .keys = {.total = "/energy/created", .steps = "/energy/steps_with_energy_created",
                 .largest = "/energy/created_in_step"}, .column = Fold::total},
    // Beyond the dissipation of the same sets. 0 where measures_rebounds() is false.
    {.id = "energy_of_rebounds", .unit = "J",
     .meaning = "Energy made by Newton's law in rebounds of sets of contacts in this step [J].",
     .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) {
       return s["energy_of_rebounds"].total > kReportedEnergy * s.max_kinetic_energy;
     },
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const Tally& made = s["energy_of_rebounds"];
       return {fmt::format(
           "Rebounds created energy: {:.3g} J in all, {:.3g} % of the largest kinetic energy of "
           "the run, and at most {:.3g} J in a step, at t = {:.6g} s. Newton's law of impacts can "
           "create energy where bodies hit at several contacts at once; step.impacts: energetic "
           "cannot.",
           made.total, 100 * made.total / s.max_kinetic_energy, made.largest.value,
           made.largest.time)};
     }, .keys = {.total = "/energy/of_rebounds", .largest = "/energy/of_rebounds_in_step"}},
    // Beyond the work of prescribed motions. It arises only when steps are too long for how fast
    // the bodies rotate. Joints on moving obstacles are not counted; 0 in a first step, where
    // velocities may still violate the joints.
    {.id = "joint_work", .unit = "J",
     .meaning = "Energy that the constraint forces of joints created in this step; below 0: "
                "removed [J].",
     .who = Who::joint, .severity = Severity::missed,
     .exceeds = [](const RunSummary& s) { return joints_work(s, 0.05, 0.25); },
     .sentences = say_joint_work,
     .remarks = [](const RunSummary& s, const Model& model) -> Sentences {
       return joints_work(s, kReportedEnergy, 0.05) ? say_joint_work(s, model) : Sentences{};
     }, .keys = {.total = "/joints/work", .largest = "/joints/work_in_step",
                 .who = "/joints/working"}},
    {.id = "rebounds_not_measured",
     .remarks = [](const RunSummary&, const Model& model) -> Sentences {
       if (measures_rebounds(model) || model.step.impacts != ImpactLaw::newton ||
           !has_rebounds(model))
         return {};
       return {model.joints.empty()
                   ? "The energy created by rebounds was not measured, because of a strained cell "
                     "or overlap_correction: velocities. step.impacts: energetic creates none."
                   : "The energy created by rebounds was not measured, because of joints. "
                     "step.impacts: energetic, the default with joints, creates none."};
     }},
    {.id = "energy_unaccounted", .unit = "J", .severity = Severity::missed,
     .exceeds = energy_is_unaccounted,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       if (s.failed()) return {};
       const double unaccounted = s.energy_budget().unaccounted;
       return {fmt::format(
           "{:.3g} J of energy {} without a cause, {:.3g} % of the largest energy of the run, "
           "{:.3g} J: bodies with unequal moments of inertia rotate too far in a step. Take a "
           "smaller time step (step.h).",
           std::abs(unaccounted), unaccounted > 0 ? "appeared" : "vanished",
           100 * std::abs(unaccounted) / s.largest_energy(), s.largest_energy())};
     }},
    {.id = "field_swing", .unit = "-",
     .meaning = "Largest fraction of a velocity that fields brake in this step, see FieldSwing "
                "[-].",
     .who = Who::body, .fold = Fold::largest, .limit = FieldSwing::kMax,
     .severity = Severity::missed,
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       const Tally& swing = s["field_swing"];
       return {fmt::format(
           "Fields slowed or reversed bodies by more than their speed in one step: by {:.3g} times "
           "the velocity of {} at t = {:.6g} s. Take a smaller time step (step.h): {:.2g} s or "
           "less.",
           swing.largest.value, name_of(swing.of_largest.body(), model), swing.largest.time,
           0.1 * model.step.h / swing.largest.value)};
     }, .keys = {.largest = "/fields/swing", .who = "/fields/swinging"}},

    // Bodies that could not enter.
    {.id = "bodies_skipped", .of = from<&Report::bodies_skipped>, .severity = Severity::missed,
     .exceeds = [](const RunSummary& s) {
       return s.strict_inflow && s["bodies_skipped"].total > 0;
     },
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const double added = s["bodies_added"].total, skipped = s["bodies_skipped"].total;
       return {fmt::format(
           "Inflows found no room for {} of {} ({:.3g} %), which strict_inflow counts as missed. "
           "Look for bodies or obstacles in front of the plate, or insert fewer bodies "
           "(inflows[].advance, layer.spacing).",
           skipped, plural(added + skipped, "body", "bodies"), 100 * s.share_skipped())};
     }, .keys = {.total = "/bodies/found_no_room"}, .column = Fold::total},
    {.id = "fillings_waiting",
     .meaning = "Number of fillings whose next body found no room in this step.",
     .fold = Fold::steps, .severity = Severity::missed,
     .exceeds = [](const RunSummary& s) {
       return s.strict_inflow && s["fillings_waiting"].steps > 0;
     },
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       return {fmt::format(
           "Fillings found no room for the next body in {}, which strict_inflow counts as missed. "
           "Enlarge their region, lower their rate, or let bodies leave the region faster "
           "(fillings[].velocity).",
           plural(s["fillings_waiting"].steps, "step", "steps"))};
     }, .keys = {.steps = "/bodies/steps_waiting"}},
    {.id = "starved_fillings", .severity = Severity::missed,
     .exceeds = [](const RunSummary& s) { return !s.starved.empty(); },
     .sentences = say_starved},

    // Facts that do not make a run miss its verdict, but may change the answer.
    {.id = "contacts_beyond_margin",
     .meaning = "Number of pairs that met in the step beyond step.margin.",
     .severity = Severity::remark,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       return {fmt::format(
           "{} within a step beyond step.margin and got no contact: they overlap or pass through "
           "each other. Without step.margin the engine finds a margin that lets none pass.",
           plural(s["contacts_beyond_margin"].total, "pair met", "pairs met"))};
     }, .keys = {.total = "/contacts/beyond_margin"}},
    // The pair list may lack pairs that these bodies meet.
    {.id = "bodies_beyond_margin",
     .meaning = "Number of bodies that moved further than step.margin in this step.",
     .severity = Severity::remark,
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       return {fmt::format(
           "step.margin is {:.3g} m: {} further than that in a step, and may have passed uncounted "
           "through other bodies or walls. Leave step.margin out, or take a smaller time step "
           "(step.h).",
           *model.step.margin,
           plural(s["bodies_beyond_margin"].total, "time a body moved", "times a body moved"))};
     }, .keys = {.total = "/contacts/bodies_beyond_margin"}},
    {.id = "missed_restitution", .unit = "J",
     .of = [](const Report& r) { return Measured{r.missed_restitution.energy}; },
     .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) {
       return s.energy_of("missed_restitution") > kReportedEnergy * s.max_kinetic_energy;
     },
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       return say_missed(s, "missed_restitution", "missed_impacts",
                         "between bodies that were brought together only by other impulses in the "
                         "same step",
                         "A smaller time step (step.h) makes them rarer.");
     }},
    figure("missed_impacts", "1",
           [](const Report& r) { return from_count(r.missed_restitution.impacts); },
           {.total = "/contacts/missed_restitution/impacts"}),
    {.id = "slow_restitution", .unit = "J",
     .of = [](const Report& r) { return Measured{r.slow_restitution.energy}; },
     .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) {
       return s.energy_of("slow_restitution") > kReportedEnergy * s.max_kinetic_energy;
     },
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       return say_missed(s, "slow_restitution", "slow_impacts",
                         fmt::format("slower than step.restitution_threshold, {:.3g} m/s",
                                     model.step.restitution_threshold),
                         "A lower threshold lets them rebound.");
     }},
    figure("slow_impacts", "1",
           [](const Report& r) { return from_count(r.slow_restitution.impacts); },
           {.total = "/contacts/slow_restitution/impacts"}),
    {.id = "unordered_impacts",
     .meaning = "Number of sets of bodies that hit each other again and again in this step, and "
                "then came to touch: the solve stopped them together.",
     .severity = Severity::remark,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const Tally& sets = s["unordered_impacts"];
       return {fmt::format(
           "{} hit each other again and again within a step and came to touch, first at t = "
           "{:.6g} s: the solve of the step stopped them together. A smaller time step (step.h) "
           "follows more of their impacts.",
           plural(sets.total, "set of bodies", "sets of bodies"), sets.first_time)};
     }, .keys = {.total = "/contacts/unordered_impacts"}},
    {.id = "step_too_long", .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) { return s.step_fit.is_too_long(); },
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       return {describe(s.step_fit, model)};
     }},
    // For shapes other than spheres: rotation of the bodies in the step.
    {.id = "max_rotation", .unit = "rad",
     .meaning = "Largest rotation of a pair that hit, until it touched: the error of its normal "
                "[rad].",
     .fold = Fold::largest, .limit = 0.1, .severity = Severity::remark,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const Extreme& most = s["max_rotation"].largest;
       return {fmt::format(
           "Some pairs rotated by up to {:.2g} rad during the step in which they hit, at t = "
           "{:.6g} s. Their direction after the impact may be off by twice that. A smaller time "
           "step (step.h) reduces this error in proportion.",
           most.value, most.time)};
     }, .keys = {.largest = "/contacts/max_rotation"}},
    {.id = "max_relative_penetration", .unit = "-", .of = from<&Report::max_relative_penetration>,
     .fold = Fold::largest, .limit = 0.1, .severity = Severity::remark,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const Extreme& deepest = s["max_relative_penetration"].largest;
       return {fmt::format(
           "At t = {:.6g} s bodies overlapped by {:.3g} % of the smaller radius. They were placed "
           "so, obstacles pressed them together, or steps are too long for the speed of impacts.",
           deepest.time, 100 * deepest.value)};
     }},
    {.id = "lasting_overlap", .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) { return s.lasting_overlap.depth > 0; },
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       const WorstOverlap& overlap = s.lasting_overlap;
       return {fmt::format(
           "At the end {} and {} overlap by {:.3g} m, {:.3g} % of the smaller radius. They were "
           "placed so, obstacles hold them, or steps are too long or the tolerance too large for "
           "the speed of impacts.",
           name_of(overlap.a, model), name_of(overlap.b, model), overlap.depth,
           100 * overlap.share)};
     }},
    {.id = "falling_bodies", .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) { return s.falling.count > 0; },
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       return {fmt::format(
           "At the end {} below all obstacles and {} without end; {} is the lowest. Close the gap "
           "or the edge that they passed, or let an outflow remove them.",
           plural(s.falling.count, "body is", "bodies are"),
           s.falling.count == 1 ? "falls" : "fall", name_of(s.falling.lowest, model))};
     }},
    {.id = "local_failures", .meaning = "Number of contacts whose own law has no solution.",
     .severity = Severity::remark,
     .sentences = [](const RunSummary& s, const Model&) -> Sentences {
       const double failures = s["local_failures"].total;
       return {fmt::format(
           "{} no solution under {} own law; the solver used the impulse of maximum dissipation.",
           plural(failures, "contact had", "contacts had"), failures == 1 ? "its" : "their")};
     }, .keys = {.total = "/contacts/local_failures"}, .column = Fold::total},
    // Of each contact by itself, at the start of a step.
    {.id = "painleve", .unit = "-",
     .meaning = "Largest Painlevé number along the slip of a contact that slides; from 1 on no "
                "force, or several, obey its law [-].",
     .who = Who::body, .severity = Severity::remark,
     .exceeds = [](const RunSummary& s) { return s["painleve"].largest.value >= 1; },
     .sentences = [](const RunSummary& s, const Model& model) -> Sentences {
       const Tally& painleve = s["painleve"];
       return {fmt::format(
           "Painlevé's paradox: at t = {:.6g} s {} slides so that friction presses its contact "
           "together faster than the load opens it (Painlevé number {:.3g}; the limit is 1). There "
           "is no force, or there are several. The step takes an impulse that stops the slip, or "
           "none.",
           painleve.largest.time, name_of(painleve.of_largest.body(), model),
           painleve.largest.value)};
     }, .keys = {.largest = "/contacts/painleve", .who = "/contacts/painleve_body"}},

    // Figures.
    figure("residual", "-", from<&Report::residual>, {.largest = "/residual"}, Fold::largest),
    figure("worst_residual", "m/s", from<&Report::worst_residual>, {}, Fold::largest),
    figure("contacts_solved", "1",
           [](const Report& r) { return from_count(r.contacts - r.contacts_asleep); },
           {.total = "/contacts/solved"}),
    figure("contacts_over_tolerance", "1", from<&Report::contacts_over_tolerance>,
           {.total = "/contacts/over_tolerance"}),
    figure("max_penetration", "m", from<&Report::max_penetration>, {}, Fold::largest),
    figure("joint_error", "m", from<&Report::joint_error>, {.largest = "/joints/error"},
           Fold::last),
    figure("bodies_added", "1", from<&Report::bodies_added>, {.total = "/bodies/entered"},
           Fold::total),
    figure("bodies_removed", "1", from<&Report::bodies_removed>, {.total = "/bodies/left"},
           Fold::total),
    figure("bias_work", "J", from<&Report::bias_work>, {.total = "/energy/bias_work"}),
    figure("push_work", "J", from<&Report::push_work>, {.total = "/energy/push_work"}),
    figure("compression", "J", [](const Report& r) { return Measured{r.impact_work.compression}; }),
    {.id = "several_solutions",
     .meaning = "Number of contacts whose own law has several solutions; the law's policy selects "
                "one.",
     .keys = {.total = "/contacts/several_solutions"}},
    {.id = "joint_velocity", .unit = "m/s",
     .meaning = "Largest speed at which the ends of a joint separate [m/s].", .who = Who::joint,
     .keys = {.largest = "/joints/velocity", .who = "/joints/worst"}},
    {.id = "bodies_slowed",
     .meaning = "Number of light bodies with increased rotational inertia, as joints pull them so "
                "hard that they would oscillate faster than the step resolves.",
     .keys = {.steps = "/joints/steps_slowing_bodies"}},
    {.id = "spring_swing", .unit = "rad",
     .meaning = "Largest h sqrt(k W) of the springs of joints that are not overdamped: the phase "
                "of an oscillation in a step, where it is small [rad].",
     .who = Who::joint,
     .keys = {.largest = "/joints/spring_swing", .who = "/joints/fastest_spring"}},
    {.id = "joints_broken", .meaning = "Number of joints that broke in this step.",
     .who = Who::joint, .keys = {.total = "/joints/broken", .first_who = "/joints/first_broken",
                                .first_time = "/joints/first_broken_at"}}};
// clang-format on
static_assert(std::size(kTable) <= kMaxFindings);

}  // namespace

std::span<const FindingRow> finding_table() { return kTable; }

Finding::Finding(const char* id) noexcept
    : index_(std::ranges::find(kTable, std::string_view(id), &FindingRow::id) -
             std::begin(kTable)) {
  if (index_ == std::size(kTable)) std::abort();
}

Finding::Finding(const FindingRow& row) noexcept : index_(&row - kTable) {}

}  // namespace scree

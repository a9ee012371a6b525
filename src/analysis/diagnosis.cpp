/// Sentences that tell if a run met its tolerances and conditions, and how to mend it if not.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "analysis/words.hpp"
#include "scree/analysis/run_summary.hpp"

namespace scree {
namespace {

/// True for obstacles that move and for plates of inflows.
bool moves(BodyId id, const Model& model) {
  if (!is_obstacle(id)) return false;
  const auto k = static_cast<std::uint32_t>(id.value - kFirstObstacleId);
  return model.obstacles[k].is_moved() ||
         std::ranges::any_of(model.inflows,
                             [&](const Inflow& inflow) { return inflow.plate == k; });
}

std::string describe(const Contradiction& contradiction, const Model& model) {
  constexpr std::size_t kMaxNamed = 6;
  const auto& contacts = contradiction.contacts;
  std::vector<std::string> names;
  for (const auto& [a, b] : contacts)
    if (names.size() < kMaxNamed)
      names.push_back(fmt::format("{} to {}", name_of(a, model), name_of(b, model)));
  const std::string more =
      contacts.size() > kMaxNamed ? fmt::format(", and {} more", contacts.size() - kMaxNamed) : "";
  const bool squeezed = std::ranges::any_of(contacts, [&](const auto& pair) {
    return moves(pair.first, model) || moves(pair.second, model);
  });
  return fmt::format(
      "At t = {:.6g} s no velocities satisfy all contacts, so more sweeps cannot help. The "
      "contacts are {}{}. {}",
      contradiction.time, fmt::join(names, ", "), more,
      squeezed ? "Moving obstacles squeeze bodies that cannot give way. Stop the obstacles "
                 "earlier, or reduce their travel."
      : model.step.overlap_correction == OverlapCorrection::velocities
          ? "Bodies overlap there and have no room to separate. Make room, or correct overlaps "
            "without changing velocities (step.overlap_correction: positions)."
          : "Bodies there have no room to separate. Make room, or take a smaller time step "
            "(step.h).");
}

/// Sweeps needed to meet the tolerance, extrapolated from the second half of the sweeps; nothing
/// if the residual did not fall, or too many would be needed.
std::optional<double> sweeps_needed(const Report& missed, double tolerance, int max_sweeps) {
  constexpr double kMaxNeeded = 1e5;
  if (!(missed.convergence_ratio > 0 && missed.convergence_ratio < 1)) return {};
  const double halves = std::log(tolerance / missed.residual) / std::log(missed.convergence_ratio);
  const double needed = max_sweeps * (1 + halves / 2);
  return needed < kMaxNeeded ? std::optional(needed) : std::nullopt;
}

/// Advice for the worst step that missed its tolerance, from its report.
std::string advice(const RunSummary& s, const Model& model) {
  // Ratio of E_s over the second half of the sweeps above which the solver has stalled [-]
  constexpr double kStalledRatio = 0.9;
  constexpr double kFarResidual = 0.1;  // E_s of contacts that are far from any solution [-]
  // solver.method: auto takes 10 to 20 s a step for 750 contacts in a falling bed, and solves half
  // of these steps.
  constexpr std::size_t kFewForAuto = 256;
  const Report& missed = s.worst_missed;
  if (!s.contradiction.contacts.empty()) return describe(s.contradiction, model);
  if (missed.contacts == 0 && missed.joints > 0)
    return "No bodies touched in that step: no motion satisfies the joints, and more sweeps do not "
           "help.";
  if (missed.convergence_ratio == 0) return "Allow more sweeps or iterations (solver.max_sweeps).";
  const bool obstacles_move =
      std::ranges::any_of(model.obstacles, [](const Obstacle& o) { return o.is_moved(); });
  if (missed.residual > kFarResidual && obstacles_move)
    return fmt::format(
        "The contacts of that step are far from any solution, and more sweeps hardly reduce the "
        "residual. This happens where friction wedges a body between moving obstacles, or "
        "obstacles squeeze it. Look at {} and {} around t = {:.6g} s.",
        name_of(s.worst_contact.a, model), name_of(s.worst_contact.b, model),
        s.worst_residual.time);
  const auto needed = sweeps_needed(missed, s.tolerance, model.solver.max_sweeps);
  if (missed.convergence_ratio < kStalledRatio && !s.has_one_tolerance())
    return "The residual was still falling in that step: allow more sweeps or iterations in that "
           "stage (solver.max_sweeps).";
  if (missed.convergence_ratio < kStalledRatio && needed)
    return fmt::format(
        "The residual was still falling in that step. At that rate the step needs about {:.2g} "
        "sweeps or iterations (solver.max_sweeps).",
        *needed);
  if (model.step.overlap_correction == OverlapCorrection::velocities &&
      2 * missed.contacts_touching > missed.contacts)
    return fmt::format(
        "The residual hardly fell in the second half of the sweeps, so more sweeps would not help. "
        "{} of {} contacts overlapped. The gap term requires all of them to separate at once, "
        "which is impossible in a jam. With step.overlap_correction: positions a jam comes to "
        "rest.",
        missed.contacts_touching, missed.contacts);
  std::string stalled =
      "The residual hardly fell in the second half of the sweeps, so more sweeps would hardly help";
  if (missed.contacts <= kFewForAuto) stalled += "; solver.method: auto may help, but is slower";
  const double usual = solver_settings(Accuracy::engineering).tolerance;
  if (s.largest_tolerance < usual)
    stalled += fmt::format("; solver.accuracy: engineering has the tolerance {}", usual);
  return stalled + ".";
}

}  // namespace

std::string name_of(BodyId id, const Model& model) {
  return is_obstacle(id) ? model.obstacles[id.value - kFirstObstacleId].name
                         : fmt::format("body {}", id.value);
}

std::string describe(const StepFit& fit, const Model& model) {
  const double h = model.step.h;
  std::vector<std::string> reasons;
  if (fit.of_contact * StepFit::kFewestSteps > 1)
    reasons.push_back(
        fmt::format("{} and {} overlapped by {:.3g} m; an impact of this depth lasts {:.3g} s, or "
                    "{:.3g} steps, but {:.0f} are needed",
                    name_of(fit.a, model), name_of(fit.b, model), fit.depth, h / fit.of_contact,
                    1 / fit.of_contact, StepFit::kFewestSteps));
  if (fit.of_stable > kStableFraction)
    reasons.push_back(
        fmt::format("the springs and dashpots at {} can be unstable in steps of {:.3g} s or more",
                    name_of(fit.body, model), h / fit.of_stable));
  const double longest = std::min(1 / (kStepsOfContact * fit.of_contact),
                                  kStableFraction / std::max(fit.of_stable, 1e-300));
  return fmt::format(
      "The step {:.3g} s is too long for compliant contacts: at t = {:.6g} s, step {}, {}. Take "
      "{:.2g} s or less (step.h).",
      h, fit.time, fit.step, fmt::join(reasons, ", and "), h * longest);
}

namespace {

/// "body 7, at 0.2 m/s"
std::string fastest_of(const RestReport& report, const Model& model) {
  if (!(report.fastest_speed > 0))
    return report.spin > 0
               ? fmt::format(
                     "none, because no body leaves its position; {} spins fastest, at {:.3g} rad/s",
                     name_of(report.spinning, model), report.spin)
               : "none, because no body moves";
  return fmt::format("{}, {}at {:.3g} m/s", name_of(report.fastest, model),
                     report.spins_freely ? "which spins in place, its rim " : "",
                     report.fastest_speed);
}

/// Law that would stop the fastest body, where no law does; empty if none is known.
std::string_view stopping(const RestReport& report) {
  if (report.spins_freely)
    return " Only spinning_friction dissipates the energy of a body that spins on a single "
           "contact, and no law of its material has it.";
  if (report.rolls_freely)
    return " Only rolling_friction dissipates the energy of bodies that roll, or rock on round "
           "faces, and no law here has it.";
  return "";
}

/// Sentence on a bed that is at rest, except for bodies that rock or roll in place.
std::string describe(const RockingBodies& rocking, const std::string& speed,
                     const RestOutcome& rest, double time, const Model& model) {
  return fmt::format(
      "At rest at t = {:.6g} s except for {} in place. The fastest is {}, at up to {:.3g} m/s. For "
      "{:.3g} s neither the speed nor the position of these bodies changed much, and no obstacle "
      "moved. Of all other bodies, moments excepted, at most {:.3g} % of the mass was faster than "
      "{}. No law dissipates the energy of bodies that rock; rolling_friction would.",
      time,
      rocking.count == 1 ? "1 body that rocks or rolls"
                         : fmt::format("{} bodies that rock or roll", rocking.count),
      name_of(rocking.fastest, model), rocking.speed, rocking.lasting, 100 * rest.criterion.loose,
      speed);
}

std::string describe(const RestOutcome& rest, double time, const Model& model) {
  const RestReport& report = rest.report;
  const double percent = 100 * report.moving_share;
  if (rest.has_no_bodies)
    return fmt::format(
        "Not at rest at t = {:.6g} s: no body is left. If all bodies are meant to leave, end the "
        "run or the stage by a condition (until.when: 'bodies == 0').",
        time);
  if (rest.reached && report.bodies == 0)
    return fmt::format("At rest at t = {:.6g} s: there are no bodies, and no obstacle moves.",
                       time);
  if (rest.reached) {
    const std::string speed = rest.criterion.speed
                                  ? fmt::format("{:.3g} m/s", *rest.criterion.speed)
                                  : fmt::format("{:.0e} sqrt(g d)", RestCriterion::kSlow);
    if (report.rocking.count > 0) return describe(report.rocking, speed, rest, time, model);
    const std::string rolling =
        report.rolling_share > 0
            ? fmt::format(" besides {:.3g} % in bodies that roll or spin freely",
                          100 * report.rolling_share)
            : "";
    return fmt::format(
        "At rest at t = {:.6g} s: for {:.3g} s no obstacle moved, at most {:.3g} % of the mass was "
        "faster than {}{}, and none of it was fast. Fastest: {}.",
        time, report.lasting, 100 * rest.criterion.loose, speed, rolling,
        fastest_of(report, model));
  }
  std::string why;
  if (report.moving_obstacle)
    why = fmt::format("the obstacle '{}' moves. A run is at rest only when no obstacle moves.",
                      model.obstacles[*report.moving_obstacle].name);
  else if (report.filling)
    why = "bodies were still due to enter (fillings[].until). Allow more time (rest.at_most).";
  else if (!report.is_still(rest.criterion.loose))
    why = fmt::format(
        "{:.3g} % of the mass moves. Fastest: {}. Allow more time (rest.at_most). Look for bodies "
        "that roll on or fall without end, or allow more or faster motion (rest.loose, "
        "rest.speed).{}",
        percent, fastest_of(report, model), stopping(report));
  else if (report.changing)
    why = fmt::format(
        "all bodies are slow, but the speed of {} changes: it rolls down a slope, begins to fall, "
        "or has rocked only for a short time. Allow more time (rest.at_most), or a higher speed "
        "(rest.speed).",
        name_of(*report.changing, model));
  else
    why = fmt::format(
        "all was still during only a fraction of the last {:.3g} s. Allow more time "
        "(rest.at_most).",
        report.lasting);
  return fmt::format("Not at rest at t = {:.6g} s: {}", time, why);
}

std::string describe(const ConditionOutcome& condition, double time) {
  const std::string lasting =
      condition.lasting > 0 ? fmt::format(" for {:.6g} s", condition.lasting) : "";
  if (!condition.reached && !condition.is_number)
    return fmt::format(
        "The condition '{}' had not held{} by t = {:.6g} s: its value was not a number, as in 0/0. "
        "Multiply by the divisor, or use a condition that always is a number (until.when).",
        condition.text, lasting, time);
  if (!condition.reached)
    return fmt::format(
        "The condition '{}' had not held{} by t = {:.6g} s. Allow more time (until.at_most), or "
        "use a condition that can be reached (until.when).",
        condition.text, lasting, time);
  return fmt::format("Ended at t = {:.6g} s: '{}' held{}.{}", time, condition.text, lasting,
                     condition.held_at_once ? " It held already in the first step. If that is too "
                                              "early, add a condition, as in t > 0.1 && …."
                                            : "");
}

/// True if some bodies have edges or flat sides.
bool has_edges(const Model& model) {
  return std::ranges::any_of(model.prototypes, [](const Prototype& p) {
    return !p.is_sphere() && !std::holds_alternative<Superellipsoid>(p.shape);
  });
}

/// Adds the faults that stopped the run: its state is wrong.
void add_faults(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  if (s.motion_fault) {
    lines.push_back(fmt::format(
        "The run stopped at t = {:.9g} s: at t = {:.9g} s {} is invalid: {}. All earlier results "
        "are valid. Correct the scene and start the run again.",
        s.last.time, s.motion_fault->time, name_of(*s.motion_fault, model), s.motion_fault->what));
  }
  if (s.bodies_not_finite > 0) {
    lines.push_back(
        fmt::format("Do not trust the state: at t = {:.6g} s {} a position or velocity that is not "
                    "finite. Take a smaller time step (step.h), and look at the last frames.",
                    s.last.time, plural(s.bodies_not_finite, "body has", "bodies have")));
  }
  if (s.energy_growth) {
    lines.push_back(fmt::format(
        "Do not trust the state: by t = {:.6g} s, step {}, springs had released {:.3g} J more than "
        "they received. {} is the fastest body. The step {:.3g} s is too long for the springs: "
        "take a smaller one, or step.h: auto.{}",
        s.last.time, s.last.step, s.energy_growth->energy, name_of(s.energy_growth->fastest, model),
        model.step.h,
        has_edges(model) ? " If that does not help, bodies touch at edges or at overhanging flat "
                           "sides, where the contact points jump. No step is short enough for "
                           "them: take a rigid law, or more damping."
                         : ""));
  }
  if (s.excessive_rotation) {
    lines.push_back(
        fmt::format("Do not trust the state: at t = {:.6g} s, step {}, {}, which has contacts or a "
                    "joint, rotated by {:.3g} rad in a step. Compliant contacts and joints mistake "
                    "more than half a revolution for a rotation in the opposite direction. Take a "
                    "smaller step (step.h): {:.2g} s or less.",
                    s.last.time, s.last.step, name_of(s.excessive_rotation->body, model),
                    s.excessive_rotation->angle, 0.1 * model.step.h / s.excessive_rotation->angle));
  }
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

/// "0.9 to 0.0001, by stage"
std::string tolerances_of(const RunSummary& s) {
  return fmt::format("{:.3g} to {:.3g}, by stage", s.largest_tolerance, s.tolerance);
}

/// Adds how many steps missed their tolerance, the worst of them, and advice.
void add_tolerance(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  if (s.steps_over_tolerance > 0) {
    const std::string steps = plural(s.steps, "step", "steps");
    const std::string missed = s.has_one_tolerance()
                                   ? fmt::format("The tolerance {:.3g} was missed in {} of {}",
                                                 s.tolerance, s.steps_over_tolerance, steps)
                                   : fmt::format("{} of {} missed their tolerance ({})",
                                                 s.steps_over_tolerance, steps, tolerances_of(s));
    const Report& worst = s.worst_missed;
    lines.push_back(
        fmt::format("{}, first at t = {:.6g} s; worst residual {:.3g} at t = {:.6g} s. {}", missed,
                    s.first_time_over_tolerance, worst.residual, worst.time, advice(s, model)));
    if (!model.joints.empty() && s.joint_velocity.value >= s.worst_residual.value)
      lines.push_back(fmt::format(
          "The joint '{}' missed most: its ends separate at {:.3g} m/s at t = {:.6g} s. {}Joints, "
          "motors and obstacles contradict each other there: no motion satisfies all of them.",
          model.joints[s.worst_joint].name, s.joint_velocity.value, s.joint_velocity.time,
          joints_missed_with(s.worst_joint, s, model)));
  }
}

/// Adds that all steps met the tolerance: as the first line of a run that met its verdict, else as
/// the last.
void add_met_tolerance(const RunSummary& s, std::vector<std::string>& lines) {
  if (s.steps_over_tolerance > 0 || s.failed()) return;
  lines.insert(
      s.is_met() ? lines.begin() : lines.end(),
      fmt::format("Every step met {}; worst residual {:.3g} at t = {:.6g} s.",
                  s.has_one_tolerance() ? fmt::format("the tolerance {:.3g}", s.tolerance)
                                        : fmt::format("its tolerance ({})", tolerances_of(s)),
                  s.residual.value, s.residual.time));
}

/// Adds overlaps that the solver did not prevent.
void add_overlaps(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  if (s.contacts_left_out > 0) {
    lines.push_back(fmt::format(
        "{} within a step without a contact: {}. Take a smaller time step (step.h){}.",
        plural(s.contacts_left_out, "pair met", "pairs met"),
        model.domain.repeats()
            ? "bodies move so far in a step that they pass images of others in the "
              "cell, or impulses reach more bodies than the search for new contacts can "
              "follow"
            : "impulses reach more bodies in a step than the search for new contacts "
              "can follow",
        model.domain.repeats() ? ", or a larger cell" : ""));
  }
  if (s.steps_of_growing_penetration > 0) {
    const WorstOverlap& overlap = s.growing_penetration;
    std::string why;
    if (s.contradiction.contacts.empty())
      why =
          " Obstacles squeeze bodies there, in each step by less than the tolerance, or steps are "
          "too long for the speed of impacts. Look at moving obstacles, or take a smaller time "
          "step (step.h).";
    else if (s.steps_over_tolerance == 0)
      why = ' ' + describe(s.contradiction, model);
    lines.push_back(fmt::format(
        "Bodies were driven into each other in {}: at t = {:.6g} s {} and {} overlapped by {:.3g} "
        "m, {:.3g} % of the smaller radius, and an overlap of more than {:.3g} % still grew.{}",
        plural(s.steps_of_growing_penetration, "step", "steps"), overlap.time,
        name_of(overlap.a, model), name_of(overlap.b, model), overlap.depth, 100 * overlap.share,
        100 * kDeepOverlap, why));
  }
}

}  // namespace

std::string describe_joint_work(const RunSummary& s, const Model& model) {
  return fmt::format(
      "Joints {} {:.3g} J, {:.3g} % of the largest kinetic energy of the run; exact joints do no "
      "work. Steps are too long for the rotation of the jointed bodies. The largest error in a "
      "step is {:.3g} J at t = {:.6g} s, mainly at '{}'. Take a smaller step (step.h). Motions are "
      "sudden where links align, or a universal joint bends by a right angle: there few steps are "
      "short enough.",
      s.joint_work > 0 ? "created" : "removed", std::abs(s.joint_work),
      100 * std::abs(s.joint_work) / s.max_kinetic_energy, s.joint_work_in_step.value,
      s.joint_work_in_step.time, model.joints[s.working_joint].name);
}

std::vector<std::string> judgement(const RunSummary& s, const Model& model) {
  std::vector<std::string> lines;
  add_faults(s, model, lines);
  if (s.steps_too_soft > 0) {
    lines.push_back(fmt::format(
        "Compliant contacts were too soft in {}: first at t = {:.6g} s {} and {} overlapped by "
        "{:.3g} m, {:.3g} % of the smaller radius. Contact laws are valid up to {:.3g} %. Take "
        "stiffer contacts (k_n, young), with a smaller step.",
        plural(s.steps_too_soft, "step", "steps"), s.too_soft.time, name_of(s.too_soft.a, model),
        name_of(s.too_soft.b, model), s.too_soft.depth, 100 * s.too_soft.share, 100 * kTooSoft));
  }
  add_tolerance(s, model, lines);
  add_overlaps(s, model, lines);
  if (s.makes_energy()) {
    lines.push_back(fmt::format(
        "Contacts created energy, which no law allows, in {}: {:.3g} J in all, at most {:.3g} J in "
        "a step, at t = {:.6g} s. Take a smaller tolerance (solver.tolerance).",
        plural(s.steps_with_energy_created, "step", "steps"), s.energy_created,
        s.energy_created_in_step.value, s.energy_created_in_step.time));
  }
  if (s.joints_work()) lines.push_back(describe_joint_work(s, model));
  if (s.energy_is_unaccounted() && !s.failed()) {
    const double unaccounted = s.energy_budget().unaccounted;
    lines.push_back(
        fmt::format("{:.3g} J of energy {} without a cause, {:.3g} % of the largest energy of the "
                    "run, {:.3g} J: bodies with unequal moments of inertia rotate too far in a "
                    "step. Take a smaller time step (step.h).",
                    std::abs(unaccounted), unaccounted > 0 ? "appeared" : "vanished",
                    100 * std::abs(unaccounted) / s.largest_energy(), s.largest_energy()));
  }
  if (s.fields_swing()) {
    lines.push_back(fmt::format(
        "Fields slowed or reversed bodies by more than their speed in one step: by {:.3g} times "
        "the velocity of {} at t = {:.6g} s. Take a smaller time step (step.h): {:.2g} s or less.",
        s.field_swing.value, name_of(s.swinging_body, model), s.field_swing.time,
        0.1 * model.step.h / s.field_swing.value));
  }
  if (s.strict_inflow && s.bodies_skipped > 0) {
    lines.push_back(
        fmt::format("Inflows found no room for {} of {} ({:.3g} %), which strict_inflow counts as "
                    "missed. Look for bodies or obstacles in front of the plate, or insert fewer "
                    "bodies (inflows[].advance, layer.spacing).",
                    s.bodies_skipped, plural(s.bodies_added + s.bodies_skipped, "body", "bodies"),
                    100 * s.share_skipped()));
  }
  if (s.strict_inflow && s.steps_waiting > 0) {
    lines.push_back(
        fmt::format("Fillings found no room for the next body in {}, which strict_inflow counts as "
                    "missed. Enlarge their region, lower their rate, or let bodies leave the "
                    "region faster (fillings[].velocity).",
                    plural(s.steps_waiting, "step", "steps")));
  }
  for (const StarvedFilling& starved : s.starved)
    lines.push_back(fmt::format(
        "No body of the filling '{}' entered, although some were due: {} Move or enlarge its "
        "region (fillings[].region), or move the obstacles or bodies in it.",
        model.fillings[starved.filling].name,
        starved.obstacle ? fmt::format("the obstacle '{}' fills its region.",
                                       model.obstacles[*starved.obstacle].name)
                         : "obstacles or other bodies were at each position that was tried."));
  if (s.rest) lines.push_back(describe(*s.rest, s.last.time, model));
  if (s.last.bodies_asleep > 0)
    lines.push_back(fmt::format("At the end {} of {} were asleep.", s.last.bodies_asleep,
                                plural(s.last.bodies, "body", "bodies")));
  if (s.condition) lines.push_back(describe(*s.condition, s.last.time));
  add_met_tolerance(s, lines);
  return lines;
}

}  // namespace scree

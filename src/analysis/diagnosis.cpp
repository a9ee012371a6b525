/// Whether a run met what was asked of it, and what would help where it did not, in words.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "analysis/words.hpp"
#include "scree/analysis/run_summary.hpp"

namespace scree {
namespace {

bool moves(BodyId id, const Model& model) {
  if (!is_obstacle(id)) return false;
  const auto k = static_cast<std::uint32_t>(id.value - kFirstObstacleId);
  return model.obstacles[k].is_moved() ||
         std::ranges::any_of(model.inflows,
                             [&](const Inflow& inflow) { return inflow.plate == k; });
}

std::string told(const Contradiction& contradiction, const Model& model) {
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
      "At t = {:.6g} s there are no velocities that all contacts allow, and more sweeps find none: "
      "{}{}. {}",
      contradiction.time, fmt::join(names, ", "), more,
      squeezed
          ? "Obstacles that move squeeze what cannot give way: stop them earlier, or give them "
            "less way to go."
      : model.step.overlap_correction == OverlapCorrection::velocities
          ? "Bodies overlap there and have no room to part: make room, or let overlaps be undone "
            "apart from "
            "velocities (step.overlap_correction: positions)."
          : "Bodies there have no room to part: make room, or take a smaller time step.");
}

/// Sweeps that the rate of the second half promises to be enough; nothing if it promises too
/// little.
std::optional<double> sweeps_needed(const Report& missed, double tolerance, int most) {
  constexpr double kMax = 1e5;
  if (!(missed.convergence_ratio > 0 && missed.convergence_ratio < 1)) return {};
  const double halves = std::log(tolerance / missed.residual) / std::log(missed.convergence_ratio);
  const double needed = most * (1 + halves / 2);
  return needed < kMax ? std::optional(needed) : std::nullopt;
}

/// What would help a step that missed its tolerance, from what was seen in it.
std::string advice(const RunSummary& s, const Model& model) {
  // what E_s falls to in half of the sweeps where they have stalled
  constexpr double kHardly = 0.9;
  constexpr double kFarResidual = 0.1;  // E_s of contacts that are nowhere near a solution
  // Of 750 contacts in a bed that falls it takes 10 to 20 s a step, and solves half of them.
  constexpr std::size_t kFewForAuto = 256;
  const Report& missed = s.worst_missed;
  if (!s.contradiction.contacts.empty()) return told(s.contradiction, model);
  if (missed.contacts == 0 && missed.joints > 0)
    return "There nothing touched: it is joints that no motion satisfies, and more sweeps do not "
           "help.";
  if (missed.convergence_ratio == 0) return "Allow more sweeps or iterations (solver.max_sweeps).";
  const bool obstacles_move =
      std::ranges::any_of(model.obstacles, [](const Obstacle& o) { return o.is_moved(); });
  if (missed.residual > kFarResidual && obstacles_move)
    return fmt::format(
        "There the contacts are far from any solution, and more sweeps hardly bring them near one: "
        "so it is where "
        "friction wedges a body between obstacles that move, or obstacles squeeze it. Look at {} "
        "and {} "
        "around t = {:.6g} s.",
        name_of(s.worst_contact.a, model), name_of(s.worst_contact.b, model),
        s.worst_residual.time);
  const auto needed = sweeps_needed(missed, s.tolerance, model.solver.max_sweeps);
  if (missed.convergence_ratio < kHardly && !s.has_one_tolerance())
    return "There the residual was still falling: allow more sweeps or iterations in that stage "
           "(solver.max_sweeps).";
  if (missed.convergence_ratio < kHardly && needed)
    return fmt::format(
        "There the residual was still falling: if it goes on at that rate, that step takes "
        "about {:.2g} sweeps or iterations (solver.max_sweeps).",
        *needed);
  if (model.step.overlap_correction == OverlapCorrection::velocities &&
      2 * missed.contacts_touching > missed.contacts)
    return fmt::format(
        "There the residual hardly fell in the second half of the sweeps, so more of them would "
        "not help. {} of {} "
        "contacts overlapped, and the gap term asks all of them to part at once, which a jam "
        "cannot: with "
        "step.overlap_correction: positions it comes to rest.",
        missed.contacts_touching, missed.contacts);
  std::string stalled =
      "There the residual hardly fell in the second half of the sweeps, so more of them would "
      "hardly help";
  if (missed.contacts <= kFewForAuto) stalled += "; solver.method: auto may, at a higher price";
  const double usual = solver_settings(Accuracy::engineering).tolerance;
  if (s.largest_tolerance < usual)
    stalled += fmt::format("; solver.accuracy: engineering asks for {}", usual);
  return stalled + ".";
}

}  // namespace

std::string name_of(BodyId id, const Model& model) {
  return is_obstacle(id) ? model.obstacles[id.value - kFirstObstacleId].name
                         : fmt::format("body {}", id.value);
}

std::string told(const StepFit& fit, const Model& model) {
  const double h = model.step.h;
  std::vector<std::string> ways;
  if (fit.of_contact * StepFit::kFewestSteps > 1)
    ways.push_back(fmt::format(
        "{} and {} overlapped by {:.3g} m, and an impact as deep lasts {:.3g} s, {:.3g} steps, "
        "where {:.0f} are needed",
        name_of(fit.a, model), name_of(fit.b, model), fit.depth, h / fit.of_contact,
        1 / fit.of_contact, StepFit::kFewestSteps));
  if (fit.of_stable > kStableFraction)
    ways.push_back(fmt::format("the springs and dashpots at {} can be unstable from {:.3g} s on",
                               name_of(fit.body, model), h / fit.of_stable));
  const double longest = std::min(1 / (kStepsOfContact * fit.of_contact),
                                  kStableFraction / std::max(fit.of_stable, 1e-300));
  return fmt::format(
      "The step {:.3g} s is too long for compliant contacts: at t = {:.6g} s, step "
      "{}, {}. Take {:.2g} s or less (step.h).",
      h, fit.time, fit.step, fmt::join(ways, ", and "), h * longest);
}

namespace {

/// "body 7, at 0.2 m/s"
std::string fastest_of(const RestReport& report, const Model& model) {
  if (!(report.fastest_speed > 0))
    return report.spin > 0 ? fmt::format(
                                 "nothing, for nothing leaves its place; {} spins most, at "
                                 "{:.3g} rad/s",
                                 name_of(report.spinning, model), report.spin)
                           : "nothing, for nothing moves";
  return fmt::format("{}, {}at {:.3g} m/s", name_of(report.fastest, model),
                     report.spins_freely ? "which spins in its place, its rim " : "",
                     report.fastest_speed);
}

/// What law would stop the fastest, where none does; empty if nothing is known.
std::string_view stopping(const RestReport& report) {
  if (report.spins_freely)
    return " A single contact takes energy from what spins on it by spinning_friction alone, and "
           "here no law of its material has it.";
  if (report.rolls_freely)
    return " No law takes energy from what rolls, or rocks on round faces, but by "
           "rolling_friction, and here none has it.";
  return "";
}

/// Of a bed in which some rock.
std::string told(const RockingBodies& rocking, const std::string& speed, const RestOutcome& rest,
                 double time, const Model& model) {
  return fmt::format(
      "At rest at t = {:.6g} s but for {} in place, the fastest {}, at up to {:.3g} m/s: in "
      "{:.3g} s neither their speed nor their place changed much, no obstacle moved, and of all "
      "else, "
      "but for moments, no more than {:.3g} % of the mass was faster than {}. No law takes energy "
      "from what rocks; rolling_friction would.",
      time,
      rocking.count == 1 ? "1 body that rocks or rolls"
                         : fmt::format("{} bodies that rock or roll", rocking.count),
      name_of(rocking.fastest, model), rocking.speed, rocking.lasting, 100 * rest.criterion.loose,
      speed);
}

std::string told(const RestOutcome& rest, double time, const Model& model) {
  const RestReport& report = rest.report;
  const double percent = 100 * report.moving_share;
  if (rest.has_no_bodies)
    return fmt::format(
        "Not at rest at t = {:.6g} s: no body is left that could be. If bodies were to leave, let "
        "the run, or the stage, last until a condition holds (until.when: 'bodies == 0').",
        time);
  if (rest.reached && report.bodies == 0)
    return fmt::format("At rest at t = {:.6g} s: there are no bodies, and no obstacle moves.",
                       time);
  if (rest.reached) {
    const std::string speed = rest.criterion.speed
                                  ? fmt::format("{:.3g} m/s", *rest.criterion.speed)
                                  : fmt::format("{:.0e} sqrt(g d)", RestCriterion::kSlow);
    if (report.rocking.count > 0) return told(report.rocking, speed, rest, time, model);
    const std::string rolling =
        report.rolling_share > 0
            ? fmt::format(" beside {:.3g} % in bodies that roll or turn each by itself",
                          100 * report.rolling_share)
            : "";
    return fmt::format(
        "At rest at t = {:.6g} s: for {:.3g} s no obstacle moved, no more than {:.3g} % of the "
        "mass "
        "was faster than {}{}, and none of it fast. The fastest is {}.",
        time, report.lasting, 100 * rest.criterion.loose, speed, rolling,
        fastest_of(report, model));
  }
  std::string why;
  if (report.moving_obstacle)
    why = fmt::format("'{}' moves, and while an obstacle moves nothing is at rest.",
                      model.obstacles[*report.moving_obstacle].name);
  else if (report.filling)
    why = "Bodies were still to enter (fillings[].until); let it go on for longer (rest.at_most).";
  else if (!report.is_still(rest.criterion.loose))
    why = fmt::format(
        "{:.3g} % of the mass moves, the fastest of it {}. Give it more time (rest.at_most), look "
        "whether bodies roll or fall away for ever, or let more of them (rest.loose, "
        "rest.speed).{}",
        percent, fastest_of(report, model), stopping(report));
  else if (report.changing)
    why = fmt::format(
        "All is slow, but the speed of {} changes: it rolls down a slope, begins to fall, or rocks "
        "and has not done so for long. Give it more time (rest.at_most), or let bodies be faster "
        "(rest.speed).",
        name_of(*report.changing, model));
  else
    why = fmt::format(
        "It was still only for a part of the last {:.3g} s; give it more time (rest.at_most).",
        report.lasting);
  return fmt::format("Not at rest at t = {:.6g} s: {}", time, why);
}

std::string told(const ConditionOutcome& condition, double time) {
  const std::string lasting =
      condition.lasting > 0 ? fmt::format(" for {:.6g} s", condition.lasting) : "";
  if (!condition.reached && !condition.is_number)
    return fmt::format(
        "The condition '{}' had not held{} by t = {:.6g} s: it was no number then, as 0/0 is none; "
        "multiply by what it divides by, or ask for what is a number (until.when).",
        condition.text, lasting, time);
  if (!condition.reached)
    return fmt::format(
        "The condition '{}' had not held{} by t = {:.6g} s: give it more time (until.at_most), or "
        "ask for what can be reached (until.when).",
        condition.text, lasting, time);
  return fmt::format("Ended at t = {:.6g} s: '{}' held{}.{}", time, condition.text, lasting,
                     condition.held_at_once
                         ? " It held in the first step already; if more was to happen before, ask "
                           "for it, as in t > 0.1 && …."
                         : "");
}

/// Whether bodies have edges or flat sides.
bool has_edges(const Model& model) {
  return std::ranges::any_of(model.prototypes, [](const Prototype& p) {
    return !p.is_sphere() && !std::holds_alternative<Superellipsoid>(p.shape);
  });
}

/// Why the state is not to be trusted, or not the one that was asked for.
void add_faults(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  if (s.motion_fault) {
    lines.push_back(fmt::format(
        "The run stopped at t = {:.9g} s: for t = {:.9g} s {} is of no use: {}. What "
        "was computed before stands; mend it and begin anew.",
        s.last.time, s.motion_fault->time, name_of(*s.motion_fault, model), s.motion_fault->what));
  }
  if (s.bodies_not_finite > 0) {
    lines.push_back(fmt::format(
        "The state is not to be trusted: at t = {:.6g} s {} a position or velocity that is not "
        "finite. Try a smaller time step (step.h), and look at the last frames.",
        s.last.time, plural(s.bodies_not_finite, "body has", "bodies have")));
  }
  if (s.energy_growth) {
    lines.push_back(fmt::format(
        "The state is not to be trusted: by t = {:.6g} s, step {}, springs had given {:.3g} J that "
        "nobody put in; {} is the fastest body. The step {:.3g} s is too long for them: take a "
        "smaller one, or step.h: auto.{}",
        s.last.time, s.last.step, s.energy_growth->energy, name_of(s.energy_growth->fastest, model),
        model.step.h,
        has_edges(model) ? " If that does not help, edges or flat sides that hang over each other "
                           "gave it, where the points of springs jump: no step is short enough for "
                           "them; take a rigid law, or more damping."
                         : ""));
  }
  if (s.excessive_rotation) {
    lines.push_back(fmt::format(
        "The state is not to be trusted: at t = {:.6g} s, step {}, {}, which touches others or has "
        "a joint, had turned by {:.3g} rad in a step, and compliant contacts and joints take more "
        "than half a turn for one the other way. Take a smaller step (step.h): {:.2g} s or less.",
        s.last.time, s.last.step, name_of(s.excessive_rotation->body, model),
        s.excessive_rotation->turn, 0.1 * model.step.h / s.excessive_rotation->turn));
  }
}

/// "With it these took part: 'a' and 'b'. "; empty if no other joint did.
std::string that_missed_with(std::uint32_t joint, const RunSummary& s, const Model& model) {
  constexpr std::size_t kMaxNamed = 8;
  std::vector<std::string> names;
  std::size_t others = 0;
  for (const std::uint32_t other : s.worst_missed.joints_missed)
    if (other != joint && ++others <= kMaxNamed)
      names.push_back(fmt::format("'{}'", model.joints[other].name));
  if (others == 0) return {};
  if (others > kMaxNamed) names.push_back(fmt::format("{} more", others - kMaxNamed));
  return fmt::format("With it these took part: {}. ", fmt::join(names, ", "));
}

/// "0.9 to 0.0001, by stage"
std::string tolerances_of(const RunSummary& s) {
  return fmt::format("{:.3g} to {:.3g}, by stage", s.largest_tolerance, s.tolerance);
}

/// How far contacts met what was asked of them.
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
          "The joint '{}' missed most: its ends part at {:.3g} m/s at t = {:.6g} s. "
          "{}Joints, motors "
          "and obstacles that ask for what no motion can do contradict each other there.",
          model.joints[s.worst_joint].name, s.joint_velocity.value, s.joint_velocity.time,
          that_missed_with(s.worst_joint, s, model)));
  }
}

/// Where all steps met the tolerance: first, or after what the run missed beside it.
void add_met_tolerance(const RunSummary& s, std::vector<std::string>& lines) {
  if (s.steps_over_tolerance > 0 || s.failed()) return;
  lines.insert(
      s.is_met() ? lines.begin() : lines.end(),
      fmt::format("Every step met {}; worst residual {:.3g} at t = {:.6g} s.",
                  s.has_one_tolerance() ? fmt::format("the tolerance {:.3g}", s.tolerance)
                                        : fmt::format("its tolerance ({})", tolerances_of(s)),
                  s.residual.value, s.residual.time));
}

/// Overlaps that should not be.
void add_overlaps(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  if (s.contacts_left_out > 0) {
    lines.push_back(
        fmt::format("{} within a step without a contact: impulses pass on through more bodies "
                    "in a step than can be followed. "
                    "Take a smaller time step (step.h).",
                    plural(s.contacts_left_out, "pair met", "pairs met")));
  }
  if (s.steps_of_growing_penetration > 0) {
    const WorstOverlap& overlap = s.growing_penetration;
    std::string why;
    if (s.contradiction.contacts.empty())
      why =
          " Obstacles squeeze bodies there, by less in a step than the tolerance sees, or steps "
          "are "
          "too long for how fast bodies meet: look at what moves, or take a smaller time step "
          "(step.h).";
    else if (s.steps_over_tolerance == 0)
      why = ' ' + told(s.contradiction, model);
    lines.push_back(fmt::format(
        "Bodies were driven into each other in {}: at t = {:.6g} s {} and {} overlapped by {:.3g} "
        "m, {:.3g} % of the smaller radius, and an overlap of more than {:.3g} % still grew.{}",
        plural(s.steps_of_growing_penetration, "step", "steps"), overlap.time,
        name_of(overlap.a, model), name_of(overlap.b, model), overlap.depth, 100 * overlap.share,
        100 * kDeepOverlap, why));
  }
}

}  // namespace

std::string told_of_joint_work(const RunSummary& s, const Model& model) {
  return fmt::format(
      "Joints {} {:.3g} J, {:.3g} % of the largest kinetic energy of the run, which no joint does: "
      "steps are too long for how fast their bodies turn. Most in a step are the {:.3g} J at t = "
      "{:.6g} s, of '{}' above all. Take a smaller step (step.h); where links come in line, or a "
      "universal joint is bent by a right angle, motions are sudden, and few steps are short "
      "enough.",
      s.joint_work > 0 ? "made" : "took", std::abs(s.joint_work),
      100 * std::abs(s.joint_work) / s.max_kinetic_energy, s.joint_work_in_step.value,
      s.joint_work_in_step.time, model.joints[s.working_joint].name);
}

std::vector<std::string> judgement(const RunSummary& s, const Model& model) {
  std::vector<std::string> lines;
  add_faults(s, model, lines);
  if (s.steps_too_soft > 0) {
    lines.push_back(fmt::format(
        "Compliant contacts were too soft in {}: first at t = {:.6g} s {} and {} overlapped by "
        "{:.3g} m, {:.3g} % of the smaller radius, where laws hold to {:.3g} %. Take stiffer ones "
        "(k_n, young), with a smaller step.",
        plural(s.steps_too_soft, "step", "steps"), s.too_soft.time, name_of(s.too_soft.a, model),
        name_of(s.too_soft.b, model), s.too_soft.depth, 100 * s.too_soft.share, 100 * kTooSoft));
  }
  add_tolerance(s, model, lines);
  add_overlaps(s, model, lines);
  if (s.makes_energy()) {
    lines.push_back(
        fmt::format("Contacts made energy, which no law allows, in {}: {:.3g} J in all, at most "
                    "{:.3g} J, at t = {:.6g} s. "
                    "Ask for a smaller tolerance (solver.tolerance).",
                    plural(s.steps_with_energy_created, "step", "steps"), s.energy_created,
                    s.energy_created_in_step.value, s.energy_created_in_step.time));
  }
  if (s.joints_work()) lines.push_back(told_of_joint_work(s, model));
  if (s.energy_is_unaccounted() && !s.failed()) {
    const double unaccounted = s.energy_budget().unaccounted;
    lines.push_back(fmt::format(
        "{:.3g} J {}, {:.3g} % of the largest energy of the run, {:.3g} J: bodies with unequal "
        "moments of inertia turn too far in a step. Take a smaller time step (step.h).",
        std::abs(unaccounted), unaccounted > 0 ? "came from nowhere" : "went nowhere",
        100 * std::abs(unaccounted) / s.largest_energy(), s.largest_energy()));
  }
  if (s.fields_swing()) {
    lines.push_back(
        fmt::format("Fields braked bodies or drove them back by more in a step than these were "
                    "fast: by {:.3g} times the velocity "
                    "of {} at t = {:.6g} s. Take a smaller time step (step.h): {:.2g} s or less.",
                    s.field_swing.value, name_of(s.swinging_body, model), s.field_swing.time,
                    0.1 * model.step.h / s.field_swing.value));
  }
  if (s.strict_inflow && s.bodies_skipped > 0) {
    lines.push_back(
        fmt::format("Inflows found no room for {} of {} ({:.3g} %), which strict_inflow counts as "
                    "missed. Look for what stands "
                    "before the plate, or lay fewer (inflows[].advance, layer.spacing).",
                    s.bodies_skipped, plural(s.bodies_added + s.bodies_skipped, "body", "bodies"),
                    100 * s.share_skipped()));
  }
  if (s.strict_inflow && s.steps_waiting > 0) {
    lines.push_back(
        fmt::format("Fillings found no place for the next body in {}, which strict_inflow counts "
                    "as missed. Enlarge their region, lower their rate, or let bodies leave it "
                    "faster (fillings[].velocity).",
                    plural(s.steps_waiting, "step", "steps")));
  }
  for (const StarvedFilling& starved : s.starved)
    lines.push_back(fmt::format(
        "Not one body of the filling '{}' came in, though some were due: {} Move or enlarge its "
        "region (fillings[].region), or what stands there.",
        model.fillings[starved.filling].name,
        starved.obstacle ? fmt::format("'{}' stands all over its region.",
                                       model.obstacles[*starved.obstacle].name)
                         : "obstacles or other bodies stood at each place that was tried."));
  if (s.rest) lines.push_back(told(*s.rest, s.last.time, model));
  if (s.last.bodies_asleep > 0)
    lines.push_back(fmt::format("At the end {} of {} slept.", s.last.bodies_asleep,
                                plural(s.last.bodies, "body", "bodies")));
  if (s.condition) lines.push_back(told(*s.condition, s.last.time));
  add_met_tolerance(s, lines);
  return lines;
}

}  // namespace scree

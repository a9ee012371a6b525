/// The verdict printed at the end of a run: the diagnosis, figures of the run, and remarks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/words.hpp"
#include "scree/analysis/run_summary.hpp"

namespace scree {
namespace {

/// True if a rigid law has restitution; compliant contacts rebound by their springs.
bool has_rebounds(const Model& model) {
  return std::ranges::any_of(model.laws.all(), [](const PairLaw& law) {
    return law.restitution > 0 && !is_compliant(law);
  });
}

/// ": this, or that": features of the model that let contacts add energy; empty if there are none.
std::string causes_of_given_energy(const Model& model) {
  std::vector<const char*> causes;
  if (model.step.overlap_correction == OverlapCorrection::velocities)
    causes.push_back("corrected overlaps");
  if (has_rebounds(model) && model.step.impacts == ImpactLaw::newton)
    causes.push_back(model.joints.empty()
                         ? "rebounds of several contacts at once, which can create energy under "
                           "Newton's restitution"
                         : "rebounds of jointed bodies or of several contacts at once, which can "
                           "create energy under Newton's restitution");
  if (std::ranges::any_of(model.laws.all(), is_compliant))
    causes.push_back(
        "compliant contacts of edges, whose direction jumps, or steps that are too long for fast "
        "rotation");
  if (std::ranges::any_of(model.obstacles, [](const Obstacle& o) { return o.is_moved(); }))
    causes.push_back(
        "obstacles that change their speed from step to step (smaller steps reduce this)");
  return fmt::format("{}{}", causes.empty() ? "" : ": ", fmt::join(causes, ", or "));
}

/// ", and with it 'wheels'": gears and racks that break with a joint whose coordinate they couple.
std::string gears_of(std::uint32_t joint, const Model& model) {
  std::string names;
  for (const Joint& gear : model.joints)
    if ((gear.kind == JointKind::gear || gear.kind == JointKind::rack) &&
        (gear.geared[0].joint == joint || gear.geared[1].joint == joint))
      names += fmt::format("{}'{}'", names.empty() ? ", and with it " : ", ", gear.name);
  return names;
}

/// Adds errors of joints, springs that are too fast for the step, and broken joints.
void add_joints(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  lines.push_back(fmt::format(
      "Joints: ends at most {:.3g} m apart after a step, separating at up to {:.3g} m/s.{}",
      s.joint_error.value, s.joint_velocity.value,
      s.steps_with_scaled_inertia == 0
          ? ""
          : fmt::format(" In {} the rotational inertia of light, heavily loaded bodies was "
                        "increased for stability. Do not trust the oscillations of these bodies; "
                        "take a smaller time step (step.h) if they matter.",
                        plural(s.steps_with_scaled_inertia, "step", "steps"))));
  constexpr double kResolvedSwing = 0.5;  // h sqrt(k/m) [-]; up to it the period is right to 2 %
  if (s.spring_swing.value > kResolvedSwing)
    lines.push_back(fmt::format(
        "The spring of the joint '{}' oscillates too fast for the step: h sqrt(k/m) = {:.3g} at t "
        "= {:.6g} s. Its amplitude is right, but its period is {:.3g} times the exact one. If that "
        "matters, take a step (step.h) of {:.2g} s or less.",
        model.joints[s.fastest_spring].name, s.spring_swing.value, s.spring_swing.time,
        s.spring_swing.value / (2 * std::atan(s.spring_swing.value / 2)),
        model.step.h * kResolvedSwing / s.spring_swing.value));
  if (s.joints_broken > 0)
    lines.push_back(fmt::format(
        "{} broke at a load above {} strength, '{}' first, at t = {:.6g} s{}.",
        plural(s.joints_broken, "joint", "joints"), s.joints_broken == 1 ? "its" : "their",
        model.joints[s.first_broken].name, s.first_broken_at, gears_of(s.first_broken, model)));
}

/// Bodies, class and forces of the worst contact.
std::string describe(const WorstContact& worst, double time, const Model& model) {
  const std::string share =
      worst.force > 0 ? fmt::format(" ({:.2g} %)", 100 * worst.unsolved_force / worst.force) : "";
  return fmt::format("{} to {}, {}, at t = {:.6g} s. It carries {:.3g} N; {:.2g} N{} are unsolved",
                     name_of(worst.a, model), name_of(worst.b, model), name(worst.kind), time,
                     worst.force, worst.unsolved_force, share);
}

/// Figures of the run: time, contacts, joints, energy, bodies.
std::vector<std::string> figures(const RunSummary& s, double wall_seconds, const Model& model) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("{} to t = {:.6g} s in {:.3g} s: {:.3g} body-steps/s.",
                  plural(s.steps, "step", "steps"), s.last.time, wall_seconds,
                  static_cast<double>(s.body_steps) / (wall_seconds > 0 ? wall_seconds : 1)));
  const std::string worst =
      s.worst_contact.residual > 0
          ? fmt::format(" Worst contact: {};",
                        describe(s.worst_contact, s.worst_residual.time, model))
          : "";
  const std::string deepest = s.max_penetration.value > 0
                                  ? fmt::format("deepest penetration {:.3g} m at t = {:.6g} s.",
                                                s.max_penetration.value, s.max_penetration.time)
                                  : "nothing penetrated.";
  if (s.contacts == 0 && model.joints.empty()) lines.push_back("No contact was solved.");
  if (s.contacts > 0)
    lines.push_back(fmt::format(
        "Contacts within their share of the tolerance: {:.6g} %, all but {} of {}{}{} {}",
        100 * share_within_tolerance(s.contacts, s.contacts_over_tolerance),
        s.contacts_over_tolerance, s.contacts, worst.empty() ? ";" : ".", worst, deepest));
  if (!model.joints.empty()) add_joints(s, model, lines);
  // The leapfrog counts the work of gravity in the half step at the start as work of walls.
  const bool leaps = !model.joints.empty() || std::ranges::any_of(model.laws.all(), is_compliant);
  const auto budget = s.energy_budget();
  lines.push_back(
      fmt::format("Energy: change {:.4g} J = work of {} {:.4g} J - dissipated in contacts{} {:.4g} "
                  "J + unaccounted {:.3g} J.",
                  budget.change,
                  fmt::format("walls{}{}{}", model.joints.empty() ? "" : ", motors",
                              model.fields.empty() && !s.fields_acted() ? "" : ", fields",
                              leaps ? ", flow and the first half step" : " and flow"),
                  budget.wall_work, model.joints.empty() ? "" : " and joints", budget.dissipated,
                  budget.unaccounted));
  constexpr double kNoticeableEnergy = 1e-6;  // fraction of the energies [-]
  const double noticeable =
      kNoticeableEnergy * std::max({s.first.kinetic_energy, s.last.kinetic_energy,
                                    std::abs(s.first.potential_energy), std::abs(budget.wall_work),
                                    s.first.force_energy.elastic(), s.last.force_energy.elastic()});
  if (s.push_work > noticeable)
    lines.push_back(
        fmt::format("The correction of overlaps lifted bodies and added {:.3g} J, which is "
                    "subtracted from the energy dissipated in contacts.",
                    s.push_work));
  const double given = -budget.dissipated - s.push_work;
  if (given > noticeable) {
    const bool joints_alone = !model.joints.empty() && s.contacts == 0;
    lines.push_back(fmt::format("{} added {:.3g} J more energy than they dissipated{}.",
                                joints_alone           ? "Joints"
                                : model.joints.empty() ? "Contacts"
                                                       : "Contacts and joints",
                                given, joints_alone ? "" : causes_of_given_energy(model)));
  }
  if (s.bodies_added + s.bodies_removed + s.bodies_skipped > 0)
    lines.push_back(
        fmt::format("Bodies: {} entered, {} left, {} found no room to enter ({:.3g} % of those "
                    "due); {} at the end.",
                    s.bodies_added, s.bodies_removed, s.bodies_skipped, 100 * s.share_skipped(),
                    s.last.bodies));
  return lines;
}

/// Smallest energy reported at the end, as a fraction of the largest kinetic energy [-].
constexpr double kReportedEnergy = 0.01;

/// Adds the impacts that should have rebounded and did not, if their energy matters, and advice.
void add_missed(const MissedRestitution& missed, const RunSummary& s, const std::string& which,
                const char* help, std::vector<std::string>& lines) {
  const double energy = s.energy_of(missed), dissipated = s.energy_budget().dissipated;
  if (!(energy > kReportedEnergy * s.max_kinetic_energy)) return;
  const std::string of_all =
      dissipated > 0 ? fmt::format(" of the {:.3g} J that contacts dissipated", dissipated) : "";
  lines.push_back(fmt::format(
      "Rebounds are missing: {} {}. If each of them had rebounded alone, they would have kept at "
      "most {:.3g} J{}. This matters where bodies bounce and fly; in a dense bed or flow other "
      "bodies stop a rebound at once. {}",
      plural(missed.impacts, "impact was", "impacts were"), which, energy, of_all, help));
}

void remark_on_energy(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  if (s.steps_with_energy_created > 0 && !s.makes_energy())
    lines.push_back(
        fmt::format("Contacts created {:.3g} J in {}, {:.2g} of the energy that they turned over, "
                    "which is within the bound of the tolerance.",
                    s.energy_created, plural(s.steps_with_energy_created, "step", "steps"),
                    s.energy_created / s.energy_turned_over()));
  if (s.energy_of_rebounds > kReportedEnergy * s.max_kinetic_energy)
    lines.push_back(fmt::format(
        "Rebounds created energy: {:.3g} J in all, {:.3g} % of the largest kinetic energy of the "
        "run, and at most {:.3g} J in a step, at t = {:.6g} s. Newton's law of impacts can create "
        "energy where bodies hit at several contacts at once; step.impacts: energetic cannot.",
        s.energy_of_rebounds, 100 * s.energy_of_rebounds / s.max_kinetic_energy,
        s.energy_of_rebounds_in_step.value, s.energy_of_rebounds_in_step.time));
  constexpr double kMaxWorkInStep = 0.05;  // of joints, of the largest kinetic energy [-]
  if (!s.joints_work() && (std::abs(s.joint_work) > kReportedEnergy * s.max_kinetic_energy ||
                           s.joint_work_in_step.value > kMaxWorkInStep * s.max_kinetic_energy))
    lines.push_back(describe_joint_work(s, model));
  if (!measures_rebounds(model) && model.step.impacts == ImpactLaw::newton && has_rebounds(model))
    lines.push_back(
        model.joints.empty()
            ? "The energy created by rebounds was not measured, because of a strained cell or "
              "overlap_correction: velocities. step.impacts: energetic creates none."
            : "The energy created by rebounds was not measured, because of joints. step.impacts: "
              "energetic, the default with joints, creates none.");
}

void remark_on_missed_pairs(const RunSummary& s, const Model& model,
                            std::vector<std::string>& lines) {
  if (s.contacts_beyond_margin > 0)
    lines.push_back(fmt::format(
        "{} within a step beyond step.margin and got no contact: they overlap or pass through each "
        "other. Without step.margin the engine finds a margin that lets none pass.",
        plural(s.contacts_beyond_margin, "pair met", "pairs met")));
  if (s.bodies_beyond_margin > 0)
    lines.push_back(
        fmt::format("step.margin is {:.3g} m: {} further than that in a step, and may have passed "
                    "uncounted through other bodies or walls. Leave step.margin out, or take a "
                    "smaller time step (step.h).",
                    *model.step.margin,
                    plural(s.bodies_beyond_margin, "time a body moved", "times a body moved")));
}

void remark_on_overlaps(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  constexpr double kReportedRotation = 0.1;  // [rad]
  if (s.max_rotation.value > kReportedRotation)
    lines.push_back(
        fmt::format("Some pairs rotated by up to {:.2g} rad during the step in which they hit, at "
                    "t = {:.6g} s. Their direction after the impact may be off by twice that. A "
                    "smaller time step (step.h) reduces this error in proportion.",
                    s.max_rotation.value, s.max_rotation.time));
  constexpr double kReportedOverlap = 0.1;  // of the radius [-]
  if (const Extreme& deepest = s.max_relative_penetration; deepest.value > kReportedOverlap)
    lines.push_back(fmt::format(
        "At t = {:.6g} s bodies overlapped by {:.3g} % of the smaller radius. They were placed so, "
        "obstacles pressed them together, or steps are too long for the speed of impacts.",
        deepest.time, 100 * deepest.value));
  if (const WorstOverlap& overlap = s.lasting_overlap; overlap.depth > 0)
    lines.push_back(fmt::format(
        "At the end {} and {} overlap by {:.3g} m, {:.3g} % of the smaller radius. They were "
        "placed so, obstacles hold them, or steps are too long or the tolerance too large for the "
        "speed of impacts.",
        name_of(overlap.a, model), name_of(overlap.b, model), overlap.depth, 100 * overlap.share));
}

/// Remarks on a run: facts that do not make it miss its verdict, but may change the answer.
std::vector<std::string> remarks(const RunSummary& s, const Model& model) {
  std::vector<std::string> lines;
  remark_on_energy(s, model, lines);
  remark_on_missed_pairs(s, model, lines);
  add_missed(s.missed_restitution, s,
             "between bodies that were brought together only by other impulses in the same step",
             "A smaller time step (step.h) makes them rarer.", lines);
  add_missed(s.slow_restitution, s,
             fmt::format("slower than step.restitution_threshold, {:.3g} m/s",
                         model.step.restitution_threshold),
             "A lower threshold lets them rebound.", lines);
  if (s.step_fit.is_too_long()) lines.push_back(describe(s.step_fit, model));
  remark_on_overlaps(s, model, lines);
  if (s.falling.count > 0)
    lines.push_back(
        fmt::format("At the end {} below all obstacles and {} without end; {} is the lowest. Close "
                    "the gap or the edge that they passed, or let an outflow remove them.",
                    plural(s.falling.count, "body is", "bodies are"),
                    s.falling.count == 1 ? "falls" : "fall", name_of(s.falling.lowest, model)));
  if (s.local_failures > 0)
    lines.push_back(fmt::format(
        "{} no solution under {} own law; the solver used the impulse of maximum dissipation.",
        plural(s.local_failures, "contact had", "contacts had"),
        s.local_failures == 1 ? "its" : "their"));
  return lines;
}

}  // namespace

std::string name_of(const MotionFault& fault, const Model& model) {
  if (fault.field) return fmt::format("the field '{}'", model.fields[*fault.field].name);
  return fmt::format("the motion of '{}'", fault.is_cell ? "the cell"
                                           : fault.joint ? model.joints[*fault.joint].name
                                                         : model.obstacles[fault.obstacle].name);
}

std::vector<std::string> verdict(const RunSummary& s, double wall_seconds, const Model& model) {
  std::vector<std::string> lines = judgement(s, model);
  for (const auto& group : {figures(s, wall_seconds, model), remarks(s, model)})
    lines.insert(lines.end(), group.begin(), group.end());
  return lines;
}

}  // namespace scree

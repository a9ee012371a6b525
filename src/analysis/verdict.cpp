/// What a run says of itself at its end, in words: the judgement, what it did, and remarks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/words.hpp"
#include "scree/analysis/run_summary.hpp"

namespace scree {
namespace {

/// Whether a law gives contacts a rebound; springs have theirs by themselves.
bool has_rebounds(const Model& model) {
  return std::ranges::any_of(model.laws.all(), [](const PairLaw& law) {
    return law.restitution > 0 && !is_compliant(law);
  });
}

/// ": this, or that", of what in a model lets contacts give energy; empty if nothing is known to.
std::string causes_of_given_energy(const Model& model) {
  std::vector<const char*> causes;
  if (model.step.overlap_correction == OverlapCorrection::velocities)
    causes.push_back("overlaps that were undone");
  if (has_rebounds(model) && model.step.impacts == ImpactLaw::newton)
    causes.push_back(
        model.joints.empty()
            ? "rebounds of several contacts at once, which Newton's restitution lets make energy"
            : "rebounds of jointed bodies or of several contacts at once, which Newton's "
              "restitution lets make energy");
  if (std::ranges::any_of(model.laws.all(), is_compliant))
    causes.push_back(
        "compliant contacts of edges, whose direction jumps, or steps too long for "
        "what turns fast");
  if (std::ranges::any_of(model.obstacles, [](const Obstacle& o) { return o.is_moved(); }))
    causes.push_back(
        "obstacles that change their speed from step to step, by less in smaller steps");
  return fmt::format("{}{}", causes.empty() ? "" : ": ", fmt::join(causes, ", or "));
}

/// ", and with it 'wheels'": gears and racks go with a joint whose coordinate they couple.
std::string gears_of(std::uint32_t joint, const Model& model) {
  std::string names;
  for (const Joint& gear : model.joints)
    if ((gear.kind == JointKind::gear || gear.kind == JointKind::rack) &&
        (gear.geared[0].joint == joint || gear.geared[1].joint == joint))
      names += fmt::format("{}'{}'", names.empty() ? ", and with it " : ", ", gear.name);
  return names;
}

/// How well joints held, and what their springs and strengths came to.
void tell_of_joints(const RunSummary& s, const Model& model, std::vector<std::string>& lines) {
  lines.push_back(fmt::format(
      "Joints: ends at most {:.3g} m apart after a step, and parting at {:.3g} m/s.{}",
      s.joint_error.value, s.joint_velocity.value,
      s.steps_with_scaled_inertia == 0
          ? ""
          : fmt::format(" In {} light bodies under heavy loads turned with more inertia than they "
                        "have: their own swings are not to be trusted, take a smaller time step "
                        "(step.h) if they matter.",
                        plural(s.steps_with_scaled_inertia, "step", "steps"))));
  constexpr double kFollowed = 0.5;  // period right to 2 %
  if (s.spring_swing.value > kFollowed)
    lines.push_back(fmt::format(
        "The spring of the joint '{}' swings faster than the step can follow: h sqrt(k/m) = {:.3g} "
        "at t = {:.6g} s. It swings as wide as it should, but its period is {:.3g} times what it "
        "should be. If that matters, take a step (step.h) of {:.2g} s or less.",
        model.joints[s.fastest_spring].name, s.spring_swing.value, s.spring_swing.time,
        s.spring_swing.value / (2 * std::atan(s.spring_swing.value / 2)),
        model.step.h * kFollowed / s.spring_swing.value));
  if (s.joints_broken > 0)
    lines.push_back(fmt::format(
        "{} broke under more than {} strength, '{}' first, at t = {:.6g} s{}.",
        plural(s.joints_broken, "joint", "joints"), s.joints_broken == 1 ? "its" : "their",
        model.joints[s.first_broken].name, s.first_broken_at, gears_of(s.first_broken, model)));
}

/// What the run did: time, contacts, joints, energy, bodies.
std::vector<std::string> figures(const RunSummary& s, double wall_seconds, const Model& model) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("{} to t = {:.6g} s in {:.3g} s: {:.3g} body-steps/s.",
                  plural(s.steps, "step", "steps"), s.last.time, wall_seconds,
                  static_cast<double>(s.body_steps) / (wall_seconds > 0 ? wall_seconds : 1)));
  const std::string worst =
      s.worst_contact.residual > 0
          ? fmt::format(" Worst contact: {} to {}, {}, residual {:.3g} m/s at t = {:.6g} s;",
                        name_of(s.worst_contact.a, model), name_of(s.worst_contact.b, model),
                        name(s.worst_contact.kind), s.worst_residual.value, s.worst_residual.time)
          : "";
  const std::string deepest = s.max_penetration.value > 0
                                  ? fmt::format("deepest penetration {:.3g} m at t = {:.6g} s.",
                                                s.max_penetration.value, s.max_penetration.time)
                                  : "nothing penetrated.";
  if (s.contacts > 0 || model.joints.empty())
    lines.push_back(fmt::format(
        "Contacts within their part of the tolerance: {:.6g} %, all but {} of {}{}{} {}",
        100 * share_within_tolerance(s.contacts, s.contacts_over_tolerance),
        s.contacts_over_tolerance, s.contacts, worst.empty() ? ";" : ".", worst, deepest));
  if (!model.joints.empty()) tell_of_joints(s, model, lines);
  // Leapfrogs book there what the half kick of gravity at the start does.
  const bool leaps = !model.joints.empty() || std::ranges::any_of(model.laws.all(), is_compliant);
  const auto budget = s.energy_budget();
  lines.push_back(fmt::format(
      "Energy: change {:.4g} J = work of {} {:.4g} J - dissipated in contacts{} {:.4g} J "
      "+ unaccounted {:.3g} J.",
      budget.change,
      fmt::format("walls{}{}{}", model.joints.empty() ? "" : ", motors",
                  model.fields.empty() && !s.fields_acted() ? "" : ", fields",
                  leaps ? ", flow and the half kick of the first step" : " and flow"),
      budget.wall_work, model.joints.empty() ? "" : " and joints", budget.dissipated,
      budget.unaccounted));
  constexpr double kNoticeable = 1e-6;  // of the energies [-]
  const double noticeable =
      kNoticeable * std::max({s.first.kinetic_energy, s.last.kinetic_energy,
                              std::abs(s.first.potential_energy), std::abs(budget.wall_work)});
  if (s.push_work > noticeable)
    lines.push_back(fmt::format(
        "Pushing overlapping bodies apart lifted them by {:.3g} J, which the energy dissipated in "
        "contacts is less by.",
        s.push_work));
  const double given = -budget.dissipated - s.push_work;
  if (given > noticeable) {
    const bool joints_alone = !model.joints.empty() && s.contacts == 0;
    lines.push_back(fmt::format("{} gave {:.3g} J more than they took{}.",
                                joints_alone           ? "Joints"
                                : model.joints.empty() ? "Contacts"
                                                       : "Contacts and joints",
                                given, joints_alone ? "" : causes_of_given_energy(model)));
  }
  if (s.bodies_added + s.bodies_removed + s.bodies_skipped > 0)
    lines.push_back(fmt::format(
        "Bodies: {} entered, {} left, {} found no room to enter ({:.3g} % of those asked for); "
        "{} at the end.",
        s.bodies_added, s.bodies_removed, s.bodies_skipped, 100 * s.share_skipped(),
        s.last.bodies));
  return lines;
}

/// What is told of energies at the end, of the largest kinetic energy [-].
constexpr double kTold = 0.01;

/// Says what the impacts were that got no rebound, when that matters, and what helps.
void describe(const MissedRestitution& lost, const RunSummary& s, const std::string& what,
              const char* help, std::vector<std::string>& lines) {
  const double energy = s.energy_of(lost), dissipated = s.energy_budget().dissipated;
  if (!(energy > kTold * s.max_kinetic_energy)) return;
  const std::string of_all =
      dissipated > 0 ? fmt::format(" of the {:.3g} J that contacts dissipated", dissipated) : "";
  lines.push_back(fmt::format(
      "Rebounds are missing: {} {}. Each by itself, they would have kept at most {:.3g} J{}. It "
      "matters where bodies bounce and fly; in a dense bed or flow others stop a rebound at once. "
      "{}",
      plural(lost.impacts, "impact was", "impacts were"), what, energy, of_all, help));
}

/// What the verdict does not miss, and yet may make the answer another than was meant.
std::vector<std::string> remarks(const RunSummary& s, const Model& model) {
  std::vector<std::string> lines;
  if (s.steps_with_energy_created > 0 && !s.makes_energy())
    lines.push_back(fmt::format(
        "Contacts made {:.3g} J in {}, {:.2g} of what they dissipated: no more than the tolerance "
        "leaves open.",
        s.energy_created, plural(s.steps_with_energy_created, "step", "steps"),
        s.energy_created / s.energy_budget().dissipated));
  if (s.energy_of_rebounds > kTold * s.max_kinetic_energy)
    lines.push_back(fmt::format(
        "Rebounds made energy: {:.3g} J in all, {:.3g} % of the largest kinetic energy of the run, "
        "at most {:.3g} J, at t = {:.6g} s. Newton's law of impacts can do so where bodies hit at "
        "several contacts at once; step.impacts: energetic cannot.",
        s.energy_of_rebounds, 100 * s.energy_of_rebounds / s.max_kinetic_energy,
        s.energy_of_rebounds_in_step.value, s.energy_of_rebounds_in_step.time));
  constexpr double kSwing = 0.05;  // within a step, of the largest kinetic energy [-]
  if (!s.joints_work() && (std::abs(s.joint_work) > kTold * s.max_kinetic_energy ||
                           s.joint_work_in_step.value > kSwing * s.max_kinetic_energy))
    lines.push_back(told_of_joint_work(s, model));
  if (!measures_rebounds(model) && model.step.impacts == ImpactLaw::newton && has_rebounds(model))
    lines.push_back(
        model.joints.empty()
            ? "Not measured: what rebounds made of energy, because of a strained cell or "
              "overlap_correction: velocities. step.impacts: energetic makes none."
            : "Not measured: what rebounds made of energy, because of joints. step.impacts: "
              "energetic, the default with joints, makes none.");
  if (s.contacts_beyond_margin > 0)
    lines.push_back(
        fmt::format("{} within a step beyond step.margin, and no contact was made of them: they "
                    "overlap or pass. "
                    "Without a margin of its own the program finds one that lets none pass.",
                    plural(s.contacts_beyond_margin, "pair met", "pairs met")));
  if (s.bodies_beyond_margin > 0)
    lines.push_back(fmt::format(
        "step.margin is {:.3g} m: {} further than that in a step, and may have passed through "
        "others or "
        "walls without a count. Leave step.margin out, or take a smaller time step (step.h).",
        *model.step.margin,
        plural(s.bodies_beyond_margin, "time a body moved", "times a body moved")));
  describe(
      s.missed_restitution, s,
      "between bodies that would not have met in the step, had nothing else in it acted on them",
      "A smaller time step (step.h) makes them rarer.", lines);
  describe(s.slow_restitution, s,
           fmt::format("slower than step.restitution_threshold, {:.3g} m/s",
                       model.step.restitution_threshold),
           "A lower threshold lets them rebound.", lines);
  if (s.step_fit.is_too_long()) lines.push_back(told(s.step_fit, model));
  constexpr double kTurnTold = 0.1;  // [rad]
  if (s.largest_turn.value > kTurnTold)
    lines.push_back(
        fmt::format("Pairs that hit turned about each other by up to {:.2g} rad within the step, "
                    "at t = {:.6g} s: they "
                    "are deflected with an error of up to twice that. A smaller time step (step.h) "
                    "makes it smaller in proportion.",
                    s.largest_turn.value, s.largest_turn.time));
  constexpr double kDeep = 0.1;  // of the radius [-]
  if (const Extreme& deepest = s.max_relative_penetration; deepest.value > kDeep)
    lines.push_back(fmt::format(
        "At t = {:.6g} s bodies overlapped by {:.3g} % of the smaller radius: they were laid so, "
        "obstacles drove one into another, or steps are too long for how fast bodies meet.",
        deepest.time, 100 * deepest.value));
  if (const WorstOverlap& overlap = s.lasting_overlap; overlap.depth > 0)
    lines.push_back(fmt::format(
        "At the end {} and {} overlap by {:.3g} m, {:.3g} % of the smaller radius: they "
        "were laid so, obstacles hold them, or steps are too long or too coarsely solved "
        "for how fast bodies meet.",
        name_of(overlap.a, model), name_of(overlap.b, model), overlap.depth, 100 * overlap.share));
  if (s.local_failures > 0)
    lines.push_back(
        fmt::format("{} no solution of {} own law; the impulse of greatest dissipation was taken.",
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
  for (const auto& part : {figures(s, wall_seconds, model), remarks(s, model)})
    lines.insert(lines.end(), part.begin(), part.end());
  return lines;
}

}  // namespace scree

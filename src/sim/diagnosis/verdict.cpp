/// The verdict printed at the end of a run: its judgement, figures of the run, and remarks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/diagnosis/words.hpp"

namespace scree {
namespace {

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
void add_joints(const RunSummary& s, const Model& model, Sentences& lines) {
  const Tally& slowed = s["bodies_slowed"];
  lines.push_back(fmt::format(
      "Joints: ends at most {:.3g} m apart after a step, separating at up to {:.3g} m/s.{}",
      s["joint_error"].largest.value, s["joint_velocity"].largest.value,
      slowed.steps == 0
          ? ""
          : fmt::format(" In {} the rotational inertia of light, heavily loaded bodies was "
                        "increased for stability. Do not trust the oscillations of these bodies; "
                        "take a smaller time step (step.h) if they matter.",
                        plural(slowed.steps, "step", "steps"))));
  constexpr double kResolvedSwing = 0.5;  // h sqrt(k/m) [-]; up to it the period is right to 2 %
  const auto& [swing, time, step] = s["spring_swing"].largest;
  if (swing > kResolvedSwing)
    lines.push_back(fmt::format(
        "The spring of the joint '{}' oscillates too fast for the step: h sqrt(k/m) = {:.3g} at t "
        "= {:.6g} s. Its amplitude is right, but its period is {:.3g} times the exact one. If that "
        "matters, take a step (step.h) of {:.2g} s or less.",
        model.joints[s["spring_swing"].of_largest.joint()].name, swing, time,
        swing / (2 * std::atan(swing / 2)), model.step.h * kResolvedSwing / swing));
  if (const Tally& broken = s["joints_broken"]; broken.total > 0)
    lines.push_back(
        fmt::format("{} broke at a load above {} strength, '{}' first, at t = {:.6g} s{}.",
                    plural(broken.total, "joint", "joints"), broken.total == 1 ? "its" : "their",
                    model.joints[broken.first.joint()].name, broken.first_time,
                    gears_of(broken.first.joint(), model)));
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
Sentences figures(const RunSummary& s, double wall_seconds, const Model& model) {
  Sentences lines;
  lines.push_back(
      fmt::format("{} to t = {:.6g} s in {:.3g} s: {:.3g} body-steps/s.",
                  plural(s.steps, "step", "steps"), s.last.time, wall_seconds,
                  static_cast<double>(s.body_steps) / (wall_seconds > 0 ? wall_seconds : 1)));
  const std::string worst =
      s.worst_contact.residual > 0
          ? fmt::format(" Worst contact: {};",
                        describe(s.worst_contact, s["worst_residual"].largest.time, model))
          : "";
  const Extreme& penetration = s["max_penetration"].largest;
  const std::string deepest = penetration.value > 0
                                  ? fmt::format("deepest penetration {:.3g} m at t = {:.6g} s.",
                                                penetration.value, penetration.time)
                                  : "nothing penetrated.";
  const double contacts = s["contacts_solved"].total, over = s["contacts_over_tolerance"].total;
  if (contacts == 0 && model.joints.empty()) lines.push_back("No contact was solved.");
  if (contacts > 0)
    lines.push_back(fmt::format(
        "Contacts within their share of the tolerance: {:.6g} %, all but {} of {}{}{} {}",
        100 * share_within_tolerance(contacts, over), over, contacts, worst.empty() ? ";" : ".",
        worst, deepest));
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
  const double pushed = s["push_work"].total;
  if (pushed > noticeable)
    lines.push_back(
        fmt::format("The correction of overlaps lifted bodies and added {:.3g} J, which is "
                    "subtracted from the energy dissipated in contacts.",
                    pushed));
  const double given = -budget.dissipated - pushed;
  if (given > noticeable) {
    const bool joints_alone = !model.joints.empty() && contacts == 0;
    lines.push_back(fmt::format("{} added {:.3g} J more energy than they dissipated{}.",
                                joints_alone           ? "Joints"
                                : model.joints.empty() ? "Contacts"
                                                       : "Contacts and joints",
                                given, joints_alone ? "" : causes_of_given_energy(model)));
  }
  const double added = s["bodies_added"].total, removed = s["bodies_removed"].total,
               skipped = s["bodies_skipped"].total;
  if (added + removed + skipped > 0)
    lines.push_back(
        fmt::format("Bodies: {} entered, {} left, {} found no room to enter ({:.3g} % of those "
                    "due); {} at the end.",
                    added, removed, skipped, 100 * s.share_skipped(), s.last.bodies));
  return lines;
}

/// Adds that all steps met the tolerance: as the first line of a run that met its verdict, else as
/// the last.
void add_met_tolerance(const RunSummary& s, Sentences& lines) {
  if (!s.within_tolerance()) return;
  lines.insert(
      s.is_met() ? lines.begin() : lines.end(),
      fmt::format("Every step met {}; worst residual {:.3g} at t = {:.6g} s.",
                  s.has_one_tolerance() ? fmt::format("the tolerance {:.3g}", s.tolerance)
                                        : fmt::format("its tolerance ({})", tolerances_of(s)),
                  s["residual"].largest.value, s["residual"].largest.time));
}

void append(const Sentences& more, Sentences& lines) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// Remarks on a run: facts that do not make it miss its verdict, but may change the answer.
Sentences remarks(const RunSummary& s, const Model& model) {
  Sentences lines;
  for (const FindingRow& row : finding_table()) {
    const bool exceeds = s.exceeds(row);
    if (exceeds && row.severity == Severity::remark) append(row.sentences(s, model), lines);
    if (!exceeds && row.remarks) append(row.remarks(s, model), lines);
  }
  return lines;
}

}  // namespace

bool has_rebounds(const Model& model) {
  return std::ranges::any_of(model.laws.all(), [](const PairLaw& law) {
    return law.restitution > 0 && !is_compliant(law);
  });
}

std::string tolerances_of(const RunSummary& s) {
  return fmt::format("{:.3g} to {:.3g}, by stage", s.largest_tolerance, s.tolerance);
}

Sentences judgement(const RunSummary& s, const Model& model) {
  Sentences lines;
  for (const FindingRow& row : finding_table())
    if (row.severity >= Severity::missed && s.exceeds(row)) append(row.sentences(s, model), lines);
  if (s.rest) lines.push_back(describe(*s.rest, s.last.time, model));
  if (s.last.bodies_asleep > 0)
    lines.push_back(fmt::format("At the end {} of {} were asleep.", s.last.bodies_asleep,
                                plural(s.last.bodies, "body", "bodies")));
  if (s.condition) lines.push_back(describe(*s.condition, s.last.time));
  add_met_tolerance(s, lines);
  return lines;
}

Sentences verdict(const RunSummary& s, double wall_seconds, const Model& model) {
  Sentences lines = judgement(s, model);
  append(figures(s, wall_seconds, model), lines);
  append(remarks(s, model), lines);
  return lines;
}

}  // namespace scree

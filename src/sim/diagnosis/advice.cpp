/// Reasons why steps missed their tolerance, and what to do.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/diagnosis/words.hpp"

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

}  // namespace

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

namespace {

/// Sweeps needed to meet the tolerance, extrapolated from the second half of the sweeps; nothing
/// if the residual did not fall, or too many would be needed.
std::optional<double> sweeps_needed(const Report& missed, double tolerance, int max_sweeps) {
  constexpr double kMaxNeeded = 1e5;
  if (!(missed.convergence_ratio > 0 && missed.convergence_ratio < 1)) return {};
  const double halves = std::log(tolerance / missed.residual) / std::log(missed.convergence_ratio);
  const double needed = max_sweeps * (1 + halves / 2);
  return needed < kMaxNeeded ? std::optional(needed) : std::nullopt;
}

}  // namespace

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
        s["worst_residual"].largest.time);
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

std::string name_of(const MotionFault& fault, const Model& model) {
  if (fault.field) return fmt::format("the field '{}'", model.fields[*fault.field].name);
  return fmt::format("the motion of '{}'", fault.is_cell ? "the cell"
                                           : fault.joint ? model.joints[*fault.joint].name
                                                         : model.obstacles[fault.obstacle].name);
}

}  // namespace scree

/// Sentences on runs that were to end at rest or by a condition.
#include <fmt/format.h>
#include <string_view>

#include "sim/diagnosis/words.hpp"

namespace scree {
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

}  // namespace

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

}  // namespace scree

/// Checks that the time step suits compliant contacts, local damping and sleep.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

#include "scene/build.hpp"
#include "scree/sim/touching_materials.hpp"

namespace scree::scene {

std::string impact_of(const ForceTimes& times) {
  if (!times.impact) return "";
  const ImpactEstimate& impact = *times.impact;
  std::vector<std::string> why;
  if (impact.meeting > 0) why.push_back(fmt::format("bodies meet at {:.3g} m/s", impact.meeting));
  if (impact.fall > 0) why.push_back(fmt::format("a body may fall by {:.3g} m", impact.drop));
  if (impact.obstacles > 0)
    why.push_back(fmt::format("obstacles move at {:.3g} m/s", impact.obstacles));
  if (why.empty()) why.push_back("nothing moves or falls; this speed is assumed");
  return fmt::format(" at {:.3g} m/s ({}){}", impact.speed(), fmt::join(why, ", "),
                     times.by_weight ? ", as deep as under the weight of the heaviest body" : "");
}

namespace {

/// False, and reported, if an obstacle with compliant contacts rotates by more than half a
/// revolution in a step: contacts would take that for a rotation the other way. Reports the first
/// one.
bool check_rotation_of_obstacles(Build& build, const Node& node) {
  const Model& model = build.scene.model;
  const TouchingMaterials touching(model, build.scene.state);
  for (std::uint32_t k = 0; k < model.obstacles.size(); ++k) {
    const Obstacle& obstacle = model.obstacles[k];
    const double angle =
        model.step.h * fastest_turn(model, build.scene.state, k, build.scene.until);
    if (!(angle > std::numbers::pi)) continue;
    bool soft = false;
    for (std::size_t m = 0; m < model.materials.size(); ++m) {
      const auto other = static_cast<MaterialId>(m);
      soft = soft || (touching.touch(other, obstacle.material) &&
                      is_compliant(model.laws(other, obstacle.material)));
    }
    if (!soft) continue;
    build.problems.report(
        node, fmt::format(
                  "the obstacle '{}' rotates by {:.3g} rad in a step; compliant contacts mistake "
                  "more than half a revolution for a rotation the other way: take {:.2g} s or less",
                  obstacle.name, angle, 0.1 * model.step.h / angle));
    return false;
  }
  return true;
}

}  // namespace

bool check_stability(Build& build, const Node& node, const ForceTimes& times) {
  const double h = build.scene.model.step.h;
  const Node& step = build.root["step"];
  const Node* forced = step.find("allow_unstable");
  if (!(h > kStableFraction * times.stability_limit) || (forced && forced->truth)) return true;
  build.problems.report(
      node,
      fmt::format("{} s is unstable: {} contacts between '{}' and '{}' allow at most {:.4g} s, "
                  "{} of their stability limit; take {:.2g} s or less, h: auto, or set "
                  "step.allow_unstable",
                  h, name(times.min_stable.law), times.min_stable.first, times.min_stable.second,
                  kStableFraction * times.stability_limit, kStableFraction, times.advised_step()));
  return false;
}

void check_step(Build& build) {
  const double h = build.scene.model.step.h;
  const Node* step = build.root.find("step");
  const Node* node = step ? step->find("h") : nullptr;
  if (!node || !sound(*node)) return;
  const auto times = force_times(build.scene.model, build.scene.state, build.scene.until);
  if (!times || !check_stability(build, *node, *times)) return;
  if (!check_rotation_of_obstacles(build, *node)) return;
  constexpr double kExcessiveRotation = 1;  // [rad]
  double angle = 0;
  for (const Vec3& spin : build.scene.state.bodies.angular_velocity)
    angle = std::max(angle, h * norm(spin));
  if (angle > kExcessiveRotation)
    build.problems.warn(
        *node,
        fmt::format("a body rotates by {:.3g} rad in a step; compliant contacts mistake more than "
                    "half a revolution for a rotation the other way: take {:.2g} s or less",
                    angle, 0.1 * h / angle));
  if (h > times->contact_time / kStepsOfContact * 1.01)
    build.problems.warn(
        *node, fmt::format("a {} contact between '{}' and '{}' lasts {:.3g} s{}, which is {:.3g} "
                           "steps; it needs {:.0f}: take {:.2g} s or less, or h: auto",
                           name(times->shortest.law), times->shortest.first, times->shortest.second,
                           times->contact_time, impact_of(*times), times->contact_time / h,
                           kStepsOfContact, times->advised_step()));
}

void check_local_damping(Build& build) {
  const Model& model = build.scene.model;
  const Node* step = build.root.find("step");
  const Node* node = step ? step->find("local_damping") : nullptr;
  if (!node || !sound(*node) || !(model.step.local_damping > 0)) return;
  const TouchingMaterials touching(model, build.scene.state);
  const auto is_rigid = [](const PairLaw& law) { return !is_compliant(law); };
  if (!touching.any_law(model, is_compliant))
    build.problems.warn(*node,
                        "local damping acts only on bodies with compliant contacts, and this scene "
                        "has no compliant law; remove it");
  else if (touching.any_law(model, is_rigid))
    build.problems.warn(*node,
                        "some pairs of this scene have rigid laws; a body with such a contact is "
                        "not damped in that step");
  if (!model.joints.empty())
    build.problems.warn(*node, "bodies with joints or drives are not damped");
}

void check_sleep(Build& build) {
  const Node* step = build.root.find("step");
  const Node* node = step ? step->find("sleep") : nullptr;
  if (!node || !sound(*node) || !node->truth) return;
  if (const std::string unfit = unfit_for_sleep(build.scene.model); !unfit.empty())
    build.problems.report(*node, fmt::format("no body may sleep: this scene has {}, which act on "
                                             "bodies that no contact wakes; remove this key",
                                             unfit));
}

}  // namespace scree::scene

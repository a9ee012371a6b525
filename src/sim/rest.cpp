#include "scree/sim/rest.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "scree/core/exact_sum.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

bool is_round(const Shape& shape) {
  if (const auto* clump = std::get_if<Clump>(&shape))
    return std::ranges::any_of(clump->parts->parts(),
                               [](const ClumpPart& part) { return is_round(part.shape); });
  return !std::holds_alternative<Box>(shape) && !std::holds_alternative<Polyhedron>(shape);
}

bool resists_rolling(const Model& model, MaterialId material) {
  for (std::size_t other = 0; other < model.materials.size(); ++other)
    if (model.laws(material, static_cast<MaterialId>(other)).rolling_friction > 0) return true;
  return false;
}

/// Whether the contacts of a pair gave something in the last step.
bool bears(const Neighbours& list, std::size_t pair) {
  for (auto [place, end] = list.places(pair); place < end; ++place)
    if (list.percussion[place] != Vec3{} ||
        (!list.force_memory.empty() && list.force_memory[place].is_contact()))
      return true;
  return false;
}

/// The part of the mass `all` that is in spheres which roll each by itself: on what stands still,
/// and on no joint.
double share_that_rolls(const Simulation& simulation, const std::vector<std::uint8_t>& is_moving,
                        double all) {
  const Bodies& bodies = simulation.state().bodies;
  const Neighbours& list = simulation.state().neighbours;
  std::vector<std::uint8_t> lies(bodies.size(), 0), is_alone = is_moving;
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    const auto [i, other] = list.pairs[p];
    const bool is_part = other & Neighbours::kObstacle, other_moves = !is_part && is_moving[other];
    if ((!is_moving[i] && !other_moves) || !bears(list, p)) continue;
    if (is_moving[i] && other_moves)
      is_alone[i] = is_alone[other] = 0;
    else
      lies[is_moving[i] ? i : other] = 1;
  }
  const std::vector<Joint>& joints = simulation.model().joints;
  const auto hangs = [&](BodyId id) {
    return std::ranges::any_of(
        joints, [&](const Joint& joint) { return joint.a.body == id || joint.b.body == id; });
  };
  ExactSum rolling;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (is_alone[i] && lies[i] && !resists_rolling(simulation.model(), bodies.material[i]) &&
        !hangs(bodies.id[i]))
      rolling.add(bodies.mass[i]);
  return rolling.value() / all;
}

}  // namespace

RestReport rest_report(const Simulation& simulation, const RestCriterion& criterion) {
  constexpr double kLasting = 4;  // times √(D/|g|)
  const Model& model = simulation.model();
  const double g = norm(model.gravity);
  if (!(g > 0) && !(criterion.speed && criterion.lasting))
    throw std::invalid_argument("without gravity rest needs a speed and a time that it is to last");

  RestReport report;
  std::vector<double> inner_radius;  // of each prototype [-]
  for (const Prototype& p : model.prototypes) inner_radius.push_back(p.inner_radius());
  const BodyColumns bodies = simulation.columns();
  ExactSum all, moving;
  std::vector<std::uint8_t> is_moving(bodies.size(), 0);
  double largest = 0;
  std::size_t fastest = bodies.size();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.has_left(i)) continue;
    const PrototypeId kind = bodies.prototypes()[i];
    const double radius = bodies.radii()[i], mass = bodies.masses()[i];
    const bool is_sphere = model.prototypes[kind].is_sphere();
    const double turning = is_sphere ? 0 : norm(bodies.angular_velocities()[i]) * radius;
    const double speed = norm(bodies.velocities()[i]) + turning;
    const double at_rest = criterion.speed.value_or(RestCriterion::kSlow *
                                                    std::sqrt(g * 2 * radius * inner_radius[kind]));
    const double ratio = speed / at_rest;
    all.add(mass);
    if (!(ratio <= 1)) {
      moving.add(mass);
      is_moving[i] = 1;
      report.only_spheres = report.only_spheres && is_sphere;
    }
    if (!(ratio <= report.fastest_ratio)) {
      fastest = i;
      report.fastest = bodies.ids()[i];
      report.fastest_speed = speed, report.fastest_ratio = ratio;
    }
    largest = std::max(largest, 2 * radius);
  }
  if (fastest < bodies.size())
    report.rolls_freely = is_round(model.prototypes[bodies.prototypes()[fastest]].shape) &&
                          !resists_rolling(model, bodies.materials()[fastest]);
  if (all.value() > 0) report.moving_share = moving.value() / all.value();
  if (report.only_spheres && report.fastest_ratio <= RestCriterion::kRollingSpeed &&
      report.moving_share <= criterion.loose + RestCriterion::kRolling)
    report.rolling_share = share_that_rolls(simulation, is_moving, all.value());
  report.lasting = criterion.lasting.value_or(kLasting * std::sqrt(largest / g));
  const auto& parts = simulation.state().obstacles;
  const auto part = std::ranges::find_if(parts, [](const auto& p) { return moves(p.twist); });
  if (part != parts.end()) report.moving_part = static_cast<std::uint32_t>(part - parts.begin());
  report.filling = std::ranges::any_of(model.fillings, [&](const Filling& filling) {
    return simulation.state().time < filling.until;
  });
  return report;
}

void RestWatch::step(const Simulation& simulation) {
  report_ = rest_report(simulation, criterion_);
  still_steps_ = report_.is_still(criterion_.loose) ? still_steps_ + 1 : 0;
  at_rest_ = still_steps_ > 0 &&
             static_cast<double>(still_steps_) * simulation.model().step.h >= report_.lasting;
}

}  // namespace scree

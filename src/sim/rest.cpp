// Finds whether a simulation is at rest: moving, rolling and rocking bodies.
#include "scree/sim/rest.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "scree/core/exact_sum.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/sim/simulation.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

bool can_roll(const Shape& shape) {
  if (const auto* clump = std::get_if<Clump>(&shape))
    return std::ranges::any_of(clump->parts->parts(),
                               [](const ClumpPart& part) { return can_roll(part.shape); });
  return !std::holds_alternative<Box>(shape) && !std::holds_alternative<Polyhedron>(shape);
}

bool material_resists_rolling(const Model& model, MaterialId material) {
  for (std::size_t other = 0; other < model.materials.size(); ++other)
    if (model.laws(material, static_cast<MaterialId>(other)).rolling_friction > 0) return true;
  return false;
}

bool resists_spinning(const Model& model, MaterialId material) {
  for (std::size_t other = 0; other < model.materials.size(); ++other)
    if (model.laws(material, static_cast<MaterialId>(other)).spinning_friction > 0) return true;
  return false;
}

/// True if a body rotates about a vertical axis, and hardly moves.
bool spins_in_place(const Vec3& velocity, const Vec3& angular_velocity, double radius,
                    const Vec3& gravity) {
  const double spin = norm(angular_velocity);
  return norm(velocity) < kSpinningInPlace * spin * radius &&
         std::abs(dot(angular_velocity, gravity)) >= kVerticalAxisCosine * spin * norm(gravity);
}

/// True if the contacts of a pair had an impulse or a force in the last step.
bool bears(const Neighbours& list, std::size_t pair) {
  for (auto [slot, end] = list.places(pair); slot < end; ++slot)
    if (list.impulse[slot] != Vec3{} ||
        (!list.force_memory.empty() && list.force_memory[slot].is_contact()))
      return true;
  return false;
}

/// Speeds of bodies, and their speeds of rest [m/s].
class Speeds {
 public:
  Speeds(const Simulation& simulation, const RestCriterion& criterion)
      : model_(simulation.model()), bodies_(simulation.columns()), speed_(criterion.speed) {
    for (const Prototype& p : model_.prototypes) inscribed_radius_.push_back(p.inscribed_radius());
  }
  bool is_sphere(std::size_t i) const {
    return model_.prototypes[bodies_.prototypes()[i]].is_sphere();
  }
  double of(std::size_t i) const {
    const double rotational =
        is_sphere(i) ? 0 : norm(bodies_.angular_velocities()[i]) * bodies_.radii()[i];
    return norm(bodies_.velocities()[i]) + rotational;
  }
  double at_rest(std::size_t i) const {
    return speed_ ? *speed_ : RestCriterion::kSlow * std::sqrt(norm(model_.gravity) * size(i));
  }
  /// Diameter of the largest inscribed sphere [m].
  double size(std::size_t i) const {
    return 2 * bodies_.radii()[i] * inscribed_radius_[bodies_.prototypes()[i]];
  }

 private:
  const Model& model_;
  BodyColumns bodies_;
  std::optional<double> speed_;
  std::vector<double> inscribed_radius_;  // one per prototype [-]
};

/// Moving bodies that lie on what stands still, and touch none that moves.
std::vector<std::uint8_t> alone(const State& state, const std::vector<std::uint8_t>& is_moving) {
  const Neighbours& list = state.neighbours;
  std::vector<std::uint8_t> lies(state.bodies.size(), 0), is_alone = is_moving;
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    const auto [i, other] = list.pairs[p];
    const bool on_obstacle = other & Neighbours::kObstacle,
               other_moves = !on_obstacle && is_moving[other];
    if ((!is_moving[i] && !other_moves) || !bears(list, p)) continue;
    if (is_moving[i] && other_moves)
      is_alone[i] = is_alone[other] = 0;
    else
      lies[is_moving[i] ? i : other] = 1;
  }
  for (std::size_t i = 0; i < lies.size(); ++i) is_alone[i] &= lies[i];
  return is_alone;
}

/// True if points support a body, and all those that move are no faster than its speed of rest.
bool rotates_about_its_contacts(const Simulation& simulation, BodyId id, double at_rest) {
  bool is_borne = false;
  for (const ContactRecord& contact : simulation.contacts_of(id)) {
    if (contact.impulse == Vec3{}) continue;
    if (norm(contact.relative_velocity) > at_rest) return false;
    is_borne = true;
  }
  return is_borne;
}

/// Moving bodies that roll, each alone, or rotate: RestReport::rolling_share.
std::vector<std::uint8_t> rolling_bodies(const Simulation& simulation, const Speeds& speeds,
                                         const std::vector<std::uint8_t>& is_moving) {
  const Bodies& bodies = simulation.state().bodies;
  const std::vector<Joint>& joints = simulation.model().joints;
  const auto hangs = [&](BodyId id) {
    return std::ranges::any_of(
        joints, [&](const Joint& joint) { return joint.a.body == id || joint.b.body == id; });
  };
  std::vector<std::uint8_t> rolls = alone(simulation.state(), is_moving);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    rolls[i] = is_moving[i] && !material_resists_rolling(simulation.model(), bodies.material[i]) &&
               !hangs(bodies.id[i]) &&
               (speeds.is_sphere(i)
                    ? rolls[i] != 0
                    : rotates_about_its_contacts(simulation, bodies.id[i], speeds.at_rest(i)));
  return rolls;
}

}  // namespace

RestReport rest_report(const Simulation& simulation, const RestCriterion& criterion) {
  const Model& model = simulation.model();
  const double g = norm(model.gravity);
  if (!(g > 0) && !(criterion.speed && criterion.lasting))
    throw std::invalid_argument("without gravity rest needs both speed and lasting");

  RestReport report;
  const Speeds speeds(simulation, criterion);
  const BodyColumns bodies = simulation.columns();
  ExactSum all, moving, rolling;
  std::vector<std::uint8_t> is_moving(bodies.size(), 0);
  double largest = 0, max_spin = 0;
  std::size_t fastest = bodies.size(), others = 0;  // moving bodies other than spheres
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.has_left(i)) continue;
    const double speed = speeds.of(i), ratio = speed / speeds.at_rest(i);
    ++report.bodies;
    all.add(bodies.masses()[i]);
    const double spin = squared_norm(bodies.angular_velocities()[i]);  // [rad²/s²]
    if (speeds.is_sphere(i) && spin > max_spin) {
      max_spin = spin;
      report.spinning = bodies.ids()[i];
    }
    if (!(ratio <= 1)) {
      moving.add(bodies.masses()[i]);
      is_moving[i] = 1;
      others += !speeds.is_sphere(i);
    }
    if (!(ratio <= report.fastest_ratio)) {
      fastest = i;
      report.fastest = bodies.ids()[i];
      report.fastest_speed = speed;
      report.fastest_ratio = ratio;
    }
    largest = std::max(largest, 2 * bodies.radii()[i]);
  }
  if (fastest < bodies.size()) {
    report.rolls_freely = can_roll(model.prototypes[bodies.prototypes()[fastest]].shape) &&
                          !material_resists_rolling(model, bodies.materials()[fastest]);
    report.spins_freely =
        !speeds.is_sphere(fastest) &&
        spins_in_place(bodies.velocities()[fastest], bodies.angular_velocities()[fastest],
                       bodies.radii()[fastest], model.gravity) &&
        !resists_spinning(model, bodies.materials()[fastest]);
  }
  report.spin = std::sqrt(max_spin);
  if (all.value() > 0) report.moving_share = moving.value() / all.value();
  if (report.moving_share > 0 && report.fastest_ratio <= RestCriterion::kRockingSpeed &&
      report.moving_share <= criterion.loose + RestCriterion::kRolling) {
    const std::vector<std::uint8_t> rolls = rolling_bodies(simulation, speeds, is_moving);
    for (std::size_t i = 0; i < rolls.size(); ++i) {
      if (!rolls[i]) continue;
      rolling.add(bodies.masses()[i]);
      others -= !speeds.is_sphere(i);
    }
    report.rolling_share = rolling.value() / all.value();
  }
  report.only_spheres = others == 0;
  if (g > 0) report.natural = kRestTime * std::sqrt(largest / g);
  report.lasting = criterion.lasting.value_or(report.natural);
  const auto& obstacles = simulation.state().obstacles;
  const auto obstacle =
      std::ranges::find_if(obstacles, [](const auto& p) { return moves(p.twist); });
  if (obstacle != obstacles.end())
    report.moving_obstacle = static_cast<std::uint32_t>(obstacle - obstacles.begin());
  report.filling = std::ranges::any_of(model.fillings, [&](const Filling& filling) {
    return simulation.state().time < filling.until;
  });
  return report;
}

double RestWatch::rocking_time() const {
  return RestCriterion::kRocking * std::max(report_.lasting, report_.natural);
}

/// Takes a sample. `begins`: the time for rest starts. If more mass moves than allowed, only fast
/// bodies are sampled.
void RestWatch::look(const Simulation& simulation, bool begins) {
  using Seen = RestCount::Seen;
  const double time = static_cast<double>(count_.steps) * simulation.model().step.h;
  const bool shaken = !report_.is_calm(criterion_.loose);
  const Speeds speeds(simulation, criterion_);
  const BodyColumns bodies = simulation.columns();
  std::vector<Seen> seen;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyId id = bodies.ids()[i];
    const double speed = speeds.of(i), hardly = RestCriterion::kHardly * speeds.at_rest(i);
    const auto then = std::ranges::lower_bound(count_.seen, id, {}, &Seen::id);
    const bool known = then != count_.seen.end() && then->id == id;
    if (bodies.has_left(i) || (!known && speed <= hardly)) continue;

    const bool is_sphere = speeds.is_sphere(i);
    Seen body = known ? *then : Seen{.id = id, .position = bodies.positions()[i], .gains = true};
    if (begins) body.min_speed = body.max_speed = speed;
    body.min_speed = std::min(body.min_speed, speed);
    body.max_speed = std::max(body.max_speed, speed);
    if (!shaken) {
      const bool gained = begins || speed - body.speed > hardly / kRestSamples;
      body.gains = !known || (begins && is_sphere) || speed <= hardly || (body.gains && gained);
      body.speed = speed;
    }
    double& fastest = time <= rocking_time() / 2 ? body.before : body.since;
    if (!shaken || speed > RestCriterion::kRollingSpeed * speeds.at_rest(i))
      fastest = std::max(fastest, speed);
    seen.push_back(body);
  }
  std::ranges::sort(seen, {}, &Seen::id);
  count_.seen = std::move(seen);
}

/// Decides on rest after the time for it.
void RestWatch::decide_on_rest(const Simulation& simulation) {
  const Speeds speeds(simulation, criterion_);
  const bool few = report_.moving_share <= criterion_.loose;
  std::optional<BodyId> gains, rocks;
  for (const RestCount::Seen& body : count_.seen) {
    const BodyIndex i = simulation.index_of(body.id);
    const double at_rest = speeds.at_rest(i);
    if (speeds.is_sphere(i)) {
      if (!gains && body.gains && body.speed > at_rest) gains = body.id;
      if (few) continue;
    }
    const bool keeps =
        speeds.is_sphere(i) || body.max_speed - body.min_speed <= RestCriterion::kHardly * at_rest;
    const bool is_slow = body.max_speed <= RestCriterion::kRollingSpeed * at_rest;
    if (!rocks && body.max_speed > at_rest && !(keeps && is_slow)) rocks = body.id;
  }
  at_rest_ = !gains && !rocks;
  if (gains) count_ = {};
  count_.changing = gains ? gains : rocks;
  if (!gains) look(simulation, true);
}

/// Decides on rocking after the time for it.
void RestWatch::decide_on_rocking(const Simulation& simulation) {
  const Speeds speeds(simulation, criterion_);
  const BodyColumns bodies = simulation.columns();
  RockingBodies rocking{.lasting = static_cast<double>(count_.steps) * simulation.model().step.h};
  std::optional<BodyId> changing;
  for (const RestCount::Seen& body : count_.seen) {
    if (!simulation.has_body(body.id)) continue;  // it has left since
    const BodyIndex i = simulation.index_of(body.id);
    const double at_rest = speeds.at_rest(i), change = std::abs(body.since - body.before);
    if (body.since <= at_rest) continue;  // it has come to rest
    const bool stays = norm(bodies.positions()[i] - body.position) <= speeds.size(i);
    const bool keeps = change <= std::max(RestCriterion::kKeeps * body.before,
                                          RestCriterion::kKeepsSlow * at_rest);
    const bool gains = body.gains && body.speed > at_rest;
    if (!changing && (gains || !stays || !keeps)) changing = body.id;
    ++rocking.count;
    if (body.since > rocking.speed) {
      rocking.fastest = body.id;
      rocking.speed = body.since;
    }
  }
  at_rest_ = !changing;
  if (at_rest_) report_.rocking = rocking;
  count_ = {};  // from now on
  count_.changing = changing;
}

void RestWatch::step(const Simulation& simulation) {
  report_ = rest_report(simulation, criterion_);
  const bool is_calm = report_.is_calm(criterion_.loose);
  const bool is_still = is_calm && report_.fastest_ratio <= RestCriterion::kLoose;
  if (!is_still) at_rest_ = false;
  if (report_.moving_obstacle || report_.filling ||
      !(report_.fastest_ratio <= RestCriterion::kRockingSpeed)) {
    count_ = {};
    return;
  }
  const double h = simulation.model().step.h;
  ++count_.steps;
  count_.still_steps = is_still ? count_.still_steps + 1 : 0;
  count_.shaken_steps += !is_calm;
  if (static_cast<double>(count_.shaken_steps) * h > RestCriterion::kShakes * rocking_time())
    count_ = {};
  else if (is_still)
    sample_and_decide_on_rest(simulation);
  else
    look(simulation, false);
  const bool may_rock =
      criterion_.loose > 0 && report_.natural > 0 && simulation.model().fields.empty();
  if (may_rock && is_calm && !at_rest_ && static_cast<double>(count_.steps) * h >= rocking_time())
    decide_on_rocking(simulation);
  report_.changing = count_.changing;
}

void RestWatch::wait_for_changes(const Simulation& simulation, double until) {
  if (!at_rest_ || report_.bodies == 0) return;
  const double since = std::max(simulation.state().time - report_.lasting, 0.0);
  if (!changes_later(simulation, since, until)) return;
  count_ = {};
  at_rest_ = false;
}

/// Takes samples in steps in which all is still, and decides on rest.
void RestWatch::sample_and_decide_on_rest(const Simulation& simulation) {
  const double h = simulation.model().step.h;
  const auto looks = [&](std::uint64_t steps) {
    return std::floor(kRestSamples * static_cast<double>(steps) * h / report_.lasting);
  };
  const std::uint64_t steps = count_.still_steps;
  const double before = looks(steps - 1), now = looks(steps);
  if (steps == 1 || now > before) look(simulation, steps == 1);
  if (steps == 1 && now >= kRestSamples)
    at_rest_ = true;
  else if (std::floor(now / kRestSamples) > std::floor(before / kRestSamples))
    decide_on_rest(simulation);
}

}  // namespace scree

/// Fillings: bodies that enter regions at a rate.
#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/core/decimal.hpp"
#include "sim/boundaries/boundaries.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/ignored_pairs.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kWaiting("fillings_waiting");

/// Time for which a filling has run by the end of the step [s].
double time_of(const StepContext& c, const Filling& filling) {
  const double end = decimal_multiple(c.state.step + 1, c.model.step.h);
  return std::min(end, filling.until) - filling.from;
}

/// Bodies, by their bounding spheres, and obstacles near a filling's region.
class Neighbourhood {
 public:
  Neighbourhood(const StepContext& c, const Filling& filling) : c_(c), ignored_(c.model) {
    const Vec3 middle = 0.5 * (filling.min + filling.max), half = 0.5 * (filling.max - filling.min);
    double largest = 0;
    for (const Filling::Kind& kind : filling.kinds) largest = std::max(largest, kind.high);
    const Bodies& bodies = c.state.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 apart = c.scratch.domain.separation(middle, bodies.position[i]);
      bool near = !c.state.neighbours.has_left(i);
      for (int k = 0; k < 3; ++k)
        near = near && std::abs(apart[k]) < half[k] + bodies.radius[i] + largest;
      if (near) bodies_.push_back(i);
    }
  }

  /// True if a body of this radius and material fits there.
  bool has_room(const Vec3& centre, double radius, MaterialId material) const {
    const Bodies& bodies = c_.state.bodies;
    const auto ignores = [&](BodyIndex other) {
      return !ignored_.empty() &&
             ignored_.contains({{c_.state.next_id}, material}, ignored_.member(bodies, other));
    };
    const auto is_apart = [&](std::size_t i) {
      if (ignores(static_cast<BodyIndex>(i))) return true;
      const double touch = bodies.radius[i] + radius;
      return squared_norm(c_.scratch.domain.separation(centre, bodies.position[i])) > touch * touch;
    };
    if (!std::ranges::all_of(bodies_, is_apart)) return false;
    for (std::uint32_t k = 0; k < c_.model.obstacles.size(); ++k)
      if (!c_.model.obstacles[k].is_absent && distance_to_obstacle(c_, k, centre) < radius &&
          !ignores(Neighbours::kObstacle | k))
        return false;
    return true;
  }
  void add(std::size_t body) { bodies_.push_back(body); }

 private:
  const StepContext& c_;
  IgnoredPairs ignored_;
  std::vector<std::size_t> bodies_;
};

/// One filling in one step.
class Filler {
 public:
  Filler(StepContext& c, const Filling& filling, FillingState& state)
      : c_(c), filling_(filling), state_(state) {}

  void run() {
    const double time = time_of(c_, filling_);
    if (!(time > 0)) return;
    std::optional<Neighbourhood> neighbourhood;
    for (;;) {
      if (state_.next_kind == 0) draw_next();
      if (!is_due(time)) return;
      if (!neighbourhood) neighbourhood.emplace(c_, filling_);
      if (!place(*neighbourhood)) {
        ++c_.report[kWaiting].value;
        return;
      }
    }
  }

 private:
  const Filling::Kind& next() const { return filling_.kinds[state_.next_kind - 1]; }
  double mass_of_next() const {
    const Shape& shape = c_.model.prototypes[next().prototype].shape;
    return next().density * volume_properties(scaled(shape, state_.next_radius)).volume;
  }

  void draw_next() {
    double total = 0;
    for (const Filling::Kind& kind : filling_.kinds) total += kind.share;
    double left = total * state_.random.uniform();
    std::size_t k = 0;
    while (k + 1 < filling_.kinds.size() && left >= filling_.kinds[k].share)
      left -= filling_.kinds[k++].share;
    const auto [low, high] = std::pair(filling_.kinds[k].low, filling_.kinds[k].high);
    state_.next_kind = k + 1;
    state_.next_radius = low < high ? state_.random.uniform(low, high) : low;
  }

  bool is_due(double time) const {
    if (filling_.number_rate > 0)
      return static_cast<double>(state_.entered + 1) <=
             filling_.number_rate * time * (1 + kFillingRateRounding);
    return state_.mass + mass_of_next() <= filling_.mass_rate * time * (1 + kFillingRateRounding);
  }

  /// True if the next body found a position.
  bool place(Neighbourhood& neighbourhood) {
    const double radius = state_.next_radius;
    const MaterialId material = next().material;
    for (int k = 0; k < kMaxFillingTries; ++k) {
      Vec3 at;
      for (int axis = 0; axis < 3; ++axis) {
        const double low = filling_.min[axis], high = filling_.max[axis];
        at[axis] = low < high ? state_.random.uniform(low + radius, high - radius) : low;
      }
      if (!neighbourhood.has_room(at, radius, material)) continue;
      add_body(at);
      neighbourhood.add(c_.state.bodies.size() - 1);
      return true;
    }
    return false;
  }

  void add_body(const Vec3& at) {
    Body body{.id = {c_.state.next_id++}, .position = at, .velocity = filling_.velocity};
    for (int k = 0; k < 3; ++k)
      body.velocity[k] += filling_.jitter[k] * state_.random.uniform(-1, 1);
    body.orientation = next().orientation ? *next().orientation : random_orientation(state_.random);
    body.radius = state_.next_radius;
    body.mass = mass_of_next();
    body.prototype = next().prototype;
    body.material = next().material;
    c_.state.bodies.push_back(body);
    c_.state.ledger.wall_work +=
        total_energy(c_.model, c_.state.bodies, c_.state.bodies.size() - 1);
    c_.state.neighbours.valid = false;
    ++c_.report.bodies_added;
    ++state_.entered;
    state_.mass += body.mass;
    state_.next_kind = 0;
  }

  StepContext& c_;
  const Filling& filling_;
  FillingState& state_;
};

}  // namespace

void fill_regions(StepContext& c) {
  for (std::size_t k = 0; k < c.model.fillings.size(); ++k)
    Filler(c, c.model.fillings[k], c.state.fillings[k]).run();
}

}  // namespace scree

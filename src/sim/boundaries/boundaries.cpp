// Inflows and outflows: layers of new bodies, and the removal of bodies.
#include "sim/boundaries/boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/ignored_pairs.hpp"
#include "sim/neighbours/neighbours.hpp"

namespace scree {
namespace {

/// Bodies and obstacles near a new layer, which may occupy its positions. The plate, which moves
/// with the layer, and everything that new bodies ignore are left out.
class Surroundings {
 public:
  Surroundings(const StepContext& c, const Inflow& inflow, const Vec3& shift)
      : c_(c), inflow_(inflow), ignored_(c.model) {
    Vec3 low = inflow.layer.front(), high = low;
    for (const Vec3& p : inflow.layer)
      for (int k = 0; k < 3; ++k)
        low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    const Vec3 middle = 0.5 * (low + high) + shift, half = 0.5 * (high - low);
    find_bodies(middle, half);
    find_obstacles(middle, half);
  }

  bool take(const Vec3& position) const {
    const Bodies& bodies = c_.state.bodies;
    const double reach = (1 - kTolerableOverlap) * inflow_.radius;
    return std::ranges::any_of(bodies_,
                               [&](std::size_t i) {
                                 if (ignores(static_cast<BodyIndex>(i))) return false;
                                 const double apart = bodies.radius[i] + reach;
                                 return squared_norm(c_.scratch.domain.separation(
                                            position, bodies.position[i])) < apart * apart;
                               }) ||
           std::ranges::any_of(obstacles_, [&](std::uint32_t k) {
             return distance_to_obstacle(c_, k, position) < reach;
           });
  }

 private:
  /// True if the next body ignores another body, or an obstacle by its flag.
  bool ignores(BodyIndex other) const {
    return !ignored_.empty() && ignored_.contains({{c_.state.next_id}, inflow_.material},
                                                  ignored_.member(c_.state.bodies, other));
  }

  /// Finds bodies in the box of half edges `half` about `middle`, and around it.
  void find_bodies(const Vec3& middle, const Vec3& half) {
    const Bodies& bodies = c_.state.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double reach = bodies.radius[i] + inflow_.radius;
      const Vec3 apart = c_.scratch.domain.separation(middle, bodies.position[i]);
      bool inside = !c_.state.neighbours.has_left(i);
      for (int k = 0; k < 3; ++k) inside = inside && std::abs(apart[k]) < half[k] + reach;
      if (inside) bodies_.push_back(i);
    }
  }

  void find_obstacles(const Vec3& middle, const Vec3& half) {
    const double reach = norm(half) + inflow_.radius;
    for (std::uint32_t k = 0; k < c_.model.obstacles.size(); ++k)
      if (k != inflow_.plate && !c_.model.obstacles[k].is_absent &&
          !ignores(Neighbours::kObstacle | k) && distance_to_obstacle(c_, k, middle) < reach)
        obstacles_.push_back(k);
  }

  const StepContext& c_;
  const Inflow& inflow_;
  IgnoredPairs ignored_;
  std::vector<std::size_t> bodies_;
  std::vector<std::uint32_t> obstacles_;
};

/// Lays a layer, shifted by `shift`, which is the plate's distance from its start.
void lay_layer(StepContext& c, const Inflow& inflow, InflowState& state, const Vec3& shift) {
  if (inflow.layer.empty()) return;
  Bodies& bodies = c.state.bodies;
  const Surroundings surroundings(c, inflow, shift);
  const Material& material = c.model.materials[inflow.material];
  const double volume = volume_properties(Sphere{inflow.radius}).volume;
  for (const Vec3& position : inflow.layer) {
    Body body{.id = {c.state.next_id}, .position = position + shift, .velocity = inflow.velocity};
    for (int k = 0; k < 3; ++k) body.velocity[k] += inflow.jitter[k] * state.random.uniform(-1, 1);
    body.radius = inflow.radius, body.mass = material.density * volume;
    body.prototype = inflow.prototype, body.material = inflow.material;
    if (surroundings.take(body.position)) {
      ++c.report.bodies_skipped;
      continue;
    }
    ++c.state.next_id, ++c.report.bodies_added;
    bodies.push_back(body);
    c.state.ledger.wall_work += total_energy(c.model, bodies, bodies.size() - 1);
  }
}

/// Distance of a plate from its start.
Vec3 shift_of(const Inflow& inflow, const InflowState& state) {
  return state.travelled / norm(inflow.velocity) * inflow.velocity;
}

/// True if a point of the straight path lies in the region.
bool crosses(const Outflow& region, const Vec3& from, const Vec3& to) {
  for (int k = 0; k < 3; ++k)
    if (std::max(from[k], to[k]) < region.min[k] || std::min(from[k], to[k]) > region.max[k])
      return false;
  double begin = 0, end = 1;  // fraction of the path that is inside, along the axes so far
  for (int k = 0; k < 3; ++k) {
    const double low = region.min[k] - from[k], high = region.max[k] - from[k],
                 travelled = to[k] - from[k];
    if (travelled == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    begin = std::max(begin, std::min(low / travelled, high / travelled));
    end = std::min(end, std::max(low / travelled, high / travelled));
  }
  return begin <= end;
}

}  // namespace

void lay_inflow_layers(StepContext& c) {
  const auto& inflows = c.model.inflows;
  const auto stroke = [&](std::size_t k) { return c.model.step.h * norm(inflows[k].velocity); };
  auto& due = c.scratch.layers_due;
  due.assign(inflows.size(), 0);
  // All plates move back before the first layer is laid: none blocks another's.
  for (std::size_t k = 0; k < inflows.size(); ++k) {
    InflowState& state = c.state.inflows[k];
    if (state.travelled + stroke(k) / 2 < inflows[k].advance) continue;
    due[k] = 1;
    // The excess or the deficit stays, so that the mean rate is exact.
    state.travelled -= inflows[k].advance;
    const Vec3 start = c.model.obstacles[inflows[k].plate].pose.position;
    c.state.obstacles[inflows[k].plate].pose.position = start + shift_of(inflows[k], state);
    c.state.neighbours.valid = false;
  }
  for (std::size_t k = 0; k < inflows.size(); ++k) {
    InflowState& state = c.state.inflows[k];
    if (due[k]) {
      ++state.layers;
      lay_layer(c, inflows[k], state, shift_of(inflows[k], state));
    }
    state.travelled += stroke(k);
  }
}

bool leaves(const Model& model, const Vec3& from, const Vec3& to) {
  if (model.outflows.empty() || !is_finite(from) || !is_finite(to)) return false;
  return std::ranges::any_of(model.outflows,
                             [&](const Outflow& region) { return crosses(region, from, to); });
}

void remove_outflow(StepContext& c, AlignedVector<std::uint32_t>& origin) {
  const auto& skin = c.state.neighbours.skin;
  const bool some_left = std::ranges::find(skin, Neighbours::kLeft) != skin.end();
  if (c.model.outflows.empty() && !some_left) return;
  Bodies& bodies = c.state.bodies;
  Scratch& s = c.scratch;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    if (!leaves(c.model, bodies.position[i], bodies.position[i])) {
      kept.push_back(i);
      continue;
    }
    // It entered within the region: it never acts.
    c.state.ledger.wall_work -= total_energy(c.model, bodies, i);
    ++c.report.bodies_removed;
  }
  if (kept.size() == bodies.size()) return;

  const auto keep = [&](auto& field) {
    for (std::size_t k = 0; k < kept.size(); ++k) field[k] = field[kept[k]];
    field.resize(kept.size());
  };
  bodies.for_each_field(keep);
  keep(s.margin);
  keep(origin);
  if (!s.problem.own_increment.empty()) keep(s.problem.own_increment);
  if (!s.fields.wrench.empty()) keep(s.fields.wrench);
  if (c.model.step.sleep) c.state.sleep.for_each_of_bodies(keep);
  s.problem.bodies.pop_back();
  keep(s.problem.bodies);
  s.problem.bodies.push_back({});
  s.problem.free_bodies = static_cast<std::uint32_t>(kept.size());
}

}  // namespace scree

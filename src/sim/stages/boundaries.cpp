#include <algorithm>
#include <cmath>

#include "sim/step.hpp"

namespace scree {
namespace {

double total_energy(const Model& model, const Bodies& bodies, std::size_t i) {
  return kinetic_energy(model, bodies, i, bodies.velocity[i], bodies.angular_velocity[i]) -
         bodies.mass[i] * dot(model.gravity, bodies.position[i]);
}

/// Bodies near a new layer, which may stand in its places.
std::vector<std::size_t> bodies_near(const Bodies& bodies, const Inflow& inflow) {
  Vec3 low = inflow.layer.front(), high = low;
  for (const Vec3& p : inflow.layer)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double reach = bodies.radius[i] + inflow.radius;
    bool inside = true;
    for (int k = 0; k < 3; ++k)
      inside = inside && bodies.position[i][k] > low[k] - reach && bodies.position[i][k] < high[k] + reach;
    if (inside) near.push_back(i);
  }
  return near;
}

/// A new body may overlap an old one by what a solver leaves of penetration.
constexpr double kTolerableOverlap = 1e-2;  ///< of the new radius [-]

void lay_layer(StepContext& c, const Inflow& inflow, InflowState& state) {
  Bodies& bodies = c.state.bodies;
  const std::vector<std::size_t> near = bodies_near(bodies, inflow);
  const Material& material = c.model.materials[inflow.material];
  const double volume = volume_properties(Sphere{inflow.radius}).volume;
  for (const Vec3& place : inflow.layer) {
    Body body{.id = {c.state.next_id}, .position = place, .velocity = inflow.velocity};
    for (int k = 0; k < 3; ++k) body.velocity[k] += inflow.jitter[k] * state.random.uniform(-1, 1);
    body.radius = inflow.radius, body.mass = material.density * volume;
    body.prototype = inflow.prototype, body.material = inflow.material;
    const bool taken = std::ranges::any_of(near, [&](std::size_t i) {
      const double apart = bodies.radius[i] + (1 - kTolerableOverlap) * inflow.radius;
      return squared_norm(bodies.position[i] - place) < apart * apart;
    });
    if (taken) {
      ++c.report.bodies_skipped;
      continue;
    }
    ++c.state.next_id, ++c.report.bodies_added;
    bodies.push_back(body);
    c.state.ledger.wall_work += total_energy(c.model, bodies, bodies.size() - 1);
  }
  c.state.neighbours.valid = false;
}

}  // namespace

void lay_inflow_layers(StepContext& c) {
  for (std::size_t k = 0; k < c.model.inflows.size(); ++k) {
    const Inflow& inflow = c.model.inflows[k];
    InflowState& state = c.state.inflows[k];
    const double stroke = c.model.step.h * norm(inflow.velocity);
    if (state.travelled + stroke / 2 >= inflow.advance) {
      // Back by a whole number of strokes' travel: the rest stays, so that the mean rate is exact.
      const Vec3 back = inflow.advance / norm(inflow.velocity) * inflow.velocity;
      c.state.obstacles[inflow.plate].pose.position -= back;
      state.travelled -= inflow.advance;
      ++state.layers;
      c.state.neighbours.valid = false;
      if (!inflow.layer.empty()) lay_layer(c, inflow, state);
    }
    state.travelled += stroke;
  }
}

void remove_outflow(StepContext& c, AlignedVector<std::uint32_t>& origin) {
  if (c.model.outflows.empty()) return;
  Bodies& bodies = c.state.bodies;
  Scratch& s = c.scratch;
  const auto leaves = [&](const Vec3& p) {
    return std::ranges::any_of(c.model.outflows, [&](const Outflow& o) {
      return p.x >= o.min.x && p.x <= o.max.x && p.y >= o.min.y && p.y <= o.max.y && p.z >= o.min.z && p.z <= o.max.z;
    });
  };
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!leaves(bodies.position[i])) {
      kept.push_back(i);
      continue;
    }
    const BodyRecord& record = s.problem.bodies[i];
    s.free_kinetic_energy -= kinetic_energy(c.model, bodies, i, record.velocity, bodies.angular_velocity[i]);
    c.state.ledger.wall_work -= total_energy(c.model, bodies, i);
  }
  c.report.bodies_removed = bodies.size() - kept.size();
  if (kept.size() == bodies.size()) return;

  const auto keep = [&](auto& field) {
    for (std::size_t k = 0; k < kept.size(); ++k) field[k] = field[kept[k]];
    field.resize(kept.size());
  };
  bodies.for_each_field(keep);
  keep(s.margin);
  keep(origin);
  s.problem.bodies.pop_back();
  keep(s.problem.bodies);
  s.problem.bodies.push_back({});
  if (s.any_anisotropic) keep(s.problem.inverse_inertia);
  s.problem.free_bodies = static_cast<std::uint32_t>(kept.size());
}

}  // namespace scree

#include <cmath>

#include "sim/step.hpp"

namespace scree {
namespace {

/// Part of the radii below which a pair is a contact even if nothing moves [-].
constexpr double kMarginOfRadius = 0.01;

void predict_obstacles(StepContext& c) {
  const double h = c.model.step.h;
  auto& obstacles = c.state.obstacles;
  for (std::size_t k = 0; k < obstacles.size(); ++k)
    // The midpoint makes the wall's path of second order in h.
    if (c.model.obstacles[k].motion) obstacles[k].twist = c.model.obstacles[k].motion(c.state.time + h / 2);
  for (const Inflow& inflow : c.model.inflows) obstacles[inflow.plate].twist = {inflow.velocity, {}};

  c.scratch.obstacle_margin.resize(obstacles.size());
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const Twist& twist = obstacles[k].twist;
    const double turning =
        norm(twist.angular) > 0 ? norm(twist.angular) * bounding_radius(c.model.obstacles[k].shape) : 0;
    const double travel = h * (norm(twist.linear) + turning);
    c.scratch.obstacle_margin[k] = c.model.step.margin ? *c.model.step.margin / 2 : travel;
    auto& slack = c.state.neighbours.obstacle_slack;
    if (k >= slack.size() || c.scratch.obstacle_margin[k] + travel > slack[k]) c.state.neighbours.valid = false;
  }
}

}  // namespace

void predict(StepContext& c) {
  lay_inflow_layers(c);
  predict_obstacles(c);

  const double h = c.model.step.h;
  Bodies& bodies = c.state.bodies;
  Scratch& scratch = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = scratch.problem;
  const std::size_t n = bodies.size();
  const Vec3 gain = h * c.model.gravity;
  const std::optional<double> margin = c.model.step.margin;
  neighbours.valid = neighbours.valid && neighbours.slack.size() == n;

  resize_tightly(scratch.margin, n);
  resize_tightly(problem.bodies, n + 1);
  if (scratch.any_anisotropic) resize_tightly(problem.inverse_inertia, n);
  problem.free_bodies = static_cast<std::uint32_t>(n);
  problem.bodies[n] = {};
  scratch.partial.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});

  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    Scratch::Partial& sum = scratch.partial[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 velocity = bodies.velocity[i] + gain, inertia = c.model.prototypes[bodies.prototype[i]].inertia;
      const bool isotropic = c.model.prototypes[bodies.prototype[i]].isotropic();
      const double inverse_mass = 1 / bodies.mass[i];
      problem.bodies[i] = {velocity, bodies.radius[i] * bodies.angular_velocity[i], inverse_mass,
                           isotropic ? inverse_mass / inertia.x : 0};
      if (!isotropic)
        problem.inverse_inertia[i] = rotated_diagonal(
            bodies.orientation[i], {inverse_mass / inertia.x, inverse_mass / inertia.y, inverse_mass / inertia.z});
      sum.a += kinetic_energy(c.model, bodies, i, velocity, bodies.angular_velocity[i]);
      scratch.margin[i] =
          static_cast<float>(margin ? *margin / 2 : kMarginOfRadius * bodies.radius[i] + h * norm(velocity));
      if (neighbours.valid && !(double{scratch.margin[i]} <= neighbours.slack[i])) ++sum.count;
    }
  });
  scratch.free_kinetic_energy = 0;
  std::size_t stale = 0;
  for (const auto& sum : scratch.partial) scratch.free_kinetic_energy += sum.a, stale += sum.count;
  if (stale > 0) neighbours.valid = false;
}

double kinetic_energy(const Model& model, const Bodies& bodies, std::size_t i, const Vec3& velocity, const Vec3& w) {
  const Vec3 inertia = model.prototypes[bodies.prototype[i]].inertia;
  double turning = inertia.x * squared_norm(w);
  if (inertia.x != inertia.y || inertia.y != inertia.z) {
    const Vec3 b = rotate_back(bodies.orientation[i], w);
    turning = inertia.x * b.x * b.x + inertia.y * b.y * b.y + inertia.z * b.z * b.z;
  }
  return 0.5 * bodies.mass[i] * (squared_norm(velocity) + bodies.radius[i] * bodies.radius[i] * turning);
}

}  // namespace scree

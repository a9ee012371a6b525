// Start of a step: prescribed motions, free velocities, travel and margins.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scree/core/decimal.hpp"
#include "scree/sim/integrators.hpp"
#include "sim/boundaries/boundaries.hpp"
#include "sim/cell/cell.hpp"
#include "sim/checks/user_function.hpp"
#include "sim/fields/fields.hpp"
#include "sim/joints/joints.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/free_spheres.hpp"
#include "sim/motion/motion.hpp"
#include "sim/sleep/sleep.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Fault in the prescribed motion of an obstacle; empty if there is none.
std::string fault_of(const Obstacle& obstacle, const Scratch::Prescribed& prescribed, double h) {
  const auto& [twist, after] = prescribed;
  char text[64] = "";
  const auto look_at = [&](const char* name, const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(v[axis]) <= kMaxSpeed))
        // Drops the meaningless sign of a NaN.
        std::snprintf(text, sizeof text, "%s[%d] is %g", name, axis,
                      std::isnan(v[axis]) ? std::abs(v[axis]) : v[axis]);
  };
  look_at("angular_velocity", twist.angular);
  look_at("velocity", twist.linear);
  if (text[0] == '\0' && !(is_finite(after.position) && std::isfinite(norm(after.orientation))))
    return "it leaves the range of double precision";
  if (const double rotation = h * norm(twist.angular);
      text[0] == '\0' && obstacle.path && rotation > kMaxRotationOfPath)
    std::snprintf(text, sizeof text, "it rotates by %.3g rad in one step; the limit is %g",
                  rotation, kMaxRotationOfPath);
  return text;
}

/// Motion of obstacle k in the step that begins at t; throws what its function throws.
Scratch::Prescribed prescribed_of(const StepContext& c, std::uint32_t k) {
  const Obstacle& obstacle = c.model.obstacles[k];
  const Pose& pose = c.state.obstacles[k].pose;
  const double h = c.model.step.h;
  if (obstacle.path) {
    const Pose after = obstacle.path(decimal_multiple(c.state.step + 1, h));
    return {twist_between(pose, after, h), after};
  }
  // The midpoint makes the wall's path of second order in h.
  const Twist twist = obstacle.twist_at(c.state.time + h / 2, c.state.step_loads[k]);
  return {twist, advance_pose(pose, twist, h)};
}

/// Evaluates the motions of obstacles; false, with the fault in the report, if one fails.
bool evaluate_motions(StepContext& c) {
  const double h = c.model.step.h;
  auto& prescribed = c.scratch.prescribed;
  prescribed.resize(c.model.obstacles.size());
  for (std::uint32_t k = 0; k < prescribed.size(); ++k) {
    const Obstacle& obstacle = c.model.obstacles[k];
    if (!obstacle.is_moved()) continue;
    const std::string fault = fault_of_asking([&] {
      prescribed[k] = prescribed_of(c, k);
      return fault_of(obstacle, prescribed[k], h);
    });
    if (fault.empty()) continue;
    measure(c);
    c.report.converged = false;
    c.report.motion_fault = MotionFault{
        k, obstacle.path ? decimal_multiple(c.state.step + 1, h) : c.state.time + h / 2, fault};
    return false;
  }
  return true;
}

void predict_obstacles(StepContext& c) {
  auto& obstacles = c.state.obstacles;
  const auto keep_twists = [&] {
    auto& before = c.scratch.forces.twist_before;
    before.resize(obstacles.size());
    for (std::size_t k = 0; k < obstacles.size(); ++k) before[k] = obstacles[k].twist;
  };
  if (c.scratch.forces.any) keep_twists();
  for (std::size_t k = 0; k < obstacles.size(); ++k)
    if (c.model.obstacles[k].is_moved()) obstacles[k].twist = c.scratch.prescribed[k].twist;
  for (const Inflow& inflow : c.model.inflows)
    obstacles[inflow.plate].twist = {inflow.velocity, {}};
  // The servos have read the loads; this step sums new ones.
  std::ranges::fill(c.state.step_loads, Wrench{});
  // Velocities at the start are those at t = 0, for obstacles as for bodies.
  if (c.scratch.forces.any && is_first_of_all(c)) keep_twists();

  c.scratch.obstacle_margin.resize(obstacles.size());
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    ObstacleApproach& margin = c.scratch.obstacle_margin[k];
    margin = travel_of_obstacle(c, k);
    if (c.model.step.margin) margin = {*c.model.step.margin / 2, 0};
    const auto& skin = c.state.neighbours.obstacle_skin;
    if (k >= skin.size() || !skin[k].covers(margin + approach_of_obstacle(c, k)))
      c.state.neighbours.valid = false;
  }
}

/// Torque of the gyroscopic term, −ω × Iω [N m].
Vec3 gyroscopic_torque(const StepContext& c, std::size_t i) {
  const Bodies& bodies = c.state.bodies;
  const Vec3& w = bodies.angular_velocity[i];
  const Vec3& inertia = c.model.prototypes[bodies.prototype[i]].inertia;
  const Vec3 own = rotate_back(bodies.orientation[i], w);
  const double size = bodies.mass[i] * bodies.radius[i] * bodies.radius[i];
  return -size * cross(w, rotate(bodies.orientation[i],
                                 {inertia.x * own.x, inertia.y * own.y, inertia.z * own.z}));
}

/// Converts fields and applied forces to velocity increments; clears the applied forces.
void convert_applied_forces(StepContext& c) {
  AlignedVector<Wrench>& applied = c.state.applied;
  AlignedVector<VelocityIncrement>& own_increment = c.scratch.problem.own_increment;
  own_increment.clear();
  const Domain& domain = c.scratch.domain;
  AlignedVector<Wrench>& of_fields = c.scratch.fields.wrench;
  const bool gyroscopic = c.model.step.free_rotation == FreeRotation::explicit_term;
  if (applied.empty() && of_fields.empty() && !domain.flows() && !gyroscopic) return;
  applied.resize(c.state.bodies.size());  // an inflow may have laid a layer
  if (!of_fields.empty()) of_fields.resize(applied.size());
  resize_tightly(own_increment, applied.size());
  c.pool.for_each_range(applied.size(), kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!of_fields.empty()) applied[i] += of_fields[i];
      if (gyroscopic) applied[i].torque += gyroscopic_torque(c, i);
      own_increment[i] = increment_of(c, i, applied[i]);
      // A body that moves against the flow reaches positions with another flow.
      if (domain.flows())
        own_increment[i].velocity -=
            c.model.step.h * (domain.gradient() * c.state.bodies.velocity[i]);
      own_increment[i] *= half_step_factor(c);
    }
  });
  applied.clear();
}

/// Sets the margin of body i by its travel in the step; counts it if the list is too short for it.
void set_margin(StepContext& c, std::size_t i, double margin, std::uint32_t& stale) {
  c.scratch.margin[i] = static_cast<float>(margin);
  const Neighbours& list = c.state.neighbours;
  if (list.valid && !(double{c.scratch.margin[i]} <= list.skin[i])) ++stale;
}

/// Sets records and margins of bodies [begin, end).
void predict_bodies(StepContext& c, std::size_t begin, std::size_t end, std::uint32_t& stale) {
  const Bodies& bodies = c.state.bodies;
  ContactProblem& problem = c.scratch.problem;
  const std::optional<double> margin = c.model.step.margin;
  for (std::size_t i = begin; i < end; ++i) {
    if (c.state.neighbours.has_left(i)) {
      problem.bodies[i] = {};
      c.scratch.margin[i] = 0;
      continue;
    }
    const Scratch::BodyTraits& kind = c.scratch.kinds[bodies.prototype[i]];
    const double inverse_mass = 1 / bodies.mass[i];
    problem.bodies[i] = {{},
                         {},
                         inverse_mass,
                         kind.isotropic
                             ? inverse_mass / c.model.prototypes[bodies.prototype[i]].inertia.x
                             : inverse_mass};
    set_free_velocity(c, i);
    set_margin(c, i, margin ? *margin / 2 : kMarginOfRadius * bodies.radius[i] + travel(c, i),
               stale);
  }
}

/// The same for free spheres.
void predict_spheres(StepContext& c, std::size_t begin, std::size_t end, std::uint32_t& stale) {
  const auto predict_eight = kernels::free_sphere_kernels_of(c.pool.instruction_set()).predict;
  const SphereStep step = sphere_step(c);
  const auto all = [&](std::size_t i) {
    alignas(kCacheLine) double travelled[kBlock];
    predict_eight(eight_spheres(c, i), step, travelled);
    for (std::size_t k = 0; k < kBlock; ++k)
      set_margin(c, i + k, kMarginOfRadius * c.state.bodies.radius[i + k] + travelled[k], stale);
  };
  const auto some = [&](std::size_t i) { predict_bodies(c, i, i + kBlock, stale); };
  predict_bodies(c, for_eights(c, begin, end, all, some), end, stale);
}

}  // namespace

void predict(StepContext& c) {
  if (!evaluate_motions(c) || !evaluate_motors(c)) return;
  if (c.model.strain.any() && !cell_holds_bodies(c)) return;
  c.scratch.domain = domain_of(c.state.cell);
  c.scratch.strain = c.model.step.h * norm(c.state.cell.gradient);
  if (!evaluate_fields(c)) return;
  lay_inflow_layers(c);
  fill_regions(c);
  predict_obstacles(c);

  Scratch& scratch = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = scratch.problem;
  const std::size_t n = c.state.bodies.size();
  convert_applied_forces(c);
  if (c.model.step.sleep) wake_disturbed(c);
  scratch.forces.has_increment = false;
  problem.increment = half_step_factor(c) * c.model.step.h * c.model.gravity;
  neighbours.valid = neighbours.valid && neighbours.skin.size() == n;

  resize_tightly(scratch.margin, n);
  resize_tightly(problem.bodies, n + 1);
  problem.free_bodies = static_cast<std::uint32_t>(n);
  problem.bodies[n] = {};
  scratch.margin_counts.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});

  const bool free_spheres = are_free_spheres(c) && !c.model.step.margin;
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    std::uint32_t& stale = scratch.margin_counts[begin / kBodiesPerChunk].stale;
    if (free_spheres)
      predict_spheres(c, begin, end, stale);
    else
      predict_bodies(c, begin, end, stale);
  });
  scratch.stale = 0;
  for (const auto& count : scratch.margin_counts) scratch.stale += count.stale;
}

double inscribed_radius(const StepContext& c, std::size_t body) {
  const Bodies& bodies = c.state.bodies;
  return c.scratch.kinds[bodies.prototype[body]].inscribed_radius * bodies.radius[body];
}

double half_step_factor(const StepContext& c) { return begins_at_whole_step(c) ? 0.5 : 1; }

bool begins_at_whole_step(const StepContext& c) {
  return (c.scratch.forces.any || !c.model.joints.empty()) && is_first_of_all(c);
}

bool is_first_of_all(const StepContext& c) { return c.state.step == 0 && !c.scratch.resumed; }

void set_free_velocities(StepContext& c) {
  const std::size_t n = c.state.bodies.size();
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (!c.state.neighbours.has_left(i)) set_free_velocity(c, i);
  });
}

}  // namespace scree

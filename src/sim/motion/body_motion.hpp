/// Motion of a body and its energies: angular velocity of a record, travel, kinetic and potential
/// energy. Inline, because every stage calls these for every body.
#pragma once

#include "scree/collision/separating_plane.hpp"
#include "sim/motion/motion.hpp"
#include "sim/step_context.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Projection of a spin, in the coordinates of the record, on the axes about which the body can
/// rotate. It is the nearest allowed spin; the projection of impulses leaves the same.
inline Vec3 free_spin(const StepContext& c, std::size_t i, const Vec3& spin) {
  const Scratch::BodyTraits& kind = c.scratch.kinds[c.state.bodies.prototype[i]];
  if (kind.locked.turns == 0) return spin;
  if (kind.isotropic) return without(spin, kind.locked.turns);
  // For a body with unequal moments, the locked rotation about an axis of the world corresponds to
  // one vector.
  const Vec3& scale = kind.spin_scale;
  Vec3 about[3];
  int count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (contains(kind.locked.turns, axis)) continue;
    Vec3 world;
    world[axis] = 1;
    const Vec3 own = rotate_back(c.state.bodies.orientation[i], world);
    about[count++] = {scale.x * own.x, scale.y * own.y, scale.z * own.z};
  }
  if (count == 0) return {};
  if (count == 1) return dot(spin, about[0]) / squared_norm(about[0]) * about[0];
  const Vec3 across = cross(about[0], about[1]);
  return spin - dot(spin, across) / squared_norm(across) * across;
}

/// Row of R ω, R the body's radius, in the coordinates of its spin, projected on its free axes.
inline Vec3 along_spin(const StepContext& c, std::size_t i, const Vec3& row) {
  const Bodies& bodies = c.state.bodies;
  const Scratch::BodyTraits& kind = c.scratch.kinds[bodies.prototype[i]];
  if (kind.isotropic) return free_spin(c, i, row);
  const Vec3 own = rotate_back(bodies.orientation[i], row), &scale = kind.spin_scale;
  return free_spin(c, i, {own.x / scale.x, own.y / scale.y, own.z / scale.z});
}

/// ω of a body whose record has the scaled spin s.
inline Vec3 angular_velocity(const StepContext& c, std::size_t i, const Vec3& spin) {
  const Bodies& bodies = c.state.bodies;
  const Scratch::BodyTraits& kind = c.scratch.kinds[bodies.prototype[i]];
  const Vec3 s = spin / bodies.radius[i], &scale = kind.spin_scale;
  if (kind.isotropic) return s;
  return rotate(bodies.orientation[i], {s.x / scale.x, s.y / scale.y, s.z / scale.z});
}
/// ω of a body by its record.
inline Vec3 angular_velocity(const StepContext& c, std::size_t i) {
  return angular_velocity(c, i, c.scratch.problem.bodies[i].spin);
}

/// True if the angular velocity of a body changes as it rotates: see rotate_freely().
inline bool rotates_freely(const StepContext& c, std::size_t i) {
  return !c.scratch.kinds[c.state.bodies.prototype[i]].isotropic &&
         c.model.step.free_rotation == FreeRotation::split;
}

/// Relative increase of a body's rotational inertia: see scale_inertia() [-].
inline double inertia_scaling_of(const StepContext& c, std::size_t i) {
  const AlignedVector<double>& inertia_scaling = c.scratch.joints.inertia_scaling;
  return inertia_scaling.empty() ? 0 : inertia_scaling[i];
}

/// Longest path of a point of the body in the step, with the velocities of its record [m]; for
/// spheres that of the centre.
inline double travel(const StepContext& c, std::size_t i) {
  const BodyRecord& body = c.scratch.problem.bodies[i];
  const double h = c.model.step.h;
  double distance = h * norm(body.velocity);
  if (!c.scratch.kinds[c.state.bodies.prototype[i]].sphere)
    distance += h * norm(angular_velocity(c, i)) * c.state.bodies.radius[i];
  // The flow brings two touching bodies closer by at most this for each.
  if (c.scratch.strain > 0)
    distance += kMaxMarginDistance * c.scratch.strain * c.state.bodies.radius[i];
  return distance;
}

/// Approach of an obstacle in the step by this velocity and by its rotation.
inline ObstacleApproach approach_at(const StepContext& c, std::size_t k, double speed) {
  const double h = c.model.step.h;
  const auto& [pose, twist] = c.state.obstacles[k];
  const Shape& shape = c.model.obstacles[k].shape;
  if (!std::holds_alternative<HalfSpace>(shape))
    return {h * (speed + norm(twist.angular) * bounding_radius(shape)), 0};
  return {h * speed, h * norm(cross(twist.angular, rotate(pose.orientation, {0, 0, 1})))};
}

/// Largest approach of an obstacle in the step to a point at rest.
inline ObstacleApproach travel_of_obstacle(const StepContext& c, std::size_t k) {
  return approach_at(c, k, norm(c.state.obstacles[k].twist.linear));
}

/// The same to a point with the drift of the neighbour list. A half-space that does not rotate
/// while the list lasts may slide along itself.
inline ObstacleApproach approach_of_obstacle(const StepContext& c, std::size_t k) {
  const auto& [pose, twist] = c.state.obstacles[k];
  const auto& skin = c.state.neighbours.obstacle_skin;
  const Vec3 relative = twist.linear - c.state.neighbours.drift;
  const ObstacleApproach approach = approach_at(c, k, norm(relative));
  const bool rotates = approach.rotation > 0 || (k < skin.size() && skin[k].rotation > 0);
  if (rotates || !std::holds_alternative<HalfSpace>(c.model.obstacles[k].shape)) return approach;
  return approach_at(c, k, std::abs(dot(rotate(pose.orientation, {0, 0, 1}), relative)));
}

/// Contribution of an obstacle to the gap below which it and body i are a contact [m].
inline double margin_towards(const StepContext& c, std::uint32_t k, std::size_t i) {
  const ObstacleApproach& margin = c.scratch.obstacle_margin[k];
  if (margin.rotation == 0) return margin.displacement;
  const Bodies& bodies = c.state.bodies;
  const Vec3 apart =
      c.scratch.domain.separation(c.state.obstacles[k].pose.position, bodies.position[i]);
  // The distance after both have moved.
  return margin.at(norm(apart) + bodies.radius[i] + c.scratch.margin[i] + margin.displacement);
}

/// Adds an impulse on an obstacle in the step [N s], [N m s].
inline void load_obstacle(StepContext& c, std::size_t obstacle, const Wrench& given) {
  ObstacleLoad& load = c.state.obstacle_loads[obstacle];
  load.impulse += given.force;
  load.angular_impulse += given.torque;
  const double time = half_step_factor(c) * c.model.step.h;
  c.state.step_loads[obstacle] += {given.force / time, given.torque / time};
}

/// Velocity of an obstacle's surface along itself where its normal is `normal` or −`normal` [m/s].
inline Vec3 surface_velocity(const StepContext& c, std::uint32_t k, const Vec3& normal) {
  const Vec3& velocity = c.model.obstacles[k].surface_velocity;
  if (velocity == Vec3{}) return {};
  return along(rotate(c.state.obstacles[k].pose.orientation, velocity), normal);
}
/// True if the surface of an obstacle moves, with the obstacle or along it.
inline bool surface_moves(const StepContext& c, std::uint32_t k) {
  return moves(c.state.obstacles[k].twist) || c.model.obstacles[k].surface_velocity != Vec3{};
}

/// Displacement of a body relative to an obstacle in half a step [m].
inline Vec3 half_displacement(const StepContext& c, const Twist& obstacle, BodyIndex i) {
  return 0.5 * c.model.step.h * (c.state.bodies.velocity[i] - obstacle.linear);
}

/// ½ aᵀ M b for body i in its present orientation [J]: its kinetic energy if a = b is its motion.
inline double kinetic_product(const Model& model, const Bodies& bodies, std::size_t i,
                              const Motion& a, const Motion& b) {
  const Prototype& prototype = model.prototypes[bodies.prototype[i]];
  const Vec3 inertia = prototype.inertia;
  double rotational = inertia.x * dot(a.angular_velocity, b.angular_velocity);
  if (!prototype.is_isotropic()) {
    const Vec3 wa = rotate_back(bodies.orientation[i], a.angular_velocity);
    const Vec3 wb = rotate_back(bodies.orientation[i], b.angular_velocity);
    rotational = inertia.x * wa.x * wb.x + inertia.y * wa.y * wb.y + inertia.z * wa.z * wb.z;
  }
  return 0.5 * bodies.mass[i] *
         (dot(a.velocity, b.velocity) + bodies.radius[i] * bodies.radius[i] * rotational);
}

inline double kinetic_energy(const Model& model, const Bodies& bodies, std::size_t i) {
  const Motion motion{bodies.velocity[i], bodies.angular_velocity[i]};
  return kinetic_product(model, bodies, i, motion, motion);
}

/// −m g·(x − h v/2) [J]: potential energy half a step earlier, where velocity and position belong
/// to the same time. In free flight the scheme conserves its sum with the kinetic energy.
inline double potential_energy(const Model& model, const Bodies& bodies, std::size_t i) {
  return -bodies.mass[i] *
         dot(model.gravity, bodies.position[i] - 0.5 * model.step.h * bodies.velocity[i]);
}

/// Potential energy when velocities are those of t = 0, before the first step of a run with
/// compliant laws: positions then belong to them.
inline double potential_energy_at_start(const Model& model, const Bodies& bodies, std::size_t i) {
  return -bodies.mass[i] * dot(model.gravity, bodies.position[i]);
}

inline double total_energy(const Model& model, const Bodies& bodies, std::size_t i) {
  return kinetic_energy(model, bodies, i) + potential_energy(model, bodies, i);
}

/// Spin s of a body as in its record of the problem.
inline Vec3 scaled_spin(const StepContext& c, std::size_t i) {
  const Bodies& bodies = c.state.bodies;
  const Scratch::BodyTraits& kind = c.scratch.kinds[bodies.prototype[i]];
  if (kind.isotropic) return bodies.radius[i] * bodies.angular_velocity[i];
  const Vec3 w = rotate_back(bodies.orientation[i], bodies.angular_velocity[i]),
             &scale = kind.spin_scale;
  return bodies.radius[i] * Vec3{scale.x * w.x, scale.y * w.y, scale.z * w.z};
}

/// Increment of a body's record by a wrench that acts during the step: h F/m, and h I⁻¹ T as a
/// spin.
inline VelocityIncrement increment_of(const StepContext& c, std::size_t i, const Wrench& wrench) {
  const Bodies& bodies = c.state.bodies;
  const Prototype& prototype = c.model.prototypes[bodies.prototype[i]];
  const double h_over_m = c.model.step.h / bodies.mass[i];
  const Vec3 rotational = h_over_m / bodies.radius[i] * wrench.torque;
  if (prototype.is_isotropic()) return {h_over_m * wrench.force, rotational / prototype.inertia.x};
  const Vec3 t = rotate_back(bodies.orientation[i], rotational);
  const Vec3& scale = c.scratch.kinds[bodies.prototype[i]].spin_scale;
  return {h_over_m * wrench.force, {t.x / scale.x, t.y / scale.y, t.z / scale.z}};
}

/// Sets a body's record before impulses: v + h (g + F/m), and its spin with h I⁻¹ T.
inline void set_free_velocity(StepContext& c, std::size_t i) {
  ContactProblem& problem = c.scratch.problem;
  BodyRecord& record = problem.bodies[i];
  record.velocity = c.state.bodies.velocity[i] + problem.increment;
  record.spin = scaled_spin(c, i);
  const auto add = [&](const VelocityIncrement& increment) {
    record.velocity += increment.velocity;
    record.spin += increment.spin;
  };
  if (!problem.own_increment.empty()) add(problem.own_increment[i]);
  if (c.scratch.forces.has_increment) {
    add(c.scratch.forces.increment[i]);
    if (!c.scratch.forces.local.empty()) add(c.scratch.forces.local[i]);
  }
  const Locks& locked = c.scratch.kinds[c.state.bodies.prototype[i]].locked;
  if (!locked.any()) return;
  record.velocity = without(record.velocity, locked.ways);
  record.spin = free_spin(c, i, record.spin);
}

}  // namespace scree

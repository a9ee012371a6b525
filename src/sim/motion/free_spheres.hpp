/// Spheres on which only gravity and compliant contacts act: eight of them at a time.
#pragma once

#include "sim/kernels/free_spheres.hpp"
#include "sim/motion/motion.hpp"
#include "sim/step_context.hpp"

namespace scree {

/// True if all bodies are such spheres in this step, and can rotate about every axis.
inline bool are_free_spheres(const StepContext& c) {
  const ForceContacts& f = c.scratch.forces;
  return f.any && !f.any_rigid && !f.has_torque_rows() && c.scratch.all_spheres &&
         c.scratch.all_sphere_contacts && c.model.joints.empty() &&
         c.model.step.local_damping == 0 && !c.model.step.sleep &&
         c.scratch.problem.own_increment.empty();
}

/// Spheres i to i + 7.
inline EightSpheres eight_spheres(StepContext& c, std::size_t i) {
  Bodies& bodies = c.state.bodies;
  EightSpheres spheres{.mass = &bodies.mass[i],
                       .radius = &bodies.radius[i],
                       .inertia = {},
                       .position = &bodies.position[i],
                       .velocity = &bodies.velocity[i],
                       .angular_velocity = &bodies.angular_velocity[i],
                       .orientation = &bodies.orientation[i],
                       .records = &c.scratch.problem.bodies[i]};
  for (std::size_t k = 0; k < kBlock; ++k)
    spheres.inertia[k] = c.model.prototypes[bodies.prototype[i + k]].inertia.x;
  return spheres;
}

inline SphereStep sphere_step(const StepContext& c) {
  const double h = c.model.step.h;
  return {.h = h,
          .half_step_factor = half_step_factor(c),
          .velocity = c.scratch.problem.increment,
          .gravity = c.model.gravity,
          .drift = h * c.state.neighbours.drift};
}

/// Calls `all(i)` for eight present spheres at a time in [begin, end), and `some(i)` for eight of
/// which one has left; returns the end of the last whole eight.
template <class All, class Some>
std::size_t for_eights(const StepContext& c, std::size_t begin, std::size_t end, All all,
                       Some some) {
  const auto has_left = [&](std::size_t i) { return c.state.neighbours.has_left(i); };
  for (; begin + kBlock <= end; begin += kBlock) {
    bool some_left = false;
    for (std::size_t i = begin; i < begin + kBlock; ++i) some_left = some_left || has_left(i);
    if (some_left)
      some(begin);
    else
      all(begin);
  }
  return begin;
}

}  // namespace scree

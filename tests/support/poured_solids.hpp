/// Beds of one shape, poured with default settings.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "support/worlds.hpp"

namespace scree::test {

/// `count` bodies of one shape over a tray of about two bodies by two; rolling friction [m].
inline World poured(const SolidPrototype& solid, const std::shared_ptr<const ConvexHull>& hull,
                    int count, double rolling_friction) {
  PairLaw law = coulomb(0.4);
  law.rolling_friction = rolling_friction;
  World world(law, 5e-4);
  world.model.solver = solver_settings(Accuracy::engineering);
  if (hull) world.model.hulls.push_back(hull);
  const double width = 5.2 * solid.radius;
  world.half_space({0, 0, 0}, {0, 0, 1})
      .half_space({0, 0, 0}, {1, 0, 0})
      .half_space({width, 0, 0}, {-1, 0, 0})
      .half_space({0, 0, 0}, {0, 1, 0})
      .half_space({0, width, 0}, {0, -1, 0});
  world.model.prototypes = {solid.prototype};
  RandomStream random{3, 0};
  const double density = world.model.materials[0].density;
  const double mass =
      density * volume_properties(scaled(solid.prototype.shape, solid.radius)).volume;
  for (int k = 0; k < count; ++k) {
    const Vec3 cell{k % 2 + 0.5, k / 2 % 2 + 0.5, static_cast<double>(k / 4) + 0.5};
    Body& body = world.sphere(2.6 * solid.radius * cell, solid.radius);
    body.orientation = random_orientation(random);
    body.mass = mass;
  }
  return world;
}

struct PouredBed {
  /// Of the books, over the energy at the start. Bodies of unequal moments that turn freely change
  /// it a little: their turning is integrated to second order [-]
  double energy_error = 0;
  double depth = 0;        ///< in the last step, over the smaller inner radius [-]
  double speed = 0;        ///< of the fastest body at the end, with its turning, over √(g d) [-]
  double not_finite = 0;   ///< bodies, summed over steps
  std::size_t missed = 0;  ///< steps
};

inline PouredBed pour(const SolidPrototype& solid, int count, int steps,
                      const std::shared_ptr<const ConvexHull>& hull = {},
                      double rolling_friction = 0) {
  Simulation simulation = poured(solid, hull, count, rolling_friction).simulation();
  const double start = total_energy(simulation.report());
  PouredBed bed;
  for (int k = 0; k < steps; ++k) {
    const Report& report = simulation.step();
    bed.energy_error = std::max(bed.energy_error, std::abs(total_energy(report) / start - 1));
    bed.not_finite += report["bodies_not_finite"].value;
    bed.missed += report.converged ? 0 : 1;
    bed.depth = report.max_relative_penetration;
  }
  const Bodies& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bed.speed = std::max(
        bed.speed, norm(bodies.velocity[i]) + norm(bodies.angular_velocity[i]) * bodies.radius[i]);
  bed.speed /= std::sqrt(kGravity * 2 * solid.radius);
  return bed;
}

}  // namespace scree::test

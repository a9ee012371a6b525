/// What several tests of simulations share.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <numbers>

#include "scree/sim/accuracy.hpp"
#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree::test {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline void step(Simulation& simulation, int steps) {
  for (int k = 0; k < steps; ++k) simulation.step();
}

/// Solved as scenes are by default.
inline World with_defaults(double mu, double h = 1e-3) {
  World world(coulomb(mu), h);
  world.model.solver = solver_settings(Accuracy::engineering);
  return world;
}

/// Adds a surface to a world.
inline void add_mesh(World& world, const TriangleSoup& soup, Sides sides, const Pose& pose = {},
                     std::function<Twist(double)> motion = {}) {
  world.model.meshes.push_back(std::make_shared<const TriangleMesh>(mesh_of(soup, sides)));
  world.obstacle(Mesh{world.model.meshes.back().get()}, pose, std::move(motion));
}

}  // namespace scree::test

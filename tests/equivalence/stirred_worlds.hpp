/// Worlds in motion whose hashes are compared.
#pragma once

#include <cmath>

#include "support/worlds.hpp"

namespace scree::test {

inline World stirred_pile() {
  World world = random_pile(3000, coulomb(0.4), 5e-4, 21);
  world.model.solver.tolerance = 1e-3;
  world.model.solver.max_sweeps = 30;
  world.obstacle(Box{{0.02, 0.02, 0.02}}, {{0.05, 0.05, 0.03}, {}}, [](double t) {
    return Twist{{0.3 * std::cos(20 * t), 0, 0}, {0, 0, 5}};
  });
  return world;
}

/// Boxes under three laws, one wall that shakes: contacts of several points with contact blocks.
inline World stirred_boxes() {
  World world = random_boxes(200, coulomb(0.4, 0.2), 5e-4, 11);
  world.model.materials = {{"stone", 1000}, {"wood", 700}};
  world.model.laws = LawTable(2, coulomb(0.4, 0.2));
  world.model.laws.assign(1, 1, {LawKind::cone_complementarity, 0.3});
  world.model.laws.assign(0, 1, {LawKind::polyhedral, 0.5});
  for (std::size_t k = 0; k < world.bodies.size(); k += 2) world.bodies[k].material = 1;
  world.model.obstacles[0].motion = [](double t) {
    return Twist{{0, 0, t < 0.05 ? 0.2 : -0.2}, {}};
  };
  return world;
}

/// Spheres and boxes, some pairs of which resist turning, attract, or both; a wall that turns.
inline World stirred_mixture() {
  World world = stirred_boxes();
  for (std::size_t k = 0; k < world.bodies.size(); k += 3) {
    world.bodies[k].prototype = 0;
    world.bodies[k].radius *= 0.6;
  }
  PairLaw resists = coulomb(0.4, 0.2);
  resists.rolling_friction = 3e-4;
  resists.spinning_friction = 2e-4;
  world.model.laws.assign(0, 0, resists);
  PairLaw attracts = coulomb(0.3);
  attracts.cohesion = 2e-3;
  world.model.laws.assign(1, 1, attracts);
  PairLaw both = {LawKind::max_dissipation, 0.5, 0.1};
  both.rolling_friction = 5e-4;
  both.cohesion = 1e-3;
  world.model.laws.assign(0, 1, both);
  world.obstacle(Box{{0.02, 0.02, 0.005}}, {{0.03, 0.03, 0}, {}}, [](double) {
    return Twist{{}, {0, 0, 5}};
  });
  return world;
}

}  // namespace scree::test

/// Random bodies that touch in many points and hit: sets of impacts that happen together.
#pragma once

#include "support/worlds.hpp"

namespace scree::test {

/// What one step made of a set of impacts.
struct SetOfImpacts {
  double before = 0, after = 0;  ///< kinetic energy [J]
  Report report;
};

/// Three to eight spheres and boxes that touch, on a plane and beside a wall, each of a material of
/// its own: e in [0, 1], μ in [0, 2], or one e for all. Velocities are random, masses differ by up
/// to a thousand; no gravity.
inline World random_set(ImpactLaw law, bool one_e, RandomStream& random) {
  constexpr MaterialId kMaterials = 4;
  World world({}, 1e-7);
  world.model.gravity = {};
  world.model.step.impacts = law;
  world.model.step.restitution_threshold = random.uniform() < 0.5 ? 0 : 0.05;
  world.model.materials.assign(kMaterials, {"stone", 1000});
  world.model.laws = LawTable(kMaterials);
  constexpr LawKind kKinds[] = {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                                LawKind::cone_complementarity, LawKind::polyhedral};
  const double e = random.uniform();
  const bool elastic = random.uniform() < 0.2;
  for (MaterialId i = 0; i < kMaterials; ++i)
    for (MaterialId j = i; j < kMaterials; ++j) {
      const auto kind = static_cast<std::size_t>(random.uniform(0, 4.999));
      PairLaw pair{kKinds[kind], random.uniform(0, 2), one_e ? e : random.uniform()};
      if (elastic) pair.restitution = 1;
      world.model.laws.assign(i, j, pair);
    }
  world.half_space({0, 0, 0}, {0, 0, 1});
  const auto any = [&](double size) {
    return size * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  const int count = 3 + static_cast<int>(random.uniform(0, 5.999));
  for (int k = 0; k < count; ++k) {
    const double radius = 0.01 * std::pow(10, random.uniform(-0.5, 0.5));
    if (random.uniform() < 0.3) {
      // Flat on the plane, away from spheres: four points.
      Body& box = world.box({0.5 * (k + 1), 0, radius}, {2 * radius, 3 * radius, 2 * radius});
      box.velocity = any(1), box.angular_velocity = any(10);
      box.material = static_cast<MaterialId>(random.uniform(0, kMaterials));
      // A sphere on top of it.
      Body& on_top = world.sphere({0.5 * (k + 1) + 0.3 * radius, 0, 3 * radius}, radius, any(1));
      on_top.material = static_cast<MaterialId>(random.uniform(0, kMaterials));
      continue;
    }
    // Touches the last sphere, and the plane if that one does.
    Vec3 at{0, 0, radius};
    for (std::size_t other = world.bodies.size(); other-- > 0;) {
      const Body& last = world.bodies[other];
      if (last.prototype != 0 || last.position.x >= 0.5) continue;
      const bool beside = random.uniform() < 0.5 && last.position.z <= last.radius * (1 + 1e-9);
      const double turn = random.uniform(-0.5, 0.5);
      at = beside ? Vec3{last.position.x + 2 * std::sqrt(last.radius * radius), 0, radius}
                  : last.position +
                        (last.radius + radius) * Vec3{std::abs(std::sin(turn)), 0, std::cos(turn)};
      break;
    }
    Body& sphere = world.sphere(at, radius, any(1), any(50));
    sphere.material = static_cast<MaterialId>(random.uniform(0, kMaterials));
  }
  return world;
}

/// One step of it.
inline SetOfImpacts step_of(const World& world) {
  Simulation simulation = world.simulation();
  SetOfImpacts set;
  set.before = simulation.report().kinetic_energy;
  set.report = simulation.step();
  set.after = set.report.kinetic_energy;
  return set;
}

/// Of `count` random sets, those that have more kinetic energy after the step than before it, by
/// more than what 1e-10 of E_s leaves.
inline int sets_that_make_energy(ImpactLaw law, bool one_e, int count, std::uint64_t seed) {
  RandomStream random{seed};
  int made = 0;
  for (int k = 0; k < count; ++k) {
    const SetOfImpacts set = step_of(random_set(law, one_e, random));
    made += !(set.after <= set.before * (1 + 1e-9));
  }
  return made;
}

}  // namespace scree::test

/// Random oblique and grazing impacts under compliant laws, and the energy that they make.
#pragma once

#include "support/impacts.hpp"

namespace scree::test {

/// What a spinning sphere hits.
enum class ImpactKind { wall, spheres, edge, corner };

/// A sphere that is about to hit something at the origin from the direction n, at rest but for its
/// spin; `law.force.k_n` and the masses set the step, `steps` of them an impact.
inline World random_impact(const PairLaw& law, ImpactKind kind, double steps,
                           RandomStream& random) {
  constexpr double r = 0.005, apart = r * (1 + 1e-7);
  World world(law, 1e-6);
  const auto any = [&](double size) {
    return size * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  const double ratio = kind == ImpactKind::spheres ? random.uniform(0.3, 3) : 1;
  const double grazing = std::pow(10.0, random.uniform(-2, 1));
  const double along[] = {random.uniform(-1, 1), random.uniform(-1, 1)};
  Vec3 n{0, 0, 1};
  if (kind == ImpactKind::edge || kind == ImpactKind::corner) {
    n = {random.uniform(0, 1), kind == ImpactKind::corner ? random.uniform(0, 1) : 0,
         random.uniform(0, 1)};
    n = n / norm(n);
    const double back = kind == ImpactKind::corner ? -0.05 : 0;
    world.obstacle(Box{{0.05, 0.05, 0.05}}, {{-0.05, back, -0.05}, {}});
  } else if (kind == ImpactKind::wall) {
    world.half_space({}, n);
  }
  const Vec3 across = cross({0, 1, 0}, n), t1 = across / norm(across), t2 = cross(n, t1);
  const Vec3 velocity = along[0] * t1 + along[1] * t2 - grazing * n;
  double mass = world.sphere(apart * n, r, velocity, any(300)).mass;
  if (kind == ImpactKind::spheres) {
    const double b = world.sphere(-r * ratio * n, r * ratio, {}, any(300 / ratio)).mass;
    mass = mass * b / (mass + b);
  }
  world.model.gravity = {};
  world.model.step.h = std::numbers::pi * std::sqrt(mass / law.force.k_n) / steps;
  return world;
}

/// What an impact adds to the kinetic energy, over it [-].
inline double gain_of_energy(const World& world) {
  Simulation simulation = world.simulation();
  double before = 0, after = 0;
  for (const Body& body : world.bodies) before += kinetic_of(body);
  bool touched = false;
  for (int k = 0; k < 100'000; ++k) {
    const bool touches = simulation.step().force_contacts > 0;
    if (touched && !touches) break;
    touched = touches;
  }
  for (std::size_t k = 0; k < world.bodies.size(); ++k) after += kinetic_of(body_of(simulation, k));
  return after / before - 1;
}

/// What random impacts add to their energy at most.
inline double most_gained(const PairLaw& law, ImpactKind kind, double steps, int count,
                          std::uint64_t seed) {
  RandomStream random{seed};
  double most = 0;
  for (int k = 0; k < count; ++k)
    most = std::max(most, gain_of_energy(random_impact(law, kind, steps, random)));
  return most;
}

}  // namespace scree::test

/// Random oblique and grazing impacts under compliant laws, and the energy that they make.
#pragma once

#include <limits>

#include "support/impacts.hpp"

namespace scree::test {

/// What a spinning sphere hits.
enum class ImpactKind { wall, spheres, edge, corner, capsule, cylinder };

/// A sphere that is about to hit something at the origin from the direction n, at rest but for its
/// spin, anywhere within a step; `law.force.k_n` and the masses set the step, `steps` of them an
/// impact, or up to one more.
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
  } else if (kind == ImpactKind::capsule || kind == ImpactKind::cylinder) {
    // Along y, touched at its side or at an end: a cap, or an edge.
    const double radius = r * std::pow(10.0, random.uniform(-0.5, 0.5)), half_length = 4 * r;
    const bool at_end = random.uniform(-1, 1) > 0;
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const Vec3 aside{std::cos(angle), 0, std::sin(angle)};
    const double rise = at_end ? random.uniform(0, 0.5 * std::numbers::pi) : 0;
    n = std::cos(rise) * aside + std::sin(rise) * Vec3{0, 1, 0};
    const Vec3 from_middle{0, at_end ? half_length : random.uniform(-2 * r, 2 * r), 0};
    const Quaternion along_y = rotation_between({0, 0, 1}, {0, 1, 0});
    if (kind == ImpactKind::capsule)
      world.obstacle(Capsule{radius, half_length}, {-from_middle - radius * n, along_y});
    else
      world.obstacle(Cylinder{radius, half_length}, {-from_middle - radius * aside, along_y});
  }
  const Vec3 across = cross({0, 1, 0}, n), t1 = across / norm(across), t2 = cross(n, t1);
  const Vec3 velocity = along[0] * t1 + along[1] * t2 - grazing * n;
  double mass = world.sphere(apart * n, r, velocity, any(300)).mass;
  if (kind == ImpactKind::spheres) {
    const double b = world.sphere(-r * ratio * n, r * ratio, {}, any(300 / ratio)).mass;
    mass = mass * b / (mass + b);
  }
  world.model.gravity = {};
  const double h =
      std::numbers::pi * std::sqrt(mass / law.force.k_n) / (steps + random.uniform(0, 1));
  world.model.step.h = h;
  world.bodies[0].position += random.uniform(0, h * grazing) * n;
  return world;
}

/// What an impact adds to the kinetic energy, over it [-]; NaN if there was none, or no end of it.
inline double gain_of_energy(const World& world) {
  Simulation simulation = world.simulation();
  double before = 0, after = 0;
  for (const Body& body : world.bodies) before += kinetic_of(body);
  bool touched = false, parted = false;
  for (int k = 0; k < 100'000 && !parted; ++k) {
    const bool touches = simulation.step().force_contacts > 0;
    parted = touched && !touches;
    touched = touches;
  }
  if (!parted) return std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < world.bodies.size(); ++k) after += kinetic_of(body_of(simulation, k));
  return after / before - 1;
}

/// What random impacts add to their energy at most; NaN if one of them is.
inline double max_gained(const PairLaw& law, ImpactKind kind, double steps, int count,
                         std::uint64_t seed) {
  RandomStream random{seed};
  double max_gain = 0;
  for (int k = 0; k < count; ++k) {
    const double gained = gain_of_energy(random_impact(law, kind, steps, random));
    if (std::isnan(gained)) return gained;
    max_gain = std::max(max_gain, gained);
  }
  return max_gain;
}

}  // namespace scree::test

/// Clumps that tests share.
#pragma once

#include <vector>

#include "scree/geometry/clump.hpp"
#include "support/worlds.hpp"

namespace scree::test {

/// Adds a body that stands by the frame of its parts.
inline Body& add_clump(World& world, const std::vector<ClumpPart>& parts, const Pose& pose) {
  const PlacedClump placed = clump_of(parts, {});
  world.model.clumps.push_back(placed.clump);
  return world.solid(solid_prototype(placed), pose);
}

/// Adds an obstacle, which stands by the frame of its parts; with a motion that says where that is.
inline void add_clump_obstacle(World& world, const std::vector<ClumpPart>& parts, const Pose& pose,
                               std::function<Pose(double)> motion = {}) {
  const PlacedClump placed = clump_of(parts, {});
  world.model.clumps.push_back(placed.clump);
  world.obstacle(Clump{placed.clump.get(), placed.size}, moved(pose, placed.pose));
  if (motion)
    world.model.obstacles.back().path = [motion, own = placed.pose](double t) {
      return moved(motion(t), own);
    };
}

/// Two spheres, whose centres are two arms apart.
inline std::vector<ClumpPart> dumbbell(double radius, double arm) {
  return {{Sphere{radius}, {{arm, 0, 0}, {}}}, {Sphere{radius}, {{-arm, 0, 0}, {}}}};
}

/// Three spheres at the corners of a triangle, which overlap each other.
inline std::vector<ClumpPart> tri_sphere(double radius) {
  const double side = 1.2 * radius;
  return {{Sphere{radius}, {{-0.5 * side, 0, 0}, {}}},
          {Sphere{radius}, {{0.5 * side, 0, 0}, {}}},
          {Sphere{0.9 * radius}, {{0, 0.8 * side, 0.1 * side}, {}}}};
}

/// `count` clumps of three kinds, turned and thrown at random into a box with floor and walls.
inline World random_clumps(int count, const PairLaw& law, double h, std::uint64_t seed) {
  World world = random_pile(count, law, h, seed, 0.0);
  RandomStream random{seed, 1};
  const std::vector<Body> spheres = std::exchange(world.bodies, {});
  world.state.next_id = 0;
  const double r = spheres.front().radius;
  std::vector<SolidPrototype> kinds;
  const std::vector<std::vector<ClumpPart>> clumps{
      tri_sphere(0.5 * r),
      {{Box{{0.6 * r, 0.2 * r, 0.2 * r}}, {}}, {Box{{0.2 * r, 0.5 * r, 0.2 * r}}, {}}},
      {{Sphere{0.4 * r}, {{0.5 * r, 0, 0}, {}}},
       {Box{{0.5 * r, 0.15 * r, 0.15 * r}}, {}},
       {Sphere{0.4 * r}, {{-0.5 * r, 0, 0}, {}}}}};
  for (const auto& parts : clumps) {
    const PlacedClump placed = clump_of(parts, {});
    world.model.clumps.push_back(placed.clump);
    kinds.push_back(solid_prototype(placed));
  }
  kinds.push_back({Prototype{}, 0.8 * r});
  world.model.prototypes.clear();
  for (const SolidPrototype& kind : kinds) world.model.prototypes.push_back(kind.prototype);
  for (const Body& sphere : spheres) {
    const std::size_t kind = world.bodies.size() % kinds.size();
    Body& body =
        world.sphere(sphere.position, kinds[kind].radius, sphere.velocity, sphere.angular_velocity);
    body.prototype = static_cast<PrototypeId>(kind);
    const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    body.orientation = normalised({random.uniform(-1, 1), axis.x, axis.y, axis.z});
    body.mass = world.model.materials[0].density *
                volume_properties(scaled(kinds[kind].prototype.shape, kinds[kind].radius)).volume;
  }
  return world;
}

}  // namespace scree::test

#include <gtest/gtest.h>

#include "support/grains.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kDrumRadius = 8, kDrumThickness = 4, kDrumSpin = 0.04;
constexpr int kSides = 48;

/// A drum that turns about y, its wall a polygon of plates; material 0 as the grains are, or 1,
/// which has no friction.
void turning_wall(World& world, double starts, MaterialId material) {
  constexpr double kThick = 0.25;  // half of a plate's
  const double wide = (kDrumRadius + 2 * kThick) * std::tan(std::numbers::pi / kSides);
  for (int side = 0; side < kSides; ++side) {
    const double angle = 2 * std::numbers::pi * side / kSides;
    const Vec3 outward{std::cos(angle), 0, std::sin(angle)};
    const Vec3 middle = (kDrumRadius + kThick) * outward;
    world.obstacle(Box{{kThick, kDrumThickness, wide}}, {middle, rotation({0, 1, 0}, -angle)});
    world.model.obstacles.back().material = material;
    world.model.obstacles.back().motion = [=](double t) {
      if (t < starts) return Twist{};
      const Vec3 spin{0, kDrumSpin, 0};
      const Quaternion turned = rotation({0, 1, 0}, kDrumSpin * (t - starts));
      return Twist{cross(spin, rotate(turned, middle)), spin};
    };
  }
}

/// Grains all over the drum that will lie in half of it.
void fill_half(World& world, std::uint64_t seed) {
  const double solid =
      kBedFraction * std::numbers::pi / 2 * kDrumRadius * kDrumRadius * kDrumThickness;
  RandomStream random{seed, 0};
  for (double filled = 0; filled < solid;) {
    const double r = 0.5 * random.uniform(0.8, 1.2);
    const Vec3 place{random.uniform(-kDrumRadius, kDrumRadius),
                     random.uniform(r, kDrumThickness - r),
                     random.uniform(-kDrumRadius, kDrumRadius)};
    const auto overlaps = [&](const Body& other) {
      return norm(other.position - place) < other.radius + r;
    };
    constexpr double kFlat = 0.99;  // of the radius: where the polygon is nearest
    if (std::hypot(place.x, place.z) + r > kFlat * kDrumRadius) continue;
    if (std::ranges::any_of(world.bodies, overlaps)) continue;
    filled += world.sphere(place, r).mass;
  }
}

/// Of the contacts of the wall, each weighed by the force that it bears; speeds are over that of
/// the wall there.
struct WallLayer {
  double force = 0;
  double slip = 0;    ///< of the grain's surface against the wall [-]
  double speed = 0;   ///< of the grain's centre, along the wall [-]
  double slides = 0;  ///< part that slides [-]
};

void add_to(WallLayer& layer, const Simulation& drum) {
  const Vec3 spin{0, kDrumSpin, 0};
  for (const ContactRecord& contact : drum.contacts()) {
    if (!is_obstacle(contact.b) || contact.b.value < obstacle_id(2).value) continue;
    const Body grain = drum.body(contact.a);
    const Vec3& n = contact.normal;
    const double force = -dot(contact.impulse, n);
    const auto along_wall = [&](const Vec3& u) { return u - dot(u, n) * n; };
    const Vec3 surface = grain.velocity + cross(grain.angular_velocity, grain.radius * n);
    const Vec3 wall = along_wall(cross(spin, contact.point));
    const double fast = norm(wall);
    layer.force += std::abs(force);
    layer.slip += std::abs(force) * norm(along_wall(surface) - wall) / fast;
    layer.speed += std::abs(force) * dot(grain.velocity, wall) / (fast * fast);
    layer.slides += std::abs(force) * (contact.kind == ContactClass::sliding);
  }
}

/// A drum half full of grains, after a fifth of a turn: the surface avalanches by then.
WallLayer layer_at_wall(MaterialId wall_material, std::uint64_t seed) {
  constexpr double kFall = 10, kAvalanches = kFall + 1.2 / kDrumSpin, kEnd = kAvalanches + 20;
  World world = world_of_grains(0.5);
  between_smooth_walls(world, kDrumThickness);
  turning_wall(world, kFall, wall_material);
  fill_half(world, seed);
  Simulation drum = world.simulation();
  run_until(drum, kAvalanches);
  WallLayer layer;
  for (double t = kAvalanches; t < kEnd; t += 0.5) {
    run_until(drum, t);
    add_to(layer, drum);
  }
  layer.slip /= layer.force;
  layer.speed /= layer.force;
  layer.slides /= layer.force;
  std::printf("slip %.4f, speed %.4f of the wall's; %.3f of the load slides\n", layer.slip,
              layer.speed, layer.slides);
  return layer;
}

TEST(Drum, DragsItsFirstLayerWithItBelowTheAvalanche) {
  const WallLayer layer = layer_at_wall(0, 1);
  EXPECT_LT(layer.slip, 0.02);
  // Of centres half a grain from the wall, which roll on it a little.
  EXPECT_NEAR(layer.speed, 1 - 0.5 / kDrumRadius, 0.04);
}

TEST(Drum, PassesUnderItsGrainsWhereItsWallHasNoFriction) {
  const WallLayer layer = layer_at_wall(1, 1);
  EXPECT_GT(layer.slip, 0.9);
  EXPECT_LT(std::abs(layer.speed), 0.1);
}

}  // namespace
}  // namespace scree

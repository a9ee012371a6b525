/// Beds of grains of mean diameter 1 in gravity 1: time is in √(d/g), speeds are in √(g d).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "support/worlds.hpp"

namespace scree::test {

/// Solid fraction of a settled bed, to choose how many grains fill a height
inline constexpr double kBedFraction = 0.6;

/// Material 0 are the grains, 1 is without friction: a plane of symmetry. Solved as scenes are by
/// default.
inline World world_of_grains(double friction) {
  World world(coulomb(friction), 0.02);
  Model& model = world.model;
  model.gravity = {0, 0, -1};
  model.materials = {{"grains", 1}, {"smooth", 0}};
  model.laws = LawTable(2, coulomb(friction));
  model.laws.assign(0, 1, {LawKind::frictionless, 0, 0});
  model.solver = solver_settings(Accuracy::engineering);
  return world;
}

/// The obstacle that was added last gets no friction.
inline World& smooth(World& world) {
  world.model.obstacles.back().material = 1;
  return world;
}

/// Two walls without friction: the slab of 0 < y < thickness out of an endless bed.
inline void between_smooth_walls(World& world, double thickness) {
  smooth(world.half_space({}, {0, 1, 0}));
  smooth(world.half_space({0, thickness, 0}, {0, -1, 0}));
}

/// A floor of rods of a grain's diameter along y, their tops at z = 0, for 0 < x < count.
inline void rough_floor(World& world, int count, double length) {
  for (int k = 0; k < count; ++k)
    world.obstacle(Cylinder{0.5, length},
                   {{k + 0.5, length / 2, -0.5}, rotation_between({0, 0, 1}, {0, 1, 0})});
}

/// The same along x.
inline void rough_floor_across(World& world, int count, double length) {
  for (int k = 0; k < count; ++k)
    world.obstacle(Cylinder{0.5, length},
                   {{length / 2, k + 0.5, -0.5}, rotation_between({0, 0, 1}, {1, 0, 0})});
}

/// As many grains as fill `volume` once they have settled, at random places above a rectangle,
/// loosely, where they overlap nothing. Diameters are 1 ± `spread`.
inline void fill(World& world, const Vec3& corner, double x, double y, double volume, double spread,
                 std::uint64_t seed) {
  constexpr double kLoose = 0.25;  // solid fraction; a place is soon found
  struct Grain {
    Vec3 position;
    double radius;
  };
  std::vector<Grain> grains;
  RandomStream random{seed, 0};
  const double height = volume * kBedFraction / (kLoose * x * y);
  while (static_cast<double>(grains.size()) < volume * kBedFraction * 6 / std::numbers::pi) {
    const double r = 0.5 * random.uniform(1 - spread, 1 + spread);
    Vec3 place;
    const auto overlaps = [&](const Grain& other) {
      return squared_norm(other.position - place) < (other.radius + r) * (other.radius + r);
    };
    do {
      place = {random.uniform(r, x - r), random.uniform(r, y - r),
               random.uniform(r, height + 1 - r)};
    } while (std::ranges::any_of(grains, overlaps));
    grains.push_back({place, r});
  }
  for (const Grain& grain : grains) world.sphere(corner + grain.position, grain.radius);
}

/// Mean and standard error of the mean.
struct Estimate {
  double mean = 0, error = 0;
};
inline Estimate estimate(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Estimate e;
  for (const double v : values) e.mean += v / n;
  for (const double v : values) e.error += (v - e.mean) * (v - e.mean) / (n * (n - 1));
  e.error = std::sqrt(e.error);
  return e;
}

/// Exponent of y ~ x^p by least squares.
inline double exponent(std::span<const double> x, std::span<const double> y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double u = std::log(x[k]), v = std::log(y[k]);
    n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace scree::test

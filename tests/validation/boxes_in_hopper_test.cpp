#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>

#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace test;

/// A cone that opens upwards from a closed disc into a cylinder, as one skin of triangles.
TriangleSoup hopper(std::uint32_t n) {
  const double radius[] = {0.02, 0.1, 0.1}, height[] = {0, 0.1, 0.5};
  TriangleSoup soup;
  for (int ring = 0; ring < 3; ++ring)
    for (std::uint32_t k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * k / n;
      soup.vertices.push_back(
          {radius[ring] * std::cos(angle), radius[ring] * std::sin(angle), height[ring]});
    }
  soup.vertices.push_back({0, 0, 0});
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = (k + 1) % n;
    for (std::uint32_t ring = 0; ring < 2; ++ring) {
      const std::uint32_t a = ring * n;
      soup.triangles.push_back({a + k, a + next, a + n + next});
      soup.triangles.push_back({a + k, a + n + next, a + n + k});
    }
    soup.triangles.push_back({3 * n, next, k});
  }
  return soup;
}

TEST(BoxesInAHopper, OfTrianglesComeToRestInsideWithDefaultSettings) {
  World world(coulomb(0.4), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(mesh_of(hopper(48), Sides::two)));
  world.obstacle(Mesh{world.model.meshes.back().get()}, {});
  RandomStream random{5, 0};
  const Vec3 sizes[] = {{0.012, 0.012, 0.012}, {0.018, 0.01, 0.008}, {0.006, 0.02, 0.012}};
  for (int k = 0; k < 300; ++k) {
    const Quaternion turn =
        normalised({random.normal(), random.normal(), random.normal(), random.normal()});
    world.box({0.026 * (k % 5 - 2), 0.026 * (k / 5 % 5 - 2), 0.12 + 0.027 * (k / 25)}, sizes[k % 3],
              turn);
  }
  Simulation simulation = world.simulation(2);
  double deepest = 0;
  while (simulation.state().time < 2.5) {
    simulation.step();
    deepest = std::max(deepest, simulation.report().max_relative_penetration);
  }
  for (std::size_t i = 0; i < 300; ++i) {
    const Vec3& x = simulation.state().bodies.position[i];
    const double wall = x.z < 0.1 ? 0.02 + 0.8 * x.z : 0.1;
    EXPECT_LT(std::hypot(x.x, x.y), wall) << x.z;
    EXPECT_GT(x.z, 0);
    EXPECT_LT(norm(simulation.state().bodies.velocity[i]), 5e-3);
  }
  RecordProperty("deepest", std::to_string(deepest));
  RecordProperty("at rest", std::to_string(simulation.report().max_relative_penetration));
  std::printf("deepest %g, at rest %g, energy %g\n", deepest,
              simulation.report().max_relative_penetration, simulation.report().kinetic_energy);
}

}  // namespace
}  // namespace scree

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>

#include "scree/collision/surface_contacts.hpp"
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
  const Bodies& bodies = simulation.state().bodies;
  const Shape& vessel = world.model.obstacles[0].shape;
  // Of the deepest overlap with the vessel, over the radius of the ball inside the box.
  const auto overlap_with_vessel = [&] {
    double deepest = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Shape box = scaled(world.model.prototypes[bodies.prototype[i]].shape, bodies.radius[i]);
      const SurfacePoints found =
          points_on_surface(box, {bodies.position[i], bodies.orientation[i]}, vessel, {}, 0);
      for (int k = 0; k < found.count; ++k)
        deepest = std::max(deepest, found.points[k].gap / signed_distance(box, Vec3{}).distance);
    }
    return deepest;
  };
  double on_the_way = 0;
  while (simulation.state().time < 2.5) {
    simulation.step();
    if (simulation.state().step % 5 == 0) on_the_way = std::max(on_the_way, overlap_with_vessel());
  }
  EXPECT_LT(on_the_way, 0.1);
  EXPECT_LT(overlap_with_vessel(), 1e-3);  // the slop is 1e-4 of the radius about the box
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3& x = bodies.position[i];
    const double wall = x.z < 0.1 ? 0.02 + 0.8 * x.z : 0.1;
    EXPECT_LT(std::hypot(x.x, x.y), wall) << x.z;
    EXPECT_GT(x.z, 0);
    EXPECT_LT(norm(bodies.velocity[i]), 1e-3);
  }
  RecordProperty("on_the_way", std::to_string(on_the_way));
}

}  // namespace
}  // namespace scree

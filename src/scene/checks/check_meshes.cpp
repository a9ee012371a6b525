/// Warns of meshes that are probably in mm but read as m.
#include <algorithm>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree::scene {

namespace {

/// Bounding box that grows with each sphere.
struct Bounds {
  Vec3 low, high;
  bool empty = true;

  void take(const Vec3& centre, double radius) {
    const Vec3 half = radius * Vec3{1, 1, 1};
    for (int k = 0; k < 3; ++k) {
      low[k] = empty ? centre[k] - half[k] : std::min(low[k], centre[k] - half[k]);
      high[k] = empty ? centre[k] + half[k] : std::max(high[k], centre[k] + half[k]);
    }
    empty = false;
  }
  double longest() const {
    const Vec3 size = high - low;
    return std::max({size.x, size.y, size.z});
  }
};

}  // namespace

void check_meshes(Build& build) {
  constexpr double kOfRegion = 100,
                   kOfBody = 1000;  // a file in mm read as m is 1000 times too large
  const Scene& scene = build.scene;
  const Bodies& bodies = scene.state.bodies;
  Bounds region;
  double largest = 0;  // diameter [m]
  const auto take = [&](const Vec3& centre, double radius) {
    region.take(centre, radius);
    largest = std::max(largest, 2 * radius);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) take(bodies.position[i], bodies.radius[i]);
  for (const Inflow& inflow : scene.model.inflows)
    for (const Vec3& centre : inflow.layer) take(centre, inflow.radius);
  for (const Filling& filling : scene.model.fillings)
    for (const Filling::Kind& kind : filling.kinds)
      for (const Vec3& corner : {filling.min, filling.max}) take(corner, kind.high);
  if (region.empty) return;
  for (const Obstacle& obstacle : scene.model.obstacles) {
    const Node& node = *build.obstacles.at(obstacle.name);
    if (node.key != "mesh" || node["unit"].text != "m" || node["scale"].number != 1) continue;
    const TriangleMesh& mesh = *std::get<Mesh>(obstacle.shape).mesh;
    const double size = Bounds{mesh.low(), mesh.high(), false}.longest();
    if (size > std::max(kOfRegion * region.longest(), kOfBody * largest))
      build.problems.warn(node,
                          fmt::format("'{}' is {:.3g} m long, but all bodies lie within {:.3g} m; "
                                      "if the numbers of '{}' are in mm, add 'unit: mm'",
                                      obstacle.name, size, region.longest(), node["file"].text));
  }
}

}  // namespace scree::scene

// Contact points of pairs of shapes: convex ones that nearly touch, and boxes on surfaces.
#include <benchmark/benchmark.h>
#include <cmath>
#include <numbers>

#include "scree/collision/surface_contacts.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/triangle_mesh.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

constexpr double kMargin = 0.02;

Quaternion random_turn(RandomStream& random) {
  return normalised({random.normal(), random.normal(), random.normal(), random.normal()});
}

struct Placed {
  Pose a, b;
};
/// Pairs with random rotations that are apart or overlap by up to a margin.
std::vector<Placed> near_pairs(const Shape& shape, int count) {
  RandomStream random{1, 0};
  std::vector<Placed> pairs;
  for (int k = 0; k < count; ++k) {
    const Vec3 way{random.normal(), random.normal(), random.normal()};
    Placed pair{{{}, random_turn(random)}, {2 / norm(way) * way, random_turn(random)}};
    const auto [gap, normal] = separation(shape, pair.a, shape, pair.b);
    pair.b.position += (random.uniform(-kMargin, kMargin) - gap) * normal;
    pairs.push_back(pair);
  }
  return pairs;
}

void convex_pairs(benchmark::State& state, const Shape& shape, int count = 512) {
  const std::vector<Placed> pairs = near_pairs(shape, count);
  for (auto _ : state)
    for (const Placed& pair : pairs)
      benchmark::DoNotOptimize(contact_points(shape, pair.a, shape, pair.b, kMargin));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs.size()));
}

/// Hull of points on the unit sphere: of an icosahedron, or of a spiral.
PlacedHull hull_of(int points) {
  std::vector<Vec3> places;
  const double golden = (1 + std::sqrt(5.0)) / 2;
  if (points == 12)
    for (int axis = 0; axis < 3; ++axis)
      for (const double one : {-1.0, 1.0})
        for (const double long_one : {-golden, golden}) {
          Vec3 p;
          p[axis] = one;
          p[(axis + 1) % 3] = long_one;
          places.push_back(p / norm(p));
        }
  for (int k = 0; k < points && points != 12; ++k) {
    const double z = 1 - (2 * k + 1.0) / points, across = std::sqrt(1 - z * z),
                 angle = 2 * std::numbers::pi * k / golden;
    places.push_back({across * std::cos(angle), across * std::sin(angle), z});
  }
  return convex_hull(places);
}

void box_box(benchmark::State& state) { convex_pairs(state, Box{{0.6, 0.5, 0.4}}); }
void polyhedra_of_20_faces(benchmark::State& state) {
  const PlacedHull placed = hull_of(12);
  convex_pairs(state, Polyhedron{placed.hull.get(), placed.size});
}
void hulls_of_64_vertices(benchmark::State& state) {
  const PlacedHull placed = hull_of(64);
  convex_pairs(state, Polyhedron{placed.hull.get(), placed.size});
}
/// Number of pairs: enough that the processor cannot memorise the branches.
constexpr int kMany = 8192;
void many_polyhedra_of_20_faces(benchmark::State& state) {
  const PlacedHull placed = hull_of(12);
  convex_pairs(state, Polyhedron{placed.hull.get(), placed.size}, kMany);
}
void many_hulls_of_64_vertices(benchmark::State& state) {
  const PlacedHull placed = hull_of(64);
  convex_pairs(state, Polyhedron{placed.hull.get(), placed.size}, kMany);
}
BENCHMARK(box_box);
BENCHMARK(polyhedra_of_20_faces);
BENCHMARK(hulls_of_64_vertices);
BENCHMARK(many_polyhedra_of_20_faces);
BENCHMARK(many_hulls_of_64_vertices);

/// Boxes with random rotations that stand with a corner on a surface at z = 0.
void boxes_on(benchmark::State& state, const Shape& surface, double reach) {
  RandomStream random{2, 0};
  const Shape box = Box{{0.6, 0.5, 0.4}};
  std::vector<Pose> poses;
  for (int k = 0; k < 512; ++k) {
    Pose pose{{reach * random.uniform(-1, 1), reach * random.uniform(-1, 1), 0},
              random_turn(random)};
    pose.position.z = support(box, pose, {0, 0, -1}) + random.uniform(-kMargin, kMargin);
    poses.push_back(pose);
  }
  for (auto _ : state)
    for (const Pose& pose : poses)
      benchmark::DoNotOptimize(points_on_surface(box, pose, surface, {}, kMargin));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(poses.size()));
}

/// A square of side 20, divided into n × n squares of two triangles.
void box_on_triangles(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Corners> triangles;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) {
      vertices.push_back({20.0 * i / n - 10, 20.0 * j / n - 10, 0});
      if (i == n || j == n) continue;
      const std::uint32_t a = i * (n + 1) + j, b = a + n + 1;
      triangles.push_back({a, b, b + 1});
      triangles.push_back({a, b + 1, a + 1});
    }
  const TriangleMesh mesh(vertices, triangles, Sides::two);
  boxes_on(state, Mesh{&mesh}, 8);
}
BENCHMARK(box_on_triangles)->Arg(2)->Arg(20)->Arg(200);

/// Inside a cylinder whose bottom is a disc.
void box_in_can(benchmark::State& state) { boxes_on(state, Hollow{10, 10, 0, 10, true, false}, 7); }
BENCHMARK(box_in_can);

}  // namespace
}  // namespace scree

BENCHMARK_MAIN();

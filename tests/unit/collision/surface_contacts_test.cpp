#include "scree/collision/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "scree/math/random.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using test::box_soup;
using test::mesh_of;
using test::square_soup;
using test::tube_soup;

std::span<const SurfaceTouch> all(const SurfaceTouches& t) {
  return {t.touches.data(), static_cast<std::size_t>(t.count)};
}
std::span<const SurfaceTouch> all(SurfaceTouches&&) = delete;  // it would not live as long

TEST(TouchesOfSphere, AreOneOnAPlaneHoweverItIsCut) {
  const TriangleMesh mesh = mesh_of(square_soup(1, 40), Sides::two);
  RandomStream random{1, 0};
  for (int k = 0; k < 2000; ++k) {
    Vec3 p{random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), random.uniform(0.05, 0.1)};
    // Over edges and corners, too, and nearly so.
    if (k % 4 == 1) p.x = 0.05 * std::round(p.x / 0.05);
    if (k % 4 == 2) p.y = p.x + 0.05 * std::round((p.y - p.x) / 0.05);
    if (k % 4 == 3) {
      p.x = 0.05 * std::round(p.x / 0.05) + 1e-9 * random.uniform(-1, 1);
      p.y = 0.05 * std::round(p.y / 0.05) + 1e-9 * random.uniform(-1, 1);
    }
    const SurfaceTouches found = touches_of_sphere(Mesh{&mesh, 1}, p, 0.1, 0.02);
    ASSERT_EQ(found.count, 1);
    EXPECT_NEAR(found.touches[0].height, p.z, 1e-15);
    EXPECT_NEAR(norm(found.touches[0].normal - Vec3{0, 0, 1}), 0, 1e-13);
    EXPECT_NEAR(norm(found.touches[0].point - Vec3{p.x, p.y, 0}), 0, 1e-13);
  }
}

TEST(TouchesOfSphere, AreOneOnAPlaneThatFallsApartIntoTriangles) {
  // No triangle knows of its neighbours, and corners lie on edges of others.
  std::vector<Vec3> v;
  std::vector<TriangleMesh::Corners> t;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto n = static_cast<std::uint32_t>(v.size());
    v.insert(v.end(), {a, b, c});
    t.push_back({n, n + 1, n + 2});
  };
  for (int i = -5; i < 5; ++i) {
    const double x = 0.2 * i;
    add({x, -1, 0}, {x + 0.2, -1, 0}, {x + 0.2, 0, 0});
    add({x, -1, 0}, {x + 0.2, 0, 0}, {x, 0, 0});
    add({x + 0.1, 0, 0}, {x + 0.3, 0, 0}, {x + 0.3, 1, 0});
    add({x + 0.1, 0, 0}, {x + 0.3, 1, 0}, {x + 0.1, 1, 0});
  }
  const TriangleMesh mesh(v, t, Sides::two);
  RandomStream random{2, 0};
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p{random.uniform(-0.7, 0.7), k % 3 == 0 ? 0.0 : random.uniform(-0.3, 0.3), 0.1};
    const SurfaceTouches found = touches_of_sphere(Mesh{&mesh, 1}, p, 0.1, 0.02);
    ASSERT_EQ(found.count, 1);
    EXPECT_NEAR(norm(found.touches[0].normal - Vec3{0, 0, 1}), 0, 1e-13);
  }
}

TEST(TouchesOfSphere, AreOneForEachWallOfACorner) {
  const TriangleMesh mesh = mesh_of(box_soup({1, 1, 1}, 30), Sides::two);
  const auto count = [&](const Vec3& p) {
    return touches_of_sphere(Mesh{&mesh, 1}, p, 0.1, 0.01).count;
  };
  EXPECT_EQ(count({0.9, 0.3, 0.2}), 1);
  EXPECT_EQ(count({0.9, 0.9, 0.2}), 2);
  EXPECT_EQ(count({0.9, 0.9, 0.9}), 3);
  const SurfaceTouches corner = touches_of_sphere(Mesh{&mesh, 1}, {0.9, 0.9, 0.9}, 0.1, 0.01);
  Vec3 sum;
  for (const SurfaceTouch& t : all(corner)) sum += t.normal;
  EXPECT_NEAR(norm(sum - Vec3{-1, -1, -1}), 0, 1e-12);
  // From outside: a face, an edge, a corner.
  EXPECT_EQ(count({1.1, 0.3, 0.2}), 1);
  EXPECT_EQ(count({1.05, 1.05, 0.2}), 1);
  EXPECT_EQ(count({1.05, 1.05, 1.05}), 1);
}

TEST(TouchesOfSphere, OfABoxOfOneSideAreThoseOfTheBox) {
  const Vec3 half{0.3, 0.5, 0.2};
  const TriangleMesh mesh = mesh_of(box_soup(half, 7), Sides::one);
  RandomStream random{3, 0};
  int touching = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vec3 p{random.uniform(-0.6, 0.6), random.uniform(-0.8, 0.8), random.uniform(-0.5, 0.5)};
    const SurfaceDistance box = signed_distance(Box{half}, p);
    const SurfaceTouches found = touches_of_sphere(Mesh{&mesh, 1}, p, 0.25, 0);
    if (std::abs(box.distance) > 0.25) {
      EXPECT_EQ(found.count, 0);
      continue;
    }
    ASSERT_EQ(found.count, 1) << p.x << ' ' << p.y << ' ' << p.z;
    ++touching;
    EXPECT_NEAR(found.touches[0].height, box.distance, 1e-14);
    if (std::abs(box.distance) > 1e-6 && box.distance > 0) {
      EXPECT_NEAR(norm(found.touches[0].normal - box.normal), 0, 1e-9);
    }
  }
  EXPECT_GT(touching, 5000);
}

TEST(TouchesOfSphere, AreThePlacesOfLeastDistanceAmongManySamples) {
  // A crumpled sheet, sampled: a local least distance of the samples has a touch near it, and the
  // other way round.
  TriangleSoup soup = square_soup(1, 8);
  RandomStream random{4, 0};
  for (Vec3& v : soup.vertices) v.z = random.uniform(-0.15, 0.15);
  const TriangleMesh mesh = mesh_of(soup, Sides::two);
  int several = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 p{random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), random.uniform(0.1, 0.4)};
    const SurfaceTouches found = touches_of_sphere(Mesh{&mesh, 1}, p, 0.4, 0);
    several += found.count > 1 ? 1 : 0;
    for (const SurfaceTouch& touch : all(found)) {
      // No point of the surface around it is nearer.
      for (int s = 0; s < 300; ++s) {
        const Vec3 near = touch.point + 1e-5 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1),
                                                    random.uniform(-1, 1)};
        const Vec3 on = mesh.closest(near).point;
        if (norm(on - touch.point) > 1e-4) continue;
        ASSERT_GE(norm(p - on), touch.height - 1e-12);
      }
    }
    // The nearest is among them.
    const double least = norm(p - mesh.closest(p).point);
    if (least < 0.4) {
      EXPECT_NEAR(found.touches[0].height, least, 1e-12);
    }
  }
  EXPECT_GT(several, 20);
}

TEST(TouchesOfSphere, AreTheSameWithFacetsThatAreKnown) {
  TriangleSoup soup = square_soup(1, 12);
  RandomStream random{6, 0};
  const auto somewhere = [&] {
    return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  for (Vec3& v : soup.vertices) v += 0.03 * somewhere();
  const TriangleMesh mesh = mesh_of(soup, Sides::two);
  const double radius = 0.2, margin = 0.02;
  int served = 0, touching = 0;
  for (int sphere = 0; sphere < 50; ++sphere) {
    KnownFacets known;
    Vec3 p{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0.1, 0.25)};
    for (int step = 0; step < 40; ++step) {
      p += (step % 10 == 9 ? 0.1 : 1e-3) * somewhere();
      served += known.covers(p, radius + margin) ? 1 : 0;
      const SurfaceTouches with = touches_of_sphere(Mesh{&mesh, 1}, p, radius, margin, &known),
                           without = touches_of_sphere(Mesh{&mesh, 1}, p, radius, margin);
      touching += with.count > 0 ? 1 : 0;
      ASSERT_EQ(with.count, without.count);
      for (int k = 0; k < with.count; ++k) {
        EXPECT_EQ(with.touches[k].feature, without.touches[k].feature);
        EXPECT_EQ(with.touches[k].point, without.touches[k].point);
        EXPECT_EQ(with.touches[k].normal, without.touches[k].normal);
        EXPECT_EQ(with.touches[k].height, without.touches[k].height);
      }
    }
  }
  EXPECT_GT(served, 500);
  EXPECT_GT(touching, 1000);
}

TEST(TouchesOfSphere, HoldABallThatFillsATubeOnAllSides) {
  const TriangleMesh mesh = mesh_of(tube_soup(1, 1, 64, 8), Sides::two);
  const SurfaceTouches found = touches_of_sphere(Mesh{&mesh, 1}, {0, 0, 0.1}, 0.995, 0.02);
  EXPECT_EQ(found.count, kMaxOnSurface);
  // Whatever the direction, one of them stands in the way.
  for (int k = 0; k < 16; ++k) {
    const double angle = 2 * std::numbers::pi * k / 16;
    const Vec3 way{std::cos(angle), std::sin(angle), 0};
    EXPECT_TRUE(std::ranges::any_of(
        all(found), [&](const SurfaceTouch& t) { return dot(t.normal, way) < -0.8; }));
  }
  const Hollow tube{.bottom_radius = 1, .top_radius = 1, .bottom = -1, .top = 1};
  const SurfaceTouches round = touches_of_sphere(tube, {0, 1e-9, 0.1}, 0.995, 0.02);
  EXPECT_EQ(round.count, 3);
  for (const SurfaceTouch& t : all(round)) EXPECT_NEAR(t.height, 1, 1e-8);
}

TEST(TouchesOfSphere, OfAHollowConeAreWallAndDisc) {
  const Hollow cone{
      .bottom_radius = 0.2, .top_radius = 1.2, .bottom = 0, .top = 1, .closed_bottom = true};
  const double s = std::sqrt(0.5), r = 0.05;
  // In the corner of disc and side: r from both.
  const Vec3 corner{0, 0.2 - r * (std::sqrt(2) - 1), r};
  const SurfaceTouches found = touches_of_sphere(cone, corner, r, 1e-6);
  ASSERT_EQ(found.count, 2);
  for (const SurfaceTouch& t : all(found)) EXPECT_NEAR(t.height, r, 1e-15);
  const SurfaceTouches side = touches_of_sphere(cone, {0.7 - 0.05, 0, 0.5}, r, 1e-6);
  ASSERT_EQ(side.count, 1);
  EXPECT_NEAR(norm(side.touches[0].normal - Vec3{-s, 0, s}), 0, 1e-14);
  const SurfaceTouches outside = touches_of_sphere(cone, {0.7 + 0.05, 0, 0.5}, r, 1e-6);
  ASSERT_EQ(outside.count, 1);
  EXPECT_NEAR(norm(outside.touches[0].normal - Vec3{s, 0, -s}), 0, 1e-14);
  // On the rim of the open end.
  const SurfaceTouches rim = touches_of_sphere(cone, {1.2, 0, 1.04}, r, 1e-6);
  ASSERT_EQ(rim.count, 1);
  EXPECT_NEAR(norm(rim.touches[0].normal - Vec3{0, 0, 1}), 0, 1e-14);
}

struct InStep {
  const Shape& surface;
  double radius, h;

  SphereOnSurfaces operator()(const Vec3& centre, const Vec3& velocity) const {
    const double margin = 0.01 * radius + h * norm(velocity);
    return sphere_on_surface_in_step(surface, {}, {}, centre, radius, velocity, {}, margin, h);
  }
};

std::span<const SphereOnSurface> all(const SphereOnSurfaces& p) {
  return {p.points.data(), static_cast<std::size_t>(p.count)};
}
std::span<const SphereOnSurface> all(SphereOnSurfaces&&) = delete;  // it would not live as long

/// Projects a velocity onto what the points allow, one after the other, many times over.
Vec3 allowed(const SphereOnSurfaces& points, Vec3 v, double h) {
  for (int sweep = 0; sweep < 200; ++sweep)
    for (const SphereOnSurface& p : all(points)) {
      const double missing = -p.plane.remaining_gap / h - dot(p.plane.normal, v);
      if (missing > 0) v += missing * p.plane.normal;
    }
  return v;
}

TEST(SphereOnSurfaceInStep, LetsPassWhatDoesNotTouch) {
  const TriangleMesh sheet = mesh_of(square_soup(1, 10), Sides::two);
  const TriangleMesh block = mesh_of(box_soup({0.3, 0.2, 0.4}, 3), Sides::one);
  RandomStream random{5, 0};
  int passing = 0;
  for (int k = 0; k < 20000; ++k) {
    const Shape surface = Mesh{k % 2 == 0 ? &sheet : &block, 1};
    const double radius = 0.1, h = 1;
    const Vec3 from{random.uniform(-1.4, 1.4), random.uniform(-1.4, 1.4),
                    random.uniform(-0.8, 0.8)},
        v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    double least = 1e300;
    for (int s = 0; s <= 400; ++s)
      least = std::min(least, std::abs(signed_distance(surface, from + s / 400.0 * v).distance));
    if (least < 1.02 * radius) continue;
    ++passing;
    const SphereOnSurfaces found = InStep{surface, radius, h}(from, v);
    for (const SphereOnSurface& p : all(found))
      EXPECT_GE(p.plane.remaining_gap + h * dot(p.plane.normal, v), -1e-12);
  }
  EXPECT_GT(passing, 3000);
}

TEST(SphereOnSurfaceInStep, StopsWhatWouldGoThrough) {
  const TriangleMesh sheet = mesh_of(square_soup(1, 10), Sides::two);
  const TriangleMesh block = mesh_of(box_soup({0.6, 0.5, 0.4}, 3), Sides::one);
  RandomStream random{6, 0};
  int stopped = 0;
  for (int k = 0; k < 20000; ++k) {
    const bool flat = k % 2 == 0;
    const Shape surface = Mesh{flat ? &sheet : &block, 1};
    const double radius = 0.1, h = 1;
    const Vec3 from{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0.5, 0.8)},
        v{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-3, -0.5)};
    if (signed_distance(surface, from).distance < 1.01 * radius) continue;
    bool hits = false;  // its centre crosses the surface
    for (int s = 1; s <= 400 && !hits; ++s) {
      const Vec3 before = from + (s - 1) / 400.0 * v, after = from + s / 400.0 * v;
      hits = flat ? before.z * after.z <= 0 && std::abs(after.x) < 0.99 && std::abs(after.y) < 0.99
                  : signed_distance(surface, after).distance < 0;
    }
    if (!hits) continue;
    ++stopped;
    const Vec3 to = from + h * allowed(InStep{surface, radius, h}(from, v), v, h);
    const double gap = signed_distance(surface, to).distance - radius;
    if (flat) {
      EXPECT_GT(to.z, 0) << from.z << ' ' << v.z;
    }
    EXPECT_GT(gap, -0.02 * radius);
  }
  EXPECT_GT(stopped, 3000);
}

TEST(SphereOnSurfaceInStep, SeesTheRampAhead) {
  // A floor that becomes a ramp of 30 degrees at x = 0, which the ball reaches within the step.
  const double slope = std::tan(std::numbers::pi / 6), radius = 0.1;
  const std::vector<Vec3> v{{-2, -1, 0}, {0, -1, 0},         {0, 1, 0},
                            {-2, 1, 0},  {2, -1, 2 * slope}, {2, 1, 2 * slope}};
  const std::vector<TriangleMesh::Corners> t{{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
  const TriangleMesh mesh(v, t, Sides::two);
  const Shape surface = Mesh{&mesh, 1};
  const Vec3 from{-0.08, 0, radius}, velocity{0.15, 0, -0.01};
  const SphereOnSurfaces points = InStep{surface, radius, 1}(from, velocity);
  EXPECT_EQ(points.count, 2);
  const Vec3 to = from + allowed(points, velocity, 1);
  EXPECT_GT(signed_distance(surface, to).distance, radius - 1e-9);
}

}  // namespace
}  // namespace scree

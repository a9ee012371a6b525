#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>

#include "scree/collision/surface_contacts.hpp"
#include "unit/collision/manifolds.hpp"
#include "unit/collision/shape_pairs.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace shape_pairs;
using test::box_soup;
using test::mesh_of;
using test::min_gap;
using test::square_soup;
using test::tube_soup;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using MakeShape = std::function<Shape(RandomStream&)>;
struct NamedShape {
  const char* name;
  MakeShape make;
  int pairs = 6;  ///< in comparisons with brute force: those with powers take long
};
const NamedShape kBodies[] = {
    {"box", random_box},
    {"capsule", random_capsule},
    {"cylinder",
     [](RandomStream& r) {
       return Cylinder{r.uniform(0.1, 1), r.uniform(0.1, 1)};
     }},
    {"frustum", random_frustum},
    {"ellipsoid", random_ellipsoid, 2},
    {"superellipsoid", random_superellipsoid, 2},
    {"polyhedron", random_polyhedron},
    {"rod",
     [](RandomStream&) {
       return Box{{0.05, 0.05, 1}};
     }},
};

Quaternion random_turn(RandomStream& random) {
  return normalised({random.normal(), random.normal(), random.normal(), random.normal()});
}
SurfacePoints points(const Placed& body, const Placed& surface, double margin) {
  return points_on_surface(body.shape, body.pose, surface.shape, surface.pose, margin);
}

/// The least value of a convex function between two places.
template <class F>
double min_between(double a, double b, const F& f) {
  const double golden = 0.6180339887498949;
  double x = b - golden * (b - a), y = a + golden * (b - a), f_x = f(x), f_y = f(y);
  for (int step = 0; step < 45; ++step) {
    if (f_x < f_y) {
      b = y, y = x, f_y = f_x;
      x = b - golden * (b - a);
      f_x = f(x);
    } else {
      a = x, x = y, f_x = f_y;
      y = a + golden * (b - a);
      f_y = f(y);
    }
  }
  return std::min({f_x, f_y, f(a), f(b)});
}

/// Distance of a body from a triangle, by that of the triangle's points from the body, which is a
/// convex function.
double distance_to(const Placed& body, const std::array<Vec3, 3>& corner) {
  const auto along = [&](double s) {
    const Vec3 from = corner[0] + s * (corner[1] - corner[0]),
               to = corner[0] + s * (corner[2] - corner[0]);
    return min_between(0, 1, [&](double t) { return body.distance(from + t * (to - from)); });
  };
  return min_between(0, 1, along);
}
double distance_to_mesh(const Placed& body, const TriangleMesh& mesh) {
  std::vector<std::pair<double, const TriangleMesh::Facet*>> facets;  // none is nearer than that
  for (const auto& facet : mesh.facets()) {
    const Vec3 middle = (facet.corner[0] + facet.corner[1] + facet.corner[2]) / 3;
    double size = 0;
    for (const Vec3& corner : facet.corner) size = std::max(size, norm(corner - middle));
    facets.emplace_back(body.distance(middle) - size, &facet);
  }
  std::ranges::sort(facets);
  double least = kInfinity;
  for (const auto& [bound, facet] : facets)
    if (bound < least) least = std::min(least, distance_to(body, facet->corner));
  return least;
}

/// A square whose inner vertices lie at random heights.
TriangleMesh crumpled(std::uint32_t n, double height, RandomStream& random) {
  TriangleSoup soup = square_soup(2, n);
  for (Vec3& p : soup.vertices) p.z = random.uniform(-height, height);
  return mesh_of(soup, Sides::two);
}

TEST(PointsOnSurface, HaveTheLeastGapThatBruteForceFinds) {
  RandomStream random{41, 0};
  for (const NamedShape& body : kBodies) {
    int near = 0;
    for (int k = 0; k < 60 && near < body.pairs; ++k) {
      const TriangleMesh mesh = k % 3 == 0   ? crumpled(4, 0.3, random)
                                : k % 3 == 1 ? mesh_of(tube_soup(1.5, 1, 12, 2), Sides::two)
                                             : mesh_of(box_soup({0.7, 0.5, 0.9}, 2), Sides::one);
      const Placed surface{Mesh{&mesh, 1}, {}};
      const Placed a{body.make(random), {random_vector(random, 2.5), random_turn(random)}};
      const double distance = distance_to_mesh(a, mesh), margin = 0.5;
      const SurfacePoints found = points(a, surface, margin);
      for (const ContactPoint& p : std::span(found.points).first(found.count)) {
        ASSERT_TRUE(std::isfinite(p.gap) && std::isfinite(norm(p.point))) << body.name << ' ' << k;
        ASSERT_NEAR(norm(p.normal), 1, 1e-12);
      }
      // Inside a closed surface with one side a body has no distance.
      if (distance < 1e-6 || mesh.signed_distance(a.pose.position).distance < 0) continue;
      if (distance >= margin) {
        EXPECT_EQ(found.count, 0) << body.name << ' ' << k << " at " << distance;
        continue;
      }
      ++near;
      EXPECT_NEAR(min_gap(found), distance, 1e-9) << body.name << ' ' << k;
    }
    EXPECT_EQ(near, body.pairs) << body.name;
  }
}

TEST(PointsOnSurface, MoveWithThePair) {
  RandomStream random{42, 0};
  for (const NamedShape& body : kBodies)
    for (int k = 0; k < 40; ++k) {
      const TriangleMesh mesh = crumpled(5, 0.3, random);
      const Hollow hollow{1.5, k % 2 == 0 ? 1.5 : 0.8, -1, 1, k % 4 == 0, k % 3 == 0};
      const Placed surface{k % 2 == 0 ? Shape(Mesh{&mesh, 1}) : Shape(hollow), {}};
      const Placed a{body.make(random), {random_vector(random, 1.5), random_turn(random)}};
      const SurfacePoints here = points(a, surface, 0.2);
      const Vec3 by = random_vector(random, 10);
      const Quaternion turn = random_turn(random);
      const SurfacePoints there = points(moved(a, by, turn), moved(surface, by, turn), 0.2);
      ASSERT_EQ(here.count > 0, there.count > 0);
      if (here.count == 0 || min_gap(here) < -0.02) continue;  // of deep overlaps: a way out
      EXPECT_NEAR(min_gap(here), min_gap(there), 1e-8) << body.name;
      if (here.count != there.count) continue;  // of points that are as good rounding may choose
      for (int p = 0; p < here.count; ++p)
        if (here.points[p].feature == there.points[p].feature)
          EXPECT_NEAR(norm(rotate(turn, here.points[p].point) + by - there.points[p].point), 0,
                      1e-5)
              << body.name << ' ' << k;
    }
}

TEST(PointsOnSurface, OfAPlaneOfTrianglesAreThoseOfAHalfSpace) {
  RandomStream random{43, 0};
  for (const std::uint32_t n : {1U, 7U, 60U}) {
    const TriangleMesh mesh = mesh_of(square_soup(4, n), n == 7 ? Sides::one : Sides::two);
    for (const NamedShape& body : kBodies)
      for (int k = 0; k < 30; ++k) {
        Placed a{body.make(random), {{random.uniform(-1, 1), random.uniform(-1, 1), 0}, {}}};
        a.pose.orientation = k % 3 == 0 ? Quaternion{} : random_turn(random);
        const double gap = random.uniform(-0.001, 0.02);
        a.pose.position.z = gap + support(a.shape, a.pose, {0, 0, -1});
        const SurfacePoints on_mesh = points(a, {Mesh{&mesh, 1}, {}}, 0.05);
        const Manifold on_plane = contact_points(a, {HalfSpace{}, {}}, 0.05);
        ASSERT_EQ(on_mesh.count, on_plane.count) << body.name << ' ' << n << ' ' << k;
        for (int p = 0; p < on_mesh.count; ++p) {
          EXPECT_NEAR(on_mesh.points[p].gap, on_plane.points[p].gap, 1e-12);
          EXPECT_NEAR(norm(on_mesh.points[p].point - on_plane.points[p].point), 0, 1e-12);
          EXPECT_NEAR(norm(on_mesh.points[p].normal - on_plane.points[p].normal), 0, 1e-15);
        }
      }
  }
}

TEST(PointsOnSurface, OfABoxOfTrianglesAreAsNearAsTheBox) {
  RandomStream random{44, 0};
  const Box box{{0.7, 0.5, 0.9}};
  const TriangleMesh mesh = mesh_of(box_soup(box.half_extent, 3), Sides::one);
  for (const NamedShape& body : kBodies)
    for (int k = 0; k < 60; ++k) {
      Placed a{body.make(random), {random_vector(random, 1), random_turn(random)}};
      const Placed solid{box, {}};
      const auto [apart, normal] = separation(a, solid);
      // So that it overlaps by a little.
      const double depth = random.uniform(0, 2e-3);
      a.pose.position += (apart + depth) * normal;
      const auto now = separation(a, solid);
      if (std::abs(now.distance + depth) > 1e-9) continue;  // another part is deeper
      const SurfacePoints found = points(a, {Mesh{&mesh, 1}, {}}, 0.01);
      EXPECT_NEAR(min_gap(found), -depth, 2e-3 * depth + 1e-9) << body.name << ' ' << k;
      const SurfaceDistance of_mesh = separation(a.shape, a.pose, Mesh{&mesh, 1}, {});
      EXPECT_NEAR(of_mesh.distance, -depth, 2e-3 * depth + 1e-9) << body.name << ' ' << k;
    }
}

TEST(PointsOnSurface, HoldABoxInACornerByAllThreeWalls) {
  for (const std::uint32_t n : {1U, 12U}) {
    const TriangleMesh mesh = mesh_of(box_soup({1, 1, 1}, n), Sides::two);
    for (const double gap : {1e-4, -1e-5}) {
      const double at = 1 - 0.2 - gap;
      const SurfacePoints found =
          points({Box{{0.2, 0.2, 0.2}}, {{at, at, at}, {}}}, {Mesh{&mesh, 1}, {}}, 1e-3);
      ASSERT_EQ(found.count, 12);
      Vec3 sum;
      for (const ContactPoint& p : found.points) {
        EXPECT_NEAR(p.gap, gap, 1e-12);
        sum += p.normal;
      }
      EXPECT_NEAR(norm(sum - Vec3{4, 4, 4}), 0, 1e-12);
    }
  }
}

TEST(PointsOnSurface, HoldATipInAGrooveByEachWallThatItHasSunkInto) {
  RandomStream random{48, 0};
  for (int k = 0; k < 400; ++k) {
    const double half = random.uniform(0.3, 1.4);  // of the groove's angle [rad]
    const Vec3 left{0, -std::sin(half), std::cos(half)}, right{0, std::sin(half), std::cos(half)};
    TriangleSoup soup;
    const Vec3 along{2, 0, 0};
    soup.vertices = {-along, along, along + left, -along + left, along + right, -along + right};
    soup.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {0, 5, 4}};
    const TriangleMesh mesh = mesh_of(soup, Sides::two);
    const Vec3 tip{0, 2e-6 * random.uniform(-1, 1), 2e-6 * random.uniform(-1, 1)};
    const Placed body{Frustum{0, 0.02, 0, 0.4}, {tip, {}}};
    const SurfacePoints found = points(body, {Mesh{&mesh, 1}, {}}, 1e-3);
    for (const double side : {-1.0, 1.0}) {
      const Vec3 normal{0, side * std::cos(half), std::sin(half)};  // out of the wall
      const double height = dot(normal, tip);
      if (height > 0) continue;
      double gap = kInfinity;
      for (const ContactPoint& p : std::span(found.points).first(found.count))
        if (norm(p.normal + normal) < 1e-6) gap = std::min(gap, p.gap);
      EXPECT_NEAR(gap, height, 1e-12) << k << " half angle " << half;
    }
  }
}

TEST(PointsOnSurface, StandOnATableAndNotOnItsSides) {
  // It overhangs, and has sunk in by a little: from the sides it seems to be deep inside.
  for (const Sides sides : {Sides::one, Sides::two}) {
    const TriangleMesh table = mesh_of(box_soup({1, 1, 0.1}, 5), sides);
    for (const double x : {0.85, 0.999, 1.1}) {
      const SurfacePoints found =
          points({Box{{0.3, 0.3, 0.3}}, {{x, 0.1, 0.4 - 1e-4}, {}}}, {Mesh{&table, 1}, {}}, 1e-3);
      EXPECT_EQ(found.count, 4);
      for (const ContactPoint& p : std::span(found.points).first(found.count)) {
        EXPECT_NEAR(norm(p.normal - Vec3{0, 0, -1}), 0, 1e-12);
        EXPECT_NEAR(p.gap, -1e-4, 1e-12);
        EXPECT_LE(p.point.x, 1 + 1e-9);
      }
    }
  }
}

TEST(PointsOnSurface, GiveABodyBehindOneSideTheWayOut) {
  const TriangleMesh block = mesh_of(box_soup({1, 1, 1}, 5), Sides::one);
  const SurfacePoints found =
      points({Box{{0.2, 0.2, 0.2}}, {{0.1, -0.3, 0.9}, {}}}, {Mesh{&block, 1}, {}}, 1e-3);
  EXPECT_EQ(found.count, 4);
  for (const ContactPoint& p : std::span(found.points).first(found.count)) {
    EXPECT_NEAR(norm(p.normal - Vec3{0, 0, -1}), 0, 1e-12);
    EXPECT_NEAR(p.gap, -0.3, 1e-12);
  }
}

TEST(PointsOnSurface, PushABodyThatPiercesASheetBackToItsSide) {
  const TriangleMesh sheet = mesh_of(square_soup(1, 9), Sides::two);
  for (const double side : {1.0, -1.0}) {
    const SurfacePoints found =
        points({Box{{0.05, 0.05, 1}}, {{0.03, 0.02, side * 0.3}, {}}}, {Mesh{&sheet, 1}, {}}, 1e-3);
    EXPECT_EQ(found.count, 4);
    for (const ContactPoint& p : std::span(found.points).first(found.count)) {
      EXPECT_NEAR(norm(p.normal - Vec3{0, 0, -side}), 0, 1e-12);
      EXPECT_NEAR(p.gap, -0.7, 1e-12);
    }
  }
}

TEST(PointsOnSurface, KeepTheirFeaturesFromTriangleToTriangle) {
  const TriangleMesh mesh = mesh_of(square_soup(1, 50), Sides::two);
  std::set<std::uint32_t> features;
  for (int k = 0; k < 100; ++k) {
    const SurfacePoints found =
        points({Box{{0.2, 0.1, 0.05}}, {{-0.5 + 0.01 * k, 0.003 * k, 0.05}, {}}},
               {Mesh{&mesh, 1}, {}}, 1e-3);
    ASSERT_EQ(found.count, 4);
    for (const ContactPoint& p : std::span(found.points).first(4)) features.insert(p.feature);
  }
  EXPECT_EQ(features.size(), 4U);
}

/// Distance of a body from a hollow form, by that of the form's points from the body.
double distance_to_hollow(const Placed& body, const Hollow& h) {
  double least = kInfinity;
  const auto point = [&](double angle, double s) {
    const double r = h.bottom_radius + s * (h.top_radius - h.bottom_radius);
    return Vec3{r * std::cos(angle), r * std::sin(angle), h.bottom + s * (h.top - h.bottom)};
  };
  const auto on_generator = [&](double angle) {
    return min_between(0, 1, [&](double s) { return body.distance(point(angle, s)); });
  };
  constexpr int kSamples = 360;
  const double step = 2 * std::numbers::pi / kSamples;
  std::vector<double> at(kSamples);
  for (int k = 0; k < kSamples; ++k) at[k] = on_generator(k * step);
  for (int k = 0; k < kSamples; ++k)
    if (at[k] <= at[(k + 1) % kSamples] && at[k] <= at[(k + kSamples - 1) % kSamples])
      least = std::min(least, min_between((k - 1) * step, (k + 1) * step, on_generator));
  for (const bool top : {false, true}) {
    if (!(top ? h.closed_top : h.closed_bottom)) continue;
    const double r = top ? h.top_radius : h.bottom_radius, z = top ? h.top : h.bottom;
    least =
        std::min(least, min_between(-r, r, [&](double x) {
                   const double y = std::sqrt(std::max(0.0, r * r - x * x));
                   return min_between(-y, y, [&](double t) { return body.distance({x, t, z}); });
                 }));
  }
  return least;
}

TEST(PointsOnHollow, HaveTheLeastGapThatBruteForceFinds) {
  RandomStream random{45, 0};
  for (const NamedShape& body : kBodies) {
    int near = 0;
    for (int k = 0; k < 60 && near < body.pairs; ++k) {
      const double other = random.uniform(0, 2), top = k % 2 == 0 ? 1.3 : k % 4 == 1 ? 0 : other;
      const Hollow h{1.3, top, -1, 1, k % 3 == 0, k % 5 == 0};
      Shape shape = body.make(random);
      if (k % 4 < 2) shape = scaled(shape, 0.5);
      const Placed a{shape, {random_vector(random, 2), random_turn(random)}};
      const double distance = distance_to_hollow(a, h), margin = 0.5;
      const SurfacePoints found = points(a, {h, {}}, margin);
      for (const ContactPoint& p : std::span(found.points).first(found.count)) {
        ASSERT_TRUE(std::isfinite(p.gap) && std::isfinite(norm(p.point))) << body.name << ' ' << k;
        ASSERT_NEAR(norm(p.normal), 1, 1e-12);
      }
      if (distance < 1e-6) continue;
      if (distance >= margin) {
        EXPECT_EQ(found.count, 0) << body.name << ' ' << k << " at " << distance;
        continue;
      }
      ++near;
      EXPECT_NEAR(min_gap(found), distance, 1e-9) << body.name << ' ' << k;
    }
    EXPECT_EQ(near, body.pairs) << body.name;
  }
}

TEST(PointsOnHollow, HoldABoxByTwoEdgesAndACylinderByALine) {
  const Hollow drum{1, 1, -2, 2};
  const double half = 0.3, low = std::sqrt(1 - half * half);
  const Quaternion lying = rotation_between({0, 0, 1}, {0, 0, 1});
  const SurfacePoints box =
      points({Box{{0.2, half, 0.5}}, {{-low + 0.2, 0, 0.1}, lying}}, {drum, {}}, 1e-3);
  ASSERT_EQ(box.count, 4);
  for (const ContactPoint& p : std::span(box.points).first(4)) {
    EXPECT_NEAR(p.gap, 0, 1e-12);
    EXPECT_NEAR(std::hypot(p.point.x, p.point.y), 1, 1e-12);
    EXPECT_NEAR(norm(p.normal - Vec3{p.point.x, p.point.y, 0}), 0, 1e-12);
  }
  const SurfacePoints cylinder =
      points({Cylinder{0.3, 0.5}, {{0.7, 0, 0.1}, {}}}, {drum, {}}, 1e-6);
  ASSERT_EQ(cylinder.count, 2);
  for (const ContactPoint& p : std::span(cylinder.points).first(2)) {
    EXPECT_NEAR(p.gap, 0, 1e-12);
    EXPECT_NEAR(norm(p.normal - Vec3{1, 0, 0}), 0, 1e-6);
  }
  EXPECT_NEAR(std::abs(cylinder.points[0].point.z - cylinder.points[1].point.z), 1, 1e-12);
}

TEST(PointsOnHollow, OfAnEllipsoidInATubeAreThoseOfItsCurve) {
  // Along x in a tube about z: the ends of its axis where it is more curved than the tube, and else
  // where their distances are stationary.
  const Hollow tube{1, 1, -2, 2};
  const double a = 0.9, b = 0.99;
  const SurfacePoints ends =
      points({Superellipsoid{{a, 0.2, 0.2}}, {{0, 0, 0}, {}}}, {tube, {}}, 0.2);
  ASSERT_EQ(ends.count, 2);
  for (const ContactPoint& p : std::span(ends.points).first(2)) {
    EXPECT_NEAR(p.gap, 1 - a, 1e-10);
    EXPECT_NEAR(std::abs(p.point.x), 0.5 * (1 + a), 1e-10);
  }
  // A flat one that stands beside the axis: sin of the angle at which it touches, by hand.
  const SurfacePoints wide =
      points({Superellipsoid{{0.3, b, 0.2}}, {{0.2, 0, 0}, {}}}, {tube, {}}, 0.2);
  double best = kInfinity;
  for (int k = 0; k < 2000000; ++k) {
    const double t = std::numbers::pi * k / 2000000;
    best = std::min(best, 1 - std::hypot(0.2 + 0.3 * std::cos(t), b * std::sin(t)));
  }
  EXPECT_NEAR(min_gap(wide), best, 1e-10);
  EXPECT_EQ(wide.count, 2);
}

TEST(PointsOnHollow, LetABoxThroughTheOpenEndAndNotThroughTheDisc) {
  for (const bool closed : {false, true}) {
    const Hollow can{0.5, 0.5, 0, 1, closed, false};
    const SurfacePoints found =
        points({Box{{0.2, 0.2, 0.2}}, {{0, 0, 0.2 - 1e-3}, {}}}, {can, {}}, 0.01);
    EXPECT_EQ(found.count, closed ? 4 : 0);
    for (const ContactPoint& p : std::span(found.points).first(found.count)) {
      EXPECT_NEAR(p.gap, -1e-3, 1e-12);
      EXPECT_NEAR(norm(p.normal - Vec3{0, 0, -1}), 0, 1e-12);
    }
  }
}

TEST(PointsOnHollow, HangABoxOnTheRim) {
  // Its middle inside, above the rim, and one end outside, sunk in by a little.
  const Hollow can{0.5, 0.5, 0, 1, false, false};
  for (const double x : {0.3, 0.6}) {
    const SurfacePoints found =
        points({Box{{0.4, 0.3, 0.1}}, {{x, 0, 1.1 - 1e-4}, {}}}, {can, {}}, 1e-3);
    EXPECT_GE(found.count, 3);
    for (const ContactPoint& p : std::span(found.points).first(found.count)) {
      EXPECT_NEAR(p.gap, -1e-4, 1e-9);
      EXPECT_NEAR(norm(p.normal - Vec3{0, 0, -1}), 0, 1e-9);
      EXPECT_NEAR(std::hypot(p.point.x, p.point.y), 0.5, 1e-9);
    }
  }
}

TEST(PointsOnHollow, HoldATipInTheApexOnAllSides) {
  const Hollow hopper{0, 0.6, 0, 1};
  for (const double sunk : {-1e-3, 0.0, 1e-3, 0.05})
    for (const double beside : {0.0, 1e-9, 1e-4}) {
      const Shape cone = Frustum{0.1, 0, 0, 0.3};
      const Pose pose{{beside, 0, 0.3 - sunk}, {0, 1, 0, 0}};
      const SurfacePoints found = points({cone, pose}, {hopper, {}}, 0.01);
      for (int k = 0; k < 12; ++k) {
        const double angle = k * std::numbers::pi / 6;
        double resists = 0;
        for (const ContactPoint& p : std::span(found.points).first(found.count))
          resists = std::max(resists, dot(p.normal, {std::cos(angle), std::sin(angle), 0}));
        EXPECT_GT(resists, 0.4) << sunk << ' ' << beside << ' ' << angle;
      }
      EXPECT_NEAR(min_gap(found), -(sunk * 0.6 + beside) / std::hypot(1, 0.6), 1e-12);
    }
}

TEST(PointsOnHollow, HoldAPlateOnTheApexFromOutside) {
  const Hollow cone{0.6, 0, 0, 0.8};
  const SurfacePoints found =
      points({Box{{0.3, 0.2, 0.01}}, {{0.05, 0, 0.811}, {}}}, {cone, {}}, 0.01);
  ASSERT_EQ(found.count, 1);
  EXPECT_NEAR(found.points[0].gap, 1e-3, 1e-12);
  EXPECT_NEAR(norm(found.points[0].normal - Vec3{0, 0, -1}), 0, 1e-12);
  EXPECT_NEAR(norm(found.points[0].point - Vec3{0, 0, 0.8005}), 0, 1e-12);
}

TEST(PointsOnHollow, HoldAPlugOfARoundHoleByPlacesAllRound) {
  const Hollow tube{0.1, 0.1, 0, 1};
  const Vec3 x{1, 0, 0};
  const double up = 0.1 * std::sqrt(1 - 1 / 2.25);  // of the ellipsoid's middle above the rim
  for (const double beside : {0.0, 1e-9, 1e-5}) {
    const Pose pose{{beside, 0, 1 + up}, {}};
    for (const Shape& plug : {Shape{Superellipsoid{{0.15, 0.15, 0.1}}},
                              Shape{Frustum{0, 0.15, -up - 0.2, -up + 0.1}}}) {
      const SurfacePoints found = points({plug, pose}, {tube, {}}, 1e-3);
      EXPECT_GE(found.count, 3);
      for (const ContactPoint& p : std::span(found.points).first(found.count)) {
        EXPECT_NEAR(std::hypot(p.point.x, p.point.y), 0.1, 1e-5 + beside);
        EXPECT_NEAR(p.gap, 0, 1e-12 + beside);
      }
      double least = 1, most = -1;
      for (const ContactPoint& p : std::span(found.points).first(found.count)) {
        least = std::min(least, dot(p.normal, x));
        most = std::max(most, dot(p.normal, x));
      }
      EXPECT_LT(least, -0.2);
      EXPECT_GT(most, 0.2);
    }
  }
}

TEST(PointsOnSurface, AreRefusedForPairsThatHaveNone) {
  const TriangleMesh mesh = mesh_of(square_soup(1, 2), Sides::two);
  const Shape surface = Mesh{&mesh, 1}, box = Box{{1, 1, 1}}, half_space = HalfSpace{};
  EXPECT_THROW(contact_points(box, Pose{}, surface, Pose{}, 0.1), std::domain_error);
  EXPECT_THROW(contact_points(surface, Pose{}, box, Pose{}, 0.1), std::domain_error);
  EXPECT_THROW(contact_points(surface, Pose{}, surface, Pose{}, 0.1), std::domain_error);
  EXPECT_THROW(contact_points(surface, Pose{}, half_space, Pose{}, 0.1), std::domain_error);
  EXPECT_THROW(points_on_surface(Sphere{1}, {}, surface, {}, 0.1), std::domain_error);
  EXPECT_THROW(points_on_surface(box, {}, box, {}, 0.1), std::domain_error);
  EXPECT_EQ(contact_points(half_space, Pose{}, half_space, Pose{}, 0.1).count, 0);
}

}  // namespace
}  // namespace scree

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "unit/collision/manifolds.hpp"
#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;
using test::features;

constexpr Box kCube{{0.5, 0.5, 0.5}};
const Placed kGround{HalfSpace{}, {}};

Placed cube_at(const Vec3& position, const Quaternion& orientation = {}) {
  return {kCube, {position, orientation}};
}

TEST(ABoxOnAPlane, StandsOnTheFourVerticesOfAFace) {
  for (const double tilt : {0.0, 1e-12, 1e-6, 1e-3}) {
    const Manifold m =
        contact_points(kGround, cube_at({0, 0, 0.5}, rotation({1, 0.3, 0}, tilt)), 0.01);
    EXPECT_EQ(features(m), (std::set<std::uint32_t>{0, 1, 2, 3})) << tilt;
  }
}

TEST(ABoxOnABox, StandsOnTheFourVerticesOfAFace) {
  const Placed table{Box{{2, 2, 1}}, {{0, 0, -1}, {}}};
  for (const double tilt : {0.0, 1e-12, 1e-6, 1e-3})
    for (const double z : {0.4999, 0.5, 0.5001}) {
      const Manifold m =
          contact_points(cube_at({0.3, 0.1, z}, rotation({1, 0.3, 0}, tilt)), table, 0.01);
      EXPECT_EQ(features(m), (std::set<std::uint32_t>{0, 1, 2, 3})) << tilt;
      for (int k = 0; k < m.count; ++k) EXPECT_NEAR(m.points[k].gap, z - 0.5, 1.5 * tilt + 1e-15);
    }
}

TEST(ABoxOnABox, KeepsItsFeaturesWhereFacesOfOneSizeLieOnEachOther) {
  RandomStream random{31, 0};
  const Manifold first = contact_points(cube_at({}), cube_at({0, 0, 1}), 0.01);
  EXPECT_EQ(first.count, 4);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 shift = random_vector(random, 1e-7);
    const Quaternion tilt = rotation(random_direction(random), 1e-7);
    const Manifold m = contact_points(cube_at({}), cube_at(Vec3{0, 0, 1} + shift, tilt), 0.01);
    EXPECT_EQ(features(m), features(first));
  }
}

TEST(ABoxOnABox, TouchesInFourOfTheEightCornersOfTwoSquares) {
  const Manifold m =
      contact_points(cube_at({}), cube_at({0, 0, 1}, rotation({0, 0, 1}, M_PI / 4)), 0.01);
  EXPECT_EQ(m.count, 4);
  Vec3 sum;
  for (int k = 0; k < m.count; ++k) {
    sum += m.points[k].point;
    EXPECT_NEAR(std::hypot(m.points[k].point.x, m.points[k].point.y), 0.5 / std::cos(M_PI / 8),
                1e-12);
  }
  EXPECT_LT(std::hypot(sum.x, sum.y), 0.5);
}

TEST(ABoxOnABox, TouchesInTwoPointsWhereAnEdgeLiesOnAFace) {
  const Placed table{Box{{2, 2, 1}}, {{0, 0, -1}, {}}};
  const double height = 0.5 * std::sqrt(2.0);
  for (const double tilt : {0.0, 1e-9, 1e-3, -5e-3}) {
    const Quaternion roll = rotation({0, 1, 0}, tilt) * rotation({1, 0, 0}, M_PI / 4);
    const Manifold m = contact_points(cube_at({0, 0, height + 0.001}, roll), table, 0.01);
    EXPECT_EQ(m.count, 2) << tilt;
    const Manifold over = contact_points(cube_at({1.8, 0, height + 0.001}, roll), table, 0.01);
    EXPECT_EQ(over.count, 2) << tilt;
  }
}

TEST(ABoxOnABox, TouchesInOnePointWhereEdgesCrossOrAVertexMeetsAFace) {
  const double height = std::sqrt(2.0);
  const Manifold edges =
      contact_points(cube_at({}, rotation({1, 0, 0}, M_PI / 4)),
                     cube_at({0.1, 0.2, height + 0.001}, rotation({0, 1, 0}, M_PI / 4)), 0.01);
  ASSERT_EQ(edges.count, 1);
  EXPECT_NEAR(edges.points[0].gap, 0.001, 1e-14);
  EXPECT_NEAR(norm(edges.points[0].point - Vec3{0.1, 0, 0.5 * height + 0.0005}), 0, 1e-14);
  EXPECT_NEAR(norm(edges.points[0].normal - Vec3{0, 0, 1}), 0, 1e-14);

  const Quaternion on_vertex = rotation_between(Vec3{1, 1, 1} / std::sqrt(3.0), {0, 0, -1});
  const Manifold vertex =
      contact_points(kGround, cube_at({0, 0, std::sqrt(0.75) - 0.001}, on_vertex), 0.01);
  ASSERT_EQ(vertex.count, 1);
  EXPECT_EQ(vertex.points[0].feature, 7u);
  EXPECT_NEAR(vertex.points[0].gap, -0.001, 1e-14);
}

TEST(TwoBoxes, ThatTouchAlongEdgesHaveTheNormalThatAGapBetweenThemHas) {
  const Vec3 half{0.05, 0.4, 0.5};
  std::vector<Vec3> corners;
  for (const double x : {-half.x, half.x})
    for (const double y : {-half.y, half.y})
      for (const double z : {-half.z, half.z}) corners.push_back({x, y, z});
  const PlacedHull hull = convex_hull(corners);
  const Polyhedron polyhedron{hull.hull.get(), hull.size};
  // They lean on each other with their tops, as cards do.
  for (const double lean : {0.05, 0.2, 0.4, 0.65}) {
    for (const double gap : {1e-3, 1e-6, 1e-15, 0.0, -1e-15, -1e-6, -2e-5}) {
      const double aside = half.x * std::cos(lean) + half.z * std::sin(lean) + gap / 2;
      for (const bool as_polyhedra : {false, true}) {
        const auto leaning = [&](double side) {
          const Pose pose{{side * aside, 0, 0}, rotation({0, 1, 0}, -side * lean)};
          return as_polyhedra
                     ? Placed{polyhedron, {pose.position, pose.orientation * hull.pose.orientation}}
                     : Placed{Box{half}, pose};
        };
        const Manifold m = contact_points(leaning(-1), leaning(1), 2e-3);
        ASSERT_EQ(m.count, 2) << lean << ' ' << gap << ' ' << as_polyhedra;
        for (int k = 0; k < m.count; ++k) {
          EXPECT_NEAR(norm(m.points[k].normal - Vec3{1, 0, 0}), 0, 1e-9) << lean << ' ' << gap;
          EXPECT_NEAR(m.points[k].gap, gap, 1e-12);
          EXPECT_NEAR(std::abs(m.points[k].point.y), half.y, 1e-12);
        }
      }
    }
  }
}

TEST(TwoBoxes, WhoseEdgesPassEachOtherTurnTheirNormalFromFaceToFaceWithoutALeap) {
  const double lean = 0.3, turn_of_most = 0.05;
  const Box card{{0.05, 0.4, 0.5}};
  const double aside = 0.05 * std::cos(lean) + 0.5 * std::sin(lean);
  double before = -lean;
  for (int k = -200; k <= 200; ++k) {
    const double down = 1e-6 * k;
    const Manifold m = contact_points({card, {{-aside, 0, 0}, rotation({0, 1, 0}, lean)}},
                                      {card, {{aside, 0, down}, rotation({0, 1, 0}, -lean)}}, 1e-3);
    ASSERT_GT(m.count, 0);
    const double angle = std::atan2(m.points[0].normal.z, m.points[0].normal.x);
    EXPECT_NEAR(angle, before, turn_of_most) << down;
    before = angle;
  }
  EXPECT_NEAR(before, lean, 1e-9);
}

TEST(TwoBoxes, ThatTouchAlongEdgesWithTheirFacesInLineHaveTheNormalOfAFace) {
  // As bricks of a wall do whose joints are in line: they do not drive those below them apart.
  for (const double tilt : {0.0, 1e-9, 1e-3, 0.05}) {
    const Quaternion turn = rotation({0, 1, 0}, tilt);
    const Vec3 at = Vec3{0.5, 0, 0.5} + rotate(turn, {0.5, 0, 0.5});
    const Manifold m = contact_points(cube_at({}), cube_at(at, turn), 0.01);
    ASSERT_GT(m.count, 0);
    const Vec3& n = m.points[0].normal;
    EXPECT_LT(std::min(std::abs(n.x), std::abs(n.z)), tilt + 1e-9) << n.x << ' ' << n.z;
  }
}

TEST(TwoBoxes, KnowTheDistanceOfTwoVerticesAndOfAVertexAndAnEdge) {
  const auto apart = [](const Vec3& by) {
    return separation(cube_at({}), cube_at(Vec3{1, 1, 1} + by));
  };
  EXPECT_NEAR(apart({0.1, 0.2, 0.2}).distance, 0.3, 1e-14);
  EXPECT_NEAR(apart({0.3, 0.4, -0.5}).distance, 0.5, 1e-14);
  EXPECT_NEAR(norm(apart({0.3, 0.4, -0.5}).normal - Vec3{0.6, 0.8, 0}), 0, 1e-14);
}

TEST(ACylinder, StandsOnFourPointsOfItsRimAndLiesOnTwo) {
  const Placed table{Box{{2, 2, 1}}, {{0, 0, -1}, {}}};
  const Quaternion lying = rotation({0, 1, 0}, M_PI / 2);
  for (const Placed& ground : {kGround, table})
    for (const double tilt : {0.0, 1e-12, 1e-6, 1e-3})
      for (const double gap : {-1e-4, 0.0, 1e-4}) {
        const Quaternion turn = rotation({1, 0.3, 0}, tilt);
        const Placed upright{Cylinder{0.5, 1}, {{0.3, 0.1, 1 + gap}, turn}};
        EXPECT_EQ(contact_points(ground, upright, 0.01).count, 4) << tilt;
        const Placed on_side{Cylinder{0.5, 1}, {{0.3, 0.1, 0.5 + gap}, turn * lying}};
        EXPECT_EQ(contact_points(ground, on_side, 0.01).count, 2) << tilt;
        const Placed capsule{Capsule{0.5, 1}, {{0.3, 0.1, 0.5 + gap}, turn * lying}};
        EXPECT_EQ(contact_points(ground, capsule, 0.01).count, 2) << tilt;
        // Over the rim of the table: the ends of the chord, and two points of the rim.
        const Placed over{Cylinder{0.5, 1}, {{1.9, 0.1, 1 + gap}, turn}};
        if (std::holds_alternative<HalfSpace>(ground.shape)) continue;
        EXPECT_EQ(contact_points(ground, over, 0.01).count, 4) << tilt;
      }
}

TEST(ACylinder, IsAsFarFromABoxAsTheirEdgesSay) {
  // An edge along y over the rim: at 45° between the cap and the side.
  const Placed cylinder{Cylinder{0.5, 1}, {}};
  const SurfaceDistance apart = separation(cylinder, cube_at({1.3, 0, 1.9}));
  EXPECT_NEAR(apart.distance, 0.5, 1e-14);
  EXPECT_NEAR(norm(apart.normal - Vec3{0.6, 0, 0.8}), 0, 1e-14);
}

TEST(TwoCylinders, StandOnEachOtherOnFourPoints) {
  RandomStream random{41, 0};
  const auto column_at = [](const Vec3& place, const Quaternion& turn = {}) {
    return Placed{Cylinder{0.5, 1}, {place, turn}};
  };
  // One over the other, and shifted; twice as wide, over the rim
  for (const Placed& below :
       {column_at({}), column_at({0.3, 0.1, 0}), Placed{Cylinder{1, 1}, {{1.2, 0, 0}, {}}}}) {
    for (int k = 0; k < 300; ++k) {
      const Vec3 shift = random_vector(random, 1e-7);
      const Quaternion tilt = rotation(random_direction(random), 1e-7);
      const Manifold m = contact_points(below, column_at(Vec3{0, 0, 2} + shift, tilt), 0.01);
      ASSERT_EQ(m.count, 4);
      double across = 0;
      for (int i = 0; i < m.count; ++i) {
        EXPECT_NEAR(m.points[i].gap, 0, 3e-7);
        for (int j = 0; j < i; ++j)
          across = std::max(across, norm(m.points[i].point - m.points[j].point));
      }
      EXPECT_GT(across, 0.6) << "well spread: the shortest chord of the three is 0.82";
    }
  }
}

TEST(TwoCylinders, LieSideBySideOnTwoPointsAndAcrossOnOne) {
  const Placed below{Cylinder{0.5, 1}, {}};
  for (const double gap : {-1e-4, 0.0, 1e-4})
    for (const double tilt : {0.0, 1e-12, 1e-6, 1e-3}) {
      const Quaternion turn = rotation({1, 0.3, 0.2}, tilt);
      const Placed beside{Cylinder{0.3, 0.7}, {{0.8 + gap, 0, 0.2}, turn}};
      const Manifold side = contact_points(below, beside, 0.01);
      EXPECT_EQ(side.count, 2) << tilt;
      const Placed across{Cylinder{0.3, 0.7},
                          {{0.8 + gap, 0.1, 0.2}, turn * rotation({1, 0, 0}, M_PI / 2)}};
      const Manifold crossed = contact_points(below, across, 0.01);
      ASSERT_EQ(crossed.count, 1) << tilt;
      EXPECT_NEAR(crossed.points[0].gap, gap, 2 * tilt + 1e-14);
      EXPECT_NEAR(norm(crossed.points[0].normal - Vec3{1, 0, 0}), 0, 2 * tilt + 1e-14);
      EXPECT_NEAR(norm(crossed.points[0].point - Vec3{0.5, 0, 0.2}), 0, 2 * tilt + 1e-3);
    }
}

TEST(TwoCylinders, AreAsFarFromEachOtherAsTheirRimsSay) {
  const Placed cylinder{Cylinder{0.5, 1}, {}};
  const SurfaceDistance parallel =
      separation(cylinder, Placed{Cylinder{0.2, 0.3}, {{1, 0, 1.7}, {}}});
  EXPECT_NEAR(parallel.distance, 0.5, 1e-14);
  EXPECT_NEAR(norm(parallel.normal - Vec3{0.6, 0, 0.8}), 0, 1e-14);
  const SurfaceDistance across = separation(
      cylinder, Placed{Cylinder{0.2, 0.3}, {{1.1, 0, 1.6}, rotation({0, 1, 0}, M_PI / 2)}});
  EXPECT_NEAR(across.distance, 0.5, 1e-14);
  EXPECT_NEAR(norm(across.normal - Vec3{0.6, 0, 0.8}), 0, 1e-14);
  const SurfaceDistance inside = separation(cylinder, Placed{Cylinder{0.5, 1}, {}});
  EXPECT_NEAR(inside.distance, -1, 1e-14) << "one in the other, by the side";
}

TEST(Points, OfCylindersKeepTheirFeaturesUnderSmallMotions) {
  RandomStream random{33, 0};
  const auto cylinder = [&] { return Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)}; };
  int kept = 0, all = 0;
  for (int k = 0; k < 2000; ++k) {
    const Placed a{cylinder(), {{}, random_orientation(random)}};
    const Placed b{cylinder(), {random_vector(random, 1), random_orientation(random)}};
    const Manifold m = contact_points(a, b, 0.1);
    const Manifold after = contact_points(
        a, moved(b, random_vector(random, 1e-9), rotation(random_direction(random), 1e-9)), 0.1);
    if (m.count == 0) continue;
    ++all;
    kept += features(m) == features(after);
  }
  EXPECT_GE(kept, all - 2);  // of random pairs, a few stand on a limit
}

TEST(Points, KeepTheirFeaturesUnderSmallMotions) {
  RandomStream random{32, 0};
  int kept = 0, all = 0;
  for (int k = 0; k < 2000; ++k) {
    const Placed a{random_box(random), {{}, random_orientation(random)}};
    const Placed b{random_box(random), {random_vector(random, 1), random_orientation(random)}};
    const Manifold m = contact_points(a, b, 0.1);
    const Manifold after = contact_points(
        a, moved(b, random_vector(random, 1e-9), rotation(random_direction(random), 1e-9)), 0.1);
    if (m.count == 0) continue;
    ++all;
    kept += features(m) == features(after);
  }
  EXPECT_GE(kept, all - 2);  // of random pairs, a few stand on a limit
}

TEST(Points, AreFiniteWhateverTheInput) {
  const double root = std::sqrt(0.5);
  const Quaternion turns[] = {{},           {root, root, 0, 0}, {root, 0, root, 0},
                              {0, 1, 0, 0}, {1, 1e-9, 0, 0},    {1, 0, 1e-17, 1e-12}};
  const Vec3 places[] = {{},        {1, 0, 0},      {1, 1, 0},
                         {1, 1, 1}, {1e-300, 0, 0}, {1e-12, 0, 1},
                         {0, 0, 1}, {1e6, 0, 1e-9}};
  const Shape shapes[] = {Sphere{0.5},
                          HalfSpace{},
                          kCube,
                          Box{{1, 1, 1e-3}},
                          Box{{1e-6, 1e-6, 1e-6}},
                          Box{{1e3, 1e3, 1e3}},
                          Capsule{0.5, 0.5},
                          Capsule{0.5, 0},
                          Capsule{1e-6, 1e3},
                          Cylinder{0.5, 0.5},
                          Cylinder{1, 1e-3},
                          Cylinder{1e-6, 1e3}};
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      if (std::holds_alternative<Cylinder>(a) && std::holds_alternative<Cylinder>(b)) continue;
      for (const Quaternion& turn : turns)
        for (const Vec3& place : places)
          for (const double margin : {0.0, 1e-3, 1.0})
            for (const Vec3& origin : {Vec3{}, Vec3{1e7, -1e7, 1e7}}) {
              const Placed one{a, {origin, {}}}, two{b, {origin + place, turn}};
              const SurfaceDistance apart = separation(one, two);
              EXPECT_FALSE(std::isnan(apart.distance));
              EXPECT_NEAR(norm(apart.normal), 1, 1e-14);
              const Manifold m = contact_points(one, two, margin);
              if (apart.distance < margin - 1e-8) EXPECT_GE(m.count, 1);
              if (apart.distance > margin + 1e-8) EXPECT_EQ(m.count, 0);
              for (int k = 0; k < m.count; ++k) {
                EXPECT_TRUE(is_finite(m.points[k].point));
                EXPECT_TRUE(std::isfinite(m.points[k].gap));
                EXPECT_NEAR(norm(m.points[k].normal), 1, 1e-14);
              }
              EXPECT_EQ(features(m).size(), static_cast<std::size_t>(m.count));
            }
    }
}

}  // namespace
}  // namespace scree

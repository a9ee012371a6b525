#include "scree/collision/contact_points.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "unit/collision/manifolds.hpp"
#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;
using test::features;
using test::min_gap;

using MakeShape = std::function<Shape(RandomStream&)>;
struct Kinds {
  std::string name;
  MakeShape a, b;
  /// Of distances and places: rounding, and what it makes where a surface is nearly flat [m]
  double exact = 1e-12;
  /// By the general narrow phase: of deep overlaps it finds a local answer, and where faces are
  /// parallel rounding chooses among points that are as good.
  bool general = false;
};
void PrintTo(const Kinds& kinds, std::ostream* out) { *out << kinds.name; }

const MakeShape kSphere = [](RandomStream& r) { return Sphere{r.uniform(0.1, 1)}; };
const MakeShape kHalfSpace = [](RandomStream&) { return HalfSpace{}; };
const MakeShape kBox = random_box;
const MakeShape kCapsule = random_capsule;
const MakeShape kCylinder = [](RandomStream& r) {
  return Cylinder{r.uniform(0.1, 1), r.uniform(0.1, 1)};
};

const MakeShape kCoin = [](RandomStream& r) {
  return Cylinder{r.uniform(0.4, 1), r.uniform(0.05, 0.1)};
};
const MakeShape kRod = [](RandomStream& r) {
  return Cylinder{r.uniform(0.05, 0.1), r.uniform(0.4, 1)};
};

const MakeShape kFrustum = random_frustum;
const MakeShape kEllipsoid = random_ellipsoid;
const MakeShape kSuperellipsoid = random_superellipsoid;
const MakeShape kPolyhedron = random_polyhedron;

class PairsOf : public testing::TestWithParam<Kinds> {
 protected:
  const int pairs_ = GetParam().general ? 300 : 1500;
  static constexpr double kFar = 10;  ///< margin that no pair is beyond [m]

  Placed random_placed(const MakeShape& make) {
    return {make(random), {random_vector(random, 1.2), random_orientation(random)}};
  }
  RandomStream random{21, 0};
};

TEST_P(PairsOf, ThatAreApartHaveTheGapAndNormalOfTheirClosestPoints) {
  int apart = 0;
  while (apart < pairs_) {
    const Placed a = random_placed(GetParam().a), b = random_placed(GetParam().b);
    const auto [gap, n] = separation(a, b);
    if (gap <= 0) continue;
    ++apart;
    ASSERT_NEAR(norm(n), 1, 1e-14);
    // No direction has a width above the distance, no two points are closer than the distance.
    ASSERT_NEAR(width(a, b, n), gap, GetParam().exact);
    const Manifold m = contact_points(a, b, kFar);
    ASSERT_GE(m.count, 1);
    ASSERT_NEAR(min_gap(m), gap, GetParam().exact);
    const auto closest = std::min_element(
        m.points.begin(), m.points.begin() + m.count,
        [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
    ASSERT_NEAR(a.distance(closest->point - 0.5 * gap * n), 0, GetParam().exact);
    ASSERT_NEAR(b.distance(closest->point + 0.5 * gap * n), 0, GetParam().exact);
    ASSERT_NEAR(norm(closest->normal - n), 0, GetParam().exact);
  }
}

TEST_P(PairsOf, ThatOverlapHaveTheNormalOfLeastPenetration) {
  const int pairs = GetParam().general ? 200 : 1000;
  int overlapping = 0;
  while (overlapping < pairs) {
    const Placed a = random_placed(GetParam().a);
    Placed b = random_placed(GetParam().b);
    if (GetParam().general) {
      const auto [apart, way] = separation(a, b);
      b.pose.position -= (apart + random.uniform(0, 0.02)) * way;
    }
    const auto [gap, n] = separation(a, b);
    if (gap > 0) continue;
    ++overlapping;
    ASSERT_NEAR(norm(n), 1, 1e-14);
    ASSERT_NEAR(width(a, b, n), gap, 1e-12);
    if (!std::holds_alternative<HalfSpace>(a.shape) && !std::holds_alternative<HalfSpace>(b.shape))
      ASSERT_LE(greatest_width(a, b, random), gap + 1e-9);
    ASSERT_LE(min_gap(contact_points(a, b, 0.1)), gap - 0.05 * gap + 1e-6);
  }
}

TEST_P(PairsOf, HaveAGapThatGoesToZeroWhereTheyTouch) {
  for (int k = 0; k < pairs_; ++k) {
    const Placed a = random_placed(GetParam().a), b = random_placed(GetParam().b);
    const auto [gap, n] = separation(a, b);
    if (gap <= 0) continue;
    for (const double left : {1e-6, 1e-9, 1e-11, 1e-13, 1e-15, 0.0, -1e-15, -1e-13, -1e-9}) {
      const Placed near{b.shape, {b.pose.position - (gap - left) * n, b.pose.orientation}};
      // Closer than 1e-10 of the size the way has no direction but that of an axis; two vertices
      // that have passed each other have a shorter way back.
      const double apart = separation(a, near).distance, miss = GetParam().general ? 1e-9 : 1e-11;
      EXPECT_GE(apart, left - miss);
      EXPECT_LE(apart, std::max(left, 0.0) + miss);
      // In an overlap a face may have been preferred.
      const double least = min_gap(contact_points(a, near, 0.1));
      EXPECT_GE(least, apart - (apart > 0 ? miss : 1e-3));
      EXPECT_LE(least, apart + (apart > 0 ? miss : 1e-6));
    }
  }
}

TEST_P(PairsOf, HavePointsThatLieBetweenTheSurfacesAlongTheNormal) {
  for (int k = 0; k < pairs_; ++k) {
    const Placed a = random_placed(GetParam().a), b = random_placed(GetParam().b);
    const Manifold m = contact_points(a, b, 0.3);
    for (int i = 0; i < m.count; ++i) {
      const ContactPoint& c = m.points[i];
      EXPECT_LT(c.gap, 0.3);
      EXPECT_NEAR(norm(c.normal), 1, 1e-14);
      if (c.gap <= 0) continue;
      // A corner within 1e-5 of a face counts as over it.
      for (const auto& [placed, sign] : {std::pair{&a, -0.5}, {&b, 0.5}}) {
        const double distance = placed->distance(c.point + sign * c.gap * c.normal);
        EXPECT_LT(distance, 2e-5);
        if (!std::holds_alternative<Capsule>(placed->shape)) EXPECT_GT(distance, -2e-5);
      }
    }
    EXPECT_EQ(features(m).size(), static_cast<std::size_t>(m.count));
  }
}

TEST_P(PairsOf, AreTheSameSwappedButForTheSignOfTheNormal) {
  for (int k = 0; k < pairs_; ++k) {
    const Placed a = random_placed(GetParam().a), b = random_placed(GetParam().b);
    EXPECT_EQ(separation(a, b).distance, separation(b, a).distance);
    EXPECT_EQ(separation(a, b).normal, -separation(b, a).normal);
    const Manifold m = contact_points(a, b, 0.3), turned = contact_points(b, a, 0.3);
    ASSERT_EQ(m.count, turned.count);
    for (int i = 0; i < m.count; ++i) {
      EXPECT_EQ(m.points[i].feature, turned.points[i].feature);
      EXPECT_EQ(m.points[i].point, turned.points[i].point);
      EXPECT_EQ(m.points[i].normal, -turned.points[i].normal);
      EXPECT_EQ(m.points[i].gap, turned.points[i].gap);
    }
  }
}

TEST_P(PairsOf, MoveAlongWhenBothAreMoved) {
  for (int k = 0; k < pairs_; ++k) {
    const Placed a = random_placed(GetParam().a), b = random_placed(GetParam().b);
    const Vec3 by = random_vector(random, 1);
    const Quaternion turn = random_orientation(random);
    const Manifold m = contact_points(a, b, 0.3);
    const Manifold after = contact_points(moved(a, by, turn), moved(b, by, turn), 0.3);
    ASSERT_EQ(m.count > 0, after.count > 0);
    if (GetParam().general) {
      if (m.count > 0 && min_gap(m) > -0.02) EXPECT_NEAR(min_gap(m), min_gap(after), 1e-9);
      continue;
    }
    ASSERT_EQ(m.count, after.count);
    for (int i = 0; i < m.count; ++i) {
      EXPECT_EQ(m.points[i].feature, after.points[i].feature);
      EXPECT_NEAR(m.points[i].gap, after.points[i].gap, 1e-12);
      // Where an edge grazes a rim, the corner magnifies rounding.
      EXPECT_NEAR(norm(by + rotate(turn, m.points[i].point) - after.points[i].point), 0, 1e-10);
      EXPECT_NEAR(norm(rotate(turn, m.points[i].normal) - after.points[i].normal), 0, 1e-12);
    }
  }
}

/// Pairs with functions of their own, and all pairs with a shape that has none.
std::vector<Kinds> all_kinds() {
  std::vector<Kinds> kinds{{"SphereAndSphere", kSphere, kSphere},
                           {"SphereAndHalfSpace", kSphere, kHalfSpace},
                           {"SphereAndBox", kSphere, kBox},
                           {"SphereAndCylinder", kSphere, kCylinder},
                           {"SphereAndCapsule", kSphere, kCapsule},
                           {"BoxAndHalfSpace", kBox, kHalfSpace},
                           {"CapsuleAndHalfSpace", kCapsule, kHalfSpace},
                           {"CylinderAndHalfSpace", kCylinder, kHalfSpace},
                           {"BoxAndBox", kBox, kBox},
                           {"BoxAndCylinder", kBox, kCylinder},
                           {"CapsuleAndCylinder", kCapsule, kCylinder},
                           {"CylinderAndCylinder", kCylinder, kCylinder},
                           {"CoinAndRod", kCoin, kRod},
                           {"CoinAndCoin", kCoin, kCoin},
                           {"BoxAndCapsule", kBox, kCapsule},
                           {"CapsuleAndCapsule", kCapsule, kCapsule}};
  struct Kind {
    std::string name;
    MakeShape make;
    bool has_pairs;  ///< of its own
  };
  const Kind shapes[] = {{"Sphere", kSphere, true},
                         {"HalfSpace", kHalfSpace, true},
                         {"Box", kBox, true},
                         {"Cylinder", kCylinder, true},
                         {"Capsule", kCapsule, true},
                         {"Frustum", kFrustum, false},
                         {"Ellipsoid", kEllipsoid, false},
                         {"Superellipsoid", kSuperellipsoid, false},
                         {"Polyhedron", kPolyhedron, false}};
  for (std::size_t b = 0; b < std::size(shapes); ++b)
    for (std::size_t a = 0; a <= b; ++a) {
      if (shapes[b].has_pairs) continue;
      constexpr std::size_t kWithPlanes = 2;  // spheres and half-spaces meet any shape exactly
      const std::string name = shapes[a].name + "And" + shapes[b].name;
      const bool general = a >= kWithPlanes, flat = name.find("Super") != std::string::npos;
      kinds.push_back(
          {name, shapes[a].make, shapes[b].make, general && flat ? 1e-9 : 1e-12, general});
    }
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(EachKind, PairsOf, testing::ValuesIn(all_kinds()),
                         [](const auto& kinds) { return kinds.param.name; });

}  // namespace
}  // namespace scree

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;

constexpr double kStep = 0.5, kMargin = 3;

struct MovingShape {
  Placed placed;
  Twist twist;

  Placed at(double time) const { return {placed.shape, advance_pose(placed.pose, twist, time)}; }
};

/// Least gap along the free paths, by brute force.
double min_gap_in_step(const MovingShape& a, const MovingShape& b) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 300; ++k)
    least = std::min(least, separation(a.at(kStep * k / 300), b.at(kStep * k / 300)).distance);
  return least;
}

Manifold points_in_step(const MovingShape& a, const MovingShape& b) {
  return contact_points_in_step(a.placed.shape, a.placed.pose, a.twist, b.placed.shape,
                                b.placed.pose, b.twist, kMargin, kStep);
}

double normal_velocity(const ContactPoint& c, const MovingShape& a, const MovingShape& b) {
  return dot(c.normal, velocity_at(b.placed.pose, b.twist, c.point) -
                           velocity_at(a.placed.pose, a.twist, c.point));
}

/// By how much the free paths break the worst of the points [m]; < 0: they obey all.
double broken_by(const Manifold& m, const MovingShape& a, const MovingShape& b) {
  double worst = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < m.count; ++k)
    worst = std::max(worst, -m.points[k].gap - kStep * normal_velocity(m.points[k], a, b));
  return worst;
}

class TwoBodiesInAStep : public testing::TestWithParam<double> {
 protected:
  Shape random_shape() {
    const double kind = random.uniform();
    if (kind < 0.6) return random_box(random);
    if (kind < 0.8) return random_capsule(random);
    return Sphere{random.uniform(0.1, 0.5)};
  }
  /// Two that are apart, and may pass or hit.
  std::pair<MovingShape, MovingShape> random_pair() {
    while (true) {
      MovingShape a{{random_shape(), {random_vector(random, 0.1), random_orientation(random)}}, {}};
      MovingShape b{{random_shape(), {random_vector(random, 2), random_orientation(random)}}, {}};
      const double spin = GetParam();
      a.twist = {random_vector(random, 1), random_vector(random, spin)};
      b.twist = {a.twist.linear + random_vector(random, 4) - 2 * b.placed.pose.position,
                 random_vector(random, spin)};
      if (separation(a.placed, b.placed).distance > 1e-3) return {a, b};
    }
  }
  RandomStream random{41, 0};
};

TEST_P(TwoBodiesInAStep, ObeyTheirPointsIfTheirFreePathsDoNotTouch) {
  int passes = 0, hits = 0, turned = 0;
  for (int k = 0; k < 2000; ++k) {
    const auto [a, b] = random_pair();
    const double least = min_gap_in_step(a, b);
    if (std::abs(least) < 2e-3) continue;  // brute force cannot tell
    const Manifold m = points_in_step(a, b);
    if (least > 0) {
      ++passes;
      EXPECT_LE(broken_by(m, a, b), 1e-12);
      turned += broken_by(contact_points(a.placed, b.placed, kMargin), a, b) > 0;
    } else {
      ++hits;
      if (GetParam() == 0) EXPECT_GT(broken_by(m, a, b), 0);
    }
  }
  EXPECT_GT(passes, 300);
  EXPECT_GT(hits, 300);
  EXPECT_GT(turned, 20);
}

TEST_P(TwoBodiesInAStep, KeepApartIfTheyObeyTheirPoints) {
  for (int k = 0; k < 1000; ++k) {
    auto [a, b] = random_pair();
    const Manifold m = points_in_step(a, b);
    // Any velocity, made to obey.
    b.twist.linear += random_vector(random, 3);
    for (int round = 0; round < 50; ++round)
      for (int i = 0; i < m.count; ++i) {
        const ContactPoint& c = m.points[i];
        const double short_by = -c.gap / kStep - normal_velocity(c, a, b);
        b.twist.linear += std::max(0.0, short_by) * c.normal;
      }
    if (broken_by(m, a, b) > 1e-9) continue;
    const double turned = kStep * (norm(a.twist.angular) * bounding_radius(a.placed.shape) +
                                   norm(b.twist.angular) * bounding_radius(b.placed.shape));
    EXPECT_GE(min_gap_in_step(a, b), -1e-8 - 2 * turned);
  }
}

TEST_P(TwoBodiesInAStep, HaveThePointsOfTheStartUnlessTheyPass) {
  for (int k = 0; k < 1000; ++k) {
    const auto [a, b] = random_pair();
    const Manifold start = contact_points(a.placed, b.placed, kMargin);
    if (broken_by(start, a, b) > 0 && min_gap_in_step(a, b) > -2e-3) continue;
    const Manifold m = points_in_step(a, b);
    ASSERT_EQ(m.count, start.count);
    for (int i = 0; i < m.count; ++i) {
      EXPECT_EQ(m.points[i].feature, start.points[i].feature);
      EXPECT_EQ(m.points[i].gap, start.points[i].gap);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spin, TwoBodiesInAStep, testing::Values(0.0, 0.2), [](const auto& spin) {
  return spin.param == 0 ? "InTranslation" : "Rolling";
});

TEST(ABox, PassesAboveTheEdgeOfAnotherWithoutBeingStopped) {
  // Flies over the corner of a step that it would hit if it were as wide as its plane.
  const MovingShape step{{Box{{1, 1, 1}}, {}}, {}};
  const MovingShape box{{Box{{0.1, 0.1, 0.1}}, {{-1.5, 0, 1.06}, {}}}, {{4, 0, 0.5}, {}}};
  ASSERT_GT(min_gap_in_step(step, box), 0);
  EXPECT_LE(broken_by(points_in_step(step, box), step, box), 0);
}

TEST(ABox, ThatFallsOntoAPlaneHasThePointsOfTheStart) {
  const MovingShape plane{{HalfSpace{}, {}}, {}};
  const MovingShape box{{Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.2}, {}}}, {{0, 0, -1}, {}}};
  const Manifold m = points_in_step(plane, box);
  ASSERT_EQ(m.count, 4);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(m.points[k].gap, 0.1, 1e-15);
}

}  // namespace
}  // namespace scree

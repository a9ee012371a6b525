// Points of springs: their forces are the slope of their energy.
#include "scree/collision/overlap_points.hpp"

#include <gtest/gtest.h>

#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;

/// Energy of springs of stiffness 1 at the points [m²], and what they do to B [m], [m²].
struct Springs {
  double energy = 0;
  Vec3 push, torque;
};
Springs springs_of(const Placed& a, const Placed& b) {
  const SurfacePoints points = overlap_points(a.shape, a.pose, b.shape, b.pose);
  Springs springs;
  for (int k = 0; k < points.count; ++k) {
    const ContactPoint& p = points.points[k];
    springs.energy += 0.5 * p.gap * p.gap;
    springs.push -= p.gap * p.normal;
    springs.torque -= p.gap * cross(p.point - b.pose.position, p.normal);
  }
  return springs;
}

Placed turned(const Placed& b, const Vec3& by) {
  Placed other = b;
  other.pose.orientation = normalised(rotation(by, norm(by)) * b.pose.orientation);
  return other;
}
Placed shifted(const Placed& b, const Vec3& by) {
  return {b.shape, {b.pose.position + by, b.pose.orientation}};
}

void expect_push_is_the_slope_of_energy(const Placed& a, const Placed& b, double depth) {
  constexpr double kSmall = 1e-4;  // of the depth: within it few points come or go
  const Springs here = springs_of(a, b);
  const double by = kSmall * depth;
  for (int k = 0; k < 3; ++k) {
    Vec3 e;
    e[k] = by;
    const double slope =
        (springs_of(a, shifted(b, e)).energy - springs_of(a, shifted(b, -e)).energy) / (2 * by);
    EXPECT_NEAR(here.push[k], -slope, 1e-3 * depth);
    const double turn =
        (springs_of(a, turned(b, e)).energy - springs_of(a, turned(b, -e)).energy) / (2 * by);
    EXPECT_NEAR(here.torque[k], -turn, 1e-3 * depth);
  }
}

/// From upright to lying, all in between, the last ones nearly flat.
Quaternion any_tilt(RandomStream& random) {
  const double tilt = random.uniform(0, 1) < 0.4 ? random.uniform(0, std::numbers::pi)
                                                 : std::exp(random.uniform(-12, 0));
  const double azimuth = random.uniform(0, 2 * std::numbers::pi);
  const double spin = random.uniform(0, 2 * std::numbers::pi);
  return rotation(Vec3{std::cos(azimuth), std::sin(azimuth), 0}, tilt) * rotation({0, 0, 1}, spin);
}

Shape standing_shape(RandomStream& random, int k) {
  switch (k % 4) {
    case 0:
      return Cylinder{random.uniform(0.3, 1), random.uniform(0.3, 1)};
    case 1:
      return random_frustum(random);
    case 2:
      return Frustum{random.uniform(0.3, 1), 0, -0.5, random.uniform(0.2, 1)};
    default:
      return random_polyhedron(random);
  }
}

TEST(OverlapPoints, OnFlatSidesPushAsTheSlopeOfTheirEnergy) {
  RandomStream random{11, 0};
  const Placed floors[] = {{HalfSpace{}, {{0, 0, 0.5}, {}}},
                           {Box{{4, 4, 0.5}}, {}},
                           {Cylinder{4, 0.5}, {}},
                           {Frustum{4, 4.5, -0.5, 0.5}, {}}};
  int met = 0;
  for (int k = 0; k < 2000; ++k) {
    const Placed& floor = floors[k / 4 % 4];
    Placed body{standing_shape(random, k), {{}, any_tilt(random)}};
    const double depth = std::exp(random.uniform(-9, -4));
    const Vec3 down{0, 0, -1};
    body.pose.position = {random.uniform(-1, 1), random.uniform(-1, 1),
                          0.5 - depth + support(body.shape, body.pose, down)};
    SCOPED_TRACE(k);
    const SurfacePoints points = overlap_points(floor.shape, floor.pose, body.shape, body.pose);
    double deepest = 0;
    for (int p = 0; p < points.count; ++p) deepest = std::max(deepest, -points.points[p].gap);
    // Where a whole rim overlaps the four lie beside its deepest point.
    EXPECT_LT(deepest, depth + 1e-12);
    EXPECT_GT(deepest, 0.7 * depth);
    EXPECT_LE(points.count, static_cast<int>(max_overlaps(floor.shape, body.shape)));
    expect_push_is_the_slope_of_energy(floor, body, depth);
    met += points.count > 1;
  }
  EXPECT_GT(met, 400);
}

/// B moved along their least way until they overlap by this much.
Placed overlapping(const Placed& a, const Placed& b, double depth) {
  Placed moved = b;
  for (int k = 0; k < 3; ++k) {
    const SurfaceDistance now = separation(a.shape, a.pose, moved.shape, moved.pose);
    moved = shifted(moved, (-depth - now.distance) * now.normal);
  }
  return moved;
}

TEST(OverlapPoints, OfAnyPairHaveNormalsOfUnitLengthAndItsDepth) {
  RandomStream random{13, 0};
  const auto any_shape = [&](int k) -> Shape {
    return k % 5 == 4 ? Shape{random_box(random)} : standing_shape(random, k % 5);
  };
  int met = 0;
  for (int k = 0; k < 2500; ++k) {
    const Placed a{any_shape(k % 5), {{}, random_orientation(random)}},
        apart{any_shape(k / 5 % 5), {4 * random_direction(random), random_orientation(random)}};
    const Placed b = overlapping(a, apart, 0.02);
    const SurfaceDistance found = separation(a.shape, a.pose, b.shape, b.pose);
    if (!(found.distance < 0)) continue;
    SCOPED_TRACE(k);
    const SurfacePoints points = overlap_points(a.shape, a.pose, b.shape, b.pose);
    ASSERT_GT(points.count, 0);
    // A face is chosen where another direction is hardly better.
    const double slack = 1e-3 * std::min(bounding_radius(a.shape), bounding_radius(b.shape));
    for (int p = 0; p < points.count; ++p) {
      EXPECT_NEAR(norm(points.points[p].normal), 1, 1e-12);
      EXPECT_GE(points.points[p].gap, 1.05 * found.distance - slack);
    }
    ++met;
  }
  EXPECT_GT(met, 2000);
}

TEST(OverlapPoints, AreTheSameWithShapesSwapped) {
  RandomStream random{12, 0};
  const Placed floor{Box{{4, 4, 0.5}}, {{0.1, 0.2, 0.3}, random_orientation(random)}};
  for (int k = 0; k < 100; ++k) {
    Placed body{standing_shape(random, k), {{}, floor.pose.orientation * any_tilt(random)}};
    const Vec3 up = rotate(floor.pose.orientation, {0, 0, 1});
    body.pose.position = floor.pose.position + (0.49 + support(body.shape, body.pose, -up)) * up;
    const SurfacePoints one = overlap_points(floor.shape, floor.pose, body.shape, body.pose),
                        other = overlap_points(body.shape, body.pose, floor.shape, floor.pose);
    ASSERT_EQ(one.count, other.count);
    for (int p = 0; p < one.count; ++p) {
      EXPECT_EQ(one.points[p].feature, other.points[p].feature);
      EXPECT_EQ(one.points[p].point, other.points[p].point);
      EXPECT_EQ(one.points[p].normal, -other.points[p].normal);
      EXPECT_EQ(one.points[p].gap, other.points[p].gap);
    }
  }
}

}  // namespace
}  // namespace scree

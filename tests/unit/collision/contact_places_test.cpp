/// Where contact points stand.
#include <cmath>
#include <gtest/gtest.h>

#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;

Shape any_shape(RandomStream& random) {
  switch (static_cast<int>(random.uniform(0, 8))) {
    case 0:
      return random_box(random);
    case 1:
      return random_capsule(random);
    case 2:
      return Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)};
    case 3:
      return random_frustum(random);
    case 4:
      return Frustum{random.uniform(0.1, 1), 0, random.uniform(-1, -0.1), random.uniform(0.1, 1)};
    case 5:
      return random_ellipsoid(random);
    case 6:
      return random_superellipsoid(random);
    default:
      return random_polyhedron(random);
  }
}

/// Lying flat or nearly so as often as in any other way.
Quaternion lying(RandomStream& random) {
  if (random.uniform(0, 1) < 0.3) return random_orientation(random);
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double tilts[] = {0, 1e-9, 1e-6, 1e-3, 0.1};
  const Quaternion flat = rotation(axes[static_cast<int>(random.uniform(0, 3))],
                                   0.5 * std::acos(-1.0) * std::floor(random.uniform(0, 4)));
  return normalised(
      rotation(random_direction(random), tilts[static_cast<int>(random.uniform(0, 5))]) * flat);
}

TEST(ContactPoints, LieOnBothBodiesOfAnyShapeAndRatioOfSizes) {
  RandomStream random{71, 0};
  int points = 0;
  for (int k = 0; k < 4000; ++k) {
    const double larger = std::exp(random.uniform(0, std::log(30)));
    const Placed a{any_shape(random), {{}, lying(random)}};
    Placed b{scaled(any_shape(random), larger), {{}, lying(random)}};
    const Vec3 way = random_direction(random);
    b.pose.position = 3 * larger * way;
    // Moved until they nearly touch.
    for (int n = 0; n < 60; ++n) {
      const double apart = separation(a.shape, a.pose, b.shape, b.pose).distance;
      if (apart < 1e-3) break;
      b.pose.position -= apart * way;
    }
    b.pose.position -= random.uniform(-1e-3, 2e-3) * way;
    const Manifold found = contact_points(a.shape, a.pose, b.shape, b.pose, 1e-2);
    for (int p = 0; p < found.count; ++p) {
      const ContactPoint& c = found.points[p];
      const double from_a = signed_distance(a.shape, a.pose, c.point).distance,
                   from_b = signed_distance(b.shape, b.pose, c.point).distance;
      EXPECT_LE(std::max(from_a, from_b), 0.5 * std::abs(c.gap) + 3e-5)
          << k << ": shapes " << a.shape.index() << " and " << b.shape.index() << ", feature "
          << std::hex << c.feature << std::dec << ", gap " << c.gap << ", sizes 1 : " << larger;
      ++points;
    }
  }
  EXPECT_GT(points, 4000);
}

TEST(ContactPoints, OfWhatRollsOnItsRimAreItsLowestAndNoneNearlyAsLow) {
  // Else it would strike the ground with points of its rim that come near it.
  const Placed grounds[] = {{HalfSpace{}, {}}, {Box{{5, 5, 5}}, {{0.1, 0.2, -5}, {}}}};
  for (const Placed& ground : grounds)
    for (const Shape& shape : {Shape(Cylinder{1, 0.5}), Shape(Frustum{1, 0.95, -0.5, 0.5}),
                               Shape(Frustum{1, 0, -0.5, 1})})
      for (const double tilt : {0.02, 0.2, 0.5, 1.0})
        for (int k = 0; k < 400; ++k) {
          const Quaternion turn = rotation({0, 1, 0}, tilt) * rotation({0, 0, 1}, 0.016 * k);
          const Placed rolls{shape, {{0, 0, std::sin(tilt) + 0.5 * std::cos(tilt)}, turn}};
          const Manifold found = contact_points(ground, rolls, 0.1);
          int near = 0;
          for (int p = 0; p < found.count; ++p)
            near += found.points[p].gap < 0.25 * std::sin(tilt) ? 1 : 0;
          EXPECT_EQ(near, 1) << shape.index() << ' ' << tilt << ' ' << k;
        }
}

}  // namespace
}  // namespace scree

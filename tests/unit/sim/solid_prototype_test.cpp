#include "scree/sim/solid_prototype.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "support/worlds.hpp"

namespace scree {
namespace {

using std::numbers::pi;

struct Mass {
  double volume;
  Vec3 moments;  ///< over the mass, along the body's axes [m²]
};
Mass mass_of(const SolidPrototype& solid) {
  const double r = solid.radius;
  return {volume_properties(scaled(solid.prototype.shape, r)).volume,
          r * r * solid.prototype.inertia};
}

void expect_solid(const SolidPrototype& solid, double volume, const Vec3& moments) {
  const Mass found = mass_of(solid);
  EXPECT_NEAR(found.volume, volume, 1e-12 * volume);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.moments[k], moments[k], 1e-12 * norm(moments));
  EXPECT_NEAR(bounding_radius(solid.prototype.shape), 1, 1e-14);
  EXPECT_NEAR(norm(volume_properties(solid.prototype.shape).centre), 0, 1e-14);
}

TEST(SolidPrototype, HasTheVolumeAndMomentsOfTheClosedForms) {
  const double r = 0.3, l = 0.8;
  expect_solid(solid_prototype(Sphere{r}), 4 * pi / 3 * r * r * r, 0.4 * r * r * Vec3{1, 1, 1});
  expect_solid(solid_prototype(Box{{0.1, 0.2, 0.3}}), 8 * 0.1 * 0.2 * 0.3,
               Vec3{0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04} / 3);
  const double across = (3 * r * r + l * l) / 12;
  expect_solid(solid_prototype(Cylinder{r, l / 2}), pi * r * r * l, {across, across, r * r / 2});
  expect_solid(solid_prototype(Superellipsoid{{0.1, 0.2, 0.3}}), 4 * pi / 3 * 0.1 * 0.2 * 0.3,
               Vec3{0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04} / 5);
}

TEST(SolidPrototype, OfAConeStandsInItsCentreOfMassAQuarterAboveTheBase) {
  const double r = 0.3, l = 0.8, across = 3.0 / 80 * (4 * r * r + l * l);
  const SolidPrototype cone = solid_prototype(Frustum{r, 0, 0, l});
  expect_solid(cone, pi * r * r * l / 3, {across, across, 0.3 * r * r});
  const double farthest = std::max(0.75 * l, std::hypot(0.25 * l, r));
  EXPECT_NEAR(cone.radius, farthest, 1e-15);
  EXPECT_NEAR(cone.radius * cone.prototype.in_shape.position.z, l / 4, 1e-15);
}

TEST(SolidPrototype, OfATetrahedronOfThreeEdgesAtRightAnglesHasItsMoments) {
  // ∫x² = m a²/10 and ∫xy = m a b/20 from the corner; less those of the centre, at a quarter.
  const double a = 0.2, b = 0.3, c = 0.5;
  const PlacedHull hull =
      convex_hull(std::vector<Vec3>{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}});
  const SolidPrototype solid = solid_prototype(hull);
  const Mass found = mass_of(solid);
  EXPECT_NEAR(found.volume, a * b * c / 6, 1e-15);
  const double xx = a * a * (0.1 - 1.0 / 16), yy = b * b * (0.1 - 1.0 / 16),
               zz = c * c * (0.1 - 1.0 / 16), xy = a * b * (0.05 - 1.0 / 16),
               yz = b * c * (0.05 - 1.0 / 16), zx = c * a * (0.05 - 1.0 / 16);
  // The tensor of inertia, along the axes of the points.
  const Vec3 rows[] = {{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}};
  const Quaternion turn = solid.prototype.in_shape.orientation;
  for (int k = 0; k < 3; ++k) {
    Vec3 axis;
    axis[k] = 1;
    const Vec3 along = rotate(turn, axis);
    const Vec3 product{dot(rows[0], along), dot(rows[1], along), dot(rows[2], along)};
    EXPECT_NEAR(norm(product - found.moments[k] * along), 0, 1e-15);
  }
  EXPECT_NEAR(norm(solid.radius * solid.prototype.in_shape.position - 0.25 * Vec3{a, b, c}), 0,
              1e-16);
}

TEST(SolidPrototype, IsPlacedByTheFrameOfItsShape) {
  RandomStream random{1, 0};
  const PlacedHull hull = convex_hull(test::wedge());
  for (const SolidPrototype& solid :
       {solid_prototype(hull), solid_prototype(Frustum{0.3, 0.1, -0.2, 0.7}),
        solid_prototype(Capsule{0.1, 0.3})}) {
    const Pose given{{1, 2, 3}, random_orientation(random)};
    const Pose body = body_pose(solid.prototype, solid.radius, given);
    const Pose back = shape_pose(solid.prototype, solid.radius, body);
    EXPECT_NEAR(norm(back.position - given.position), 0, 1e-14);
    const Vec3 probe{0.3, -0.2, 0.5};
    EXPECT_NEAR(norm(rotate(back.orientation, probe) - rotate(given.orientation, probe)), 0, 1e-14);
  }
  // The corners of a polyhedron come to stand where its points are.
  const SolidPrototype solid = solid_prototype(hull);
  const Pose given{{1, 2, 3}, random_orientation(random)};
  const Pose body = body_pose(solid.prototype, solid.radius, given);
  for (const Vec3& point : test::wedge()) {
    const Vec3 at = given.position + rotate(given.orientation, point);
    double nearest = 1;
    for (const Vec3& v : hull.hull->vertices())
      nearest =
          std::min(nearest, norm(body.position + rotate(body.orientation, solid.radius * v) - at));
    EXPECT_NEAR(nearest, 0, 1e-14);
  }
}

TEST(SolidPrototype, OfWhatHasNoVolumeIsRefused) {
  EXPECT_THROW(solid_prototype(HalfSpace{}), std::domain_error);
  EXPECT_THROW(solid_prototype(Hollow{0.1, 0.1, 0, 1}), std::domain_error);
}

}  // namespace
}  // namespace scree

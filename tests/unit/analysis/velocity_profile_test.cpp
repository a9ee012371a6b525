#include "scree/analysis/velocity_profile.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

void expect_near(const Vec3& found, const Vec3& expected, double tolerance) {
  EXPECT_NEAR(norm(found - expected), 0, tolerance) << found.x << " " << found.y << " " << found.z;
}

TEST(VelocityProfile, OfPlugFlowIsTheSameEverywhere) {
  Bodies bodies = spheres_at(simple_cubic(8, 1, {0.5, 0.5, 0.5}), 0.5);
  for (Vec3& v : bodies.velocity) v = {1, -2, 3};
  VelocityProfile profile({{{0, 0, 0}, {8, 8, 8}}, {2, 4, 1}});
  profile.add(bodies, kSpheres);
  for (const ProfileCell& cell : profile.cells()) {
    EXPECT_EQ(cell.bodies, 64);
    EXPECT_EQ(cell.velocity, (Vec3{1, -2, 3}));
    EXPECT_NEAR(cell.solid_fraction, std::numbers::pi / 6, 1e-13);
  }
}

TEST(VelocityProfile, OfARigidRotationIsThatOfTheCellsCentre) {
  const Vec3 omega{0.1, -0.7, 2}, pivot{3, 1, 4};
  Bodies bodies = spheres_at(simple_cubic(8, 1, {0.5, 0.5, 0.5}), 0.5);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.velocity[i] = cross(omega, bodies.position[i] - pivot);
    bodies.angular_velocity[i] = omega;
  }
  VelocityProfile profile({{{0, 0, 0}, {8, 8, 8}}, {2, 4, 2}});
  profile.add(bodies, kSpheres);
  // The field is linear, so its mean over bodies that stand symmetrically is its value at the
  // middle.
  const auto cells = profile.cells();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Region cell = profile.grid().cell(k);
    expect_near(cells[k].velocity, cross(omega, 0.5 * (cell.min + cell.max) - pivot), 1e-13);
    expect_near(cells[k].angular_velocity, omega, 1e-14);
  }
}

TEST(VelocityProfile, HasMeanSpeedsOfBodiesWhoseVelocitiesCancelOut) {
  Bodies bodies = spheres_at({{0.4, 0.5, 0.5}, {0.6, 0.5, 0.5}}, 0.1);
  bodies.velocity[0] = {3, 0, 4}, bodies.velocity[1] = {-3, 0, -4};
  bodies.angular_velocity[0] = {0, 7, 0}, bodies.angular_velocity[1] = {0, -9, 0};
  VelocityProfile profile({{{0, 0, 0}, {1, 1, 1}}, {1, 1, 1}});
  profile.add(bodies, kSpheres);
  const ProfileCell cell = profile.cells()[0];
  EXPECT_EQ(cell.velocity, Vec3{});
  EXPECT_EQ(cell.speed, 5);
  EXPECT_EQ(cell.angular_velocity, (Vec3{0, -1, 0}));
  EXPECT_EQ(cell.angular_speed, 8);
}

TEST(VelocityProfile, CountsEachBodyAsOftenAsItWasThere) {
  VelocityProfile profile({{{0, 0, 0}, {2, 1, 1}}, {2, 1, 1}});
  Bodies bodies = spheres_at({{0.5, 0.5, 0.5}, {0.6, 0.5, 0.5}}, 0.1);
  bodies.velocity[0] = bodies.velocity[1] = {3, 0, 0};
  profile.add(bodies, kSpheres);
  bodies.position[1].x = 1.5;  // gone to the other cell
  bodies.velocity[0] = {6, 0, 0};
  profile.add(bodies, kSpheres);
  EXPECT_EQ(profile.frames(), 2U);
  const auto cells = profile.cells();
  EXPECT_EQ(cells[0].bodies, 1.5);
  EXPECT_EQ(cells[0].velocity.x, 4);
  EXPECT_EQ(cells[1].bodies, 0.5);
  EXPECT_EQ(cells[1].velocity.x, 3);
}

TEST(VelocityProfile, LeavesOutWhatIsNotFiniteOrOutside) {
  VelocityProfile profile({{{0, 0, 0}, {1, 1, 1}}, {3, 3, 3}});
  Bodies bodies = spheres_at({{NAN, 0.5, 0.5}, {0.5, 0.5, 0.5}, {7, -1e300, 1e300}}, 0.1);
  bodies.velocity[1].y = INFINITY;
  profile.add(bodies, kSpheres);
  for (const ProfileCell& cell : profile.cells()) {
    EXPECT_EQ(cell.bodies, 0);
    EXPECT_EQ(cell.solid_fraction, 0);
    EXPECT_EQ(cell.velocity, Vec3{});
  }
}

TEST(VelocityProfile, RefusesAGridOfNothing) {
  EXPECT_THROW(VelocityProfile({{{0, 0, 0}, {1, 1, 0}}, {1, 1, 1}}), InputError);
  EXPECT_THROW(VelocityProfile({{{0, 0, 0}, {1, 1, 1}}, {1, 0, 1}}), InputError);
}

}  // namespace
}  // namespace scree

/// The surface of drums whose angle is known.
#include "scree/analysis/drum.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "scree/math/random.hpp"
#include "unit/analysis/angles.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

using test::kDegree;
constexpr double kDrumGrain = 0.02;
const Region kWholeDrum{{-20, -20, -20}, {20, 20, 20}};

void add(Bodies& bodies, const Vec3& x) { add_sphere(bodies, x, kDrumGrain); }

/// A drum of radius 1 about y, `length` long, filled below a plane through its axis that rises
/// along x by this angle; S-shaped where `bend` > 0, as it is where grains meet the drum.
Bodies drum(double angle, std::uint64_t seed, double length = 0.5, double bend = 0) {
  RandomStream random{seed};
  Bodies bodies;
  for (double x = -1; x < 1; x += 2 * kDrumGrain)
    for (double y = 0; y < length; y += 2 * kDrumGrain)
      for (double z = -1; z < 1; z += 2 * kDrumGrain) {
        const Vec3 place{x + random.uniform(-kDrumGrain, kDrumGrain), y + kDrumGrain,
                         z + random.uniform(-kDrumGrain, kDrumGrain)};
        const double surface = place.x * std::tan(angle) + bend * std::pow(place.x, 5);
        if (std::hypot(place.x, place.z) < 1 - kDrumGrain && place.z < surface) add(bodies, place);
      }
  return bodies;
}

TEST(DrumSurface, HasTheAngleThatItWasBuiltWith) {
  for (const double degrees : {-35.0, 0.0, 15.0, 25.0, 45.0}) {
    const auto surface = drum_surface_of(drum(degrees * kDegree, 1), kWholeDrum, {2, 1}, 1);
    ASSERT_TRUE(surface) << degrees;
    EXPECT_LT(std::abs(surface->angle / kDegree - degrees), 3 * surface->error / kDegree);
    EXPECT_LT(surface->error / kDegree, 1);
    EXPECT_LT(surface->roughness, 2 * kDrumGrain / std::cos(degrees * kDegree));
    EXPECT_GT(surface->columns, 200);
  }
}

TEST(DrumSurface, TellsHowSureItsAngleIs) {
  // Over many fillings the angle scatters by its error, about the given angle.
  for (const double degrees : {-40.0, 10.0, 25.0}) {
    double sum = 0, squares = 0, error = 0;
    constexpr int kFillings = 40;
    for (std::uint64_t seed = 1; seed <= kFillings; ++seed) {
      const auto surface =
          drum_surface_of(drum(degrees * kDegree, seed, 0.1), kWholeDrum, {2, 1}, 1);
      ASSERT_TRUE(surface);
      sum += surface->angle / kDegree;
      squares += std::pow(surface->angle / kDegree, 2);
      error += surface->error / kDegree / kFillings;
    }
    const double mean = sum / kFillings, scatter = std::sqrt(squares / kFillings - mean * mean);
    EXPECT_NEAR(mean, degrees, 3 * scatter / std::sqrt(kFillings) + 0.2);
    EXPECT_GT(scatter / error, 0.6) << degrees;
    EXPECT_LT(scatter / error, 1.7) << degrees;
  }
}

TEST(DrumSurface, IsThatOfTheMiddleAndNotOfWhatFlies) {
  Bodies bodies = drum(30 * kDegree, 2, 0.5, 0.3);
  RandomStream random{7};
  for (int k = 0; k < 60; ++k)  // well above the surface
    add(bodies, {random.uniform(-0.6, 0.6), random.uniform(0, 0.5), random.uniform(0.6, 0.7)});
  const auto surface = drum_surface_of(bodies, kWholeDrum, {2, 1}, 1);
  ASSERT_TRUE(surface);
  EXPECT_NEAR(surface->angle / kDegree, 30, 1.5);
  EXPECT_NEAR(surface->low, -0.43, 0.1);
  EXPECT_NEAR(surface->high, 0.43, 0.15);
}

TEST(DrumSurface, TurnsWithSpace) {
  const auto as_built = drum_surface_of(drum(20 * kDegree, 3), kWholeDrum, {2, 1}, 1);
  Bodies about_z = drum(20 * kDegree, 3), hanging = about_z;
  for (Vec3& x : about_z.position) x = {x.z, x.x, x.y};  // gravity along −x, rises along y
  const auto turned = drum_surface_of(about_z, kWholeDrum, {0, 1}, 2);
  for (Vec3& x : hanging.position) x.z = -x.z;  // gravity along +z
  const auto upside_down = drum_surface_of(hanging, kWholeDrum, {2, -1}, 1);
  ASSERT_TRUE(as_built && turned && upside_down);
  EXPECT_NEAR(turned->angle, as_built->angle, 0.02);
  EXPECT_NEAR(upside_down->angle, as_built->angle, 1e-12);
}

TEST(DrumSurface, IsNoneOfAFewBodies) {
  EXPECT_FALSE(drum_surface_of(Bodies{}, kWholeDrum, {2, 1}, 1));
  Bodies bodies;
  for (int k = 0; k < 4; ++k) add(bodies, {0.04 * k, 0, 0});
  EXPECT_FALSE(drum_surface_of(bodies, kWholeDrum, {2, 1}, 1));
}

}  // namespace
}  // namespace scree

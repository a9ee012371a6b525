#include "scree/studies/stiff_limit.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "unit/studies/jamming_rod.hpp"

namespace scree::studies {
namespace {

using std::numbers::pi;

const double kJam[2] = {3 * std::sqrt(3) / 16, 7.0 / 16};  // Λ2

TEST(StiffLimit, IsTheImpulseThatJamsWhereDampingRules) {
  double last = 1;
  for (const double ratio : {10.0, 100.0, 1000.0}) {
    const StiffLimit limit = stiff_limit(kRod, kSliding, ratio, ratio);
    ASSERT_TRUE(limit.found);
    const double error = std::hypot(limit.impulse.n - kJam[0], limit.impulse.t - kJam[1]);
    EXPECT_LT(error, 0.4 / ratio);
    EXPECT_LT(error, 0.2 * last) << "what the spring gives back falls as 1/Π_n";
    last = error;
  }
}

TEST(StiffLimit, IsExactlyThatImpulseWhereTheTangentialDamperIsSlow) {
  const StiffLimit limit = stiff_limit(kRod, kSliding, 10, 0.01);
  ASSERT_TRUE(limit.found);
  EXPECT_FALSE(limit.breaks) << "the spring relaxes with the slip, and gives nothing back";
  EXPECT_NEAR(limit.impulse.n, kJam[0], 1e-7);
  EXPECT_NEAR(limit.impulse.t, kJam[1], 1e-7);
}

TEST(StiffLimit, ReboundsWhereTheSpringRules) {
  const StiffLimit limit = stiff_limit(kRod, kSliding, 0.01, 100);
  ASSERT_TRUE(limit.found);
  EXPECT_GT(limit.impulse.n, 1.3 * kJam[0]);
  EXPECT_GT(limit.after.n, 0.1);
  EXPECT_NEAR(limit.after.t, 0, 1e-4) << "stuck";
}

TEST(StiffLimit, VanishesWithTheTangentialDamper) {
  const double n = stiff_limit(kRod, kSliding, 0.01, 1e-3).impulse.n;
  EXPECT_LT(n, 0.01);
  EXPECT_GT(n, 0);
}

TEST(StiffLimit, IsWhereTheWholeRodGoes) {
  for (const auto& [normal, tangential] : {std::pair{1.0, 1.0}, {0.1, 10.0}, {10.0, 1.0}}) {
    const StiffLimit limit = stiff_limit(kRod, kSliding, normal, tangential);
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const double stiffness = k == 0 ? 1e8 : 1e10, root = std::sqrt(stiffness);
      const CompliantRun run =
          run_compliant(kRod, kSliding, 0, kWeight, {stiffness, normal * root, tangential * root},
                        {.until = 1, .stop_at_break = true});
      error[k] = std::hypot(run.end.n - limit.impulse.n, run.end.t - limit.impulse.t);
    }
    EXPECT_LT(error[1], 1e-3);
    EXPECT_NEAR(error[0] / error[1], 8, 3) << "as ln(k)/sqrt(k)";
  }
}

TEST(StiffLimit, IsNoneWhereSlidingIsStable) {
  Rod rod;
  rod.friction = 1;
  EXPECT_FALSE(stiff_limit(rod, kSliding, 1, 1).found);
}

TEST(Separatrix, IsTheUnstableForceInTheStiffLimitWhateverTheDamping) {
  const double unstable = force_solutions(kRod, kSliding, kTorque).all.at(1).rn;
  for (const double ratio : {1.0, 10.0}) {
    const double damping = ratio * 1e4;
    const auto force = separatrix(kRod, kSliding, kTorque, {1e8, damping, damping}, 20);
    ASSERT_TRUE(force.has_value());
    EXPECT_NEAR(*force, unstable, 1e-4);
  }
}

TEST(Separatrix, IsNoneWhereNotEvenTheMostJams) {
  EXPECT_FALSE(separatrix(kRod, kSliding, kTorque, {1e8, 1e4, 1e4}, 5).has_value());
}

TEST(BreakingRatio, TendsToTheOneThatTheSpringsEnergyGives) {
  const double limit = limit_of_breaking_ratio(kRod, kSliding, kWeight);
  const double coarse = breaking_ratio(kRod, kSliding, kWeight, 1e4) - limit;
  const double fine = breaking_ratio(kRod, kSliding, kWeight, 1e6) - limit;
  EXPECT_LT(fine, 0.005);
  EXPECT_NEAR(coarse / fine, 10, 1) << "as 1/sqrt(stiffness)";
}

}  // namespace
}  // namespace scree::studies

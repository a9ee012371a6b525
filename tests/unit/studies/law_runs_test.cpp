#include "scree/studies/law_runs.hpp"

#include <gtest/gtest.h>
#include <numbers>

#include "unit/studies/jamming_rod.hpp"

namespace scree::studies {
namespace {

using std::numbers::pi;

TEST(LawRuns, EveryLawJamsTheRodThatNoForceHolds) {
  for (const auto& [name, law] : frictional_laws(kRod.friction)) {
    const LawStep first = run_law(kRod, kSliding, kWeight, 0.01, 1, law).front();
    EXPECT_EQ(first.solutions, 1U);
    EXPECT_EQ(first.taken, ContactState::stick) << name;
    EXPECT_NEAR(first.impulse.n, 0.3328845264, 1e-10) << name;
    EXPECT_NEAR(first.impulse.t, 0.4407475953, 1e-10) << name;
  }
}

TEST(LawRuns, AllButTheConvexRelaxationLiftOffWhereTheyMay) {
  for (const auto& [name, law] : frictional_laws(kRod.friction)) {
    const LawStep first = run_law(kRod, kSliding, kTorque, 0.01, 1, law).front();
    EXPECT_EQ(first.solutions, 3U);
    const bool relaxed = std::holds_alternative<ConeComplementarity>(law);
    EXPECT_EQ(first.taken, relaxed ? ContactState::stick : ContactState::open) << name;
  }
}

TEST(LawRuns, CoulombByContinuityStaysJammed) {
  const NormalTangential jammed{0.3266, 0.4516};
  for (const auto& [name, law] : frictional_laws(kRod.friction)) {
    const LawStep first = run_law(kRod, kSliding, kTorque, 0.01, 1, law, jammed).front();
    const bool stays = name == "coulomb, continuity" || name == "cone_complementarity";
    EXPECT_EQ(first.taken, stays ? ContactState::stick : ContactState::open) << name;
  }
}

TEST(LawRuns, CoulombLiftsOffWhereSlidingBecomesParadoxical) {
  // From 45°, where A > 0, friction rotates the rod up to A = 0; there the end is about to leave
  // the plane, and does.
  const RodState start = touching(kRod, pi / 4, -20);
  const std::vector<LawStep> run =
      run_law(kRod, start, kWeight, 1e-4, 3000, Coulomb{kRod.friction});
  double angle = 0;
  for (const LawStep& step : run)
    if (step.taken == ContactState::open) {
      angle = step.state.angle;
      break;
    }
  EXPECT_NEAR(sliding_coefficient(kRod, angle), 0, 2e-3);
}

}  // namespace
}  // namespace scree::studies

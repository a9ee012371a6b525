#include "scree/studies/compliant_rod.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "studies/dormand_prince.hpp"
#include "unit/studies/jamming_rod.hpp"
#include "unit/studies/reference.hpp"

namespace scree::studies {
namespace {

using nlohmann::json;
using std::numbers::pi;

TEST(DormandPrince, HasOrderFiveAndAnErrorEstimateOfOrderFive) {
  // y' = −y², y = 1/(1 + t)
  const auto field = [](const StateVector<1>& y) { return StateVector<1>{-y[0] * y[0]}; };
  double error[2], estimate[2];
  for (int k = 0; k < 2; ++k) {
    const double h = 0.1 / (k + 1);
    const TrialStep<1> step = dormand_prince_step(field, StateVector<1>{1 / 1.3}, h);
    error[k] = std::abs(step.end[0] - 1 / (1.3 + h));
    estimate[k] = std::abs(step.error[0]);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 6, 0.8) << "of one step: one more than of the method";
  EXPECT_NEAR(std::log2(estimate[0] / estimate[1]), 5, 0.8);
  EXPECT_LT(error[0], estimate[0]);
}

TEST(CompliantRod, HasTheForceIntegralsOfTwoOtherIntegrators) {
  const json rows = reference("painleve.json")["compliance"];
  ASSERT_EQ(rows.size(), 6U);
  for (const json& row : rows) {
    const double alpha = row["alpha"];
    const CompliantRun run = run_compliant(kRod, kSliding, 0, kWeight, {alpha, alpha, alpha}, {});
    ASSERT_TRUE(run.finished);
    ASSERT_TRUE(run.stick.has_value());
    EXPECT_NEAR(run.stick->time / row["t_slip_stick"].get<double>(), 1, 1e-6) << "alpha " << alpha;
    EXPECT_NEAR(run.stick->n, row["int_ln_at_stick"], 1e-9);
    EXPECT_NEAR(run.stick->t, row["int_lt_at_stick"], 1e-9);
    EXPECT_NEAR(run.end.n, row["int_ln"], 1e-9);
    EXPECT_NEAR(run.end.t, row["int_lt"], 1e-9);
    EXPECT_NEAR(run.angle, row["phi_end"], 1e-9);
    EXPECT_FALSE(run.broke.has_value()) << "stuck, the rod keeps leaning on the plane";
  }
}

TEST(CompliantRod, LiftsOffAtOnceWithoutPenetrationAndJamsWithEnoughOfIt) {
  EXPECT_EQ(run_compliant(kRod, kSliding, 0, kTorque, {1e6, 1e6, 1e6}, {}).end.n, 0);
  const json rows = reference("painleve.json")["penetration"];
  ASSERT_EQ(rows.size(), 7U);
  for (const json& row : rows) {
    const double alpha = row["alpha"];
    const CompliantRun run =
        run_compliant(kRod, kSliding, row["gap"], kTorque, {alpha, alpha, alpha},
                      {.until = 1, .stop_at_break = true});
    ASSERT_TRUE(run.broke.has_value());
    EXPECT_NEAR(run.end.n, row["n"], 1e-8) << "alpha " << alpha << " gap " << row["gap"];
    EXPECT_NEAR(run.end.t, row["t"], 1e-8);
  }
}

TEST(CompliantRod, BouncesAsAnOscillatorWithoutFrictionAndRotation) {
  // A rod that stands upright is a mass on a spring; it leaves with the speed at which it came,
  // after half a period.
  Rod rod;
  rod.friction = 0;
  RodState falling = touching(rod, pi / 2, 0);
  falling.velocity_y = -1;
  const CompliantRun run =
      run_compliant(rod, falling, 0, {}, {400, 0, 1}, {.until = 1, .stop_at_break = true});
  ASSERT_TRUE(run.broke.has_value());
  EXPECT_NEAR(run.broke->time, pi / 20, 1e-10);
  EXPECT_NEAR(run.gap_velocity.n, 1, 1e-9);
  EXPECT_NEAR(run.end.n, 2, 1e-9);
}

TEST(CompliantRod, SaysSoWhenTheStepsRunOut) {
  const CompliantRun run =
      run_compliant(kRod, kSliding, 0, kWeight, {1e4, 1e4, 1e4}, {.max_steps = 10});
  EXPECT_FALSE(run.finished);
  EXPECT_EQ(run.steps, 10U);
}

}  // namespace
}  // namespace scree::studies

#include "scree/studies/rod.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/math/random.hpp"
#include "unit/studies/jamming_rod.hpp"
#include "unit/studies/reference.hpp"

namespace scree::studies {
namespace {

using nlohmann::json;
using std::numbers::pi;

ContactState state_of(const std::string& name) {
  if (name == "open") return ContactState::open;
  return name == "stick" ? ContactState::stick : ContactState::slip_left;
}

void expect_same(const PlanarSolutions& ours, const json& expected) {
  ASSERT_EQ(ours.all.size(), expected.size());
  EXPECT_FALSE(ours.continuum);
  for (const json& e : expected) {
    const auto match = std::find_if(ours.all.begin(), ours.all.end(), [&](const PlanarSolution& s) {
      return s.state == state_of(e["state"]);
    });
    ASSERT_NE(match, ours.all.end()) << e["state"];
    EXPECT_NEAR(match->rn, e["n"], 1e-12);
    EXPECT_NEAR(match->rt, e["t"], 1e-12);
  }
}

TEST(Rod, HasTheForcesImpulsesAndImpulsesOfThePaper) {
  const json lcp = reference("painleve.json")["lcp"];
  expect_same(force_solutions(kRod, kSliding, kWeight), lcp["force_tau0"]);
  expect_same(force_solutions(kRod, kSliding, kTorque), lcp["force_tauNU"]);
  expect_same(all_solutions(impulse_problem(kRod, kSliding)), lcp["impulsive"]);
  expect_same(all_solutions(step_problem(kRod, kSliding, kWeight, 0.01)), lcp["ts_tau0_dt0.01"]);
  expect_same(all_solutions(step_problem(kRod, kSliding, kTorque, 0.01)), lcp["ts_tauNU_dt0.01"]);
}

TEST(Rod, HasTheImpulseThatJamsInClosedForm) {
  const PlanarSolutions impulses = all_solutions(impulse_problem(kRod, kSliding));
  EXPECT_NEAR(impulses.all.at(1).rn, 3 * std::sqrt(3) / 16, 1e-15);
  EXPECT_NEAR(impulses.all.at(1).rt, 7.0 / 16, 1e-15);
}

TEST(Rod, TakesOneTwoOrNoForcesByTheSignsOfAAndB) {
  const auto count = [](double friction, double torque) {
    Rod rod;
    rod.friction = friction;
    return force_solutions(rod, kSliding, {0, -1, torque}).all.size();
  };
  EXPECT_EQ(count(1, 0), 1U) << "A > 0, b > 0: slides";
  EXPECT_EQ(count(1, -5.0 / 3), 1U) << "A > 0, b < 0: opens";
  EXPECT_EQ(count(1.5, 0), 0U) << "A < 0, b > 0";
  EXPECT_EQ(count(1.5, -5.0 / 3), 2U) << "A < 0, b < 0";
}

TEST(Rod, ThatRestsHasTheForceThatHoldsIt) {
  const RodState resting = touching(kRod, 0.45 * pi, 0);
  const PlanarSolutions held = force_solutions(kRod, resting, kWeight);
  ASSERT_EQ(held.all.size(), 1U);
  EXPECT_EQ(held.all[0].state, ContactState::stick);
  EXPECT_NEAR(held.all[0].un, 0, 1e-15);
  EXPECT_NEAR(held.all[0].ut, 0, 1e-15);
}

TEST(Rod, HasItsLeastCriticalFrictionAtFourThirds) {
  EXPECT_NEAR(critical_friction(kRod, pi / 3), reference("painleve.json")["critical_friction"],
              1e-14);
  const double angle = 0.5 * std::acos(-0.6);
  EXPECT_NEAR(angle, std::atan(0.75 + std::sqrt(9.0 / 16 + 1)), 1e-15)
      << "the two papers give the same angle";
  EXPECT_NEAR(critical_friction(kRod, angle), 4.0 / 3, 1e-14);
  EXPECT_GT(critical_friction(kRod, angle + 1e-3), 4.0 / 3);
  EXPECT_GT(critical_friction(kRod, angle - 1e-3), 4.0 / 3);
  for (double a = 0.1; a < 1.5; a += 0.1)
    EXPECT_NEAR(critical_friction(kRod, a), (std::cos(a) + 1 / (3 * std::cos(a))) / std::sin(a),
                1e-12);
}

TEST(Rod, JamsByAnImpulseExactlyWhereSlidingIsParadoxical) {
  RandomStream random{51, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    Rod rod;
    rod.friction = random.uniform(0, 4);
    const RodState state = touching(rod, random.uniform(0.05, 1.52), -random.uniform(0.1, 3));
    const bool jams = all_solutions(impulse_problem(rod, state)).all.size() == 2;
    EXPECT_EQ(jams, sliding_coefficient(rod, state.angle) < 0) << "trial " << trial;
  }
}

TEST(Rod, StepsTendToImpulsesWithTheTimeStep) {
  const PlanarSolution limit = all_solutions(impulse_problem(kRod, kSliding)).all.at(1);
  double last = 1;
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    const PlanarSolution stick = all_solutions(step_problem(kRod, kSliding, kWeight, h)).all.at(0);
    const double error = std::hypot(stick.rn - limit.rn, stick.rt - limit.rt);
    EXPECT_LT(error, h);
    if (last < 1) {
      EXPECT_NEAR(last / error, 10, 1e-6) << "first order";
    }
    last = error;
  }
}

TEST(PlanarContact, HasTheSolutionsOfItsComplementarityProblem) {
  RandomStream random{52, 0};
  int several = 0, none = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const double a = random.normal(), b = random.normal(), c = random.normal();
    const PlanarContact contact{a * a + 0.05,    a * b,           b * b + c * c + 0.05,
                                random.normal(), random.normal(), random.uniform(0, 4)};
    const PlanarSolutions ours = all_solutions(contact);
    const LcpSolutions lcp = all_lcp_solutions(as_lcp(contact));
    // The LCP has half-lines of λ ≥ |u_t| at r = 0, and segments of r_t⁺, r_t⁻ with one difference
    // where the contact sticks.
    std::vector<std::vector<double>> points;
    for (const LcpPoint& point : lcp.isolated) points.push_back(point.z);
    for (const LcpSegment& line : lcp.continua) points.push_back(line.start);
    ASSERT_TRUE(lcp.unclear.empty());
    ASSERT_EQ(points.size(), ours.all.size()) << "trial " << trial;
    for (const std::vector<double>& z : points) {
      const double rn = z[0], rt = z[1] - z[2];
      const auto same = [&](const PlanarSolution& s) {
        return std::hypot(s.rn - rn, s.rt - rt) < 1e-9 * (1 + std::hypot(rn, rt));
      };
      EXPECT_TRUE(std::any_of(ours.all.begin(), ours.all.end(), same)) << "trial " << trial;
    }
    several += ours.all.size() > 1;
    none += ours.all.empty();
    EXPECT_EQ(solve_lemke(as_lcp(contact)).status, LcpStatus::solved)
        << "copositive: Lemke's algorithm finds one";
  }
  EXPECT_EQ(none, 0) << "impulses always solve it";
  EXPECT_GT(several, 50);
}

TEST(PlanarContact, TellsTheHalfLineWhereTheCoefficientVanishes) {
  // W_nn + μ W_nt = 0 and q_n = 0: any amount of friction to the right slides on.
  const PlanarSolutions solutions = all_solutions({1, -1, 2, 0, -1, 1});
  EXPECT_TRUE(solutions.continuum);
}

}  // namespace
}  // namespace scree::studies

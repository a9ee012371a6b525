#include "scree/sim/integrators.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(AdvanceOrientation, KeepsUnitLengthAndTurnsBySeedsAngle) {
  const Quaternion q = advance_orientation({}, {0, 0, 2}, 0.01);
  EXPECT_NEAR(norm(q), 1, 1e-15);
  EXPECT_NEAR(2 * std::atan2(q.z, q.w), 2 * std::atan(0.01), 1e-15);
}

TEST(RotateExactly, TurnsByHTimesOmega) {
  const Quaternion q = rotate_exactly({}, {0, 3, 0}, 0.5);
  EXPECT_NEAR(2 * std::atan2(q.y, q.w), 1.5, 1e-14);
}

/// Dzhanibekov's nut: torque-free rotation with I = (1, 2, 3), ω = (0.01, 1, 0.01) about the
/// unstable middle axis. Period of ω, energy and momentum by elliptic integrals, checked with an
/// ODE solver.
struct FreeRotation {
  Quaternion q;
  Vec3 w{0.01, 1, 0.01};
  double h;

  explicit FreeRotation(double step) : h(step) {}
  void step() { rotate_freely(q, w, {1, 2, 3}, h); }
  Vec3 body_omega() const { return rotate_back(q, w); }
  Vec3 momentum() const {
    const Vec3 b = body_omega();
    return rotate(q, {b.x, 2 * b.y, 3 * b.z});
  }
  double energy() const {
    const Vec3 b = body_omega();
    return 0.5 * (b.x * b.x + 2 * b.y * b.y + 3 * b.z * b.z);
  }
  /// Time at which ω_y (body frame) next rises through zero.
  double next_rise(double& t) {
    for (double before = body_omega().y;;) {
      step(), t += h;
      const double now = body_omega().y;
      if (before < 0 && now >= 0) return t - h * now / (now - before);
      before = now;
    }
  }
};

double period(double h) {
  FreeRotation nut(h);
  double t = 0;
  const double first = nut.next_rise(t);
  return nut.next_rise(t) - first;
}

TEST(FreeRotation, HasThePublishedPeriodAndConvergesAtSecondOrderOrBetter) {
  constexpr double kPeriod = 39.10573419726872;
  const double coarse = period(4e-3) - kPeriod, fine = period(2e-3) - kPeriod;
  EXPECT_GT(coarse / fine, 3.5) << "order 2 in h, or better";
  EXPECT_NEAR(period(2.5e-4), kPeriod, 1e-6 * kPeriod);
}

TEST(FreeRotation, KeepsAngularMomentumToRounding) {
  FreeRotation nut(1e-3);
  const Vec3 before = nut.momentum();
  for (int k = 0; k < 100'000; ++k) nut.step();
  // 1e5 steps of rounding.
  EXPECT_LT(norm(nut.momentum() - before), 1e-10 * norm(before));
  EXPECT_NEAR(norm(nut.momentum()), 2.000249984376953, 1e-10 * norm(before));
  EXPECT_NEAR(nut.energy(), 1.0002, 1e-6);
}

TEST(FreeRotation, DoesNotDriftInEnergyAtAFastSpin) {
  // 0.15 rad a step about the middle axis of a slender body, for 10 000 turns and tumbles.
  Quaternion q;
  Vec3 w{0.01, 300, 0.01};
  const Vec3 inertia{0.1, 0.4, 0.5};
  const auto energy = [&] {
    const Vec3 b = rotate_back(q, w);
    return 0.5 * (inertia.x * b.x * b.x + inertia.y * b.y * b.y + inertia.z * b.z * b.z);
  };
  const double before = energy();
  double max_value = before, min_value = before;
  for (int k = 0; k < 400'000; ++k) {
    rotate_freely(q, w, inertia, 5e-4);
    max_value = std::max(max_value, energy()), min_value = std::min(min_value, energy());
  }
  EXPECT_LT(max_value, 1.01 * before);
  EXPECT_GT(min_value, 0.99 * before);
}

/// Most and least of the energy while a body turns freely, over what it has at first.
struct EnergyRange {
  double min_value = 1, max_value = 1;
};
EnergyRange energy_of_free_rotation(const Vec3& inertia, Vec3 w, double h, int steps) {
  Quaternion q;
  const auto energy = [&] {
    const Vec3 b = rotate_back(q, w);
    return 0.5 * (inertia.x * b.x * b.x + inertia.y * b.y * b.y + inertia.z * b.z * b.z);
  };
  const double before = energy();
  EnergyRange range;
  for (int k = 0; k < steps; ++k) {
    rotate_freely(q, w, inertia, h);
    range.min_value = std::min(range.min_value, energy() / before);
    range.max_value = std::max(range.max_value, energy() / before);
  }
  return range;
}

TEST(FreeRotation, KeepsTheEnergyOfARodHoweverFastItTumbles) {
  // A cylinder 20 times as long as thick.
  const Vec3 rod{0.01346, 0.01346, 5e-5};
  for (const double turn : {0.1, 1.0, 3.0, 30.0}) {  // in a step [rad]
    const EnergyRange range = energy_of_free_rotation(rod, turn * Vec3{0.6, -0.7, 0.4}, 1, 10'000);
    EXPECT_NEAR(range.min_value, 1, 1e-10) << turn;
    EXPECT_NEAR(range.max_value, 1, 1e-10) << turn;
  }
}

TEST(FreeRotation, OfARodIsARegularPrecession) {
  const Vec3 rod{2, 2, 0.01};
  Quaternion q = rotation({1, 2, 3}, 0.7);
  Vec3 w = rotate(q, {0.3, 0, 4});
  const Vec3 momentum = rotate(q, {0.6, 0, 0.04}), axis = rotate(q, {0, 0, 1});
  rotate_freely(q, w, rod, 1.7);
  // Its axis turns about L by |L| h / I.
  const Vec3 expected = rotate(rotation(momentum, 1.7 * norm(momentum) / 2), axis);
  EXPECT_LT(norm(rotate(q, {0, 0, 1}) - expected), 1e-14);
  EXPECT_NEAR(dot(w, rotate(q, {0, 0, 1})), 4, 1e-13) << "it spins as before";
}

TEST(FreeRotation, SwingsLittleInEnergyWhereASlenderBodyTumblesByARadianAStep) {
  // Edges 1 : 1.2 : 20.
  const Vec3 bar{401.44 / 12, 401.0 / 12, 2.44 / 12};
  const EnergyRange range = energy_of_free_rotation(bar, {0.6, -0.7, 0.4}, 1, 10'000);
  EXPECT_GT(range.min_value, 0.97);
  EXPECT_LT(range.max_value, 1.03);
}

}  // namespace
}  // namespace scree

/// A motion that gives no usable twist stops the run before the step, not the bodies' fall after
/// it.
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// A ball on a floor whose motion turns bad in the step from t = 0.1 s.
World ball_on_a_floor(std::function<Twist()> bad) {
  World world(coulomb(0.4), 1e-3);
  world.half_space({0, 0, -1}, {0, 0, 1});
  world.obstacle(HalfSpace{}, {}, [bad](double t) {
    return t < 0.1 ? Twist{{0, 0, 0.01}, {}} : bad();
  });
  world.sphere({0, 0, 0.01}, 0.01);
  return world;
}

void expect_fault(std::function<Twist()> bad, const std::string& words) {
  Simulation simulation = ball_on_a_floor(std::move(bad)).simulation();
  for (int k = 0; k < 100; ++k) ASSERT_FALSE(simulation.step().motion_fault) << k;
  const std::uint64_t before = state_hash(simulation.state());
  for (int again = 0; again < 2; ++again) {
    const Report& report = simulation.step();
    ASSERT_TRUE(report.motion_fault);
    EXPECT_EQ(report.motion_fault->obstacle, 1u);
    EXPECT_NEAR(report.motion_fault->time, 0.1005, 1e-12);
    EXPECT_NE(report.motion_fault->what.find(words), std::string::npos)
        << report.motion_fault->what;
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.step, 100u);
    EXPECT_EQ(report.bodies, 1u);
    EXPECT_GT(report.kinetic_energy, 0);
    EXPECT_EQ(state_hash(simulation.state()), before) << "the state is that of before";
  }
}

TEST(MotionFault, LeavesTheStateAsItWasAndSaysWhatTheMotionGave) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  expect_fault([=] { return Twist{{0, 0, nan}, {}}; }, "velocity[2] is nan");
  expect_fault([=] { return Twist{{-infinity, 0, 0}, {}}; }, "velocity[0] is -inf");
  expect_fault([=] { return Twist{{}, {0, nan, 0}}; }, "angular_velocity[1] is nan");
}

TEST(MotionFault, IsASpeedThatWouldOverflowLater) {
  expect_fault([] { return Twist{{0, 1e300, 0}, {}}; }, "velocity[1] is 1e+300");
  expect_fault([] { return Twist{{}, {0, 0, 1e155}}; }, "angular_velocity[2] is 1e+155");
}

TEST(MotionFault, IsWhatAMotionThrows) {
  expect_fault([]() -> Twist { throw std::runtime_error("the table ends at 0.1 s"); },
               "the table ends at 0.1 s");
  expect_fault([]() -> Twist { throw std::runtime_error(""); }, "without a message");
  expect_fault([]() -> Twist { throw 3; }, "no std::exception");
}

TEST(MotionFault, IsAPathThatTurnsTooFarInAStepOrThrows) {
  const auto fault = [](std::function<Pose(double)> path) {
    World world(coulomb(0.4), 1e-3);
    world.obstacle(Sphere{1}, {});
    world.model.obstacles[0].path = std::move(path);
    Simulation simulation = world.simulation();
    simulation.step();
    const std::uint64_t before = state_hash(simulation.state());
    const Report& report = simulation.step();
    EXPECT_EQ(state_hash(simulation.state()), before);
    EXPECT_NEAR(report.motion_fault.value().time, 2e-3, 1e-15);
    return report.motion_fault->what;
  };
  const auto turned = [](double angle) { return Pose{{}, rotation({0, 0, 1}, angle)}; };
  EXPECT_EQ(fault([&](double t) { return turned(t < 1.5e-3 ? 0.9e3 * t : -2); }),
            "it rotates by 2.9 rad in one step; the limit is 1");
  EXPECT_EQ(fault([&](double t) {
              return t < 1.5e-3 ? Pose{} : throw std::runtime_error("the table ends");
            }),
            "the table ends");
}

TEST(MotionFault, IsAPathThatDoesNotBeginWhereThePartIs) {
  World world(coulomb(0.4), 1e-3);
  world.obstacle(Sphere{1}, {{1, 0, 0}, {}});
  world.model.obstacles[0].path = [](double t) { return Pose{{t, 0, 0}, {}}; };
  EXPECT_THROW(world.simulation(), InputError);
  world.model.obstacles[0].path = [](double t) { return Pose{{1 + t, 0, 0}, {}}; };
  world.model.obstacles[0].motion = [](double) { return Twist{}; };
  EXPECT_THROW(world.simulation(), InputError) << "two ways to move";
}

TEST(MotionFault, IsAPlaceThatDoublePrecisionCannotHold) {
  World world(coulomb(0.4), 1e300);
  world.model.gravity = {};
  world.obstacle(Sphere{1}, {}, [](double) { return Twist{{3e8, 0, 0}, {}}; });
  Simulation simulation = world.simulation();
  const Report& report = simulation.step();
  ASSERT_TRUE(report.motion_fault);
  EXPECT_NE(report.motion_fault->what.find("double precision"), std::string::npos);
}

}  // namespace
}  // namespace scree

#include "scree/sim/joint_coordinates.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "scree/core/error.hpp"
#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;

std::vector<double> positions_of(Simulation& simulation) {
  std::vector<double> values(JointCoordinates(simulation).size());
  JointCoordinates(simulation).copy_positions(values);
  return values;
}
std::vector<double> velocities_of(Simulation& simulation) {
  std::vector<double> values(JointCoordinates(simulation).size());
  JointCoordinates(simulation).copy_velocities(values);
  return values;
}
std::vector<double> efforts_of(Simulation& simulation) {
  std::vector<double> values(JointCoordinates(simulation).size());
  JointCoordinates(simulation).copy_efforts(values);
  return values;
}

/// Text of the InputError that a function throws; empty if it throws none.
template <class F>
std::string refusal_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// A ball on a hinge, one on a cylindrical joint, and one on a fixed joint, in this order.
Mechanism three_balls() {
  Mechanism m(1e-3, {0, 0, 0});
  hinge_of_ball(m).drives = {{.motor = motor(
                                  Motor::Kind::position, [](double t) { return t; }, 1e5)}};
  const BodyId ring = m.add_sphere({0, 5, 0});
  m.join(JointKind::fixed, kWorld, m.add_sphere({0, 9, 0}), {0, 9, 0});
  Joint& pin = m.join(JointKind::cylindrical, kWorld, ring, {0, 5, 0}, {0, 0, 1});
  pin.name = "pin";
  return m;
}

TEST(JointCoordinates, HaveTheNamesOfTheirJointsAndThoseOfTheCoordinatesIfThereAreSeveral) {
  const Mechanism m = three_balls();
  Simulation simulation = m.start();
  const JointCoordinates coordinates(simulation);
  ASSERT_EQ(coordinates.size(), 3);
  EXPECT_EQ(coordinates.all()[0].name, "joint 0");
  EXPECT_EQ(coordinates.all()[1].name, "pin.slide");
  EXPECT_EQ(coordinates.all()[2].name, "pin.angle");
  EXPECT_EQ(coordinates.index_of("pin.angle"), 2);
  EXPECT_EQ(refusal_of([&] { (void)coordinates.index_of("pin.slid"); }),
            "there is no free coordinate 'pin.slid' of a joint; did you mean 'pin.slide'?");
}

TEST(JointCoordinates, HaveThePositionsOfTheStepAndTheRatesOfTheirBodies) {
  const Mechanism m = three_balls();
  Simulation simulation = m.start();
  const BodyId ring{1};
  simulation.change_velocity(ring, {0, 0, 0.3});
  simulation.change_angular_velocity(ring, {0, 0, 2});
  EXPECT_EQ(efforts_of(simulation), std::vector<double>(3, 0));
  step(simulation, 100);
  const std::vector<double> x = positions_of(simulation), v = velocities_of(simulation);
  EXPECT_NEAR(x[0], 0.1, 1e-9);  // the motor follows t
  EXPECT_NEAR(x[1], 0.03, 1e-9);
  EXPECT_NEAR(x[2], 0.2, 1e-6);
  EXPECT_NEAR(v[0], 1, 1e-6);
  EXPECT_NEAR(v[1], 0.3, 1e-9);
  EXPECT_NEAR(v[2], 2, 1e-9);
}

TEST(ATarget, OfAUserReplacesThatOfTheModelUntilItIsNan) {
  const Mechanism m = three_balls();
  Simulation simulation = m.start();
  JointCoordinates coordinates(simulation);
  step(simulation, 10);
  EXPECT_NEAR(positions_of(simulation)[0], 0.01, 1e-9);
  coordinates.targets()[0] = 0.01;
  step(simulation, 100);
  EXPECT_NEAR(positions_of(simulation)[0], 0.01, 1e-9);
  coordinates.set_targets(std::vector{kNan, kNan, kNan});
  step(simulation, 200);
  EXPECT_NEAR(positions_of(simulation)[0], simulation.state().time, 1e-9);
}

TEST(ATarget, BelongsToTheStateAndToItsHash) {
  const Mechanism m = three_balls();
  Simulation simulation = m.start();
  const std::uint64_t before = state_hash(simulation.state());
  JointCoordinates coordinates(simulation);
  coordinates.targets();
  EXPECT_EQ(state_hash(simulation.state()), before);
  coordinates.targets()[0] = 0.5;
  EXPECT_NE(state_hash(simulation.state()), before);
  step(simulation, 7);
  Simulation restarted(simulation.model(), simulation.state(), 2);
  for (int k = 0; k < 50; ++k) {
    simulation.step();
    restarted.step();
    ASSERT_EQ(state_hash(simulation.state()), state_hash(restarted.state())) << k;
  }
  coordinates.targets()[0] = kNan;
  restarted = Simulation(simulation.model(), simulation.state());
  EXPECT_EQ(state_hash(simulation.state()), state_hash(restarted.state()));
}

TEST(ATarget, ThatNoMotorCanFollowIsRefused) {
  const Mechanism m = three_balls();
  Simulation simulation = m.start();
  JointCoordinates coordinates(simulation);
  EXPECT_EQ(refusal_of([&] {
              coordinates.set_targets(std::vector{0.0, 1.0, kNan});
            }),
            "'pin.slide' has no motor, and cannot follow a target; give it a motor first");
  EXPECT_EQ(refusal_of([&] {
              coordinates.set_targets(std::vector{kInfinity, kNan, kNan});
            }),
            "the target of 'joint 0' is infinite; give a number, or NaN for the target of the "
            "scene");
  EXPECT_EQ(refusal_of([&] { coordinates.set_targets(std::vector{0.0}); }),
            "an array has 1 values; there are 3 free coordinates of joints");
  // Nothing has changed, and a step that finds such a target is not done.
  step(simulation, 1);
  EXPECT_FALSE(simulation.report().motion_fault);
  coordinates.targets()[2] = 1;
  const Report& report = simulation.step();
  ASSERT_TRUE(report.motion_fault);
  EXPECT_EQ(report.motion_fault->joint, 2U);
  EXPECT_EQ(report.motion_fault->what, "it has a target that was set by hand, and no motor");
  coordinates.targets()[2] = kNan;
  EXPECT_FALSE(simulation.step().motion_fault);
}

TEST(AMotor, CanBeGivenToACoordinateWithoutOne) {
  const Mechanism m = three_balls();
  Simulation simulation = m.start();
  JointCoordinates coordinates(simulation);
  coordinates.change_motor(1, {.kind = Motor::Kind::force});
  step(simulation, 10);
  EXPECT_EQ(positions_of(simulation)[1], 0);  // it has no target yet
  coordinates.targets()[1] = 2;               // 2 N on 1 kg
  step(simulation, 100);
  EXPECT_NEAR(velocities_of(simulation)[1], 0.2, 1e-9);
  EXPECT_NEAR(efforts_of(simulation)[1], 2, 1e-9);
  coordinates.change_motor(1, {.kind = Motor::Kind::velocity});
  coordinates.targets()[1] = -0.5;
  step(simulation, 1);
  EXPECT_NEAR(velocities_of(simulation)[1], -0.5, 1e-9);
  coordinates.change_motor(1, {});
  coordinates.targets()[1] = kNan;
  step(simulation, 10);
  EXPECT_NEAR(velocities_of(simulation)[1], -0.5, 1e-9);
  EXPECT_EQ(efforts_of(simulation)[1], 0);
  EXPECT_TRUE(simulation.state().changed_motors.empty());
}

TEST(AMotor, WithChangedGainsActsAsOneThatTheModelHasWithThem) {
  Mechanism m = three_balls(), stiff = three_balls();
  stiff.model.joints[0].drives[0].motor.stiffness = 30;
  stiff.model.joints[0].drives[0].motor.damping = 2;
  stiff.model.joints[0].drives[0].motor.max = 1;
  Simulation changed = m.start(), given = stiff.start();
  JointCoordinates(changed).change_motor(0, {Motor::Kind::position, 1, 30, 2});
  step(changed, 300);
  step(given, 300);
  EXPECT_EQ(motion_hash(changed.state()), motion_hash(given.state()));
  // Gains that a user resets are those of the model.
  JointCoordinates(changed).change_motor(0, {Motor::Kind::position, 1e5, 0, 0});
  EXPECT_TRUE(changed.state().changed_motors.empty());
}

TEST(AMotor, ThatCannotBeIsRefused) {
  Mechanism m = three_balls();
  m.model.joints[2].drives = {{.lower = -1, .upper = 1}};
  Simulation simulation = m.start();
  JointCoordinates coordinates(simulation);
  EXPECT_EQ(refusal_of([&] { coordinates.change_motor(1, {.kind = Motor::Kind::position}); }),
            "the joint 'pin' has a motor of its slide without a maximum force, against limits; set "
            "max");
  EXPECT_EQ(refusal_of(
                [&] { coordinates.change_motor(2, {.kind = Motor::Kind::force, .stiffness = 3}); }),
            "the joint 'pin' has a motor of its angle with stiffness or damping, which only a "
            "position motor has");
  EXPECT_EQ(refusal_of([&] { coordinates.change_motor(3, {}); }),
            "there is no free coordinate 3 of joints; there are 3, counted from 0");
  m.model.joints[2].drives = {};
  m.model.joints[0].drives = {};
  m.model.solver.method = SolverKind::automatic;
  Simulation other = m.start();
  EXPECT_NE(
      refusal_of([&] { JointCoordinates(other).change_motor(1, {.kind = Motor::Kind::force}); }),
      "");
}

TEST(JointCoordinates, OfABrokenJointAreNan) {
  Mechanism m = three_balls();
  m.model.joints[0].strength = 1;
  Simulation simulation = m.start();
  simulation.apply_force({0}, {1000, 0, 0});
  step(simulation, 2);
  ASSERT_EQ(simulation.joints()[0].is_there, false);
  EXPECT_TRUE(std::isnan(positions_of(simulation)[0]));
  EXPECT_TRUE(std::isnan(velocities_of(simulation)[0]));
  EXPECT_FALSE(std::isnan(positions_of(simulation)[1]));
  EXPECT_EQ(efforts_of(simulation)[0], 0);
}

TEST(JointCoordinates, HaveTheEffortsOfTheRecordsOfJoints) {
  Simulation simulation = crank_rocker(1e-3).start();
  step(simulation, 200);
  const std::vector<double> efforts = efforts_of(simulation);
  const auto records = simulation.joints();
  ASSERT_EQ(efforts.size(), records.size());
  for (std::size_t k = 0; k < efforts.size(); ++k) EXPECT_EQ(efforts[k], records[k].effort[0]);
  EXPECT_NE(efforts[0], 0);
}

TEST(CommandsInAState, AreCheckedWithTheirModel) {
  const Mechanism m = three_balls();
  State state = m.state;
  state.joint_targets = {0.1};
  EXPECT_NE(refusal_of([&] { Simulation(m.model, state); }), "");
  state.joint_targets = {kNan, kNan, kInfinity};
  EXPECT_EQ(refusal_of([&] { Simulation(m.model, state); }),
            "joint_targets[2] is inf; it must be finite, or NaN for the target of the model");
  state.joint_targets = {};
  state.changed_motors = {{.coordinate = 3, .max = 1}};
  EXPECT_NE(refusal_of([&] { Simulation(m.model, state); }), "");
  state.changed_motors = {{.coordinate = 1, .kind = 9, .max = 1}};
  EXPECT_NE(refusal_of([&] { Simulation(m.model, state); }), "");
  state.changed_motors = {{.coordinate = 1, .kind = 1, .max = 1}};
  EXPECT_EQ(refusal_of([&] { Simulation(m.model, state); }), "");
}

}  // namespace
}  // namespace scree

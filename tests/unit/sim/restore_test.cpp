#include <gtest/gtest.h>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/sim/joint_coordinates.hpp"
#include "support/mechanisms.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// Numbers of a step that must not change by a bit.
struct StepRecord {
  std::uint64_t hash;
  double residual, kinetic_energy, dissipated;
  int sweeps;
  std::size_t contacts;
  bool operator==(const StepRecord&) const = default;
};

std::vector<StepRecord> steps_of(Simulation& simulation, int steps) {
  std::vector<StepRecord> records;
  for (int k = 0; k < steps; ++k) {
    const Report& r = simulation.step();
    records.push_back({state_hash(simulation.state()), r.residual, r.kinetic_energy,
                       r.dissipated_energy, r.sweeps, simulation.contacts().size()});
  }
  return records;
}

/// Steps, saves, steps on until the list of neighbours has changed, and returns, twice. Another
/// simulation of the same model begins from the same state.
void expect_same_bits_after_restore(Simulation simulation, int before, int after) {
  step(simulation, before);
  const State saved = simulation.state();
  const std::vector<StepRecord> first = steps_of(simulation, after);
  ASSERT_NE(first.back().hash, state_hash(saved));
  for (int round = 0; round < 2; ++round) {
    simulation.restore(saved);
    ASSERT_EQ(state_hash(simulation.state()), state_hash(saved));
    EXPECT_EQ(simulation.contacts().size(), 0);
    EXPECT_EQ(simulation.report().step, saved.step);
    const std::vector<StepRecord> again = steps_of(simulation, after);
    for (std::size_t k = 0; k < again.size(); ++k) ASSERT_EQ(again[k], first[k]) << k;
  }
  Simulation other(simulation.model(), saved, 2);
  step(other, 10);
  other.restore(saved);
  EXPECT_EQ(steps_of(other, after).back(), first.back());
}

TEST(Restore, OfAPileOfSpheresContinuesWithTheSameBits) {
  expect_same_bits_after_restore(random_pile(150, coulomb(0.4, 0.2), 5e-4, 31).simulation(), 150,
                                 150);
}

TEST(Restore, OfAPileOfBoxesContinuesWithTheSameBits) {
  expect_same_bits_after_restore(random_boxes(60, coulomb(0.4), 1e-3, 32).simulation(), 100, 100);
}

TEST(Restore, ToTheStartContinuesWithTheSameBits) {
  expect_same_bits_after_restore(random_boxes(30, coulomb(0.4), 1e-3, 33).simulation(), 0, 150);
  expect_same_bits_after_restore(crank_rocker(1e-3).start(), 0, 100);
}

TEST(Restore, OfACompliantBedContinuesWithTheSameBits) {
  PairLaw law{LawKind::hertz_mindlin, 0.4};
  law.force.k_n = law.force.k_t = 1e7;
  law.force.normal_damping = 0.3;
  law.rolling_friction = 2e-4;
  expect_same_bits_after_restore(random_pile(100, law, 1e-5, 34).simulation(), 2000, 1000);
  expect_same_bits_after_restore(random_pile(40, law, 1e-5, 35).simulation(), 0, 300);
}

TEST(Restore, OfASleepingBedContinuesWithTheSameBits) {
  World world = with_defaults(0.5);
  world.half_space({0, 0, 0}, {0, 0, 1});
  for (int k = 0; k < 6; ++k) world.sphere({0.1 * k, 0, 0.02}, 0.02);
  world.model.step.sleep = true;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 5000 && simulation.report().bodies_asleep == 0; ++k) simulation.step();
  ASSERT_GT(simulation.report().bodies_asleep, 0);
  Body falls = simulation.body({2});  // it wakes the one below
  falls.position.z = 0.3;
  simulation.add(falls);
  expect_same_bits_after_restore(std::move(simulation), 3, 300);
}

TEST(Restore, OfSpheresInAMovingMeshContinuesWithTheSameBits) {
  World world = with_defaults(0.4);
  add_mesh(world, box_soup({0.2, 0.2, 0.2}), Sides::two, {}, [](double) {
    return Twist{{}, {0, 1, 0}};
  });
  for (int k = 0; k < 40; ++k)
    world.sphere({0.08 * (k % 4) - 0.12, 0.08 * (k / 4 % 4) - 0.12, 0.08 * (k / 16) - 0.1}, 0.03);
  expect_same_bits_after_restore(world.simulation(), 150, 100);
}

TEST(Restore, BringsBackJointsThatBrokeAndBodiesThatLeft) {
  Mechanism m(1e-3);
  const BodyId ball = m.add_sphere({1, 0, 0}), other = m.add_sphere({5, 0, 0});
  m.join(JointKind::revolute, kWorld, ball, {0, 0, 0}, {0, 1, 0}).strength = 20;
  Simulation simulation = m.start();
  step(simulation, 5);
  const State saved = simulation.state();
  const BodyColumns columns = simulation.columns();
  std::vector<double> x(1);
  simulation.remove(other);
  for (int k = 0; k < 2000 && simulation.joints()[0].is_there; ++k) simulation.step();
  ASSERT_FALSE(simulation.joints()[0].is_there);
  ASSERT_FALSE(simulation.has_body(other));
  simulation.restore(saved);
  EXPECT_TRUE(simulation.joints()[0].is_there);
  EXPECT_EQ(norm(simulation.joints()[0].force), 0);
  EXPECT_TRUE(simulation.has_body(other));
  EXPECT_FALSE(columns.is_current());
  JointCoordinates(simulation).copy_positions(x);
  EXPECT_EQ(x[0], saved.joints[0].coordinate[0]);
  Simulation fresh(m.model, saved);
  step(fresh, 100);
  step(simulation, 100);
  EXPECT_EQ(state_hash(simulation.state()), state_hash(fresh.state()));
}

TEST(Restore, TakesTargetsAndMotorsOfTheState) {
  Simulation simulation = crank_rocker(1e-3).start();
  JointCoordinates coordinates(simulation);
  const State saved = simulation.state();
  coordinates.targets()[0] = 3;
  coordinates.change_motor(0, {.kind = Motor::Kind::velocity, .max = 50});
  const State driven = simulation.state();
  step(simulation, 20);
  const double* const memory = coordinates.targets().data();
  State without = saved;
  without.joint_targets = {};
  simulation.restore(without);
  simulation.restore(saved);
  EXPECT_EQ(coordinates.targets().data(), memory);
  EXPECT_TRUE(std::isnan(coordinates.targets()[0]));
  EXPECT_EQ(coordinates.motor(0).max, kInfinity);
  simulation.restore(driven);
  EXPECT_EQ(coordinates.targets()[0], 3);
  EXPECT_EQ(coordinates.motor(0).max, 50);
}

TEST(Restore, OfAStateOfAnotherModelIsRefusedAndChangesNothing) {
  Simulation simulation = crank_rocker(1e-3).start();
  step(simulation, 5);
  const std::uint64_t before = state_hash(simulation.state());
  State other = simulation.state();
  other.joints.pop_back();
  EXPECT_THROW(simulation.restore(other), InputError);
  other = simulation.state();
  other.bodies.velocity[0].x = kNan;
  EXPECT_THROW(simulation.restore(other), InputError);
  EXPECT_EQ(state_hash(simulation.state()), before);
}

TEST(Acceleration, OfAWatchedBodyIsTheChangeOfItsVelocityInTheStep) {
  World world = with_defaults(0.5);
  world.half_space({0, 0, 0}, {0, 0, 1});
  const BodyId lies = world.sphere({0, 0, 0.02}, 0.02).id, falls = world.sphere({1, 0, 1}, 0.02).id;
  Simulation simulation = world.simulation();
  EXPECT_THROW(simulation.acceleration(lies), InputError);
  EXPECT_THROW(simulation.watch({7}), InputError);
  simulation.watch(falls);
  simulation.watch(lies);
  EXPECT_EQ(norm(simulation.acceleration(falls).linear), 0);
  step(simulation, 3);
  simulation.change_velocity(falls, {1, 0, 0});  // a change by hand is no acceleration
  simulation.apply_force(falls, {simulation.body(falls).mass, 0, 0});
  simulation.step();
  EXPECT_NEAR(simulation.acceleration(falls).linear.x, 1, 1e-9);
  EXPECT_NEAR(simulation.acceleration(falls).linear.z, -kGravity, 1e-9);
  EXPECT_NEAR(simulation.acceleration(lies).linear.z, 0, 1e-9);
}

TEST(Acceleration, OfTheFirstStepOfAMechanismIsThatOfGravity) {
  Mechanism m(1e-3);
  const BodyId ball = m.add_sphere({1, 0, 0});
  m.join(JointKind::prismatic, kWorld, ball, {1, 0, 0}, {0, 0, 1});
  Simulation simulation = m.start();
  simulation.watch(ball);
  for (int k = 0; k < 2; ++k) {
    simulation.step();
    EXPECT_NEAR(simulation.acceleration(ball).linear.z, -kGravity, 1e-9) << k;
  }
}

TEST(ContactsOf, TwoBodiesAreThoseBetweenThem) {
  World world = with_defaults(0.5);
  world.half_space({0, 0, 0}, {0, 0, 1});
  const BodyId low = world.sphere({0, 0, 0.02}, 0.02).id, top = world.sphere({0, 0, 0.06}, 0.02).id;
  Simulation simulation = world.simulation();
  step(simulation, 5);
  EXPECT_EQ(simulation.contacts_of(low).size(), 2);
  EXPECT_EQ(simulation.contacts_of(low, top).size(), 1);
  EXPECT_EQ(simulation.contacts_of(low, obstacle_id(0)).size(), 1);
  EXPECT_EQ(simulation.contacts_of(top, obstacle_id(0)).size(), 0);
  EXPECT_THROW(simulation.contacts_of(low, BodyId{9}), InputError);
  EXPECT_THROW(simulation.contacts_of(low, obstacle_id(1)), InputError);
}

}  // namespace
}  // namespace scree

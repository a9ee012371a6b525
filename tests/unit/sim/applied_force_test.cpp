/// Forces that act for one step, and the forces that contacts answer with.
#include <gtest/gtest.h>
#include <map>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

World box_in_space() {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  world.box({0, 0, 1}, {0.2, 0.1, 0.3}, rotation({1, 2, -1}, 0.8));
  return world;
}

TEST(AppliedForce, ActsInTheNextStepAlone) {
  World world(coulomb(0.5), 1e-3);
  world.sphere({0, 0, 1}, 0.1);
  Simulation simulation = world.simulation();
  const double mass = simulation.body({0}).mass, inertia = 0.4 * mass * 0.01;
  simulation.apply_force({0}, {3, 0, 0}, {0, 0.5, 0});
  simulation.apply_force({0}, {-1, 4, 0}, {0, 0, 0.25});
  EXPECT_EQ(simulation.body({0}).velocity, Vec3{}) << "not before the step";
  simulation.step();
  const Body pushed = simulation.body({0});
  const Vec3 v = Vec3{2e-3 / mass, 4e-3 / mass, -1e-3 * kGravity},
             w = Vec3{0, 0.5e-3, 0.25e-3} / inertia;
  EXPECT_LT(norm(pushed.velocity - v), 1e-16);
  EXPECT_LT(norm(pushed.angular_velocity - w), 1e-16);
  simulation.step();
  EXPECT_LT(norm(simulation.body({0}).velocity - pushed.velocity - Vec3{0, 0, -1e-3 * kGravity}),
            1e-16);
  EXPECT_LT(norm(simulation.body({0}).angular_velocity - pushed.angular_velocity), 1e-16);
}

TEST(AppliedForce, AtAPointTurnsABodyOfUnequalMomentsByItsTorque) {
  Simulation simulation = box_in_space().simulation();
  simulation.change_angular_velocity({0}, {1, -2, 0.5});
  const Model& model = simulation.model();
  for (int k = 0; k < 100; ++k) {
    const Body before = simulation.body({0});
    const Vec3 force{1, 0.2 * k, -3}, arm{0.1, -0.05, 0.02};
    simulation.apply_force_at({0}, force, before.position + arm);
    simulation.step();
    const Body after = simulation.body({0});
    const Vec3 gained = angular_momentum(model, after) - angular_momentum(model, before);
    EXPECT_LT(norm(gained - 1e-3 * cross(arm, force)), 1e-14) << k;
    EXPECT_LT(norm(after.mass * (after.velocity - before.velocity) - 1e-3 * force), 1e-14) << k;
  }
}

TEST(AppliedForce, ThatCannotBeUsedIsRefusedAndNothingIsApplied) {
  World world = box_in_space();
  world.bodies[0].mass = 1e-10;
  Simulation simulation = world.simulation();
  simulation.apply_force({0}, {1, 0, 0});
  const std::uint64_t before = state_hash(simulation.state());
  EXPECT_THROW(simulation.apply_force({0}, {kNan, 0, 0}), InputError);
  EXPECT_THROW(simulation.apply_force({0}, {1, 0, 0}, {0, kNan, 0}), InputError);
  EXPECT_THROW(simulation.apply_force({0}, {0, 0, 1}, {0, 0, 1e308}), InputError);
  EXPECT_THROW(simulation.apply_force_at({0}, {1, 0, 0}, {0, 0, kNan}), InputError);
  EXPECT_EQ(state_hash(simulation.state()), before);
}

/// A box of 1 kg on a floor, pushed through its centre by `push` [N] in each of `steps` steps.
struct PushedBox {
  Simulation simulation;
  double start;

  explicit PushedBox(double push, int steps) : simulation(world().simulation()) {
    for (int k = 0; k < 20; ++k) simulation.step();
    start = simulation.body({0}).position.x;
    for (int k = 0; k < steps; ++k) {
      simulation.apply_force({0}, {push, 0, 0});
      simulation.step();
    }
  }
  static World world() {
    World world(coulomb(0.5), 1e-3);
    world.half_space({}, {0, 0, 1});
    world.box({0, 0, 0.05}, {0.2, 0.1, 0.1}).mass = 1;
    return world;
  }
};

TEST(AppliedForce, BelowFrictionMovesNothing) {
  PushedBox box(0.45 * kGravity, 500);
  EXPECT_NEAR(box.simulation.body({0}).position.x, box.start, 1e-9);
  EXPECT_NEAR(box.simulation.contact_force({0}).force.x, -0.45 * kGravity, 1e-7);
}

TEST(AppliedForce, AboveFrictionSpeedsABoxUpByWhatIsLeftOfIt) {
  PushedBox box(0.75 * kGravity, 400);
  EXPECT_NEAR(box.simulation.body({0}).velocity.x, 0.25 * kGravity * 0.4, 1e-8);
  const Wrench contact = box.simulation.contact_force({0});
  EXPECT_NEAR(contact.force.x, -0.5 * kGravity, 1e-7);
  EXPECT_NEAR(contact.force.z, kGravity, 1e-7);
  const Wrench floor = box.simulation.contact_force_on_obstacle(0);
  EXPECT_LT(norm(floor.force + contact.force), 1e-12);
}

TEST(AppliedForce, OnABoxIsInTheEnergyBudget) {
  const double push = 0.75 * kGravity;
  PushedBox box(push, 400);
  const Report& report = box.simulation.report();
  const Body body = box.simulation.body({0});
  // Work counts the mean of velocities before and after a step, positions move with the one after.
  const double way = body.position.x - box.start - 0.5e-3 * body.velocity.x;
  EXPECT_NEAR(report.wall_work, push * way, 1e-9);
  EXPECT_NEAR(report.dissipated_energy, 0.5 * kGravity * way, 1e-7);
  const double potential = kGravity * 0.05;
  EXPECT_NEAR(
      report.kinetic_energy + report.potential_energy - potential + report.dissipated_energy,
      report.wall_work, 1e-11);
}

/// Forces and torques drawn at random for every body.
std::map<std::uint64_t, Wrench> apply_random_forces(Simulation& simulation, RandomStream& random) {
  const auto draw = [&] {
    return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  std::map<std::uint64_t, Wrench> applied;
  for (std::uint64_t id = 0; id < simulation.report().bodies; ++id) {
    const Body body = simulation.body({id});
    const Vec3 force = 30 * body.mass * draw(), torque = 30 * body.mass * body.radius * draw();
    applied[id] = {force, torque};
    simulation.apply_force({id}, force, torque);
  }
  return applied;
}

/// That each body's momenta change by what acts on it, contacts included.
void expect_balance_of_momenta(const World& world) {
  Simulation simulation = world.simulation();
  const Model& model = simulation.model();
  RandomStream random{1, 0};
  int rebuilt = 0;
  for (int k = 0; k < 150; ++k) {
    const auto applied = apply_random_forces(simulation, random);
    std::map<std::uint64_t, Body> before;
    for (const auto& [id, wrench] : applied) before[id] = simulation.body({id});
    rebuilt += simulation.step().neighbours_rebuilt;
    for (const auto& [id, wrench] : applied) {
      const Body& was = before[id];
      const Body is = simulation.body({id});
      const Wrench contact = simulation.contact_force({id});
      const Vec3 force = contact.force + wrench.force + is.mass * model.gravity;
      const double unit = is.mass * (norm(is.velocity) + norm(was.velocity) + 1);
      ASSERT_LT(norm(is.mass * (is.velocity - was.velocity) - model.step.h * force), 1e-12 * unit)
          << k;
      const Vec3 torque = contact.torque + wrench.torque;
      const Vec3 turned = angular_momentum(model, is) - angular_momentum(model, was);
      ASSERT_LT(norm(turned - model.step.h * torque), 1e-12 * unit * is.radius) << k;
    }
  }
  EXPECT_GT(rebuilt, 3);
  EXPECT_GT(simulation.report().contacts, 20u);
}

TEST(ContactForce, AndAppliedForceAndWeightMakeTheMomentumOfEachSphere) {
  expect_balance_of_momenta(random_pile(40, coulomb(0.4, 0.2), 1e-3, 3));
}

TEST(ContactForce, AndAppliedForceAndWeightMakeTheMomentumOfEachBox) {
  expect_balance_of_momenta(random_boxes(30, coulomb(0.4, 0.2), 1e-3, 3));
}

TEST(ContactForce, IsThatOfTheStepWhateverIsMovedSince) {
  Simulation simulation = random_pile(40, coulomb(0.4), 1e-3, 4).simulation();
  for (int k = 0; k < 300; ++k) simulation.step();
  const Wrench before = simulation.contact_force({5}),
               floor = simulation.contact_force_on_obstacle(0, Vec3{});
  const std::vector<ContactRecord> contacts = simulation.contacts_of({5});
  ASSERT_GT(contacts.size(), 0u);
  simulation.move_to({5}, {0.5, 0.5, 0.5});
  simulation.move_to({5}, {0.6, 0.5, 0.5});
  simulation.change_velocity({5}, {1, 1, 1});
  simulation.add(simulation.body({6}));
  EXPECT_EQ(simulation.contact_force({5}), before);
  EXPECT_EQ(simulation.contact_force_on_obstacle(0, Vec3{}), floor);
  const std::vector<ContactRecord> again = simulation.contacts_of({5});
  ASSERT_EQ(again.size(), contacts.size());
  for (std::size_t k = 0; k < again.size(); ++k) EXPECT_EQ(again[k].point, contacts[k].point);
  EXPECT_EQ(simulation.contact_force({40}), Wrench{}) << "it came after the step";
}

TEST(ContactForce, OfOneBodysContactsIsOfThoseOfAll) {
  for (const World& world :
       {random_pile(60, coulomb(0.4), 1e-3, 5), random_boxes(30, coulomb(0.4), 1e-3, 5)}) {
    Simulation simulation = world.simulation();
    EXPECT_EQ(simulation.contacts_of({3}).size(), 0u) << "before the first step";
    EXPECT_EQ(simulation.contact_force({3}), Wrench{});
    for (int k = 0; k < 300; ++k) simulation.step();
    const std::vector<ContactRecord> all = simulation.contacts();
    for (std::uint64_t id = 0; id < world.bodies.size(); ++id) {
      std::vector<ContactRecord> expected;
      for (const ContactRecord& c : all)
        if (c.a.value == id || c.b.value == id) expected.push_back(c);
      const std::vector<ContactRecord> found = simulation.contacts_of({id});
      ASSERT_EQ(found.size(), expected.size()) << id;
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].a, expected[k].a);
        EXPECT_EQ(found[k].b, expected[k].b);
        EXPECT_EQ(found[k].impulse, expected[k].impulse);
        EXPECT_EQ(found[k].dissipated_energy, expected[k].dissipated_energy);
      }
    }
  }
}

TEST(AppliedForce, OnEveryBodyOfAPileLeavesTheEnergyBudgetClosed) {
  Simulation simulation = random_pile(80, coulomb(0.4, 0.3), 5e-4, 7).simulation();
  const Report first = simulation.report();
  RandomStream random{2, 0};
  double largest = first.kinetic_energy, dissipated = 0;
  for (int k = 0; k < 300; ++k) {
    apply_random_forces(simulation, random);
    const Report& report = simulation.step();
    double sum = 0;
    for (const ContactRecord& contact : simulation.contacts()) sum += contact.dissipated_energy;
    EXPECT_NEAR(sum, report.dissipated_energy - dissipated + report.push_work,
                1e-11 * report.kinetic_energy)
        << k;
    EXPECT_EQ(report["energy_created"].value, 0) << k;
    dissipated = report.dissipated_energy;
    largest = std::max(
        {largest, report.kinetic_energy, report.dissipated_energy, std::abs(report.wall_work)});
  }
  const Report& last = simulation.report();
  const double change =
      last.kinetic_energy + last.potential_energy - first.kinetic_energy - first.potential_energy;
  EXPECT_NEAR((change + last.dissipated_energy - last.wall_work) / largest, 0, 1e-11);
}

TEST(AppliedForce, IsNoSpeedOfImpact) {
  // Pressed down by a force that gives 0.5 m/s in a step, far above the threshold; e = 1 would
  // throw the body up.
  for (const bool is_box : {false, true}) {
    World world(coulomb(0.5, 1), 1e-3);
    world.half_space({}, {0, 0, 1});
    const Body& body =
        is_box ? world.box({0, 0, 0.05}, {0.1, 0.1, 0.1}) : world.sphere({0, 0, 0.05}, 0.05);
    const double push = 500 * body.mass;
    Simulation simulation = world.simulation();
    for (int k = 0; k < 20; ++k) {
      simulation.apply_force({0}, {0, 0, -push});
      simulation.step();
      EXPECT_LT(std::abs(simulation.body({0}).velocity.z), 1e-6) << is_box;
    }
  }
}

TEST(AppliedForce, WaitsThroughARestartAndGoesOnToTheSameBits) {
  for (const World& world :
       {random_pile(60, coulomb(0.4), 5e-4, 8), random_boxes(30, coulomb(0.4), 5e-4, 8)}) {
    Simulation whole = world.simulation();
    for (int k = 0; k < 100; ++k) whole.step();
    const std::uint64_t idle = state_hash(whole.state());
    RandomStream random{3, 0};
    apply_random_forces(whole, random);
    EXPECT_NE(state_hash(whole.state()), idle);
    Simulation restarted(whole.model(), whole.state(), 2);
    for (int k = 0; k < 50; ++k) {
      whole.step();
      restarted.step();
      ASSERT_EQ(state_hash(restarted.state()), state_hash(whole.state())) << k;
    }
  }
}

TEST(AppliedForce, OfZeroIsNone) {
  Simulation simulation = box_in_space().simulation();
  const std::uint64_t before = state_hash(simulation.state());
  simulation.apply_force({0}, {1, 0, 0});
  simulation.apply_force({0}, {-1, 0, 0});
  EXPECT_EQ(state_hash(simulation.state()), before);
}

TEST(AppliedForce, WaitsForAStepThatIsDone) {
  bool broken = true;
  World world(coulomb(0.5), 1e-3);
  world.obstacle(HalfSpace{}, {{0, 0, -1}, {}}, [&broken](double) {
    return Twist{{0, 0, broken ? kNan : 0}, {}};
  });
  world.sphere({0, 0, 1}, 0.1);
  Simulation simulation = world.simulation();
  simulation.apply_force({0}, {1, 0, 0});
  const std::uint64_t before = state_hash(simulation.state());
  ASSERT_TRUE(simulation.step().motion_fault);
  EXPECT_EQ(state_hash(simulation.state()), before);
  broken = false;
  simulation.step();
  EXPECT_NEAR(simulation.body({0}).velocity.x, 1e-3 / simulation.body({0}).mass, 1e-16);
}

TEST(AppliedForce, ActsInAStepInWhichALayerEnters) {
  World world(coulomb(0.5), 1e-2);
  world.model.gravity = {};
  world.half_space({}, {1, 0, 0});
  Inflow inflow{.name = "inflow", .plate = 0, .velocity = {1, 0, 0}, .advance = 0.3};
  inflow.layer = {{0.1, 0, 0}, {0.1, 0, 0.3}};
  inflow.radius = 0.1;
  world.model.inflows.push_back(inflow);
  world.sphere({5, 0, 0}, 0.1);
  Simulation simulation = world.simulation();
  int entered = 0;
  for (int k = 1; k <= 100; ++k) {
    simulation.apply_force({0}, {1, 0, 0});
    entered += simulation.step().bodies_added > 0;
    EXPECT_NEAR(simulation.body({0}).velocity.x, 1e-2 * k / simulation.body({0}).mass, 1e-14) << k;
  }
  EXPECT_GT(entered, 2);
}

}  // namespace
}  // namespace scree

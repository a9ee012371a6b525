// Bodies on joints that touch what does not move.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Boxes in a row, flat on the floor, on ball joints.
World chain_on_the_floor(int links) {
  World world(coulomb(0.5), 1e-3);
  world.model.solver.tolerance = 1e-8;
  world.half_space({}, {0, 0, 1});
  for (int k = 0; k < links; ++k) world.box({0.05 * k, 0, 0.005}, {0.04, 0.02, 0.01});
  for (int k = 1; k < links; ++k) {
    Joint joint{.name = "link " + std::to_string(k), .kind = JointKind::spherical};
    joint.a = {world.bodies[static_cast<std::size_t>(k) - 1].id, {{0.025, 0, 0}, {}}};
    joint.b = {world.bodies[static_cast<std::size_t>(k)].id, {{-0.025, 0, 0}, {}}};
    world.model.joints.push_back(joint);
  }
  return world;
}

TEST(ContactsOfJoints, ThatAreMoreThanAnIslandTakesCarryTheWeight) {
  constexpr int kLinks = 40;
  World world = chain_on_the_floor(kLinks);
  Simulation simulation = world.simulation();
  double weight = 0;
  for (const Body& body : world.bodies) weight += body.mass * kGravity;
  for (int k = 0; k < 200; ++k) {
    const Report& report = simulation.step();
    ASSERT_TRUE(report.converged) << k;
    ASSERT_EQ(report.contacts, 4 * kLinks) << k;
  }
  EXPECT_NEAR(simulation.contact_force_on_obstacle(0).force.z, -weight, 1e-6 * weight);
}

TEST(ContactsOfJoints, OfAChainThatIsPulledSlideAsOne) {
  // Friction of all links against what pulls the first: a = F/m − μ g.
  constexpr int kLinks = 30;
  World world = chain_on_the_floor(kLinks);
  double mass = 0;
  for (const Body& body : world.bodies) mass += body.mass;
  const double pull = 0.8 * mass * kGravity;
  Field rope{.name = "rope"};
  rope.force = {field_expression(std::to_string(-pull)), field_expression("0"),
                field_expression("0")};
  rope.bodies = {world.bodies[0].id};
  world.model.fields.push_back(rope);
  Simulation simulation = world.simulation();
  const double asked = std::stod(std::to_string(pull));
  constexpr int kSteps = 100;
  for (int k = 0; k < kSteps; ++k) ASSERT_TRUE(simulation.step().converged) << k;
  const double expected = -(asked / mass - 0.5 * kGravity) * (kSteps - 0.5) * 1e-3;
  for (const std::uint64_t id : {0, kLinks / 2, kLinks - 1})
    EXPECT_NEAR(body_of(simulation, id).velocity.x, expected, 1e-6 * std::abs(expected)) << id;
}

TEST(ContactsOfJoints, UnderFeetThatAreTiltedByNothingAreSolvedAtOnce) {
  // Gaps under a foot differ by 1e-12 m, at h = 1 ms 1e-9 m/s: some point of each foot has nothing
  // to bear, and sweeps would take its load off it for ever.
  World world(coulomb(0.5), 1e-3);
  world.model.solver.tolerance = 1e-8;
  world.half_space({}, {0, 0, 1});
  RandomStream random{1, 0};
  world.box({0, 0, 0.06}, {0.3, 0.1, 0.02});
  for (int k = 0; k < 4; ++k) {
    const double x = 0.08 * (k % 2 == 0 ? -1 : 1), y = 0.04 * (k / 2 == 0 ? -1 : 1);
    const Quaternion tilt =
        normalised({1, 1e-10 * random.uniform(-1, 1), 1e-10 * random.uniform(-1, 1), 0});
    world.box({x, y, 0.005}, {0.04, 0.03, 0.01}, tilt);
    Joint joint{.name = "ankle " + std::to_string(k), .kind = JointKind::revolute};
    joint.a = {world.bodies[0].id, {{x, y, -0.03}, {}}};
    joint.b = {world.bodies.back().id, {{0, 0, 0.025}, {}}};
    world.model.joints.push_back(joint);
  }
  Simulation simulation = world.simulation();
  for (int k = 0; k < 100; ++k) {
    const Report& report = simulation.step();
    ASSERT_TRUE(report.converged) << k;
    EXPECT_LE(report.sweeps, 4) << k;
  }
}

/// A table on four flat feet of hinges that `pull` N draw along x.
World pulled_table(LawKind law, double of_limit) {
  constexpr double kFriction = 0.5;
  World world(PairLaw{.kind = law, .friction = kFriction}, 1e-3);
  world.model.solver.tolerance = 1e-8;
  world.half_space({}, {0, 0, 1});
  world.box({0, 0, 0.02}, {0.3, 0.1, 0.02});
  for (int k = 0; k < 4; ++k) {
    const double x = 0.08 * (k % 2 == 0 ? -1 : 1), y = 0.04 * (k / 2 == 0 ? -1 : 1);
    world.box({x, y, 0.005}, {0.04, 0.03, 0.01});
    Joint joint{.name = "foot " + std::to_string(k), .kind = JointKind::fixed};
    joint.a = {world.bodies[0].id, {{x, y, -0.015}, {}}};
    joint.b = {world.bodies.back().id, {}};
    world.model.joints.push_back(joint);
  }
  double mass = 0;
  for (const Body& body : world.bodies) mass += body.mass;
  Field rope{.name = "rope"};
  rope.force = {field_expression(std::to_string(of_limit * kFriction * mass * kGravity)),
                field_expression("0"), field_expression("0")};
  rope.bodies = {world.bodies[0].id};
  world.model.fields.push_back(rope);
  return world;
}

TEST(ContactsOfJoints, HoldATableUpToTheLimitOfFrictionAndNotBeyond) {
  for (const LawKind law : {LawKind::coulomb, LawKind::max_dissipation, LawKind::polyhedral})
    for (const double of_limit : {0.9, 0.99, 1.02, 1.2}) {
      World world = pulled_table(law, of_limit);
      Simulation simulation = world.simulation();
      constexpr int kSteps = 200;
      for (int k = 0; k < kSteps; ++k) {
        const Report& report = simulation.step();
        ASSERT_TRUE(report.converged) << static_cast<int>(law) << " " << k;
        ASSERT_LE(report.sweeps, 3) << static_cast<int>(law) << " " << k;
      }
      const double a = std::max(0.0, of_limit - 1) * 0.5 * kGravity, t = 1e-3 * kSteps;
      // Of its own rule friction of the four corners of a foot points up to 4 degrees aside.
      if (law == LawKind::max_dissipation && a > 0)
        EXPECT_NEAR(body_of(simulation, 0).position.x, 0.5 * (a + 0.003 * 0.5 * kGravity) * t * t,
                    0.5 * 0.003 * 0.5 * kGravity * t * t);
      else
        EXPECT_NEAR(body_of(simulation, 0).position.x, 0.5 * a * t * t, 1e-3 * a * t * t + 1e-9)
            << static_cast<int>(law) << ", " << of_limit;
    }
}

/// Tables on two legs of driven hinges with flat feet, far from each other: an island each.
World walking_tables(int tables) {
  World world(coulomb(0.5), 1e-3);
  world.model.solver.tolerance = 1e-8;
  world.half_space({}, {0, 0, 1});
  for (int table = 0; table < tables; ++table) {
    const double y = 0.5 * table;
    world.box({0, y, 0.02}, {0.3, 0.1, 0.02});
    const BodyId top = world.bodies.back().id;
    for (const double x : {-0.1, 0.1}) {
      world.box({x, y, 0.005}, {0.06, 0.08, 0.01});
      Joint joint{.name = "leg " + std::to_string(world.model.joints.size()),
                  .kind = JointKind::revolute};
      joint.a = {top, {{x, 0, -0.015}, rotation_between({0, 0, 1}, {0, 1, 0})}};
      joint.b = {world.bodies.back().id, {{}, rotation_between({0, 0, 1}, {0, 1, 0})}};
      const double swing = 1e-3 * (table + 1);
      joint.drives = {{.lower = -0.5,
                       .upper = 0.5,
                       .motor = {.kind = Motor::Kind::position,
                                 .target = [=](double t) { return swing * std::sin(8 * t + x); },
                                 .stiffness = 20,
                                 .damping = 0.05},
                       .stiffness = 2,
                       .damping = 0.01}};
      world.model.joints.push_back(joint);
    }
  }
  return world;
}

TEST(ContactsOfJoints, OfSeveralIslandsGiveTheSameBitsOnAnyNumberOfThreads) {
  const World world = walking_tables(5);
  Simulation one = world.simulation(1), two = world.simulation(2), three = world.simulation(3);
  for (int k = 0; k < 100; ++k) {
    const Report& report = one.step();
    ASSERT_TRUE(report.converged) << k;
    for (Simulation* other : {&two, &three}) {
      const Report& same = other->step();
      ASSERT_EQ(motion_hash(other->state()), motion_hash(one.state())) << k;
      ASSERT_EQ(same.residual, report.residual) << k;
      ASSERT_EQ(same.joint_error, report.joint_error) << k;
      ASSERT_EQ(same["spring_swing"].value, report["spring_swing"].value) << k;
      ASSERT_EQ(same["spring_swing"].joint(), report["spring_swing"].joint()) << k;
    }
  }
}

TEST(ContactsOfJoints, OfOneIslandDoNotDependOnWhatOthersDo) {
  // But for what of the tolerance is whose.
  const World alone = walking_tables(1), among = walking_tables(4);
  Simulation one = alone.simulation(), many = among.simulation();
  for (int k = 0; k < 100; ++k) {
    one.step();
    many.step();
  }
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Vec3 apart = body_of(one, i).position - body_of(many, i).position;
    EXPECT_LT(norm(apart), 1e-7) << i;
  }
}

TEST(ContactsOfJoints, TellOfJointsWhatBodiesThatStandThereHave) {
  const World world = walking_tables(2);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 60; ++k) {
    const double error = simulation.step().joint_error;
    const Simulation there(world.model, simulation.state());
    ASSERT_EQ(there.report().joint_error, error) << k;
    for (std::size_t joint = 0; joint < world.model.joints.size(); ++joint)
      ASSERT_EQ(there.state().joints[joint].coordinate, simulation.state().joints[joint].coordinate)
          << k << ", " << joint;
  }
}

}  // namespace
}  // namespace scree

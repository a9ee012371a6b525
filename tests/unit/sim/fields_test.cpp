// Forces that depend on the time, on where bodies are, and on how they move.
#include <cmath>
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "support/grains.hpp"
#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

Field field(const std::array<std::string, 3>& force,
            const std::array<std::string, 3>& torque = {"0", "0", "0"}) {
  Field made{.name = "field"};
  for (std::size_t k = 0; k < 3; ++k) {
    made.force[k] = field_expression(force[k]);
    made.torque[k] = field_expression(torque[k]);
  }
  return made;
}

/// A ball of 1 kg and 0.1 m in empty space, with rigid contacts or compliant ones.
World ball(double h, bool compliant = false) {
  World world(compliant ? linear_law(1e4, 3e3, 0.4, 0.5) : coulomb(0.5), h);
  world.model.gravity = {};
  world.sphere({0, 0, 0}, 0.1).mass = 1;
  return world;
}

/// How far an error goes down where steps are half as long: 2 of the first order, 4 of the second.
template <class Error>
double order_ratio(Error&& error) {
  return error(1e-3) / error(0.5e-3);
}

TEST(Field, OfDragSlowsABodyDownAsTheExponentialDoesToFirstOrder) {
  for (const bool compliant : {false, true}) {
    const auto error = [&](double h) {
      World world = ball(h, compliant);
      world.bodies[0].velocity = {1, 2, -1};
      world.model.fields = {field({"-3*vx", "-3*vy", "-3*vz"})};
      Simulation simulation = world.simulation();
      run_until(simulation, 0.5);
      return norm(simulation.body({0}).velocity - std::exp(-1.5) * Vec3{1, 2, -1});
    };
    EXPECT_LT(error(1e-3), 5e-3);
    EXPECT_NEAR(order_ratio(error), 2, 0.05) << compliant;
  }
}

TEST(Field, OfDragLetsABodyFallAtItsTerminalVelocityWhateverTheStep) {
  for (const double h : {1e-3, 0.1}) {
    World world = ball(h);
    world.model.gravity = {0, 0, -kGravity};
    world.model.fields = {field({"-3*vx", "-3*vy", "-3*vz"})};
    Simulation simulation = world.simulation();
    run_until(simulation, 15);
    EXPECT_NEAR(simulation.body({0}).velocity.z, -kGravity / 3, 1e-12) << h;
  }
}

TEST(Field, OfQuadraticDragFollowsItsClosedFormFromRest) {
  // v = v∞ tanh(g t / v∞), v∞² = m g / k
  const auto error = [](double h) {
    World world = ball(h);
    world.model.gravity = {0, 0, -kGravity};
    const std::string drag = "-2*sqrt(vx^2+vy^2+vz^2)*";
    world.model.fields = {field({drag + "vx", drag + "vy", drag + "vz"})};
    Simulation simulation = world.simulation();
    run_until(simulation, 0.3);
    const double max_value = std::sqrt(kGravity / 2);
    return std::abs(simulation.body({0}).velocity.z +
                    max_value * std::tanh(kGravity * 0.3 / max_value));
  };
  EXPECT_LT(error(1e-3), 5e-3);
  EXPECT_NEAR(order_ratio(error), 2, 0.1);
}

TEST(Field, OfASpringToTheOriginSwingsAsItsClosedFormToTheOrderOfTheScheme) {
  for (const bool compliant : {false, true}) {
    const auto error = [&](double h) {
      World world = ball(h, compliant);
      world.bodies[0].position = {0.3, 0, -0.2};
      world.model.fields = {field({"-40*x", "-40*y", "-40*z"})};
      Simulation simulation = world.simulation();
      run_until(simulation, 2);
      return norm(simulation.body({0}).position -
                  std::cos(std::sqrt(40.) * 2) * Vec3{0.3, 0, -0.2});
    };
    EXPECT_LT(error(1e-3), 2e-3);
    EXPECT_NEAR(order_ratio(error), compliant ? 4 : 2, 0.2) << compliant;
  }
}

TEST(Field, WorkIsInTheBooksWhichClose) {
  for (const bool compliant : {false, true}) {
    World world = ball(1e-3, compliant);
    world.bodies[0].position = {0.3, 0, 0};
    world.bodies[0].velocity = {0, 1, 0};
    world.model.gravity = {0, 0, -1};
    world.model.fields = {field({"-40*x", "-40*y", "-40*z"}),
                          field({"-vx", "-vy", "-vz"}, {"0", "0.01-0.01*wy", "0"})};
    Simulation simulation = world.simulation();
    const double start = total_energy(simulation.report());
    EXPECT_NEAR(start, 0.5, 1e-6);
    // A first step with a compliant law books half a kick of gravity besides.
    const double of_start = compliant ? -1e-6 / 8 : 0;
    for (int k = 0; k < 500; ++k) {
      const Report& report = simulation.step();
      ASSERT_NEAR(total_energy(report), start, 1e-12);
      ASSERT_NEAR(report.field_work + of_start, report.wall_work, 1e-13);
    }
    EXPECT_LT(simulation.report().field_work, -0.1);
  }
}

TEST(Field, OfASpringTakesFromABodyWhatTheSpringThenHolds) {
  const auto error = [](double h) {
    World world = ball(h, true);
    world.bodies[0].position = {0.3, 0, 0};
    world.model.fields = {field({"-40*x", "0", "0"})};
    Simulation simulation = world.simulation();
    run_until(simulation, 0.1);
    // Half a step back, where the velocity is.
    const double t = 0.1 - h / 2, x = 0.3 * std::cos(std::sqrt(40.) * t);
    return std::abs(simulation.report().field_work - 20 * (0.09 - x * x));
  };
  EXPECT_LT(error(1e-3), 1e-5);
  EXPECT_NEAR(order_ratio(error), 4, 0.3);
}

TEST(Field, ThatIsTooStiffByItsPlaceForTheStepIsTold) {
  // h² k / m = 4 is where leapfrog and the symplectic Euler step swing ever wider.
  for (const double stiffness : {3.9e6, 4.1e6}) {
    World world = ball(1e-3);
    world.bodies[0].position = {0.01, 0, 0};
    world.model.fields = {field({"-" + std::to_string(stiffness) + "*x", "0", "0"})};
    Simulation simulation = world.simulation();
    for (int k = 0; k < 1000; ++k) simulation.step();
    const bool grew = std::abs(simulation.body({0}).position.x) > 1;
    EXPECT_EQ(grew, stiffness > 4e6);
    EXPECT_EQ(simulation.report()["field_swing"].value > FieldSwing::kMax, grew);
    EXPECT_NEAR(simulation.report()["field_swing"].value, stiffness / 4e6, 1e-9);
  }
}

TEST(Field, ThatDoesNoWorkDoesNoneUnderGravityEither) {
  // A charge in crossed fields drifts across gravity, on a cycloid between 0 and −2 g / Ω².
  for (const double h : {1e-3, 0.02}) {
    World world = ball(h);
    world.model.gravity = {0, -kGravity, 0};
    world.model.fields = {field({"10*vy", "-10*vx", "0"})};
    Simulation simulation = world.simulation();
    double highest = -1, lowest = 1;
    while (simulation.state().time < 5) {
      simulation.step();
      highest = std::max(highest, simulation.body({0}).position.y);
      lowest = std::min(lowest, simulation.body({0}).position.y);
    }
    EXPECT_NEAR(simulation.report().field_work, 0, 1e-12);
    EXPECT_LT(highest, kGravity * h / 10);
    EXPECT_GT(lowest, -2 * kGravity / 100 - kGravity * h / 10);
  }
}

TEST(Field, ThatDoesNoWorkGivesNoEnergyHoweverLongTheStepIs) {
  // Coriolis' force; an explicit step would make 4 Ω² h² of the energy in each.
  for (const double turn : {0.01, 0.5}) {
    World world = ball(1e-3);
    world.bodies[0].velocity = {1, 0.3, 0.2};
    const std::string rate = std::to_string(turn / 1e-3);
    world.model.fields = {field({"mass*" + rate + "*vy", "-mass*" + rate + "*vx", "0"})};
    Simulation simulation = world.simulation();
    const double before = norm(world.bodies[0].velocity);
    for (int k = 0; k < 20000; ++k) simulation.step();
    EXPECT_NEAR(norm(simulation.body({0}).velocity), before, 1e-11);
    EXPECT_EQ(simulation.report()["field_swing"].value, 0);
  }
}

TEST(Field, OfARotatingFrameShowsAStraightPathAsTheSpiralThatItIs) {
  // Inertial frame: x = (1, 0, 0) + t (0, 1, 0); the frame turns about z with Ω = 2.
  const auto error = [](double h) {
    World world = ball(h);
    world.bodies[0].position = {1, 0, 0};
    world.bodies[0].velocity = {0, 1 - 2, 0};
    world.model.fields = {field({"mass*(4*x + 4*vy)", "mass*(4*y - 4*vx)", "0"})};  // Ω² x, 2 Ω v
    Simulation simulation = world.simulation();
    run_until(simulation, 1);
    const double c = std::cos(2.), s = std::sin(2.);
    return norm(simulation.body({0}).position - Vec3{c + s, -s + c, 0});
  };
  EXPECT_LT(error(1e-3), 1e-5);
  // Of second order: both forces cancel at the start, where the first step would else be too long
  // by half.
  EXPECT_NEAR(order_ratio(error), 4, 0.05);
}

TEST(Field, OfTorqueTurnsABodyOfUnequalMomentsByIt) {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  world.box({0, 0, 1}, {0.2, 0.1, 0.3}, rotation({1, 2, -1}, 0.8)).angular_velocity = {1, -2, 0.5};
  world.model.fields = {field({"0", "0", "0"}, {"0.1-0.02*wx", "-0.02*wy", "t-0.02*wz"})};
  Simulation simulation = world.simulation();
  const Model& model = simulation.model();
  for (int k = 0; k < 100; ++k) {
    const Body before = simulation.body({0});
    const double t = simulation.state().time;
    const Vec3 torque = Vec3{0.1, 0, t} - 0.02 * before.angular_velocity;
    simulation.step();
    const Vec3 gained =
        angular_momentum(model, simulation.body({0})) - angular_momentum(model, before);
    EXPECT_LT(norm(gained - 1e-3 * torque), 1e-14) << k;
  }
}

TEST(Field, ActsOnTheMaterialsAndBodiesThatItNamesAndSeesWhatTheyAre) {
  World world = ball(1e-3);
  world.model.materials.push_back({"steel", 8000});
  world.model.laws = LawTable(2, coulomb(0.5));
  world.sphere({1, 0, 0}, 0.2).material = 1;
  world.box({3, 0, 0}, {0.1, 0.2, 0.3});
  Field on_steel = field({"mass", "0", "0"}), on_box = field({"0", "volume", "radius"});
  on_steel.materials = {1};
  on_box.bodies = {world.bodies[2].id};
  world.model.fields = {on_steel, on_box};
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_EQ(simulation.body({0}).velocity, Vec3{});
  EXPECT_NEAR(simulation.body({1}).velocity.x, 1e-3, 1e-18);
  const Body box = simulation.body({2});
  EXPECT_NEAR(box.velocity.y, 1e-3 * 0.006 / box.mass, 1e-15);
  EXPECT_NEAR(box.velocity.z, 1e-3 * box.radius / box.mass, 1e-15);
}

TEST(Field, OfBuoyancyBearsABallOfTheLiquidsDensity) {
  World world(coulomb(0.5), 1e-3);
  world.sphere({0, 0, 0}, 0.1);
  world.model.fields = {field({"0", "0", "1000*9.81*volume"})};
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  EXPECT_NEAR(simulation.body({0}).velocity.z, 0, 1e-13);
}

TEST(Field, PressesABallOntoAFloorThatBearsItAndItsWeight) {
  World world = ball(1e-3);
  world.model.gravity = {0, 0, -kGravity};
  world.half_space({0, 0, -0.1}, {0, 0, 1});
  world.model.fields = {field({"0", "0", "-5"}), field({"-vx", "-vy", "-40*vz"})};
  Simulation simulation = world.simulation();
  run_until(simulation, 0.2);
  EXPECT_NEAR(simulation.contact_force_on_obstacle(0).force.z, -kGravity - 5, 1e-9);
}

TEST(Field, InACellThatRepeatsSeesTheImageInTheCell) {
  World world = ball(1e-3);
  world.model.domain = Domain({2, 0, 0});
  world.bodies[0].position = {5.5, 3, 0};
  world.model.fields = {field({"x", "y", "0"})};
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_NEAR(simulation.body({0}).velocity.x, 1.5e-3, 1e-17);
  EXPECT_NEAR(simulation.body({0}).velocity.y, 3e-3, 1e-17);
}

TEST(Field, InACellThatIsStrainedIsRefused) {
  World world = ball(1e-3);
  world.model.domain = Domain({2, 2, 2});
  world.model.strain.rate.xy = 1;
  EXPECT_NO_THROW(world.simulation());
  world.model.fields = {field({"x", "y", "0"})};
  EXPECT_THROW(world.simulation(), InputError);
}

TEST(Field, ThatIsNotFiniteEndsTheRunAndLeavesTheStateAsItWas) {
  World world = ball(1e-3);
  world.sphere({1, 0, 0}, 0.1).velocity = {-1, 0, 0};
  world.model.fields = {field({"0", "0", "0"}), field({"0", "x < 0.9 ? 1/(x-x) : 0", "0"})};
  world.model.fields[1].bodies = {{1}};
  Simulation simulation = world.simulation();
  for (int k = 0; k < 1000 && !simulation.report().motion_fault; ++k) simulation.step();
  ASSERT_TRUE(simulation.report().motion_fault);
  const MotionFault fault = *simulation.report().motion_fault;
  EXPECT_EQ(fault.field, 1U);
  EXPECT_EQ(fault.body, BodyId{1});
  EXPECT_NEAR(fault.time, 0.101, 2e-3);
  for (const char* words :
       {"force[1]", "'x < 0.9 ? 1/(x-x) : 0'", "is inf", "body 1 at (0.9, 0, 0)"})
    EXPECT_NE(fault.what.find(words), std::string::npos) << fault.what;
  const std::uint64_t hash = state_hash(simulation.state());
  EXPECT_TRUE(simulation.step().motion_fault) << "each further step tries again";
  EXPECT_EQ(state_hash(simulation.state()), hash);
}

TEST(Field, ThatBrakesABodyByMoreThanItsVelocityIsTold) {
  World world = ball(1e-3);
  world.sphere({1, 0, 0}, 0.1).velocity = {0, 1, 0};
  world.model.fields = {field({"-mass*1500*vx", "-mass*1500*vy", "-mass*1500*vz"})};
  world.model.fields[0].bodies = {{1}};
  Simulation simulation = world.simulation();
  const Measured swing = simulation.step()["field_swing"];
  EXPECT_NEAR(swing.value, 1.5, 1e-12);
  EXPECT_EQ(swing.body(), BodyId{1});
  const FieldLook look = look_at_fields(simulation.model(), simulation.state());
  EXPECT_NEAR(look.swing.value, 1.5, 1e-12);
}

TEST(Field, ThatBrakesABodyWhereItIsLockedSwingsNothing) {
  World world = ball(1e-3);
  world.model.prototypes[0].locked = {0b100, 0b110};  // moves across z, turns about x
  world.bodies[0].velocity = {1, 2, 0};
  world.model.fields = {field({"-mass*100*vx", "-mass*200*vy", "-mass*1500*vz"},
                              {"0", "-mass*1500*wy", "-mass*1500*wz"})};
  const Simulation simulation = world.simulation();
  const FieldLook look = look_at_fields(simulation.model(), simulation.state());
  EXPECT_NEAR(look.swing.value, 0.2, 1e-12);
}

TEST(Field, ThatTurnsAVelocityInThePlaneOfALockedBodyGivesNoEnergy) {
  // Lorentz' force of a field that leans out of the plane: what is along z presses on the lock.
  World world = ball(1e-2);
  world.model.prototypes[0].locked = {0b100, 0};
  world.bodies[0].velocity = {1, 2, 0};
  world.model.fields = {field({"30*vy - 20*vz", "10*vz - 30*vx", "20*vx - 10*vy"})};
  Simulation simulation = world.simulation();
  for (int k = 0; k < 100; ++k) simulation.step();
  const Vec3& v = simulation.state().bodies.velocity[0];
  EXPECT_NEAR(squared_norm(v), 5, 1e-10);
  EXPECT_EQ(v.z, 0);
  // Turned by 2 atan(15 h) in each step about z.
  const double angle = std::atan2(2, 1) - 100 * 2 * std::atan(15 * 1e-2);
  EXPECT_NEAR(v.x, std::sqrt(5) * std::cos(angle), 1e-9);
  EXPECT_NEAR(v.y, std::sqrt(5) * std::sin(angle), 1e-9);
}

World stirred(double h = 5e-4) {
  World world = random_pile(1500, coulomb(0.4), h, 21);
  world.model.solver.tolerance = 1e-3;
  world.model.solver.max_sweeps = 30;
  world.model.fields = {field({"-1e-4*vx + 1e-3*sin(9*y+40*t)", "1e-3*vx*mass - 1e-4*vy", "0"},
                              {"0", "0", "-1e-9*wz"})};
  return world;
}

std::uint64_t hash_after_work(const World& world, int steps, int threads, InstructionSet set) {
  Simulation simulation = world.simulation(threads, set);
  for (int k = 0; k < steps; ++k) simulation.step();
  EXPECT_NE(simulation.state().field_work, 0);
  return state_hash(simulation.state());
}

TEST(Field, GivesTheSameBitsOnAnyThreadsAndInstructionSetAndFromACopy) {
  const World world = stirred();
  const std::uint64_t expected = hash_after_work(world, 100, 1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(hash_after_work(world, 100, 1, set), expected) << name(set);
  EXPECT_EQ(hash_after_work(world, 100, 4, widest_instruction_set()), expected);
  Simulation half = world.simulation();
  for (int k = 0; k < 50; ++k) half.step();
  Simulation rest(half.model(), half.state());
  for (int k = 0; k < 50; ++k) rest.step();
  EXPECT_EQ(state_hash(rest.state()), expected);
}

}  // namespace
}  // namespace scree

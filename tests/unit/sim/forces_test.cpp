// Contacts with compliant laws in a simulation: their forces, their memory, and who has them.
#include <gtest/gtest.h>
#include <tuple>

#include "scree/laws/force_pair.hpp"
#include "support/random_impacts.hpp"
#include "support/soft_piles.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Forces, LeaveTheRestitutionThatIsAskedForUnderEveryLaw) {
  for (const LawKind kind :
       {LawKind::cundall_strack, LawKind::hertz_mindlin, LawKind::spring_dashpot})
    for (const double e : {0.9, 0.5, 0.2}) {
      PairLaw law = linear_law(kind == LawKind::hertz_mindlin ? 5e7 : 1e5, 3e4, 0, e);
      law.kind = kind;
      law.force.tangential_damping = 0;
      World world(law, 1e-7);
      world.model.gravity = {};
      world.sphere({}, 0.005, {0, 0, 1});
      world.sphere({0, 0, 0.0101}, 0.005, {0, 0, -1});
      Simulation simulation = world.simulation();
      const double before = simulation.report().kinetic_energy;
      for (int k = 0; k < 20000; ++k) simulation.step();
      EXPECT_NEAR(std::sqrt(simulation.report().kinetic_energy / before), e, 1e-3) << name(kind);
    }
}

std::uint64_t hash_after(const World& world, int steps, int threads,
                         InstructionSet set = widest_instruction_set()) {
  Simulation simulation = world.simulation(threads, set);
  for (int k = 0; k < steps; ++k) simulation.step();
  return state_hash(simulation.state());
}

PairLaw with_everything() {
  PairLaw law = soft();
  law.rolling_friction = 2e-4;
  law.cohesion = 1e-3;
  return law;
}

TEST(Forces, HaveTheSameBitsOnAnyThreadsAndInstructionSet) {
  for (const PairLaw& law : {soft(), with_everything()}) {
    const World world = soft_pile(200, law, 7);
    const std::uint64_t hash = hash_after(world, 600, 1);
    EXPECT_EQ(hash_after(world, 600, 2), hash);
    EXPECT_EQ(hash_after(world, 600, 3), hash);
    for (const InstructionSet set : instruction_sets())
      EXPECT_EQ(hash_after(world, 600, 1, set), hash);
  }
}

/// So many grains that they are cut into chunks, whose bodies touch those of others.
World large_soft_pile() {
  PairLaw law = soft();
  law.rolling_friction = 2e-4;
  law.spinning_friction = 1e-4;
  constexpr int kEdge = 19;
  constexpr double kRadius = 5e-3;
  World world(law, 1e-5);
  world.half_space({0, 0, 0}, {0, 0, 1});
  RandomStream random{31, 0};
  const auto jitter = [&](double max_value) { return random.uniform(-max_value, max_value); };
  for (int k = 0; k < kEdge * kEdge * kEdge; ++k) {
    const int layer = k / (kEdge * kEdge);
    const Vec3 place{k % kEdge + 1.0, k / kEdge % kEdge + 1.0, layer + 1.0};
    world.sphere(1.995 * kRadius * place, random.uniform(0.98, 1.01) * kRadius,
                 {jitter(0.1), jitter(0.1), jitter(0.1)}, {jitter(9), jitter(9), jitter(9)});
  }
  return world;
}

TEST(Forces, OfManyChunksHaveTheSameBitsOnAnyThreadsAndInstructionSet) {
  const World world = large_soft_pile();
  const auto hash = [&](int threads, InstructionSet set) {
    Simulation simulation = world.simulation(threads, set);
    for (int k = 0; k < 150; ++k) simulation.step();
    EXPECT_GT(simulation.report().contacts_loaded, 1000U);
    return state_hash(simulation.state());
  };
  const std::uint64_t expected = hash(1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets()) EXPECT_EQ(hash(2, set), expected);
  EXPECT_EQ(hash(3, widest_instruction_set()), expected);
}

/// Makes a step, and compares what it gave each body with the sum of the contacts that it tells of.
void expect_that_bodies_get_the_sum_of_their_contacts(Simulation& simulation) {
  const Model& model = simulation.model();
  const double h = model.step.h;
  const State before = simulation.state();
  simulation.step();
  for (std::size_t i = 0; i < before.bodies.size(); ++i) {
    const Body was = before.bodies[i], is = body_of(simulation, was.id.value);
    const Wrench wrench = simulation.contact_force(was.id);
    const double inertia = 0.4 * was.mass * was.radius * was.radius;
    const Vec3 force = was.mass / h * (is.velocity - was.velocity) - was.mass * model.gravity,
               torque = inertia / h * (is.angular_velocity - was.angular_velocity);
    ASSERT_LT(norm(force - wrench.force), 1e-9 * (was.mass / h + norm(wrench.force))) << i;
    ASSERT_LT(norm(torque - wrench.torque), 1e-9 * (inertia / h + was.radius * norm(wrench.force)))
        << i;
  }
}

TEST(Forces, AreToldWithTheSameBitsOnAnyInstructionSet) {
  World world = large_soft_pile();
  PairLaw law = soft();
  for (const double damping_ratio : {0.0, 0.5}) {
    law.force.damping_ratio = damping_ratio;
    world.model.laws.assign(0, 0, law);
    const auto reported = [&](InstructionSet set) {
      Simulation simulation = world.simulation(1, set);
      for (int k = 0; k < 20; ++k) simulation.step();
      std::vector<std::tuple<ContactClass, Vec3, Vec3>> contacts;
      for (const ContactRecord& contact : simulation.contacts())
        contacts.emplace_back(contact.kind, contact.impulse, contact.relative_velocity);
      return contacts;
    };
    const auto expected = reported(InstructionSet::scalar);
    EXPECT_GT(expected.size(), 1000U);
    for (const InstructionSet set : instruction_sets()) EXPECT_TRUE(reported(set) == expected);
  }
}

TEST(Forces, OfManyChunksGiveEveryBodyTheSumOfItsContacts) {
  const World world = large_soft_pile();
  Simulation simulation = world.simulation(2);
  for (int k = 0; k < 150; ++k) simulation.step();
  EXPECT_GT(simulation.report().contacts_loaded, 1000U);
  expect_that_bodies_get_the_sum_of_their_contacts(simulation);
}

TEST(Forces, GoOnToTheSameBitsFromAState) {
  const World world = soft_pile(100, with_everything(), 8);
  Simulation whole = world.simulation();
  for (int k = 0; k < 500; ++k) whole.step();
  Simulation again(whole.model(), whole.state(), 2);
  for (int k = 0; k < 500; ++k) {
    whole.step();
    again.step();
  }
  EXPECT_EQ(state_hash(whole.state()), state_hash(again.state()));
}

TEST(Forces, OfABeltCarryABallAlongAndItsPowerIsBooked) {
  World world(soft(), 1e-5);
  world.half_space({}, {0, 0, 1});
  world.model.obstacles.back().motion = [](double) { return Twist{{0.5, 0, 0}, {}}; };
  const double weight = world.sphere({0, 0, 0.005}, 0.005).mass * kGravity;
  world.bodies[0].position.z -= weight / 1e4;
  Simulation simulation = world.simulation();
  const double start = total_energy(simulation.step());
  run_until(simulation, 0.3);
  // It rolls against the belt's motion: 2/7 of its speed.
  EXPECT_NEAR(body_of(simulation, 0).velocity.x, 0.5 * 2 / 7, 1e-3);
  EXPECT_NEAR(total_energy(simulation.report()), start, 1e-12);
  EXPECT_GT(simulation.report().wall_work, 0);
}

TEST(Forces, OfSlippingPairsAreCappedAndToldAsSliding) {
  World world(linear_law(1e5, 3e4, 0.2, 0.5), 1e-5);
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 0.00999}, 0.01, {1, 0, 0});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 20; ++k) simulation.step();
  const std::vector<ContactRecord> contacts = simulation.contacts();
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0].kind, ContactClass::sliding);
  const double normal = dot(contacts[0].impulse, contacts[0].normal);
  EXPECT_NEAR(norm(contacts[0].impulse - normal * contacts[0].normal), 0.2 * normal,
              1e-12 * normal);
}

/// Force and torque that the contacts of a body are reported to give are those that change its
/// motion.
void expect_told_as_they_move_bodies(const PairLaw& law) {
  World world(law, 1e-5);
  world.model.gravity = {};
  world.sphere({0, 0, 0}, 0.005, {0.2, 0.1, 0.5}, {20, -30, 10});
  world.sphere({0, 0, 0.0115}, 0.007, {-0.1, 0, -0.4}, {-10, 5, 40});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 5; ++k) simulation.step();
  int touching = 0;
  for (int k = 0; k < 20; ++k) {
    const Body before = body_of(simulation, 1);
    touching += simulation.step().force_contacts > 0;
    const Body after = body_of(simulation, 1);
    const Wrench reported = simulation.contact_force({1});
    const double h = 1e-5, inertia = 0.4 * before.mass * before.radius * before.radius;
    const Vec3 force = before.mass / h * (after.velocity - before.velocity),
               torque = inertia / h * (after.angular_velocity - before.angular_velocity);
    EXPECT_LT(norm(reported.force - force), 1e-9 * (norm(force) + 1e-3));
    EXPECT_LT(norm(reported.torque - torque), 1e-9 * (norm(torque) + 1e-6));
  }
  EXPECT_GT(touching, 10);
}

TEST(Forces, AreToldAsTheyMoveBodies) {
  PairLaw law = with_everything();
  law.spinning_friction = 1e-4;
  for (const double damping_ratio : {0.0, 0.5})
    for (const RotationScheme rotations : {RotationScheme::exact, RotationScheme::first_order})
      for (const BranchVectors branch :
           {BranchVectors::ratcheting_free, BranchVectors::contact_point}) {
        law.force.damping_ratio = damping_ratio;
        law.force.rotations = rotations;
        law.force.branch = branch;
        expect_told_as_they_move_bodies(law);
      }
}

/// A cube that falls flat on four points comes back as a sphere of its mass does.
TEST(Forces, OfFourPointsLeaveTheRestitutionThatIsAsked) {
  for (const double e : {0.2, 0.5, 0.9}) {
    World world(linear_law(1e4, 3e3, 0, e), 2e-6);
    world.model.gravity = {};
    world.half_space({}, {0, 0, 1});
    world.box({0, 0, 0.00501}, {0.01, 0.01, 0.01}).velocity = {0, 0, -0.1};
    Simulation simulation = world.simulation();
    run_until(simulation, 0.02);
    EXPECT_NEAR(body_of(simulation, 0).velocity.z, 0.1 * e, 1e-3 * e);
  }
}

/// A box that rocks on a slope keeps the springs of the points that stay in touch. It hops, and so
/// it gets down by some millimetres; without its springs it walks 45 mm.
TEST(Forces, OfPointsThatStayAreKeptWhenOthersJoin) {
  World world(linear_law(1e4, 1e3, 5, 1), 2e-5);
  const double slope = 20 * std::numbers::pi / 180;
  world.model.gravity = kGravity * Vec3{std::sin(slope), 0, -std::cos(slope)};
  world.half_space({}, {0, 0, 1});
  world.box({0, 0, 0.005}, {0.02, 0.02, 0.01}).angular_velocity = {0, 3, 0};
  Simulation simulation = world.simulation();
  double lost = 0, before = 0;
  for (int k = 0; k < 20'000; ++k) {
    const Report& report = simulation.step();
    const double now = report.force_energy.elastic_shear;
    if (report.contacts_sliding == 0) lost = std::max(lost, before - now);
    before = now;
  }
  EXPECT_LT(lost, 2e-6);
  EXPECT_LT(std::abs(body_of(simulation, 0).position.x), 0.01);
}

TEST(Forces, OfABeltUnderABallAtRestAreNoAlarm) {
  World world(soft(), 2e-5);
  world.half_space({}, {0, 0, 1});
  world.model.obstacles.back().motion = [](double) { return Twist{{0.5, 0, 0}, {}}; };
  const double weight = world.sphere({0, 0, 0.005}, 0.005).mass * kGravity;
  world.bodies[0].position.z -= weight / 1e4;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 100; ++k) EXPECT_FALSE(simulation.step()["energy_growth"]);
}

/// A ball that sticks hangs from the ceiling until its weight is more than the cohesion.
TEST(Forces, OfCohesionHoldABallUnderACeiling) {
  for (const double fraction : {0.9, 1.1}) {
    PairLaw law = linear_law(1e4, 3e3, 0.4, 0.3);
    World world(law, 2e-5);
    world.half_space({}, {0, 0, -1});
    const double weight = world.sphere({0, 0, -0.005 + 1e-7}, 0.005).mass * kGravity;
    law.cohesion = weight / fraction;
    world.model.laws = LawTable(1, law);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.2);
    if (fraction < 1)
      EXPECT_NEAR(body_of(simulation, 0).position.z, -0.005, 1e-6);
    else
      EXPECT_LT(body_of(simulation, 0).position.z, -0.1);
  }
}

/// JKR: pulled off with 3/2 π w R, from a neck that outlives the touch.
TEST(Forces, OfAdhesionPullOffAsJohnsonKendallAndRobertsHaveIt) {
  const double r = 0.005, w = 0.5, young = 1e6;
  PairLaw law = hertz_law(0, 1);
  law.adhesion = w;
  law.force.k_n = 4.0 / 3 * young;
  law.force.k_t = young;
  ForcePair pair({.law = law, .moduli = {}, .radius = {r, r}, .wall = true, .h = 1e-4});
  double strongest = 0, last = 0;
  const double speed = -1e-4;
  PairForces f;
  Vec3 at{0, 0, r + 1e-9};
  for (int k = 0; k < 40'000; ++k) {
    const double v = k < 5000 ? speed : -speed;
    at.z += 1e-4 * v;
    f = pair.step({}, {at, {0, 0, v}, {}});
    if (f.contact) last = f.overlap;
    if (f.contact) strongest = std::min(strongest, f.force_b.z);
  }
  EXPECT_FALSE(f.contact);
  const double pull_off = 1.5 * std::numbers::pi * w * r;
  EXPECT_NEAR(-strongest, pull_off, 1e-3 * pull_off);
  const double patch = std::cbrt(std::numbers::pi * w * r * r / (8 * young));
  EXPECT_NEAR(last, -3 * patch * patch / r, 2e-8);
}

TEST(Forces, OfRollingResistanceStopABallInTheClosedFormsLength) {
  const double r = 0.01, length = 1e-4, v = 0.2;
  PairLaw law = linear_law(1e5, 3e4, 0.5, 0.3);
  law.rolling_friction = length;
  World world(law, 1e-5);
  world.half_space({}, {0, 0, 1});
  const double weight = world.sphere({0, 0, r}, r, {v, 0, 0}, {0, v / r, 0}).mass * kGravity;
  world.bodies[0].position.z -= weight / 1e5;
  Simulation simulation = world.simulation();
  const double braking = kGravity * length / r / (1.4), way = v * v / (2 * braking);
  run_until(simulation, 1.5 * v / braking);
  EXPECT_NEAR(body_of(simulation, 0).position.x, way, 0.01 * way);
  EXPECT_LT(norm(body_of(simulation, 0).velocity), 1e-4);
}

TEST(Forces, LetABallThatSpinsRollStraightOn) {
  const double r = 0.005, v = 0.5;
  World world(linear_law(1e5, 3e4, 0.4, 0.5), 2e-5);
  world.half_space({}, {0, 0, 1});
  const double weight = world.sphere({0, 0, r}, r, {v, 0, 0}, {0, v / r, 100}).mass * kGravity;
  world.bodies[0].position.z -= weight / 1e5;
  Simulation simulation = world.simulation();
  run_until(simulation, 0.2);
  EXPECT_LT(std::abs(body_of(simulation, 0).position.y), 1e-9);
  EXPECT_NEAR(body_of(simulation, 0).velocity.x, v, 1e-6);
}

TEST(Forces, TakeABallOnATurntableRoundInTheClosedFormsTime) {
  // It rolls in circles, at 2/7 of the speed of the table.
  const double spin = 5, r = 0.005, round = 2 * std::numbers::pi / (2.0 / 7 * spin),
               h = round / 2e4;
  const Vec3 touch{0.05, 0, 0}, velocity{0.05, 0, 0}, up{0, 0, 1};
  World world(linear_law(1e3, 300, 0.4, 0.5), h);
  world.half_space({}, up);
  world.model.obstacles[0].motion = [](double) { return Twist{{}, {0, 0, 5}}; };
  const Vec3 over_table = velocity - cross({0, 0, spin}, touch);
  const double weight =
      world.sphere(touch + r * up, r, velocity, cross(up, over_table) / r).mass * kGravity;
  world.bodies[0].position.z -= weight / 1e3;
  Simulation simulation = world.simulation();
  run_until(simulation, round);
  const Vec3 end = body_of(simulation, 0).position;
  // The shear spring, which begins unstretched, gives by m a/k_t = 0.12 µm.
  EXPECT_NEAR(end.x, touch.x, 3e-7);
  EXPECT_NEAR(end.y, touch.y, 1e-7);
}

/// Normal force that a body and a ball of 5 cm, free or fixed, give each other [N].
double pressed(bool fixed) {
  PairLaw law = hertz_law(0.3);
  law.force.k_n = 1e8;
  law.force.k_t = 1e8;
  World world(law, 1e-6);
  world.model.gravity = {};
  const double radius = 0.05, depth = 1e-4;
  if (fixed)
    world.obstacle(Sphere{radius}, {});
  else
    world.sphere({}, radius);
  world.box({0, 0, radius + 0.005 - depth}, {0.02, 0.02, 0.01});
  Simulation simulation = world.simulation();
  simulation.step();
  double force = 0;
  for (const ContactRecord& c : simulation.contacts())
    force += std::abs(dot(c.impulse, c.normal)) / world.model.step.h;
  return force;
}

TEST(Forces, OfABoxOnABallAreTheSameWhetherItIsFixedOrFree) {
  EXPECT_NEAR(pressed(true), pressed(false), 1e-9 * pressed(false));
}

}  // namespace
}  // namespace scree

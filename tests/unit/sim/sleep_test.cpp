// Bodies that sleep: beside the run without sleep, and what wakes them.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kPileRadius = 5e-3;  // of random_pile() [m]

PairLaw rough() {
  PairLaw law = coulomb(0.5);
  law.rolling_friction = law.spinning_friction = 0.02 * kPileRadius;
  return law;
}

World pile_of_sleepers(int count, bool sleep) {
  World world = random_pile(count, rough(), 1e-3, 5);
  world.model.step.sleep = sleep;
  return world;
}

/// Two heaps of a ball on three, far from each other: ids 0 to 3 and 4 to 7; 3 and 7 are on top.
World heaps(bool sleep) {
  World world(rough(), 1e-3);
  world.model.step.sleep = sleep;
  world.half_space({}, {0, 0, 1});
  const double d = 0.02, a = d / std::sqrt(3.0);
  for (const double x : {0.0, 1.0}) {
    for (const double angle : {0.0, 2.0944, 4.1888})
      world.sphere({x + a * std::cos(angle), a * std::sin(angle), d / 2}, d / 2);
    world.sphere({x, 0, d / 2 + 0.8166 * d}, d / 2);
  }
  return world;
}

/// Steps until all sleep, at most n times.
void step_to_sleep(Simulation& simulation, int n = 4000) {
  for (int k = 0; k < n && simulation.report().bodies_asleep < simulation.report().bodies; ++k)
    simulation.step();
  ASSERT_EQ(simulation.report().bodies_asleep, simulation.report().bodies)
      << simulation.report().kinetic_energy;
}

/// The longest way between where two runs have a body [m].
double distance(const Simulation& a, const Simulation& b) {
  double max_value = 0;
  for (const BodyId id : a.state().bodies.id)
    max_value = std::max(max_value, norm(a.body(id).position - b.body(id).position));
  return max_value;
}

bool sleeps(const Simulation& simulation, std::uint64_t id) {
  return simulation.state().sleep.sleeps(simulation.index_of({id}));
}

TEST(Sleep, LeavesABedWhereItIsAndAllThatIsToldOfIt) {
  Simulation sleeping = pile_of_sleepers(60, true).simulation(),
             waking = pile_of_sleepers(60, false).simulation();
  step_to_sleep(sleeping);
  step(sleeping, 500);
  step(waking, static_cast<int>(sleeping.state().step));
  EXPECT_LT(distance(sleeping, waking), 1e-6 * 2 * kPileRadius);

  const Report &reported = sleeping.report(), &expected = waking.report();
  EXPECT_EQ(reported.contacts, expected.contacts);
  EXPECT_EQ(reported.contacts_asleep, reported.contacts);
  EXPECT_EQ(reported.contacts_touching, expected.contacts_touching);
  EXPECT_EQ(reported.contacts_loaded, expected.contacts_loaded);
  EXPECT_EQ(reported.contacts_sliding, expected.contacts_sliding);
  EXPECT_NEAR(reported.max_penetration, expected.max_penetration, 1e-6 * kPileRadius);
  EXPECT_NEAR(reported.max_relative_penetration, expected.max_relative_penetration, 1e-6);
  EXPECT_EQ(reported.kinetic_energy, 0);
  EXPECT_TRUE(reported.converged);

  double weight = 0, borne = 0;
  for (const double mass : sleeping.state().bodies.mass) weight += kGravity * mass;
  for (std::uint32_t obstacle = 0; obstacle < 5; ++obstacle)
    borne -= sleeping.contact_force_on_obstacle(obstacle).force.z;
  EXPECT_NEAR(borne, weight, 1e-6 * weight);
  for (std::uint32_t obstacle = 0; obstacle < 5; ++obstacle) {
    const Wrench a = sleeping.contact_force_on_obstacle(obstacle),
                 b = waking.contact_force_on_obstacle(obstacle);
    EXPECT_LT(norm(a.force - b.force), 1e-3 * weight) << obstacle;
    EXPECT_LT(norm(a.torque - b.torque), 1e-4 * weight) << obstacle;
    const ObstacleLoad &sum = sleeping.state().obstacle_loads[obstacle],
                       &other = waking.state().obstacle_loads[obstacle];
    const double all = weight * sleeping.state().time;
    EXPECT_LT(norm(sum.impulse - other.impulse), 1e-3 * all) << obstacle;
    EXPECT_LT(norm(sum.angular_impulse - other.angular_impulse), 1e-4 * all) << obstacle;
    EXPECT_NEAR(sum.wear.sliding, other.wear.sliding, 1e-6 * std::abs(other.wear.sliding));
  }
}

TEST(Sleep, TellsOfContactsInTheirOrderWithTheForcesThatBearEachBody) {
  Simulation simulation = heaps(true).simulation();
  step_to_sleep(simulation);
  const std::vector<ContactRecord> contacts = simulation.contacts();
  EXPECT_EQ(contacts.size(), simulation.contact_count());
  EXPECT_EQ(contacts.size(), simulation.report().contacts);
  EXPECT_TRUE(std::ranges::is_sorted(contacts, {},
                                     [](const ContactRecord& r) { return std::pair(r.a, r.b); }));
  for (std::uint64_t id = 0; id < 8; ++id) {
    const Body body = simulation.body({id});
    const Wrench force = simulation.contact_force({id});
    EXPECT_NEAR(force.force.z, kGravity * body.mass, 1e-6 * kGravity * body.mass);
    EXPECT_LT(norm(force.torque), 1e-6 * kGravity * body.mass * body.radius);
    Vec3 sum;
    for (const ContactRecord& record : simulation.contacts_of({id}))
      sum += (record.b.value == id ? 1 : -1) * record.impulse;
    EXPECT_LT(norm(sum / simulation.model().step.h - force.force), 1e-12 * kGravity * body.mass);
  }
}

TEST(Sleep, IsLeftByAnIslandThatIsHitAndByNoOther) {
  Simulation sleeping = heaps(true).simulation(), waking = heaps(false).simulation();
  step_to_sleep(sleeping);
  step(waking, static_cast<int>(sleeping.state().step));
  Body ball = sleeping.body({3});
  ball.position = {0.001, 0, 0.1};
  for (Simulation* simulation : {&sleeping, &waking}) simulation->add(ball);
  int steps = 0;
  for (; sleeps(sleeping, 0) && steps < 500; ++steps) sleeping.step();
  EXPECT_LT(sleeping.body({8}).position.z, 0.055);
  step(waking, steps);
  for (int k = 0; k < 50; ++k) {
    for (std::uint64_t id = 0; id < 4; ++id) EXPECT_FALSE(sleeps(sleeping, id));
    for (std::uint64_t id = 4; id < 8; ++id) EXPECT_TRUE(sleeps(sleeping, id));
    sleeping.step();
    waking.step();
    EXPECT_LT(distance(sleeping, waking), 1e-6 * 0.02);
  }
  step_to_sleep(sleeping, 8000);  // the ball rolls away
}

TEST(Sleep, IsLeftByAllThatRestedOnABodyThatIsRemoved) {
  Simulation simulation = heaps(true).simulation();
  step_to_sleep(simulation);
  const double z = simulation.body({3}).position.z;
  const std::size_t contacts = simulation.contact_count();
  simulation.remove({1});
  EXPECT_LT(simulation.contact_count(), contacts);
  step(simulation, 1);
  EXPECT_EQ(simulation.report().bodies_asleep, 4U);
  step(simulation, 60);
  EXPECT_LT(simulation.body({3}).position.z, z - 1e-3);
  EXPECT_TRUE(sleeps(simulation, 7));
}

TEST(Sleep, IsLeftWhereABodyIsChangedOrPushed) {
  Simulation simulation = heaps(true).simulation();
  step_to_sleep(simulation);
  Simulation pushed(simulation.model(), simulation.state()),
      moved(simulation.model(), simulation.state());
  pushed.apply_force({3}, {0, 0, 1e-6});
  moved.move_to({7}, simulation.body({7}).position + Vec3{0, 0, 1e-3});
  for (Simulation* s : {&pushed, &moved}) s->step();
  EXPECT_FALSE(sleeps(pushed, 0));
  EXPECT_TRUE(sleeps(pushed, 4));
  EXPECT_TRUE(sleeps(moved, 0));
  EXPECT_FALSE(sleeps(moved, 4));
  EXPECT_LT(moved.body({7}).velocity.z, -0.5 * kGravity * 1e-3);
}

TEST(Sleep, ComesNotToWhatIsPushedInEachStep) {
  Simulation simulation = heaps(true).simulation();
  for (int k = 0; k < 4096; ++k) {
    simulation.apply_force({0}, {0, 0, -1e-3});
    simulation.step();
    ASSERT_FALSE(sleeps(simulation, 0)) << k;
  }
  EXPECT_TRUE(sleeps(simulation, 4));
  step_to_sleep(simulation);
  const double weight = kGravity * 4 * simulation.body({0}).mass;
  double borne = 0;
  for (const std::uint64_t id : {0, 1, 2})
    for (const ContactRecord& record : simulation.contacts_of({id}))
      if (is_obstacle(record.b)) borne -= record.impulse.z / simulation.model().step.h;
  EXPECT_NEAR(borne, weight, 1e-6 * weight);
}

TEST(Sleep, ComesNotToWhatFliesEverSoSlowly) {
  World world(rough(), 1e-5);
  world.model.step.sleep = true;
  world.model.gravity = {};
  world.sphere({-1 - 2.5e-8, 0, 0}, 1, {1e-7, 0, 0});
  world.sphere({1 + 2.5e-8, 0, 0}, 1);
  Simulation simulation = world.simulation();
  step(simulation, 5000);
  EXPECT_EQ(simulation.report().bodies_asleep, 0u);
  EXPECT_EQ(simulation.body({0}).velocity.x, 1e-7);
}

TEST(Sleep, IsLeftWhereAPartBeginsToMove) {
  Simulation simulation = heaps(true).simulation();
  step_to_sleep(simulation);
  simulation.move_obstacle(0, {{0.01, 0, 0}, {}});
  step(simulation, 1);
  EXPECT_EQ(simulation.report().bodies_asleep, 0U);
  for (const std::uint64_t id : {0, 4}) EXPECT_GT(simulation.body({id}).velocity.x, 0);
  // What moves with its obstacle goes on and never sleeps.
  step(simulation, 1500);
  EXPECT_EQ(simulation.report().bodies_asleep, 0U);
  simulation.move_obstacle(0, {});
  step_to_sleep(simulation);
}

TEST(Sleep, IsLeftByAllUnderAnotherGravity) {
  World world = heaps(true);
  Simulation simulation = world.simulation();
  step_to_sleep(simulation);
  const double x = simulation.body({0}).position.x;
  world.model.gravity = {0.8 * kGravity, 0, -0.6 * kGravity};
  simulation.change_model(world.model);
  step(simulation, 100);
  EXPECT_EQ(simulation.report().bodies_asleep, 0U);
  EXPECT_GT(simulation.body({0}).position.x, x + 1e-3);
}

TEST(Sleep, ComesNeverOnABelt) {
  World world(coulomb(0.5), 1e-3);
  world.model.step.sleep = true;
  world.half_space({}, {0, 0, 1}).half_space({0.05, 0, 0}, {-1, 0, 0});
  world.model.obstacles[0].surface_velocity = {1, 0, 0};
  world.box({0.04, 0, 0.01}, {0.02, 0.02, 0.02});
  Simulation simulation = world.simulation();
  step(simulation, 2000);
  EXPECT_LT(norm(simulation.body({0}).velocity), 1e-6);
  EXPECT_EQ(simulation.report().bodies_asleep, 0U);
  const ObstacleLoad& belt = simulation.state().obstacle_loads[0];
  // Of the forces that hold it, the smallest: the wall bears μ of its friction, N = m g / (1 + μ²).
  const double weight = simulation.body({0}).mass * kGravity;
  EXPECT_NEAR(belt.impulse.x, -0.4 * weight * 2, 1e-6 * weight);
  EXPECT_NEAR(belt.work, -belt.impulse.x * 1, 1e-9 * belt.work);
}

TEST(Sleep, ComesNotToABallThatIsAboutToFallOffAnother) {
  World world(coulomb(1), 1e-3);
  world.model.step.sleep = true;
  world.half_space({}, {0, 0, 1});
  Body& below = world.sphere({0, 0, 0.01}, 0.01);
  below.mass *= 1000;
  world.sphere({1e-14, 0, 0.03}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 3000 && simulation.body({1}).position.z > 0.02; ++k) {
    simulation.step();
    ASSERT_EQ(simulation.report().bodies_asleep, 0U) << k;
  }
  EXPECT_LT(simulation.body({1}).position.z, 0.02);
}

TEST(Sleep, ComesNotInTheAirHoweverShortTheStep) {
  World world(coulomb(0), 1e-10);
  world.model.step.sleep = true;
  world.sphere({0, 0, 1}, 0.01);
  Simulation simulation = world.simulation();
  step(simulation, 2048);
  EXPECT_EQ(simulation.report().bodies_asleep, 0U);
}

TEST(Sleep, TakesStacksOfBoxesAsTheyAre) {
  World world(coulomb(0.5), 1e-3);
  world.model.step.sleep = true;
  world.half_space({}, {0, 0, 1});
  for (int k = 0; k < 4; ++k) world.box({0.002 * k, 0, 0.01 + 0.02 * k}, {0.02, 0.02, 0.02});
  Simulation sleeping = world.simulation();
  step_to_sleep(sleeping);
  step(sleeping, 100);
  EXPECT_GE(sleeping.contact_count(), 12U);
  EXPECT_NEAR(sleeping.contact_force({0}).force.z, kGravity * sleeping.body({0}).mass, 1e-6);
  const Vec3 before = sleeping.body({3}).position;
  sleeping.change_velocity({0}, {});  // wakes them; nothing has changed
  step(sleeping, 100);
  EXPECT_EQ(sleeping.report().bodies_asleep, 0U);
  EXPECT_LT(norm(sleeping.body({3}).position - before), 1e-6 * 0.02);
}

TEST(Sleep, MeetsNothingBeyondAMargin) {
  World world = heaps(true);
  world.model.step.margin = 1e-7;
  Simulation simulation = world.simulation();
  step_to_sleep(simulation);
  for (int k = 0; k < 10; ++k) {
    const Report& report = simulation.step();
    EXPECT_EQ(report["contacts_beyond_margin"].value, 0U);
    EXPECT_EQ(report["bodies_beyond_margin"].value, 0U);
  }
}

TEST(Sleep, LosesNoEnergy) {
  Simulation simulation = pile_of_sleepers(40, true).simulation();
  const double first = total_energy(simulation.report());
  step_to_sleep(simulation);
  const double potential = simulation.report().potential_energy;
  EXPECT_NEAR(total_energy(simulation.report()), first, 1e-12 * potential);
  simulation.change_velocity({7}, {0, 0, 0.5});
  step(simulation, 200);
  EXPECT_LT(simulation.report().bodies_asleep, 40U);
  EXPECT_NEAR(total_energy(simulation.report()), first, 1e-12 * potential);
}

TEST(Sleep, IsTheSameForAnyThreadsAndInstructionSetAndFromACopy) {
  const World world = pile_of_sleepers(40, true);
  const auto run = [&](Simulation simulation) {
    step_to_sleep(simulation);
    simulation.change_velocity({7}, {0, 0, 0.1});
    step(simulation, 100);
    return simulation;
  };
  const Simulation expected = run(world.simulation());
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(state_hash(run(world.simulation(2, set)).state()), state_hash(expected.state()))
        << name(set);

  Simulation half = world.simulation();
  step_to_sleep(half);
  half.change_velocity({7}, {0, 0, 0.1});
  Simulation copy(world.model, half.state());
  EXPECT_EQ(copy.report().bodies_asleep, half.report().bodies_asleep);
  step(copy, 100);
  EXPECT_EQ(state_hash(copy.state()), state_hash(expected.state()));
}

TEST(Sleep, IsRefusedWhereBodiesBearMoreThanContacts) {
  const auto refused = [](World world, const std::string& why) {
    world.model.step.sleep = true;
    try {
      world.simulation();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
      return;
    }
    ADD_FAILURE() << why;
  };
  World soft({LawKind::cundall_strack, 0.5}, 1e-5);
  soft.model.laws = LawTable(
      1, {.kind = LawKind::cundall_strack, .friction = 0.5, .force = {.k_n = 1e4, .k_t = 1e4}});
  refused(soft, "compliant laws");
  World blown(coulomb(0.5), 1e-3);
  blown.model.fields.emplace_back();
  refused(blown, "fields");
  World strained(coulomb(0.5), 1e-3);
  strained.model.strain.rate.xx = -1;
  refused(strained, "a strained cell");
  World jointed(coulomb(0.5), 1e-3);
  jointed.model.joints.emplace_back();
  refused(jointed, "joints");
}

}  // namespace
}  // namespace scree

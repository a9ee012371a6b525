/// Bodies that are changed, added and removed between steps.
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <stdexcept>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// Two balls apart on a floor.
World two_balls() {
  World world(coulomb(0.4), 1e-3);
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 0.01}, 0.01);
  world.sphere({0.1, 0, 0.01}, 0.01);
  return world;
}

/// What is refused says why, and leaves the state as it was.
template <class F>
void expect_refusal(Simulation& simulation, const std::string& words, F&& change) {
  const std::uint64_t before = state_hash(simulation.state()),
                      rows = simulation.columns().generation();
  try {
    change();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind(words, 0), 0u)
        << error.what() << " instead of " << words;
  }
  EXPECT_EQ(state_hash(simulation.state()), before) << words;
  EXPECT_EQ(simulation.columns().generation(), rows) << words;
}

/// Energy that came from nowhere since `first`, over the largest that came by [-].
double unaccounted(const Report& first, const Simulation& simulation, double largest) {
  const Report& last = simulation.report();
  const double change =
      last.kinetic_energy + last.potential_energy - first.kinetic_energy - first.potential_energy;
  return (change + (last.dissipated_energy - first.dissipated_energy) -
          (last.wall_work - first.wall_work)) /
         largest;
}

TEST(Edit, OfThePoseOfABodyThatAJointHoldsIsRefused) {
  World world = two_balls();
  world.model.joints.push_back({.name = "rod", .kind = JointKind::distance});
  world.model.joints[0].a = {{0}, {}};
  world.model.joints[0].b = {{1}, {}};
  world.model.joints[0].length = 0.1;
  Simulation simulation = world.simulation();
  expect_refusal(simulation, "body 1 hangs in the joint 'rod'", [&] {
    simulation.move_to({1}, {1, 0, 0.01});
  });
  expect_refusal(simulation, "body 0 hangs in the joint 'rod'", [&] {
    simulation.turn_to({0}, rotation({0, 0, 1}, 1));
  });
  simulation.change_velocity({1}, {1, 0, 0});
}

TEST(Edit, OfABodyIsReadBack) {
  Simulation simulation = two_balls().simulation();
  simulation.step();
  const Quaternion turned = rotation({1, 2, 3}, 0.7);
  simulation.move_to({1}, {0.3, 0.2, 0.1});
  simulation.turn_to({1}, turned);
  simulation.change_velocity({1}, {1, 2, 3});
  simulation.change_angular_velocity({1}, {4, 5, 6});
  const Body body = simulation.body({1});
  EXPECT_EQ(body.position, (Vec3{0.3, 0.2, 0.1}));
  EXPECT_EQ(body.orientation, turned);
  EXPECT_EQ(body.velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(body.angular_velocity, (Vec3{4, 5, 6}));
  EXPECT_EQ(simulation.body({0}).velocity, body_of(simulation, 0).velocity);
}

TEST(Edit, ThatCannotBeUsedIsRefusedAndChangesNothing) {
  Simulation simulation = two_balls().simulation();
  simulation.step();
  const Body sound = simulation.body({0});
  const auto refuse = [&](const std::string& words, auto&& change) {
    expect_refusal(simulation, words, change);
  };
  refuse("body.position is (nan, 0, 0);", [&] { simulation.move_to({0}, {kNan, 0, 0}); });
  refuse("body.orientation is (2, 0, 0, 0);", [&] { simulation.turn_to({0}, {2, 0, 0, 0}); });
  refuse("body.velocity is (0, inf, 0);", [&] {
    simulation.change_velocity({0}, {0, kInfinity, 0});
  });
  refuse("body.angular_velocity is", [&] {
    simulation.change_angular_velocity({0}, {0, 0, kNan});
  });
  refuse("body.velocity is (1e+200, 0, 0); no component may exceed 3e8 m/s", [&] {
    simulation.change_velocity({0}, {1e200, 0, 0});
  });
  refuse("body.position is (1e+200, 0, 0); so far from the origin, rounding moves the body", [&] {
    simulation.move_to({0}, {1e200, 0, 0});
  });
  refuse("force is (1e+300, 0, 0);", [&] { simulation.apply_force({0}, {1e300, 0, 0}, {}); });
  refuse("there is no body with id 7", [&] { simulation.move_to({7}, {}); });
  refuse("there is no body with id 7", [&] { simulation.remove({7}); });
  refuse("there is no body with id 7", [&] { simulation.apply_force({7}, {1, 0, 0}); });
  refuse("there is no body with id 7", [&] { simulation.contact_force({7}); });
  const auto refuse_body = [&](const std::string& words, auto&& spoil) {
    Body body = sound;
    spoil(body);
    refuse(words, [&] { simulation.add(body); });
  };
  refuse_body("body.position is (0, 0, inf);", [](Body& b) { b.position = {0, 0, kInfinity}; });
  refuse_body("body.radius is 0;", [](Body& b) { b.radius = 0; });
  refuse_body("body.mass is 0;", [](Body& b) { b.mass = 0; });
  refuse_body("body.prototype is 3;", [](Body& b) { b.prototype = 3; });
  refuse_body("body.material is 1;", [](Body& b) { b.material = 1; });
}

TEST(Edit, OfAPositionTakesABodyOutOfItsContactsAndIntoOthers) {
  Simulation simulation = two_balls().simulation();
  for (int k = 0; k < 10; ++k) simulation.step();
  EXPECT_EQ(simulation.report().contacts, 2u);
  simulation.move_to({1}, {0, 0, 1});
  simulation.step();
  EXPECT_EQ(simulation.report().contacts, 1u);
  EXPECT_NEAR(simulation.body({1}).velocity.z, -1e-3 * kGravity, 1e-15) << "it falls freely";
  simulation.change_velocity({1}, {});
  simulation.move_to({1}, {0, 0, 0.03});
  simulation.step();
  EXPECT_EQ(simulation.contacts_of({1}).size(), 1u) << "on the other ball";
  EXPECT_NEAR(simulation.body({1}).velocity.z, 0, 1e-9);
}

TEST(Edit, ByLessThanTheNeighbourListReachesKeepsTheList) {
  Simulation simulation = two_balls().simulation();
  for (int k = 0; k < 10; ++k) simulation.step();
  simulation.move_to({1}, simulation.body({1}).position + Vec3{1e-5, 0, 0});
  simulation.step();
  EXPECT_FALSE(simulation.report().neighbours_rebuilt);
  EXPECT_NEAR(simulation.body({1}).position.x, 0.1 + 1e-5, 1e-12);
  simulation.move_to({1}, simulation.body({1}).position + Vec3{1e-2, 0, 0});
  simulation.step();
  EXPECT_TRUE(simulation.report().neighbours_rebuilt);
}

TEST(Edit, InSmallMovesFindsEveryContactAFreshSimulationFinds) {
  // A ball is led through a bed, never far in one move: contacts must not be missed for a stale
  // list.
  Simulation led = random_pile(60, coulomb(0.3), 5e-4, 5).simulation();
  for (int k = 0; k < 400; ++k) led.step();
  for (int k = 0; k < 40; ++k) {
    led.move_to({30}, led.body({30}).position + Vec3{5e-4, 3e-4, 0});
    State fresh = led.state();
    fresh.neighbours = {};
    Simulation anew(led.model(), fresh);
    led.step();
    anew.step();
    EXPECT_EQ(led.report().contacts, anew.report().contacts) << k;
  }
}

TEST(Edit, AddsABodyUnderANewIdThatStepsLikeOneThatWasThere) {
  World world = two_balls();
  Simulation whole = world.simulation();
  Body second = world.bodies.back();
  world.bodies.pop_back();
  world.state.next_id = 1;
  Simulation grown = world.simulation();
  second.id = {77};
  EXPECT_EQ(grown.add(second), BodyId{1});
  EXPECT_EQ(grown.state().next_id, 2u);
  for (int k = 0; k < 50; ++k) {
    whole.step();
    grown.step();
    ASSERT_EQ(motion_hash(grown.state()), motion_hash(whole.state())) << k;
  }
  EXPECT_EQ(grown.report().bodies, 2u);
}

TEST(Edit, LeavesTheOthersWhatTheirContactsRemember) {
  for (const World& world :
       {random_pile(40, coulomb(0.4), 5e-4, 9), random_boxes(40, coulomb(0.4), 5e-4, 9)}) {
    Simulation simulation = world.simulation();
    for (int k = 0; k < 1500; ++k) simulation.step();
    const auto remembered = [&](const Simulation& s) {
      std::map<std::pair<BodyId, BodyId>, Vec3> memory;
      for (const ContactRecord& c : s.contacts())
        if (c.a != BodyId{3} && c.b != BodyId{3}) memory[{c.a, c.b}] += c.impulse;
      return memory;
    };
    const auto before = remembered(simulation);
    simulation.remove({3});
    Body body = simulation.body({4});
    body.position.z += 1;
    simulation.add(body);
    EXPECT_EQ(remembered(simulation), before);
    // After one sweep of the next step, impulses are near those of before only if it began with
    // them.
    Model model = simulation.model();
    model.solver.max_sweeps = 1;
    const auto change_in_a_sweep = [&](const State& state) {
      Simulation next(model, state);
      next.step();
      double change = 0;
      for (const auto& [pair, impulse] : remembered(next))
        if (before.contains(pair)) change += norm(impulse - before.at(pair));
      return change;
    };
    State forgotten = simulation.state();
    std::ranges::fill(forgotten.neighbours.impulse, Vec3{});
    EXPECT_LT(change_in_a_sweep(simulation.state()), 0.5 * change_in_a_sweep(forgotten));
  }
}

TEST(Edit, RemovesABodyAtOnceFromAllThatIsTold) {
  Simulation simulation = two_balls().simulation();
  for (int k = 0; k < 5; ++k) simulation.step();
  const Wrench on_floor = simulation.contact_force_on_obstacle(0);
  simulation.apply_force({1}, {0, 0, 1});
  simulation.remove({1});
  EXPECT_FALSE(simulation.has_body({1}));
  EXPECT_TRUE(simulation.has_body({0}));
  EXPECT_EQ(simulation.contacts().size(), 1u);
  EXPECT_EQ(simulation.contact_count(), 1u);
  EXPECT_EQ(simulation.contact_force_on_obstacle(0), on_floor)
      << "it was pressed in that step all the same";
  expect_refusal(simulation, "there is no body with id 1", [&] { simulation.body({1}); });
  expect_refusal(simulation, "there is no body with id 1", [&] { simulation.remove({1}); });
  simulation.step();
  EXPECT_EQ(simulation.report().bodies, 1u);
  EXPECT_EQ(simulation.state().bodies.size(), 1u);
  EXPECT_EQ(simulation.report().contacts, 1u);
  EXPECT_EQ(simulation.add(simulation.body({0})), BodyId{2}) << "ids are not used again";
}

TEST(Edit, RemovesBodiesBeforeTheFirstStep) {
  Simulation simulation = two_balls().simulation();
  simulation.remove({0});
  simulation.step();
  EXPECT_EQ(simulation.report().bodies, 1u);
  EXPECT_EQ(simulation.state().bodies.id[0], BodyId{1});
  simulation.remove({1});
  simulation.step();
  EXPECT_EQ(simulation.report().bodies, 0u);
  EXPECT_EQ(simulation.report().kinetic_energy, 0);
}

TEST(Edit, OfManyBodiesLeavesTheEnergyBudgetClosed) {
  Simulation simulation = random_pile(60, coulomb(0.4, 0.3), 5e-4, 11).simulation();
  const Report first = simulation.report();
  double largest = first.kinetic_energy;
  for (int k = 0; k < 300; ++k) {
    if (k % 50 == 10) simulation.change_velocity({5}, {0.1, -0.2, 0.5});
    if (k % 50 == 20) simulation.move_to({6}, simulation.body({6}).position + Vec3{0, 0, 0.05});
    if (k % 50 == 30) simulation.change_angular_velocity({7}, {10, 20, 30});
    if (k % 50 == 40) {
      Body body = simulation.body({8});
      body.position.z += 0.1;
      simulation.add(body);
    }
    if (k % 50 == 45) simulation.remove({20u + static_cast<std::uint64_t>(k) / 50});
    const Report& report = simulation.step();
    largest = std::max(
        {largest, report.kinetic_energy, report.dissipated_energy, std::abs(report.wall_work)});
    EXPECT_EQ(report["energy_created"].value, 0) << k;
  }
  EXPECT_EQ(simulation.report().bodies, 60u);
  EXPECT_NEAR(unaccounted(first, simulation, largest), 0, 1e-11);
}

TEST(Edit, BeforeAndAfterARestartGoesOnToTheSameBits) {
  Simulation whole = random_pile(60, coulomb(0.4), 5e-4, 12).simulation();
  for (int k = 0; k < 300; ++k) whole.step();
  whole.remove({10});
  Body body = whole.body({11});
  body.position.z += 0.2;
  whole.add(body);
  whole.move_to({12}, whole.body({12}).position + Vec3{0, 0, 0.1});
  Simulation restarted(whole.model(), whole.state(), 2);
  EXPECT_EQ(restarted.contacts().size(), 0u);
  for (int k = 0; k < 100; ++k) {
    whole.step();
    restarted.step();
    ASSERT_EQ(state_hash(restarted.state()), state_hash(whole.state())) << k;
  }
}

TEST(Columns, ShowTheBodiesAndSayWhenTheyAreStale) {
  Simulation simulation = two_balls().simulation();
  simulation.step();
  const BodyColumns columns = simulation.columns();
  ASSERT_TRUE(columns.is_current());
  ASSERT_EQ(columns.size(), 2u);
  const BodyIndex row = simulation.index_of({1});
  EXPECT_EQ(columns.ids()[row], BodyId{1});
  EXPECT_EQ(columns.radii()[row], 0.01);
  EXPECT_EQ(columns.masses()[row], simulation.body({1}).mass);
  EXPECT_EQ(columns.prototypes()[row], 0);
  EXPECT_EQ(columns.materials()[row], 0);
  EXPECT_EQ(columns.orientations()[row], simulation.body({1}).orientation);
  simulation.move_to({1}, {0.1, 0, 0.0101});
  simulation.change_velocity({1}, {0.01, 0, 0});
  EXPECT_TRUE(columns.is_current()) << "values change in place";
  EXPECT_EQ(columns.positions()[row], (Vec3{0.1, 0, 0.0101}));
  simulation.step();
  ASSERT_FALSE(simulation.report().neighbours_rebuilt);
  EXPECT_TRUE(columns.is_current());
  EXPECT_EQ(columns.velocities()[row], simulation.body({1}).velocity);
  EXPECT_EQ(columns.angular_velocities()[row], simulation.body({1}).angular_velocity);

  simulation.add(simulation.body({0}));
  EXPECT_FALSE(columns.is_current());
  EXPECT_THROW(columns.positions(), std::logic_error);
  EXPECT_THROW(columns.size(), std::logic_error);
  EXPECT_THROW(columns.has_left(0), std::logic_error);
  const BodyColumns grown = simulation.columns();
  EXPECT_GT(grown.generation(), columns.generation());
  EXPECT_EQ(grown.size(), 3u);
  simulation.step();
  EXPECT_FALSE(grown.is_current()) << "bodies may have been reordered";
  const BodyColumns whole = simulation.columns();
  simulation.remove({2});
  EXPECT_FALSE(whole.is_current());
  EXPECT_EQ(simulation.columns().size(), 3u) << "its row stays until the next step";
  const auto ids = simulation.columns().ids();
  const auto row_of_removed =
      static_cast<std::size_t>(std::ranges::find(ids, BodyId{2}) - ids.begin());
  EXPECT_TRUE(simulation.columns().has_left(row_of_removed));
}

TEST(Columns, AreStaleOnceTheirSimulationIsGone) {
  auto simulation = std::make_unique<Simulation>(two_balls().simulation());
  const BodyColumns columns = simulation->columns();
  Simulation moved = std::move(*simulation);
  simulation.reset();
  EXPECT_TRUE(columns.is_current()) << "it only moved";
  moved = two_balls().simulation();
  EXPECT_FALSE(columns.is_current());
  EXPECT_THROW(columns.ids(), std::logic_error);
}

TEST(Columns, FollowEachBodyThroughReordering) {
  Simulation simulation = random_pile(200, coulomb(0.4), 1e-3, 14).simulation();
  std::uint64_t last = simulation.columns().generation();
  int changes = 0;
  for (int k = 0; k < 100; ++k) {
    const BodyColumns before = simulation.columns();
    const bool rebuilt = simulation.step().neighbours_rebuilt;
    ASSERT_EQ(before.is_current(), !rebuilt) << k;
    const BodyColumns columns = simulation.columns();
    changes += columns.generation() > last;
    last = columns.generation();
    for (std::uint64_t id = 0; id < 200; id += 17)
      ASSERT_EQ(columns.ids()[simulation.index_of({id})].value, id);
  }
  EXPECT_GT(changes, 2);
}

}  // namespace
}  // namespace scree

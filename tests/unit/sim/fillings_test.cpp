/// Bodies that enter regions at a rate.
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

Filling::Kind ball(double low, double high) { return {.low = low, .high = high, .density = 1000}; }

/// A tall box with a region at its top where balls enter.
World silo(Filling filling, double h = 1e-3) {
  World world(coulomb(0.4), h);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({}, {0, 0, 1});
  for (const double side : {-1.0, 1.0})
    world.half_space({0.1 * side, 0, 0}, {-side, 0, 0})
        .half_space({0, 0.1 * side, 0}, {0, -side, 0});
  filling.name = "hose";
  if (filling.min == filling.max) {
    filling.min = {-0.08, -0.08, 0.4};
    filling.max = {0.08, 0.08, 0.5};
  }
  if (filling.kinds.empty()) filling.kinds = {ball(0.008, 0.008)};
  filling.velocity = {0, 0, -1};
  world.model.fillings.push_back(filling);
  return world;
}

TEST(Filling, LetsInTheNumberThatIsDueAtEachTime) {
  for (const double rate : {7.0, 300.0, 1000.0 / 3}) {
    Simulation simulation = silo({.number_rate = rate, .from = 0.1, .until = 0.4}).simulation();
    for (int k = 1; k <= 500; ++k) {
      simulation.step();
      const double due = rate * (std::min(k, 400) - 100) / 1000;
      ASSERT_EQ(simulation.report().bodies, static_cast<std::size_t>(std::max(0.0, due + 1e-9)))
          << rate << ", step " << k;
      ASSERT_EQ(simulation.report()["fillings_waiting"].value, 0u);
    }
    EXPECT_EQ(simulation.state().fillings[0].entered, simulation.report().bodies);
  }
}

TEST(Filling, LetsInTheMassThatIsDueLessThanOneBodyLate) {
  Simulation simulation = silo({.mass_rate = 0.5, .kinds = {ball(0.004, 0.009)}}).simulation();
  const double largest = 1000 * volume_properties(Sphere{0.009}).volume;
  for (int k = 1; k <= 600; ++k) {
    simulation.step();
    double mass = 0;
    for (const double m : simulation.state().bodies.mass) mass += m;
    ASSERT_NEAR(mass, simulation.state().fillings[0].mass, 1e-12);
    ASSERT_LE(mass, 0.5e-3 * k + 1e-12);
    ASSERT_GT(mass, 0.5e-3 * k - largest);
  }
}

TEST(Filling, DrawsKindsBySharesAndRadiiEvenly) {
  Filling filling{.number_rate = 2000, .kinds = {ball(0.003, 0.005), ball(0.006, 0.006)}};
  filling.kinds[0].share = 3;
  World world = silo(filling);
  world.model.outflows.push_back({"drain", {-1, -1, 0}, {1, 1, 0.3}});
  Simulation simulation = world.simulation();
  std::uint64_t seen = 0, small = 0;
  double sum = 0;
  for (int k = 0; k < 1500; ++k) {
    simulation.step();
    const Bodies& bodies = simulation.state().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies.id[i].value < seen) continue;
      if (bodies.radius[i] < 0.0055) {
        ++small;
        sum += bodies.radius[i];
      }
    }
    seen = simulation.state().next_id;
  }
  // Three standard deviations of a count, and of a mean of even numbers.
  const double n = static_cast<double>(seen);
  EXPECT_EQ(seen, 3000u);
  EXPECT_NEAR(static_cast<double>(small), 0.75 * n, 3 * std::sqrt(0.75 * 0.25 * n));
  EXPECT_NEAR(sum / static_cast<double>(small), 0.004,
              3 * 0.001 / std::sqrt(3 * static_cast<double>(small)));
}

TEST(Filling, PutsBodiesIntoItsRegionWhereTheyOverlapNothing) {
  World world = silo({.number_rate = 3000, .kinds = {ball(0.004, 0.008)}}, 1e-3);
  world.model.solver.tolerance = 3e-3;
  Simulation simulation = world.simulation();
  std::uint64_t seen = 0;
  for (int k = 0; k < 300; ++k) {
    simulation.step();
    const Bodies& bodies = simulation.state().bodies;
    // As they stood when they entered.
    const auto before = [&](std::size_t i) {
      return bodies.position[i] - 1e-3 * bodies.velocity[i];
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies.id[i].value < seen) continue;
      const double r = bodies.radius[i], skin = 1e-4;
      EXPECT_GT(before(i).z, 0.4 + r - skin);
      EXPECT_LT(before(i).z, 0.5 - r + skin);
      EXPECT_LT(std::abs(before(i).x), 0.08 - r + skin);
    }
    seen = simulation.state().next_id;
    ASSERT_LT(simulation.report().max_relative_penetration, 0.01);
  }
  EXPECT_EQ(seen, 900u);
}

TEST(Filling, WaitsWhileItsRegionIsFullAndCatchesUp) {
  World world = silo({.number_rate = 500, .kinds = {ball(0.015, 0.015)}});
  world.half_space({0, 0, 0.38}, {0, 0, 1});  // a floor right below
  const auto gate = static_cast<std::uint32_t>(world.model.obstacles.size() - 1);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 400; ++k) simulation.step();
  EXPECT_EQ(simulation.report()["fillings_waiting"].value, 1u);
  const std::uint64_t entered = simulation.state().fillings[0].entered;
  EXPECT_GT(entered, 20u);
  EXPECT_LT(entered, 180u);
  // Nothing overlaps for it.
  EXPECT_LT(simulation.report().max_relative_penetration, 0.02);
  simulation.move_obstacle(gate, {{0, 0, -0.3}, {}});
  for (int k = 0; k < 300; ++k) simulation.step();
  EXPECT_GT(simulation.state().fillings[0].entered, entered + 20);
}

TEST(Filling, ThroughAFaceLetsCentresInOnIt) {
  Filling face{.min = {-0.08, -0.08, 0.45}, .max = {0.08, 0.08, 0.45}, .number_rate = 500};
  Simulation simulation = silo(face).simulation();
  for (int k = 0; k < 100; ++k) {
    simulation.step();
    const Bodies& bodies = simulation.state().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (simulation.report().bodies_added > 0 && bodies.id[i].value + 1 == bodies.size())
        EXPECT_NEAR(bodies.position[i].z, 0.45 - 1e-3, 2e-5);
  }
  EXPECT_EQ(simulation.report().bodies, 50u);
}

TEST(Filling, OfBoxesTurnsThemAtRandomAndBooksWhatTheyBring) {
  World world = silo({.number_rate = 200});
  world.box({0, 0, 0.05}, {0.02, 0.01, 0.01});
  const double radius = world.bodies[0].radius;
  world.model.fillings[0].kinds[0] = {
      .low = radius, .high = radius, .prototype = 1, .density = 1000};
  world.model.fillings[0].kinds[0].orientation.reset();
  Simulation simulation = world.simulation();
  const double start = total_energy(simulation.report());
  double max_value = 0;
  for (int k = 0; k < 800; ++k) {
    simulation.step();
    max_value = std::max(max_value, simulation.report().kinetic_energy);
  }
  EXPECT_EQ(simulation.report().bodies, 161u);
  // What turns freely keeps its energy to the order of the step.
  EXPECT_NEAR(total_energy(simulation.report()), start, 1e-5 * max_value);
  const Body first = body_of(simulation, 1), second = body_of(simulation, 2);
  EXPECT_NE(first.orientation, second.orientation);
  EXPECT_NEAR(first.mass, 1000 * 0.02 * 0.01 * 0.01, 1e-15);
}

TEST(Filling, GivesTheSameBitsOnAnyThreadsAndAfterARestart) {
  const World world = silo({.mass_rate = 2, .kinds = {ball(0.004, 0.009), ball(0.01, 0.01)}});
  Simulation one = world.simulation(1), three = world.simulation(3);
  for (int k = 0; k < 150; ++k) {
    one.step();
    three.step();
  }
  Simulation restarted(one.model(), one.state(), 2);
  for (int k = 0; k < 150; ++k) {
    one.step();
    three.step();
    restarted.step();
    ASSERT_EQ(state_hash(one.state()), state_hash(restarted.state())) << k;
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(three.state()));
  EXPECT_GT(one.report().bodies, 100u);
}

TEST(Filling, ThatCannotBeMadeIsRefused) {
  const auto refusal = [](const std::function<void(Filling&)>& change) {
    World world = silo({.number_rate = 10});
    change(world.model.fillings[0]);
    try {
      world.simulation();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refusal([](Filling& f) {
              f.mass_rate = 1;
            }).find("fillings[0].number_rate is 10; exactly one"),
            0u);
  EXPECT_EQ(refusal([](Filling& f) {
              f.number_rate = 0;
            }).find("fillings[0].number_rate is 0; exactly one"),
            0u);
  EXPECT_EQ(refusal([](Filling& f) { f.kinds.clear(); }), "fillings[0] has no kinds of bodies");
  EXPECT_EQ(refusal([](Filling& f) { f.max.z = 0.41; }).find("fillings[0].max is"), 0u);
  EXPECT_EQ(refusal([](Filling& f) { f.kinds[0].low = 0; }).find("fillings[0].kinds.low is 0"), 0u);
  EXPECT_EQ(refusal([](Filling& f) { f.until = -1; }).find("fillings[0].from is 0"), 0u);
  EXPECT_EQ(refusal([](Filling& f) { f.kinds[0].density = 0; }).find("fillings[0].kinds.density"),
            0u);
}

}  // namespace
}  // namespace scree

/// What contacts did to obstacles: forces, torques, work and wear, summed up.
#include <gtest/gtest.h>
#include <memory>

#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace test;

PairLaw drum_springs(double mu) {
  PairLaw law{LawKind::cundall_strack, mu};
  law.force.k_n = 1e5;
  law.force.k_t = 5e4;
  law.force.normal_damping = 1;
  return law;
}

Vec3 momentum(const State& state) {
  Vec3 sum;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    sum += state.bodies.mass[i] * state.bodies.velocity[i];
  return sum;
}
double mass(const State& state) {
  double sum = 0;
  for (const double m : state.bodies.mass) sum += m;
  return sum;
}
Vec3 impulse_on_obstacles(const State& state) {
  Vec3 sum;
  for (const ObstacleLoad& load : state.obstacle_loads) sum += load.impulse;
  return sum;
}
/// Wear of all obstacles together [J].
double wear(const State& state) {
  double sum = 0;
  for (const ObstacleLoad& load : state.obstacle_loads) sum += load.wear.impact + load.wear.sliding;
  return sum;
}

void expect_impulse_that_gravity_left(Simulation& simulation, int steps, double late) {
  const Vec3 at_start = momentum(simulation.state());
  for (int k = 0; k < steps; ++k) simulation.step();
  const State& state = simulation.state();
  const Vec3 weight = mass(state) * simulation.model().gravity;
  const Vec3 left = (state.time - late) * weight - (momentum(state) - at_start);
  EXPECT_LT(norm(impulse_on_obstacles(state) - left), 1e-9 * norm(left));
}

TEST(ObstacleLoads, AreWhatGravityGaveAndBodiesDoNotHave) {
  Simulation spheres = random_pile(40, coulomb(0.4, 0.2), 1e-3, 3).simulation();
  expect_impulse_that_gravity_left(spheres, 150, 0);
  Simulation boxes = random_boxes(20, coulomb(0.4), 1e-3, 3).simulation();
  expect_impulse_that_gravity_left(boxes, 100, 0);
  // Velocities of compliant laws are half a step behind.
  Simulation soft = random_pile(40, drum_springs(0.4), 5e-5, 3).simulation();
  expect_impulse_that_gravity_left(soft, 1500, 2.5e-5);
  Simulation soft_boxes = random_boxes(10, drum_springs(0.4), 5e-5, 3).simulation();
  expect_impulse_that_gravity_left(soft_boxes, 1500, 2.5e-5);
}

TEST(ObstacleLoads, OfASettledBedAreItsWeightOnTheFloor) {
  Simulation pile = random_pile(60, coulomb(0.4), 1e-3, 4).simulation();
  for (int k = 0; k < 2000; ++k) pile.step();
  const ObstacleLoad before = pile.state().obstacle_loads[0];
  const Vec3 all_before = impulse_on_obstacles(pile.state());
  for (int k = 0; k < 500; ++k) pile.step();
  const double weight = kGravity * mass(pile.state());
  const double all = (all_before - impulse_on_obstacles(pile.state())).z / 0.5;
  EXPECT_NEAR(all, weight, 1e-3 * weight);
  // By friction walls carry some of it, or, where beads rebounded last, hold beads down.
  double mean = (before.impulse.z - pile.state().obstacle_loads[0].impulse.z) / 0.5;
  EXPECT_NEAR(mean, weight, 0.2 * weight);

  World without = random_pile(60, {LawKind::frictionless, 0}, 1e-3, 4);
  Simulation slick = without.simulation();
  for (int k = 0; k < 4000; ++k) slick.step();
  const ObstacleLoad then = slick.state().obstacle_loads[0];
  for (int k = 0; k < 500; ++k) slick.step();
  mean = (then.impulse.z - slick.state().obstacle_loads[0].impulse.z) / 0.5;
  EXPECT_NEAR(mean, weight, 1e-3 * weight) << "beads without friction never quite stop";
}

/// A closed drum about y that turns at `speed` with balls in it; its axis is at the origin.
World drum(const PairLaw& law, double h, double speed) {
  World world(law, h);
  // Balances hold however well contacts are solved.
  world.model.solver.tolerance = 1e-3;
  world.model.solver.max_sweeps = 50;
  const Quaternion along_y = rotation_between({0, 0, 1}, {0, 1, 0});
  world.obstacle(Hollow{0.1, 0.1, -0.03, 0.03, true, true}, {{}, along_y});
  world.model.obstacles[0].path = [=](double t) {
    return Pose{{}, rotation({0, 1, 0}, speed * t) * along_y};
  };
  RandomStream random{7, 0};
  for (int k = 0; k < 60; ++k) {
    const double radius = 0.0095 - 1e-3 * random.uniform();
    const int layer = k / 10;
    world.sphere({0.024 * (k % 5 - 2) + 1e-3 * random.uniform(), 0.02 * (k / 5 % 2) - 0.01,
                  -0.06 + 0.021 * layer},
                 radius);
  }
  return world;
}

/// Over time, of gravity about the y axis [N m s].
struct TorqueOfGravity {
  double sum = 0;
  void step(Simulation& simulation) {
    const State& state = simulation.state();
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      sum +=
          simulation.model().step.h * kGravity * state.bodies.mass[i] * state.bodies.position[i].x;
    simulation.step();
  }
};

double angular_momentum_about_y(const Simulation& simulation) {
  double sum = 0;
  const State& state = simulation.state();
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const Body body = state.bodies[i];
    sum += body.mass * cross(body.position, body.velocity).y +
           angular_momentum(simulation.model(), body).y;
  }
  return sum;
}

TEST(ObstacleLoads, OfADrumTurnItAgainstTheWeightOfItsFillingOffTheAxis) {
  for (const bool soft : {false, true}) {
    Simulation simulation =
        drum(soft ? drum_springs(0.5) : coulomb(0.5), soft ? 1e-4 : 1e-3, 2).simulation();
    const double h = simulation.model().step.h;
    const auto steps = [h](double time) { return static_cast<int>(std::lround(time / h)); };
    for (int k = 0; k < steps(1.0); ++k) simulation.step();
    const ObstacleLoad before = simulation.state().obstacle_loads[0];
    const double momentum_before = angular_momentum_about_y(simulation);
    const Report at_start = simulation.report();
    TorqueOfGravity gravity;
    // Long against an avalanche of 60 grains, which stores a percent of a joule or gives it.
    for (int k = 0; k < steps(3.0); ++k) gravity.step(simulation);
    const ObstacleLoad after = simulation.state().obstacle_loads[0];
    const double torque = after.angular_impulse.y - before.angular_impulse.y;
    const double change = angular_momentum_about_y(simulation) - momentum_before;
    EXPECT_GT(std::abs(gravity.sum), 10 * std::abs(change)) << "the flow is steady";
    EXPECT_NEAR(torque, gravity.sum - change, 5e-3 * std::abs(gravity.sum));
    // At constant speed, power is torque times speed.
    const double work = after.work - before.work;
    EXPECT_NEAR(work, -2 * torque, 5e-3 * work);
    const Report& now = simulation.report();
    EXPECT_NEAR(work, now.wall_work - at_start.wall_work, 1e-12 * work);
    // In steady flow what turns the drum is dissipated.
    const double stored = now.kinetic_energy + now.potential_energy + now.force_energy.elastic() -
                          at_start.kinetic_energy - at_start.potential_energy -
                          at_start.force_energy.elastic();
    const double dissipated = now.dissipated_energy - at_start.dissipated_energy;
    EXPECT_LT(std::abs(stored), 0.1 * work);
    EXPECT_NEAR(work, dissipated + stored, 1e-6 * work);
  }
}

TEST(ObstacleLoads, WorkIsWhatTheBooksSayAndWhatBodiesLoseAndGain) {
  std::vector<World> worlds;
  for (const PairLaw& law : {coulomb(0.5, 0.3), drum_springs(0.5)}) {
    const double h = is_compliant(law) ? 2e-5 : 1e-3;
    worlds.push_back(drum(law, h, 3));
    worlds.push_back(random_boxes(15, law, h, 5));
    worlds.back().model.obstacles[0].motion = [](double t) {
      return Twist{{0.05, 0, 0.1 * std::sin(40 * t)}, {0, 0.2, 0.3}};
    };
    worlds.back().model.obstacles[1].surface_velocity = {0, 0.3, 0};
  }
  PairLaw sticky = coulomb(0.5);
  sticky.cohesion = 0.05;
  sticky.rolling_friction = 1e-3;
  worlds.push_back(drum(sticky, 1e-3, 3));
  for (const World& world : worlds) {
    Simulation simulation = world.simulation();
    const double start = total_energy(simulation.report());
    double max_value = 0;
    const auto work_of_obstacles = [&] {
      double work = 0;
      for (const ObstacleLoad& load : simulation.state().obstacle_loads) work += load.work;
      return work;
    };
    // A first step with springs books half a kick of gravity besides.
    const double of_start = simulation.step().wall_work - work_of_obstacles();
    EXPECT_EQ(of_start != 0, is_compliant(world.model.laws(0, 0)));
    const int steps = static_cast<int>(std::lround(0.3 / world.model.step.h));
    for (int k = 1; k < steps; ++k) {
      simulation.step();
      max_value = std::max(max_value, simulation.report().kinetic_energy);
    }
    const double work = work_of_obstacles();
    EXPECT_GT(std::abs(work), 1e-3 * max_value);
    EXPECT_NEAR(work + of_start, simulation.report().wall_work, 1e-11 * max_value);
    const double at_start = simulation.report().force_energy.at_start;
    // What turns freely, and springs in half a step, keep energy to the order of the step.
    EXPECT_NEAR(total_energy(simulation.report()), start + at_start, 5e-5 * max_value);
  }
}

TEST(ObstacleLoads, WearOfABallThatFallsIsItsEnergyAndOfABlockThatSlidesFrictionTimesWay) {
  World falling(coulomb(0.5), 1e-3);
  falling.half_space({}, {0, 0, 1});
  falling.sphere({0, 0, 0.5}, 0.1);
  Simulation ball = falling.simulation();
  double energy = 0;
  for (int k = 0; k < 400; ++k) {
    energy = std::max(energy, ball.report().kinetic_energy);
    ball.step();
  }
  const ObstacleLoad& floor = ball.state().obstacle_loads[0];
  // The step of the impact speeds it up by part of g h, and closes what is left of the gap.
  EXPECT_NEAR(floor.wear.impact, energy, 0.01 * energy);
  EXPECT_NEAR(floor.wear.sliding, 0, 1e-15);
  EXPECT_NEAR(wear(ball.state()), ball.report().dissipated_energy, 1e-12 * energy);

  World sliding(coulomb(0.3), 1e-3);
  sliding.half_space({}, {0, 0, 1});
  Body& block = sliding.box({0, 0, 0.05}, {0.2, 0.2, 0.1});
  block.velocity = {1, 0, 0};
  Simulation slide = sliding.simulation();
  for (int k = 0; k < 500; ++k) slide.step();
  const ObstacleLoad& track = slide.state().obstacle_loads[0];
  const double at_start = 0.5 * block.mass;
  EXPECT_NEAR(track.wear.sliding, at_start, 1e-9 * at_start);
  EXPECT_NEAR(track.wear.impact, 0, 1e-9 * at_start);
  // μ m g for as long as it slides; the last step stops it in part of its length.
  EXPECT_NEAR(track.impulse.x, block.mass, 1e-9 * block.mass);
}

TEST(ObstacleLoads, WearOfPartsAndContactsBetweenBodiesIsAllThatIsDissipated) {
  // One body at a time: all that is dissipated is dissipated at obstacles.
  for (const bool box : {false, true}) {
    World world(coulomb(0.4, 0.5), 1e-3);
    world.half_space({}, {0.2, 0, 1}).half_space({1, 0, 0}, {-1, 0, 0.1});
    if (box)
      world.box({0.3, 0, 0.4}, {0.1, 0.2, 0.15}, normalised({1, 0.3, 0.2, 0.5}));
    else
      world.sphere({0.3, 0, 0.4}, 0.1, {1, 0.5, 0}, {4, 5, 6});
    Simulation simulation = world.simulation();
    double pushed = 0;
    for (int k = 0; k < 800; ++k) pushed += simulation.step().push_work;
    const double dissipated = simulation.report().dissipated_energy;
    EXPECT_NEAR(wear(simulation.state()), dissipated + pushed, 1e-11 * dissipated);
  }
}

/// A drum of triangles that turns with balls in it, and records wear.
World worn_drum(const PairLaw& law, double h) {
  World world = drum(law, h, 3);
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(mesh_of(tube_soup(0.1, 0.05, 24, 3), Sides::two)));
  world.model.obstacles[0].shape = Mesh{world.model.meshes[0].get()};
  world.model.obstacles[0].records_wear = true;
  world.half_space({0, -0.03, 0}, {0, 1, 0}).half_space({0, 0.03, 0}, {0, -1, 0});
  return world;
}

TEST(ObstacleLoads, WearOfFacetsAddsUpToThatOfTheirPart) {
  for (const PairLaw& law : {coulomb(0.5, 0.2), drum_springs(0.5)}) {
    const World world = worn_drum(law, is_compliant(law) ? 5e-5 : 1e-3);
    Simulation one = world.simulation(1), two = world.simulation(2);
    const int steps = is_compliant(law) ? 4000 : 600;
    for (int k = 0; k < steps; ++k) {
      one.step();
      two.step();
    }
    EXPECT_EQ(state_hash(one.state()), state_hash(two.state()));
    Wear sum;
    int worn = 0;
    for (const Wear& facet : one.state().facet_wear) {
      sum += facet;
      worn += facet.sliding > 0;
    }
    const Wear& obstacle = one.state().obstacle_loads[0].wear;
    EXPECT_NEAR(sum.impact, obstacle.impact, 1e-11 * obstacle.impact);
    EXPECT_NEAR(sum.sliding, obstacle.sliding, 1e-11 * obstacle.sliding);
    EXPECT_GT(obstacle.sliding, 0);
    EXPECT_GT(worn, 10);
  }
}

TEST(ObstacleLoads, OfABallOnOneFacetAreOfThatFacet) {
  World world(coulomb(0.5), 1e-3);
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(mesh_of(square_soup(1, 2), Sides::two)));
  world.obstacle(Mesh{world.model.meshes[0].get()}, {});
  world.model.obstacles[0].records_wear = true;
  world.sphere({0.7, 0.2, 0.3}, 0.1);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 300; ++k) simulation.step();
  const TriangleMesh& mesh = *world.model.meshes[0];
  const std::uint32_t facet = mesh.closest({0.7, 0.2, 0}).facet;
  for (std::uint32_t k = 0; k < mesh.facets().size(); ++k)
    EXPECT_EQ(simulation.state().facet_wear[k].impact > 0, k == facet) << k;
}

TEST(ObstacleLoads, GoOnAfterARestart) {
  Simulation whole = worn_drum(coulomb(0.5), 1e-3).simulation();
  for (int k = 0; k < 100; ++k) whole.step();
  Simulation restarted(whole.model(), whole.state(), 2);
  for (int k = 0; k < 100; ++k) {
    whole.step();
    restarted.step();
  }
  EXPECT_EQ(state_hash(whole.state()), state_hash(restarted.state()));
  EXPECT_EQ(whole.state().obstacle_loads[0].work, restarted.state().obstacle_loads[0].work);
}

}  // namespace
}  // namespace scree

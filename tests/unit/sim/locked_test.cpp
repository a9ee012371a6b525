/// Bodies that do not move along, or turn about, some axes of the world.
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"
#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;
constexpr AxisSet kX = 1, kY = 2, kZ = 4;
constexpr Locks kInPlane{kY, kX | kZ};  ///< of x and z

void set_law(Mechanism& m, const PairLaw& law) { m.model.laws = LawTable(1, law); }

void add_wall(Mechanism& m, const Vec3& at, const Vec3& normal) {
  m.model.obstacles.push_back(
      {"wall", HalfSpace{}, {at, rotation_between({0, 0, 1}, normal / norm(normal))}, 0});
  m.state = initial_state(m.model);
}

BodyId add_locked(Mechanism& m, const Vec3& at, const Locks& locked, double mass = 1) {
  const BodyId ball = m.add_sphere(at, 0.1, mass);
  m.model.prototypes.back().locked = locked;
  return ball;
}

/// Discs of two sizes between walls.
Mechanism pile_in_plane() {
  Mechanism m(1e-3);
  m.model.solver.tolerance = 1e-4;
  set_law(m, {.kind = LawKind::coulomb, .friction = 0.4, .restitution = 0.2});
  for (const auto& [at, normal] : {std::pair<Vec3, Vec3>{{0, 0, 0}, {0.1, 0, 1}},
                                   {{-1, 0, 0}, {1, 0, 0}},
                                   {{1, 0, 0}, {-1, 0, 0}}})
    add_wall(m, at, normal);
  m.model.prototypes.push_back({Sphere{1}, {0.5, 0.5, 0.5}, {}, kInPlane});
  for (int k = 0; k < 48; ++k)
    m.state.bodies.push_back(
        {.id = {m.state.next_id++},
         .position = {-0.8 + 0.21 * (k % 8) + 0.01 * (k / 8 % 3), 0.25, 0.3 + 0.2 * (k / 8)},
         .radius = k % 3 == 0 ? 0.09 : 0.07,
         .mass = k % 3 == 0 ? 2.0 : 1.0,
         .prototype = 1});
  return m;
}

TEST(ABallThatCannotTurn, LeavesNothingUndoneWhereALawResistsRolling) {
  Mechanism m(1e-3);
  set_law(m, {.kind = LawKind::coulomb, .friction = 0.4, .rolling_friction = 1e-3});
  add_wall(m, {0, 0, 0}, {0, 0, 1});
  add_locked(m, {0, 0, 0.1}, {0, kX | kY | kZ});
  Simulation simulation = m.start();
  for (int k = 0; k < 10; ++k) {
    const Report& report = simulation.step();
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.residual, 1e-12);
  }
}

TEST(APileOfDiscs, StaysInItsPlaneToTheBitAndItsBooksClose) {
  Mechanism m = pile_in_plane();
  Simulation simulation = m.start();
  const double start = energy_of(simulation.report());
  for (int k = 0; k < 700; ++k) {
    const Report& report = simulation.step();
    ASSERT_TRUE(report.converged) << "step " << k;
    ASSERT_EQ(report["energy_created"].value, 0) << "step " << k;
  }
  const Bodies& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_EQ(bodies.position[i].y, 0.25);
    ASSERT_EQ(bodies.velocity[i].y, 0);
    ASSERT_EQ(bodies.angular_velocity[i].x, 0);
    ASSERT_EQ(bodies.angular_velocity[i].z, 0);
  }
  const Report& report = simulation.report();
  EXPECT_GT(report.contacts_touching, 10U);
  EXPECT_NEAR(energy_of(report) - start, report.wall_work - report.dissipated_energy, 1e-6 * start);
  EXPECT_GT(report.dissipated_energy, 0);
}

TEST(APileOfDiscs, GivesTheSameBitsOnAnyNumberOfThreadsAndAfterARestart) {
  const Mechanism m = pile_in_plane();
  Simulation one = m.start(1), three = m.start(3);
  step(one, 300);
  step(three, 300);
  EXPECT_EQ(state_hash(one.state()), state_hash(three.state()));
  Simulation again(m.model, one.state(), 2);
  step(one, 50);
  step(again, 50);
  EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
}

TEST(ALockedBall, SlidesDownASlopeThatWouldPushItOutOfItsPlane) {
  // In the plane of x and z the slope is that of (n_x, n_z), whatever n_y.
  Mechanism m(1e-3);
  const Vec3 normal{0.3, 0.6, 0.8};
  const Vec3 n = normal / norm(normal);
  add_wall(m, {0, 0, 0}, normal);
  set_law(m, {.kind = LawKind::frictionless});
  const BodyId ball = add_locked(m, 0.1 * n, kInPlane);
  const double y = m.state.bodies.position[0].y;
  Simulation simulation = m.start();
  step(simulation, 500);
  const double slope = std::atan2(n.x, n.z), t = 0.5;
  const Body body = simulation.body(ball);
  EXPECT_EQ(body.position.y, y);
  EXPECT_NEAR(body.velocity.x, 9.81 * std::sin(slope) * std::cos(slope) * t, 1e-9);
  EXPECT_NEAR(body.velocity.z, -9.81 * std::sin(slope) * std::sin(slope) * t, 1e-9);
  // The wall bears m g cos(slope) along (n_x, n_z), and what goes with it along y.
  const double force = 9.81 * std::cos(slope) / std::hypot(n.x, n.z);
  EXPECT_NEAR(norm(simulation.contact_force_on_obstacle(0).force), force, 1e-6);
}

TEST(ALockedBall, RollsDownASlopeAsOneThatIsFreeDoes) {
  double places[2];
  for (const bool locked : {false, true}) {
    Mechanism m(1e-3);
    add_wall(m, {0, 0, 0}, {0.3, 0, 1});
    set_law(m, {.kind = LawKind::coulomb, .friction = 0.5});
    const Vec3 n = Vec3{0.3, 0, 1} / std::sqrt(1.09);
    const BodyId ball = add_locked(m, 0.1 * n, locked ? kInPlane : Locks{});
    Simulation simulation = m.start();
    step(simulation, 500);
    places[locked] = simulation.body(ball).position.x;
    EXPECT_TRUE(simulation.report().converged);
  }
  EXPECT_NEAR(places[1], places[0], 1e-12);
}

TEST(ABodyThatCannotTurn, StandsOnOneEdgeOfItsBase) {
  Mechanism m(1e-3);
  set_law(m, {.kind = LawKind::coulomb, .friction = 0.5});
  m.model.obstacles.push_back({"table", Box{{0.1, 1, 0.1}}, {{-0.15, 0, -0.1}, {}}, 0});
  m.state = initial_state(m.model);
  // A box of 0.2 m whose centre of mass is beyond the edge of the table at x = −0.05.
  m.model.prototypes.push_back(
      {Box{Vec3{1, 1, 1} / std::sqrt(3.0)}, Vec3{2, 2, 2} / 9, {}, {0, kAllAxes}});
  m.state.bodies.push_back({.id = {m.state.next_id++},
                            .position = {0, 0, 0.1},
                            .radius = 0.1 * std::sqrt(3.0),
                            .mass = 2,
                            .prototype = 1});
  Simulation simulation = m.start();
  step(simulation, 300);
  const Body box = simulation.body({0});
  EXPECT_EQ(box.angular_velocity, (Vec3{}));
  EXPECT_EQ(box.orientation.w, 1);
  EXPECT_NEAR(box.position.z, 0.1, 1e-6);
  EXPECT_NEAR(simulation.contact_force_on_obstacle(0).force.z, -2 * 9.81, 1e-6);
  EXPECT_TRUE(simulation.report().converged);
}

TEST(ABodyLockedAlongTheImpact, ReboundsOthersAsAWallWould) {
  Mechanism m(1e-3, {0, 0, 0});
  set_law(m, {.kind = LawKind::coulomb, .friction = 0, .restitution = 0.5});
  const BodyId anvil = add_locked(m, {0, 0, 0}, {kX, 0}), ball = m.add_sphere({0.25, 0, 0});
  m.state.bodies.velocity[1] = {-1, 0, 0};
  Simulation simulation = m.start();
  step(simulation, 200);
  EXPECT_NEAR(simulation.body(ball).velocity.x, 0.5, 1e-9);
  EXPECT_EQ(simulation.body(anvil).velocity, (Vec3{}));
  EXPECT_NEAR(simulation.report().dissipated_energy, 0.5 * (1 - 0.25), 1e-9);
}

TEST(ABodyThatCannotTurn, TakesAnImpactBesideItsCentreAsOneAtItsCentre) {
  Mechanism m(1e-4, {0, 0, 0});
  set_law(m, {.kind = LawKind::frictionless});
  m.model.prototypes.push_back(
      {Box{Vec3{1, 1, 1} / std::sqrt(3.0)}, Vec3{2, 2, 2} / 9, {}, {0, kAllAxes}});
  m.state.bodies.push_back({.id = {m.state.next_id++},
                            .position = {0, 0, 0},
                            .radius = 0.1 * std::sqrt(3.0),
                            .mass = 3,
                            .prototype = 1});
  const BodyId ball = m.add_sphere({0.25, 0.07, 0});
  m.state.bodies.velocity[1] = {-1, 0, 0};
  Simulation simulation = m.start();
  step(simulation, 1000);
  EXPECT_NEAR(simulation.body({0}).velocity.x, -0.25, 1e-9);
  EXPECT_NEAR(simulation.body(ball).velocity.x, -0.25, 1e-9);
  EXPECT_NEAR(simulation.report().dissipated_energy, 0.5 - 0.5 * 0.25, 1e-9);
}

TEST(ALockedBody, HangsInTheAirAndBearsWhatLiesOnIt) {
  Mechanism m(1e-3);
  set_law(m, {.kind = LawKind::coulomb, .friction = 0.5});
  add_locked(m, {0, 0, 0}, {kAllAxes, kAllAxes});
  const BodyId upper = add_locked(m, {0, 0, 0.2}, {kX | kY, 0});
  Simulation simulation = m.start();
  step(simulation, 300);
  EXPECT_EQ(simulation.body({0}).position, (Vec3{}));
  EXPECT_NEAR(simulation.body(upper).position.z, 0.2, 1e-6);
  EXPECT_TRUE(simulation.report().converged);
  EXPECT_EQ(simulation.report()["energy_created"].value, 0);
}

TEST(ALockedBody, RunsOnRailsThatHoldWhatItsLocksHoldToo) {
  for (const Locks& locked : {Locks{kZ, 0}, Locks{kY, 0}, Locks{kY | kZ, 0}, Locks{0, kY},
                              Locks{kY, kX | kZ}, Locks{kY | kZ, kAllAxes}}) {
    Mechanism m(1e-3, {0, 0, 0});
    const BodyId slider = add_locked(m, {0, 0, 0}, locked);
    m.join(JointKind::prismatic, kWorld, slider, {0, 0, 0}, {1, 0, 0}).drives = {
        {.motor = {.kind = Motor::Kind::force, .target = [](double) { return 2.0; }}}};
    Simulation simulation = m.start();
    step(simulation, 1000);
    EXPECT_NEAR(simulation.body(slider).velocity.x, 2, 5e-3) << int{locked.ways};
    EXPECT_NEAR(simulation.body(slider).position.x, 1, 5e-3) << int{locked.turns};
    EXPECT_TRUE(simulation.report().converged);
  }
}

TEST(ALockedBody, OfADoublePendulumInAPlaneSwingsAsItDoesWithoutLocks) {
  Vec3 places[2];
  for (const bool locked : {false, true}) {
    Mechanism m(1e-3);
    const Locks locks = locked ? kInPlane : Locks{};
    const BodyId upper = add_locked(m, {0, 0, 0}, locks), lower = add_locked(m, {1, 0, 0}, locks);
    m.join(JointKind::revolute, kWorld, upper, {-1, 0, 0}, {0, 1, 0});
    m.join(JointKind::revolute, upper, lower, {0, 0, 0}, {0, 1, 0});
    Simulation simulation = m.start();
    step(simulation, 500);
    places[locked] = simulation.body(lower).position;
  }
  EXPECT_NEAR(norm(places[1] - places[0]), 0, 1e-6);
  EXPECT_LT(places[1].z, -0.5);
}

TEST(ARodOnABallJoint, ThatIsLockedToAPlaneSwingsAsOnAHinge) {
  double places[2];
  for (const bool locked : {false, true}) {
    Mechanism m(1e-3);
    const BodyId rod = m.add_rod({0, 0, 0}, {0.8, 0, -0.6});
    if (locked) m.model.prototypes.back().locked = kInPlane;
    m.join(locked ? JointKind::spherical : JointKind::revolute, kWorld, rod, {0, 0, 0}, {0, 1, 0});
    Simulation simulation = m.start();
    const double start = energy_of(simulation.report());
    double drift = 0;
    for (int k = 0; k < 3000; ++k) {
      const Report& report = simulation.step();
      drift = std::max(drift, std::abs(energy_of(report) - start));
      ASSERT_LT(report.joint_error, 1e-12);
    }
    places[locked] = simulation.body(rod).position.x;
    EXPECT_LT(drift, 1e-4);
    if (locked) EXPECT_EQ(simulation.body(rod).position.y, 0);
  }
  EXPECT_NEAR(places[1], places[0], 1e-5);
}

TEST(ABodyLockedAboutOneAxis, KeepsItsAngularMomentumAboutTheOthersAndItsEnergy) {
  const auto run = [](double h) {
    Mechanism m(h, {0, 0, 0});
    m.add_sphere({0, 0, 0}, 0.1, 1, {0.2, 0.3, 0.45});
    m.model.prototypes.back().locked = {0, kX};
    m.state.bodies.orientation[0] = normalised({1, 0.3, -0.2, 0.4});
    m.state.bodies.angular_velocity[0] = {0, 3, 4};
    Simulation simulation = m.start();
    const auto momentum = [&] {
      const Body body = simulation.body({0});
      const Vec3 w = rotate_back(body.orientation, body.angular_velocity);
      return 0.01 * rotate(body.orientation, {0.2 * w.x, 0.3 * w.y, 0.45 * w.z});
    };
    const Vec3 before = momentum();
    const double start = energy_of(simulation.report());
    double drift = 0;
    for (double t = 0; t < 20; t += h)
      drift = std::max(drift, std::abs(energy_of(simulation.step()) / start - 1));
    EXPECT_EQ(simulation.body({0}).angular_velocity.x, 0);
    EXPECT_NEAR(momentum().y, before.y, 1e-12);
    EXPECT_NEAR(momentum().z, before.z, 1e-12);
    return drift;
  };
  const double coarse = run(4e-3), fine = run(2e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << coarse << ' ' << fine;
}

TEST(ALockedBall, OnASpringOfACompliantLawSwingsAsAgainstAWall) {
  // A free ball falls on one that is locked: half of the overlap is on each side of the point.
  double heights[2];
  for (const bool obstacle : {false, true}) {
    Mechanism m(1e-5);
    PairLaw law{.kind = LawKind::cundall_strack, .friction = 0.3};
    law.force.k_n = 1e5;
    set_law(m, law);
    if (obstacle) {
      m.model.obstacles.push_back({"anvil", Sphere{0.1}, {}, 0});
      m.state = initial_state(m.model);
    } else {
      add_locked(m, {0, 0, 0}, {kAllAxes, kAllAxes});
    }
    const BodyId ball = m.add_sphere({0, 0, 0.21});
    Simulation simulation = m.start();
    step(simulation, 8000);
    heights[obstacle] = simulation.body(ball).position.z;
  }
  EXPECT_NEAR(heights[0], heights[1], 1e-6);
}

TEST(ALockedBody, ThatBeginsWithAVelocityThereIsRefused) {
  for (const bool turns : {false, true}) {
    Mechanism m(1e-3);
    add_locked(m, {0, 0, 0}, kInPlane);
    (turns ? m.state.bodies.angular_velocity[0].x : m.state.bodies.velocity[0].y) = 1;
    try {
      m.start();
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("locked"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace scree

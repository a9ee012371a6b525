// When all is at rest, and what is no rest although it looks like it.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <stdexcept>

#include "scree/sim/rest.hpp"
#include "support/impacts.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kWatchedRadius = 0.005, kWatchedStep = 1e-3;

World floor_with(const PairLaw& law) {
  World world(law, kWatchedStep);
  world.half_space({}, {0, 0, 1});
  return world;
}

/// The time at which it rests [s]; NaN if it does not before `limit`.
double rests_at(const World& world, double limit, RestWatch& watch) {
  Simulation simulation = world.simulation();
  while (simulation.state().time < limit) {
    simulation.step();
    watch.step(simulation);
    if (watch.at_rest()) return simulation.state().time;
  }
  return std::nan("");
}
double rests_at(const World& world, double limit, const RestCriterion& criterion = {}) {
  RestWatch watch(criterion);
  return rests_at(world, limit, watch);
}

TEST(RestWatch, ABallThatIsDroppedRestsWhenItHasFallenAndLainForTheTimeAsked) {
  World world = floor_with(coulomb(0.5));
  const double height = 0.3;
  world.sphere({0, 0, height + kWatchedRadius}, kWatchedRadius);
  const double fall = std::sqrt(2 * height / kGravity);
  EXPECT_NEAR(rests_at(world, 1), fall + 4 * std::sqrt(2 * kWatchedRadius / kGravity),
              3 * kWatchedStep);
  EXPECT_NEAR(rests_at(world, 1, {.lasting = 0.05}), fall + 0.05, 3 * kWatchedStep);
}

/// The time at which a world rests if whatever changes before `end` is waited for [s].
double rests_in_the_end(const World& world, double end) {
  Simulation simulation = world.simulation();
  RestWatch watch({});
  while (simulation.state().time < end) {
    simulation.step();
    watch.step(simulation);
    watch.wait_for_changes(simulation, end);
    if (watch.at_rest()) return simulation.state().time;
  }
  return std::nan("");
}

TEST(RestWatch, WaitsForAFieldOrAMotionThatBeginsLater) {
  // A box, as a sphere that was pushed rolls without end.
  World world = floor_with(coulomb(0.5));
  const double size = 0.01, lasting = 4 * std::sqrt(std::sqrt(3.0) * size / kGravity);
  world.box({0, 0, size / 2}, {size, size, size});
  EXPECT_NEAR(rests_in_the_end(world, 2), lasting, 3 * kWatchedStep);

  const auto field = [](const char* along_x) {
    return Field{
        .name = "wind",
        .force = {field_expression(along_x), field_expression("0"), field_expression("0")}};
  };
  World blown = world;
  blown.model.fields.push_back(field("t > 1 && t < 1.1 ? 8*mass : 0"));
  EXPECT_GT(rests_in_the_end(blown, 3), 1.1 + lasting - 3 * kWatchedStep);
  // One that acts all the time, or varies all the time, begins no more.
  blown.model.fields.back() = field("0.001*mass*sin(40*t)");
  EXPECT_LT(rests_in_the_end(blown, 3), 2 * lasting);

  World pushed = world;
  pushed.obstacle(Box{{0.001, 0.001, 0.001}}, {{0.5, 0, 0.5}, {}}, [](double t) {
    return Twist{{t > 1 && t < 1.2 ? 0.1 : 0, 0, 0}, {}};
  });
  EXPECT_GT(rests_in_the_end(pushed, 3), 1.2);
}

TEST(RestWatch, ABallIsNotAtRestWhereItTurnsBack) {
  World world = floor_with(coulomb(0.5));
  world.sphere({0, 0, 2 * kWatchedRadius}, kWatchedRadius, {0, 0, 3});
  const double flight = 2 * 3 / kGravity;
  EXPECT_GT(rests_at(world, 2, {.lasting = 5 * kWatchedStep}), flight);
}

/// On its side, set rolling without slip.
World rolling_cylinder(double rolling_friction) {
  PairLaw law = coulomb(0.5);
  law.rolling_friction = rolling_friction;
  World world = floor_with(law);
  Body& body = world.solid(Cylinder{kWatchedRadius, 2 * kWatchedRadius},
                           {{0, 0, kWatchedRadius}, rotation({1, 0, 0}, std::numbers::pi / 2)});
  body.velocity = {0.1, 0, 0};
  body.angular_velocity = {0, 0.1 / kWatchedRadius, 0};
  return world;
}

TEST(RestWatch, ACylinderRollsForEverUnlessALawResistsRolling) {
  RestWatch rolls(RestCriterion{}), slides(RestCriterion{});
  EXPECT_TRUE(std::isnan(rests_at(rolling_cylinder(0), 2, rolls)));
  EXPECT_TRUE(rolls.report().rolls_freely);
  EXPECT_NEAR(rolls.report().fastest_speed, 0.1 + 0.1 * std::sqrt(5), 1e-3);
  // 3/2 m dv/dt = -m g l/R: it stops after 3 R v/(2 g l).
  const double length = 0.01 * kWatchedRadius,
               stops = 1.5 * 0.1 * kWatchedRadius / (kGravity * length);
  EXPECT_NEAR(rests_at(rolling_cylinder(length), 5),
              stops + 4 * std::sqrt(2 * kWatchedRadius * std::sqrt(5) / kGravity), 0.01 * stops);

  World sliding = floor_with(coulomb(0));
  sliding.box({0, 0, kWatchedRadius}, {2 * kWatchedRadius, 2 * kWatchedRadius, 2 * kWatchedRadius})
      .velocity = {1, 0, 0};
  EXPECT_TRUE(std::isnan(rests_at(sliding, 0.1, slides)));
  EXPECT_FALSE(slides.report().rolls_freely);
}

/// On its end on a floor that resists rolling, turning about the vertical.
World spinning_ellipsoid(double spinning_friction) {
  PairLaw law = coulomb(0.5);
  law.rolling_friction = 0.1 * kWatchedRadius;
  law.spinning_friction = spinning_friction;
  World world = floor_with(law);
  Body& body = world.solid(Superellipsoid{{2 * kWatchedRadius, 2 * kWatchedRadius, kWatchedRadius}},
                           {{0, 0, kWatchedRadius}, {}});
  body.angular_velocity = {0, 0, 2};
  return world;
}

TEST(RestWatch, WhatSpinsInItsPlaceIsToldFromWhatGoesAway) {
  RestWatch free(RestCriterion{}), braked(RestCriterion{});
  EXPECT_TRUE(std::isnan(rests_at(spinning_ellipsoid(0), 1, free)));
  EXPECT_TRUE(free.report().spins_freely);
  EXPECT_FALSE(free.report().rolls_freely);
  EXPECT_FALSE(std::isnan(rests_at(spinning_ellipsoid(0.1 * kWatchedRadius), 2, braked)));
  EXPECT_FALSE(braked.report().spins_freely);
  RestWatch rolls(RestCriterion{});
  rests_at(rolling_cylinder(0), 0.1, rolls);
  EXPECT_FALSE(rolls.report().spins_freely);
}

TEST(RestWatch, ABallThatRollsDoesNotRestAndIsNamed) {
  World world = floor_with(coulomb(0.5));
  world.sphere({0, 0, kWatchedRadius}, kWatchedRadius);
  const BodyId rolls =
      world.sphere({0.1, 0, kWatchedRadius}, kWatchedRadius, {0.02, 0, 0}, {0, 4, 0}).id;
  RestWatch watch(RestCriterion{});
  EXPECT_TRUE(std::isnan(rests_at(world, 1, watch)));
  EXPECT_EQ(watch.report().fastest, rolls);
  EXPECT_NEAR(watch.report().fastest_speed, 0.02, 1e-6);
  EXPECT_NEAR(watch.report().moving_share, 0.5, 1e-15);
  EXPECT_LT(rests_at(world, 1, {.speed = 0.03}), 0.2);
  EXPECT_LT(rests_at(world, 1, {.loose = 0.5}), 0.2);
}

/// 40 balls that lie, and 3 that roll slowly, each `apart` from the next.
World rolling_few(double rolling_friction, double apart) {
  PairLaw law = coulomb(0.5);
  law.rolling_friction = rolling_friction;
  World world = floor_with(law);
  for (int k = 0; k < 40; ++k) world.sphere({0.02 * k, 1, kWatchedRadius}, kWatchedRadius);
  const double speed = 1e-3;
  for (int k = 0; k < 3; ++k)
    world.sphere({0, apart * k, kWatchedRadius}, kWatchedRadius, {speed, 0, 0},
                 {0, speed / kWatchedRadius, 0});
  return world;
}

TEST(RestWatch, AFewBallsThatRollEachByItselfAreNotWaitedForSinceNothingStopsThem) {
  RestWatch watch(RestCriterion{});
  EXPECT_LT(rests_at(rolling_few(0, 0.02), 1, watch), 0.2);
  EXPECT_NEAR(watch.report().rolling_share, 3.0 / 43, 1e-12);
  EXPECT_NEAR(watch.report().moving_share, 3.0 / 43, 1e-12);
}

TEST(RestWatch, BallsThatPushEachOtherDoNotRollByThemselves) {
  World world = rolling_few(0, 0.02);
  const double speed = 1e-3;
  for (const double sign : {1.0, -1.0})
    world.sphere({-0.1 - sign * kWatchedRadius, 0, kWatchedRadius}, kWatchedRadius,
                 {sign * speed, 0, 0}, {0, sign * speed / kWatchedRadius, 0});
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_NEAR(rest_report(simulation, {}).rolling_share, 3.0 / 45, 1e-12);
}

TEST(RestWatch, ABallThatSinksOrHangsAndMovesSlowlyIsWaitedFor) {
  const auto few = [](double height) {
    World world = floor_with(coulomb(0.5));
    for (int k = 0; k < 20; ++k) world.sphere({0.02 * k, 1, kWatchedRadius}, kWatchedRadius);
    world.sphere({0, 0, height}, kWatchedRadius, {1e-3, 0, 0}, {0, 1e-3 / kWatchedRadius, 0});
    return world;
  };
  // It rolls on the floor, by itself.
  EXPECT_LT(rests_at(few(kWatchedRadius), 1), 0.2);
  // It is held up, on a slider.
  World hangs = few(0.1);
  Joint slider{.name = "slider", .kind = JointKind::prismatic};
  const Quaternion along_x = rotation_between({0, 0, 1}, {1, 0, 0});
  slider.a = {kWorld, {{0, 0, 0.1}, along_x}};
  slider.b = {hangs.bodies.back().id, {{}, along_x}};
  hangs.model.joints = {slider};
  EXPECT_TRUE(std::isnan(rests_at(hangs, 1)));
  // Whoever lets nothing move waits for all.
  EXPECT_TRUE(std::isnan(rests_at(few(kWatchedRadius), 1, {.loose = 0})));
}

TEST(RestWatch, BallsThatAreStoppedByALawAreWaitedFor) {
  // 7/5 m dv/dt = −m g l/R: it stops after 7 R v/(5 g l).
  const double length = 1e-3 * kWatchedRadius,
               stops = 1.4 * kWatchedRadius * 1e-3 / (kGravity * length);
  EXPECT_NEAR(rests_at(rolling_few(length, 0.02), 2),
              stops + 4 * std::sqrt(2 * kWatchedRadius / kGravity), 0.1 * stops);
}

TEST(RestWatch, ASmallBallThatFallsIsWaitedForHoweverLittleOfTheMassItIs) {
  World world = floor_with(coulomb(0.5));
  world.sphere({0, 0, kWatchedRadius}, kWatchedRadius);
  world.sphere({0.1, 0, 1}, 0.1 * kWatchedRadius);
  EXPECT_GT(rests_at(world, 2), std::sqrt(2 * 0.99 / kGravity));
}

TEST(RestWatch, NothingRestsWhileAPartMoves) {
  World world = floor_with(coulomb(0.5));
  world.sphere({0, 0, kWatchedRadius}, kWatchedRadius);
  world.obstacle(Sphere{0.01}, {{1, 0, 0}, {}}, [](double t) {
    return Twist{{t < 0.3 ? 0.1 : 0, 0, 0}, {}};
  });
  const double at = rests_at(world, 1, {.lasting = 0.1});
  EXPECT_NEAR(at, 0.4, 2 * kWatchedStep);
  RestWatch watch(RestCriterion{});
  EXPECT_TRUE(std::isnan(rests_at(world, 0.29, watch)));
  EXPECT_EQ(watch.report().moving_obstacle, 1U);
}

TEST(RestWatch, ABoxThatTurnsInItsPlaceDoesNotRestASphereThatDoesMay) {
  World box = floor_with(coulomb(0));
  box.box({0, 0, kWatchedRadius}, {2 * kWatchedRadius, 2 * kWatchedRadius, 2 * kWatchedRadius})
      .angular_velocity = {0, 0, 1};
  EXPECT_TRUE(std::isnan(rests_at(box, 1)));
  World sphere = floor_with(coulomb(0));
  sphere.sphere({0, 0, kWatchedRadius}, kWatchedRadius, {}, {0, 0, 1});
  EXPECT_LT(rests_at(sphere, 1), 0.2);
}

TEST(RestWatch, ABoxThatTipsIsWaitedForHoweverLittleOfTheMassItIs) {
  World world = floor_with(coulomb(0.5));
  const Vec3 size{0.01, 0.04, 0.08};
  for (int k = 0; k < 199; ++k) world.sphere({0.02 * k, 1, kWatchedRadius}, kWatchedRadius);
  // Just over its lower edge: it takes a second to fall.
  const double lean = std::atan2(size.x, size.z) + 1e-4;
  const Quaternion tipped = rotation({0, 1, 0}, lean);
  const Vec3 edge = rotate(tipped, {size.x / 2, 0, -size.z / 2});
  world.box({0, 0, -edge.z}, size, tipped).mass = 1e-3 * world.bodies[0].mass;
  const double at = rests_at(world, 3);
  EXPECT_GT(at, 0.6);
  EXPECT_LT(at, 2.5);
}

/// A plane that leans, with a large box at rest on it and a ball that begins to roll, or rolls up.
World leaning(double angle, double speed) {
  World world = floor_with(coulomb(0.5));
  world.model.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
  world.box({0, 1, 0.1}, {0.2, 0.2, 0.2});
  world.sphere({0, 0, 0.01}, 0.01, {speed, 0, 0}, {0, speed / 0.01, 0});
  return world;
}

TEST(RestWatch, ABallThatRollsDownASlopeIsNotAtRestHoweverLittleOfTheMassItIs) {
  const double degree = std::numbers::pi / 180;
  for (const double angle : {0.1 * degree, 1e-2 * degree}) {
    RestWatch watch(RestCriterion{});
    const World world = leaning(angle, 0);
    EXPECT_TRUE(std::isnan(rests_at(world, 3, watch))) << angle;
    EXPECT_EQ(watch.report().changing, world.bodies[1].id);
    // 5/7 g sin of the slope
    EXPECT_NEAR(watch.report().fastest_speed, 5.0 / 7 * kGravity * std::sin(angle) * 3,
                1e-3 * watch.report().fastest_speed);
  }
  // Steady, or slowing down.
  const double lasting = 4 * std::sqrt(0.2 * std::sqrt(3) / kGravity);
  EXPECT_NEAR(rests_at(leaning(0, 5e-3), 2), lasting, 2 * kWatchedStep);
  EXPECT_NEAR(rests_at(leaning(1e-2 * degree, -5e-3), 2), lasting, 2 * kWatchedStep);
}

TEST(RestWatch, GoesOnWithWhatItHasSeen) {
  Simulation simulation = leaning(1e-3, 0).simulation();
  RestWatch whole(RestCriterion{}), part(RestCriterion{});
  for (int k = 0; k < 2000; ++k) {
    simulation.step();
    whole.step(simulation);
    part.step(simulation);
    EXPECT_FALSE(part.at_rest());
    EXPECT_EQ(part.count().still_steps, whole.count().still_steps);
    EXPECT_EQ(part.report().changing, whole.report().changing);
    part = RestWatch(RestCriterion{}, part.count());
  }
  EXPECT_TRUE(whole.report().changing);
}

/// 19 balls that lie, and a box that turns about the vertical on a corner, and cannot tip.
World spinning_top() {
  World world = floor_with(coulomb(0.5));
  for (int k = 0; k < 19; ++k) world.sphere({0.02 * k, 1, kWatchedRadius}, kWatchedRadius);
  const Vec3 size{0.01, 0.01, 0.01};
  const Quaternion on_corner = rotation_between(Vec3{1, 1, 1} / std::sqrt(3), {0, 0, 1});
  Body& box = world.box({0, 0, 0.005 * std::sqrt(3)}, size, on_corner);
  box.mass = world.bodies[0].mass;
  box.angular_velocity = {0, 0, 0.01};
  world.model.prototypes[box.prototype].locked = {0b011, 0b011};
  return world;
}

TEST(RestWatch, ABoxThatTurnsForEverAboutAPointIsExcusedAsAFewBallsThatRoll) {
  RestWatch watch(RestCriterion{});
  EXPECT_LT(rests_at(spinning_top(), 1, watch), 0.2);
  EXPECT_NEAR(watch.report().rolling_share, 1.0 / 20, 1e-12);
  EXPECT_TRUE(std::isnan(rests_at(spinning_top(), 1, {.loose = 0})));
}

TEST(RestWatch, ACylinderThatRollsSlowlyAndSteadilyIsExcusedAndOneThatGainsSpeedIsNot) {
  const auto few = [](double angle) {
    World world = rolling_cylinder(0);
    world.model.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    world.bodies[0].velocity = {5e-4, 0, 0};
    world.bodies[0].angular_velocity = {0, 5e-4 / kWatchedRadius, 0};
    world.sphere({0, 1, 0.02}, 0.02);
    return world;
  };
  EXPECT_LT(rests_at(few(0), 1), 0.5);
  EXPECT_TRUE(std::isnan(rests_at(few(1e-5), 1)));
  EXPECT_TRUE(std::isnan(rests_at(few(-1e-5), 1)));
}

/// 19 balls that lie, and ellipsoids of their mass that rock about their flattest side, without
/// slip: in the middle of it with an angular velocity of `spin`, where it turns back within a
/// twentieth of a radian.
World rocking(const PairLaw& law, int count = 1, double spin = 0.8) {
  World world = floor_with(law);
  for (int k = 0; k < 19; ++k) world.sphere({0.02 * k, 1, kWatchedRadius}, kWatchedRadius);
  for (int k = 0; k < count; ++k) {
    Body& body = world.solid(Superellipsoid{{0.006, 0.005, 0.004}}, {{0.02 * k, 0, 0.004}, {}});
    body.velocity = {0.004 * spin, 0, 0};
    body.angular_velocity = {0, spin, 0};
    body.mass = world.bodies[0].mass;
  }
  return world;
}
const double kRockingLasts = RestCriterion::kRocking * 4 * std::sqrt(0.012 / kGravity);

TEST(RestWatch, WhatRocksInItsPlaceIsExcusedWhenItHasDoneSoForLongAndIsNamed) {
  const World world = rocking(coulomb(0.5));
  RestWatch watch(RestCriterion{});
  EXPECT_NEAR(rests_at(world, 3, watch), kRockingLasts, 2 * kWatchedStep);
  const RockingBodies& found = watch.report().rocking;
  EXPECT_EQ(found.count, 1U);
  EXPECT_EQ(found.fastest, world.bodies.back().id);
  EXPECT_NEAR(found.speed, 0.8 * (0.004 + 0.006), 0.05 * found.speed);
  EXPECT_NEAR(found.lasting, kRockingLasts, 2 * kWatchedStep);
  EXPECT_NEAR(rests_at(rocking(coulomb(0.5), 2), 3), kRockingLasts, 2 * kWatchedStep);
}

TEST(RestWatch, WhatRocksIsWaitedForWhereItIsMuchOfTheMassOrFastOrLessIsAllowed) {
  EXPECT_TRUE(std::isnan(rests_at(rocking(coulomb(0.5), 3), 3)));
  EXPECT_TRUE(std::isnan(rests_at(rocking(coulomb(0.5), 1, 10), 3)));
  EXPECT_TRUE(std::isnan(rests_at(rocking(coulomb(0.5)), 3, {.loose = 0})));
  PairLaw resists = coulomb(0.5);
  resists.rolling_friction = 1e-6 * kWatchedRadius;
  EXPECT_TRUE(std::isnan(rests_at(rocking(resists), 3)));
}

TEST(RestWatch, TwoThatRockAgainstEachOtherAreExcusedAsOneIs) {
  // The second lies on the first, and does not slide on it.
  World world = rocking(coulomb(1), 1, 0.2);
  Body& second = world.solid(Superellipsoid{{0.02, 0.005, 0.002}}, {{0, 0, 0.01}, {}});
  second.mass = 0.5 * world.bodies[0].mass;
  Simulation simulation = world.simulation();
  RestWatch watch(RestCriterion{});
  bool both_moved = false;
  while (simulation.state().time < 8 && !watch.at_rest()) {
    simulation.step();
    watch.step(simulation);
    both_moved |= watch.report().moving_share > 1.2 / 20.5;
  }
  EXPECT_TRUE(both_moved);
  EXPECT_TRUE(watch.at_rest());
}

TEST(RestWatch, WhatRocksOnSpringsIsExcusedAsOnRigidGround) {
  World world = rocking(linear_law(2e3, 2e3, 0.5, 0.5));
  world.model.step.h = 1e-4;
  // The springs settle at first.
  EXPECT_NEAR(rests_at(world, 3), 2 * kRockingLasts, 0.1 * kRockingLasts);
}

/// Whether it rests within two seconds where a force along its velocity, of `gain` times its
/// momentum a second, makes what rocks slower or faster.
bool rests_with(double gain) {
  const World world = rocking(coulomb(0.5));
  Simulation simulation = world.simulation();
  const BodyId id = world.bodies.back().id;
  RestWatch watch(RestCriterion{});
  while (simulation.state().time < 2 && !watch.at_rest()) {
    const BodyIndex i = simulation.index_of(id);
    simulation.apply_force(id,
                           gain * world.bodies.back().mass * simulation.columns().velocities()[i]);
    simulation.step();
    watch.step(simulation);
  }
  return watch.at_rest();
}

TEST(RestWatch, WhatRocksEverMoreOrEverLessIsWaitedFor) {
  EXPECT_TRUE(rests_with(0));
  EXPECT_FALSE(rests_with(2));
  EXPECT_FALSE(rests_with(-2));
}

TEST(RestWatch, WhatRollsAwayDoesNotRock) {
  World world = rolling_cylinder(0);
  world.bodies[0].velocity = {0.006, 0, 0};
  world.bodies[0].angular_velocity = {0, 0.006 / kWatchedRadius, 0};
  world.sphere({0, 1, 0.02}, 0.02);
  // It has left its place when it has been watched for long.
  EXPECT_TRUE(std::isnan(rests_at(world, 5)));
}

TEST(RestWatch, ACylinderThatGainsSpeedIsWaitedForHoweverSlowlyItDoes) {
  World world = rolling_cylinder(0);
  world.model.gravity = {kGravity * 1e-6, 0, -kGravity};
  world.bodies[0].velocity = {5e-4, 0, 0};
  world.bodies[0].angular_velocity = {0, 5e-4 / kWatchedRadius, 0};
  world.sphere({0, 1, 0.02}, 0.02);
  EXPECT_TRUE(std::isnan(rests_at(world, 5)));
}

TEST(RestWatch, WhatRocksIsNotExcusedWhereAFieldMayDriveIt) {
  World world = rocking(coulomb(0.5));
  world.model.fields.push_back({.name = "none"});
  EXPECT_TRUE(std::isnan(rests_at(world, 3)));
}

TEST(RestWatch, WhatRockedAndHasLeftIsForgotten) {
  const World world = rocking(coulomb(0.5), 2);
  Simulation simulation = world.simulation();
  RestWatch watch(RestCriterion{});
  while (simulation.state().time + kWatchedStep < kRockingLasts) {
    simulation.step();
    watch.step(simulation);
    ASSERT_FALSE(watch.at_rest());
  }
  simulation.remove(world.bodies.back().id);
  for (int k = 0; k < 3; ++k) {
    simulation.step();
    watch.step(simulation);
    if (watch.at_rest()) break;
  }
  EXPECT_TRUE(watch.at_rest());
  EXPECT_EQ(watch.report().rocking.count, 1U);
}

TEST(RestWatch, GoesOnWithWhatItHasSeenRock) {
  Simulation simulation = rocking(coulomb(0.5)).simulation();
  RestWatch whole(RestCriterion{}), part(RestCriterion{});
  while (!whole.at_rest() && simulation.state().time < 3) {
    simulation.step();
    whole.step(simulation);
    part = RestWatch(RestCriterion{}, part.count());
    part.step(simulation);
    ASSERT_EQ(part.at_rest(), whole.at_rest());
  }
  EXPECT_TRUE(whole.at_rest());
  EXPECT_EQ(part.report().rocking.speed, whole.report().rocking.speed);
}

TEST(RestWatch, GoesOnWithTheStepsThatItHasCounted) {
  World world = floor_with(coulomb(0.5));
  world.sphere({0, 0, kWatchedRadius}, kWatchedRadius);
  Simulation simulation = world.simulation();
  const RestCriterion criterion{.lasting = 10 * kWatchedStep};
  RestWatch whole(criterion), first(criterion);
  for (int k = 0; k < 6; ++k) simulation.step(), whole.step(simulation), first.step(simulation);
  RestWatch second(criterion, first.count());
  for (int k = 6; k < 10; ++k) {
    EXPECT_FALSE(second.at_rest());
    simulation.step();
    whole.step(simulation);
    second.step(simulation);
  }
  EXPECT_TRUE(second.at_rest());
  EXPECT_TRUE(whole.at_rest());
}

TEST(RestWatch, AsksForNumbersWhereThereIsNoGravity) {
  World world = floor_with(coulomb(0.5));
  world.model.gravity = {};
  world.sphere({0, 0, 2 * kWatchedRadius}, kWatchedRadius, {0, 0, -0.1});
  EXPECT_THROW(rests_at(world, 1), std::invalid_argument);
  EXPECT_THROW(rests_at(world, 1, {.speed = 1e-6}), std::invalid_argument);
  EXPECT_NEAR(rests_at(world, 1, {.speed = 1e-6, .lasting = 0.1}), 0.15, 3 * kWatchedStep);
}

}  // namespace
}  // namespace scree

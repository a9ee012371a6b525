// Impacts of bodies that hang together by joints.
#include <Eigen/LU>
#include <gtest/gtest.h>
#include <limits>

#include "scree/math/random.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr ImpactLaw kLaws[] = {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic};

Joint joint_at(const World& world, JointKind kind, std::size_t a, std::size_t b, const Vec3& at,
               const Vec3& axis) {
  const auto end = [&](std::size_t k) {
    const Body& body = world.bodies[k];
    const Quaternion back = conjugate(body.orientation);
    return JointEnd{body.id,
                    {rotate_back(body.orientation, at - body.position),
                     back * rotation_between({0, 0, 1}, axis)}};
  };
  Joint joint{.name = "joint " + std::to_string(world.model.joints.size()), .kind = kind};
  joint.a = end(a);
  joint.b = end(b);
  return joint;
}

/// A double pendulum in the plane y = 0 whose lower rod's end hits a wall x = const. Angles from
/// straight down.
struct DoublePendulum {
  static constexpr double kLength = 1, kRadius = 0.02;
  double angle[2], rate[2];
  double mass = 0, inertia = 0;  ///< of a rod, about its centre

  static Vec3 along(double angle) { return {std::sin(angle), 0, -std::cos(angle)}; }
  static Vec3 swing(double angle) { return {std::cos(angle), 0, std::sin(angle)}; }

  World world(double e, ImpactLaw impacts) {
    World world(PairLaw{.kind = LawKind::frictionless, .restitution = e}, 1e-7);
    world.model.gravity = {};
    world.model.step.impacts = impacts;
    const SolidPrototype rod = solid_prototype(Capsule{kRadius, kLength / 2});
    Vec3 from, velocity;
    for (int k = 0; k < 2; ++k) {
      const Vec3 direction = along(angle[k]), across = swing(angle[k]);
      Body& body = world.solid(
          rod, {from + kLength / 2 * direction, rotation_between({0, 0, 1}, direction)});
      body.velocity = velocity + kLength / 2 * rate[k] * across;
      body.angular_velocity = {0, -rate[k], 0};
      from += kLength * direction;
      velocity += kLength * rate[k] * across;
      mass = body.mass;
      inertia = mass * body.radius * body.radius * rod.prototype.inertia.x;
    }
    world.half_space({from.x + kRadius, 0, 0}, {-1, 0, 0});
    Joint hinge = joint_at(world, JointKind::revolute, 0, 0, {}, {0, 1, 0});
    hinge.a = {kWorld, {{}, rotation_between({0, 0, 1}, {0, 1, 0})}};
    world.model.joints = {hinge};
    world.model.joints.push_back(
        joint_at(world, JointKind::revolute, 0, 1, kLength * along(angle[0]), {0, 1, 0}));
    return world;
  }

  /// Rates after the end has left the wall with e times its speed, by Lagrange's equations.
  Eigen::Vector2d rates_after(double e) const {
    const double c = std::cos(angle[0] - angle[1]), l = kLength;
    Eigen::Matrix2d M;
    M << inertia + 1.25 * mass * l * l, 0.5 * mass * l * l * c, 0.5 * mass * l * l * c,
        inertia + 0.25 * mass * l * l;
    const Eigen::Vector2d J{l * std::cos(angle[0]), l * std::cos(angle[1])}, q{rate[0], rate[1]};
    const Eigen::Vector2d answer = M.inverse() * J;
    return q - (1 + e) * J.dot(q) / J.dot(answer) * answer;
  }
};

TEST(ADoublePendulumThatHitsAWall, LeavesItAsLagrangesEquationsSay) {
  for (const ImpactLaw impacts : kLaws)
    for (const double e : {0.3, 0.8, 1.0})
      for (const double lower : {0.1, 0.3, 1.0}) {
        DoublePendulum pendulum{{0.5, lower}, {1.5, 2}};
        Simulation simulation = pendulum.world(e, impacts).simulation();
        const Report& report = simulation.step();
        EXPECT_TRUE(report.converged);
        const Eigen::Vector2d expected = pendulum.rates_after(e);
        for (std::uint64_t k = 0; k < 2; ++k)
          EXPECT_NEAR(-body_of(simulation, k).angular_velocity.y,
                      expected[static_cast<Eigen::Index>(k)], 1e-5)
              << static_cast<int>(impacts) << ", e = " << e << ", " << lower;
      }
}

TEST(AHingedPairOfRods, ThatIsStruckAtOneEndMovesAsItsImpulsesSay) {
  // Two rods in line, at rest along x, hinged in the middle; a ball falls on the free end of the
  // second. It leaves the end with e times the speed that it came with.
  for (const ImpactLaw impacts : kLaws) {
    constexpr double e = 0.6, l = 1, r = 0.02;
    World world(PairLaw{.kind = LawKind::frictionless, .restitution = e}, 1e-7);
    world.model.gravity = {};
    world.model.step.impacts = impacts;
    const SolidPrototype rod = solid_prototype(Capsule{r, l / 2});
    const Quaternion along_x = rotation_between({0, 0, 1}, {1, 0, 0});
    for (const double x : {-l / 2, l / 2}) world.solid(rod, {{x, 0, 0}, along_x});
    const double m = world.bodies[0].mass,
                 I = m * world.bodies[0].radius * world.bodies[0].radius * rod.prototype.inertia.x;
    Body& ball = world.sphere({l, 0, 2 * r}, r, {0, 0, -1});
    ball.mass = 10 * m;
    world.model.joints = {joint_at(world, JointKind::revolute, 0, 1, {}, {0, 1, 0})};
    Simulation simulation = world.simulation();
    EXPECT_TRUE(simulation.step().converged);
    // Coordinates: the height of the hinge, and how both rods turn.
    Eigen::Matrix3d M;
    M << 2 * m, m * l / 2, -m * l / 2, m * l / 2, I + m * l * l / 4, 0, -m * l / 2, 0,
        I + m * l * l / 4;
    const Eigen::Vector3d J{1, l, 0};
    const double mobility = J.dot(M.inverse() * J) + 1 / ball.mass, P = (1 + e) / mobility;
    const Eigen::Vector3d q = -P * (M.inverse() * J);
    EXPECT_NEAR(body_of(simulation, 2).velocity.z, -1 + P / ball.mass, 1e-6);
    EXPECT_NEAR(body_of(simulation, 1).velocity.z, q[0] + l / 2 * q[1], 1e-6);
    EXPECT_NEAR(body_of(simulation, 0).velocity.z, q[0] - l / 2 * q[2], 1e-6);
  }
}

/// Boxes in a chain that fall on one or two planes, as they like.
World random_chain(RandomStream& random) {
  const auto number = [&](double low, double high) { return random.uniform(low, high); };
  const auto choose = [&](int count) { return static_cast<std::size_t>(random.uniform(0, count)); };
  const auto vector = [&](double size) {
    return size * Vec3{number(-1, 1), number(-1, 1), number(-1, 1)};
  };
  const LawKind laws[] = {LawKind::coulomb, LawKind::max_dissipation, LawKind::polyhedral,
                          LawKind::cone_complementarity};
  World world(
      PairLaw{.kind = laws[choose(4)], .friction = number(0, 1.5), .restitution = number(0, 1)},
      1e-8);
  world.model.gravity = {};
  world.model.step.impacts = ImpactLaw::energetic;
  world.model.solver = solver_settings(Accuracy::reference);
  const std::size_t count = 2 + choose(3);
  Vec3 at;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 size{number(0.05, 0.3), number(0.05, 0.3), number(0.05, 0.3)};
    // So straight that bodies without a joint between them do not meet.
    const Vec3 direction = Vec3{1.5, 0, 0} + vector(1), step = 0.25 / norm(direction) * direction;
    Body& body = world.box(
        at + step, size, normalised({number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)}));
    body.mass *= std::pow(10.0, number(-2, 2));
    const JointKind kinds[] = {JointKind::spherical, JointKind::revolute, JointKind::fixed,
                               JointKind::universal};
    const Vec3 axis = vector(1);
    if (k > 0)
      world.model.joints.push_back(
          joint_at(world, kinds[choose(4)], k - 1, k, at, axis / norm(axis)));
    at += 2 * step;
  }
  // A motion that the joints allow: of all as one.
  const Vec3 velocity = vector(1), spin = vector(3);
  for (Body& body : world.bodies) {
    body.velocity = velocity + cross(spin, body.position);
    body.angular_velocity = spin;
  }
  for (std::size_t planes = 1 + choose(2); planes > 0; --planes) {
    const Vec3 any = vector(1), n = any / norm(any);
    double lowest = std::numeric_limits<double>::infinity();
    for (const Body& body : world.bodies) {
      const Vec3 half =
          body.radius * std::get<Box>(world.model.prototypes[body.prototype].shape).half_extent;
      const Vec3 own = rotate_back(body.orientation, n);
      lowest = std::min(lowest, dot(n, body.position) - std::abs(own.x) * half.x -
                                    std::abs(own.y) * half.y - std::abs(own.z) * half.z);
    }
    world.half_space(lowest * n, n);
  }
  return world;
}

TEST(RandomChainsThatFall, MakeNoEnergy) {
  constexpr int kCount = 10'000;
  RandomStream random{3, 0};
  double max_value = -1;
  int hits = 0, missed = 0;
  for (int k = 0; k < kCount; ++k) {
    Simulation simulation = random_chain(random).simulation();
    const double before = simulation.report().kinetic_energy;
    const Report& report = simulation.step();
    hits += report.impact_work.compression > 1e-3 * before;
    missed += !report.converged;
    const double gain = report.kinetic_energy / before - 1;
    // max_dissipation may have no answer; that is reported.
    const bool own = simulation.model().laws(0, 0).kind == LawKind::max_dissipation;
    if (own && !report.converged) continue;
    max_value = std::max(max_value, gain);
    ASSERT_LT(gain, 1e-12) << k;
    ASSERT_EQ(report["energy_created"].value, 0) << k;
  }
  EXPECT_GT(hits, kCount / 2);
  EXPECT_LT(missed, kCount / 100);
  RecordProperty("missed", missed);
  RecordProperty("hits", hits);
}

TEST(AJointedImpact, LeavesDrivesAsTheyAre) {
  // A spring, a brake and a motor with a bound give no impulse in no time: a ball on a slider
  // that all three act on leaves a wall with e times its speed.
  World world(PairLaw{.kind = LawKind::coulomb, .friction = 0.3, .restitution = 0.5}, 1e-6);
  world.model.gravity = {};
  world.model.step.impacts = ImpactLaw::energetic;
  world.half_space({-0.1, 0, 0}, {1, 0, 0});
  world.sphere({}, 0.1, {-1, 0, 0});
  Joint slider{.name = "slider", .kind = JointKind::prismatic};
  const Quaternion along_x = rotation_between({0, 0, 1}, {1, 0, 0});
  slider.a = {kWorld, {{}, along_x}};
  slider.b = {world.bodies[0].id, {{}, along_x}};
  slider.drives = {
      {.lower = -1,
       .upper = 1,
       .motor = {.kind = Motor::Kind::velocity, .target = [](double) { return -2.0; }, .max = 10},
       .stiffness = 1e4,
       .damping = 10,
       .friction = 5}};
  world.model.joints = {slider};
  Simulation simulation = world.simulation();
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_NEAR(body_of(simulation, 0).velocity.x, 0.5, 1e-4);
}

TEST(AJointedImpact, GoesThroughALimitThatIsReached) {
  // Two balls on a line, the second on a slider at its limit: what hits it meets a wall.
  World world(PairLaw{.kind = LawKind::frictionless, .restitution = 0.5}, 1e-6);
  world.model.gravity = {};
  world.model.step.impacts = ImpactLaw::energetic;
  world.sphere({}, 0.1, {1, 0, 0});
  world.sphere({0.2, 0, 0}, 0.1);
  Joint slider{.name = "slider", .kind = JointKind::prismatic};
  const Quaternion along_x = rotation_between({0, 0, 1}, {1, 0, 0});
  slider.a = {kWorld, {{0.2, 0, 0}, along_x}};
  slider.b = {world.bodies[1].id, {{}, along_x}};
  slider.drives = {{.lower = -1, .upper = 0}};
  world.model.joints = {slider};
  Simulation simulation = world.simulation();
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_NEAR(body_of(simulation, 0).velocity.x, -0.5, 1e-9);
  EXPECT_NEAR(body_of(simulation, 1).velocity.x, 0, 1e-9);
}

/// A ball at x = 0.2 on a slider along x.
World slider_at(double e, const JointDrive& drive, ImpactLaw impacts) {
  World world(PairLaw{.kind = LawKind::frictionless, .restitution = e}, 1e-6);
  world.model.gravity = {};
  world.model.step.impacts = impacts;
  world.sphere({}, 0.1);
  world.sphere({0.2, 0, 0}, 0.1);
  Joint slider{.name = "slider", .kind = JointKind::prismatic};
  const Quaternion along_x = rotation_between({0, 0, 1}, {1, 0, 0});
  slider.a = {kWorld, {{0.2, 0, 0}, along_x}};
  slider.b = {world.bodies[1].id, {{}, along_x}};
  slider.drives = {drive};
  world.model.joints = {slider};
  return world;
}

TEST(AJointedImpact, AtAnUpperLimitIsTheMirrorOfThatAtALowerOne) {
  // The second ball leaves its limit, and the first comes after it.
  for (const ImpactLaw impacts : kLaws)
    for (const double sign : {1.0, -1.0}) {
      const JointDrive drive =
          sign > 0 ? JointDrive{.lower = 0, .upper = 1} : JointDrive{.lower = -1, .upper = 0};
      World world = slider_at(0.25, drive, impacts);
      world.bodies[0].position = {0.2 - 0.2 * sign, 0, 0};
      world.bodies[0].velocity = {3 * sign, 0, 0};
      world.bodies[1].velocity = {sign, 0, 0};
      Simulation simulation = world.simulation();
      const Report& report = simulation.step();
      EXPECT_TRUE(report.converged);
      EXPECT_EQ(report["energy_created"].value, 0);
      // Equal masses: 4 between them, apart with a quarter of 2.
      EXPECT_NEAR(body_of(simulation, 0).velocity.x, 1.75 * sign, 1e-9);
      EXPECT_NEAR(body_of(simulation, 1).velocity.x, 2.25 * sign, 1e-9);
    }
}

TEST(AJointedImpact, OfAHammerThatAMotorMovesThrowsABallAsAMovingWallDoes) {
  for (const ImpactLaw impacts : kLaws) {
    World world = slider_at(
        0.9, {.motor = {.kind = Motor::Kind::velocity, .target = [](double) { return -1.0; }}},
        impacts);
    world.bodies[1].velocity = {-1, 0, 0};
    Simulation simulation = world.simulation();
    const Report& report = simulation.step();
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report["energy_created"].value, 0) << static_cast<int>(impacts);
    EXPECT_NEAR(body_of(simulation, 0).velocity.x, -1.9, 1e-9) << static_cast<int>(impacts);
    EXPECT_NEAR(body_of(simulation, 1).velocity.x, -1, 1e-9);
  }
}

TEST(AJointedImpact, OfABodyOnAPartThatMovesIsThatOfThePart) {
  for (const ImpactLaw impacts : kLaws) {
    World world = slider_at(0.9, {}, impacts);
    world.obstacle(Sphere{0.01}, {{0.2, 0, 5}, {}}, [](double) { return Twist{{-1, 0, 0}, {}}; });
    Joint& weld = world.model.joints[0];
    weld = {.name = "weld", .kind = JointKind::fixed};
    weld.a = {obstacle_id(0), {{0, 0, -5}, {}}};
    weld.b = {world.bodies[1].id, {}};
    world.bodies[1].velocity = {-1, 0, 0};
    Simulation simulation = world.simulation();
    const Report& report = simulation.step();
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report["energy_created"].value, 0) << static_cast<int>(impacts);
    EXPECT_NEAR(body_of(simulation, 0).velocity.x, -1.9, 1e-6) << static_cast<int>(impacts);
  }
}

TEST(AJointedImpact, OfADoublePendulumThatNeverLosesAnyKeepsItsEnergy) {
  for (const ImpactLaw impacts : kLaws) {
    DoublePendulum pendulum{{0.2, 0.3}, {2, 1}};
    World world = pendulum.world(1, impacts);
    world.model.gravity = {0, 0, -kGravity};
    world.model.step.h = 1e-4;
    Simulation simulation = world.simulation();
    const auto energy = [&] {
      const Report& r = simulation.report();
      return r.kinetic_energy + r.potential_energy;
    };
    simulation.step();
    const double before = energy(), kinetic = simulation.report().kinetic_energy;
    for (int k = 0; k < 5000; ++k) ASSERT_TRUE(simulation.step().converged) << k;
    EXPECT_NEAR(energy(), before, 0.01 * kinetic) << static_cast<int>(impacts);
  }
}

}  // namespace
}  // namespace scree

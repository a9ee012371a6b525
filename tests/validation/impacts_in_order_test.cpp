// Impacts in the order in which they happen, against an event-driven simulation of another make.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

using Real = long double;

/// Frictionless balls in free flight, advanced from impact to impact of the whole set.
class EventDriven {
 public:
  struct Ball {
    Real x[3], v[3], radius, mass;
  };
  /// Plane at right angles to the x-axis: balls stay on the side of `sign`.
  struct Wall {
    Real x, v, sign;
  };
  std::vector<Ball> balls;
  std::vector<Wall> walls;
  Real e = 1;

  explicit EventDriven(const World& world) {
    for (const Body& body : world.bodies) {
      Ball ball{{}, {}, body.radius, body.mass};
      for (int k = 0; k < 3; ++k) ball.x[k] = body.position[k], ball.v[k] = body.velocity[k];
      balls.push_back(ball);
    }
  }

  void run(Real time) {
    while (true) {
      Real next = time;
      std::size_t one = 0, two = 0;
      for (std::size_t i = 0; i < balls.size(); ++i)
        for (std::size_t j = 0; j < balls.size() + walls.size(); ++j) {
          if (j <= i) continue;
          const Real t = j < balls.size() ? until(balls[i], balls[j])
                                          : until(balls[i], walls[j - balls.size()]);
          if (t < next) next = t, one = i, two = j;
        }
      fly(next);
      time -= next;
      if (one == two) return;
      if (two < balls.size())
        hit(balls[one], balls[two]);
      else
        hit(balls[one], walls[two - balls.size()]);
    }
  }

 private:
  static constexpr Real kNever = 1e30L;

  static Real until(const Ball& a, const Ball& b) {
    Real xv = 0, vv = 0, xx = 0;
    for (int k = 0; k < 3; ++k) {
      const Real x = b.x[k] - a.x[k], v = b.v[k] - a.v[k];
      xv += x * v, vv += v * v, xx += x * x;
    }
    const Real touch = a.radius + b.radius, outside = xx - touch * touch;
    const Real squared = xv * xv - vv * outside;
    if (xv >= 0 || squared < 0) return kNever;
    return std::max(outside / (-xv + std::sqrt(squared)), Real{0});
  }
  static Real until(const Ball& ball, const Wall& wall) {
    const Real gap = wall.sign * (ball.x[0] - wall.x) - ball.radius,
               speed = wall.sign * (ball.v[0] - wall.v);
    return speed >= 0 ? kNever : std::max(-gap / speed, Real{0});
  }
  void hit(Ball& a, Ball& b) const {
    Real n[3], size = 0, speed = 0;
    for (int k = 0; k < 3; ++k) n[k] = b.x[k] - a.x[k], size += n[k] * n[k];
    for (int k = 0; k < 3; ++k) n[k] /= std::sqrt(size), speed += n[k] * (b.v[k] - a.v[k]);
    const Real r = -(1 + e) * speed / (1 / a.mass + 1 / b.mass);
    for (int k = 0; k < 3; ++k) a.v[k] -= r / a.mass * n[k], b.v[k] += r / b.mass * n[k];
  }
  void hit(Ball& ball, const Wall& wall) const { ball.v[0] -= (1 + e) * (ball.v[0] - wall.v); }
  void fly(Real time) {
    for (Ball& ball : balls)
      for (int k = 0; k < 3; ++k) ball.x[k] += time * ball.v[k];
    for (Wall& wall : walls) wall.x += time * wall.v;
  }
};

/// Largest difference of positions [m] and velocities [m/s].
double difference(const Simulation& simulation, const EventDriven& reference) {
  Real most = 0;
  for (std::size_t i = 0; i < reference.balls.size(); ++i) {
    const Body body = body_of(simulation, i);
    const auto& ball = reference.balls[i];
    for (int k = 0; k < 3; ++k)
      most = std::max(
          {most, std::abs(body.position[k] - ball.x[k]), std::abs(body.velocity[k] - ball.v[k])});
  }
  return static_cast<double>(most);
}

/// Balls in empty space. Without a threshold every approach is an impact.
World in_space(double mu, double e) {
  World world(coulomb(mu, e), 1e-3);
  world.model.step.impacts_in_order = true;
  world.model.gravity = {};
  world.model.step.restitution_threshold = 0;
  return world;
}

constexpr double kBallRadius = 0.01;  ///< [m]

/// A row of balls along x, `gap` apart; the first comes with 1 m/s.
World cradle(int balls, double e, double gap) {
  World world = in_space(0, e);
  for (int k = 0; k < balls; ++k) world.sphere({k * (2 * kBallRadius + gap), 0, 0}, kBallRadius);
  world.bodies[0].velocity = {1, 0, 0};
  return world;
}

double difference_after(const World& world, double time) {
  EventDriven reference(world);
  reference.e = world.model.laws(0, 0).restitution;
  reference.run(time);
  Simulation simulation = world.simulation();
  run_until(simulation, time);
  return difference(simulation, reference);
}

TEST(ImpactsInOrder, OfANewtonsCradleWithGapsLeaveTheLastBallAlone) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic}) {
    World world = cradle(3, 1, 1e-4);
    world.model.step.impacts = law;
    world.model.step.restitution_threshold = 1e-2;
    Simulation simulation = world.simulation();
    run_until(simulation, 0.01);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(body_of(simulation, k).velocity.x, k == 2 ? 1 : 0, 1e-12);
    EXPECT_NEAR(total_energy(simulation.report()), simulation.report().kinetic_energy, 1e-15);
  }
}

TEST(ImpactsInOrder, OfRowsOf2To20BallsAreThoseOfAnEventDrivenSimulation) {
  for (int balls = 2; balls <= 20; ++balls)
    for (const double e : {1.0, 0.9})
      EXPECT_LT(difference_after(cradle(balls, e, 1e-4), 0.02), 1e-9) << balls << ", " << e;
}

TEST(ImpactsInOrder, OfMassesThatDifferByUpTo10000AreThoseOfAnEventDrivenSimulation) {
  RandomStream random{1, 0};
  for (int sample = 0; sample < 30; ++sample) {
    World world = cradle(3 + sample % 4, 1, 3e-4);
    for (Body& body : world.bodies) body.mass *= std::pow(10, random.uniform(-2, 2));
    EXPECT_LT(difference_after(world, 0.02), 1e-9) << sample;
  }
}

TEST(ImpactsInOrder, OfALightBallBetweenHeavyOnesKeepTheEnergy) {
  World world = cradle(3, 1, 0.05);
  world.bodies[1].mass = 1e-3 * world.bodies[0].mass;
  EXPECT_LT(difference_after(world, 0.5), 1e-9);
}

TEST(ImpactsInOrder, OfABallBetweenClosingWallsAreThoseOfAnEventDrivenSimulation) {
  World world = in_space(0, 1);
  world.sphere({0.003, 0, 0}, kBallRadius, {5, 0.1, 0});
  EventDriven reference(world);
  reference.walls = {{-0.06, 0.9L, 1}, {0.06, -1.1L, -1}};
  for (const auto& wall : reference.walls) {
    const auto x = static_cast<double>(wall.x), v = static_cast<double>(wall.v),
               sign = static_cast<double>(wall.sign);
    world.half_space({x, 0, 0}, {sign, 0, 0});
    world.model.obstacles.back().motion = [v](double) { return Twist{{v, 0, 0}, {}}; };
  }
  reference.run(0.045);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.045);
  EXPECT_GT(std::abs(body_of(simulation, 0).velocity.x), 25);
  EXPECT_LT(difference(simulation, reference), 1e-9);
  const Report& report = simulation.report();
  EXPECT_NEAR(total_energy(report), 0.5 * world.bodies[0].mass * 25.01, 1e-12);
}

/// Fifteen balls in a triangle, with gaps of about 1 mm, and one that hits them.
World billiard(std::uint64_t seed) {
  World world = in_space(0, 1);
  RandomStream random{seed, 0};
  for (int row = 0; row < 5; ++row)
    for (int k = 0; k <= row; ++k) {
      const double dx = random.uniform(-4e-4, 4e-4), dy = random.uniform(-4e-4, 4e-4);
      world.sphere({row * 0.0182 + dx, (k - row / 2.0) * 0.021 + dy, 0}, kBallRadius);
    }
  world.sphere({-0.05, 1e-3, 0}, kBallRadius, {3, 0, 0});
  return world;
}

TEST(ImpactsInOrder, OfABilliardBreakAreThoseOfAnEventDrivenSimulation) {
  constexpr double kTime = 0.03;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const World world = billiard(seed);
    EventDriven reference(world), moved(world);
    moved.balls.back().x[1] += 1e-13L;
    reference.run(kTime);
    moved.run(kTime);
    Simulation simulation = world.simulation();
    run_until(simulation, kTime);
    Real change = 0;
    for (std::size_t i = 0; i < reference.balls.size(); ++i)
      for (int k = 0; k < 2; ++k)
        change = std::max({change, std::abs(reference.balls[i].x[k] - moved.balls[i].x[k]),
                           std::abs(reference.balls[i].v[k] - moved.balls[i].v[k])});
    if (change >= 1e-9L) continue;
    ++compared;
    EXPECT_LT(difference(simulation, reference), 1e-9) << seed;
  }
  EXPECT_GE(compared, 5);
}

TEST(ImpactsInOrder, OfBallsOnASmoothTableAreThoseInEmptySpace) {
  World world = cradle(5, 1, 1e-4);
  EventDriven reference(world);
  reference.run(0.02);
  world.model.gravity = {0, 0, -kGravity};
  world.model.step.restitution_threshold = 1e-2;
  world.half_space({0, 0, -kBallRadius}, {0, 0, 1});
  Simulation simulation = world.simulation();
  run_until(simulation, 0.02);
  EXPECT_LT(difference(simulation, reference), 1e-9);
  EXPECT_NEAR(simulation.state().obstacle_loads[0].impulse.z,
              -5 * world.bodies[0].mass * kGravity * 0.02, 1e-9);
}

/// A ball that bounces on a plane under gravity, with friction, exactly. Its rotation is about y.
struct Bounces {
  double x = 0, z = 0.05, vx = 0.7, vz = 0, spin = 0;  ///< spin: R ω
  void run(double time, double e, double mu) {
    while (true) {
      const double up = z - kBallRadius,
                   hit = (vz + std::sqrt(vz * vz + 2 * kGravity * up)) / kGravity;
      const double t = std::min(hit, time);
      x += vx * t;
      z += vz * t - kGravity / 2 * t * t;
      vz -= kGravity * t;
      time -= t;
      if (time <= 0) return;
      const double r_n = -(1 + e) * vz, slip = vx - spin;
      const double r_t = std::clamp(-slip * 2 / 7, -mu * r_n, mu * r_n);
      vz = -e * vz;
      vx += r_t;
      spin -= 2.5 * r_t;
      z = kBallRadius;
    }
  }
};

double error_of_bounces(double h) {
  constexpr double kTime = 0.3, kRestitution = 0.8, kFriction = 0.15;
  World world(coulomb(kFriction, kRestitution), h);
  world.model.step.impacts_in_order = true;
  world.half_space({}, {0, 0, 1});
  Bounces exact;
  // The scheme takes velocities half a step before positions.
  world.sphere({0, 0, exact.z}, kBallRadius, {exact.vx, 0, exact.vz + kGravity * h / 2});
  const double start = 0.5 * world.bodies[0].mass * squared_norm(world.bodies[0].velocity);
  Simulation simulation = world.simulation();
  run_until(simulation, kTime);
  exact.run(kTime, kRestitution, kFriction);
  const Body body = body_of(simulation, 0);
  EXPECT_LT(std::abs(total_energy(simulation.report()) - total_energy(world.simulation().report())),
            1e-12 * start + 1e-15);
  return std::max({std::abs(body.position.x - exact.x), std::abs(body.position.z - exact.z),
                   std::abs(body.velocity.x - exact.vx),
                   std::abs(body.velocity.z - exact.vz - kGravity * h / 2),
                   std::abs(kBallRadius * body.angular_velocity.y - exact.spin)});
}

TEST(ImpactsInOrder, OfABallThatBouncesWithFrictionAreExactInTheStep) {
  for (const double h : {4e-3, 2e-3, 1e-3}) EXPECT_LT(error_of_bounces(h), 1e-10) << h;
}

TEST(ImpactsInOrder, GiveObstaclesTheirImpulsesAndContactsTheirCertificates) {
  World world(coulomb(0.1, 0.5), 1e-3);
  world.model.step.impacts_in_order = true;
  world.model.gravity = {};
  world.half_space({}, {0, 0, 1});
  const double mass = world.sphere({0, 0, 0.0105}, kBallRadius, {1, 0, -1}).mass;
  Simulation simulation = world.simulation();
  const Report& report = simulation.step();
  EXPECT_NEAR(simulation.state().obstacle_loads[0].impulse.z, -1.5 * mass, 1e-14);
  EXPECT_NEAR(simulation.state().obstacle_loads[0].impulse.x, 0.15 * mass, 1e-14);
  const std::vector<ContactRecord> contacts = simulation.contacts();
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(report.contacts, 1u);
  EXPECT_LT(contacts[0].residual, 1e-12);
  EXPECT_EQ(contacts[0].kind, ContactClass::sliding);
  EXPECT_NEAR(contacts[0].dissipated_energy, report.dissipated_energy, 1e-15);
  const ObstacleLoad& load = simulation.state().obstacle_loads[0];
  EXPECT_NEAR(load.wear.impact, 0.375 * mass, 1e-14);
  EXPECT_NEAR(load.wear.impact + load.wear.sliding, report.dissipated_energy, 1e-15);
  EXPECT_TRUE(report.converged);
}

TEST(ImpactsInOrder, LeaveBallsThatTouchToTheLawOfImpacts) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    World world = cradle(3, 1, 0);
    world.model.step.impacts = law;
    Simulation simulation = world.simulation();
    run_until(simulation, 0.005);
    EXPECT_NEAR(body_of(simulation, 0).velocity.x, -1.0 / 3, 1e-9);
    EXPECT_NEAR(body_of(simulation, 1).velocity.x, 2.0 / 3, 1e-9);
    EXPECT_NEAR(body_of(simulation, 2).velocity.x, 2.0 / 3, 1e-9);
  }
}

TEST(ImpactsInOrder, ThatHaveNoEndAreReported) {
  // Three balls with e = 0.05 collapse: the one in the middle is hit without end.
  World world = in_space(0, 0.05);
  world.sphere({-0.0301, 0, 0}, kBallRadius, {1, 0, 0});
  world.sphere({0.001, 0, 0}, kBallRadius);
  world.sphere({0.0302, 0, 0}, kBallRadius, {-1, 0, 0});
  World squeezed = in_space(0, 1);
  squeezed.sphere({}, kBallRadius, {1, 0, 0});
  for (const double side : {-1.0, 1.0}) {
    squeezed.half_space({side * 0.0105, 0, 0}, {-side, 0, 0});
    squeezed.model.obstacles.back().motion = [side](double) { return Twist{{-side, 0, 0}, {}}; };
  }
  for (const World* of : {&world, &squeezed}) {
    Simulation simulation = of->simulation();
    double unordered = 0;
    for (int k = 0; k < 20; ++k) unordered += simulation.step()["unordered_impacts"].value;
    EXPECT_GE(unordered, 1);
    EXPECT_TRUE(is_finite(body_of(simulation, 0).velocity));
  }
}

TEST(ImpactsInOrder, HaveTheSameBitsForEveryNumberOfThreadsAndAfterARestart) {
  const World world = billiard(3);
  Simulation one = world.simulation(1), two = world.simulation(2);
  run_until(one, 0.015);
  State saved = one.state();
  Simulation resumed(world.model, std::move(saved), 2);
  for (Simulation* of : {&one, &two, &resumed}) run_until(*of, 0.03);
  EXPECT_EQ(motion_hash(one.state()), motion_hash(two.state()));
  EXPECT_EQ(motion_hash(one.state()), motion_hash(resumed.state()));
}

}  // namespace
}  // namespace scree

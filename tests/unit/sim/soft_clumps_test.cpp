// Clumps under compliant laws: against the spheres that they are made of, closed forms, and an
// integration that shares nothing with the engine.
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/laws/force_law.hpp"
#include "scree/sim/force_times.hpp"
#include "support/clumps.hpp"
#include "support/impacts.hpp"
#include "support/soft_piles.hpp"

namespace scree {
namespace {

using namespace test;
using std::numbers::pi;

/// A sphere, or a clump that it is the only part of.
Body& ball(World& world, bool as_clump, const Vec3& position, double radius, const Vec3& velocity,
           const Vec3& spin) {
  if (!as_clump) return world.sphere(position, radius, velocity, spin);
  Body& body = add_clump(world, {{Sphere{radius}, {}}}, {position, {}});
  body.velocity = velocity;
  body.angular_velocity = spin;
  return body;
}

/// Two balls that hit each other, a floor, a mesh of two triangles and a capsule.
World balls_among_obstacles(const PairLaw& law, bool first_is_clump, bool second_is_clump) {
  World world(law, 1e-5);
  world.half_space({}, {0.1, 0, 1});
  world.obstacle(Capsule{0.01, 0.03}, {{0.035, 0, 0.02}, rotation({1, 0, 0}, 1.3)});
  const std::vector<Vec3> corners{{-0.03, -1, 0}, {-0.03, 1, 0}, {-0.03, 1, 1}, {-0.03, -1, 1}};
  const std::vector<TriangleMesh::Corners> triangles{{0, 1, 2}, {0, 2, 3}};
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(corners, triangles, Sides::two));
  world.obstacle(Mesh{world.model.meshes.back().get()}, {});
  ball(world, first_is_clump, {0, 0, 0.012}, 0.01, {0.5, 0.2, -1}, {30, -50, 20});
  ball(world, second_is_clump, {-0.001, 0.002, 0.033}, 0.008, {-0.4, 0.1, -1.5}, {-40, 10, 60});
  return world;
}

TEST(SoftClump, OfOneSphereMovesAsTheSphereToRounding) {
  PairLaw rolling = linear_law(1e4, 3e3, 0.4, 0.6);
  rolling.rolling_friction = 2e-4;
  rolling.spinning_friction = 1e-4;
  PairLaw hertz = hertz_law(0.3, 0.7);
  hertz.force.k_n = 5e7;
  hertz.force.k_t = 4e7;
  PairLaw first_order = linear_law(1e4, 3e3, 0.4, 0.6);
  first_order.force.rotations = RotationScheme::first_order;
  for (const PairLaw& law : {linear_law(1e4, 3e3, 0.4, 0.6), rolling, hertz, first_order}) {
    Simulation spheres = balls_among_obstacles(law, false, false).simulation();
    run_until(spheres, 0.03);
    EXPECT_GT(spheres.report().dissipated_energy, 1e-4);
    for (const auto& [first, second] : {std::pair{true, true}, {true, false}, {false, true}}) {
      Simulation clumps = balls_among_obstacles(law, first, second).simulation();
      run_until(clumps, 0.03);
      for (const std::uint64_t id : {0, 1}) {
        const Body a = body_of(spheres, id), b = body_of(clumps, id);
        // Some impacts make a thousand of what rounding does.
        EXPECT_LT(norm(a.position - b.position), 1e-12);
        EXPECT_LT(norm(a.velocity - b.velocity), 1e-9);
        EXPECT_LT(0.01 * norm(a.angular_velocity - b.angular_velocity), 1e-9);
      }
      EXPECT_NEAR(clumps.report().dissipated_energy, spheres.report().dissipated_energy,
                  1e-9 * spheres.report().dissipated_energy);
    }
  }
}

/// Without friction each end has the dashpot of the mass m' that it feels, 1/m' = 1/m + l²/I: one
/// end alone leaves with e. Two that hit at once move m, on twice the spring and the dashpot: as
/// β' = β √(2 m'/m), which is β where I = m l².
TEST(SoftDumbbell, ThatHitsAWallAskewReboundsByTheMassThatItsEndFeels) {
  const double radius = 0.02, arm = 0.03, speed = 1;
  for (const double e : {1.0, 0.6})
    for (const double tilt : {0.0, 0.3, 0.9, 1.5}) {
      World world(linear_law(1e8, 0, 0, e), 2e-7);
      world.model.gravity = {};
      world.half_space({}, {0, 0, 1});
      const double height = radius + arm * std::sin(tilt) + 1e-6;
      Body& body =
          add_clump(world, dumbbell(radius, arm), {{0, 0, height}, rotation({0, 1, 0}, -tilt)});
      body.velocity = {0, 0, -speed};
      const double mass = body.mass;
      // Spheres that overlap: of the body itself, along z of its own frame or y.
      const Vec3 moments = body.radius * body.radius * mass * world.model.prototypes[1].inertia;
      const double across = std::max({moments.x, moments.y, moments.z});
      Simulation simulation = world.simulation();
      run_until(simulation, 3e-4);
      const bool flat = tilt == 0;
      const double l = flat ? 0 : arm * std::cos(tilt), felt = 1 / (1 / mass + l * l / across);
      const double at_an_end = 1 / (1 / mass + arm * arm / across);
      const double beta =
          critical_damping_fraction(e, false) * (flat ? std::sqrt(2 * at_an_end / mass) : 1);
      const double rebound = restitution_of(beta, false), p = (1 + rebound) * speed * felt;
      EXPECT_NEAR(rebound, e, flat ? 0.03 : 1e-9);
      const Body after = body_of(simulation, 0);
      EXPECT_NEAR(after.velocity.z, -speed + p / mass, 4e-3 * speed) << e << ' ' << tilt;
      EXPECT_NEAR(norm(after.angular_velocity), p * l / across, 4e-3 * (1 + p * l / across));
      EXPECT_EQ(simulation.contact_count(), 0U);
    }
}

/// Plane motion of a dumbbell with springs, dashpots and friction at its two ends, by Runge and
/// Kutta's method. State: x, z, angle, their rates, and the shear force of each end.
class PlaneDumbbell {
 public:
  double radius, arm, mass, inertia, k_n, k_t, mu, beta;
  std::array<double, 8> s{};

  void advance(double h) {
    const auto a = rates(s), b = rates(moved(a, h / 2)), c = rates(moved(b, h / 2)),
               d = rates(moved(c, h));
    for (std::size_t k = 0; k < 8; ++k) s[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    for (int end = 0; end < 2; ++end) {
      const double max_value = mu * End(*this, s, end).force;
      s[6 + end] = std::clamp(s[6 + end], -max_value, max_value);
    }
  }

 private:
  struct End {
    double across, up;  ///< of its centre from the body's [m]
    double force, slip;

    End(const PlaneDumbbell& d, const std::array<double, 8>& s, int end) {
      const double side = end == 0 ? 1 : -1;
      // A turn about y takes x to −z.
      across = side * d.arm * std::cos(s[2]);
      up = -side * d.arm * std::sin(s[2]);
      const double overlap = d.radius - (s[1] + up), closing = -(s[4] - s[5] * across);
      const double felt = 1 / (1 / d.mass + across * across / d.inertia);
      const double gamma = 2 * d.beta * std::sqrt(felt * d.k_n);
      force = overlap > 0 ? std::max(0.0, d.k_n * overlap + gamma * closing) : 0;
      slip = s[3] + s[5] * (up - d.radius);
    }
  };

  std::array<double, 8> rates(const std::array<double, 8>& at) const {
    std::array<double, 8> rate{at[3], at[4], at[5], 0, -kGravity, 0, 0, 0};
    for (int k = 0; k < 2; ++k) {
      const End end(*this, at, k);
      const double max_value = mu * end.force, shear = std::clamp(at[6 + k], -max_value, max_value);
      rate[3] += shear / mass;
      rate[4] += end.force / mass;
      rate[5] += ((end.up - radius) * shear - end.across * end.force) / inertia;
      rate[6 + k] = end.force > 0 ? -k_t * end.slip : 0;
    }
    return rate;
  }
  std::array<double, 8> moved(const std::array<double, 8>& rate, double h) const {
    auto to = s;
    for (std::size_t k = 0; k < 8; ++k) to[k] += h * rate[k];
    return to;
  }
};

/// Largest difference of velocities from the integration, with a step of `h` [m/s].
double off_the_integration(double h) {
  const double radius = 0.02, arm = 0.03, k_n = 2e4, k_t = 1e4, mu = 0.4, e = 0.7;
  World world(linear_law(k_n, k_t, mu, e), h);
  world.half_space({}, {0, 0, 1});
  const Vec3 start{0, 0, 0.045}, velocity{0.6, 0, -0.5};
  const double angle = -0.4, spin = 3;
  Body& body = add_clump(world, dumbbell(radius, arm), {start, rotation({0, 1, 0}, angle)});
  body.velocity = velocity;
  body.angular_velocity = {0, spin, 0};
  const Vec3 moments = body.radius * body.radius * body.mass * world.model.prototypes[1].inertia;
  PlaneDumbbell exact{.radius = radius,
                      .arm = arm,
                      .mass = body.mass,
                      .inertia = std::max({moments.x, moments.y, moments.z}),
                      .k_n = k_n,
                      .k_t = k_t,
                      .mu = mu,
                      .beta = critical_damping_fraction(e, false)};
  exact.s = {start.x, start.z, angle, velocity.x, velocity.z, spin, 0, 0};
  constexpr double kFine = 2e-7, kEnd = 0.08;
  for (int k = 0; k < static_cast<int>(std::lround(kEnd / kFine)); ++k) exact.advance(kFine);
  Simulation simulation = world.simulation();
  run_until(simulation, kEnd);
  const Body after = body_of(simulation, 0);
  // It slid, turned over and left the floor again.
  EXPECT_GT(std::abs(after.velocity.x - velocity.x), 0.1);
  return std::max({std::abs(after.velocity.x - exact.s[3]), std::abs(after.velocity.z - exact.s[4]),
                   arm * std::abs(after.angular_velocity.y - exact.s[5])});
}

TEST(SoftDumbbell, ThatSkipsOverAFloorConvergesToAnIndependentIntegration) {
  const double coarse = off_the_integration(2e-5), fine = off_the_integration(2.5e-6);
  EXPECT_LT(coarse, 0.02);
  EXPECT_LT(fine, 0.3 * coarse);
  EXPECT_LT(fine, 2e-3);
}

/// Three kinds of clumps, of spheres, of boxes and of both, and spheres.
World soft_bed(int count, PairLaw law, std::uint64_t seed) {
  World world = random_clumps(count, law, 1e-5, seed);
  world.model.solver.max_sweeps = 200;
  return world;
}

TEST(SoftClumps, OfSpheresInAPileHaveBooksThatCloseToRounding) {
  PairLaw with_moments = soft();
  with_moments.rolling_friction = 2e-4;
  PairLaw sticky = soft();
  sticky.cohesion = 1e-3;
  sticky.force.damping_ratio = 0.5;
  PairLaw hertz = hertz_law(0.4, 0.6);
  hertz.force.k_n = hertz.force.k_t = 1e7;
  for (const PairLaw& law : {soft(), with_moments, sticky, hertz}) {
    World world = random_pile(60, law, 2e-5, 3, 0.1);
    const std::vector<Body> spheres = std::exchange(world.bodies, {});
    world.state.next_id = 0;
    for (const Body& sphere : spheres) {
      Body& body = add_clump(
          world, tri_sphere(0.5 * sphere.radius),
          {sphere.position + Vec3{0, 0, 0.01}, rotation({0.6, 0, 0.8}, sphere.velocity.x)});
      body.velocity = sphere.velocity;
      body.angular_velocity = sphere.angular_velocity;
    }
    world.obstacle(Box{{0.02, 0.02, 0.002}}, {{0.02, 0.02, 0.004}, {}}, [](double t) {
      return Twist{{0, 0, 0.1 * std::cos(20 * t)}, {0, 0, 2}};
    });
    Simulation simulation = world.simulation();
    const double start = total_energy(simulation.step());
    for (int k = 0; k < 4000; ++k) {
      const Report& report = simulation.step();
      ASSERT_NEAR(total_energy(report), start, 1e-6 * std::abs(report.dissipated_energy) + 1e-12)
          << report.step;
    }
    EXPECT_GT(simulation.report().force_energy.damped, 1e-5);
    EXPECT_GT(simulation.report().force_energy.slid, 1e-5);
    EXPECT_FALSE(simulation.report()["energy_growth"]);
  }
}

TEST(SoftClumps, OfAnyPartsHaveBooksThatCloseAndMakeNoEnergy) {
  Simulation simulation = soft_bed(80, soft(), 5).simulation();
  const double start = total_energy(simulation.step());
  for (int k = 0; k < 6000; ++k) {
    const Report& report = simulation.step();
    ASSERT_NEAR(total_energy(report), start, 1e-6 * std::abs(report.dissipated_energy) + 1e-12);
    ASSERT_FALSE(report["energy_growth"]) << report.step;
  }
}

/// The most that elastic clumps of spheres gain of their energy when they are thrown at each other;
/// NaN if one of them is.
double max_gained(double h) {
  RandomStream random{23, 0};
  const auto any = [&] { return random.uniform(-1, 1); };
  double max_value = 0;
  for (int k = 0; k < 24; ++k) {
    World world(linear_law(2e4, 6e3, k % 2 ? 0.4 : 0, 1), h);
    world.model.gravity = {};
    for (const double side : {-1.0, 1.0}) {
      const double w = any(), x = any(), y = any(), z = any();
      const double off_y = 0.004 * any(), off_z = 0.004 * any();
      Body& body = add_clump(world, tri_sphere(0.005),
                             {{0.02 * side, off_y, off_z}, normalised({w, x, y, z})});
      body.velocity = {-side, 0.2 * off_y / 0.004, -0.2 * off_z / 0.004};
      body.angular_velocity = 30 * Vec3{x, y, z};
    }
    Simulation simulation = world.simulation();
    simulation.step();
    const double before = simulation.report().kinetic_energy;
    run_until(simulation, 0.025);
    if (simulation.contact_count() > 0) continue;  // they still roll on each other
    const double gained = (simulation.report().kinetic_energy - before) / before;
    if (std::isnan(gained)) return gained;
    max_value = std::max(max_value, gained);
  }
  return max_value;
}

/// With steps of some 50th and 200th of the contact time of a sphere alone.
TEST(SoftClumps, OfSpheresKeepTheirEnergyInRandomImpacts) {
  EXPECT_LT(max_gained(1e-5), 1e-3);
  EXPECT_LT(max_gained(2.5e-6), 1e-4);
}

TEST(SoftClumps, HaveTheSameBitsOnAnyThreadsAndInstructionSetAndGoOnFromAState) {
  PairLaw law = soft();
  law.rolling_friction = 2e-4;
  const World world = soft_bed(120, law, 7);
  const auto after = [&](int threads, InstructionSet set) {
    Simulation simulation = world.simulation(threads, set);
    for (int k = 0; k < 1500; ++k) simulation.step();
    return state_hash(simulation.state());
  };
  const std::uint64_t hash = after(1, widest_instruction_set());
  EXPECT_EQ(after(3, widest_instruction_set()), hash);
  for (const InstructionSet set : instruction_sets()) EXPECT_EQ(after(1, set), hash);

  Simulation half = world.simulation();
  for (int k = 0; k < 700; ++k) half.step();
  Simulation again(half.model(), half.state(), 2);
  for (int k = 0; k < 800; ++k) again.step();
  EXPECT_EQ(state_hash(again.state()), hash);
}

TEST(SoftClumps, AreToldTheForcesThatMoveThem) {
  World world = soft_bed(16, soft(), 9);
  world.model.gravity = {};
  Simulation simulation = world.simulation();
  int touching = 0;
  for (int k = 0; k < 3000; ++k) {
    const Body before = body_of(simulation, 4);
    const bool touches = simulation.step().force_contacts > 0 && k > 0;
    const Body after = body_of(simulation, 4);
    const Vec3 force = before.mass / 1e-5 * (after.velocity - before.velocity);
    if (!touches || norm(force) < 1e-9) continue;
    ++touching;
    EXPECT_LT(norm(simulation.contact_force({4}).force - force), 1e-8 * (norm(force) + 1e-3));
  }
  EXPECT_GT(touching, 10);
}

/// A raft of spheres has more contacts with a floor than are kept: those that are deepest bear it.
TEST(SoftClump, OfManySpheresLiesLevelOnAFloor) {
  std::vector<ClumpPart> raft;
  for (int k = 0; k < 25; ++k)
    raft.push_back({Sphere{0.005}, {{0.008 * (k % 5), 0.008 * (k / 5), 0}, {}}});
  World world(linear_law(1e4, 3e3, 0.4, 0.3), 1e-5);
  world.half_space({}, {0, 0, 1});
  const Body& body = add_clump(world, raft, {{0, 0, 0.006}, rotation({1, 1, 0}, 0.02)});
  const double weight = body.mass * kGravity;
  Simulation simulation = world.simulation();
  const double start = total_energy(simulation.step());
  double borne = 0;
  constexpr int kSteps = 20'000, kLast = 4'000;
  for (int k = 0; k < kSteps; ++k) {
    const Report& report = simulation.step();
    ASSERT_NEAR(total_energy(report), start, 1e-6 * std::abs(report.dissipated_energy) + 1e-12);
    if (k >= kSteps - kLast) borne += simulation.contact_force({0}).force.z / kLast;
  }
  // Which of them are the deepest changes from step to step: it trembles.
  EXPECT_EQ(simulation.contact_count(), 12U);
  EXPECT_NEAR(borne, weight, 2e-3 * weight);
  EXPECT_LT(simulation.report().kinetic_energy, 1e-6 * weight * 0.005);
}

TEST(SoftClump, HasAStableStepAsLongAsItsOscillationsAllow) {
  const double radius = 0.01, arm = 0.03, k_n = 1e4, h = 1e-5;
  World world(linear_law(k_n, 0, 0), h);
  world.half_space({}, {0, 0, 1});
  const Body& body = add_clump(world, dumbbell(radius, arm), {{0, 0, 0.9999 * radius}, {}});
  const Vec3 moments = body.radius * body.radius * body.mass * world.model.prototypes[1].inertia;
  const double across = std::max({moments.x, moments.y, moments.z});
  // It heaves on two springs, and rocks on them.
  const double fastest = std::sqrt(2 * k_n * std::max(1 / body.mass, arm * arm / across));
  Simulation simulation = world.simulation();
  simulation.step();
  const StepFit fit = step_fit(simulation);
  EXPECT_GE(fit.of_stable, (1 - 1e-9) * h * fastest / 2);
  EXPECT_LE(fit.of_stable, 1.5 * h * fastest / 2);
  const auto times = force_times(simulation.model(), simulation.state(), 1);
  ASSERT_TRUE(times);
  EXPECT_LE(times->stability_limit, 2 / fastest);
}

/// A dashpot that nearly stops an impact of two ends slows them down in m'/γ, m' half the mass that
/// an end feels and γ = 2 β √(m' k) its own. What is reported is of a bound of m' from below.
TEST(SoftClump, HasTheTimeOfADashpotByTheMassThatItsEndFeels) {
  const double radius = 0.01, arm = 0.03, k_n = 1e4, restitution = 1e-3;
  PairLaw law = linear_law(k_n, 0, 0, restitution);
  law.force.attraction = true;
  World world(law, 1e-5);
  add_clump(world, dumbbell(radius, arm), {{0, 0, 0}, {}});
  const Body& body = add_clump(world, dumbbell(radius, arm), {{0, 0, 0.1}, {}});
  const Vec3 moments = body.radius * body.radius * body.mass * world.model.prototypes[1].inertia;
  const double across = std::max({moments.x, moments.y, moments.z}),
               felt = 0.5 / (1 / body.mass + arm * arm / across),
               beta = -std::log(restitution) / std::hypot(std::numbers::pi, std::log(restitution)),
               time = 0.1 * kStepsOfContact * felt / (2 * beta * std::sqrt(felt * k_n));
  Simulation simulation = world.simulation();
  const auto times = force_times(simulation.model(), simulation.state(), 1);
  ASSERT_TRUE(times);
  EXPECT_LE(times->contact_time, (1 + 1e-9) * time);
  EXPECT_GE(times->contact_time, 0.9 * time);
}

/// Just below the stability limit that is reported a bed keeps its books; well above it makes
/// energy.
TEST(SoftClumps, AreStableWithTheStepThatIsChosen) {
  World world = soft_bed(60, soft(0.9), 11);
  Simulation probe = world.simulation();
  const auto times = force_times(probe.model(), probe.state(), 1);
  ASSERT_TRUE(times);
  for (const double fraction : {0.5, 0.9}) {
    world.model.step.h = fraction * times->stability_limit;
    Simulation simulation = world.simulation();
    for (int k = 0; k < 4000; ++k) ASSERT_FALSE(simulation.step()["energy_growth"]) << fraction;
  }
}

TEST(SoftClumps, WithAPartThatHertzDoesNotKnowAreRefused) {
  World world(hertz_law(0.3), 1e-5);
  world.model.materials[0].moduli = {1e7, 0.3};
  add_clump(world,
            {{Sphere{0.01}, {}}, {Superellipsoid{{0.02, 0.01, 0.01}, 2, 2}, {{0.01, 0, 0}, {}}}},
            {});
  EXPECT_THROW((void)world.simulation(), std::exception);
}

}  // namespace
}  // namespace scree

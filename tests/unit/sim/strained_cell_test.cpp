/// Cells that flow: pairs across a border move as pairs inside, and the work of the cell is booked.
#include <gtest/gtest.h>

#include "scree/analysis/images.hpp"
#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "support/impacts.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kStrainedRadius = 0.01, kSide = 0.1;

World empty_cell(const PairLaw& law, double h, const UpperTriangle& rate) {
  World world(law, h);
  world.model.gravity = {};
  world.model.domain = Domain(Vec3{kSide, kSide, kSide});
  world.model.strain.rate = rate;
  world.model.solver.tolerance = 1e-13;
  world.model.solver.max_sweeps = 5000;
  return world;
}

const PairLaw kStrainedSoft = linear_law(5000, 1500, 0.4, 0.7), kStrainedRigid = coulomb(0.4, 0.6);

/// What is left of the energy that every form and all work add up to, over the kinetic energy.
double unaccounted(const Report& report, double at_start) {
  return std::abs(total_energy(report) - at_start) / (report.kinetic_energy + at_start);
}

/// A pair that hits, with its first body at `place`, in a flow of simple shear; seen from the
/// first.
struct AfterImpact {
  Vec3 apart, velocity, spin;
};
AfterImpact impact_in_cell(const PairLaw& law, double h, double shear, const Vec3& place) {
  World world = empty_cell(law, h, {.xy = shear});
  const Vec3 way{0.004, 0.021, 0.003};
  world.sphere(place, kStrainedRadius, {0.1, 0.4, 0});
  world.sphere(place + way, kStrainedRadius, {0, -0.4, 0.1}, {3, 0, 1});
  Simulation simulation = world.simulation();
  for (int k = 0; k < std::lround(0.02 / h); ++k) simulation.step();
  const Body a = body_of(simulation, 0), b = body_of(simulation, 1);
  const Domain domain = domain_of(simulation.state().cell);
  const Vec3 apart = domain.separation(a.position, b.position);
  return {apart, b.velocity - a.velocity + domain.gradient() * apart, b.angular_velocity};
}
/// The same in space without bounds, with the velocities that the flow gives them.
AfterImpact impact_in_space(const PairLaw& law, double h, double shear) {
  World world(law, h);
  world.model.gravity = {};
  world.model.solver.tolerance = 1e-13;
  const Vec3 way{0.004, 0.021, 0.003};
  world.sphere({}, kStrainedRadius, {0.1, 0.4, 0});
  world.sphere(way, kStrainedRadius, Vec3{0, -0.4, 0.1} + Vec3{shear * way.y, 0, 0}, {3, 0, 1});
  Simulation simulation = world.simulation();
  for (int k = 0; k < std::lround(0.02 / h); ++k) simulation.step();
  const Body a = body_of(simulation, 0), b = body_of(simulation, 1);
  return {b.position - a.position, b.velocity - a.velocity, b.angular_velocity};
}

TEST(APairInAFlow, HitsAcrossABorderAsInside) {
  for (const PairLaw& law : {kStrainedSoft, kStrainedRigid}) {
    const double h = is_compliant(law) ? 1e-5 : 1e-4;
    const AfterImpact inside = impact_in_cell(law, h, 7, {0.05, 0.03, 0.05});
    for (const Vec3& place :
         {Vec3{0.05, 0.095, 0.05}, Vec3{0.098, 0.09, 0.099}, Vec3{0.05, 0.03 - 3 * kSide, 0.05}}) {
      const AfterImpact across = impact_in_cell(law, h, 7, place);
      EXPECT_NEAR(norm(across.apart - inside.apart), 0, 1e-11);
      EXPECT_NEAR(norm(across.velocity - inside.velocity), 0, 1e-9);
      EXPECT_NEAR(norm(across.spin - inside.spin), 0, 1e-7);
    }
    EXPECT_GT(inside.velocity.y, 0.1) << "they have parted";
  }
}

TEST(APairInAFlow, HitsAsInSpaceWithoutBounds) {
  // The two schemes differ by a term of first order in the step.
  for (const PairLaw& law : {kStrainedSoft, kStrainedRigid}) {
    double before = 0;
    for (double h = is_compliant(law) ? 2e-5 : 1e-4; before == 0 || h > 4e-6; h /= 4) {
      const AfterImpact in_cell = impact_in_cell(law, h, 7, {0.098, 0.092, 0.05}),
                        in_space = impact_in_space(law, h, 7);
      const double apart = norm(in_cell.velocity - in_space.velocity) +
                           kStrainedRadius * norm(in_cell.spin - in_space.spin);
      EXPECT_LT(apart, 2e-2);
      if (before > 0) EXPECT_LT(apart, 0.5 * before) << "h = " << h;
      before = apart;
      if (h < 2e-6) break;
    }
  }
}

/// n³ bodies about lattice places; of them `boxes` in a hundred are boxes.
World crowd(int n, const PairLaw& law, double h, const UpperTriangle& rate, double speed,
            int boxes = 0) {
  World world = empty_cell(law, h, rate);
  RandomStream random{4, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  const double spacing = kSide / n, radius = 0.49 * spacing;
  Vec3 momentum;
  double mass = 0;
  for (int k = 0; k < n * n * n; ++k) {
    const Vec3 at = spacing * Vec3{k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5};
    if (k % 100 < boxes)
      world.box(at, radius * Vec3{1.1, 1.2, 1}, normalised({1, jitter(), jitter(), jitter()}));
    else
      world.sphere(at, radius);
    Body& body = world.bodies.back();
    body.velocity = speed * Vec3{jitter(), jitter(), jitter()};
    momentum += body.mass * body.velocity;
    mass += body.mass;
  }
  for (Body& body : world.bodies) body.velocity = body.velocity - momentum / mass;
  return world;
}

TEST(ACrowdInAFlow, HasAllItsEnergyBookedAndKeepsItsMomentum) {
  for (const PairLaw& law : {kStrainedSoft, kStrainedRigid})
    for (const int boxes : {0, 40}) {
      Simulation simulation =
          crowd(5, law, is_compliant(law) ? 1e-5 : 2e-4, {-0.5, 0.3, -0.8, 6, 2, -3}, 0.3, boxes)
              .simulation();
      const double at_start = total_energy(simulation.report());
      double momentum = 0;
      for (int k = 0; k < 500; ++k) {
        simulation.step();
        EXPECT_EQ(simulation.report()["energy_created"].value, 0);
      }
      EXPECT_GT(simulation.report().dissipated_energy, 0);
      EXPECT_GT(simulation.report().wall_work, 0);
      // The free turning of boxes keeps their energy to a few roundings a step.
      EXPECT_LT(unaccounted(simulation.report(), at_start), boxes > 0 ? 1e-9 : 1e-11) << boxes;
      EXPECT_NEAR(simulation.state().cell.work, simulation.report().wall_work,
                  1e-11 * simulation.report().wall_work);
      const Bodies& bodies = simulation.state().bodies;
      Vec3 sum;
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        sum += bodies.mass[i] * bodies.velocity[i];
        momentum += bodies.mass[i] * norm(bodies.velocity[i]);
      }
      EXPECT_LT(norm(sum), 1e-11 * momentum);
    }
}

TEST(TheStressOfACell, DoesTheWorkThatIsBooked) {
  World world = crowd(5, kStrainedSoft, 1e-5, {-0.5, 0.3, -0.8, 6, 2, -3}, 0.3);
  Simulation simulation = world.simulation();
  double work = 0;
  for (int k = 0; k < 500; ++k) {
    const UpperTriangle rate = simulation.state().cell.gradient;
    const Vec3 period = simulation.state().cell.edges.diagonal();
    simulation.step();
    const CellState& cell = simulation.state().cell;
    const auto stress = [&](std::size_t i, int j) {
      return cell.contact_stress[i][j] + cell.kinetic_stress[i][j];
    };
    // −h V Σ L_ij σ_ji
    work -= world.model.step.h * period.x * period.y * period.z *
            (rate.xx * stress(0, 0) + rate.yy * stress(1, 1) + rate.zz * stress(2, 2) +
             rate.xy * stress(1, 0) + rate.xz * stress(2, 0) + rate.yz * stress(2, 1));
  }
  // The kinetic stress is of the start of each step, its work of the mean of both ends.
  EXPECT_NEAR(work, simulation.state().cell.work, 2e-3 * std::abs(work));
}

TEST(ACrowdInAFlow, IsTheSameWhereverItsBordersAreAndOnAnyNumberOfThreads) {
  for (const PairLaw& law : {kStrainedSoft, kStrainedRigid}) {
    const World world =
        crowd(5, law, is_compliant(law) ? 1e-5 : 2e-4, {-0.5, 0.3, -0.8, 6, 2, -3}, 0.3, 20);
    World other = world;
    for (Body& body : other.bodies)
      body.position += Vec3{0.0123, -0.077, 0.41} + kSide * Vec3{2, 0, -1};
    Simulation a = world.simulation(1), threads = world.simulation(3), b = other.simulation(),
               scalar = world.simulation(1, InstructionSet::scalar);
    for (int k = 0; k < 60; ++k) a.step(), threads.step(), b.step(), scalar.step();
    Simulation again(a.model(), a.state());
    for (int k = 0; k < 60; ++k) a.step(), threads.step(), b.step(), scalar.step(), again.step();
    EXPECT_EQ(state_hash(a.state()), state_hash(threads.state()));
    EXPECT_EQ(state_hash(a.state()), state_hash(scalar.state()));
    EXPECT_EQ(state_hash(a.state()), state_hash(again.state()));
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      const BodyId id = world.bodies[i].id;
      EXPECT_NEAR(norm(a.body(id).velocity - b.body(id).velocity), 0, 1e-6);
    }
  }
}

TEST(ACellThatIsSheared, FlowsWithALinearProfile) {
  constexpr double kShear = 20;
  Simulation simulation = crowd(6, kStrainedSoft, 2e-5, {.xy = kShear}, 0.02).simulation();
  // Slabs of the cell, and of the cell above it.
  const Region two{{}, {kSide, 2 * kSide, kSide}};
  std::array<double, 8> sum{}, count{};
  for (int k = 1; k <= 5000; ++k) {
    simulation.step();
    if (k < 2500 || k % 50 != 0) continue;
    const Domain domain = domain_of(simulation.state().cell);
    EXPECT_LE(std::abs(domain.edges().xy), 0.5 * kSide) << "the lean is brought back";
    const Bodies images = images_in(two, simulation.state().bodies, domain);
    for (std::size_t i = 0; i < images.size(); ++i)
      if (two.contains(images.position[i])) {
        const auto slab = static_cast<std::size_t>(images.position[i].y / (kSide / 4));
        sum[slab] += images.velocity[i].x - kShear * images.position[i].y;
        ++count[slab];
      }
  }
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_LT(std::abs(sum[k] / count[k]), 0.03 * kShear * kSide) << "slab " << k;
}

TEST(ACellWithoutContacts, TakesItsBodiesAlong) {
  World world = empty_cell(kStrainedRigid, 1e-4, {-0.5, 0.25, 1, 0, 0, 0});
  world.sphere({0.02, 0.03, 0.04}, kStrainedRadius);
  world.sphere({0.07, 0.07, 0.07}, kStrainedRadius, {0, 0, 0.1});
  world.bodies[0].velocity = {};
  Simulation simulation = world.simulation();
  for (int k = 0; k < 1000; ++k) simulation.step();
  const Vec3 grown{std::pow(1 - 0.5e-4, 1000), std::pow(1 + 0.25e-4, 1000),
                   std::pow(1 + 1e-4, 1000)};
  const Vec3 period = simulation.state().cell.edges.diagonal(),
             at = body_of(simulation, 0).position;
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(period[axis], kSide * grown[axis], 1e-13);
    EXPECT_NEAR(at[axis], (0.02 + 0.01 * axis) * grown[axis], 1e-13);
  }
  // Against the flow it slows down, as a gas cools that expands.
  EXPECT_NEAR(body_of(simulation, 1).velocity.z, 0.1 * std::pow(1 - 1e-4, 1000), 1e-13);
}

TEST(AServo, HoldsItsPressures) {
  for (const PairLaw& law : {kStrainedSoft, kStrainedRigid}) {
    const bool soft = is_compliant(law);
    World world = crowd(4, law, soft ? 1e-4 : 4e-4, {}, 0.1);
    world.model.solver.tolerance = 1e-4;
    world.model.solver.max_sweeps = 100;
    world.model.strain.pressure = {500, 500, 500};
    world.model.strain.viscosity = 1000;
    world.model.strain.smoothing = soft ? 1e-3 : 8e-3;
    world.model.strain.max_rate = 2;
    Simulation simulation = world.simulation();
    const double at_start = total_energy(simulation.report());
    const int steps = soft ? 8000 : 2000;
    for (int k = 0; k < steps * 3 / 4; ++k) simulation.step();
    Vec3 mean;
    for (int k = 0; k < steps / 4; ++k) {
      simulation.step();
      const CellState& cell = simulation.state().cell;
      for (int axis = 0; axis < 3; ++axis)
        mean[axis] += cell.smooth_stress[static_cast<std::size_t>(axis)][axis] / (steps / 4);
    }
    EXPECT_LT(unaccounted(simulation.report(), at_start), 1e-9);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(mean[axis], 500, 25) << "xyz"[axis] << (soft ? " soft" : " rigid");
  }
}

TEST(AStrainedCell, RefusesWhatItCannotTakeAlong) {
  const auto refused = [](auto&& change) {
    World world = empty_cell(kStrainedRigid, 1e-3, {.xy = 1});
    world.sphere({0.05, 0.05, 0.05}, kStrainedRadius);
    change(world);
    EXPECT_THROW((void)world.simulation(), InputError);
  };
  EXPECT_NO_THROW((void)empty_cell(kStrainedRigid, 1e-3, {.xy = 1}).simulation());
  refused([](World& w) { w.model.gravity = {0, 0, -1}; });
  refused([](World& w) { w.obstacle(Sphere{0.01}, {{0.08, 0.08, 0.08}, {}}); });
  refused([](World& w) { w.model.domain = Domain(Vec3{kSide, kSide, 0}); });
  refused([](World& w) { w.model.strain.rate.xy = 11; });
  refused([](World& w) { w.model.strain.pressure[0] = 100; });
  refused([](World& w) { w.model.step.impacts = ImpactLaw::poisson; });
}

TEST(AStrainedCell, StopsBeforeBodiesMeetThemselves) {
  World world = empty_cell(kStrainedSoft, 1e-3, {.zz = -5});
  world.sphere({0.05, 0.05, 0.05}, kStrainedRadius);
  Simulation simulation = world.simulation();
  int steps = 0;
  while (!simulation.step().motion_fault && steps < 1000) ++steps;
  ASSERT_TRUE(simulation.report().motion_fault);
  EXPECT_TRUE(simulation.report().motion_fault->is_cell);
  EXPECT_GT(simulation.state().cell.edges.zz, 4 * kStrainedRadius);
  EXPECT_LT(simulation.state().cell.edges.zz, 4.1 * kStrainedRadius);
}

}  // namespace
}  // namespace scree

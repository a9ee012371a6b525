// Counts every allocation of the process: a program of its own.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

#include "support/mechanisms.hpp"
#include "support/worlds.hpp"

namespace {
std::atomic<long> allocations{0};
}

#ifndef SCREE_SANITIZED
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);
extern "C" void* malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return ++allocations, __libc_memalign(alignment, size);
}
#endif

namespace scree {
namespace {

using test::World;

/// Impacts in every step, by phases.
World restless() {
  World world = test::random_pile(150, test::coulomb(0.4, 0.5), 1e-3, 1);
  world.model.step.impacts = ImpactLaw::energetic;
  world.model.step.restitution_threshold = 0;
  return world;
}

TEST(Step, AllocatesNothingOnceWarm) {
#ifdef SCREE_SANITIZED
  GTEST_SKIP() << "a sanitizer has its own allocator";
#endif
  PairLaw resisting = test::coulomb(0.4);
  resisting.rolling_friction = resisting.spinning_friction = 2e-4;
  resisting.cohesion = 1e-3;
  PairLaw soft{LawKind::cundall_strack, 0.4};
  soft.force.k_n = 1e4;
  soft.force.k_t = 3e3;
  soft.force.normal_damping = 1;
  const auto pile = [](const PairLaw& law, double h = 1e-3) {
    return test::random_pile(500, law, h, 1);
  };
  struct Case {
    int threads;
    World world;
    int steps_before = 1000;
  };
  for (const Case& one :
       {Case{1, pile(test::coulomb(0.4))}, Case{2, pile(test::coulomb(0.4))},
        Case{2, pile(resisting)}, Case{2, restless()}, Case{2, pile(soft, 2e-5), 20'000}}) {
    Simulation simulation = one.world.simulation(one.threads);
    for (int k = 0; k < one.steps_before; ++k) simulation.step();
    // Making the neighbour list anew or adding to it may allocate; between that, nothing does,
    // though contacts come and go.
    int steady = 0;
    for (int k = 0; k < 300; ++k) {
      const long before = allocations;
      simulation.step();
      if (simulation.report().neighbours_rebuilt || simulation.report().neighbours_extended)
        continue;
      ++steady;
      ASSERT_EQ(allocations - before, 0) << one.threads << " threads, step " << k;
    }
    EXPECT_GT(steady, 200);
  }
}

/// Chains of rods with motors, springs, limits, friction and gears, that drag balls over a floor.
test::Mechanism chains() {
  test::Mechanism m(1e-3);
  m.model.laws = LawTable(1, PairLaw{.kind = LawKind::coulomb, .friction = 0.4});
  m.model.obstacles.push_back({"floor", HalfSpace{}, {{0, 0, -1}, {}}, 0});
  m.state = initial_state(m.model);
  for (int k = 0; k < 3; ++k) {
    BodyId last = kWorld;
    for (int link = 0; link < 4; ++link) {
      const Vec3 at{0.3 * link, 1.0 * k, 0};
      const BodyId next = m.add_rod(at, at + Vec3{0.3, 0, 0}, 0.5);
      m.join(JointKind::revolute, last, next, at, {0, 1, 0}).drives = {
          {.lower = -2,
           .upper = 2,
           .motor = {.kind = Motor::Kind::position,
                     .target = [](double t) { return 0.3 * std::sin(5 * t); },
                     .max = 2},
           .stiffness = 0.5,
           .damping = 0.01,
           .friction = 0.02,
           .friction_of_force = 1e-3}};
      last = next;
    }
    m.join(JointKind::fixed, last, m.add_sphere({1.3, 1.0 * k, 0}), {1.2, 1.0 * k, 0});
  }
  m.gear(JointKind::gear, 0, 6, 1);
  return m;
}

TEST(AStepWithJoints, AllocatesNothingOnceWarm) {
#ifdef SCREE_SANITIZED
  GTEST_SKIP() << "a sanitizer has its own allocator";
#endif
  Simulation simulation = chains().start(2);
  for (int k = 0; k < 1000; ++k) simulation.step();
  int steady = 0;
  for (int k = 0; k < 300; ++k) {
    const long before = allocations;
    const Report& report = simulation.step();
    if (report.neighbours_rebuilt || report.neighbours_extended) continue;
    // A step that is not solved lists the joints that missed.
    ASSERT_TRUE(report.converged) << "step " << k;
    ++steady;
    ASSERT_EQ(allocations - before, 0) << "step " << k;
  }
  EXPECT_GT(steady, 100);
}

TEST(AllocationCounter, Counts) {
#ifdef SCREE_SANITIZED
  GTEST_SKIP() << "a sanitizer has its own allocator";
#endif
  const long before = allocations;
  int* volatile kept = new int(3);
  delete kept;
  AlignedVector<double> aligned(100);
  EXPECT_GE(allocations - before, 2);
}

}  // namespace
}  // namespace scree

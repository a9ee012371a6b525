// Counts every allocation of the process: a program of its own.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

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
  for (const auto& [threads, law] :
       {std::pair{1, test::coulomb(0.4)}, {2, test::coulomb(0.4)}, {2, resisting}, {2, soft}}) {
    const bool compliant = is_compliant(law);
    Simulation simulation =
        test::random_pile(500, law, compliant ? 2e-5 : 1e-3, 1).simulation(threads);
    for (int k = 0; k < (compliant ? 20'000 : 1000); ++k) simulation.step();
    // Making the neighbour list anew or adding to it may allocate; between that, nothing does,
    // though contacts come and go.
    int steady = 0;
    for (int k = 0; k < 300; ++k) {
      const long before = allocations;
      simulation.step();
      if (simulation.report().neighbours_rebuilt || simulation.report().neighbours_extended)
        continue;
      ++steady;
      ASSERT_EQ(allocations - before, 0) << threads << " threads, step " << k;
    }
    EXPECT_GT(steady, 200);
  }
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

// A million random sets of bodies that touch and hit, of every law, e in [0, 1] and μ in [0, 2]:
// the energetic law of impacts makes no energy, nor does Poisson's where e is the same for all.
#include "support/random_sets.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using namespace test;

class AMillionSets : public testing::TestWithParam<int> {};

TEST_P(AMillionSets, MakeNoEnergy) {
  const auto seed = 1000 + static_cast<std::uint64_t>(GetParam());
  EXPECT_EQ(sets_that_make_energy(ImpactLaw::energetic, false, 75'000, seed), 0);
  EXPECT_EQ(sets_that_make_energy(ImpactLaw::energetic, true, 25'000, seed), 0);
  EXPECT_EQ(sets_that_make_energy(ImpactLaw::poisson, true, 25'000, seed), 0);
}

INSTANTIATE_TEST_SUITE_P(, AMillionSets, testing::Range(0, 10));

}  // namespace
}  // namespace scree

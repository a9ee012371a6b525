// A million random oblique and grazing impacts: compliant contacts make no energy but what the step
// does, which falls with its square. At a fiftieth of the time of contact the worst of thousands
// make 1e-4 of their energy: impacts that stick, whose shear spring is stretched by the whole way
// of the step in which they begin.
#include <gtest/gtest.h>

#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

class AMillionImpacts : public testing::TestWithParam<ImpactKind> {};

TEST_P(AMillionImpacts, MakeNoEnergyButTheStepsOwnOfSecondOrder) {
  for (const double restitution : {1.0, 0.8}) {
    const PairLaw law = linear_law(1e5, 3e4, 0.4, restitution);
    const double coarse = most_gained(law, GetParam(), 50, 100'000, 11);
    const double fine = most_gained(law, GetParam(), 200, 25'000, 11);
    RecordProperty("most_gained_" + std::to_string(restitution), std::to_string(coarse));
    EXPECT_LT(coarse, 2e-4) << "e = " << restitution;
    EXPECT_LT(fine, 2e-4 / 16) << "e = " << restitution;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , AMillionImpacts,
    testing::Values(ImpactKind::wall, ImpactKind::spheres, ImpactKind::edge, ImpactKind::corner),
    [](const auto& info) {
      constexpr const char* kNames[] = {"OnAWall", "OfSpheres", "OnAnEdge", "OnACorner"};
      return kNames[static_cast<int>(info.param)];
    });

}  // namespace
}  // namespace scree

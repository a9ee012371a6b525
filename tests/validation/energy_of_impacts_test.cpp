// A million random oblique and grazing impacts under compliant laws: none makes energy, but for
// rounding, neither at 50 steps a contact nor at 200.
#include <gtest/gtest.h>

#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

/// Of a gain, between energies of some 10 000 steps [-]
constexpr double kRounding = 1e-12;

class AMillionImpacts : public testing::TestWithParam<ImpactKind> {};

TEST_P(AMillionImpacts, MakeNoEnergy) {
  for (const double restitution : {1.0, 0.8}) {
    const PairLaw law = linear_law(1e5, 3e4, 0.4, restitution);
    const double coarse = most_gained(law, GetParam(), 50, 100'000, 11);
    const double fine = most_gained(law, GetParam(), 200, 25'000, 11);
    RecordProperty("most_gained_" + std::to_string(restitution), std::to_string(coarse));
    EXPECT_LT(coarse, kRounding) << "e = " << restitution;
    EXPECT_LT(fine, kRounding) << "e = " << restitution;
  }
}

std::string name_of(const testing::TestParamInfo<ImpactKind>& of) {
  const std::string names[] = {"OnAWall",   "OfSpheres",  "OnAnEdge",
                               "OnACorner", "OnACapsule", "OnACylinder"};
  return names[static_cast<std::size_t>(of.param)];
}

INSTANTIATE_TEST_SUITE_P(, AMillionImpacts,
                         testing::Values(ImpactKind::wall, ImpactKind::spheres, ImpactKind::edge,
                                         ImpactKind::corner, ImpactKind::capsule,
                                         ImpactKind::cylinder),
                         name_of);

}  // namespace
}  // namespace scree

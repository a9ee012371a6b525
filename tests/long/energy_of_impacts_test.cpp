// A million random oblique and grazing impacts under compliant laws, each anywhere within a step:
// none makes energy, but for what a step of a 50th or a 200th of a contact's time leaves.
#include <gtest/gtest.h>

#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

/// Of a gain, between energies of some 10 000 steps [-]
constexpr double kRounding = 1e-12;

class AMillionImpacts : public testing::TestWithParam<ImpactKind> {};

TEST_P(AMillionImpacts, MakeNoEnergy) {
  for (const auto& [friction, restitution] : {std::pair{0.4, 1.0}, {0.4, 0.8}, {0.0, 1.0}}) {
    const PairLaw law = linear_law(1e5, 3e4, friction, restitution);
    const double coarse = max_gained(law, GetParam(), 50, 100'000, 11);
    const double fine = max_gained(law, GetParam(), 200, 25'000, 11);
    RecordProperty("max_gained_" + std::to_string(friction) + "_" + std::to_string(restitution),
                   std::to_string(coarse));
    // Elastic ones are kept to (h/t_c)⁴; where a dashpot takes energy, nothing is made.
    EXPECT_LT(coarse, restitution < 1 ? kRounding : 2e-5)
        << "e = " << restitution << ", mu = " << friction;
    EXPECT_LT(fine, restitution < 1 ? kRounding : 2e-7)
        << "e = " << restitution << ", mu = " << friction;
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

#include "unit/laws/energy_search.hpp"

namespace scree {
namespace {

TEST(Restitution, MakesNoEnergyInTenMillionRandomImpacts) {
  test::search_for_energy(41, 10'000'000);
}

}  // namespace
}  // namespace scree

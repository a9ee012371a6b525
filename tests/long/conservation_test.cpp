#include <gtest/gtest.h>

#include "support/falling_piles.hpp"

namespace scree {
namespace {

TEST(Contacts, NeverCreateEnergyInLargerRandomPiles) {
  test::expect_that_piles_create_no_energy(400, {1, 2, 3});
}

}  // namespace
}  // namespace scree

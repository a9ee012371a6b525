#include <gtest/gtest.h>

#include "scree/analysis/contact_statistics.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

TEST(ContactStatistics, CountEachLoadedContactForBothItsFreeBodies) {
  // 1 - 2 - 3 in a row, 1 on the floor; 3 also comes near 4 without touching; 5 is alone.
  const std::vector contacts{contact_between({1}, {2}, 1, ContactClass::sticking),
                             contact_between({2}, {3}, 3, ContactClass::sliding),
                             contact_between({3}, {4}, 0, ContactClass::separating),
                             contact_between({1}, obstacle_id(0), 2, ContactClass::sticking)};
  const ContactStatistics s = contact_statistics(contacts, 5);
  EXPECT_EQ(s.loaded, 3U);
  EXPECT_EQ(s.sliding, 1U);
  EXPECT_EQ(s.bodies_loaded, 3U);
  EXPECT_EQ(s.bodies_by_contacts, (std::vector<std::size_t>{2, 1, 2}));
  EXPECT_DOUBLE_EQ(s.coordination_number, 5.0 / 5);
  EXPECT_DOUBLE_EQ(s.coordination_number_loaded, 5.0 / 3);
  EXPECT_DOUBLE_EQ(s.mean_normal_impulse, 2);
}

TEST(ContactStatistics, AreZeroWithoutContacts) {
  const ContactStatistics s = contact_statistics({}, 2);
  EXPECT_EQ(s.coordination_number, 0);
  EXPECT_EQ(s.coordination_number_loaded, 0);
  EXPECT_EQ(s.bodies_by_contacts, std::vector<std::size_t>{2});
  EXPECT_EQ(contact_statistics({}, 0).coordination_number, 0);
}

}  // namespace
}  // namespace scree

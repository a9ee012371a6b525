#include <gtest/gtest.h>
#include <vector>

#include "scree/analysis/contact_statistics.hpp"
#include "unit/analysis/lattices.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

/// Ids of the bodies inside, with nothing but bodies around them, of simple_cubic(n, …).
std::vector<BodyId> inside_cube(int n) {
  std::vector<BodyId> ids;
  for (int i = 1; i + 1 < n; ++i) {
    for (int j = 1; j + 1 < n; ++j) {
      for (int k = 1; k + 1 < n; ++k) ids.push_back({std::uint64_t(i * n * n + j * n + k)});
    }
  }
  return ids;
}

TEST(ContactStatistics, CountSixContactsInsideASimpleCubicLattice) {
  const int n = 6;
  const auto contacts = contacts_of_cube(n, Walls::none);
  const ContactStatistics s = contact_statistics(contacts, inside_cube(n));
  EXPECT_EQ(s.bodies, 64U);
  EXPECT_EQ(s.bodies_loaded, 64U);
  EXPECT_EQ(s.coordination_number, 6);
  EXPECT_EQ(s.bodies_by_contacts, (std::vector<std::size_t>{0, 0, 0, 0, 0, 0, 64}));
  EXPECT_EQ(s.loaded, 3U * 3 * 16 + 6U * 16);  // among the 4³, and with their neighbours outside
}

TEST(ContactStatistics, FindNoRattlerInALatticeBetweenWalls) {
  const ContactStatistics s = contact_statistics(contacts_of_cube(5, Walls::all), 125);
  EXPECT_EQ(s.rattlers, 0U);
  EXPECT_EQ(s.coordination_number, 6);
  EXPECT_EQ(s.coordination_number_backbone, 6);
}

TEST(ContactStatistics, TakeRattlersAwayUntilNoneIsLeft) {
  // Corners of a free cube have three contacts. Without them their neighbours along the edges have
  // three, and so on.
  const ContactStatistics s = contact_statistics(contacts_of_cube(5, Walls::none), 125);
  EXPECT_EQ(s.bodies_by_contacts[3], 8U);
  EXPECT_EQ(s.rattlers, 125U);
  EXPECT_EQ(s.coordination_number, 4.8);
  EXPECT_EQ(s.coordination_number_backbone, 0);
}

TEST(ContactStatistics, KeepABackboneOfAsManyContactsAsAreAskedFor) {
  // In a free cube every body has three contacts; in a chain with a loop at its end only the loop
  // has two.
  const ContactStatistics cube = contact_statistics(contacts_of_cube(5, Walls::none), 125, 3);
  EXPECT_EQ(cube.rattlers, 0U);
  EXPECT_EQ(cube.coordination_number_backbone, 4.8);
  std::vector<ContactRecord> chain;
  for (std::uint64_t id = 0; id < 9; ++id)
    chain.push_back(contact_between({id}, {id + 1}, 1, ContactClass::sticking));
  chain.push_back(contact_between({6}, {9}, 1, ContactClass::sticking));
  const ContactStatistics loop = contact_statistics(chain, 10, 2);
  EXPECT_EQ(loop.rattlers, 6U);
  EXPECT_EQ(loop.coordination_number_backbone, 2);
}

TEST(ContactStatistics, LeaveContactsWithRattlersOutOfTheBackbone) {
  // A lattice between walls; one body leans on a body of it, another touches nothing.
  auto contacts = contacts_of_cube(3, Walls::all);
  contacts.push_back(contact_between({13}, {27}, 1, ContactClass::sticking));
  const ContactStatistics s = contact_statistics(contacts, 29);
  EXPECT_EQ(s.rattlers, 2U);
  EXPECT_EQ(s.coordination_number, (6.0 * 27 + 2) / 29);
  EXPECT_EQ(s.coordination_number_loaded, (6.0 * 27 + 2) / 28);
  EXPECT_EQ(s.coordination_number_backbone, 6);
}

}  // namespace
}  // namespace scree

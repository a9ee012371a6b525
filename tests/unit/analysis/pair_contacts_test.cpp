#include "scree/analysis/pair_contacts.hpp"

#include <gtest/gtest.h>

#include "scree/analysis/contact_statistics.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

ContactRecord point_of(BodyId a, BodyId b, const Vec3& point, const Vec3& impulse,
                       ContactClass kind) {
  return {a, b, point, {0, 0, 1}, impulse, -1e-6, 1e-9, kind};
}

/// A box on a floor of which two points of four carry, and on the box another, which slides.
std::vector<ContactRecord> contacts_of_stack() {
  using enum ContactClass;
  return {point_of({0}, {1}, {0, 0, 2}, {1, 0, 2}, sliding),
          point_of({0}, {1}, {1, 0, 2}, {1, 0, 2}, sliding),
          point_of({0}, obstacle_id(0), {0, 0, 0}, {0, 0, 3}, sliding),
          point_of({0}, obstacle_id(0), {1, 0, 0}, {0, 0, 1}, sticking),
          point_of({0}, obstacle_id(0), {1, 1, 0}, {0, 0, 0}, separating)};
}

TEST(PairContacts, SumUpThePointsOfEachPair) {
  const auto pairs = one_per_pair(contacts_of_stack());
  EXPECT_FALSE(is_one_per_pair(contacts_of_stack()));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].impulse, (Vec3{2, 0, 4}));
  EXPECT_EQ(pairs[0].point, (Vec3{0.5, 0, 2}));
  EXPECT_EQ(pairs[0].kind, ContactClass::sliding);
  EXPECT_EQ(pairs[1].impulse, (Vec3{0, 0, 4}));
  EXPECT_EQ(pairs[1].point, (Vec3{0.25, 0, 0}));
  EXPECT_EQ(pairs[1].kind, ContactClass::sticking);
}

TEST(PairContacts, OfSpheresAreTheContactsThemselves) {
  const auto contacts = contacts_of_cube(3, Walls::all);
  const auto pairs = one_per_pair(contacts);
  EXPECT_TRUE(is_one_per_pair(contacts));
  ASSERT_EQ(pairs.size(), contacts.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].a, contacts[i].a);
    EXPECT_EQ(pairs[i].b, contacts[i].b);
    EXPECT_EQ(pairs[i].impulse, contacts[i].impulse);
    EXPECT_EQ(pairs[i].point, contacts[i].point);
  }
}

TEST(PairContacts, GiveTheNumberOfNeighboursOfABox) {
  const std::vector<BodyId> bodies{{0}, {1}};
  const ContactStatistics statistics =
      contact_statistics(one_per_pair(contacts_of_stack()), bodies);
  EXPECT_EQ(statistics.loaded, 2U);
  EXPECT_EQ(statistics.coordination_number, 1.5);
}

}  // namespace
}  // namespace scree

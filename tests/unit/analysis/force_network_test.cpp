#include "scree/analysis/force_network.hpp"

#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

const Region kEverywhere{{-9, -9, -9}, {99, 99, 99}};

TEST(ForceNetwork, OfTwoSpheresIsALineFromCentreToCentre) {
  const Bodies bodies = spheres_at({{0, 0, 1}, {0, 0, 3}}, 1);
  const std::vector contacts{
      ContactRecord{{0}, {1}, {0, 0, 2}, {0, 0, 1}, {0.3, 0.4, 2}, 0, 0, ContactClass::sliding}};
  const ForceNetwork network = force_network(bodies, contacts, 0.1, kEverywhere);
  ASSERT_EQ(network.lines.size(), 1U);
  const ForceLine& line = network.lines[0];
  EXPECT_EQ(line.from, (Vec3{0, 0, 1}));
  EXPECT_EQ(line.to, (Vec3{0, 0, 3}));
  EXPECT_DOUBLE_EQ(line.normal_force, 20);
  EXPECT_DOUBLE_EQ(line.tangential_force, 5);
  // Alone, it is the mean.
  EXPECT_FALSE(line.strong);
  EXPECT_EQ(network.pressure_share, 0);
  EXPECT_DOUBLE_EQ(network.mean_normal_force, 20);
}

TEST(ForceNetwork, OfAColumnIsStrongInItsLowerHalf) {
  // Eight spheres on a floor: the k-th contact from above carries k weights.
  const int n = 8;
  std::vector<Vec3> points(n);
  for (int k = 0; k < n; ++k) points[static_cast<std::size_t>(k)] = {0, 0, k + 0.5};
  const Bodies bodies = spheres_at(points, 0.5);
  std::vector<ContactRecord> contacts{{{0},
                                       obstacle_id(0),
                                       {0, 0, 0},
                                       {0, 0, -1},
                                       {0, 0, -double(n)},
                                       0,
                                       0,
                                       ContactClass::sticking}};
  for (int k = 1; k < n; ++k)
    contacts.push_back({{std::uint64_t(k - 1)},
                        {std::uint64_t(k)},
                        {0, 0, double(k)},
                        {0, 0, 1},
                        {0, 0, double(n - k)},
                        0,
                        0,
                        ContactClass::sticking});
  const ForceNetwork network = force_network(bodies, contacts, 1, kEverywhere);
  ASSERT_EQ(network.lines.size(), 8U);
  EXPECT_EQ(network.mean_normal_force, 4.5);
  EXPECT_EQ(network.max_normal_force, 8);
  EXPECT_EQ(network.strong, 4U);
  for (int k = 0; k < n; ++k)
    EXPECT_EQ(network.lines[static_cast<std::size_t>(k)].strong, k < 4) << k;
  // Branch times force: half a diameter at the floor, one elsewhere.
  EXPECT_DOUBLE_EQ(network.pressure_share, (4 + 7 + 6 + 5) / (4 + 7 + 6 + 5 + 4 + 3 + 2 + 1.0));
  EXPECT_EQ(network.lines[0].to, (Vec3{0, 0, 0}));  // ends at the floor
}

TEST(ForceNetwork, HasWhatIsLoadedInTheRegionOnly) {
  const Bodies bodies = spheres_at({{0, 0, 1}, {0, 0, 3}, {0, 0, 5}}, 1);
  const std::vector contacts{
      ContactRecord{{0}, {1}, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}, 0, 0, ContactClass::sticking},
      ContactRecord{{1}, {2}, {0, 0, 4}, {0, 0, 1}, {0, 0, 3}, 0, 0, ContactClass::sticking},
      ContactRecord{{0}, {2}, {0, 0, 3}, {0, 0, 1}, {0, 0, 0}, 0, 0, ContactClass::separating},
      ContactRecord{{7}, {9}, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}, 0, 0, ContactClass::sticking}};
  EXPECT_EQ(force_network(bodies, contacts, 1, kEverywhere).lines.size(), 2U);
  const ForceNetwork lower = force_network(bodies, contacts, 1, {{-1, -1, 0}, {1, 1, 3}});
  ASSERT_EQ(lower.lines.size(), 1U);
  EXPECT_EQ(lower.mean_normal_force, 1);
  EXPECT_TRUE(force_network(bodies, {}, 1, kEverywhere).lines.empty());
  EXPECT_THROW((void)force_network(bodies, contacts, 0, kEverywhere), InputError);
}

}  // namespace
}  // namespace scree

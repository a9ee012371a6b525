#include "scree/collision/subset_pair_search.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <set>

#include "scree/collision/local_solid_fraction.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

using PairSet = std::set<std::pair<BodyIndex, BodyIndex>>;

struct CloudAndFew {
  std::vector<Vec3> position;
  std::vector<double> reach;
  std::vector<BodyIndex> few;
};

/// Sizes spread over octaves, every `every`-th body one of the few.
CloudAndFew random_cloud_and_few(std::size_t count, double smallest, double largest,
                                 std::size_t every, std::uint64_t seed) {
  RandomStream random{seed, 0};
  CloudAndFew cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.position.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0, 1)});
    cloud.reach.push_back(smallest * std::pow(largest / smallest, random.uniform()));
    if (i % every == 0) cloud.few.push_back(static_cast<BodyIndex>(i));
  }
  return cloud;
}

PairSet found_pairs_of_few(const CloudAndFew& cloud, int threads) {
  ThreadPool pool(threads);
  PairSet set;
  const auto reach = [&](BodyIndex i) { return cloud.reach[i]; };
  for (const auto& [owner, other] : SubsetPairSearch()(cloud.few, cloud.position, reach, pool)) {
    EXPECT_TRUE(std::ranges::binary_search(cloud.few, owner));
    EXPECT_TRUE(set.insert(std::minmax(owner, other)).second)
        << "pair " << owner << ", " << other << " twice";
  }
  return set;
}

PairSet brute_force_of_few(const CloudAndFew& cloud) {
  PairSet set;
  for (const BodyIndex i : cloud.few)
    for (BodyIndex j = 0; j < cloud.position.size(); ++j)
      if (i != j && cloud.reach[i] >= 0 && cloud.reach[j] >= 0 &&
          squared_norm(cloud.position[j] - cloud.position[i]) <
              std::pow(cloud.reach[i] + cloud.reach[j], 2))
        set.insert(std::minmax(i, j));
  return set;
}

TEST(SubsetPairSearch, FindsWhatBruteForceFindsAmongEqualSpheres) {
  const CloudAndFew cloud = random_cloud_and_few(5000, 0.05, 0.05, 20, 1);
  const PairSet pairs = brute_force_of_few(cloud);
  EXPECT_GT(pairs.size(), 500u);
  EXPECT_EQ(found_pairs_of_few(cloud, 1), pairs);
  EXPECT_EQ(found_pairs_of_few(cloud, 3), pairs);
}

TEST(SubsetPairSearch, FindsWhatBruteForceFindsAmongSizesOfTwoOctavesAndOfTen) {
  for (const double largest : {0.08, 2.0}) {
    const CloudAndFew cloud = random_cloud_and_few(3000, 0.002, largest, 15, 2);
    const PairSet pairs = brute_force_of_few(cloud);
    EXPECT_GT(pairs.size(), 50u);
    EXPECT_EQ(found_pairs_of_few(cloud, 2), pairs);
  }
}

TEST(SubsetPairSearch, FindsEveryPairWhereAllAreTheFew) {
  const CloudAndFew cloud = random_cloud_and_few(1000, 0.02, 0.1, 1, 3);
  EXPECT_EQ(found_pairs_of_few(cloud, 1), brute_force_of_few(cloud));
}

TEST(SubsetPairSearch, LeavesOutWhatHasNoReachOrIsNoNumber) {
  CloudAndFew cloud = random_cloud_and_few(200, 0.2, 0.3, 10, 4);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  cloud.reach[0] = cloud.reach[5] = -1;
  cloud.reach[10] = cloud.reach[15] = nan;
  cloud.position[20].x = cloud.position[25].y = nan;
  EXPECT_EQ(found_pairs_of_few(cloud, 1), brute_force_of_few(cloud));
}

TEST(SubsetPairSearch, FindsPairsFarAwayAndOfEnormousReach) {
  CloudAndFew cloud;
  for (const double x : {0.0, 1e12, 1e12 + 1, 1e200, 1e200})
    for (const double y : {0.0, 0.5}) cloud.position.push_back({x, y, 0});
  cloud.reach.assign(cloud.position.size(), 0.6);
  cloud.reach[3] = std::numeric_limits<double>::max();
  for (BodyIndex i = 0; i < cloud.position.size(); i += 2) cloud.few.push_back(i);
  EXPECT_EQ(found_pairs_of_few(cloud, 1), brute_force_of_few(cloud));
}

TEST(LocalSolidFraction, IsTheSolidFractionOfALattice) {
  std::vector<Vec3> position;
  for (int x = 0; x < 32; ++x)
    for (int y = 0; y < 32; ++y)
      for (int z = 0; z < 32; ++z) position.push_back({x + 0.5, y + 0.5, z + 0.5});
  const std::vector<double> radius(position.size(), 0.5);
  const LocalSolidFraction local_fraction(position, radius);
  EXPECT_NEAR(local_fraction.about({16, 16, 16}), std::numbers::pi / 6, 1e-9);
  EXPECT_NEAR(local_fraction.about({1, 30, 16}), std::numbers::pi / 6, 1e-9);
}

}  // namespace
}  // namespace scree

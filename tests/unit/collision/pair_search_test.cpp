#include "scree/collision/pair_search.hpp"

#include <gtest/gtest.h>
#include <set>

#include "scree/math/random.hpp"

namespace scree {
namespace {

using PairSet = std::set<std::pair<BodyIndex, BodyIndex>>;

struct Cloud {
  std::vector<Vec3> position;
  std::vector<double> reach;
};

Cloud random_cloud(std::size_t count, double smallest, double largest, double width,
                   std::uint64_t seed) {
  RandomStream random{seed, 0};
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.position.push_back(
        {random.uniform(-width, width), random.uniform(-width, width), random.uniform(0, width)});
    // Sizes spread evenly over octaves.
    cloud.reach.push_back(smallest * std::pow(largest / smallest, random.uniform()));
  }
  return cloud;
}

/// Pairs by the indices that the cloud came with.
PairSet found_pairs(const Cloud& cloud, int threads, const Domain& domain = {}) {
  PairSearch search(domain);
  std::vector<BodyIndex> was;
  Cloud sorted;
  for (const SortItem& item : search.order(cloud.position, cloud.reach)) {
    was.push_back(item.value);
    sorted.position.push_back(cloud.position[item.value]);
    sorted.reach.push_back(cloud.reach[item.value]);
  }
  AlignedVector<PairSearch::Pair> pairs;
  AlignedVector<std::uint32_t> first;
  ThreadPool pool(threads);
  search.find(
      sorted.position, sorted.reach, [](BodyIndex, std::vector<BodyPair>&) {}, pairs, first, pool);
  PairSet set;
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    for (std::uint32_t p = first[i]; p < first[i + 1]; ++p) {
      EXPECT_EQ(pairs[p].owner, i);
      const auto [a, b] = std::minmax(was[pairs[p].owner], was[pairs[p].other]);
      EXPECT_TRUE(set.insert({a, b}).second) << "pair " << a << ", " << b << " twice";
    }
  return set;
}

PairSet brute_force(const Cloud& cloud, const Domain& domain = {}) {
  PairSet set;
  for (BodyIndex i = 0; i < cloud.position.size(); ++i)
    for (BodyIndex j = i + 1; j < cloud.position.size(); ++j)
      if (squared_norm(domain.separation(cloud.position[i], cloud.position[j])) <
          std::pow(cloud.reach[i] + cloud.reach[j], 2))
        set.insert({i, j});
  return set;
}

TEST(PairSearch, FindsWhatBruteForceFindsAmongEqualSpheres) {
  const Cloud cloud = random_cloud(3000, 0.05, 0.05, 1, 1);
  EXPECT_EQ(found_pairs(cloud, 1), brute_force(cloud));
}

TEST(PairSearch, FindsWhatBruteForceFindsAtASizeRatioOfHundred) {
  const Cloud cloud = random_cloud(3000, 0.003, 0.3, 1, 2);
  EXPECT_EQ(found_pairs(cloud, 2), brute_force(cloud));
}

TEST(PairSearch, CopesWithBodiesFarAway) {
  Cloud cloud = random_cloud(500, 0.05, 0.2, 1, 3);
  cloud.position[7] = {1e9, -1e9, 1e9}, cloud.position[8] = {1e9, -1e9, 1e9 + 0.01},
  cloud.position[9] = {-1e12, 0, 0};
  EXPECT_EQ(found_pairs(cloud, 1), brute_force(cloud));
}

TEST(PairSearch, FindsEachPairOnceAcrossTheBordersOfACellThatRepeats) {
  // Bodies up to whole periods away from home, sizes apart, and a cell hardly wider than two
  // bodies.
  for (const Vec3& period : {Vec3{1.3, 0, 0}, {1.3, 0.9, 0}, {1.3, 0.9, 0.7}, {0, 0, 0.25}}) {
    const Domain domain(period);
    for (const double largest : {0.01, 0.06}) {
      const Cloud cloud = random_cloud(1000, 0.01, largest, 3, 4);
      const PairSet expected = brute_force(cloud, domain);
      EXPECT_GT(expected.size(), brute_force(cloud).size());
      EXPECT_EQ(found_pairs(cloud, 2, domain), expected);
    }
  }
}

TEST(PairSearch, FindsEachPairOnceInACellThatLeans) {
  for (const UpperTriangle& edges : {UpperTriangle{1.3, 0.9, 0.7, 0.65, 0, 0},
                                     {1.3, 0.9, 0.7, -0.4, 0.6, -0.45},
                                     {0.3, 0.3, 0.3, 0.15, -0.15, 0.15}}) {
    const Domain domain(edges, {});
    const Cloud cloud = random_cloud(600, 0.01, 0.06, 3, 5);
    EXPECT_EQ(found_pairs(cloud, 2, domain), brute_force(cloud, domain));
  }
}

TEST(PairSearch, FindsBodiesThatStandOnTheBorder) {
  const Cloud cloud{{{0, 0, 0}, {1, 0, 0}, {-1, 0.1, 0}, {0.95, 0, 0}, {2, -0.1, 0}, {0.5, 0, 0}},
                    std::vector<double>(6, 0.09)};
  const Domain domain(Vec3{1, 0, 0});
  EXPECT_EQ(found_pairs(cloud, 1, domain), brute_force(cloud, domain));
}

TEST(PairSearch, FindsNothingInAnEmptyWorld) { EXPECT_TRUE(found_pairs({}, 1).empty()); }

}  // namespace
}  // namespace scree

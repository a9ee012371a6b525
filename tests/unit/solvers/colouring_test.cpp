#include "scree/solvers/colouring.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "scree/math/random.hpp"

namespace scree {
namespace {

std::vector<Colouring::Edge> random_edges(BodyIndex bodies, std::size_t count, std::uint64_t seed) {
  RandomStream random{seed, 0};
  std::set<std::pair<BodyIndex, BodyIndex>> distinct;
  while (distinct.size() < count) {
    const auto a = static_cast<BodyIndex>(random.uniform(0, bodies)),
               b = static_cast<BodyIndex>(random.uniform(0, bodies));
    if (a < b) distinct.insert({a, b});
  }
  std::vector<Colouring::Edge> edges;
  for (const auto& [a, b] : distinct) edges.push_back({a, b, a, b});
  return edges;
}

void expect_valid(const std::vector<Colouring::Edge>& edges, std::size_t free_bodies,
                  const std::vector<std::uint32_t>& colour) {
  std::set<std::pair<BodyIndex, std::uint32_t>> taken;
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const BodyIndex body : {edges[e].a, edges[e].b})
      if (body < free_bodies)
        EXPECT_TRUE(taken.insert({body, colour[e]}).second) << "body " << body;
}

TEST(Colouring, GivesNoFreeBodyAColourTwice) {
  const auto edges = random_edges(1000, 4000, 1);
  std::vector<std::uint32_t> colour(edges.size());
  Colouring()([&](std::size_t e) { return edges[e]; }, 1000, colour);
  expect_valid(edges, 1000, colour);
}

TEST(Colouring, DependsOnKeysAloneNotOnTheOrderOfStorageNorOnIndices) {
  auto edges = random_edges(500, 2000, 2);
  std::vector<std::uint32_t> colour(edges.size());
  Colouring()([&](std::size_t e) { return edges[e]; }, 500, colour);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> by_key;
  for (std::size_t e = 0; e < edges.size(); ++e) by_key[{edges[e].a_id, edges[e].b_id}] = colour[e];

  // The same contacts with bodies stored backwards, contacts shuffled and turned round.
  std::ranges::sort(edges, {}, [](const auto& e) { return mix_bits(e.a_id * 7919 + e.b_id); });
  for (auto& e : edges) e = {499 - e.b, 499 - e.a, e.b_id, e.a_id};
  Colouring()([&](std::size_t e) { return edges[e]; }, 500, colour);
  for (std::size_t e = 0; e < edges.size(); ++e)
    EXPECT_EQ(colour[e], (by_key.at({edges[e].b_id, edges[e].a_id})));
}

TEST(Colouring, OfAddedContactsLeavesThoseThatWereThere) {
  const auto edges = random_edges(500, 3000, 4);
  const auto edge = [&](std::size_t e) { return edges[e]; };
  constexpr std::size_t kThere = 2000;
  std::vector<std::uint32_t> colour(edges.size());
  const std::uint32_t before = Colouring()(edge, 500, std::span(colour).first(kThere));
  const std::vector<std::uint32_t> there(colour.begin(), colour.begin() + kThere);
  const std::uint32_t after = Colouring()(edge, 500, colour, kThere);
  expect_valid(edges, 500, colour);
  EXPECT_TRUE(std::ranges::equal(there, std::span(colour).first(kThere)));
  EXPECT_GE(after, before);
  EXPECT_EQ(after, *std::ranges::max_element(colour) + 1);
}

TEST(Colouring, OfContactsAddedToABodyWithVeryManyGivesNoColourTwice) {
  std::vector<Colouring::Edge> edges;
  for (BodyIndex k = 1; k < 200; ++k) edges.push_back({0, k, 0, k});
  const auto edge = [&](std::size_t e) { return edges[e]; };
  std::vector<std::uint32_t> colour(edges.size());
  Colouring()(edge, 200, std::span(colour).first(150));
  Colouring()(edge, 200, colour, 150);
  expect_valid(edges, 200, colour);
}

TEST(Colouring, TakesContactsInTheOrderOfTheirHashesHoweverManyBucketsThatTakes) {
  const auto edges = random_edges(60'000, 200'000, 3);
  std::vector<std::uint32_t> colour(edges.size());
  const std::uint32_t colours =
      Colouring()([&](std::size_t e) { return edges[e]; }, 60'000, colour);

  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t e) { return contact_hash(edges[e].a_id, edges[e].b_id); });
  std::vector<std::uint64_t> used(60'000);
  std::uint32_t max_value = 0;
  for (const std::size_t e : order) {
    const auto lowest =
        static_cast<std::uint32_t>(std::countr_one(used[edges[e].a] | used[edges[e].b]));
    ASSERT_EQ(colour[e], lowest) << "edge " << e;
    for (const BodyIndex body : {edges[e].a, edges[e].b}) used[body] |= std::uint64_t{1} << lowest;
    max_value = std::max(max_value, lowest + 1);
  }
  EXPECT_EQ(colours, max_value);
}

TEST(Colouring, LetsObstaclesBeTouchedByAllAtOnce) {
  std::vector<Colouring::Edge> edges;
  for (BodyIndex i = 0; i < 100; ++i) edges.push_back({i, 1u << 31, i, obstacle_id(0).value});
  std::vector<std::uint32_t> colour(edges.size());
  EXPECT_EQ(Colouring()([&](std::size_t e) { return edges[e]; }, 100, colour), 1u);
}

TEST(Colouring, HandlesABodyWithThousandsOfContacts) {
  std::vector<Colouring::Edge> edges;
  for (BodyIndex i = 1; i < 5000; ++i) edges.push_back({0, i, 0, i});
  std::vector<std::uint32_t> colour(edges.size());
  EXPECT_EQ(Colouring()([&](std::size_t e) { return edges[e]; }, 5000, colour), edges.size());
  expect_valid(edges, 5000, colour);
}

}  // namespace
}  // namespace scree

#include "scree/solvers/wavefront.hpp"

#include <gtest/gtest.h>
#include <map>

#include "scree/math/random.hpp"
#include "scree/solvers/colouring.hpp"

namespace scree {
namespace {

/// Bodies in a long box, each paired with those near it and with an obstacle now and then.
struct LongBed {
  std::vector<Vec3> position;
  std::vector<BodyPair> pairs;
  std::vector<std::uint32_t> colour;
  std::uint32_t colours = 0;

  explicit LongBed(BodyIndex bodies) : colour() {
    RandomStream random{1, 0};
    for (BodyIndex i = 0; i < bodies; ++i)
      position.push_back(
          {1e-3 * i + random.uniform(0, 1e-3), random.uniform(0, 1), random.uniform(0, 1)});
    for (BodyIndex i = 0; i < bodies; ++i) {
      for (const BodyIndex step : {1u, 2u, 5u, 9u})
        if (i + step < bodies) pairs.push_back({i, i + step});
      if (i % 10 == 0) pairs.push_back({i, 1u << 31});
    }
    std::vector<Colouring::Edge> edges;
    for (const auto& [a, b] : pairs) edges.push_back({a, b, a, b});
    colour.resize(pairs.size());
    colours = Colouring()([&](std::size_t e) { return edges[e]; }, bodies, colour);
  }
};

TEST(WavePlan, TakesContactsThatShareABodyInTheOrderOfTheirColoursAndInWavesOfTheirOwn) {
  LongBed bed(50'000);
  std::vector<std::uint32_t> place = bed.colour;
  ThreadPool pool(2);
  const WavePlan plan = plan_waves(bed.pairs, bed.position, bed.colours, place, pool);
  EXPECT_GT(plan.waves, 2 * bed.colours + 3) << "space was cut";

  std::map<BodyIndex, std::vector<std::size_t>> pairs_of_body;
  for (std::size_t p = 0; p < bed.pairs.size(); ++p) {
    ASSERT_LT(plan.wave_of(place[p]), plan.waves);
    ASSERT_EQ(plan.colour_of(place[p]), bed.colour[p]);
    for (const BodyIndex body : {bed.pairs[p].owner, bed.pairs[p].other})
      if (body < bed.position.size()) pairs_of_body[body].push_back(p);
  }
  for (const auto& [body, pairs] : pairs_of_body)
    for (const std::size_t p : pairs)
      for (const std::size_t q : pairs)
        ASSERT_EQ(bed.colour[p] < bed.colour[q], plan.wave_of(place[p]) < plan.wave_of(place[q]))
            << "pairs " << p << ", " << q;
}

TEST(WavePlan, HasTheColoursForWavesWhereThereIsLittleToGain) {
  LongBed bed(1000);
  std::vector<std::uint32_t> place = bed.colour;
  ThreadPool pool(1);
  const WavePlan plan = plan_waves(bed.pairs, bed.position, bed.colours, place, pool);
  EXPECT_EQ(plan.waves, bed.colours);
  EXPECT_EQ(place, bed.colour);
  for (const std::uint32_t colour : bed.colour) EXPECT_EQ(plan.wave_of(colour), colour);
}

}  // namespace
}  // namespace scree

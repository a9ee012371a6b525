/// Residence times of streams that are known.
#include "scree/analysis/residence.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "scree/core/error.hpp"

namespace scree {
namespace {

const Region kBelt{{1, 0, 0}, {3, 1, 1}};

void put(Bodies& bodies, std::uint64_t id, const Vec3& position) {
  Body body;
  body.id = {id};
  body.position = position;
  body.radius = 0.1;
  body.mass = 1;
  bodies.push_back(body);
}

/// A belt at 0.5 m/s carries a body every 0.1 s from x = 0 to x = 4, where it is deleted.
Bodies on_the_belt(double time) {
  Bodies bodies;
  for (std::uint64_t id = 0; 0.1 * static_cast<double>(id) <= time; ++id) {
    const double x = 0.5 * (time - 0.1 * static_cast<double>(id));
    if (x < 4) put(bodies, id, {x, 0.5, 0.5});
  }
  return bodies;
}

TEST(ResidenceTimes, OnABeltAreItsLengthOverItsSpeedWhateverTheFrames) {
  for (const double interval : {0.01, 0.13, 1.0, 1.9}) {
    ResidenceTimes times(kBelt);
    std::size_t stays = 0;
    for (double t = 0; t < 30; t += interval)
      for (const Stay& stay : times.add(t, on_the_belt(t), {})) {
        EXPECT_NEAR(stay.left - stay.entered, 4, 1e-9);
        EXPECT_NEAR(stay.entered, 2 + 0.1 * static_cast<double>(stay.id.value), 1e-9);
        ++stays;
      }
    const StaySummary summary = times.summary();
    EXPECT_EQ(summary.stays, stays);
    EXPECT_GT(stays, 200);
    EXPECT_NEAR(summary.mean, 4, 1e-9);
    EXPECT_NEAR(summary.scatter, 0, 1e-9);
    EXPECT_NEAR(summary.longest, 4, 1e-9);
    EXPECT_EQ(summary.returns, 0);
    EXPECT_EQ(summary.from_the_start, 0);
    EXPECT_NEAR(static_cast<double>(summary.still_there), 40, 1);  // rate times time
    EXPECT_NEAR(summary.age, 2, 0.1);
  }
}

TEST(ResidenceTimes, OfAStirredTankAreThoseOfItsClosedForm) {
  // Every 1 ms a random one of 1000 bodies is replaced by a new one: times are distributed as
  // exp(−t/τ)/τ with τ = 1 s, of which mean and standard deviation are τ. Those that are still
  // there have the same age.
  ResidenceTimes times({{0, 0, 0}, {1, 1, 1}});
  std::vector<std::uint64_t> in_tank;
  std::uint64_t next = 0, random = 12345;
  for (; next < 200; ++next) in_tank.push_back(next);
  for (int step = 0; step < 6000; ++step) {
    Bodies bodies;
    std::vector<std::uint64_t> sorted = in_tank;
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint64_t id : sorted) put(bodies, id, {0.5, 0.5, 0.5});
    times.add(5e-3 * step, bodies, {});
    random = random * 6364136223846793005u + 1442695040888963407u;
    in_tank[(random >> 33) % in_tank.size()] = next++;
  }
  const StaySummary summary = times.summary();
  EXPECT_EQ(summary.from_the_start, 200);
  EXPECT_EQ(summary.stays + summary.from_the_start + summary.still_there, next - 1);
  EXPECT_NEAR(summary.mean, 1, 0.08);  // short of τ: the slowest of the last second are not out yet
  EXPECT_NEAR(summary.scatter, 1, 0.08);
  EXPECT_NEAR(summary.age, 1, 0.15);
}

TEST(ResidenceTimes, KnowWhoWasThereFromTheStartAndWhoComesBack) {
  ResidenceTimes times(kBelt);
  const auto at = [](double first, double second) {
    Bodies bodies;
    put(bodies, 0, {first, 0.5, 0.5});
    put(bodies, 7, {second, 0.5, 0.5});
    return bodies;
  };
  EXPECT_TRUE(times.add(0, at(2, 0), {}).empty());
  EXPECT_TRUE(times.add(1, at(4, 2), {}).empty());  // the first was there from the start
  const auto stays = times.add(2, at(2, 0), {});  // comes back; the second leaves where it came in
  ASSERT_EQ(stays.size(), 1);
  EXPECT_EQ(stays[0].id.value, 7);
  EXPECT_DOUBLE_EQ(stays[0].entered, 0.5);
  EXPECT_DOUBLE_EQ(stays[0].left, 1.5);
  const StaySummary summary = times.summary();
  EXPECT_EQ(summary.from_the_start, 1);
  EXPECT_EQ(summary.returns, 1);
  EXPECT_EQ(summary.still_there, 1);
}

TEST(ResidenceTimes, CountWhatPassesBetweenTwoFramesAndWhatComesAndGoesInside) {
  ResidenceTimes times(kBelt);
  Bodies before, after, none;
  put(before, 0, {0, 0.5, 0.5});
  put(after, 0, {4, 0.5, 0.5});
  put(after, 1, {2, 0.5, 0.5});  // new
  times.add(0, before, {});
  const auto passed = times.add(4, after, {});
  ASSERT_EQ(passed.size(), 1);
  EXPECT_DOUBLE_EQ(passed[0].entered, 1);
  EXPECT_DOUBLE_EQ(passed[0].left, 3);
  const auto gone = times.add(8, none, {});
  ASSERT_EQ(gone.size(), 1);
  EXPECT_DOUBLE_EQ(gone[0].entered, 2);  // half way between the frames
  EXPECT_DOUBLE_EQ(gone[0].left, 6);
}

TEST(ResidenceTimes, InACellThatRepeatsAreOfTheImageInTheRegion) {
  // 10 m around at 1 m/s, through the half from 5 to 10 m.
  ResidenceTimes times({{5, 0, 0}, {10, 1, 1}});
  const Domain cell(Vec3{10, 1, 0});
  std::size_t stays = 0;
  for (double t = 0; t < 100; t += 0.7) {
    Bodies bodies;
    put(bodies, 0, {t - 30, 0.5 + 3 * t, 0.5});  // y is filled: nobody leaves along it
    for (const Stay& stay : times.add(t, bodies, cell)) {
      EXPECT_NEAR(stay.left - stay.entered, 5, 1e-9);
      ++stays;
    }
  }
  EXPECT_EQ(stays, 9);
  EXPECT_EQ(times.summary().returns, 9);
  EXPECT_THROW(times.add(200, {}, Domain({10, 1, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0})), InputError);
}

TEST(ResidenceTimes, GoOnFromATally) {
  ResidenceTimes whole(kBelt), first(kBelt), second(kBelt);
  for (const double t : {0.0, 2.0, 7.0}) {
    whole.add(t, on_the_belt(t), {});
    first.add(t, on_the_belt(t), {});
  }
  second.restore(first.tally());
  EXPECT_EQ(second.tally(), first.tally());
  whole.add(9.5, on_the_belt(9.5), {});
  second.add(9.5, on_the_belt(9.5), {});
  EXPECT_EQ(second.tally(), whole.tally());
  EXPECT_NE(second.tally(), first.tally());
  EXPECT_THROW(second.restore({}), InputError);
  EXPECT_THROW(second.restore(std::vector<double>(10)), InputError);
}

}  // namespace
}  // namespace scree

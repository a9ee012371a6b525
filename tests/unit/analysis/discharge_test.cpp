#include "scree/analysis/discharge.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Plane kPlane{{1, 0, 0}, {1, 0, 0}};
const OpenEnds kClosed{};
/// Bodies enter at x = 0 and leave at x ≥ 2: the plane x = 1 lies between.
const OpenEnds kThrough{{{{0, 0, 0}, {0, 1, 1}}},
                        {{{2, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}}}};

/// A body of mass `2 + id`.
void put(Bodies& bodies, std::uint64_t id, double x) {
  Body body;
  body.id = {id};
  body.position = {x, 0.5, 0.5};
  body.radius = 0.1;
  body.mass = 2 + static_cast<double>(id);
  bodies.push_back(body);
}

Bodies bodies_at(const std::vector<std::pair<std::uint64_t, double>>& places) {
  Bodies bodies;
  for (const auto& [id, x] : places) put(bodies, id, x);
  return bodies;
}

TEST(Discharge, OfAStreamIsItsRate) {
  // A body every 0.01 s, at 1 m/s, from x = 0 to x = 2 where it is deleted: 100 bodies a second
  // pass, whatever the frames.
  for (const double interval : {0.01, 0.05, 0.5, 1.9}) {
    Discharge discharge(kPlane, kThrough);
    double time = 0;
    for (int frame = 0; frame < 20; ++frame) {
      time = 3 + interval * frame;
      Bodies bodies;
      const auto born = static_cast<std::uint64_t>(std::floor(time / 0.01 + 1e-9));
      for (std::uint64_t id = born > 200 ? born - 199 : 0; id < born; ++id) {
        const double x = time - 0.01 * static_cast<double>(id) - 0.005;
        if (x < 2) put(bodies, id, x);
      }
      for (double& mass : bodies.mass) mass = 0.5;
      (void)discharge.add(time, bodies);
    }
    EXPECT_EQ(discharge.total().unknown, 0U) << interval;
    EXPECT_EQ(discharge.total().backward, 0U);
    const auto passed = static_cast<double>(discharge.total().forward);
    EXPECT_NEAR(passed, 100 * discharge.duration(), 1.001) << interval;
    EXPECT_EQ(discharge.total().mass, 0.5 * passed);
  }
}

TEST(Discharge, CountsBothWaysWithMass) {
  Discharge discharge(kPlane, kClosed);
  EXPECT_FALSE(discharge.add(0, bodies_at({{0, 0.5}, {1, 1.5}, {2, 0.9}, {3, 1.0}})));
  const auto passage = discharge.add(0.5, bodies_at({{0, 0.6}, {1, 0.5}, {2, 1.0}, {3, 0.999}}));
  ASSERT_TRUE(passage);
  EXPECT_EQ(passage->forward, 1U);
  EXPECT_EQ(passage->backward, 2U);
  EXPECT_EQ(passage->mass, 4.0 - 3 - 5);
  EXPECT_EQ(passage->unknown, 0U);
  EXPECT_EQ(discharge.duration(), 0.5);
}

TEST(Discharge, KnowsWhereBodiesCameFromAndWentTo) {
  Discharge discharge(kPlane, kThrough);
  (void)discharge.add(0, bodies_at({{0, 0.5}, {1, 1.5}}));
  // 0 and 1 have left, 0 through the plane; 2 and 3 are new, 2 beyond it already.
  const auto passage = discharge.add(1, bodies_at({{2, 1.2}, {3, 0.2}}));
  EXPECT_EQ(passage->forward, 2U);
  EXPECT_EQ(passage->mass, 2.0 + 4);
  EXPECT_EQ(passage->unknown, 0U);
}

TEST(Discharge, WithTheExitBeforeThePlaneSeesNobodyPass) {
  const Plane behind{{3, 0, 0}, {1, 0, 0}};
  const OpenEnds ends{kThrough.entries, {{{2, 0, 0}, {3, 1, 1}}}};
  Discharge discharge(behind, ends);
  (void)discharge.add(0, bodies_at({{0, 0.5}, {1, 1.5}}));
  // Not even 2, which came and went unseen.
  const auto passage = discharge.add(1, bodies_at({{3, 0.2}}));
  EXPECT_EQ(passage->forward + passage->backward + passage->unknown, 0U);
}

TEST(Discharge, SaysWhatItCannotKnow) {
  // The plane cuts the exit: whoever left may have passed or not.
  const OpenEnds both{kThrough.entries, {{{0, 0, -kInfinity}, {2, 1, 0}}}};
  Discharge cut(kPlane, both);
  (void)cut.add(0, bodies_at({{0, 0.5}, {1, 1.5}}));
  EXPECT_EQ(cut.add(1, {})->unknown, 2U);
  // Nobody can leave, but somebody has; and somebody came from nowhere.
  Discharge closed(kPlane, kClosed);
  (void)closed.add(0, bodies_at({{0, 0.5}}));
  EXPECT_EQ(closed.add(1, bodies_at({{1, 0.5}}))->unknown, 2U);
  // 1 and 2 came and went between the frames; their mass is not known.
  Discharge fast(kPlane, kThrough);
  (void)fast.add(0, bodies_at({{0, 0.5}}));
  const auto passage = fast.add(9, bodies_at({{3, 0.2}}));
  EXPECT_EQ(passage->forward, 1U);
  EXPECT_EQ(passage->unknown, 2U);
}

TEST(Discharge, TakesAnyDirectionForForward) {
  const double s = std::sqrt(0.5);
  Discharge down({{0, 0, 0.5}, {0, 0, -1}}, kClosed),
      oblique({{1, 0.5, 0.5}, {-s, s, 0}}, kThrough);
  for (Discharge* discharge : {&down, &oblique}) {
    (void)discharge->add(0, bodies_at({{0, 0.5}}));
    EXPECT_EQ(discharge->add(1, bodies_at({{0, 1.5}}))->backward, discharge == &oblique ? 1U : 0U);
  }
}

TEST(Discharge, GoesOnFromItsTally) {
  Discharge whole(kPlane, kThrough), cut(kPlane, kThrough);
  const std::vector frames{bodies_at({{0, 0.5}, {1, 1.5}}),
                           bodies_at({{0, 1.1}, {2, 0.3}, {4, 1.3}}), bodies_at({}),
                           bodies_at({{7, 0.3}})};
  for (std::size_t k = 0; k < frames.size(); ++k) {
    (void)whole.add(static_cast<double>(k), frames[k]);
    Discharge next(kPlane, kThrough);
    next.restore(cut.tally());
    (void)next.add(static_cast<double>(k), frames[k]);
    cut = next;
    EXPECT_EQ(cut.tally(), whole.tally());
  }
  EXPECT_EQ(whole.total().unknown, 3U);  // 3, 5 and 6 were never seen
}

}  // namespace
}  // namespace scree

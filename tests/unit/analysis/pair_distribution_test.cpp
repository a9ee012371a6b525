#include "scree/analysis/pair_distribution.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "unit/analysis/angles.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

using test::kPi;

std::vector<Vec3> strewn(std::size_t count, const Region& box, RandomStream& random) {
  std::vector<Vec3> points(count);
  for (Vec3& p : points) {
    for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.min[k], box.max[k]);
  }
  return points;
}

std::uint64_t pairs_closer_than(double r, const std::vector<Vec3>& points) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) pairs += norm(points[i] - points[j]) < r ? 1 : 0;
  }
  return pairs;
}

TEST(PairMeasure, IsTheIntegralOfTheSetCovariance) {
  // ∫ over all moves within a ball of Π (side − |move|), by the midpoint rule in one octant; its
  // error is of second order, from the ball's surface less smooth: a thousandth or so.
  const Region box{{1, 2, 3}, {2, 3.5, 5}};
  const double r = 0.9;
  const int n = 100;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vec3 move = r / n * Vec3{i + 0.5, j + 0.5, k + 0.5};
        const Vec3 left = box.extent() - move;
        if (norm(move) < r) sum += left.x * left.y * left.z;
      }
    }
  }
  sum *= 8 * r * r * r / (n * n * n);
  EXPECT_NEAR(pair_measure(box, r) / sum, 1, 1e-3);
}

TEST(PairMeasure, LosesNothingAlongAxesThatRepeat) {
  // By the same rule, without the factors of the axes that repeat.
  const Region box{{1, 2, 3}, {2, 3.5, 5}};
  const double r = 0.9;
  const int n = 100;
  for (AxisSet repeating = 1; repeating <= kAllAxes; ++repeating) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
          const Vec3 move = r / n * Vec3{i + 0.5, j + 0.5, k + 0.5};
          const Vec3 left = box.extent() - without(move, repeating);
          if (norm(move) < r) sum += left.x * left.y * left.z;
        }
      }
    }
    sum *= 8 * r * r * r / (n * n * n);
    EXPECT_NEAR(pair_measure(box, r, repeating) / sum, 1, 1e-3) << int{repeating};
  }
}

TEST(PairMeasure, OfTheUnitCubeIsThatOfTwoRandomPoints) {
  // P(closer than r) = 4/3 π r³ − 3/2 π r⁴ + 8/5 r⁵ − r⁶/6, from the density 4π r² − 6π r³ + 8 r⁴ −
  // r⁵.
  EXPECT_NEAR(pair_measure({{0, 0, 0}, {1, 1, 1}}, 1), 4 * kPi / 3 - 1.5 * kPi + 8.0 / 5 - 1.0 / 6,
              1e-15);
}

TEST(PairDistribution, CountsEveryPairOnce) {
  const std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  const Region box{{-1, 0, 2}, {2, 1, 4}};
  const auto points = strewn(700, box, random);
  for (const double r_max : {0.02, 0.1, 0.33, 1.0}) {
    PairDistribution rdf(box, r_max, 7);
    rdf.add(points);
    double pairs = 0;
    for (const auto& shell : rdf.shells()) pairs += shell.pairs;
    EXPECT_EQ(pairs, pairs_closer_than(r_max, points)) << r_max;
  }
}

TEST(PairDistribution, IsOneForAnIdealGasOutToTheSmallestSide) {
  const std::uint64_t seed = 3;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  const Region box{{0, 0, 0}, {1, 1.2, 2}};
  PairDistribution rdf(box, 1, 10);
  for (int frame = 0; frame < 20; ++frame) rdf.add(strewn(500, box, random));
  EXPECT_NEAR(rdf.number_density(), 500 / 2.4, 1e-10);
  for (const auto& shell : rdf.shells()) {
    // Counts scatter like a Poisson variable; the region's shape adds much less.
    EXPECT_NEAR(shell.g, 1, 5 / std::sqrt(shell.pairs) + 0.01) << shell.outer;
  }
}

TEST(PairDistribution, IsOneForAnIdealGasWhichAxesEverRepeat) {
  const std::uint64_t seed = 4;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  const Region cell{{0, 0, 0}, {1, 1.2, 2}}, half{{0.2, 0.1, 0}, {0.9, 1.1, 1}};
  for (const AxisSet axes : std::vector<AxisSet>{1, 6, 7})
    for (const Region& region : {cell, half}) {
      const Domain domain(cell.extent() - without(cell.extent(), axes));
      PairDistribution rdf(region, 0.7, 10);
      for (int frame = 0; frame < 20; ++frame) rdf.add(strewn(500, cell, random), domain);
      for (const auto& shell : rdf.shells())
        EXPECT_NEAR(shell.g, 1, 5 / std::sqrt(shell.pairs) + 0.02) << int{axes} << shell.outer;
    }
}

/// Numbers of neighbours up to the first three distances of a simple cubic lattice of spacing 1.
void expect_cubic(const PairDistribution& rdf) {
  const auto shells = rdf.shells();
  ASSERT_EQ(shells.size(), 19U);  // of 0.1
  EXPECT_EQ(shells[11].neighbours, 6);
  EXPECT_EQ(shells[15].neighbours, 18);
  EXPECT_EQ(shells[18].neighbours, 26);
}

TEST(PairDistribution, CountsTheNeighboursOfALatticeInACell) {
  const int m = 4;
  const Domain domain({m, m, m});
  for (const double begin : {-0.5, 0.7, 13.25})
    for (const int periods : {1, 2}) {
      const double end = begin + periods * m;
      PairDistribution rdf({{begin, begin, begin}, {end, end, end}}, 1.9, 19);
      for (int frame = 0; frame < 2; ++frame) rdf.add(simple_cubic(m, 1, {}), domain);
      expect_cubic(rdf);
    }
}

TEST(PairDistribution, CountsNeighboursOutsideOfItsRegion) {
  PairDistribution rdf({{2.5, 2.5, 2.5}, {5.5, 5.5, 5.5}}, 1.9, 19);
  rdf.add(simple_cubic(8, 1, {}));
  expect_cubic(rdf);
}

TEST(PairDistribution, CountsTwoNeighboursOfEachOfThreeSpheresInContact) {
  PairDistribution rdf({{-1, -1, -1}, {3, 3, 2}}, 1.5, 15);
  rdf.add(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}});
  EXPECT_EQ(rdf.shells().back().neighbours, 2);
  EXPECT_EQ(rdf.shells()[8].neighbours, 0);
}

TEST(PairDistribution, HasThePeaksOfTheFaceCentredCubicLattice) {
  // Distances √k · d and 12, 6, 24, 12 neighbours there; the peaks are narrow, so bins between them
  // are empty.
  const int n = 12;
  const Region cells{{-0.1, -0.1, -0.1}, {n - 0.1, n - 0.1, n - 0.1}};
  PairDistribution rdf(cells, 1.5, 150);
  rdf.add(face_centred_cubic(n, 1, {}), Domain(cells.extent()));
  const auto shells = rdf.shells();
  const double distance[] = {std::sqrt(0.5), 1, std::sqrt(1.5), std::sqrt(2)};
  const double neighbours[] = {12, 18, 42, 54};
  std::size_t peak = 0;
  for (const auto& shell : shells) {
    const bool here =
        peak < 4 && distance[peak] >= shell.inner - 1e-9 && distance[peak] < shell.outer - 1e-9;
    EXPECT_EQ(shell.g > 0, here) << shell.inner;
    if (!here) continue;
    EXPECT_EQ(shell.neighbours, neighbours[peak]) << peak;
    ++peak;
  }
  EXPECT_EQ(peak, 4U);
}

TEST(PairDistribution, OfALatticeIsExactOnceItsDirectionsAreKnown) {
  // Along the axes a simple cubic lattice of m³ has 3 (m − 1) m² pairs; the isotropic reference
  // expects γ(1)/m³ of the bulk.
  const int m = 10;
  const Region cells{{-0.5, -0.5, -0.5}, {m - 0.5, m - 0.5, m - 0.5}};
  PairDistribution rdf(cells, 1.2, 6000);
  rdf.add(simple_cubic(m, 1, {}));
  const double gamma = m * m * m - 1.5 * m * m + 2.0 * m / kPi - 1 / (4 * kPi);
  const double expected = 6.0 * (m - 1) * m * m / gamma * (m * m * m) / (m * m * m - 1);
  // ∫ n 4π r² g dr, n = 1
  double bulk = 0;
  for (const auto& shell : rdf.shells())
    bulk += 4 * kPi / 3 * (std::pow(shell.outer, 3) - std::pow(shell.inner, 3)) * shell.g;
  EXPECT_NEAR(bulk, expected, 1e-3 * expected);
}

TEST(PairDistribution, RefusesWhatItCannotNormalise) {
  const Region box{{0, 0, 0}, {1, 2, 3}};
  EXPECT_THROW(PairDistribution({{0, 0, 0}, {1, 2, 0}}, 0.1, 10), InputError);
  EXPECT_THROW(PairDistribution(box, 1.1, 10), InputError);
  EXPECT_THROW(PairDistribution(box, 0, 10), InputError);
  EXPECT_THROW(PairDistribution(box, 1, 0), InputError);
}

TEST(PairDistribution, OfNothingIsZero) {
  PairDistribution rdf({{0, 0, 0}, {1, 2, 3}}, 1, 3);
  EXPECT_EQ(rdf.number_density(), 0);
  rdf.add({});
  for (const auto& shell : rdf.shells()) EXPECT_EQ(shell.g, 0);
}

}  // namespace
}  // namespace scree

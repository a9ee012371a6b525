#include "scree/math/lcp.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "scree/math/random.hpp"

namespace scree {
namespace {

/// Largest violation of w = M z + q, w ≥ 0, z ≥ 0, wᵀz = 0.
double violation(const Lcp& lcp, const std::vector<double>& z) {
  const std::size_t n = lcp.size();
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double w = lcp.q[i];
    for (std::size_t j = 0; j < n; ++j) w += lcp.M[i * n + j] * z[j];
    worst = std::max({worst, -z[i], -w, std::min(std::abs(z[i]), std::abs(w))});
  }
  return worst;
}

void expect_point(const std::vector<double>& z, const std::vector<double>& expected,
                  double tolerance = 1e-14) {
  ASSERT_EQ(z.size(), expected.size());
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_NEAR(z[i], expected[i], tolerance) << "z[" << i << "]";
}

std::vector<double> random_numbers(RandomStream& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& v : values) v = random.normal();
  return values;
}

/// B Bᵀ + skew part + a little of the unit matrix: positive definite, so all principal minors are
/// positive.
Lcp random_p_problem(RandomStream& random, std::size_t n) {
  const std::vector<double> b = random_numbers(random, n * n), s = random_numbers(random, n * n);
  Lcp lcp{std::vector<double>(n * n, 0), random_numbers(random, n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) lcp.M[i * n + j] += b[i * n + k] * b[j * n + k];
      lcp.M[i * n + j] += s[i * n + j] - s[j * n + i] + (i == j ? 0.01 : 0);
    }
  return lcp;
}

TEST(Lemke, SolvesAProblemWorkedByHand) {
  // 2 z1 + z2 = 5, z1 + 2 z2 = 6
  const LemkeResult result = solve_lemke({{2, 1, 1, 2}, {-5, -6}});
  ASSERT_EQ(result.status, LcpStatus::solved);
  expect_point(result.point.z, {4.0 / 3, 7.0 / 3});
  expect_point(result.point.w, {0, 0});
}

TEST(Lemke, TakesZeroWhereTheRightSideAllowsIt) {
  const LemkeResult result = solve_lemke({{-1, 2, 3, -4}, {0, 1}});
  ASSERT_EQ(result.status, LcpStatus::solved);
  expect_point(result.point.z, {0, 0}, 0);
  expect_point(result.point.w, {0, 1}, 0);
  EXPECT_EQ(result.pivots, 0);
}

TEST(Lemke, AndEnumerationFindTheOneSolutionOfAPMatrix) {
  RandomStream random{31, 0};
  for (int trial = 0; trial < 1000; ++trial) {
    const Lcp lcp = random_p_problem(random, 1 + static_cast<std::size_t>(random.uniform() * 8));
    const LemkeResult lemke = solve_lemke(lcp);
    const LcpSolutions all = all_lcp_solutions(lcp);
    ASSERT_EQ(lemke.status, LcpStatus::solved) << "trial " << trial;
    ASSERT_TRUE(all.finite());
    ASSERT_EQ(all.isolated.size(), 1U) << "trial " << trial;
    EXPECT_LT(violation(lcp, lemke.point.z), 1e-10) << "trial " << trial;
    double scale = 1;
    for (const double z : lemke.point.z) scale = std::max(scale, z);
    expect_point(all.isolated[0].z, lemke.point.z, 1e-10 * scale);
  }
}

TEST(Lemke, AnswersAreSolutionsAndAreAmongThoseEnumerated) {
  RandomStream random{32, 0};
  int solved = 0, ended_on_rays = 0, missed = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(random.uniform() * 6);
    const Lcp lcp{random_numbers(random, n * n), random_numbers(random, n)};
    const LcpSolutions all = all_lcp_solutions(lcp);
    ASSERT_TRUE(all.finite()) << "a random matrix has no singular block";
    for (const LcpPoint& point : all.isolated) {
      const double size = *std::max_element(point.z.begin(), point.z.end());
      EXPECT_LT(violation(lcp, point.z), 1e-9 * (1 + size)) << "trial " << trial;
    }
    const LemkeResult lemke = solve_lemke(lcp);
    ASSERT_NE(lemke.status, LcpStatus::iteration_limit);
    if (lemke.status == LcpStatus::ray) {
      ++ended_on_rays;
      missed += !all.isolated.empty();
      continue;
    }
    ++solved;
    const auto same = [&](const LcpPoint& point) {
      double difference = 0, size = 1;
      for (std::size_t i = 0; i < n; ++i) {
        difference = std::max(difference, std::abs(point.z[i] - lemke.point.z[i]));
        size = std::max(size, point.z[i]);
      }
      return difference < 1e-8 * size;
    };
    EXPECT_TRUE(std::any_of(all.isolated.begin(), all.isolated.end(), same)) << "trial " << trial;
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(ended_on_rays, 100);
  EXPECT_GT(missed, 10) << "a ray does not say that there is no solution";
}

TEST(Lemke, EndsOnARayWhereACopositivePlusMatrixHasNoSolution) {
  EXPECT_EQ(solve_lemke({{0}, {-1}}).status, LcpStatus::ray);
  // w1 = z2 − 1, w2 = −z1 − 1 < 0: skew, so zᵀMz = 0.
  EXPECT_EQ(solve_lemke({{0, 1, -1, 0}, {-1, -1}}).status, LcpStatus::ray);
}

TEST(Lemke, DoesNotCycleWhereLeastIndexRulesDo) {
  // Murty's matrix, on which pivoting on the first negative w never ends; all rows tie at the
  // start.
  const LemkeResult result = solve_lemke({{1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}});
  ASSERT_EQ(result.status, LcpStatus::solved);
  expect_point(result.point.z, {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST(Lemke, EndsOnProblemsFullOfTies) {
  RandomStream random{33, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    // Small integers make ties, and positive semi-definite M = B Bᵀ makes a ray mean that there is
    // no solution.
    const std::size_t n = 2 + static_cast<std::size_t>(random.uniform() * 6);
    std::vector<double> b(n * n);
    for (double& v : b) v = std::floor(random.uniform(-1, 2));
    Lcp lcp{std::vector<double>(n * n, 0), std::vector<double>(n)};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) lcp.M[i * n + j] += b[i * n + k] * b[j * n + k];
      lcp.q[i] = std::floor(random.uniform(-2, 2));
    }
    const LemkeResult lemke = solve_lemke(lcp);
    ASSERT_NE(lemke.status, LcpStatus::iteration_limit) << "trial " << trial;
    if (lemke.status == LcpStatus::solved) {
      EXPECT_LT(violation(lcp, lemke.point.z), 1e-10) << "trial " << trial;
    } else {
      const LcpSolutions all = all_lcp_solutions(lcp);
      EXPECT_TRUE(all.isolated.empty() && all.continua.empty()) << "trial " << trial;
    }
  }
}

TEST(Lemke, StopsAtTheLimitOfPivots) {
  const LemkeResult result = solve_lemke({{1, 2, 2, 0, 1, 2, 0, 0, 1}, {-4, -6, -7}}, 1);
  EXPECT_EQ(result.status, LcpStatus::iteration_limit);
  EXPECT_TRUE(result.point.z.empty());
}

TEST(Lemke, RefusesWhatIsNoProblem) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve_lemke({{1, 2, 3}, {1, 1}}).status, LcpStatus::bad_input);
  EXPECT_EQ(solve_lemke({{nan}, {1}}).status, LcpStatus::bad_input);
  EXPECT_EQ(all_lcp_solutions({{1}, {nan}}).status, LcpStatus::bad_input);
  EXPECT_EQ(all_lcp_solutions({std::vector<double>(169, 1), std::vector<double>(13, 1)}).status,
            LcpStatus::bad_input);
}

/// A x − b ≥ 0 ⊥ x ≥ 0, the four cases of [Preclik11, Eq. 11].
TEST(AllLcpSolutions, CountTheFourCasesOfOneUnknown) {
  const auto count = [](double A, double b) {
    return all_lcp_solutions({{A}, {-b}}).isolated.size();
  };
  EXPECT_EQ(count(2, 1), 1U);
  EXPECT_EQ(count(2, -1), 1U);
  EXPECT_EQ(count(-2, 1), 0U);
  EXPECT_EQ(count(-2, -1), 2U);
  EXPECT_EQ(count(-2, 0), 1U) << "x = 0 and x = b/A coincide";
}

TEST(AllLcpSolutions, TellAHalfLine) {
  const LcpSolutions all = all_lcp_solutions({{0}, {0}});
  ASSERT_EQ(all.continua.size(), 1U);
  expect_point(all.continua[0].start, {0});
  expect_point(all.continua[0].direction, {1});
  EXPECT_EQ(all.continua[0].length, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(all.isolated.empty()) << "zero lies on the half-line";
  EXPECT_FALSE(all.finite());
}

TEST(AllLcpSolutions, TellTheSegmentBetweenTwoLoadPaths) {
  // Two legs under one load: z1 + z2 = 1 in any proportion.
  const LcpSolutions all = all_lcp_solutions({{1, 1, 1, 1}, {-1, -1}});
  ASSERT_EQ(all.continua.size(), 1U);
  const LcpSegment& line = all.continua[0];
  std::vector<double> end = line.start;
  for (std::size_t i = 0; i < 2; ++i) end[i] += line.length * line.direction[i];
  EXPECT_NEAR(line.start[0] + line.start[1], 1, 1e-14);
  EXPECT_NEAR(end[0] + end[1], 1, 1e-14);
  EXPECT_NEAR(std::abs(line.start[0] - end[0]), 1, 1e-14);
  EXPECT_TRUE(all.isolated.empty()) << "(1, 0) and (0, 1) are its ends";
}

TEST(AllLcpSolutions, TellTheOnePointThatASingularBasisLeaves) {
  // w1 = z1 − z2, w2 = z2 − z1, w3 = 1 − z1 − z2 + z3: z1 = z2 = t with z3 = 0 up to t = ½, and z3
  // = 2t − 1 beyond.
  const LcpSolutions line = all_lcp_solutions({{1, -1, 0, -1, 1, 0, -1, -1, 1}, {0, 0, 1}});
  ASSERT_EQ(line.continua.size(), 2U);
  std::vector<double> end = line.continua[0].start;
  for (std::size_t i = 0; i < 3; ++i)
    end[i] += line.continua[0].length * line.continua[0].direction[i];
  expect_point(line.continua[0].start, {0, 0, 0});
  expect_point(end, {0.5, 0.5, 0});
  EXPECT_EQ(line.continua[1].length, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(line.isolated.empty());
  // w3 = −z1 − z2 − z3 leaves t = 0 alone.
  const LcpSolutions point = all_lcp_solutions({{1, -1, 0, -1, 1, 0, -1, -1, -1}, {0, 0, 0}});
  EXPECT_TRUE(point.continua.empty());
  ASSERT_EQ(point.isolated.size(), 1U);
  expect_point(point.isolated[0].z, {0, 0, 0});
}

TEST(AllLcpSolutions, SayWhatTheyLeaveUndecided) {
  // the whole quadrant solves it
  const LcpSolutions all = all_lcp_solutions({{0, 0, 0, 0}, {0, 0}});
  EXPECT_EQ(all.unclear, std::vector<std::uint32_t>{3});
  EXPECT_FALSE(all.finite());
}

}  // namespace
}  // namespace scree

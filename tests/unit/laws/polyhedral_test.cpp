#include "scree/laws/polyhedral.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "scree/laws/coulomb.hpp"
#include "scree/math/lcp.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

using std::numbers::pi;

/// B Bᵀ of normal entries: positive definite, now and then strongly coupled.
SymMat3 random_polyhedral_block(RandomStream& random) {
  double b[3][3], w[3][3] = {};
  for (auto& row : b)
    for (double& entry : row) entry = random.normal();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) w[i][j] += b[i][k] * b[j][k];
  return {w[0][0] + 0.01, w[0][1], w[0][2], w[1][1] + 0.01, w[1][2], w[2][2] + 0.01};
}

struct PolyhedralProblem {
  SymMat3 W;
  Vec3 q;
  Polyhedral law;
};

PolyhedralProblem random_polyhedral_problem(RandomStream& random) {
  return {random_polyhedral_block(random),
          {-std::abs(random.normal()), random.normal(), random.normal()},
          {random.uniform(0, 1.5), 4 + static_cast<int>(random.uniform() * 9)}};
}

Vec3 corner(int i, int facets) {
  return {0, std::cos(2 * pi * i / facets), std::sin(2 * pi * i / facets)};
}

/// The same contact as a linear complementarity problem in (r_n, β_1 … β_k, λ), r_t = Σ β_i d_i
/// [StewartTrinkle96].
Lcp as_lcp(const PolyhedralProblem& p) {
  const std::size_t k = static_cast<std::size_t>(p.law.facets), n = k + 2;
  std::vector<Vec3> direction{{1, 0, 0}};
  for (int i = 0; i < p.law.facets; ++i) direction.push_back(corner(i, p.law.facets));
  Lcp lcp{std::vector<double>(n * n, 0), std::vector<double>(n, 0)};
  for (std::size_t i = 0; i <= k; ++i) {
    for (std::size_t j = 0; j <= k; ++j) lcp.M[i * n + j] = dot(direction[i], p.W * direction[j]);
    lcp.q[i] = dot(direction[i], p.q);
    if (i > 0) lcp.M[i * n + k + 1] = 1, lcp.M[(k + 1) * n + i] = -1;
  }
  lcp.M[(k + 1) * n] = p.law.mu;
  return lcp;
}

Vec3 impulse(const std::vector<double>& z, int facets) {
  Vec3 r{z[0], 0, 0};
  for (int i = 0; i < facets; ++i) r += z[static_cast<std::size_t>(i) + 1] * corner(i, facets);
  return r;
}

double scale_of(const PolyhedralProblem& p, const Vec3& r) {
  return norm(p.q) * (1 + p.law.mu) + p.W.trace() * norm(r);
}

TEST(Polyhedral, AnswersHaveNoResidualStayInTheConeAndMakeNoEnergy) {
  RandomStream random{41, 0};
  for (int trial = 0; trial < 20'000; ++trial) {
    const PolyhedralProblem p = random_polyhedral_problem(random);
    Vec3 r;
    ASSERT_EQ(p.law.solve(p.W, p.q, r), LocalStatus::solved) << "trial " << trial;
    EXPECT_LT(norm(p.law.residual(p.W, p.W * r + p.q, r)), 1e-10 * scale_of(p, r))
        << "trial " << trial;
    EXPECT_LT(norm(r - p.law.project(r)), 1e-10 * norm(r)) << "trial " << trial;
    EXPECT_LE(0.5 * dot(r, p.W * r) + dot(r, p.q), 0) << "trial " << trial;
  }
}

TEST(Polyhedral, AcceptsWhatLemkesAlgorithmFindsForTheSameProblemAsAnLcp) {
  RandomStream random{42, 0};
  int same = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const PolyhedralProblem p = random_polyhedral_problem(random);
    const LemkeResult lemke = solve_lemke(as_lcp(p));
    ASSERT_EQ(lemke.status, LcpStatus::solved) << "the matrix is copositive; trial " << trial;
    const Vec3 r = impulse(lemke.point.z, p.law.facets);
    EXPECT_LT(norm(p.law.residual(p.W, p.W * r + p.q, r)), 1e-9 * scale_of(p, r))
        << "trial " << trial;
    Vec3 own;
    p.law.solve(p.W, p.q, own);
    same += norm(own - r) < 1e-9 * norm(own);
  }
  EXPECT_GT(same, 2900) << "they may differ only where there are several solutions";
}

TEST(Polyhedral, TakesTheSolutionOfLeastEnergyOfAllThatTheLcpHas) {
  RandomStream random{43, 0};
  int sliding = 0, several = 0;
  for (int trial = 0; trial < 300; ++trial) {
    PolyhedralProblem p = random_polyhedral_problem(random);
    p.law.facets = 4 + trial % 5;
    // about the contact of [Preclik18, §4.1], for which Coulomb's law has three solutions
    if (trial % 2 == 0) {
      p.W = {0.86199, 0.06949, 0.22120, 0.76834, 0.01792, 0.06140};
      p.q = {-0.05994 * random.uniform(0.3, 3), 0.73535 * random.normal(),
             0.04651 * random.normal()};
      p.law = {3.58276, 8};
    }
    const LcpSolutions all = all_lcp_solutions(as_lcp(p));
    Vec3 r;
    ASSERT_EQ(p.law.solve(p.W, p.q, r), LocalStatus::solved);
    // Inside the polygon the shares of the corners are not unique, and the LCP has a continuum of
    // them.
    if (p.law.classify(r) == ContactClass::sticking) continue;
    ASSERT_FALSE(all.isolated.empty());
    ++sliding;
    double min_value = std::numeric_limits<double>::infinity();
    for (const LcpPoint& point : all.isolated) {
      const Vec3 other = impulse(point.z, p.law.facets);
      min_value = std::min(min_value, 0.5 * dot(other, p.W * other) + dot(other, p.q));
    }
    several += all.isolated.size() > 1;
    EXPECT_NEAR(0.5 * dot(r, p.W * r) + dot(r, p.q), min_value, 1e-9 * (std::abs(min_value) + 1e-3))
        << "trial " << trial;
  }
  EXPECT_GT(sliding, 100);
  EXPECT_GT(several, 5);
}

TEST(Polyhedral, TendsToCoulombWithTheNumberOfFacets) {
  RandomStream random{44, 0};
  double error[2] = {}, weakest = 1;
  const int facets[2] = {16, 64};
  int sliding = 0;
  while (sliding < 300) {
    const double w = random.uniform(0.1, 2), mu = random.uniform(0.1, 1);
    // Weak coupling, where Coulomb's law has one solution.
    const SymMat3 W{w, 0.1 * w, -0.05 * w, 3 * w, 0.1 * w, 2 * w};
    const Vec3 q{-std::abs(random.normal()), 5 * random.normal(), 5 * random.normal()};
    Vec3 exact, r;
    ASSERT_EQ(Coulomb{mu}.solve(W, q, exact), LocalStatus::solved);
    if (Coulomb{mu}.classify(exact) != ContactClass::sliding) continue;
    ++sliding;
    for (int k = 0; k < 2; ++k) {
      ASSERT_EQ((Polyhedral{mu, facets[k]}.solve(W, q, r)), LocalStatus::solved);
      error[k] = std::max(error[k], norm(r - exact) / norm(exact));
      EXPECT_LE(tangential_norm(r), mu * r.x * (1 + 1e-12)) << "the cone is inscribed";
      if (k == 0) weakest = std::min(weakest, tangential_norm(r) / (mu * r.x));
    }
  }
  EXPECT_LT(error[1], pi / 64)
      << "the direction of friction is off by half the angle between two corners";
  EXPECT_NEAR(error[0] / error[1], 4, 1) << "four times the facets, a fourth of the error";
  EXPECT_GE(weakest, std::cos(pi / 16) - 1e-12);
}

TEST(Polyhedral, IsCoulombAlongACornerAndLosesMostBetweenTwo) {
  const SymMat3 W = diagonal(1, 3.5, 3.5);
  Vec3 r;
  ASSERT_EQ((Polyhedral{0.5, 8}.solve(W, {-1, -10, 0}, r)), LocalStatus::solved);
  EXPECT_NEAR(r.x, 1, 1e-15);
  EXPECT_NEAR(r.y, 0.5, 1e-15);
  EXPECT_NEAR(r.z, 0, 1e-15);
  // Slip against the middle of an edge: the component of friction along it is μ r_n cos(π/8).
  const double c = std::cos(pi / 8), s = std::sin(pi / 8);
  ASSERT_EQ((Polyhedral{0.5, 8}.solve(W, {-1, -10 * c, -10 * s}, r)), LocalStatus::solved);
  EXPECT_NEAR(r.y * c + r.z * s, 0.5 * c, 1e-15);
}

TEST(Polyhedral, ProjectionIsTheNearestPointOfTheCone) {
  RandomStream random{45, 0};
  for (int trial = 0; trial < 5000; ++trial) {
    const Polyhedral law{random.uniform(0, 2), 4 + trial % 9};
    const Vec3 r{random.normal(), random.normal(), random.normal()};
    const Vec3 p = law.project(r);
    EXPECT_LT(norm(law.project(p) - p), 1e-14);
    // p is the nearest point of a convex cone if and only if r − p is normal to p and in the polar
    // of every corner's ray.
    EXPECT_NEAR(dot(r - p, p), 0, 1e-13);
    for (int i = 0; i < law.facets; ++i) {
      const Vec3 ray = Vec3{1, 0, 0} + law.mu * corner(i, law.facets);
      EXPECT_LE(dot(r - p, ray), 1e-13 * norm(ray)) << "trial " << trial;
    }
  }
}

TEST(Polyhedral, LeavesASeparatingContactAloneAndRefusesWhatIsNoProblem) {
  const Polyhedral law{0.5, 8};
  Vec3 r{1, 2, 3};
  EXPECT_EQ(law.solve(diagonal(1, 2, 2), {0.1, 5, 5}, r), LocalStatus::solved);
  EXPECT_EQ(r, Vec3{});
  EXPECT_EQ(law.solve(diagonal(-1, 1, 1), {-1, 0, 0}, r), LocalStatus::ill_posed);
  EXPECT_EQ(law.solve(diagonal(1, 1, 1), {-1, std::numeric_limits<double>::infinity(), 0}, r),
            LocalStatus::ill_posed);
}

TEST(Polyhedral, WithoutFrictionIsSolvedByNoImpulseWhereBodiesPart) {
  const Polyhedral law{0, 8};
  EXPECT_EQ(law.project({-2, 0, 0}), (Vec3{}));
  EXPECT_EQ(norm(law.residual(diagonal(1, 1, 1), {0.3, 0, 0}, {})), 0);
}

}  // namespace
}  // namespace scree

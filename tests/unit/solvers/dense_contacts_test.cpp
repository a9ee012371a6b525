#include "solvers/methods/dense_contacts.hpp"

#include <gtest/gtest.h>

#include "scree/laws/coulomb.hpp"

namespace scree {
namespace {

/// Slabs of 2 kg and 2 × 1 × 0.2 m on four points each, z the velocities and spins of their
/// centres. `coupling` ties what they do at the first to what they do at the second, in part.
DenseContacts slabs(const AnyLaw& law, int count, double coupling) {
  DenseContacts problem;
  const double masses[6] = {2, 2, 2, 2 * 1.04 / 12, 2 * 4.04 / 12, 2 * 5.0 / 12};
  const auto n = static_cast<std::size_t>(6 * count);
  problem.Y.assign(n * n, 0.0);
  problem.z.assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    problem.Y[k * n + k] = 1 / masses[k % 6];
    if (k >= 6) problem.Y[k * n + k - 6] = problem.Y[(k - 6) * n + k] = coupling / masses[k % 6];
  }
  for (std::size_t slab = 0; slab < static_cast<std::size_t>(count); ++slab) {
    problem.runs.push_back({6 * slab, 6});
    for (const double x : {-1.0, 1.0})
      for (const double y : {-0.5, 0.5}) {
        DenseContacts::Contact c{slab, {}, &law, {}, {}};
        // Rows n = z, x and y: e, and arm × e.
        const Vec3 arm{x, y, -0.1}, axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (int row = 0; row < 3; ++row) {
          const Vec3 turn = cross(arm, axes[row]);
          for (int k = 0; k < 3; ++k) {
            c.J[row][k] = axes[row][k];
            c.J[row][3 + k] = turn[k];
          }
        }
        problem.contacts.push_back(c);
      }
  }
  problem.prepare();
  return problem;
}

Vec3 velocity_of(const DenseContacts& problem, const DenseContacts::Contact& c) {
  return c.velocity + problem.answer(c, problem.z);
}

void expect_laws_obeyed(const DenseContacts& problem, const Coulomb& law, double most) {
  // z is that of the percussions, and each contact obeys its law by its natural map.
  std::vector<double> push(problem.size(), 0.0);
  for (const auto& c : problem.contacts) problem.push(c, c.percussion, push);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    double z = 0;
    for (std::size_t k = 0; k < problem.size(); ++k)
      z += problem.Y[i * problem.size() + k] * push[k];
    EXPECT_NEAR(z, problem.z[i], 1e-10);
  }
  for (const auto& c : problem.contacts)
    EXPECT_LT(law.residual(c.W, velocity_of(problem, c), c.percussion), most);
}

TEST(DenseContacts, OfASlabOnFourPointsBearItsWeightAndStick) {
  const AnyLaw law = Coulomb{0.5};
  DenseContacts problem = slabs(law, 1, 0);
  for (auto& c : problem.contacts) c.velocity = {-1, 0.2, 0.1};
  double largest = 0;
  problem.solve(true, largest);
  expect_laws_obeyed(problem, Coulomb{0.5}, 1e-8);
  Vec3 sum;
  for (const auto& c : problem.contacts) sum += c.percussion;
  EXPECT_NEAR(sum.x, 2, 1e-7);
  EXPECT_NEAR(sum.y, -0.4, 1e-7);
  EXPECT_NEAR(sum.z, -0.2, 1e-7);
}

TEST(DenseContacts, OfASlabThatSlidesHaveFrictionAgainstIt) {
  const AnyLaw law = Coulomb{0.3};
  DenseContacts problem = slabs(law, 1, 0);
  for (auto& c : problem.contacts) c.velocity = {-1, 3, 0};
  double largest = 0;
  problem.solve(true, largest);
  expect_laws_obeyed(problem, Coulomb{0.3}, 1e-8);
  Vec3 sum;
  for (const auto& c : problem.contacts) sum += c.percussion;
  // What it takes to stop 2 kg that fall at 1 m/s, and 0.3 of it against the slip.
  EXPECT_NEAR(sum.x, 2, 1e-7);
  EXPECT_NEAR(sum.y, -0.6, 1e-7);
}

TEST(DenseContacts, OfSlabsThatAnswerEachOtherObeyTheirLaws) {
  const AnyLaw law = Coulomb{0.4};
  for (const double coupling : {0.3, -0.5, 0.9}) {
    DenseContacts problem = slabs(law, 2, coupling);
    for (std::size_t k = 0; k < problem.contacts.size(); ++k)
      problem.contacts[k].velocity = k < 4 ? Vec3{-1, 0.5, 0.1} : Vec3{-0.3, -0.8, 0};
    double largest = 0;
    problem.solve(true, largest);
    expect_laws_obeyed(problem, Coulomb{0.4}, 1e-7);
  }
}

}  // namespace
}  // namespace scree

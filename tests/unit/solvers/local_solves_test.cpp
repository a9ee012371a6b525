#include "solvers/kernels/local_solves.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "scree/math/random.hpp"
#include "unit/laws/oracle.hpp"
#include "unit/solvers/random_chain.hpp"

namespace scree {
namespace {

using namespace kernels;
using test::random_vector;

/// |residual| / |q| up to which an answer is exact [-].
constexpr double kExact = 1e-12;
constexpr int kBatches = 5000;

struct Batch {
  double W[6][kLocalBatch], q[3][kLocalBatch], warm[3][kLocalBatch];

  SymMat3 block(int k) const { return {W[0][k], W[1][k], W[2][k], W[3][k], W[4][k], W[5][k]}; }
  Vec3 velocity(int k) const { return {q[0][k], q[1][k], q[2][k]}; }
  Vec3 start(int k) const { return {warm[0][k], warm[1][k], warm[2][k]}; }

  void put(int k, const SymMat3& w, const Vec3& v, const Vec3& r) {
    const double entries[6] = {w.xx, w.xy, w.xz, w.yy, w.yz, w.zz};
    for (int j = 0; j < 6; ++j) W[j][k] = entries[j];
    for (int j = 0; j < 3; ++j) q[j][k] = v[j], warm[j][k] = r[j];
  }
};

struct Answer {
  double r[3][kLocalBatch];

  Vec3 at(int k) const { return {r[0][k], r[1][k], r[2][k]}; }
};

Answer solve(const LocalSolves& lanes, const AnyLaw& law, const Batch& batch) {
  Answer answer;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < kLocalBatch; ++k) answer.r[j][k] = batch.warm[j][k];
  lanes.solve(law, batch.W, batch.q, answer.r, 1);
  return answer;
}

bool same_bits(const Vec3& a, const Vec3& b) {
  for (int j = 0; j < 3; ++j)
    if (std::bit_cast<std::uint64_t>(a[j]) != std::bit_cast<std::uint64_t>(b[j])) return false;
  return true;
}

/// W of a condition number up to 1e4, or of two spheres.
SymMat3 random_delassus(RandomStream& random) {
  if (random.uniform() < 0.2) return diagonal(1, 3.5, 3.5);
  return test::random_block(random, std::pow(10, random.uniform(0, 4)));
}

/// q of a contact that separates, sticks or slides under Coulomb's law, one as likely as the
/// others; `r` is an answer.
Vec3 random_velocity(RandomStream& random, const SymMat3& W, double mu, Vec3& r) {
  const double angle = random.uniform(0, 6.3), kind = random.uniform(0, 3);
  r = {};
  if (kind < 1) {
    const Vec3 v = random_vector(random);
    return {std::abs(v.x), v.y, v.z};
  }
  const double depth = kind < 2 ? random.uniform() : 1, normal = std::exp(random.normal());
  r = {normal, mu * depth * normal * std::cos(angle), mu * depth * normal * std::sin(angle)};
  const double slip = kind < 2 ? 0 : std::exp(random.normal());
  return Vec3{0, -slip * std::cos(angle), -slip * std::sin(angle)} - W * r;
}

/// Warm starts are near an answer, zero, or of no use.
Vec3 random_start(RandomStream& random, const Vec3& r) {
  const double kind = random.uniform(0, 3);
  if (kind < 1) return r + 0.01 * norm(r) * random_vector(random);
  return kind < 2 ? Vec3{} : random_vector(random);
}

Batch random_batch(RandomStream& random, double mu) {
  Batch batch;
  for (int k = 0; k < kLocalBatch; ++k) {
    const SymMat3 W = random_delassus(random);
    Vec3 r;
    const Vec3 q = random_velocity(random, W, mu, r);
    batch.put(k, W, q, random_start(random, r));
  }
  return batch;
}

/// Laws whose μ is drawn anew for each batch: zero, or up to 3.
template <class Law>
Law random_law(RandomStream& random) {
  Law law{};
  if constexpr (requires { law.mu; }) law.mu = random.uniform() < 0.05 ? 0 : random.uniform(0, 3);
  if constexpr (requires { law.collides; }) law.collides = random.uniform() < 0.5;
  if constexpr (requires { law.facets; }) law.facets = 4 + static_cast<int>(random.uniform(0, 13));
  return law;
}

template <class Law>
class LocalSolvesOf : public testing::Test {
 protected:
  RandomStream random_{7, 0};
};
using EveryLaw = testing::Types<Frictionless, Coulomb, MaxDissipation, ConeComplementarity,
                                Polyhedral, ImpactDissipation>;
TYPED_TEST_SUITE(LocalSolvesOf, EveryLaw);

TYPED_TEST(LocalSolvesOf, ObeyTheLawWhereverItsScalarSolverDoes) {
  const LocalSolves& lanes = local_solves_of(widest_instruction_set());
  for (int trial = 0; trial < kBatches; ++trial) {
    const TypeParam law = random_law<TypeParam>(this->random_);
    const Batch batch = random_batch(this->random_, friction_coefficient(law));
    const Answer answer = solve(lanes, law, batch);
    for (int k = 0; k < kLocalBatch; ++k) {
      const SymMat3 W = batch.block(k);
      const Vec3 q = batch.velocity(k), r = answer.at(k);
      Vec3 expected = batch.start(k);
      law.solve(W, q, expected);
      const double limit =
          std::max(kExact * norm(q), norm(law.residual(W, W * expected + q, expected)));
      ASSERT_LE(norm(law.residual(W, W * r + q, r)), limit) << "batch " << trial << ", lane " << k;
    }
  }
}

TYPED_TEST(LocalSolvesOf, HaveTheSameBitsOnEveryInstructionSet) {
  for (int trial = 0; trial < kBatches; ++trial) {
    const TypeParam law = random_law<TypeParam>(this->random_);
    const Batch batch = random_batch(this->random_, friction_coefficient(law));
    const Answer expected = solve(scalar_local_solves, law, batch);
    for (const InstructionSet set : instruction_sets()) {
      const Answer answer = solve(local_solves_of(set), law, batch);
      for (int k = 0; k < kLocalBatch; ++k)
        ASSERT_TRUE(same_bits(answer.at(k), expected.at(k)))
            << name(set) << ", batch " << trial << ", lane " << k;
    }
  }
}

TYPED_TEST(LocalSolvesOf, DoNotDependOnTheLanesBeside) {
  const LocalSolves& lanes = local_solves_of(widest_instruction_set());
  for (int trial = 0; trial < kBatches / 20; ++trial) {
    const TypeParam law = random_law<TypeParam>(this->random_);
    const Batch batch = random_batch(this->random_, friction_coefficient(law));
    const Answer expected = solve(lanes, law, batch);
    for (int k = 0; k < kLocalBatch; ++k) {
      Batch others = random_batch(this->random_, friction_coefficient(law));
      const int place = (k + trial) % kLocalBatch;
      others.put(place, batch.block(k), batch.velocity(k), batch.start(k));
      ASSERT_TRUE(same_bits(solve(lanes, law, others).at(place), expected.at(k)))
          << "batch " << trial << ", lane " << k;
    }
  }
}

TYPED_TEST(LocalSolvesOf, LeaveProblemsThatAreNoneToTheScalarSolver) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinite = std::numeric_limits<double>::infinity();
  const SymMat3 sound{1, 0.1, 0.1, 2, 0.1, 2};
  const Vec3 closing{-1, 0.5, 0.2};
  struct Case {
    SymMat3 W;
    Vec3 q, warm;
  };
  const Case cases[] = {{{nan, 0, 0, 1, 0, 1}, closing, {}},
                        {{1, nan, 0, 1, 0, 1}, closing, {}},
                        {{1, 0, 0, infinite, 0, 1}, closing, {}},
                        {{1, 2, 0, 1, 0, 1}, closing, {}},
                        {{1, 1, 0, 1, 0, 1}, closing, {}},
                        {{0, 0, 0, 0, 0, 0}, closing, {}},
                        {{-1, 0, 0, 1, 0, 1}, closing, {}},
                        {sound, {nan, 0, 0}, {}},
                        {sound, {-1, nan, 0}, {}},
                        {sound, {-infinite, 0, 1}, {}},
                        {sound, {-1e-200, 1e-200, 0}, {}},
                        {sound, {-1e200, 1e200, 0}, {}},
                        {{1e-200, 0, 0, 1e-200, 0, 1e-200}, closing, {}}};
  for (const InstructionSet set : instruction_sets())
    for (const Case& c : cases)
      for (int k = 0; k < kLocalBatch; ++k) {
        const TypeParam law = random_law<TypeParam>(this->random_);
        Batch batch = random_batch(this->random_, friction_coefficient(law));
        const Answer before = solve(local_solves_of(set), law, batch);
        batch.put(k, c.W, c.q, c.warm);
        const Answer answer = solve(local_solves_of(set), law, batch);
        Vec3 expected = c.warm;
        law.solve(c.W, c.q, expected);
        EXPECT_TRUE(same_bits(answer.at(k), expected)) << name(set) << ", case " << &c - cases;
        for (int other = 0; other < kLocalBatch; ++other)
          if (other != k) EXPECT_TRUE(same_bits(answer.at(other), before.at(other)));
      }
}

TYPED_TEST(LocalSolvesOf, TakeWarmStartsThatAreNoNumbersForNone) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinite = std::numeric_limits<double>::infinity();
  const LocalSolves& lanes = local_solves_of(widest_instruction_set());
  for (const Vec3& warm :
       {Vec3{nan, nan, nan}, Vec3{1, infinite, 0}, Vec3{1, 1e300, -1e300}, Vec3{1, 1e-300, 0}})
    for (int trial = 0; trial < 20; ++trial) {
      const TypeParam law = random_law<TypeParam>(this->random_);
      Batch batch = random_batch(this->random_, friction_coefficient(law));
      for (int k = 0; k < kLocalBatch; ++k) batch.put(k, batch.block(k), batch.velocity(k), warm);
      const Answer answer = solve(lanes, law, batch);
      for (int k = 0; k < kLocalBatch; ++k) {
        const SymMat3 W = batch.block(k);
        const Vec3 q = batch.velocity(k), r = answer.at(k);
        Vec3 expected;
        law.solve(W, q, expected);
        const double limit =
            std::max(kExact * norm(q), norm(law.residual(W, W * expected + q, expected)));
        EXPECT_LE(norm(law.residual(W, W * r + q, r)), limit);
      }
    }
}

TEST(LocalSolves, TakeTheNearestOfSeveralSolutionsByContinuity) {
  RandomStream random{8, 0};
  int several = 0;
  for (int trial = 0; trial < kBatches / 10; ++trial) {
    const Coulomb law{random.uniform(0, 3), Coulomb::Choice::continuity};
    const Batch batch = random_batch(random, law.mu);
    const Answer answer = solve(local_solves_of(widest_instruction_set()), law, batch);
    for (int k = 0; k < kLocalBatch; ++k) {
      Vec3 expected = batch.start(k);
      law.solve(batch.block(k), batch.velocity(k), expected);
      several += law.solve_all(batch.block(k), batch.velocity(k)).count > 1;
      EXPECT_LE(norm(answer.at(k) - expected), 1e-6 * norm(expected)) << trial;
    }
  }
  EXPECT_GT(several, 100);
}

}  // namespace
}  // namespace scree

#include "scree/analysis/contact_stress.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "unit/analysis/lattices.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

void expect_diagonal(const Tensor& found, const Vec3& diagonal, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 row;
    row[static_cast<int>(i)] = diagonal[static_cast<int>(i)];
    EXPECT_NEAR(norm(found[i] - row), 0, tolerance) << "row " << i;
  }
}

TEST(ContactStress, OfTwoPressedSpheresIsForceTimesDistanceOverVolume) {
  // 5 N along z over a branch of 2 m in 4 × 4 × 4 m.
  const double h = 1e-3;
  Bodies bodies = spheres_at({{2, 2, 1}, {2, 2, 3}}, 1);
  bodies.id[0] = {7}, bodies.id[1] = {3};  // not in order, and A is the upper one
  const std::vector contacts{
      ContactRecord{{3}, {7}, {2, 2, 2}, {0, 0, -1}, {0, 0, -5 * h}, 0, 0, ContactClass::sticking}};
  const ContactStress s = contact_stress(bodies, contacts, h, {{0, 0, 0}, {4, 4, 4}});
  expect_diagonal(s.stress, {0, 0, 10.0 / 64}, 1e-14);
  EXPECT_NEAR(s.pressure(), 10.0 / 64 / 3, 1e-14);
  EXPECT_EQ(s.contacts, 1U);
  EXPECT_EQ(s.fabric, diagonal(0, 0, 1));
}

TEST(ContactStress, OfSpheresPressedAcrossABorderIsThatInTheMiddle) {
  const Region all{{-4, -4, -4}, {4, 4, 4}};
  const std::vector contacts{
      ContactRecord{{0}, {1}, {0, 0, 1}, {0, 0, 1}, {0.5, 0, 2}, 0, 0, ContactClass::sticking}};
  const ContactStress s = contact_stress(spheres_at({{0, 0, 0}, {0, 0, 2}}, 1), contacts, 1, all);
  const ContactStress across = contact_stress(spheres_at({{0, 0, 0}, {0, 0, -7}}, 1), contacts, 1,
                                              all, Domain(Vec3{0, 0, 9}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(s.stress[i], across.stress[i]);
  EXPECT_EQ(across.contacts, 1U);
}

TEST(ContactStress, HasShearWhereForcesAreNotAlongTheBranch) {
  const Bodies bodies = spheres_at({{2, 2, 1}, {2, 2, 3}}, 1);
  const std::vector contacts{
      ContactRecord{{0}, {1}, {2, 2, 2}, {0, 0, 1}, {0.5, 0, 2}, 0, 0, ContactClass::sliding}};
  const ContactStress s = contact_stress(bodies, contacts, 1, {{0, 0, 0}, {4, 4, 4}});
  EXPECT_EQ(s.stress[2], (Vec3{2 * 0.5 / 64, 0, 2 * 2.0 / 64}));
  EXPECT_EQ(s.stress[0], Vec3{});
}

TEST(ContactStress, OfALatticeUnderUniformCompressionIsThatOfTheWalls) {
  // Each contact along z carries the force on one wall's square of 1 m²: the stress is that force,
  // in any region inside.
  const Vec3 impulse{2, 3, 5};
  const int n = 6;
  const auto contacts = contacts_of_cube(n, Walls::all, impulse);
  const Bodies bodies = spheres_at(simple_cubic(n, 1, {}), 0.5);
  const Region whole{{-0.5, -0.5, -0.5}, {n - 0.5, n - 0.5, n - 0.5}};
  expect_diagonal(contact_stress(bodies, contacts, 1, whole).stress, impulse, 1e-13);
  EXPECT_NEAR(contact_stress(bodies, contacts, 1, whole).pressure(), 10.0 / 3, 1e-13);
  // Also where faces cut branches anywhere.
  const Region inside{{0.25, 0.7, 0.51}, {3.25, 2.7, 4.51}};
  const ContactStress s = contact_stress(bodies, contacts, 0.5, inside);
  expect_diagonal(s.stress, 2 * impulse, 1e-12);
  EXPECT_NEAR(s.fabric.trace(), 1, 1e-14);
  const double third = 1.0 / 3;
  const ContactStress cubic = contact_stress(bodies, contacts, 1, {{0, 0, 0}, {4, 4, 4}});
  EXPECT_NEAR(norm(cubic.fabric * Vec3{1, 1, 1} - Vec3{third, third, third}), 0, 1e-14);
}

TEST(ContactStress, OfTheCellsOfAGridAddsUpToThatOfTheWhole) {
  const std::uint64_t seed = 5;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  const Bodies bodies = spheres_at(face_centred_cubic(2, 1, {}), 0.5);
  std::vector<ContactRecord> contacts;
  const auto vector = [&] { return Vec3{random.normal(), random.normal(), random.normal()}; };
  for (std::uint64_t k = 0; k < 200; ++k) {
    const BodyId a{random.next_bits() % 32},
        b = k % 5 == 0 ? obstacle_id(0) : BodyId{random.next_bits() % 32};
    contacts.push_back({a, b, vector(), {1, 0, 0}, vector(), 0, 0, ContactClass::sliding});
  }
  const Grid grid{{{-4, -4, -4}, {6, 5, 4}}, {3, 5, 4}};
  Tensor sum{};
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const Tensor cell = contact_stress(bodies, contacts, 1, grid.cell(k)).stress;
    for (std::size_t i = 0; i < 3; ++i) sum[i] += cell[i] / static_cast<double>(grid.size());
  }
  const Tensor whole = contact_stress(bodies, contacts, 1, grid.region).stress;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(norm(whole[i] - sum[i]), 0, 1e-13);
}

TEST(ContactStress, HasContactsWithAWallInARegionThatEndsThere) {
  const Bodies bodies = spheres_at({{1, 1, 0.5}}, 0.5);
  for (const double rounding : {-1e-16, 0.0, 1e-16}) {
    const std::vector contacts{ContactRecord{{0},
                                             obstacle_id(0),
                                             {1, 1, rounding},
                                             {0, 0, -1},
                                             {0, 0, -4},
                                             0,
                                             0,
                                             ContactClass::sticking}};
    const ContactStress s = contact_stress(bodies, contacts, 1, {{0, 0, 0}, {2, 2, 2}});
    EXPECT_EQ(s.contacts, 1U);
    expect_diagonal(s.stress, {0, 0, 0.5 * 4 / 8}, 1e-15);
  }
}

TEST(ContactStress, TakesABodyThatHasLeftForAnObstacle) {
  const Bodies bodies = spheres_at({{1, 1, 1}}, 0.5);
  const std::vector contacts{
      ContactRecord{{0}, {9}, {1, 1, 1.5}, {0, 0, 1}, {0, 0, 4}, 0, 0, ContactClass::sticking},
      ContactRecord{{8}, {9}, {1, 1, 1.5}, {0, 0, 1}, {0, 0, 4}, 0, 0, ContactClass::sticking}};
  expect_diagonal(contact_stress(bodies, contacts, 1, {{0, 0, 0}, {2, 2, 2}}).stress,
                  {0, 0, 0.5 * 4 / 8}, 1e-15);
}

TEST(ContactStress, RefusesWhatItCannotDivideBy) {
  EXPECT_THROW((void)contact_stress({}, {}, 1, {{0, 0, 0}, {1, 1, 0}}), InputError);
  EXPECT_THROW((void)contact_stress({}, {}, 0, {{0, 0, 0}, {1, 1, 1}}), InputError);
}

TEST(ForceDistribution, ComparesEachFrameWithItsOwnMean) {
  const Region region{{0, 0, 0}, {9, 9, 9}};
  const Bodies bodies = spheres_at({{8, 1, 1}, {1, 1, 1}, {1, 2, 1}, {2, 2, 1}, {1, 2, 2}}, 0.5);
  ForceDistribution forces(2, 4);
  // Mean 2: 0.5, 1 and 1.5 times it; what separates, lies outside or joins nobody does not count.
  forces.add(bodies,
             std::vector{contact_between({1}, {2}, 1, ContactClass::sticking),
                         contact_between({1}, {3}, 2, ContactClass::sticking),
                         contact_between({2}, {3}, 3, ContactClass::sticking),
                         contact_between({2}, {4}, 0, ContactClass::separating),
                         contact_between({8}, {9}, 5, ContactClass::sticking)},
             region);
  const std::vector large{contact_between({1}, {2}, 1e6, ContactClass::sticking)};
  forces.add(bodies, large, region);
  forces.add(bodies, large, {{0, 0, 0}, {1, 1, 1}});
  forces.add(bodies, {}, region);
  EXPECT_EQ(forces.contacts(), 4U);
  const auto bins = forces.bins();
  ASSERT_EQ(bins.size(), 4U);
  const std::uint64_t count[] = {0, 1, 2, 1};
  double integral = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(bins[k].count, count[k]);
    EXPECT_DOUBLE_EQ(bins[k].lower, 0.5 * static_cast<double>(k));
    integral += bins[k].density * (bins[k].upper - bins[k].lower);
  }
  EXPECT_DOUBLE_EQ(integral, 1);
}

TEST(ForceDistribution, OfExponentialForcesIsExponential) {
  const std::uint64_t seed = 17;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  std::vector<ContactRecord> contacts;
  for (int k = 0; k < 100000; ++k)
    contacts.push_back(
        contact_between({1}, {2}, -3 * std::log(1 - random.uniform()), ContactClass::sticking));
  ForceDistribution forces(5, 10);
  forces.add(spheres_at(simple_cubic(2, 1, {}), 0.5), contacts, {{0, 0, 0}, {9, 9, 9}});
  for (const auto& bin : forces.bins()) {
    const double share = std::exp(-bin.lower) - std::exp(-bin.upper);
    // Five standard deviations of the count, and of the mean that it is compared with.
    EXPECT_NEAR(bin.density, share / 0.5,
                5 * std::sqrt(share / 100000) / 0.5 + 5 / std::sqrt(100000) * bin.upper * share);
  }
}

TEST(ForceDistribution, RefusesARangeOfNothing) {
  EXPECT_THROW(ForceDistribution(0, 4), InputError);
  EXPECT_THROW(ForceDistribution(1, 0), InputError);
}

}  // namespace
}  // namespace scree

/// Sums over frames can be saved and continued.
#include <gtest/gtest.h>

#include "scree/analysis/coarse_fields.hpp"
#include "scree/analysis/contact_stress.hpp"
#include "scree/analysis/pair_distribution.hpp"
#include "scree/analysis/velocity_profile.hpp"
#include "scree/core/error.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

const Region kRegion{{0, 0, 0}, {4, 4, 4}};

Bodies moving_lattice(double shift) {
  Bodies bodies = spheres_at(simple_cubic(4, 1, {0.5 - shift, 0.5, 0.5}), 0.5);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.velocity[i] = {0.1 * static_cast<double>(i), shift, 1.0 / 3};
    bodies.angular_velocity[i] = {shift, 0.7, 1};
  }
  return bodies;
}

/// Adds the first frame, continues from the tally with the second, and compares with sums that were
/// never put aside.
template <class Sums, class Add>
void expect_goes_on(const Sums& empty, const Add& add, const Sums& other_shape) {
  Sums whole = empty, first = empty, second = empty;
  add(whole, 0.0), add(whole, 0.2);
  add(first, 0.0);
  second.restore(first.tally());
  EXPECT_EQ(second.tally(), first.tally());
  add(second, 0.2);
  EXPECT_EQ(second.tally(), whole.tally());
  EXPECT_NE(second.tally(), first.tally());
  Sums other = other_shape;
  EXPECT_THROW(other.restore(whole.tally()), InputError);
  EXPECT_THROW(other.restore({}), InputError);
}

TEST(Tally, OfAVelocityProfileHoldsAllOfIt) {
  expect_goes_on(
      VelocityProfile({kRegion, {2, 1, 3}}),
      [](auto& sums, double t) { sums.add(moving_lattice(t), kSpheres); },
      VelocityProfile({kRegion, {2, 2, 3}}));
}

TEST(Tally, OfAPairDistributionHoldsAllOfIt) {
  expect_goes_on(
      PairDistribution(kRegion, 3, 20),
      [](auto& sums, double t) { sums.add(moving_lattice(t).position); },
      PairDistribution(kRegion, 3, 21));
}

TEST(Tally, OfFieldsHoldsAllOfIt) {
  const auto add = [](auto& sums, double t) {
    sums.add(moving_lattice(t));
    sums.add_contacts(moving_lattice(t), contacts_of_cube(4, Walls::none, {1 + t, 2, 3}), 1);
  };
  expect_goes_on(CoarseFields({kRegion, {2, 1, 3}}, 0.7), add,
                 CoarseFields({kRegion, {2, 2, 3}}, 0.7));
}

TEST(Tally, OfADistributionOfForcesHoldsAllOfIt) {
  const auto add = [](auto& sums, double t) {
    sums.add(moving_lattice(0), contacts_of_cube(4, Walls::none, {1 + t, 2, 3}), kRegion);
  };
  expect_goes_on(ForceDistribution(10, 20), add, ForceDistribution(10, 21));
}

}  // namespace
}  // namespace scree

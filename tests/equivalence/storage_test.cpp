#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// The same state with bodies, and pairs with what they remember, stored in another order; every
/// other pair of bodies is owned by the other body.
State stored_otherwise(const State& state) {
  const std::size_t n = state.bodies.size();
  State turned = state;
  turned.bodies = {};
  for (std::size_t i = n; i-- > 0;) turned.bodies.push_back(state.bodies[i]);
  const Neighbours& old = state.neighbours;
  Neighbours& list = turned.neighbours;
  std::ranges::reverse(list.skin);
  const auto moved = [&](BodyIndex i) { return static_cast<BodyIndex>(n - 1 - i); };
  struct Entry {
    BodyPair pair;
    std::size_t before;
  };
  std::vector<Entry> entries;
  for (std::size_t p = 0; p < old.pairs.size(); ++p) {
    const auto [owner, other] = old.pairs[p];
    const bool obstacle = other & Neighbours::kObstacle;
    const BodyPair pair{moved(owner), obstacle ? other : moved(other)};
    entries.push_back({!obstacle && p % 2 ? BodyPair{pair.other, pair.owner} : pair, p});
  }
  std::ranges::reverse(entries);
  // Those that were added stay behind the others.
  const std::ptrdiff_t grouped = old.first.back();
  const auto is_grouped = [&](const Entry& e) { return std::cmp_less(e.before, grouped); };
  std::stable_partition(entries.begin(), entries.end(), is_grouped);
  std::stable_sort(entries.begin(), entries.begin() + grouped,
                   [](const Entry& a, const Entry& b) { return a.pair.owner < b.pair.owner; });
  list.pairs.clear(), list.impulse.clear(), list.feature.clear();
  list.first.assign(n + 1, 0);
  if (!list.first_place.empty()) list.first_place = {0};
  for (const Entry& entry : entries) {
    list.pairs.push_back(entry.pair);
    if (is_grouped(entry)) ++list.first[entry.pair.owner + 1];
    const auto [begin, end] = old.places(entry.before);
    for (std::size_t place = end; place-- > begin;) {
      list.impulse.push_back(old.impulse[place]);
      if (!old.feature.empty()) list.feature.push_back(old.feature[place]);
    }
    if (!list.first_place.empty())
      list.first_place.push_back(static_cast<std::uint32_t>(list.feature.size()));
  }
  for (std::size_t i = 0; i < n; ++i) list.first[i + 1] += list.first[i];
  return turned;
}

/// Steps both.
void expect_the_same_bits(const World& world, int steps = 300) {
  Simulation one = world.simulation();
  for (int k = 0; k < 150; ++k) one.step();
  ASSERT_GT(one.report().contacts, 100);
  Simulation other(one.model(), stored_otherwise(one.state()), 2);
  ASSERT_EQ(state_hash(other.state()), state_hash(one.state()));
  int rebuilt = 0, extended = 0;
  for (int k = 0; k < steps; ++k) {
    const Report &a = one.step(), &b = other.step();
    rebuilt += a.neighbours_rebuilt;
    extended += a.neighbours_extended;
    if (a.neighbours_extended && extended == 3)
      other = Simulation(one.model(), stored_otherwise(other.state()), 2);
    ASSERT_EQ(a.residual, b.residual) << k;
    ASSERT_EQ(a.sweeps, b.sweeps) << k;
    ASSERT_EQ(a.kinetic_energy, b.kinetic_energy) << k;
    ASSERT_EQ(a.dissipated_energy, b.dissipated_energy) << k;
    ASSERT_EQ(state_hash(other.state()), state_hash(one.state())) << k;
  }
  EXPECT_GT(rebuilt, 2);
  EXPECT_GT(extended, 2);
}

TEST(Storage, OfSpheresInAnotherOrderLeavesEveryBit) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::energetic}) {
    World world = random_pile(300, coulomb(0.4, 0.2), 5e-4, 21);
    world.model.step.impacts = law;
    world.model.obstacles[0].motion = [](double t) {
      return Twist{{0, 0, t < 0.1 ? 0.1 : -0.1}, {}};
    };
    expect_the_same_bits(world);
  }
}

TEST(Storage, OfAcceleratedSpheresInAnotherOrderLeavesEveryBit) {
  World world = random_pile(300, coulomb(0.4), 5e-4, 22);
  world.model.solver.acceleration = Acceleration::nesterov;
  expect_the_same_bits(world);
}

TEST(Storage, OfBoxesInAnotherOrderLeavesEveryBit) {
  World world = random_boxes(120, coulomb(0.4), 5e-4, 23);
  world.model.obstacles[0].motion = [](double t) {
    return Twist{{0, 0, t < 0.1 ? 0.1 : -0.1}, {}};
  };
  expect_the_same_bits(world);
}

/// Holds two bodies together at the middle between them, with a frame along x.
Joint joint_between(const World& world, JointKind kind, std::size_t a, std::size_t b) {
  const Body &one = world.bodies[a], &other = world.bodies[b];
  const Vec3 at = 0.5 * (one.position + other.position);
  const Quaternion turn = rotation_between({0, 0, 1}, {1, 0, 0});
  const auto end = [&](const Body& body) {
    return JointEnd{body.id,
                    {rotate_back(body.orientation, at - body.position),
                     normalised(conjugate(body.orientation) * turn)}};
  };
  Joint joint{.name = "joint " + std::to_string(a), .kind = kind};
  joint.a = end(one);
  joint.b = end(other);
  return joint;
}

TEST(Storage, OfJointedBoxesInAnotherOrderLeavesEveryBit) {
  World world = random_boxes(80, coulomb(0.4), 5e-4, 24);
  world.model.obstacles[0].motion = [](double t) {
    return Twist{{0, 0, t < 0.1 ? 0.1 : -0.1}, {}};
  };
  // A tree of the lowest, with more contacts with the floor than one island takes; short chains of
  // those above.
  for (std::size_t k = 1; k < 50; ++k) {
    if (k > 32 && k % 3 == 0) continue;
    world.model.joints.push_back(
        joint_between(world, k % 2 ? JointKind::revolute : JointKind::spherical, k - 1, k));
    if (k % 4 != 1) continue;
    world.model.joints.back().drives = {{.lower = -1,
                                         .upper = 1,
                                         .motor = {.kind = Motor::Kind::position,
                                                   .target = [](double t) { return 5 * t; },
                                                   .max = 1e-5},
                                         .friction = 1e-6}};
  }
  expect_the_same_bits(world, 40);
}

}  // namespace
}  // namespace scree

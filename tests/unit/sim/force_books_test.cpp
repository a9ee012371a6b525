// Where the energy of compliant contacts goes, law by law.
#include <gtest/gtest.h>

#include "scree/sim/force_laws.hpp"
#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double ForceEnergy::*kTerms[] = {
    &ForceEnergy::elastic_normal, &ForceEnergy::elastic_shear, &ForceEnergy::elastic_moment,
    &ForceEnergy::damped,         &ForceEnergy::slid,          &ForceEnergy::rolled};

ForceEnergy sum_of(const std::vector<ForceBooks>& books) {
  ForceEnergy sum;
  for (const ForceBooks& of_law : books) sum += of_law.energy;
  return sum;
}

void expect_same(const ForceEnergy& a, const ForceEnergy& b, double max_value, const char* what) {
  for (const auto term : kTerms) EXPECT_NEAR(a.*term, b.*term, max_value) << what;
}

/// Three materials, and a compliant law of its own for each pair of them but one, which is rigid.
void give_laws(World& world) {
  PairLaw rolls = linear_law(1e4, 3e3, 0.4, 0.5);
  rolls.rolling_friction = 2e-4;
  rolls.spinning_friction = 1e-4;
  PairLaw hertz = hertz_law(0.3, 0.6);
  hertz.force.k_n = 1e7;
  hertz.force.k_t = 1e7;
  PairLaw sticky = linear_law(2e4, 5e3, 0.6, 0.3);
  sticky.cohesion = 1e-3;
  world.model.materials = {{"stone", 1000}, {"rubber", 1000}, {"clay", 1000}};
  world.model.laws = LawTable(3, rolls);
  world.model.laws.assign(0, 1, hertz);
  world.model.laws.assign(1, 1, sticky);
  world.model.laws.assign(2, 2, coulomb(0.4, 0.3));
  for (std::size_t k = 0; k < world.bodies.size(); ++k)
    world.bodies[k].material = static_cast<MaterialId>(k % 3);
}

/// Grains, of which some are boxes, and a plate of the first material that turns and lifts.
World pile_of_laws(bool boxes) {
  constexpr double kStep = 5e-5;
  const PairLaw any = linear_law(1e4, 3e3, 0.4, 0.5);
  World world = boxes ? random_boxes(30, any, kStep, 3) : random_pile(60, any, kStep, 3);
  give_laws(world);
  world.obstacle(Box{{0.02, 0.02, 0.002}}, {{0.02, 0.02, 0.004}, {}}, [](double t) {
    return Twist{{0, 0, 0.1 * std::cos(20 * t)}, {0, 0, 2}};
  });
  return world;
}

TEST(ForceBooks, OfAllLawsSumUpToTheTotals) {
  for (const bool boxes : {false, true}) {
    Simulation simulation = pile_of_laws(boxes).simulation();
    for (int k = 0; k < 3000; ++k) {
      const Report& report = simulation.step();
      const ForceEnergy& all = report.force_energy;
      const double size = all.elastic() + all.dissipated() + 1e-9;
      expect_same(sum_of(simulation.state().force_books), all, 1e-10 * size, "sum");
      if (testing::Test::HasFailure()) FAIL() << "step " << k << (boxes ? " of boxes" : "");
    }
    const auto& books = simulation.state().force_books;
    ASSERT_EQ(books.size(), 3u);
    for (const ForceBooks& of_law : books) {
      EXPECT_GT(of_law.energy.damped, 0);
      EXPECT_GT(of_law.energy.slid, 0);
    }
    EXPECT_GT(books[0].energy.rolled, 0) << "the law with moments";
    EXPECT_EQ(books[1].energy.rolled, 0);
    EXPECT_EQ(books[2].energy.rolled, 0);
  }
}

/// A ball of a material that falls on a floor with its own law, at x.
World ball_on_floor(std::initializer_list<MaterialId> balls) {
  World world(linear_law(1e4, 3e3, 0.4, 0.9), 2e-5);
  world.model.materials = {{"floor", 1000}, {"lively", 1000}, {"dull", 1000}};
  world.model.laws = LawTable(3, linear_law(1e4, 3e3, 0.4, 0.9));
  world.model.laws.assign(0, 2, linear_law(2e4, 3e3, 0.2, 0.3));
  world.half_space({0, 0, 0}, {0, 0, 1});
  for (const MaterialId material : balls)
    world.sphere({0.1 * material, 0, 0.02}, 0.01, {0.4, 0, -0.5}, {0, -3, 0}).material = material;
  return world;
}

TEST(ForceBooks, OfEachLawAreWhatItsOwnContactsDo) {
  Simulation both = ball_on_floor({1, 2}).simulation(), lively = ball_on_floor({1}).simulation(),
             dull = ball_on_floor({2}).simulation();
  for (int k = 0; k < 20000; ++k)
    for (Simulation* simulation : {&both, &lively, &dull}) simulation->step();
  const auto& books = both.state().force_books;
  ASSERT_EQ(books.size(), 2u);
  const ForceEnergy &first = lively.report().force_energy, &second = dull.report().force_energy;
  expect_same(books[0].energy, first, 1e-12 * first.dissipated(), "lively");
  expect_same(books[1].energy, second, 1e-12 * second.dissipated(), "dull");
  EXPECT_GT(second.damped, first.damped);
}

/// Many small grains of a fourth material, apart from all else on a table of their own: most
/// contacts are theirs.
void add_crowd(World& world) {
  constexpr double kRadius = 5e-4, kHeight = 1;
  constexpr MaterialId kCrowd = 3;
  const LawTable laws = world.model.laws;
  world.model.materials.push_back({"crowd", 1000});
  world.model.laws = LawTable(4, linear_law(10, 3, 0.3, 0.7));
  for (MaterialId a = 0; a < kCrowd; ++a)
    for (MaterialId b = 0; b < kCrowd; ++b) world.model.laws.assign(a, b, laws(a, b));
  world.obstacle(Box{{0.02, 0.02, 0.002}}, {{0.02, 0.02, kHeight}, {}});
  for (int k = 0; k < 400; ++k)
    world
        .sphere({0.002 + 0.0018 * (k % 20), 0.002 + 0.0018 * (k / 20), kHeight + 0.002 + kRadius},
                kRadius, {0.01, 0, -0.01})
        .material = kCrowd;
}

TEST(ForceBooks, OfALawAreTheSameWhicheverHasMostContacts) {
  for (const bool boxes : {false, true}) {
    World few = pile_of_laws(boxes);
    few.model.laws.assign(2, 2, few.model.laws(0, 0));  // a solve has a tolerance of its own
    World many = few;
    add_crowd(many);
    Simulation alone = few.simulation(), beside = many.simulation();
    // Last bits differ, and grow where edges and corners meet.
    const int steps = boxes ? 200 : 600;
    for (int k = 0; k < steps; ++k) {
      alone.step();
      beside.step();
    }
    const ForceLaws of_few = force_laws_of(few.model), of_many = force_laws_of(many.model);
    const auto &books = alone.state().force_books, &same = beside.state().force_books;
    ASSERT_EQ(books.size(), 3u);
    ASSERT_EQ(same.size(), 4u);
    EXPECT_GT(same[of_many.of_pair[4 * 3 + 3]].energy.damped, 0) << "the crowd";
    for (const auto& [a, b] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 1)}) {
      const ForceEnergy &of_law = books[of_few.of_pair[3 * a + b]].energy,
                        &same_law = same[of_many.of_pair[4 * a + b]].energy;
      EXPECT_GT(of_law.damped, 0);
      expect_same(same_law, of_law, 1e-9 * (of_law.elastic() + of_law.dissipated()),
                  boxes ? "boxes" : "spheres");
    }
  }
}

TEST(ForceBooks, AreThereForTwoLawsOrMore) {
  World world = ball_on_floor({1, 2});
  world.model.laws = LawTable(3, linear_law(1e4, 3e3, 0.4, 0.9));
  EXPECT_TRUE(world.simulation().state().force_books.empty());
}

TEST(ForceBooks, GoOnToTheSameBitsFromAStateAndOnAnyThreads) {
  World world = pile_of_laws(true);
  Simulation one = world.simulation(1), many = world.simulation(3);
  for (int k = 0; k < 300; ++k) {
    one.step();
    many.step();
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(many.state()));
  EXPECT_EQ(one.state().force_books, many.state().force_books);
  Simulation again(world.model, one.state(), 2);
  for (int k = 0; k < 100; ++k) {
    one.step();
    again.step();
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
}

TEST(ForceBooks, FollowTheirPairsOfMaterialsToAnotherModel) {
  Simulation simulation = ball_on_floor({1, 2}).simulation();
  for (int k = 0; k < 5000; ++k) simulation.step();
  const std::vector<ForceBooks> before = simulation.state().force_books;
  Model model = simulation.model();
  // Two laws become three, and another one comes first.
  model.laws.assign(0, 0, linear_law(1e4, 3e3, 0.1, 0.9));
  simulation.change_model(model);
  const ForceLaws laws = force_laws_of(model);
  ASSERT_EQ(laws.numbers.size(), 3u);
  EXPECT_EQ(simulation.state().force_books[laws.of_pair[2]], before[1]);
  expect_same(sum_of(simulation.state().force_books), simulation.report().force_energy, 1e-15,
              "after the change");
  for (int k = 0; k < 100; ++k) simulation.step();
  const ForceEnergy& all = simulation.report().force_energy;
  expect_same(sum_of(simulation.state().force_books), all, 1e-12 * all.dissipated(), "later");
}

}  // namespace
}  // namespace scree

// States with altered numbers and sizes.
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include "scree/core/error.hpp"
#include "support/alterations.hpp"
#include "support/impacts.hpp"
#include "support/soft_piles.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// A model and a state with data in many fields.
struct Started {
  std::string name;
  Model model;
  State state;
};

Started after(std::string name, const World& world, int steps) {
  Simulation simulation = world.simulation();
  for (int k = 0; k < steps; ++k) simulation.step();
  return {std::move(name), world.model, simulation.state()};
}

Started pile_with_changes_by_hand() {
  PairLaw law = coulomb(0.4);
  law.rolling_friction = 5e-4;
  World world = random_pile(8, law, 1e-3, 2);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 150; ++k) simulation.step();
  simulation.move_obstacle(1, {{0.1, 0, 0}, {}});
  simulation.apply_force({3}, {0, 0, 0.1}, {1e-4, 0, 0});
  return {"spheres", world.model, simulation.state()};
}

Started sleeping_pile() {
  PairLaw law = coulomb(0.5);
  law.rolling_friction = law.spinning_friction = 1e-4;
  World world = random_pile(4, law, 1e-3, 5);
  world.model.step.sleep = true;
  Started started = after("sleepers", world, 2000);
  EXPECT_FALSE(started.state.sleep.contacts.empty());
  return started;
}

Started filled_cell() {
  World world(coulomb(0.4), 1e-3);
  world.model.domain = Domain({0.1, 0.1, 0});
  world.half_space({}, {0, 0, 1});
  world.model.fillings.push_back({.name = "hose",
                                  .min = {0, 0, 0.1},
                                  .max = {0.1, 0.1, 0.2},
                                  .number_rate = 40,
                                  .kinds = {{.low = 0.008, .high = 0.01, .density = 1000}},
                                  .velocity = {0, 0, -1}});
  return after("a filled cell", world, 200);
}

Started tied_boxes() {
  World world = random_boxes(4, coulomb(0.4), 1e-3, 3);
  Joint tie;
  tie.name = "tie";
  tie.kind = JointKind::distance;
  tie.a = {world.bodies[0].id, {}};
  tie.b = {world.bodies[1].id, {}};
  tie.length = norm(world.bodies[1].position - world.bodies[0].position);
  world.model.joints.push_back(tie);
  return after("tied boxes", world, 100);
}

std::vector<Started> all_kinds() {
  PairLaw rolling = soft();
  rolling.rolling_friction = 5e-4;
  return {pile_with_changes_by_hand(),
          sleeping_pile(),
          filled_cell(),
          tied_boxes(),
          after("soft spheres", soft_pile(8, rolling, 2), 3000),
          after("soft boxes", random_boxes(5, linear_law(1e4, 3e3, 0.4, 0.5), 1e-5, 3), 6000)};
}

/// Fields in which another number, or another size, is as good: memories may be lost, bodies may be
/// of another prototype, and names of islands are free.
bool may_differ(std::string_view field) {
  static const std::set<std::string_view> names{
      "prototype",  "fillings",    "feature",          "force_memory",  "force_moment",
      "force_held", "force_books", "applied",          "moved_by_hand", "angular_impulse",
      "calm_steps", "island",      "sleeping_contacts"};
  return names.contains(field);
}

/// True if the model refuses a state; else it makes a few steps, as any number that it takes is one
/// to go on from.
bool is_refused(const Model& model, const State& state) {
  try {
    Simulation simulation(model, state);
    for (int k = 0; k < 3; ++k) simulation.step();
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TEST(AlteredState, IsRefusedUnlessItIsAsGoodAsBefore) {
  for (const Started& started : all_kinds()) {
    std::size_t refused = 0;
    State altered = started.state;
    for_each_field(altered, [&]<class Field>(const char* name, Field& field) {
      // A bool of another value cannot be made; the reader of checkpoints refuses it.
      if constexpr (!std::is_same_v<ElementOf<Field>, bool>) {
        const Rows rows = bytes_of(field);
        for (const auto& [what, changed] : alterations(field)) {
          SCOPED_TRACE(started.name + ": " + name + ": " + what);
          set_bytes(field, changed);
          const bool is = is_refused(started.model, altered);
          EXPECT_TRUE(is || may_differ(name));
          refused += is;
          set_bytes(field, rows);
        }
      }
    });
    EXPECT_GT(refused, 400u) << started.name;
  }
}

}  // namespace
}  // namespace scree

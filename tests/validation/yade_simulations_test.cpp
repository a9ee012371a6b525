// Yade's traces of bodies that move freely, reproduced by simulations.
#include <gtest/gtest.h>

#include "support/worlds.hpp"
#include "support/yade.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kYadeStep = 1e-5, kYadeRadius = 0.005;

/// Of Yade's spheres of 2650 kg/m³.
World yades_world() {
  World world(yades_law(BranchVectors::ratcheting_free), kYadeStep);
  world.model.materials[0].density = 2650;
  return world;
}

/// A body as the first row has it. Yade's velocities are those of t − h/2, ours those of t = 0:
/// half a kick of the forces that the first row records stands between them.
void place_as_recorded(World& world, const Columns& c, const std::string& id) {
  Body& ball = world.sphere({c.at("x" + id)[0], c.at("y" + id)[0], c.at("z" + id)[0]}, kYadeRadius);
  const double inertia = 0.4 * ball.mass * kYadeRadius * kYadeRadius;
  ball.velocity = vector_of(c, "v", id, 0) +
                  kYadeStep / 2 * (vector_of(c, "f", id, 0) / ball.mass + world.model.gravity);
  ball.angular_velocity =
      vector_of(c, "w", id, 0) + kYadeStep / 2 / inertia * vector_of(c, "t", id, 0);
}

/// Largest difference of a vector, over its largest value.
class Misses {
 public:
  void add(const std::string& what, const Vec3& theirs, const Vec3& ours) {
    Miss& miss = of_[what];
    miss.largest = std::max(miss.largest, norm(theirs));
    miss.difference = std::max(miss.difference, norm(theirs - ours));
  }
  void expect_below(double fraction) const {
    for (const auto& [what, miss] : of_) {
      EXPECT_LE(miss.difference, fraction * miss.largest) << what;
      testing::Test::RecordProperty(what, std::to_string(miss.difference / miss.largest));
    }
  }

 private:
  struct Miss {
    double largest = 0, difference = 0;
  };
  std::map<std::string, Miss> of_;
};

/// Positions, velocities and contact forces of the moving bodies, whose names in the file are
/// `ids`, at every row.
void expect_reproduced(const World& world, const Columns& theirs,
                       const std::vector<std::string>& ids) {
  Simulation simulation = world.simulation();
  Misses misses;
  for (std::size_t row = 0; row < theirs.at("iter").size(); ++row) {
    while (static_cast<double>(simulation.state().step) < theirs.at("iter")[row]) simulation.step();
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const Body body = body_of(simulation, k);
      const std::string& id = ids[k];
      misses.add("x" + id,
                 {theirs.at("x" + id)[row], theirs.at("y" + id)[row], theirs.at("z" + id)[row]},
                 body.position);
      if (row == 0) continue;  // half a kick apart
      misses.add("v" + id, vector_of(theirs, "v", id, row), body.velocity);
      misses.add("w" + id, vector_of(theirs, "w", id, row), body.angular_velocity);
    }
    simulation.step();  // the forces of the row act in the step that follows it
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const Wrench wrench = simulation.contact_force({k});
      misses.add("f" + ids[k], vector_of(theirs, "f", ids[k], row), wrench.force);
      misses.add("t" + ids[k], vector_of(theirs, "t", ids[k], row), wrench.torque);
    }
  }
  misses.expect_below(1e-9);
}

TEST(YadesSimulation, OfABallThatSlidesAndThenRollsIsReproduced) {
  const Columns theirs = read_columns("ii_a_slide_roll.csv.gz");
  World world = yades_world();
  world.half_space({}, {0, 0, 1});
  place_as_recorded(world, theirs, "2");
  expect_reproduced(world, theirs, {"2"});
}

TEST(YadesSimulation, OfTwoBallsThatCollideIsReproduced) {
  const Columns theirs = read_columns("v_free_collision_agr.csv.gz");
  World world = yades_world();
  world.model.gravity = {};
  place_as_recorded(world, theirs, "1");
  place_as_recorded(world, theirs, "2");
  expect_reproduced(world, theirs, {"1", "2"});
}

TEST(YadesSimulation, OfASpinningBallThatHitsAFloorIsReproduced) {
  const Columns theirs = read_columns("ii_e_oblique_impact.csv.gz");
  World world = yades_world();
  world.half_space({}, {0, 0, 1});
  place_as_recorded(world, theirs, "2");
  expect_reproduced(world, theirs, {"2"});
}

}  // namespace
}  // namespace scree

/// Scenes that begin with the bodies of a run.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "scree/run/exit_status.hpp"
#include "scree/run/run.hpp"
#include "support/in_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRigid = "{law: coulomb, friction: 0.5}";
constexpr const char* kSoft =
    "{law: cundall_strack, k_n: 60, k_t: 30, restitution: 0.4, friction: 0.5}";

/// Everything but bodies and end of a scene: a box open at the top.
std::string world_of(const std::string& law, bool right = true) {
  return "scree: 1\nname: box\nstep: {h: 0.2 ms}\n"
         "materials: {glass: {density: 2500}}\n"
         "default_law: " +
         law +
         "\nobstacles:\n"
         "  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}\n"
         "  - half_space: {name: left, point: [0, 0, 0], normal: [1, 0, 0]}\n" +
         (right ? "  - half_space: {name: right, point: [22 mm, 0, 0], normal: [-1, 0, 0]}\n" : "");
}

constexpr const char* kSpheres =
    "  - lattice: {region: {min: [0, 0, 0], max: [22 mm, 22 mm, 24 mm]}, spacing: 6 mm, "
    "radius: 2.8 mm, jitter: [0.1, 0.1, 0.1]}\n";
constexpr const char* kMixed =
    "  - lattice: {region: {min: [0, 0, 0], max: [22 mm, 22 mm, 12 mm]}, spacing: 6 mm, "
    "radius: 2.8 mm, jitter: [0.1, 0.1, 0.1]}\n"
    "  - lattice: {region: {min: [0, 0, 12 mm], max: [22 mm, 22 mm, 24 mm]}, spacing: 6 mm, "
    "size: [5 mm, 4 mm, 4 mm], jitter: [0.1, 0.1, 0.1]}\n"
    "  - solid: {shape: {capsule: {radius: 2 mm, length: 4 mm}}, position: [8 mm, 8 mm, 30 mm]}\n";

constexpr const char* kClumps =
    "  - lattice: {region: {min: [0, 0, 0], max: [22 mm, 22 mm, 24 mm]}, spacing: 7 mm, "
    "jitter: [0.1, 0.1, 0.1], shape: {clump: ["
    "{shape: {sphere: {radius: 2 mm}}, position: [-1 mm, 0, 0]}, "
    "{shape: {box: {size: [4 mm, 3 mm, 3 mm]}}, position: [1 mm, 0, 0]}]}}\n";

/// The state that a run ends with.
struct Last : RunObserver {
  void step(const Simulation& simulation) override {
    state = simulation.state();
    energy = simulation.report().force_energy;
  }
  State state;
  ForceEnergy energy;
};

/// Compares bodies alone, by their ids.
std::uint64_t hash_of_bodies(State state) {
  state.time = 0;
  state.obstacles.clear();
  return motion_hash(state);
}

class BodiesOfARun : public InDirectory {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(directory / name) << text;
    return directory / name;
  }
  RunResult go(const fs::path& scene, const std::string& to, Last& last,
               const std::vector<std::string>& overrides = {}) {
    return run(load_scene(scene, overrides), directory / to,
               {.scene_file = scene, .overrides = overrides, .threads = 1}, last);
  }
  void fill(const std::string& law, const std::string& bodies, const std::string& until = "0.1") {
    go(write("fill.yaml", world_of(law) + "until: " + until + "\nbodies:\n" + bodies), "fill",
       filled);
  }
  std::string reported(const std::string& text) {
    try {
      load_scene(write("test.yaml", text));
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  }
  Last filled;
};

/// A run of two stages, and the same as two runs.
class TwoRuns : public BodiesOfARun,
                public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(TwoRuns, AreOneRunOfTwoStages) {
  const auto [law, bodies] = GetParam();
  fill(law, bodies);
  Last in_stages, anew;
  const std::string stages =
      "stages:\n  - {until: 0.1}\n"
      "  - {until: 0.1, gravity: [3, 0, -9.81]}\n";
  go(write("whole.yaml", world_of(law) + stages + "bodies:\n" + bodies), "whole", in_stages);
  const RunResult result =
      go(write("test.yaml",
               world_of(law) + "gravity: [3, 0, -9.81]\nuntil: 0.1\nbodies: [{from: fill}]\n"),
         "test", anew);
  EXPECT_EQ(anew.state.time, 0.1);
  EXPECT_EQ(hash_of_bodies(anew.state), hash_of_bodies(in_stages.state));
  EXPECT_NE(hash_of_bodies(anew.state), hash_of_bodies(filled.state));
  // Springs store the same energy; dissipation by friction and dashpots is counted from zero.
  EXPECT_EQ(anew.energy.elastic_normal, in_stages.energy.elastic_normal);
  EXPECT_EQ(anew.energy.elastic_shear, in_stages.energy.elastic_shear);
  const auto expect_rest = [&](double ForceEnergy::*of, double allowed) {
    const double rest = in_stages.energy.*of - filled.energy.*of;
    EXPECT_NEAR(anew.energy.*of, rest, allowed * std::abs(rest));
  };
  expect_rest(&ForceEnergy::damped, 1e-3);
  expect_rest(&ForceEnergy::slid, 1e-3);
  const EnergyBudget budget = result.summary.energy_budget();
  EXPECT_NEAR(budget.unaccounted, 0, 1e-3 * std::abs(budget.dissipated)) << budget.change;
}

TEST_P(TwoRuns, AreOneRunInWhichAPartIsTakenAway) {
  const auto [law, bodies] = GetParam();
  fill(law, bodies);
  Last in_stages, anew;
  const std::string stages = "stages: [{until: 0.1}, {until: 0.02, remove: [right]}]\n";
  go(write("whole.yaml", world_of(law) + stages + "bodies:\n" + bodies), "whole", in_stages);
  go(write("test.yaml", world_of(law, false) + "until: 0.02\nbodies: [{from: fill}]\n"), "test",
     anew);
  EXPECT_EQ(hash_of_bodies(anew.state), hash_of_bodies(in_stages.state));
}

/// A ball on a floor whose laws take no energy.
std::string ball_on_floor(const std::string& others, const std::string& bodies) {
  return "scree: 1\nallow_overlap: 1 mm\nuntil: 5 ms\nstep: {h: 20 us}\n"
         "materials: {glass: {density: 2500}}\n"
         "default_law: {law: cundall_strack, k_n: 5e3, k_t: 2e3, restitution: 1, friction: 0.5}\n"
         "obstacles:\n  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}\n" +
         others + "bodies:\n" + bodies;
}
constexpr const char* kBall = "  - sphere: {position: [0, 0, 1 cm], radius: 1 cm}\n";

TEST_F(BodiesOfARun, BringWhatTheirSpringsHoldIntoTheBudget) {
  const std::string lid =
      "  - box: {name: lid, position: [0, 0, 29.5 mm], size: [5 cm, 5 cm, 2 cm]}\n";
  Last last, anew;
  go(write("press.yaml", ball_on_floor(lid, kBall)), "press", last);
  const Scene scene = load_scene(write("after.yaml", ball_on_floor("", "  - from: press\n")));
  const Report start = Simulation(scene.model, scene.state).report();
  // ½ k δ² half a step back, as potential energy is, to the second order of the step.
  const auto spring = [](double overlap) { return 0.5 * 5e3 * overlap * overlap; };
  const double z = last.state.bodies.position[0].z - 10e-6 * last.state.bodies.velocity[0].z,
               floor = spring(0.01 - z), under_lid = spring(z - 0.0095);
  EXPECT_GT(under_lid, 1e-5);
  EXPECT_NEAR(start.force_energy.elastic_normal, floor, 3e-4 * floor);
  EXPECT_NEAR(last.energy.elastic_normal, floor + under_lid, 3e-4 * floor);
  ASSERT_EQ(scene.warnings.size(), 1U);
  EXPECT_NE(scene.warnings[0].message.find("'lid'"), std::string::npos);
  EXPECT_NE(scene.warnings[0].message.find(fmt::format("{:.3g} J are missing", under_lid)),
            std::string::npos)
      << scene.warnings[0].message;
  const EnergyBudget budget = go(directory / "after.yaml", "after", anew).summary.energy_budget();
  EXPECT_EQ(anew.energy.at_start, start.force_energy.elastic());
  EXPECT_NEAR(anew.energy.damped, 0, 1e-3 * floor);
  EXPECT_NEAR(budget.unaccounted, 0, 1e-9 * floor);
}

TEST_F(BodiesOfARun, BringWhatTheirSpringsHoldPastAMesh) {
  write("plate.stl",
        "solid plate\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 2 0 0\nvertex 1 1 0\n"
        "endloop\nendfacet\nendsolid plate\n");
  const std::string mesh = "  - mesh: {name: plate, file: plate.stl, unit: m, sides: two}\n";
  Last last;
  go(write("press.yaml", ball_on_floor(mesh, kBall)), "press", last);
  const Scene scene = load_scene(write("after.yaml", ball_on_floor(mesh, "  - from: press\n")));
  const ForceEnergy start = Simulation(scene.model, scene.state).report().force_energy;
  EXPECT_GT(start.elastic_normal, 0);
  EXPECT_NEAR(start.elastic_normal, last.energy.elastic_normal, 1e-6 * last.energy.elastic_normal);
  EXPECT_TRUE(scene.warnings.empty());
}

INSTANTIATE_TEST_SUITE_P(OfAnyLawAndShape, TwoRuns,
                         testing::Values(std::pair(kRigid, kSpheres), std::pair(kRigid, kMixed),
                                         std::pair(kRigid, kClumps), std::pair(kSoft, kSpheres),
                                         std::pair(kSoft, kMixed)));

TEST_F(BodiesOfARun, AreAsTheRunLeftThem) {
  fill(kRigid, kMixed);
  const std::string text = world_of(kRigid) + "until: 0.1\nbodies:\n  - from: fill\n";
  const Scene scene = load_scene(write("test.yaml", text));
  const Bodies &now = scene.state.bodies, &then = filled.state.bodies;
  ASSERT_EQ(now.size(), then.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    EXPECT_EQ(now.id[i], then.id[i]);
    EXPECT_EQ(now.position[i], then.position[i]);
    EXPECT_EQ(now.orientation[i], then.orientation[i]);
    EXPECT_EQ(now.velocity[i], then.velocity[i]);
    EXPECT_EQ(now.angular_velocity[i], then.angular_velocity[i]);
    EXPECT_EQ(now.mass[i], then.mass[i]);
  }
  EXPECT_EQ(scene.state.time, 0);
  EXPECT_EQ(scene.state.next_id, filled.state.next_id);
  // The resolved scene leads to the same state.
  const Scene again = load_scene(write("again.yaml", scene.resolved));
  EXPECT_EQ(state_hash(again.state), state_hash(scene.state));
  EXPECT_EQ(again.resolved, scene.resolved);
}

TEST_F(BodiesOfARun, NeedTheCellThatTheyWereIn) {
  const std::string world =
      "scree: 1\nname: box\nstep: {h: 0.2 ms}\nmaterials: {glass: {density: 2500}}\n"
      "default_law: {law: coulomb, friction: 0.5}\n"
      "obstacles: [{half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}}]\n";
  const std::string cell = "cell: {period: [24 mm, 24 mm, 0]}\n",
                    from = "until: 0.1\nbodies: [{from: fill}]\n";
  const std::string spheres =
      "bodies:\n  - lattice: {region: {min: [0, 0, 0], max: [24 mm, 24 mm, 24 mm]}, "
      "spacing: 6 mm, radius: 2.8 mm, jitter: [0.1, 0.1, 0.1]}\n";
  go(write("fill.yaml", world + cell + "until: 0.1\n" + spheres), "fill", filled);
  Last whole, anew;
  go(write("whole.yaml", world + cell + "until: 0.2\n" + spheres), "whole", whole);
  go(write("test.yaml", world + cell + from), "test", anew);
  EXPECT_EQ(hash_of_bodies(anew.state), hash_of_bodies(whole.state));
  for (const std::string& other :
       {std::string(), std::string("cell: {period: [26 mm, 24 mm, 0]}\n")})
    EXPECT_NE(reported(world + other + from)
                  .find("the cell at the end of the run was [0.024, 0.024, 0] m"),
              std::string::npos)
        << reported(world + other + from);
}

TEST_F(BodiesOfARun, StandBesideOthersUnderIdsOfTheirOwn) {
  fill(kRigid, kSpheres);
  const std::string text = world_of(kRigid) +
                           "until: 0.02\nbodies:\n"
                           "  - sphere: {position: [10 mm, 10 mm, 0.1], radius: 3 mm}\n"
                           "  - from: {run: fill}\n"
                           "  - box: {position: [10 mm, 10 mm, 0.2], size: [5 mm, 5 mm, 5 mm]}\n";
  const Scene scene = load_scene(write("test.yaml", text));
  std::set<std::uint64_t> ids;
  for (const BodyId id : scene.state.bodies.id) ids.insert(id.value);
  EXPECT_EQ(ids.size(), filled.state.bodies.size() + 2);
  EXPECT_LT(*ids.rbegin(), scene.state.next_id);
  // The bed bears itself as before, from the first step on.
  const auto loaded = [](const Neighbours& list) {
    return std::ranges::count_if(list.impulse, [](const Vec3& r) { return r != Vec3{}; });
  };
  EXPECT_EQ(loaded(scene.state.neighbours), loaded(filled.state.neighbours));
  Last last;
  const RunResult result = go(directory / "test.yaml", "test", last);
  EXPECT_EQ(result.outcome.exit_status, kDone) << result.outcome.verdict;
}

TEST_F(BodiesOfARun, OfALeapfrogLetOthersFallAsTheyWouldAlone) {
  fill(kSoft, kSpheres);
  const std::string ball =
      "  - sphere: {position: [10 mm, 10 mm, 0.5], radius: 3 mm, velocity: [0.1, 0, 0.2]}\n";
  Last alone, beside;
  go(write("alone.yaml", world_of(kSoft) + "until: 0.01\nbodies:\n" + ball), "alone", alone);
  go(write("beside.yaml", world_of(kSoft) + "until: 0.01\nbodies:\n  - from: fill\n" + ball),
     "beside", beside);
  const Body other = alone.state.bodies[0];
  const Bodies& bodies = beside.state.bodies;
  const auto highest = std::ranges::max_element(bodies.position, {}, &Vec3::z);
  const Body same = bodies[static_cast<std::size_t>(highest - bodies.position.begin())];
  EXPECT_NEAR(norm(same.position - other.position), 0, 1e-15);
  EXPECT_NEAR(norm(same.velocity - other.velocity), 0, 1e-14);
}

TEST_F(BodiesOfARun, ForgetContactsOfPartsThatAreNotThere) {
  fill(kRigid, kSpheres, "0.3");
  Last last;
  const std::string open =
      "scree: 1\nuntil: 50 ms\nstep: {h: 0.2 ms}\n"
      "materials: {glass: {density: 2500}}\n"
      "default_law: {law: coulomb, friction: 0}\n"
      "bodies: [{from: fill}]\n";
  go(write("test.yaml", open), "test", last);
  // Nothing holds the bed up any more: it falls freely.
  double fall = 0, mass = 0, speed = 0;
  const Bodies &now = last.state.bodies, &then = filled.state.bodies;
  for (std::size_t i = 0; i < now.size(); ++i) {
    speed += now.mass[i] * now.velocity[i].z;
    fall += then.mass[i] * then.velocity[i].z;
    mass += now.mass[i];
  }
  EXPECT_NEAR((speed - fall) / mass, -9.81 * 0.05, 1e-9);
}

TEST_F(BodiesOfARun, GoOnFromTheirCheckpointAsAnyRun) {
  fill(kSoft, kSpheres);
  const fs::path scene =
      write("test.yaml", world_of(kSoft) + "until: 20 ms\nbodies: [{from: fill}]\n");
  struct Impatient : Last {
    bool stop_requested() override { return state.step >= 37; }
  } impatient;
  Last whole, rest;
  go(scene, "whole", whole);
  go(scene, "parts", impatient);
  run(load_scene(scene), directory / "parts",
      {.scene_file = scene, .threads = 1, .old_run = OldRun::go_on}, rest);
  EXPECT_EQ(state_hash(rest.state), state_hash(whole.state));
}

TEST_F(BodiesOfARun, AreRefusedWithAWordOnWhy) {
  const std::string from = world_of(kRigid) + "until: 0.1\nbodies: [{from: fill}]\n";
  EXPECT_NE(reported(from).find("there is no run in '" + (directory / "fill").string()),
            std::string::npos)
      << reported(from);
  fs::create_directories(directory / "fill");
  std::ofstream(directory / "fill" / "notes.txt") << "mine";
  EXPECT_NE(reported(from).find("is not the directory of a run"), std::string::npos)
      << reported(from);
  fs::remove_all(directory / "fill");

  fill(kRigid, kSpheres);
  EXPECT_EQ(reported(from), "");
  const std::string at = world_of(kRigid) + "until: 0.1\nbodies: [{from: {run: fill, time: 9}}]\n";
  EXPECT_NE(reported(at).find("has no checkpoint at t = 9 s, only at 0.1 s"), std::string::npos)
      << reported(at);
  std::string with_lid = from;
  with_lid.insert(with_lid.find("until:"),
                  "  - box: {name: lid, position: [10 mm, 10 mm, 5 mm], size: [1, 1, 1 mm]}\n");
  EXPECT_NE(reported(with_lid).find("overlaps the obstacle 'lid'"), std::string::npos);
  std::string of_steel = from;
  of_steel.replace(of_steel.find("glass"), 5, "steel");
  EXPECT_NE(reported(of_steel).find("has bodies of the material 'glass', which this scene lacks"),
            std::string::npos)
      << reported(of_steel);
  // A run cannot replace what it begins with.
  const fs::path scene = write("test.yaml", from);
  Last last;
  EXPECT_THROW(run(load_scene(scene), directory / "fill",
                   {.scene_file = scene, .threads = 1, .old_run = OldRun::replace}, last),
               InputError);
}

}  // namespace
}  // namespace scree

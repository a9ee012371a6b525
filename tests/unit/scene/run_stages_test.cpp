/// Stages in scenes.
#include "scene_text.hpp"

namespace scree {
namespace {

using namespace test;

const std::string kParts =
    "scree: 1\n"
    "step: {h: 1e-3}\n"
    "materials: {glass: {density: 2500}}\n"
    "default_law: {law: coulomb, friction: 0.4}\n"
    "bodies: [{sphere: {position: [0, 0, 1], radius: 0.1}}]\n"
    "obstacles:\n"
    "  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  - box: {name: gate, min: [5, 5, 5], max: [6, 6, 6]}\n"
    "  - box: {name: lid, min: [8, 8, 8], max: [9, 9, 9]}\n";

std::string with_stages(const std::string& stages) { return kParts + "stages:\n" + stages; }

TEST(Stages, AreReadWithTheirUnitsAndDefaults) {
  const Scene scene =
      load_text(with_stages("  - until: rest\n"
                            "    rest: {at_most: 2 s}\n"
                            "  - name: tilt\n"
                            "    until: 500 ms\n"
                            "    gravity: [1, 0, -9]\n"
                            "    default_law: {law: coulomb, friction: 0.1}\n"
                            "    solver: {accuracy: reference}\n"
                            "    remove: [gate]\n"
                            "    move: {lid: {velocity: [0, 0, 0.01]}}\n"
                            "  - until: 1\n"));
  ASSERT_EQ(scene.stages.size(), 3u);
  EXPECT_EQ(scene.stages[0].name, "stage 1");
  EXPECT_TRUE(scene.stages[0].rest.has_value());
  EXPECT_EQ(scene.until, 3.5);
  const RunStage& tilt = scene.stages[1];
  EXPECT_EQ(tilt.until, 0.5);
  EXPECT_EQ(tilt.model.gravity, (Vec3{1, 0, -9}));
  EXPECT_EQ(tilt.model.laws(0, 0).friction, 0.1);
  EXPECT_EQ(tilt.model.solver.tolerance, solver_settings(Accuracy::reference).tolerance);
  EXPECT_EQ(tilt.removed, (std::vector<std::uint32_t>{1}));
  ASSERT_EQ(tilt.moved.size(), 1u);
  EXPECT_EQ(tilt.moved[0].twist(3, {}).linear.z, 0.01);
  // Settings of a stage hold after it.
  EXPECT_EQ(scene.stages[2].model.gravity, tilt.model.gravity);
  EXPECT_EQ(scene.stages[2].model.laws(0, 0).friction, 0.1);
  // The resolved scene is the same scene.
  const Scene again = load_text(scene.resolved);
  EXPECT_EQ(again.resolved, scene.resolved);
  EXPECT_EQ(again.until, scene.until);
}

TEST(Stages, ThatCannotBeAreRefusedWithTheirPlaceAndAWayOut) {
  const auto refused = [](const std::string& stage, const std::string& path,
                          const std::string& words) {
    expect_problem(with_stages("  - {until: 1, remove: [gate]}\n  - {" + stage + "}\n"), path,
                   words);
  };
  refused("name: a", "stages[1]", "the key 'until' is missing");
  refused("until: 1 us", "stages[1].until", "is less than a step");
  refused("until: 1, remove: [lidd]", "stages[1].remove[0]", "did you mean 'lid'");
  refused("until: 1, stop: [gate]", "stages[1].stop[0]", "was removed in an earlier stage");
  refused("until: 1, stop: [lid], move: {lid: {velocity: [0, 0, 1]}}", "stages[1].move.lid",
          "names 'lid' twice");
  refused("until: 1, move: {led: {velocity: [0, 0, 1]}}", "stages[1].move.led",
          "did you mean 'lid'");
  refused("until: 1, move: {lid: {speed: 1}}", "stages[1].move.lid",
          "give a motion a pivot and an axis");
  refused("until: 1, name: stage 1", "stages[1].name", "another stage already has the name");
  refused("until: 1, default_law: {friction: 0.1}", "stages[1].default_law", "'law' is missing");
  refused(
      "until: 1, default_law: {law: spring_dashpot, friction: 0.1, k_n: 1e3, normal_damping: 1, "
      "tangential_damping: 1}",
      "stages[1].default_law", "other springs");
  refused("until: rest, gravity: [0, 0, 0]", "stages[1].rest", "without gravity rest needs");
  refused("until: 1, output: {frame_interval: 1 us}", "stages[1].output.frame_interval",
          "is shorter than a step");
  refused("until: 1, step: {h: 1}", "stages[1].step", "unknown key");
  expect_problem(with_stages("  - {until: 1}\n") + "until: rest\n", "until",
                 "a scene with stages ends with its last stage");
}

/// A sphere in a periodic cell; the last keys of the scene are missing.
std::string in_a_cell(const std::string& step) {
  return "scree: 1\nstep: " + step + R"(
gravity: [0, 0, 0]
cell: {period: [2, 2, 2]}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.4}
bodies: [{sphere: {position: [0, 0, 1], radius: 0.1}}]
)";
}

TEST(Stages, ThatStrainACellEndItsFieldsOrAreRefused) {
  const std::string scene = in_a_cell("{h: 1e-3}") +
                            "fields: [{force: [-vx, 0, 0]}]\n"
                            "stages: [{until: 1}, {until: 1, cell: {rate: {xy: 1}}";
  expect_problem(scene + "}]\n", "stages[1].cell", "the fields from before remain");
  EXPECT_TRUE(load_text(scene + ", fields: []}]\n").stages[1].model.strain.any());
}

TEST(Stages, ThatHaveWhatNoSleepGoesWithAreRefused) {
  const std::string scene = in_a_cell("{h: 1e-3, sleep: true}") + "stages: [{until: 1}, {until: 1";
  expect_problem(scene + ", fields: [{force: [-vx, 0, 0]}]}]\n", "stages[1]", "has fields");
  expect_problem(scene + ", cell: {rate: {xy: 1}}}]\n", "stages[1]", "has a strained cell");
}

TEST(Stages, ThatStrainACellAreRefusedWhereResidenceIsMeasured) {
  const std::string scene =
      in_a_cell("{h: 1e-3}") +
      "output: {analysis: [{name: here, region: {min: [0, 0, 0], max: [1, 1, 1]}, "
      "residence: true}]}\n"
      "stages: [{until: 1}, {until: 1, cell: {rate: {xy: 1}}}]\n";
  expect_problem(scene, "stages[1].cell", "residence times are undefined");
}

}  // namespace
}  // namespace scree

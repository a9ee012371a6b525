// The key `fields`.
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

std::string with_fields(const std::string& fields) {
  return "scree: 1\nuntil: 1\nstep: {h: 1e-3}\n"
         "materials: {glass: {density: 2500}, steel: {density: 7800}}\n"
         "default_law: {law: coulomb, friction: 0.4}\n"
         "obstacles:\n  - half_space: {name: floor, material: steel, point: [0, 0, -9], normal: "
         "[0, 0, 1]}\n"
         "bodies:\n"
         "  - sphere: {name: ball, material: steel, radius: 1, position: [0, 0, 3]}\n"
         "  - sphere: {material: glass, radius: 1, position: [4, 0, 3]}\n"
         "fields:\n" +
         fields;
}

TEST(SceneFields, AreReadWithWhatTheyActOn) {
  const Scene scene = load_text(
      with_fields("  - {name: drag, force: [-0.1*vx, '-0.1*vy', -0.1*vz], only: [glass]}\n"
                  "  - {torque: [0, 0, -1e-3*wz], only: [ball, glass]}\n"
                  "  - {force: [0, 0, 1e-3]}\n"));
  const auto& fields = scene.model.fields;
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].name, "drag");
  EXPECT_EQ(fields[0].force[1].text(), "-0.1*vy");
  EXPECT_EQ(fields[0].torque[0].text(), "0");
  EXPECT_EQ(fields[0].materials, std::vector<MaterialId>{0});
  EXPECT_EQ(fields[1].name, "field 2");
  EXPECT_EQ(fields[1].bodies, std::vector<BodyId>{{0}});
  EXPECT_TRUE(fields[2].acts_on({7}, 1));
  EXPECT_EQ(fields[2].force[2](std::array<double, 13>{}), 1e-3);
}

TEST(SceneFields, ThatAreNoneAreRefusedAtTheirPlace) {
  const auto refused = [](const std::string& fields, const std::string& path,
                          const std::string& words) {
    expect_problem(with_fields("  - " + fields + "\n"), "fields[0]" + path, words);
  };
  refused("{force: [0, u, 0]}", ".force[1]", "there is no name 'u'");
  refused("{force: [0, 2 N, 0]}", ".force[1]", "'N' is not expected here");
  refused("{force: [0, 0]}", ".force", "3");
  refused("{name: nothing}", "", "a force, a torque or both");
  refused("{force: [0, 0, 1], only: [gless]}", ".only[0]", "did you mean 'glass'");
  refused("{force: [0, 0, 1], only: [floor]}", ".only[0]", "fields act only on free bodies");
  refused("{force: [0, 0, 1/x]}", ".force[2]",
          "at the start force[2], '1/x', is inf on body 0 at (0, 0, 3) m");
  refused("{force: [0, 0, 1], torque: [0, ln(x-4), 0], only: [glass]}", ".torque[1]", "-inf");
  expect_problem(with_fields("  - {name: a, force: [0, 0, 1]}\n  - {name: a, force: [0, 0, 1]}\n"),
                 "fields[1].name", "another field already has the name 'a'");
}

TEST(SceneFields, InAStrainedCellAreRefused) {
  expect_problem(kBase +
                     "gravity: [0, 0, 0]\ncell: {period: [9, 9, 9], rate: {xy: 1}}\n"
                     "fields:\n  - {force: [x, 0, 0]}\n",
                 "fields", "no absolute position or velocity");
}

TEST(SceneFields, ThatBrakeMoreThanAStepCanFollowAreWarnedOf) {
  const Scene scene = load_text(with_fields("  - {force: [0, 0, -3000*mass*vz]}\n"));
  ASSERT_EQ(scene.warnings.size(), 1U);
  EXPECT_NE(scene.warnings[0].message.find("by 3 times its velocity in a step"), std::string::npos)
      << scene.warnings[0].message;
  EXPECT_TRUE(load_text(with_fields("  - {force: [0, 0, -30*mass*vz]}\n")).warnings.empty());
}

TEST(SceneFields, OfAStageStandInPlaceOfThoseBefore) {
  const Scene scene = load_text(
      with_fields("  - {force: [0, 0, 1]}\n") +
      "stages:\n  - {until: 0.1}\n  - {until: 0.1, fields: [{torque: [1, 0, 0], only: [ball]}]}\n"
      "  - {until: 0.1, fields: []}\n");
  ASSERT_EQ(scene.stages.size(), 3U);
  EXPECT_EQ(scene.stages[0].model.fields.size(), 1U);
  ASSERT_EQ(scene.stages[1].model.fields.size(), 1U);
  EXPECT_EQ(scene.stages[1].model.fields[0].bodies, std::vector<BodyId>{{0}});
  EXPECT_TRUE(scene.stages[2].model.fields.empty());
}

TEST(SceneFields, AreInTheResolvedScene) {
  const Scene scene = load_text(with_fields("  - {force: [0, '-vy', 2.5]}\n"));
  const Scene again = load_scene_text(scene.resolved, test_directory() / "resolved.yaml");
  EXPECT_EQ(again.model.fields[0].force[1].text(), "-vy");
  EXPECT_EQ(again.resolved, scene.resolved);
}

}  // namespace
}  // namespace scree::test

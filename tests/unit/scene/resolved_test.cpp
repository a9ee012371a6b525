#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "scree/scene/identity.hpp"
#include "scree/sim/state.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

TEST(Resolved, has_every_default_and_only_si_numbers) {
  const Scene scene =
      load_text(kBase + "bodies: [{sphere: {position: [0, 0, 1 cm], radius: 0.47 mm}}]\n");
  for (const char* expected :
       {"error_reduction: 0.2", "tolerance: 0.029999999999999999", "accuracy: \"engineering\"",
        "gravity: [0, 0, -9.8100000000000005]", "material: \"glass\"",
        "radius: 0.00046999999999999999", "restitution: 0", "name: \"scene\"", "warm_start: true",
        "inertia: [0.40000000000000002", "frame_interval: 0"})
    EXPECT_NE(scene.resolved.find(expected), std::string::npos) << expected << "\nis not in\n"
                                                                << scene.resolved;
}

TEST(Resolved, has_energetic_impacts_with_joints_unless_others_are_given) {
  const std::string bodies =
                        "bodies: [{sphere: {name: ball, position: [0, 0, 1 cm], radius: 1 mm}}]\n",
                    joints =
                        "joints: [{spherical: {name: hinge, a: world, b: ball, at: [0, 0, 0]}}]\n";
  const auto impacts = [&](const std::string& text, const std::vector<std::string>& set = {}) {
    const Scene scene = load_text(kBase + text, set);
    const std::string law(name(scene.model.step.impacts));
    EXPECT_NE(scene.resolved.find("impacts: \"" + law + "\""), std::string::npos);
    EXPECT_EQ(load_text(scene.resolved).model.step.impacts, scene.model.step.impacts);
    return law;
  };
  EXPECT_EQ(impacts(bodies), "newton");
  EXPECT_EQ(impacts(bodies + "joints: []\n"), "newton");
  EXPECT_EQ(impacts(bodies + joints), "energetic");
  EXPECT_EQ(impacts(bodies + joints, {"step.impacts=poisson"}), "poisson");
  EXPECT_EQ(impacts(bodies + joints, {"step.impacts=newton"}), "newton");
}

TEST(Resolved, loads_to_the_same_bits) {
  write_file("bed.csv", "x,y,z\n0.1,0.2,3.3\n");
  const Scene first = load_text(
      "scree: 1\nname: \"12\"\nuntil: 1.1 s\nstep: {h: 7 us, margin: 3 um, recovery_speed: .inf}\n"
      "materials: {glass: {density: 2.65 g/cm3}, \"1\": {}}\n"
      "default_law: {law: coulomb, friction: 0.1}\n"
      "laws: [{between: [glass, \"1\"], law: polyhedral, facets: 12, friction: 0.3, restitution: "
      "0.7, rolling_friction: 0.3 mm, spinning_friction: 1e-4, cohesion: 7 mN}]\n"
      "bodies:\n"
      "  - sphere: {position: [0.1 mm, 7, 3], radius: 0.7 mm, material: glass, orientation: [1, 2, "
      "3, 4]}\n"
      "  - sphere: {position: [8, 7, 3], radius: 0.7 mm, material: glass, orientation: {axis: [1, "
      "1, 1], angle: 33 "
      "deg}, angular_velocity: [0, 1 deg/s, 0]}\n"
      "  - lattice: {region: {min: [0, 0, 0], max: [3 mm, 4 mm, 5 mm]}, spacing: 0.7 mm, radius: "
      "0.3 mm, jitter: [0.1, "
      "0.2, 0.3], seed: 4, material: glass}\n"
      "  - random: {region: {min: [1, 0, 0], max: [1.1, 0.1, 0.1]}, count: 300, radius: {uniform: "
      "[1 mm, 3 mm]}, seed: "
      "9, material: glass}\n"
      "  - csv: {file: bed.csv, radius: 1 mm, material: glass}\n"
      "  - cylinder: {from: [20, 1 mm, 0.3], to: [20.1, 3 mm, 0.7], radius: 7 mm, material: "
      "glass}\n"
      "  - capsule: {position: [30, 0.1, 0.3], axis: [1, 0.1, 0.3], length: 0.1, radius: 7 mm, "
      "material: glass}\n"
      "  - box: {min: [40, 0.1, 0.3], max: [40.7, 0.2, 0.4], orientation: [1, 2, 3, 4], material: "
      "glass}\n"
      "obstacles:\n"
      "  - half_space: {name: \"a \\\"quoted\\\" name\", point: [0, 0, -1], normal: [0.1, 0.2, 3], "
      "material: \"1\", "
      "motion: {velocity: [0, 0, '0.1*sin(t)']}}\n"
      "  - capsule: {from: [50, 0, 0], to: [60, 1, 2], radius: 1, material: glass}\n"
      "output: {frame_interval: 3 ms, pictures: [{grains: {colour: radius}}]}\n");
  const auto file = write_file("elsewhere.yaml", first.resolved);
  const auto moved = std::filesystem::temp_directory_path() / "scree_scene_test" / "resolved.yaml";
  std::filesystem::copy_file(file, moved, std::filesystem::copy_options::overwrite_existing);
  const Scene second = load_scene(moved);
  EXPECT_EQ(state_hash(first.state), state_hash(second.state));
  EXPECT_EQ(first.resolved, second.resolved);
  EXPECT_EQ(second.name, "12");
  EXPECT_EQ(second.model.step.h, first.model.step.h);
  EXPECT_EQ(second.model.step.margin, first.model.step.margin);
  EXPECT_EQ(second.model.obstacles.at(0).name, "a \"quoted\" name");
  EXPECT_EQ(second.model.obstacles.at(0).motion(0.3).linear,
            first.model.obstacles.at(0).motion(0.3).linear);
  EXPECT_EQ(second.model.laws(0, 1).friction, 0.3);
  EXPECT_EQ(second.model.laws(0, 1).facets, 12);
  EXPECT_EQ(second.model.laws(0, 1).rolling_friction, 0.3e-3);
  EXPECT_EQ(second.model.laws(0, 1).spinning_friction, 1e-4);
  EXPECT_EQ(second.model.laws(0, 1).cohesion, 7e-3);
  EXPECT_EQ(second.model.laws(0, 0).cohesion, 0);
  EXPECT_EQ(second.output.pictures.at(0).options_json, first.output.pictures.at(0).options_json);
}

TEST(Resolved, differs_first_in_a_value_that_is_named_with_its_line) {
  const std::string bodies = "bodies: [{sphere: {position: [0, 0, 1 cm], radius: 0.3 mm}}]\n",
                    scene = load_text(kBase + bodies).resolved;
  const auto with = [&](const std::string& set) {
    return load_text(kBase + bodies, {set}).resolved;
  };
  const auto radius = first_difference(scene, with("bodies[0].sphere.radius=0.4 mm"));
  ASSERT_TRUE(radius);
  EXPECT_EQ(radius->key, "bodies[0].sphere.radius");
  EXPECT_EQ(radius->before, "radius: 0.0003");
  EXPECT_EQ(radius->now, "radius: 0.0004");
  std::istringstream lines(scene);
  std::string line;
  for (int k = 0; k < radius->line; ++k) std::getline(lines, line);
  EXPECT_EQ(line.find("      radius: 0.00"), 0U) << line;

  // The key moves to another line if --set gives it.
  const auto gravity = first_difference(scene, with("gravity=[0, 0, -1.6]"));
  ASSERT_TRUE(gravity);
  EXPECT_EQ(gravity->key, "gravity[2]");
  EXPECT_EQ(gravity->before, "gravity: [0, 0, -9.81]");
  EXPECT_EQ(gravity->now, "gravity: [0, 0, -1.6]");
  EXPECT_FALSE(first_difference(scene, with("until=7 s")));
}

TEST(Resolved, differs_by_what_one_scene_lacks) {
  const std::string scene = "name: \"a\"\nuntil: 1\n", longer = scene + "fields:\n  - 3\n";
  const auto less = first_difference(longer, scene), more = first_difference(scene, longer);
  ASSERT_TRUE(less && more);
  EXPECT_EQ(less->key, "fields[0]");
  EXPECT_EQ(less->now, "nothing");
  EXPECT_EQ(more->before, "nothing");
  EXPECT_EQ(more->line, 0);
  const auto checksum = first_difference(scene + "# a.csv has SHA-256 12\n", scene);
  ASSERT_TRUE(checksum);
  EXPECT_EQ(checksum->key, "");
  EXPECT_EQ(checksum->before, "# a.csv has SHA-256 12");
  EXPECT_EQ(checksum->line, 3);
}

TEST(Resolved, is_the_same_without_a_key_that_has_its_default) {
  const std::string scene = load_text(kBase).resolved, key = "\nsensors: []";
  std::string older = scene;
  ASSERT_NE(older.find(key), std::string::npos);
  older.erase(older.find(key), key.size());
  EXPECT_FALSE(first_difference(older, scene));
  EXPECT_FALSE(first_difference(scene, older));
}

TEST(Schema, is_the_file_that_is_shipped) {
  std::ifstream in(SCREE_SOURCE_DIR "/share/scree/scene.schema.json");
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(scene_schema(), file);
}

/// Calls f with every key of the schema.
void for_each_key(const nlohmann::json& part,
                  const std::function<void(const std::string&, const nlohmann::json&)>& f) {
  if (part.contains("properties"))
    for (const auto& [key, value] : part["properties"].items()) f(key, value);
  for (const auto& value : part)
    if (value.is_structured()) for_each_key(value, f);
}

TEST(Schema, describes_every_key_and_the_reference_page_names_it) {
  std::ifstream in(SCREE_SOURCE_DIR "/docs/guide/scene_reference.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  for_each_key(nlohmann::json::parse(scene_schema()),
               [&](const std::string& key, const nlohmann::json& part) {
                 EXPECT_TRUE(part.contains("description") || part.contains("$ref")) << key;
                 EXPECT_NE(page.find("`" + key + "`"), std::string::npos)
                     << key << " is not in docs/guide/scene_reference.md";
               });
}

}  // namespace
}  // namespace scree::test

#include <numbers>
#include <zlib.h>

#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

TEST(SceneBodies, a_sphere_has_what_its_keys_say) {
  const Scene scene =
      load_text(with_body("sphere: {position: [1 mm, 0, 2], radius: 1 cm, velocity: [1, 0, 0], "
                          "angular_velocity: [0, 360 deg/s, 0],"
                          " orientation: {axis: [0, 0, 2], angle: 90 deg}, density: 1 g/cm3, "
                          "inertia: [0.4, 0.3, 0.2]}"));
  const Body body = scene.state.bodies[0];
  EXPECT_EQ(body.position, (Vec3{0.001, 0, 2}));
  EXPECT_EQ(body.velocity, (Vec3{1, 0, 0}));
  EXPECT_DOUBLE_EQ(body.angular_velocity.y, 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(body.orientation.z, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(body.mass, 1000 * 4 * std::numbers::pi / 3 * 1e-6);
  EXPECT_EQ(scene.model.prototypes.at(body.prototype).inertia, (Vec3{0.4, 0.3, 0.2}));
  EXPECT_EQ(scene.state.next_id, 1u);
  EXPECT_EQ(scene.name, "scene");
}

TEST(SceneBodies, a_lattice_fills_a_region_with_centred_cells) {
  const Scene scene = load_text(with_body(
      "lattice: {region: {min: [0, 0, 0], max: [0.3, 0.2, 0.15]}, spacing: 0.1, radius: 0.04}"));
  const auto& x = scene.state.bodies.position;
  ASSERT_EQ(x.size(), 6u);
  EXPECT_NEAR(x[0].x, 0.05, 1e-15);
  EXPECT_NEAR(x[0].y, 0.05, 1e-15);
  EXPECT_NEAR(x[0].z, 0.075, 1e-15);
  EXPECT_NEAR(x[5].x, 0.25, 1e-15);
  EXPECT_NEAR(x[5].y, 0.15, 1e-15);
}

TEST(SceneBodies, a_lattice_may_avoid_obstacles) {
  const std::string obstacle = "obstacles: [{box: {min: [0, 0, 0], max: [0.1, 1, 1]}}]\n";
  const std::string lattice =
      "lattice: {region: {min: [0, 0, 0], max: [0.3, 0.2, 0.1]}, spacing: 0.1, radius: 0.04, "
      "avoid_obstacles: ";
  EXPECT_EQ(load_text(with_body(lattice + "true}") + obstacle).state.bodies.size(), 4u);
  EXPECT_EQ(problems_of(with_body(lattice + "false}") + obstacle).size(), 2u);
}

TEST(SceneBodies, jitter_stays_in_its_bounds_and_follows_the_seed) {
  const std::string text = with_body(
      "lattice: {region: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 0.1, radius: 0.04, velocity: "
      "[1, 0, 0], jitter: "
      "[0, 0.5, 0], seed: 5}");
  const Scene a = load_text(text), b = load_text(text),
              c = load_text(text, {"bodies[0].lattice.seed=6"});
  double low = 1, high = -1;
  for (std::size_t i = 0; i < a.state.bodies.size(); ++i) {
    const Vec3& v = a.state.bodies.velocity[i];
    EXPECT_EQ(v.x, 1);
    EXPECT_EQ(v.z, 0);
    low = std::min(low, v.y), high = std::max(high, v.y);
  }
  EXPECT_GE(low, -0.5);
  EXPECT_LE(high, 0.5);
  EXPECT_LT(low, -0.45);
  EXPECT_GT(high, 0.45);
  EXPECT_EQ(state_hash(a.state), state_hash(b.state));
  EXPECT_NE(state_hash(a.state), state_hash(c.state));
}

TEST(SceneBodies, a_random_filling_overlaps_nothing_and_stays_inside) {
  const Scene scene = load_text(
      with_body("random: {region: {min: [0, 0, 0], max: [1, 1, 1]}, volume_fraction: 0.25, "
                "radius: {uniform: [0.02, 0.06]}, seed: 3}") +
      "obstacles: [{sphere: {position: [0.5, 0.5, 0.5], radius: 0.3}}]\n");
  const Bodies& b = scene.state.bodies;
  double solid = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    solid += b.mass[i] / 2500;
    EXPECT_GE(b.radius[i], 0.02);
    EXPECT_LE(b.radius[i], 0.06);
    EXPECT_GE(norm(b.position[i] - Vec3{0.5, 0.5, 0.5}), 0.3 + b.radius[i]);
    for (int k = 0; k < 3; ++k) {
      EXPECT_GE(b.position[i][k], b.radius[i]);
      EXPECT_LE(b.position[i][k], 1 - b.radius[i]);
    }
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GE(norm(b.position[i] - b.position[j]), b.radius[i] + b.radius[j]);
  }
  EXPECT_NEAR(solid, 0.25, 0.02);  // the mean over some 800 draws
}

TEST(SceneBodies, few_bodies_of_a_wide_range_have_the_volume_that_is_asked_for) {
  const auto fraction = [](const std::string& keys, int seed) {
    const Scene scene =
        load_text(with_body("random: {region: {min: [0, 0, 0], max: [0.6, 0.6, 0.6]}, seed: " +
                            std::to_string(seed) + ", volume_fraction: " + keys + "}"));
    double solid = 0;
    for (const double mass : scene.state.bodies.mass) solid += mass / 2500;
    return solid / 0.216;
  };
  for (int seed = 0; seed < 8; ++seed) {
    // Half of the largest sphere is 2.4 % of the volume.
    EXPECT_NEAR(fraction("0.05, radius: {uniform: [0.005, 0.05]}", seed), 0.05, 0.03 * 0.05);
    EXPECT_NEAR(fraction("0.04, size: [0.1, 0.05, 0.05], scale: {uniform: [0.1, 1]}", seed), 0.04,
                0.03 * 0.04);
  }
  // One sphere is the nearest possible.
  EXPECT_NEAR(fraction("0.003, radius: {uniform: [0.04, 0.06]}", 1), 0.003, 0.5 * 0.0042);
}

TEST(SceneBodies, size_classes_share_the_solid_volume) {
  const Scene scene = load_text(
      with_body("random: {region: {min: [0, 0, 0], max: [1, 1, 1]}, volume_fraction: 0.1,"
                " radius: {classes: [{radius: 0.1, share: 0.75}, {radius: 0.02, share: 0.25}]}}"));
  double large = 0, small = 0;
  for (std::size_t i = 0; i < scene.state.bodies.size(); ++i)
    (scene.state.bodies.radius[i] == 0.1 ? large : small) += scene.state.bodies.mass[i] / 2500;
  EXPECT_NEAR(large, 0.075, 0.005);  // whole spheres of 0.0042
  EXPECT_NEAR(small, 0.025, 0.0001);
}

TEST(SceneBodies, a_table_gives_positions_and_what_else_it_has) {
  write_file(
      "bed.csv",
      "# comment\n z, x,y,r,vx,wz,material\n3,1,2,0.1,5,6,glass\n\n-3,1,2,0.2,0,0,\"glass\"\n");
  const Scene scene = load_text(with_body("csv: {file: bed.csv, velocity: [9, 8, 7]}"));
  ASSERT_EQ(scene.state.bodies.size(), 2u);
  const Body b = scene.state.bodies[0];
  EXPECT_EQ(b.position, (Vec3{1, 2, 3}));
  EXPECT_EQ(b.radius, 0.1);
  EXPECT_EQ(b.velocity, (Vec3{5, 8, 7}));
  EXPECT_EQ(b.angular_velocity, (Vec3{0, 0, 6}));
  EXPECT_EQ(scene.inputs.size(), 1u);
}

TEST(SceneBodies, compressed_tables_are_read_too) {
  const auto file = test_directory() / "bed.csv.gz";
  gzFile out = gzopen(file.c_str(), "wb");
  gzputs(out, "x,y,z\n0,0,0\n1,0,0\n");
  gzclose(out);
  EXPECT_EQ(load_text(with_body("csv: {file: bed.csv.gz, radius: 0.1}")).state.bodies.size(), 2u);
}

TEST(SceneBodies, bad_rows_are_reported_with_file_and_line) {
  write_file("bed.csv",
             "x,y,z,r\n0,0,0,1\n5,0,0,-1\n10,zero,0,1\n15,0,0\n20,0,nan,1\n25,0,0,1e999\n");
  const auto problems = problems_of(with_body("csv: {file: bed.csv}"));
  ASSERT_EQ(problems.size(), 5u) << reported(problems);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(problems[i].line, i + 3);
    EXPECT_EQ(problems[i].file, (test_directory() / "bed.csv").string());
  }
  EXPECT_NE(problems[1].message.find("column 'y': found 'zero'"), std::string::npos);
}

TEST(SceneBodies, tables_that_cannot_be_used_are_reported) {
  const std::string text = with_body("csv: {file: bed.csv, radius: 1}");
  expect_problem(with_body("csv: {file: none.csv, radius: 1}"), "bodies[0].csv.file",
                 "does not exist");
  expect_problem(with_body("csv: {file: ., radius: 1}"), "bodies[0].csv.file", "is not a file");
  write_file("bed.csv", "");
  expect_problem(text, "bodies[0].csv.file", "is empty");
  write_file("bed.csv", "0,0,0\n1,1,1\n");
  expect_problem(text, "bodies[0].csv", "must name the columns");
  write_file("bed.csv", "x,y,z\n");
  expect_problem(with_body("csv: {file: bed.csv}"), "bodies[0].csv", "no column r");
  write_file("bed.csv", "x,y,z,material\n0,0,0,glas\n");
  expect_problem(text, "bodies[0].csv", "did you mean 'glass'?");
  write_file("bed.csv", "\x1f\x8b\x08trash");
  EXPECT_FALSE(problems_of(text).empty());
}

TEST(SceneBodies, unused_columns_and_fast_bodies_are_warned_of) {
  write_file("bed.csv", "x,y,z,vxx\n0,0,0,1\n");
  const Scene scene =
      load_text(with_body("csv: {file: bed.csv, radius: 1e-3, velocity: [10, 0, 0]}"));
  ASSERT_EQ(scene.warnings.size(), 2u);
  EXPECT_NE(scene.warnings[0].message.find("did you mean 'vx'?"), std::string::npos)
      << scene.warnings[0].message;
  EXPECT_NE(scene.warnings[1].message.find("10 times its radius"), std::string::npos)
      << scene.warnings[1].message;
}

TEST(SceneBodies, a_lattice_far_from_the_origin_has_all_its_layers) {
  const Scene scene = load_text(with_body(
      "lattice: {region: {min: [1e6, -1e6, 1e6], max: [1000000.3, -999999.8, 1000000.5]}, "
      "spacing: 0.1, radius: 0.04}"));
  EXPECT_EQ(scene.state.bodies.size(), 3u * 2u * 5u);
}

TEST(SceneBodies, what_is_too_slow_for_its_distance_from_the_origin_is_warned_of) {
  const auto warnings = [](const std::string& x, const std::string& v) {
    return load_text(with_body("sphere: {position: [0, " + x +
                               ", 0], radius: 0.01, velocity: [0, " + v + ", 0]}"))
        .warnings;
  };
  const auto reported = warnings("9e8", "1e-7");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_NE(reported[0].message.find("rounding stops it along y"), std::string::npos)
      << reported[0].message;
  EXPECT_TRUE(warnings("9e8", "10").empty());
  EXPECT_TRUE(warnings("1", "1e-20").empty());
}

}  // namespace
}  // namespace scree::test

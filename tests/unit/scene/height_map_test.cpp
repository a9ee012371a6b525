#include <cmath>

#include "scree/geometry/triangle_mesh.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

std::string with_map(const std::string& keys) {
  return kBase + "obstacles:\n  - height_map: {name: ground, " + keys + "}\n";
}
double height_at(const Scene& scene, double x, double y) {
  // Seen from above: the distance along z over a gentle slope.
  const Obstacle& ground = scene.model.obstacles[0];
  double z = 100;
  for (int k = 0; k < 200; ++k) z -= signed_distance(ground.shape, ground.pose, {x, y, z}).distance;
  return z;
}

TEST(SceneHeightMap, has_its_heights_at_the_points_of_its_grid) {
  const Scene scene = load_text(
      with_map("values: [[0, 1 mm, 0], [0, 2, 0]], size: [4, 2], position: [10, 20, 5], scale: 2"));
  for (const auto& [x, y, z] : {Vec3{8, 19, 5}, Vec3{10, 19, 5.002}, Vec3{12, 19, 5},
                                Vec3{8, 21, 5}, Vec3{10, 21, 9}, Vec3{12, 21, 5}})
    EXPECT_NEAR(
        signed_distance(scene.model.obstacles[0].shape, scene.model.obstacles[0].pose, {x, y, z})
            .distance,
        0, 1e-12);
}

TEST(SceneHeightMap, of_a_file_is_that_of_its_values) {
  write_file("ground.csv", "# heights in mm\n0, 10, 20\n5 15\t25\n\n0 0 0\n");
  const Scene file = load_text(with_map("file: ground.csv, unit: mm, size: [1, 1]"));
  const Scene values = load_text(
      with_map("values: [[0, 1 cm, 2 cm], [5 mm, 15 mm, 25 mm], [0, 0, 0]], size: [1, 1]"));
  for (const double x : {-0.4, 0.1, 0.3})
    for (const double y : {-0.45, 0.0, 0.2})
      EXPECT_NEAR(height_at(file, x, y), height_at(values, x, y), 1e-12);
}

TEST(SceneHeightMap, of_a_tilted_plane_is_that_plane_with_its_solid_side_below) {
  const Scene scene =
      load_text(with_map("values: [[0, 0.1, 0.2], [0, 0.1, 0.2], [0, 0.1, 0.2]], size: [2, 2]"));
  const Obstacle& ground = scene.model.obstacles[0];
  const double length = std::hypot(1, 0.1);
  for (const double x : {-0.5, 0.0, 0.4}) {
    const double z = 0.1 + 0.1 * x;
    EXPECT_NEAR(signed_distance(ground.shape, {x, 0.1, z + 0.2}).distance, 0.2 / length, 1e-12);
    EXPECT_NEAR(signed_distance(ground.shape, {x, 0.1, z - 0.2}).distance, -0.2 / length, 1e-12);
  }
}

TEST(SceneHeightMap, has_nothing_beside_its_rectangle_where_bodies_fall_past_it) {
  const auto with_ball = [](const std::string& place) {
    return with_map("values: [[0, 0], [0, 0]], size: [2, 2]") +
           "bodies:\n  - sphere: {position: " + place + ", radius: 0.1}\n";
  };
  for (const char* place :
       {"[30, 0, -1]", "[1.2, 0, -1]", "[0, -1.2, -0.05]", "[1.2, 1.2, -3]", "[-1.11, 0, 0]"})
    EXPECT_EQ(load_text(with_ball(place)).state.bodies.size(), 1) << place;
  for (const char* place : {"[0.5, 0, -1]", "[0.99, 0, -0.5]", "[1.05, 0, -0.05]", "[0, 0, 0.05]"})
    expect_problem(with_ball(place), "bodies[0].sphere", "overlaps the obstacle 'ground'");
  // Also for bodies other than spheres.
  const std::string box = with_map("values: [[0, 0], [0, 0]], size: [2, 2]") +
                          "bodies:\n  - box: {position: [30, 0, -1], size: [1, 1, 1]}\n";
  EXPECT_EQ(load_text(box).state.bodies.size(), 1);
}

TEST(SceneHeightMap, that_cannot_be_is_refused_by_line) {
  expect_problem(with_map("size: [1, 1]"), "obstacles[0].height_map", "or values");
  expect_problem(with_map("values: [[0, 1], [1, 2, 3]], size: [1, 1]"),
                 "obstacles[0].height_map.values[1]", "this row has 3 heights, the first has 2");
  expect_problem(with_map("file: none.csv, size: [1, 1]"), "obstacles[0].height_map.file",
                 "none.csv");
  write_file("bad.csv", "1,2,3\n4,5\n6,x,7\n");
  const auto problems = problems_of(with_map("file: bad.csv, size: [1, 1]"));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(reported(problems).find("bad.csv:2"), std::string::npos) << reported(problems);
  EXPECT_NE(reported(problems).find("'x' is not a height"), std::string::npos)
      << reported(problems);
  write_file("row.csv", "1,2,3\n");
  expect_problem(with_map("file: row.csv, size: [1, 1]"), "obstacles[0].height_map.file",
                 "at least 2 rows and 2 columns");
  write_file("row.csv", "1,2\n3,4\n");
  expect_problem(with_map("file: row.csv, unit: kg, size: [1, 1]"), "obstacles[0].height_map.unit",
                 "not a unit of length");
}

}  // namespace
}  // namespace scree::test

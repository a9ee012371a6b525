#include <cmath>
#include <numbers>

#include "scree/collision/contact_points.hpp"
#include "scree/sim/solid_prototype.hpp"
#include "scree/sim/state.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

using std::numbers::pi;

std::string solid(const std::string& shape, const std::string& more = "") {
  return with_body("solid: {shape: {" + shape + "}, position: [1, 2, 3]" + more + "}");
}

Pose given_pose(const Scene& scene, std::size_t i) {
  return shape_pose(prototype_of(scene, i), scene.state.bodies.radius[i], pose_of(scene, i));
}

/// Principal moments [kg m²].
Vec3 moments_of(const Scene& scene, std::size_t i) {
  const Body body = scene.state.bodies[i];
  return body.mass * body.radius * body.radius * prototype_of(scene, i).inertia;
}
void expect_mass(const Scene& scene, double volume, const Vec3& over_mass) {
  const double mass = 2500 * volume;
  EXPECT_NEAR(scene.state.bodies.mass.at(0), mass, 1e-12 * mass);
  EXPECT_NEAR(norm(moments_of(scene, 0) - mass * over_mass), 0, 1e-12 * mass * norm(over_mass));
}

TEST(SceneSolids, have_the_mass_and_the_moments_of_the_closed_forms) {
  const double r = 0.02, l = 0.06;
  const double across = (3 * r * r + l * l) / 12;
  expect_mass(load_text(solid("cylinder: {radius: 2 cm, length: 6 cm}")), pi * r * r * l,
              {across, across, r * r / 2});
  const double of_cone = 3.0 / 80 * (4 * r * r + l * l);
  expect_mass(load_text(solid("cone: {radius: 2 cm, length: 6 cm}")), pi * r * r * l / 3,
              {of_cone, of_cone, 0.3 * r * r});
  expect_mass(load_text(solid("ellipsoid: {semi_axes: [1 cm, 2 cm, 3 cm]}")), 4 * pi / 3 * 6e-6,
              Vec3{4 + 9, 1 + 9, 1 + 4} * (1e-4 / 5));
  // A cylinder, and two half spheres whose centres are 3/8 r beyond its ends.
  const double middle = pi * r * r * l, balls = 4 * pi / 3 * r * r * r, whole = middle + balls,
               out = l / 2 + 0.375 * r;
  const double axial = (middle * r * r / 2 + balls * 0.4 * r * r) / whole;
  const double crosswise =
      (middle * across + balls * (0.4 * r * r - 0.375 * 0.375 * r * r + out * out)) / whole;
  expect_mass(load_text(solid("capsule: {radius: 2 cm, length: 6 cm}")), whole,
              {crosswise, crosswise, axial});
  // A ball without a shaft.
  expect_mass(load_text(solid("capsule: {radius: 2 cm, length: 0}")), balls,
              0.4 * r * r * Vec3{1, 1, 1});
}

TEST(SceneSolids, are_placed_by_the_frame_of_their_shape) {
  const Scene cone = load_text(solid("cone: {radius: 2 cm, length: 8 cm}",
                                     ", orientation: {axis: [0, 1, 0], angle: 90 deg}"));
  // Its tip points along x and the scene gives its middle; the centre of mass is a quarter of the
  // length from the base.
  EXPECT_NEAR(norm(cone.state.bodies.position[0] - Vec3{1 - 0.02, 2, 3}), 0, 1e-15);
  EXPECT_NEAR(signed_distance(shape_of(cone, 0), pose_of(cone, 0), {1.05, 2, 3}).distance, 0.01,
              1e-15);
  EXPECT_NEAR(norm(given_pose(cone, 0).position - Vec3{1, 2, 3}), 0, 1e-15);

  const Scene tetrahedron = load_text(
      solid("polyhedron: {points: [[0, 0, 0], [4 cm, 0, 0], [0, 4 cm, 0], [0, 0, 4 cm]]}"));
  EXPECT_NEAR(norm(tetrahedron.state.bodies.position[0] - Vec3{1.01, 2.01, 3.01}), 0, 1e-15);
  for (const Vec3& corner : {Vec3{1, 2, 3}, Vec3{1.04, 2, 3}, Vec3{1, 2.04, 3}, Vec3{1, 2, 3.04}})
    EXPECT_NEAR(signed_distance(shape_of(tetrahedron, 0), pose_of(tetrahedron, 0), corner).distance,
                0, 1e-15);
}

/// The same keys as a body and as an obstacle.
Scene body_and_obstacle(const std::string& shape) {
  return load_text(with_body(shape) + "allow_overlap: true\nobstacles:\n  - " + shape + "\n");
}

/// Ends of an axis are rounded to 1e-16 of their coordinates, which are 100 times its length.
void expect_same(const Pose& a, const Pose& b) {
  constexpr double kRounding = 1e-14;
  EXPECT_NEAR(norm(a.position - b.position), 0, kRounding);
  const Vec3 axis = rotate(a.orientation, {0, 0, 1}), side = rotate(a.orientation, {1, 0, 0});
  EXPECT_NEAR(norm(axis - rotate(b.orientation, {0, 0, 1})), 0, kRounding);
  EXPECT_NEAR(norm(side - rotate(b.orientation, {1, 0, 0})), 0, kRounding);
}

TEST(SceneSolids, are_cylinders_and_capsules_where_obstacles_with_the_same_keys_are) {
  for (const std::string name : {"cylinder", "capsule"})
    for (const char* keys : {": {from: [1, 2, 3], to: [1, 2.03, 3.04], radius: 2 cm}",
                             ": {position: [1, 2.015, 3.02], axis: [0, 3, 4], length: 5 cm, "
                             "radius: 2 cm}"}) {
      const Scene scene = body_and_obstacle(name + keys);
      const Obstacle& obstacle = scene.model.obstacles.at(0);
      expect_same(given_pose(scene, 0), obstacle.pose);
      expect_same(obstacle.pose, {{1, 2.015, 3.02}, rotation({-1, 0, 0}, std::atan2(3.0, 4.0))});
      const auto expect_lengths = [&]<class Round>(const Round& body) {
        const auto& other = std::get<Round>(obstacle.shape);
        EXPECT_NEAR(body.radius, other.radius, 1e-17);
        EXPECT_NEAR(body.half_length, other.half_length, 1e-17);
        EXPECT_NEAR(body.radius, 0.02, 1e-17);
        EXPECT_NEAR(body.half_length, 0.025, 1e-15);
      };
      if (name == "cylinder")
        expect_lengths(std::get<Cylinder>(shape_of(scene, 0)));
      else
        expect_lengths(std::get<Capsule>(shape_of(scene, 0)));
    }
}

TEST(SceneSolids, are_the_same_bodies_as_solids_of_that_shape) {
  for (const std::string name : {"cylinder", "capsule"}) {
    const std::string more = ", velocity: [1, 2, 3], angular_velocity: [0, 0, 4], locked: [rx]}";
    const Scene one = load_text(with_body(name +
                                          ": {position: [1, 2, 3], axis: [0, 0, 2], "
                                          "length: 6 cm, radius: 2 cm" +
                                          more)),
                other = load_text(with_body("solid: {position: [1, 2, 3], shape: {" + name +
                                            ": {length: 6 cm, radius: 2 cm}}" + more));
    EXPECT_EQ(state_hash(one.state), state_hash(other.state));
    EXPECT_EQ(prototype_of(one, 0).inertia, prototype_of(other, 0).inertia);
    EXPECT_TRUE(prototype_of(one, 0).locked.any());
    const Scene leaning = load_text(with_body(name + ": {from: [0, 2, 3], to: [2, 2, 3], "
                                                     "radius: 50 cm}")),
                solid_one = load_text(with_body("solid: {position: [1, 2, 3], shape: {" + name +
                                                ": {length: 2, radius: 50 cm}}, orientation: "
                                                "{axis: [0, 1, 0], angle: 90 deg}}"));
    expect_same(pose_of(leaning, 0), pose_of(solid_one, 0));
    EXPECT_EQ(leaning.state.bodies.mass[0], solid_one.state.bodies.mass[0]);
    EXPECT_EQ(leaning.state.bodies.radius[0], solid_one.state.bodies.radius[0]);
  }
}

TEST(SceneSolids, that_are_cylinders_and_capsules_have_the_keys_of_bodies) {
  const Scene scene = load_text(
      kBase +
      "bodies:\n  - cylinder: {name: roll, from: [0, 0, 0], to: [0, 0, 2], radius: 1, mass: 7 g}\n"
      "  - capsule: {from: [9, 0, 0], to: [9, 0, 2], radius: 1, density: 1, material: glass}\n"
      "  - solid: {shape: {cylinder: {radius: 2, length: 4}}, position: [20, 0, 0]}\n");
  EXPECT_EQ(scene.named_bodies.at(0).name, "roll");
  EXPECT_EQ(scene.state.bodies.mass[0], 0.007);
  EXPECT_NEAR(scene.state.bodies.mass[1], 2 * pi + 4 * pi / 3, 1e-14);
  EXPECT_EQ(scene.state.bodies.prototype[0], scene.state.bodies.prototype[2]);
}

TEST(SceneSolids, that_are_cylinders_and_capsules_given_by_halves_are_refused) {
  const auto cylinder = [](const std::string& keys) {
    return with_body("cylinder: {radius: 1, " + keys + "}");
  };
  const std::string path = "bodies[0].cylinder",
                    ways = "position, axis and length, or by from and to; found ";
  expect_problem(cylinder("from: [0, 0, 0]"), path, ways + "from");
  expect_problem(cylinder("position: [0, 0, 0], axis: [0, 0, 1]"), path, ways + "position, axis");
  expect_problem(cylinder("from: [0, 0, 0], to: [0, 0, 1], length: 1"), path,
                 ways + "from, to, length");
  expect_problem(with_body("capsule: {radius: 1}"), "bodies[0].capsule",
                 ways + "none of these keys");
  expect_problem(cylinder("from: [0, 0, 0], to: [0, 0, 0]"), path + ".to",
                 "from and to are the same point; move one of them");
  expect_problem(cylinder("position: [0, 0, 0], axis: [0, 0, 0], length: 1"), path + ".axis",
                 "zero length");
  expect_problem(cylinder("position: [0, 0, 0], axis: [0, 0, 1], length: 0"), path + ".length",
                 "greater than 0");
  expect_problem(with_body("cylinder: {from: [0, 0, 0], to: [0, 0, 1]}"), path,
                 "the key 'radius' is missing");
  expect_problem(with_body("capsule: {from: [0, 0, 0], to: [0, 0, 1], radius: 1 mm}"),
                 "bodies[0].capsule", "at most 100 times is supported");
  expect_problem(cylinder("from: [0, 0, 0], to: [0, 0, 1], mass: 1, density: 1"), path + ".density",
                 "exclude each other");
  expect_problem(cylinder("from: [0, 0, 0], to: [0, 0, 1], locked: [x], velocity: [1, 0, 0]"),
                 path + ".velocity", "locked along an axis");
}

TEST(SceneSolids, of_fillings_are_turned_at_random_unless_an_orientation_is_given) {
  const auto filling = [](const std::string& keys) {
    const std::string text =
        "scree: 1\nuntil: 1\nstep: {h: 1 ms}\nmaterials: {a: {density: 1000}}\n"
        "default_law: {law: frictionless}\nfillings:\n  - {name: hose, material: a, rate: 9 1/s, "
        "region: {min: [0, 0, 0], max: [1, 1, 1]}, " +
        keys + "}\n";
    return load_text(text).model.fillings[0].kinds[0].orientation;
  };
  EXPECT_FALSE(filling("size: [1 mm, 2 mm, 3 mm]"));
  EXPECT_FALSE(filling("size: [1 mm, 2 mm, 3 mm], orientation: random"));
  EXPECT_FALSE(filling("shape: {cylinder: {radius: 1 mm, length: 3 mm}}"));
  EXPECT_TRUE(filling("size: [1 mm, 2 mm, 3 mm], orientation: {axis: [0, 0, 1], angle: 30 deg}"));
}

TEST(SceneSolids, may_be_hulls_of_files) {
  write_file("tetrahedron.obj",
             "v 0 0 0\nv 40 0 0\nv 0 40 0\nv 0 0 40\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Scene scene = load_text(solid("polyhedron: {mesh: {file: tetrahedron.obj, unit: mm}}"));
  EXPECT_NEAR(scene.state.bodies.mass[0], 2500 * std::pow(0.04, 3) / 6, 1e-9);
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(scene.inputs.size(), 1U);
  EXPECT_NE(scene.resolved.find((test_directory() / "tetrahedron.obj").string()),
            std::string::npos);
}

TEST(SceneSolids, have_the_vertices_of_their_files_however_these_are_written) {
  write_file("tetrahedron.obj",
             "\xef\xbb\xbfv 0 .0 0 .2\n# .5 \\\n\tV 4e-2 -0. 0 1 0.5 .25\r\nv\t0 .04 0 # a corner\n"
             "v 0 0 \\\n +.04#x\nvn 0 0 1\n  f 1//1 3//1 2//1\nF 1 2 4\nf 1 4 3\nf -3 -2 -1\n");
  const Scene scene = load_text(solid("polyhedron: {mesh: {file: tetrahedron.obj}}"));
  EXPECT_TRUE(scene.warnings.empty());
  // Files are read in single precision.
  EXPECT_NEAR(scene.state.bodies.mass[0] / (2500 * std::pow(0.04, 3) / 6), 1, 3e-7);
}

TEST(SceneSolids, of_files_with_vertices_that_are_none_are_refused_by_their_lines) {
  const std::string rest = "v 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  for (const char* vertex : {"v 1 0", "v 1 0,5 0", "v one 0 0", "v nan 0 0", "v 5d-1 0 0", "v"}) {
    write_file("bad.obj", "v 0 0 0\n" + std::string(vertex) + "\n" + rest);
    expect_problem(solid("polyhedron: {mesh: {file: bad.obj}}"),
                   "bodies[0].solid.shape.polyhedron.mesh.file", "an invalid vertex in line 2");
  }
  write_file("capitals.stl",
             "\n SOLID s\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX\n1 0 0\nvertex 1 1 .5\n"
             "endloop endfacet\nENDSOLID s\n");
  expect_problem(solid("polyhedron: {mesh: {file: capitals.stl}}"),
                 "bodies[0].solid.shape.polyhedron.mesh.file", "makes no body");
  const auto facet = [](const std::string& vertices) {
    return "solid s\nfacet normal 0 0 1\nouter loop\n" + vertices +
           "endloop\nendfacet\nendsolid s\n";
  };
  const std::string three = "vertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\n";
  write_file("four.stl", facet(three + "vertex 0 1 0\n"));
  expect_problem(solid("polyhedron: {mesh: {file: four.stl}}"),
                 "bodies[0].solid.shape.polyhedron.mesh.file", "a facet with 4 vertices");
  write_file("letters.stl", facet(three + "vertex 0 x 0\n"));
  expect_problem(solid("polyhedron: {mesh: {file: letters.stl}}"),
                 "bodies[0].solid.shape.polyhedron.mesh.file",
                 "an invalid vertex in line 7: found 'x'");
}

TEST(SceneSolids, of_meshes_that_are_open_or_dented_are_hulls_and_say_so) {
  write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  const Scene open = load_text(solid("polyhedron: {mesh: {file: open.obj}}"));
  ASSERT_EQ(open.warnings.size(), 1U);
  EXPECT_NE(open.warnings[0].message.find("is not closed; the hull"), std::string::npos);
  // A pyramid with its base dented to half of the height has half the volume of its hull.
  write_file("dented.obj",
             "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 1\nv 0 0 0.5\n"
             "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 2 1 6\nf 3 2 6\nf 4 3 6\nf 1 4 6\n");
  const Scene dented = load_text(solid("polyhedron: {mesh: {file: dented.obj}}"));
  ASSERT_EQ(dented.warnings.size(), 1U);
  EXPECT_NE(dented.warnings[0].message.find("is not convex; its hull is used, which has 100 %"),
            std::string::npos)
      << dented.warnings[0].message;
  EXPECT_NEAR(dented.state.bodies.mass[0], 2500 * 4.0 / 3, 1e-9);
}

TEST(SceneSolids, that_no_body_can_be_made_of_are_refused) {
  const auto points = [](const std::string& list) {
    return solid("polyhedron: {points: " + list + "}");
  };
  const std::string path = "bodies[0].solid.shape.polyhedron";
  expect_problem(points("[[0, 0, 0], [1, 0, 0], [0, 1, 0]]"), path + ".points",
                 "of these 3 points: a body needs at least four points");
  expect_problem(points("[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]"), path + ".points",
                 "lie in a plane");
  expect_problem(points("[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.001]]"), path,
                 "at most 100 times is supported");
  expect_problem(solid("polyhedron: {}"), path, "either points or the mesh");
  expect_problem(solid("polyhedron: {mesh: {file: none.stl}}"), path + ".mesh.file",
                 "not a readable file");
  write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
  expect_problem(solid("polyhedron: {mesh: {file: flat.obj}}"), path + ".mesh.file",
                 "makes no body: the points lie in a plane");
  expect_problem(solid("capsule: {radius: 1 mm, length: 1 m}"), "bodies[0].solid.shape.capsule",
                 "501 times the radius");
  expect_problem(solid("frustum: {bottom_radius: 0, top_radius: 0, length: 1}"),
                 "bodies[0].solid.shape.frustum", "must be above 0");
  expect_problem(solid("superellipsoid: {semi_axes: [1, 1, 1], exponents: [1.5, 2]}"),
                 "bodies[0].solid.shape.superellipsoid.exponents[0]", "at least 2");
  expect_problem(solid("superellipsoid: {semi_axes: [1, 1, 1], exponents: [2, 50]}"),
                 "bodies[0].solid.shape.superellipsoid.exponents[1]", "at most 10");
  expect_problem(solid("ellipsoid: {semi_axes: [1, 1]}"),
                 "bodies[0].solid.shape.ellipsoid.semi_axes", "a list of 3");
  expect_problem(solid("cylindr: {radius: 1, length: 1}"), "bodies[0].solid.shape.cylindr",
                 "did you mean 'cylinder'");
  expect_problem(solid("cylinder: {radius: 1, length: 1}, cone: {radius: 1, length: 1}"),
                 "bodies[0].solid.shape", "exactly one of the keys");
}

TEST(SceneSolids, of_one_shape_share_a_prototype_whatever_their_size) {
  const Scene scene = load_text(
      kBase +
      "bodies:\n"
      "  - solid: {shape: {cone: {radius: 1, length: 2}}, position: [0, 0, 0]}\n"
      "  - solid: {shape: {cone: {radius: 2, length: 4}}, position: [9, 0, 0]}\n"
      "  - solid: {shape: {cone: {radius: 2, length: 3}}, position: [18, 0, 0]}\n"
      "  - random: {shape: {cone: {radius: 1 cm, length: 2 cm}}, count: 5, scale: {uniform: [1, "
      "2]}, region: {min: [30, 0, 0], max: [31, 1, 1]}}\n");
  EXPECT_EQ(scene.model.prototypes.size(), 3U);
  EXPECT_EQ(scene.state.bodies.prototype[0], scene.state.bodies.prototype[1]);
  EXPECT_NE(scene.state.bodies.prototype[0], scene.state.bodies.prototype[2]);
  EXPECT_EQ(scene.state.bodies.prototype[0], scene.state.bodies.prototype[5]);
}

TEST(SceneSolids, fill_regions_at_random_without_overlap_and_inside) {
  for (const char* shape :
       {"capsule: {radius: 3 mm, length: 10 mm}", "cone: {radius: 6 mm, length: 12 mm}",
        "ellipsoid: {semi_axes: [8 mm, 5 mm, 3 mm]}",
        "polyhedron: {points: [[0, 0, 0], [12 mm, 0, 0], [0, 15 mm, 0], [0, 0, 10 mm]]}"}) {
    const Scene scene = load_text(
        kBase + "bodies:\n  - random: {shape: {" + shape +
        "}, count: 60, scale: {uniform: [0.8, 1.2]}, region: {min: [0, 0, 0], max: [8 cm, 8 cm, 8 "
        "cm]}}\nobstacles:\n  - solid: {shape: {cone: {radius: 2 cm, length: 4 cm}}, position: [4 "
        "cm, 4 cm, 2 cm]}\n");
    ASSERT_EQ(scene.state.bodies.size(), 60U) << shape;
    for (std::size_t i = 0; i < 60; ++i) {
      for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        const double x = scene.state.bodies.position[i][k];
        EXPECT_GT(x - support(shape_of(scene, i), pose_of(scene, i), -axis), -1e-15) << shape;
        EXPECT_LT(x + support(shape_of(scene, i), pose_of(scene, i), axis), 0.08 + 1e-15) << shape;
      }
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GE(
            separation(shape_of(scene, i), pose_of(scene, i), shape_of(scene, j), pose_of(scene, j))
                .distance,
            0)
            << shape;
      const Obstacle& cone = scene.model.obstacles[0];
      EXPECT_GE(separation(shape_of(scene, i), pose_of(scene, i), cone.shape, cone.pose).distance,
                0)
          << shape;
    }
  }
}

TEST(SceneSolids, stand_on_lattices_by_their_own_frames) {
  const Scene scene = load_text(
      with_body("lattice: {shape: {cone: {radius: 4 mm, length: 10 mm}}, spacing: [1 cm, 1 cm, 11 "
                "mm], region: {min: [0, 0, 0], max: [2 cm, 2 cm, 22 mm]}}"));
  ASSERT_EQ(scene.state.bodies.size(), 8U);
  EXPECT_NEAR(norm(given_pose(scene, 0).position - Vec3{0.005, 0.005, 0.0055}), 0, 1e-17);
  EXPECT_NEAR(scene.state.bodies.position[0].z, 0.0055 - 0.0025, 1e-17);
}

TEST(SceneSolids, that_overlap_are_refused_by_their_true_shapes) {
  // A cone under a cone: their bounding spheres overlap.
  const auto two = [](const std::string& height) {
    return kBase +
           "bodies:\n  - solid: {shape: {cone: {radius: 1, length: 2}}, position: [0, 0, 0]}\n"
           "  - solid: {shape: {cone: {radius: 1, length: 2}}, position: [0, 0, " +
           height + "]}\n";
  };
  EXPECT_TRUE(problems_of(two("2.001")).empty());
  expect_problem(two("1.9"), "bodies[1].solid",
                 "overlaps bodies[0].solid (cone of bounding radius 1.5 m at 0, 0, 0) by 0.1 m");
}

TEST(SceneSolids, come_from_tables_with_their_orientations_and_scales) {
  write_file("solids.csv", "x,y,z,qw,qx,qy,qz,scale\n0,0,0,1,0,0,0,1\n9,0,0,0,2,0,0,0.5\n");
  const Scene scene =
      load_text(with_body("csv: {file: solids.csv, shape: {cone: {radius: 1, length: 4}}}"));
  ASSERT_EQ(scene.state.bodies.size(), 2U);
  EXPECT_NEAR(norm(scene.state.bodies.position[0] - Vec3{0, 0, -1}), 0, 1e-15);
  EXPECT_NEAR(norm(scene.state.bodies.position[1] - Vec3{9, 0, 0.5}), 0, 1e-15) << "upside down";
  EXPECT_NEAR(scene.state.bodies.mass[1], scene.state.bodies.mass[0] / 8, 1e-9);
  write_file("boxes.csv", "x,y,z\n0,0,0\n");
  EXPECT_EQ(load_text(with_body("csv: {file: boxes.csv, size: [1, 2, 3]}")).state.bodies.mass[0],
            2500 * 6);
  const auto refused = [&](const char* table, const char* keys, const char* words) {
    write_file("bad.csv", table);
    const auto problems = problems_of(with_body(std::string("csv: {file: bad.csv, ") + keys + "}"));
    ASSERT_FALSE(problems.empty()) << words;
    EXPECT_NE(reported(problems).find(words), std::string::npos) << reported(problems);
  };
  refused("x,y,z,r\n0,0,0,1\n", "size: [1, 1, 1]", "the column r is for spheres");
  refused("x,y,z,scale\n0,0,0,1\n", "radius: 1", "the column scale is for boxes");
  refused("x,y,z,qw\n0,0,0,1\n", "size: [1, 1, 1]", "give all of the columns");
  refused("x,y,z,qw,qx,qy,qz\n0,0,0,0,0,0,0\n", "size: [1, 1, 1]", "has zero length");
  refused("x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n", "size: [1, 1, 1], orientation: [1, 0, 0, 0]",
          "exclude each other");
}

TEST(SceneSolids, are_obstacles_where_they_are_put) {
  const Scene scene = load_text(
      kBase +
      "obstacles:\n  - solid: {name: wedge, shape: {polyhedron: {points: [[0, 0, 0], [1, 0, 0], "
      "[0, 1, 0], [0, 0, 1]]}}, position: [5, 0, 0], orientation: {axis: [0, 0, 1], angle: 90 "
      "deg}}\n");
  const Obstacle& wedge = scene.model.obstacles[0];
  EXPECT_NEAR(signed_distance(wedge.shape, wedge.pose, {5, 1.5, 0}).distance, 0.5, 1e-14);
  EXPECT_NEAR(signed_distance(wedge.shape, wedge.pose, {4, 0, 0}).distance, 0, 1e-14);
  EXPECT_NEAR(signed_distance(wedge.shape, wedge.pose, {4.9, 0.1, -0.2}).distance, 0.2, 1e-14);
}

TEST(SceneSolids, whose_curvature_a_law_does_not_know_are_refused) {
  const std::string scene =
      "scree: 1\nuntil: 1\nstep: {h: 1e-6}\n"
      "materials: {glass: {density: 2500, young: 1 MPa, poisson: 0.2}}\n"
      "default_law: {law: hertz_mindlin, friction: 0.4, restitution: 0.5}\n"
      "bodies:\n  - solid: {shape: {ellipsoid: {semi_axes: [1 cm, 1 cm, 2 cm]}}, position: [0, 0, "
      "0]}\n";
  expect_problem(scene, "bodies[0].solid", "hertz_mindlin does not support ellipsoids");
}

}  // namespace
}  // namespace scree::test

#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

std::string with_sphere(const std::string& keys) { return with_body("sphere: {" + keys + "}"); }

TEST(BadInput, the_smallest_scene_is_good) { EXPECT_EQ(reported(problems_of(kBase)), ""); }

TEST(BadInput, a_missing_file_is_reported) {
  try {
    load_scene("/nowhere/scene.yaml");
    FAIL();
  } catch (const SceneError& e) {
    EXPECT_STREQ(e.what(), "/nowhere/scene.yaml: the scene file does not exist");
  }
}

TEST(BadInput, a_directory_is_no_scene) {
  try {
    load_scene("/tmp");
    FAIL();
  } catch (const SceneError& e) {
    EXPECT_STREQ(e.what(), "/tmp: is a directory; give a scene file");
  }
}

TEST(BadInput, an_empty_file_is_no_scene) {
  expect_problem("", "", "empty");
  expect_problem("\n# only a comment\n", "", "empty");
}

TEST(BadInput, files_that_are_not_yaml_are_refused_with_the_place) {
  for (const std::string& text :
       {std::string("scree: 1\nbodies: [1, 2\n"), std::string("a: b: c"),
        std::string("\x7f"
                    "ELF\x02\x00\x01",
                    8),
        std::string("\xff\xfe\x00"), std::string("scree: \"open"), std::string("a: *nothing\n"),
        std::string("{{{{"), std::string("- a\nb: c\n"), std::string("\tscree: 1")}) {
    const auto problems = problems_of(text);
    ASSERT_FALSE(problems.empty()) << text;
    EXPECT_GE(problems[0].line, 1) << reported(problems);
  }
}

TEST(BadInput, deep_nesting_is_refused_rather_than_recursed_into) {
  EXPECT_FALSE(problems_of(std::string(100'000, '[')).empty());
  EXPECT_FALSE(problems_of(std::string(100'000, '{')).empty());
  std::string steps;
  for (int i = 0; i < 3000; ++i) steps += std::string(i, ' ') + "a:\n";
  EXPECT_FALSE(problems_of(steps).empty());
}

TEST(BadInput, a_root_that_is_no_map_is_refused) {
  expect_problem("- a\n- b\n", "", "expected a map");
  expect_problem("hello", "", "found 'hello', expected a map");
}

TEST(BadInput, a_second_document_is_refused) {
  expect_problem(kBase + "---\nscree: 1\n", "", "second YAML document");
}

TEST(BadInput, duplicate_keys_are_found_at_any_depth) {
  const auto problems = problems_of(
      kBase + "until: 2\nbodies:\n  - sphere: {radius: 1, position: [0, 0, 0], radius: 2}\n");
  ASSERT_EQ(problems.size(), 2u) << reported(problems);
  EXPECT_EQ(problems[0].line, 6);
  EXPECT_NE(problems[0].message.find("'until' is already at line 2"), std::string::npos)
      << problems[0].message;
  EXPECT_EQ(problems[1].path, "bodies[0].sphere.radius");
}

TEST(BadInput, aliases_that_expand_to_billions_are_refused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  expect_problem(bomb, "", "the aliases expand to more than");
  EXPECT_FALSE(problems_of("a: &a [*a]\n").empty());
}

TEST(BadInput, aliases_may_be_used_for_short) {
  const Scene scene = load_text(kBase +
                                "bodies:\n  - sphere: {position: &p [0, 0, 1], radius: 0.1}\n"
                                "  - sphere: {position: [5, 0, 0], velocity: *p, radius: 0.1}\n");
  EXPECT_EQ(scene.state.bodies.velocity[1], (Vec3{0, 0, 1}));
}

TEST(BadInput, a_misspelt_key_is_guessed) {
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1, raduis: 1"),
                 "bodies[0].sphere.raduis", "did you mean 'radius'?");
  expect_problem(with_sphere("position: [0, 0, 0], raduis: 1"), "bodies[0].sphere.raduis",
                 "did you mean 'radius'?");
  expect_problem(kBase + "gravitiy: [0, 0, 0]\n", "gravitiy", "did you mean 'gravity'?");
  expect_problem(with_body("spere: {}"), "bodies[0].spere", "did you mean 'sphere'?");
  expect_problem(kBase + "qqqqqqqqq: 3\n", "qqqqqqqqq", "allowed are scree, name");
}

TEST(BadInput, all_problems_are_reported_at_once_with_their_positions) {
  const auto problems = problems_of(
      "scree: 1\n"
      "until: -1\n"
      "step: {h: 10 kg, eror_reduction: 0.2}\n"
      "materials: {glass: {density: 2500}}\n"
      "default_law: {law: coulomb, friction: -0.4}\n"
      "bodies:\n"
      "  - sphere: {position: [0, 0], radius: 0}\n"
      "  - sphere: {position: [0, 0, .nan], radius: 1, material: glas}\n"
      "  - lattice: {region: {min: [0, 0, 0], max: [1, 1, -1]}, spacing: 0.5, radius: 0.1}\n");
  const std::string all = reported(problems);
  for (const char* expected :
       {":2:8: until: ", ":3:11: step.h: ", ":3:18: step.eror_reduction: ",
        "default_law.friction: ", "bodies[0].sphere.position: ", "bodies[0].sphere.radius: ",
        "bodies[1].sphere.position[2]: ",
        "bodies[1].sphere.material: there is no material 'glas'; did you mean 'glass'?",
        "bodies[2].lattice.region.max: "})
    EXPECT_NE(all.find(expected), std::string::npos) << expected << "\nis not in\n" << all;
  EXPECT_EQ(problems.size(), 9u) << all;
}

TEST(BadInput, text_that_is_not_yaml_is_refused_with_what_to_change) {
  const auto fault = [](const std::string& text) {
    const std::string all = reported(problems_of(text));
    return all.substr(all.find("scene.yaml") + 10);
  };
  EXPECT_EQ(fault("a: 1\nb: [1, 2\nc: 3\n"),
            ":2:4: not valid YAML: the '[' in line 2 is not closed; write its ']'");
  EXPECT_EQ(fault("a: {x: 1\nb: 2\n"),
            ":1:4: not valid YAML: the '{' in line 1 is not closed; write its '}'");
  EXPECT_EQ(fault("a: {x: 1, y: [1, 2}\n"),
            ":1:19: not valid YAML: this bracket does not close the '[' in line 1, column 14; "
            "write ']' first");
  EXPECT_EQ(fault("a: [1, 2]]\n"), ":1:10: not valid YAML: this bracket closes nothing; remove it");
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"a:\n  b: 1\n c: 2\n", ":3:2: not valid YAML: this line fits neither"},
           {"a: 1\n- b\n", ":2:1: not valid YAML: this line fits neither"},
           {"a: b: c\n", ":1:5: not valid YAML: this value is not expected here"},
           {"a: - 1\n", "a list with '-' cannot begin here"},
           {"a: 1\n\tb: 2\n", ":2:1: not valid YAML: a tab indents this line; use spaces"},
           {"a: @x\n", "cannot begin with this character"},
           {"a: *x\n", "no value above has an anchor of this name"},
           {"a: &\n", "the name is missing after '&'"},
           {"a: \"\\q\"\n", "'\\q' means nothing in double quotes"},
           {"%YAML 3\n---\na: 1\n", "not valid YAML: bad YAML version: 3"}})
    EXPECT_NE(fault(text).find(expected), std::string::npos) << text << fault(text);
}

TEST(UntilRest, has_a_limit_of_time_and_takes_the_rest_from_gravity_and_size) {
  const Scene scene = load_text(kBase, {"until=rest"});
  ASSERT_TRUE(scene.rest);
  EXPECT_EQ(scene.until, 60);
  EXPECT_FALSE(scene.rest->speed);
  EXPECT_FALSE(scene.rest->lasting);
  EXPECT_EQ(scene.rest->loose, 0.01);
  const Scene given = load_text(
      kBase, {"until=rest", "rest={at_most: 2 s, speed: 3 mm/s, loose: 0, lasting: 40 ms}"});
  EXPECT_EQ(given.until, 2);
  EXPECT_EQ(given.rest->speed, 0.003);
  EXPECT_EQ(given.rest->loose, 0);
  EXPECT_EQ(given.rest->lasting, 0.04);
  EXPECT_EQ(load_text(given.resolved).rest->speed, 0.003);
  EXPECT_FALSE(load_text(kBase, {"rest={speed: 3 mm/s}"}).rest);
}

TEST(UntilRest, is_refused_where_it_never_comes_or_says_too_little) {
  expect_problem(kBase, "until", "or rest", {"until=resting"});
  expect_problem(kBase, "rest", "without gravity rest needs both speed and lasting",
                 {"until=rest", "gravity=[0, 0, 0]", "rest={speed: 1 mm/s}"});
  expect_problem(kBase, "rest.at_most", "must be greater than 0 s",
                 {"until=rest", "rest={at_most: 0}"});
  expect_problem(kBase, "rest", "a map with the keys at_most", {"until=rest", "rest=5 s"});
}

TEST(Warnings, tell_where_the_last_step_ends_if_steps_do_not_divide_the_time) {
  EXPECT_TRUE(load_text(kBase).warnings.empty());
  const Scene scene = load_text(kBase, {"until=10 ms", "step.h=7 ms"});
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_EQ(scene.warnings[0].path, "until");
  // Following the advice removes the warning.
  const std::string& reported = scene.warnings[0].message;
  const std::string advised = reported.substr(
      reported.find("step.h = ") + 9, reported.find(" s ends") - reported.find("step.h = ") - 9);
  EXPECT_TRUE(load_text(kBase, {"until=10 ms", "step.h=" + advised}).warnings.empty()) << reported;
  EXPECT_NE(
      scene.warnings[0].message.find("the run ends with step 2, at t = 0.014 s; step.h = 0.005 s"),
      std::string::npos)
      << scene.warnings[0].message;
}

TEST(BadInput, missing_keys_are_named) {
  expect_problem("scree: 1\n", "", "the keys until, step, materials, default_law are missing");
  expect_problem(with_sphere("position: [0, 0, 0]"), "bodies[0].sphere",
                 "the key 'radius' is missing; expected a length");
}

TEST(BadInput, numbers_out_of_range_are_refused) {
  expect_problem(with_sphere("position: [0, 0, 0], radius: -1 mm"), "bodies[0].sphere.radius",
                 "must be greater than 0");
  expect_problem(with_sphere("position: [0, 0, 0], radius: 0"), "bodies[0].sphere.radius",
                 "must be greater than 0");
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1, mass: 0"), "bodies[0].sphere.mass",
                 "greater than 0");
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1, density: 0"),
                 "bodies[0].sphere.density", "greater than 0");
  expect_problem(with_sphere("position: [0, 0, .inf], radius: 1"), "bodies[0].sphere.position[2]",
                 "finite");
  expect_problem(with_sphere("position: [0, 0, 0], radius: .nan"), "bodies[0].sphere.radius",
                 "finite");
  expect_problem(with_sphere("position: [0, 0, 1e400], radius: 1"), "bodies[0].sphere.position[2]",
                 "double precision");
  expect_problem(with_sphere("position: [0, 0, 1e300], radius: 1"), "bodies[0].sphere.position[2]",
                 "out of range");
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1e400 m"), "bodies[0].sphere.radius",
                 "double precision");
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1e-200"), "bodies[0].sphere",
                 "is not between");
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1, velocity: [1e10, 0, 0]"),
                 "bodies[0].sphere.velocity[0]", "at most 300000000.0 m/s");
  expect_problem(kBase, "step.h", "greater than 0", {"step.h=-1e-3"});
  expect_problem(kBase, "solver.tolerance", "greater than 0", {"solver.tolerance=0"});
  expect_problem(kBase, "solver.max_sweeps", "integer", {"solver.max_sweeps=2.5"});
  expect_problem(kBase, "default_law.restitution", "at least 0 and at most 1",
                 {"default_law.restitution=1.1"});
  expect_problem(kBase, "default_law.restitution", "at least 0 and at most 1",
                 {"default_law.restitution=-0.1"});
  expect_problem(kBase, "default_law.friction", "at least 0", {"default_law.friction=-1"});
  expect_problem(kBase, "default_law.rolling_friction", "at least 0",
                 {"default_law.rolling_friction=-1 mm"});
  expect_problem(kBase, "default_law.spinning_friction", "at least 0",
                 {"default_law.spinning_friction=-1"});
  expect_problem(kBase, "default_law.cohesion", "at least 0", {"default_law.cohesion=-1 mN"});
  expect_problem(kBase, "default_law.rolling_friction", "length",
                 {"default_law.rolling_friction=1 N"});
  expect_problem(kBase, "default_law.cohesion", "force", {"default_law.cohesion=1 mm"});
  expect_problem(kBase, "default_law.rolling_friction", "take solver.method: gauss_seidel",
                 {"default_law.rolling_friction=1 mm", "solver.method=newton"});
  expect_problem(kBase, "default_law.spinning_friction", "take solver.method: gauss_seidel",
                 {"default_law.spinning_friction=1 mm", "solver.method=auto"});
  expect_problem(kBase, "until", "before the end of the first step", {"until=1e-6"});
  expect_problem(kBase, "until", "steps", {"until=1e300"});
  expect_problem(kBase, "materials.glass.density", "greater than 0",
                 {"materials.glass.density=-3"});
}

TEST(BadInput, maps_in_the_place_of_lists_are_refused) {
  expect_problem(kBase + "bodies: {first: {sphere: {}}}\n", "bodies", "expected a list");
  expect_problem(kBase + "obstacles: {first: {sphere: {}}}\n", "obstacles", "expected a list");
  expect_problem(kBase + "inflows: {first: {}}\n", "inflows", "expected a list");
  expect_problem(kBase + "outflows: {first: {}}\n", "outflows", "expected a list");
  expect_problem(kBase + "output: {pictures: {first: [{energy: {}}]}}\n", "output.pictures",
                 "expected a list");
  expect_problem(kBase + "output: {analysis: {first: {}}}\n", "output.analysis", "expected a list");
}

TEST(BadInput, wrong_types_are_refused) {
  expect_problem(with_sphere("position: 3, radius: 1"), "bodies[0].sphere.position",
                 "found 3, expected a list of 3");
  expect_problem(with_sphere("position: [0, 0, 0, 0], radius: 1"), "bodies[0].sphere.position",
                 "found a list of 4");
  expect_problem(with_sphere("position: [0, 0, 0], radius: [1]"), "bodies[0].sphere.radius",
                 "found a list of 1");
  expect_problem(with_sphere("position: [0, 0, 0], radius:"), "bodies[0].sphere.radius",
                 "found nothing");
  expect_problem(kBase, "default_law.friction", "expected a number", {"default_law.friction=high"});
  expect_problem(kBase, "default_law.law", "did you mean 'coulomb'?", {"default_law.law=coulom"});
  expect_problem(kBase, "solver.warm_start", "true or false", {"solver.warm_start=3"});
  expect_problem(kBase, "bodies", "expected a list", {"bodies={sphere: 3}"});
  expect_problem(
      kBase, "bodies[0]",
      "exactly one of the keys sphere, box, cylinder, capsule, solid, lattice, random, csv",
      {"bodies=[{}]"});
  expect_problem(kBase + "output: {frame_interval: yes}\n", "output.frame_interval",
                 "found yes, expected a time");
  expect_problem(kBase, "scree", "not known", {"scree=2"});
}

TEST(BadInput, laws_must_name_materials_and_fit_together) {
  expect_problem(kBase + "laws: [{between: [glass, steel], law: frictionless}]\n",
                 "laws[0].between[1]", "there is no material 'steel'");
  expect_problem(kBase + "laws: [{between: [glass, glass], law: frictionless, friction: 0.1}]\n",
                 "laws[0].friction", "has no friction");
  expect_problem(kBase + "laws: [{between: [glass, glass], law: coulomb}]\n", "laws[0]",
                 "'friction' is missing");
  expect_problem(
      kBase + "laws: [{between: [glass, glass], law: coulomb, friction: 0.1, facets: 8}]\n",
      "laws[0].facets", "has no facets");
  expect_problem(
      kBase + "laws: [{between: [glass, glass], law: polyhedral, friction: 0.1, facets: 3}]\n",
      "laws[0].facets", "at least 4");
  expect_problem(kBase +
                     "laws:\n  - {between: [glass, glass], law: frictionless}\n"
                     "  - {between: [glass, glass], law: frictionless}\n",
                 "laws[1].between", "already has a law");
}

TEST(BadInput, materials_must_exist_and_have_a_density) {
  const std::string two =
      "scree: 1\nuntil: 1\nstep: {h: 1e-3}\nmaterials: {glass: {density: 2500}, wall: {}}\n"
      "default_law: {law: frictionless}\n";
  expect_problem(two + "bodies: [{sphere: {position: [0, 0, 0], radius: 1}}]\n", "bodies[0].sphere",
                 "the key 'material' is missing; give one of glass, wall");
  expect_problem(two + "bodies: [{sphere: {position: [0, 0, 0], radius: 1, material: wall}}]\n",
                 "bodies[0].sphere", "the material 'wall' has no density");
  EXPECT_EQ(
      reported(problems_of(
          two + "bodies: [{sphere: {position: [0, 0, 0], radius: 1, material: wall, mass: 2}}]\n")),
      "");
}

TEST(BadInput, inertia_must_be_that_of_a_body) {
  expect_problem(with_sphere("position: [0, 0, 0], radius: 1, inertia: [0.1, 0.1, 0.3]"),
                 "bodies[0].sphere.inertia", "0.3 exceeds the sum of the other two");
}

TEST(BadInput, inertia_beyond_the_bounding_sphere_is_a_warning) {
  const Scene scene = load_scene_text(
      with_sphere("position: [0, 0, 0], radius: 1, inertia: [0.9, 0.9, 0.9]"), "scene.yaml");
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_EQ(scene.warnings[0].path, "bodies[0].sphere.inertia");
  EXPECT_NE(scene.warnings[0].message.find("at most 2"), std::string::npos);
}

TEST(BadInput, overlapping_bodies_are_named_with_the_depth) {
  const auto problems = problems_of(kBase +
                                    "bodies:\n  - sphere: {position: [0, 0, 0], radius: 1}\n"
                                    "  - sphere: {position: [0, 0, 1.5], radius: 1}\n");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].line, 8);
  EXPECT_EQ(problems[0].path, "bodies[1].sphere");
  EXPECT_NE(problems[0].message.find("overlaps bodies[0].sphere"), std::string::npos)
      << problems[0].message;
  EXPECT_NE(problems[0].message.find("by 0.5 m, 50 %"), std::string::npos) << problems[0].message;
}

TEST(BadInput, bodies_that_overlap_obstacles_are_named) {
  expect_problem(
      with_sphere("position: [0, 0, 0.5], radius: 1") +
          "obstacles: [{half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}}]\n",
      "bodies[0].sphere", "overlaps the obstacle 'floor' by 0.5 m");
}

TEST(BadInput, a_half_space_that_is_turned_over_is_told_from_a_packing) {
  const std::string turned =
      "obstacles: [{half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, -1]}}]\n";
  const std::string advice =
      "the normal of the half_space 'floor' must point to the side of the bodies: reverse it";
  expect_problem(with_sphere("position: [0, 0, 2], radius: 1") + turned, "bodies[0].sphere",
                 "overlaps the obstacle 'floor' by 3 m; " + advice);
  expect_problem(kBase +
                     "bodies:\n  - random: {region: {min: [0, 0, 1], max: [9, 9, 9]}, count: 3, "
                     "radius: 1}\n" +
                     turned,
                 "bodies[0].random", "100 % of the tries hit the obstacle 'floor': " + advice);
}

TEST(BadInput, overlap_can_be_allowed_or_limited) {
  const std::string text = kBase +
                           "bodies:\n  - sphere: {position: [0, 0, 0], radius: 1}\n"
                           "  - sphere: {position: [0, 0, 1.5], radius: 1}\n";
  EXPECT_EQ(reported(problems_of(text + "allow_overlap: true\n")), "");
  EXPECT_EQ(reported(problems_of(text + "allow_overlap: 60 cm\n")), "");
  EXPECT_EQ(problems_of(text + "allow_overlap: 40 cm\n").size(), 1u);
}

TEST(BadInput, touching_bodies_do_not_overlap) {
  EXPECT_EQ(reported(problems_of(kBase + "bodies:\n  - sphere: {position: [0, 0, 0], radius: 0.1}\n"
                                         "  - sphere: {position: [0, 0, 0.2], radius: 0.1}\n")),
            "");
}

TEST(BadInput, many_bodies_at_one_place_end_soon_and_are_summed_up) {
  std::string rows = "x,y,z\n";
  for (int i = 0; i < 20'000; ++i) rows += "0,0,0\n";
  write_file("heap.csv", rows);
  const auto problems = problems_of(with_body("csv: {file: heap.csv, radius: 1}"));
  ASSERT_EQ(problems.size(), 11u);
  EXPECT_NE(reported(problems).find("overlaps in all"), std::string::npos);
}

TEST(BadInput, more_bodies_than_memory_holds_are_refused_before_they_are_made) {
  const std::string lattice =
      "lattice: {region: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1 mm, radius: 0.4 mm}";
  expect_problem(with_body(lattice), "bodies[0].lattice", "GiB of memory");
  expect_problem(with_body(lattice), "bodies[0].lattice", "2147483647",
                 {"bodies[0].lattice.spacing=1e-8", "bodies[0].lattice.radius=1e-9"});
  expect_problem(
      with_body(
          "random: {region: {min: [0, 0, 0], max: [1, 1, 1]}, count: 1000000000, radius: 1e-5}"),
      "bodies[0].random", "GiB of memory");
}

TEST(BadInput, a_filling_that_cannot_fit_is_refused) {
  const std::string region = "region: {min: [0, 0, 0], max: [1, 1, 1]}";
  expect_problem(with_body("random: {" + region + ", volume_fraction: 0.6, radius: 0.1}"),
                 "bodies[0].random", "143 spheres would fill 0.599 of the region");
  expect_problem(with_body("random: {" + region + ", count: 100000, radius: 0.1}"),
                 "bodies[0].random", "100000 spheres would fill 418.879 of the region");
  expect_problem(with_body("random: {" + region + ", volume_fraction: 0.6, radius: 0.2}"),
                 "bodies[0].random", "were placed");
  expect_problem(with_body("random: {" + region + ", count: 1, radius: 0.6}"),
                 "bodies[0].random.region", "less than the largest diameter");
  expect_problem(with_body("random: {" + region + ", radius: 0.1}"), "bodies[0].random",
                 "either count or volume_fraction");
  expect_problem(with_body("random: {" + region +
                           ", count: 2, radius: {classes: [{radius: 0.1, share: 0.5}]}}"),
                 "bodies[0].random.radius.classes", "add up to 0.5");
}

TEST(BadInput, overrides_are_named_in_what_they_spoil) {
  auto problems = problems_of(kBase, {"step.h=5 kg"});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].file, "--set step.h=5 kg");
  for (const char* bad : {"step.h", "=3", "step..h=3", "bodies[x].sphere=1", "bodies[0=1",
                          "step.h.x=3", "", "a.=1"}) {
    problems = problems_of(kBase, {bad});
    ASSERT_EQ(problems.size(), 1u) << bad << "\n" << reported(problems);
    EXPECT_EQ(problems[0].file, std::string("--set ") + bad);
  }
  expect_problem(kBase, "bodies[5].sphere.radius", "there is no entry [5]",
                 {"bodies[5].sphere.radius=1"});
  expect_problem(kBase, "step.hh", "unknown key 'hh'", {"step.hh=1"});
}

TEST(BadInput, output_must_make_sense) {
  expect_problem(kBase + "output: {frame_interval: 1 us}\n", "output.frame_interval",
                 "shorter than a step");
  expect_problem(kBase + "output: {pictures: [{energy: {file: ../x}}]}\n",
                 "output.pictures[0].energy.file", "inside the run");
  expect_problem(kBase + "output: {pictures: [{energy: {}}, {energy: {}}]}\n",
                 "output.pictures[1].energy.file", "another picture");
}

TEST(BadInput, orientations_and_masses_that_cannot_be_computed_with_are_refused) {
  const auto with = [](const std::string& keys) {
    return kBase + "bodies: [{sphere: {position: [0, 0, 0], radius: 1, " + keys + "}}]\n";
  };
  for (const char* none : {"[0, 0, 0, 0]", "[1e-200, 0, 0, 0]"})
    expect_problem(with(std::string("orientation: ") + none), "bodies[0].sphere.orientation",
                   "zero length");
  expect_problem(with("orientation: {axis: [0, 0, 0], angle: 1}"),
                 "bodies[0].sphere.orientation.axis", "zero length");
  for (const char* mass : {"1e-160", "1e-320"})
    expect_problem(with(std::string("mass: ") + mass), "bodies[0].sphere.mass", "is not between");
  expect_problem(with("inertia: [1e-300, 0.4, 0.4]"), "bodies[0].sphere.inertia", "is below");
}

TEST(BadInput, a_wall_that_rotates_far_in_a_step_is_warned_of) {
  const Scene scene = load_text(
      kBase +
      "obstacles: [{box: {position: [0, 0, 0], size: [1, 1, 1], motion: {angular_velocity: [0, 0, "
      "1e6]}}}]\n");
  ASSERT_EQ(scene.warnings.size(), 1U);
  EXPECT_NE(scene.warnings[0].message.find("rad in one step"), std::string::npos);
}

TEST(BadInput, momentum_without_sweeps_is_reported) {
  expect_problem(kBase, "solver.acceleration", "has no sweeps to accelerate",
                 {"solver.method=auto", "solver.acceleration=nesterov"});
}

TEST(BadInput, a_law_that_the_solver_does_not_support_is_reported) {
  const auto with = [](const std::string& method, const std::string& law) {
    return std::vector<std::string>{"solver.method=" + method,
                                    "default_law={law: " + law + ", friction: 0.3}"};
  };
  expect_problem(kBase, "default_law.law", "the solver admm does not support the law polyhedral",
                 with("admm", "polyhedral"));
  expect_problem(kBase, "default_law.law", "between spheres coulomb gives the same",
                 with("interior_point", "max_dissipation"));
}

TEST(BadInput, OfAnOverrideIsToldWhereTheStepIsChosenFromTheScene) {
  const std::string text =
      "scree: 1\nuntil: 1\nstep: {h: auto}\nmaterials: {stone: {density: 2500}}\n"
      "default_law: {law: cundall_strack, k_n: 1e4, k_t: 1e4, friction: 0.1, restitution: 0.5}\n"
      "bodies: [{sphere: {position: [0, 0, 1], radius: 0.1}}]\n";
  const auto problems = problems_of(text, {"bodies=[{sphere: {position: [0, 0, 1], radius: 0.1}}, "
                                           "{sphere: {position: [0, 0, 1.05], radius: 0.1}}]"});
  ASSERT_EQ(problems.size(), 1u) << reported(problems);
  EXPECT_EQ(problems[0].file.substr(0, 12), "--set bodies");
}

}  // namespace
}  // namespace scree::test

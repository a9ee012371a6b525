"""scree import: faults of foreign URDF files are repaired and reported."""

import csv
import re
import shutil

import numpy as np

from program import SOURCE, ProgramTest, main

ROBOTS = SOURCE / "tests/data/robots"


class Repairs(ProgramTest):

    def imported(self, robot, *options, status=0):
        """The messages and the scene of a robot."""
        reported = self.scree("import", ROBOTS / f"{robot}.urdf", "--out", "robot.yaml", "--force",
                              *options, status=status).stderr
        return reported, (self.directory / "robot.yaml").read_text(encoding="utf-8")

    def run_for(self, until):
        self.scree("run", "robot.yaml", "--out", "run", "--force", "--until", until,
                   "--no-pictures")
        with open(self.directory / "run/statistics.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def repaired(self, reported):
        return [line for line in reported.splitlines() if line.startswith("scree: repaired: ")]

    def entry(self, scene, name):
        """The text of a body, obstacle or joint."""
        begin = scene.index(f'name: "{name}"')
        end = re.search(r"\n(  - |\w)", scene[begin:])
        return scene[begin:begin + end.start()] if end else scene[begin:]

    def vector(self, text, key):
        return [float(x) for x in re.search(rf"{key}: \[([^\]]*)\]", text).group(1).split(",")]

    def test_strict_refuses_what_was_repaired_and_nothing_else(self):
        for robot, faults in (("limits_reversed", 1), ("small_slips", 4), ("fixed_base_mass_0", 0),
                              ("unit_inertia", 0)):
            result = self.scree("import", ROBOTS / f"{robot}.urdf", "--strict", "--out",
                                f"{robot}.yaml", status=2 if faults else 0)
            self.assertEqual(result.stderr.count("scree: error: "), faults)
            self.assertEqual((self.directory / f"{robot}.yaml").exists(), faults == 0)

    def test_what_is_no_robot_is_refused_with_its_line(self):
        for robot, reason in (("xacro", "5: .*run xacro first"), ("xacro_value", "5: .*run xacro"),
                              ("no_link", "3: the robot has no link"), ("another_format",
                                                                        "3: .*not robot but sdf"),
                              ("cut_off", "5: .*not valid XML"), ("empty", "1: .*not valid XML")):
            reported = self.scree("import", ROBOTS / f"refused/{robot}.urdf", status=2).stderr
            self.assertRegex(reported, rf"{robot}\.urdf:{reason}")

    # --- bases

    def test_a_root_of_mass_0_is_fixed_and_its_collisions_are_obstacles(self):
        reported, scene = self.imported("fixed_base_mass_0")
        self.assertEqual(self.repaired(reported), [])
        self.assertIn('name: "base"', scene.split("bodies:")[0])
        self.assertIn('a: "base"', self.entry(scene, "lift"))

    def test_a_root_on_a_fixed_joint_to_a_link_with_mass_falls(self):
        _, scene = self.imported("dummy_base")
        self.assertNotIn("obstacles:", scene)
        self.assertIn("mass: 5.000001", scene)
        last = self.run_for("0.1 s")[-1]
        self.assertAlmostEqual(float(last["kinetic_energy"]), 5 / 2 * (9.81 * 0.1)**2,
                               delta=0.01 * 2.5)

    def test_fixed_and_floating_override_the_base(self):
        _, scene = self.imported("dummy_base", "--fixed")
        self.assertNotIn("bodies:", scene)
        _, scene = self.imported("fixed_base_mass_0", "--floating")
        self.assertIn("mass: 16", self.entry(scene, "base"))
        self.assertNotIn("obstacles:", scene)

    # --- masses and moments

    def test_moments_beyond_the_reach_of_the_collision_are_taken_with_a_warning(self):
        reported, scene = self.imported("inertia_wider_than_collision")
        self.assertNotIn("warning", reported)
        self.assertIn("moments: [0.012, 0.012, 0.0004]", scene)
        reported, scene = self.imported("unit_inertia")
        self.assertIn("moments: [1, 1, 1]", scene)
        self.assertIn("2 times as large as the reach of the shape allows", reported)
        self.assertIn("that of a solid body of this shape is 0.167", reported)
        self.assertNotIn("units", reported)
        reported, _ = self.imported("moments_tiny")
        self.assertIn("as if their units were wrong", reported)

    def test_moments_that_break_the_triangle_become_the_nearest(self):
        reported, scene = self.imported("moments_break_triangle")
        self.assertIn("1.3e-05, 7.1e-05 and 9.98e-05", reported)
        low, middle, high = self.vector(self.entry(scene, "finger"), "moments")
        self.assertAlmostEqual(high / (low + middle), 1, delta=1e-9)
        # The nearest by the sum of squares: all move by the same.
        np.testing.assert_allclose([low - 1.3e-5, middle - 7.1e-5, 9.98e-5 - high], 5.2667e-6,
                                   rtol=1e-4)

    def test_moments_of_0_are_those_of_the_collision_after_fixed_links_are_one(self):
        reported, scene = self.imported("moments_zero")
        self.assertEqual(len(self.repaired(reported)), 2)
        self.assertNotIn('"foot"', scene)
        self.assertIn("mass: 1.1", self.entry(scene, "shin"))
        self.assertIn("size: [0.1, 0.1, 0.1]", self.entry(scene, "arm"))

    def test_a_moving_link_without_inertial_gets_the_mass_of_its_collision(self):
        for options, mass in (((), 0.2), (("--density", "500"), 0.1)):
            reported, scene = self.imported("no_inertial", *options)
            self.assertIn(f"it gets {mass} kg", reported)
            found = re.search(r"mass: (\S+)", self.entry(scene, "flap")).group(1)
            self.assertAlmostEqual(float(found), mass, delta=1e-12)

    def test_two_hinges_on_a_link_without_mass_are_one_universal_joint(self):
        reported, scene = self.imported("massless_between")
        self.assertIn("universal joint, 'roll, pitch'", reported)
        joint = self.entry(scene, "roll, pitch")
        self.assertEqual(self.vector(joint, "at"), [0, 0.12, -0.05])
        self.assertEqual(self.vector(joint, "axis"), [1, 0, 0])
        self.assertEqual(self.vector(joint, "axis_2"), [0, 1, 0])
        self.assertEqual(self.vector(joint, "limits"), [-0.5, 0.5])
        self.assertEqual(self.vector(joint.split("angle_2:")[1], "limits"), [-1, 1])
        self.assertNotIn('"hip"', scene)

    def test_other_links_without_mass_get_a_small_one(self):
        reported, _ = self.imported("massless_chain")
        for link in ("v2", "v3", "v4"):
            self.assertRegex(reported, f"'{link}' moves but .*; it gets 0.001 kg, a thousandth")

    # --- collisions

    def test_links_that_overlap_ignore_each_other(self):
        reported, scene = self.imported("links_overlap")
        self.assertIn("'a' and 'c' overlap by 0.02 m", reported)
        self.assertIn("- [\"a\", \"c\"]", scene)
        reported, scene = self.imported("links_overlap", "--collide-all", status=2)
        self.assertIn("overlaps the link 'a'", reported)
        self.assertNotIn("ignore:", scene)

    def test_a_link_goes_without_a_mesh_that_is_missing(self):
        reported, scene = self.imported("mesh_missing")
        self.assertRegex(reported, r"mesh_missing\.urdf:7: .*tool\.stl.*goes without it")
        self.assertIn("visual elements (1) are not covered", reported)
        self.assertIn("sphere: {radius: 0.02}", self.entry(scene, "tool"))

    def test_packages_are_searched_where_the_user_says(self):
        elsewhere = self.directory / "elsewhere"
        (elsewhere / "some_robot/meshes").mkdir(parents=True)
        shutil.copy(ROBOTS / "meshes/block.dae", elsewhere / "some_robot/meshes/block.dae")
        text = (ROBOTS / "mesh_missing.urdf").read_text(encoding="utf-8")
        (self.directory / "robot.urdf").write_text(
            text.replace("tool.stl", "block.dae").replace("0.001 0.001 0.001", "1 1 1"),
            encoding="utf-8")
        for options, path in ((("--package", f"some_robot={elsewhere}/some_robot"), None),
                              ((), f"/nowhere:{elsewhere}")):
            environment = {"ROS_PACKAGE_PATH": path} if path else {}
            reported = self.scree("import", "robot.urdf", *options, env=environment).stderr
            self.assertEqual(self.repaired(reported), [])
            self.assertIn("which has 8 corners", reported)
        reported = self.scree("import", "robot.urdf", "--package", "some_robot", status=2).stderr
        self.assertIn("write NAME=DIR", reported)

    def test_a_collada_mesh_has_its_unit_and_its_up_axis(self):
        _, scene = self.imported("mesh_collada")
        corners = re.search(r"points: \[(\[.*\])\]", scene).group(1)
        points = np.array([[float(x) for x in p.split(",")] for p in corners[1:-1].split("], [")])
        # 4 x 2 x 6 inches from x = 1 inch, y up
        np.testing.assert_allclose(points.min(0), [0.0254, -0.1524, 0], atol=1e-9)
        np.testing.assert_allclose(points.max(0), [0.127, 0, 0.0508], atol=1e-9)

    def test_flat_and_thin_collisions_are_thickened(self):
        reported, scene = self.imported("shapes_flat")
        self.assertEqual(len(self.repaired(reported)), 3)
        box = self.vector(self.entry(scene, "a"), "size")
        self.assertEqual(box[:2], [0.5, 0.5])
        self.assertGreater(box[2], 0.005)

    def test_a_link_without_collision_touches_nothing(self):
        _, scene = self.imported("moments_zero")
        self.assertIn("material: without collision", self.entry(scene, "tip"))
        self.assertIn("- [without collision, robot]", scene)

    def test_a_ground_of_mass_0_is_obstacles(self):
        reported, scene = self.imported("ground")
        self.assertEqual(self.repaired(reported), [])
        for kind, name in (("box", "ground"), ("half_space", "ground 2"), ("sphere", "ground 3"),
                           ("solid", "ground 4")):
            self.assertRegex(scene, rf'- {kind}:\n      name: "{name}"')

    # --- joints

    def test_limits_in_the_wrong_order_are_none(self):
        reported, scene = self.imported("limits_reversed")
        self.assertIn("limits 1 and 0 of the joint 'axle' are in the wrong order", reported)
        self.assertNotIn("limits: [", scene)

    def test_slips_are_read_as_meant_or_left_out(self):
        reported, scene = self.imported("small_slips")
        for what in ("largest effort of 0", "largest velocity of 0", "mimics 'other_slide'",
                     "'propeller', and there is no such link"):
            self.assertIn(what, reported)
        self.assertEqual(scene.count("name: \"slide\""), 1)
        self.assertNotIn("gear:", scene)

    # --- motors

    def test_a_comma_in_a_single_number_is_a_decimal_comma(self):
        text = (ROBOTS / "unit_inertia.urdf").read_text(encoding="utf-8")
        text = re.sub(r'mass value="[^"]*"', 'mass value="1,25"', text)
        (self.directory / "comma.urdf").write_text(text, encoding="utf-8")
        reported = self.scree("import", "comma.urdf", "--out", "robot.yaml").stderr
        self.assertIn('mass has value="1,25", which is not one number; it counts as 1.25', reported)

    def test_motors_have_the_efforts_of_the_file(self):
        for options, motor in ((("position",), "{position: 0, max: 50, stiffness: 500, damping: "),
                               (("position", "--stiffness", "70", "--damping", "2"),
                                "{position: 0, max: 50, stiffness: 70, damping: 2}"),
                               (("velocity",), "{velocity: 0, max: 50}"), (("effort",),
                                                                           "{force: 0}")):
            reported, scene = self.imported("fixed_base_mass_0", "--motors", *options)
            self.assertIn(motor, scene)
            self.assertNotIn("no motor", reported)
        reported = self.scree("import", ROBOTS / "axes.urdf", "--motors", "effort", "--damping",
                              "1", status=2).stderr
        self.assertIn("--motors position", reported)

    def test_a_motor_of_unknown_effort_bears_the_robot(self):
        self.imported("small_slips", "--motors", "velocity")
        self.assertLess(float(self.run_for("0.1 s")[-1]["kinetic_energy"]), 1e-6)

    def test_run_says_whether_the_robot_stands(self):
        dog = SOURCE / "scenes/quadruped.urdf"
        reported = self.scree("import", dog, "--motors", "position", "--run").stderr
        self.assertRegex(reported, "it stands: in 1 s 'trunk' sank by")
        reported = self.scree("import", dog, "--run", "--force").stderr
        self.assertRegex(reported, "it falls: in 1 s 'trunk' sank by 0.2 m")
        reported = self.scree("import", ROBOTS / "no_inertial.urdf", "--run").stderr
        self.assertRegex(reported, r"the links moved by up to 0\.\d+ m in 1 s")


if __name__ == "__main__":
    main()

"""scree import: MJCF files, their faults, and what a scene lacks."""

import csv
import math
import re

import numpy as np

from program import SOURCE, ProgramTest, main

ROBOTS = SOURCE / "tests/data/robots"


class Mjcf(ProgramTest):

    def imported(self, robot, *options, status=0):
        """The messages and the scene of a robot."""
        reported = self.scree("import", ROBOTS / f"{robot}.xml", "--out", "robot.yaml", "--force",
                              *options, status=status).stderr
        return reported, (self.directory / "robot.yaml").read_text(encoding="utf-8")

    def run_for(self, until):
        self.scree("run", "robot.yaml", "--out", "run", "--force", "--until", until,
                   "--no-pictures")
        with open(self.directory / "run/statistics.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def last_joints(self):
        with open(self.directory / "run/joints.csv", encoding="utf-8") as file:
            return {row["joint"]: row for row in csv.DictReader(file)}

    def entry(self, scene, name):
        """The text of a body, obstacle or joint."""
        begin = scene.index(f'name: "{name}"')
        end = re.search(r"\n(  - |\w)", scene[begin:])
        return scene[begin:begin + end.start()] if end else scene[begin:]

    def vector(self, text, key):
        return [float(x) for x in re.search(rf"{key}: \[([^\]]*)\]", text).group(1).split(",")]

    def number(self, text, key):
        return float(re.search(rf"\b{key}: ([^,}}\s]*)", text).group(1))

    # --- all files

    def test_strict_refuses_what_was_repaired_and_nothing_else(self):
        for robot, repaired in (("humanoid", False), ("muscles", False), ("small_faults", True),
                                ("overlaps", True)):
            result = self.scree("import", ROBOTS / f"{robot}.xml", "--strict", "--out",
                                f"{robot}.yaml", status=2 if repaired else 0)
            self.assertEqual("scree: error: " in result.stderr, repaired)
            self.assertEqual((self.directory / f"{robot}.yaml").exists(), not repaired)

    def test_what_is_no_robot_is_refused_with_its_line(self):
        for robot, reason in (("no_body", "1: the model has no body"), ("cut_off_mjcf",
                                                                        "3: .*not valid XML")):
            reported = self.scree("import", ROBOTS / f"refused/{robot}.xml", status=2).stderr
            self.assertRegex(reported, rf"{robot}\.xml:{reason}")

    # --- files and classes

    def test_what_is_wrong_in_an_included_file_is_reported_there(self):
        (self.directory / "part.xml").write_text("<x>\n<body><geom size='1kg'/></body>\n</x>")
        (self.directory / "robot.xml"
         ).write_text("<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>")
        result = self.scree("import", "robot.xml")
        self.assertIn("part.xml:2: geom has size=\"1kg\"", result.stderr)
        self.assertIn("#   part.xml:2: geom has size=", result.stdout)

    def test_classes_give_what_elements_lack(self):
        _, scene = self.imported("arm")
        self.assertEqual(scene.count("{capsule: {radius: 0.03"), 1)
        self.assertEqual(scene.count("{capsule: {radius: 0.02"), 1)
        self.assertEqual(self.number(self.entry(scene, "turn"), "stiffness"), 200)
        self.assertEqual(self.number(self.entry(scene, "elbow"), "stiffness"), 100)
        self.assertEqual(scene.count("damping: 0.5"), 4)

    def test_included_files_are_part_of_the_file(self):
        _, scene = self.imported("includes")
        self.assertIn("cylinder: {radius: 0.03, length: 0.2}", self.entry(scene, "rod"))
        self.assertAlmostEqual(self.number(self.entry(scene, "box"), "mass"), 500 * 0.1 * 0.1 * 0.2)

    # --- bodies

    def test_meshes_have_their_volume_and_touch_by_their_hulls(self):
        _, scene = self.imported("meshes")
        for body in "ab":
            self.assertAlmostEqual(self.number(self.entry(scene, body), "mass"), 500 * 0.2**3 / 6,
                                   delta=1e-12)
        centre = self.vector(self.entry(scene, "c"), "centre")
        np.testing.assert_allclose(centre, [0.1, -0.1, 0.1], atol=1e-12)

    def test_geoms_of_the_world_are_obstacles_by_name(self):
        _, scene = self.imported("overlaps")
        self.assertIn('- half_space:\n      name: "floor"', scene)
        self.assertIn('- box:\n      name: "post"', scene)

    def test_a_robot_that_starts_below_the_floor_is_raised(self):
        reported, scene = self.imported("overlaps")
        self.assertIn("starts 0.05 m below the plane 'floor'; it is raised", reported)
        self.assertAlmostEqual(self.vector(self.entry(scene, "a"), "position")[2], 0.1)

    def test_fixed_and_floating_override_the_base(self):
        _, scene = self.imported("quadruped", "--fixed")
        self.assertNotIn('name: "trunk"', scene.split("bodies:")[1])
        _, scene = self.imported("arm", "--floating")
        self.assertIn('name: "base"', scene.split("bodies:")[1])

    # --- contacts

    def test_friction_and_dimensions_make_laws_of_pairs(self):
        _, scene = self.imported("gripper")
        floor, pads, cube = (self.entry(scene, name) for name in ("table", "left", "cube"))
        table, pad, box = (re.search("material: (.*)", text).group(1)
                           for text in (floor, pads, cube))
        law = scene.split(f"between: [{pad}, {box}]")[1].split("}")[0]
        self.assertIn("friction: 1, rolling_friction: 0.01, spinning_friction: 0.05", law)
        self.assertEqual(len({table, pad, box}), 3)

    def test_bits_exclusions_and_pairs_decide_who_touches(self):
        _, scene = self.imported("cartpole")
        self.assertIn('- ["cart", "pole"]', scene)
        _, scene = self.imported("quadruped")
        ignored = scene.split("ignore:")[1]
        self.assertIn('- ["trunk", "fl_shank"]', ignored)
        self.assertNotIn("floor", ignored)
        _, scene = self.imported("overlaps")
        ignored = scene.split("ignore:")[1]
        self.assertIn('- ["b", "e"]', ignored)
        self.assertNotIn('"e", "floor"', ignored)
        self.assertNotIn('"floor", "e"', ignored)
        ball, floor = (re.search("material: (.*)", self.entry(scene, name)).group(1)
                       for name in ("e", "floor"))
        law = re.search(rf"between: \[({floor}, {ball}|{ball}, {floor})\], (.*)}}", scene).group(2)
        self.assertEqual(law, "law: coulomb, friction: 0.3, spinning_friction: 0.02")

    # --- joints

    def test_joints_of_one_body_are_one_joint_where_there_is_a_kind(self):
        _, scene = self.imported("screw_and_gimbal")
        self.assertIn('- cylindrical:\n      name: "up, spin"', scene)
        self.assertIn('- universal:\n      name: "yaw, pitch"', scene)
        self.assertIn('- revolute:\n      name: "roll"', scene)
        for coordinate in ("up", "spin", "yaw", "pitch"):
            self.assertIn(f'        name: "{coordinate}"\n', scene)
        _, scene = self.imported("walker")
        self.assertIn('- planar:\n      name: "root_x, root_z, root_y"\n      a: "world"', scene)

    def test_a_pendulum_with_a_rotor_swings_as_slowly_as_both_inertias_say(self):
        (self.directory / "robot.xml").write_text("""<mujoco><worldbody><body pos="0 0 1">
            <joint name="j" axis="0 1 0" pos="0 0 0.2" armature="0.05" ref="5"/>
            <geom type="box" size="0.05 0.05 0.05" mass="1"/></body></worldbody></mujoco>""")
        self.scree("import", "robot.xml", "--pose", f"j={math.radians(6)}", "--out", "robot.yaml")
        self.assertIn("armature: 0.05", (self.directory / "robot.yaml").read_text())
        # A full swing by the small amplitude's period would differ: compare accelerations.
        self.scree("run", "robot.yaml", "--out", "run", "--until", "0.02 s", "--no-pictures",
                   "--set", "step.h=0.1 ms", "--set", "output.statistics_interval=1 ms")
        moment = 0.05 + 1 / 6 * 0.1**2 + 0.2**2
        expected = -9.81 * 0.2 * np.sin(np.radians(1)) / moment * 0.02**2 / 2
        found = float(self.last_joints()["j"]["coordinate_1"])
        self.assertAlmostEqual(found / expected, 1, delta=0.01)

    def test_a_spring_pulls_to_its_reference(self):
        (self.directory / "robot.xml").write_text("""<mujoco><option gravity="0 0 0"/><worldbody>
            <body><joint name="j" type="slide" axis="1 0 0" ref="0.1" springref="0.4"
            stiffness="50" damping="10"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>""")
        self.scree("import", "robot.xml", "--out", "robot.yaml")
        self.run_for("5 s")
        self.assertAlmostEqual(float(self.last_joints()["j"]["coordinate_1"]), 0.3, delta=1e-6)

    def test_a_fixed_tendon_and_an_equality_couple_joints(self):
        _, scene = self.imported("tendons")
        gear = self.entry(scene, "ja as jb")
        self.assertEqual(self.number(gear, "ratio"), -2)
        single = self.entry(scene, "jc")
        self.assertEqual(self.vector(single, "limits"), [-0.25, 0.5])
        self.assertEqual(self.number(single, "stiffness"), 12)
        self.assertEqual(self.number(single, "max"), 6)

    def test_a_connect_closes_a_loop_and_a_weld_holds_a_body(self):
        _, scene = self.imported("loop")
        self.run_for("0.5 s")
        joints = self.last_joints()
        # A parallelogram: the rocker follows the crank.
        self.assertAlmostEqual(float(joints["crank"]["coordinate_1"]),
                               float(joints["rocker"]["coordinate_1"]), delta=1e-9)
        self.assertIn('- fixed:\n      name: "weld bracket world"', scene)

    # --- motors and keyframes

    def test_actuators_are_motors(self):
        _, scene = self.imported("arm")
        self.assertIn("motor: {force: 0, max: 6}", self.entry(scene, "wrist"))
        self.assertIn("motor: {position: 0, max: 50, stiffness: 200, damping: 0}",
                      self.entry(scene, "turn"))
        _, scene = self.imported("loop")
        self.assertIn("motor: {velocity: 0, max: 5}",
                      self.entry(scene.split("joints:")[1], "crank"))
        _, scene = self.imported("gripper")
        self.assertIn("max: 50, stiffness: 50, damping: 5",
                      self.entry(scene.split("joints:")[1], "left"))
        _, scene = self.imported("arm", "--motors", "velocity")
        self.assertIn("motor: {velocity: 0, max: 50}", self.entry(scene, "turn"))

    def test_a_ball_joint_has_limits_springs_and_motors_of_its_turns(self):
        reported, scene = self.imported("ball_joints")
        shoulder, elbow = self.entry(scene, "shoulder"), self.entry(scene, "elbow")
        self.assertAlmostEqual(self.number(shoulder, "max_angle"), math.pi / 4, places=9)
        self.assertEqual(shoulder.count("stiffness: 3, rest: 0, damping: 0.2"), 3)
        self.assertEqual(shoulder.count("friction: 0.01"), 3)
        self.assertRegex(shoulder, r"turn_y:\n +motor: {force: 0, max: 6}")
        self.assertRegex(elbow, r"turn_x:\n +motor: {position: 0, stiffness: 20, damping: 0.4}")
        self.assertRegex(elbow, r"turn_z:\n +motor: {velocity: 0, max: 1}")
        np.testing.assert_allclose(self.vector(elbow, "axis"), [1, 0, 0], atol=1e-12)
        self.assertIn("armature of ball joints (1)", reported)
        self.assertIn("actuators of ball joints about several axes (1)", reported)
        self.run_for("0.5 s")

    def test_a_ball_joint_that_a_keyframe_turns_begins_there_without_a_limit(self):
        reported, scene = self.imported("ball_joints", "--pose", "bent")
        shoulder = self.entry(scene, "shoulder")
        self.assertIn("limits and springs of ball joints that a keyframe turns (1)", reported)
        self.assertNotIn("max_angle", shoulder)
        self.assertIn("force: 3, max: 6", shoulder)
        self.assertIn("position: 0.2, stiffness: 20", self.entry(scene, "elbow"))

    def test_a_keyframe_is_a_pose_with_targets(self):
        reported, scene = self.imported("arm", "--pose", "reach")
        self.assertIn("the joint 'shoulder' starts at 0.8", reported)
        self.assertIn("motor: {position: 0, max: 50", self.entry(scene, "shoulder"))
        self.assertEqual(self.vector(self.entry(scene, "elbow"), "limits"), [-1.1, 2.9])
        _, scene = self.imported("arm", "--pose", "reach,elbow=0.5")
        self.assertEqual(self.vector(self.entry(scene, "elbow"), "limits"), [-2.5, 1.5])
        _, scene = self.imported("cartpole", "--pose", "0")
        self.assertEqual(self.vector(self.entry(scene, "cart"), "position"), [0.3, 0, 1])
        reported = self.scree("import", ROBOTS / "arm.xml", "--pose", "rest", status=2).stderr
        self.assertIn("there is no keyframe 'rest'; the file has reach", reported)
        reported = self.scree("import", SOURCE / "scenes/leg.urdf", "--pose", "rest",
                              status=2).stderr
        self.assertIn("write JOINT=VALUE", reported)

    def test_the_quadruped_stands_at_its_keyframe(self):
        reported, _ = self.imported("quadruped", "--pose", "home", "--run")
        self.assertRegex(reported, "it stands: in 1 s 'trunk' sank by")

    def test_a_keyframe_of_another_length_is_not_taken(self):
        reported, _ = self.imported("small_faults", "--pose", "short")
        self.assertRegex(reported, "the keyframe 'short' has 1 positions, and the joints need 3")


if __name__ == "__main__":
    main()

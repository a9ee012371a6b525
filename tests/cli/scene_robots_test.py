"""The key robots of a scene."""

import csv
import json
import re
import shutil

from program import SOURCE, ProgramTest, main

ROBOTS = SOURCE / "tests/data/robots"
SCENE = """scree: 1
until: 0.3 s
step: {h: 1 ms}
materials: {stone: {density: 2500}}
default_law: {law: coulomb, friction: 0.6}
obstacles:
  - half_space: {name: ground, point: [0, 0, 0], normal: [0, 0, 1]}
bodies:
  - lattice: {region: {min: [0.6, -1, 0], max: [0.8, 1, 0.05]}, spacing: 5 cm, radius: 2 cm}
robots:
"""


class SceneRobots(ProgramTest):

    def setUp(self):
        super().setUp()
        shutil.copy(SOURCE / "scenes/quadruped.urdf", self.directory / "dog.urdf")

    def run_scene(self, robots, *options):
        self.write_scene(SCENE + robots)
        self.scree("run", "scene.yaml", "--out", "run", "--force", "--no-pictures", *options)
        with open(self.directory / "run/joints.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def check(self, robots, status=0):
        self.write_scene(SCENE + robots)
        result = self.scree("check", "scene.yaml", status=status)
        return result.stdout + result.stderr

    def test_two_robots_of_one_file_stand_in_a_scene_each_with_its_names(self):
        rows = self.run_scene("""
  - {file: dog.urdf, position: [0, 0, 0.36], motors: position}
  - {file: dog.urdf, name: cat, position: [0, 0.8, 0.36], motors: position,
     orientation: {axis: [0, 0, 1], angle: 90 deg}, pose: {front_left_knee: -40 deg}}
""")
        names = {row["joint"] for row in rows}
        self.assertEqual(len(names), 24)
        self.assertIn("dog.front_left_knee", names)
        self.assertIn("cat.front_left_knee", names)
        self.assertLess(max(float(row["error"]) for row in rows), 1e-6)
        bodies = (self.directory / "run/bodies.csv").read_text(encoding="utf-8")
        self.assertIn("cat.trunk", bodies)

    def test_a_robot_moves_as_the_long_form_does(self):
        alone = SCENE.replace("bodies:\n  - lattice:", "inflows: []\nbodies: []\n#")
        self.scree("import", "dog.urdf", "--out", "long.yaml")
        text = (self.directory / "long.yaml").read_text(encoding="utf-8")
        (self.directory / "long.yaml").write_text(text.replace("friction: 0.5", "friction: 0.6"),
                                                  encoding="utf-8")
        self.write_scene(
            alone.replace("obstacles:\n  - half_space:", "#") + "  - {file: dog.urdf}\n")
        motions = []
        for scene in ("long.yaml", "scene.yaml"):
            self.scree("run", scene, "--out", "run", "--force", "--until", "0.1 s", "--no-pictures")
            with open(self.directory / "run/joints.csv", encoding="utf-8") as file:
                motions.append([(float(row["coordinate_1"]), float(row["force_z"]))
                                for row in csv.DictReader(file)])
        self.assertEqual(*motions)

    def test_the_base_the_keyframe_and_the_material_are_those_of_the_entry(self):
        shutil.copy(ROBOTS / "arm.xml", self.directory / "arm.xml")
        self.run_scene("  - {file: arm.xml, name: a, position: [0, 0, 1], keyframe: reach}\n"
                       "  - {file: dog.urdf, name: b, position: [2, 0, 1], base: fixed}\n")
        resolved = (self.directory / "run/resolved.yaml").read_text(encoding="utf-8")
        self.assertNotIn("robots:", resolved)
        self.assertNotIn('"a.table"', resolved)
        self.assertNotIn('name: "b.trunk"\n      velocity', resolved)
        self.assertIn('"a.elbow"', resolved)
        self.assertRegex(resolved, r'name: "a.base"\n\s+material: "stone"')

    def test_a_run_resumes_without_the_file(self):
        self.run_scene("  - {file: dog.urdf, position: [0, 0, 0.5]}\n", "--until", "0.1 s", "--set",
                       "output.checkpoint_interval=0.1 s")
        (self.directory / "dog.urdf").unlink()
        self.scree("check", "run/resolved.yaml")
        self.scree("run", "run/resolved.yaml", "--out", "again", "--no-pictures")

    def test_own_joints_and_pairs_use_the_names_of_robots(self):
        self.check("""
  - {file: dog.urdf, position: [0, 0, 0.5]}
ignore: [[dog.trunk, ground]]
joints:
  - revolute: {a: world, b: dog.trunk, at: [0, 0, 0.5], axis: [0, 1, 0]}
  - gear: {first: dog.front_left_knee, second: dog.front_right_knee, ratio: 1}
""")
        reported = self.check(
            "  - {file: dog.urdf, position: [0, 0, 0.5]}\njoints:\n"
            "  - revolute: {a: world, b: dog.nose, at: [0, 0, 0.5], "
            "axis: [0, 1, 0]}\n", status=2)
        self.assertIn("joints[0].revolute.b: there is no body or obstacle 'dog.nose'", reported)

    def test_check_lists_repairs_with_file_and_line(self):
        for robot in ("limits_reversed.urdf", "small_faults.xml"):
            shutil.copy(ROBOTS / robot, self.directory / robot)
        reported = self.check("  - {file: limits_reversed.urdf, position: [0, 0, 2]}\n"
                              "  - {file: small_faults.xml, position: [3, 0, 2]}\n")
        self.assertRegex(reported,
                         r"robots\[0\]: \S*limits_reversed.urdf:\d+: the limits 1 and 0 of")
        self.assertRegex(reported, r"robots\[1\]: \S*small_faults.xml:7: a second body has")
        found = json.loads(self.scree("check", "scene.yaml", "--json").stdout)["warnings"]
        self.assertTrue(any("limits_reversed.urdf" in each["message"] for each in found))

    def test_what_cannot_be_is_refused_at_the_line_of_the_entry(self):
        line = SCENE.count("\n") + 1
        for robot, reason in (
            ("{file: cat.urdf}", "cannot read .*cat.urdf"),
            ("{file: dog.urdf, position: [0, 0, 1], pose: {nose: 1}}", "there is no joint 'nose'"),
            ("{file: dog.urdf, position: [0, 0, 1], pose: {front_left_knee: 3 kg}}", "expected"),
            ("{file: dog.urdf, position: [0, 0, 1], keyframe: home}", "has no keyframes"),
            ("{file: dog.urdf, position: [0, 0, 1], material: iron}", "no material 'iron'"),
            ("{file: dog.urdf, position: [0, 0, 1], colour: red}", "colour"),
        ):
            reported = self.check(f"  - {robot}\n", status=2)
            self.assertRegex(reported, rf"scene\.yaml:{line}:\d+: robots\[0\].*{reason}")
        twice = "  - {file: dog.urdf, position: [0, 0, 1]}\n" * 2
        self.assertIn("another robot has this name", self.check(twice, status=2))
        reported = self.check("  - {file: dog.urdf, position: [0, 0, 0.1]}\n", status=2)
        self.assertTrue(re.search(rf"scene\.yaml:{line}:\d+: robots: dog\.\w+", reported), reported)


if __name__ == "__main__":
    main()

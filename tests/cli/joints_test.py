"""Joints and motors in scenes and files."""

import csv
import json
import math

import h5py
import numpy

from program import SOURCE, ProgramTest, main

SWING = """scree: 1
name: swing
until: 0.2 s
step: {h: 1 ms}
materials:
  steel: {density: 7800}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - sphere: {name: ball, position: [1, 0, 0], radius: 0.1}
obstacles:
  - box: {name: post, position: [0, 1, 0], size: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: hinge, a: world, b: ball, at: [0, 0, 0], axis: [0, 1, 0]}
"""


class Joints(ProgramTest):

    def joints(self, run):
        with open(self.directory / run / "joints.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_a_slider_crank_moves_as_its_lengths_say(self):
        self.scree("run", SOURCE / "scenes/slider_crank.yaml", "--out", "run", "--until", "1.5 s",
                   "--no-pictures")
        r, length = 0.1, 0.3
        rows = [row for row in self.joints("run") if row["joint"] == "guide"]
        self.assertGreater(len(rows), 100)
        for row in rows:
            phi = 2 * math.pi * float(row["time"])
            x = r * math.cos(phi) + math.sqrt(length * length - (r * math.sin(phi))**2)
            self.assertAlmostEqual(float(row["coordinate_1"]), x - 0.4, delta=1e-9)
        joints = self.verdict("run")["joints"]
        self.assertEqual(joints["count"], 4)
        self.assertLess(joints["error"]["value"], 1e-9)

    def test_every_example_meets_its_verdict_and_keeps_its_joints_closed(self):
        for scene in ("pendulum", "four_bar"):
            self.scree("run", SOURCE / f"scenes/{scene}.yaml", "--out", scene, "--until", "1 s",
                       "--no-pictures")
            verdict = self.verdict(scene)
            self.assertEqual(verdict["verdict"], "met")
            self.assertLess(verdict["joints"]["error"]["value"], 1e-9)

    def test_a_planetary_gear_turns_its_sun_as_its_teeth_say(self):
        self.scree("run", SOURCE / "scenes/planetary_gear.yaml", "--out", "run", "--until", "1 s",
                   "--no-pictures")
        last = {row["joint"]: row for row in self.joints("run")}
        self.assertEqual(self.verdict("run")["verdict"], "met")
        carrier = float(last["drive"]["coordinate_1"])
        self.assertAlmostEqual(carrier, math.pi / 3, delta=1e-9)
        self.assertAlmostEqual(float(last["sun"]["coordinate_1"]), 2 * carrier, delta=1e-9)
        mesh = last["sun and planet"]
        self.assertEqual(mesh["coordinate_1"], last["sun"]["coordinate_1"])
        self.assertEqual(mesh["coordinate_2"], last["planet"]["coordinate_1"])

    WHIP = """scree: 1
until: 4 s
step: {h: 1 ms}
ignore: [[m, m]]
materials:
  m: {density: 1000}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - box: {name: p, position: [0.5, 0, 0], size: [1, 0.1, 0.1], mass: 1}
  - sphere: {name: q, position: [1, 0, -0.3], radius: 0.05, mass: 70}
joints:
  - revolute: {name: one, a: world, b: p, at: [0, 0, 0], axis: [0, 1, 0]}
  - spherical: {name: two, a: p, b: q, at: [1, 0, 0]}
"""

    def test_a_heavy_ball_on_a_light_rod_keeps_its_energy_or_the_verdict_is_missed(self):
        self.scree("run", self.write_scene(self.WHIP), "--out", "short", "--no-pictures")
        verdict = self.verdict("short")
        self.assertLess(abs(verdict["joints"]["work"]), 4)
        self.assertLess(abs(verdict["energy"]["dissipated"]), 4)
        # A whip of 69 rad/s is more than steps of 2 ms can follow.
        self.scree("run", self.write_scene(self.WHIP.replace("1 ms", "2 ms")), "--out", "long",
                   "--no-pictures", status=3)
        verdict = self.verdict("long")
        self.assertGreater(verdict["joints"]["work"], 100)
        self.assertIn(verdict["joints"]["working"], ("one", "two"))
        self.assertEqual(verdict["verdict"], "missed")
        self.assertLess(verdict["energy"]["created"], 1e-6 * verdict["joints"]["work"])

    GEARED = SWING + """\
  - prismatic: {name: rail, a: world, b: slider, at: [0, 0, 1], axis: [0, 0, 1]}
  - cylindrical: {name: rod, a: world, b: nut, at: [0, 0, 2], axis: [0, 0, 1]}
  - rack: {name: teeth, first: rail, second: hinge, radius: 10 cm}
  - gear: {name: feed, first: rail, second: rod, second_coordinate: slide, ratio: 2}
"""
    GEARED = GEARED.replace(
        "obstacles:", """  - sphere: {name: slider, position: [0, 0, 1], radius: 0.1}
  - sphere: {name: nut, position: [0, 0, 2], radius: 0.1}
obstacles:""")

    def test_gears_and_racks_are_read_with_their_coordinates(self):
        self.scree("run", self.write_scene(self.GEARED), "--out", "run", "--no-pictures")
        last = {row["joint"]: row for row in self.joints("run")}
        rail = float(last["rail"]["coordinate_1"])
        self.assertGreater(abs(rail), 1e-3)
        self.assertAlmostEqual(rail, 0.1 * float(last["hinge"]["coordinate_1"]), delta=1e-10)
        self.assertAlmostEqual(rail, 2 * float(last["rod"]["coordinate_1"]), delta=1e-10)

    def test_bad_gears_are_refused_with_place_and_reason(self):
        for old, new, *words in (
            ("first: rail, second: hinge", "first: rial, second: hinge", "scene.yaml:18",
             "no joint 'rial' above", "rail"),
            ("first: rail, second: hinge", "first: feed, second: hinge", "scene.yaml:18",
             "after its two joints"),
            ("second: hinge, radius", "second: rail, radius", "scene.yaml:18", "slide",
             "second_coordinate"),
            ("second_coordinate: slide, ", "second_coordinate: length, ", "scene.yaml:19",
             "slide, angle"),
            ("ratio: 2", "ratio: 0", "scene.yaml:19", "ratio of 0"),
            ("radius: 10 cm", "ratio: 2", "scene.yaml:18", "ratio"),
        ):
            self.assertIn(old, self.GEARED)
            result = self.scree("check", self.write_scene(self.GEARED.replace(old, new)), status=2)
            for word in words:
                self.assertIn(word, result.stderr)

    def test_locked_discs_stay_in_their_plane(self):
        self.scree("run", SOURCE / "scenes/discs.yaml", "--out", "run", "--until", "0.3 s",
                   "--no-pictures")
        self.assertEqual(self.verdict("run")["verdict"], "met")
        scene = (SOURCE / "scenes/discs.yaml").read_text(encoding="utf-8")
        for new, *words in (("locked: [y, ry2]", "ry2"), ("locked: [x]", "locked along",
                                                          "velocity")):
            result = self.scree("check", self.write_scene(scene.replace("locked: [y, rx, rz]",
                                                                        new)), status=2)
            for word in words:
                self.assertIn(word, result.stderr)

    def test_a_run_that_is_resumed_has_the_same_bits(self):
        scene = SOURCE / "scenes/four_bar.yaml"
        self.scree("run", scene, "--out", "whole", "--until", "0.4 s", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--until", "0.2 s", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--until", "0.4 s", "--resume", "--threads", "2",
                   "--no-pictures")
        self.assertEqual(self.joints("whole"), self.joints("parts"))
        self.assertEqual(
            self.statistics("whole")[-1]["state_hash"],
            self.statistics("parts")[-1]["state_hash"])

    def refused(self, old, new, *words):
        self.assertIn(old, SWING)
        result = self.scree("check", self.write_scene(SWING.replace(old, new)), status=2)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_frames_have_joints_where_they_stand_with_what_joints_csv_tells(self):
        scene = self.GEARED.replace(
            "step: {h: 1 ms}", "step: {h: 1 ms}\noutput: {frame_interval: 20 ms, "
            "statistics_interval: 20 ms}")
        self.scree("run", self.write_scene(scene), "--out", "run", "--no-pictures")
        rows = {(float(row["time"]), row["joint"]): row for row in self.joints("run")}
        frames = sorted((self.directory / "run/frames").glob("joints_*.hdf"))
        self.assertEqual(len(frames), 11)
        series = json.loads((self.directory / "run/joints.hdf.series").read_text(encoding="utf-8"))
        self.assertEqual(len(series["files"]), 11)
        for path in frames:
            with h5py.File(path) as file:
                time = float(file["scree"].attrs["time"])
                grid = file["VTKHDF"]
                names = [name.decode() for name in grid["FieldData/joint_name"][:]]
                data = {name: array[:] for name, array in grid["PointData"].items()}
                points = grid["Points"][:]
            self.assertEqual(names, ["hinge", "rail", "rod", "teeth", "feed"])
            self.assertEqual(list(data["joint"]), [0, 1, 2, 3, 4])
            for k, name in enumerate(names):
                row = rows[(time, name)]
                for column in ("coordinate_1", "coordinate_2", "effort_1", "effort_3", "error"):
                    self.assertEqual(data[column][k], float(row[column]))
                z, x = data["axis"][k], data["axis_2"][k]
                for vector in ("force", "torque"):
                    for axis, along in (("x", x), ("y", numpy.cross(z, x)), ("z", z)):
                        reported = float(row[f"{vector}_{axis}"])
                        self.assertAlmostEqual(float(data[vector][k] @ along), reported,
                                               delta=1e-12 * (1 + abs(reported)))
            # The hinge stands still, the slider goes with its joint; a rack stands with its slider.
            rail = numpy.array([0, 0, 1 + float(rows[(time, "rail")]["coordinate_1"])])
            self.assertLess(numpy.abs(points[0]).max(), 1e-9)
            self.assertLess(numpy.abs(points[1] - rail).max(), 1e-9)
            self.assertLess(numpy.abs(points[3] - rail).max(), 1e-9)
            self.assertLess(numpy.abs(data["axis"][0] - [0, 1, 0]).max(), 1e-12)
            self.assertLess(numpy.abs(data["axis"][1] - [0, 0, 1]).max(), 1e-12)

    TABLE = "axis: [0, 1, 0], angle: {motor: {table: gait.csv%s}}"

    def write_table(self, text):
        (self.directory / "gait.csv").write_text(text, encoding="utf-8")

    def test_a_motor_follows_a_column_of_a_table(self):
        self.write_table("# a swing\nt,hip,knee\n0,0,0\n0.1,0.3,9\n0.15,-0.1,9\n")
        scene = SWING.replace("axis: [0, 1, 0]", self.TABLE % ", column: hip")
        self.scree("run", self.write_scene(scene), "--out", "run", "--no-pictures")
        rows = self.joints("run")
        self.assertGreater(len(rows), 5)
        for row in rows:
            t = float(row["time"])
            asked = (3 * t if t <= 0.1 else 0.3 - 8 * (t - 0.1) if t <= 0.15 else -0.1)
            self.assertAlmostEqual(float(row["coordinate_1"]), asked, delta=1e-9)

        resolved = (self.directory / "run/resolved.yaml").read_text(encoding="utf-8")
        self.assertIn(str(self.directory / "gait.csv"), resolved)
        self.scree("run", "run/resolved.yaml", "--out", "again", "--no-pictures")
        self.assertEqual(rows, self.joints("again"))

    def test_a_table_gives_velocities_or_forces_by_columns_of_these_names(self):
        self.write_table("t,velocity,force\n0,2,0.5\n1,2,0.5\n")
        for gives, same in (("velocity", "velocity: 2"), ("force", "force: 0.5")):
            self.scree(
                "run",
                self.write_scene(SWING.replace("axis: [0, 1, 0]",
                                               self.TABLE % f", gives: {gives}")), "--out", gives,
                "--no-pictures")
            self.scree(
                "run",
                self.write_scene(
                    SWING.replace("axis: [0, 1, 0]",
                                  f"axis: [0, 1, 0], angle: {{motor: {{{same}}}}}")), "--out",
                "same", "--force", "--no-pictures")
            self.assertEqual(self.joints(gives), self.joints("same"))

    def test_bad_tables_of_motors_are_refused_by_file_line_and_column(self):
        for text, keys, *words in (
            ("t,hip\n0,0\n", ", column: hop", "gait.csv:1", "no column 'hop'", "hip"),
            ("hip\n0\n", ", column: hip", "gait.csv:1", "no column 't'"),
            ("t,hip,hip\n0,0,0\n", ", column: hip", "gait.csv:1", "twice"),
            ("t,hip\n0,0\n1,x\n", ", column: hip", "gait.csv:3", "column 'hip'", "'x'"),
            ("t,hip\n0,0\nnan,1\n", ", column: hip", "gait.csv:3", "column 't'"),
            ("t,hip\n0,0\n0,1\n", ", column: hip", "gait.csv:3", "not later than 0"),
            ("t,hip\n0\n", ", column: hip", "gait.csv:2", "found 1 columns"),
            ("t,hip\n", ", column: hip", "scene.yaml:13", "no values"),
            ("t,hip\n0,0\n", ", velocity: 1", "scene.yaml:13", "exactly one", "found 2"),
            ("t,hip\n0,0\n", "", "gait.csv:1", "no column 'position'"),
            ("t,hip\n0,0\n", ", gives: speed", "scene.yaml:13", "speed"),
        ):
            self.write_table(text)
            self.refused("axis: [0, 1, 0]", self.TABLE % keys, *words)
        self.refused("axis: [0, 1, 0]",
                     self.TABLE.replace("gait", "no") % "", "scene.yaml:13", "no.csv")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {force: 1, gives: force}}",
                     "scene.yaml:13", "there is none")

    def test_a_rigid_motor_with_a_limit_is_a_remark_that_says_what_to_write(self):
        scene = (SOURCE / "scenes/gripper.yaml").read_text()
        stiff = "stiffness: 20 N/mm, damping: 200 N s/m, "
        self.write_scene(scene)
        self.assertNotIn("swing about it", self.scree("check", "scene.yaml").stdout)
        self.write_scene(scene.replace(stiff, ""))
        told = self.scree("check", "scene.yaml")
        self.assertRegex(told.stdout, r"warning +joints\[1\].*motor: a position motor with a max")

    def test_bad_joints_are_refused_with_place_and_reason(self):
        self.scree("check", self.write_scene(SWING))
        line = "scene.yaml:13"
        self.refused("b: ball", "b: bal", line, "no body or obstacle 'bal'", "ball")
        self.refused("a: world", "a: ball", line, "joins a body to itself")
        self.refused("b: ball", "b: post", line, "neither is a free body")
        self.refused("axis: [0, 1, 0]", "axis: [0, 0, 0]", line, "zero length")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {limits: [1, -1]}", line,
                     "in the wrong order")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {limits: [10 deg, 20 deg]}", line,
                     "outside its limits")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {max: 1}}", line,
                     "exactly one of velocity, position, force and table")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {velocity: 'sin('}}", line,
                     "not an expression of t")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {velocity: 3 m/s}}", line,
                     "'3 m/s'")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], slide: {}", line, "slide")
        self.refused("revolute: {name: hinge, a: world, b: ball, at: [0, 0, 0], axis: [0, 1, 0]}",
                     "hinge: {a: world}", line, "hinge")
        self.refused("name: ball,", "name: world,", "scene.yaml:9", "'world' is taken")


if __name__ == "__main__":
    main()

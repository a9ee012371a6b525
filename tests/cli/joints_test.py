"""Joints and motors in scenes, as users see them."""

import csv
import math

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
  - box: {name: post, center: [0, 1, 0], size: [0.1, 0.1, 0.1]}
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

    def test_bad_joints_are_refused_with_place_and_reason(self):
        self.scree("check", self.write_scene(SWING))
        line = "scene.yaml:13"
        self.refused("b: ball", "b: bal", line, "no body or part 'bal'", "ball")
        self.refused("a: world", "a: ball", line, "joins a body to itself")
        self.refused("b: ball", "b: post", line, "neither can move")
        self.refused("axis: [0, 1, 0]", "axis: [0, 0, 0]", line, "no length")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {limits: [1, -1]}", line,
                     "wrong way round")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {limits: [10 deg, 20 deg]}", line,
                     "outside its limits")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {most: 1}}", line,
                     "exactly one of velocity, position and force")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {velocity: 'sin('}}", line,
                     "no expression of t")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], angle: {motor: {velocity: 3 m/s}}", line,
                     "'3 m/s'")
        self.refused("axis: [0, 1, 0]", "axis: [0, 1, 0], slide: {}", line, "slide")
        self.refused("revolute: {name: hinge, a: world, b: ball, at: [0, 0, 0], axis: [0, 1, 0]}",
                     "hinge: {a: world}", line, "hinge")
        self.refused("name: ball,", "name: world,", "scene.yaml:9", "'world' is taken")


if __name__ == "__main__":
    main()

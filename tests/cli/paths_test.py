"""Paths of named bodies."""

import csv
import math

from program import ProgramTest, main

THROWN = """scree: 1
name: thrown
until: 0.3 s
step: {h: 1 ms}
materials:
  steel: {density: 7800}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - sphere:
      name: ball, red
      position: [0, 0, 1]
      velocity: [2, 0, 0]
      angular_velocity: [0, 0, 5]
      radius: 0.1
  - sphere: {position: [0, 9, 1], radius: 0.1}
  - sphere: {name: stone, position: [0, 4, 0.6], radius: 0.1}
outflows:
  - {min: [-1, 3, -1], max: [1, 5, 0.4]}
output: {statistics_interval: 10 ms}
"""


class Paths(ProgramTest):

    def path(self, run, body):
        with open(self.directory / run / "bodies.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return [{key: float(row[key]) for key in row if key != "body"} for row in rows
                if row["body"] == body]

    def run_thrown(self, out, *options):
        scene = self.write_scene(THROWN)
        self.scree("run", scene, "--out", out, "--no-pictures", "--quiet", *options)

    def test_a_body_with_a_name_is_followed_along_its_parabola(self):
        self.run_thrown("run")
        rows = self.path("run", "ball, red")
        self.assertEqual(len(rows), 31)
        for row in rows:
            t, h, g = row["time"], 1e-3, 9.81
            self.assertAlmostEqual(row["x"], 2 * t, delta=1e-12)
            self.assertAlmostEqual(row["z"], 1 - g * t * t / 2, delta=g * t * h)
            self.assertAlmostEqual(row["vz"], -g * t, delta=1e-12)
            self.assertAlmostEqual(row["wz"], 5, delta=1e-12)
            self.assertAlmostEqual(row["qw"], math.cos(2.5 * t), delta=1e-5)
            self.assertAlmostEqual(row["qz"], math.sin(2.5 * t), delta=1e-5)

    def test_a_body_that_has_left_has_no_more_rows(self):
        self.run_thrown("run")
        rows = self.path("run", "stone")
        fall = math.sqrt(2 * 0.2 / 9.81)
        self.assertAlmostEqual(rows[-1]["time"], fall, delta=0.02)

    def test_paths_are_the_same_bytes_where_a_run_was_cut(self):
        self.run_thrown("whole")
        self.run_thrown("cut", "--until", "0.13 s")
        self.run_thrown("cut", "--resume")
        whole, cut = ((self.directory / run / "bodies.csv").read_bytes()
                      for run in ("whole", "cut"))
        self.assertEqual(whole, cut)

    def test_there_is_no_table_where_no_body_has_a_name(self):
        scene = self.write_scene(
            THROWN.replace("      name: ball, red\n", "").replace("name: stone, ", ""))
        self.scree("run", scene, "--out", "run", "--no-pictures", "--quiet")
        self.assertFalse((self.directory / "run/bodies.csv").exists())


if __name__ == "__main__":
    main()

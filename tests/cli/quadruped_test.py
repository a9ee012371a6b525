"""A robot on four legs from a URDF file: it stands, and walks by a table of joint angles."""

import csv
import subprocess
import sys

from program import SOURCE, ProgramTest, main
from readers_test import need

MASS = 12.0  # of trunk and legs [kg]


class Quadruped(ProgramTest):

    def run_on(self, until, height, stones):
        self.scree("import", SOURCE / "scenes/quadruped.urdf", "--out", "robot.yaml")
        made = subprocess.run([
            sys.executable, SOURCE / "scenes/make_quadruped.py", "robot.yaml", "--height",
            str(height), "--stones",
            str(stones), "--until",
            str(until)
        ], cwd=self.directory, capture_output=True, text=True, check=True)
        (self.directory / "ground.yaml").write_text(made.stdout, encoding="utf-8")
        self.scree("run", "ground.yaml", "--out", "run", "--no-pictures")

    def rows(self, name):
        with open(self.directory / "run" / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_its_feet_carry_its_weight_then_it_walks(self):
        need(self, "python3-h5py", "h5py")
        self.run_on(until=4, height=0.001, stones=0)
        loads = {float(row["time"]): row for row in self.rows("obstacles.csv")}
        standing = max(time for time in loads if time < 1.995)
        weight = MASS * 9.81
        self.assertAlmostEqual(-float(loads[standing]["force_z"]) / weight, 1, delta=1e-6)
        standing, walking = self.trunk_at(100), self.trunk_at(200)
        self.assertGreater(walking[0] - standing[0], 0.5)
        self.assertAlmostEqual(walking[2], standing[2], delta=0.02)

    def test_it_comes_down_on_a_few_stones_and_stays_on_its_legs(self):
        need(self, "python3-h5py", "h5py")
        self.run_on(until=1.5, height=0.16, stones=60)
        verdict = self.verdict("run")
        self.assertEqual(verdict["steps"], verdict["steps_within_tolerance"])
        self.assertLess(verdict["joints"]["error"]["value"], 1e-12)
        # It has fallen 16 cm, less what it stands higher on stones, and its legs hold its trunk up.
        fell = self.trunk_at(0)[2] - self.trunk_at(75)[2]
        self.assertGreater(fell, 0.05)
        self.assertLess(fell, 0.2)
        last = max(self.rows("obstacles.csv"), key=lambda row: float(row["time"]))
        self.assertLess(float(last["force_z"]), 0)

    def trunk_at(self, frame):
        import h5py
        with h5py.File(self.directory / f"run/frames/grains_{frame:06}.hdf") as file:
            return file["VTKHDF/CellData/position"][0]


if __name__ == "__main__":
    main()

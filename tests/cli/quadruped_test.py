"""A robot on four legs from a URDF file: it stands, and walks by a table of joint angles."""

import csv
import subprocess
import sys

from program import SOURCE, ProgramTest, main
from readers_test import need

MASS = 12.0  # of trunk and legs [kg]


class Quadruped(ProgramTest):

    def run_on_a_floor(self, until):
        self.scree("import", SOURCE / "scenes/quadruped.urdf", "--out", "robot.yaml")
        made = subprocess.run([
            sys.executable, SOURCE / "scenes/make_quadruped.py", "robot.yaml", "--height", "0.001",
            "--stones", "0", "--until",
            str(until)
        ], cwd=self.directory, capture_output=True, text=True, check=True)
        (self.directory / "floor.yaml").write_text(made.stdout, encoding="utf-8")
        self.scree("run", "floor.yaml", "--out", "run", "--no-pictures")

    def rows(self, name):
        with open(self.directory / "run" / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_its_feet_carry_its_weight_then_it_walks(self):
        need(self, "python3-h5py", "h5py")
        self.run_on_a_floor(4)
        loads = {float(row["time"]): row for row in self.rows("parts.csv")}
        standing = max(time for time in loads if time < 1.995)
        weight = MASS * 9.81
        self.assertAlmostEqual(-float(loads[standing]["force_z"]) / weight, 1, delta=1e-6)
        standing, walking = self.trunk_at(100), self.trunk_at(200)
        self.assertGreater(walking[0] - standing[0], 0.5)
        self.assertAlmostEqual(walking[2], standing[2], delta=0.02)

    def trunk_at(self, frame):
        import h5py
        with h5py.File(self.directory / f"run/frames/grains_{frame:06}.hdf") as file:
            return file["VTKHDF/CellData/position"][0]


if __name__ == "__main__":
    main()

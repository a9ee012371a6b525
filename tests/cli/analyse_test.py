"""scree analyse: tables whose numbers are known, and what it refuses."""

import csv
import json
import math

from program import BALL, ProgramTest, main

# Columns of eight balls on a floor, apart from each other: each contact carries what lies above it.
RADIUS, SIDE, HEIGHT, COLUMNS = 2.5e-3, 0.04, 8, 64
COLUMNS_ON_A_FLOOR = """scree: 1
name: columns
until: 0.02 s
step: {h: 0.1 ms}
solver: {tolerance: 1e-8, max_sweeps: 20000}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [4 cm, 4 cm, 4 cm]}
      spacing: 5 mm
      radius: 2.5 mm
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output:
  frame_interval: 5 ms
"""


class Analyse(ProgramTest):
    def table(self, name, directory="run/analysis"):
        with open(self.directory / directory / name, encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def run_columns(self, *options):
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--no-pictures", *options)

    def test_finds_what_is_known_of_columns_at_rest(self):
        self.run_columns()
        result = json.loads(self.scree("analyse", "run", "--region=0,0,0,0.04,0.04,0.04", "--cells", "1,1,8", "--json").stdout)
        self.assertEqual((result["frames"], result["status"]), (5, "done"))
        self.assertEqual(sorted(result["files"]), sorted(p.name for p in (self.directory / "run/analysis").iterdir()))

        ball = 4 / 3 * math.pi * RADIUS**3
        fraction = self.table("solid_fraction.csv")
        self.assertEqual([row["step"] for row in fraction], [0, 50, 100, 150, 200])
        for row in fraction:
            self.assertEqual(row["bodies"], COLUMNS * HEIGHT)
            self.assertAlmostEqual(row["solid_fraction"], COLUMNS * HEIGHT * ball / SIDE**3, places=6)

        # Seven contacts inside a column count twice, the one with the floor once; nothing is held from more than two sides.
        coordination = self.table("coordination.csv")
        self.assertEqual(len(coordination), 4)  # before the first step there are no contacts
        for row in coordination:
            self.assertEqual(row["contacts_loaded"], COLUMNS * HEIGHT)
            self.assertEqual(row["coordination_number"], (2 * 7 + 1) / 8)
            self.assertEqual(row["rattlers"], COLUMNS * HEIGHT)

        # Branch times weight above: a radius and eight balls at the floor, a diameter and seven to one ball higher up.
        weight = 2500 * ball * 9.81
        stress = weight * RADIUS * (HEIGHT + 2 * sum(range(HEIGHT))) * COLUMNS / SIDE**3
        for row in self.table("stress.csv"):
            self.assertAlmostEqual(row["zz"] / stress, 1, places=3)
            self.assertAlmostEqual(row["pressure"] / row["zz"], 1 / 3, places=6)
            self.assertEqual((row["fabric_zz"], row["contacts"]), (1, COLUMNS * HEIGHT))
        self.assertAlmostEqual(result["last"]["pressure"], row["pressure"])

    def test_writes_profiles_and_distributions(self):
        self.run_columns()
        self.scree("analyse", "run", "--region=0,0,0,0.04,0.04,0.04", "--cells", "1,1,8", "--frames", "3", "--bins", "50",
                   "--out", "tables/columns")
        profile = self.table("velocity_profile.csv", "tables/columns")
        self.assertEqual(len(profile), 8)
        for k, row in enumerate(profile):
            self.assertAlmostEqual(row["z"], (k + 0.5) * 2 * RADIUS)
            self.assertEqual(row["bodies"], COLUMNS)
            self.assertAlmostEqual(row["velocity_z"], 0, places=4)
        # A lattice has nobody nearer than a diameter.
        rdf = self.table("rdf.csv", "tables/columns")
        self.assertEqual(len(rdf), 50)
        self.assertTrue(all(row["g"] == 0 for row in rdf if row["r_outer"] < 1.99 * RADIUS))
        self.assertGreater(max(row["g"] for row in rdf if 1.9 * RADIUS < row["r_inner"] < 2.1 * RADIUS), 3)
        # Forces are one to eight weights, as many of each: their mean is 4.5.
        forces = self.table("force_distribution.csv", "tables/columns")
        self.assertEqual(sum(row["contacts"] for row in forces), 3 * COLUMNS * HEIGHT)
        self.assertAlmostEqual(sum(row["density"] * (row["upper"] - row["lower"]) for row in forces), 1)
        self.assertEqual(max(row["lower"] for row in forces if row["contacts"] > 0), 1.6)  # 8 / 4.5 = 1.78

    def test_says_the_same_in_words_and_for_the_default_region(self):
        self.run_columns()
        text = self.scree("analyse", "run").stdout
        self.assertIn("run, 5 frames, in the region from (0.0025, 0.0025, 0.0025) to (0.0375, 0.0375, 0.0375) m", text)
        self.assertIn("solid fraction       0.", text)
        self.assertIn("coordination number  1.875; no backbone of bodies with 4 contacts", text)
        # The ball on top has one contact; without it the one below has one, too, and so on down to the floor.
        self.assertIn("no backbone of bodies with 2", self.scree("analyse", "run", "--least-contacts", "2").stdout)
        text = self.scree("analyse", "run", "--least-contacts", "1").stdout
        self.assertIn("coordination number  1.875; 1.875 without 0 rattlers", text)

    def test_does_without_contacts(self):
        self.run_columns("--set", "output.contacts=false")
        result = json.loads(self.scree("analyse", "run", "--json").stdout)
        self.assertEqual(result["files"], ["solid_fraction.csv", "velocity_profile.csv", "rdf.csv"])
        self.assertNotIn("pressure", result["last"])
        self.assertIn("no contacts", self.scree("analyse", "run").stdout)

    def test_refuses_what_it_cannot_analyse(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--no-pictures")
        before = self.everything()
        for options, message in (
                ((), "the centres of the bodies span no volume"),  # there is one ball
                (("--region", "0,0,0,1,1"), "--region"),
                (("--region", "0,0,0,1,1,0"), "--region has no volume"),
                (("--region", "0,0,0,1,1,nan"), "--region"),
                (("--frames", "0"), "--frames"),
                (("--bins", "0"), "--bins"),
                (("--region", "-1,-1,-1,1,1,1", "--cells", "1000,1000,1000"), "--cells asks for more than")):
            self.assertIn(message, self.scree("analyse", "run", *options, status=2).stderr)
        self.assertIn("holds no run of scree", self.scree("analyse", ".", status=2).stderr)
        self.assertEqual(self.everything(), before)
        (self.directory / "run/frames/grains_000002.hdf").unlink()
        self.scree("analyse", "run", "--region", "-1,-1,-1,1,1,1", status=4)
        self.scree("analyse", "run", "--region", "-1,-1,-1,1,1,1", "--frames", "1")


if __name__ == "__main__":
    main()

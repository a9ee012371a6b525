"""Cells that repeat, as users see them."""

import csv

from program import SOURCE, ProgramTest, main

GAS = """scree: 1
name: gas
until: 0.02 s
gravity: [0, 0, 0]
step: {h: 0.1 ms}
cell: {period: [50 mm, 50 mm, 50 mm]}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.3, restitution: 0.8}
bodies:
  - random:
      region: {min: [0, 0, 0], max: [50 mm, 50 mm, 50 mm]}
      radius: 2.5 mm
      volume_fraction: 0.3
      jitter: [1, 1, 1]
      seed: 3
output:
  frame_interval: 10 ms
  statistics_interval: 5 ms
  analysis:
    - name: all
      region: {min: [-10 mm, 0, 0], max: [40 mm, 50 mm, 50 mm]}
"""


class Periodic(ProgramTest):

    def table(self, path):
        with open(self.directory / path, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_a_region_as_long_as_the_cell_holds_all_of_every_frame(self):
        (self.directory / "gas.yaml").write_text(GAS, encoding="utf-8")
        self.scree("run", "gas.yaml", "--out", "run", "--no-pictures")
        rows = self.table("run/analysis/all/solid_fraction.csv")
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.assertAlmostEqual(float(row["solid_fraction"]), 0.3, delta=1e-3)
            self.assertEqual(row["solid_fraction"][:10], rows[0]["solid_fraction"][:10])
            self.assertEqual(row["bodies"], rows[0]["bodies"])
        # From the frames, whose region is the cell if nobody says otherwise.
        self.scree("analyse", "run", "--no-pictures")
        for row in self.table("run/analysis/solid_fraction.csv"):
            self.assertEqual(row["solid_fraction"][:10], rows[0]["solid_fraction"][:10])

    def test_a_run_that_is_resumed_has_the_same_bits(self):
        scene = SOURCE / "scenes/chute.yaml"
        self.scree("run", scene, "--out", "whole", "--until", "0.2 s", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--until", "0.1 s", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--until", "0.2 s", "--resume", "--threads", "2",
                   "--no-pictures")
        self.assertEqual(
            self.statistics("whole")[-1]["state_hash"],
            self.statistics("parts")[-1]["state_hash"])

    def test_what_does_not_fit_is_refused_with_its_place_and_size(self):

        def refusal(*lines):
            text = GAS
            for old, new in lines:
                self.assertIn(old, text)
                text = text.replace(old, new)
            (self.directory / "bad.yaml").write_text(text, encoding="utf-8")
            return self.scree("check", "bad.yaml", status=2).stderr

        period = "cell: {period: [50 mm, 50 mm, 50 mm]}"
        self.assertIn("bad.yaml:6:16: cell.period", refusal((period, "cell: {period: [0, 0, 0]}")))
        self.assertIn("-0.05", refusal((period, "cell: {period: [50 mm, -50 mm, 0]}")))
        self.assertIn("more than the cell", refusal((period, "cell: {period: [40 mm, 0, 0]}")))
        tight = refusal((period, "cell: {period: [9 mm, 0, 0]}"),
                        ("max: [50 mm, 50 mm, 50 mm]}\n      radius", "max: [9 mm, 50 mm, 50 mm]}\n"
                         "      radius"))
        self.assertIn("bodies[0].random", tight)
        self.assertIn("0.01 m", tight)
        floor = "obstacles:\n  - half_space: {point: [0, 0, 0], normal: [0, 0, 1]}\noutput:"
        self.assertIn("half-space must run along z", refusal(("output:", floor)))
        box = "obstacles:\n  - box: {center: [0, 0, -1], size: [50 mm, 1, 1]}\noutput:"
        self.assertIn("obstacles[0].box", refusal((period, "cell: {period: [50 mm, 0, 0]}"),
                                                  ("output:", box)))


if __name__ == "__main__":
    main()

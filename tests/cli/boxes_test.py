"""Boxes from the scene to the tables: output, restart and analysis of runs with boxes."""

import csv

from program import BOXES, ProgramTest, main
from readers_test import need

ANALYSIS = """  analysis:
    - {name: all, region: {min: [-5 cm, -5 cm, -1 cm], max: [15 cm, 15 cm, 15 cm]}}
"""


class Boxes(ProgramTest):

    def frames(self, run):
        return {
            path.name: path.read_bytes() for path in (self.directory / run / "frames").iterdir()
        }

    def test_go_on_from_a_checkpoint_to_the_same_bytes(self):
        scene = self.write_scene(BOXES)
        self.scree("run", scene, "--no-pictures", "--out", "whole", "--until", "0.06")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.04")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.06", "--resume")
        self.assertEqual(self.frames("whole"), self.frames("parts"))

    def test_are_run_again_from_the_resolved_scene_to_the_same_bytes(self):
        self.scree("run", self.write_scene(BOXES), "--no-pictures", "--out", "run", "--until",
                   "0.02")
        self.scree("reproduce", "run")

    def test_fill_what_their_volumes_come_to(self):
        need(self, "python3-h5py", "h5py")
        self.scree("run", self.write_scene(BOXES + ANALYSIS), "--no-pictures", "--out", "run",
                   "--until", "0.02")
        self.scree("analyse", "run", "--region", "-0.05,-0.05,-0.01,0.15,0.15,0.15", "--out",
                   "tables", "--no-pictures")
        table = (self.directory / "tables/solid_fraction.csv").read_text()
        self.assertEqual(table,
                         (self.directory / "run/analysis/all/solid_fraction.csv").read_text())
        mass = sum(self.masses("run"))
        for row in csv.DictReader(table.splitlines()):
            self.assertAlmostEqual(
                float(row["solid_fraction"]) * 0.2 * 0.2 * 0.16 * 2500 / mass, 1, places=9)

    def masses(self, run):
        import h5py
        with h5py.File(self.directory / run / "frames/grains_000000.hdf") as file:
            return file["VTKHDF/CellData/mass"][...]

    def test_have_frames_that_info_tells_of(self):
        self.scree("run", self.write_scene(BOXES), "--no-pictures", "--out", "run", "--until",
                   "1 ms")
        reported = self.scree("info", "run/frames/grains_000000.hdf").stdout
        self.assertIn("frame of 21 grains", reported)
        self.assertIn("size", reported)

    def test_that_overlap_are_refused_with_their_place(self):
        scene = BOXES.replace(
            "  - sphere",
            "  - box: {position: [5 cm, 5 cm, 12 cm], size: [1 cm, 1 cm, 1 cm]}\n  - sphere")
        reported = self.scree("run", self.write_scene(scene), "--out", "run", status=2).stderr
        self.assertIn("bodies[2].sphere", reported)
        self.assertIn("overlaps bodies[1].box (size 0.01 x 0.01 x 0.01 m at 0.05, 0.05, 0.12)",
                      reported)


if __name__ == "__main__":
    main()

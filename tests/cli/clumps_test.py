"""Clumps from the scene to the frames: a run in two sections, frames, and errors."""

import json

from program import ProgramTest, main
from readers_test import need

CLUMPS = """scree: 1
name: clumps
until: 0.1 s
step: {h: 0.5 ms}
materials: {stone: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - random:
      region: {min: [0, 0, 0], max: [10 cm, 10 cm, 10 cm]}
      count: 12
      shape:
        clump:
          - {shape: {sphere: {radius: 1 cm}}, position: [-5 mm, 0, 0]}
          - {shape: {sphere: {radius: 1 cm}}, position: [5 mm, 0, 0]}
          - {shape: {box: {size: [1 cm, 4 cm, 1 cm]}}}
      scale: {uniform: [0.7, 1]}
      seed: 4
  - sphere: {position: [0, 0, 20 cm], radius: 1 cm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output: {frame_interval: 50 ms, statistics_interval: 10 ms}
"""


class Clumps(ProgramTest):

    def frames(self, run):
        return {
            path.name: path.read_bytes() for path in (self.directory / run / "frames").iterdir()
        }

    def test_go_on_from_a_checkpoint_to_the_same_bytes_on_any_threads(self):
        scene = self.write_scene(CLUMPS)
        self.scree("run", scene, "--no-pictures", "--out", "whole", "--threads", "2")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.05")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.1", "--resume")
        self.assertEqual(self.frames("whole"), self.frames("parts"))

    def test_have_a_verdict_and_books_that_close(self):
        self.scree("run", self.write_scene(CLUMPS), "--no-pictures", "--out", "run")
        verdict = json.loads((self.directory / "run/verdict.json").read_text())
        self.assertEqual(verdict["verdict"], "met")
        self.assertEqual(verdict["energy"]["created"], 0)
        self.scree("reproduce", "run")

    def test_are_drawn_part_by_part(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(CLUMPS), "--no-pictures", "--out", "run", "--until",
                   "1 ms")
        with h5py.File(self.directory / "run/frames/grains_000000.hdf") as file:
            shapes = json.loads(file["scree/shapes"][()])
            self.assertEqual([shape["shape"] for shape in shapes], ["sphere", "clump"])
            self.assertEqual([part["shape"] for part in shapes[1]["parts"]],
                             ["sphere", "sphere", "box"])
            # The corners of a body reach as far as its bounding sphere, and no farther.
            first = file["VTKHDF/Offsets"][...]
            points = file["VTKHDF/Points"][...]
            names = file["VTKHDF/Connectivity"][...]
            place = file["VTKHDF/CellData/position"][...]
            radius = file["VTKHDF/CellData/radius"][...]
            corners = points[names[first[0]:first[1]]]
            farthest = ((corners - place[0])**2).sum(axis=1).max()**0.5
            self.assertAlmostEqual(farthest / radius[0], 1, places=2)

    def test_resolve_to_the_same_scene(self):
        scene = self.write_scene(CLUMPS)
        self.scree("run", scene, "--no-pictures", "--out", "a", "--until", "1 ms")
        self.scree("run", "a/resolved.yaml", "--no-pictures", "--out", "b", "--until", "1 ms")
        self.assertEqual(self.frames("a"), self.frames("b"))


if __name__ == "__main__":
    main()

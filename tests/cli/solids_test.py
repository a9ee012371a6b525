"""Bodies of other shapes from the scene to the tables and pictures: output, restart and analysis of
runs, and their frames in VTK."""

import csv
import json
import math

from program import ProgramTest, main
from readers_test import need, png_size

SOLIDS = """scree: 1
name: solids
until: 0.06 s
step: {h: 0.5 ms}
materials: {stone: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - cylinder: {radius: 1 cm, from: [5 cm, 5 cm, 5 mm], to: [5 cm, 5 cm, 3.5 cm]}
  - solid: {shape: {cone: {radius: 1 cm, length: 3 cm}}, position: [0, 5 cm, 2 cm]}
  - solid:
      shape: {ellipsoid: {semi_axes: [2 cm, 1 cm, 1 cm]}}
      position: [5 cm, 0, 2 cm]
      orientation: {axis: [1, 1, 0], angle: 30 deg}
  - random:
      region: {min: [0, 0, 4 cm], max: [8 cm, 8 cm, 12 cm]}
      count: 8
      shape:
        polyhedron:
          points: [[0, 0, 0], [2 cm, 0, 0], [0, 2 cm, 0], [0, 0, 2 cm], [1 cm, 1 cm, 1 cm]]
      scale: {uniform: [0.7, 1]}
  - box: {position: [9 cm, 9 cm, 2 cm], size: [1 cm, 2 cm, 3 cm]}
  - sphere: {position: [0, 0, 2 cm], radius: 1 cm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - solid: {name: bump, shape: {cone: {radius: 1 cm, length: 5 mm}}, position: [5 cm, 2 cm, 0]}
output:
  frame_interval: 20 ms
  statistics_interval: 10 ms
"""
PICTURE = """  pictures:
    - grains: {plane: xz}
"""
REGION = "-0.2,-0.2,-0.01,0.3,0.3,0.3"
# A ball whose centre of mass is 3 cm below its middle, tilted by 0.05 rad.
TUMBLER = """scree: 1
name: tumbler
until: 0.6 s
step: {h: 0.5 ms}
materials: {steel: {density: 1000}}
default_law: {law: coulomb, friction: 0.9}
bodies:
  - solid:
      shape: {clump: [{shape: {sphere: {radius: 10 cm}}}]}
      position: [0, 0, 10 cm]
      orientation: {axis: [0, 1, 0], angle: 0.05}
      mass: 1
      inertia: {centre: [0, 0, -3 cm], moments: [0.003, 0.004, 0.005]}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output: {frame_interval: 10 ms, statistics_interval: 10 ms}
"""


class Solids(ProgramTest):

    def frames(self, run):
        return {
            path.name: path.read_bytes() for path in (self.directory / run / "frames").iterdir()
        }

    def test_go_on_from_a_checkpoint_to_the_same_bytes_on_any_threads(self):
        scene = self.write_scene(SOLIDS)
        self.scree("run", scene, "--no-pictures", "--out", "whole", "--threads", "2")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.04", "--threads",
                   "1")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.06", "--resume")
        self.assertEqual(self.frames("whole"), self.frames("parts"))

    def test_fill_what_their_volumes_come_to(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(SOLIDS), "--no-pictures", "--out", "run", "--until",
                   "0.02")
        self.scree("analyse", "run", "--region", REGION, "--out", "tables", "--no-pictures")
        with h5py.File(self.directory / "run/frames/grains_000000.hdf") as file:
            mass = sum(file["VTKHDF/CellData/mass"][...])
            shapes = json.loads(file["scree/shapes"][()])
            self.assertEqual(
                [s["shape"] for s in shapes],
                ["sphere", "cylinder", "frustum", "superellipsoid", "polyhedron", "box"])
            self.assertEqual(set(file["VTKHDF/CellData/shape"][...]), set(range(6)))
            # A cone's centre of mass is a quarter of its length from the base.
            self.assertAlmostEqual(file["VTKHDF/CellData/position"][1][2], 0.02 - 0.0075, places=12)
        table = (self.directory / "tables/solid_fraction.csv").read_text()
        for row in csv.DictReader(table.splitlines()):
            self.assertAlmostEqual(
                float(row["solid_fraction"]) * 0.5 * 0.5 * 0.31 * 2500 / mass, 1, places=9)

    def test_are_closed_surfaces_of_their_volumes_for_vtk(self):
        need(self, "python3-vtk9", "vtk")
        import vtk
        self.scree("run", self.write_scene(SOLIDS), "--no-pictures", "--until", "1 ms", "--out",
                   "run")
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(self.directory / "run/frames/grains_000001.hdf"))
        reader.Update()
        grid = reader.GetOutput()
        self.assertEqual(grid.GetNumberOfCells(), 13)
        mass = grid.GetCellData().GetArray("mass")
        for body, within in ((0, 0.03), (1, 0.03), (2, 0.08), (3, 1e-6), (11, 1e-6)):
            one = vtk.vtkExtractCells()
            one.SetInputData(grid)
            one.AddCellRange(body, body)
            skin = vtk.vtkDataSetSurfaceFilter()  # what ParaView draws
            skin.SetInputConnection(one.GetOutputPort())
            triangles = vtk.vtkTriangleFilter()
            triangles.SetInputConnection(skin.GetOutputPort())
            triangles.Update()
            clean = vtk.vtkCleanPolyData()  # triangles without area become lines
            clean.SetInputConnection(triangles.GetOutputPort())
            clean.PointMergingOff()
            edges = vtk.vtkFeatureEdges()
            edges.SetInputConnection(clean.GetOutputPort())
            edges.FeatureEdgesOff()
            edges.ManifoldEdgesOff()
            edges.Update()
            self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0, "open edges")
            properties = vtk.vtkMassProperties()
            properties.SetInputConnection(triangles.GetOutputPort())
            properties.Update()
            volume = mass.GetValue(body) / 2500
            self.assertLess(abs(properties.GetVolume() / volume - 1), within, f"body {body}")

    def test_are_in_the_picture_of_the_grains(self):
        need(self, "python3-vtk9", "vtk")
        need(self, "python3-matplotlib", "matplotlib")
        self.scree("run", self.write_scene(SOLIDS + PICTURE), "--until", "1 ms", "--out", "run")
        width, height = png_size(self.directory / "run/pictures/grains.png")
        self.assertGreater(width * height, 0)

    def test_with_an_inertia_of_their_own_swing_by_it(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(TUMBLER), "--no-pictures", "--out", "run")
        tilt = []
        for frame in sorted((self.directory / "run/frames").glob("grains_*.hdf")):
            with h5py.File(frame) as file:
                tilt.append(2 * file["VTKHDF/CellData/quaternion"][0][2])
        # It rolls about the point below it: I + m (r - c)^2 against m g c.
        half = math.pi * math.sqrt((0.004 + 0.07**2) / (9.81 * 0.03))
        lowest = min(range(len(tilt)), key=tilt.__getitem__)
        self.assertAlmostEqual(0.01 * lowest, half, delta=0.01)
        self.assertAlmostEqual(tilt[lowest], -0.05, delta=5e-4)

    def test_with_an_inertia_of_their_own_load_and_go_on_to_the_same_bytes(self):
        scene = self.write_scene(TUMBLER)
        self.scree("run", scene, "--no-pictures", "--out", "whole", "--until", "0.1")
        self.scree("run", "whole/resolved.yaml", "--no-pictures", "--out", "again")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.05")
        self.scree("run", scene, "--no-pictures", "--out", "parts", "--until", "0.1", "--resume")
        self.assertEqual(self.frames("whole"), self.frames("parts"))
        self.assertEqual(self.frames("whole"), self.frames("again"))

    def test_with_an_inertia_that_no_body_has_are_refused(self):
        for found, given, reason in (
            ("0.005]", "0.05]", "0.05 exceeds the sum of the other two"),
            ("[0.003, 0.004, 0.005]", "[1e-15, 1e-15, 1e-15]", "kg m2"),
            ("      mass: 1\n", "", "moments of inertia need a mass"),
            ("0.005]", "-0.005]", "moments"),
        ):
            scene = self.write_scene(TUMBLER.replace(found, given))
            reported = self.scree("check", scene, status=2).stderr
            self.assertIn(reason, reported)
            self.assertIn("inertia", reported)

    def test_with_an_inertia_that_is_larger_than_their_shape_allows_give_a_warning(self):
        scene = self.write_scene(TUMBLER.replace("[0.003, 0.004, 0.005]", "[0.03, 0.04, 0.05]"))
        reported = self.scree("check", scene).stdout
        self.assertIn("3.55 times as large as the reach of the shape allows", reported)
        self.assertNotIn("units", reported)
        scene = self.write_scene(TUMBLER.replace("[0.003, 0.004, 0.005]", "[3, 4, 5]"))
        self.assertIn("as if their units were wrong", self.scree("check", scene).stdout)

    def test_are_checked_and_told_of(self):
        scene = self.write_scene(SOLIDS)
        self.assertIn("bodies     13,", self.scree("check", scene).stdout)
        self.scree("run", scene, "--no-pictures", "--out", "run", "--until", "1 ms")
        reported = self.scree("info", "run/frames/grains_000000.hdf").stdout
        self.assertIn("frame of 13 grains", reported)
        self.assertIn("shape", reported)
        self.scree("reproduce", "run")

    def test_roll_down_an_incline_as_they_should(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        slope = 0.2
        scene = f"""scree: 1
name: incline
until: 0.2 s
step: {{h: 0.5 ms}}
gravity: [{9.81 * math.sin(slope)}, 0, {-9.81 * math.cos(slope)}]
materials: {{stone: {{density: 2500}}}}
default_law: {{law: coulomb, friction: 0.5}}
bodies:
  - solid:
      shape: {{cylinder: {{radius: 1 cm, length: 3 cm}}}}
      position: [0, 0, 1 cm]
      orientation: {{axis: [1, 0, 0], angle: 90 deg}}
obstacles:
  - half_space: {{point: [0, 0, 0], normal: [0, 0, 1]}}
output: {{frame_interval: 0.2 s}}
"""
        self.scree("run", self.write_scene(scene), "--no-pictures", "--out", "run")
        with h5py.File(self.directory / "run/frames/grains_000001.hdf") as file:
            speed = file["VTKHDF/CellData/velocity"][0][0]
        self.assertAlmostEqual(speed / 0.2, 2 / 3 * 9.81 * math.sin(slope), places=4)


if __name__ == "__main__":
    main()

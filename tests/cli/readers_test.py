"""Frames and pictures, seen by the programs that users have: h5py, VTK, matplotlib."""

import importlib.util
import os
import shutil
import struct
import subprocess

from program import BALL, BOXES, HEAP, SOURCE, ProgramTest, main

PICTURES = """  pictures:
    - velocity_map: {plane: xz, cells: [10, 10]}
    - energy: {}
    - residual: {}
    - grains: {plane: xz}
"""


def need(test, package, module):
    if importlib.util.find_spec(module) is None:
        test.skipTest(f"{module} is not installed: apt install {package}")


def png_size(path):
    header = path.read_bytes()[:24]
    return struct.unpack(">II", header[16:24]) if header.startswith(b"\x89PNG") else (0, 0)


class H5py(ProgramTest):

    def test_reads_frames(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(HEAP), "--until", "1 ms", "--out", "run")
        with h5py.File(self.directory / "run/frames/grains_000001.hdf") as file:
            ids = file["VTKHDF/CellData/id"][...]
            self.assertEqual(list(ids), sorted(ids))
            self.assertEqual(file["VTKHDF/CellData/position"].shape, (len(ids), 3))
            self.assertAlmostEqual(file["scree"].attrs["time"][0], 1e-3)
        with h5py.File(self.directory / "run/frames/contacts_000001.hdf") as file:
            data = file["VTKHDF/PointData"]
            self.assertEqual(
                set(data), {
                    "normal", "impulse", "gap", "class", "residual", "cone_violation",
                    "complementarity_violation", "dissipated_energy", "painleve_number", "id_a",
                    "id_b"
                })
            self.assertGreaterEqual(min(data["cone_violation"]), 0)
            self.assertGreater(len(data["gap"]), 0)

    def test_finds_arrays_of_spheres_with_cells_and_with_points_as_one_dataset(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(HEAP), "--until", "1 ms", "--out", "run")
        path = self.directory / "run/frames/grains_000001.hdf"
        with h5py.File(path) as file:
            grid = file["VTKHDF"]
            self.assertEqual(
                set(grid["CellData"]), {
                    "position", "radius", "mass", "velocity", "angular_velocity", "quaternion",
                    "id", "material"
                })
            self.assertEqual(set(grid["PointData"]), set(grid["CellData"]))
            for name in grid["CellData"]:
                self.assertEqual(grid["PointData"][name], grid["CellData"][name], name)
            self.assertEqual(grid["CellData/position"], grid["Points"])
            arrays = [*grid["CellData"].values(), *[a for a in grid.values() if hasattr(a, "size")]]
            stored = sum({h5py.h5o.get_info(a.id).addr: a.id.get_storage_size()
                          for a in arrays}.values())
        # Numbers are there once; the rest is what any frame has: src/run/forecast.cpp.
        self.assertGreater(stored, 100e3)
        self.assertLess(path.stat().st_size - stored, 12e3)

    def test_finds_no_arrays_of_points_where_bodies_are_boxes(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(BOXES), "--until", "1 ms", "--out", "run")
        with h5py.File(self.directory / "run/frames/grains_000001.hdf") as file:
            self.assertEqual(set(file["VTKHDF/PointData"]), set())
            self.assertEqual(file["VTKHDF/CellData/position"].shape, (21, 3))


class Vtk(ProgramTest):

    def test_reads_frames_and_empty_frames(self):
        need(self, "python3-vtk9", "vtk")
        import vtk
        self.scree("run", self.write_scene(HEAP), "--until", "1 ms", "--out", "run")
        for name, full in (("grains_000001", True), ("contacts_000001", True), ("contacts_000000",
                                                                                False)):
            path = str(self.directory / "run/frames" / (name + ".hdf"))
            reader = vtk.vtkHDFReader()
            self.assertTrue(reader.CanReadFile(path), name)
            reader.SetFileName(path)
            reader.Update()
            grid = reader.GetOutput()
            self.assertEqual(grid.GetNumberOfPoints() > 0, full, name)
            self.assertEqual(grid.GetNumberOfCells(), grid.GetNumberOfPoints())
            of_points, of_cells = (self.arrays(data)
                                   for data in (grid.GetPointData(), grid.GetCellData()))
            if name.startswith("grains"):
                self.assertEqual(of_points, of_cells)
                self.assertEqual(of_cells["position"],
                                 [grid.GetPoint(k) for k in range(grid.GetNumberOfPoints())])
                self.assertIn("radius", of_cells)
            elif full:
                self.assertIn("impulse", of_points)
                self.assertEqual(of_cells, {})

    @staticmethod
    def arrays(data):
        """Rows of each array by its name."""
        arrays = [data.GetArray(k) for k in range(data.GetNumberOfArrays())]
        return {
            array.GetName(): [array.GetTuple(row) for row in range(array.GetNumberOfTuples())]
            for array in arrays
        }

    def test_reads_boxes_as_hexahedra_of_their_volumes(self):
        need(self, "python3-vtk9", "vtk")
        import vtk
        self.scree("run", self.write_scene(BOXES), "--until", "1 ms", "--out", "run")
        path = str(self.directory / "run/frames/grains_000001.hdf")
        reader = vtk.vtkHDFReader()
        self.assertTrue(reader.CanReadFile(path))
        reader.SetFileName(path)
        volumes = vtk.vtkCellSizeFilter()
        volumes.SetInputConnection(reader.GetOutputPort())
        volumes.Update()
        grid = volumes.GetOutput()
        self.assertEqual([grid.GetCellType(k) for k in range(21)],
                         [vtk.VTK_HEXAHEDRON] * 20 + [vtk.VTK_VERTEX])
        data = grid.GetCellData()
        for k in range(20):
            x, y, z = data.GetArray("size").GetTuple(k)
            self.assertAlmostEqual(data.GetArray("Volume").GetValue(k) / (x * y * z), 1, places=12)
            corners = [grid.GetCell(k).GetPoints().GetPoint(i) for i in range(8)]
            for axis, centre in enumerate(data.GetArray("position").GetTuple(k)):
                self.assertAlmostEqual(
                    sum(corner[axis] for corner in corners) / 8, centre, places=12)


class Pictures(ProgramTest):

    def setUp(self):
        super().setUp()
        for package, module in (("python3-matplotlib", "matplotlib"), ("python3-h5py", "h5py")):
            need(self, package, module)

    def test_are_drawn_as_the_scene_asks(self):
        need(self, "python3-vtk9", "vtk")
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not installed: apt install xvfb")
        result = self.scree("run", self.write_scene(HEAP + PICTURES), "--until", "10 ms", "--out",
                            "run")
        self.assertNotIn("not drawn", result.stderr)
        for name in ("velocity_map", "energy", "residual", "grains"):
            width, height = png_size(self.directory / "run/pictures" / (name + ".png"))
            self.assertTrue(width >= 300 and height >= 300, name)
            self.assertIn(f"pictures/{name}.png", self.manifest("run")["outputs"])

    def test_of_boxes_and_spheres_are_drawn(self):
        need(self, "python3-vtk9", "vtk")
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not installed: apt install xvfb")
        result = self.scree("run", self.write_scene(BOXES + PICTURES), "--until", "10 ms", "--out",
                            "run")
        self.assertNotIn("not drawn", result.stderr)
        for name in ("velocity_map", "grains"):
            width, height = png_size(self.directory / "run/pictures" / (name + ".png"))
            self.assertTrue(width >= 300 and height >= 300, name)

    def test_show_names_as_they_are(self):
        # Formulas, which cannot be drawn; and a label that begins with _ is none.
        for number, name in enumerate((r"$\\frac{$", r"_hidden \\$x^{$ $")):
            out = f"run{number}"
            scene = self.write_scene(
                BALL.replace("name: ball", f'name: "{name}"') + """  pictures:
    - energy: {}
    - residual: {title: "$\\\\mu^{$ of it"}
  analysis:
    - {name: all, region: {min: [-1, -1, -1], max: [1, 1, 1]}}
""")
            result = self.scree("run", scene, "--until", "0.1 s", "--out", out)
            self.assertNotIn("not drawn", result.stderr)
            self.scree("analyse", out, "--region=-1,-1,-1,1,1,1", "--out", "other")
            compared = subprocess.run([
                "/usr/bin/python3", SOURCE / "share/scree/analysis_pictures.py",
                self.directory / "other", self.directory / out / "analysis/all"
            ], capture_output=True, text=True, check=True)
            self.assertNotIn("not drawn", compared.stdout)
        import sys
        sys.path.insert(0, str(SOURCE / "share/scree"))
        from matplotlib.cbook import is_math_text
        from pictures import plain
        for name in ("$x$", r"\$x$", "a$b", "$$", r"\\$"):
            self.assertFalse(is_math_text(plain(name)), name)
        self.assertEqual(plain("_hidden"), " _hidden")

    def test_are_left_out_on_request(self):
        self.scree("run", self.write_scene(BALL + PICTURES), "--until", "1 ms", "--out", "run",
                   "--no-pictures")
        self.assertEqual(list((self.directory / "run/pictures").iterdir()), [])

    def test_that_cannot_be_drawn_are_a_warning_and_the_run_succeeds(self):
        # Stands before the real one, and cannot be imported.
        (self.directory /
         "matplotlib.py").write_text("raise ImportError('No module named matplotlib')")
        environment = {**os.environ, "PYTHONPATH": str(self.directory)}
        result = self.scree("run", self.write_scene(BALL + PICTURES), "--until", "1 ms", "--out",
                            "run", env=environment)
        self.assertIn("apt install python3-numpy python3-matplotlib", result.stderr)
        self.assertTrue((self.directory / "run/DONE").exists())


if __name__ == "__main__":
    main()

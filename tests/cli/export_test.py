"""`scree export`: exported arrays equal those of the run's frames, to the last bit."""

import csv
import json

from program import BOXES, ProgramTest, main
from readers_test import need

GRAINS = ("id", "radius", "mass", "velocity", "angular_velocity", "quaternion", "material")
CONTACTS = ("id_a", "id_b", "normal", "impulse", "gap", "class", "residual", "cone_violation",
            "complementarity_violation", "dissipated_energy", "painleve_number")


class Export(ProgramTest):

    def setUp(self):
        super().setUp()
        self.scree("run", self.write_scene(BOXES), "--out", "run", "--no-pictures", "--set",
                   "output.frame_interval=20 ms")
        series = json.loads((self.directory / "run/grains.hdf.series").read_text())["files"]
        self.times = [frame["time"] for frame in series]

    def export(self, *arguments):
        return json.loads(self.scree("export", "run", *arguments, "--json").stdout)

    def frame(self, name):
        """Arrays of a frame of the run: of cells for bodies, of points for contacts."""
        need(self, "python3-h5py", "h5py")
        import h5py
        with h5py.File(self.directory / f"run/frames/{name}.hdf") as file:
            grid = file["VTKHDF"]
            if name.startswith("grains"):
                data, points = grid["CellData"], grid["CellData/position"]
            else:
                data, points = grid["PointData"], grid["Points"]
            return {"points": points[...]} | {key: data[key][...] for key in data}

    def test_vtk_reads_the_same_numbers_with_units_and_times(self):
        need(self, "python3-vtk9", "vtk")
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy as to_numpy
        result = self.export()
        self.assertEqual(result["frames"], len(self.times))
        self.assertEqual(sorted(result["files"]),
                         sorted(p.name for p in (self.directory / "run/export").iterdir()))
        for name, columns in (("grains_000003", GRAINS), ("contacts_000003", CONTACTS)):
            reader = vtk.vtkXMLPolyDataReader()
            reader.SetFileName(str(self.directory / f"run/export/{name}.vtp"))
            reader.Update()
            data, frame = reader.GetOutput(), self.frame(name)
            self.assertGreater(data.GetNumberOfPoints(), 10)
            self.assertEqual(data.GetNumberOfVerts(), data.GetNumberOfPoints())
            self.assertTrue((to_numpy(data.GetPoints().GetData()) == frame["points"]).all())
            self.assertEqual(data.GetFieldData().GetArray("TimeValue").GetValue(0), self.times[3])
            for column in columns:
                array = data.GetPointData().GetArray(column)
                self.assertTrue((to_numpy(array) == frame[column]).all(), column)
        impulse = data.GetPointData().GetArray("impulse")
        self.assertEqual(impulse.GetInformation().Get(vtk.vtkDataArray.UNITS_LABEL()), "N s")
        series = (self.directory / "run/export/grains.pvd").read_text()
        for k, time in enumerate(self.times):
            self.assertIn(f'timestep="{time:.15g}" part="0" file="grains_{k:06}.vtp"', series)

    def test_tables_have_the_same_numbers(self):
        self.export("--as", "csv", "--out", "tables")
        about = json.loads((self.directory / "tables/export.json").read_text())
        self.assertEqual([frame["time"] for frame in about["frames"]], self.times)
        for name, columns in (("grains_000003", GRAINS), ("contacts_000003", CONTACTS)):
            frame = self.frame(name)
            with open(self.directory / f"tables/{name}.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), len(frame["points"]))
            self.assertEqual(set(rows[0]), set(about["units"][name.split("_")[0]]))
            for row, point in zip(rows, frame["points"]):
                self.assertEqual([float(row[axis]) for axis in "xyz"], list(point))
            for column in columns:
                size = frame[column][0].size
                names = [column] if size == 1 else [f"{column}_{axis}" for axis in "wxyz"[-size:]]
                for row, values in zip(rows, frame[column].reshape(len(rows), size)):
                    kind = int if values.dtype.kind == "i" else float
                    self.assertEqual([kind(row[n]) for n in names], list(values), column)
        self.assertEqual(about["units"]["grains"]["velocity_x"], "m/s")

    def test_takes_some_frames_and_removes_those_of_an_export_before(self):
        (self.directory / "run/export").mkdir()
        (self.directory / "run/export/mine.csv").write_text("x\n")
        self.export("--as", "csv")
        result = self.export("--from", "0.02", "--to", "0.09", "--every", "2", "--no-contacts")
        self.assertEqual(result["files"],
                         ["grains_000001.vtp", "grains_000003.vtp", "grains.pvd", "export.json"])
        self.assertEqual(sorted(p.name for p in (self.directory / "run/export").iterdir()),
                         sorted(result["files"] + ["mine.csv"]))

    def test_what_cannot_be_exported_is_refused_before_anything_is_written(self):
        before = self.everything()
        for arguments, words in ((("--as", "ply"), "--as"), (("--from", "2", "--to", "1"),
                                                             "is later"), (("--from", "7"),
                                                                           "no frame between"),
                                 (("--every", "0"), "--every"), (("--out", ""), "--out")):
            self.assertIn(words, self.scree("export", "run", *arguments, status=2).stderr)
        self.scree("export", "nowhere", status=2)
        self.assertEqual(self.everything(), before)
        (self.directory / "run/verdict.json").write_text("{}")
        self.assertIn("is not reliable", self.scree("export", "run", status=2).stderr)
        self.assertIn("warning", self.scree("export", "run", "--even-so").stderr)


if __name__ == "__main__":
    main()

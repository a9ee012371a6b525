"""`scree analyse` on unsound frames."""

import contextlib
import json
import math

from analyses import AnalysisTest, REGION
from program import main
from readers_test import need


class AnalysisOfAnUnsoundRun(AnalysisTest):
    """Frames that no sound run writes are refused with what is wrong, and left out if that is asked
    for.
    """

    def setUp(self):
        super().setUp()
        need(self, "python3-h5py", "h5py")
        self.run_columns()
        self.sound = self.analyse(REGION)
        self.forget_checksums()

    def forget_checksums(self):
        """Removes the checksums, as in a killed run: only the content of a frame shows errors."""
        manifest = self.manifest("run")
        self.outputs = manifest.pop("outputs")
        self.write_manifest(manifest)

    def write_manifest(self, manifest):
        (self.directory / "run/manifest.json").write_text(json.dumps(manifest))

    @contextlib.contextmanager
    def changed(self, frame, *changes):
        """With other rows in arrays of a frame: (array, row, value)."""
        import h5py
        path = self.directory / "run/frames" / frame
        whole = path.read_bytes()
        with h5py.File(path, "r+") as file:
            for array, row, value in changes:
                file["VTKHDF"][array][row] = value
        yield
        path.write_bytes(whole)

    def refused(self, *messages):
        before = {
            p: p.read_bytes() for p in (self.directory / "run/analysis").rglob("*") if p.is_file()
        }
        error = self.scree("analyse", "run", REGION, "--no-pictures", "--force-chains",
                           status=2).stderr
        for message in (*messages, "is not reliable", "--even-so uses the sound part"):
            self.assertIn(message, error)
        self.assertEqual(
            {
                p: p.read_bytes()
                for p in (self.directory / "run/analysis").rglob("*") if p.is_file()
            }, before)

    def test_is_refused_with_the_frame_the_body_and_the_field(self):
        nan, infinity = math.nan, math.inf
        bodies, contacts = "CellData/", "PointData/"
        for frame, array, row, value, fault in (
            ("grains_000002", bodies + "position", 7, [0, nan,
                                                       0], "body 7: position is not finite"),
            ("grains_000002", bodies + "velocity", 8, [0, 0,
                                                       infinity], "body 8: velocity is not finite"),
            ("grains_000002", bodies + "angular_velocity", 9, [0, 0, -infinity],
             "body 9: angular_velocity is not finite"),
            ("grains_000002", bodies + "quaternion", 9, [nan, 0, 0,
                                                         0], "body 9: quaternion is not finite"),
            ("grains_000001", bodies + "radius", 0, 0, "body 0: radius is not a finite number > 0"),
            ("grains_000001", bodies + "radius", 0, nan,
             "body 0: radius is not a finite number > 0"),
            ("grains_000001", bodies + "mass", 511, -1,
             "body 511: mass is not a finite number > 0"),
            ("grains_000003", bodies + "id", 5, 4, "body 4: id is also the id of another body"),
            ("grains_000003", bodies + "id", 5, 600, "body 6: id comes after a larger one"),
            ("contacts_000002", contacts + "impulse", 3, [nan, 0, 0], "impulse is not finite"),
            ("contacts_000002", contacts + "normal", 3, [0, 0, 0], "normal is not a unit vector"),
            ("contacts_000002", "Points", 3, [0, 0, infinity], "point is not finite"),
            ("contacts_000002", contacts + "gap", 3, nan, "gap is not finite"),
        ):
            with self.subTest(fault), self.changed(frame + ".hdf", (array, row, value)):
                self.refused(f"frames/{frame}.hdf: ", fault)

    def test_is_analysed_without_what_is_at_fault_if_that_is_asked_for(self):
        (self.directory / "run/frames/grains_000001.hdf").write_bytes(b"no frame")
        with self.changed("grains_000004.hdf", ("CellData/position", 7, [math.nan] * 3),
                          ("CellData/radius", 8, 0)):
            self.refused("body 7: position", "body 8: radius",
                         "frames/grains_000001.hdf is not a frame of scree, or is damaged")
            result = self.scree("analyse", "run", REGION, "--no-pictures", "--json", "--even-so")
        self.assertIn("warning: frames/grains_000004.hdf: body 8: radius", result.stderr)
        result = json.loads(result.stdout)
        self.assertEqual((len(result["complaints"]), result["frames"]), (3, 4))
        self.assertEqual(result["last"]["bodies"], self.sound["last"]["bodies"] - 2)
        self.assertAlmostEqual(result["last"]["solid_fraction"],
                               self.sound["last"]["solid_fraction"] * 510 / 512)
        self.assertEqual(self.sound["complaints"], [])

    def test_that_failed_is_refused_with_its_verdict(self):
        manifest = self.manifest("run")
        self.write_manifest({
            **manifest, "status": "failed",
            "verdict": "The state is not to be trusted: it was so.\nMore."
        })
        self.refused("the run failed: The state is not to be trusted: it was so.\n")
        self.assertEqual(self.analyse(REGION, "--even-so")["frames"], 5)
        # The disk was full: the manifest could not be written again.
        self.write_manifest(
            {k: v for k, v in {**manifest, "status": "running"}.items() if k != "verdict"})
        (self.directory / "run/FAILED").write_text("No space left on device\n")
        self.refused("the run failed: No space left on device")

    def test_whose_files_are_not_those_that_it_wrote_is_refused(self):
        self.write_manifest({**self.manifest("run"), "outputs": self.outputs})
        for name in ("frames/grains_000003.hdf", "frames/contacts_000003.hdf", "statistics.csv",
                     "grains.hdf.series", "contacts.hdf.series"):
            file = self.directory / "run" / name
            whole = file.read_bytes()
            file.write_bytes(whole + b"\n")
            self.refused(f"{name} was changed since the run, or is missing")
            result = self.analyse(REGION, "--even-so")
            self.assertEqual(result["frames"], 4 if "000003" in name else 5)
            self.assertEqual("energy.csv" in result["files"], name != "statistics.csv")
            if not name.startswith("frames"):
                file.unlink()
                if name != "grains.hdf.series":
                    self.refused(f"{name} was changed since the run, or is missing")
            file.write_bytes(whole)
        del self.outputs["frames/grains_000002.hdf"]
        self.write_manifest({**self.manifest("run"), "outputs": self.outputs})
        self.refused("frames/grains_000002.hdf is not among the files of the run in the manifest")

    def test_whose_frames_do_not_fit_together_is_refused(self):
        series = self.directory / "run/grains.hdf.series"
        whole = series.read_text()
        series.write_text(whole.replace("grains_000003", "grains_000002"))
        self.refused("frames/grains_000002.hdf has t = 0.01 s, but its series has 0.015 s")
        both = {
            file: file.read_text() for file in (series, self.directory / "run/contacts.hdf.series")
        }
        both[series] = whole
        for file, text in both.items():
            listed = json.loads(text)["files"]
            file.write_text(json.dumps({"files": [*listed[:3], listed[2], *listed[3:]]}))
        self.refused(
            "frames/grains_000002.hdf has t = 0.01 s, which is not later than the frame before")
        series.write_text(whole)
        file.write_text(json.dumps({"files": listed[:3]}))
        self.refused("contacts.hdf.series lists 3 frames, and grains.hdf.series 5")
        file.write_text(text)
        rows = (self.directory / "run/statistics.csv").read_text()
        (self.directory / "run/statistics.csv").write_text(rows.replace("0.01,100,", "nan,100,"))
        self.refused("statistics.csv: step 100: the time or an energy is not finite")

    def test_is_told_by_info_of_its_frames(self):
        with self.changed("grains_000004.hdf", ("CellData/position", 0, [math.nan] * 3),
                          ("CellData/velocity", 8, [0, 0, math.inf])):
            self.assertRegex(
                self.scree("info", "run/frames/grains_000004.hdf").stdout,
                r"position +3 components  0\.0025 to 0\.0375; 3 not finite")
            arrays = json.loads(
                self.scree("info", "run/frames/grains_000004.hdf", "--json").stdout)["arrays"]
        self.assertEqual({a["name"]: a["not_finite"] for a in arrays if a["not_finite"] > 0},
                         {"position": 3, "velocity": 1})


if __name__ == "__main__":
    main()

"""scree analyse, and analyses while a run goes on: tables whose numbers are known, and what is refused."""

import contextlib
import csv
import json
import math
import os
import subprocess

from program import BALL, SOURCE, ProgramTest, main
from readers_test import need, png_size

PYTHON = "/usr/bin/python3"  # that draws the pictures

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


# Without gravity, layers of four balls go through a channel at 1 m/s, one layer each 10 ms: 400 balls a second.
STREAM = """scree: 1
name: stream
until: 0.2 s
step: {h: 0.1 ms}
gravity: [0, 0, 0]
materials:
  glass: {density: 2500}
default_law: {law: frictionless}
inflows:
  - name: plate
    point: [0, 0, 0]
    velocity: [1 m/s, 0, 0]
    advance: 10 mm
    layer: {region: {min: [0, 0, 0], max: [10 mm, 20 mm, 20 mm]}, spacing: 10 mm}
    radius: 2 mm
outflows:
  - {name: end, min: [8 cm, -.inf, -.inf], max: [.inf, .inf, .inf]}
output:
  frame_interval: 5 ms
  statistics_interval: 5 ms
"""

REGION = "--region=0,0,0,0.04,0.04,0.04"


class AnalysisTest(ProgramTest):
    def table(self, name, directory="run/analysis"):
        with open(self.directory / directory / name, encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def analyse(self, *options, run="run"):
        """The result as JSON; without pictures, which take long."""
        return json.loads(self.scree("analyse", run, "--no-pictures", "--json", *options).stdout)

    def run_columns(self, *options):
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--no-pictures", *options)


class Analyse(AnalysisTest):
    def test_finds_what_is_known_of_columns_at_rest(self):
        self.run_columns()
        result = self.analyse(REGION, "--cells", "1,1,8")
        self.assertEqual((result["frames"], result["status"]), (5, "done"))
        self.assertEqual(sorted(result["files"]), sorted(p.name for p in (self.directory / "run/analysis").iterdir()))

        ball = 4 / 3 * math.pi * RADIUS**3
        fraction = self.table("solid_fraction.csv")
        self.assertEqual([row["step"] for row in fraction], [0, 50, 100, 150, 200])
        for row in fraction:
            self.assertEqual(row["bodies"], COLUMNS * HEIGHT)
            self.assertAlmostEqual(row["solid_fraction"], COLUMNS * HEIGHT * ball / SIDE**3, places=6)
        for row in self.table("bed.csv"):
            self.assertAlmostEqual(row["solid_fraction"], math.pi / 6, places=4)
            self.assertAlmostEqual(row["mean_height"], SIDE, places=6)
            self.assertAlmostEqual(row["max_height"], SIDE, places=6)

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

        # One to eight weights: the lower four contacts of a column carry more than the mean of 4.5.
        for row in self.table("force_chains.csv"):
            self.assertAlmostEqual(row["mean_normal_force"] / weight, 4.5, places=3)
            self.assertAlmostEqual(row["max_normal_force"] / weight, 8, places=3)
            self.assertEqual((row["contacts"], row["strong_share"]), (COLUMNS * HEIGHT, 0.5))
            self.assertAlmostEqual(row["strong_pressure_share"], (4 + 7 + 6 + 5) / (4 + sum(range(8))), places=4)

    def test_writes_profiles_and_distributions(self):
        self.run_columns()
        self.analyse(REGION, "--cells", "1,1,8", "--frames", "3", "--bins", "50", "--out", "tables/columns")
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
        text = self.scree("analyse", "run", "--no-pictures").stdout
        self.assertIn("run, 5 frames, in the region from (0.0025, 0.0025, 0.0025) to (0.0375, 0.0375, 0.0375) m", text)
        self.assertIn("solid fraction       0.", text)
        # The whole bed, though the region ends at the outer centres.
        self.assertIn("bed                  0.5236 solid; 0.04 m high in the mean, 0.04 m at most", text)
        self.assertIn("coordination number  1.875; no backbone of bodies with 4 contacts", text)
        # The ball on top has one contact; without it the one below has one, too, and so on down to the floor.
        self.assertIn("no backbone of bodies with 2", self.scree("analyse", "run", "--no-pictures", "--least-contacts", "2").stdout)
        text = self.scree("analyse", "run", "--no-pictures", "--least-contacts", "1").stdout
        self.assertIn("coordination number  1.875; 1.875 without 0 rattlers", text)

    def test_does_without_contacts(self):
        self.run_columns()
        self.analyse()
        self.run_columns("--set", "output.contacts=false", "--force")
        result = self.analyse()
        self.assertEqual(sorted(result["files"]), ["analysis.json", "bed.csv", "energy.csv", "rdf.csv", "solid_fraction.csv",
                                                   "velocity_profile.csv"])
        # Tables about contacts that an earlier analysis left are gone.
        self.assertEqual(sorted(result["files"]), sorted(p.name for p in (self.directory / "run/analysis").iterdir()))
        self.assertNotIn("pressure", result["last"])
        self.assertIn("no contacts", self.scree("analyse", "run", "--no-pictures").stdout)

    def test_balances_the_energy_of_a_ball_that_falls(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--no-pictures", "--until", "40 ms")
        self.analyse("--region=-1,-1,-1,1,1,1")
        mass = 7800 * 4 / 3 * math.pi * 1e-6
        rows = self.table("energy.csv")
        self.assertEqual([round(row["time"], 9) for row in rows], [0, 0.01, 0.02, 0.03, 0.04])
        for row in rows:
            # each adds h g to the velocity, and h times the new velocity to the way; the potential is that half a step back
            steps = row["step"]
            self.assertAlmostEqual(row["kinetic"], mass / 2 * (9.81 * row["time"])**2)
            self.assertAlmostEqual(row["potential_change"], -mass * 9.81**2 * 1e-8 * steps**2 / 2)
            self.assertAlmostEqual(row["unaccounted"], row["kinetic"] + row["potential_change"])
            self.assertEqual((row["dissipated"], row["wall_work"]), (0, 0))

    def test_finds_the_rate_of_a_stream(self):
        self.scree("run", self.write_scene(STREAM), "--out", "run", "--no-pictures")
        mass = 2500 * 4 / 3 * math.pi * 8e-9
        for plane, since in (("0.041,0,0,1,0,0", 0.05), ("0.079,0,0,2,0,0", 0.09)):
            result = self.analyse("--region=0,0,0,0.08,0.02,0.02", f"--plane={plane}")["discharge"]
            self.assertEqual((result["backward"], result["unknown"]), (0, 0))
            rows = [row for row in self.table("discharge.csv") if row["time"] > since]
            self.assertEqual({row["forward"] for row in rows}, {0, 4})
            passed, duration = sum(row["forward"] for row in rows), 0.005 * len(rows)
            self.assertAlmostEqual(passed / duration, 400, delta=4 / duration)
            self.assertAlmostEqual(result["mass"], mass * result["forward"])
            self.assertEqual(rows[-1]["bodies_total"], result["forward"])
        self.assertIn("bodies/s", self.scree("analyse", "run", "--no-pictures", "--plane=0.04,0,0,1,0,0").stdout)
        # There is no up without gravity.
        self.assertFalse((self.directory / "run/analysis/bed.csv").exists())

    def test_writes_force_chains_that_vtk_reads(self):
        need(self, "python3-vtk9", "vtk")
        import vtk
        self.run_columns()
        self.assertIn("force_chains.hdf.series", self.analyse(REGION, "--force-chains", "--frames", "2")["files"])
        series = json.loads((self.directory / "run/analysis/force_chains.hdf.series").read_text())["files"]
        self.assertEqual([round(file["time"], 9) for file in series], [0.015, 0.02])
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(self.directory / "run/analysis" / series[-1]["name"]))
        reader.Update()
        grid = reader.GetOutput()
        self.assertEqual(grid.GetNumberOfCells(), COLUMNS * HEIGHT)
        for k in (0, COLUMNS * HEIGHT - 1):
            line = grid.GetCell(k)
            self.assertEqual(line.GetCellType(), vtk.VTK_LINE)
            a, b = (line.GetPoints().GetPoint(end) for end in (0, 1))
            force = grid.GetPointData().GetArray("normal_force").GetValue(line.GetPointId(0))
            self.assertEqual(force, grid.GetPointData().GetArray("normal_force").GetValue(line.GetPointId(1)))
            self.assertEqual(grid.GetPointData().GetArray("strong").GetValue(line.GetPointId(0)),
                             force > 4.5 * 2500 * 4 / 3 * math.pi * RADIUS**3 * 9.81)
            self.assertAlmostEqual(math.dist(a, b), RADIUS if min(a[2], b[2]) < RADIUS / 2 else 2 * RADIUS, places=6)
        info = json.loads(self.scree("info", "run/analysis/frames/force_chains_000000.hdf", "--json").stdout)
        self.assertEqual(info["kind"], "force_chains")
        self.assertNotIn("force_chains.hdf.series", self.analyse(REGION)["files"])
        self.assertEqual(list((self.directory / "run/analysis").rglob("force_chains*hdf*")), [])

    def test_warns_of_a_region_without_a_body(self):
        self.run_columns()
        self.assertIn("no body has its centre in the region", self.scree("analyse", "run", "--region=5,5,5,6,6,6", "--no-pictures").stderr)

    def test_refuses_what_it_cannot_analyse(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--no-pictures")
        before = self.everything()
        for options, message in (
                ((), "the centres of the bodies span no volume"),  # there is one ball
                (("--region", "0,0,0,1,1"), "--region"),
                (("--region", "0,0,0,1,1,0"), "--region has no volume"),
                (("--region", "0,0,0,1,1,nan"), "--region"),
                (("--frames", "0"), "--frames"),
                (("--region", "-1,-1,-1,1,1,1", "--plane", "0,0,0,0,0,0"), "--plane is no plane"),
                (("--region", "-1,-1,-1,1,1,1", "--r-max", "2.1"), "--r-max is to be more than 0 and no more than"),
                (("--bins", "0"), "--bins"),
                (("--region", "-1,-1,-1,1,1,1", "--cells", "1000,1000,1000"), "--cells asks for more than")):
            self.assertIn(message, self.scree("analyse", "run", *options, status=2).stderr)
        self.assertIn("holds no run of scree", self.scree("analyse", ".", status=2).stderr)
        self.assertEqual(self.everything(), before)
        (self.directory / "run/frames/grains_000002.hdf").unlink()
        self.scree("analyse", "run", "--region", "-1,-1,-1,1,1,1", status=4)
        self.scree("analyse", "run", "--region", "-1,-1,-1,1,1,1", "--frames", "1", "--no-pictures")


class AnalysisOfAnUnsoundRun(AnalysisTest):
    """Frames that no sound run writes are refused with what is wrong, and left out if that is asked for."""

    def setUp(self):
        super().setUp()
        need(self, "python3-h5py", "h5py")
        self.run_columns()
        self.sound = self.analyse(REGION)
        self.forget_checksums()

    def forget_checksums(self):
        """As if the run had been killed before it knew them: what is wrong in a frame is found by looking at it."""
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
        before = {p: p.read_bytes() for p in (self.directory / "run/analysis").rglob("*") if p.is_file()}
        error = self.scree("analyse", "run", REGION, "--no-pictures", "--force-chains", status=2).stderr
        for message in (*messages, "is not to be trusted", "--even-so analyses the rest"):
            self.assertIn(message, error)
        self.assertEqual({p: p.read_bytes() for p in (self.directory / "run/analysis").rglob("*") if p.is_file()}, before)

    def test_is_refused_with_the_frame_the_body_and_the_field(self):
        nan, infinity = math.nan, math.inf
        bodies = "PointData/"
        for frame, array, row, value, fault in (
                ("grains_000002", "Points", 7, [0, nan, 0], "body 7: position is not finite"),
                ("grains_000002", bodies + "velocity", 8, [0, 0, infinity], "body 8: velocity is not finite"),
                ("grains_000002", bodies + "angular_velocity", 9, [0, 0, -infinity], "body 9: angular_velocity is not finite"),
                ("grains_000002", bodies + "quaternion", 9, [nan, 0, 0, 0], "body 9: quaternion is not finite"),
                ("grains_000001", bodies + "radius", 0, 0, "body 0: radius is no finite number > 0"),
                ("grains_000001", bodies + "radius", 0, nan, "body 0: radius is no finite number > 0"),
                ("grains_000001", bodies + "mass", 511, -1, "body 511: mass is no finite number > 0"),
                ("grains_000003", bodies + "id", 5, 4, "body 4: id is that of another body, too"),
                ("grains_000003", bodies + "id", 5, 600, "body 6: id stands behind a larger one"),
                ("contacts_000002", bodies + "percussion", 3, [nan, 0, 0], "percussion is not finite"),
                ("contacts_000002", bodies + "normal", 3, [0, 0, 0], "normal is no unit vector"),
                ("contacts_000002", "Points", 3, [0, 0, infinity], "point is not finite"),
                ("contacts_000002", bodies + "gap", 3, nan, "gap is not finite")):
            with self.subTest(fault), self.changed(frame + ".hdf", (array, row, value)):
                self.refused(f"frames/{frame}.hdf: ", fault)

    def test_is_analysed_without_what_is_at_fault_if_that_is_asked_for(self):
        (self.directory / "run/frames/grains_000001.hdf").write_bytes(b"no frame")
        with self.changed("grains_000004.hdf", ("Points", 7, [math.nan] * 3), ("PointData/radius", 8, 0)):
            self.refused("body 7: position", "body 8: radius", "frames/grains_000001.hdf is no frame of scree, or damaged")
            result = self.scree("analyse", "run", REGION, "--no-pictures", "--json", "--even-so")
        self.assertIn("warning: frames/grains_000004.hdf: body 8: radius", result.stderr)
        result = json.loads(result.stdout)
        self.assertEqual((len(result["complaints"]), result["frames"]), (3, 4))
        self.assertEqual(result["last"]["bodies"], self.sound["last"]["bodies"] - 2)
        self.assertAlmostEqual(result["last"]["solid_fraction"], self.sound["last"]["solid_fraction"] * 510 / 512)
        self.assertEqual(self.sound["complaints"], [])

    def test_that_failed_is_refused_with_its_verdict(self):
        manifest = self.manifest("run")
        self.write_manifest({**manifest, "status": "failed", "verdict": "The state is not to be trusted: it was so.\nMore."})
        self.refused("the run failed: The state is not to be trusted: it was so.\n")
        self.assertEqual(self.analyse(REGION, "--even-so")["frames"], 5)
        # The disk was full: the manifest could not be written again.
        self.write_manifest({k: v for k, v in {**manifest, "status": "running"}.items() if k != "verdict"})
        (self.directory / "run/FAILED").write_text("No space left on device\n")
        self.refused("the run failed: No space left on device")

    def test_whose_files_are_not_those_that_it_wrote_is_refused(self):
        self.write_manifest({**self.manifest("run"), "outputs": self.outputs})
        for name in ("frames/grains_000003.hdf", "frames/contacts_000003.hdf", "statistics.csv", "grains.hdf.series",
                     "contacts.hdf.series"):
            file = self.directory / "run" / name
            whole = file.read_bytes()
            file.write_bytes(whole + b"\n")
            self.refused(f"{name} was changed since the run, or is gone")
            result = self.analyse(REGION, "--even-so")
            self.assertEqual(result["frames"], 4 if "000003" in name else 5)
            self.assertEqual("energy.csv" in result["files"], name != "statistics.csv")
            if not name.startswith("frames"):
                file.unlink()
                if name != "grains.hdf.series":
                    self.refused(f"{name} was changed since the run, or is gone")
            file.write_bytes(whole)
        del self.outputs["frames/grains_000002.hdf"]
        self.write_manifest({**self.manifest("run"), "outputs": self.outputs})
        self.refused("frames/grains_000002.hdf is not among the files that the manifest says the run wrote")

    def test_whose_frames_do_not_fit_together_is_refused(self):
        series = self.directory / "run/grains.hdf.series"
        whole = series.read_text()
        series.write_text(whole.replace("grains_000003", "grains_000002"))
        self.refused("frames/grains_000002.hdf is of t = 0.01 s, and its series says 0.015 s")
        both = {file: file.read_text() for file in (series, self.directory / "run/contacts.hdf.series")}
        both[series] = whole
        for file, text in both.items():
            listed = json.loads(text)["files"]
            file.write_text(json.dumps({"files": [*listed[:3], listed[2], *listed[3:]]}))
        self.refused("frames/grains_000002.hdf is of t = 0.01 s, no later than the frame before it")
        series.write_text(whole)
        file.write_text(json.dumps({"files": listed[:3]}))
        self.refused("contacts.hdf.series lists 3 frames, and grains.hdf.series 5")
        file.write_text(text)
        rows = (self.directory / "run/statistics.csv").read_text()
        (self.directory / "run/statistics.csv").write_text(rows.replace("0.01,100,", "nan,100,"))
        self.refused("statistics.csv: step 100: the time or an energy is not finite")

    def test_is_told_by_info_of_its_frames(self):
        with self.changed("grains_000004.hdf", ("Points", 0, [math.nan] * 3), ("PointData/velocity", 8, [0, 0, math.inf])):
            self.assertRegex(self.scree("info", "run/frames/grains_000004.hdf").stdout,
                             r"Points +3 components  0\.0025 to 0\.0375; 3 not finite")
            arrays = json.loads(self.scree("info", "run/frames/grains_000004.hdf", "--json").stdout)["arrays"]
        self.assertEqual({a["name"]: a["not_finite"] for a in arrays if a["not_finite"] > 0}, {"Points": 3, "velocity": 1})


class AnalysisPictures(AnalysisTest):
    def setUp(self):
        super().setUp()
        for package, module in (("python3-matplotlib", "matplotlib"), ("python3-h5py", "h5py")):
            need(self, package, module)

    def assert_drawn(self, directory, without=()):
        for table in (self.directory / directory).glob("*.csv"):
            picture = table.with_suffix(".png")
            self.assertEqual(picture.exists(), table.stem not in without, table)
            self.assertTrue(not picture.exists() or min(png_size(picture)) >= 300, table)

    def test_are_drawn_of_each_table_and_are_compared(self):
        self.run_columns()
        options = (REGION, "--plane=0,0,0.02,0,0,1", "--json")
        result = json.loads(self.scree("analyse", "run", *options).stdout)
        self.assertEqual(sorted(result["pictures"]), sorted(f.replace(".csv", ".png") for f in result["files"] if f.endswith("csv")))
        self.assert_drawn("run/analysis")
        self.scree("analyse", "run", *options, "--cells", "4,1,5", "--out", "map")
        self.scree("analyse", "run", *options, "--cells", "1,1,1", "--out", "point", "--frames", "1")
        self.assert_drawn("map")
        self.assert_drawn("point", without=("velocity_profile", "discharge"))
        both = [PYTHON, SOURCE / "share/scree/analysis_pictures.py", self.directory / "map", self.directory / "run/analysis"]
        result = subprocess.run([*both, "--out", self.directory / "both"], capture_output=True, text=True, check=False)
        self.assertIn("warning: velocity_profile.png was not drawn: the analyses have cells along different axes", result.stdout)
        self.assertEqual(result.stdout.count("warning"), 1, result.stdout)
        self.assertGreater(png_size(self.directory / "both/rdf.png")[0], 300)

    def test_do_not_outlive_their_tables(self):
        self.run_columns()
        self.scree("analyse", "run", REGION, "--plane=0,0,0.02,0,0,1", "--out", "tables")
        self.scree("analyse", "run", REGION, "--out", "tables", "--no-pictures")
        self.assertEqual(list((self.directory / "tables").glob("*.png")), [])

    def test_that_cannot_be_drawn_are_a_warning(self):
        self.run_columns()
        (self.directory / "matplotlib.py").write_text("raise ImportError('No module named matplotlib')")
        result = self.scree("analyse", "run", "--json", env={**os.environ, "PYTHONPATH": str(self.directory)})
        self.assertIn("apt install python3-numpy python3-matplotlib", result.stderr)
        self.assertEqual(json.loads(result.stdout)["pictures"], [])


ANALYSES = """  analysis:
    - name: whole
      region: {min: [0, 0, 0], max: [40 mm, 40 mm, 40 mm]}
      cells: [1, 1, 8]
      plane: {point: [0, 0, 20 mm], normal: [0, 0, 5]}
      force_chains: true
    - {name: inside, region: {min: [1 cm, 1 cm, 1 cm], max: [3 cm, 3 cm, 3 cm]}, interval: 1 ms, r_max: 7 mm, bins: 10}
"""


class AnalysisWhileARunGoesOn(AnalysisTest):
    def test_writes_the_same_bytes_as_an_analysis_of_the_frames(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        self.scree("run", scene, "--out", "run", "--no-pictures")
        files = self.analyse(REGION, "--cells", "1,1,8", "--plane=0,0,0.02,0,0,1", "--force-chains", "--out", "after")["files"]
        files += [str(p.relative_to(self.directory / "after")) for p in (self.directory / "after/frames").iterdir()]
        files.remove("energy.csv")  # a run writes statistics.csv
        for name in files:
            one, other = ((self.directory / d / name).read_text("latin-1") for d in ("after", "run/analysis/whole"))
            if name == "analysis.json":
                other = other.replace("columns, whole", "columns")
            self.assertTrue(one == other, f"{name} differs")
        self.assertEqual(len(self.table("stress.csv", "run/analysis/inside")), 20)
        self.assertEqual(len(self.table("rdf.csv", "run/analysis/inside")), 10)
        outputs = self.manifest("run")["outputs"]
        for name in ("whole/stress.csv", "whole/frames/force_chains_000003.hdf", "inside/analysis.json"):
            self.assertIn(f"analysis/{name}", outputs)

    def test_is_reproduced_drawn_and_replaced_with_its_run(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        result = self.scree("run", scene, "--out", "run")
        if "apt install" not in result.stderr:
            self.assertIn("analysis/inside/rdf.png", self.manifest("run")["outputs"])
        self.assertIn("the same bit by bit", self.scree("reproduce", "run").stdout)
        (self.directory / "run/analysis/mine.txt").write_text("kept")
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--force", "--until", "1 ms")
        self.assertEqual([p.name for p in (self.directory / "run/analysis").iterdir()], ["mine.txt"])

    def test_is_refused_where_it_makes_no_sense(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        for setting, message in (
                ("output.analysis[1].name=whole", "another analysis has the name 'whole', too"),
                ("output.analysis[0].name=../up", "letters, digits, _ and - only"),
                ("output.analysis[0].region.max=[0, 0, 0]", "max must be greater than min"),
                ("output.analysis[0].plane.normal=[0, 0, 0]", "has no length"),
                ("output.analysis[0].cells=[100, 100, 100]", "1e+06 cells"),
                ("output.analysis[0].interval=1 us", "is shorter than a step"),
                ("output.analysis[1].r_max=3 cm", "is more than the smallest side of the region")):
            self.assertIn(message, self.scree("run", scene, "--out", "run", "--set", setting, status=2).stderr)
        self.assertFalse((self.directory / "run").exists())


if __name__ == "__main__":
    main()

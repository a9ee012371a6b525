"""`scree analyse`: tables with known numbers, and errors."""

import json
import math

from analyses import AnalysisTest, COLUMNS, COLUMNS_ON_A_FLOOR, HEIGHT, RADIUS, REGION, SIDE, STREAM
from program import BALL, main
from readers_test import need


class Analyse(AnalysisTest):

    def test_finds_what_is_known_of_columns_at_rest(self):
        self.run_columns()
        result = self.analyse(REGION, "--cells", "1,1,8")
        self.assertEqual((result["frames"], result["status"]), (5, "done"))
        self.assertEqual(sorted(result["files"]),
                         sorted(p.name for p in (self.directory / "run/analysis").iterdir()))

        ball = 4 / 3 * math.pi * RADIUS**3
        fraction = self.table("solid_fraction.csv")
        self.assertEqual([row["step"] for row in fraction], [0, 50, 100, 150, 200])
        for row in fraction:
            self.assertEqual(row["bodies"], COLUMNS * HEIGHT)
            self.assertAlmostEqual(row["solid_fraction"], COLUMNS * HEIGHT * ball / SIDE**3,
                                   places=6)
        for row in self.table("bed.csv"):
            self.assertAlmostEqual(row["solid_fraction"], math.pi / 6, places=4)
            self.assertAlmostEqual(row["mean_height"], SIDE, places=6)
            self.assertAlmostEqual(row["max_height"], SIDE, places=6)

        # Seven contacts inside a column count twice, the one with the floor once; nothing is held
        # from more than two sides.
        coordination = self.table("coordination.csv")
        self.assertEqual(len(coordination), 4)  # before the first step there are no contacts
        for row in coordination:
            self.assertEqual(row["contacts_loaded"], COLUMNS * HEIGHT)
            self.assertEqual(row["coordination_number"], (2 * 7 + 1) / 8)
            self.assertEqual(row["rattlers"], COLUMNS * HEIGHT)

        # Branch times weight above: a radius and eight balls at the floor, a diameter and seven to
        # one ball higher up.
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
            self.assertAlmostEqual(row["strong_pressure_share"],
                                   (4 + 7 + 6 + 5) / (4 + sum(range(8))), places=4)

    def test_fields_add_up_to_the_mass_and_to_the_weight(self):
        self.run_columns()
        result = self.analyse("--fields", "4,1,20", "--width", "0.002", "--frames", "1")
        self.assertIn("fields.csv", result["files"])
        ball = 2500 * 4 / 3 * math.pi * RADIUS**3
        mass = COLUMNS * HEIGHT * ball
        self.assertAlmostEqual(result["fields"]["mass"] / mass, 1, places=12)
        self.assertAlmostEqual(result["fields"]["mass_centred"] / mass, 1, places=12)
        fields = json.loads((self.directory / "run/analysis/analysis.json").read_text())["fields"]
        low, high = fields["region"]["min"], fields["region"]["max"]
        volume = math.prod(b - a for a, b in zip(low, high)) / (4 * 20)
        rows = self.table("fields.csv")
        self.assertEqual(len(rows), 4 * 20)
        self.assertAlmostEqual(sum(volume * row["density"] for row in rows) / mass, 1, places=12)
        # Branch times weight above, as in the stress.
        virial = ball * 9.81 * RADIUS * (HEIGHT + 2 * sum(range(HEIGHT))) * COLUMNS
        self.assertAlmostEqual(
            sum(volume * row["contact_zz"] for row in rows) / virial, 1, places=3)
        self.read_image(self.directory / "run/analysis/fields.vti", rows, fields)
        # Fields report the mass that the region cuts off.
        cut = self.analyse("--fields", "1,1,1", "--width", "0.002", "--frames", "1", REGION)
        self.assertLess(cut["fields"]["mass"], 0.97 * cut["fields"]["mass_centred"])
        self.assertIn("--width", self.scree("analyse", "run", "--width", "1", status=2).stderr)
        for width in ("0", "-1", "nan"):
            self.assertIn(
                "--width is not the width",
                self.scree("analyse", "run", "--fields", "2,2,2", "--width", width,
                           status=2).stderr)
        self.analyse(REGION)
        self.assertFalse((self.directory / "run/analysis/fields.vti").exists())

    def read_image(self, path, rows, fields):
        """Compares what VTK reads with the rows of the table."""
        need(self, "python3-vtk9", "vtk")
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy
        reader = vtk.vtkXMLImageDataReader()
        reader.SetFileName(str(path))
        reader.Update()
        image = reader.GetOutput()
        self.assertEqual(image.GetDimensions(), tuple(n + 1 for n in fields["cells"]))
        for low, high, a, b in zip(fields["region"]["min"], fields["region"]["max"],
                                   image.GetBounds()[::2],
                                   image.GetBounds()[1::2]):
            self.assertAlmostEqual(low, a)
            self.assertAlmostEqual(high, b)
        data = image.GetCellData()
        names = {
            "density": ["density"], "velocity": ["velocity_x", "velocity_y", "velocity_z"],
            "temperature": ["temperature"], "pressure": ["pressure"]
        }
        for part in ("contact", "kinetic"):
            names[f"{part}_stress"] = [f"{part}_{a}{b}" for a in "xyz" for b in "xyz"]
        for name, columns in names.items():
            values = vtk_to_numpy(data.GetArray(name)).reshape(image.GetNumberOfCells(), -1)
            for row in rows:
                cell = image.FindCell([row["x"], row["y"], row["z"]], None, 0, 1e-12,
                                      vtk.mutable(0), [0, 0, 0], [0] * 8)
                self.assertEqual(list(values[cell]), [row[column] for column in columns], name)
        unit = vtk.vtkDataArray.UNITS_LABEL()
        self.assertEqual(data.GetArray("pressure").GetInformation().Get(unit), "Pa")

    def test_refuses_a_run_whose_files_were_changed(self):
        self.run_columns()
        for name in ("scene.yaml", "resolved.yaml", "obstacles.json", "verdict.json",
                     "grains.hdf.series"):
            file = self.directory / "run" / name
            whole = file.read_bytes()
            file.write_bytes(whole + b" ")
            error = self.scree("analyse", "run", REGION, "--no-pictures", status=2).stderr
            self.assertIn(f"{name} was changed since the run, or is missing", error)
            file.write_bytes(whole)
        self.analyse(REGION)

    def test_says_that_the_run_missed_its_tolerance(self):
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--no-pictures",
                   "--set", "solver.max_sweeps=1", "--set", "solver.tolerance=1e-12", status=3)
        warnings = self.scree("analyse", "run", REGION, "--no-pictures").stderr
        self.assertIn("warning: the run missed its verdict: The tolerance 1e-12 was missed",
                      warnings)

    def test_says_what_else_was_missed_where_every_step_met_its_tolerance(self):
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--no-pictures",
                   "--until", "rest", "--set", "rest={at_most: 1 ms}", status=3)
        warnings = self.scree("analyse", "run", REGION, "--no-pictures").stderr
        self.assertRegex(warnings,
                         "the run missed its verdict: Not at rest at t = .* Every step met ")

    def test_writes_profiles_and_distributions(self):
        self.run_columns()
        self.analyse(REGION, "--cells", "1,1,8", "--frames", "3", "--bins", "50", "--out",
                     "tables/columns")
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
        # Balls that touch stand a diameter apart, which is where two bins meet.
        self.assertGreater(
            sum(row["g"] for row in rdf if 1.9 * RADIUS < row["r_outer"] < 2.3 * RADIUS), 4.5)
        # Forces are one to eight weights, as many of each: their mean is 4.5.
        forces = self.table("force_distribution.csv", "tables/columns")
        self.assertEqual(sum(row["contacts"] for row in forces), 3 * COLUMNS * HEIGHT)
        self.assertAlmostEqual(
            sum(row["density"] * (row["upper"] - row["lower"]) for row in forces), 1)
        self.assertEqual(max(row["lower"] for row in forces if row["contacts"] > 0),
                         1.6)  # 8 / 4.5 = 1.78

    def test_says_the_same_in_words_and_for_the_default_region(self):
        self.run_columns()
        text = self.scree("analyse", "run", "--no-pictures").stdout
        self.assertIn(
            "run, 5 frames, in the region from (0.0025, 0.0025, 0.0025) to "
            "(0.0375, 0.0375, 0.0375) m", text)
        self.assertIn("solid fraction       0.", text)
        # The whole bed, though the region ends at the outer centres.
        self.assertIn(
            "bed                  solid fraction 0.5236; height 0.04 m on average, "
            "0.04 m at most", text)
        self.assertIn("coordination number  1.875; no backbone of bodies with 4 contacts", text)
        # The ball on top has one contact; without it the one below has one, too, and so on down to
        # the floor.
        self.assertIn("no backbone of bodies with 2",
                      self.scree("analyse", "run", "--no-pictures", "--min-contacts", "2").stdout)
        text = self.scree("analyse", "run", "--no-pictures", "--min-contacts", "1").stdout
        self.assertIn("coordination number  1.875; 1.875 without 0 rattlers", text)

    def test_does_without_contacts(self):
        self.run_columns()
        self.analyse()
        self.run_columns("--set", "output.contacts=false", "--force")
        result = self.analyse()
        self.assertEqual(sorted(result["files"]), [
            "analysis.json", "bed.csv", "energy.csv", "rdf.csv", "solid_fraction.csv",
            "velocity_profile.csv"
        ])
        # Tables about contacts that an earlier analysis left are gone.
        self.assertEqual(sorted(result["files"]),
                         sorted(p.name for p in (self.directory / "run/analysis").iterdir()))
        self.assertNotIn("pressure", result["last"])
        self.assertIn("none were solved or written",
                      self.scree("analyse", "run", "--no-pictures").stdout)

    def test_balances_the_energy_of_a_ball_that_falls(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--no-pictures", "--until",
                   "40 ms")
        self.analyse("--region=-1,-1,-1,1,1,1")
        mass = 7800 * 4 / 3 * math.pi * 1e-6
        rows = self.table("energy.csv")
        self.assertEqual([round(row["time"], 9) for row in rows], [0, 0.01, 0.02, 0.03, 0.04])
        for row in rows:
            # each adds h g to the velocity, and h times the new velocity to the way; the potential
            # is that half a step back
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
            # Four bodies pass in every other interval.
            plateau = result["plateau"]
            self.assertAlmostEqual(plateau["mass_rate"] / (400 * mass), 1, delta=0.07)
            self.assertAlmostEqual(plateau["scatter"] / (400 * mass), 1, delta=0.1)
            self.assertAlmostEqual(plateau["begin"], since - 0.01, delta=0.011)
            self.assertLess(plateau["correlated"], -0.8)
        self.assertIn(
            "bodies/s",
            self.scree("analyse", "run", "--no-pictures", "--plane=0.04,0,0,1,0,0").stdout)
        # There is no up without gravity.
        self.assertFalse((self.directory / "run/analysis/bed.csv").exists())

    def test_looks_at_a_window_of_time_alone(self):
        self.scree("run", self.write_scene(STREAM), "--out", "run", "--no-pictures")
        window = ("--region=0,0,0,0.08,0.02,0.02", "--plane=0.041,0,0,1,0,0", "--from=0.1",
                  "--to=0.15")
        result = self.analyse(*window)
        self.assertEqual(result["frames"], 11)
        for name in ("solid_fraction.csv", "energy.csv"):
            times = [round(row["time"], 9) for row in self.table(name)]
            self.assertEqual(times, [round(0.1 + 0.005 * k, 9) for k in range(11)], name)
        self.assertAlmostEqual(result["discharge"]["duration"], 0.05)
        self.assertEqual(self.analyse(*window, "--frames=2")["frames"], 2)
        for options, message in (("--from=0.15", "--to=0.1"),
                                 "is later than --to"), (("--from=5", "--to=6"),
                                                         "its frames are from 0 s to 0.2 s"):
            self.assertIn(message,
                          self.scree("analyse", "run", *options, "--no-pictures", status=2).stderr)

    def test_writes_force_chains_that_vtk_reads(self):
        need(self, "python3-vtk9", "vtk")
        import vtk
        self.run_columns()
        self.assertIn("force_chains.hdf.series",
                      self.analyse(REGION, "--force-chains", "--frames", "2")["files"])
        series = json.loads(
            (self.directory / "run/analysis/force_chains.hdf.series").read_text())["files"]
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
            self.assertEqual(
                force,
                grid.GetPointData().GetArray("normal_force").GetValue(line.GetPointId(1)))
            self.assertEqual(grid.GetPointData().GetArray("strong").GetValue(line.GetPointId(0)),
                             force > 4.5 * 2500 * 4 / 3 * math.pi * RADIUS**3 * 9.81)
            self.assertAlmostEqual(math.dist(a, b),
                                   RADIUS if min(a[2], b[2]) < RADIUS / 2 else 2 * RADIUS, places=6)
        info = json.loads(
            self.scree("info", "run/analysis/frames/force_chains_000000.hdf", "--json").stdout)
        self.assertEqual(info["kind"], "force_chains")
        self.assertNotIn("force_chains.hdf.series", self.analyse(REGION)["files"])
        self.assertEqual(list((self.directory / "run/analysis").rglob("force_chains*hdf*")), [])

    def test_warns_of_a_region_without_a_body(self):
        self.run_columns()
        self.assertIn("no body has its centre in the region",
                      self.scree("analyse", "run", "--region=5,5,5,6,6,6", "--no-pictures").stderr)

    def test_says_why_it_finds_no_heap(self):
        self.scree("run", self.write_scene(BALL), "--no-pictures", "--out", "run")

        def reported(region):
            return self.scree("analyse", "run", "--heap", f"--region={region}",
                              "--no-pictures").stderr

        self.assertIn("in the last frame reach 1 mean diameters above", reported("-1,-1,0,1,1,1"))
        self.assertIn("a flank needs at least 5", reported("-1,-1,0,1,1,1"))
        self.assertIn("has a flank on all sides", reported("-1,-1,-1,1,1,1"))
        self.assertIn("no heap was found: no body is in the region", reported("1,1,1,2,2,2"))

    def test_refuses_what_it_cannot_analyse(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--no-pictures")
        before = self.everything()
        for options, message in (
            ((), "the centres of the bodies span no volume"),  # there is one ball
            (("--region", "0,0,0,1,1"), "--region"),
            (("--region", "0,0,0,1,1,0"), "--region has no volume"),
            (("--region", "0,0,0,1,1,nan"), "--region"),
            (("--frames", "0"), "--frames"),
            (("--region", "-1,-1,-1,1,1,1", "--plane", "0,0,0,0,0,0"), "--plane is not a plane"),
            (("--region", "-1,-1,-1,1,1,1", "--r-max", "2.1"), "--r-max must be > 0 and at most"),
            (("--bins", "0"), "--bins"),
            (("--region", "-1,-1,-1,1,1,1", "--cells", "1000,1000,1000"), "--cells has more than")):
            self.assertIn(message, self.scree("analyse", "run", *options, status=2).stderr)
        self.assertIn("does not hold a run of scree", self.scree("analyse", ".", status=2).stderr)
        self.assertEqual(self.everything(), before)
        (self.directory / "run/frames/grains_000002.hdf").unlink()
        self.scree("analyse", "run", "--region", "-1,-1,-1,1,1,1", status=4)
        self.scree("analyse", "run", "--region", "-1,-1,-1,1,1,1", "--frames", "1", "--no-pictures")


if __name__ == "__main__":
    main()

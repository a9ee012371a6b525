"""Analyses requested by a scene and made during the run."""

import json
import math

from analyses import AnalysisTest, COLUMNS_ON_A_FLOOR, REGION, STREAM
from program import main

ANALYSES = """  analysis:
    - name: whole
      region: {min: [0, 0, 0], max: [40 mm, 40 mm, 40 mm]}
      cells: [1, 1, 8]
      plane: {point: [0, 0, 20 mm], normal: [0, 0, 5]}
      force_chains: true
    - {name: inside, region: {min: [1 cm, 1 cm, 1 cm], max: [3 cm, 3 cm, 3 cm]},
       interval: 1 ms, r_max: 7 mm, bins: 10}
"""


class AnalysisWhileARunGoesOn(AnalysisTest):

    def test_writes_the_same_bytes_as_an_analysis_of_the_frames(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        self.scree("run", scene, "--out", "run", "--no-pictures")
        files = self.analyse(REGION, "--cells", "1,1,8", "--plane=0,0,0.02,0,0,1", "--force-chains",
                             "--out", "after")["files"]
        files += [
            str(p.relative_to(self.directory / "after"))
            for p in (self.directory / "after/frames").iterdir()
        ]
        files.remove("energy.csv")  # a run writes statistics.csv
        for name in files:
            one, other = ((self.directory / d / name).read_text("latin-1")
                          for d in ("after", "run/analysis/whole"))
            if name == "analysis.json":
                other = other.replace("columns, whole", "columns")
            self.assertTrue(one == other, f"{name} differs")
        self.assertEqual(len(self.table("stress.csv", "run/analysis/inside")), 20)
        self.assertEqual(len(self.table("rdf.csv", "run/analysis/inside")), 10)
        outputs = self.manifest("run")["outputs"]
        for name in ("whole/stress.csv", "whole/frames/force_chains_000003.hdf",
                     "inside/analysis.json"):
            self.assertIn(f"analysis/{name}", outputs)

    def assert_same_tables(self, one, other, title):
        """But for the name of the analysis, and for energy.csv, which a run has as
        statistics.csv.
        """
        names, others = ({p.name for p in (self.directory / d).iterdir() if p.is_file()}
                         for d in (one, other))
        names -= {"energy.csv"}
        self.assertEqual(names, others)
        for name in names:
            texts = [(self.directory / d / name).read_text("latin-1") for d in (one, other)]
            self.assertEqual(texts[0], texts[1].replace(f", {title}", ""), name)

    def test_measures_in_a_window_are_those_of_the_program(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES + """
    - name: late
      region: {min: [0, 0, 0], max: [4 cm, 4 cm, 4 cm]}
      from: 5 ms
      to: 15 ms
      drum: y
      heap: yes
      residence: yes
      fields: {cells: [2, 1, 4], width: 3 mm}
""")
        self.scree("run", scene, "--out", "run", "--no-pictures")
        self.analyse(REGION, "--from", "0.005", "--to", "0.015", "--drum", "y", "--heap",
                     "--residence", "--fields", "2,1,4", "--width", "0.003", "--out", "after")
        self.assert_same_tables("after", "run/analysis/late", "late")
        self.assertEqual([row["time"] for row in self.table("drum.csv", "after")],
                         [0.005, 0.01, 0.015])
        about = json.loads((self.directory / "after/analysis.json").read_text())
        self.assertAlmostEqual(about["drum"]["angle"], 0, places=6)  # a flat bed
        self.assertEqual(about["residence"]["from_the_start"], 512)
        self.assertIsNone(about["heap"])

    def test_bodies_stay_as_long_as_a_conveyor_takes(self):
        # 4 cm at 1 m/s; 400 bodies a second, the first of them after 2 cm
        scene = self.write_scene(STREAM + """  analysis:
    - {name: belt, region: {min: [2 cm, 0, 0], max: [6 cm, 2 cm, 2 cm]}, residence: yes,
       plane: {point: [3 cm, 0, 0], normal: [1, 0, 0]}}
    - {name: seldom, region: {min: [2 cm, 0, 0], max: [6 cm, 2 cm, 2 cm]}, residence: yes,
       interval: 15 ms}
""")
        self.scree("run", scene, "--out", "run", "--no-pictures")
        self.analyse("--region=0.02,0,0,0.06,0.02,0.02", "--plane=0.03,0,0,1,0,0", "--residence",
                     "--out", "after")
        self.assert_same_tables("after", "run/analysis/belt", "belt")
        for name in ("belt", "seldom"):
            stays = self.table("residence.csv", f"run/analysis/{name}")
            self.assertGreater(len(stays), 40)
            for stay in stays:
                self.assertAlmostEqual(stay["residence"], 0.04, places=9)
        about = json.loads((self.directory / "run/analysis/belt/analysis.json").read_text())
        residence, plateau = about["residence"], about["discharge"]["plateau"]
        self.assertAlmostEqual(residence["mean"], 0.04, places=9)
        self.assertEqual(residence["stays"], len(stays))
        self.assertEqual((residence["returns"], residence["from_the_start"]), (0, 0))
        self.assertEqual(residence["still_there"], 400 * 0.04)
        ball = 2500 * 4 / 3 * math.pi * 2e-3**3
        # a layer in every other of 33 intervals
        self.assertAlmostEqual(plateau["mass_rate"] / (400 * ball), 1, delta=0.05)

    def test_is_reproduced_drawn_and_replaced_with_its_run(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        result = self.scree("run", scene, "--out", "run")
        if "apt install" not in result.stderr:
            self.assertIn("analysis/inside/rdf.png", self.manifest("run")["outputs"])
        self.assertIn("the same bit by bit", self.scree("reproduce", "run").stdout)
        (self.directory / "run/analysis/mine.txt").write_text("kept")
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--force",
                   "--until", "1 ms")
        self.assertEqual([p.name for p in (self.directory / "run/analysis").iterdir()],
                         ["mine.txt"])

    def test_has_no_sample_of_an_end_that_the_run_went_on_from(self):
        # Windows and intervals of which only the end of the first part is a sample, or the last.
        box = "region: {min: [0, 0, 0], max: [4 cm, 4 cm, 4 cm]}"
        rest = "residence: yes, force_chains: true, fields: {cells: [2, 1, 4], width: 3 mm}"
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + f"""  analysis:
    - {{name: window, {box}, {rest}, interval: 0, from: 5 ms, to: 6 ms}}
    - {{name: seldom, {box}, {rest}, interval: 11 ms, to: 8 ms}}
    - {{name: ends, {box}, {rest}, interval: 0}}
""")
        self.scree("run", scene, "--out", "whole", "--no-pictures")
        for run, until in (("early", "5.5 ms"), ("late", "12 ms")):
            self.scree("run", scene, "--out", run, "--until", until, "--no-pictures")
            self.assertEqual((self.directory / run / "analysis/window").exists(), run == "early")
            self.scree("run", scene, "--out", run, "--resume", "--no-pictures")
            contents = [{
                path.relative_to(self.directory / name): path.is_file() and path.read_bytes()
                for path in (self.directory / name / "analysis").rglob("*")
            } for name in ("whole", run)]
            self.assertEqual(*contents)
            self.scree("reproduce", run)

    def test_of_many_samples_says_at_the_end_what_one_of_the_frames_says(self):
        scene = self.write_scene(
            COLUMNS_ON_A_FLOOR.replace("frame_interval: 5 ms", "frame_interval: 0.5 ms") + ANALYSES)
        self.scree("run", scene, "--out", "run", "--no-pictures")
        self.analyse(REGION, "--cells", "1,1,8", "--plane=0,0,0.02,0,0,1", "--force-chains",
                     "--out", "after")
        self.assert_same_tables("after", "run/analysis/whole", "whole")
        self.assertEqual(
            json.loads((self.directory / "after/analysis.json").read_text())["frames"], 41)

    def test_is_refused_where_it_makes_no_sense(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        for setting, message in (("output.analysis[1].name=whole",
                                  "another analysis already has the name 'whole'"),
                                 ("output.analysis[0].name=../up",
                                  "use only letters, digits, _ and -"),
                                 ("output.analysis[0].region.max=[0, 0, 0]",
                                  "max must be greater than min"),
                                 ("output.analysis[0].plane.normal=[0, 0, 0]", "has zero length"),
                                 ("output.analysis[0].cells=[100, 100, 100]",
                                  "1e+06 cells"), ("output.analysis[0].interval=1 us",
                                                   "is shorter than a step"),
                                 ("output.analysis[1].r_max=3 cm",
                                  "is more than the smallest side of the region"),
                                 ("output.analysis[0].from=1 s",
                                  "the run ends before that, at 0.02 s"),
                                 ("output.analysis[0].drum=w",
                                  "drum"), ("output.analysis[0].drum=z", "gravity is along z"),
                                 ("output.analysis[0].fields={cells: [100, 100, 100]}",
                                  "1e+06 cells"),
                                 ("output.analysis[0].fields={cells: [1, 1, 1], width: 0}",
                                  "width"), ("output.analysis[0].fields={}", "cells")):
            self.assertIn(
                message,
                self.scree("run", scene, "--out", "run", "--set", setting, status=2).stderr)
        self.assertFalse((self.directory / "run").exists())
        for settings, message in ((["output.analysis[0].from=3 ms",
                                    "output.analysis[0].to=2 ms"], "before from"),
                                  (["gravity=[0, 0, 0]",
                                    "output.analysis[0].heap=yes"], "without gravity"),
                                  (["gravity=[0, 0, 0]",
                                    "output.analysis[0].drum=x"], "without gravity")):
            words = [word for setting in settings for word in ("--set", setting)]
            self.assertIn(message, self.scree("check", scene, *words, status=2).stderr)


if __name__ == "__main__":
    main()

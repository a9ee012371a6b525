"""Analyses that a scene asks for, made while the run goes on."""

from analyses import AnalysisTest, COLUMNS_ON_A_FLOOR, REGION
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

    def test_is_refused_where_it_makes_no_sense(self):
        scene = self.write_scene(COLUMNS_ON_A_FLOOR + ANALYSES)
        for setting, message in (("output.analysis[1].name=whole",
                                  "another analysis has the name 'whole', too"),
                                 ("output.analysis[0].name=../up", "letters, digits, _ and - only"),
                                 ("output.analysis[0].region.max=[0, 0, 0]",
                                  "max must be greater than min"),
                                 ("output.analysis[0].plane.normal=[0, 0, 0]", "has no length"),
                                 ("output.analysis[0].cells=[100, 100, 100]",
                                  "1e+06 cells"), ("output.analysis[0].interval=1 us",
                                                   "is shorter than a step"),
                                 ("output.analysis[1].r_max=3 cm",
                                  "is more than the smallest side of the region")):
            self.assertIn(
                message,
                self.scree("run", scene, "--out", "run", "--set", setting, status=2).stderr)
        self.assertFalse((self.directory / "run").exists())


if __name__ == "__main__":
    main()

"""The pictures of an analysis."""

import json
import os
import subprocess

from analyses import AnalysisTest, PYTHON, REGION
from program import SOURCE, main
from readers_test import need, png_size


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
        self.assertEqual(
            sorted(result["pictures"]),
            sorted(f.replace(".csv", ".png") for f in result["files"] if f.endswith("csv")))
        self.assert_drawn("run/analysis")
        self.scree("analyse", "run", *options, "--cells", "4,1,5", "--out", "map")
        self.scree("analyse", "run", *options, "--cells", "1,1,1", "--out", "point", "--frames",
                   "1")
        self.assert_drawn("map")
        self.assert_drawn("point", without=("velocity_profile", "discharge"))
        both = [
            PYTHON, SOURCE / "share/scree/analysis_pictures.py", self.directory / "map",
            self.directory / "run/analysis"
        ]
        result = subprocess.run([*both, "--out", self.directory / "both"], capture_output=True,
                                text=True, check=False)
        self.assertIn(
            "warning: velocity_profile.png was not drawn: the analyses have cells along "
            "different axes", result.stdout)
        self.assertEqual(result.stdout.count("warning"), 1, result.stdout)
        self.assertGreater(png_size(self.directory / "both/rdf.png")[0], 300)

    def test_do_not_outlive_their_tables(self):
        self.run_columns()
        self.scree("analyse", "run", REGION, "--plane=0,0,0.02,0,0,1", "--out", "tables")
        self.scree("analyse", "run", REGION, "--out", "tables", "--no-pictures")
        self.assertEqual(list((self.directory / "tables").glob("*.png")), [])

    def test_that_cannot_be_drawn_are_a_warning(self):
        self.run_columns()
        (self.directory /
         "matplotlib.py").write_text("raise ImportError('No module named matplotlib')")
        result = self.scree("analyse", "run", "--json",
                            env={**os.environ, "PYTHONPATH": str(self.directory)})
        self.assertIn("apt install python3-numpy python3-matplotlib", result.stderr)
        self.assertEqual(json.loads(result.stdout)["pictures"], [])


if __name__ == "__main__":
    main()

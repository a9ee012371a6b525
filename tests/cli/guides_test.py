"""Executes the Python of the guides, unchanged, on runs with the names that it uses."""

import os
import re
import subprocess
import sys

from program import HEAP, SOURCE, ProgramTest, main
from readers_test import need


class PythonOfTheGuides(ProgramTest):

    def test_runs_as_it_stands(self):
        for package, module in (("python3-numpy", "numpy"), ("python3-matplotlib", "matplotlib"),
                                ("python3-h5py", "h5py")):
            need(self, package, module)
        scene = self.write_scene(HEAP)
        for run in ("out/pile", "out/settled_bed"):
            self.scree("run", scene, "--until", "1 ms", "--set",
                       "output.statistics_interval=0.1 ms", "--out", run)
        self.scree("analyse", "out/settled_bed", "--no-pictures")
        self.scree("run", SOURCE / "scenes/solids.yaml", "--until", "1 ms", "--no-pictures",
                   "--out", "out/solids")
        found = 0
        for guide in sorted((SOURCE / "docs/guide").glob("*.md")):
            if "\nimport scree\n" in guide.read_text(encoding="utf-8"):
                continue  # tests/python/guide_test.py
            for example in re.findall(r"^```python\n(.*?)^```", guide.read_text(encoding="utf-8"),
                                      re.M | re.S):
                result = subprocess.run([sys.executable, "-c", example], cwd=self.directory,
                                        capture_output=True, text=True, timeout=120, check=False,
                                        env={**os.environ, "MPLBACKEND": "Agg"})
                self.assertEqual(result.returncode, 0, f"{guide.name}:\n{example}\n{result.stderr}")
                found += 1
        self.assertGreater(found, 0)


if __name__ == "__main__":
    main()

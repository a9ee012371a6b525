"""Files of each version, kept in tests/data/versions, are read as docs/stability.md says."""

import csv
import shutil

from program import SOURCE, ProgramTest, main


class FilesOfEachVersion(ProgramTest):

    def each_version(self):
        for kept in sorted((SOURCE / "tests/data/versions").iterdir()):
            run = self.directory / kept.name
            shutil.copytree(kept / "run", run)
            yield kept, run

    def test_have_scenes_that_are_valid(self):
        for kept, _ in self.each_version():
            self.scree("check", kept / "scene.yaml")

    def test_have_runs_that_are_described_analysed_and_exported(self):
        for kept, run in self.each_version():
            self.assertIn(f"scree     {kept.name}", self.scree("info", run).stdout)
            self.scree("analyse", run, "--no-pictures")
            self.scree("export", run, "--as", "csv", "--out", run / "tables")
            with open(run / "analysis/solid_fraction.csv", encoding="utf-8") as file:
                self.assertEqual(len(list(csv.DictReader(file))), 2)

    def test_have_runs_that_are_resumed_unless_their_checkpoints_have_another_format(self):
        for kept, run in self.each_version():
            resumed = self.scree("run", kept / "scene.yaml", "--out", run, "--resume",
                                 "--no-pictures", status=None)
            if resumed.returncode:
                self.assertEqual(resumed.returncode, 2, resumed.stderr)
                self.assertRegex(resumed.stderr, r"it has format version \d+, this program reads")
            else:
                self.assertEqual(self.statistics(run)[-1]["step"], "120")

    def test_have_scenes_of_a_known_format(self):
        for kept, _ in self.each_version():
            text = (kept / "scene.yaml").read_text().replace("scree: 1", "scree: 99")
            self.assertIn("scree", self.scree("check", self.write_scene(text), status=2).stderr)


if __name__ == "__main__":
    main()

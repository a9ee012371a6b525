"""scree import: every robot of the corpus is read, reported on and run."""

import pathlib
import re

from program import SOURCE, ProgramTest, main

ROBOTS = SOURCE / "tests/data/robots"


class CorpusTest(ProgramTest):

    def import_each(self, kind, least):
        """Imports all files of a kind, and runs each as long as `self.duration` says."""
        files = sorted(ROBOTS.glob(kind))
        self.assertGreaterEqual(len(files), least)
        for file in files:
            with self.subTest(file.name):
                reported = self.scree("import", file, "--out", "robot.yaml", "--force").stderr
                self.check_findings(file, reported)
                self.scree("run", "robot.yaml", "--out", "run", "--force", "--until", self.duration,
                           "--set", "output.frame_interval=1 s", "--no-pictures")
                rows = self.statistics("run")
                self.assertLess(max(float(row["joint_error"]) for row in rows), 1e-6)

    def check_findings(self, file, reported):
        """Each is reported once, with its file and line, and listed in the scene."""
        scene = (self.directory / "robot.yaml").read_text(encoding="utf-8")
        lines = [line for line in reported.splitlines() if "warning" not in line]
        self.assertEqual(len(lines), len(set(lines)))
        for line in lines:
            name, number, what = re.match(r"scree: (?:\w+): (\S+?):(\d+): (.*)", line).groups()
            where = pathlib.Path(name)
            self.assertLessEqual(int(number), len(where.read_bytes().splitlines()))
            place = f"line {number}" if where == file else f"{where.name}:{number}"
            self.assertIn(f"#   {place}: {what}\n", scene)


class EachUrdfFile(CorpusTest):
    duration = "0.02 s"

    def test_is_imported_with_its_findings_and_runs(self):
        self.import_each("*.urdf", 40)


class EachMjcfFile(CorpusTest):
    duration = "0.02 s"

    def test_is_imported_with_its_findings_and_runs(self):
        self.import_each("*.xml", 20)


class EachFileForASecond(CorpusTest):
    """The exit status says that each step met its tolerance, and that the books close."""
    duration = "1 s"

    def test_runs_within_its_verdict(self):
        self.import_each("*.urdf", 40)
        self.import_each("*.xml", 20)


if __name__ == "__main__":
    main()

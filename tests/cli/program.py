"""Runs the program scree for tests: a directory for each test, small scenes, and results."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["SCREE_PROGRAM"]
SOURCE = Path(os.environ["SCREE_SOURCE"])

# A ball falls on a floor; a thousand steps, a blink of an eye.
BALL = """scree: 1
name: ball
until: 0.1 s
step: {h: 0.1 ms}
materials:
  steel: {density: 7800}
default_law: {law: coulomb, friction: 0.3}
bodies:
  - sphere: {position: [0, 0, 2 cm], radius: 1 cm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output:
  frame_interval: 20 ms
  statistics_interval: 10 ms
"""

# Boxes and balls that fall on a floor.
BOXES = """scree: 1
name: boxes
until: 0.1 s
step: {h: 0.5 ms}
solver: {max_sweeps: 5000}
materials:
  stone: {density: 2500}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - random:
      region: {min: [0, 0, 0], max: [10 cm, 10 cm, 10 cm]}
      count: 20
      size: [1 cm, 2 cm, 3 cm]
      scale: {uniform: [0.5, 1]}
  - sphere: {position: [5 cm, 5 cm, 12 cm], radius: 1 cm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output:
  frame_interval: 20 ms
  statistics_interval: 10 ms
"""

# Many balls in a heap: enough contacts that one sweep cannot solve them, and enough work that a
# signal finds it running.
HEAP = """scree: 1
name: heap
until: 100 s
step: {h: 0.1 ms}
solver: {max_sweeps: 5000}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [5 cm, 5 cm, 5 cm]}
      spacing: 5 mm
      radius: 2.5 mm
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output:
  frame_interval: 1 s
  statistics_interval: 1 s
"""


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="scree-")
        self.addCleanup(temporary.cleanup)
        self.directory = Path(temporary.name)

    def write_scene(self, text, name="scene.yaml"):
        path = self.directory / name
        path.write_text(text)
        return path

    def scree(self, *arguments, status=0, **keywords):
        """Runs the program in the test's directory; fails unless it ends with `status`, if one is
        given.
        """
        result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.directory,
                                capture_output=True, text=True, timeout=300, check=False,
                                **keywords)
        if status is not None:
            self.assertEqual(result.returncode, status,
                             f"{result.args}\n{result.stdout}\n{result.stderr}")
        return result

    def manifest(self, run):
        return json.loads((self.directory / run / "manifest.json").read_text())

    def verdict(self, run):
        return json.loads((self.directory / run / "verdict.json").read_text())

    def statistics(self, run):
        with open(self.directory / run / "statistics.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def everything(self):
        """Every path below the test's directory, with sizes."""
        return {
            str(p.relative_to(self.directory)): p.stat().st_size for p in self.directory.rglob("*")
            if p.is_file()
        }


def main():
    """Status 1 if a test failed, else 77 if one was skipped, which ctest shows as such: a skip
    never hides a failure.
    """
    result = unittest.main(exit=False, verbosity=2).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)

"""Runs with a known analysis, for tests of `scree analyse`."""

import csv
import json

from program import ProgramTest

PYTHON = "/usr/bin/python3"  # that draws the pictures

# Columns of eight balls on a floor, apart from each other: each contact carries what lies above it.
RADIUS, SIDE, HEIGHT, COLUMNS = 2.5e-3, 0.04, 8, 64
COLUMNS_ON_A_FLOOR = """scree: 1
name: columns
until: 0.02 s
step: {h: 0.1 ms}
solver: {tolerance: 1e-8, max_sweeps: 20000, acceleration: none}
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

# Without gravity, layers of four balls go through a channel at 1 m/s, one layer each 10 ms: 400
# balls a second.
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
            return [{key: float(value) for key, value in row.items()}
                    for row in csv.DictReader(file)]

    def analyse(self, *options, run="run"):
        """The result as JSON; without pictures, which take long."""
        return json.loads(self.scree("analyse", run, "--no-pictures", "--json", *options).stdout)

    def run_columns(self, *options):
        self.scree("run", self.write_scene(COLUMNS_ON_A_FLOOR), "--out", "run", "--no-pictures",
                   *options)

"""Shared by tests of the Python package: scenes and runs of the program's tests."""

import unittest

import numpy
import scree
from program import BALL, HEAP

# A ball that lies on a floor.
RESTING = BALL.replace("[0, 0, 2 cm]", "[0, 0, 1 cm]")

# An obstacle whose motion is not a number at 5 ms; the reader of scenes cannot detect this.
FAULT = BALL.replace(
    "normal: [0, 0, 1]}",
    "normal: [0, 0, 1], motion: {velocity: [0, 0, '(abs(t-0.00505)<1e-9) ? sqrt(-1) : 0']}}")

# The same as BALL.
AS_DICT = {
    "scree": 1,
    "name": "ball",
    "until": 0.1,
    "step": {"h": "0.1 ms"},
    "materials": {"steel": {"density": numpy.float64(7800)}},
    "default_law": {"law": "coulomb", "friction": 0.3},
    "bodies": [{"sphere": {"position": numpy.array([0, 0, 0.02]), "radius": 0.01}}],
    "obstacles": [{"half_space": {"name": "floor", "point": (0, 0, 0), "normal": [0, 0, 1]}}],
}


class PackageTest(unittest.TestCase):
    maxDiff = None

    def heap(self, **settings):
        return scree.Simulation(HEAP, {"until": "1 s"}, **settings)

    def step_until_reordered(self, simulation):
        """Steps until bodies were stored in another order; how many steps that took."""
        for count in range(1, 10000):
            if simulation.step().neighbours_rebuilt:
                return count
        self.fail("bodies were never reordered")

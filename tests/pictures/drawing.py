"""Access of tests to the content of a drawn figure."""

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SOURCE = Path(os.environ["SCREE_SOURCE"])
sys.path.insert(0, str(SOURCE / "share/scree"))

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


class DrawingTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="scree-")
        self.addCleanup(temporary.cleanup)
        self.addCleanup(plt.close, "all")
        self.directory = Path(temporary.name)

    def figure_of(self, draw, *arguments):
        """Figure of a function that closes it after saving."""
        with mock.patch.object(plt, "close"):
            draw(*arguments)
        return plt.gcf()

    def assert_line(self, axes, label, x, y):
        line = lines(axes)[label]
        np.testing.assert_allclose(line.get_xdata(), x, err_msg=label)
        np.testing.assert_allclose(line.get_ydata(), y, err_msg=label)

    def assert_labels(self, axes, x, y):
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), (x, y))


def lines(axes):
    """Lines by their labels; matplotlib's own names of lines without a label begin with _."""
    return {line.get_label(): line for line in axes.get_lines()}


def shown(axes):
    """Labels of lines that a legend would list."""
    return [label for label in lines(axes) if not label.startswith("_")]


def write_table(path, columns):
    """A CSV file from {name: values}."""
    rows = zip(*columns.values())
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row))
                                                    for row in rows)]) + "\n")


def main():
    unittest.main(verbosity=2)

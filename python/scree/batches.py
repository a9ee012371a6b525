"""Batches: a scene with every combination of some of its values, run into one directory."""

import csv
import json
import os
import pathlib
import warnings

import numpy

from scree import _scree
from scree.runs import Run


class Batch:
    """The directory of a batch; see open_batch()."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        try:
            about = json.loads((self.directory / "batch.json").read_text(encoding="utf-8"))
            self.names = [run["name"] for run in about["runs"]]
            """Of the runs, and of their directories."""
            self.parameters = {p["label"]: p["path"] for p in about["parameters"]}
            """What is varied: {name of the column: path in the scene}."""
        except (FileNotFoundError, NotADirectoryError, ValueError, KeyError) as error:
            raise _scree.InputError(
                f"{os.fspath(directory)} holds no batch of scree ({error!r})") from None

    def __repr__(self):
        return f"<scree.Batch {self.directory}: {len(self.names)} runs>"

    def __len__(self):
        return len(self.names)

    def __getitem__(self, run):
        """A Run, by its number or its name; raises InputError where it has not begun."""
        if isinstance(run, str) and run not in self.names:
            raise KeyError(run)
        return Run(self.directory / (run if isinstance(run, str) else self.names[run]))

    @property
    def table(self):
        """table.csv as a structured array, a row a run; docs/guide/batch.md has the columns. A
        column is numbers, NaN where a run has none, if any cell is a number and no cell a word.
        """
        with open(self.directory / "table.csv", newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        columns = [_column([row[k] for row in rows]) for k in range(len(names))]
        table = numpy.zeros(len(rows),
                            [(name, column.dtype) for name, column in zip(names, columns)])
        for name, column in zip(names, columns):
            table[name] = column
        return table


def _column(cells):
    try:
        numbers = [float(cell) if cell else numpy.nan for cell in cells]
    except ValueError:
        return numpy.array(cells)
    return numpy.array(numbers if any(cells) else cells)


def open_batch(directory):
    """Opens the directory of a batch, also one that goes on; raises InputError if it is none."""
    return Batch(directory)


def batch(scene, over, directory, set=None, *, jobs=0, threads=0, columns=()):
    """Runs a scene with every combination of some of its values, as `scree batch` does.

    scene, set  as for Scene
    over        {path: values}: a list or anything that gives values one by one, or a text as --over
                takes it, "0.1:0.8:8"; the last parameter changes fastest
    jobs        runs at a time; 0: as many as cores
    threads     of each run; 0: the cores, shared out
    columns     further columns of the table, "statistics.csv:kinetic_energy" and the like
    Every scene is checked before the first run begins. The same call goes on with a batch that was
    stopped: what is missing is run, what was in flight is resumed. Returns the Batch; a run that
    failed is told in its table, and warned of. Ctrl-C ends it in good order, and raises.
    """
    _, ends = _scree.run_batch(scene, dict(over), pathlib.Path(directory), set, jobs, threads,
                               list(columns))
    result = Batch(directory)
    for name, (status, _, message) in zip(result.names, ends):
        if status == "failed":
            warnings.warn(f"{name} failed: {message}", stacklevel=2)
    return result

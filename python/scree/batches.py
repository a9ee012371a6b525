"""Batches: runs of a scene for every combination of some values, in one directory."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy

from scree import _scree
from scree.runs import Run

if TYPE_CHECKING:
    from scree._scree import Source


class Batch:
    """The directory of a batch; see open_batch()."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = pathlib.Path(directory)
        try:
            about = json.loads((self.directory / "batch.json").read_text(encoding="utf-8"))
            self.names: list[str] = [run["name"] for run in about["runs"]]
            """Names of the runs and of their directories."""
            self.parameters: dict[str, str] = {p["label"]: p["path"] for p in about["parameters"]}
            """Varied values: {name of the column: path in the scene}."""
        except (FileNotFoundError, NotADirectoryError, ValueError, KeyError) as error:
            raise _scree.InputError(f"{os.fspath(directory)} is not the directory of a batch of "
                                    f"scree ({error!r}); check the path") from None

    def __repr__(self) -> str:
        return f"<scree.Batch {self.directory}: {len(self.names)} runs>"

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, run: int | str) -> Run:
        """A Run, by its number or its name. Raises InputError if it has not begun."""
        if isinstance(run, str) and run not in self.names:
            raise KeyError(run)
        return Run(self.directory / (run if isinstance(run, str) else self.names[run]))

    @property
    def table(self) -> numpy.ndarray:
        """table.csv as a structured array, with a row for each run.

        docs/guide/batch.md lists the columns. A column has numbers, NaN for empty cells, unless
        a cell is a word or all cells are empty.
        """
        with open(self.directory / "table.csv", newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        columns = [_column([row[k] for row in rows]) for k in range(len(names))]
        table = numpy.zeros(len(rows),
                            [(name, column.dtype) for name, column in zip(names, columns)])
        for name, column in zip(names, columns):
            table[name] = column
        return table


def _column(cells: list[str]) -> numpy.ndarray:
    try:
        numbers = [float(cell) if cell else numpy.nan for cell in cells]
    except ValueError:
        return numpy.array(cells)
    return numpy.array(numbers if any(cells) else cells)


def open_batch(directory: str | os.PathLike[str]) -> Batch:
    """Opens the directory of a batch, which may still be running.

    Raises InputError if it is not the directory of a batch.
    """
    return Batch(directory)


def batch(scene: Source, over: Mapping[str, str | Iterable[Any]], directory: str | os.PathLike[str],
          set: Mapping[str, Any] | None = None, *, jobs: int = 0, threads: int = 0,
          columns: Iterable[str] = ()) -> Batch:
    """Runs a scene for every combination of some values, as `scree batch` does; returns the Batch.

    scene, set  as for Scene
    over        {path: values}: an iterable of values, or a text as for --over, "0.1:0.8:8"; the
                last parameter changes fastest
    directory   directory to write
    jobs        number of simultaneous runs; 0: number of cores
    threads     number of threads of each run; 0: cores / jobs
    columns     further columns of the table, such as "statistics.csv:kinetic_energy"

    Every scene is checked before the first run begins. The same call continues a stopped batch: it
    starts missing runs and resumes interrupted ones. A failed run gives a warning, and its row of
    the table shows it. Ctrl-C stops the batch with checkpoints and raises KeyboardInterrupt. Raises
    SceneError if a scene has problems.
    """
    _, ends = _scree.run_batch(scene, dict(over), pathlib.Path(directory), set, jobs, threads,
                               list(columns))
    result = Batch(directory)
    for name, (status, _, message) in zip(result.names, ends):
        if status == "failed":
            warnings.warn(f"{name} failed: {message}", stacklevel=2)
    return result

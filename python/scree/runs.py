"""Runs on disk: made, opened, analysed."""

import json
import os
import pathlib

import numpy

from scree import _scree


class Frame:
    """The bodies and the contacts of one time."""

    def __init__(self, directory, grains, contacts):
        self._directory, self._grains_file, self._contacts_file = directory, grains, contacts

    @property
    def grains(self):
        """The bodies: a Grains, in the order of their ids; read anew each time."""
        return _scree.read_grains(self._directory / self._grains_file)

    @property
    def contacts(self):
        """A structured array, as Simulation.contacts but for the relative velocity, which files
        do not have; None where the run wrote no contacts.
        """
        if self._contacts_file is None:
            return None
        return _scree.read_contacts(self._directory / self._contacts_file)


class Frames:
    """The frames of a run, in the order of their times; frames[k] is a Frame."""

    def __init__(self, directory):
        grains = _scree.read_series(directory / "grains.hdf.series")
        contacts = {
            time: file for file, time in _scree.read_series(directory / "contacts.hdf.series")
        }
        self._directory = directory
        self._files = [(file, contacts.get(time)) for file, time in grains]
        self.times = numpy.array([time for _, time in grains])
        """(n,) [s]."""

    def __len__(self):
        return len(self._files)

    def __getitem__(self, index):
        return Frame(self._directory, *self._files[index])

    def at(self, time):
        """The frame whose time is nearest to `time` [s]."""
        if not self._files:
            raise IndexError(f"{self._directory} has no frames")
        return self[int(numpy.argmin(numpy.abs(self.times - time)))]


class Analysis:
    """What `scree analyse` says of a run: figures, and tables by their names."""

    def __init__(self, figures):
        self.figures = figures
        """Of the last frame, and of all: a dict."""
        self.directory = pathlib.Path(figures["directory"])
        self.names = [pathlib.Path(file).stem for file in figures["files"] if file.endswith(".csv")]

    def __getitem__(self, name):
        """A table as a structured array; its columns are told in docs/guide/analysis.md."""
        if name not in self.names:
            raise KeyError(f"{name}: there are {', '.join(self.names)}")
        return read_table(self.directory / f"{name}.csv")


class Run:
    """The directory of a run; see open()."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self._manifest = json.loads(_scree.manifest_text(self.directory))

    def __repr__(self):
        return f"<scree.Run {self.directory}: {self.status}>"

    @property
    def manifest(self):
        """What ran, on what, from what, and the checksums of what came out: a dict."""
        return self._manifest

    @property
    def status(self):
        """"done", "failed", "interrupted", "running" or "killed"."""
        return _scree.run_status(self.directory)

    @property
    def objections(self):
        """Where what the run left at its end is not what its manifest says: a list."""
        return _scree.run_objections(self.directory)

    @property
    def verdict(self):
        """How well the run was solved: the dict of verdict.json; None before its end."""
        file = self.directory / "verdict.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None

    @property
    def scene(self):
        """The Scene that ran, with every default filled in."""
        return _scree.Scene(self.directory / "resolved.yaml")

    @property
    def statistics(self):
        """statistics.csv as a structured array, a row a sample; docs/guide/output.md has the
        columns and their units. state_hash is a uint64, all others are numbers.
        """
        return read_table(self.directory / "statistics.csv")

    @property
    def frames(self):
        """The Frames that are there now."""
        return Frames(self.directory)

    def analyse(self, out=None, *, region=None, cells=(1, 1, 20), plane=None, r_max=None, frames=0,
                times=(None, None), bins=100, min_contacts=4, heap=False, drum=None,
                residence=False, force_chains=False, fields=None, width=None, even_so=False):
        """Analyses frames as `scree analyse` does, and returns an Analysis.

        region  two corners, [[x, y, z], [x, y, z]] [m]; None: the box of the centres
        cells   of the velocity profile, along x, y and z
        plane   a point and a normal, for the discharge [m]
        r_max   of the radial distribution function [m]
        frames  the last so many; 0: all
        times   frames from one time to another alone, both among them [s]; None: without an end
        heap    look for the angle of a round heap
        drum    "x", "y" or "z": look for the angle of the surface in a drum along this axis
        residence  measure how long bodies stay in the region
        fields  cells along x, y and z of coarse-grained fields; None: none are made
        width   of their kernel [m]; None: half a mean diameter
        Tables are written to `out`, by default `analysis` in the run.
        """
        numbers = [None if part is None else numpy.ravel(part).tolist() for part in (region, plane)]
        for name, part in zip(("region", "plane"), numbers):
            if part is not None and len(part) != 6:
                raise ValueError(f"{name} has {len(part)} numbers; it has six")
        text = _scree.analyse_run(self.directory, out, numbers[0], tuple(cells), numbers[1], r_max,
                                  frames, *times, bins, min_contacts, heap, drum, residence,
                                  force_chains, fields and tuple(fields), width, even_so)
        return Analysis(json.loads(text))


def open(directory):
    """Opens the directory of a run, also one that goes on; raises InputError if it is none."""
    return Run(directory)


def run(scene, directory, set=None, *, old_run="refuse", threads=0):
    """Runs a scene and writes it to a directory, as `scree run` does but for pictures.

    scene, set: as for Scene. old_run: what to do with a run that is there: "refuse", "replace", or
    "go_on" from its last checkpoint. threads=0 takes all cores. Returns the Run; whether it met its
    tolerance is in run.verdict. Ctrl-C leaves a run that can be gone on with, and raises.
    """
    if not isinstance(scene, _scree.Scene):
        scene = _scree.Scene(scene, set)
    elif set is not None:
        raise TypeError("a Scene is read already: give `set` to it")
    _scree.run_scene(scene, pathlib.Path(directory), old_run, threads)
    return Run(directory)


def read_table(file):
    """A table of a run (CSV) as a structured array; a last row that is not complete is left out.

    Columns are numbers, state_hash a uint64, and text where something else stands.
    """
    text = pathlib.Path(file).read_text(encoding="utf-8")
    lines = text[:text.rfind("\n") + 1].splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines:
        raise _scree.InputError(f"{os.fspath(file)} is empty; is it the table of a run?")
    names = lines[0].split(",")
    if len(lines) == 1:
        return numpy.zeros(0, [(name, "u8" if name == "state_hash" else "f8") for name in names])
    first = lines[1].split(",")
    formats = [
        "f8" if _is_number(cell) else _text_of(lines[1:], column)
        for column, cell in enumerate(first)
    ]
    table = numpy.loadtxt(lines[1:], delimiter=",", dtype=list(zip(names, formats)), ndmin=1)
    if "state_hash" not in names:
        return table
    numbers = numpy.zeros(len(table), [(name, "u8" if name == "state_hash" else table.dtype[name])
                                       for name in names])
    for name in names:
        numbers[name] = ([int(cell, 16)
                          for cell in table[name]] if name == "state_hash" else table[name])
    return numbers


def _text_of(lines, column):
    """The type of a column of text, as long as its longest cell."""
    return f"U{max(len(line.split(',')[column]) for line in lines)}"


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True

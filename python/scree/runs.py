"""Runs on disk: makes, opens and analyses them."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from scree import _scree, drawing

if TYPE_CHECKING:
    from scree._scree import Source
    Points = Sequence[Any] | numpy.ndarray


class Frame:
    """Bodies and contacts at one time."""

    def __init__(self, directory: pathlib.Path, grains: str, contacts: str | None) -> None:
        self._directory, self._grains_file, self._contacts_file = directory, grains, contacts

    @property
    def grains(self) -> _scree.Grains:
        """Bodies as Grains, in the order of their ids; each access reads the file."""
        return _scree.read_grains(self._directory / self._grains_file)

    @property
    def contacts(self) -> numpy.ndarray | None:
        """Contacts as a structured array, as Simulation.contacts without relative_velocity.

        None if the run wrote no contacts.
        """
        if self._contacts_file is None:
            return None
        return _scree.read_contacts(self._directory / self._contacts_file)


class Frames:
    """Frames of a run, in the order of their times; frames[k] is a Frame."""

    def __init__(self, directory: pathlib.Path) -> None:
        grains = _scree.read_series(directory / "grains.hdf.series")
        contacts = {
            time: file for file, time in _scree.read_series(directory / "contacts.hdf.series")
        }
        self._directory = directory
        self._files = [(file, contacts.get(time)) for file, time in grains]
        self.times = numpy.array([time for _, time in grains])
        """Times: (n,) [s]."""

    def __len__(self) -> int:
        return len(self._files)

    def __getitem__(self, index: int) -> Frame:
        return Frame(self._directory, *self._files[index])

    def at(self, time: float) -> Frame:
        """The frame nearest to a time [s]. Raises IndexError if there are no frames."""
        if not self._files:
            raise IndexError(f"{self._directory} has no frames")
        return self[int(numpy.argmin(numpy.abs(self.times - time)))]


class Analysis:
    """Results of `scree analyse`: figures, and tables by their names."""

    def __init__(self, figures: dict[str, Any]) -> None:
        self.figures = figures
        """Figures of the last frame, and of all frames: a dict."""
        self.directory = pathlib.Path(figures["directory"])
        self.names = [pathlib.Path(file).stem for file in figures["files"] if file.endswith(".csv")]

    def __getitem__(self, name: str) -> numpy.ndarray:
        """A table as a structured array; docs/guide/analysis.md lists the columns."""
        if name not in self.names:
            raise KeyError(f"{name}: there are {', '.join(self.names)}")
        return read_table(self.directory / f"{name}.csv")


class Run:
    """The directory of a run; see open()."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = pathlib.Path(directory)
        self._manifest = json.loads(_scree.manifest_text(self.directory))

    def __repr__(self) -> str:
        return f"<scree.Run {self.directory}: {self.status}>"

    @property
    def manifest(self) -> dict[str, Any]:
        """Program, machine, inputs and checksums of the outputs: a dict."""
        return self._manifest

    @property
    def status(self) -> str:
        """"done", "failed", "interrupted", "running" or "killed"."""
        return _scree.run_status(self.directory)

    @property
    def objections(self) -> list[str]:
        """Contradictions between the manifest and the files of the end of the run: a list."""
        return _scree.run_objections(self.directory)

    @property
    def verdict(self) -> Any:
        """The dict of verdict.json: how well the run was solved. None before its end."""
        file = self.directory / "verdict.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None

    @property
    def scene(self) -> _scree.Scene:
        """The Scene that ran, with every default filled in."""
        return _scree.Scene(self.directory / "resolved.yaml")

    @property
    def statistics(self) -> numpy.ndarray:
        """statistics.csv as a structured array, with a row for each sample.

        docs/guide/output.md lists the columns and their units. state_hash is a uint64, all others
        are numbers.
        """
        return self.table("statistics")

    def table(self, name: str) -> numpy.ndarray:
        """A table of the run, name.csv, as a structured array: "statistics", "obstacles", …"""
        return read_table(self.directory / f"{name}.csv")

    @property
    def frames(self) -> Frames:
        """Frames written so far."""
        return Frames(self.directory)

    def plot(self, column: str, *others: str, table: str = "statistics", of: str | None = None,
             axes: Any = None) -> Any:
        """Draws columns of a table against time; returns the matplotlib Axes.

        column  name of a column, such as "kinetic_energy"
        others  further columns of the same unit
        table   "statistics", "obstacles", "joints", "bodies" or "cell"
        of      name of a part, joint or body; None: a line for each
        axes    Axes to draw into; None: those of a new figure
        Raises KeyError for a name that the table does not have, ValueError for different units.
        """
        return drawing.plot(self, (column, *others), table, of, axes)

    def show(self, time: float | None = None, *, frame: int | None = None, colour: str = "speed",
             plane: str = "xz", region: Points | None = None, limits: Sequence[float] | None = None,
             camera: dict[str, Any] | None = None, layers: int = 1, parts: bool = True,
             joints: bool = True, title: str | None = None, size: tuple[int,
                                                                        int] = (1280, 800)) -> Any:
        """Draws the bodies and parts at one time; returns the matplotlib Figure.

        time    the nearest frame is drawn [s]; None: the last one
        frame   its number, instead of a time; −1 is the last
        colour  "speed", "angular_speed", "radius" or "material"
        plane   "xy", "xz" or "yz": the plane that the camera faces
        region  two corners, [[x, y, z], [x, y, z]] [m]: only bodies with their centres inside
        limits  lowest and highest value of the colours, in SI units; None: those of the data
        camera  a dict with some of `from` and `to`, points [m], and `field_of_view` [rad], 0 for
                parallel projection
        layers  number of layers that face the camera, each in a panel of its own
        parts   True to draw obstacles
        joints  True to draw the axes of joints
        title   title; None: none
        size    width and height [pixel]
        Needs VTK. On a machine without a screen it starts Xvfb while it draws.
        """
        options: dict[str, Any] = {
            "time": time, "frame": frame, "colour": colour, "plane": plane, "limits": limits,
            "camera": camera, "layers": layers, "parts": parts, "joints": joints, "title": title
        }
        options = {name: value for name, value in options.items() if value is not None}
        if region is not None:
            options["region"] = dict(zip(("min", "max"), region))
        return drawing.show(self, options, size)

    def analyse(self, out: str | os.PathLike[str] | None = None, *, region: Points | None = None,
                cells: Sequence[int] = (1, 1, 20), plane: Points | None = None,
                r_max: float | None = None, frames: int = 0,
                times: tuple[float | None,
                             float | None] = (None, None), bins: int = 100, min_contacts: int = 4,
                heap: bool = False, drum: str | None = None, residence: bool = False,
                force_chains: bool = False, fields: Sequence[int] | None = None,
                width: float | None = None, even_so: bool = False) -> Analysis:
        """Analyses frames as `scree analyse` does; returns an Analysis.

        out           directory of the tables; None: `analysis` in the run
        region        two corners, [[x, y, z], [x, y, z]] [m]; None: the box of the centres
        cells         numbers of cells of the velocity profile along x, y and z
        plane         a point [m] and a normal, for the discharge
        r_max         range of the radial distribution function [m]; None: 5 diameters
        frames        number of last frames to use; 0: all
        times         first and last time of the frames [s]; None: no limit
        bins          number of bins of distances and of forces
        min_contacts  minimum number of loaded contacts; a body with fewer is a rattler
        heap          measure the angle of a round heap
        drum          "x", "y" or "z": axis of a drum; measure the angle of its surface
        residence     measure the times that bodies stay in the region
        force_chains  write force chains for ParaView
        fields        numbers of cells of coarse-grained fields along x, y and z; None: no fields
        width         standard deviation of their kernel [m]; None: half a mean diameter
        even_so       analyse the sound frames of a failed or changed run
        Raises InputError if the run or a value cannot be used.
        """
        numbers = [None if box is None else numpy.ravel(box).tolist() for box in (region, plane)]
        for name, values in zip(("region", "plane"), numbers):
            if values is not None and len(values) != 6:
                raise ValueError(f"{name} has {len(values)} numbers; it must have six")
        text = _scree.analyse_run(self.directory, out, numbers[0], tuple(cells), numbers[1], r_max,
                                  frames, *times, bins, min_contacts, heap, drum, residence,
                                  force_chains, fields and tuple(fields), width, even_so)
        return Analysis(json.loads(text))


def open(directory: str | os.PathLike[str]) -> Run:
    """Opens the directory of a run, which may still be running.

    Raises InputError if it is not the directory of a run.
    """
    return Run(directory)


def run(scene: Source | _scree.Scene, directory: str | os.PathLike[str],
        set: Mapping[str, Any] | None = None, *, old_run: str = "refuse", threads: int = 0) -> Run:
    """Runs a scene as `scree run` does, without pictures; returns the Run.

    scene, set  as for Scene
    directory   directory to write
    old_run     treatment of a run in this directory: "refuse", "replace", or "go_on" from its last
                checkpoint
    threads     number of threads; 0: all cores
    run.verdict shows if the run met its tolerance. Ctrl-C stops the run with a checkpoint and
    raises KeyboardInterrupt. Raises SceneError if the scene has problems.
    """
    if not isinstance(scene, _scree.Scene):
        scene = _scree.Scene(scene, set)
    elif set is not None:
        raise TypeError("a Scene is read already; pass `set` to Scene()")
    _scree.run_scene(scene, pathlib.Path(directory), old_run, threads)
    return Run(directory)


def read_table(file: str | os.PathLike[str]) -> numpy.ndarray:
    """Reads a table of a run (CSV) as a structured array, without an incomplete last row.

    Columns are numbers, uint64 for state_hash, or text. Raises InputError if the file is empty.
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


def _text_of(lines: list[str], column: int) -> str:
    """Type of a column of text, as long as its longest cell."""
    return f"U{max(len(line.split(',')[column]) for line in lines)}"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True

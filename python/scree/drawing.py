"""Plots and pictures of runs as matplotlib objects, in the style of the program's pictures."""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from scree.runs import Run

# Units of the columns of tables, by their names; the first that matches.
_UNITS = ((r"^seconds_", "s"), (r"energy|^elastic_|^wall_work|^field_work|^work$|^damped$|^slid$|"
                                r"^rolled$|_wear$", "J"), (r"^force_", "N"), (r"^torque_", "N m"),
          (r"^power$", "W"), (r"^max_penetration$|^joint_error$|^[xyz]$",
                              "m"), (r"^worst_residual$|^v[xyz]$", "m/s"), (r"^w[xyz]$", "rad/s"))
_QUANTITIES = {
    "J": "energy", "N": "force", "N m": "torque", "W": "power", "m": "length", "m/s": "velocity",
    "rad/s": "angular velocity", "s": "time", "": "number"
}


def plot(run: Run, columns: Sequence[str], table: str, of: str | None, axes: Any) -> Any:
    """See Run.plot()."""
    style = _module("style")
    plt = style.plt
    rows = run.table(table)
    names = [column for column in columns if column not in rows.dtype.names]
    if names:
        raise KeyError(f"{table}.csv has no column {names[0]}; it has "
                       f"{', '.join(rows.dtype.names)}")
    units = {unit_of(column) for column in columns}
    if len(units) != 1:
        raise ValueError(
            f"the columns have the units {', '.join(sorted(units))}; plot one at a time")
    (unit,) = units
    with style.styled():
        if axes is None:
            _, axes = plt.subplots(figsize=(9, 5.5), dpi=style.DPI)
        lines = list(_lines(rows, columns, table, of))
        largest = max((numpy.nanmax(numpy.abs(y), initial=0) for _, _, y in lines), default=0)
        factor, shown = style.scaled(largest, unit) if unit else (1, "–")
        seconds, time_unit = style.scaled(rows["time"].max(initial=0), "s")
        for k, (label, time, y) in enumerate(lines):
            axes.plot(seconds * time, factor * y, label=style.plain(label),
                      color=style.COLOURS[k % len(style.COLOURS)],
                      linestyle=style.STYLES[k // len(style.COLOURS) % len(style.STYLES)])
        name = columns[0].replace("_", " ") if len(columns) == 1 else _QUANTITIES[unit]
        axes.set(xlabel=f"Time [{time_unit}]", ylabel=f"{name.capitalize()} [{shown}]")
        if len(lines) > 1:
            axes.legend()
    return axes


def show(run: Run, options: dict[str, Any], size: tuple[int, int]) -> Any:
    """See Run.show()."""
    views, screen, run_files = (_module(name) for name in ("views", "screen", "run_files"))
    files = run_files.Run(run.directory)
    with screen.Screen(), views.Views(files, [files.chosen_frame(options)], options, size) as shown:
        shown.draw(0)
        return shown.sheet.figure


def unit_of(column: str) -> str:
    """Unit of a column of a table; "" for a number without one."""
    return next((unit for pattern, unit in _UNITS if re.search(pattern, column)), "")


def _lines(rows: numpy.ndarray, columns: Sequence[str], table: str,
           of: str | None) -> Iterator[tuple[str, numpy.ndarray, numpy.ndarray]]:
    """(label, times, values) of each line: of each column, and each part, joint or body."""
    owner = next((name for name in ("obstacle", "joint", "body") if name in rows.dtype.names), None)
    if owner is None:
        if of is not None:
            raise ValueError(f"{table}.csv has no rows by name; leave out `of`")
        owners: list[str | None] = [None]
    else:
        owners = list(dict.fromkeys(rows[owner])) if of is None else [of]
    for name in owners:
        some = rows if name is None else rows[rows[owner] == name]
        if len(some) == 0:
            raise KeyError(f"{table}.csv has no {owner} {name}")
        for column in columns:
            words = [w for w in (name, column.replace("_", " ") if len(columns) > 1 else None) if w]
            yield ": ".join(words) or column.replace("_", " "), some["time"], some[column]


def _module(name: str) -> Any:
    """A module of share/scree/scree_pictures, of the source or of the installation."""
    places = (parent / "share/scree" for parent in pathlib.Path(__file__).resolve().parents)
    share = next((str(p) for p in places if (p / "scree_pictures").is_dir()), None)
    if share is None:
        raise ImportError("share/scree/scree_pictures is not installed with the package scree")
    if share not in sys.path:
        sys.path.append(share)
    try:
        return __import__(f"scree_pictures.{name}", fromlist=[name])
    except ImportError as error:
        raise ImportError(f"{error}; run apt install python3-matplotlib python3-h5py "
                          "python3-vtk9") from error

"""Runs the program on a scene, and reads frames, statistics and verdict as they stand in its
files.
"""

import csv
import dataclasses
import json
import subprocess
from pathlib import Path

import h5py
import numpy as np

FIRST_OBSTACLE = 2**62  # docs/guide/output.md


class BadOutput(Exception):
    """A file of the program cannot be read."""


@dataclasses.dataclass
class Run:
    directory: Path
    status: int
    errors: str
    verdict: dict
    statistics: dict  # column: numbers, a row for each step from 0 on
    obstacles: dict
    grains: dict  # array: [frame, body, …]
    contacts: dict  # array: [contact, …], contacts of all frames one after the other
    contact_step: np.ndarray
    times: np.ndarray


def run_program(program, scene_text, directory, *options):
    """Writes the scene into `directory`, runs it, and gives the process's result."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "scene.yaml").write_text(scene_text, encoding="utf-8")
    command = [program, "run", "scene.yaml", "--out", "run", "--threads", "1", *options]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120,
                          check=False)


def _arrays(path, kind):
    with h5py.File(path) as file:
        step = int(file["scree"].attrs["step"])
        time = float(file["scree"].attrs["time"])
        grid = file["VTKHDF"]
        of_rows = grid["CellData" if kind == "grains" else "PointData"]
        data = {name: array[...] for name, array in of_rows.items()}
        if kind == "contacts":
            data["point"] = grid["Points"][...]
        return step, time, data


def _series(directory, kind):
    listed = json.loads((directory / f"{kind}.hdf.series").read_text(encoding="utf-8"))["files"]
    return [_arrays(directory / entry["name"], kind) for entry in listed]


def _statistics(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != "state_hash"]
    return {name: np.array([float(row[name]) for row in rows]) for name in names}


def read_run(directory, result):
    try:
        grains, contacts = _series(directory, "grains"), _series(directory, "contacts")
        steps = [[step for step, _, _ in frames] for frames in (grains, contacts)]
        if steps != [list(range(len(grains)))] * 2:
            raise BadOutput(f"there is not a frame for each step: {steps}")
        ids = [data["id"] for _, _, data in grains]
        if any(not np.array_equal(ids[0], other) for other in ids):
            raise BadOutput("bodies came or went")
        return Run(directory, result.returncode, result.stderr,
                   json.loads((directory / "verdict.json").read_text(encoding="utf-8")),
                   _statistics(directory / "statistics.csv"),
                   json.loads((directory / "obstacles.json").read_text(encoding="utf-8")),
                   {name: np.array([data[name] for _, _, data in grains])
                    for name in grains[0][2]}, {
                        name: np.concatenate([data[name] for _, _, data in contacts])
                        for name in contacts[0][2]
                    },
                   np.concatenate([np.full(len(data["gap"]), step) for step, _, data in contacts]),
                   np.array([time for _, time, _ in grains]))
    except (OSError, KeyError, ValueError, IndexError) as error:
        raise BadOutput(f"{type(error).__name__}: {error}\n{result.stderr}") from error

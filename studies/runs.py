"""Shared by studies that check their own figures: runs as arrays, and tables with targets."""

import csv
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import study_tools as tools
import pictures
from pictures import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED

COLOURS = [BLUE, RED, GREEN, PURPLE, ORANGE, "#56B4E9", BLACK, "#999999"]


def side_by_side(study, function, items):
    """Results of function(item) for all items, in parallel on the threads of the study. Each run
    takes one thread.
    """
    with ThreadPoolExecutor(study.threads or os.cpu_count()) as pool:
        return list(pool.map(function, items))


class Run:
    """A finished run."""

    def __init__(self, study, name, scene, settings):
        """Runs a scene on one thread in OUT/name, with values replaced: `settings` by path."""
        self.study, self.directory = study, study.out / name
        replaced = [
            word for key, value in settings.items()
            for word in ("--set", f"{key}={json.dumps(value)}")
        ]
        tools.call([
            study.scree, "run", scene, "--out", self.directory, "--force", "--quiet",
            "--no-pictures", "--threads", 1, *replaced
        ], captured=True)

    def times(self):
        """Times of the frames [s]."""
        return [file["time"] for file in self._series("grains")]

    def grains(self, frame=-1):
        """Arrays of a frame by name, bodies in the order of their ids."""
        return self._arrays("grains", frame)

    def contacts(self, frame=-1):
        return self._arrays("contacts", frame)

    def statistics(self):
        """Columns of statistics.csv by name."""
        return pictures.Run(self.directory).statistics()

    def analyse(self, region, **options):
        """Tables of `scree analyse` for a box (min, max) [m], by name, as structured arrays."""
        words = [word for key, value in options.items() for word in (f"--{key}", value)]
        corners = ",".join(f"{float(value):.17g}" for corner in region for value in corner)
        out = self.directory / "analysis"
        tools.call([
            self.study.scree, "analyse", self.directory, f"--region={corners}", "--out", out,
            "--no-pictures", *words
        ], captured=True)
        return {
            path.stem: np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True))
            for path in out.glob("*.csv")
        }

    def _series(self, kind):
        return json.loads((self.directory / f"{kind}.hdf.series").read_text())["files"]

    def _arrays(self, kind, frame):
        with h5py.File(self.directory / self._series(kind)[frame]["name"]) as file:
            grid = file["VTKHDF"]
            if kind == "grains":
                return {key: value[...] for key, value in grid["CellData"].items()}
            return {
                "position": grid["Points"][...],
                **{key: value[...] for key, value in grid["PointData"].items()}
            }


class Verdicts:
    """Figures of a study with their targets."""

    def __init__(self):
        self.rows = []

    def near(self, what, value, wanted, tolerance):
        met = bool(abs(value - wanted) <= tolerance)
        self.rows.append({
            "what": what, "value": float(value), "wanted": float(wanted), "tolerance": tolerance,
            "met": met
        })
        print(
            f"{'ok  ' if met else 'MISS'}  {what}: {value:.4g}, should be "
            f"{wanted:.4g} ± {tolerance:.2g}", flush=True)

    def finish(self, study, **more):
        """Writes results.json and table.md, and exits, with status 3 if a figure is missed."""
        tools.write_results(study, {"figures": self.rows, **more})
        table = [["figure", "value", "should be", "within", "met"]]
        table += [[
            row["what"], f"{row['value']:.4g}", f"{row['wanted']:.4g}", f"{row['tolerance']:.2g}",
            "yes" if row["met"] else "no"
        ] for row in self.rows]
        (study.out / "table.md").write_text(tools.markdown(table))
        print(
            f"Results are in {study.out}: results.json, table.md, tables (CSV) and figures (PNG).")
        sys.stdout.flush()
        sys.exit(tools.DONE if all(row["met"] for row in self.rows) else tools.TOLERANCE_MISSED)


def write_csv(path, head, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])

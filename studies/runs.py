"""Runs scree for a study, and reads what came out."""

import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SCREE_PROGRAM", ROOT / "build/release/apps/scree/scree")

# Okabe and Ito's colours: told apart by everyone.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#999999"]


def options(name, description):
    """The command line that every study has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="a smaller run; exit status 1 if a figure is missed; no plot")
    parser.add_argument("--out", type=Path, default=ROOT / "out/studies" / name, help="where runs and tables go")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs side by side (default: %(default)s)")
    parser.add_argument("--plot", type=Path, help="the plot (default: in the directory of --out)")
    chosen = parser.parse_args()
    chosen.plot = chosen.plot or chosen.out / f"{name}.png"
    chosen.out.mkdir(parents=True, exist_ok=True)
    return chosen


def scree(*arguments, statuses=(0,)):
    """Runs the program; ends the study if it ends with none of these statuses."""
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    if result.returncode not in statuses:
        sys.exit(f"scree {' '.join(map(str, arguments))}\n{result.stdout}{result.stderr}")
    return result.stdout


class Run:
    """A finished run."""

    def __init__(self, scene, directory, settings=(), statuses=(0,)):
        """Runs a scene with values replaced, `settings` by path; one thread, so that runs can be made side by side."""
        self.directory = Path(directory)
        replaced = [word for key, value in dict(settings).items() for word in ("--set", f"{key}={json.dumps(value)}")]
        scree("run", scene, "--out", directory, "--force", "--quiet", "--no-pictures", "--threads", 1, *replaced,
              statuses=statuses)

    def times(self):
        """Of the frames [s]."""
        return [file["time"] for file in self._series("grains")]

    def grains(self, frame=-1):
        """Arrays of a frame, bodies in the order of their ids."""
        return self._arrays("grains", frame)

    def contacts(self, frame=-1):
        return self._arrays("contacts", frame)

    def statistics(self):
        """Columns by name."""
        with open(self.directory / "statistics.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {key: np.array([float(row[key]) for row in rows]) for key in rows[0] if key != "state_hash"}

    def analyse(self, region, name="analysis", **settings):
        """What `scree analyse` finds in a box (min, max) [m]: its tables as columns by name, one dictionary a table."""
        words = [word for key, value in settings.items() for word in (f"--{key.replace('_', '-')}", value)]
        corners = ",".join(f"{float(value):.17g}" for corner in region for value in corner)
        out = self.directory / name
        scree("analyse", self.directory, f"--region={corners}", "--out", out, *words, statuses=(0, 3))
        return {path.stem: np.genfromtxt(path, delimiter=",", names=True, ndmin=1) for path in out.glob("*.csv")}

    def _series(self, kind):
        return json.loads((self.directory / f"{kind}.hdf.series").read_text())["files"]

    def _arrays(self, kind, frame):
        with h5py.File(self.directory / self._series(kind)[frame]["name"]) as file:
            data = file["VTKHDF"]
            return {"position": data["Points"][...], **{key: value[...] for key, value in data["PointData"].items()}}


class Verdicts:
    """Figures and what they should be, told line by line."""

    def __init__(self):
        self.failed = False

    def near(self, what, value, wanted, tolerance):
        good = abs(value - wanted) <= tolerance
        self.failed |= not good
        print(f"{'ok  ' if good else 'MISS'}  {what}: {value:.4g}, should be {wanted:.4g} ± {tolerance:.2g}")

    def exit(self):
        sys.exit(1 if self.failed else 0)


def figure(width=8.0, height=5.0, panels=1):
    """A figure with `panels` axes side by side, drawn without a screen."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({
        "font.size": 11, "legend.fontsize": 9, "legend.frameon": False, "axes.spines.top": False,
        "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4", "axes.axisbelow": True,
        "figure.constrained_layout.use": True, "savefig.dpi": 110,
    })
    return plt.subplots(1, panels, figsize=(width, height))

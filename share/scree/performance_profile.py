#!/usr/bin/python3
"""Draws the performance profile of a directory that `scree solve` wrote: performance_profile.py
DIRECTORY

Reads results.csv, writes performance_profile.png. For each solver it shows the share of problems
solved to the tolerance within a factor of the time of the fastest solver (the profile of Dolan and
Moré). For a single solver it shows the share solved within a time.
"""

import csv
import sys
from pathlib import Path

# The module pictures reports missing packages.
from pictures import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, PictureError

import matplotlib.pyplot as plt
import numpy as np

COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE, BLACK)
DASHES = ("-", "--", ":")  # for more solvers than colours
MIN_TIME = 1e-6  # [s]; shorter times are errors of the clock


def times_of(path):
    """{solver: {problem: seconds}}, infinite if the tolerance was missed; without unusable files.
    """
    times = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["solver"]:
                solved = row["status"] == "converged"
                times.setdefault(
                    row["solver"],
                    {})[row["problem"]] = max(float(row["seconds"]), MIN_TIME) if solved else np.inf
    if not times:
        raise PictureError(f"{path} has no solved problem")
    return times


def ratios_of(times):
    """{solver: times over the least of all solvers}; infinite for a problem that it did not solve.
    """
    problems = list(next(iter(times.values())))
    min_time = {
        p: min(by_problem.get(p, np.inf) for by_problem in times.values()) for p in problems
    }
    return {
        solver: [
            by_problem[p] / min_time[p] if np.isfinite(by_problem.get(p, np.inf)) else np.inf
            for p in problems
        ] for solver, by_problem in times.items()
    }


def draw(times, path):
    alone = len(times) == 1
    values = {solver: list(by_problem.values())
              for solver, by_problem in times.items()} if alone else ratios_of(times)
    finite = [v for column in values.values() for v in column if np.isfinite(v)] or [1]
    left, right = (min(finite) / 1.5 if alone else 1), max(1.5 * max(finite), 2)
    figure, axis = plt.subplots(figsize=(9, 5.5))
    for k, (solver, column) in enumerate(values.items()):
        steps = np.sort([v for v in column if np.isfinite(v)])
        share = np.arange(1, len(steps) + 1) / len(column)
        axis.step([left, *steps, right], [0, *share, share[-1] if len(share) else 0], where="post",
                  label=solver, color=COLOURS[k % len(COLOURS)],
                  linestyle=DASHES[k // len(COLOURS) % len(DASHES)])
    problems = len(next(iter(values.values())))
    axis.set(
        xscale="log", xlim=(left, right), ylim=(0, 1.03), ylabel="share of problems solved",
        xlabel="time [s]" if alone else "time over that of the fastest solver",
        title=f"{problems} problem{'s' * (problems != 1)}" +
        (f" by {next(iter(values))}" if alone else ""))
    if not alone:
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path)
    plt.close(figure)


def main():
    directory = Path(sys.argv[1])
    path = directory / "performance_profile.png"
    temporary = path.with_suffix(".part.png")  # renamed when complete
    try:
        draw(times_of(directory / "results.csv"), temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    print(f"drew {path}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (PictureError, OSError) as error:
        sys.exit(f"warning: no performance profile: {error}")

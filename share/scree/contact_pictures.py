#!/usr/bin/python3
"""Draws single-contact problems: contact_pictures.py PROBLEMS.csv DIRECTORY SCREE

Each of the first 20 problems gets a picture of the plane of maximum compression, u_n = 0, seen
along the normal. It shows contour lines of the objective ½ r·Wr + r·q, the conic in which the
friction cone cuts the plane, and the answers of the laws, which the program SCREE computes. A
second panel shows the objective along the conic.
"""

import csv
import gzip
import io
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pictures  # reports missing packages
from pictures import BLACK, BLUE, GREEN, RED

import matplotlib.pyplot as plt
import numpy as np

MAX_PROBLEMS = 20
MAX_NAME = 60  # characters of an id in titles and file names, which hold at most 255 bytes
# Name on the command line, further arguments, label, marker, colour, size. Later markers are on
# top; all are hollow.
LAWS = (
    ("max_dissipation", [], "maximum dissipation", "*", RED, 18),
    ("cone_complementarity", [], "cone complementarity, as seen along the normal", "D", GREEN, 11),
    ("coulomb", ["--all"], "Coulomb", "o", BLUE, 7),
)


class Problem:

    def __init__(self, row):
        x = {
            key: float(row[key])
            for key in ("W_nn", "W_nt", "W_no", "W_tt", "W_to", "W_oo", "q_n", "q_t", "q_o", "mu")
        }
        self.id, self.mu = row["id"][:MAX_NAME], x["mu"]
        self.W = np.array([[x["W_nn"], x["W_nt"], x["W_no"]], [x["W_nt"], x["W_tt"], x["W_to"]],
                           [x["W_no"], x["W_to"], x["W_oo"]]])
        self.q = np.array([x["q_n"], x["q_t"], x["q_o"]])

    def energy(self, r):
        return 0.5 * np.einsum("...i,ij,...j", r, self.W, r) + r @ self.q

    def in_plane(self, t, o):
        """Impulses with these tangential components and u_n = 0."""
        n = -(self.q[0] + self.W[0, 1] * t + self.W[0, 2] * o) / self.W[0, 0]
        return np.stack([n, t, o], axis=-1)

    def on_conic(self, angle):
        """Impulses on the cone's surface in the plane u_n = 0; NaN if a ray of the cone misses the
        plane.
        """
        ray = np.stack([np.ones_like(angle), self.mu * np.cos(angle), self.mu * np.sin(angle)],
                       axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            length = -self.q[0] / (ray @ self.W[0])
        length[~(length > 0)] = np.nan
        return length[:, None] * ray


def solutions(program, problems, law, more):
    """Impulses of a law: {id: impulses}."""
    done = subprocess.run([program, "contact", problems, "--law", law, *more], capture_output=True,
                          text=True)
    if done.returncode not in (0, 3):
        raise pictures.PictureError(done.stderr.strip())
    found = {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        found.setdefault(row["id"],
                         []).append(np.array([float(row[k]) for k in ("r_n", "r_t", "r_o")]))
    return found


def window(problem, marked):
    """Limits of the view: all answers, and the conic within three times their range."""
    points = np.array([r[1:] for r in marked] + [[0, 0]])
    reach = max(np.ptp(points, axis=0).max(), 1e-300)
    conic = problem.on_conic(np.linspace(0, 2 * np.pi, 2000))[:, 1:]
    conic = conic[np.all(np.isfinite(conic), axis=1)]
    near = conic[np.max(np.abs(conic - points.mean(axis=0)), axis=1) < 3 *
                 reach] if len(conic) else conic
    points = np.concatenate([points, near]) if len(near) else points
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, 0.58 * max((high - low).max(), reach)
    return middle - half, middle + half


def draw(problem, answers, path):
    marked = [r for law in answers for r in law]
    low, high = window(problem, marked)
    figure, (plane, along) = plt.subplots(1, 2, figsize=(13, 6))
    t, o = np.meshgrid(np.linspace(low[0], high[0], 300), np.linspace(low[1], high[1], 300))
    objective = problem.energy(problem.in_plane(t, o))
    levels = objective.min() + np.ptp(objective) * np.linspace(
        0.02, 1, 20)**2.5  # closer together for low values
    lines = plane.contour(t, o, objective, levels=levels, cmap="viridis", linewidths=1)
    plane.clabel(lines, fontsize=8, fmt="%.3g")
    angle = np.linspace(-np.pi, np.pi, 4001)
    conic = problem.on_conic(angle)
    conic[np.max(np.abs(conic[:, 1:]), axis=1) > 1e3 * np.abs([low, high]).max()] = np.nan
    plane.plot(conic[:, 1], conic[:, 2], color=BLACK, label="friction cone in the plane")
    near = np.all((conic[:, 1:] >= low) & (conic[:, 1:] <= high), axis=1)
    if near.any():
        along.plot(np.degrees(angle), np.where(near, problem.energy(conic), np.nan), color=BLACK)
    else:
        along.text(0.5, 0.5, "the cone misses the plane, or has no friction", ha="center",
                   transform=along.transAxes)
    for (_, _, label, marker, colour, size), law in zip(LAWS, answers):
        for k, r in enumerate(law):
            plane.plot(*r[1:], marker, color=colour, markersize=size, fillstyle="none",
                       markeredgewidth=2, label=label if k == 0 else None, zorder=4)
            if np.hypot(*r[1:]) > 0:
                along.plot(np.degrees(np.arctan2(r[2],
                                                 r[1])), problem.energy(r), marker, color=colour,
                           markersize=size, fillstyle="none", markeredgewidth=2, zorder=4)
    plane.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel=r"$r_t$ [N s]",
              ylabel=r"$r_o$ [N s]",
              title=f"{pictures.plain(problem.id)}: energy [J] in the plane $u_n = 0$")
    plane.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=2)
    along.set(xlim=(-180, 180), xticks=range(-180, 181, 60), xlabel="direction of friction [°]",
              ylabel="energy [J]", title="along the cone's edge")
    figure.savefig(path)
    plt.close(figure)


def read_rows(path):
    """Cells by the names of their columns, as `scree contact` reads them."""
    with open(path, "rb") as file:
        opener = gzip.open if file.read(2) == b"\x1f\x8b" else open
    with opener(path, "rt", encoding="utf-8-sig", errors="replace") as file:
        lines = [line for line in file if line.strip() and not line.lstrip().startswith("#")]
    header, *rows = [[cell.strip(' \t\r\n"') for cell in line.split(",")] for line in lines]
    return [dict(zip(header, row, strict=True)) for row in rows]


def answers_of_laws(program, rows):
    """{number of the problem: impulses} for each law; ids may repeat, so numbers replace them."""
    names = [name for name in rows[0] if name != "id"]
    with tempfile.TemporaryDirectory(prefix="scree-") as directory:
        numbered = Path(directory) / "problems.csv"
        with open(numbered, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["id", *names])
            writer.writerows([i, *(row[name] for name in names)] for i, row in enumerate(rows))
        return [solutions(program, numbered, law, more) for law, more, *_ in LAWS]


def file_name(problem, taken):
    """Unique file name of the picture: with _2, _3 … if an id repeats."""
    stem = "".join(c if c.isalnum() or c in "-_." else "_" for c in problem.id) or "problem"
    name, count = stem, 1
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    taken.add(name)
    return f"{name}.png"


def main():
    problems_file, directory, program = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    directory.mkdir(parents=True, exist_ok=True)
    rows = read_rows(problems_file)
    if not rows:
        return 0
    by_law = answers_of_laws(program, rows[:MAX_PROBLEMS])
    # Matplotlib warns of numbers near the limits of doubles; it draws those that it can.
    warnings.simplefilter("ignore")
    status, taken = 0, set()
    for i, row in enumerate(rows[:MAX_PROBLEMS]):
        problem = Problem(row)
        path = directory / file_name(problem, taken)
        temporary = path.with_suffix(".part.png")  # renamed when complete
        try:
            draw(problem, [found.get(str(i), []) for found in by_law], temporary)
            temporary.replace(path)
            print(f"drew {path}")
        except Exception as error:  # continue with the other pictures
            temporary.unlink(missing_ok=True)
            print(f"warning: {path.name} was not drawn: {error}")
            status = 1
    if len(rows) > MAX_PROBLEMS:
        print(f"warning: only the first {MAX_PROBLEMS} of {len(rows)} problems were drawn")
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (pictures.PictureError, OSError) as error:
        sys.exit(f"warning: no pictures: {error}")

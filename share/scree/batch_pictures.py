#!/usr/bin/python3
"""Draws the table of a batch: batch_pictures.py DIRECTORY [--figure COLUMN ...]

Reads table.csv and batch.json, writes batch.png: figures of the runs over the first parameter that
is a number, with a line for each combination of the others. Runs that differ only in a seed give
one point, their mean, with a bar of one standard deviation up and down.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

# The module pictures reports missing packages.
from pictures import COLOURS, DPI, STYLES, PictureError, add_caption, np, plain, plt

WIDTH = 1080
DEFAULT_FIGURES = ["energy_dissipated", "time", "bodies_left", "kinetic_energy", "residual"]
MAX_LINES = len(COLOURS) * len(STYLES)
LOG_AXIS_RATIO = 30  # largest over smallest value from which on the axis is logarithmic


def number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


class Table:
    """Rows and parameters of a batch."""

    def __init__(self, directory):
        about = json.loads((directory / "batch.json").read_text(encoding="utf-8"))
        with open(directory / "table.csv", newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))
        labels = [p["label"] for p in about["parameters"]]
        seeds = [p["label"] for p in about["parameters"] if p["path"].endswith("seed")]
        self.seeds = seeds if len(seeds) < len(labels) else []
        varied = [n for n in labels if len({r[n] for r in self.rows}) > 1 and n not in self.seeds]
        varied = varied or labels[:1]
        numbers = [n for n in varied if all(number(r[n]) is not None for r in self.rows)]
        self.x = (numbers or varied)[0]
        self.lines = [n for n in varied if n != self.x]

    def figures(self):
        """Default figures that differ between runs, at most three."""
        some = [f for f in DEFAULT_FIGURES if len({r[f] for r in self.rows if r[f]} - {""}) > 1]
        return some[:3] or ["energy_dissipated"]

    def positions(self):
        """Position of each value of x on the axis, and labels of ticks if values are words."""
        words = list(dict.fromkeys(r[self.x] for r in self.rows))
        if all(number(w) is not None for w in words):
            return {w: number(w) for w in words}, None
        return {w: float(k) for k, w in enumerate(words)}, words

    def curves(self, figure):
        """{name of a line: (x, mean, deviation, number of runs)}, ordered by x."""
        positions, _ = self.positions()
        found = {}
        for row in self.rows:
            value = number(row[figure])
            if value is None:
                continue
            line = ", ".join(f"{name} = {row[name]}" for name in self.lines)
            found.setdefault(line, {}).setdefault(positions[row[self.x]], []).append(value)
        curves = {}
        for line, points in found.items():
            x = sorted(points)
            values = [np.array(points[k]) for k in x]
            curves[line] = (np.array(x), np.array([v.mean() for v in values]),
                            np.array([v.std(ddof=1) if len(v) > 1 else 0
                                      for v in values]), np.array([len(v) for v in values]))
        return curves


def draw(table, figures):
    for figure in figures:
        if figure not in table.rows[0]:
            raise PictureError(f"the table has no column {figure}")
    shown = {figure: table.curves(figure) for figure in figures}
    if not any(shown.values()):
        raise PictureError("no run has a number to draw yet")
    if max(len(curves) for curves in shown.values()) > MAX_LINES:
        raise PictureError(f"more than {MAX_LINES} lines; draw table.csv with your own program")
    picture, axes = plt.subplots(len(figures), 1, sharex=True, squeeze=False, dpi=DPI,
                                 figsize=(WIDTH / DPI, (200 + 320 * len(figures)) / DPI))
    axes = axes[:, 0]
    positions, words = table.positions()
    for ax, figure in zip(axes, figures):
        for k, (line, (x, mean, deviation, runs)) in enumerate(shown[figure].items()):
            style = dict(color=COLOURS[k % len(COLOURS)], marker="o", markersize=5,
                         linestyle="" if words else STYLES[k // len(COLOURS) % len(STYLES)],
                         label=plain(line) if line else None)
            if np.any(runs > 1):
                ax.errorbar(x, mean, deviation, capsize=4, **style)
            else:
                ax.plot(x, mean, **style)
        ax.set_ylabel(plain(figure))
    if words:
        axes[-1].set_xticks(range(len(words)), [plain(w) for w in words])
        axes[-1].set_xlim(-0.5, len(words) - 0.5)
    else:
        values = np.array(list(positions.values()))
        if values.min() > 0 and values.max() >= LOG_AXIS_RATIO * values.min():
            axes[-1].set_xscale("log")
    axes[-1].set_xlabel(plain(table.x))
    if len(next(iter(shown.values()))) > 1:
        axes[0].legend(loc="best")
    add_caption(axes[0], caption_of(table, figures, shown))
    return picture


def caption_of(table, figures, shown):
    count = len(table.rows)
    drawn = sum(int(runs.sum()) for _, _, _, runs in shown[figures[0]].values())
    caption = f"{count} runs" if drawn == count else f"{drawn} of {count} runs"
    if any(np.any(runs > 1) for _, _, _, runs in shown[figures[0]].values()):
        caption += f"; means over {', '.join(plain(s) for s in table.seeds)}, bars: " \
                   "one standard deviation"
    return caption


def main():
    parser = argparse.ArgumentParser(description="Draws the table of a batch of scree.")
    parser.add_argument("directory", help="directory of a batch")
    parser.add_argument("--figure", action="append", help="column to draw; may be repeated")
    arguments = parser.parse_args()
    directory = Path(arguments.directory)
    try:
        table = Table(directory)
        picture = draw(table, arguments.figure or table.figures())
        temporary = directory / "batch.part.png"
        picture.savefig(temporary)
        temporary.replace(directory / "batch.png")
    except (OSError, ValueError, KeyError, PictureError) as error:
        print(f"warning: batch.png was not drawn: {error}")
        return 1
    print(f"drew {directory / 'batch.png'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

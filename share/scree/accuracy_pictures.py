"""Draws and tabulates answers.csv for `scree study accuracy`: answers over the residuals of their
steps.
"""

import csv
from collections import defaultdict

import numpy as np

import pictures
from pictures import BLACK, BLUE, GREEN, ORANGE, PURPLE, PictureError, plt

COLOURS = [BLUE, GREEN, ORANGE, PURPLE, BLACK]  # by time step, the shortest first
NEEDED = ("answer", "unit", "value", "problem", "seed", "h", "asked", "residual", "verdict",
          "sweeps", "overlap")


class Answers:
    """Rows of answers.csv, one for each answer of a run."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))
        if not self.rows:
            raise PictureError(f"{path} has no answers")
        for name in NEEDED:
            if name not in self.rows[0]:
                raise PictureError(f"{path} has no column {name}")

    def names(self):
        return list(dict.fromkeys(row["answer"] for row in self.rows))

    def steps(self):
        return sorted({float(row["h"]) for row in self.rows})

    def summary(self, answer):
        """Mean and standard error of an answer over the fillings, for each time step and accuracy;
        and its relative deviation from the first case [-].
        """
        groups = defaultdict(list)
        for row in self.rows:
            if row["answer"] == answer:
                groups[row["h"], row["asked"]].append(row)
        found = [self._case(rows) for rows in groups.values()]
        first = found[0]
        for case in found:
            case["deviation"] = case["mean"] / first["mean"] - 1
            both = 0 if case is first else np.hypot(case["error"], first["error"])
            case["deviation_error"] = both / abs(first["mean"])
        return found

    def _case(self, rows):
        values, residuals = ([float(row[key]) for row in rows] for key in ("value", "residual"))
        count = len(rows)
        return {
            "answer": rows[0]["answer"], "unit": rows[0]["unit"], "h": float(rows[0]["h"]),
            "asked": rows[0]["asked"], "fillings": count, "mean": np.mean(values),
            "error": np.std(values, ddof=1) / np.sqrt(count) if count > 1 else np.nan,
            "residual": np.mean(residuals)
        }

    def quality(self, h, asked):
        """Mean residual and sweeps, largest overlap and verdicts of all runs of a case."""
        runs = {(row["problem"], row["seed"]): row for row in self.rows
                if float(row["h"]) == h and row["asked"] == asked}.values()
        mean = {key: np.mean([float(run[key]) for run in runs]) for key in ("residual", "sweeps")}
        return {
            **mean, "overlap": max(float(run["overlap"]) for run in runs), "runs": len(runs),
            "met": sum(run["verdict"] == "met" for run in runs)
        }


def draw(answers, path):
    """Draws a panel for each answer: deviation from the first case over the mean E_s of steps."""
    names, steps = answers.names(), answers.steps()
    figure, panels = plt.subplots(2, -(-len(names) // 2), figsize=(4.2 * -(-len(names) // 2), 7),
                                  squeeze=False)
    for axes, name in zip(panels.flat, names):
        cases = answers.summary(name)
        axes.axhspan(-5, 5, color="#eef3f7", lw=0)
        for h, colour in zip(steps, COLOURS):
            of_step = sorted((case for case in cases if case["h"] == h),
                             key=lambda case: case["residual"])
            x, y, error = ([case[key] for case in of_step]
                           for key in ("residual", "deviation", "deviation_error"))
            # One filling has no error.
            axes.errorbar(x, 100 * np.array(y), 100 * np.nan_to_num(error), fmt="o-", lw=1, ms=5,
                          capsize=3, color=colour, label=f"h = {h:g} √(d/g)")
        first = cases[0]
        axes.set(xscale="log", xlabel="mean E_s of the steps", ylabel="deviation [%]",
                 title=f"{name}:\n{first['mean']:.3g} {first['unit']}")
    for axes in panels.flat[len(names):]:
        axes.axis("off")
    figure.get_layout_engine().set(rect=(0, 0.06, 1, 0.94))
    figure.legend(*panels.flat[0].get_legend_handles_labels(), loc="lower center", ncol=len(steps))
    figure.savefig(path, dpi=pictures.DPI)
    plt.close(figure)


def table_of(answers):
    """Head and rows: deviations of all answers by time step and accuracy [%]."""
    names = answers.names()
    summaries = {name: answers.summary(name) for name in names}
    table = [["h / √(d/g)", "asked", "mean E_s", "sweeps", "overlap / d", "met", *names]]
    for k, case in enumerate(summaries[names[0]]):
        quality = answers.quality(case["h"], case["asked"])
        table.append([
            f"{case['h']:g}", case["asked"], f"{quality['residual']:.2g}",
            f"{quality['sweeps']:.3g}", f"{quality['overlap']:.2g}",
            f"{quality['met']} of {quality['runs']}", *(deviation(summaries[name][k])
                                                        for name in names)
        ])
    return table


def deviation(case):
    if np.isnan(case["deviation_error"]):
        return f"{100 * case['deviation']:+.1f}"
    return f"{100 * case['deviation']:+.1f} ± {100 * case['deviation_error']:.1f}"

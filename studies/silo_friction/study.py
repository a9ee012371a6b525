#!/usr/bin/python3
"""Rate at which a slab of a silo flows out of a slot, for frictions of grains from 0 to 0.9."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import grains
import study_tools
from problems import Hopper
from study_tools import pictures

FRICTIONS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9]


def hopper(friction):
    problem = Hopper()
    problem.friction = friction
    return problem


def solid_fraction(run):
    """Solid fraction of the flowing bulk: two grains from the side walls, in the middle third of
    the height.
    """
    fractions, half = [], Hopper.width / 2 - 2
    for frame, (_, time) in enumerate(run.frames()):
        if time < Hopper.flows_from:
            continue
        x, volume = grains.positions_and_volumes(run, frame)
        low, high = np.quantile(x[x[:, 2] > 0, 2], [0.33, 0.67])
        inside = (np.abs(x[:, 0]) < half) & (x[:, 2] > low) & (x[:, 2] < high)
        fractions.append(volume[inside].sum() / (2 * half * Hopper.thickness * (high - low)))
    return np.mean(fractions)


def draw(frictions, rate, error):
    figure, axis = pictures.plt.subplots(figsize=(6, 4))
    axis.errorbar(frictions, rate, error, fmt="o-", color=pictures.BLUE, lw=1, capsize=3)
    axis.set(xlabel="friction μ", ylabel="C of the slot", xlim=(-0.02, None), ylim=(0, None))
    return figure


def main():
    study = study_tools.arguments(__doc__)
    frictions, seeds = (FRICTIONS[::3], [1]) if study.quick else (FRICTIONS, [1, 2, 3])
    runs = grains.run_all(
        study, {f"mu{mu}_seed{s}": hopper(mu).scene(s) for s in seeds for mu in frictions})
    rows = []
    for mu in frictions:
        of_friction = [runs[f"mu{mu}_seed{s}"] for s in seeds]
        rates = np.array([hopper(mu).measure(run, None)[0] for run in of_friction])
        volume = np.mean([grains.positions_and_volumes(run, 0)[1].mean() for run in of_friction])
        fractions = np.array([solid_fraction(run) for run in of_friction])
        rate, error = grains.mean_and_error(rates)
        c, c_error = grains.mean_and_error(rates * volume / fractions / Hopper.reduced_slot())
        missed = sum(run.statistics()["steps_not_converged"].sum() for run in of_friction)
        rows.append([mu, rate, error, float(fractions.mean()), c, c_error, int(missed)])
    frictions, _, _, _, c, error, _ = np.array(rows).T
    grains.finish(
        study, draw(frictions, c, error), "silo_friction",
        ["friction", "rate", "error", "solid fraction", "C", "error of C", "steps that missed"],
        rows)


if __name__ == "__main__":
    study_tools.run(main)

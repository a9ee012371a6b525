#!/usr/bin/python3
"""Draws the forces of a pair: pair_pictures.py MOTION.csv FORCES.csv PICTURE.png

Draws the normal force over the overlap, both forces and the components of the shear force over the
steps, and the energy of springs, dashpots and friction.
"""

import csv
import gzip
import sys

from pictures import BLACK, BLUE, GREEN, RED  # reports missing packages

import matplotlib.pyplot as plt
import numpy as np


def read(path):
    """Columns of numbers by name."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = rows[0].keys() if rows else []
    return {name: np.array([float(row[name]) for row in rows]) for name in names}


def vectors(columns, name):
    return np.stack([columns[name + axis] for axis in "xyz"], axis=1)


def draw(forces, picture):
    fn = np.linalg.norm(vectors(forces, "Fn"), axis=1)
    shear = vectors(forces, "Fs")
    fs = np.linalg.norm(shear, axis=1)
    touching = forces["contact"] > 0
    figure, axes = plt.subplots(2, 2, figsize=(11, 8), constrained_layout=True)

    axes[0, 0].plot(1e6 * forces["un"][touching], fn[touching], ".", ms=2, color=BLUE)
    axes[0, 0].set(xlabel="overlap [µm]", ylabel="|F_n| [N]", title="Normal force")

    axes[0, 1].plot(forces["iter"], fn, color=BLUE, label="|F_n|")
    axes[0, 1].plot(forces["iter"], fs, color=RED, label="|F_s|")
    axes[0, 1].set(xlabel="step", ylabel="force [N]", title="Forces over time")
    axes[0, 1].legend()

    for axis, colour, name in zip(range(3), (BLUE, GREEN, RED), "xyz"):
        axes[1, 0].plot(forces["iter"], shear[:, axis], color=colour, label=f"F_s{name}")
    axes[1, 0].set(xlabel="step", ylabel="force on body 2 [N]", title="Shear force")
    axes[1, 0].legend()

    energies = (("elastic_normal", BLUE), ("elastic_shear", GREEN), ("damped", BLACK), ("slid",
                                                                                        RED))
    for name, colour in energies:
        axes[1, 1].plot(forces["iter"], forces[name], color=colour, label=name.replace("_", " "))
    axes[1, 1].set(xlabel="step", ylabel="energy [J]", title="Where the work goes")
    axes[1, 1].legend()
    figure.savefig(picture, dpi=120)
    return figure


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__)
    forces = read(arguments[1])
    if not forces:
        sys.exit(f"{arguments[1]} has no rows")
    draw(forces, arguments[2])


if __name__ == "__main__":
    main(sys.argv[1:])

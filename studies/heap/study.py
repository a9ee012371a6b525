#!/usr/bin/python3
"""Angle of the heap that stays on a rough floor when the wall at its end sinks slowly, against
friction.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import grains
import study_tools
from study_tools import pictures

FRICTIONS = [0.05, 0.1, 0.2, 0.5, 1.0]
LENGTH, THICKNESS, HEIGHT = 20, 5, 11
# when the wall begins to sink, how fast, how long grains then come to rest
RELEASE, SPEED, REST = 14, 0.5, 150


def scene(friction, seed):
    sunk = RELEASE + HEIGHT / SPEED
    wall = {
        "box": {
            "min": [LENGTH, -1, -HEIGHT], "max": [LENGTH + 1, THICKNESS + 1, HEIGHT],
            **grains.SMOOTH, "motion": {
                "velocity": [0, 0, f"t > {RELEASE} && t < {sunk} ? {-SPEED} : 0"]
            }
        }
    }
    # The filling is higher than the wall until it has settled.
    above = grains.half_space([LENGTH, 0, 0], [-1, 0, 0], **grains.SMOOTH,
                              motion={"velocity": [f"t > {RELEASE} ? 50 : 0", 0, 0]})
    obstacles = [
        grains.half_space([0, 0, 0], [1, 0, 0], **grains.SMOOTH), wall, above,
        *grains.smooth_sides(THICKNESS), *grains.rods(LENGTH, THICKNESS)
    ]
    filling = grains.filling([0, 0, 0], [LENGTH, THICKNESS, 2 * HEIGHT],
                             LENGTH * THICKNESS * HEIGHT, 0.2, seed)
    far = 1e6
    return grains.scene(friction, sunk + REST, 5, [filling], obstacles,
                        [([LENGTH + 0.5, -far, -far], [far, far, far])])


def slope(run):
    return grains.slope(pictures.read_grains(run.frames()[-1][0]), LENGTH, THICKNESS)


def draw(frictions, angle, error):
    figure, axis = pictures.plt.subplots(figsize=(6, 4))
    axis.errorbar(frictions, angle, error, fmt="o-", color=pictures.BLUE, lw=1, capsize=3,
                  label="scree, spheres")
    fine = np.linspace(0, 0.7)
    axis.plot(fine, np.degrees(np.arctan(fine)), "--", color=pictures.BLACK, lw=1,
              label="arctan μ: a block on a slope")
    axis.set(xlabel="friction μ", ylabel="angle of the heap [deg]", xlim=(0, None), ylim=(0, 35))
    axis.legend(loc="lower right")
    return figure


def main():
    study = study_tools.arguments(__doc__)
    frictions, seeds = (FRICTIONS[::2], [1, 2]) if study.quick else (FRICTIONS, [1, 2, 3])
    runs = grains.run_all(study,
                          {f"mu{mu}_seed{s}": scene(mu, s) for s in seeds for mu in frictions})
    rows = []
    for mu in frictions:
        of_friction = [runs[f"mu{mu}_seed{s}"] for s in seeds]
        angle, error = grains.mean_and_error([slope(run) for run in of_friction])
        # Fraction of the grains that leave over the edge in the last 20 √(d/g).
        bodies = np.array([run.statistics()["bodies"] for run in of_friction])
        rows.append([mu, angle, error, float(1 - bodies[:, -1].sum() / bodies[:, -101].sum())])
    figure = draw(*np.array(rows).T[:3])
    grains.finish(study, figure, "heap",
                  ["friction", "angle [deg]", "error [deg]", "share lost at the end"], rows)


if __name__ == "__main__":
    study_tools.run(main)

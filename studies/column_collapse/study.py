#!/usr/bin/python3
"""Run-out of a column of grains over a rough floor when its wall is removed: a slab, and a quarter
of a round column.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import grains
import study_tools
from study_tools import pictures

FRICTION = 0.5
AWAY = 50  # speed of the removed walls
ROLLING = 0.02  # length of rolling friction, if any
STRIP = 2.0  # width of the strips of floor over which depths are means


def times(height):
    """Time at which the wall goes, when the filling rests, and of the end, when the heap rests."""
    release = 1.5 * np.sqrt(2 * height) + 8
    return release, release + 4.5 * np.sqrt(height) + 10


class Column:
    """A column about a plane or an axis of symmetry; the frames are of its filling, its rest, and
    (the last one) its end.
    """

    def __init__(self, aspect, base, rolling=0, rough_sides=False):
        self.aspect, self.base, self.height = aspect, base, aspect * base
        self.rolling, self.rough_sides = rolling, rough_sides

    def name(self):
        more = "_rolling" * (self.rolling > 0) + "_rough" * self.rough_sides
        return f"{type(self).__name__.lower()}{self.aspect}{more}"

    def scene(self, seed):
        release, until = times(self.height)
        side, depth = self.filled()
        filling = grains.filling([0, 0, 0],
                                 [side, depth, self.room() * self.height + 2],
                                 self.floor_area(0, self.base) * self.height, 0.2, seed)
        walls = [
            grains.half_space([0, 0, -0.5], [0, 0, 1]),
            grains.half_space([0, 0, 0], [1, 0, 0], **grains.SMOOTH)
        ]
        for n in self.gates():
            motion = {"velocity": [f"t > {release} ? {-AWAY * c} : 0" for c in n]}
            walls.append(
                grains.half_space([-self.base * c for c in n], n, motion=motion, **grains.SMOOTH))
        scene = grains.scene(FRICTION, until, release, [filling], walls + self.surroundings())
        if self.rolling > 0:
            scene["default_law"]["rolling_friction"] = self.rolling
        return scene

    def measure(self, run):
        """Height of the settled column, and travel of its front, both over its base.

        A column of uniform density is twice as high as the mean of its grains. The front is where
        the depth falls below half a grain; beyond it there are single grains.
        """
        x, volume = grains.positions_and_volumes(run, 1)
        height = 2 * (x[:, 2] * volume).sum() / volume.sum()
        x, volume = grains.positions_and_volumes(run)
        distance = self.distance(x)
        edges = np.arange(0, distance.max() + 2 * STRIP, STRIP)
        depth = np.histogram(distance, edges,
                             weights=volume)[0] / grains.FRACTION / self.floor_area(
                                 edges[:-1], edges[1:])
        middle, beyond = edges[:-1] + STRIP / 2, np.argmax(depth < 0.5)
        front = np.interp(0.5, depth[[beyond, beyond - 1]], middle[[beyond, beyond - 1]])
        return height / self.base, front / self.base - 1


class Slab(Column):
    title = "slab"
    cases = [(0.5, 16), (1, 16), (2, 12), (3, 12), (4, 8), (8, 8)]
    thickness = 4
    published = (1.2, 2.3, 1.9, 2 / 3)  # factor of a, up to which a, factor and exponent beyond

    def filled(self):
        return self.base, self.thickness

    def room(self):
        return 2

    def gates(self):
        return [[-1, 0, 0]]

    def surroundings(self):
        reach = int(self.base * (1 + 4 * max(self.aspect, self.aspect**0.7))) + 10
        sides = grains.smooth_sides(self.thickness)
        if self.rough_sides:
            for side in sides:
                side["half_space"]["material"] = "grains"
        return sides + grains.rods(reach, self.thickness)

    def floor_area(self, begin, end):
        return self.thickness * (end - begin)

    def distance(self, x):
        return x[:, 0]


class Round(Column):
    """A column within a polygon of half-spaces; the grains fill the square in it, then spread."""

    title = "round column"
    cases = [(0.5, 12), (1, 12), (2, 10), (3.5, 8), (6, 8)]
    published = (1.24, 1.7, 1.6, 1 / 2)

    def filled(self):
        return self.base / np.sqrt(2), self.base / np.sqrt(2)

    def room(self):
        return 3.2

    def gates(self):
        angles = np.pi / 12 * (np.arange(6) + 0.5)
        return [[-np.cos(angle), -np.sin(angle), 0] for angle in angles]

    def surroundings(self):
        reach = int(self.base * (1 + 3 * max(min(self.aspect, 2), np.sqrt(self.aspect)))) + 10
        plane = grains.half_space([0, 0, 0], [0, 1, 0], **grains.SMOOTH)
        return [plane, *grains.rods(reach, reach), *grains.rods(reach, reach, across=True)]

    def floor_area(self, begin, end):
        return np.pi / 4 * (end**2 - begin**2)

    def distance(self, x):
        return np.hypot(x[:, 0], x[:, 1])


def published(kind, aspect):
    linear, limit, factor, exponent = kind.published
    return np.where(aspect < limit, linear * aspect, factor * aspect**exponent)


def powers(kind, aspect, run_out):
    """Exponent of the run-out in the low and in the tall columns, by name."""
    low = aspect < kind.published[1]
    return {
        name: np.polyfit(np.log(aspect[part]), np.log(run_out[part]), 1)[0]
        for name, part in (("low", low), ("tall", ~low)) if part.sum() > 1
    }


def draw(axis, kind, aspect, run_out, error):
    fine = np.geomspace(0.4, 12, 200)
    axis.loglog(fine, published(kind, fine), "--", color=pictures.BLACK, lw=1, label="experiments")
    axis.errorbar(aspect, run_out, error, fmt="o", color=pictures.BLUE, capsize=3,
                  label="scree, spheres, μ = 0.5")
    axis.set(title=kind.title, xlabel="height over base, a", ylabel="run-out over base")
    axis.legend()


def measured(columns, runs, seeds):
    """Aspect, run-out and its error, of each column over all fillings."""
    rows = []
    for column in columns:
        results = np.array([column.measure(runs[f"{column.name()}_seed{s}"]) for s in seeds])
        rows.append([results[:, 0].mean(), *grains.mean_and_error(results[:, 1])])
    return np.array(rows).T


def main():
    study = study_tools.arguments(__doc__)
    seeds, step = ([1, 2], 2) if study.quick else ([1, 2, 3], 1)
    plain = {kind.title: [kind(*case) for case in kind.cases[::step]] for kind in (Slab, Round)}
    # Possible reasons why tall columns follow another law of run-out.
    other = {} if study.quick else {
        f"{kind.title}, {what}": [kind(*case, **change) for case in kind.cases[2:]]
        for kind, what, change in ((Slab, "resists rolling", {"rolling": ROLLING}),
                                   (Slab, "rough sides", {"rough_sides": True}),
                                   (Round, "resists rolling", {"rolling": ROLLING}))
    }
    every = plain | other
    runs = grains.run_all(study, {
        f"{c.name()}_seed{s}": c.scene(s) for s in seeds for columns in every.values()
        for c in columns
    })
    figure, axes = pictures.plt.subplots(1, 2, figsize=(10, 4))
    table = []
    for title, columns in every.items():
        kind = type(columns[0])
        aspect, run_out, error = measured(columns, runs, seeds)
        if title in plain:
            draw(axes[int(kind is Round)], kind, aspect, run_out, error)
        table += [[title, *row, float(row[1] / published(kind, row[0]))]
                  for row in zip(aspect, run_out, error)]
        print(
            f"exponents, {title}:",
            ", ".join(f"{name} {value:.2f}"
                      for name, value in powers(kind, aspect, run_out).items()))
    grains.finish(study, figure, "column_collapse",
                  ["column", "a", "run-out", "error", "over the published"], table)


if __name__ == "__main__":
    study_tools.run(main)

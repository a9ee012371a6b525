#!/usr/bin/python3
"""Random packings of equal spheres under isotropic compression, without friction and with it,
against [AgnolinRoux07].

Between walls, all figures are those of the bulk: spheres at least three diameters from the walls.
In a periodic cell, the spheres are soft, and all of them count.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import packing  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

COUNT = 4000
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Case:
    friction: float
    start: float  # solid fraction of the gas from which friction acts
    min_contacts: int  # of a sphere that carries forces: with fewer it is a rattler
    published: tuple = ()  # solid fraction, coordination number without rattlers

    def __str__(self):
        return f"μ = {self.friction:g}, from {self.start:g}"


SMOOTH = Case(0.0, 0.45, 4, (0.639, 6.0))
ROUGH = Case(0.3, 0.3, 2, (0.593, 4.5))
# With friction there is no one packing: the denser the gas in which friction begins to act, the
# denser it is.
ROUGH_FROM_DENSER = Case(0.3, 0.45, 2)
PERIODIC = Path(__file__).resolve().parent / "periodic.yaml"
LEAST_FORCE = 0.01  # of the mean: smaller impulses are what the solver has left over


@dataclass(frozen=True)
class Cell:
    """Soft spheres that are pressed together in a cell that repeats."""
    case: Case
    stiffness: float  # of springs along the normal, in pressures times diameters
    restitution: float

    def settings(self):
        """Settings of periodic.yaml."""
        springs = {"k_n": self.stiffness, "k_t": self.stiffness / 2}
        friction = {"friction": self.case.friction, "restitution": self.restitution}
        laws = {"default_law": springs, "stages[1].default_law": springs | friction}
        return {"step.h": 0.0025 * (1000 / self.stiffness)**0.5} | {
            f"{law}.{key}": value for law, values in laws.items() for key, value in values.items()
        }

    def __str__(self):
        return f"μ = {self.case.friction:g}, k_n = {self.stiffness:g} p d, e = {self.restitution:g}"


# The softer spheres are, the more they touch; the less they lose, the denser they come to rest.
CELLS = (Cell(SMOOTH, 1000, 0.3), Cell(ROUGH, 1000, 0.3), Cell(ROUGH, 30000, 0.3),
         Cell(ROUGH, 30000, 0.6), Cell(ROUGH, 30000, 0.9))


def region(side, inset):
    """The cube that begins `inset` diameters from the walls."""
    corner = side / 2 - inset * packing.DIAMETER
    return (-corner,) * 3, (corner,) * 3


def solid_fraction(run, side):
    """Mean over five cubes that begin three to four diameters from the walls: the layers at walls
    end at any of their phases.
    """
    tables = [run.analyse(region(side, inset), frames=1) for inset in np.linspace(3, 4, 5)]
    return float(np.mean([table["solid_fraction"]["solid_fraction"][-1] for table in tables]))


def coordination(grains, contacts, inside, min_contacts):
    """Loaded contacts of a sphere of the backbone, and the part of spheres that are rattlers, of
    those that are inside.
    """
    count = len(grains["id"])
    force = np.linalg.norm(contacts["impulse"], axis=1)
    loaded = force > LEAST_FORCE * force[force > 0].mean()
    ends = np.stack([contacts["id_a"], contacts["id_b"]])[:, loaded]
    free = ends < count  # the others are walls
    carries = np.ones(count, bool)
    while True:
        both = np.all(np.where(free, carries[np.where(free, ends, 0)], True), axis=0)
        degree = np.bincount(ends[:, both][free[:, both]], minlength=count)
        left = carries & (degree >= min_contacts)
        if np.array_equal(left, carries):
            break
        carries = left
    return float(degree[inside & carries].mean()), float(1 - carries[inside].mean())


class Packing:
    """A jammed packing and what is reported of it."""

    def __init__(self, study, seed, case):
        self.seed, self.case, self.friction, self.start = seed, case, case.friction, case.start
        name = f"friction{case.friction}_from{case.start}_seed{seed}"
        run, side = packing.jam(study, name, COUNT, seed, case.friction, case.start,
                                report=lambda line: print(f"{name}, {line}", flush=True))
        self.side = side
        self.overlap = packing.overlap(run)
        self.solid_fraction = solid_fraction(run, side)
        grains = run.grains(packing.PRESSED)  # while the walls still press
        inside = np.all(np.abs(grains["position"]) < region(side, 3)[1][0], axis=1)
        self.coordination, self.rattlers = coordination(grains, run.contacts(packing.PRESSED),
                                                        inside, case.min_contacts)
        rdf = run.analyse(region(side, 2.5), frames=1, bins=400)["rdf"]
        self.distance = (rdf["r_inner"] + rdf["r_outer"]) / 2 / packing.DIAMETER
        self.rdf = rdf["g"]


def pressed(study, number, cell):
    """Solid fraction without what spheres overlap, coordination and rattlers of the backbone."""
    run = runs.Run(study, f"cell_{number}", PERIODIC, cell.settings())
    case = cell.case
    last = np.genfromtxt(run.directory / "cell.csv", delimiter=",", names=True)[-1]
    grains, contacts = run.grains(), run.contacts()
    overlap = -contacts["gap"][contacts["gap"] < 0].mean()  # diameters are 1
    count = len(grains["id"])
    volume = last["edge_xx"] * last["edge_yy"] * last["edge_zz"]
    fraction = count * np.pi / 6 * (1 - overlap)**3 / volume
    return fraction, *coordination(grains, contacts, np.ones(count, bool), case.min_contacts)


def tell_cells(study):
    """Packings in a cell, beside the published ones; no figure of them is judged."""
    cells = CELLS[:2] if study.quick else CELLS
    found = runs.side_by_side(study, lambda each: pressed(study, *each), list(enumerate(cells)))
    for cell, (fraction, contacts, rattlers) in zip(cells, found):
        published = cell.case.published
        print(f"{cell} in a cell that repeats: solid fraction {fraction:.4f} (published "
              f"{published[0]}), coordination {contacts:.3f} (published {published[1]}) without "
              f"the {100 * rattlers:.1f} % rattlers")
    runs.write_csv(study.out / "cells.csv",
                   ["friction", "k_n", "restitution", "solid_fraction", "coordination", "rattlers"],
                   [[cell.case.friction, cell.stiffness, cell.restitution, *figures]
                    for cell, figures in zip(cells, found)])


def summary(values):
    """Mean, and its standard error."""
    values = np.array(values)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan


def peak(distance, g, low, high):
    """Where g is highest between two distances [diameters]."""
    inside = (distance > low) & (distance < high)
    return float(distance[inside][np.argmax(g[inside])])


def judge(packings, verdicts):
    for case in dict.fromkeys(p.case for p in packings):
        of = [p for p in packings if p.case == case]
        values, errors = zip(*(summary([getattr(p, name) for p in of])
                               for name in ("solid_fraction", "coordination", "rattlers")))
        print(f"{case}, {len(of)} packings of {COUNT}: solid fraction "
              f"{values[0]:.4f} ± {errors[0]:.4f}, coordination "
              f"{values[1]:.3f} ± {errors[1]:.3f} without the "
              f"{100 * values[2]:.1f} ± {100 * errors[2]:.1f} % rattlers")
        if case.published:
            verdicts.near(f"solid fraction, {case}", values[0], case.published[0], 0.005)
            verdicts.near(f"coordination number, {case}", values[1], case.published[1], 0.1)
    smooth = [p for p in packings if p.case == SMOOTH]
    distance, g = smooth[0].distance, np.mean([p.rdf for p in smooth], axis=0)
    for name, low, high, wanted in (("contact", 0.9, 1.2, 1), ("second, first part", 1.6, 1.85,
                                                               3**0.5), ("second, second part",
                                                                         1.87, 2.1, 2)):
        verdicts.near(f"peak of g(r), {name} [d]", peak(distance, g, low, high), wanted,
                      0.02 * wanted)


def draw(packings, path):
    fig, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.4))
    for case, colour in zip(dict.fromkeys(p.case for p in packings), runs.COLOURS):
        of = [p for p in packings if p.case == case]
        left.plot([p.solid_fraction for p in of], [p.coordination for p in of], "o", color=colour,
                  label=str(case))
        right.plot(of[0].distance, np.mean([p.rdf for p in of], axis=0), color=colour, lw=1.2,
                   label=str(case))
    for fraction, contacts in (SMOOTH.published, ROUGH.published):
        left.errorbar(fraction, contacts, xerr=0.005, yerr=0.1, color=runs.BLACK, fmt="+", ms=10,
                      lw=1, capsize=3)
    left.plot([], [], "+", color=runs.BLACK, label="published")
    left.set(xlabel="solid fraction", ylabel="coordination number without rattlers")
    left.legend(loc="upper left")
    for distance in (1, 3**0.5, 2):
        right.axvline(distance, color="#999999", lw=0.8, ls=":")
    right.set(xlim=(0.9, 4), ylim=(0, 4), xlabel="r / d", ylabel="g(r)")
    right.legend()
    fig.savefig(path, dpi=90)


def main():
    study = tools.arguments("Random packings of equal spheres against published ones.")
    wanted = [(seed, case) for seed in (SEEDS[:1] if study.quick else SEEDS)
              for case in (SMOOTH, ROUGH, ROUGH_FROM_DENSER)]
    packings = runs.side_by_side(study, lambda each: Packing(study, *each), wanted)
    columns = [
        "seed", "friction", "start", "side", "overlap", "solid_fraction", "coordination", "rattlers"
    ]
    runs.write_csv(study.out / "packings.csv", columns,
                   [[getattr(p, name) for name in columns] for p in packings])
    runs.write_csv(study.out / "pair_distribution.csv",
                   ["seed", "friction", "start", "distance", "g"],
                   [[p.seed, p.friction, p.start, r, g] for p in packings
                    for r, g in zip(p.distance, p.rdf)])
    verdicts = runs.Verdicts()
    judge(packings, verdicts)
    tell_cells(study)
    draw(packings, study.out / "packing.png")
    verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

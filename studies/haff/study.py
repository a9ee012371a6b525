#!/usr/bin/python3
"""Haff's law: the temperature of a granular gas that cools by itself falls as 1 / (1 + t/τ)²
[Haff83].

Smooth spheres of diameter, mass and temperature 1 between elastic walls. Spheres at a wall are hit
from one side only, so a gas in a box cools more slowly by a share that falls as the inverse of the
box: two boxes are extrapolated to none.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

SCENE = Path(__file__).resolve().parent / "gas.yaml"
FRACTION, RESTITUTION = 0.1, 0.9
CONTACT_VALUE = (1 - FRACTION / 2) / (1 - FRACTION)**3  # g(r) at contact, by Carnahan and Starling
TAU = 6 / ((1 - RESTITUTION**2) * 4 * (6 * FRACTION / np.pi) * CONTACT_VALUE * np.sqrt(np.pi))
SPACING = (np.pi / 6 / FRACTION)**(1 / 3)
BOXES = {10: range(101, 117), 20: range(1, 9)}  # spheres along a side: seeds
FORGOTTEN = 3  # time after which the lattice is forgotten, some five collisions of each sphere


def temperatures(study, side, seed):
    """Times and temperatures of a gas of side³ spheres."""
    # The fraction is that of the space for centres, which stay half a diameter from the walls.
    width = side * SPACING + 1
    cells = np.stack(np.meshgrid(*3 * [np.arange(side)], indexing="ij"), axis=-1).reshape(-1, 3)
    velocities = np.random.default_rng(seed).normal(size=(side**3, 3))
    table = study.out / f"side{side}_seed{seed}.csv"
    np.savetxt(table, np.hstack([SPACING * (cells + 0.5) + 0.5, velocities]), delimiter=",",
               header="x,y,z,vx,vy,vz", comments="", fmt="%.17g")
    walls = [{
        "half_space": {
            "point": [width if k == axis and far else 0
                      for k in range(3)], "normal": [(-1 if far else 1) if k == axis else 0
                                                     for k in range(3)], "material": "wall"
        }
    } for axis in range(3) for far in (False, True)]
    run = runs.Run(
        study, f"side{side}_seed{seed}", SCENE, {
            "bodies": [{"csv": {"file": str(table.resolve()), "radius": 0.5, "material": "gas"}}],
            "obstacles": walls
        })
    statistics = run.statistics()
    return statistics["time"], 2 * statistics["kinetic_energy"] / (3 * side**3)


def cooling_rate(gas):
    """Slope of 1/√T, over Haff's."""
    time, temperature = gas
    counted = time >= FORGOTTEN
    return float(TAU * np.polyfit(time[counted], 1 / np.sqrt(temperature[counted]), 1)[0])


def draw(gases, path):
    figure, axes = plt.subplots(figsize=(7, 4.4))
    for (side, group), colour in zip(gases.items(), runs.COLOURS):
        for k, (time, temperature) in enumerate(group):
            label = f"box of {side * SPACING:.0f} d, {side**3} spheres" if k == 0 else None
            axes.plot(time / TAU, 1 / np.sqrt(temperature / temperature[0]), color=colour, lw=0.8,
                      label=label)
    axes.plot([0, 1], [1, 2], "--", color=runs.BLACK, lw=1.2, label="Haff: 1 + t/τ")
    axes.set(xlim=(0, 1), ylim=(1, None), xlabel="t / τ [–]", ylabel="√(T₀ / T) [–]")
    axes.legend()
    figure.savefig(path, dpi=90)


def main():
    study = tools.arguments(__doc__)
    wanted = [(side, seed) for side, seeds in BOXES.items()
              for seed in (list(seeds)[:-(-len(seeds) // 2)] if study.quick else seeds)]
    found = runs.side_by_side(study, lambda each: temperatures(study, *each), wanted)
    gases = {side: [gas for (of, _), gas in zip(wanted, found) if of == side] for side in BOXES}
    rates = {side: np.array([cooling_rate(gas) for gas in group]) for side, group in gases.items()}
    runs.write_csv(study.out / "cooling.csv", ["side", "seed", "rate_over_haff"],
                   [[side, seed, cooling_rate(gas)] for (side, seed), gas in zip(wanted, found)])
    for side, rate in rates.items():
        print(f"box of {side * SPACING:.0f} d, {len(rate)} runs: cooling rate over Haff's "
              f"{rate.mean():.4f} ± {rate.std(ddof=1) / len(rate)**0.5:.4f}")
    verdicts = runs.Verdicts()
    verdicts.near("cooling rate over Haff's, extrapolated to no walls",
                  2 * rates[20].mean() - rates[10].mean(), 1, 0.05)
    draw(gases, study.out / "haff.png")
    verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

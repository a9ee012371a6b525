#!/usr/bin/python3
"""Janssen's law: friction on the walls of a silo supports all grains except those within about a
width of the floor.

With p the vertical stress in a section and s the weight of the grains above it over its area, a
silo of square section obeys

    dp/ds = 1 − p/s∞,     p = s∞ (1 − exp(−s/s∞)),     s∞ = ρ g λ,   λ = W / (4 μ K)

if walls bear μ K p. The saturation s∞ is proportional to the width W. The study fits its ratio to
W to the narrow silo, and predicts the wide silo by it.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

SCENE = Path(__file__).resolve().parent / "silo.yaml"
DIAMETER, DENSITY, G, STEP = 1e-3, 2500.0, 9.81, 2e-4
DEPTH = 38  # diameters filled
SETTLED = 0.16  # start of averages; the walls rise from 0.12 s on [s]
NARROW, WIDE = 8, 12  # diameters
FIRST_OBSTACLE = 1 << 62  # its id; the floor's


class Silo:
    """A run, averaged over time: in 24 sections the weight above s, the vertical stress p; and what
    walls and floor bear.
    """

    def __init__(self, study, width, seed):
        self.width, self.seed = width * DIAMETER, seed
        self.run = runs.Run(study, f"width{width}_seed{seed}", SCENE, self._settings(seed))
        frames = [k for k, time in enumerate(self.run.times()) if time > SETTLED]
        sums = np.mean([self._sections(k) for k in frames], axis=0)
        self.weight_above, self.stress = sums[:24], sums[24:48]
        self.friction = sums[48] / sums[49]  # mobilised at the walls [-]
        self.floor, self.walls = sums[50], sums[51]  # fractions of the weight that they bear [-]

    def _settings(self, seed):
        half = self.width / 2
        count = round(0.58 * (self.width / DIAMETER)**2 * DEPTH / (np.pi / 6))
        top = count * np.pi / 6 * DIAMETER**3 / self.width**2 / 0.3
        settings = {
            "bodies[0].random.region": {"min": [-half, -half, 0], "max": [half, half, top]},
            "bodies[0].random.count": count, "bodies[0].random.seed": seed
        }
        for k, point in enumerate([[-half, 0, 0], [half, 0, 0], [0, -half, 0], [0, half, 0]],
                                  start=1):
            settings[f"obstacles[{k}].half_space.point"] = point
        return settings

    def _sections(self, frame):
        grains, contacts = self.run.grains(frame), self.run.contacts(frame)
        z, mass = grains["position"][:, 2], grains["mass"]
        of_wall, of_floor = contacts["id_b"] > FIRST_OBSTACLE, contacts["id_b"] == FIRST_OBSTACLE
        force = contacts["impulse"] / STEP  # of the grain on the obstacle
        at, down = contacts["position"][of_wall, 2], -force[of_wall, 2]
        normal = np.abs(np.sum(force[of_wall] * contacts["normal"][of_wall], axis=1))
        heights = np.linspace(0, 0.95 * DEPTH * DIAMETER, 24)
        above = np.array([mass[z > height].sum() * G for height in heights])
        borne = np.array([down[at > height].sum() for height in heights])
        total, floor = mass.sum() * G, -force[of_floor, 2].sum()
        # In one step, the load of floor and walls differs from the weight by the acceleration of
        # all grains.
        stress = above * (floor + down.sum()) / total - borne
        return np.concatenate([
            above / self.width**2, stress / self.width**2,
            [down.sum(), normal.sum(), floor / total,
             down.sum() / total]
        ])


def janssen(weight_above, saturation):
    return saturation * (1 - np.exp(-weight_above / saturation))


def fitted(silos):
    """Saturation of the best fit to all of them, by least squares over a fine grid [Pa]."""
    s, p = (np.concatenate([getattr(silo, name) for silo in silos])
            for name in ("weight_above", "stress"))
    grid = np.geomspace(0.02, 5, 4000) * s.max()
    return float(grid[np.argmin([np.sum((p - janssen(s, value))**2) for value in grid])])


def draw(narrow, wide, ratio, path):
    fig, axis = plt.subplots(figsize=(8, 5))
    unit = DENSITY * G * DIAMETER
    for silos, width, colour in ((narrow, NARROW, runs.COLOURS[0]), (wide, WIDE, runs.COLOURS[1])):
        s = np.mean([silo.weight_above for silo in silos], axis=0) / unit
        p = np.array([silo.stress for silo in silos]) / unit
        axis.errorbar(s, p.mean(axis=0),
                      p.std(axis=0, ddof=1) if len(silos) > 1 else None, fmt="o", ms=4,
                      color=colour, label=f"{width} diameters wide, {len(silos)} fillings")
        line = np.linspace(0, s.max(), 200)
        axis.plot(
            line, janssen(line, ratio * width * DIAMETER / unit), color=colour,
            ls="-" if width == NARROW else "--",
            label="Janssen's law, fitted here" if width == NARROW else "Janssen's law, predicted")
    axis.plot([0, 9.5], [0, 9.5], color="#bbbbbb", lw=1)
    axis.text(9.2, 9.5, "no friction", color="#888888", fontsize=9, ha="right")
    axis.set(xlabel="weight of the grains above, over the area [$\\rho g d$]",
             ylabel="vertical stress [$\\rho g d$]", ylim=(0, 10))
    axis.legend(loc="lower right")
    fig.savefig(path, dpi=90)


def judge(narrow, wide, ratio, verdicts):
    for silo in narrow + wide:
        label = f"width {silo.width / DIAMETER:.0f} d, seed {silo.seed}"
        print(
            f"{label}: walls bear {silo.friction:.3f} of their load by friction; saturation alone "
            f"{fitted([silo]) / (DENSITY * G * silo.width):.3f} ρ g W")
        verdicts.near(f"floor and walls bear the weight, {label}", silo.floor + silo.walls, 1, 0.05)
    predicted = ratio * WIDE * DIAMETER
    verdicts.near("saturation of the wide silo, over that predicted",
                  fitted(wide) / predicted, 1, 0.1)
    s, p = (np.mean([getattr(silo, name) for silo in wide], axis=0)
            for name in ("weight_above", "stress"))
    verdicts.near("stress in the wide silo, farthest from the prediction, over the saturation",
                  np.abs(p - janssen(s, predicted)).max() / predicted, 0, 0.1)


def main():
    study = tools.arguments("Janssen's law: one width fitted, another predicted.")
    wanted = [(width, seed) for seed in ((1,) if study.quick else (1, 2, 3))
              for width in (WIDE, NARROW)]
    silos = runs.side_by_side(study, lambda each: Silo(study, *each), wanted)
    wide, narrow = ([silo for silo, (width, _) in zip(silos, wanted) if width == which]
                    for which in (WIDE, NARROW))
    ratio = fitted(narrow) / (NARROW * DIAMETER)

    verdicts = runs.Verdicts()
    judge(narrow, wide, ratio, verdicts)
    runs.write_csv(
        study.out / "stress.csv", ["width", "seed", "weight_above", "stress", "predicted"],
        [[silo.width, silo.seed, s, p, janssen(s, ratio * silo.width)] for silo in silos
         for s, p in zip(silo.weight_above, silo.stress)])
    draw(narrow, wide, ratio, study.out / "janssen.png")
    verdicts.finish(study, saturation_over_width=ratio / (DENSITY * G))


if __name__ == "__main__":
    tools.run(main)

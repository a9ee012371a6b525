#!/usr/bin/python3
"""Compares soft grains in the limit of stiff springs with rigid grains: results and costs of a heap
that settles and of a silo that empties.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

DIAMETER, DENSITY, FRICTION = 5e-3, 2500.0, 0.4
WIDTH = 0.05  # of box and silo, 10 diameters [m]
STIFFNESSES = [30.0, 300.0, 3e3, 3e4, 3e5]  # k_n [N/m]
RIGID_STEPS = [4e-3, 2e-3, 1e-3, 5e-4]  # [s]
FLOWS = 0.15  # from now on the discharge is looked at [s]


def half_space(point, normal):
    return {"half_space": {"point": point, "normal": normal}}


def walls():
    w = WIDTH
    return [
        half_space([0, 0, 0], [1, 0, 0]),
        half_space([w, 0, 0], [-1, 0, 0]),
        half_space([0, 0, 0], [0, 1, 0]),
        half_space([0, w, 0], [0, -1, 0])
    ]


def floor_with_slot():
    """Two boxes that leave a slot of 4 diameters from wall to wall."""
    side = (WIDTH - 4 * DIAMETER) / 2
    return [{"box": {"position": [x, WIDTH / 2, -0.01], "size": [side, 2 * WIDTH, 0.02]}}
            for x in (side / 2, WIDTH - side / 2)]


def scene(count, seed, until, settings, obstacles, interval):
    return {
        "scree": 1, "until": until, "gravity": [0, 0, -9.81],
        "materials": {"grain": {"density": DENSITY}},
        "bodies": [{
            "random": {
                "region": {"min": [0, 0, 0], "max": [WIDTH, WIDTH, count * 2.4e-7 / WIDTH**2]},
                "count": count, "seed": seed,
                "radius": {"uniform": [0.45 * DIAMETER, 0.55 * DIAMETER]}
            }
        }],
        "obstacles": walls() + obstacles,
        "outflows": [{"min": [-1, -1, -1], "max": [1, 1, -0.04]}],
        "output": {"frame_interval": interval, "statistics_interval": 0.01},
        **settings
    }  # yapf: disable


def soft(k_n):
    """Settings of springs; the step is a 25th of the contact time of two of the lightest grains."""
    lightest = DENSITY * 4 / 3 * np.pi * (0.45 * DIAMETER)**3
    return {
        "step": {"h": float(np.pi * np.sqrt(lightest / 2 / k_n) / 25)},
        "default_law": {
            "law": "cundall_strack", "k_n": k_n, "k_t": 2 / 7 * k_n, "friction": FRICTION,
            "restitution": 0.3, "damping_ratio": 1
        }
    }  # yapf: disable


def rigid(h):
    return {
        "step": {"h": h}, "solver": {"tolerance": 1e-3, "max_sweeps": 200},
        "default_law": {"law": "coulomb", "friction": FRICTION, "restitution": 0.3}
    }


class Case:
    """A family of contacts at one k_n or one step."""

    def __init__(self, study, family, value):
        self.study, self.family, self.value = study, family, value
        self.name = f"{family}_{value:g}"
        self.settings = soft(value) if family == "soft" else rigid(value)

    def run(self, what, count, seed, until, obstacles, interval):
        """The run, and the CPU time of a simulated second [s]."""
        path = self.study.out / f"{what}_{self.name}_{seed}.yaml"
        path.write_text(json.dumps(scene(count, seed, until, self.settings, obstacles, interval)))
        before = os.times()
        run = runs.Run(self.study, path.stem, path, {})
        after = os.times()
        spent = after.children_user - before.children_user
        return run, spent / until


def normal_forces(run, frame, low, high):
    """Forces of the loaded contacts in a band of heights, over their mean; and pairs of bodies."""
    contacts = run.contacts(frame)
    z = contacts["position"][:, 2]
    normal = np.abs(np.sum(contacts["impulse"] * contacts["normal"], axis=1))
    loaded = (z > low) & (z < high) & (normal > 0)
    return normal[loaded] / normal[loaded].mean()


def settle(case, quick):
    """Coordination number in the inner heights, normal forces, height of the middle grain."""
    run, cost = case.run("pile", 200 if quick else 300, 1, 0.4, [half_space([0, 0, 0], [0, 0, 1])],
                         0)
    grains, contacts = run.grains(), run.contacts()
    z = grains["position"][:, 2]
    low, high = 2 * DIAMETER, np.quantile(z, 0.9)
    inner = grains["id"][(z > low) & (z < high)]
    normal = np.abs(np.sum(contacts["impulse"] * contacts["normal"], axis=1))
    loaded = normal > 1e-3 * normal.mean()
    ends = np.concatenate([contacts["id_a"][loaded], contacts["id_b"][loaded]])
    number = np.isin(ends, inner).sum() / len(inner)
    return {
        "coordination": float(number), "mean_height": float(z.mean() / DIAMETER),
        "forces": normal_forces(run, -1, low, high), "pile_cost": cost
    }


def flow(case, quick):
    """Rate of grains [1/s], mean over fillings, and the error of the mean."""
    rates, costs = [], []
    until = 0.4
    for seed in (1, 2) if quick else (1, 2, 3):
        run, cost = case.run("silo", 300 if quick else 450, seed, until, floor_with_slot(), 0)
        table = run.statistics()
        time = table["time"]
        begun = time > FLOWS
        left = np.cumsum(table["bodies_removed"])
        rates.append(np.polyfit(time[begun], left[begun], 1)[0])
        costs.append(cost)
    return {
        "rate": float(np.mean(rates)), "rate_error": float(np.std(rates, ddof=1) /
                                                           np.sqrt(len(rates))),
        "silo_cost": float(np.mean(costs))
    }  # yapf: disable


def tail(forces):
    """The rate of exp(−rate f) beyond the mean: 1/(mean of f − 1 where f > 1)."""
    above = forces[forces > 1]
    return float(1 / np.mean(above - 1))


def draw(rows, path):
    figure, axes = plt.subplots(2, 2, figsize=(10, 7))
    softs = [row for row in rows if row["family"] == "soft"]
    rigids = [row for row in rows if row["family"] == "rigid"]
    k = [row["value"] for row in softs]
    finest = rigids[-1]
    for axis, name, label in ((axes[0, 0], "rate", "discharge [grains/s]"),
                              (axes[0, 1], "coordination", "coordination number")):
        error = [row.get(f"{name}_error", 0) for row in softs]
        axis.errorbar(k, [row[name] for row in softs], error, fmt="o-", color=runs.COLOURS[0],
                      capsize=3, label="cundall_strack")
        axis.axhline(finest[name], color=runs.COLOURS[1], ls="--",
                     label=f"coulomb, h = {1e3 * finest['value']:g} ms")
        axis.set(xscale="log", xlabel="$k_n$ [N/m]", ylabel=label)
        axis.legend()
    edges = np.linspace(0, 5, 16)
    for row, colour in ((softs[0], 2), (softs[len(softs) // 2], 3), (softs[-1], 0), (finest, 1)):
        density, _ = np.histogram(row["forces"], edges, density=True)
        axes[1, 0].semilogy((edges[1:] + edges[:-1]) / 2, density, "o-", ms=3,
                            color=runs.COLOURS[colour], label=label_of(row))
    axes[1, 0].set(xlabel="normal force over its mean", ylabel="density")
    axes[1, 0].legend()
    for family, colour in ((softs, 0), (rigids, 1)):
        axes[1, 1].loglog([row["silo_cost"] for row in family],
                          [max(abs(row["rate"] / softs[-1]["rate"] - 1), 1e-4) for row in family],
                          "o-", color=runs.COLOURS[colour], label=family[0]["law"])
    axes[1, 1].set(xlabel="seconds of a core a simulated second (silo)",
                   ylabel="discharge, off that of the stiffest")
    axes[1, 1].legend()
    figure.savefig(path, dpi=80)


def label_of(row):
    return f"k_n = {row['value']:g} N/m" if row["family"] == "soft" else \
        f"coulomb, h = {1e3 * row['value']:g} ms"


def main():
    study = tools.arguments("Soft grains in the limit of stiff springs, beside rigid ones.")
    stiffnesses = STIFFNESSES[1:4] if study.quick else STIFFNESSES
    steps = RIGID_STEPS[1:3] if study.quick else RIGID_STEPS
    rows = []
    for family, values in (("soft", stiffnesses), ("rigid", steps)):
        for value in values:
            case = Case(study, family, value)
            row = {
                "family": family, "law": "cundall_strack" if family == "soft" else "coulomb",
                "value": value, **settle(case, study.quick), **flow(case, study.quick)
            }
            row["tail"] = tail(row["forces"])
            rows.append(row)
            print(
                f"{label_of(row)}: {row['rate']:.0f} ± {row['rate_error']:.0f} grains/s, "
                f"{row['coordination']:.2f} contacts, tail exp(-{row['tail']:.2f} f), "
                f"{row['pile_cost']:.1f} and {row['silo_cost']:.1f} s/s", flush=True)
    names = [
        "law", "value", "rate", "rate_error", "coordination", "mean_height", "tail", "pile_cost",
        "silo_cost"
    ]
    runs.write_csv(study.out / "rigid_limit.csv", names, [[row[n] for n in names] for row in rows])
    edges = np.linspace(0, 5, 16)
    runs.write_csv(study.out / "forces.csv", ["law", "value", "force_over_mean", "density"],
                   [[row["law"], row["value"], (a + b) / 2, d] for row in rows
                    for a, b, d in zip(edges, edges[1:],
                                       np.histogram(row["forces"], edges, density=True)[0])])
    draw(rows, study.out / "rigid_limit.png")
    head = ["law", "k_n [N/m] or h [s]", *names[2:]]
    table = [head] + [[row["law"], f"{row['value']:g}"] + [f"{row[n]:.3g}" for n in names[2:]]
                      for row in rows]
    (study.out / "table.md").write_text(tools.markdown(table))
    tools.write_results(study, [{n: row[n] for n in names} for row in rows])


if __name__ == "__main__":
    tools.run(main)

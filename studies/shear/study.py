#!/usr/bin/python3
"""Steady simple shear of spheres under a constant pressure: friction and solid fraction over the
inertial number I = rate d √(density / pressure), beside the law μ(I) of glass beads.

One run has slower and slower stages, each from the end of the one before. The first half of the
strain of a stage erases its memory of the earlier ones.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

SCENE = Path(__file__).resolve().parent / "shear.yaml"
STEP, PRESS = 0.0025, 10  # as the scene has them
STRAINS = {0.3: 4, 0.1: 3, 0.03: 2, 0.01: 1.5, 0.003: 1, 0.001: 0.5}  # by inertial number
SERVO = {"pressure": {"y": 1}, "viscosity": 20, "smoothing": 0.05, "max_rate": 0.3}
FRICTION, MOST_FRICTION, I_0 = 0.38, 0.64, 0.279  # of glass beads, docs/validation/shear.md
BLOCKS = 5  # whose means tell how sure the whole is


def friction_of_beads(inertial):
    return FRICTION + (MOST_FRICTION - FRICTION) / (I_0 / inertial + 1)


def stages_of(strains):
    """Stages of the scene, and times at which the stages of shear begin and end."""
    stages, times, time = [{"name": "press", "until": PRESS}], [], PRESS
    for inertial, strain in strains.items():
        length = round(strain / inertial / STEP) * STEP
        stages.append({
            "name": f"I = {inertial}", "until": length, "cell": {**SERVO, "rate": {"xy": inertial}}
        })
        times.append((time, time + length))
        time += length
    return stages, times


class Flow:
    """Means in the steady half of a stage, with errors from means of blocks."""

    def __init__(self, inertial, cell, solid):
        blocks = np.array_split(np.arange(len(cell)), BLOCKS)
        pressure = cell["contact_yy"] + cell["kinetic_yy"]
        shear = -(cell["contact_yx"] + cell["kinetic_yx"])
        fraction = solid / (cell["edge_xx"] * cell["edge_yy"] * cell["edge_zz"])
        self.pressure = pressure.mean()
        self.inertial = inertial / np.sqrt(self.pressure)
        self.friction = shear.mean() / self.pressure
        self.fraction = fraction.mean()

        def error(means):
            return float(np.std(means, ddof=1) / np.sqrt(BLOCKS))

        self.friction_error = error([shear[b].mean() / pressure[b].mean() for b in blocks])
        self.fraction_error = error([fraction[b].mean() for b in blocks])


def flows_of(run, strains, times):
    """Results of the stages of which the run has at least three quarters."""
    cell = np.genfromtxt(run.directory / "cell.csv", delimiter=",", names=True)
    solid = np.sum(4 / 3 * np.pi * run.grains(0)["radius"]**3)
    flows = []
    for inertial, (begin, end) in zip(strains, times):
        if cell["time"][-1] < begin + 0.75 * (end - begin):
            break
        steady = (cell["time"] > (begin + end) / 2) & (cell["time"] <= end)
        flows.append(Flow(inertial, cell[steady], solid))
    return flows


def judge(flows, verdicts):
    for flow in flows:
        print(f"I = {flow.inertial:.4f}: friction {flow.friction:.3f} ± {flow.friction_error:.3f}, "
              f"solid fraction {flow.fraction:.4f} ± {flow.fraction_error:.4f}, "
              f"pressure {flow.pressure:.3f}")
        verdicts.near(f"friction at I = {flow.inertial:.3g}", flow.friction,
                      friction_of_beads(flow.inertial), 0.05)
        verdicts.near(f"pressure at I = {flow.inertial:.3g}", flow.pressure, 1, 0.05)
    for faster, slower in zip(flows, flows[1:]):
        scatter = np.hypot(faster.fraction_error, slower.fraction_error)
        verdicts.near(f"slower is no looser, from I = {faster.inertial:.3g}",
                      min(0, slower.fraction - faster.fraction), 0, 2 * scatter)


def draw(flows, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.4))
    inertial = [flow.inertial for flow in flows]
    for axes, name in ((left, "friction"), (right, "fraction")):
        axes.errorbar(inertial, [getattr(flow, name) for flow in flows],
                      [getattr(flow, f"{name}_error") for flow in flows], fmt="o", capsize=3,
                      color=runs.BLUE, label="scree")
        axes.set(xscale="log", xlabel="I")
    curve = np.geomspace(1e-3, 0.4, 100)
    left.plot(curve, friction_of_beads(curve), "--", color=runs.BLACK, label="glass beads")
    left.set(ylabel="shear stress / pressure", ylim=(0.25, 0.6))
    left.legend()
    right.set(ylabel="solid fraction")
    figure.savefig(path, dpi=90)


class ARun(runs.Run):
    """A run that resumes after a stop, as it takes long."""

    def __init__(self, study, name, scene, settings):
        self.study = study
        words = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
        self.directory = tools.simulate(study, name, scene, words).path


def main():
    study = tools.arguments(__doc__)
    strains = dict(list(STRAINS.items())[:3]) if study.quick else STRAINS
    stages, times = stages_of(strains)
    settings = {"stages": stages}
    if study.quick:
        settings |= {
            "bodies[0].random.count": 500, "bodies[0].random.region.max": 3 * [10],
            "cell.period": 3 * [10]
        }
    flows = flows_of(ARun(study, "shear", SCENE, settings), strains, times)
    columns = ["inertial", "friction", "friction_error", "fraction", "fraction_error", "pressure"]
    runs.write_csv(study.out / "shear.csv", columns,
                   [[getattr(flow, name) for name in columns] for flow in flows])
    verdicts = runs.Verdicts()
    judge(flows, verdicts)
    draw(flows, study.out / "shear.png")
    verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

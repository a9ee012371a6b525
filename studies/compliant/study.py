#!/usr/bin/python3
"""Compares compliant laws with closed forms, measurements and another program: impacts of Chung and
Ooi's tests 1 to 8, the cases DEM01 to DEM05 of MFIX, and traces of forces by Yade.
"""

import csv
import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

TRACES = Path(__file__).resolve().parent.parent.parent / "tests" / "data" / "yade"
FLOOR = {"half_space": {"point": [0, 0, 0], "normal": [0, 0, 1], "material": "wall"}}
OXIDE = {"density": 4000, "young": 380e9, "poisson": 0.23}
RADIUS, SPEED, MU = 0.0025, 3.9, 0.092  # oxide sphere [m, m/s, –]
# Kharaz, Gorham and Salman: angle of incidence [deg], ratio of tangential velocities [-]
MEASURED = [(5, 0.948), (10, 0.687), (15, 0.624), (20, 0.616), (25, 0.634), (30, 0.684),
            (40, 0.781), (50, 0.845), (60, 0.893), (80, 0.966)]
G = 9.81


class Lab:
    """Runs scenes built from their parts."""

    def __init__(self, study):
        self.study = study
        self.verdicts = runs.Verdicts()

    def run(self, name, h, until, materials, laws, spheres, obstacles=(FLOOR,), gravity=0.0,
            every=0.0):
        scene = {
            "scree": 1, "until": until, "gravity": [0, 0, -gravity], "step": {"h": h},
            "materials": materials, "default_law": {"law": "frictionless"}, "laws": laws,
            "bodies": [{"sphere": s} for s in spheres], "obstacles": list(obstacles),
            "allow_overlap": True,
            "output": {"frame_interval": every, "statistics_interval": until}
        }  # yapf: disable
        path = self.study.out / f"{name}.yaml"
        path.write_text(json.dumps(scene))
        return runs.Run(self.study, name, path, {})


def sphere(x, z, radius, velocity=(0, 0, 0), spin=(0, 0, 0), material="solid", y=0.0):
    return {
        "position": [x, y, z], "radius": radius, "velocity": list(map(float, velocity)),
        "angular_velocity": list(map(float, spin)), "material": material
    }


def hertz(pair, mu, e, **more):
    return {"between": pair, "law": "hertz_mindlin", "friction": mu, "restitution": e, **more}


def linear(pair, k_n, k_t, mu, e, **more):
    return {
        "between": pair, "law": "cundall_strack", "k_n": k_n, "k_t": k_t, "friction": mu,
        "restitution": e, **more
    }


def loading(run, h):
    """Overlap and normal force of every step of an impact."""
    rows = []
    for frame in range(1, len(run.times())):
        c = run.contacts(frame)
        if len(c["gap"]):
            rows.append((-c["gap"][0], abs(np.dot(c["impulse"][0], c["normal"][0])) / h))
    return np.array(rows)


def elastic_impacts(lab):
    """T1: equal spheres at 10 m/s each; T2: a sphere of 10 cm at 0.2 m/s on a rigid wall."""
    cases = [("T1, glass", 48e9, 0.2, 2800, 0.01, 10, 10696.889, 274.1127e-6, 40.3395e-6),
             ("T1, limestone", 20e9, 0.25, 2500, 0.01, 10, 7108.2413, 368.3040e-6, 54.2010e-6),
             ("T2, aluminium", 70e9, 0.3, 2699, 0.1, 0.2, 11369.8583, 49.7172e-6, 731.657e-6),
             ("T2, magnesium", 40e9, 0.35, 1800, 0.1, 0.2, 7232.6810, 52.1233e-6, 767.066e-6)]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    for k, (name, young, poisson, density, r, v, force, overlap, time) in enumerate(cases):
        h = time / 100
        solid = {"solid": {"density": density, "young": young, "poisson": poisson}, "wall": {}}
        gap, pair = 1e-9, name.startswith("T1")
        spheres = [sphere(-r - gap, 0, r, [v, 0, 0]),
                   sphere(r +
                          gap, 0, r, [-v, 0, 0])] if pair else [sphere(0, r + gap, r, [0, 0, -v])]
        run = lab.run(name.replace(", ", "_"), h, 110 * h, solid,
                      [hertz(["solid", "solid" if pair else "wall"], 0, 1)], spheres,
                      [] if pair else [FLOOR], every=h)
        found = loading(run, h)
        axis, colour = axes[0 if pair else 1], runs.COLOURS[k % 2]
        line = np.linspace(0, overlap)
        axis.plot(1e6 * line,
                  force * (line / overlap)**1.5 / 1e3, color=colour, lw=1, label=f"{name}: Hertz")
        axis.plot(1e6 * found[::4, 0], found[::4, 1] / 1e3, "o", ms=4, mfc="none", color=colour,
                  label="scree")
        axis.plot(1e6 * overlap, force / 1e3, "*", ms=12, color=colour)
        axis.set(xlabel="overlap [µm]", ylabel="normal force [kN]")
        axis.legend()
        lab.verdicts.near(f"{name}: largest force [N]", found[:, 1].max(), force, 1e-3 * force)
        lab.verdicts.near(f"{name}: largest overlap [m]", found[:, 0].max(), overlap,
                          1e-3 * overlap)
    return figure


def impact_step(law, per_impact):
    """Step for the oxide sphere at SPEED: a fraction of its contact time, by Hertz or linear."""
    return {"hertz_mindlin": 6.1e-6, "cundall_strack": 1.226e-5}[law] / per_impact


def restitution(lab, axis):
    """T3: oxide spheres side by side, each with its own material, against the wall."""
    wanted = [0.2, 0.4, 0.6, 0.8, 1.0]
    for law, colour in (("hertz_mindlin", 0), ("cundall_strack", 1)):
        materials = {"wall": {}, **{f"e{k}": OXIDE for k in range(len(wanted))}}
        laws = [
            hertz([f"e{k}", "wall"], 0, e)
            if law == "hertz_mindlin" else linear([f"e{k}", "wall"], 1.72e7, 1.48e7, 0, e)
            for k, e in enumerate(wanted)
        ]
        run = lab.run(f"T3_{law}", impact_step(law, 100), 5e-5, materials, laws, [
            sphere(0.01 * k, RADIUS + 1e-9, RADIUS, [0, 0, -SPEED], material=f"e{k}")
            for k in range(len(wanted))
        ])
        found = run.grains()["velocity"][:, 2] / SPEED
        axis.plot(wanted, found, "os"[colour], color=runs.COLOURS[colour], mfc="none", label=law)
        for e, value in zip(wanted, found):
            lab.verdicts.near(f"T3: {law}, e = {e}", value, e, 0.01 * e)
    axis.plot([0, 1], [0, 1], color="#888888", lw=1, label="as asked for")
    axis.set(xlabel="restitution asked for", ylabel="speed after over speed before", title="T3")
    axis.legend()


def oblique(lab, name, law, angles, per_impact):
    """Velocities and spins of oxide spheres after impacts at these angles of incidence [deg]."""
    theta = np.radians(angles)
    run = lab.run(name, impact_step(
        law["law"], per_impact), 5e-5, {"solid": OXIDE, "wall": {}}, [law], [
            sphere(0.01 * k, RADIUS + 1e-9, RADIUS, [SPEED * np.sin(a), 0, -SPEED * np.cos(a)])
            for k, a in enumerate(theta)
        ])
    grains = run.grains()
    return grains["velocity"], grains["angular_velocity"]


def kharaz(lab, axis):
    """T4: ratio of tangential velocities, compared with the experiment."""
    measured = np.array(MEASURED)
    angles = np.unique(np.concatenate([measured[:, 0], np.arange(2.5, 85, 2.5)]))
    theta = np.radians(angles)
    for label, law, colour in (("hertz_mindlin", hertz(["solid", "wall"], MU, 0.98), 0),
                               ("cundall_strack", linear(["solid", "wall"], 1.72e7, 1.48e7, MU,
                                                         0.98), 1)):  # yapf: disable
        velocity, _ = oblique(lab, f"T4_{label}", law, angles, 200)
        kept = velocity[:, 0] / (SPEED * np.sin(theta))
        axis.plot(angles, kept, color=runs.COLOURS[colour], label=label)
        if colour == 0:
            for angle, value in MEASURED:
                lab.verdicts.near(f"T4: {angle}°, tangential velocity kept",
                                  kept[angles == angle][0], value, 0.04 * value)
    slides = angles > 33
    rigid = np.where(slides, 1 - MU * 1.98 / np.tan(theta), 5 / 7)
    axis.plot(angles, np.maximum(rigid, 5 / 7), color="#888888", lw=1, ls="--", label="rigid")
    axis.plot(*measured.T, "k*", ms=9, label="measured by Kharaz et al.")
    axis.set(xlabel="angle of incidence [deg]", ylabel="tangential velocity kept", title="T4",
             ylim=(0.55, 1))
    axis.legend()


def sliding_impacts(lab):
    """T5 to T8: what friction gives, over μ (1 + e) times the normal impulse, is 1 where the
    sphere slides all along, and 2/7 of the slip over that where a rigid one sticks.
    """
    figure, axis = plt.subplots(figsize=(7, 4.2))
    slips = np.array([0.5, 1, 2, 3, 4, 5, 6, 8])  # over μ (1 + e) v_n
    found = {"T5: sliding onto a wall": sliding_onto_wall(lab, slips),
             "T6: spinning onto a wall": spinning_onto_wall(lab, slips),
             "T7: equal spheres, spinning": spinning_spheres(lab, slips, 1),
             "T8: unequal spheres, spinning": spinning_spheres(lab, slips, 2)}  # yapf: disable
    line = np.linspace(0, slips[-1])
    axis.plot(line, np.minimum(1, 2 / 7 * line), color="#888888", lw=1, label="rigid")
    for k, (name, values) in enumerate(found.items()):
        axis.plot(slips, values, "os^v"[k], color=runs.COLOURS[k], mfc="none", label=name)
        lab.verdicts.near(f"{name}: impulse of friction, largest slip", values[-1], 1, 0.01)
    axis.set(xlabel="slip before, over $\\mu (1 + e) v_n$",
             ylabel="friction over $\\mu (1 + e)\\, m\\, v_n$")
    axis.legend()
    return figure


def sliding_onto_wall(lab, slips):
    mu, e, v = 0.3, 1.0, 1.0
    unit = mu * (1 + e) * v
    run = lab.run(
        "T5", 1.4e-5 / 300, 6e-5, {"solid": OXIDE, "wall": {}}, [hertz(["solid", "wall"], mu, e)],
        [sphere(0.01 * k, RADIUS + 1e-9, RADIUS, [s * unit, 0, -v]) for k, s in enumerate(slips)])
    return (slips * unit - run.grains()["velocity"][:, 0]) / unit


SPIN = {"mu": 0.4, "e": 0.5, "v": 0.2, "r": 0.1}
ALUMINIUM = {"density": 2700, "young": 70e9, "poisson": 0.33}


def spinning_onto_wall(lab, slips):
    mu, e, v, r = SPIN.values()
    unit = mu * (1 + e) * v
    run = lab.run("T6", 1e-6, 3e-3, {"solid": ALUMINIUM, "wall": {}},
                  [hertz(["solid", "wall"], mu, e)], [
                      sphere(0.5 * k, r + 1e-9, r, [0, 0, -v], [0, s * unit / r, 0])
                      for k, s in enumerate(slips)
                  ])
    return run.grains()["velocity"][:, 0] / unit


def spinning_spheres(lab, slips, ratio):
    """Pairs that hit at ±v along x, with equal surface speeds that add up to the slip."""
    mu, e, v, r = SPIN.values()
    unit, masses = 2 * mu * (1 + e) * v, np.array([1, ratio**-3.0])
    effective = masses.prod() / masses.sum()
    spheres = []
    for k, s in enumerate(slips):
        for side, radius in ((-1, r), (1, r / ratio)):
            spheres.append(
                sphere(side * (radius + 1e-9), 0, radius, [-side * v, 0, 0],
                       [0, 0, s * unit / 2 / radius], y=0.5 * k))
    run = lab.run(f"T{6 + ratio}", 5e-7, 3e-3, {"solid": ALUMINIUM, "wall": {}},
                  [hertz(["solid", "solid"], mu, e)], spheres, [])
    return np.abs(run.grains()["velocity"][::2, 1]) * masses[0] / (effective * unit)


def frames(run, begin, end):
    return [k for k, time in enumerate(run.times()) if begin < time < end]


def mfix(lab):
    """DEM01 to DEM04; DEM05 are the oblique impacts of a linear sphere."""
    for k, e, deepest in ((5e4, 0.9, 0.0413208669), (5e4, 0.7, 0.0368139195),
                          (1e4, 0.9, 0.0983947300), (1e4, 0.7, 0.0875161441)):  # yapf: disable
        run = lab.run(f"DEM01_{k:g}_{e}", 1e-5, 0.4, {"solid": {"density": 2600}, "wall": {}},
                      [linear(["solid", "wall"], k, 2 / 7 * k, 0, e, attraction=True)],
                      [sphere(0, 0.5, 0.1)], gravity=G, every=5e-4)
        lowest = min(run.grains(f)["position"][0, 2] for f in frames(run, 0.28, 0.4))
        lab.verdicts.near(f"DEM01: k_n = {k:g}, e = {e}: largest overlap [m]", 0.1 - lowest,
                          deepest, 1e-3 * deepest)
    for e in (0.5, 0.7, 0.9):
        run = lab.run(f"DEM02_{e}", 1e-5, 0.9, {"solid": {"density": 1000}, "wall": {}},
                      [linear(["solid", "wall"], 1e7, 2e6, 0, e)], [sphere(0, 0.5, 0.1)], gravity=G,
                      every=2e-3)
        landed = np.sqrt(2 * 0.4 / G)
        top = max(
            run.grains(f)["position"][0, 2] for f in frames(run, landed, landed * (1 + 2 * e)))
        lab.verdicts.near(f"DEM02: e = {e}: first top [m]", top, 0.4 * e**2 + 0.1, 1e-3)
    pressed_spheres(lab)
    for mu, u in ((0.2, 1.0), (0.5, 2.0)):
        r, k, slides = 5e-4, 1e4, 2 * u / (7 * mu * G)
        weight = 1e4 * 4 / 3 * np.pi * r**3 * G
        run = lab.run(f"DEM04_{mu}", 3e-6, 1.5 * slides, {"solid": {"density": 1e4}, "wall": {}},
                      [linear(["solid", "wall"], k, 2e3, mu, 0.5)],
                      [sphere(0, r - weight / k, r, [u, 0, 0])], gravity=G)
        grains = run.grains()
        way = 12 * u * u / (49 * mu * G) + 5 / 7 * u * slides / 2
        lab.verdicts.near(f"DEM04: μ = {mu}: way at 3/2 of the time of slip [m]",
                          grains["position"][0, 0], way, 5e-3 * way)
        lab.verdicts.near(f"DEM04: μ = {mu}: final speed [m/s]", grains["velocity"][0, 0],
                          5 / 7 * u, 5e-3 * u)
    angles = [1, 5, 10, 20, 30, 40, 60, 80]
    wanted = [0.892640, 4.035703, 6.556360, 12.181993, 21.472208, 33.228793, 57.138606, 79.671783]
    velocity, _ = oblique(lab, "DEM05", linear(["solid", "wall"], 1.72e7, 1.48e7, MU, 1), angles,
                          1000)
    found = np.degrees(np.arctan2(velocity[:, 0], velocity[:, 2]))
    for angle, value, right in zip(angles, found, wanted):
        lab.verdicts.near(f"DEM05: {angle}°, rebound angle [deg]", value, right, 2e-3 * right)


def pressed_spheres(lab):
    r = 5e-4
    lid = {"half_space": {"point": [0, 0, 3.6 * r], "normal": [0, 0, -1], "material": "wall"}}
    for e, low, high in ((1.0, 4.36237472e-4, 1.37913934e-3), (0.9, 4.35917239e-4, 1.37581920e-3),
                         (0.7, 4.34896307e-4, 1.37119848e-3)):  # yapf: disable
        more = {"attraction": True}
        run = lab.run(f"DEM03_{e}", 1e-7, 5e-4,
                      {"solid": {"density": 2e4}, "light": {"density": 1e4}, "wall": {}},
                      [linear(pair, 1e3, 300, 0, e, **more) for pair in
                       (["solid", "wall"], ["light", "wall"], ["solid", "light"])],
                      [sphere(0, 0.9 * r, r), sphere(0, 2.7 * r, r, material="light")],
                      [FLOOR, lid], gravity=G)  # yapf: disable
        z = run.grains()["position"][:, 2]
        for name, value, right in (("lower", z[0], low), ("upper", z[1], high)):
            lab.verdicts.near(f"DEM03: e = {e}: {name} sphere at 0.5 ms [m]", value, right,
                              1e-4 * right)


def columns(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def yade(lab):
    """Forces and torques of traces whose every step is recorded: the largest difference of a
    column over its largest value.
    """
    for name, more in (("i_a_press_shear", []), ("ii_e_oblique_impact", ["--wall"]),
                       ("v_free_collision_agr", [])):
        source, out = TRACES / f"{name}.csv.gz", lab.study.out / f"yade_{name}.csv"
        tools.call([
            lab.study.scree, "pair", source, "--law", "cundall_strack", "--k_n", "1e5", "--k_t",
            "3e4", "--friction", "0.4", "--restitution", "1", "--radius", "5mm,5mm", "--h", "10us",
            "--rotations", "first_order", "--out", out, *more
        ], captured=True)
        theirs, ours = columns(source), columns(out)
        shared = [c for c in theirs if c in ours and c != "iter" and np.any(theirs[c])]
        worst = max(np.abs(theirs[c] - ours[c]).max() / np.abs(theirs[c]).max() for c in shared)
        lab.verdicts.near(f"Yade, {name}: largest difference of {len(shared)} columns", worst, 0,
                          1e-12)


def main():
    study = tools.arguments("Compliant laws beside closed forms, measurements and Yade.")
    lab = Lab(study)
    elastic_impacts(lab).savefig(study.out / "compliant_hertz.png", dpi=75)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2))
    restitution(lab, axes[0])
    kharaz(lab, axes[1])
    figure.savefig(study.out / "compliant_oblique.png", dpi=75)
    sliding_impacts(lab).savefig(study.out / "compliant_sliding.png", dpi=75)
    mfix(lab)
    if TRACES.exists():  # in the source alone
        yade(lab)
    lab.verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

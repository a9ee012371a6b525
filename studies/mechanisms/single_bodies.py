"""Compares thresholds and motions of one to three bodies with closed forms: standing, sliding,
rolling, tipping, rocking and spinning.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import runs

HERE = Path(__file__).resolve().parent
G = 9.81  # [m/s²]
SLOPE = math.radians(25)
# Moment of inertia of rolling bodies over m r² [-].
ROLLERS = {"ball": 2 / 5, "cylinder": 1 / 2, "hoop": 1.0}
BODIES = ["box", *ROLLERS]


def run(study, name, scene, settings=None):
    return runs.Run(study, name, HERE / f"{scene}.yaml", settings or {})


def angle_about_y(quaternion):
    """Angles of bodies that rotate about y only [rad]."""
    return 2 * np.arctan2(quaternion[..., 2], quaternion[..., 0])


# ------------------------------------------------------------------------------------------------
# Thresholds


def ladder(friction):
    """Settings of ladder.yaml at a fraction of the friction that it needs."""
    return {"laws[0].friction": friction * (0.4 - 0.02 / 2)}


def cylinders(friction):
    """Settings of three_cylinders.yaml for a friction between the cylinders."""
    return {
        "default_law.friction": friction * math.tan(math.pi / 12),
        "laws[0].friction": 1.0
    }  # yapf: disable


def cylinders_on_floor(friction):
    """The same for a friction on the floor."""
    return {
        "default_law.friction": 1.0,
        "laws[0].friction": friction * math.tan(math.pi / 12) / 3
    }  # yapf: disable


def leaning_gravity(slope):
    return [G * math.sin(slope), 0, -G * math.cos(slope)]


def sliding_box(friction):
    return {"default_law.friction": friction * math.tan(SLOPE)}


def tipping_box(share):
    """A box of 0.1 x 0.2 m at a slope of 0.5 / share: it tips where share is below 1."""
    return {
        "default_law.friction": 2.0, "bodies[0].box.size": [0.1, 0.2, 0.2],
        "bodies[0].box.position": [0, 0, 0.1], "gravity": leaning_gravity(math.atan(0.5 / share))
    }  # yapf: disable


THRESHOLDS = {
    "ladder": ("ladder", ladder),
    "three cylinders": ("three_cylinders", cylinders),
    "three cylinders, floor": ("three_cylinders", cylinders_on_floor),
    "box slides": ("on_incline", sliding_box),
    "box tips": ("on_incline", tipping_box),
}


def moved(study, case):
    """Largest displacement of a body after half a second [m]."""
    what, share = case
    scene, settings = THRESHOLDS[what]
    result = run(study, f"{scene}_{what.replace(' ', '_').replace(',', '')}_{share}", scene,
                 {**settings(share), "until": 0.5})
    first, last = result.grains(0)["position"], result.grains()["position"]
    if scene == "on_incline":
        first, last = first[:1], last[:1]
    return float(np.linalg.norm(last - first, axis=1).max())


def thresholds(study, shares):
    cases = [(what, share) for what in THRESHOLDS for share in shares]
    return dict(zip(cases, runs.side_by_side(study, lambda case: moved(study, case), cases)))


def judge_thresholds(verdicts, found, shares):
    """Checks that stable bodies do not move, and unstable ones by a micrometre or more."""
    for what in THRESHOLDS:
        holds = [share for share in shares if found[what, share] < 1e-9]
        yields = [share for share in shares if found[what, share] > 1e-6]
        if not holds or not yields or max(yields) > min(holds):
            verdicts.near(f"{what}: holds above a friction alone", 0, 1, 0)
            continue
        verdicts.near(f"{what}: threshold over that of statics", (max(yields) + min(holds)) / 2, 1,
                      5e-3)


# ------------------------------------------------------------------------------------------------
# An incline


def acceleration(body, friction):
    """Acceleration down the incline, closed form [m/s²]."""
    slides = G * (math.sin(SLOPE) - friction * math.cos(SLOPE))
    if body == "box":
        return max(0.0, slides)
    return max(slides, G * math.sin(SLOPE) / (1 + ROLLERS[body]))


def incline(study, frictions):
    """Measured accelerations [m/s²], by friction and body."""

    def one(friction):
        grains = run(study, f"incline_{friction}", "on_incline",
                     {"default_law.friction": friction}).grains()
        return grains["velocity"][:, 0] / 0.5

    return np.array(runs.side_by_side(study, one, frictions))


def judge_incline(verdicts, frictions, measured):
    for column, body in enumerate(BODIES):
        worst = max(
            abs(a - acceleration(body, mu)) for mu, a in zip(frictions, measured[:, column]))
        verdicts.near(f"{body} on an incline: worst error of its acceleration, m/s²", worst, 0,
                      1e-6)


def draw_statics(study, found, shares, frictions, measured):
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    for colour, what in zip(runs.COLOURS, THRESHOLDS):
        axes[0].semilogy(shares, [max(found[what, share], 1e-16) for share in shares], "o-", ms=3,
                         color=colour, label=what)
    axes[0].axvline(1, color=runs.BLACK, lw=0.6)
    axes[0].set_xlabel("friction over the least that holds [-]")
    axes[0].set_ylabel("way in 0.5 s [m]")
    axes[0].legend(fontsize=7)
    fine = np.linspace(0, max(frictions), 300)
    for column, body in enumerate(BODIES):
        colour = runs.COLOURS[column]
        axes[1].plot(fine, [acceleration(body, mu) for mu in fine], "-", color=colour, lw=1)
        axes[1].plot(frictions, measured[:, column], "o", ms=4, color=colour, label=body)
    axes[1].set_xlabel("friction [-]")
    axes[1].set_ylabel("acceleration [m/s²]")
    axes[1].legend(fontsize=7)
    figure.savefig(study.out / "thresholds.png")


# ------------------------------------------------------------------------------------------------
# A rocking block


def rocking_energy(study, name, settings):
    """Times, and energy of the block above that of the flat block, over its start value [-]."""
    rows = run(study, name, "rocking_block", settings).statistics()
    weight = 2500 * 0.25 * 0.5 * 1.0 * G
    energy = rows["kinetic_energy"] + rows["potential_energy"] - weight * 0.5
    return rows["time"], energy / energy[0]


def housner(width=0.25):
    """Ratio of ω after and before an impact [-]; the height is 1 m."""
    return 1 - 1.5 * math.sin(math.atan(width))**2


def ratios_of_impacts(time, energy):
    """ω⁺/ω⁻ of the impacts; between them the energy is constant."""
    drops = np.flatnonzero(np.diff(energy) < -0.01 * energy[:-1])
    groups = np.split(drops, np.flatnonzero(np.diff(drops) > 5) + 1)
    return [
        math.sqrt(energy[group[-1] + 2] / energy[group[0] - 1]) for group in groups if len(group)
    ]


def rocking(study):
    steps = [2e-4] if study.quick else [1e-3, 5e-4, 2e-4, 1e-4]
    cases = {("newton", h): {"step.h": h} for h in steps}
    if not study.quick:
        cases.update({(law, 1e-4): {"step.impacts": law} for law in ("poisson", "energetic")})
        cases["max_dissipation", 1e-4] = {"default_law.law": "max_dissipation"}
    until = 1.0 if study.quick else 3.0

    def one(case):
        return rocking_energy(study, f"rocking_{case[0]}_{case[1]}",
                              {**cases[case], "until": until})

    return dict(zip(cases, runs.side_by_side(study, one, list(cases))))


def judge_rocking(verdicts, found):
    for (law, h), (time, energy) in found.items():
        for k, ratio in enumerate(ratios_of_impacts(time, energy)[:2]):
            # An impact takes two steps; corners may be 6e-5 m above the floor.
            verdicts.near(f"rocking block, {law}, h = {h:g} s: impact {k + 1}", ratio, housner(),
                          15 * h)


def draw_rocking(study, found):
    figure, axis = plt.subplots(figsize=(5, 3.2))
    for colour, (case, (time, energy)) in zip(runs.COLOURS, found.items()):
        if case[0] == "newton":
            axis.semilogy(time, energy, "-", color=colour, lw=1, label=f"h = {1e3 * case[1]:g} ms")
    for k in range(8):
        axis.axhline(housner()**(2 * k), color=runs.BLACK, lw=0.4)
    axis.set_ylim(0.15, 1.2)
    axis.set_xlabel("time [s]")
    axis.set_ylabel("energy over that at the start [-]")
    axis.legend(fontsize=7)
    figure.savefig(study.out / "rocking.png")

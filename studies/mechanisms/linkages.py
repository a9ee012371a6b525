"""Mechanisms of joints: a pendulum, two four-bars in a row, Bricard's, Andrews' squeezer, and a
slider-crank whose crank pin has play.
"""

import math

import matplotlib.pyplot as plt
import numpy as np
import runs
import study_tools as tools
from single_bodies import G, run

SQUEEZED = 0.1581077119629904e2  # angle of the crank at 30 ms, published [rad]
SQUEEZER_STARTS = -0.0617138900142764496
TIP = {1: (-0.19502030194944, -0.98079920566217), 2: (0.057815795768, 0.998327267863)}  # [m]
CRANK, ROD = 0.1, 0.3  # of the slider-crank [m]


def joint(result, name):
    """Times and first coordinates of a joint."""
    rows = np.genfromtxt(result.directory / "joints.csv", delimiter=",", names=True, dtype=None,
                         encoding=None)
    rows = rows[np.char.strip(rows["joint"], '"') == name]
    return rows["time"], rows["coordinate_1"]


def energy(result):
    """Times, and the energy of a run [J]."""
    rows = result.statistics()
    return rows["time"], rows["kinetic_energy"] + rows["potential_energy"] + rows["joint_energy"]


def elliptic_k(k):
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    for _ in range(40):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def pendulum(study):
    """Times and angles from the vertical [rad]; it starts horizontally, at 90°."""
    result = runs.Run(study, "pendulum", tools.SCENES / "pendulum.yaml",
                      {"output.statistics_interval": 1e-3})
    time, angle = joint(result, "hinge")
    return time, math.pi / 2 - angle


def judge_pendulum(verdicts, time, angle):
    falls = np.flatnonzero((angle[:-1] > 0) & (angle[1:] <= 0))
    passes = [
        time[k] + (time[k + 1] - time[k]) * angle[k] / (angle[k] - angle[k + 1]) for k in falls
    ]
    period = 4 * elliptic_k(math.sin(math.pi / 4)) * math.sqrt((1 + 0.4 * 0.01) / G)
    verdicts.near("pendulum from level: period, s", passes[1] - passes[0], period, 1e-5 * period)


def judge_four_bars(verdicts, time, angle, drift):
    for at, (x, z) in TIP.items():
        turned = angle[np.argmin(np.abs(time - at))]
        off = math.hypot(math.sin(turned) - x, math.cos(turned) - z)
        verdicts.near(f"two four-bars, t = {at} s: B0 off the published place, m", off, 0, 1e-4)
    verdicts.near("two four-bars: change of energy, J", drift, 0, 0.1)


def judge_squeezer(verdicts, time, angle):
    verdicts.near("Andrews' squeezer, t = 30 ms: angle of its crank, rad",
                  SQUEEZER_STARTS + angle[np.argmin(np.abs(time - 0.03))], SQUEEZED, 5e-3)


def linkages(study):
    """Times, drawn coordinate and energy of each mechanism, by name."""
    settings = {"until": 2.0} if study.quick else {}
    names = ["four_bars", "squeezer"] + ([] if study.quick else ["bricard"])
    shown = {"four_bars": "A0", "squeezer": "O", "bricard": "P1"}

    def one(name):
        result = run(study, name, name, {} if name == "squeezer" else settings)
        return (*joint(result, shown[name]), *energy(result))

    return dict(zip(names, runs.side_by_side(study, one, names)))


def judge(verdicts, of_pendulum, found):
    judge_pendulum(verdicts, *of_pendulum)
    time, angle, _, stored = found["four_bars"]
    judge_four_bars(verdicts, time, angle, float(np.ptp(stored)))
    judge_squeezer(verdicts, *found["squeezer"][:2])
    if "bricard" in found:
        _, angle, _, stored = found["bricard"]
        verdicts.near("Bricard's mechanism: change of energy, J", float(np.ptp(stored)), 0, 0.1)
        # It swings until its rods are as high as at the start.
        verdicts.near("Bricard's mechanism: its first hinge turns by, rad", float(np.ptp(angle)),
                      math.pi, 1e-3)


def draw(study, of_pendulum, found):
    figure, axes = plt.subplots(1, 4, figsize=(13, 3))
    time, angle = of_pendulum
    axes[0].plot(time, np.degrees(angle), color=runs.COLOURS[0], lw=1)
    axes[0].set_ylabel("angle of the pendulum [°]")
    time, angle = found["four_bars"][:2]
    axes[1].plot(time, np.sin(angle), color=runs.COLOURS[0], lw=1, label="x")
    axes[1].plot(time, np.cos(angle), color=runs.COLOURS[1], lw=1, label="z")
    for at, (x, z) in TIP.items():
        axes[1].plot([at, at], [x, z], "o", color=runs.BLACK, ms=4)
    axes[1].set_ylabel("B0 of two four-bars [m]")
    axes[1].legend(fontsize=7)
    time, angle = found["squeezer"][:2]
    axes[2].plot(1e3 * time, SQUEEZER_STARTS + angle, color=runs.COLOURS[0], lw=1)
    axes[2].plot(30, SQUEEZED, "o", color=runs.BLACK, ms=4)
    axes[2].set_ylabel("crank of the squeezer [rad]")
    if "bricard" in found:
        time, angle = found["bricard"][:2]
        axes[3].plot(time, np.degrees(angle), color=runs.COLOURS[0], lw=1)
    axes[3].set_ylabel("first hinge of Bricard's [°]")
    for axis in axes:
        axis.set_xlabel("time [ms]" if axis is axes[2] else "time [s]")
    figure.savefig(study.out / "linkages.png")


# ------------------------------------------------------------------------------------------------
# A slider-crank with play


def slider(time):
    """Position of the slider without play [m]."""
    turned = 2 * math.pi * time
    return CRANK * np.cos(turned) + np.sqrt(ROD**2 - (CRANK * np.sin(turned))**2)


def sliders(study):
    """Times and displacement of the slider from its position without play [m], by play [m]."""
    plays = [5e-4] if study.quick else [1e-3, 5e-4, 2e-4]
    settings = {"step.h": 1e-3, "until": 1.0} if study.quick else {}

    def one(play):
        result = run(study, f"slider_crank_{play}", "slider_crank",
                     {"obstacles[0].hollow_cylinder.radius": 0.01 + play, **settings})
        time, way = joint(result, "guide")
        return time, CRANK + ROD + way - slider(time)

    return dict(zip(plays, runs.side_by_side(study, one, plays)))


def judge_sliders(verdicts, found):
    for play, (time, off) in found.items():
        # Along the inclined rod, the pin is off by at most the play and the tolerated overlap. The
        # crank starts with a jerk.
        lean = np.sqrt(1 - (CRANK / ROD * np.sin(2 * math.pi * time))**2)
        worst = (np.abs(off) * lean)[time > 0.02].max()
        verdicts.near(f"slider-crank, play {1e3 * play:g} mm: slider off, along the rod, mm",
                      1e3 * worst, 1e3 * play, 0.03)


def draw_sliders(study, found):
    figure, axis = plt.subplots(figsize=(5, 3.2))
    for colour, (play, (time, off)) in zip(runs.COLOURS, found.items()):
        axis.plot(time, off / play, color=colour, lw=1, label=f"play {1e3 * play:g} mm")
    time = next(iter(found.values()))[0]
    lean = np.sqrt(1 - (CRANK / ROD * np.sin(2 * math.pi * time))**2)
    for side in (-1, 1):
        axis.plot(time, side / lean, color=runs.BLACK, lw=0.6)
    axis.set_xlabel("time [s]")
    axis.set_ylabel("slider off its place over the play [-]")
    axis.legend(fontsize=7)
    figure.savefig(study.out / "slider_crank.png")

"""Compares the wave of toppling dominoes with a chain in which each leans on the next."""

import math

import matplotlib.pyplot as plt
import numpy as np
import runs
from single_bodies import G, angle_about_y, run

COUNT, LENGTH, THICK, WIDTH, GAP = 30, 0.048, 0.0075, 0.024, 0.02  # [m]


def row(gap=GAP, scale=1.0, friction=0.2, h=5e-4):
    """Settings of dominoes.yaml: `gap` [m], then all lengths times `scale`; steps and speeds scale
    with √scale.
    """
    pitch, length, width = scale * (gap + THICK), scale * LENGTH, scale * WIDTH
    size = [scale * THICK, width, length]
    over = 1.0 * math.sqrt(G / length)  # angular velocity of the first [rad/s]
    first = {
        "material": "domino", "position": [0, 0, length / 2], "size": size,
        "angular_velocity": [0, over, 0],
        "velocity": [over * length / 2, 0, over * scale * THICK / 2]
    }  # yapf: disable
    others = {
        "material": "domino", "spacing": [pitch, width, length], "size": size,
        "region": {"min": [pitch / 2, -width / 2, 0],
                   "max": [(COUNT - 0.5) * pitch * (1 + 1e-9), width / 2, length]}
    }  # yapf: disable
    beat = math.sqrt(scale)
    return {
        "bodies": [{"box": first}, {"lattice": others}], "laws[0].friction": friction,
        "step.h": h * beat, "until": 1.6 * beat, "output.frame_interval": 4e-3 * beat
    }  # yapf: disable


def wave(study, name, settings, pitch, length):
    """Speed of the wave over √(g length) [-], from the times of tilts by 3°."""
    result = run(study, name, "dominoes", settings)
    time = np.array(result.times())
    tilt = np.array([angle_about_y(result.grains(k)["quaternion"]) for k in range(len(time))])
    begins = np.array(
        [np.interp(math.radians(3), *clip_at_rise(tilt[:, k], time)) for k in range(COUNT)])
    return late_speed(begins, pitch) / math.sqrt(G * length)


def late_speed(begins, pitch):
    """Speed in the second half of the row without its end, from the start of each domino [m/s]."""
    late = slice(COUNT // 2, COUNT - 3)
    return np.polyfit(begins[late], pitch * np.arange(COUNT)[late], 1)[0]


def clip_at_rise(values, time):
    """Values up to the first one above 6°, made monotonic."""
    above = np.flatnonzero(values > math.radians(6))
    end = above[0] + 1 if len(above) else len(values)
    return np.maximum.accumulate(values[:end]), time[:end]


def leaning(gap, points=400):
    """Speed over √(g length) [-] of dominoes that do not slide on the floor nor rub on each other,
    and of which each leans on the next from its impact on, without a loss but in impacts. Then the
    angle θ of the foremost gives all others, by

        length sin(θ_k - θ_k+1) = pitch cos θ_k+1 - thickness,

    energy is kept between impacts, and an impact leaves the motion of one more domino that is
    nearest to that before in kinetic energy. Our own; see docs/validation/mechanisms.md.
    """
    pitch, inertia = gap + THICK, (LENGTH**2 + THICK**2) / 3  # about the lower edge, over m [m²]
    front = np.linspace(0, math.asin(gap / LENGTH), points)
    angles, rates = [front], [np.ones(points)]  # of the foremost first; rates over its own
    speed, times = math.sqrt(G / LENGTH), []
    for _ in range(COUNT - 1):
        moved = inertia * np.sum(np.square(rates), axis=0)
        height = np.sum(LENGTH * np.cos(angles) + THICK * np.sin(angles), axis=0) / 2
        squared = (moved[0] * speed**2 + 2 * G * (height[0] - height)) / moved
        slowness = 1 / np.sqrt(squared)
        times.append(np.sum((slowness[1:] + slowness[:-1]) / 2 * np.diff(front)))
        speed = math.sqrt(squared[-1]) * moved[-1] / (moved[-1] + inertia)
        last = angles[-1]
        behind = last + np.arcsin((pitch * np.cos(last) - THICK) / LENGTH)
        rates.append(rates[-1] * (1 - pitch * np.sin(last) / (LENGTH * np.cos(behind - last))))
        angles.append(behind)
    begins = np.concatenate([[0], np.cumsum(times)])
    return late_speed(begins, pitch) / math.sqrt(G * LENGTH)


GAPS = [0.006, 0.010, 0.015, 0.020, 0.030]  # [m]


def waves(study):
    """Speeds over √(g length) by gap [m], scale and friction between dominoes."""
    cases = [(gap, 1.0, friction) for gap in GAPS for friction in (0.0, 0.2)]
    cases += [(GAP, 10.0, 0.2)]

    def one(case):
        gap, scale, friction = case
        name = f"dominoes_{gap}_{scale}_{friction}"
        return wave(study, name, row(gap, scale, friction), scale * (gap + THICK), scale * LENGTH)

    return dict(zip(cases, runs.side_by_side(study, one, cases)))


def judge(verdicts, speeds):
    for gap in GAPS:
        verdicts.near(f"dominoes, gap {1e3 * gap:g} mm: speed over that of a chain that leans",
                      speeds[gap, 1.0, 0.0] / leaning(gap), 1, 0.02)
    verdicts.near("dominoes: ten times as large, speed over √(g length), over that of the small",
                  speeds[GAP, 10.0, 0.2] / speeds[GAP, 1.0, 0.2], 1, 1e-6)
    for friction in (0.0, 0.2):
        falls = np.diff([speeds[gap, 1.0, friction] for gap in GAPS])
        verdicts.near(f"dominoes, friction {friction}: gaps at which a wider one is not slower",
                      np.count_nonzero(falls >= 0), 0, 0)


def draw(study, speeds):
    figure, axis = plt.subplots(figsize=(5, 3.2))
    for colour, friction in zip(runs.COLOURS, (0.0, 0.2)):
        axis.plot([gap / LENGTH for gap in GAPS], [speeds[gap, 1.0, friction] for gap in GAPS],
                  "o-", ms=4, color=colour, label=f"μ = {friction} between them")
    axis.plot(GAP / LENGTH, speeds[GAP, 10.0, 0.2], "x", ms=9, color=runs.BLACK,
              label="ten times as large")
    fine = np.linspace(GAPS[0], GAPS[-1], 40)
    axis.plot(fine / LENGTH, [leaning(gap) for gap in fine], "-", lw=1, color=runs.BLACK,
              label="each leans on the next, μ = 0")
    axis.set_xlabel("gap over height [-]")
    axis.set_ylabel("speed over √(g height) [-]")
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=7)
    figure.savefig(study.out / "dominoes.png")

"""Bodies that turn over: a nut in free rotation, and a tippe top, compared with an integration of
its equations.
"""

import math

import matplotlib.pyplot as plt
import numpy as np
import runs
from single_bodies import G, run

PERIOD = 39.10573419726872  # period of ω of the nut, by elliptic integrals [s]
# The tippe top of tippe_top.yaml.
RADIUS, MASS, OFF, FRICTION, SPIN, TILT = 0.02, 0.02, 0.006, 0.3, 155.0, 0.1
ACROSS, ALONG = 131 / 350 * MASS * RADIUS**2, 0.4 * MASS * RADIUS**2  # moments [kg m²]


def matrix(quaternion):
    """Rotation matrices (…, 3, 3) from quaternions with w first."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def frames(result):
    """Times and arrays of the first body, with a row for each frame."""
    time = np.array(result.times())
    arrays = [result.grains(k) for k in range(len(time))]
    quaternion = np.array([each["quaternion"][0] for each in arrays])
    spin = np.array([each["angular_velocity"][0] for each in arrays])
    return time, quaternion, spin


# ------------------------------------------------------------------------------------------------
# A nut


def nut(study):
    """Times, angular velocity in the body, and angular momentum."""
    time, quaternion, spin = frames(run(study, "nut", "nut"))
    turns = matrix(quaternion)
    own = np.einsum("kji,kj->ki", turns, spin)
    momentum = np.einsum("kij,kj->ki", turns, own * [1, 2, 3])
    return time, own, momentum


def rises(time, values):
    """Times at which values rise through zero, by the cubic through four of them."""
    found = []
    for k in np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0)):
        near = slice(max(0, k - 1), k + 3)
        found.append(np.polyval(np.polyfit(values[near], time[near] - time[k], 3), 0.0) + time[k])
    return found


def judge_nut(verdicts, time, own, momentum):
    passes = rises(time, own[:, 1])
    verdicts.near("nut: period, s", passes[1] - passes[0], PERIOD, 1e-4 * PERIOD)
    off = np.abs(momentum - momentum[0]).max() / np.linalg.norm(momentum[0])
    verdicts.near("nut: change of its angular momentum, part", off, 0, 1e-10)


# ------------------------------------------------------------------------------------------------
# A tippe top


def derivative(state, slip):
    """Rates of velocity, angular velocity and quaternion of a ball on the floor. Friction
    is μ N u/√(u² + slip²) against the slip u: Coulomb's for u far above `slip` [m/s].
    """
    v, w, q = state[:3], state[3:6], state[6:]
    turn = matrix(q / np.linalg.norm(q))
    inertia = turn @ np.diag([ACROSS, ACROSS, ALONG]) @ turn.T
    inverse = turn @ np.diag([1 / ACROSS, 1 / ACROSS, 1 / ALONG]) @ turn.T
    middle = OFF * turn[:, 2]  # from the centre of mass
    touch = middle - [0, 0, RADIUS]
    u = v + np.cross(w, touch)
    u[2] = 0
    push = np.array([0, 0, 1]) - FRICTION * u / math.sqrt(u @ u + slip**2)
    # N keeps the middle at its height: its acceleration is free + N per_force.
    free_turn = -inverse @ np.cross(w, inertia @ w)
    turn_per_force = inverse @ np.cross(touch, push)
    free = -G + (np.cross(free_turn, middle) + np.cross(w, np.cross(w, middle)))[2]
    per_force = push[2] / MASS + np.cross(turn_per_force, middle)[2]
    force = -free / per_force
    of_q = 0.5 * np.array([-w @ q[1:], *(q[0] * w + np.cross(w, q[1:]))])
    return np.concatenate([[0, 0, -G] + force * push / MASS, free_turn + force * turn_per_force,
                           of_q])  # yapf: disable


def integrated_top(until, dt=2.5e-4, slip=1e-2):
    """Times and angles of the axis against the vertical [rad], by Runge and Kutta."""
    state = np.array([0, 0, 0, 0, 0, SPIN, math.cos(TILT / 2), 0, math.sin(TILT / 2), 0])
    times, angles = [0.0], [TILT]
    for k in range(round(until / dt)):
        k1 = derivative(state, slip)
        k2 = derivative(state + dt / 2 * k1, slip)
        k3 = derivative(state + dt / 2 * k2, slip)
        k4 = derivative(state + dt * k3, slip)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        times.append((k + 1) * dt)
        angles.append(math.acos(matrix(state[6:] / np.linalg.norm(state[6:]))[2, 2]))
    return np.array(times), np.array(angles)


def top(study, name, tilt, settings):
    """Times, and angles of the axis against the vertical [rad], of a run."""
    time, quaternion, _ = frames(run(study, name, "tippe_top", settings))
    turns = matrix(quaternion)
    axis = turns[0].T @ [math.sin(tilt), 0, math.cos(tilt)]
    return time, np.arccos(np.clip((turns @ axis)[:, 2], -1, 1))


def tops(study):
    """By step [s]; 0 is the integration."""
    until = 0.5 if study.quick else 1.2
    steps = [1e-3] if study.quick else [1e-3, 2e-4, 5e-5]
    found = {
        h: top(study, f"tippe_top_{h}", TILT, {"step.h": h, "until": until})
        for h in steps
    }  # yapf: disable
    found[0] = integrated_top(until)
    return found


ROLLS_AT = 0.3  # tilt of a top that is spun about its own axis, and comes to roll [rad]


def rolling_tops(study):
    """By step [s]: times and angles [rad]."""
    axis = [SPIN * math.sin(ROLLS_AT), 0, SPIN * math.cos(ROLLS_AT)]
    settings = {
        "bodies[0].solid.orientation.angle": ROLLS_AT, "bodies[0].solid.angular_velocity": axis,
        "until": 3.0, "output.frame_interval": 20e-3
    }  # yapf: disable
    steps = [1e-3, 5e-4, 2.5e-4, 1.25e-4]

    def one(h):
        return top(study, f"rolling_top_{h}", ROLLS_AT, {**settings, "step.h": h})

    return dict(zip(steps, runs.side_by_side(study, one, steps)))


COIN = math.radians(30)  # tilt of the coin of coin.yaml


def coins(study):
    """By step [s]: times, tilts [rad] and energy over that at the start of a coin on its rim."""
    steps = [1e-3, 5e-4, 2e-4, 1e-4, 5e-5]

    def one(h):
        result = run(study, f"coin_{h}", "coin", {"step.h": h, "output.statistics_interval": 20e-3})
        time, quaternion, _ = frames(result)
        turns = matrix(quaternion)
        axis = turns[0].T @ [-math.sin(COIN), 0, math.cos(COIN)]
        rows = result.statistics()
        energy = rows["kinetic_energy"] + rows["potential_energy"]
        return time, np.arccos(np.clip((turns @ axis)[:, 2], -1, 1)), rows["time"], energy

    return dict(zip(steps, runs.side_by_side(study, one, steps)))


def judge_coins(verdicts, found):
    """A coin that rolls loses nothing; what steps take of its energy falls with them."""
    coarse, fine = (1 - energy[-1] / energy[0] for _, _, _, energy in
                    (found[h] for h in (1e-4, 5e-5)))  # yapf: disable
    verdicts.near("coin on its rim: order of the energy that steps take", math.log2(coarse / fine),
                  1, 0.1)
    verdicts.near("coin on its rim, h to 0: energy lost in 1 s, part", 2 * fine - coarse, 0, 5e-3)


def draw_rolling(study, rolling, of_coin):
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    for colour, (h, (at, angles)) in zip(runs.COLOURS, rolling.items()):
        axes[0].plot(at, np.degrees(angles), color=colour, lw=1, label=f"h = {1e3 * h:g} ms")
    axes[0].set_ylabel("axis of a top [°]")
    for colour, (h, (at, angles, *_)) in zip(runs.COLOURS, of_coin.items()):
        axes[1].plot(at, np.degrees(angles), color=colour, lw=1, label=f"h = {1e3 * h:g} ms")
    axes[1].axhline(30, color=runs.BLACK, lw=0.6)
    axes[1].set_ylabel("tilt of a coin [°]")
    for axis in axes:
        axis.set_xlabel("time [s]")
        axis.legend(fontsize=7)
    figure.savefig(study.out / "rolling.png")


def judge_rolling(verdicts, found):
    h = min(found)
    _, angles = found[h]
    late = np.degrees(angles[len(angles) // 6:])
    verdicts.near(f"top that rolls, h = {h:g} s: its angle stays, degrees", np.ptp(late), 0, 2)


def judge_tops(verdicts, found):
    time, angle = found[0]
    # Nearly upside down it rolls, where the slip of the integration tells.
    falls = time[angle < math.radians(150)]
    for h, (at, angles) in found.items():
        if h:
            sees = at <= falls[-1]
            off = np.abs(angles - np.interp(at, time, angle))[sees].max()
            verdicts.near(f"tippe top, h = {h:g} s: angle off the integrated one, degrees",
                          math.degrees(off), 0, 3 if h >= 1e-3 else 1)
    if falls[-1] < time[-1]:
        last = [angles[-1] for h, (_, angles) in found.items() if h]
        verdicts.near("tippe top: lowest angle at the end, degrees", math.degrees(min(last)), 170,
                      15)


def draw(study, of_nut, of_top):
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    time, angle = of_top[0]
    for colour, (h, (at, angles)) in zip(runs.COLOURS, of_top.items()):
        if h:
            axes[0].plot(at, np.degrees(angles), "-", color=colour, lw=1,
                         label=f"h = {1e3 * h:g} ms")
    axes[0].plot(time, np.degrees(angle), "--", color=runs.BLACK, lw=1, label="integrated")
    axes[0].set_xlabel("time [s]")
    axes[0].set_ylabel("axis against the vertical [°]")
    axes[0].legend(fontsize=7)
    if of_nut:
        time, own, _ = of_nut
        for k, name in enumerate("xyz"):
            axes[1].plot(time, own[:, k], color=runs.COLOURS[k], lw=1, label=f"ω_{name}")
        for k in range(3):
            axes[1].axvline(PERIOD * k, color=runs.BLACK, lw=0.4)
        axes[1].legend(fontsize=7)
    axes[1].set_xlabel("time [s]")
    axes[1].set_ylabel("ω of the nut [rad/s]")
    figure.savefig(study.out / "tops.png")

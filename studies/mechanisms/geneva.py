"""A Geneva wheel by contacts only: the pin of a steady crank rotates a wheel of four slots by a
quarter of a revolution, and a disc on the crank holds the wheel until the pin returns.
"""

import json
import math

import matplotlib.pyplot as plt
import numpy as np
import runs
from matplotlib.patches import Circle, Polygon

CRANK = 0.05  # distance from the axis to the pin, and radius of the wheel [m]
APART = CRANK * math.sqrt(2)  # distance of the axes; the pin enters slots along them [m]
PIN, DISC, THICK = 4e-3, 35e-3, 10e-3  # radii and thickness [m]
PLAY = 2e-4  # play between pin and slot, and disc and wheel [m]
STRIPS, WEDGES = 10, 48  # numbers of convex parts
TURN = 2.0  # period of the crank [s]
START = math.pi  # angle at which the pin is away from the wheel [rad]


def sector():
    """Sector between two slots of the wheel, about the x axis of its middle, as convex strips [m]:
    walls of slots below, the rim or the hollow for the disc above.
    """
    wall = (PIN + PLAY) * math.sqrt(2)  # x - |y| along the walls
    rim = (math.sqrt(2 * CRANK**2 - wall**2) - wall) / 2  # y where a wall meets the rim
    y = np.linspace(-rim, rim, STRIPS + 1)
    # Chords of the hollow lie inside it: they touch a circle that is larger than the disc.
    hollow = (DISC + PLAY) / math.cos(math.asin((y[1] - y[0]) / DISC))

    def top(y):
        on_rim = math.sqrt(CRANK**2 - y**2)
        return min(on_rim, APART - math.sqrt(hollow**2 - y**2)) if abs(y) < hollow else on_rim

    strips = []
    for low, high in zip(y[:-1], y[1:]):
        corners = [[abs(low) + wall, low], [abs(high) + wall, high]]
        corners += [[top(at), at] for at in (high, low) if top(at) > abs(at) + wall + 1e-6]
        strips.append(np.array(corners))
    return [strip for strip in strips if len(strip) > 2]


def wheel():
    """All strips, about the wheel's axis; a sector faces the crank, which is to the left."""
    turned = []
    for k in range(4):
        c, s = math.cos(math.pi + k * math.pi / 2), math.sin(math.pi + k * math.pi / 2)
        turned += [strip @ np.array([[c, s], [-s, c]]) for strip in sector()]
    return turned


def disc():
    """Wedges about the crank's axis, except those about the pin."""
    angle = START + np.linspace(math.pi / 4, 7 * math.pi / 4, WEDGES + 1)
    rim = DISC * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return [np.array([[0, 0], a, b]) for a, b in zip(rim[:-1], rim[1:])]


def prism(corners):
    points = [[*map(float, at), z] for at in corners for z in (-THICK / 2, THICK / 2)]
    return {"shape": {"polyhedron": {"points": points}}}


def scene(h, turns):
    motion = {"pivot": [0, 0, 0], "axis": [0, 0, 1], "speed": 2 * math.pi / TURN}
    hub = {"shape": {"cylinder": {"radius": APART - CRANK - PIN - 2 * PLAY, "length": THICK}}}
    pin = [CRANK * math.cos(START), CRANK * math.sin(START)]
    return {
        "scree": 1, "until": turns * TURN, "gravity": [0, 0, 0], "step": {"h": h},
        "materials": {"brass": {"density": 8500}},
        "default_law": {"law": "coulomb", "friction": 0.1},
        "bodies": [{"solid": {
            "name": "wheel", "position": [APART, 0, 0],
            "shape": {"clump": [prism(strip) for strip in wheel()] + [hub]}
        }}],
        "joints": [{"revolute": {
            "name": "axle", "a": "world", "b": "wheel", "at": [APART, 0, 0], "axis": [0, 0, 1]
        }}],
        "obstacles": [
            {"cylinder": {"name": "pin", "radius": PIN, "from": [*pin, -THICK],
                          "to": [*pin, THICK], "motion": motion}},
            {"solid": {"name": "disc", "shape": {"clump": [prism(w) for w in disc()]},
                       "motion": motion}}
        ],
        "output": {"statistics_interval": TURN / 400, "obstacles": False}
    }  # yapf: disable


def ideal(time):
    """Angle of the wheel without play [rad], and by how much play lets it be off, where the pin
    is in a slot; elsewhere the second is not a number.
    """
    turned = START + 2 * math.pi * time / TURN
    phase = (turned + math.pi) % (2 * math.pi) - math.pi
    into = np.clip(phase, -math.pi / 4, math.pi / 4)
    x = APART - CRANK * np.cos(into)
    in_slot = np.arctan2(CRANK * np.sin(into), x)
    quarters = np.floor((turned - math.pi) / (2 * math.pi))
    angle = -quarters * math.pi / 2 - in_slot - math.pi / 4
    play = np.arcsin(PLAY / np.hypot(x, CRANK * np.sin(into)))
    return angle, np.where(np.abs(phase) < math.pi / 4, play, np.nan)


def turn_wheel(study):
    """Times and angles of the wheel [rad]."""
    h, turns = (1e-3, 1) if study.quick else (2e-4, 2)
    path = study.out / "geneva.yaml"
    path.write_text(json.dumps(scene(h, turns)))
    result = runs.Run(study, "geneva", path, {})
    rows = np.genfromtxt(result.directory / "joints.csv", delimiter=",", names=True, dtype=None,
                         encoding=None)
    return rows["time"], rows["coordinate_1"]


def judge(verdicts, time, angle):
    wanted, play = ideal(time)
    inside = ~np.isnan(play)
    off = np.abs(angle - wanted)
    verdicts.near("Geneva wheel: angle off the ideal over what its play lets it, pin in a slot",
                  (off[inside] / play[inside]).max(), 1, 0.1)
    verdicts.near("Geneva wheel: angle off while it is held, degrees",
                  math.degrees(off[~inside].max()), 0, 0.6)


def draw(study, time, angle):
    figure, axes = plt.subplots(1, 5, figsize=(13, 2.9), width_ratios=[1, 1, 1, 1, 1.5])
    last = round(time[-1] / TURN) - 1
    for axis, share in zip(axes[:4], (0.0, 0.42, 0.5, 0.58)):
        k = int(np.argmin(np.abs(time - (last + share) * TURN)))
        picture(axis, 2 * math.pi * time[k] / TURN, angle[k])
        axis.set_title(f"t = {time[k]:.2f} s", fontsize=8)
    wanted, _ = ideal(time)
    axes[4].plot(time, np.degrees(wanted), "--", color=runs.BLACK, lw=1, label="without play")
    axes[4].plot(time, np.degrees(angle), "-", color=runs.COLOURS[0], lw=1, label="scree")
    axes[4].set_xlabel("time [s]")
    axes[4].set_ylabel("angle of the wheel [°]")
    axes[4].legend(fontsize=7)
    figure.savefig(study.out / "geneva.png")


def picture(axis, crank, angle):
    """Draws crank and wheel at these angles from above [rad]."""

    def rotation(by):
        return np.array([[math.cos(by), math.sin(by)], [-math.sin(by), math.cos(by)]])

    for strip in wheel():
        axis.add_patch(Polygon(strip @ rotation(angle) + [APART, 0], color=runs.COLOURS[0], lw=0.4))
    axis.add_patch(Circle((APART, 0), APART - CRANK - PIN - 2 * PLAY, color=runs.COLOURS[0],
                          lw=0.4))
    for wedge in disc():
        axis.add_patch(Polygon(wedge @ rotation(crank), color="#bbbbbb", lw=0.4))
    at = CRANK * np.array([math.cos(START + crank), math.sin(START + crank)])
    axis.add_patch(Circle(at, PIN, color=runs.COLOURS[1], lw=0))
    axis.set_xlim(-0.06, 0.125)
    axis.set_ylim(-0.06, 0.06)
    axis.set_aspect("equal")
    axis.axis("off")

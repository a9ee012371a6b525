"""Single contacts of the maximum dissipation paper: figures from the numbers that scree has written
into OUT. Run by `scree study academic`.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools  # noqa: E402  (sets the style of figures)

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.colors import BoundaryNorm, ListedColormap  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402
from pictures import BLACK, BLUE, DPI, GREEN, ORANGE, RED  # noqa: E402


def energy(contact, r):
    W, q = np.array(contact["W"]), np.array(contact["q"])
    return 0.5 * np.einsum("i...,ij,j...->...", r, W, r) + np.einsum("i...,i->...", r, q)


def conic(out, contact):
    """Draws the plane of maximum compression u_n = 0, its section with the cone, and the solutions
    of each law.
    """
    W, q, mu = np.array(contact["W"]), np.array(contact["q"]), contact["friction"]
    figure, axes = plt.subplots(1, 2, figsize=(13, 5.4))
    t, o = np.meshgrid(np.linspace(-2.6, 0.4, 300), np.linspace(-16, 1, 300))
    n = -(q[0] + W[0, 1] * t + W[0, 2] * o) / W[0, 0]
    axes[0].contour(t, o, energy(contact, np.stack([n, t, o])), 30, cmap="YlOrRd_r", linewidths=0.7)
    a = np.linspace(-np.pi, np.pi, 20001)
    e = np.stack([np.cos(a), np.sin(a)])
    rn = -q[0] / (W[0, 0] + mu * (W[0, 1] * e[0] + W[0, 2] * e[1]))
    ellipse = np.stack([rn, mu * rn * e[0], mu * rn * e[1]])
    axes[0].plot(ellipse[1], ellipse[2], color=BLUE)
    value = energy(contact, ellipse)
    axes[1].plot(np.degrees(a), value, color=BLUE)
    marks = [(s, "o", RED, "Coulomb") for s in contact["coulomb"]
             ] + [(contact["max_dissipation"], "x", GREEN, "max_dissipation")]
    seen = set()
    for solution, marker, colour, label in marks:
        r = solution["impulse"]
        style = dict(marker=marker, color=colour, ms=10, mfc="none", mew=2, ls="",
                     label=None if label in seen else label)
        axes[0].plot(r[1], r[2], **style)
        axes[1].plot(np.degrees(np.arctan2(r[2], r[1])), solution["energy"], **style)
        seen.add(label)
    r = contact["cone_complementarity"]["impulse"]
    axes[0].plot(r[1], r[2], "s", color=ORANGE, ms=8, label="cone_complementarity (off the plane)")
    axes[0].set(xlabel="$r_t$ [N s]", ylabel="$r_o$ [N s]", xlim=(-2.6, 0.4), ylim=(-16, 1))
    axes[0].legend(loc="lower left")
    axes[1].set(xlabel="angle of friction [°]", ylabel="energy [J]", xlim=(-180, -60))
    axes[1].legend()
    figure.savefig(out / "conic.png", dpi=DPI)
    plt.close(figure)


def hyperbola(out):
    """Figures 2 to 4: energy in the plane u_n = 0 and along the hyperbola, with the angles at which
    the plane leaves the cone.
    """
    row = np.loadtxt(
        Path(__file__).with_name("hyperbola.csv"), delimiter=",", skiprows=3, usecols=range(1, 11))
    nn, nt, no, tt, to, oo, *q, mu = row
    W, q = np.array([[nn, nt, no], [nt, tt, to], [no, to, oo]]), np.array(q)
    problem = {"W": W, "q": q}
    angle = np.linspace(-np.pi, np.pi, 40001)
    e = np.stack([np.cos(angle), np.sin(angle)])
    normal = W[0, 0] + mu * (W[0, 1:] @ e)
    feasible = normal > 1e-2 * W[0, 0]
    r = np.full((3, len(angle)), np.nan)
    r[:, feasible] = -q[0] / normal[feasible] * np.stack([0 * angle + 1, *mu * e])[:, feasible]
    value = energy(problem, r)
    minima = [k for k in range(1, len(angle) - 1) if value[k] < min(value[k - 1], value[k + 1])]
    best = min(minima, key=lambda k: value[k])

    figure, (plane, along) = plt.subplots(1, 2, figsize=(13, 5.4))
    t, o = np.meshgrid(np.linspace(-2, 6, 300), np.linspace(-4, 2.5, 300))
    in_plane = energy(problem, np.stack([-(q[0] + W[0, 1] * t + W[0, 2] * o) / W[0, 0], t, o]))
    plane.contour(t, o, in_plane, np.linspace(-1.5, 20, 24), colors="#999999", linewidths=0.7)
    plane.contour(t, o, in_plane, [0], colors=BLACK)
    plane.plot(r[1], r[2], color=BLUE)
    plane.plot(*-np.linalg.solve(W, q)[1:], "x", color=BLACK, ms=10, mew=2,
               label="unconstrained minimum")
    plane.plot(*r[1:, best], "x", color=RED, ms=10, mew=2, label="max_dissipation")
    plane.set(xlabel="$r_t$ [N s]", ylabel="$r_o$ [N s]", xlim=(-2, 6), ylim=(-4, 2.5))
    along.plot(np.degrees(angle), value, color=BLUE)
    along.fill_between(np.degrees(angle), -2, 3, where=normal <= 0, hatch="//", fc="none",
                       ec="#999999", label="outside the cone")
    for pole in np.flatnonzero(np.diff(np.sign(normal))):
        along.axvline(np.degrees(angle[pole]), color=BLACK, ls=":")
    for k in minima:
        along.plot(np.degrees(angle[k]), value[k], "x", color=RED if k == best else BLACK, ms=10,
                   mew=2)
    along.set(xlabel="angle of friction [°]", ylabel="energy [J]", ylim=(-1.5, 3), xlim=(-180, 180))
    plane.legend(loc="lower left")
    along.legend(loc="upper left")
    figure.savefig(out / "hyperbola.png", dpi=DPI)
    plt.close(figure)


def solutions_map(out):
    """Draws the existing solutions over angle and friction; the line is the critical friction."""
    rows = np.genfromtxt(out / "solutions_map.csv", delimiter=",", names=True)
    angle, friction = np.unique(rows["angle_deg"]), np.unique(rows["friction"])
    critical = np.genfromtxt(out / "critical_friction.csv", delimiter=",", names=True)
    kinds = {
        0: ("none", "#222222"), 1: ("open", "#bcdcf0"), 4: ("slip", "#9ad3a5"),
        2: ("stick", "#f2c77a"), 5: ("open, slip", "#b58fc4"), 3: ("open, stick", "#e8927c"),
        7: ("open, stick, slip", "#c0392b")
    }
    titles = {
        "force": "Forces, weight only", "force_torque": "Forces, with torque",
        "impulse": "Impulses", "step": "Time step, weight only",
        "step_torque": "Time step, with torque"
    }
    figure, axes = plt.subplots(2, 3, figsize=(15, 8.4), sharex=True, sharey=True)
    order = list(kinds)
    for axis, (column, title) in zip(axes.flat, titles.items()):
        mask = rows[column].astype(int).reshape(len(angle), len(friction)).T
        index = np.vectorize(lambda m: order.index(m) if m in order else len(order))(mask)
        colours = [c for _, c in kinds.values()] + ["#ffffff"]
        axis.pcolormesh(angle, friction, index, cmap=ListedColormap(colours),
                        norm=BoundaryNorm(range(len(colours) + 1), len(colours)))
        axis.plot(critical["angle_deg"], critical["critical_friction"], color=BLACK, lw=1.5)
        axis.set(title=title, xlim=(angle[0], angle[-1]), ylim=(0, 4))
        axis.grid(False)
    for axis in axes[1]:
        axis.set_xlabel("angle θ [°]")
    for axis in axes[:, 0]:
        axis.set_ylabel("friction μ")
    axes.flat[-1].axis("off")
    axes.flat[-1].legend(handles=[Patch(color=c, label=name) for name, c in kinds.values()],
                         loc="center", title="solutions")
    figure.savefig(out / "solutions_map.png", dpi=DPI)
    plt.close(figure)


def main():
    study = study_tools.arguments(__doc__)
    results = json.loads((study.out / "results.json").read_text())
    conic(study.out, results["orthonormal_same_physics"])
    hyperbola(study.out)
    solutions_map(study.out)
    print((study.out / "table.md").read_text(), end="")
    print(f"{study.out}: results.json, table.md, figures")


if __name__ == "__main__":
    study_tools.run(main)

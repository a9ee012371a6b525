"""Painlevé's paradox: figures from the numbers that scree has written to OUT. Run by `scree study
painleve`.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools  # noqa: E402  (sets the style of figures)

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.colors import TwoSlopeNorm  # noqa: E402
from pictures import BLACK, BLUE, DPI, GREEN, ORANGE, PURPLE, RED  # noqa: E402

COLOURS = [BLUE, ORANGE, GREEN, RED, PURPLE, BLACK]


def table(out, name):
    return np.genfromtxt(out / name, delimiter=",", names=True)


def save(figure, out, name):
    figure.savefig(out / name, dpi=DPI)
    plt.close(figure)


def solution_spaces(out, results):
    """Figs. 3, 4 and 5 of the paper: where Signorini's and Coulomb's lines meet, and the direction
    of steepest descent of the energy at no impulse.
    """
    figure, axes = plt.subplots(1, 3, figsize=(15, 5.2), sharey=True)
    titles = {
        "impulse": "Impulse at an instant", "step": "A time step, no torque",
        "step_torque": "A time step, τ = −5/3"
    }
    t, n = np.meshgrid(np.linspace(-0.2, 0.7, 200), np.linspace(-0.05, 0.6, 200))
    for axis, (name, title) in zip(axes, titles.items()):
        space = results["solution_spaces"][name]
        (nn, nt), (_, tt) = space["W"]
        energy = 0.5 * (nn * n**2 + 2 * nt * n * t +
                        tt * t**2) + space["q"][0] * n + space["q"][1] * t
        axis.contour(t, n, energy, 25, cmap="YlOrRd_r", linewidths=0.7)
        mu = space["friction"]
        axis.plot([-0.2, 0, 0.7], [0.2 / mu, 0, 0.7 / mu], color=BLACK, lw=1, label="friction cone")
        lines = table(out, f"solution_space_{name}.csv")
        for line, colour, label in ((0, BLUE, "Signorini"), (1, "#56B4E9", "Coulomb")):
            part = lines[lines["line"] == line]
            axis.plot(part["t"], part["n"], color=colour, lw=2.5, label=label)
        descent = -np.array(space["q"]) / np.linalg.norm(space["q"])
        axis.annotate("", 0.12 * descent[::-1], (0, 0),
                      arrowprops={"arrowstyle": "->", "color": GREEN, "lw": 2})
        for s in space["solutions"]:
            axis.plot(s["t"], s["n"], "o", ms=9, mfc="none", mec=RED, mew=2)
            axis.annotate(s["state"], (s["t"], s["n"]), textcoords="offset points", xytext=(9, -14))
        axis.set(title=title, xlabel="tangential [N s]", xlim=(-0.2, 0.7), ylim=(-0.05, 0.6))
    axes[0].set_ylabel("normal [N s]")
    axes[0].legend(loc="upper left")
    save(figure, out, "solution_spaces.png")


def forces(out):
    """Fig. 6."""
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.6))
    for axis, name, label in zip(axes, ("1e2", "1e4"), ("10²", "10⁴")):
        curve = table(out, f"forces_{name}.csv")
        axis.plot(1e3 * curve["time"], curve["n"], color=BLUE, label="$λ_n$")
        axis.plot(1e3 * curve["time"], curve["t"], color=ORANGE, label="$λ_t$")
        axis.set(title=f"$k_n = γ_n = γ_t$ = {label}", xlabel="time [ms]", ylabel="force [N]")
        axis.legend()
    save(figure, out, "forces.png")


def convergence(out, results):
    """Fig. 7: to the slip's end, to t = 0.02, and as printed."""
    rows = results["compliance"]
    printed = {
        (r["quantity"][-3:], i // 2): float(r["printed"])
        for i, r in enumerate([r for r in results["table"] if r["quantity"].startswith("Table 1")])
    }
    alpha = np.array([r["alpha"] for r in rows])
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.6))
    for axis, key, limit in zip(axes, "nt", (3 * 3**0.5 / 16, 7 / 16)):
        axis.semilogx(alpha, [r["end"][key] for r in rows], "o-", color=BLUE,
                      label="Eq. 22, at t = 0.02")
        axis.semilogx(alpha, [r["stick"][key] for r in rows], "s-", color=GREEN,
                      label="Eq. 22, when slip ends")
        axis.semilogx(alpha, [v for (k, _), v in printed.items() if k[-1] == key], "x--", color=RED,
                      label="printed")
        axis.axhline(limit, color=BLACK, lw=1, label="Λ₂")
        stick, = (s for s in results["solution_spaces"]["step"]["solutions"])
        axis.axhline(stick[key], color=PURPLE, lw=1, ls=":", label="time step, δt = 0.01")
        axis.set(xlabel="α = $k_n = γ_n = γ_t$", ylabel=f"∫$λ_{key}$ [N s]")
        axis.legend()
    save(figure, out, "convergence.png")


def coefficient(out):
    """Fig. 8."""
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.2))
    for axis, name, x in ((axes[0], "angle", "angle φ [°]"),
                          (axes[1], "friction", "friction μ, at the worst angle φ*(μ)")):
        curve = table(out, f"coefficient_{name}.csv")
        axis.plot(curve[curve.dtype.names[0]], curve["mA"], color=BLUE)
        axis.axhline(0, color=BLACK, lw=1)
        axis.set(xlabel=x, ylabel="m A")
    axes[0].set_title("μ = 3/2")
    save(figure, out, "coefficient.png")


def stiff_limit(out):
    """Where a jam goes as the contact becomes stiff: by the two ratios, and in the plane of
    impulses.
    """
    rows = table(out, "stiff_limit.csv")
    size = int(round(len(rows)**0.5))
    x, y = rows["normal_ratio"].reshape(size, size), rows["tangential_ratio"].reshape(size, size)
    n = np.where(rows["found"] == 1, rows["n"], np.nan).reshape(size, size)
    jam = np.array([7 / 16, 3 * 3**0.5 / 16])
    figure, axes = plt.subplots(1, 2, figsize=(13, 5.2))
    levels = [0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.995, 1.005, 1.05, 1.1, 1.2, 1.3, 1.4]
    filled = axes[0].contourf(x, y, n / jam[1], levels, cmap="RdBu_r", norm=TwoSlopeNorm(1, 0, 1.4))
    lines = axes[0].contour(x, y, n / jam[1], [0.8, 0.95, 1.05, 1.2, 1.3], colors=BLACK,
                            linewidths=0.8)
    axes[0].clabel(lines)
    rests = rows["breaks"].reshape(size, size) == 0
    axes[0].contourf(x, y, rests, [0.5, 1.5], colors="none", hatches=["////"])
    axes[0].set(xscale="log", yscale="log", xlabel="$γ_n$ / √($k_n m$)",
                ylabel="$γ_t$ / √($k_n m$)", title="$∫λ_n$ over that of Λ₂ (hatched: exactly Λ₂)")
    figure.colorbar(filled, ax=axes[0])
    colours = axes[1].scatter(rows["t"], rows["n"], c=np.log10(rows["tangential_ratio"]), s=8,
                              cmap="viridis")
    figure.colorbar(colours, ax=axes[1], label="log₁₀ $γ_t$ / √($k_n m$)")
    for point, name in (((0, 0), "Λ₁"), (jam, "Λ₂")):
        axes[1].plot(*point, "o", ms=11, mfc="none", mec=RED, mew=2)
        axes[1].annotate(name, point, textcoords="offset points", xytext=(10, -12), color=RED)
    axes[1].set(xlabel="$∫λ_t$ [N s]", ylabel="$∫λ_n$ [N s]", title="All limit points")
    save(figure, out, "stiff_limit.png")


def penetration(out, results):
    """With b < 0: lift-off below the unstable force, jam above it."""
    rows = table(out, "penetration.csv")
    figure, axis = plt.subplots(figsize=(7.5, 4.6))
    for colour, k in zip(COLOURS, sorted(set(rows["stiffness"]))):
        part = rows[rows["stiffness"] == k]
        axis.plot(part["force"], part["n"], color=colour, label=f"$k_n$ = {k:.0e}")
    limit = results["separatrix"]["limit"]
    axis.axvline(limit, color=BLACK, lw=1, ls="--", label=f"unstable force {limit:.4f}")
    axis.axhline(3 * 3**0.5 / 16, color=BLACK, lw=1, label="Λ₂")
    axis.set(xlabel="force of the initial penetration $k_n |g_n|$ [N]", ylabel="$∫λ_n$ [N s]")
    axis.legend()
    save(figure, out, "penetration.png")


def laws(out, results):
    """From 45° into the paradox: where each law leaves the plane, and with which force it stays."""
    names = [row["law"] for row in results["steps_by_law"]["into_the_paradox"]]
    rows = table(out, "law_runs.csv")
    rows = rows[rows["situation"] == 3]
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.8))
    shown = {}  # laws with the same run share a line
    for index, name in enumerate(names):
        part = rows[rows["law"] == index]
        shown.setdefault(np.round(part["angle_deg"], 6).tobytes(), [part, []])[1].append(name)
    for colour, (part, laws_here) in zip(COLOURS, shown.values()):
        label = ",\n".join(laws_here)
        axes[0].plot(part["time"], part["angle_deg"], color=colour, label=label)
        axes[1].semilogy(part["angle_deg"], np.maximum(part["n"] / 1e-3, 1e-3), color=colour)
    axes[0].set(xlabel="time [s]", ylabel="angle [°]", ylim=(40, 120))
    axes[0].legend(fontsize=9)
    axes[1].set(xlabel="angle [°]", ylabel="normal impulse / time step [N]", xlim=(44, 76),
                ylim=(0.5, 2e4))
    for axis in axes:
        span = axis.axhspan if axis is axes[0] else axis.axvspan
        span(50.637, 73.053, color="#f0e0d0", zorder=0)
    axes[1].set_title("shaded: A < 0")
    save(figure, out, "laws.png")


def main():
    study = study_tools.arguments(__doc__)
    results = json.loads((study.out / "results.json").read_text())
    solution_spaces(study.out, results)
    forces(study.out)
    convergence(study.out, results)
    coefficient(study.out)
    stiff_limit(study.out)
    penetration(study.out, results)
    laws(study.out, results)
    print((study.out / "table.md").read_text(), end="")
    print(f"{study.out}: results.json, table.md, figures")


if __name__ == "__main__":
    study_tools.run(main)

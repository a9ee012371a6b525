#!/usr/bin/python3
"""Discharge of a flat-bottomed silo through round orifices, against Beverloo's law W = C ρ_b √g (D
− k d)^(5/2).
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import grains
import study_tools
from study_tools import pictures

ORIFICES = [6, 9, 12]
FRICTION, SPREAD = 0.5, 0.1
SIDES = 12  # sides of the polygon that represents the orifice
SETTLED = 12  # time by which the filling has settled and flows steadily
K = 1.4


def expected(diameter):
    return 0.58 * (diameter - K)**2.5


def width(diameter):
    return max(14, 2 * diameter)


def floor_with_orifice(diameter):
    """Boxes about a regular polygon of the area of the orifice: each lies beyond a side, all
    together cover the rest of the floor.
    """
    half_angle, w = np.pi / SIDES, width(diameter)
    middle = diameter / 2 * np.sqrt(half_angle / np.tan(half_angle)) + w / 2
    size = [w, np.sqrt(2) * w * np.tan(half_angle), 0.2]
    return [{
        "box": {
            "position": [middle * np.cos(angle), middle * np.sin(angle), -0.1], "size": size,
            "orientation": {"axis": [0, 0, 1], "angle": angle}
        }
    } for angle in 2 * half_angle * np.arange(SIDES)]


def scene(diameter, seed):
    """Time of the end, at which the bed is still higher than twenty grains and two orifices."""
    flow = expected(diameter)
    w, until = width(diameter), SETTLED + np.clip(1750 / flow, 10, 25)
    height = max(2 * diameter, 20) + until * flow / w**2
    walls = [
        grains.half_space(list(-w / 2 * np.array(n)), n)
        for n in ([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0])
    ]
    filling = grains.filling([-w / 2, -w / 2, 0], [w / 2, w / 2, 2 * height], w**2 * height, SPREAD,
                             seed)
    far = 1e6
    return grains.scene(FRICTION, until, (until - SETTLED) / 4, [filling],
                        walls + floor_with_orifice(diameter),
                        [([-far, -far, -far], [far, far, -3])])


def discharge(run, diameter):
    """W/(ρ_b √g) and the solid fraction of the flowing bulk: two grains from the walls, a third of
    the bed from floor and surface.
    """
    table = run.statistics()
    steady = table["time"] > SETTLED
    count = table["bodies_removed"][steady].sum() / (table["time"][-1] - table["time"][~steady][-1])
    half, fractions = width(diameter) / 2 - 2, []
    for frame, (_, time) in enumerate(run.frames()):
        if time < SETTLED:
            continue
        x, volume = grains.positions_and_volumes(run, frame)
        low, high = np.quantile(x[:, 2], [0.33, 0.67])
        inside = (np.abs(x[:, :2]) < half).all(axis=1) & (x[:, 2] > low) & (x[:, 2] < high)
        fractions.append(volume[inside].sum() / (4 * half**2 * (high - low)))
    return count * volume.mean() / np.mean(fractions), np.mean(fractions)


def fit(diameters, flow):
    """C and k: W^(2/5) = C^(2/5) (D − k) is a straight line; flows count by their relative
    error.
    """
    slope, intercept = np.polyfit(diameters, flow**0.4, 1, w=flow**-0.4)
    return slope**2.5, -intercept / slope


def draw(diameters, flow, error, coefficient, k):
    figure, axis = pictures.plt.subplots(figsize=(6, 4))
    fine = np.linspace(0, diameters[-1] + 1)
    axis.plot(fine, 0.58**0.4 * (fine - K).clip(0), "--", color=pictures.BLACK, lw=1,
              label="Beverloo: C = 0.58, k = 1.4")
    axis.plot(fine, coefficient**0.4 * (fine - k).clip(0), color=pictures.BLUE, lw=1,
              label=f"fit: C = {coefficient:.2f}, k = {k:.2f}")
    axis.errorbar(diameters, flow**0.4, 0.4 * flow**-0.6 * error, fmt="o", color=pictures.BLUE,
                  capsize=3, label="scree")
    axis.set(xlabel="orifice D/d", ylabel=r"$(W / \rho_b \sqrt{g}\, d^{5/2})^{2/5}$",
             xlim=(0, None), ylim=(0, None))
    axis.legend()
    return figure


def main():
    study = study_tools.arguments(__doc__)
    diameters, seeds = (ORIFICES[:2], [1, 2]) if study.quick else (ORIFICES, [1, 2, 3])
    runs = grains.run_all(study, {f"d{d}_seed{s}": scene(d, s) for s in seeds for d in diameters})
    rows = []
    for d in diameters:
        results = np.array([discharge(runs[f"d{d}_seed{s}"], d) for s in seeds])
        mean, error = grains.mean_and_error(results[:, 0])
        residual = np.mean([runs[f"d{d}_seed{s}"].statistics()["residual"].mean() for s in seeds])
        rows.append([d, mean, error, mean / expected(d), results[:, 1].mean(), residual])
    diameters, flow, error = np.array(rows).T[:3]
    coefficient, k = fit(diameters, flow)
    grains.finish(study, draw(diameters, flow, error, coefficient, k), "beverloo",
                  ["D/d", "W", "error", "over Beverloo's", "solid fraction", "E_s"], rows)
    exponent = np.polyfit(np.log(diameters - K), np.log(flow), 1)[0]
    print(f"exponent with k = 1.4: {exponent:.2f}; with exponent 5/2: C = {coefficient:.3f}, "
          f"k = {k:.2f}")


if __name__ == "__main__":
    study_tools.run(main)

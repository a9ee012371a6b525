#!/usr/bin/python3
"""Draws the pictures of a run: pictures.py RUN_DIRECTORY [--only FILE]

The manifest.json of the run lists the pictures; they go to RUN_DIRECTORY/pictures. If a picture
cannot be drawn, the script prints "warning: ...", draws the others and exits with status 1.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import h5py
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.patches import Polygon
except ImportError as error:
    print(f"warning: no pictures: {error}; run apt install python3-numpy python3-matplotlib "
          "python3-h5py")
    sys.exit(1)

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
RED, PURPLE, BLACK = "#D55E00", "#CC79A7", "#222222"
STONE, STONE_EDGE = "#9a9a9a", "#4d4d4d"
COLOUR_MAP = "viridis"
DPI = 120

plt.rcParams.update({
    "font.size": 12,
    "axes.titlesize": 14,
    "axes.labelsize": 13,
    "legend.fontsize": 11,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.h_pad": 0.08,
})


class PictureError(Exception):
    """A picture cannot be drawn; the message gives the cause and what to do."""


class Run:
    """Run directory; files are read when a picture needs them."""

    def __init__(self, path):
        self.path = Path(path)
        self.manifest = json.loads((self.path / "manifest.json").read_text())

    def frames(self):
        series = json.loads((self.path / "grains.hdf.series").read_text())
        return [(self.path / f["name"], f["time"]) for f in series["files"]]

    def obstacles(self):
        return json.loads((self.path / "obstacles.json").read_text())["obstacles"]

    def obstacle_surfaces(self):
        """Surfaces of obstacles at the end: points, triangles, and the obstacle of each triangle;
        None if there are none.
        """
        series = self.path / "obstacles.hdf.series"
        if not series.exists():
            return None
        last = json.loads(series.read_text())["files"][-1]["name"]
        with h5py.File(self.path / last) as file:
            grid = file["VTKHDF"]
            return (grid["Points"][...], grid["Connectivity"][...].reshape(-1, 3),
                    grid["CellData/obstacle"][...])

    def statistics(self):
        table = np.genfromtxt(self.path / "statistics.csv", delimiter=",", names=True, dtype=None,
                              encoding="utf-8")
        return np.atleast_1d(table)


def read_grains(path, region=None):
    """Arrays of a frame by name, for the bodies with their centre in the region.

    `position` and `size` are always there. `size` has the edges of boxes, and zeros for other
    bodies. If there are other shapes, `surface` has the triangles of each body, none for spheres
    and boxes.
    """
    with h5py.File(path) as file:
        grid = file["VTKHDF"]
        grains = {name: data[...] for name, data in grid["CellData"].items()}
        grains.setdefault("size", np.zeros_like(grains["position"]))
        if "shape" in grains:
            grains["surface"] = surfaces(grid)
    if region:
        x = grains["position"]
        inside = np.all((x >= region["min"]) & (x <= region["max"]), axis=1)
        grains = {name: data[inside] for name, data in grains.items()}
    return grains


def surfaces(grid):
    """Triangles of each strip of a frame; corners are anticlockwise seen from outside."""
    points, names = grid["Points"][...], grid["Connectivity"][...]
    offsets, types = grid["Offsets"][...], grid["Types"][...]
    triangles = np.empty(len(types), dtype=object)
    for body, kind in enumerate(types):
        strip = names[offsets[body]:offsets[body + 1]] if kind == 6 else []
        corners = np.array([strip[:-2], strip[1:-1], strip[2:]], dtype=int).T.reshape(-1, 3)
        corners[1::2] = corners[1::2, [1, 0, 2]]
        has_area = [len(set(c)) == 3 for c in corners.tolist()]
        triangles[body] = points[corners[has_area]]
    return triangles


QUANTITIES = {  # name: (function of the arrays, label, unit)
    "speed": (lambda g: np.linalg.norm(g["velocity"], axis=1), "Speed", "m/s"),
    "angular_speed": (lambda g: np.linalg.norm(g["angular_velocity"], axis=1), "Angular speed",
                      "rad/s"),
    "radius": (lambda g: g["radius"], "Radius", "m"),
    "material": (lambda g: g["material"], "Material", "number"),
}


def plain(text):
    """Text that matplotlib draws unchanged: without formulas between dollars, and without a leading
    _, which would hide a label.
    """
    shown = text.replace("$", r"\$")
    return " " + shown if shown.startswith("_") else shown


def heading(run, options, subject):
    """The title in the scene, or else the name of the scene and the subject."""
    return plain(options.get("title") or f"{run.manifest['scene']['name']}: {subject}")


def scaled(largest, unit):
    """Factor and name of the unit with the prefix that makes `largest` readable."""
    if not (math.isfinite(largest) and largest > 0):
        return 1.0, unit
    if unit.startswith("kg"):  # has its prefix already
        factor, unit = scaled(1e3 * largest, unit[1:])
        return 1e3 * factor, unit
    for power, prefix in ((9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"), (-9, "n")):
        if largest >= 0.5 * 10.0**power:
            return 10.0**-power, prefix + unit
    return 1e12, "p" + unit


def time_text(seconds):
    factor, unit = scaled(seconds, "s")
    return f"t = {factor * seconds:.4g} {unit}"


def length_unit(extent):
    """Factor and unit for lengths, with cm, which scaled() lacks."""
    units = ((1, "m", 1.5), (1e2, "cm", 0.02), (1e3, "mm", 0.001), (1e6, "µm", 0))
    return next((factor, unit) for factor, unit, min_extent in units if extent >= min_extent)


def rotation_matrix(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def surface_points(obstacle):
    """Points whose convex hull is the obstacle, in the inertial frame; None for a half-space."""
    shape = obstacle["shape"]
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    if shape == "box":
        corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
        points = corners * obstacle["half_extent"]
    elif shape == "cylinder":
        ring = obstacle["radius"] * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        points = np.concatenate([ring + [0, 0, s * obstacle["half_length"]] for s in (-1, 1)])
    elif shape in ("sphere", "capsule"):
        tilt = np.linspace(-np.pi / 2, np.pi / 2, 25)
        ball = obstacle["radius"] * np.array(
            [[np.cos(t) * np.cos(u), np.cos(t) * np.sin(u),
              np.sin(t)] for t in tilt for u in angles])
        half = obstacle.get("half_length", 0)
        points = np.concatenate([ball + [0, 0, s * half] for s in (-1, 1)])
    else:
        return None
    return points @ rotation_matrix(obstacle["quaternion"]).T + obstacle["position"]


def convex_parts(obstacle):
    """The obstacle itself, or the parts of a clump in the inertial frame."""
    if obstacle["shape"] != "clump":
        return [obstacle]
    rotation = rotation_matrix(obstacle["quaternion"])
    parts = []
    for part in obstacle["parts"]:
        w, v = obstacle["quaternion"][0], np.array(obstacle["quaternion"][1:])
        s, u = part["quaternion"][0], np.array(part["quaternion"][1:])
        parts.append({
            **part, "position": rotation @ part["position"] + obstacle["position"],
            "quaternion": [w * s - v @ u, *(w * u + s * v + np.cross(v, u))]
        })
    return parts


def convex_hull(points):
    """Corners of the convex hull of points in the plane, anticlockwise, by Andrew's monotone chain.
    """
    ordered = sorted(map(tuple, points))

    def chain(sequence):
        hull = []
        for p in sequence:
            while len(hull) > 1 and ((hull[-1][0] - hull[-2][0]) * (p[1] - hull[-2][1]) -
                                     (hull[-1][1] - hull[-2][1]) * (p[0] - hull[-2][0])) <= 0:
                hull.pop()
            hull.append(p)
        return hull[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def draw_outlines(axes, obstacles, plane, depth_range, factor):
    """Draws the obstacles among the bodies, seen along the third axis; leaves out floors and lids,
    which would hide everything.
    """
    (a, b), c = plane
    low, high = depth_range
    margin = 0.05 * (high - low)
    for part in (part for obstacle in obstacles for part in convex_parts(obstacle)):
        points = surface_points(part)
        if points is None or points[:, c].max() < low + margin or points[:,
                                                                         c].min() > high - margin:
            continue
        hull = factor * convex_hull(points[:, [a, b]])
        # Faces cover all edges, so that the parts of an obstacle show one outline.
        axes.add_patch(Polygon(hull, fill=False, edgecolor=STONE_EDGE, linewidth=2.5, zorder=3))
        axes.add_patch(Polygon(hull, facecolor=STONE, edgecolor="none", zorder=4))


def figure_size(options, default):
    width, height = options.get("size", default)
    return width / DPI, height / DPI


def axes_of(plane):
    """The two axes of a plane, and the axis of the view."""
    a, b = ("xyz".index(letter) for letter in plane)
    return (a, b), 3 - a - b


def cell_sums(grains, value, plane, edges):
    (a, b), _ = plane
    x = grains["position"]
    return [
        np.histogram2d(x[:, a], x[:, b], bins=edges, weights=w)[0]
        for w in (None, value, grains["velocity"][:, a], grains["velocity"][:, b])
    ]


def draw_velocity_map(run, options, path):
    plane = axes_of(options.get("plane", "xy"))
    (a, b), c = plane
    region = options.get("region")
    frames = run.frames()[-options.get("frames", 1):]
    last = read_grains(frames[-1][0], region)
    if len(last["position"]) == 0:
        raise PictureError("there are no bodies in the region at the end")
    x = last["position"]
    low = np.array(region["min"]) if region else (x - last["radius"][:, None]).min(axis=0)
    high = np.array(region["max"]) if region else (x + last["radius"][:, None]).max(axis=0)
    extent = high - low
    cells = options.get("cells") or [
        max(1, round(120 * extent[k] / extent[[a, b]].max())) for k in (a, b)
    ]
    edges = [np.linspace(low[k], high[k], n + 1) for k, n in zip((a, b), cells)]

    quantity, name, unit = QUANTITIES[options.get("quantity", "speed")]
    sums = 0
    for file, _ in frames:
        grains = read_grains(file, region)
        sums = np.add(sums, cell_sums(grains, quantity(grains), plane, edges))
    with np.errstate(invalid="ignore"):
        mean, along_a, along_b = sums[1:] / sums[0]

    factor, length = length_unit(extent[[a, b]].max())
    width = 1200
    height = min(1600, max(360, round(0.8 * width * extent[b] / extent[a]) + 130))
    figure, axes = plt.subplots(figsize=figure_size(options, (width, height)), dpi=DPI)
    axes.grid(False)
    axes.set_facecolor("#f4f4f4")
    colour_map = plt.get_cmap(COLOUR_MAP).copy()
    colour_map.set_bad(axes.get_facecolor())
    image = axes.pcolormesh(factor * edges[0], factor * edges[1], np.ma.masked_invalid(mean.T),
                            cmap=colour_map, vmin=0, vmax=options.get("max_speed"), rasterized=True)
    if options.get("arrows", False):
        draw_arrows(axes, along_a, along_b, edges, factor)
    draw_outlines(axes, run.obstacles(), plane, (x[:, c].min(), x[:, c].max()), factor)
    axes.set(xlim=factor * edges[0][[0, -1]], ylim=factor * edges[1][[0, -1]], aspect="equal",
             xlabel=f"{'xyz'[a]} [{length}]", ylabel=f"{'xyz'[b]} [{length}]")
    figure.colorbar(image, cax=axes.inset_axes([1.015, 0, 0.02,
                                                1]), label=f"{name}, mean of each cell [{unit}]",
                    extend="max" if options.get("max_speed") else "neither")
    over = f"mean of {len(frames)} frames to " if len(frames) > 1 else ""
    axes.set_title(heading(run, options, f"{name.lower()}, {over}{time_text(frames[-1][1])}"))
    figure.savefig(path)
    plt.close(figure)


def draw_arrows(axes, along_a, along_b, edges, factor):
    """Draws the mean velocity in the plane: about 30 arrows across."""
    stride = max(1, len(edges[0]) // 30)
    centres = [factor * (e[:-1] + e[1:]) / 2 for e in edges]
    pick = slice(stride // 2, None, stride)
    axes.quiver(centres[0][pick], centres[1][pick], along_a[pick, pick].T, along_b[pick, pick].T,
                color="white", width=0.0015, alpha=0.85, zorder=2)


def draw_energy(run, options, path):
    table = run.statistics()
    kinetic, potential = table[
        "kinetic_energy"], table["potential_energy"] - table["potential_energy"][0]
    dissipated, work = table["dissipated_energy"], table["wall_work"]
    springs = [
        table[k] for k in ("elastic_normal", "elastic_shear", "elastic_moment", "joint_energy")
        if k in table.dtype.names
    ]
    elastic = sum(springs, 0 * kinetic)
    lines = [("kinetic", kinetic, BLUE, "-"), ("potential, change", potential, ORANGE, "-"),
             ("dissipated in contacts", dissipated, RED, "-")]
    soft = np.any(elastic != 0)
    if soft:
        lines.append(("held by springs", elastic, PURPLE, "-"))
    if np.any(work != 0):
        lines.append(("work of walls and flow", work, GREEN, "-"))
    stored = "kinetic + potential + elastic" if soft else "kinetic + potential"
    lines.append((f"balance: {stored} + dissipated − work",
                  kinetic + potential + elastic + dissipated - work, BLACK, "--"))

    seconds, time_unit = scaled(table["time"].max(), "s")
    joules, energy_unit = scaled(max(np.nanmax(np.abs(values)) for _, values, _, _ in lines), "J")
    figure, axes = plt.subplots(figsize=figure_size(options, (1080, 660)), dpi=DPI)
    for name, values, colour, style in lines:
        axes.plot(seconds * table["time"], joules * values, style, color=colour, label=name)
    axes.set(xlabel=f"Time [{time_unit}]", ylabel=f"Energy [{energy_unit}]")
    axes.margins(x=0)
    axes.set_title(heading(run, options, "energy"))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=2)
    figure.savefig(path)
    plt.close(figure)


def draw_residual(run, options, path):
    table = run.statistics()[1:]  # without the initial state, which has no solve
    if len(table) == 0:
        raise PictureError("the run has no step")
    tolerance = run.manifest["tolerance"]
    seconds, time_unit = scaled(table["time"].max(), "s")
    time = seconds * table["time"]
    figure, (above, below) = plt.subplots(2, 1, sharex=True,
                                          figsize=figure_size(options, (1080, 760)), dpi=DPI,
                                          gridspec_kw={"height_ratios": [3, 2]})
    residual = np.where(table["residual"] > 0, table["residual"], np.nan)
    above.plot(time, residual, color=BLUE, label="worst step since the last row")
    above.axhline(tolerance, color=RED, linestyle="--", label=f"tolerance {tolerance:g}")
    missed = table["steps_not_converged"] > 0
    if missed.any():
        above.plot(time[missed], residual[missed], "o", color=RED, markersize=4,
                   label="tolerance missed")
    above.set(yscale="log", ylabel=r"Residual $E_s$ [–]")
    # Far below the tolerance the residual is rounding, which would fill most of the panel.
    if np.nanmin(residual, initial=tolerance) < 1e-6 * tolerance:
        above.set_ylim(bottom=1e-6 * tolerance)
    above.legend(loc="best")
    below.fill_between(time, table["sweeps_mean"], table["sweeps_max"], color=BLUE, alpha=0.2,
                       linewidth=0, label="up to most")
    below.plot(time, table["sweeps_mean"], color=BLUE, label="mean")
    below.set(xlabel=f"Time [{time_unit}]", ylabel="Sweeps per step", ylim=(0, None))
    below.legend(loc="best", ncol=2)
    below.margins(x=0)
    above.set_title(heading(run, options, "residual and sweeps of each step"))
    figure.savefig(path)
    plt.close(figure)


def draw_grains(run, options, path):
    if not os.environ.get("DISPLAY"):
        return draw_under_virtual_screen(run, path)
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        import grains_view
    except ImportError as error:
        raise PictureError(f"{error}; run apt install python3-vtk9") from error
    region = options.get("region")
    file, time = run.frames()[-1]
    grains = read_grains(file, region)
    if len(grains["position"]) == 0:
        raise PictureError("there are no bodies in the region at the end")
    quantity, name, unit = QUANTITIES[options.get("colour", "speed")]
    values = quantity(grains)
    factor, unit = scaled(values.max(), unit) if unit != "number" else (1, unit)
    values = factor * values
    limits = (0 if options.get("colour", "speed").endswith("speed") else values.min(), values.max())
    width, height = options.get("size", (1280, 800))
    colour_map = plt.get_cmap(COLOUR_MAP)
    colours = (255 * colour_map(plt.Normalize(*limits)(values))[:, :3]).astype(np.uint8)
    # Renders at twice the size and reduces the image, which smooths edges.
    size = (2 * int(0.88 * width), 2 * int(0.92 * height))
    image = grains_view.render(grains, colours, run.obstacles(), options.get("plane", "xy"), size,
                               run.obstacle_surfaces())

    figure, axes = plt.subplots(figsize=(width / DPI, height / DPI), dpi=DPI)
    axes.imshow(image, interpolation="antialiased")
    axes.set_axis_off()
    figure.colorbar(plt.cm.ScalarMappable(plt.Normalize(*limits), colour_map), ax=axes,
                    label=f"{name} [{unit}]", shrink=0.7, pad=0.01)
    axes.set_title(heading(run, options, f"{len(values)} bodies, {time_text(time)}"))
    figure.savefig(path)
    plt.close(figure)
    return None


def run_under_virtual_screen(command, seconds):
    """Runs a command with its own X screen, for at most `seconds`.

    Each process searches for a free screen number from another first number, so that two that start
    together do not take the same. If the screen fails, it tries twice more.
    """
    for attempt in range(3):
        number = 100 + (os.getpid() + 977 * attempt) % 50_000
        result = subprocess.run(
            ["xvfb-run", "-a", "-n", str(number), *command], capture_output=True, text=True,
            timeout=seconds)
        if "X server" not in result.stderr and "xvfb-run: error" not in result.stderr:
            break
    return result


def draw_under_virtual_screen(run, path):
    """Draws bodies on a virtual screen of xvfb, as Debian's VTK needs an X screen."""
    if not shutil.which("xvfb-run"):
        raise PictureError(
            "there is no screen, and xvfb-run is not installed; run apt install xvfb xauth")
    command = [sys.executable, __file__, str(run.path), "--only", path.stem]
    result = run_under_virtual_screen(command, seconds=600)
    if result.returncode != 0 or not path.exists():
        lines = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
        warnings = [line.split(": ", 2)[-1] for line in lines if line.startswith("warning: ")]
        raise PictureError((warnings or lines or
                            [f"xvfb-run ended with status {result.returncode}"])[-1])


DRAW = {
    "velocity_map": draw_velocity_map, "energy": draw_energy, "residual": draw_residual,
    "grains": draw_grains
}


def main():
    parser = argparse.ArgumentParser(description="Draws the pictures of a run of scree.")
    parser.add_argument("run", help="run directory")
    parser.add_argument("--only", help="name of the only picture to draw")
    arguments = parser.parse_args()
    run = Run(arguments.run)
    directory = run.path / "pictures"
    directory.mkdir(exist_ok=True)
    status = 0
    for picture in run.manifest["pictures"]:
        path = directory / (Path(picture["file"]).name + ".png")
        if arguments.only and path.stem != arguments.only:
            continue
        try:
            temporary = path.with_suffix(".part.png")  # renamed when complete
            if picture["kind"] == "grains" and not os.environ.get("DISPLAY"):
                draw_grains(run, picture["options"], path)
            else:
                DRAW[picture["kind"]](run, picture["options"], temporary)
                temporary.replace(path)
            if not arguments.only:
                print(f"drew {path}")
        except Exception as error:  # continue with the other pictures
            print(f"warning: {path.name} was not drawn: {error}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

"""Velocities averaged over the cells of a plane, with the obstacles and the vessel."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon

from .camera import bounds_of, box_of
from .colouring import QUANTITIES, rest_speed
from .run_files import read_grains
from .style import (COLOUR_MAP, DPI, STONE, STONE_EDGE, PictureError, add_caption, add_title,
                    figure_size, length_unit, scaled, time_text)


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


MAX_CELLS = 120  # along the longer side; a cell is at least one mean diameter wide


class Map:
    """Means of a quantity and of the velocity in the cells of a plane."""

    def __init__(self, run, options):
        self.plane = axes_of(options.get("plane", "xy"))
        region, frames = options.get("region"), run.frames()
        last = frames.index(run.chosen_frame(options))
        self.frames = frames[max(0, last + 1 - options.get("frames", 1)):last + 1]
        grains = read_grains(self.frames[-1][0], region)
        x, r = grains["position"], grains["radius"][:, None]
        if len(x) == 0:
            raise PictureError("there are no bodies in the region at this time")
        self.parts = run.parts(self.frames[-1][1])
        self.low, self.high = np.array([region["min"], region["max"]]) if region else box_of(
            bounds_of(grains), [self.parts])
        self.diameter = 2 * r.mean()
        self.depths = x[:, self.plane[1]].min(), x[:, self.plane[1]].max()
        self.name = options.get("quantity", "speed")
        rest = rest_speed(run, grains, frames[-1][1])
        self.floor = rest if self.name == "speed" else rest / grains["radius"].mean()
        self._average(region, options.get("cells"))

    def _average(self, region, cells):
        ab, extent = list(self.plane[0]), self.high - self.low
        size = max(self.diameter, extent[ab].max() / MAX_CELLS)
        cells = cells or [max(1, round(extent[k] / size)) for k in ab]
        self.edges = [np.linspace(self.low[k], self.high[k], n + 1) for k, n in zip(ab, cells)]
        sums = 0
        for file, _ in self.frames:
            grains = read_grains(file, region)
            value = QUANTITIES[self.name][0](grains)
            sums = np.add(sums, cell_sums(grains, value, self.plane, self.edges))
        with np.errstate(invalid="ignore"):
            self.mean, self.along_a, self.along_b = sums[1:] / sums[0]


def draw_velocity_map(run, options, path):
    cells = Map(run, options)
    (a, b), c = cells.plane
    extent = (cells.high - cells.low)[[a, b]]
    factor, length = length_unit(extent.max())
    edges = [factor * e for e in cells.edges]
    width = 1200
    height = min(1600, max(360, round(0.8 * width * extent[1] / extent[0]) + 130))
    figure, axes = plt.subplots(figsize=figure_size(options, (width, height)), dpi=DPI)
    axes.grid(False)
    axes.set_facecolor("#f4f4f4")
    add_cells(figure, axes, cells, edges, options.get("max_speed"))
    if options.get("arrows", False):
        draw_arrows(axes, cells.along_a, cells.along_b, edges)
    draw_vessel(axes, cells.parts, cells.plane, np.mean(cells.depths), factor)
    draw_outlines(axes, run.obstacles(cells.frames[-1][1]), cells.plane, cells.depths, factor)
    axes.set(xlim=edges[0][[0, -1]], ylim=edges[1][[0, -1]], aspect="equal",
             xlabel=f"{'xyz'[a]} [{length}]", ylabel=f"{'xyz'[b]} [{length}]")
    count, time = len(cells.frames), time_text(cells.frames[-1][1])
    add_caption(axes, f"mean of {count} frames to {time}" if count > 1 else time)
    add_title(axes, options)
    figure.savefig(path)
    plt.close(figure)


def add_cells(figure, axes, cells, edges, max_value):
    """The colours of the cells, and their bar."""
    _, name, unit = QUANTITIES[cells.name]
    largest = max_value or max(np.nanmax(cells.mean), cells.floor)
    prefix, unit = scaled(largest, unit)
    colour_map = plt.get_cmap(COLOUR_MAP).copy()
    colour_map.set_bad(axes.get_facecolor())
    image = axes.pcolormesh(*edges, np.ma.masked_invalid(prefix * cells.mean.T), cmap=colour_map,
                            vmin=0, vmax=prefix * largest or 1, rasterized=True)
    figure.colorbar(image, cax=axes.inset_axes([1.015, 0, 0.02,
                                                1]), label=f"{name}, mean of each cell [{unit}]",
                    extend="max" if max_value else "neither")


def draw_vessel(axes, parts, plane, level, factor):
    """Lines where the surfaces of obstacles cross the plane at `level` of its third axis."""
    if parts is not None:
        lines = factor * sections(parts.points[parts.triangles], plane, level)
        axes.add_collection(LineCollection(lines, colors=STONE_EDGE, linewidths=2, zorder=2.5),
                            autolim=False)


def sections(triangles, plane, level):
    """Segments, (n, 2, 2), where triangles cross a plane across an axis."""
    (a, b), c = plane
    height = triangles[:, :, c] - level
    crossing = (height < 0).any(axis=1) & (height >= 0).any(axis=1)
    triangles, height = triangles[crossing], height[crossing]
    ends = np.zeros((len(triangles), 2, 2))
    found = np.zeros(len(triangles), dtype=int)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        cut = (height[:, first] < 0) != (height[:, second] < 0)
        share = height[cut, first] / (height[cut, first] - height[cut, second])
        points = triangles[cut, first] + share[:, None] * (triangles[cut, second] -
                                                           triangles[cut, first])
        ends[cut, found[cut]] = points[:, [a, b]]
        found[cut] += 1
    return ends


def draw_arrows(axes, along_a, along_b, edges):
    """Draws the mean velocity in the plane: about 30 arrows across."""
    stride = max(1, len(edges[0]) // 30)
    centres = [(e[:-1] + e[1:]) / 2 for e in edges]
    pick = slice(stride // 2, None, stride)
    axes.quiver(centres[0][pick], centres[1][pick], along_a[pick, pick].T, along_b[pick, pick].T,
                color="white", width=0.003, alpha=0.85, zorder=2)

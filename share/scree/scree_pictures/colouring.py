"""Colours of bodies: by a number, with limits that mean something, or by their material."""

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

from .style import COLOUR_MAP, MATERIALS, PictureError, scaled

QUANTITIES = {  # name: (function of the arrays, label, unit)
    "speed": (lambda g: np.linalg.norm(g["velocity"], axis=1), "Speed", "m/s"),
    "angular_speed": (lambda g: np.linalg.norm(g["angular_velocity"], axis=1), "Angular speed",
                      "rad/s"),
    "radius": (lambda g: g["radius"], "Radius", "m"),
}
# Speeds below this share of √(g d) are rest, d being a mean diameter. Without gravity it is the
# speed that moves a body by this share of its diameter during the run.
REST = 0.01
TOP = 99  # percentage of the values that are below the upper limit


@dataclass
class Scale:
    """Colours from `low` to `high`, in units of the label."""
    low: float
    high: float
    factor: float  # of the label's unit in SI
    label: str
    open_above: bool  # some values are above `high`

    def colours(self, values):
        """(n, 3) bytes."""
        parts = np.clip((self.factor * values - self.low) / (self.high - self.low), 0, 1)
        return (255 * plt.get_cmap(COLOUR_MAP)(parts)[:, :3]).round().astype(np.uint8)


def rest_speed(run, grains, duration):
    """Speed below which bodies of these sizes may be said to rest [m/s]."""
    diameter = 2 * grains["radius"].mean()
    gravity = np.linalg.norm(run.manifest.get("gravity", [0, 0, 0]))
    if gravity > 0:
        return REST * np.sqrt(gravity * diameter)
    return REST * diameter / duration if duration > 0 else 0.0


def scale_of(run, name, frames, limits=None):
    """The scale of a quantity over all frames: arrays of each, in any iterable."""
    quantity, label, unit = QUANTITIES[name]
    low, high, top, floor = np.inf, 0.0, 0.0, 0.0
    duration = run.frames()[-1][1]
    for grains in frames:
        values = quantity(grains)
        if len(values) == 0:
            continue
        low, top = min(low, values.min()), max(top, values.max())
        high = max(high, np.percentile(values, TOP))
        if name != "radius":
            rest = rest_speed(run, grains, duration)
            floor = max(floor, rest if name == "speed" else rest / grains["radius"].mean())
    if name == "radius":
        high = top
    if not np.isfinite(low):
        raise PictureError("there are no bodies in the region at this time")
    if limits is not None:
        low, high = limits
        if low >= high:
            raise PictureError(f"the limits {low:g} and {high:g} are not in order; swap them")
    elif name != "radius":
        low, high = 0.0, max(high, floor)
    elif high - low < 1e-6 * high:  # one size
        low, high = 0.9 * high, 1.1 * high
    if high <= low:
        high = low + 1
    factor, unit = scaled(high, unit)
    return Scale(factor * low, factor * high, factor, f"{label} [{unit}]", top > high * (1 + 1e-9))


def material_name(run, number):
    names = run.manifest.get("materials", [])
    return names[number] if number < len(names) else f"material {number}"


def material_colours(materials):
    """(n, 3) bytes of the colours of MATERIALS, which repeat."""
    table = np.array([[int(colour[k:k + 2], 16) for k in (1, 3, 5)] for colour in MATERIALS])
    return table[materials % len(table)].astype(np.uint8)

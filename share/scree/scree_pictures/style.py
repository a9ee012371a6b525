"""The style of all pictures: colours, font, units, and text."""

import math

import matplotlib.pyplot as plt

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
RED, PURPLE, BLACK = "#D55E00", "#CC79A7", "#222222"
SKY, YELLOW = "#56B4E9", "#F0E442"
COLOURS = [BLUE, RED, GREEN, ORANGE, PURPLE, BLACK]
MATERIALS = [BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, BLACK]
STYLES = ["-", "--", ":", "-."]
STONE, STONE_EDGE = "#9a9a9a", "#4d4d4d"
COLOUR_MAP = "viridis"
DPI = 120

STYLE = {
    "font.family": "DejaVu Sans",  # matplotlib brings it
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
}


class PictureError(Exception):
    """A picture cannot be drawn; the message gives the cause and what to do."""


def plain(text):
    """Text that matplotlib draws unchanged: without formulas between dollars, and without a leading
    _, which would hide a label.
    """
    shown = text.replace("$", r"\$")
    return " " + shown if shown.startswith("_") else shown


def add_title(axes, options):
    """The title, if the scene has one."""
    if options.get("title"):
        axes.set_title(plain(options["title"]))


def add_caption(axes, text):
    """A small line above the axes: the time of what is shown, or the number of runs."""
    axes.text(0, 1.01, text, transform=axes.transAxes, va="bottom", fontsize=11)


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


def length_unit(extent):
    """Factor and unit for lengths, with cm, which scaled() lacks."""
    units = ((1, "m", 1.5), (1e2, "cm", 0.02), (1e3, "mm", 0.001), (1e6, "µm", 0))
    return next((factor, unit) for factor, unit, min_extent in units if extent >= min_extent)


def time_text(seconds):
    factor, unit = scaled(seconds, "s")
    return f"t = {factor * seconds:.4g} {unit}"


def figure_size(options, default):
    width, height = options.get("size", default)
    return width / DPI, height / DPI


def styled():
    """The style for the pictures that are made in a `with` block."""
    return plt.rc_context(STYLE)

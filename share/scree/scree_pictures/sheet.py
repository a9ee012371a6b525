"""A picture in space with what a reader needs: time, scale bar, and the meaning of colours."""

import matplotlib.patheffects as effects
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch, Rectangle

from .colouring import material_name
from .style import BLACK, COLOUR_MAP, MATERIALS, length_unit, plain, scaled, styled

LEGEND = 0.13  # width of the legend, as a share of the picture
BAR = 0.2  # greatest length of the scale bar, as a share of the picture
JOINT = 2.5  # width of the axes of joints [points of a font]
ROWS = 800  # height of a picture at which a point of a font is 120/72 pixels


class Sheet:
    """A figure around an image, which changes from frame to frame.

    size       width and height of the figure [pixel]
    scale      colours of a quantity, or None
    materials  numbers of the materials that are shown, if the colours are theirs
    camera     of the images
    times      of all frames [s]
    labels     of the panels of the image, which stand next to each other
    """

    def __init__(self, run, size, scale, materials, camera, times, options, labels=()):
        width, height = size
        dpi = max(60, 120 * height / ROWS)
        self.image_size = image_size(size)
        with styled():
            self.figure = plt.figure(figsize=(width / dpi, height / dpi), dpi=dpi, layout="none")
            self.axes = self.figure.add_axes([0, 0, 1 - LEGEND, 1])
            self.axes.set_axis_off()
            self.axes.set(xlim=(0, self.image_size[0]), ylim=(self.image_size[1], 0))
            self.image = None
            halo = [effects.withStroke(linewidth=3, foreground="white")]
            self.time = self.axes.text(0.02, 0.97, "", transform=self.axes.transAxes, va="top",
                                       path_effects=halo, color=BLACK)
            self.time_text = time_format(times)
            self.joints = LineCollection(
                [], colors=BLACK, linewidths=JOINT, capstyle="round",
                path_effects=[effects.withStroke(linewidth=JOINT + 1.5, foreground="white")])
            self.axes.add_collection(self.joints, autolim=False)
            self._add_scale_bar(camera, halo)
            for k, label in enumerate(labels):
                self.axes.text((k + 0.5) / len(labels), 0.9, label, transform=self.axes.transAxes,
                               ha="center", va="top", path_effects=halo, color=BLACK)
            if scale is not None:
                self._add_colour_bar(scale)
            elif materials is not None:
                self._add_materials(run, materials)
            if options.get("title"):
                self.figure.suptitle(plain(options["title"]), x=(1 - LEGEND) / 2, y=0.975, va="top",
                                     path_effects=halo)

    def show(self, image, time, joints=()):
        """Puts an image into the figure, with the axes of joints: two ends each [pixel]."""
        if self.image is None:
            self.image = self.axes.imshow(image, interpolation="none", aspect="auto",
                                          extent=(0, self.image_size[0], self.image_size[1], 0))
        else:
            self.image.set_data(image)
        self.joints.set_segments(joints)
        self.time.set_text(self.time_text(time))

    def pixels(self):
        """The figure as an array of rows of RGB."""
        self.figure.canvas.draw()
        return np.asarray(self.figure.canvas.buffer_rgba())[..., :3]

    def _add_scale_bar(self, camera, halo):
        metres_per_pixel = camera.height / self.image_size[1]
        length = round_length(BAR * self.image_size[0] * metres_per_pixel)
        factor, unit = length_unit(length)
        pixels, height = length / metres_per_pixel, self.image_size[1]
        left, bottom = 0.02 * self.image_size[0], 0.965 * height
        self.axes.add_patch(
            Rectangle((left, bottom), pixels, 0.008 * height, color=BLACK, zorder=4,
                      path_effects=halo))
        self.axes.text(left + pixels / 2, bottom - 0.008 * height, f"{factor * length:g} {unit}",
                       ha="center", va="bottom", path_effects=halo, color=BLACK)
        self.bar = length, pixels

    def _add_colour_bar(self, scale):
        axes = self.figure.add_axes([1 - 0.92 * LEGEND, 0.15, 0.15 * LEGEND, 0.7])
        colours = plt.cm.ScalarMappable(plt.Normalize(scale.low, scale.high), COLOUR_MAP)
        self.figure.colorbar(colours, cax=axes, label=scale.label,
                             extend="max" if scale.open_above else "neither")

    def _add_materials(self, run, materials):
        patches = [
            Patch(color=MATERIALS[k % len(MATERIALS)], label=plain(material_name(run, k)))
            for k in materials
        ]
        self.figure.legend(handles=patches, loc="center left", bbox_to_anchor=(1 - LEGEND, 0.5),
                           handlelength=1, borderpad=0, borderaxespad=0)


def image_size(size):
    """Width and height of the image on a sheet [pixel]."""
    return round((1 - LEGEND) * size[0]), size[1]


def round_length(longest):
    """The longest length of 1, 2 or 5 times a power of ten up to `longest`."""
    power = 10.0**np.floor(np.log10(longest))
    return power * max(k for k in (1, 2, 5) if k * power <= longest * (1 + 1e-9))


def time_format(times):
    """Text of a time, with the digits that tell the times apart, in the unit of the last."""
    factor, unit = scaled(max(times), "s")
    shown = factor * np.unique(times)
    if len(shown) == 1:
        return lambda seconds: f"t = {factor * seconds:.4g} {unit}"
    # Nearly all: a stage of a run may end, and have a frame, between two others.
    digits, error = 0, 0.05 * np.median(np.diff(shown))
    while digits < 6 and np.quantile(np.abs(shown.round(digits) - shown), 0.9) > error:
        digits += 1
    return lambda seconds: f"t = {factor * seconds:.{digits}f} {unit}"

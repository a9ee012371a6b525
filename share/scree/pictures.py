#!/usr/bin/python3
"""Draws the pictures of a run: pictures.py RUN_DIRECTORY

The manifest.json of the run lists the pictures; they go to RUN_DIRECTORY/pictures. If a picture
cannot be drawn, the script prints "warning: ...", draws the others and exits with status 1.
"""

import argparse
import sys
from pathlib import Path

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from scree_pictures.run_files import Run, read_grains
    from scree_pictures.style import (BLACK, BLUE, COLOUR_MAP, COLOURS, DPI, GREEN, ORANGE, PURPLE,
                                      RED, STYLE, STYLES, PictureError, add_caption, add_title,
                                      figure_size, length_unit, plain, scaled, time_text)
    from scree_pictures.velocity_map import axes_of, draw_outlines, draw_velocity_map
except ImportError as error:
    print(f"warning: no pictures: {error}; run apt install python3-numpy python3-matplotlib "
          "python3-h5py")
    sys.exit(1)

# Scripts and studies take what they draw with from this module, which has reported missing packages
# and sets the style.
__all__ = [
    "BLACK", "BLUE", "COLOUR_MAP", "COLOURS", "DPI", "GREEN", "ORANGE", "PURPLE", "PictureError",
    "RED", "Run", "STYLES", "add_caption", "axes_of", "draw_outlines", "in_space", "length_unit",
    "np", "plain", "plt", "read_grains", "scaled", "time_text"
]
plt.rcParams.update(STYLE)


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
    add_title(axes, options)
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
    add_title(above, options)
    figure.savefig(path)
    plt.close(figure)


def in_space(kind):
    """The function that draws a movie or a picture in space; it needs VTK."""
    try:
        from scree_pictures import movies
    except ImportError as error:
        raise PictureError(f"{error}; run apt install python3-vtk9") from error
    return movies.draw_movie if kind == "movie" else movies.draw_grains


def draw_grains(run, options, path):
    in_space("picture")(run, options, path)


DRAW = {
    "velocity_map": draw_velocity_map, "energy": draw_energy, "residual": draw_residual,
    "grains": draw_grains
}


def main():
    parser = argparse.ArgumentParser(description="Draws the pictures of a run of scree.")
    parser.add_argument("run", help="run directory")
    run = Run(parser.parse_args().run)
    directory = run.path / "pictures"
    directory.mkdir(exist_ok=True)
    status = 0
    for picture in run.manifest["pictures"]:
        name, options = Path(picture["file"]).name, picture["options"]
        path = directory / (name + ".png")
        try:
            if picture["kind"] == "movie":
                path = in_space("movie")(run, options,
                                         directory / f"{name}.{options.get('format', 'mp4')}")
            else:
                temporary = path.with_suffix(".part.png")  # renamed when complete
                DRAW[picture["kind"]](run, options, temporary)
                temporary.replace(path)
            print(f"drew {path}")
        except Exception as error:  # continue with the other pictures
            print(f"warning: {path.name} was not drawn: {error}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

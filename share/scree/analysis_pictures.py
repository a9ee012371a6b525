#!/usr/bin/python3
"""Draws the tables of an analysis: analysis_pictures.py DIRECTORY [DIRECTORY ...] [--out DIRECTORY]

The picture of the table NAME.csv is NAME.png next to it. Several directories, of several regions or
runs, are compared in one picture of each table; the pictures go to the first directory, or to
--out. If a table cannot be drawn, the script prints "warning: ...", draws the others and exits with
status 1.
"""

import argparse
import json
import sys
from pathlib import Path

from pictures import (BLACK, BLUE, COLOUR_MAP, COLOURS, DPI, GREEN, RED, STYLES, PictureError,
                      add_caption, length_unit, np, plain, plt, scaled, time_text)

WIDTH = 1080


class Analysis:
    """Directory of an analysis; tables are read when a picture needs them."""

    def __init__(self, path):
        self.path = Path(path)
        self.about = json.loads((self.path / "analysis.json").read_text())
        self.name = plain(self.about["title"])

    def has(self, name):
        return (self.path / f"{name}.csv").exists()

    def table(self, name):
        return np.atleast_1d(
            np.genfromtxt(self.path / f"{name}.csv", delimiter=",", names=True, dtype=None,
                          encoding="utf-8"))

    def when(self):
        first, last, frames = (self.about[key] for key in ("first_time", "last_time", "frames"))
        if frames == 1:
            return time_text(last)
        return f"{frames} frames, {time_text(first)} to {time_text(last)[4:]}"


def make_names_unique(analyses):
    """Uses paths as names if two analyses of a comparison have the same name."""
    if len({a.name for a in analyses}) < len(analyses):
        for analysis in analyses:
            analysis.name = plain(str(analysis.path))


def panels(rows, heights=None, sharex=True):
    figure, axes = plt.subplots(rows, 1, sharex=sharex, squeeze=False, dpi=DPI,
                                gridspec_kw={"height_ratios": heights or [1] * rows},
                                figsize=(WIDTH / DPI, (240 + 300 * rows) / DPI))
    return figure, axes[:, 0]


def from_zero(axes):
    axes.set_ylim(0, 1.08 * axes.get_ylim()[1])


def finish(figure, axes, analyses, over_time=False):
    """Adds legends if there are several lines, and the time of what is not over time."""
    for ax in axes:
        if len(ax.get_legend_handles_labels()[0]) > 1:
            ax.legend(loc="best", ncol=2)
    if len(analyses) == 1 and not over_time:
        add_caption(axes[0], analyses[0].when())
    return figure


def over_time(axes, analyses, tables, columns, unit=""):
    """Draws columns of tables over time; returns their unit. `columns`: (name, label). Each column
    has a colour; in a comparison each analysis has one.
    """
    seconds, time_unit = scaled(max(t["time"].max() for t in tables), "s")
    factor, unit = scaled(max(np.nanmax(np.abs(t[name])) for t in tables
                              for name, _ in columns), unit) if unit else (1, "")
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        marker = "o" if len(table) < 30 else ""
        for j, (name, label) in enumerate(columns):
            several = len(analyses) > 1
            axes.plot(seconds * table["time"], factor * table[name],
                      STYLES[j % 4] if several else "-", marker=marker, markersize=4,
                      color=COLOURS[(k if several else j) % len(COLOURS)],
                      label=f"{analysis.name}: {label}" if several else label)
    axes.set_xlabel(f"Time [{time_unit}]")
    return unit


def draw_solid_fraction(analyses, tables):
    figure, axes = panels(1)
    over_time(axes[0], analyses, tables, [("solid_fraction", "solid fraction")])
    axes[0].set(ylabel="Solid fraction [–]")
    from_zero(axes[0])
    return finish(figure, axes, analyses, over_time=True)


def draw_bed(analyses, tables):
    figure, axes = panels(2)
    over_time(axes[0], analyses, tables, [("solid_fraction", "solid fraction")])
    axes[0].set(ylabel="Solid fraction [–]", xlabel="")
    unit = over_time(axes[1], analyses, tables, [("mean_height", "mean"),
                                                 ("max_height", "highest column")], "m")
    axes[1].set(ylabel=f"Height above floor [{unit}]")
    for ax in axes:
        from_zero(ax)
    return finish(figure, axes, analyses, over_time=True)


def draw_coordination(analyses, tables):
    figure, axes = panels(2, [3, 2])
    over_time(axes[0], analyses, tables, [("coordination_number", "all bodies"),
                                          ("coordination_number_loaded", "with any contact"),
                                          ("coordination_number_backbone", "without rattlers")])
    axes[0].set(ylabel="Coordination number [–]", xlabel="")
    from_zero(axes[0])
    shares = [
        np.stack([
            t["time"], t["rattlers"] / np.maximum(t["bodies"], 1),
            t["contacts_sliding"] / np.maximum(t["contacts_loaded"], 1)
        ]) for t in tables
    ]
    shares = [np.rec.fromarrays(s, names="time,rattlers,sliding") for s in shares]
    over_time(axes[1], analyses, shares, [("rattlers", "rattlers, of bodies"),
                                          ("sliding", "sliding, of loaded contacts")])
    axes[1].set(ylabel="Share [–]", ylim=(-0.02, 1.02))
    return finish(figure, axes, analyses, over_time=True)


def draw_stress(analyses, tables):
    figure, axes = panels(2)
    entries = [("pressure", "pressure"), ("xx", "σ xx"), ("yy", "σ yy"), ("zz", "σ zz"),
               ("xz", "σ xz")]
    unit = over_time(axes[0], analyses, tables, entries[:1] if len(analyses) > 1 else entries, "Pa")
    axes[0].set(ylabel=f"Stress [{unit}]", xlabel="")
    over_time(axes[1], analyses, tables,
              [(f"fabric_{e}", f"fabric {e}") for e in ("xx", "yy", "zz")])
    axes[1].axhline(1 / 3, color="#888888", linewidth=1)
    axes[1].set(ylabel="Fabric [–]")
    return finish(figure, axes, analyses, over_time=True)


def draw_force_chains(analyses, tables):
    figure, axes = panels(2)
    over_time(axes[0], analyses, tables, [("strong_share", "of the contacts"),
                                          ("strong_pressure_share", "of the pressure")])
    axes[0].set(ylabel="Share of strong contacts [–]", xlabel="", ylim=(0, 1.02))
    unit = over_time(axes[1], analyses, tables, [("mean_normal_force", "mean"),
                                                 ("max_normal_force", "largest")], "N")
    axes[1].set(ylabel=f"Normal force [{unit}]")
    from_zero(axes[1])
    return finish(figure, axes, analyses, over_time=True)


def draw_discharge(analyses, tables):
    figure, axes = panels(2)
    unit = over_time(axes[0], analyses, tables, [("mass_rate", "between two frames")], "kg/s")
    axes[0].set(ylabel=f"Discharge [{unit}]", xlabel="")
    over_time(axes[1], analyses, tables, [("bodies_total", "bodies since the first frame")])
    axes[1].set(ylabel="Bodies that passed [–]")
    return finish(figure, axes, analyses, over_time=True)


def draw_mixing(analyses, tables):
    figure, axes = panels(1)
    over_time(axes[0], analyses, tables, [("mixing_index", "Lacey's index")])
    axes[0].axhline(1, color="#888888", linewidth=1)
    axes[0].set(ylabel="Mixing index [–]")
    return finish(figure, axes, analyses, over_time=True)


def draw_heap(analyses, tables):
    figure, axes = panels(1)
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        axes[0].errorbar(table["time"], np.degrees(table["angle"]), np.degrees(table["error"]),
                         fmt="o-", markersize=4, capsize=3, color=COLOURS[k % len(COLOURS)],
                         label=analysis.name if len(analyses) > 1 else None)
    axes[0].set(xlabel="Time [s]", ylabel="Angle of the flank [°]")
    return finish(figure, axes, analyses, over_time=True)


def draw_drum(analyses, tables):
    figure, axes = panels(1)
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        angle, colour = np.degrees(table["angle"]), COLOURS[k % len(COLOURS)]
        axes[0].plot(table["time"], angle, "o-", markersize=3, linewidth=1, color=colour,
                     label=analysis.name if len(analyses) > 1 else None)
        axes[0].axhline(angle.mean(), color=colour, linestyle="--", linewidth=1)
    axes[0].set(xlabel="Time [s]", ylabel="Angle of the surface [°]")
    return finish(figure, axes, analyses, over_time=True)


def draw_residence(analyses, tables):
    figure, axes = panels(1)
    longest = max(table["residence"].max() for table in tables)
    edges = np.linspace(0, longest * (1 + 1e-9) or 1, 41)
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        colour, times = COLOURS[k % len(COLOURS)], table["residence"]
        density, _ = np.histogram(times, edges, density=True)
        axes[0].stairs(density, edges, color=colour, linewidth=1.8,
                       label=analysis.name if len(analyses) > 1 else None)
        axes[0].axvline(times.mean(), color=colour, linestyle="--", linewidth=1)
    axes[0].set(xlabel="Residence time [s]", ylabel="Probability density [1/s]")
    from_zero(axes[0])
    return finish(figure, axes, analyses)


def draw_energy(analyses, tables):
    figure, axes = panels(1)
    series = [("kinetic", "kinetic"), ("potential_change", "potential, change"),
              ("dissipated", "dissipated in contacts"), ("wall_work", "work of walls and flow"),
              ("unaccounted", "unaccounted")]
    if any(np.any(table["elastic"] != 0) for table in tables if "elastic" in table.dtype.names):
        series.insert(2, ("elastic", "held by springs"))
    unit = over_time(axes[0], analyses, tables, series, "J")
    axes[0].set(ylabel=f"Energy [{unit}]")
    return finish(figure, axes, analyses, over_time=True)


def draw_rdf(analyses, tables):
    figure, axes = panels(1)
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        diameter = analysis.about["mean_diameter"]
        edges = np.append(table["r_inner"], table["r_outer"][-1]) / diameter
        axes[0].stairs(table["g"], edges, color=COLOURS[k % 6], linewidth=1.8, baseline=None,
                       label=analysis.name if len(analyses) > 1 else None)
    axes[0].axhline(1, color="#888888", linestyle=":", linewidth=1.4)
    axes[0].set(xlabel="Distance r / mean diameter d [–]", ylabel="g(r) [–]")
    from_zero(axes[0])
    axes[0].margins(x=0)
    return finish(figure, axes, analyses)


def draw_force_distribution(analyses, tables):
    figure, axes = panels(1)
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        some = table["contacts"] > 0
        if not some.any():
            raise PictureError("no contact was loaded")
        axes[0].plot((0.5 * (table["lower"] + table["upper"]))[some], table["density"][some], "o-",
                     color=COLOURS[k % 6], markersize=4, linewidth=1,
                     label=analysis.name if len(analyses) > 1 else None)
    axes[0].set(xlabel="Force f / mean force ⟨f⟩ [–]", ylabel="Probability density P(f / ⟨f⟩) [–]",
                yscale="log")
    axes[0].set_xlim(left=0)
    return finish(figure, axes, analyses)


# Quantities of maps: column, name, unit, True if the unit takes a prefix, weight of means over
# cells.
PROFILE = [("speed", "Speed", "m/s", True, "bodies"),
           ("angular_speed", "Angular speed", "rad/s", True, "bodies"),
           ("solid_fraction", "Solid fraction", "–", False, None)]
FIELDS = [("density", "Density", "kg/m³", False, None), ("speed", "Speed", "m/s", True, "density"),
          ("pressure", "Pressure", "Pa", True, None),
          ("temperature", "Granular temperature", "m²/s²", False, "density")]

MIN_DENSITY = 0.01  # density from which on velocities are drawn, over the largest density [-]


def long_axes(abouts):
    """Axes along which all grids have more than one cell."""
    long = [k for k in range(3) if abouts[0]["cells"][k] > 1]
    if any([k for k in range(3) if about["cells"][k] > 1] != long for about in abouts):
        raise PictureError("the analyses have cells along different axes")
    return long


def draw_velocity_profile(analyses, tables):
    abouts = [a.about for a in analyses]
    long = long_axes(abouts)
    if not long:
        return None  # one cell: nothing to draw
    return profile_curves(analyses, tables, long[0]) if len(long) == 1 else profile_maps(
        analyses, abouts, tables, PROFILE)


def draw_fields(analyses, tables):
    abouts = [a.about["fields"] for a in analyses]
    long = long_axes(abouts)
    if not long:
        return None
    return field_curves(analyses, tables, long[0]) if len(long) == 1 else profile_maps(
        analyses, abouts, tables, FIELDS)


def field_curves(analyses, tables, axis):
    letter = "xyz"[axis]
    figure, axes = panels(len(FIELDS))
    factor, length = length_unit(np.ptp([t[letter] for t in tables]))
    for ax, (column, name, unit, *_) in zip(axes, FIELDS):
        for k, (analysis, table) in enumerate(zip(analyses, tables)):
            ax.plot(factor * table[letter], table[column], color=COLOURS[k % 6],
                    label=analysis.name if len(analyses) > 1 else None)
        ax.set_ylabel(f"{name} [{unit}]")
    axes[-1].set_xlabel(f"{letter} [{length}]")
    return finish(figure, axes, analyses)


def profile_curves(analyses, tables, axis):
    letter = "xyz"[axis]
    figure, axes = panels(3)
    factor, length = length_unit(np.ptp([t[letter] for t in tables]))
    for k, (analysis, table) in enumerate(zip(analyses, tables)):
        several = len(analyses) > 1
        where, empty = factor * table[letter], table["bodies"] == 0

        def plot(ax, column, colour, style, label):
            values = np.where(empty & (column != "solid_fraction"), np.nan, table[column])
            ax.plot(where, values, style, color=COLOURS[k % 6] if several else colour,
                    label=f"{analysis.name}: {label}" if several else label)

        # A comparison shows magnitudes only: one line for each analysis.
        for ax, magnitude, vector in ((axes[0], "speed", "velocity"), (axes[1], "angular_speed",
                                                                       "angular_velocity")):
            plot(ax, magnitude, BLACK, "-", "mean " + magnitude.replace("_", " "))
            for along, colour, style in () if several else (("x", BLUE, "--"), ("y", GREEN, ":"),
                                                            ("z", RED, "-.")):
                plot(ax, f"{vector}_{along}", colour, style,
                     f"mean {vector.replace('_', ' ')} {along}")
        plot(axes[2], "solid_fraction", BLUE, "-", "solid fraction")
    axes[0].set_ylabel("Velocity [m/s]")
    axes[1].set_ylabel("Angular velocity [rad/s]")
    axes[2].set(ylabel="Solid fraction [–]", xlabel=f"{letter} [{length}]")
    from_zero(axes[2])
    return finish(figure, axes, analyses)


def plane_means(about, table, column, weight):
    """Axes a, b of the plane with the most cells, edges along them, and means over the third axis,
    weighted with a column.
    """
    cells = about["cells"]
    c = min(range(3), key=lambda k: (cells[k], -k))
    a, b = (k for k in range(3) if k != c)
    low, high = (np.array(about["region"][end]) for end in ("min", "max"))
    edges = [np.linspace(low[k], high[k], cells[k] + 1) for k in (a, b)]
    values = table[column].reshape(cells)
    if weight is None:
        return (a, b), edges, values.mean(axis=c)
    weights = table[weight].reshape(cells)
    total = weights.sum(axis=c)
    if weight == "density":  # where the density is low, means are those of single bodies
        total = np.where(total < MIN_DENSITY * total.max(), np.nan, total)
    with np.errstate(invalid="ignore"):
        return (a, b), edges, (values * weights).sum(axis=c) / total


def profile_maps(analyses, abouts, tables, quantities):
    """Draws maps: a row with its own scale for each quantity, a column for each analysis."""
    (a, b), edges, _ = plane_means(abouts[0], tables[0], "speed", None)
    shape = np.ptp(edges[1]) / np.ptp(edges[0])
    width = WIDTH if len(analyses) == 1 else 1600
    rows = len(quantities)
    height = rows * min(700, max(160, 0.75 * width / len(analyses) * shape) + 70)
    figure, axes = plt.subplots(rows, len(analyses), squeeze=False,
                                figsize=(width / DPI, height / DPI), dpi=DPI)
    colour_map = plt.get_cmap(COLOUR_MAP).copy()
    colour_map.set_bad("#f4f4f4")
    for row, (column, name, unit, prefixed, weight) in zip(axes, quantities):
        maps = [plane_means(about, table, column, weight) for about, table in zip(abouts, tables)]
        largest = max(np.nanmax(values, initial=0) for _, _, values in maps)
        factor, unit = scaled(largest, unit) if prefixed else (1, unit)
        for ax, ((a, b), edges, values) in zip(row, maps):
            metres, length = length_unit(max(np.ptp(e) for e in edges))
            image = ax.pcolormesh(metres * edges[0], metres * edges[1],
                                  np.ma.masked_invalid(factor * values.T), cmap=colour_map, vmin=0,
                                  vmax=factor * largest or 1, rasterized=True)
            ax.set(aspect="equal", xlabel=f"{'xyz'[a]} [{length}]", ylabel=f"{'xyz'[b]} [{length}]")
            ax.grid(False)
        figure.colorbar(image, ax=list(row), label=f"{name} [{unit}]")
    for ax, analysis in zip(axes[0], analyses):
        add_caption(ax, analysis.when() if len(analyses) == 1 else analysis.name)
    return figure


DRAW = {
    "solid_fraction": draw_solid_fraction, "bed": draw_bed, "coordination": draw_coordination,
    "stress": draw_stress, "force_chains": draw_force_chains, "discharge": draw_discharge,
    "mixing": draw_mixing, "heap": draw_heap, "drum": draw_drum, "residence": draw_residence,
    "energy": draw_energy, "velocity_profile": draw_velocity_profile, "fields": draw_fields,
    "rdf": draw_rdf, "force_distribution": draw_force_distribution
}


def main():
    parser = argparse.ArgumentParser(description="Draws the tables of an analysis of scree.")
    parser.add_argument("directories", nargs="+",
                        help="directories of analyses; several are compared")
    parser.add_argument("--out", help="directory of the pictures (default: the first directory)")
    arguments = parser.parse_args()
    try:
        analyses = [Analysis(directory) for directory in arguments.directories]
    except (OSError, ValueError, KeyError) as error:
        print(f"warning: no pictures: {error}; give directories of scree analyse")
        return 1
    make_names_unique(analyses)
    out = Path(arguments.out or arguments.directories[0])
    out.mkdir(parents=True, exist_ok=True)
    status = 0
    for name, draw in DRAW.items():
        some = [a for a in analyses if a.has(name)]
        path = out / f"{name}.png"
        if not some:
            path.unlink(missing_ok=True)  # a picture of an earlier analysis
            continue
        try:
            figure = draw(some, [a.table(name) for a in some])
            if figure is None:
                continue
            temporary = path.with_suffix(".part.png")  # renamed when complete
            figure.savefig(temporary)
            plt.close(figure)
            temporary.replace(path)
            print(f"drew {path}")
        except Exception as error:  # continue with the other pictures
            print(f"warning: {path.name} was not drawn: {error}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Granular flow past an obstacle [Preclik18, §4.3]: recomputes Table 2 and Figures 9 to 12, for the
possible meanings of their numbers.

The channel is computed with grains of the diameter that the text gives; with grains of that
*radius*, in ten sweeps a step; and, going on from there, as the model says. README.md says why.
A run that was stopped goes on.
"""

import csv
import math
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
# noqa: E402
from pictures import BLACK, BLUE, GREEN, ORANGE, RED, axes_of, draw_outlines, read_grains, Run

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

RADIUS = 0.235e-3  # radius of the grains in the scenes [m]
TEN_SWEEPS = ("step.margin=1e-8", "step.error_reduction=0.8", "step.recovery_speed=.inf",
              "solver.warm_start=false", "solver.tolerance=1e-12", "solver.max_sweeps=10")
PRINTED = {
    "bodies": 246992, "contacts": 320277, "contacts, per body": 2.593,
    "solid fraction of the channel": 0.572, "deepest penetration [µm]": 39.06,
    "peak speed of a cell [m/s]": 1.42
}
COLOURS = (BLUE, ORANGE, GREEN, RED)


@dataclass(frozen=True)
class Domain:
    """The channel, or a slice of it."""

    scene: str
    length: float  # [m]
    height: float  # [m]
    width: float = 0.065  # [m]

    def free_volume(self):
        """Volume without the obstacle, half a cylinder and half a square of 2 cm [m³]."""
        return (self.length * self.width - (math.pi / 2 + 2) * 0.01**2) * self.height

    def near_the_end(self):
        """The region of Figure 12, from three to one centimetres before the open end [m]."""
        return [self.length - 0.03, 0, 0, self.length - 0.01, self.width, self.height]

    def edges(self):
        """Edges of the cells of Figures 10 and 11, a millimetre wide [m]."""
        return [np.linspace(0, side, round(1000 * side) + 1) for side in (self.length, self.width)]


FULL, SLICE = Domain("channel_full.yaml", 0.15, 0.02), Domain("channel_quick.yaml", 0.09, 0.003)


@dataclass(frozen=True)
class Variant:
    """A variant of the channel, or of its last section from the last state of another variant."""

    name: str
    label: str
    radius: float  # [m]
    until: str
    settings: tuple = ()
    start: str = ""
    domain: Domain = FULL

    def grains(self, study):
        """Settings for grains of another radius than the scene's, and for those of the start."""
        radius, diameter = self.radius, 2 * self.radius
        settings = []
        if radius != RADIUS:  # the travel of the plate makes space for one layer
            settings += [
                f"inflows[0].radius={radius}",
                f"inflows[0].layer.region.max=[{diameter}, {self.domain.width}, "
                f"{self.domain.height}]", f"inflows[0].layer.spacing=[{diameter}, 1e-3, 1e-3]"
            ]
            if not self.start:
                settings.append(f"bodies[0].lattice.radius={radius}")
        if self.start:
            table = study.out / f"{self.start}.csv"
            if not table.exists():
                write_state(Run(study.out / self.start), table)
            settings += [
                f"bodies=[{{csv: {{file: {table.resolve()}, radius: {radius}, material: glass}}}}]",
                "allow_overlap=0.1mm"
            ]
        return settings

    def simulate(self, study):
        sampling = [
            "step.h=10us", f"until={self.until}", "output.frame_interval=10ms",
            "output.statistics_interval=1ms"
        ]
        return tools.simulate(study, self.name, self.domain.scene,
                              [*self.grains(study), *sampling, *self.settings])


def write_state(run, table):
    """Bodies of a run's last frame, in the form of a scene."""
    grains = read_grains(run.frames()[-1][0])
    rows = np.hstack([grains[name] for name in ("position", "velocity", "angular_velocity")])
    np.savetxt(table, rows, delimiter=",", header="x,y,z,vx,vy,vz,wx,wy,wz", comments="",
               fmt="%.17g")


AS_THE_MODEL_SAYS = ("step.margin=10um", "solver.acceleration=nesterov", "solver.tolerance=1e-2")
CHANNEL = (Variant("diameter", "diameter 0.47 mm, to 10⁻⁴", RADIUS, "0.15s"),
           Variant("then", "radius 0.47 mm, ten sweeps", 2 * RADIUS, "0.4s", TEN_SWEEPS),
           Variant("model", "radius 0.47 mm, to 10⁻²", 2 * RADIUS, "0.04s", AS_THE_MODEL_SAYS,
                   start="then"))
QUICK = (Variant("then", "slice, diameter 0.47 mm, ten sweeps", RADIUS, "20ms", TEN_SWEEPS,
                 domain=SLICE),
         Variant("model", "slice, diameter 0.47 mm, to 10⁻²", RADIUS, "10ms", AS_THE_MODEL_SAYS,
                 start="then", domain=SLICE))


def steady(run, part=0.25):
    """Rows of the statistics in the last section of the run."""
    rows = run.statistics()[1:]
    return rows[rows["time"] >= (1 - part) * rows["time"][-1]]


def cell_means(variant, run, quantity):
    """Mean of |quantity| over the bodies of each cell of the plane x-y in the last frame; NaN for
    empty cells.
    """
    grains = read_grains(run.frames()[-1][0])
    x, y = grains["position"][:, :2].T
    edges = variant.domain.edges()
    count = np.histogram2d(x, y, bins=edges)[0]
    total = np.histogram2d(x, y, bins=edges, weights=np.linalg.norm(grains[quantity], axis=1))[0]
    with np.errstate(invalid="ignore"):
        return total / count


def figures_of(variant, run):
    """Numbers of Table 2 and of the text, and their other possible meanings."""
    rows = steady(run)
    bodies = rows["bodies"].mean()
    free = variant.domain.free_volume()
    solid = bodies * 4 / 3 * math.pi * variant.radius**3
    deepest = rows["max_penetration"].max()
    time = run.statistics()["time"]
    figures = {
        "bodies": bodies,
        "bodies entered per second": run.statistics()["bodies_added"][1:].sum() / time[-1]
    }
    for kind, column in (("contacts", "contacts"), ("contacts touching", "contacts_touching"),
                         ("contacts loaded", "contacts_loaded")):
        figures[kind] = rows[column].mean()
        figures[f"{kind}, per body"] = 2 * rows[column].mean() / bodies
    figures["solid fraction of the channel"] = solid / free
    figures["the same with the diameter for the radius"] = 8 * solid / free
    figures["deepest penetration [µm]"] = 1e6 * deepest
    figures["deepest penetration over the diameter"] = deepest / (2 * variant.radius)
    figures["deepest of the whole run [µm]"] = 1e6 * run.statistics()["max_penetration"].max()
    # Cells with one or two bodies give no mean.
    figures["peak speed of a cell [m/s]"] = np.nanmax(cell_means(variant, run, "velocity"))
    figures["steps over the tolerance"] = int(run.statistics()["steps_not_converged"].sum())
    figures["worst residual E_s"] = run.statistics()["residual"].max()
    figures["time [s]"], figures["steps"] = time[-1], int(run.statistics()["step"][-1])
    return figures


def draw_domain(variant, run, path):
    """Draws Figure 9: the channel from above."""
    domain = variant.domain
    figure, axes = plt.subplots(figsize=(9, 4.4))
    axes.grid(False)
    draw_outlines(axes, run.obstacles(run.frames()[-1][1]), axes_of("xy"), (0, domain.height), 100)
    axes.annotate("inflow: a plate moves at 1 m/s, is put back,\nand lays a new layer", (0, 3.2),
                  (0.4, 5.6), fontsize=11)
    for y in np.linspace(0.4, 5.1, 8):
        axes.annotate("", (0.9, y), (0.05, y), arrowprops={"arrowstyle": "->", "color": BLUE})
    length = 100 * domain.length
    axes.annotate("open end", (length - 0.2, 5.9), fontsize=11, horizontalalignment="right")
    axes.set(xlim=(0, length), ylim=(0, 6.5), aspect="equal", xlabel="x [cm]", ylabel="y [cm]",
             title=f"The channel from above; {100 * domain.height:g} cm high")
    figure.savefig(path)
    plt.close(figure)


def draw_maps(runs, quantity, label, path):
    """Draws Figures 10 and 11: means of cells in the last frame."""
    maps = [cell_means(variant, run, quantity) for variant, run in runs]
    figure, panels = plt.subplots(len(runs), 1, figsize=(9, 3.4 * len(runs)), squeeze=False)
    for (variant, run), axes, means in zip(runs, panels.flat, maps):
        axes.grid(False)
        image = axes.imshow(means.T, origin="lower",
                            extent=(0, 100 * variant.domain.length, 0, 100 * variant.domain.width),
                            cmap="viridis", vmin=0, vmax=np.nanquantile(means, 0.999))
        draw_outlines(axes, run.obstacles(run.frames()[-1][1]), axes_of("xy"),
                      (0, variant.domain.height), 100)
        axes.set(xlabel="x [cm]", ylabel="y [cm]", title=variant.label)
        figure.colorbar(image, ax=axes, label=label)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def draw_distributions(study, runs, path):
    """Draws Figure 12: g(r) near the open end, from the frames of the last quarter."""
    figure, axes = plt.subplots(figsize=(8, 4.6))
    for (variant, run), colour in zip(runs, COLOURS):
        region = ",".join(map(str, variant.domain.near_the_end()))
        frames = max(1, len(run.frames()) // 4)
        tools.call([
            study.scree, "analyse", run.path, "--region", region, "--frames", frames, "--bins", 100,
            "--no-pictures", "--json"
        ], quiet=True)
        table = np.genfromtxt(run.path / "analysis" / "rdf.csv", delimiter=",", names=True)
        axes.plot((table["r_inner"] + table["r_outer"]) / 2 / (2 * variant.radius), table["g"],
                  color=colour, label=variant.label)
    axes.axhline(1, color=BLACK, linestyle=":", linewidth=1)
    axes.set(xlim=(0, 5), ylim=(0, None), xlabel="distance over the diameter [–]",
             ylabel="g(r) [–]", title="Near the open end")
    axes.legend()
    figure.savefig(path)
    plt.close(figure)


def state_hash(run):
    """Hash in the last row, as text; the table of numbers would read it as a number."""
    with open(run.path / "statistics.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))[-1]["state_hash"]


def same_map(study, until):
    """Runs a slice with Coulomb's law, with maximum dissipation, and with Coulomb's law and gravity
    changed in its last bit.
    """
    laws = {
        "coulomb": ["default_law.law=coulomb"],
        "max_dissipation": ["default_law.law=max_dissipation"], "coulomb, gravity + 1 bit": [
            "default_law.law=coulomb", f"gravity=[0, 0, {np.nextafter(-9.81, -10)}]"
        ]
    }
    answers = {}
    for name, settings in laws.items():
        run = tools.simulate(
            study, "slice_" + "".join(c if c.isalnum() else "_" for c in name), SLICE.scene,
            settings +
            [f"until={until}", f"output.frame_interval={until}", "output.contacts=false"])
        last = run.statistics()[-1]
        answers[name] = {
            "state_hash": state_hash(run), "bodies": int(last["bodies"]),
            "contacts": int(last["contacts"]),
            "deepest penetration [µm]": 1e6 * run.statistics()["max_penetration"].max(),
            "kinetic energy [J]": float(last["kinetic_energy"])
        }
    return answers


def shown(value):
    if isinstance(value, str):
        return value
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 1000 else f"{value:.4g}"


def table_of(columns, names):
    return [[
        "", *columns
    ], *([name, *(shown(column[name]) if name in column else "" for column in columns.values())]
         for name in names)]


def main():
    study = tools.arguments(__doc__)
    if study.quick:  # the slice is thin: larger grains would form two layers
        print(
            "A slice of 9 x 6.5 x 0.3 cm for a first look: its numbers are not those of the table.")
    variants, slice_until = (QUICK, "20ms") if study.quick else (CHANNEL, "60ms")
    runs = [(v, v.simulate(study)) for v in variants]
    results = {v.name: figures_of(v, run) for v, run in runs}
    laws = same_map(study, slice_until)

    tools.write_results(study, {"printed": PRINTED, "runs": results, "laws": laws})
    columns = {
        **({} if study.quick else {"printed": PRINTED}),
        **{v.label: results[v.name] for v in variants}
    }
    tables = [table_of(columns, results[variants[0].name]), table_of(laws, laws["coulomb"])]
    (study.out / "table.md").write_text("\n".join(tools.markdown(table) for table in tables))
    draw_domain(*runs[0], study.out / "figure_9.png")
    draw_maps(runs, "velocity", "speed [m/s]", study.out / "figure_10.png")
    draw_maps(runs, "angular_velocity", "angular speed [rad/s]", study.out / "figure_11.png")
    draw_distributions(study, runs[-2:], study.out / "figure_12.png")
    print((study.out / "table.md").read_text())
    print(f"Results are in {study.out}: table.md, results.json, figure_9.png to figure_12.png.")


if __name__ == "__main__":
    tools.run(main)

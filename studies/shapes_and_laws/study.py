#!/usr/bin/python3
"""Compares three contact laws on shapes for which they can differ: heaps of boxes, ellipsoids and
clumps, and their flow through a channel past an obstacle. Spheres, for which Coulomb's law and
maximum dissipation are the same map, are included.
"""

import csv
import json
import sys
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import grains
import study_tools
from study_tools import pictures

LAWS = {
    "coulomb": pictures.BLUE, "max_dissipation": pictures.ORANGE,
    "cone_complementarity": pictures.GREEN
}
STEP = 0.025
VOLUME = np.pi / 6  # of each grain: that of a sphere of diameter 1


def row_of_spheres(count, apart):
    """A clump of spheres in a row, at distances of `apart` radii."""
    shared = np.pi * (4 + apart) * (2 - apart)**2 / 12
    radius = (VOLUME / (count * 4 / 3 * np.pi - (count - 1) * shared))**(1 / 3)
    return {
        "clump": [{
            "shape": {"sphere": {"radius": radius}},
            "position": [(k - (count - 1) / 2) * apart * radius, 0, 0]
        } for k in range(count)]
    }


EDGE = VOLUME**(1 / 3)
SHAPES = {
    "spheres": {"radius": 0.5},
    "boxes": {"size": [1.25 * EDGE, EDGE, 0.8 * EDGE]},
    "ellipsoids": {"shape": {"ellipsoid": {"semi_axes": [0.75, 0.5, 1 / 3]}}},
    "clumps": {"shape": row_of_spheres(2, 1.4)},
    "rods": {"shape": row_of_spheres(4, 1.2)},
}


def filling(shape, low, high, volume, seed):
    """Random bodies; settled, they fill `volume`."""
    count = round(grains.FRACTION * volume / VOLUME)
    return {
        "random": {
            "region": {"min": low, "max": high}, "count": count, "seed": seed, "material": "grains",
            **SHAPES[shape]
        }
    }


class Heap:
    """The wall at the end of a bed sinks and leaves a heap, as in the study `heap`."""

    name, friction = "heap", 0.5
    shapes = "spheres", "boxes", "ellipsoids", "clumps"
    length, thickness, height = 14, 3, 7
    release, speed, rest = 10, 0.5, 15
    sunk = release + height / speed
    until = sunk + rest
    steady = release  # contacts are looked at from then on
    dumped = 15  # grains slide down the slope

    def scene(self, shape, seed):
        length, thickness, height = self.length, self.thickness, self.height
        wall = {
            "box": {
                "min": [length, -1, -height], "max": [length + 1, thickness + 1, height],
                **grains.SMOOTH, "motion": {
                    "velocity": [
                        0, 0, f"t > {self.release} && t < {self.sunk} ? {-self.speed} : 0"
                    ]
                }
            }
        }
        # The filling stands higher than the wall until it has come down.
        above = grains.half_space([length, 0, 0], [-1, 0, 0], **grains.SMOOTH,
                                  motion={"velocity": [f"t > {self.release} ? 50 : 0", 0, 0]})
        obstacles = [
            grains.half_space([0, 0, 0], [1, 0, 0], **grains.SMOOTH), wall, above,
            *grains.smooth_sides(thickness), *grains.rods(length, thickness)
        ]
        bodies = filling(shape, [0, 0, 0], [length, thickness, 5 * height],
                         length * thickness * height, seed)
        far = 1e6
        return grains.scene(self.friction, self.until, 1, [bodies], obstacles,
                            [([length + 0.5, -far, -far], [far, far, far])], contacts=True)

    def measure(self, study, run):
        last = pictures.read_grains(run.frames()[-1][0])
        table = run.statistics()
        tables = analyse(study, run, ([1, 0, 0.5], [self.length / 2, self.thickness, 2.5]), 1)
        at_end = table["time"] > self.until - 5
        start = np.searchsorted(table["time"], self.release)
        count = table["bodies"][start]
        return {
            "angle [deg]": self.slope(last["position"]),
            "grains that stay": table["bodies"][-1] / count,
            "solid fraction": tables["solid_fraction"]["solid_fraction"][-1],
            "coordination": tables["coordination"]["coordination_number"][-1],
            "dissipated / m g d": (table["dissipated_energy"][-1] -
                                   table["dissipated_energy"][start]) / (count * VOLUME),
            "kinetic at the end / m g d": table["kinetic_energy"][at_end].mean() / (count * VOLUME),
        }

    def slope(self, position):
        """Slope of a line through the highest centres on squares a grain wide, without ends."""
        top = np.zeros((self.length, self.thickness))
        for x, y, z in position:
            place = int(np.clip(x, 0, self.length - 1)), int(np.clip(y, 0, self.thickness - 1))
            top[place] = max(top[place], z)
        strips = np.arange(2, self.length - 1)
        return np.degrees(np.arctan(-np.polyfit(strips, top[strips].mean(axis=1), 1)[0]))


class SteepHeap(Heap):
    """Rods with so much friction that contacts can jam."""

    name, friction, shapes = "heap of rods", 1.5, ("rods",)


class Channel:
    """A belt carries grains through a periodic channel, past an obstacle that is round in front and
    square behind.
    """

    name, friction = "channel", 0.5
    shapes = Heap.shapes
    length, width, depth, radius = 12, 14, 2.5, 0.75
    until, steady = 30, 12
    dumped = 30
    bins = 7  # of the profile, across the channel

    def scene(self, shape, seed):
        middle = [self.length / 2, self.width / 2]
        r = self.radius
        obstacles = [
            grains.half_space([0, 0, 0], [0, 0, 1], name="belt", surface_velocity=[1, 0, 0]),
            grains.half_space([0, 0, 0], [0, 1, 0], **grains.SMOOTH),
            grains.half_space([0, self.width, 0], [0, -1, 0], **grains.SMOOTH),
            {"cylinder": {"name": "nose", "from": [*middle, -1], "to": [*middle, 12],
                          "radius": r}}, {
                              "box": {
                                  "name": "tail", "min": [middle[0], middle[1] - r, -1],
                                  "max": [middle[0] + r, middle[1] + r, 12]
                              }
                          }
        ]
        free = self.length * self.width - (np.pi / 2 + 2) * r**2
        bodies = filling(shape, [0, 0, 0], [self.length, self.width, 5 * self.depth],
                         free * self.depth, seed)
        scene = grains.scene(self.friction, self.until, 1, [bodies], obstacles, contacts=True)
        scene["cell"] = {"period": [self.length, 0, 0]}
        return scene

    def measure(self, study, run):
        frames = [path for path, time in run.frames() if time > self.steady]
        region = [0, 0, 0], [self.length / 4, self.width, 1.5]
        tables = analyse(study, run, region, len(frames), cells=f"1,{self.bins},1")
        table = run.statistics()
        later = table["time"] > self.steady
        count = table["bodies"][-1]
        profile = tables["velocity_profile"]["velocity_x"]
        time = table["time"][later]
        lost = np.polyfit(time, table["dissipated_energy"][later], 1)[0]
        with open(run.path / "obstacles.csv", newline="", encoding="utf-8") as file:
            drag = [
                float(row["force_x"]) for row in csv.DictReader(file)
                if row["obstacle"] in ("nose", "tail") and float(row["time"]) > self.steady
            ]
        return {
            "solid fraction": tables["solid_fraction"]["solid_fraction"].mean(),
            "coordination": tables["coordination"]["coordination_number"].mean(),
            "speed in the middle": profile[self.bins // 2],
            "speed at the sides": 0.5 * (profile[0] + profile[-1]),
            "drag / weight": sum(drag) / len(time) / (count * VOLUME),
            "dissipated / m g d in √(d/g)": lost / (count * VOLUME),
            "kinetic / m g d": table["kinetic_energy"][later].mean() / (count * VOLUME),
            "profile": profile.tolist(),
        }


FLOWS = [Heap(), Channel(), SteepHeap()]


def analyse(study, run, region, frames, **options):
    """Tables of `scree analyse`, as columns by name."""
    corners = ",".join(str(float(value)) for corner in region for value in corner)
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    study_tools.call([
        study.scree, "analyse", run.path, f"--region={corners}", "--frames", frames,
        "--no-pictures", *words
    ], captured=True)
    return {
        path.stem: np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True))
        for path in (run.path / "analysis").glob("*.csv")
    }


def couplings(run, since):
    """Painlevé numbers of all loaded contacts of the frames from a time on."""
    numbers = []
    for path, time in run.frames():
        if time <= since:
            continue
        with h5py.File(path.with_name(path.name.replace("grains", "contacts"))) as file:
            data = file["VTKHDF/PointData"]
            loaded = np.sum(data["impulse"][...] * data["normal"][...], axis=1) > 0
            numbers.append(data["painleve_number"][...][loaded])
    return np.concatenate(numbers)


def single_contacts(problem, solution):
    """Each contact of a problem, with all others at their solution: W, q and μ by row."""
    with h5py.File(problem) as file:
        local = file["fclib_local"]
        first, column, value = (local[f"W/{name}"][...] for name in "pix")
        mu = local["vectors/mu"][...]
    with h5py.File(solution) as file:
        r, u = (file[f"solution/{name}"][...].reshape(-1, 3) for name in "ru")
    blocks = np.zeros((len(mu), 3, 3))
    row = np.repeat(np.arange(3 * len(mu)), np.diff(first))
    own = row // 3 == column // 3
    blocks[row[own] // 3, row[own] % 3, column[own] % 3] = value[own]
    q = u - np.einsum("kij,kj->ki", blocks, r)
    coupling = mu * np.hypot(blocks[:, 0, 1], blocks[:, 0, 2]) / blocks[:, 0, 0]
    return blocks, q, mu, coupling


def ambiguous(study, run):
    """Numbers of contacts of the dumped problems: all, those with a Painlevé number of at least 1,
    and those with several solutions of Coulomb's law.
    """
    counts = np.zeros(3, dtype=int)
    for problem in sorted((run.path / "problems").glob("*.hdf5")):
        solution, table = problem.with_suffix(".solved"), problem.with_suffix(".csv")
        # The results are read from the file; a residual above the tolerance gives status 3.
        study_tools.call([
            study.scree, "solve", problem, "--law", "coulomb", "--solver", "gauss_seidel", "--tol",
            "1e-4", "--out", solution
        ], captured=True)
        blocks, q, mu, coupling = single_contacts(problem, solution)
        at = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow("id W_nn W_nt W_no W_tt W_to W_oo q_n q_t q_o mu".split())
            for k, block in enumerate(blocks):
                writer.writerow(
                    [k, *(float(block[i]) for i in at), *map(float, q[k]),
                     float(mu[k])])
        answers = problem.with_suffix(".answers.csv")
        study_tools.call([study.scree, "contact", table, "--out", answers], captured=True)
        with open(answers, newline="", encoding="utf-8") as file:
            several = sum(int(line["n_solutions"]) > 1 for line in csv.DictReader(file))
        counts += [len(mu), int((coupling >= 1).sum()), several]
    return counts.tolist()


def compute(study, flow, shape, law, seed):
    """Figures of a run, which may exist already."""
    name = f"{flow.name.replace(' ', '_')}_{shape}_{law}_{seed}"
    kept = study.out / f"{name}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    scene = flow.scene(shape, seed)
    scene["default_law"]["law"] = law
    path = study.out / f"{name}.yaml"
    path.write_text(json.dumps(scene, indent=1))  # JSON is YAML
    scene["step"]["h"] = STEP
    study_tools.call([
        study.scree, "run", path, "--out", study.out / name, "--force", "--quiet", "--no-pictures",
        "--threads", 1, "--dump-problems",
        round(flow.dumped / STEP)
    ], captured=True)
    run = pictures.Run(study.out / name)
    verdict = json.loads((run.path / "verdict.json").read_text())
    numbers = couplings(run, flow.steady)
    contacts, coupled, several = ambiguous(study, run)
    figures = {
        **flow.measure(study, run),
        "steps over the tolerance": verdict["steps"] - verdict["steps_within_tolerance"],
        "mean Painlevé number": float(numbers.mean()),
        "Painlevé number >= 1 [%]": 100 * float((numbers >= 1).mean()),
        "contacts looked at": contacts,
        "of them coupled": coupled,
        "of them ambiguous": several,
        "histogram": np.histogram(numbers, np.linspace(0, 2, 41))[0].tolist(),
    }
    kept.write_text(json.dumps(figures, default=float))
    return figures


HIDDEN = "profile", "histogram"
SUMMED = "contacts looked at", "of them coupled", "of them ambiguous", "steps over the tolerance"


def tables_of(flow, figures, seeds):
    """A table for each shape: means over fillings with their errors, by law."""
    texts = []
    for shape in flow.shapes:
        columns = {law: [figures[flow.name, shape, law, s] for s in seeds] for law in LAWS}
        rows = [[shape, *LAWS]]
        for name in columns["coulomb"][0]:
            if name in HIDDEN:
                continue
            row = [name]
            for of_law in columns.values():
                values = [run[name] for run in of_law]
                if name in SUMMED:
                    row.append(str(sum(values)))
                else:
                    mean, error = grains.mean_and_error(values)
                    row.append(f"{mean:.3g} ± {error:.2g}")
            rows.append(row)
        texts.append(study_tools.markdown(rows))
    return "\n".join(texts)


def draw_means(flow, figures, seeds, names):
    """Each of some figures by shape, with the laws side by side, and every filling as a dot."""
    shapes = flow.shapes
    figure, panels = pictures.plt.subplots(1, len(names), figsize=(3.6 * len(names), 3.6))
    for axis, name in zip(panels, names):
        for k, (law, colour) in enumerate(LAWS.items()):
            x = np.arange(len(shapes)) + 0.22 * (k - 1)
            values = np.array([[figures[flow.name, shape, law, s][name] for s in seeds]
                               for shape in shapes])
            axis.plot(x, values, ".", color=colour, ms=4, alpha=0.5)
            axis.errorbar(x, values.mean(axis=1),
                          values.std(axis=1, ddof=1) / len(seeds)**0.5, fmt="o", ms=5, color=colour,
                          capsize=3, label=law)
        axis.set(title=name, xticks=np.arange(len(shapes)), ylim=(0, None))
        axis.set_xticklabels(shapes, rotation=20)
    panels[0].legend(fontsize=8, loc="lower right")
    return figure


def draw_profiles(figures, seeds):
    channel = FLOWS[1]
    shapes = channel.shapes
    figure, panels = pictures.plt.subplots(1, len(shapes), figsize=(3.2 * len(shapes), 3.4),
                                           sharey=True)
    y = (np.arange(channel.bins) + 0.5) * channel.width / channel.bins
    for axis, shape in zip(panels, shapes):
        for law, colour in LAWS.items():
            values = np.array([figures["channel", shape, law, s]["profile"] for s in seeds])
            axis.errorbar(y, values.mean(axis=0),
                          values.std(axis=0, ddof=1) / len(seeds)**0.5, fmt="o-", ms=4,
                          color=colour, lw=1, capsize=2, label=law)
        axis.set(title=shape, xlabel="y / d", ylim=(0, 1.1))
    panels[0].set_ylabel("speed along the channel / √(g d)")
    panels[0].legend(fontsize=8, loc="lower center")
    return figure


def draw_couplings(figures, seeds):
    figure, panels = pictures.plt.subplots(1, 3, figsize=(11, 3.6), sharey=True)
    x = np.linspace(0, 2, 41)[:-1] + 0.025
    colours = dict(
        zip(SHAPES,
            (pictures.BLACK, pictures.BLUE, pictures.ORANGE, pictures.GREEN, pictures.PURPLE)))
    for axis, flow in zip(panels, FLOWS):
        for shape in flow.shapes:
            if shape == "spheres":
                continue
            total = sum(
                np.array(figures[flow.name, shape, "coulomb", s]["histogram"]) for s in seeds)
            axis.step(x, total / max(total.sum(), 1) / 0.05, where="mid", color=colours[shape],
                      label=shape)
        axis.axvline(1, color=pictures.BLACK, lw=1, ls="--")
        axis.set(title=f"{flow.name}, μ = {flow.friction}",
                 xlabel="Painlevé number μ ‖W_nt‖ / W_nn", yscale="log")
        axis.legend(fontsize=8)
    panels[0].set_ylabel("density of loaded contacts")
    return figure


def save(study, figure, name):
    figure.tight_layout()
    figure.savefig(study.out / f"{name}.png", dpi=pictures.DPI)


def main():
    study = study_tools.arguments(__doc__)
    seeds = [1, 2] if study.quick else [1, 2, 3]
    cases = [(flow, shape, law, s) for s in seeds for flow in FLOWS for shape in flow.shapes
             for law in LAWS]
    from runs import side_by_side
    found = side_by_side(study, lambda case: compute(study, *case), cases)
    figures = {(flow.name, shape, law, s): each
               for (flow, shape, law, s), each in zip(cases, found)}
    text = "\n".join(f"## {flow.name}\n\n" + tables_of(flow, figures, seeds) for flow in FLOWS)
    (study.out / "table.md").write_text(text)
    study_tools.write_results(study,
                              {"/".join(map(str, key)): each for key, each in figures.items()})
    save(study,
         draw_means(FLOWS[0], figures, seeds, ["angle [deg]", "solid fraction", "coordination"]),
         "heaps")
    save(study,
         draw_means(FLOWS[1], figures, seeds, ["drag / weight", "solid fraction", "coordination"]),
         "channels")
    save(study, draw_profiles(figures, seeds), "profiles")
    save(study, draw_couplings(figures, seeds), "couplings")
    print(text)
    print(f"Results are in {study.out}: table.md, results.json, heaps.png, channels.png, "
          "profiles.png, couplings.png.")


if __name__ == "__main__":
    study_tools.run(main)

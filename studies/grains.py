"""Scenes of grains with mean diameter 1 in gravity 1, and their runs. Times are in √(d/g), speeds
in √(g d).
"""

import json
import os
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import study_tools
from study_tools import pictures

FRACTION = 0.6  # solid fraction of a bed, for numbers of grains and for depths
SMOOTH = {"material": "smooth"}  # an obstacle without friction: a plane of symmetry


def half_space(point, normal, **more):
    return {"half_space": {"point": point, "normal": normal, **more}}


def smooth_sides(thickness):
    """Two planes of symmetry, for a slab of 0 < y < thickness."""
    return [
        half_space([0, 0, 0], [0, 1, 0], **SMOOTH),
        half_space([0, thickness, 0], [0, -1, 0], **SMOOTH)
    ]


def rods(count, length, across=False):
    """A rough floor: rods of a grain's diameter side by side along y, or along x if across; their
    tops are at z = 0.
    """

    def end_of(k, end):
        return [end, k + 0.5, -0.5] if across else [k + 0.5, end, -0.5]

    return [{
        "cylinder": {
            "name": f"rod {k}{' across' * across}", "radius": 0.5, "from": end_of(k, -1),
            "to": end_of(k, length + 1)
        }
    } for k in range(count)]


def filling(low, high, volume, spread, seed):
    """Random grains of diameters 1 ± spread between two corners; settled, they fill `volume`."""
    fraction = FRACTION * volume / np.prod(np.subtract(high, low))
    return {
        "random": {
            "region": {"min": low, "max": high}, "volume_fraction": fraction, "seed": seed,
            "radius": {"uniform": [0.5 * (1 - spread), 0.5 * (1 + spread)]}, "material": "grains"
        }
    }


def scene(friction, until, frame_interval, bodies, obstacles, outflows=(), contacts=False):
    """A scene with the default accuracy."""
    return {
        "scree": 1,
        "until": until,
        "gravity": [0, 0, -1],
        "step": {"h": 0.02},
        "materials": {"grains": {"density": 1}, "smooth": {}},
        "default_law": {"law": "coulomb", "friction": friction},
        "laws": [{"between": ["grains", "smooth"], "law": "frictionless"}],
        "bodies": bodies,
        "obstacles": [{kind: {"material": "grains", **shape} for kind, shape in entry.items()}
                      for entry in obstacles],
        "outflows": [{"min": low, "max": high} for low, high in outflows],
        "output": {
            "frame_interval": frame_interval, "statistics_interval": 0.2, "contacts": contacts
        },
    }


def run_all(study, scenes):
    """Runs scenes, a dictionary by name, in parallel on one thread each; skips complete runs.
    Returns the runs by name.
    """
    each = Namespace(**{**vars(study), "threads": 1})

    def run(name):
        scene = study.out / f"{name}.yaml"
        scene.write_text(json.dumps(scenes[name], indent=1))  # JSON is YAML
        return study_tools.simulate(each, name, scene.absolute())

    with ThreadPoolExecutor(study.threads or os.cpu_count()) as pool:
        return dict(zip(scenes, pool.map(run, scenes)))


def positions_and_volumes(run, frame=-1):
    grains = pictures.read_grains(run.frames()[frame][0])
    return grains["position"], 4 / 3 * np.pi * grains["radius"]**3


def slope(grains, length, thickness):
    """Slope of the surface of a heap over 0 < x < length, 0 < y < thickness [deg]: a line through
    the tops of the highest grains on squares one grain wide, without the heap's ends.
    """
    top = np.zeros((length, thickness))
    for (x, y, z), radius in zip(grains["position"], grains["radius"]):
        square = int(np.clip(x, 0, length - 1)), int(np.clip(y, 0, thickness - 1))
        top[square] = max(top[square], z + radius)
    strips = np.arange(2, length - 4)
    return np.degrees(np.arctan(-np.polyfit(strips, top[strips].mean(axis=1), 1)[0]))


def mean_and_error(values):
    """Mean and its standard error."""
    values = np.asarray(values)
    return np.array(
        [values.mean(),
         values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan])


def finish(study, figure, name, head, rows):
    """Saves the figure, and writes and prints the table."""
    figure.savefig(study.out / f"{name}.png", dpi=pictures.DPI)
    cells = [head] + [[f"{x:.3g}" if isinstance(x, float) else x for x in row] for row in rows]
    table = study_tools.markdown(cells)
    (study.out / "table.md").write_text(table)
    study_tools.write_results(study, [dict(zip(head, row)) for row in rows])
    print(table)

#!/usr/bin/python3
"""Compares three laws of simultaneous impacts of rigid bodies with stiff springs. Rows
of balls, a rod and a cube on two contacts, and a ball on a bed.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

LAWS = ["newton", "poisson", "energetic"]
SPRINGS = "springs"
RADIUS, DENSITY, FRICTION = 5e-3, 2500.0, 0.5
WIDTH = 12 * 2 * RADIUS  # width of the bed [m]
SPEED = 1.0  # speed of the impacting body [m/s]
FLIES = 0.02  # time of the observation after the impact [s]


def scene(law, e, until, interval=0.0):
    """Materials and laws of a scene; `law` is one of impacts, or springs."""
    grain = {"density": DENSITY}
    if law == SPRINGS:
        grain.update(young=2e8, poisson=0.3)
        step, pair = {"h": "auto"}, {"law": "hertz_mindlin"}
    else:
        step, pair = {"h": 2e-4, "impacts": law}, {"law": "coulomb"}
    return {
        "scree": 1, "until": until, "gravity": [0, 0, 0], "materials": {"grain": grain},
        "step": step, "default_law": {**pair, "friction": FRICTION, "restitution": e},
        "output": {"frame_interval": interval}
    }  # yapf: disable


def solved_well(what):
    """The scene with an accurate solver, so that differences are those of laws."""
    what["solver"] = {"tolerance": 1e-9, "max_sweeps": 20000}
    return what


def run(study, name, what):
    path = study.out / f"{name}.yaml"
    path.write_text(json.dumps(what))
    return runs.Run(study, name, path, {})


# ------------------------------------------------------------------------------------------------
# Rows of balls


def row_of_balls(study, law, count, e):
    """Speeds at the end; the first ball comes with 1 m/s, all others touch [m/s]."""
    what = solved_well(scene(law, e, 0.01 if law == SPRINGS else 2e-3))
    what["bodies"] = [{
        "sphere": {
            "position": [2 * RADIUS * k, 0, 0], "radius": RADIUS,
            "velocity": [SPEED if k == 0 else 0, 0, 0]
        }
    } for k in range(count)]  # yapf: disable
    return run(study, f"row_{law}_{count}_{e}", what).grains()["velocity"][:, 0]


def cradles(study):
    cases = [(law, count, e) for e in (1.0, 0.8) for count in (2, 3, 4, 5, 20)
             for law in (*LAWS, SPRINGS)]
    speeds = runs.side_by_side(study, lambda case: row_of_balls(study, *case), cases)
    return dict(zip(cases, speeds))


# ------------------------------------------------------------------------------------------------
# A rod and a cube

SHAPES = {"rod": [0.1, 0.01, 0.01], "cube": [0.02, 0.02, 0.02]}


def lands(study, shape, law, e, slides):
    """One end rests on the plane, the other hits it. Returns velocities of both ends after the
    impact [m/s], and the kinetic energy over that before.
    """
    size = np.array(SHAPES[shape])
    half = size[0] / 2
    velocity, spin = [slides, 0, -SPEED / 2], SPEED / (2 * half)
    what = solved_well(scene(law, e, 0.004 if law == SPRINGS else 4e-4))
    if law == SPRINGS:
        what["default_law"].update(law="cundall_strack", k_n=1e7, k_t=1e7)
    what["bodies"] = [{
        "box": {
            "position": [0, 0, float(size[2]) / 2], "size": SHAPES[shape], "velocity": velocity,
            "angular_velocity": [0, spin, 0]
        }
    }]  # yapf: disable
    what["obstacles"] = [{"half_space": {"point": [0, 0, 0], "normal": [0, 0, 1]}}]
    grains = run(study, f"{shape}_{law}_{e}_{slides}", what).grains()
    v, w = grains["velocity"][0], grains["angular_velocity"][0]
    inertia = (size[0]**2 + size[2]**2) / 12

    def energy(v, w):
        return float(np.dot(v, v) + inertia * np.dot(w, w))

    return [
        float(v[2] + w[1] * half),
        float(v[2] - w[1] * half),
        energy(v, w) / energy(velocity, [0, spin, 0])
    ]


def landings(study):
    cases = [(shape, law, e, slides) for shape in SHAPES for e in (1.0, 0.5)
             for slides in (0.0, 0.5) for law in (*LAWS, SPRINGS)]
    return dict(zip(cases, runs.side_by_side(study, lambda case: lands(study, *case), cases)))


# ------------------------------------------------------------------------------------------------
# A ball on a bed


def walls():
    w = WIDTH
    planes = [([0, 0, 0], [1, 0, 0]), ([w, 0, 0], [-1, 0, 0]), ([0, 0, 0], [0, 1, 0]),
              ([0, w, 0], [0, -1, 0]), ([0, 0, 0], [0, 0, 1])]
    return [{"half_space": {"point": point, "normal": normal}} for point, normal in planes]


def write_bed(path, position, radius, ball=None):
    """A table of spheres; the last is the ball that falls."""
    rows = [[*x, r, 0.0] for x, r in zip(position, radius)]
    if ball:
        rows.append([*ball, RADIUS, -SPEED])
    runs.write_csv(path, ["x", "y", "z", "r", "vz"], rows)


def bed(study, count):
    """Centres and radii of grains at rest [m]."""
    random = np.random.default_rng(5)
    cell, side = 2.3 * RADIUS, int(WIDTH / (2.3 * RADIUS))
    k = np.arange(count)
    cells = np.stack([k % side, k // side % side, k // side**2], axis=1) + 0.5
    table = study.out / f"filling_{count}.csv"
    write_bed(table, cell * cells + 0.02 * RADIUS * random.uniform(-1, 1, (count, 3)),
              RADIUS * random.uniform(0.9, 1.1, count))
    what = scene("newton", 0.0, 1.0)
    what.update(gravity=[0, 0, -9.81], obstacles=walls())
    what["step"]["h"] = 1e-3
    what["bodies"] = [{"csv": {"file": table.name}}]
    grains = run(study, f"bed_{count}", what).grains()
    return grains["position"], grains["radius"]


def lowest_place(position, radius):
    """Height of a ball over the middle of the bed that touches nothing yet [m]."""
    x = y = WIDTH / 2
    apart = radius + RADIUS
    beside = np.hypot(position[:, 0] - x, position[:, 1] - y)
    near = beside < apart
    z = position[near, 2] + np.sqrt(apart[near]**2 - beside[near]**2)
    return [x, y, float(z.max()) + 1e-6]


def fall(study, name, law, e, until, position, radius, ball):
    table = study.out / f"{name}.csv"
    write_bed(table, position, radius, ball)
    what = scene(law, e, until, 1e-3 if ball else 0)
    # Grains at rest have the overlaps of their loads.
    what.update(gravity=[0, 0, -9.81], obstacles=walls(), allow_overlap=True)
    what["bodies"] = [{"csv": {"file": table.name}}]
    if law != SPRINGS:
        what["output"]["statistics_interval"] = 2e-4
    before = os.times()
    result = run(study, name, what)
    return result, os.times().children_user - before.children_user


def hit(study, count, law, e, position, radius):
    """Motion of the ball and the bed after the impact."""
    name = f"hit_{count}_{law}_{e}"
    if law == SPRINGS:
        # springs find their own rest first
        settled, _ = fall(study, f"rest_{count}_{e}", law, e, 0.1, position, radius, None)
        position = settled.grains()["position"]
    result, cost = fall(study, name, law, e, FLIES, position, radius,
                        lowest_place(position, radius))
    frames = [result.grains(k) for k in range(len(result.times()))]
    velocity = np.array([frame["velocity"] for frame in frames])
    rise = np.array([frame["position"][:-1, 2] for frame in frames]) - position[:, 2]
    mass = radius**3
    up = (velocity[:, :-1, 2] * mass).sum(axis=1) / (RADIUS**3 * SPEED)
    moves = (squares(velocity[:, :-1]) * mass).sum(axis=1) / (RADIUS**3 * SPEED**2)
    at = min(3, len(frames) - 1)
    return {
        "rebound": float(velocity[1:, -1, 2].max() / SPEED),
        "bed_up": float(up[1:].max()), "highest": float(rise.max() / (2 * RADIUS)),
        "bed_energy": float(moves[at]), "cost": cost
    }  # yapf: disable


def squares(velocity):
    return np.sum(velocity**2, axis=-1)


def beds(study, counts):
    results = {}
    for count in counts:
        position, radius = bed(study, count)
        cases = [(law, e) for e in (0.2, 0.5, 0.8) for law in (*LAWS, SPRINGS)]
        found = runs.side_by_side(
            study, lambda case, n=count, x=position, r=radius: hit(study, n, *case, x, r), cases)
        results.update({(count, *case): one for case, one in zip(cases, found)})
    return results


# ------------------------------------------------------------------------------------------------
# Tables and figures


def write_tables(study, rows, boxes, balls):
    head = ["e", "balls", "law"] + [f"v{k + 1}" for k in range(5)]
    runs.write_csv(study.out / "rows.csv", head,
                   [[e, count, law, *speeds[:5].tolist()]
                    for (law, count, e), speeds in rows.items() if count <= 5])
    runs.write_csv(study.out / "chain.csv", ["e", "ball", *LAWS, SPRINGS],
                   [[e, k + 1, *(float(rows[law, 20, e][k]) for law in (*LAWS, SPRINGS))]
                    for e in (1.0, 0.8) for k in range(20)])
    runs.write_csv(study.out / "boxes.csv",
                   ["shape", "e", "slides", "law", "resting_end", "falling_end", "energy"],
                   [[shape, e, slides, law, *values]
                    for (shape, law, e, slides), values in boxes.items()])
    runs.write_csv(study.out / "beds.csv",
                   ["grains", "e", "law", "rebound", "bed_up", "highest", "bed_energy", "cost"],
                   [[count, e, law, *one.values()] for (count, law, e), one in balls.items()])


def draw_chain(study, rows):
    figure, axis = plt.subplots(figsize=(5, 3.2))
    for colour, law in zip(runs.COLOURS, ("newton", "poisson", SPRINGS)):
        axis.plot(np.arange(1, 21), rows[law, 20, 1.0], "o-", color=colour, ms=3, label=law)
    axis.set_xlabel("ball")
    axis.set_ylabel("speed after the impact [m/s]")
    axis.legend()
    figure.savefig(study.out / "chain.png")


def draw_beds(study, balls, counts):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2))
    for colour, law in zip(runs.COLOURS, (*LAWS, SPRINGS)):
        for axis, key in zip(axes, ("rebound", "bed_energy")):
            axis.plot([0.2, 0.5, 0.8], [balls[counts[-1], law, e][key] for e in (0.2, 0.5, 0.8)],
                      "o-", color=colour, ms=4, label=law)
    for axis, label in zip(axes, ("fastest rise of the ball over its fall [-]",
                                  "energy of the bed after 3 ms, over the ball's [-]")):
        axis.set_xlabel("e")
        axis.set_ylabel(label)
    axes[0].legend()
    figure.savefig(study.out / "beds.png")


def main():
    study = tools.arguments(__doc__)
    counts = [150] if study.quick else [500, 1500, 5000]
    rows, boxes, balls = cradles(study), landings(study), beds(study, counts)
    write_tables(study, rows, boxes, balls)
    draw_chain(study, rows)
    draw_beds(study, balls, counts)

    verdicts = runs.Verdicts()
    for law in LAWS:
        for count in (2, 3, 4, 5):
            first = (1 + 0.8) / count - 0.8
            verdicts.near(f"{law}, e = 0.8, {count} balls: the first", rows[law, count, 0.8][0],
                          first, 1e-6)
    for count, e in ((count, e) for count in counts for e in (0.2, 0.5, 0.8)):
        for law in ("poisson", "energetic"):
            verdicts.near(f"{law}, e = {e}, bed of {count}: height of what jumps, diameters",
                          balls[count, law,
                                e]["highest"], 0, balls[count, SPRINGS, e]["highest"] + 0.5)
    verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

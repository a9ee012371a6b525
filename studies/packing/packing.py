"""Compresses spheres by six walls in steps until they jam."""

from pathlib import Path

import numpy as np
import runs

SCENE = Path(__file__).resolve().parent / "compression.yaml"
DIAMETER = 1e-3  # [m]
SPEED = 0.01  # of the walls [m/s]; with no gravity and no rebound it only sets the unit of time
# strain of a closing; below FINE it is solved with more sweeps
COARSEST, FINE, FINEST = 4e-3, 1e-3, 5e-5
PRESSED = 1  # the frame when the walls have closed
STEPS = 40  # in which the walls close
# … and then stand, while what overlaps moves apart. Without friction a packing that holds the walls
# only for a while gives way then, and what is left is jammed. With friction a packing that holds is
# one of many, and compression goes on without a break until one does.
REST = {0.0: 40, 0.3: 0}


def side(count, fraction):
    """Side of a cube in which `count` spheres have this solid fraction [m]."""
    return DIAMETER * (count * np.pi / 6 / fraction)**(1 / 3)


def walls(length, motion):
    """Six walls of a cube about the origin that move inwards with the speed `motion`, a number or
    an expression.
    """
    out = []
    for axis in range(3):
        for sign in (-1, 1):

            def vector(value):
                return [value if k == axis else 0 for k in range(3)]

            out.append({
                "half_space": {
                    "point": vector(sign * length / 2), "normal": vector(-sign), "material": "wall",
                    "motion": {"velocity": vector(f"{-sign}*({motion})")}
                }
            })
    return out


def law(friction):
    return {"law": "coulomb", "friction": friction} if friction > 0 else {"law": "frictionless"}


def gas(study, name, count, seed, fraction):
    """Centres of an elastic gas after compression to a solid fraction, and the side of its cube."""
    start, end = side(count, 0.295), side(count, fraction)
    corner = start / 2
    run = runs.Run(
        study, f"{name}/gas", SCENE, {
            "bodies[0].random.region": {"min": [-corner] * 3, "max": [corner] * 3},
            "bodies[0].random.count": count, "bodies[0].random.seed": seed, "obstacles": walls(
                start, SPEED), "until": (start - end) / (2 * SPEED), "output.contacts": False
        })
    return run.grains()["position"], end


def shrinking(centres, length):
    """A state in which every sphere moves as if space shrank with the walls, as in a periodic cell.

    Without it the spheres at the walls are compressed first.
    """
    return np.hstack([centres, -centres * 2 * SPEED / length, np.zeros_like(centres)])


def closing(study, name, state, length, strain, friction):
    """Closes the walls by `strain`, and rests. Returns the run, the state at its end and the side
    of the cube there.

    The run has a frame at PRESSED, when the walls have closed.
    """
    table = study.out / name / "start.csv"
    np.savetxt(table, state, delimiter=",", header="x,y,z,vx,vy,vz,wx,wy,wz", comments="",
               fmt="%.17g")
    closed = strain * length / (2 * SPEED)
    h = closed / STEPS
    run = runs.Run(
        study, f"{name}/closing", SCENE, {
            "bodies": [{"csv": {"file": str(table), "radius": DIAMETER / 2, "material": "glass"}}
                       ], "obstacles": walls(length, f"t < {closed} ? {SPEED} : 0"),
            "until": (STEPS + REST[friction]) * h, "output.frame_interval": closed,
            "solver.max_sweeps": 200 if strain > FINE else 1000, "step": {
                "h": h, "recovery_speed": 0.1 * SPEED
            }, "default_law": law(friction), "laws[0].restitution": 0
        })
    grains, shorter = run.grains(), length * (1 - strain)
    if REST[friction]:
        return run, shrinking(grains["position"], shorter), shorter
    return run, np.hstack([grains["position"], grains["velocity"],
                           grains["angular_velocity"]]), shorter


def overlap(run):
    """Sum over the contacts of the last frame, over the number of spheres [diameters]."""
    return float(np.maximum(-run.contacts()["gap"], 0).sum() / len(run.grains()["id"]) / DIAMETER)


def jam(study, name, count, seed, friction, start, report=lambda line: None):
    """Compresses a gas of solid fraction `start` until overlaps stay; then undoes the last closing
    and goes on in thirds of it, down to the finest strain. If the three thirds do not jam, the
    alarm was false, and strain grows again. Returns the last run, and the side of the cube at its
    end.
    """
    centres, length = gas(study, name, count, seed, start)
    state, strain, held = shrinking(centres, length), COARSEST, 0
    while True:
        run, closer, shorter = closing(study, name, state, length, strain, friction)
        depth = overlap(run)
        fraction = count * np.pi / 6 * (DIAMETER / shorter)**3
        report(
            f"strain {strain:.1e}: solid fraction of the cube {fraction:.4f}, overlap {depth:.1e} d"
        )
        if depth < min(1e-4,
                       strain / 3):  # spheres that cannot give way overlap by about the strain
            state, length, held = closer, shorter, held + 1
            if held == 3 and strain < COARSEST:
                strain, held = 3 * strain, 0
        elif strain <= FINEST:
            return run, shorter
        else:
            strain, held = strain / 3, 0

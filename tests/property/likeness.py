"""Compares a scene with a copy scaled by powers of two, and with a shifted copy: same answers.

Scaling by powers of two rounds nothing, so a step whose decisions have no units gives the same
bits. A shift rounds positions differently, so the scenes have one pair, in which small changes have
small effects.
"""

import copy

import numpy as np

from contacts import Contacts
from motion import Motion
from runs import read_run, run_program
from scenes import Quantity, Writing
from shapes import norm

# Limits of scenes, in SI: share/scree/scene.schema.json.
MAX_ACCELERATION, MAX_SPEED, MAX_SPIN, MAX_LENGTH, MAX_DENSITY = 1e9, 3e8, 1e12, 1e9, 1e20

# Other methods factor matrices in their own units, and round differently. They take over after this
# fraction of max_sweeps: docs/theory/solver.md.
METHOD_WITHOUT_UNITS = "gauss_seidel"
SWEEPS_ALONE = 0.2

LENGTH, VELOCITY, RATE, NONE = (1, 0, 0), (1, -1, 0), (0, -1, 0), (0, 0, 0)
IMPULSE, ENERGY = (1, -1, 1), (2, -2, 1)
GRAINS = {
    "position": LENGTH, "velocity": VELOCITY, "angular_velocity": RATE, "quaternion": NONE,
    "radius": LENGTH, "mass": (0, 0, 1)
}
CONTACTS = {"normal": NONE, "impulse": IMPULSE, "gap": LENGTH, "residual": VELOCITY, "class": NONE}
STATISTICS = {
    "residual": NONE, "worst_residual": VELOCITY, "sweeps_max": NONE, "contacts": NONE,
    "contacts_loaded": NONE, "contacts_sliding": NONE, "max_penetration": LENGTH,
    "kinetic_energy": ENERGY, "potential_energy": ENERGY, "energy_created": ENERGY,
    "dissipated_energy": ENERGY, "wall_work": ENERGY
}


def powers_for(scene, random):
    """Exponents of two for length, time and mass that keep the scene within the limits."""
    far = np.max(np.abs([thing.position for thing in [*scene.balls, *scene.obstacles]]), initial=0)
    fast = np.max([norm(ball.velocity) for ball in scene.balls], initial=0)
    turning = np.max([abs(wave.amplitude) for part in scene.obstacles for wave in part.angular],
                     initial=0)
    spin = np.max([norm(ball.angular_velocity) for ball in scene.balls], initial=0)
    while True:
        length, time, mass = (int(p) for p in random.integers(-20, 21, 3))
        if (norm(scene.gravity) * 2.0**(length - 2 * time) < MAX_ACCELERATION and
                far * 2.0**length < MAX_LENGTH / 4 and
                fast * 2.0**(length - time) < MAX_SPEED / 100 and
                turning * 2.0**-time < MAX_SPEED and spin * 2.0**-time < MAX_SPIN and
                max(scene.densities) * 2.0**(mass - 3 * length) < MAX_DENSITY):
            return length, time, mass


def scaled(program, scene, directory, random):
    """Sentences on differences between a scene and a copy scaled by powers of two."""
    # Times are steps times the decimal number of h: scaled, formulas of t round differently.
    if any(wave.rate != 0 or wave.start > 0 for part in scene.obstacles
           for wave in [*part.linear, *part.angular]):
        return
    if scene.solver.get("method", "gauss_seidel") != METHOD_WITHOUT_UNITS:
        return
    scene = copy.copy(scene)
    scene.step = {"restitution_threshold": Quantity(0.01, "velocity")} | scene.step
    powers = powers_for(scene, random)
    runs = []
    for name, p in (("plain", (0, 0, 0)), ("scaled", powers)):
        result = run_program(program, scene.text(Writing(powers=p)), directory / name)
        if result.returncode not in (0, 3):
            yield f"{name}, with powers {p}, ends with {result.returncode}: {result.stderr.strip()}"
            return
        runs.append(read_run(directory / name / "run", result))
    plain, large = runs
    if np.max(plain.statistics["sweeps_max"]) >= SWEEPS_ALONE * scene.solver.get("max_sweeps", 200):
        return
    if plain.verdict["verdict"] != large.verdict["verdict"]:
        yield (f"the verdict is {plain.verdict['verdict']}, and with powers of two {powers} it is "
               f"{large.verdict['verdict']}")
    for kind, names in (("grains", GRAINS), ("contacts", CONTACTS), ("statistics", STATISTICS)):
        for name, exponents in names.items():
            a, b = getattr(plain, kind)[name], getattr(large, kind)[name]
            wanted = np.ldexp(a.astype(float), sum(e * p for e, p in zip(exponents, powers)))
            if b.shape != a.shape or not np.array_equal(b.astype(float), wanted):
                yield (f"{name} of {kind} is not the same after scaling by powers of two {powers}"
                       f"{_first(a, b, wanted)}")


def _first(a, b, wanted):
    if a.shape != b.shape:
        return f": {len(a)} and {len(b)} rows"
    at = tuple(np.argwhere(b != wanted)[0])
    return f": {b[at]!r} for {wanted[at]!r} at {at}"


def shifted(program, scene, directory, random, run):
    """Sentences on differences between a scene of one pair, with its run, and a shifted copy."""
    motion = Motion(scene, run)
    if np.any(Contacts(motion).undecided):
        return
    shift = random.uniform(-1, 1, 3) * max(motion.length_scale(), 10 * np.max(motion.radius))
    moved = copy.deepcopy(scene)
    for thing in [*moved.balls, *moved.obstacles]:
        thing.position = thing.position + shift
    result = run_program(program, moved.text(), directory / "shifted")
    if result.returncode not in (0, 3):
        yield (f"shifted by {shift}, the scene ends with {result.returncode}: "
               f"{result.stderr.strip()}")
        return
    there = Motion(moved, read_run(directory / "shifted" / "run", result))
    other = Contacts(there)
    if np.any(other.undecided):
        return
    rounding = 1e3 * motion.steps * np.max(other.rounding_of_velocity(), initial=0)
    difference = norm(there.v - motion.v)
    if np.max(difference, initial=0) > rounding + 1e-9 * motion.speed_scale():
        step, body = np.unravel_index(np.argmax(difference), difference.shape)
        yield (f"shifted by {shift.tolist()} m, the velocity of body {body} differs by "
               f"{difference[step, body]:.3g} m/s after step {step}")

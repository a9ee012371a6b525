"""Checks the files of a run against each other: numbers, exit status, verdict, statistics.

Each check of this module and of the other check modules takes a scene, its run, and the motion and
contacts of the frames. It yields a sentence for each violation: what is wrong, where, and by how
much.
"""

import json
import math

import numpy as np

from motion import EPSILON
from shapes import norm

# Documented as null if there is no such thing: docs/guide/output.md.
NULLS_ALLOWED = {
    ("verdict.json", name)
    for name in ("first_time_over_tolerance", "worst", "growing_penetration", "step_too_long",
                 "excessive_rotation", "motion_fault", "field", "body", "fields", "swinging",
                 "rest", "rocking", "condition", "stages", "ended", "due_number", "due_mass",
                 "joints", "joint", "fastest_spring", "working", "first_broken", "first_broken_at",
                 "of_rebounds", "of_rebounds_in_step", "painleve_body")
}


def worst(excess):
    """Index of the largest entry, as a tuple; None if no entry is above 0 or not a number."""
    if excess.size == 0:
        return None
    bad = np.where(np.isnan(excess), np.inf, excess)
    index = np.unravel_index(np.argmax(bad), bad.shape)
    return index if bad[index] > 0 else None


def _is_finite(numbers):
    return not np.issubdtype(numbers.dtype, np.floating) or np.all(np.isfinite(numbers))


def _nulls(value, key=""):
    if value is None:
        yield key
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _nulls(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _nulls(inner, key)


def finite_numbers(run):
    """Numbers are finite in every file, and no key is null; all other checks rely on this."""
    for kind, arrays in (("grains", run.grains), ("contacts", run.contacts)):
        for name, array in arrays.items():
            if not _is_finite(array):
                yield f"{name} of the {kind} has numbers that are not finite"
    for path in sorted(run.directory.glob("*.json")):
        if path.name == "manifest.json":
            continue
        for key in _nulls(json.loads(path.read_text(encoding="utf-8"))):
            if (path.name, key) not in NULLS_ALLOWED:
                yield f"{path.name} has null at {key}"
    for name, column in run.statistics.items():
        if not np.all(np.isfinite(column)):
            yield f"statistics.csv has a number in {name} that is not finite"


def outcome(scene, run, motion, contacts):
    """The exit status agrees with the verdict."""
    word, status = run.verdict["verdict"], run.verdict["exit_status"]
    if not run.status == status == {"met": 0, "missed": 3}.get(word):
        yield f"the verdict is {word}, its exit status {status}, the program's {run.status}"
    if run.verdict["status"] != "done" or run.verdict["steps"] != motion.steps:
        yield (f"the run is {run.verdict['status']} after {run.verdict['steps']} steps; "
               f"frames have {motion.steps}")


def start(scene, run, motion, contacts):
    """The first frame is the scene, with its units converted to SI."""
    balls = scene.balls
    own_mass = [4 / 3 * math.pi * b.radius**3 * scene.densities[b.material] for b in balls]
    wanted = {
        "position": [b.position for b in balls], "velocity": [b.velocity for b in balls],
        "angular_velocity": [b.angular_velocity
                             for b in balls], "radius": [b.radius for b in balls], "mass": own_mass,
        "material": [b.material for b in balls]
    }
    for name, values in wanted.items():
        values, found = np.array(values), run.grains[name][0]
        if values.shape != found.shape or not np.allclose(found, values, rtol=4e-15, atol=0):
            yield f"{name} is {found.tolist()} at the start, but {values.tolist()} in the scene"


def obstacles(scene, run, motion, contacts):
    """Obstacles end at the pose of their prescribed motion."""
    for k, entry in enumerate(run.obstacles["obstacles"]):
        positions, rotations, _ = motion.obstacle_paths[k]
        travel = motion.h * motion.steps * motion.speed_scale()
        off = norm(np.array(entry["position"]) - positions[-1])
        if not off <= 1e-13 * (np.max(np.abs(positions)) + travel):
            yield (f"{entry['name']} ends at {entry['position']}, but its motion at "
                   f"{positions[-1].tolist()}")
        same = abs(np.array(entry["quaternion"]) @ rotations[-1]) > 1 - 1e-12
        if scene.obstacles[k].shape[0] == "box" and not same:
            yield (f"{entry['name']} ends with the rotation {entry['quaternion']}, but its motion "
                   f"with {rotations[-1].tolist()}")


def statistics(scene, run, motion, contacts):
    """Rows of the statistics agree with the frames."""
    m, c, s = motion, contacts, run.statistics
    if len(s["time"]) != m.frames:
        yield f"statistics.csv has {len(s['time'])} rows for {m.frames} frames"
        return
    # Poses of obstacles are sums over the steps.
    rounding = (16 + 2 * m.steps) * EPSILON * m.length_scale()
    own = np.sum(m.kinetic_energy(m.v, m.w, m.q), axis=1)
    deepest = np.zeros(m.frames)
    np.maximum.at(deepest, c.step, -c.gap)
    for name, values, allowed in (("kinetic_energy", own, 1e-12 * own),
                                  ("max_penetration", deepest, np.full(m.frames, rounding))):
        row = worst((np.abs(s[name] - values) - allowed)[1:])
        if row is not None:
            step = row[0] + 1
            yield f"{name} is {s[name][step]!r} in step {step}, but frames have {values[step]!r}"
    for name, (surely, maybe) in _countable(c, rounding).items():
        low, high = (np.bincount(c.step[which], minlength=m.frames) for which in (surely, maybe))
        row = worst(np.maximum(low - s[name], s[name] - high)[1:])
        if row is not None:
            step = row[0] + 1
            yield (f"{name} is {s[name][step]:g} in step {step}; "
                   f"frames have {low[step]} to {high[step]}")


def _countable(c, rounding):
    """Contacts that surely count for a column, and those that may count within rounding."""
    loaded, may_be_loaded = c.r_n > c.tiny, c.r_n > -c.tiny
    polygon = c.kind == "polyhedral"  # only its corners are on the round cone
    return {
        "contacts": (c.step > 0, c.step > 0),
        "contacts_touching": (c.gap < -rounding, c.gap < rounding),
        "contacts_loaded": (loaded, may_be_loaded),
        "contacts_sliding": (loaded & (c.edge <= -c.edge_rounding) & ~polygon,
                             may_be_loaded & ((c.edge <= c.edge_rounding) | polygon))
    }


def verdict(scene, run, motion, contacts):
    """Steps reported as solved are solved, and solved steps are not reported as missed."""
    if motion.steps == 0:
        return
    c, tolerance = contacts, scene.tolerance()
    reported, created = run.statistics["residual"][1:], run.statistics["energy_created"][1:]
    missed = reported > tolerance
    if not math.isclose(run.verdict["tolerance"], tolerance):
        yield f"the verdict's tolerance is {run.verdict['tolerance']}, the scene's {tolerance}"
    decided = ~c.step_undecided
    over = np.where(decided, c.missed - 1.001 * tolerance * c.q_max - c.rounding, 0)
    row = worst(np.where(missed, 0, over))
    if row is not None:
        yield (f"step {row[0] + 1} is reported as solved, E_s = {reported[row]:.3g}, but its "
               f"contacts miss their laws by {c.missed[row]:.3g} m/s of {c.q[row]:.3g} m/s")
    # In a jam, impulses are so large that rounding hides the residual: the program reports a miss.
    is_clear = c.rounding < 1e-3 * motion.speed_scale()
    row = worst(np.where(missed & decided & is_clear & (c.missed <= c.rounding / 64), reported, 0))
    if row is not None:
        yield (f"step {row[0] + 1} is reported as missed, E_s = {reported[row]:.3g}, but its "
               f"contacts obey their laws to rounding, {c.missed[row]:.3g} m/s of "
               f"{c.q[row]:.3g} m/s")
    yield from _worst_island(c, reported, decided)
    yield from _consistency(run, missed, created, np.any(over > 0))


def _worst_island(c, reported, decided):
    """E_s of a step is that of its worst island."""

    def of_islands(values, islands):
        return np.array([math.sqrt(np.sum(values[rows]**2)) for rows in islands])

    for step, islands in c.islands():
        if not decided[step] or not islands:
            continue
        missed, q, q_max, rounding = (of_islands(values, islands)
                                      for values in (c.own_residual, c.closing, c.closing_max,
                                                     c.rounding_of_residual))
        allowed = 1e-5 * missed + rounding + 1e-8 * q
        worse = (missed - reported[step] * q_max > allowed) & (q > rounding)
        better = (reported[step] * q - missed > allowed) & (q > rounding)
        if np.any(worse) or np.all(better):
            yield (f"E_s of step {step + 1} is reported as {reported[step]:.6g}, but its islands "
                   f"have up to {np.max(missed / np.maximum(q, rounding)):.6g}")


def _consistency(run, missed, created, any_over):
    """The verdict follows from the statistics."""
    tolerance, dissipated = run.verdict["tolerance"], run.verdict["energy"]["dissipated"]
    reasons = np.any(missed) or created.sum() > min(tolerance**2, 0.01) * max(dissipated, 0)
    for counted in ("contacts_left_out", "contacts_growing_penetration"):
        reasons = reasons or np.any(run.statistics[counted][1:] > 0)
    if run.verdict["verdict"] == "met" and (reasons or any_over):
        yield ("the verdict is met, although a step missed the tolerance, left pairs out or had "
               "growing penetration, or steps created more energy than the tolerance allows")
    if run.verdict["verdict"] == "missed" and not reasons:
        yield f"the verdict is missed without a reason in the statistics: {run.verdict['sentence']}"
    if run.verdict["steps_within_tolerance"] != np.sum(~missed):
        yield (
            f"the verdict has {run.verdict['steps_within_tolerance']} steps within the tolerance, "
            f"the statistics {np.sum(~missed)}")

"""What the files of a run say of themselves: numbers, exit status, verdict, statistics.

Each check of this and the next modules takes a scene, its run, and the motion and contacts that the
frames hold. It yields sentences: what does not hold, where, and by how much.
"""

import json
import math

import numpy as np

from motion import EPSILON
from shapes import norm

# Documented as null where there is nothing to name: docs/guide/output.md.
NULLS_ALLOWED = {
    ("verdict.json", name)
    for name in ("first_time_over_tolerance", "worst", "growing_penetration", "step_too_long",
                 "excessive_rotation", "motion_fault", "field", "body", "fields", "swinging",
                 "rest", "rocking", "condition", "stages", "ended", "due_number", "due_mass",
                 "joints", "joint", "fastest_spring", "working", "first_broken", "first_broken_at",
                 "of_rebounds", "of_rebounds_in_step")
}


def worst(excess):
    """The place of the largest entry, as a tuple; None if no entry is above 0 or not a number."""
    if excess.size == 0:
        return None
    bad = np.where(np.isnan(excess), np.inf, excess)
    place = np.unravel_index(np.argmax(bad), bad.shape)
    return place if bad[place] > 0 else None


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
    """Numbers are finite in every file, and nothing is null. Else no other check means anything."""
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
    """The exit status says what the verdict says."""
    said, status = run.verdict["verdict"], run.verdict["exit_status"]
    if not run.status == status == {"met": 0, "missed": 3}.get(said):
        yield f"the verdict is {said}, its exit status {status}, the program's {run.status}"
    if run.verdict["status"] != "done" or run.verdict["steps"] != motion.steps:
        yield (f"the run is {run.verdict['status']} after {run.verdict['steps']} steps; "
               f"frames have {motion.steps}")


def start(scene, run, motion, contacts):
    """The first frame is the scene: what is simulated is what the units say."""
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
            yield f"{name} is {found.tolist()} at the start, but the scene says {values.tolist()}"


def obstacles(scene, run, motion, contacts):
    """Obstacles end where their motion leads them."""
    for k, entry in enumerate(run.obstacles["obstacles"]):
        places, turns, _ = motion.obstacle_paths[k]
        travel = motion.h * motion.steps * motion.speed_scale()
        off = norm(np.array(entry["position"]) - places[-1])
        if not off <= 1e-13 * (np.max(np.abs(places)) + travel):
            yield (f"{entry['name']} ends at {entry['position']}, but should at "
                   f"{places[-1].tolist()}")
        same = abs(np.array(entry["quaternion"]) @ turns[-1]) > 1 - 1e-12
        if scene.obstacles[k].shape[0] == "box" and not same:
            yield f"{entry['name']} ends turned by {entry['quaternion']}, not {turns[-1].tolist()}"


def statistics(scene, run, motion, contacts):
    """Rows of the statistics are what the frames say."""
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
        least, most = (np.bincount(c.step[which], minlength=m.frames) for which in (surely, maybe))
        row = worst(np.maximum(least - s[name], s[name] - most)[1:])
        if row is not None:
            step = row[0] + 1
            yield (f"{name} is {s[name][step]:g} in step {step}; "
                   f"frames have {least[step]} to {most[step]}")


def _countable(c, rounding):
    """Which contacts surely count for a column, and which may, rounding allowed."""
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
    """A run that is said to be solved is, step by step; a solved one is not said to have missed."""
    if motion.steps == 0:
        return
    c, tolerance = contacts, scene.tolerance()
    told, made = run.statistics["residual"][1:], run.statistics["energy_created"][1:]
    said = told > tolerance
    if not math.isclose(run.verdict["tolerance"], tolerance):
        yield f"the verdict's tolerance is {run.verdict['tolerance']}, the scene's {tolerance}"
    decided = ~c.step_undecided
    over = np.where(decided, c.missed - 1.001 * tolerance * c.q_most - c.rounding, 0)
    row = worst(np.where(said, 0, over))
    if row is not None:
        yield (
            f"step {row[0] + 1} is said to be solved, E_s = {told[row]:.3g}, but its contacts miss "
            f"their laws by {c.missed[row]:.3g} m/s of {c.q[row]:.3g} m/s")
    # A jam has impulses so large that nobody can tell: the program says that it was missed.
    can_tell = c.rounding < 1e-3 * motion.speed_scale()
    row = worst(np.where(said & decided & can_tell & (c.missed <= c.rounding / 64), told, 0))
    if row is not None:
        yield (
            f"step {row[0] + 1} is said to be missed, E_s = {told[row]:.3g}, but its contacts obey "
            f"their laws to rounding, {c.missed[row]:.3g} m/s of {c.q[row]:.3g} m/s")
    compared = decided & (c.q > c.rounding)
    slack = 1e-5 * c.missed + c.rounding + 1e-8 * c.q
    error = np.maximum(told * c.q - c.missed, c.missed - told * c.q_most) - slack
    row = worst(np.where(compared, error, 0))
    if row is not None:
        yield (f"E_s of step {row[0] + 1} is said to be {told[row]:.6g}, "
               f"but is {c.missed[row] / c.q[row]:.6g}")
    yield from _judgement(run, said, made, np.any(over > 0))


def _judgement(run, said, made, any_over):
    """What the verdict makes of its own statistics."""
    tolerance, dissipated = run.verdict["tolerance"], run.verdict["energy"]["dissipated"]
    reasons = np.any(said) or made.sum() > min(tolerance**2, 0.01) * max(dissipated, 0)
    for counted in ("contacts_left_out", "contacts_growing_penetration"):
        reasons = reasons or np.any(run.statistics[counted][1:] > 0)
    if run.verdict["verdict"] == "met" and (reasons or any_over):
        yield ("the verdict is met, although a step missed the tolerance, left pairs out or drove "
               "bodies deeper, or steps made more energy than the tolerance leaves open")
    if run.verdict["verdict"] == "missed" and not reasons:
        yield f"the verdict is missed without a reason in the statistics: {run.verdict['sentence']}"
    if run.verdict["steps_within_tolerance"] != np.sum(~said):
        yield (
            f"the verdict has {run.verdict['steps_within_tolerance']} steps within the tolerance, "
            f"the statistics {np.sum(~said)}")

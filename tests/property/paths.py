"""How near bodies come to each other over a step, along straight paths of their centres: none
passes through another, and none is pushed by another that it does not come near.
"""

import numpy as np

from motion import EPSILON
from planes import Flights
from shapes import dot, norm

# Over the sum of radii [-]. The program takes up pairs that would overlap by half of it.
NEGLIGIBLE = 2e-6


def min_distance(apart, change):
    """Of a point from the origin, while it goes from `apart` to `apart + change`."""
    square = dot(change, change)
    t = np.clip(-dot(apart, change) / np.where(square > 0, square, 1), 0, 1)
    return norm(apart + t[:, None] * change)


def min_wall_distance(motion, k, step, x, velocity):
    """Of points from obstacle k, while they fly from x for a step and the obstacle moves as
    prescribed.

    Along a straight path the distance from a convex body is convex: around the least of some
    samples lies the least of all.
    """
    path = (p[step - 1] for p in motion.obstacle_paths[k])
    flights = Flights(motion.scene.obstacles[k].shape, *path, x, np.zeros(len(x)), velocity)
    low, high = np.zeros(len(x)), np.full(len(x), motion.h)
    rows, least = np.arange(len(x)), np.full(len(x), np.inf)
    for _ in range(3):
        times = low + (high - low) * np.linspace(0, 1, 9)[:, None]
        distances = np.array([flights.at(t)[0] for t in times])
        best = np.argmin(distances, axis=0)
        least = np.minimum(least, distances[best, rows])
        low, high = times[np.maximum(best - 1, 0), rows], times[np.minimum(best + 1, 8), rows]
    return least


def turning(motion, k, step, x, change):
    """What a wall's turning may change in a gap beyond first order, in a step in which a pair moves
    by `change` against each other [m].
    """
    places, _, twists = motion.obstacle_paths[k]
    angle = motion.h * norm(twists[step - 1][:, 1])
    return angle * norm(change) + angle**2 * (norm(x - places[step - 1]) + norm(change)) / 2


def across(v, normal):
    """Length of the part of v across a normal."""
    return norm(v - dot(v, normal)[:, None] * normal)


def beyond_plane(offset, radius):
    """How far from a sphere its tangent plane is at an offset from the point of touch [m]."""
    return np.hypot(radius, offset) - radius


def _residual_of(c, step, a, b):
    """The residual of a pair's contact in its step [m/s], 0 where it is none."""
    m = c.motion

    def key(s, i, j):
        return (s * m.bodies + i) * (m.bodies + len(m.scene.obstacles)) + j

    known = dict(zip(key(c.step, c.a, c.b).tolist(), c.own_residual.tolist()))
    return np.array([known.get(wanted, 0.0) for wanted in key(step, a, b).tolist()])


def _overlaps(motion):
    """For each kind of pair: steps, numbers of both, the deepest overlap within the step, that of
    its start, what is allowed, and the lesser radius.
    """
    m = motion
    step, a, b = (i.ravel() for i in np.meshgrid(np.arange(1, m.frames), np.arange(m.bodies),
                                                 np.arange(m.bodies), indexing="ij"))
    step, a, b = step[a < b], a[a < b], b[a < b]
    apart = m.x[step - 1, b] - m.x[step - 1, a]
    touch = m.radius[a] + m.radius[b]
    deepest = touch - min_distance(apart, m.h * (m.v[step, b] - m.v[step, a]))
    yield (step, a, b, deepest, touch - norm(apart), NEGLIGIBLE * touch,
           np.minimum(m.radius[a], m.radius[b]))
    step = np.repeat(np.arange(1, m.frames), m.bodies)
    a = np.tile(np.arange(m.bodies), m.steps)
    x, radius = m.x[step - 1, a], m.radius[a]
    for k in range(len(m.scene.obstacles)):
        distance, _, wall = m.surface(k, step, x)
        deepest = radius - min_wall_distance(m, k, step, x, m.v[step, a])
        turns = np.max(
            [turning(m, k, step, x, m.h * (v - wall)) for v in (m.v[step, a], m.free[step - 1, a])],
            axis=0)
        yield (step, a, np.full(len(a), m.bodies + k), deepest, radius - distance,
               NEGLIGIBLE * radius + turns, radius)


def passing(scene, run, motion, contacts):
    """No pair overlaps more within a step than it did before. A wall that turns may cut in, to
    second order in what it turns; and the program may say that it could not take up every pair.
    """
    m = motion
    if m.bodies == 0 or m.steps == 0:
        return
    rounding = 64 * EPSILON * (m.length_scale() + m.h * m.speed_scale())
    left_out = run.statistics.get("contacts_left_out", np.zeros(m.frames))
    for step, a, b, deepest, before, allowed, lesser in _overlaps(m):
        unsolved = 3 * m.h * _residual_of(contacts, step, a, b)
        excess = deepest - np.maximum(before, 0) - allowed - unsolved - rounding
        excess = np.where(left_out[step] > 0, 0, excess)
        if len(excess) and np.max(excess) > 0:
            i = np.argmax(excess / lesser)
            second = f"body {b[i]}" if b[i] < m.bodies else f"obstacle {b[i] - m.bodies}"
            yield (f"body {a[i]} and {second} overlap by {deepest[i]:.3g} m within step {step[i]}, "
                   f"{max(before[i], 0):.3g} m before; the lesser radius is {lesser[i]:.3g} m, "
                   f"turning explains {allowed[i]:.3g} m")


def ghosts(scene, run, motion, contacts):
    """An impulse acts only where free paths meet, or those that all other impulses make.

    What others push must not cross the plane that keeps the pair apart, even beside the point of
    touch, where the plane is wider than the bodies.
    """
    m, c = motion, contacts
    if c.count == 0:
        return
    row, wall = c.step - 1, c.wall[:, None]
    free = m.free[row, c.a], np.where(wall, 0, m.free[row, c.other])
    pushed = (m.v[c.step, c.a] + c.r / m.mass[c.a][:, None],
              np.where(wall, 0, m.v[c.step, c.other] - c.r / m.mass[c.other][:, None]))
    gap = np.full(c.count, np.inf)
    for (v_a, v_b), is_pushed in ((free, False), (pushed, True)):
        rows = np.flatnonzero(~c.wall)
        apart, change, n = c.apart[rows], m.h * (v_b - v_a)[rows], c.normal[rows]
        touch = (m.radius[c.a] + m.radius[c.other])[rows]
        wider = beyond_plane(np.maximum(across(apart, n), across(apart + change, n)), touch)
        gap[rows] = np.minimum(gap[rows], min_distance(apart, change) - touch - is_pushed * wider)
        for k in range(len(scene.obstacles)):
            rows = np.flatnonzero(c.b == m.bodies + k)
            step, x, radius, n = c.step[rows], c.xa[rows], m.radius[c.a[rows]], c.normal[rows]
            change = m.h * (v_a[rows] - c.wall_velocity[rows])
            offset = across(change, n) + across(m.h * (free[0] - c.wall_velocity)[rows], n)
            wider = beyond_plane(offset, radius) + turning(m, k, step, x, change)
            least = min_wall_distance(m, k, step, x, v_a[rows]) - radius
            gap[rows] = np.minimum(gap[rows], least - is_pushed * wider)
    # The relaxation acts by its law on contacts that slip at a distance. An unfinished solve leaves
    # impulses, of what it admits.
    relaxed = (c.kind == "cone_complementarity") & (c.mu > 0)
    strength = c.r_n * c.w_n
    admitted = (np.maximum(run.statistics["residual"][1:], scene.tolerance()) * c.q_most)[row]
    matters = strength > 10 * (2 * admitted + c.rounding_of_velocity())
    excess = np.where(relaxed | ~matters, 0, gap - 64 * EPSILON * m.length_scale())
    if np.max(excess) > 0:
        i = np.argmax(excess / c.lesser_radius)
        yield (
            f"the {c.name(i)} pushes, by {strength[i]:.3g} m/s, but its bodies come no nearer than "
            f"{gap[i]:.3g} m; the lesser radius is {c.lesser_radius[i]:.3g} m")

"""Checks the paths of bodies in a step, with straight paths of their centres: no body passes
through another, and no impulse acts between bodies that do not meet.
"""

import numpy as np

from motion import EPSILON
from planes import Flights
from shapes import dot, norm

# Overlap over the sum of radii [-]. The program resolves missed contacts from half of it on.
NEGLIGIBLE = 2e-6


def min_distance(apart, change):
    """Least distance of a point from the origin on its path from `apart` to `apart + change`."""
    square = dot(change, change)
    t = np.clip(-dot(apart, change) / np.where(square > 0, square, 1), 0, 1)
    return norm(apart + t[:, None] * change)


def min_wall_distance(motion, k, step, x, velocity):
    """Least distance of points from obstacle k, while they move from x for a step and the obstacle
    moves as prescribed.

    Along a straight path the distance from a convex body is convex, so the minimum is next to the
    min_distance of some samples.
    """
    path = (p[step - 1] for p in motion.obstacle_paths[k])
    flights = Flights(motion.scene.obstacles[k].shape, *path, x, np.zeros(len(x)), velocity)
    low, high = np.zeros(len(x)), np.full(len(x), motion.h)
    rows, min_distance = np.arange(len(x)), np.full(len(x), np.inf)
    for _ in range(3):
        times = low + (high - low) * np.linspace(0, 1, 9)[:, None]
        distances = np.array([flights.at(t)[0] for t in times])
        best = np.argmin(distances, axis=0)
        min_distance = np.minimum(min_distance, distances[best, rows])
        low, high = times[np.maximum(best - 1, 0), rows], times[np.minimum(best + 1, 8), rows]
    return min_distance


def turning(motion, k, step, x, change):
    """Bound on the change of a gap beyond first order by the rotation of a wall, in a step in which
    a pair moves by `change` against each other [m].
    """
    positions, _, twists = motion.obstacle_paths[k]
    angle = motion.h * norm(twists[step - 1][:, 1])
    return angle * norm(change) + angle**2 * (norm(x - positions[step - 1]) + norm(change)) / 2


def across(v, normal):
    """Length of the component of v across a normal."""
    return norm(v - dot(v, normal)[:, None] * normal)


def beyond_plane(offset, radius):
    """Distance between a sphere and its tangent plane at an offset from the contact point [m]."""
    return np.hypot(radius, offset) - radius


def _residual_of(c, step, a, b):
    """Residual of a pair's contact in its step [m/s], 0 if there is no contact."""
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
    """No pair overlaps more within a step than before it. Exceptions are second-order effects of
    rotating walls, and pairs that the program reports as left out.
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
                   f"{max(before[i], 0):.3g} m before; the smaller radius is {lesser[i]:.3g} m, "
                   f"rotation explains {allowed[i]:.3g} m")


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
            min_gap = min_wall_distance(m, k, step, x, v_a[rows]) - radius
            gap[rows] = np.minimum(gap[rows], min_gap - is_pushed * wider)
    # The relaxation acts by its law on contacts that slip at a distance. An unfinished solve leaves
    # impulses, of what it admits.
    relaxed = (c.kind == "cone_complementarity") & (c.mu > 0)
    strength = c.r_n * c.w_n
    admitted = (np.maximum(run.statistics["residual"][1:], scene.tolerance()) * c.q_max)[row]
    matters = strength > 10 * (2 * admitted + c.rounding_of_velocity())
    excess = np.where(relaxed | ~matters, 0, gap - 64 * EPSILON * m.length_scale())
    if np.max(excess) > 0:
        i = np.argmax(excess / c.lesser_radius)
        yield (
            f"the {c.name(i)} pushes, by {strength[i]:.3g} m/s, but its bodies come no nearer than "
            f"{gap[i]:.3g} m; the lesser radius is {c.lesser_radius[i]:.3g} m")

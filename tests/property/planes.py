"""Separating planes of pairs of convex bodies in a step: docs/theory/time_stepping.md, pairs that
pass.

The plane is that of the start of the step. If free paths cross it and pass without contact, it is
that of the closest approach. The pair may close along the normal by `remaining_gap`.
"""

import dataclasses

import numpy as np

from shapes import dot, norm, product_rows, signed_distance, rotations_by

HALVINGS = 60  # halvings of a step, to the last bit


@dataclasses.dataclass
class Planes:
    """Planes in rows, one for each pair."""

    normal: np.ndarray
    gap: np.ndarray  # at the start of the step
    remaining_gap: np.ndarray
    wall: np.ndarray  # velocity of an obstacle's surface at the plane


def choose(start, closest, crossing, min_gap, written, rounding):
    """Planes of the start of the step, or of the closest approach of free paths. `crossing` < 0:
    free paths cross the plane of the start; `min_gap` ≤ 0: they touch. Within rounding of these
    borders, the planes are those nearer to the normals as `written`.
    """
    passes = (start.gap > 0) & (crossing < 0) & (min_gap > 0)
    near = (np.abs(crossing) < rounding) | (np.abs(min_gap) < rounding)
    other = norm(closest.normal - written) < norm(start.normal - written)
    which = np.where(near & (start.gap > 0), other, passes)

    def pick(a, b):
        return np.where(which.reshape(-1, *[1] * (a.ndim - 1)), b, a)

    return Planes(*(pick(getattr(start, f.name), getattr(closest, f.name))
                    for f in dataclasses.fields(Planes)))


def between_balls(apart, touch, approach, h, written, rounding):
    """Planes from A to B, for centres at the distance `apart` that approach each other."""
    distance = norm(apart)
    nowhere = np.zeros_like(apart)
    upwards = np.array([0.0, 0, 1])
    safe = np.where(distance > 0, distance, 1)[:, None]
    normal = np.where((distance > 0)[:, None], apart / safe, upwards)
    start = Planes(normal, distance - touch, distance - touch, nowhere)
    square = dot(approach, approach)
    time = np.clip(-dot(apart, approach) / np.where(square > 0, square, 1), 0, h)
    then = apart + time[:, None] * approach
    min_gap = norm(then)
    shifted_normal = then / np.where(min_gap > 0, min_gap, 1)[:, None]
    closest = Planes(shifted_normal, start.gap, np.maximum(0,
                                                           dot(shifted_normal, apart) - touch),
                     nowhere)
    crossing = start.gap + h * dot(normal, approach)
    return choose(start, closest, crossing, min_gap - touch, written, rounding)


class Flights:
    """Balls on straight paths near an obstacle that moves with a constant twist, in rows."""

    def __init__(self, shape, position, rotation, twist, centre, radius, velocity):
        self.shape, self.position, self.rotation, self.twist = shape, position, rotation, twist
        self.centre, self.radius, self.velocity = centre, radius, velocity

    def at(self, time):
        """Gap, rate of the gap, outward normal and velocity of the surface."""
        t = time[:, None]
        position = self.position + t * self.twist[:, 0]
        rotation = product_rows(rotations_by(t * self.twist[:, 1]), self.rotation)
        centre = self.centre + t * self.velocity
        distance, normal = signed_distance(self.shape, position, rotation, centre)
        arm = centre - distance[:, None] * normal - position
        wall = self.twist[:, 0] + np.cross(self.twist[:, 1], arm)
        return distance - self.radius, dot(self.velocity - wall, normal), normal, wall

    def half_way(self, velocity, h, normal):
        """Change of the surface's velocity, along the surface, to the point nearest to balls of a
        velocity after h / 2, seen from the obstacle.
        """
        displacement = 0.5 * h * (velocity - self.twist[:, 0])
        nearest = []
        for centre in (self.centre, self.centre + displacement):
            distance, outward = signed_distance(self.shape, self.position, self.rotation, centre)
            nearest.append(centre - distance[:, None] * outward)
        gain = np.cross(self.twist[:, 1], nearest[1] - nearest[0])
        return gain - dot(gain, normal)[:, None] * normal

    def bisect(self, low, high, is_later):
        """Time between `low` and `high` at which is_later(gap, rate) becomes true."""
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            gap, rate, _, _ = self.at(middle)
            later = is_later(gap, rate)
            low, high = np.where(later, low, middle), np.where(later, middle, high)
        return low

    def take_late_touches(self, planes, h, since, crossing, min_gap, written, rounding):
        """Uses the plane of the contact for a rotating shape that meets a path after its closest
        approach, or a path that does not cross the plane of the start.
        """
        end = np.full(len(self.radius), h)
        end_gap = self.at(end)[0]
        instant = self.bisect(since, end, lambda g, r: g < 0)
        gap, rate, normal, wall = self.at(instant)
        turns = (planes.gap > 0) & np.any(self.twist[:, 1] != 0, axis=1)
        late = turns & (end_gap < 0) & ~((crossing < 0) & (min_gap <= 0))
        border = turns & ((np.abs(end_gap) < rounding) | (np.abs(crossing) < rounding) |
                          (np.abs(min_gap) < rounding))
        late |= border & (norm(normal - written) < norm(planes.normal - written))
        planes.normal[late], planes.wall[late] = normal[late], wall[late]
        planes.remaining_gap[late] = np.maximum(0, gap - instant * rate)[late]

    def planes(self, h, written, rounding):
        """Planes with outward normals."""
        zero, end = np.zeros(len(self.radius)), np.full(len(self.radius), h)
        gap, rate, normal, wall = self.at(zero)
        start = Planes(normal, gap, gap, wall)
        crossing = gap + h * rate
        time = np.where(self.at(end)[1] < 0, end, self.bisect(zero, end, lambda g, r: r >= 0))
        min_gap, then_rate, normal, wall = self.at(time)
        closest = Planes(normal, gap, np.maximum(0, min_gap - time * then_rate), wall)
        flat = self.shape[0] == "half_space" and not np.any(self.twist[:, 1])
        min_gap = np.where(flat, -np.inf, min_gap)
        planes = choose(start, closest, crossing, min_gap, written, rounding)
        self.take_late_touches(planes, h, np.where(crossing < 0, time, zero), crossing, min_gap,
                               written, rounding)
        # The instant of least distance is less accurate than the distance: if its normal agrees
        # with the written one within that error, the written one is used.
        agrees = norm(planes.normal - written) < 1e-6
        planes.normal = np.where(agrees[:, None], written, planes.normal)
        return planes

"""What a run's frames say about motion, computed from poses and velocities alone.

Obstacles follow the bodies in all numbering: number `bodies + k` is obstacle k. Step s leads from
frame s − 1 to frame s, so that arrays of steps have one row less than arrays of frames.
"""

import numpy as np

from shapes import dot, norm, signed_distance, turned, turned_back

EPSILON = np.finfo(float).eps


class Motion:

    def __init__(self, scene, run):
        self.scene, self.run, self.h = scene, run, scene.h
        self.x, self.v, self.q, self.w = (run.grains[name]
                                          for name in ("position", "velocity", "quaternion",
                                                       "angular_velocity"))
        self.frames, self.bodies = self.x.shape[:2]
        self.steps = self.frames - 1
        self.radius, self.mass = run.grains["radius"][0], run.grains["mass"][0]
        over_mass = np.array([ball.inertia for ball in scene.balls]).reshape(-1, 3)
        self.moments = over_mass * (self.mass * self.radius**2)[:, None]
        self.unequal = np.any(self.moments != self.moments[:, :1], axis=1)
        self.free = self.v[:-1] + self.h * scene.gravity  # velocities of a step without impulses
        self.w_solved = self._w_solved()
        # What moves bodies off each other, apart from their velocities.
        self.pushed = self.x[1:] - self.x[:-1] - self.h * self.v[1:]
        self.rounding_of_pushed = 4 * EPSILON * (np.abs(self.x[1:]) + np.abs(self.x[:-1]) +
                                                 self.h * np.abs(self.v[1:]))
        if not scene.corrects_positions():
            self.pushed[:] = 0
        self.obstacle_paths = [o.path(self.h, self.steps) for o in scene.obstacles]

    def times_inertia(self, q, w, power=1):
        """I(φ) w, or I(φ)⁻¹ w with power −1."""
        return turned(q, self.moments**power * turned_back(q, w))

    def _w_solved(self):
        """Angular velocities as impulses leave them. A body of three moments goes on to turn by
        itself in the same step; that keeps I ω."""
        momentum = self.times_inertia(self.q[1:], self.w[1:])
        before = self.times_inertia(self.q[:-1], momentum, -1)
        return np.where(self.unequal[:, None], before, self.w[1:])

    def kinetic_energy(self, v, w, q):
        """Of each body, in rows of frames or steps [J]."""
        return 0.5 * (self.mass * dot(v, v) + dot(w, self.times_inertia(q, w)))

    def length_scale(self):
        """The largest coordinate or size: the rounding of positions and gaps goes with it [m]."""
        sizes = [np.max(o.shape[1]) for o in self.scene.obstacles if len(o.shape) > 1]
        places = [np.max(np.abs(path[0])) for path in self.obstacle_paths]
        return max(
            [np.max(np.abs(self.x), initial=0),
             np.max(self.radius, initial=0), *sizes, *places])

    def speed_scale(self):
        """The fastest that bodies, their surfaces and obstacles are [m/s]."""
        bodies = [
            np.max(norm(self.v), initial=0),
            np.max(norm(self.free), initial=0),
            np.max(norm(self.w) * self.radius, initial=0)
        ]
        return max(
            [*bodies, *(np.max(norm(path[2][:, 0]), initial=0) for path in self.obstacle_paths)])

    def turn_of_normals(self, radius=None):
        """By how much rounding of positions may turn a normal of bodies of some radius [rad]."""
        size = EPSILON * self.length_scale()
        least = np.min(self.radius, initial=np.inf) if radius is None else radius
        return 16 * size / np.maximum(least, size)

    def surface(self, k, step, points):
        """Distance, outward normal and velocity of obstacle k's surface next to `points`, at the
        starts of steps (1, 2, …).
        """
        places, turns, twists = (path[step - 1] for path in self.obstacle_paths[k])
        distance, normal = signed_distance(self.scene.obstacles[k].shape, places, turns, points)
        arm = points - distance[:, None] * normal - places
        return distance, normal, twists[:, 0] + np.cross(twists[:, 1], arm)

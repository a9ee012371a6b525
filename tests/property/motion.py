"""Motion of a run, computed from poses and velocities of its frames alone.

Obstacles are numbered after the bodies: number `bodies + k` is obstacle k. Step s leads from frame
s − 1 to frame s, so arrays of steps have one row less than arrays of frames.
"""

import numpy as np

from shapes import dot, norm, rotated, rotated_back, signed_distance

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
        # Displacement by the correction of overlaps, without velocities.
        self.pushed = self.x[1:] - self.x[:-1] - self.h * self.v[1:]
        self.rounding_of_pushed = 4 * EPSILON * (np.abs(self.x[1:]) + np.abs(self.x[:-1]) +
                                                 self.h * np.abs(self.v[1:]))
        if not scene.corrects_positions():
            self.pushed[:] = 0
        self.obstacle_paths = [o.path(self.h, self.steps) for o in scene.obstacles]

    def times_inertia(self, q, w, power=1):
        """I(φ) w, or I(φ)⁻¹ w with power −1."""
        return rotated(q, self.moments**power * rotated_back(q, w))

    def _w_solved(self):
        """Angular velocities after impulses. The free rotation of a body with three moments, later
        in the step, keeps I ω.
        """
        momentum = self.times_inertia(self.q[1:], self.w[1:])
        before = self.times_inertia(self.q[:-1], momentum, -1)
        return np.where(self.unequal[:, None], before, self.w[1:])

    def kinetic_energy(self, v, w, q):
        """Kinetic energy of each body, in rows of frames or steps [J]."""
        return 0.5 * (self.mass * dot(v, v) + dot(w, self.times_inertia(q, w)))

    def length_scale(self):
        """Largest coordinate or size; rounding of positions and gaps is proportional to it [m]."""
        sizes = [np.max(o.shape[1]) for o in self.scene.obstacles if len(o.shape) > 1]
        positions = [np.max(np.abs(path[0])) for path in self.obstacle_paths]
        return max(
            [np.max(np.abs(self.x), initial=0),
             np.max(self.radius, initial=0), *sizes, *positions])

    def speed_scale(self):
        """Largest speed of bodies, of their surfaces and of obstacles [m/s]."""
        bodies = [
            np.max(norm(self.v), initial=0),
            np.max(norm(self.free), initial=0),
            np.max(norm(self.w) * self.radius, initial=0)
        ]
        return max(
            [*bodies, *(np.max(norm(path[2][:, 0]), initial=0) for path in self.obstacle_paths)])

    def rotation_of_normals(self, radius=None):
        """Largest rotation of normals by rounding of positions, for bodies of a radius [rad]."""
        size = EPSILON * self.length_scale()
        min_radius = np.min(self.radius, initial=np.inf) if radius is None else radius
        return 16 * size / np.maximum(min_radius, size)

    def surface(self, k, step, points):
        """Distance, outward normal and velocity of obstacle k's surface nearest to `points`, at the
        starts of steps (1, 2, …).
        """
        positions, rotations, twists = (path[step - 1] for path in self.obstacle_paths[k])
        distance, normal = signed_distance(self.scene.obstacles[k].shape, positions, rotations,
                                           points)
        arm = points - distance[:, None] * normal - positions
        return distance, normal, twists[:, 0] + np.cross(twists[:, 1], arm)

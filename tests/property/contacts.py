"""The contacts of all steps, one a row, as frames have them and as poses and velocities say they
are.
"""

import numpy as np

from contact_laws import residuals
from motion import EPSILON
from planes import Flights, between_balls
from runs import FIRST_OBSTACLE
from shapes import dot, norm, rotated_back

SMALLEST = 1e-300  # below it products are not exact; sweeps leave impulses that small


class Contacts:

    def __init__(self, motion):
        m, run = motion, motion.run
        self.motion, self.step = m, run.contact_step
        self.count = len(self.step)
        number = {int(id): i for i, id in enumerate(run.grains["id"][0])}
        number |= {FIRST_OBSTACLE + k: m.bodies + k for k in range(len(m.scene.obstacles))}
        self.a, self.b = (np.array([number[int(i)] for i in run.contacts[name]], dtype=int)
                          for name in ("id_a", "id_b"))
        self.wall = self.b >= m.bodies
        self.other = np.where(self.wall, 0, self.b)  # a body to look up where B is none
        self._planes()
        self._laws()
        self._delassus()
        self._velocities()
        self._impulses()
        self._bias()
        self._residuals()

    def by_step(self, values):
        """Sums over the contacts of each step."""
        return np.bincount(self.step - 1, weights=values, minlength=self.motion.steps)

    def islands(self):
        """For each step with contacts: its number from 0, and the rows of each of its islands."""
        active = (norm(self.r) > 0) | (self.own_residual > self.rounding_of_residual)
        for step in np.unique(self.step):
            rows = np.flatnonzero(active & (self.step == step))
            root = list(range(self.motion.bodies))

            def of(body, root=root):
                while root[body] != body:
                    body = root[body]
                return body

            for row in rows[~self.wall[rows]]:
                one, two = of(self.a[row]), of(self.b[row])
                root[max(one, two)] = min(one, two)
            islands = np.array([of(self.a[row]) for row in rows], dtype=int)
            yield step - 1, [rows[islands == island] for island in np.unique(islands)]

    def name(self, row):
        b, bodies = self.b[row], self.motion.bodies
        second = f"body {b}" if b < bodies else f"obstacle {b - bodies}"
        return (f"{self.kind[row]} contact of body {self.a[row]} and {second} of step "
                f"{self.step[row]}")

    def split(self, u):
        """Normal and tangential parts."""
        u_n = dot(u, self.normal)
        return u_n, u - u_n[:, None] * self.normal

    def _planes(self):
        m, before, h = self.motion, self.step - 1, self.motion.h
        free = m.free[before, self.a]
        written = m.run.contacts["normal"].reshape(-1, 3)
        rounding = 1e-9 * m.radius[self.a] + 64 * EPSILON * m.length_scale()
        self.xa = m.x[before, self.a]
        self.apart = m.x[before, self.other] - self.xa
        touch = m.radius[self.a] + m.radius[self.other]
        approach = m.free[before, self.other] - free
        planes = between_balls(self.apart, touch, approach, h, written, rounding)
        self.normal, self.gap, self.remaining_gap, self.wall_velocity = (planes.normal, planes.gap,
                                                                         planes.remaining_gap,
                                                                         planes.wall)
        for k, obstacle in enumerate(m.scene.obstacles):
            rows = np.flatnonzero(self.b == m.bodies + k)
            path = (p[before[rows]] for p in m.obstacle_paths[k])
            flights = Flights(obstacle.shape, *path, self.xa[rows], m.radius[self.a[rows]],
                              free[rows])
            planes = flights.planes(h, -written[rows], rounding[rows])
            self.normal[rows], self.gap[rows] = -planes.normal, planes.gap
            self.remaining_gap[rows] = planes.remaining_gap
            self.wall_velocity[rows] = planes.wall + flights.half_way(
                m.v[before[rows], self.a[rows]], h, planes.normal)

    def _laws(self):
        scene, m = self.motion.scene, self.motion
        material = [thing.material for thing in [*scene.balls, *scene.obstacles]]
        laws = [scene.law(material[a], material[b]) for a, b in zip(self.a, self.b)]
        self.kind = np.array([law.kind for law in laws], dtype=object)
        self.mu = np.array([law.friction for law in laws], dtype=float)
        self.e = np.array([law.restitution for law in laws], dtype=float)
        self.facets = np.array([law.facets for law in laws], dtype=int)
        self.lesser_radius = np.where(self.wall, m.radius[self.a],
                                      np.minimum(m.radius[self.a], m.radius[self.other]))

    def _delassus(self):
        """W_n and ρ = 3 / trace W, from masses and moments about the normal."""
        m = self.motion
        self.w_n = 1 / m.mass[self.a] + np.where(self.wall, 0, 1 / m.mass[self.other])
        trace = 3 * self.w_n
        for body, counts in ((self.a, np.ones(self.count)), (self.other, ~self.wall)):
            inverse = m.radius[body][:, None]**2 / m.moments[body]
            n = rotated_back(m.q[self.step - 1, body], self.normal)
            trace = trace + counts * np.sum(inverse * (1 - n * n), axis=1)
        self.rho = 3 / trace
        # For W with two tangential entries, max_dissipation has another residual.
        unequal = m.unequal[self.a] | (m.unequal[self.other] & ~self.wall)
        self.measured_otherwise = (self.kind == "max_dissipation") & unequal

    def relative(self, v, w):
        """Velocity of B relative to A at the contact, without the gap term; v, w in rows of
        steps.
        """
        m, row = self.motion, self.step - 1
        wall = self.wall[:, None]
        spin = m.radius[self.a][:, None] * w[row, self.a]
        spin = spin + np.where(wall, 0, m.radius[self.other][:, None] * w[row, self.other])
        of_b = np.where(wall, self.wall_velocity, v[row, self.other])
        return of_b - v[row, self.a] - np.cross(spin, self.normal)

    def _velocities(self):
        m = self.motion
        self.u = self.relative(m.v[1:], m.w_solved)
        self.u_free = self.relative(m.free, m.w[:-1])
        self.u_before = self.relative(m.v[:-1], m.w[:-1])

    def _impulses(self):
        self.r = self.motion.run.contacts["impulse"].reshape(-1, 3)
        self.r_n, self.r_t = self.split(self.r)
        self.edge = self.mu * self.r_n - norm(self.r_t)  # > 0 inside the cone
        self.tiny = 1e-13 * norm(self.r) + SMALLEST
        self.edge_rounding = 1e-8 * self.mu * np.abs(self.r_n) + self.tiny
        self.dissipated = -0.5 * dot(self.r, self.u_before + self.u)
        self.rounding_of_dissipated = norm(self.r) * (1e-12 * (norm(self.u_before) + norm(self.u)) +
                                                      self.rounding_of_velocity()) + SMALLEST

    def _bias(self):
        """Gap term or rebound: docs/theory/time_stepping.md."""
        scene, h = self.motion.scene, self.motion.h
        free_n, before_n = dot(self.u_free, self.normal), dot(self.u_before, self.normal)
        recovery = scene.setting("recovery_speed", None)
        if recovery is None:
            natural = np.sqrt(norm(scene.gravity) * self.lesser_radius)
            recovery = 1e-4 * natural + 0.01 * norm(self.u_free)
        undone = np.maximum(scene.setting("error_reduction", 0.2) * self.gap / h, -recovery)
        if scene.corrects_positions():
            undone = np.zeros_like(undone)
        gap_term = np.where(self.gap >= 0, self.remaining_gap / h, undone)
        threshold = scene.setting("restitution_threshold", 0.01)
        meets = self.remaining_gap + h * free_n <= 0
        rebounds = (self.e > 0) & meets & (before_n < -threshold)
        rebound = np.minimum(self.e * before_n, np.where(self.gap < 0, gap_term, 0))
        self.bias = np.where(rebounds, rebound, gap_term)
        # Near the borders of these decisions rounding may take either side.
        border = 1e-9 * (norm(self.u_free) + norm(self.u_before)) + self.rounding_of_velocity()
        near = np.minimum(np.abs(self.remaining_gap / h + free_n),
                          np.abs(before_n + threshold)) < border
        self.undecided = (self.e > 0) & near

    def rounding_of_velocity(self):
        """Rounding of u and of remaining_gap / h by that of positions and velocities [m/s]."""
        m = self.motion
        speeds = m.speed_scale() + norm(self.r) / self.rho
        rounding = 64 * EPSILON * (m.length_scale() / m.h + speeds)
        return rounding + 4 * self.rotation_of_normal() * m.speed_scale()

    def rotation_of_normal(self):
        return self.motion.rotation_of_normals(self.lesser_radius)

    def _in_frame(self, v_t):
        """Components along the two tangents of Duff et al. (2017), which facets are laid along."""
        n = self.normal
        sign = np.copysign(1.0, n[:, 2])
        a = -1 / (sign + n[:, 2])
        b = n[:, 0] * n[:, 1] * a
        t1 = np.stack([1 + sign * n[:, 0]**2 * a, sign * b, -sign * n[:, 0]], axis=1)
        t2 = np.stack([b, sign + n[:, 1]**2 * a, -n[:, 1]], axis=1)
        return np.stack([dot(v_t, t1), dot(v_t, t2)], axis=1)

    def _residuals(self):
        """Residual of each contact's law, and the terms of E_s of each step: docs/theory/solver.md.
        """
        u_n, u_t = self.split(self.u)
        self.own_residual = residuals(self.kind, self.facets, u_n + self.bias, self._in_frame(u_t),
                                      self.r_n, self._in_frame(self.r_t), self.mu, self.rho)
        rounding_of_normal = self.rotation_of_normal() * norm(self.r) / self.rho
        weight = 1 / np.where(self.mu > 0, np.minimum(self.mu, 1), 1)
        self.rounding_of_residual = weight * (
            (1 + self.mu) * self.rounding_of_velocity() + rounding_of_normal)
        free_n, free_t = self.split(self.u_free)
        q_n = free_n + self.bias
        reach = np.where(self.kind == "cone_complementarity", self.mu * norm(free_t), 0)
        # A contact that neither closes nor opens may count or not, by rounding.
        border = self.rounding_of_velocity()
        self.closing, self.closing_max = (np.maximum(reach - q_n + b, 0) for b in (-border, border))
        self.q, self.q_max = (np.sqrt(self.by_step(c**2)) for c in (self.closing, self.closing_max))
        # Impulses that appear and vanish within the sweeps, or come from the step before, leave
        # rounding in velocities [N s]. They have the size of momenta, or of the largest impulse.
        m = self.motion
        momenta = np.sum(m.mass * np.max(norm(m.v) + m.radius * norm(m.w), axis=0, initial=0))
        self.come_and_gone = 1e-13 * (momenta + np.max(norm(self.r), initial=0))
        self.missed = np.sqrt(self.by_step(self.own_residual**2))
        self.rounding = np.sqrt(self.by_step(self.rounding_of_residual**2))
        unclear = self.undecided | self.measured_otherwise
        self.step_undecided = self.by_step(unclear.astype(float)) > 0

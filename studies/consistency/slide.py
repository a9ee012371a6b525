"""Bodies that slide on an incline, in the limit of small steps: by Coulomb's law, and as Eq. 5 of
the source has it, with friction that deviates from the slip.

Lengths are about the centre of mass, z is the normal of the incline, and the mass is 1.
"""

import numpy as np


def box(size, turned=0.0):
    """Corners of the lower face, and moments of inertia, of a box that is turned about z [rad]."""
    a, b, c = size
    corners = np.array([(x, y, -c / 2) for x in (-a / 2, a / 2) for y in (-b / 2, b / 2)])
    moments = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) / 12
    return rotated(corners, moments, turned)


def prism(edge, height):
    """The same of a prism on an equilateral triangle with a corner along x."""
    radius = edge / np.sqrt(3)
    angles = 2 * np.pi / 3 * np.arange(3)
    corners = np.stack([radius * np.cos(angles), radius * np.sin(angles), 0 * angles - height / 2])
    across, about = edge**2 / 24 + height**2 / 12, edge**2 / 12
    return corners.T, np.diag([across, across, about])


def rotated(points, moments, angle):
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle),
                                                          np.cos(angle), 0], [0, 0, 1]])
    return points @ turn.T, turn @ moments @ turn.T


def coupling(point, moments):
    """W_nn and w = (W_nx, W_ny) of one contact [1/kg]."""
    arms = np.cross(point, np.eye(3))  # arm × x, y and n
    row = arms[2] @ np.linalg.solve(moments, arms.T)
    return 1 + row[2], row[:2]


def friction(slip, friction_coefficient, W_nn, w):
    """Unit direction of friction: against the slip, but for the angle δ, sin δ = μ w⊥ / W_nn."""
    against = -slip / np.linalg.norm(slip)
    across = np.array([-against[1], against[0]])
    sine = -friction_coefficient * (w @ across) / W_nn
    return np.sqrt(1 - sine**2) * against + sine * across


class Slide:
    """Motion of a body that stays flat on the incline: velocity (x, y), spin and angle about z."""

    def __init__(self, shape, mu, slope, gravity, deviates):
        self.points, self.moments = shape
        self.mu, self.slope, self.gravity, self.deviates = mu, slope, gravity, deviates

    def rates(self, state, share=None):
        """Rates of the state. Four points leave one load free: `share` places it between its
        extremes, 0 and 1; without it loads are as even as possible.
        """
        points, moments = rotated(self.points, self.moments, state[3])
        forces = np.ones((len(points), 3))  # per unit of normal force
        for point, force in zip(points, forces):
            slip = state[:2] + state[2] * np.array([-point[1], point[0]])
            W_nn, w = coupling(point, moments)
            force[:2] = self.mu * friction(slip, self.mu, W_nn, w if self.deviates else 0 * w)
        torques = np.cross(points, forces)
        # The body neither leaves the incline nor tips.
        balance = np.vstack([forces[:, 2], torques[:, 0], torques[:, 1]])
        weight = [self.gravity * np.cos(self.slope), 0, 0]
        loads = np.linalg.lstsq(balance, weight, rcond=None)[0]
        if share is not None:
            free = np.linalg.svd(balance)[2][3]
            least, most = max((-loads / free)[free > 0]), min((-loads / free)[free < 0])
            loads = loads + (least + share * (most - least)) * free
        along = np.array([self.gravity * np.sin(self.slope), 0])
        return np.array(
            [*(loads @ forces[:, :2] + along), loads @ torques[:, 2] / moments[2, 2], state[2]])

    def after(self, speed, time, steps=60):
        """State after a start along x, by the method of Runge and Kutta."""
        state, h = np.array([speed, 0, 0, 0.0]), time / steps
        for _ in range(steps):
            k1 = self.rates(state)
            k2 = self.rates(state + h / 2 * k1)
            k3 = self.rates(state + h / 2 * k2)
            k4 = self.rates(state + h * k3)
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return state

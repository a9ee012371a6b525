"""Random scenes: small and hard; bodies meet within a few steps."""

import math

import numpy as np

from scenes import DIMENSIONS, Ball, Law, Obstacle, Quantity, Scene, Wave
from shapes import norm, signed_distance, rotation_by, rotation_from_z

MAX_GRAVITY = 1e8  # [m/s²]
LAWS = ["frictionless", "coulomb", "max_dissipation", "cone_complementarity", "polyhedral"]
LAW_SHARES = [0.2, 0.35, 0.15, 0.15, 0.15]
METHODS = ["auto", "psor", "jacobi", "newton"]
# These take neither max_dissipation nor polyhedral.
METHODS_FOR_PROJECTIONS = [
    "newton_fischer_burmeister", "interior_point", "apgd", "barzilai_borwein", "admm"
]
SHAPES = ["half_space", "box", "sphere", "cylinder", "capsule"]
SHAPE_SHARES = [0.3, 0.3, 0.1, 0.15, 0.15]


def log_uniform(random, low, high):
    return float(math.exp(random.uniform(math.log(low), math.log(high))))


def direction(random):
    v = random.normal(size=3)
    return v / norm(v)


def one_of(random, *values):
    return values[random.integers(len(values))]


def some(random, share):
    return bool(random.uniform() < share)


class Builder:
    """Draws one scene. Lengths go with `size`, the largest radius; velocities with `speed`."""

    def __init__(self, seed, index):
        self.random = np.random.default_rng([seed, index])
        self.name = f"seed{seed}_scene{index}"
        random = self.random
        self.size = log_uniform(random, 1e-6, 1e3)
        self.speed = log_uniform(random, 1e-4, 1e2)
        self.single = some(random, 0.35)
        self.materials = int(random.integers(1, 4))
        self.centre = np.zeros(3)
        if some(random, 0.4):
            self.centre = self.size * log_uniform(random, 1, 1e6) * direction(random)

    def scene(self):
        random = self.random
        if self.single:
            count = one_of(random, 1, 2)
            walls = 2 - count
        else:
            count = one_of(random, 2, 3, 4, 5, 6, 8, 10)
            walls = int(random.choice([0, 1, 2, 3], p=[0.3, 0.3, 0.25, 0.15]))
        radii = self.radii(count)
        # Moving things travel up to a radius of one of the bodies in a step, or far less.
        share = one_of(random, log_uniform(random, 1e-4, 1), random.uniform(0.1, 1))
        travel = one_of(random, *radii) * share
        h = travel / self.speed
        steps = int(random.integers(4, 25))
        gravity = np.zeros(3)
        if some(random, 0.5):
            size = self.speed / h * log_uniform(random, 1e-3, 0.3)
            gravity = min(size, MAX_GRAVITY) * direction(random)
        overlap = 0.01 if some(random, 0.05) else 0.0
        balls = []
        while not balls:  # obstacles may leave no room
            obstacles = [self.obstacle(h, steps) for _ in range(walls)]
            balls = self.balls(radii, obstacles, travel * steps / 2, overlap)
        laws = self.laws()
        return Scene(self.name, h=h, steps=steps, gravity=gravity, laws=laws, balls=balls,
                     obstacles=obstacles,
                     densities=[log_uniform(random, 100, 2e4)
                                for _ in range(self.materials)], step=self.step_settings(),
                     solver=self.solver_settings(laws), allow_overlap=overlap > 0,
                     units=self.units(), unfinished=one_of(random, 0.0, 0.0, 0.4))

    def radii(self, count):
        ratio = self.random.choice([1, 2, 30])
        if ratio == 1:
            return [self.size] * count
        return [self.size / log_uniform(self.random, 1, ratio) for _ in range(count)]

    def velocity(self):
        return self.speed * self.random.uniform(0, 1) * direction(self.random)

    def obstacle(self, h, steps):
        random, size = self.random, self.size
        kind = str(random.choice(SHAPES, p=SHAPE_SHARES))
        lengths = [size * log_uniform(random, 0.05, 4) for _ in range(3)]
        sizes = {"half_space": [], "box": [np.array(lengths)], "sphere": lengths[:1]}
        # Only a box is not symmetric about its axis.
        rotation = rotation_from_z(direction(random))
        if kind == "box":
            rotation = rotation_by(random.uniform(0, 3) * direction(random))
        position = self.centre + size * random.uniform(-3, 3, 3)
        obstacle = Obstacle((kind, *sizes.get(kind, lengths[:2])), position, rotation,
                            int(random.integers(self.materials)))
        if some(random, 0.6):
            if some(random, 0.7):
                obstacle.linear = self.waves("velocity", self.speed, h, steps)
            if some(random, 0.5):
                obstacle.angular = self.waves("rate", self.speed / (4 * size), h, steps)
        return obstacle

    def waves(self, dimension, scale, h, steps):
        random = self.random
        axis = scale * random.uniform(0.1, 1) * direction(random)
        kind = random.choice(["constant", "cosine", "start"])
        rate = log_uniform(random, 0.01, 1) / h if kind == "cosine" else 0.0
        start = random.uniform(0.2, steps - 0.2) * h if kind == "start" else 0.0
        phase = random.uniform(0, 6) if kind == "cosine" else 0.0
        return [Wave(float(a), dimension, rate, phase, start) for a in axis]

    def balls(self, radii, obstacles, reach, overlap):
        """Balls, each near an earlier one or near an obstacle, and mostly moving towards it."""
        random, balls = self.random, []
        for radius in radii:
            for _ in range(60):
                towards, position, gap = self.near(radius, balls, obstacles, reach, overlap)
                if self.is_free(position, radius, balls, obstacles, overlap):
                    break
            else:
                continue
            velocity = self.velocity()
            if some(random, 0.7):
                velocity = self.speed * random.uniform(0.3, 1) * towards + 0.3 * velocity
            if some(random, 0.15):
                velocity = np.zeros(3)
            spin = self.velocity() / radius if some(random, 0.5) else np.zeros(3)
            ball = Ball(position, radius, velocity, spin, int(random.integers(self.materials)))
            if some(random, 0.1):
                moment = random.uniform(0.1, 0.6)
                moments = random.uniform(0.35, 0.6, 3)
                ball.inertia = one_of(random, (float(moment),) * 3, tuple(map(float, moments)))
            balls.append(ball)
        return balls

    def near(self, radius, balls, obstacles, reach, overlap):
        """Direction to a ball or an obstacle, a position near it, and the gap between."""
        random = self.random
        wide = float(random.uniform(0, 1) * reach)
        gap = one_of(random, 0.0, 1e-9 * radius, wide, wide)
        if overlap > 0:
            gap = -overlap * radius * random.uniform(0, 1)
        which = int(random.integers(len(balls) + len(obstacles))) if balls or obstacles else -1
        if which < 0:
            return direction(random), self.centre + np.zeros(3), gap
        if which < len(balls):
            away = direction(random)
            return -away, balls[which].position + (balls[which].radius + radius + gap) * away, gap
        o = obstacles[which - len(balls)]
        start = self.centre + self.size * random.uniform(-4, 4, 3)
        distance, normal = signed_distance(o.shape, o.position, o.quaternion[None], start[None])
        surface = start - distance[0] * normal[0]
        return -normal[0], surface + (radius + gap) * normal[0], gap

    def is_free(self, position, radius, balls, obstacles, overlap):
        min_gap = -1.01 * overlap * radius - 1e-9 * radius
        if any(norm(position - b.position) - radius - b.radius < min_gap for b in balls):
            return False
        distances = [
            signed_distance(o.shape, o.position, o.quaternion[None], position[None])[0][0]
            for o in obstacles
        ]
        return all(distance - radius >= min_gap for distance in distances)

    def laws(self):
        random = self.random

        def draw_e():
            return one_of(random, 0.0, 1.0, float(random.uniform(0, 1)))

        same_kind = str(random.choice(LAWS, p=LAW_SHARES)) if some(random, 0.6) else None
        same_e = draw_e() if some(random, 0.6) else None
        table = {}
        for i in range(self.materials):
            for j in range(i, self.materials):
                kind = same_kind or one_of(random, *LAWS)
                e = draw_e() if same_e is None else same_e
                friction = float(random.uniform(0, one_of(random, 1, 1, 2)))
                if kind == "frictionless" or some(random, 0.1):
                    friction = 0.0
                table[i, j] = Law(kind, friction, e, one_of(random, 4, 7, 8, 16))
        return table

    def step_settings(self):
        random, settings = self.random, {}
        if some(random, 0.5):
            settings["error_reduction"] = one_of(random, 0.0, 0.2, 0.5, 0.9)
        if some(random, 0.15):
            speed = one_of(random, math.inf, 0.1 * self.speed)
            settings["recovery_speed"] = Quantity(speed, "velocity")
        elif some(random, 0.4):
            settings["overlap_correction"] = one_of(random, "positions", "velocities")
        if some(random, 0.8):
            threshold = one_of(random, 0.0, 1e-3, 0.1) * self.speed
            settings["restitution_threshold"] = Quantity(threshold, "velocity")
        if some(random, 0.1):
            settings["margin"] = Quantity(10 * self.size, "length")
        return settings

    def solver_settings(self, laws):
        random, settings = self.random, {}
        projections = not any(law.kind in ("max_dissipation", "polyhedral")
                              for law in laws.values())
        if some(random, 0.25):
            methods = METHODS + (METHODS_FOR_PROJECTIONS if projections else [])
            settings["method"] = one_of(random, *methods)
        if some(random, 0.6):
            settings["tolerance"] = one_of(random, 1e-2, 1e-6, 1e-8, 1e-10)
        if some(random, 0.5):
            settings["max_sweeps"] = one_of(random, 3, 50, 2000)
        if some(random, 0.25):
            settings["warm_start"] = False
        if "method" not in settings and some(random, 0.1):
            settings["acceleration"] = "none"
        return settings

    def units(self):
        if some(self.random, 0.3):
            return {}
        return {name: one_of(self.random, *units) for name, (_, units) in DIMENSIONS.items()}


def random_scene(seed, index):
    return Builder(seed, index).scene()

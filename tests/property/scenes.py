"""A scene as numbers with dimensions, and its text: in any units, or scaled by powers of two.

Numbers are SI. A quantity remembers its dimension, so that one scene can be written in several ways
that mean the same.
"""

import dataclasses
import math

import numpy as np

from shapes import product, rotation_by

# Dimension: exponents of length, time, mass; and units that scenes may be written in.
# Tolerance on E_s of each accuracy.
TOLERANCE = {"draft": 1e-1, "engineering": 3e-2, "reference": 1e-4}
DIMENSIONS = {
    "length": ((1, 0, 0), {"um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0, "km": 1e3}),
    "time": ((0, 1, 0), {"us": 1e-6, "ms": 1e-3, "s": 1.0}),
    "velocity": ((1, -1, 0), {"um/s": 1e-6, "mm/s": 1e-3, "m/s": 1.0, "km/s": 1e3}),
    "rate": ((0, -1, 0), {"rad/s": 1.0}),
    "acceleration": ((1, -2, 0), {"mm/s2": 1e-3, "m/s2": 1.0}),
    "density": ((-3, 0, 1), {"g/cm3": 1e3, "kg/m3": 1.0}),
}


@dataclasses.dataclass(frozen=True)
class Quantity:
    value: float
    dimension: str


def vector(values, dimension):
    return [Quantity(float(v), dimension) for v in values]


@dataclasses.dataclass(frozen=True)
class Wave:
    """A component of a motion: amplitude · cos(rate · t + phase), or a step to `amplitude` at
    `start`.
    """

    amplitude: float
    dimension: str
    rate: float = 0.0
    phase: float = 0.0
    start: float = 0.0

    def __call__(self, t):
        if self.start > 0:
            return self.amplitude if t >= self.start else 0.0
        return self.amplitude * math.cos(self.rate * t + self.phase)

    def text(self, writing):
        amplitude = writing.scaled(self.amplitude, self.dimension)
        if self.start > 0:
            return f'"(t >= {writing.scaled(self.start, "time")!r}) ? {amplitude!r} : 0"'
        if self.rate == 0:
            return f"{amplitude * math.cos(self.phase)!r}"
        return f'"{amplitude!r}*cos({writing.scaled(self.rate, "rate")!r}*t + ({self.phase!r}))"'


@dataclasses.dataclass
class Writing:
    """Style of numbers: in the given units, or in SI with length, time and mass scaled by powers of
    two.
    """

    units: dict = dataclasses.field(default_factory=dict)
    powers: tuple = (0, 0, 0)

    def scaled(self, value, dimension):
        exponents = DIMENSIONS[dimension][0]
        return math.ldexp(value, sum(e * p for e, p in zip(exponents, self.powers)))

    def text(self, thing):
        if isinstance(thing, Quantity):
            value = self.scaled(thing.value, thing.dimension)
            unit = self.units.get(thing.dimension)
            if unit is None or not math.isfinite(value):
                return "0" if value == 0 else ".inf" if value == math.inf else f"{value!r}"
            return f"{value / DIMENSIONS[thing.dimension][1][unit]!r} {unit}"
        if isinstance(thing, Wave):
            return thing.text(self)
        if isinstance(thing, dict):
            entries = [f"{key}: {self.text(value)}" for key, value in thing.items()]
            return "{" + ", ".join(entries) + "}"
        if isinstance(thing, (list, tuple, np.ndarray)):
            return "[" + ", ".join(self.text(value) for value in thing) + "]"
        if isinstance(thing, bool):
            return "true" if thing else "false"
        if isinstance(thing, float):
            return repr(thing)
        return str(thing)


@dataclasses.dataclass
class Obstacle:
    shape: tuple  # kind and sizes, as shapes.py has them
    position: np.ndarray
    quaternion: np.ndarray
    material: int
    linear: list = dataclasses.field(default_factory=lambda: [Wave(0.0, "velocity")] * 3)
    angular: list = dataclasses.field(default_factory=lambda: [Wave(0.0, "rate")] * 3)

    def moves(self):
        return any(wave.amplitude != 0 for wave in [*self.linear, *self.angular])

    def twist(self, t):
        return np.array([w(t) for w in self.linear]), np.array([w(t) for w in self.angular])

    def path(self, h, steps):
        """Poses at the ends of steps and twists within them: constant in a step, that of its
        middle.
        """
        positions, quaternions, twists = [self.position], [self.quaternion], []
        for step in range(steps):
            linear, angular = self.twist(step * h + h / 2)
            twists.append((linear, angular))
            positions.append(positions[-1] + h * linear)
            rotated = product(rotation_by(h * angular), quaternions[-1])
            quaternions.append(rotated / np.sqrt(rotated @ rotated))
        return np.array(positions), np.array(quaternions), np.array(twists).reshape(steps, 2, 3)

    def entry(self, index):
        kind, sizes = self.shape[0], self.shape[1:]
        position = vector(self.position, "length")
        axis = vector_along_z(self.quaternion)
        body = {"name": f"o{index}"}
        if kind == "half_space":
            body |= {"point": position, "normal": axis}
        elif kind == "box":
            body |= {
                "position": position, "size": vector(2 * np.asarray(sizes[0]), "length"),
                "orientation": [float(q) for q in self.quaternion]
            }
        elif kind == "sphere":
            body |= {"position": position, "radius": Quantity(sizes[0], "length")}
        else:
            body |= {
                "position": position, "axis": axis, "radius": Quantity(sizes[0], "length"),
                "length": Quantity(2 * sizes[1], "length")
            }
        body["material"] = f"m{self.material}"
        if self.moves():
            body["motion"] = {"velocity": self.linear, "angular_velocity": self.angular}
        return {kind: body}


def vector_along_z(q):
    w, x, y, z = q
    return [float(2 * (x * z + w * y)), float(2 * (y * z - w * x)), float(1 - 2 * (x * x + y * y))]


@dataclasses.dataclass
class Ball:
    position: np.ndarray
    radius: float
    velocity: np.ndarray
    angular_velocity: np.ndarray
    material: int
    inertia: tuple = (0.4, 0.4, 0.4)  # over mass times radius squared

    def entry(self):
        body = {
            "position": vector(self.position, "length"), "radius": Quantity(self.radius, "length"),
            "velocity": vector(self.velocity, "velocity"),
            "angular_velocity": vector(self.angular_velocity,
                                       "rate"), "material": f"m{self.material}"
        }
        if self.inertia != (0.4, 0.4, 0.4):
            body["inertia"] = list(self.inertia)
        return {"sphere": body}


@dataclasses.dataclass
class Law:
    kind: str
    friction: float = 0.0
    restitution: float = 0.0
    facets: int = 8

    def entry(self):
        result = {"law": self.kind}
        if self.kind != "frictionless":
            result["friction"] = self.friction
        if self.kind == "polyhedral":
            result["facets"] = self.facets
        return result | {"restitution": self.restitution}


@dataclasses.dataclass
class Scene:
    name: str
    h: float
    steps: int
    gravity: np.ndarray
    densities: list
    laws: dict  # (i, j) with i ≤ j: Law
    balls: list
    obstacles: list
    step: dict = dataclasses.field(default_factory=dict)  # settings beside h
    solver: dict = dataclasses.field(default_factory=dict)
    allow_overlap: bool = False
    units: dict = dataclasses.field(default_factory=dict)
    unfinished: float = 0.0  # by which part of a step `until` comes before the end of the last

    def law(self, i, j):
        return self.laws[min(i, j), max(i, j)]

    def tolerance(self):
        return self.solver.get("tolerance", TOLERANCE[self.solver.get("accuracy", "engineering")])

    def setting(self, key, default):
        value = self.step.get(key, default)
        return value.value if isinstance(value, Quantity) else value

    def corrects_positions(self):
        default = "velocities" if "recovery_speed" in self.step else "positions"
        return self.setting("overlap_correction", default) == "positions"

    def text(self, writing=None):
        """The scene as YAML, a line for each thing."""
        writing = writing or Writing(self.units)
        write = writing.text
        until = Quantity(self.h * (self.steps - self.unfinished), "time")
        lines = [
            "scree: 1", f"name: {self.name}", f"until: {write(until)}",
            f"gravity: {write(vector(self.gravity, 'acceleration'))}",
            f"step: {write({'h': Quantity(self.h, 'time')} | self.step)}"
        ]
        if self.solver:
            lines.append(f"solver: {write(self.solver)}")
        if self.allow_overlap:
            lines.append("allow_overlap: true")
        lines.append("materials:")
        for i, density in enumerate(self.densities):
            lines.append(f"  m{i}: {write({'density': Quantity(density, 'density')})}")
        lines.append(f"default_law: {write(self.law(0, 0).entry())}")
        if len(self.laws) > 1:
            lines.append("laws:")
        for (i, j), law in self.laws.items():
            if j > 0:
                lines.append(f"  - {write({'between': [f'm{i}', f'm{j}']} | law.entry())}")
        if self.balls:
            lines.append("bodies:")
            lines += [f"  - {write(ball.entry())}" for ball in self.balls]
        if self.obstacles:
            lines.append("obstacles:")
            lines += [
                f"  - {write(obstacle.entry(k))}" for k, obstacle in enumerate(self.obstacles)
            ]
        lines.append(f"output: {write({'frame_interval': Quantity(self.h, 'time')})}")
        return "\n".join(lines) + "\n"

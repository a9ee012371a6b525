"""Small problems with one or two answers, for studies of their dependence on settings. Lengths are
in diameters d, times in √(d/g).
"""

import h5py
import numpy as np

import grains
from study_tools import pictures

SPREAD, THICKNESS = 0.2, 4
FAR = 1e6


class Problem:
    """A scene for each filling, and the answers of a run, by name."""

    friction, frames_each, contacts = 0.5, 5, False

    def scene(self, seed):
        return grains.scene(self.friction, self.until, self.frames_each, [self.filling(seed)],
                            self.obstacles(), self.outflows(), self.contacts)

    def filling(self, seed):
        """A loose filling above the floor."""
        low, high = self.room()
        size = np.subtract(high, low)
        return grains.filling(low, [*high[:2], low[2] + 2.2 * size[2]], float(np.prod(size)),
                              SPREAD, seed)

    def outflows(self):
        return []


class Hopper(Problem):
    """A slab of a flat-bottomed hopper flows out of a slot."""

    name, until, flows_from = "hopper", 40, 10
    answers = {"rate of a hopper": "grains per √(d/g)"}
    width, slot, height, thickness = 16, 5, 22, THICKNESS

    @classmethod
    def reduced_slot(cls):
        """Factor of C ρ_b √g in Beverloo's law for a slot: L (D − k d)^(3/2), k = 1.4."""
        return cls.thickness * (cls.slot - 1.4)**1.5

    def room(self):
        return [-self.width / 2, 0, 0], [self.width / 2, THICKNESS, self.height]

    def obstacles(self):
        half = self.width / 2
        plates = [{"box": {"min": [low, -1, -0.5], "max": [high, THICKNESS + 1, 0]}}
                  for low, high in ((-half - 1, -self.slot / 2), (self.slot / 2, half + 1))]
        walls = [grains.half_space([-half * s, 0, 0], [s, 0, 0]) for s in (1, -1)]
        return grains.smooth_sides(THICKNESS) + walls + plates

    def outflows(self):
        return [([-FAR, -FAR, -FAR], [FAR, FAR, -3])]

    def measure(self, run, _):
        table = run.statistics()
        flowing = table["time"] > self.flows_from
        return [table["bodies_removed"][flowing].sum() / (self.until - self.flows_from)]


class Heap(Problem):
    """A heap stays on a rough floor when the wall at its end has sunk."""

    name, until, release, speed = "heap", 46, 10, 0.5
    answers = {"angle of a heap": "degrees"}
    length, height = 16, 8

    def room(self):
        return [0, 0, 0], [self.length, THICKNESS, self.height]

    def obstacles(self):
        sunk = self.release + self.height / self.speed
        moves = f"t > {self.release} && t < {sunk} ? {-self.speed} : 0"
        wall = {
            "box": {
                "min": [self.length, -1,
                        -self.height], "max": [self.length + 1, THICKNESS + 1, self.height],
                **grains.SMOOTH, "motion": {"velocity": [0, 0, moves]}
            }
        }
        # The filling is higher than the wall until it has settled.
        above = grains.half_space([self.length, 0, 0], [-1, 0, 0], **grains.SMOOTH,
                                  motion={"velocity": [f"t > {self.release} ? 50 : 0", 0, 0]})
        behind = grains.half_space([0, 0, 0], [1, 0, 0], **grains.SMOOTH)
        return [
            behind, wall, above, *grains.smooth_sides(THICKNESS),
            *grains.rods(self.length, THICKNESS)
        ]

    def outflows(self):
        return [([self.length + 0.5, -FAR, -FAR], [FAR, FAR, FAR])]

    def measure(self, run, _):
        last = pictures.read_grains(run.frames()[-1][0])
        return [grains.slope(last, self.length, THICKNESS)]


class Silo(Problem):
    """The walls of a full silo rise slowly, so that their friction supports the grains."""

    name, until, release, speed, steady = "silo", 24, 12, 0.05, 18
    answers = {"weight on the floor of a silo": "of all", "spread of the forces in it": "⟨f²⟩/⟨f⟩²"}
    width, height = 6, 24
    frames_each, contacts = 0.5, True

    def room(self):
        return [0, 0, 0], [self.width, self.width, self.height]

    def obstacles(self):
        rise = {"velocity": [0, 0, f"t < {self.release} ? 0 : {self.speed}"]}
        walls = [
            grains.half_space(point, normal, motion=rise)
            for point, normal in (([0, 0, 0], [1, 0, 0]), ([self.width, 0, 0], [-1, 0, 0]),
                                  ([0, 0, 0], [0, 1, 0]), ([0, self.width, 0], [0, -1, 0]))
        ]
        return [grains.half_space([0, 0, 0], [0, 0, 1]), *walls]

    def measure(self, run, h):
        """Means over the frames: the floor's force over the weight, and the second moment of the
        normal forces between grains, where the stress no longer grows with depth.
        """
        weight = pictures.read_grains(run.frames()[0][0])["mass"].sum()
        floor = 1 << 62
        found = []
        for path, time in run.frames():
            if time <= self.steady:
                continue
            name = path.name.replace("grains", "contacts")
            with h5py.File(path.with_name(name)) as file:
                data = {key: value[...] for key, value in file["VTKHDF/PointData"].items()}
                height = file["VTKHDF/Points"][:, 2]
            force = np.sum(data["impulse"] * data["normal"], axis=1) / h
            inner = (data["id_b"] < floor) & (height > 3) & (height < 16) & (force > 0)
            borne = -data["impulse"][data["id_b"] == floor, 2].sum() / h
            found.append([borne / weight, np.mean(force[inner]**2) / np.mean(force[inner])**2])
        return list(np.mean(found, axis=0))


class Column(Problem):
    """Half of a column spreads over a rough floor when its wall is removed."""

    name, until, release, frames_each = "column", 44, 16, 16
    answers = {
        "energy taken in the fall of a column": "of its height's", "its run-out": "of its base"
    }
    base, height, away = 8, 16, 50

    def room(self):
        return [0, 0, 0], [self.base, THICKNESS, self.height]

    def obstacles(self):
        gate = grains.half_space([self.base, 0, 0], [-1, 0, 0], **grains.SMOOTH, motion={
            "velocity": [f"t > {self.release} ? {self.away} : 0", 0, 0]
        })
        return [
            grains.half_space([0, 0, -0.5], [0, 0, 1]), gate,
            grains.half_space([0, 0, 0], [1, 0, 0], **grains.SMOOTH),
            *grains.smooth_sides(THICKNESS), *grains.rods(60, THICKNESS)
        ]

    def measure(self, run, _):
        """Position of the front: 99 % of the grains are behind it; few roll further."""
        table = run.statistics()
        start = np.argmax(table["time"] >= self.release)
        taken = table["dissipated_energy"][-1] - table["dissipated_energy"][start]
        x = pictures.read_grains(run.frames()[-1][0])["position"][:, 0]
        return [taken / table["potential_energy"][start], np.quantile(x, 0.95) / self.base - 1]


PROBLEMS = [Hopper(), Heap(), Silo(), Column()]

"""Robots among others: their joints and bodies, by the names that they have in their files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from scree._scree import InputError, Joint, Joints, Link, Simulation

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Robot:
    """Joints and bodies of a simulation whose names begin with that of a robot and a dot."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self.name = name
        self.bodies = RobotBodies(simulation, name + ".")
        self.joints = RobotJoints(simulation, name + ".")
        if not self.bodies and not self.joints:
            known = ", ".join(names_of_robots(simulation)) or "none"
            raise InputError(f"there is no robot '{name}'; the scene has: {known}")

    def __repr__(self) -> str:
        return f"<scree.Robot {self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints>"


class Robots(Mapping[str, Robot]):
    """Robots of a simulation by name."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> Robot:
        return Robot(self._simulation, name)

    def __contains__(self, name: object) -> bool:
        return name in names_of_robots(self._simulation)

    def __iter__(self) -> Iterator[str]:
        return iter(names_of_robots(self._simulation))

    def __len__(self) -> int:
        return len(names_of_robots(self._simulation))


def names_of_robots(simulation: Simulation) -> list[str]:
    """What stands before the first dot in names of bodies."""
    return list(dict.fromkeys(name.split(".")[0] for name in simulation.bodies if "." in name))


class RobotBodies(Mapping[str, Link]):
    """Bodies of a robot, as Simulation.bodies."""

    def __init__(self, simulation: Simulation, prefix: str) -> None:
        self._all, self._prefix = simulation.bodies, prefix

    def __getitem__(self, name: str) -> Link:
        return self._all[self._prefix + name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._prefix + name in self._all

    def __iter__(self) -> Iterator[str]:
        return (name[len(self._prefix):] for name in self._all if name.startswith(self._prefix))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _of_coordinates(name: str, doc: str, settable: bool = False) -> property:

    def take(joints: RobotJoints) -> Any:
        return getattr(joints._all, name)[joints._columns]

    def give(joints: RobotJoints, values: ArrayLike) -> None:
        for own, value in zip(joints.names, np.broadcast_to(values, len(joints.names)),
                              strict=True):
            setattr(joints[own], name, value)

    return property(take, give if settable else None, doc=doc)


def _of_joints(name: str, doc: str) -> property:
    return property(lambda joints: getattr(joints._all, name)[joints._joints], doc=doc)


class RobotJoints(Mapping[str, Joint]):
    """Joints of a robot. Arrays and functions are those of Simulation.joints, for its coordinates,
    its joints and its rates alone.
    """

    def __init__(self, simulation: Simulation, prefix: str) -> None:
        self._all: Joints = simulation.joints
        self._prefix = prefix
        self._joints = [k for k, name in enumerate(self._all) if name.startswith(prefix)]
        self._columns = self._range(self._all.names)
        self.names = [name[len(prefix):] for name in self._all.names[self._columns]]

    def _range(self, names: list[str]) -> slice:
        """Where the robot's own names stand."""
        own = [k for k, name in enumerate(names) if name.startswith(self._prefix)]
        if own and own[-1] - own[0] + 1 != len(own):
            raise InputError(f"joints of other names stand between those of '{self._prefix[:-1]}'; "
                             "list them after it")
        return slice(own[0], own[-1] + 1) if own else slice(0, 0)

    def __getitem__(self, name: str) -> Joint:
        return self._all[self._prefix + name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._prefix + name in self._all

    def __iter__(self) -> Iterator[str]:
        keys = self._all.keys()
        return (keys[k][len(self._prefix):] for k in self._joints)

    def __len__(self) -> int:
        return len(self._joints)

    # Coordinates

    position = _of_coordinates("position", "As Joints.position.")
    velocity = _of_coordinates("velocity", "As Joints.velocity.")
    effort = _of_coordinates("effort", "As Joints.effort.")
    limits = _of_coordinates("limits", "As Joints.limits.")
    mode = _of_coordinates("mode", "As Joints.mode.")
    stiffness = _of_coordinates("stiffness", "As Joints.stiffness; assign it.", True)
    damping = _of_coordinates("damping", "As Joints.damping; assign it.", True)
    max_effort = _of_coordinates("max_effort", "As Joints.max_effort; assign it.", True)
    force = _of_joints("force", "As Joints.force.")
    torque = _of_joints("torque", "As Joints.torque.")
    is_there = _of_joints("is_there", "As Joints.is_there.")

    @property
    def target(self) -> NDArray[np.float64]:
        """A view of the engine's memory, as Joints.target."""
        return self._all.target[self._columns]

    @target.setter
    def target(self, targets: ArrayLike | None) -> None:
        everyone = np.array(self._all.target)
        everyone[self._columns] = np.nan if targets is None else targets
        self._all.target = everyone

    def drive(self, mode: str | list[str], *, stiffness: ArrayLike = 0, damping: ArrayLike = 0,
              max_effort: ArrayLike = np.inf) -> None:
        """Replaces motors, as Joints.drive()."""
        columns = np.broadcast_arrays(np.zeros(len(self.names)), stiffness, damping, max_effort)[1:]
        modes = [mode] * len(self.names) if isinstance(mode, str) else mode
        for name, motor, k, d, most in zip(self.names, modes, *columns, strict=True):
            self[name].drive(motor, stiffness=k, damping=d, max_effort=most)

    # Trees of joints

    def _rates(self) -> NDArray[np.intp]:
        return np.array(
            [k for k, name in enumerate(self._all.rate_names) if name.startswith(self._prefix)],
            int)

    def _places(self) -> NDArray[np.intp]:
        """Indices of its coordinates: seven of a base, four of a spherical joint."""
        names, places, place = self._all.rate_names, [], 0
        joints = {name: self._all[name] for name in self._all if self._all[name].is_there}
        of_joints = sum(len(joint.names) for joint in joints.values())
        sizes = [(name, 7) for name in names[:len(names) - of_joints:6]]
        sizes += [(name, 4 if joint.kind == "spherical" else len(joint.names))
                  for name, joint in joints.items()]
        for name, size in sizes:
            if name.startswith(self._prefix):
                places.extend(range(place, place + size))
            place += size
        return np.array(places, int)

    @property
    def coordinates(self) -> NDArray[np.float64]:
        """Of its bases and joints, as Joints.coordinates; assign them to move it."""
        return self._all.coordinates[self._places()]

    @coordinates.setter
    def coordinates(self, numbers: ArrayLike) -> None:
        everyone = np.array(self._all.coordinates)
        everyone[self._places()] = numbers
        self._all.coordinates = everyone

    @property
    def rate_names(self) -> list[str]:
        return [self._all.rate_names[k][len(self._prefix):] for k in self._rates()]

    @property
    def rates(self) -> NDArray[np.float64]:
        """Of its bases and joints, as Joints.rates; assign them."""
        return self._all.rates[self._rates()]

    @rates.setter
    def rates(self, numbers: ArrayLike) -> None:
        everyone = np.array(self._all.rates)
        everyone[self._rates()] = numbers
        self._all.rates = everyone

    def mass_matrix(self) -> NDArray[np.float64]:
        own = self._rates()
        return self._all.mass_matrix()[np.ix_(own, own)]

    def bias_forces(self) -> NDArray[np.float64]:
        return self._all.bias_forces()[self._rates()]

    def gravity_forces(self) -> NDArray[np.float64]:
        return self._all.gravity_forces()[self._rates()]

    def inverse_dynamics(self, accelerations: ArrayLike) -> NDArray[np.float64]:
        own = self._rates()
        everyone = np.zeros(len(self._all.rates))
        everyone[own] = accelerations
        return self._all.inverse_dynamics(everyone)[own]

    def jacobian(self, body: str, point: ArrayLike | None = None) -> NDArray[np.float64]:
        """For a body of the robot."""
        return self._all.jacobian(self._prefix + body, point)[:, self._rates()]

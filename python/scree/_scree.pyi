"""The engine as a Python module. Units are SI and radians; n is the number of bodies, contacts or
rows. Arrays of bodies are read-only views of the engine's memory: see Columns.
"""

from os import PathLike
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from numpy import ndarray
from numpy.typing import ArrayLike

from scree.robots import Robots

__version__: str
__commit__: str
CONTACT_CLASSES: tuple[str, str, str]
"""Names of the classes of contacts, by the index `kind`."""
FIRST_OBSTACLE_ID: int
"""Id of the first obstacle; an obstacle has the id FIRST_OBSTACLE_ID + its index."""
SOLVERS: tuple[str, ...]
"""Names of the solvers of Problem.solve()."""

Source = Union[str, PathLike[str], Mapping[str, Any]]
Obstacle = Union[str, int]
BodyName = Union[str, int]
"""A body by its name in the scene, or by its id."""
BodyNames = Union[BodyName, Sequence[str], ArrayLike]
"""Bodies: one, a list of names, or an array of ids."""


class InputError(ValueError):
    """Unusable input. The message gives the position, the value found and what to do."""


class SceneError(InputError):
    """A scene with problems; the message has a line for each of them."""
    problems: list[SceneProblem]


class OutputError(OSError):
    """A file that cannot be read or written."""


class StaleError(RuntimeError):
    """Columns were used after the engine reordered, added or removed rows."""


class BusyError(RuntimeError):
    """A simulation was used while another thread steps it."""


class StepError(RuntimeError):
    """A step was not done, or its state cannot be trusted."""


class SceneProblem:
    """An error or a warning about a scene."""
    @property
    def file(self) -> str:
        """The scene, or a file that it names."""
    @property
    def line(self) -> int:
        """Line, from 1; 0 if unknown."""
    @property
    def column(self) -> int:
        """Column, from 1; 0 if unknown."""
    @property
    def path(self) -> str:
        """Path of the key, such as bodies[2].sphere.radius."""
    @property
    def message(self) -> str:
        """The value found, the allowed values and what to do."""


class Scene:
    """A scene that was read and checked."""
    def __init__(self, source: Source, set: Optional[Mapping[str, Any]] = None) -> None:
        """Reads and checks a scene.

        source  the name of a file, a text of several lines, or a dict with the keys of a scene file
        set     values by their path, such as {"step.h": "1 ms"}
        Raises SceneError.
        """
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def until(self) -> float:
        """Simulated time of the end [s]."""
    @property
    def ends_at_rest(self) -> bool:
        """True if a run ends when all bodies rest, at the latest at `until`."""
    @property
    def h(self) -> float:
        """Time step [s]."""
    @property
    def bodies(self) -> int:
        """Number of bodies at the start."""
    @property
    def obstacles(self) -> list[str]:
        """Names of obstacles, by index."""
    @property
    def seeds(self) -> list[int]:
        """Seeds of all random numbers."""
    @property
    def resolved(self) -> str:
        """YAML with every default filled in, in SI units; it loads to the same scene."""
    @property
    def warnings(self) -> list[SceneProblem]:
        """Values that are allowed, but are often mistakes."""


class Report:
    """Result of the last step; a copy."""
    @property
    def status(self) -> str:
        """Result of the step in a word.

        "met", "missed": E_s is within the tolerance, or above it; "motion_fault": the step was not
        done; "not_finite", "energy_growth", "excessive_rotation": the state cannot be trusted.
        """
    @property
    def motion_fault(self) -> Optional[str]:
        """Bad value or error of a prescribed motion or a field; None if there is none."""
    @property
    def time(self) -> float:
        """Simulated time after the step [s]."""
    @property
    def step(self) -> int:
        """Number of steps so far."""
    @property
    def bodies(self) -> int:
        """Number of bodies."""
    @property
    def bodies_asleep(self) -> int:
        """Number of sleeping bodies."""
    @property
    def contacts_asleep(self) -> int:
        """Number of contacts that this step did not solve, as their bodies slept."""
    @property
    def contacts(self) -> int:
        """Number of contacts, those of sleeping bodies included."""
    @property
    def contacts_touching(self) -> int:
        """Number of contacts with gap < 0."""
    @property
    def contacts_loaded(self) -> int:
        """Number of contacts with a normal impulse."""
    @property
    def contacts_sliding(self) -> int:
        """Number of loaded contacts whose impulse is on the surface of the cone."""
    @property
    def contacts_over_tolerance(self) -> int:
        """Number of contacts with more than their share of the tolerance."""
    @property
    def max_penetration(self) -> float:
        """Largest overlap [m]."""
    @property
    def residual(self) -> float:
        """E_s at the end of the solve [-]."""
    @property
    def worst_residual(self) -> float:
        """Largest natural-map residual of one contact [m/s]."""
    @property
    def sweeps(self) -> int:
        """Number of the solver's sweeps."""
    @property
    def converged(self) -> bool:
        """True if E_s is within the tolerance."""
    @property
    def local_failures(self) -> int:
        """Number of contacts whose own law has no solution."""
    @property
    def contacts_left_out(self) -> int:
        """Number of pairs that met in the step without a contact."""
    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy [J]."""
    @property
    def potential_energy(self) -> float:
        """Potential energy of gravity, zero at the origin, half a step back [J]."""
    @property
    def dissipated_energy(self) -> float:
        """Energy dissipated in contacts since the start [J]."""
    @property
    def wall_work(self) -> float:
        """Work from outside since the start: obstacles, fields, forces, edits, flow of bodies [J].
        """
    @property
    def field_work(self) -> float:
        """Work of fields since the start, included in wall_work [J]."""
    @property
    def elastic_energy(self) -> float:
        """Energy in springs of compliant laws, half a step back [J]."""
    @property
    def joint_energy(self) -> float:
        """Energy of the springs and rotors of joints, half a step back [J]."""
    @property
    def energy_created(self) -> float:
        """Energy from contacts beyond their laws in this step; 0 within rounding [J]."""
    @property
    def energy_of_rebounds(self) -> float:
        """Energy made by Newton's law in rebounds of sets of contacts in this step [J]."""
    @property
    def bodies_added(self) -> int:
        """Number of bodies that inflows added in this step."""
    @property
    def bodies_removed(self) -> int:
        """Number of bodies that outflows removed in this step."""
    @property
    def bodies_skipped(self) -> int:
        """Number of bodies for which an inflow found no space in this step."""
    @property
    def bodies_not_finite(self) -> int:
        """Number of bodies that are not finite; if above 0, the state cannot be trusted."""
    @property
    def findings(self) -> dict[str, Union[int, float]]:
        """Numbers of all findings of the step, by their ids."""
    @property
    def neighbours_rebuilt(self) -> bool:
        """True if bodies are stored in a new order."""
    @property
    def stage_seconds(self) -> dict[str, float]:
        """Wall time of each stage of the step [s], by its name."""


class Body:
    """A copy of a body's state."""
    @property
    def id(self) -> int: ...
    @property
    def position(self) -> ndarray:
        """Centre of mass: (3,) [m]."""
    @property
    def orientation(self) -> ndarray:
        """Body frame to inertial frame, a unit quaternion, w first: (4,) [-]."""
    @property
    def velocity(self) -> ndarray:
        """Velocity: (3,) [m/s]."""
    @property
    def angular_velocity(self) -> ndarray:
        """Angular velocity in the inertial frame: (3,) [rad/s]."""
    @property
    def radius(self) -> float:
        """Radius of the bounding sphere [m]."""
    @property
    def mass(self) -> float:
        """Mass [kg]."""
    @property
    def prototype(self) -> int:
        """Index of the shape; 0 is the sphere."""
    @property
    def material(self) -> int:
        """Index in material_names."""


class _Arrays:
    @property
    def ids(self) -> ndarray:
        """Id of the body in each row: (n,) uint64."""
    @property
    def positions(self) -> ndarray:
        """Centres of mass: (n, 3) [m]."""
    @property
    def orientations(self) -> ndarray:
        """Body frame to inertial frame, unit quaternions, w first: (n, 4) [-]."""
    @property
    def velocities(self) -> ndarray:
        """Velocities: (n, 3) [m/s]."""
    @property
    def angular_velocities(self) -> ndarray:
        """Angular velocities in the inertial frame: (n, 3) [rad/s]."""
    @property
    def radii(self) -> ndarray:
        """Radii of bounding spheres: (n,) [m]."""
    @property
    def masses(self) -> ndarray:
        """Masses: (n,) [kg]."""
    @property
    def prototypes(self) -> ndarray:
        """Indices of shapes: (n,) uint16; 0 is the sphere."""
    @property
    def materials(self) -> ndarray:
        """Indices in material_names: (n,) uint16."""
    @property
    def present(self) -> ndarray:
        """False for bodies that have left but still have a row: (n,) bool, a copy. Such bodies act
        on no other.
        """


class Columns(_Arrays):
    """All bodies at the time of the call, one in each row.

    Arrays are read-only views, so they show the motion of the bodies. They are valid until the
    engine moves rows: when it rebuilds the list of neighbours, adds bodies or removes them. From
    then on is_current is False, and every array of this object raises StaleError. Arrays taken
    before remain readable, but their rows are out of date.
    """
    @property
    def is_current(self) -> bool:
        """True if rows have not moved since."""
    @property
    def generation(self) -> int:
        """Number of times that rows had moved before this object was made."""
    def __len__(self) -> int: ...


class Link:
    """A body with a name in the scene, such as a robot's link.

    Its frame is that of its shape in the scene, for an imported robot that of the link. Every
    property raises InputError if the body has left.
    """
    @property
    def name(self) -> str: ...
    @property
    def id(self) -> int: ...
    @property
    def position(self) -> ndarray:
        """Origin of its frame: (3,) [m]."""
    @property
    def orientation(self) -> ndarray:
        """Its frame to the inertial frame, a unit quaternion, w first: (4,) [-]."""
    @property
    def velocity(self) -> ndarray:
        """Velocity of the origin of its frame: (3,) [m/s]."""
    @property
    def angular_velocity(self) -> ndarray:
        """Angular velocity in the inertial frame: (3,) [rad/s]."""
    @property
    def centre_of_mass(self) -> ndarray:
        """Centre of mass: (3,) [m]."""
    @property
    def mass(self) -> float:
        """Mass [kg]. Assign it to scale the moments of inertia, too; contacts and forces of the
        last step are forgotten.
        """
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def acceleration(self) -> ndarray:
        """Acceleration of the centre of mass in the last step, inertial frame: (3,) [m/s²]; 0
        before the first step after this link was taken from Simulation.bodies.
        """
    @property
    def accelerometer(self) -> ndarray:
        """Reading of an accelerometer at the centre of mass: the acceleration less gravity, in the
        link's frame: (3,) [m/s²]. At rest it points up, with 9.81.
        """
    @property
    def gyroscope(self) -> ndarray:
        """Angular velocity in the link's frame: (3,) [rad/s]."""
    @property
    def contact_force(self) -> tuple[ndarray, ndarray]:
        """Force (3,) [N] and torque (3,) [N m] of all contacts in the last step, as
        Simulation.contact_force().
        """
    @property
    def applied(self) -> tuple[ndarray, ndarray]:
        """Force (3,) [N] and torque (3,) [N m] of apply_force() for the next step."""


class Bodies:
    """Bodies by the names that they have in the scene."""
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> Link: ...
    def __contains__(self, name: str) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """Names, in alphabetical order."""


class Sensor:
    """A sensor of the scene."""
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str:
        """"force", "torque", "imu", "joint" or "range"."""
    @property
    def columns(self) -> list[str]:
        """Names of its numbers, as in sensors.csv."""
    @property
    def value(self) -> Any:
        """Reading after the last step, whatever its rate: a number if it has one column, else (k,).
        """


class Sensors:
    """Sensors of the scene, by name."""
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> Sensor: ...
    def __contains__(self, name: str) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """Names, in the order of the scene."""


class Joint:
    """A joint, or one of its coordinates.

    Values are numbers if it has one free coordinate, else arrays with a value for each of `names`.
    """
    @property
    def name(self) -> str:
        """Name of the joint."""
    @property
    def kind(self) -> str:
        """Its kind, as in a scene: "revolute", "prismatic", …"""
    @property
    def names(self) -> list[str]:
        """Names of its free coordinates."""
    @property
    def position(self) -> Union[float, ndarray]:
        """Coordinate [m] or [rad]; revolutions are counted. NaN if the joint is gone."""
    @property
    def velocity(self) -> Union[float, ndarray]:
        """Rate of the coordinate [m/s] or [rad/s]. NaN if the joint is gone."""
    @property
    def effort(self) -> Union[float, ndarray]:
        """Force [N] or torque [N m] of motor, spring, limits and friction together along the
        coordinate, in the last step.
        """
    @property
    def limits(self) -> ndarray:
        """Lower and upper limit [m] or [rad]; infinite without: (2,) or (k, 2)."""
    @property
    def target(self) -> Union[float, ndarray]:
        """Target of its motor, see Joints.target; NaN: the target of the scene holds."""
    @target.setter
    def target(self, value: Optional[ArrayLike]) -> None: ...
    @property
    def mode(self) -> Union[str, list[str]]:
        """Kind of the motor: "position", "velocity", "force" or "none"; see drive()."""
    @property
    def stiffness(self) -> Union[float, ndarray]:
        """Stiffness of a position motor [N/m] or [N m/rad]."""
    @stiffness.setter
    def stiffness(self, value: ArrayLike) -> None: ...
    @property
    def damping(self) -> Union[float, ndarray]:
        """Damping of a position motor [N s/m] or [N m s/rad]."""
    @damping.setter
    def damping(self, value: ArrayLike) -> None: ...
    @property
    def max_effort(self) -> Union[float, ndarray]:
        """Maximum force [N] or torque [N m] of the motor; infinite without."""
    @max_effort.setter
    def max_effort(self, value: ArrayLike) -> None: ...
    def drive(self, mode: Union[str, Sequence[str]], *, stiffness: ArrayLike = 0.,
              damping: ArrayLike = 0., max_effort: ArrayLike = ...) -> None:
        """Replaces the motor, or gives the joint one; it acts once it has a target. Raises
        InputError, with nothing changed, for invalid values.
        """
    @property
    def force(self) -> ndarray:
        """Force on its body b in the last step, efforts included: (3,) [N], along the axes of its
        frame in a.
        """
    @property
    def torque(self) -> ndarray:
        """The same torque at the joint's position in b: (3,) [N m]."""
    @property
    def is_there(self) -> bool:
        """False if it broke, lost a body, or is detached."""
    @property
    def broken_at(self) -> Optional[float]:
        """Time at which it broke [s]; None if it did not."""
    def attach(self) -> None:
        """Attaches it where its bodies are, from the next step on: its coordinates count from here.
        A joint that was detached or broke is there again.
        """
    def detach(self) -> None:
        """Removes it until it is attached again."""


class Joints:
    """All joints of a simulation, by name.

    Arrays over coordinates have a value for each of `names`: the free coordinates of all joints
    that are no gears, in the order of the scene. Arrays over joints have a row for each of keys().
    """
    @property
    def rate_names(self) -> list[str]:
        """Names of the m rates: of bases that no joint connects to the world, such as
        "trunk.velocity_x" and "trunk.turn_z", then of joints.
        """
    @property
    def coordinates(self) -> ndarray:
        """All coordinates: of each base its position [m] and orientation, w first; then of the
        joints, as position; of a spherical joint its orientation.

        Assign them to move all bodies of the joints. Velocities stay; contacts and forces of the
        last step are forgotten. Raises InputError, with nothing changed, for coordinates that a
        gear does not allow.
        """
    @coordinates.setter
    def coordinates(self, value: ArrayLike) -> None: ...
    @property
    def rates(self) -> ndarray:
        """All rates: of each base its velocity [m/s] and angular velocity [rad/s] along the axes of
        the scene; then of the joints, as velocity: (m,). Assign them to set all velocities.
        """
    @rates.setter
    def rates(self, value: ArrayLike) -> None: ...
    def mass_matrix(self) -> ndarray:
        """Mass matrix M of the rates at the present state: (m, m).

        This and the following raise InputError if joints form a loop or one of them is gone.
        """
    def bias_forces(self) -> ndarray:
        """Efforts b at which the rates stay constant: of gravity, Coriolis and centrifugal forces:
        (m,).
        """
    def gravity_forces(self) -> ndarray:
        """Efforts that hold the bodies at rest against gravity: (m,)."""
    def inverse_dynamics(self, accelerations: ArrayLike) -> ndarray:
        """Efforts M a + b for accelerations a of the rates, without contacts: (m,)."""
    def jacobian(self, body: BodyName, point: Optional[ArrayLike] = None) -> ndarray:
        """Velocity of a point of a body, and its angular velocity, for unit rates: (6, m).

        point  (3,) [m], along the axes of the scene; None: the origin of the body's frame
        """
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> Joint:
        """Joint of this name, or one of its coordinates by a name like "pin.slide"."""
    def __contains__(self, name: str) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """Names of the joints, in the order of the scene."""
    @property
    def names(self) -> list[str]:
        """Names of the free coordinates: that of the joint, such as "knee", or "pin.slide" and
        "pin.angle" if the joint has several.
        """
    @property
    def position(self) -> ndarray:
        """Coordinates: (n,) [m] or [rad]; revolutions are counted. NaN where the joint is gone."""
    @property
    def velocity(self) -> ndarray:
        """Rates of the coordinates: (n,) [m/s] or [rad/s]. NaN where the joint is gone."""
    @property
    def effort(self) -> ndarray:
        """Forces [N] or torques [N m] of motor, spring, limits and friction together along the
        coordinates, in the last step: (n,).
        """
    @property
    def limits(self) -> ndarray:
        """Lower and upper limits: (n, 2) [m] or [rad]; infinite without."""
    @property
    def target(self) -> ndarray:
        """Targets of the motors from the next step on: (n,) [m], [m/s], [N] or [rad], [rad/s],
        [N m].

        A view of the engine's memory to write into: joints.target[:] = … . NaN: the target of the
        scene holds. Assign an array, a number for all, or None for all targets of the scene. An
        assignment refuses values for coordinates without a motor; a step that finds such a value
        raises StepError. A view goes out of date when another stage begins.
        """
    @target.setter
    def target(self, value: Optional[ArrayLike]) -> None: ...
    @property
    def mode(self) -> list[str]:
        """Kinds of the motors: "position", "velocity", "force" or "none"; see drive()."""
    @property
    def stiffness(self) -> ndarray:
        """Stiffness of position motors: (n,) [N/m] or [N m/rad]."""
    @stiffness.setter
    def stiffness(self, value: ArrayLike) -> None: ...
    @property
    def damping(self) -> ndarray:
        """Damping of position motors: (n,) [N s/m] or [N m s/rad]."""
    @damping.setter
    def damping(self, value: ArrayLike) -> None: ...
    @property
    def max_effort(self) -> ndarray:
        """Maximum forces [N] or torques [N m] of the motors: (n,); infinite without."""
    @max_effort.setter
    def max_effort(self, value: ArrayLike) -> None: ...
    def drive(self, mode: Union[str, Sequence[str]], *, stiffness: ArrayLike = 0.,
              damping: ArrayLike = 0., max_effort: ArrayLike = ...) -> None:
        """Replaces motors, or gives coordinates one; it acts once it has a target. Raises
        InputError, with nothing changed, for invalid values.
        """
    @property
    def force(self) -> ndarray:
        """Force of each joint on its body b in the last step, efforts included: (joints, 3) [N],
        along the axes of its frame in a.
        """
    @property
    def torque(self) -> ndarray:
        """The same torque at the joint's position in b: (joints, 3) [N m]."""
    @property
    def is_there(self) -> ndarray:
        """False for joints that broke, lost a body, or are detached: (joints,) bool."""


class Snapshot:
    """State of a simulation, by Simulation.snapshot().

    bytes(snapshot) and pickle carry it to other processes.
    """
    def __init__(self, data: bytes) -> None:
        """Reads such bytes; raises InputError if they are damaged or of another version."""
    def __bytes__(self) -> bytes: ...
    @property
    def time(self) -> float:
        """Simulated time [s]."""
    @property
    def state_hash(self) -> int:
        """Hash of the state, as Simulation.state_hash."""


class Simulation(_Arrays):
    """A scene to step; one thread at a time may use it."""
    def __init__(self, scene: Union[Scene, Source], set: Optional[Mapping[str, Any]] = None,
                 threads: int = 1) -> None:
        """Makes a simulation.

        scene    a Scene, or a source of one
        set      values by their path, as for Scene
        threads  number of threads; 0: all cores. Results do not depend on it.
        """
    def step(self, steps: int = 1) -> Report:
        """Makes steps; returns the Report of the last one, with 0 steps the present report.

        Raises StepError if a step was not done or its state cannot be trusted.
        """
    def run(self, until: Union[None, float, str] = None,
            callback: Optional[Callable[[Simulation], Any]] = None, every: int = 1) -> str:
        """Makes steps until an end, through all remaining stages of the scene.

        until     a time [s], "rest", or None: the end of the scene. A time that has passed makes
                  no step and returns "time": it is a point in time, not a duration
        callback  callback(sim) is called after each `every` steps; the run ends if it returns True
        every     number of steps between two calls
        Returns the cause of the end: "time", "rest", "condition", "callback" or "no_bodies".
        """
    def next_stage(self) -> None:
        """Begins the next stage; step() alone stays in one. Raises InputError after the last."""
    @property
    def stage(self) -> Optional[str]:
        """Name of the current stage; None if the scene has no stages."""
    @property
    def stage_names(self) -> list[str]:
        """Names of all stages of the scene."""
    @property
    def time(self) -> float:
        """Simulated time [s]."""
    @property
    def h(self) -> float:
        """Time step [s]."""
    @property
    def name(self) -> str:
        """Name of the scene."""
    @property
    def until(self) -> float:
        """Time of the end in the scene [s]."""
    @property
    def gravity(self) -> ndarray:
        """Gravity: (3,) [m/s²]."""
    @property
    def report(self) -> Report:
        """Report of the last step; before the first step, of the initial state."""
    @property
    def state_hash(self) -> int:
        """Hash of all that a restart needs; runs with equal hashes continue with equal bits."""
    @property
    def motion_hash(self) -> int:
        """Hash of all positions and velocities, without the memory of contacts."""
    @property
    def material_names(self) -> list[str]:
        """Names of materials, by index."""
    @property
    def obstacle_names(self) -> list[str]:
        """Names of obstacles, by index."""
    @property
    def memory_bytes(self) -> int:
        """Memory in use between steps [byte]."""
    @property
    def met(self) -> bool:
        """True if all steps so far meet the verdict."""
    @property
    def warnings(self) -> list[str]:
        """Warnings of steps so far."""
    def verdict(self) -> list[str]:
        """Sentences on all steps so far; the first one is the judgement."""
    @property
    def contacts(self) -> ndarray:
        """Contacts of the last step: structured, (n,), with a, b, point [m], normal, gap [m],
        impulse [N s], relative_velocity [m/s], angular_impulse [N m s], kind, residual [m/s],
        cone_violation [N s], complementarity_violation [J], dissipated_energy [J],
        painleve_number [-].
        """
    @property
    def columns(self) -> Columns:
        """All bodies as Columns, which know if their rows are current."""
    @property
    def joints(self) -> Joints:
        """Joints by name, and arrays over all of them."""
    @property
    def robots(self) -> Robots:
        """Robots by name: joints and bodies of each."""
    @property
    def bodies(self) -> Bodies:
        """Bodies with names in the scene. Other calls take these names as ids."""
    @property
    def sensors(self) -> Sensors:
        """Sensors of the scene, by name."""
    def raycast(self, origins: ArrayLike, directions: ArrayLike, *, max_distance: float = ...,
                ignore: Optional[BodyNames] = None) -> ndarray:
        """First bodies or obstacles that rays meet: structured, (n,), with distance [m] (infinite if
        the ray meets nothing), point [m], normal and id (2**64 - 1 for nothing).

        origins       (n, 3) or (3,) [m]
        directions    (n, 3) or (3,), of any length but 0
        max_distance  range of the rays [m]
        ignore        bodies that rays pass through
        A body that contains the origin of a ray is not seen, nor are links without collision.
        """
    def snapshot(self) -> Snapshot:
        """A copy of all that later steps depend on."""
    def restore(self, snapshot: Snapshot) -> None:
        """Continues from a Snapshot, which may come from another simulation of the scene. Later
        steps have the same bits as those that followed it.

        Until the next step there are no contacts, and joints have no forces. The verdict begins
        anew. Raises InputError, with nothing changed, if the bodies, obstacles or joints are
        others.
        """
    def rows(self, ids: BodyNames) -> ndarray:
        """Rows of bodies in the arrays, valid until these are stale: (n,) uint32."""
    def has_body(self, id: BodyName) -> bool:
        """True if there is a body with this id, or the named body has not left."""
    def body(self, id: BodyName) -> Body:
        """A copy of a body's state."""
    def add(self, position: ArrayLike, radius: float, material: Union[str, int] = 0, *,
            velocity: ArrayLike = ..., angular_velocity: ArrayLike = ...,
            orientation: ArrayLike = ..., prototype: int = 0, mass: Optional[float] = None) -> int:
        """Adds a body, which exists from the next step on; it may overlap others. Returns its id.

        position          centre of mass: (3,) [m]
        radius            radius of the bounding sphere [m]
        material          name or index
        velocity          (3,) [m/s]
        angular_velocity  inertial frame: (3,) [rad/s]
        orientation       quaternion, w first: (4,)
        prototype         index of a shape of the scene; 0: the sphere
        mass              [kg]; None: from the density of the material
        """
    def remove(self, ids: BodyNames) -> None:
        """Removes bodies; their rows vanish in the next step, see present."""
    def move_to(self, ids: BodyNames, positions: ArrayLike) -> None:
        """Sets centres of mass: (3,) or (n, 3) [m]."""
    def turn_to(self, ids: BodyNames, orientations: ArrayLike) -> None:
        """Sets orientations, w first: (4,) or (n, 4), of any length but 0."""
    def change_velocity(self, ids: BodyNames, velocities: ArrayLike) -> None:
        """Sets velocities: (3,) or (n, 3) [m/s]."""
    def change_angular_velocity(self, ids: BodyNames, angular_velocities: ArrayLike) -> None:
        """Sets angular velocities in the inertial frame: (3,) or (n, 3) [rad/s]."""
    def apply_force(self, ids: BodyNames, force: ArrayLike, *, torque: Optional[ArrayLike] = None,
                    point: Optional[ArrayLike] = None) -> None:
        """Adds a force for the next step only: (3,) or (n, 3) [N], inertial frame.

        It acts at the centre of mass with a torque [N m], or at a point [m].
        """
    def contact_force(self, id: BodyName) -> tuple[ndarray, ndarray]:
        """Force (3,) [N] and torque (3,) [N m] of all contacts of the last step on a body, about
        its centre at the start of the step.
        """
    def contacts_of(self, id: BodyName, other: Optional[BodyName] = None) -> ndarray:
        """Rows of `contacts` that involve a body; with `other`, those between the two. `other` is
        a body, or an obstacle by its name or id.
        """
    def obstacle_pose(self, obstacle: Obstacle) -> tuple[ndarray, ndarray]:
        """Position (3,) [m] and orientation (4,), w first, of an obstacle."""
    def move_obstacle(self, obstacle: Obstacle, linear: ArrayLike = ...,
                      angular: ArrayLike = ...) -> None:
        """Moves an obstacle in each step from now on: linear (3,) [m/s] and angular (3,) [rad/s]
        velocity of its frame's origin. Raises InputError if the scene moves it.
        """
    def obstacle_force(self, obstacle: Obstacle, about: Optional[ArrayLike] = None
                   ) -> tuple[ndarray, ndarray]:
        """Force (3,) [N] and torque (3,) [N m] of all contacts of the last step on an obstacle,
        about a point (3,) [m], or about its pivot.
        """


class WorldJoints:
    """Joints of all worlds, by Worlds.joints.

    Arrays have a row for each world, and a column for each of `names`. They are copies.
    """
    @property
    def names(self) -> list[str]:
        """Names of the free coordinates, as Joints.names."""
    @property
    def position(self) -> ndarray:
        """Coordinates: (worlds, n) [m] or [rad]."""
    @property
    def velocity(self) -> ndarray:
        """Rates of the coordinates: (worlds, n) [m/s] or [rad/s]."""
    @property
    def effort(self) -> ndarray:
        """Efforts along the coordinates in the last step: (worlds, n) [N] or [N m]."""
    @property
    def coordinates(self) -> ndarray:
        """Coordinates of bases and joints, as Joints.coordinates: a row for each world."""
    @property
    def rates(self) -> ndarray:
        """Rates of bases and joints, as Joints.rates: a row for each world."""
    @property
    def target(self) -> ndarray:
        """Targets of the motors: (worlds, n). Assign an array, one (n,) or a number for all worlds,
        or None.
        """
    @target.setter
    def target(self, value: Optional[ArrayLike]) -> None: ...


class Worlds:
    """Independent simulations that step together, spread over threads."""
    def __init__(self, simulations: Sequence[Simulation], threads: int = 0) -> None:
        """threads: number of threads; 0: all cores. Results do not depend on it."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Simulation: ...
    def __iter__(self) -> Iterator[Simulation]: ...
    @property
    def joints(self) -> WorldJoints:
        """Joints of all worlds. Raises InputError if they differ in their joints."""
    def step(self, steps: int = 1) -> None:
        """Makes the same number of steps in each world. A world that fails stops; the call raises
        its StepError when the others are done.
        """


class Problem:
    """Many contacts to solve together: u = W r + q."""
    def __init__(self, W: Any, q: ArrayLike, mu: ArrayLike, *, law: str = "coulomb",
                 facets: int = 8, choice: str = "dissipation") -> None:
        """Makes a problem of n contacts.

        W       array or SciPy matrix: (3 n, 3 n) [1/kg]
        q       u at r = 0: (3 n,) [m/s]
        mu      friction coefficients: (n,) or a number [-]
        law     one of laws.NAMES except bilateral
        facets  facets of a polyhedral cone, 4 to 64
        choice  choice of Coulomb's law among several solutions: "dissipation", "continuity" or
                "min_impulse"
        """
    @staticmethod
    def read(file: Union[str, PathLike[str]], *, law: str = "coulomb",
             facets: int = 8, choice: str = "dissipation") -> Problem:
        """Reads an FCLIB file (HDF5)."""
    @property
    def contacts(self) -> int:
        """Number of contacts."""
    @property
    def joint_rows(self) -> int:
        """Number of rows of joints."""
    @property
    def q(self) -> ndarray:
        """Velocities at r = 0 of all rows; a copy."""
    @property
    def mu(self) -> ndarray:
        """Friction coefficients: (n,) [-]; a copy."""
    @property
    def asymmetry(self) -> float:
        """Difference between W and its transpose, over the largest entry of W [-]."""
    def solve(self, solver: str = "auto", *, tolerance: float = 1e-8,
              max_iterations: Optional[int] = None, max_seconds: float = ...,
              minimum_norm: bool = False, threads: int = 1, relaxation: float = 0,
              subdomains: Sequence[int] = ...) -> Solution:
        """Solves the problem to E_s <= tolerance by one of SOLVERS; returns the best answer.

        Its status shows if the tolerance is met. Warns (UserWarning) if W is not symmetric. With
        minimum_norm the impulses have the least norm
        among all with the same velocities. max_seconds is wall time. relaxation is the factor of
        psor and jacobi, 0 for their own. subdomains has a label for each contact: jacobi sweeps
        after Gauss-Seidel inside a subdomain. Ctrl-C raises KeyboardInterrupt.
        """


class Solution:
    """Answer of a solver, with its residuals."""
    @property
    def r(self) -> ndarray:
        """Impulses of contacts, in their frames: (n, 3) [N s]."""
    @property
    def u(self) -> ndarray:
        """Velocities W r + q: (n, 3) [m/s]."""
    @property
    def r_joints(self) -> ndarray:
        """Impulses of rows of joints: (rows,)."""
    @property
    def u_joints(self) -> ndarray:
        """Velocities of rows of joints: (rows,)."""
    @property
    def status(self) -> str:
        """"converged", "stalled", "infeasible" (proved to have no solution) or "time_limit"."""
    @property
    def iterations(self) -> int: ...
    @property
    def seconds(self) -> float:
        """Wall time [s]."""
    @property
    def residual(self) -> float:
        """E_s [-]."""
    @property
    def residual_fclib(self) -> float:
        """E of FCLIB, for comparison with other programs."""
    @property
    def residuals(self) -> ndarray:
        """Residual of each contact's own law: (n,) [m/s]."""
    @property
    def kinds(self) -> ndarray:
        """Indices in CONTACT_CLASSES: (n,)."""
    @property
    def dissipation(self) -> float:
        """Energy dissipated by contacts and joints together [J]."""
    @property
    def contradictory_contacts(self) -> list[int]:
        """Contacts of the proof that there is no solution, if the status is "infeasible"."""
    @property
    def history(self) -> ndarray:
        """Iteration and E_s: (k, 2)."""


class Grains:
    """Bodies of a frame, in the order of their ids."""
    @property
    def time(self) -> float:
        """Time of the frame [s]."""
    @property
    def step(self) -> int: ...
    @property
    def velocity_time(self) -> Optional[float]:
        """Time of the velocities [s] if it is not `time`; else None."""
    def __len__(self) -> int: ...
    @property
    def ids(self) -> ndarray:
        """Ids: (n,) uint64."""
    @property
    def positions(self) -> ndarray:
        """Centres of mass: (n, 3) [m]."""
    @property
    def orientations(self) -> ndarray:
        """Quaternions, w first: (n, 4) [-]."""
    @property
    def velocities(self) -> ndarray:
        """Velocities: (n, 3) [m/s]."""
    @property
    def angular_velocities(self) -> ndarray:
        """Angular velocities: (n, 3) [rad/s]."""
    @property
    def radii(self) -> ndarray:
        """Radii of bounding spheres: (n,) [m]."""
    @property
    def masses(self) -> ndarray:
        """Masses: (n,) [kg]."""
    @property
    def materials(self) -> ndarray:
        """Indices of materials: (n,) uint16."""


def read_grains(file: Union[str, PathLike[str]]) -> Grains:
    """Bodies of a frame."""
def read_contacts(file: Union[str, PathLike[str]]) -> ndarray:
    """Contacts of a frame, as Simulation.contacts without relative_velocity."""
def read_series(file: Union[str, PathLike[str]]) -> list[tuple[str, float]]:
    """Files and times [s] of the frames that a series lists."""
def run_scene(scene: Scene, directory: Union[str, PathLike[str]], old_run: str = "refuse",
              threads: int = 0) -> None: ...
def manifest_text(run: Union[str, PathLike[str]]) -> str: ...
def run_status(run: Union[str, PathLike[str]]) -> str: ...
def run_objections(run: Union[str, PathLike[str]]) -> list[str]: ...
def analyse_run(run: Union[str, PathLike[str]], out: Optional[Union[str, PathLike[str]]],
                region: Optional[Sequence[float]], cells: Sequence[int],
                plane: Optional[Sequence[float]], r_max: Optional[float], frames: int,
                start: Optional[float], end: Optional[float], bins: int,
                min_contacts: int, heap: bool, drum: Optional[str], residence: bool,
                force_chains: bool,
                fields: Optional[Sequence[int]], width: Optional[float],
                even_so: bool) -> str: ...
def run_batch(scene: object, over: dict[str, object], directory: Union[str, PathLike[str]],
              set: Optional[Mapping[str, object]], jobs: int, threads: int,
              columns: list[str]) -> tuple[int, list[tuple[str, int, str]]]: ...

"""The engine, bound to Python. Units are SI and radians; n is the number of bodies, contacts or
rows. Arrays of bodies are views of the engine's memory, to read only: see Columns.
"""

from os import PathLike
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from numpy import ndarray
from numpy.typing import ArrayLike

__version__: str
__commit__: str
CONTACT_CLASSES: tuple[str, str, str]
"""What `kind` of contacts is an index in."""
FIRST_OBSTACLE_ID: int
"""Ids from here on are obstacles': FIRST_OBSTACLE_ID + the index of the obstacle."""
SOLVERS: tuple[str, ...]

Source = Union[str, PathLike[str], Mapping[str, Any]]
Obstacle = Union[str, int]


class InputError(ValueError):
    """Input that cannot be used: where it is, what was found, what to do."""


class SceneError(InputError):
    """All that is wrong in a scene; the message has a line for each problem."""
    problems: list[SceneProblem]


class OutputError(OSError):
    """A file that cannot be read or written."""


class StaleError(RuntimeError):
    """Columns whose rows have changed places since they were taken."""


class BusyError(RuntimeError):
    """A simulation that another thread steps."""


class StepError(RuntimeError):
    """A step that was not done, or left a state that is not to be trusted."""


class SceneProblem:
    """One thing that is wrong in a scene, or doubtful."""
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int:
        """From 1; 0 where no line can be named."""
    @property
    def column(self) -> int: ...
    @property
    def path(self) -> str:
        """Of the key, as in bodies[2].sphere.radius."""
    @property
    def message(self) -> str: ...


class Scene:
    """A scene that was read and checked."""
    def __init__(self, source: Source, set: Optional[Mapping[str, Any]] = None) -> None:
        """source: the name of a file, a text of several lines, or a dict with the keys of a scene
        file. set: values by their path, as in {"step.h": "1 ms"}. Raises SceneError.
        """
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def until(self) -> float:
        """Simulated time at the end [s]."""
    @property
    def ends_at_rest(self) -> bool: ...
    @property
    def h(self) -> float:
        """Time step [s]."""
    @property
    def bodies(self) -> int:
        """At the start."""
    @property
    def obstacles(self) -> list[str]:
        """Names, by index."""
    @property
    def seeds(self) -> list[int]: ...
    @property
    def resolved(self) -> str:
        """YAML with every default filled in; loads to the same scene."""
    @property
    def warnings(self) -> list[SceneProblem]: ...


class Report:
    """What the last step did; a copy."""
    @property
    def status(self) -> str:
        """"met" or "missed" (the tolerance); "motion_fault": the step was not done; "not_finite",
        "energy_growth", "excessive_rotation": the state is not to be trusted.
        """
    @property
    def motion_fault(self) -> Optional[str]: ...
    @property
    def time(self) -> float:
        """After the step [s]."""
    @property
    def step(self) -> int: ...
    @property
    def bodies(self) -> int: ...
    @property
    def bodies_asleep(self) -> int:
        """Of them, those that sleep."""
    @property
    def contacts_asleep(self) -> int:
        """Of contacts, those of bodies that slept in the step."""
    @property
    def contacts(self) -> int:
        """In the set, and of bodies that sleep."""
    @property
    def contacts_touching(self) -> int: ...
    @property
    def contacts_loaded(self) -> int: ...
    @property
    def contacts_sliding(self) -> int: ...
    @property
    def contacts_over_tolerance(self) -> int: ...
    @property
    def max_penetration(self) -> float:
        """[m]"""
    @property
    def residual(self) -> float:
        """E_s at the end of the solve [-]."""
    @property
    def worst_residual(self) -> float:
        """Of one contact [m/s]."""
    @property
    def sweeps(self) -> int: ...
    @property
    def converged(self) -> bool:
        """Whether E_s is within the tolerance."""
    @property
    def local_failures(self) -> int: ...
    @property
    def contacts_left_out(self) -> int: ...
    @property
    def kinetic_energy(self) -> float:
        """[J]"""
    @property
    def potential_energy(self) -> float:
        """Of gravity, zero at the origin, half a step back [J]."""
    @property
    def dissipated_energy(self) -> float:
        """In contacts, since the start [J]."""
    @property
    def wall_work(self) -> float:
        """From outside since the start [J]."""
    @property
    def field_work(self) -> float:
        """Of fields since the start, part of wall_work [J]."""
    @property
    def elastic_energy(self) -> float:
        """In springs of compliant laws, half a step back [J]."""
    @property
    def energy_created(self) -> float:
        """By contacts, this step [J]."""
    @property
    def energy_of_rebounds(self) -> float:
        """Made where Newton's law gives sets of contacts rebounds, this step [J]."""
    @property
    def bodies_added(self) -> int: ...
    @property
    def bodies_removed(self) -> int: ...
    @property
    def bodies_skipped(self) -> int: ...
    @property
    def bodies_not_finite(self) -> int: ...
    @property
    def neighbours_rebuilt(self) -> bool: ...
    @property
    def stage_seconds(self) -> dict[str, float]:
        """Wall clock of each stage [s]."""


class Body:
    """A copy of all that a body has."""
    @property
    def id(self) -> int: ...
    @property
    def position(self) -> ndarray:
        """(3,) [m]."""
    @property
    def orientation(self) -> ndarray:
        """(4,), w first."""
    @property
    def velocity(self) -> ndarray:
        """(3,) [m/s]."""
    @property
    def angular_velocity(self) -> ndarray:
        """(3,) [rad/s], inertial frame."""
    @property
    def radius(self) -> float:
        """Of the bounding sphere [m]."""
    @property
    def mass(self) -> float:
        """[kg]"""
    @property
    def prototype(self) -> int:
        """0 is the sphere."""
    @property
    def material(self) -> int: ...


class _Arrays:
    @property
    def ids(self) -> ndarray:
        """Who is where: (n,) uint64."""
    @property
    def positions(self) -> ndarray:
        """Of centres of mass: (n, 3) [m]."""
    @property
    def orientations(self) -> ndarray:
        """Body frame to inertial frame, w first: (n, 4)."""
    @property
    def velocities(self) -> ndarray:
        """(n, 3) [m/s]."""
    @property
    def angular_velocities(self) -> ndarray:
        """Inertial frame: (n, 3) [rad/s]."""
    @property
    def radii(self) -> ndarray:
        """Of bounding spheres: (n,) [m]."""
    @property
    def masses(self) -> ndarray:
        """(n,) [kg]."""
    @property
    def prototypes(self) -> ndarray:
        """(n,) uint16; 0 is the sphere."""
    @property
    def materials(self) -> ndarray:
        """(n,) uint16."""
    @property
    def present(self) -> ndarray:
        """(n,) bool, a copy: False for bodies that have left and whose row is still there."""


class Columns(_Arrays):
    """All bodies, a row each, as they stood when this was made.

    Arrays are views. They follow bodies as these move, until rows change places: where the list of
    neighbours is made anew, where bodies come or go. Then is_current is False, and asking for an
    array raises StaleError. One that was taken before stays readable, but is of no more use.
    """
    @property
    def is_current(self) -> bool: ...
    @property
    def generation(self) -> int: ...
    def __len__(self) -> int: ...


class Simulation(_Arrays):
    """A scene that is stepped, by one thread at a time."""
    def __init__(self, scene: Union[Scene, Source], set: Optional[Mapping[str, Any]] = None,
                 threads: int = 1) -> None:
        """threads=0 takes all cores; results do not depend on it."""
    def step(self, steps: int = 1) -> Report:
        """Makes steps; raises StepError where one was not done, or its state is not to be trusted.
        """
    def run(self, until: Union[None, float, str] = None,
            callback: Optional[Callable[[Simulation], Any]] = None, every: int = 1) -> str:
        """Steps to a time [s], to "rest", or, by None, to the scene's own end. callback(sim) comes
        after every so many steps, and ends the run where it returns True. Returns what ended it:
        "time", "rest", "condition", "callback" or "no_bodies". Goes through all stages that are
        left.
        """
    def next_stage(self) -> None:
        """Begins the next stage; step() alone stays in one. InputError after the last."""
    @property
    def stage(self) -> Optional[str]:
        """Name of the stage that it is in; None without stages."""
    @property
    def stage_names(self) -> list[str]: ...
    @property
    def time(self) -> float:
        """[s]"""
    @property
    def h(self) -> float:
        """Time step [s]."""
    @property
    def name(self) -> str: ...
    @property
    def until(self) -> float:
        """Time at the end, as the scene has it [s]."""
    @property
    def gravity(self) -> ndarray:
        """(3,) [m/s²]."""
    @property
    def report(self) -> Report: ...
    @property
    def state_hash(self) -> int:
        """Over all that a restart needs; equal where runs go on equal, bit by bit."""
    @property
    def motion_hash(self) -> int: ...
    @property
    def material_names(self) -> list[str]: ...
    @property
    def obstacle_names(self) -> list[str]: ...
    @property
    def memory_bytes(self) -> int:
        """Held between steps [byte]."""
    @property
    def met(self) -> bool:
        """Whether all steps so far were solved as the verdict demands."""
    @property
    def warnings(self) -> list[str]: ...
    def verdict(self) -> list[str]:
        """What is to be known of all steps so far: sentences, the judgement first."""
    @property
    def contacts(self) -> ndarray:
        """Of the last step: structured, (n,), with a, b, point [m], normal, gap [m], impulse
        [N s], relative_velocity [m/s], angular_impulse [N m s], kind, residual [m/s],
        cone_violation [N s], complementarity_violation [J], dissipated_energy [J],
        painleve_number [-].
        """
    @property
    def columns(self) -> Columns: ...
    def rows(self, ids: ArrayLike) -> ndarray:
        """Of bodies in the arrays, until these are stale: (n,) uint32."""
    def has_body(self, id: int) -> bool: ...
    def body(self, id: int) -> Body: ...
    def add(self, position: ArrayLike, radius: float, material: Union[str, int] = 0, *,
            velocity: ArrayLike = ..., angular_velocity: ArrayLike = ...,
            orientation: ArrayLike = ..., prototype: int = 0, mass: Optional[float] = None) -> int:
        """Adds a body, there from the next step on; returns its id."""
    def remove(self, ids: ArrayLike) -> None: ...
    def move_to(self, ids: ArrayLike, positions: ArrayLike) -> None:
        """(3,) or (n, 3) [m]."""
    def turn_to(self, ids: ArrayLike, orientations: ArrayLike) -> None:
        """(4,) or (n, 4), w first, of any length but 0."""
    def change_velocity(self, ids: ArrayLike, velocities: ArrayLike) -> None:
        """(3,) or (n, 3) [m/s]."""
    def change_angular_velocity(self, ids: ArrayLike, angular_velocities: ArrayLike) -> None:
        """(3,) or (n, 3) [rad/s], inertial frame."""
    def apply_force(self, ids: ArrayLike, force: ArrayLike, *, torque: Optional[ArrayLike] = None,
                    point: Optional[ArrayLike] = None) -> None:
        """In the next step alone: (3,) or (n, 3) [N], at the centre of mass with a torque [N m], or
        at a point [m]; inertial frame.
        """
    def contact_force(self, id: int) -> tuple[ndarray, ndarray]:
        """Force [N] and torque [N m] about the centre, of all contacts of the last step."""
    def contacts_of(self, id: int) -> ndarray: ...
    def obstacle_pose(self, obstacle: Obstacle) -> tuple[ndarray, ndarray]:
        """Position (3,) [m], orientation (4,)."""
    def move_obstacle(self, obstacle: Obstacle, linear: ArrayLike = ...,
                      angular: ArrayLike = ...) -> None:
        """From now on: linear [m/s], angular [rad/s]."""
    def obstacle_force(self, obstacle: Obstacle, about: Optional[ArrayLike] = None
                   ) -> tuple[ndarray, ndarray]:
        """Force [N] and torque [N m] of contacts on an obstacle, about a point [m] or its pivot."""


class Worlds:
    """Independent simulations that are stepped together, over threads."""
    def __init__(self, simulations: Sequence[Simulation], threads: int = 0) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Simulation: ...
    def step(self, steps: int = 1) -> None:
        """Each makes so many steps; one that fails stops, and raises when the others are done."""


class Problem:
    """Many contacts that are solved together: u = W r + q."""
    def __init__(self, W: Any, q: ArrayLike, mu: ArrayLike, *, law: str = "coulomb",
                 facets: int = 8) -> None:
        """W (3 n, 3 n), an array or a matrix of SciPy [1/kg]; q (3 n,) [m/s]; mu (n,) [-]."""
    @staticmethod
    def read(file: Union[str, PathLike[str]], *, law: str = "coulomb",
             facets: int = 8) -> Problem: ...
    @property
    def contacts(self) -> int: ...
    @property
    def joint_rows(self) -> int: ...
    @property
    def q(self) -> ndarray: ...
    @property
    def mu(self) -> ndarray: ...
    @property
    def asymmetry(self) -> float: ...
    def solve(self, solver: str = "auto", *, tolerance: float = 1e-8,
              max_iterations: Optional[int] = None, max_seconds: float = ...,
              minimum_norm: bool = False, threads: int = 1) -> Solution:
        """Solves it to E_s <= tolerance by one of SOLVERS."""


class Solution:
    """What a solver found, and how good it is."""
    @property
    def r(self) -> ndarray:
        """Of contacts, in their frames: (n, 3) [N s]."""
    @property
    def u(self) -> ndarray:
        """(n, 3) [m/s]."""
    @property
    def r_joints(self) -> ndarray: ...
    @property
    def u_joints(self) -> ndarray: ...
    @property
    def status(self) -> str:
        """"converged", "stalled", "infeasible" or "time_limit"."""
    @property
    def iterations(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def residual(self) -> float:
        """E_s [-]."""
    @property
    def residual_fclib(self) -> float: ...
    @property
    def residuals(self) -> ndarray:
        """Of each contact's own law: (n,) [m/s]."""
    @property
    def kinds(self) -> ndarray:
        """(n,), indices in CONTACT_CLASSES."""
    @property
    def dissipation(self) -> float:
        """[J]"""
    @property
    def contradictory_contacts(self) -> list[int]: ...
    @property
    def history(self) -> ndarray:
        """Iteration and E_s: (k, 2)."""


class Grains:
    """The bodies of a frame, in the order of their ids."""
    @property
    def time(self) -> float:
        """[s]"""
    @property
    def step(self) -> int: ...
    @property
    def velocity_time(self) -> Optional[float]: ...
    def __len__(self) -> int: ...
    @property
    def ids(self) -> ndarray: ...
    @property
    def positions(self) -> ndarray:
        """(n, 3) [m]."""
    @property
    def orientations(self) -> ndarray: ...
    @property
    def velocities(self) -> ndarray:
        """(n, 3) [m/s]."""
    @property
    def angular_velocities(self) -> ndarray: ...
    @property
    def radii(self) -> ndarray: ...
    @property
    def masses(self) -> ndarray: ...
    @property
    def materials(self) -> ndarray: ...


def read_grains(file: Union[str, PathLike[str]]) -> Grains: ...
def read_contacts(file: Union[str, PathLike[str]]) -> ndarray: ...
def read_series(file: Union[str, PathLike[str]]) -> list[tuple[str, float]]: ...
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
                fields: Optional[tuple[int, int, int]], width: Optional[float],
                even_so: bool) -> str: ...
def run_batch(scene: object, over: dict[str, object], directory: Union[str, PathLike[str]],
              set: Optional[dict[str, object]], jobs: int, threads: int,
              columns: list[str]) -> tuple[int, list[tuple[str, int, str]]]: ...

"""scree: rigid bodies in frictional contact.

    sim = scree.Simulation("scene.yaml")
    sim.run()
    sim.positions            # a view of the engine's memory, (n, 3) [m]

Units are SI and radians throughout. docs/guide/python.md is the guide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scree import forces, laws
from scree._scree import (CONTACT_CLASSES, FIRST_OBSTACLE_ID, SOLVERS, Bodies, Body, BusyError,
                          Columns, Grains, InputError, Joint, Joints, Link, OutputError, Problem,
                          Report, Scene, SceneError, SceneProblem, Simulation, Snapshot, Solution,
                          StaleError, StepError, WorldJoints, Worlds, __commit__, __version__)
from scree.batches import Batch, batch, open_batch
from scree.robots import Robot, Robots
from scree.runs import Analysis, Frame, Frames, Run, open, run

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "Analysis", "Batch", "Bodies", "Body", "BusyError", "CONTACT_CLASSES", "Columns",
    "FIRST_OBSTACLE_ID", "Frame", "Frames", "Grains", "InputError", "Joint", "Joints", "Link",
    "OutputError", "Problem", "Report", "Robot", "Robots", "Run", "SOLVERS", "Scene", "SceneError",
    "SceneProblem", "Simulation", "Snapshot", "Solution", "StaleError", "StepError", "WorldJoints",
    "Worlds", "__commit__", "__version__", "batch", "forces", "laws", "open", "open_batch", "run",
    "solve"
]

Simulation.robots = property(Robots, doc="Robots by name: joints and bodies of each, as Robots.")


def solve(problem: Any, q: ArrayLike | None = None, mu: Any = None, *, law: str = "coulomb",
          facets: int = 8, choice: str = "dissipation", **settings: Any) -> Solution:
    """Solves many contacts together; returns a Solution.

    problem   a Problem, the name of an FCLIB file, or W with q and mu; for shapes see Problem
    law       one of laws.NAMES except bilateral; a Problem has its own
    facets    facets of a polyhedral cone, 4 to 64
    choice    choice of Coulomb's law among several solutions, as for Problem
    settings  keywords of Problem.solve()
    """
    if q is not None:
        problem = Problem(problem, q, mu, law=law, facets=facets, choice=choice)
    elif not isinstance(problem, Problem):
        problem = Problem.read(problem, law=law, facets=facets, choice=choice)
    return problem.solve(**settings)

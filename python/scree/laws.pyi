"""Contact laws, one contact at a time: u = W r + q in the frame (normal, first, second tangent)."""

from typing import Optional

from numpy import ndarray
from numpy.typing import ArrayLike

NAMES: tuple[str, ...]
STATUS: tuple[str, str, str, str]
"""Names of the statuses of answers, by the index `status`."""


def solve(law: str, W: ArrayLike, q: ArrayLike, mu: ArrayLike = 0.0, *,
          start: Optional[ArrayLike] = None, facets: int = 8,
          choice: str = "dissipation") -> ndarray:
    """Solves n contacts, each on its own.

    law     one of NAMES
    W       (n, 3, 3), or (3, 3) for all contacts [1/kg]
    q       u at r = 0: (n, 3), or (3,) for all contacts [m/s]
    mu      friction coefficients: (n,), or a number for all contacts [-]
    start   warm start: (n, 3) [N s]
    facets  facets of a polyhedral cone, 4 to 64
    choice  choice of Coulomb's law among several solutions: "dissipation", "continuity" or
            "min_impulse"
    Returns a structured array (n,): r [N s], u [m/s], energy that the bodies gain [J], residual
    [m/s], painleve [-], number of solutions, kind (index in CONTACT_CLASSES), status (index in
    STATUS). Raises InputError for wrong shapes, a W that is not symmetric, or a bad mu.
    """


def all_solutions(law: str, W: ArrayLike, q: ArrayLike, mu: float = 0.0, *,
                  facets: int = 8) -> ndarray:
    """All solutions of one contact, W (3, 3) and q (3,), if the law can list them; else the one
    that solve() returns. The array is that of solve(), one row for each solution.
    """

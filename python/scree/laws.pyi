"""Contact laws, one contact at a time: u = W r + q in the frame (normal, first, second tangent)."""

from typing import Optional

from numpy import ndarray
from numpy.typing import ArrayLike

NAMES: tuple[str, ...]
STATUS: tuple[str, str, str, str]
"""What `status` of answers is an index in."""


def solve(law: str, W: ArrayLike, q: ArrayLike, mu: ArrayLike = 0.0, *,
          start: Optional[ArrayLike] = None, facets: int = 8,
          choice: str = "dissipation") -> ndarray:
    """Solves n contacts, each by itself. W (n, 3, 3) [1/kg], q (n, 3) [m/s], mu (n,), or one of
    them for all; start (n, 3) [N s]. Returns a structured array (n,): r [N s], u [m/s], energy [J],
    residual [m/s], painleve [-], solutions, kind, status.
    """


def all_solutions(law: str, W: ArrayLike, q: ArrayLike, mu: float = 0.0, *,
                  facets: int = 8) -> ndarray:
    """Every answer of one contact, W (3, 3), q (3,), where the law can list them; else the one it
    takes. As of solve, a row an answer.
    """

"""Forces of contacts that slide, at one instant: a = W f + b, each in its frame (normal, first,
second tangent). Friction −μ f_n s opposes the slip, whose direction s is known, and the normal
forces are left: 0 ≤ a_n ⊥ f_n ≥ 0 [Preclik11, Eqs. 10, 11].

    a  acceleration of B relative to A, with the change of the frame    [m/s²]
    f  force on B                                                       [N]
    W  Delassus matrix                                                  [1/kg]
    b  a at f = 0                                                       [m/s²]

docs/theory/painleve.md has the background.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy

from scree._scree import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from numpy.typing import ArrayLike

__all__ = ["has_one", "normal_response", "of_slide"]

MAX_CONTACTS = 16  # all their sets are tried
ROUNDING = 1e-12  # of the largest numbers


def normal_response(W: ArrayLike, slip: ArrayLike, mu: ArrayLike) -> numpy.ndarray:
    """Matrix M of a_n = M f_n + b_n, (n, n) [1/kg].

    W     (3 n, 3 n) [1/kg]
    slip  relative tangential velocities, (n, 2) [m/s]; only their directions count
    mu    friction coefficients, (n,) or a number [-]
    """
    directions = numpy.atleast_2d(numpy.asarray(slip, float))
    contacts, speeds = len(directions), numpy.linalg.norm(directions, axis=-1)
    matrix = numpy.asarray(W, float)
    if directions.shape != (contacts, 2) or matrix.shape != (3 * contacts, 3 * contacts):
        raise InputError(f"W has the shape {matrix.shape} and slip {directions.shape}; n contacts "
                         "have (3 n, 3 n) and (n, 2)")
    if not numpy.all(numpy.isfinite(mu)) or numpy.any(numpy.asarray(mu) < 0):
        raise InputError("mu must be finite and not negative")
    if not numpy.all(numpy.isfinite(matrix)) or not numpy.all((speeds > 0) & (speeds < numpy.inf)):
        raise InputError("W must be finite, and every contact must slide")
    if contacts > MAX_CONTACTS:
        raise InputError(f"there are {contacts} contacts; {MAX_CONTACTS} are the most")
    forces = numpy.zeros((3 * contacts, contacts))
    for k, along in enumerate(directions / speeds[:, None]):
        forces[3 * k:3 * k + 3, k] = 1, *(-numpy.broadcast_to(mu, contacts)[k] * along)
    return matrix[::3] @ forces


def sets_of(contacts: int) -> Iterator[list[int]]:
    for size in range(contacts + 1):
        yield from ([*some] for some in itertools.combinations(range(contacts), size))


def has_one(W: ArrayLike, slip: ArrayLike, mu: ArrayLike) -> bool:
    """True if one force obeys the laws, whatever the load b: all principal minors of M are
    positive. For one contact, if its Painlevé number along the slip is below 1.
    """
    M = normal_response(W, slip, mu)
    if not numpy.all(numpy.diag(M) > 0):
        return False
    M /= numpy.sqrt(numpy.outer(numpy.diag(M), numpy.diag(M)))
    return all(
        numpy.linalg.det(M[numpy.ix_(loaded, loaded)]) > ROUNDING for loaded in sets_of(len(M))
        if loaded)


def of_slide(W: ArrayLike, b: ArrayLike, slip: ArrayLike, mu: ArrayLike) -> numpy.ndarray:
    """Normal forces that obey the laws, (k, n) [N]: none, one or several.

    b  normal accelerations at f = 0, (n,) [m/s²]; W, slip and mu as for normal_response()

    Lists those whose loaded contacts determine their forces: where statics leaves a choice, its
    extremes.
    """
    M = normal_response(W, slip, mu)
    load = numpy.asarray(b, float)
    if load.shape != (len(M),) or not numpy.all(numpy.isfinite(load)):
        raise InputError(f"b has the shape {load.shape}; n contacts have (n,) finite numbers")
    found = []
    for loaded in sets_of(len(M)):
        forces = numpy.zeros(len(M))
        part = M[numpy.ix_(loaded, loaded)]
        if numpy.linalg.matrix_rank(part, tol=ROUNDING * numpy.abs(M).max()) < len(loaded):
            continue
        forces[loaded] = numpy.linalg.solve(part, -load[loaded])
        slack = M @ forces + load
        scale = numpy.abs(M).max() * numpy.abs(forces).max(initial=0) + numpy.abs(load).max()
        if numpy.all(forces[loaded] > 0) and numpy.all(slack >= -ROUNDING * scale):
            found.append(forces)
    return numpy.array(found).reshape(-1, len(M))

"""Forces of contacts at one instant: a = W f + b, each in its frame (normal, first, second
tangent). Where a contact slides, friction −μ f_n s opposes the slip, whose direction s is known.
The normal force is left: 0 ≤ a_n ⊥ f_n ≥ 0 [Preclik11, Eqs. 10, 11]. Where it sticks,
|f_t| ≤ μ f_n, and friction opposes a slip that begins: a_t = 0, or f_t = −μ f_n a_t/|a_t|.

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

__all__ = ["has_one", "most_dissipative", "normal_response", "of_contacts", "of_slide"]

MAX_CONTACTS = 16  # all their sets are tried
MAX_STUCK = 3  # all directions in which they can begin to slide are tried, together
MAX_WAYS = 2000  # in which contacts can be open, loaded or begin to slide
ROUNDING = 1e-12  # of the largest numbers
CHOICES = 200  # projections that look for forces inside the cones
STARTS = 48, 12  # angles from which the direction of a slip that begins is sought, if alone or not


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


class _Way:
    """One of the ways in which contacts can act: each is open, "o", slides, "f", sticks, "s", or
    begins to slide, "b". With the directions of slips that begin, the forces are linear.
    """

    def __init__(self, W: numpy.ndarray, b: numpy.ndarray, along: numpy.ndarray, mu: numpy.ndarray,
                 way: tuple[str, ...]) -> None:
        self.W, self.b, self.along, self.mu, self.way = W, b, along, mu, way
        self.beginning = [k for k, how in enumerate(way) if how == "b"]
        self.held = [
            3 * k + i for k, how in enumerate(way) if how != "o"
            for i in range(3 if how == "s" else 1)
        ]  # rows of a that vanish
        self.size = numpy.abs(W).max()

    def forces(self, angles: numpy.ndarray) -> numpy.ndarray:
        """Forces with slips that begin at these angles from the first tangent."""
        e = numpy.zeros_like(self.along)
        e[self.beginning] = numpy.column_stack([numpy.cos(angles), numpy.sin(angles)])
        if not self.held:
            return numpy.zeros(len(self.b))
        act = numpy.zeros((len(self.b), len(self.held)))
        column = 0
        for k, how in enumerate(self.way):
            if how == "s":
                act[3 * k:3 * k + 3, column:column + 3] = numpy.eye(3)
            elif how != "o":
                act[3 * k:3 * k + 3, column] = 1, *(-self.mu[k] * (self.along + e)[k])
            column += {"o": 0, "s": 3}.get(how, 1)
        rates, load = (self.W @ act)[self.held], self.b[self.held]
        x, _, rank, _ = numpy.linalg.lstsq(rates, -load, rcond=1e-12)
        # Where statics leaves a choice, those of least norm may lie outside of a cone: projections
        # on cones and on the forces without accelerations find others inside.
        if rank < len(x) and not self.beginning:
            back = numpy.linalg.pinv(rates, rcond=1e-12)
            for _ in range(CHOICES):
                x = self.in_cones(x)
                x = x - back @ (rates @ x + load)
        return act @ x

    def in_cones(self, x: numpy.ndarray) -> numpy.ndarray:
        """Nearest forces that contacts which stick can bear, with others that do not pull."""
        nearest, column = numpy.maximum(x, 0), 0
        for k, how in enumerate(self.way):
            if how == "s":
                f_n, *f_t = x[column:column + 3]
                mu, size = self.mu[k], numpy.hypot(*f_t)
                along = numpy.array(f_t) / max(size, 1e-300)
                if size > mu * f_n:
                    f_n = max(0, (f_n + mu * size) / (1 + mu**2))
                    size = mu * f_n
                nearest[column:column + 3] = f_n, *(size * along)
            column += {"o": 0, "s": 3}.get(how, 1)
        return nearest

    def misses(self, angles: numpy.ndarray) -> numpy.ndarray:
        """Accelerations of slips that begin, across their directions."""
        a = self.W @ self.forces(angles) + self.b
        return numpy.array([
            a[3 * k + 2] * numpy.cos(angle) - a[3 * k + 1] * numpy.sin(angle)
            for k, angle in zip(self.beginning, angles, strict=True)
        ])

    def directions(self) -> Iterator[numpy.ndarray]:
        """Angles without misses, by Newton's method from all around."""
        count = len(self.beginning)
        one = numpy.arange(STARTS[count > 1]) * 2 * numpy.pi / STARTS[count > 1]
        for start in itertools.product(one, repeat=count):
            angles = numpy.array(start)
            for _ in range(30 if count else 0):
                missed = self.misses(angles)
                slope = numpy.column_stack([(self.misses(angles + step) - missed) / 1e-7
                                            for step in 1e-7 * numpy.eye(count)])
                change = numpy.linalg.lstsq(slope, -missed, rcond=None)[0]
                angles = angles + change * min(1, 0.5 / max(numpy.abs(change).max(), 1e-30))
                if numpy.abs(change).max() < 1e-13:
                    break
            yield angles

    def obeys(self, f: numpy.ndarray) -> bool:
        """True if these forces obey the laws."""
        a = self.W @ f + self.b
        small = 1e-9 * (self.size * numpy.abs(f).max(initial=0) + numpy.abs(self.b).max())
        if numpy.abs(a[self.held]).max(initial=0) > small:
            return False
        for k, how in enumerate(self.way):
            (a_n, *a_t), (f_n, *f_t) = a[3 * k:3 * k + 3], f[3 * k:3 * k + 3]
            slips = numpy.hypot(*a_t)
            if how == "o" and a_n < -small or how != "o" and f_n * self.size <= small:
                return False
            if how == "s" and numpy.hypot(*f_t) > self.mu[k] * f_n + small / self.size:
                return False
            if how == "b" and (slips <= small or
                               numpy.dot(a_t, f_t) > -(1 - 1e-9) * slips * numpy.hypot(*f_t) or
                               numpy.hypot(*f_t) == 0 < self.mu[k]):
                return False
        return True


def _differ(f: numpy.ndarray, g: numpy.ndarray) -> bool:
    return bool(numpy.abs(f - g).max() > 1e-7 * max(numpy.abs(f).max(), numpy.abs(g).max()))


def of_contacts(W: ArrayLike, b: ArrayLike, slip: ArrayLike, mu: ArrayLike) -> numpy.ndarray:
    """Forces that obey the laws, (k, n, 3) [N]: none, one or several.

    W     (3 n, 3 n) [1/kg]
    b     accelerations at f = 0, (n, 3) [m/s²]; where a contact slides, its normal one counts
    slip  relative tangential velocities, (n, 2) [m/s]; (0, 0) where a contact sticks
    mu    friction coefficients, (n,) or a number [-]

    Lists isolated forces. Where statics leaves a choice, it has some of them.
    """
    slips = numpy.atleast_2d(numpy.asarray(slip, float))
    contacts, speeds = len(slips), numpy.linalg.norm(slips, axis=-1)
    sticks = speeds == 0
    # also checks the shapes and numbers
    normal_response(W, numpy.where(sticks[:, None], (1, 0), slips), mu)
    load = numpy.asarray(b, float)
    if load.shape != (contacts, 3) or not numpy.all(numpy.isfinite(load)):
        raise InputError(f"b has the shape {load.shape}; n contacts have (n, 3) finite numbers")
    if sticks.sum() > MAX_STUCK or 3**sticks.sum() * 2**(~sticks).sum() > MAX_WAYS:
        raise InputError(
            f"{contacts} contacts, of which {sticks.sum()} stick, are too many; at most "
            f"{MAX_STUCK} may stick, and 3^stick 2^slide be {MAX_WAYS}")
    along = slips / numpy.where(sticks, 1, speeds)[:, None]
    found: list[numpy.ndarray] = []
    for way in itertools.product(*("osb" if stuck else "of" for stuck in sticks)):
        one = _Way(numpy.asarray(W, float), load.ravel(), along,
                   numpy.broadcast_to(numpy.asarray(mu, float), contacts), way)
        for angles in one.directions():
            f = one.forces(angles)
            if one.obeys(f) and all(_differ(f, other) for other in found):
                found.append(f)
    return numpy.array(found).reshape(-1, contacts, 3)


def most_dissipative(W: ArrayLike, b: ArrayLike, slip: ArrayLike,
                     mu: ArrayLike) -> numpy.ndarray | None:
    """Of the forces of of_contacts() those that dissipate most, (n, 3) [N]; None if there are none.
    Where none slides yet, the power f·u is 0, and its rate f·a decides [Preclik18, §5].
    """
    slips = numpy.atleast_2d(numpy.asarray(slip, float))
    all_forces = of_contacts(W, b, slips, mu)

    def power_and_rate(f: numpy.ndarray) -> tuple[float, float]:
        a = numpy.asarray(W, float) @ f.ravel() + numpy.ravel(b)
        stuck = ~slips.any(axis=1)
        return (f[:, 1:] * slips).sum(), (f * a.reshape(f.shape))[stuck].sum()

    return min(all_forces, key=power_and_rate, default=None)

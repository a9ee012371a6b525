"""Checks the mechanics of a run: positions, impulses, momentum, energy."""

import numpy as np

from checks import worst
from shapes import dot, norm


def positions(scene, run, motion, contacts):
    """x' = x + h v' plus the correction of overlaps, and quaternions keep their unit length."""
    m = motion
    error = np.abs(m.x[1:] - m.x[:-1] - m.h * m.v[1:] - m.pushed)
    overlapping = contacts.by_step(
        (contacts.gap < -1.05e-4 * contacts.lesser_radius).astype(float)) > 0
    error = np.where(overlapping[:, None, None], error, error + np.abs(m.pushed))
    row = worst(error - m.rounding_of_pushed)
    if row is not None:
        yield f"body {row[1]} is not at x + h v' after step {row[0] + 1}: off by {error[row]:.3g} m"
    row = worst(norm(m.pushed) - 0.01001 * m.radius - norm(m.rounding_of_pushed))
    if row is not None:
        yield (f"body {row[1]} is corrected by {norm(m.pushed)[row]:.3g} m in step {row[0] + 1}, "
               "more than 1 % of its radius")
    if np.any(np.abs(norm(m.q) - 1) > 1e-12):
        yield "a quaternion does not have unit length"


def impulses(scene, run, motion, contacts):
    """Velocities of each body change by its impulses and by gravity only."""
    m, c = motion, contacts
    change, turn = np.zeros((m.steps, m.bodies, 3)), np.zeros((m.steps, m.bodies, 3))
    size = np.zeros((m.steps, m.bodies))
    row, other = c.step - 1, np.where(c.wall, 0, c.b)
    back = np.where(c.wall[:, None], 0, c.r)
    for body, impulse, sign in ((c.a, c.r, -1), (other, back, 1)):
        np.add.at(change, (row, body), sign * impulse)
        np.add.at(turn, (row, body), -m.radius[body][:, None] * np.cross(c.normal, impulse))
        np.add.at(size, (row, body), norm(impulse))
    spin = m.times_inertia(m.q[:-1], m.w_solved - m.w[:-1])
    speed = norm(m.v[1:]) + norm(m.free) + m.radius * (norm(m.w[1:]) + norm(m.w[:-1]))
    # Sweeps add many changes, and normals follow from coordinates that may be large.
    allowed = 1e-11 * (m.mass * speed + size) + m.rotation_of_normals() * size + c.come_and_gone
    for name, error in (("velocity", norm(m.mass[:, None] * (m.v[1:] - m.free) - change)),
                        ("angular velocity", norm(spin - turn) / m.radius)):
        row = worst(error - allowed)
        if row is not None:
            yield (f"the impulses on body {row[1]} in step {row[0] + 1} do not give its {name}: "
                   f"{error[row]:.3g} N s are missing, of impulses of {size[row]:.3g} N s")


def momentum(scene, run, motion, contacts):
    """Without obstacles, gravity alone changes the momentum. The angular momentum also changes by
    impulses across gaps.
    """
    m, c = motion, contacts
    if scene.obstacles or m.bodies == 0:
        return
    p = m.mass[:, None] * m.v
    gravity = m.h * m.mass[:, None] * scene.gravity
    spins = m.mass * m.radius * np.max(norm(m.w), axis=0)
    scale = np.sum(norm(p[0]) + np.max(norm(p), axis=0) + m.steps * norm(gravity) + spins)
    total = np.sum(p, axis=1)
    drift = norm(total - total[0] - np.arange(m.frames)[:, None] * np.sum(gravity, axis=0))
    if np.max(drift) > 1e-11 * scale:
        yield f"the momentum drifts by {np.max(drift):.3g} N s of {scale:.3g} N s"
    # About the centre of mass of the start, as the origin may be far. An impulse acts at both ends
    # of the gap before the step, so a pair gains (x_B − x_A − (r_A + r_B) n) × r, of first order in
    # h.
    arm = m.x - np.average(m.x[0], axis=0, weights=m.mass)
    spin = np.sum(m.times_inertia(m.q, m.w) + np.cross(arm, p), axis=1)
    across = np.sum(np.cross(arm[:-1], gravity) + np.cross(m.pushed, p[1:]), axis=1)
    touch = (m.radius[c.a] + m.radius[c.b])[:, None]
    np.add.at(across, c.step - 1, np.cross(c.apart - touch * c.normal, c.r))
    reach = np.max(norm(arm)) + np.max(m.radius)
    error = norm(spin[1:] - spin[:-1] - across)
    if np.max(error, initial=0) > (1e-11 + m.rotation_of_normals()) * scale * reach:
        yield (f"the angular momentum changes by {np.max(error):.3g} N m s of "
               f"{scale * reach:.3g} N m s "
               f"in step {np.argmax(error) + 1}")


class StepEnergies:
    """Energies of each step: created = after − free − work of walls − bias work."""

    def __init__(self, m, c):
        self.after = np.sum(m.kinetic_energy(m.v[1:], m.w_solved, m.q[:-1]), axis=1)
        self.free = np.sum(m.kinetic_energy(m.free, m.w[:-1], m.q[:-1]), axis=1)
        work, bias = -dot(c.r, c.wall_velocity), -c.bias * c.r_n
        self.walls, self.bias = c.by_step(work), c.by_step(bias)
        self.created = self.after - self.free - self.walls - self.bias
        noise = c.rounding_of_velocity()
        sizes = self.after + self.free + c.by_step(np.abs(work) + np.abs(bias))
        self.rounding = (1e-11 * sizes + c.by_step(norm(c.r) * noise) +
                         np.sum(m.mass) * c.by_step(noise**2))
        # An early end of the solve can create r·û. With e = (r − P(r − ρ û)) / ρ and
        # û = u + b n + μ|u_t| n this is at most |e| (|r| + ρ |e| + ρ |û|), because P is the
        # projection on the cone.
        speed = (1 + c.mu) * (norm(c.u) + np.abs(c.bias))
        self.unsolved = c.by_step((norm(c.r) + c.rho * (c.own_residual + speed)) * c.own_residual)


def energy(scene, run, motion, contacts):
    """Contacts create no energy beyond that of gap terms and rebounds."""
    if motion.bodies == 0 or motion.steps == 0:
        return
    c, e = contacts, StepEnergies(motion, contacts)
    reported = run.statistics["energy_created"][1:]
    row = worst(np.where(c.step_undecided, 0, e.created - e.rounding - e.unsolved))
    if row is not None:
        yield (f"contacts create {e.created[row]:.3g} J in step {row[0] + 1}, beyond walls and "
               "gap terms; "
               f"kinetic energy {e.free[row]:.3g} J before, {e.after[row]:.3g} J after")
    row = worst(np.where(c.step_undecided, 0, e.created - e.rounding - 1.01 * reported))
    if row is not None and run.verdict["verdict"] == "met":
        yield (f"contacts create {e.created[row]:.3g} J in step {row[0] + 1}, "
               f"and the program does not report it")
    row = worst(np.where(c.step_undecided, 0, reported - np.maximum(e.created, 0) - e.rounding))
    if row is not None:
        yield (f"the program reports that contacts create {reported[row]:.3g} J in step "
               f"{row[0] + 1}, but they create {e.created[row]:.3g} J")
    # Without restitution only the correction of overlaps gives energy, and it has a cap. This check
    # does not need gap terms.
    undone = np.where(c.gap < 0, np.maximum(-c.bias, 0), 0) + c.rounding_of_velocity()
    given = c.by_step(undone * np.maximum(c.r_n, 0))
    rebounds = c.by_step(((c.e > 0) & (c.r_n > 0)).astype(float)) > 0
    row = worst(np.where(rebounds, 0, e.after - e.free - e.walls - given - e.rounding - e.unsolved))
    if row is not None:
        yield (f"without restitution, step {row[0] + 1} adds {e.after[row] - e.free[row]:.3g} J, "
               f"of which walls give {e.walls[row]:.3g} J")


def single_impacts(scene, run, motion, contacts):
    """A contact alone in its step rebounds with at most e times its approach, for any law."""
    c, e = contacts, StepEnergies(motion, contacts)
    loaded = norm(c.r) > 0
    alone = loaded & (c.by_step(loaded.astype(float))[c.step - 1] == 1)
    # In the frame of a moving wall a rebound creates no energy; in the inertial frame the wall does
    # work.
    rows = np.flatnonzero(alone & np.all(c.wall_velocity == 0, axis=1))
    step = c.step[rows] - 1
    came, free = (np.minimum(dot(u, c.normal)[rows], 0) for u in (c.u_before, c.u_free))
    rebound = 0.5 / c.w_n[rows] * np.maximum(0, (c.e[rows] * came)**2 - free**2)
    undone = np.where(c.gap[rows] < 0, np.maximum(-c.bias[rows], 0) * c.r_n[rows], 0)
    grown = e.after[step] - e.free[step] - rebound - undone - e.rounding[step] - e.unsolved[step]
    row = worst(grown)
    if row is not None:
        i = rows[row]
        yield (f"the single contact of step {c.step[i]} creates {grown[row]:.3g} J more than its "
               f"restitution of {c.e[i]:.3g} allows")


def ledger(scene, run, motion, contacts):
    """Kinetic and potential energy change only by the entries of the statistics."""
    s, m, c = run.statistics, motion, contacts
    if len(s["time"]) != m.frames:
        return
    # Free rotation of a body with three moments keeps its angular momentum; its energy oscillates.
    swing = np.sum(
        m.kinetic_energy(m.v[1:], m.w[1:], m.q[1:]) -
        m.kinetic_energy(m.v[1:], m.w_solved, m.q[:-1]), axis=1)
    balance = s["kinetic_energy"] + s["potential_energy"] + s["dissipated_energy"] - s["wall_work"]
    balance = balance - np.concatenate([[0], np.cumsum(swing)])
    columns = ("kinetic_energy", "potential_energy", "dissipated_energy", "wall_work")
    parts = sum(np.max(np.abs(s[name])) for name in columns)
    weight = np.sum(m.mass) * norm(scene.gravity) * m.length_scale()
    off = np.max(np.abs(balance - balance[0]))
    if off > 1e-12 * m.frames * (parts + weight):
        yield f"{off:.3g} J are unaccounted for in the statistics, of {parts:.3g} J"
    push_work = -np.sum(m.mass * (m.pushed @ scene.gravity), axis=1)
    taken, booked = c.by_step(c.dissipated) - push_work, np.diff(s["dissipated_energy"])
    rounding_of_pushes = np.sum(m.mass * norm(m.rounding_of_pushed), axis=1) * norm(scene.gravity)
    rounding = c.rounding_of_dissipated + norm(c.r) * c.come_and_gone / m.mass[c.a]
    row = worst(np.abs(booked - taken) - 1e-12 * parts - c.by_step(rounding) - rounding_of_pushes)
    if row is not None:
        yield (f"contacts dissipate {taken[row]:.6g} J in step {row[0] + 1}, but the statistics "
               f"have {booked[row]:.6g} J")

"""Checks the contacts of frames against poses, velocities and impulses."""

import numpy as np

from checks import worst
from contact_laws import on_round_cone
from motion import EPSILON
from shapes import norm


def _wrong_class(c, written):
    """True for contacts whose class contradicts their impulse."""
    loaded, unloaded = c.r_n > c.tiny, c.r_n < -c.tiny
    polygon = c.kind == "polyhedral"  # only its corners are on the round cone
    inside, outside = loaded & (c.edge > c.edge_rounding), loaded & (c.edge < -c.edge_rounding)
    wrong = ((written == 0) & loaded) | ((written > 0) & unloaded) | (written < 0) | (written > 2)
    return wrong | ((written == 2) & inside & ~polygon) | ((written == 1) & outside & ~polygon)


def contact_frames(scene, run, motion, contacts):
    """Normal, gap, residual, energy and class of each contact are those computed here."""
    c, written = contacts, run.contacts
    turn = c.rotation_of_normal()
    outside = np.maximum(-c.edge, 0)
    inside_n, inside_t = on_round_cone(c.r_n, c.r_t, c.mu)
    distance = np.hypot(c.r_n - inside_n, norm(c.r_t - inside_t))
    compared = ~(c.undecided | c.measured_otherwise)
    carried = c.come_and_gone / motion.mass[c.a]
    fields = (("normal", norm(written["normal"].reshape(-1, 3) - c.normal), turn),
              ("gap", np.abs(written["gap"] - c.gap),
               1e-6 * np.abs(c.gap) + (16 + 2 * motion.steps) * EPSILON * motion.length_scale()),
              ("residual", compared * np.abs(written["residual"] - c.own_residual),
               1e-6 * c.own_residual + c.rounding_of_residual + 1e-8 * c.q[c.step - 1] + carried),
              ("dissipated_energy", np.abs(written["dissipated_energy"] - c.dissipated),
               c.rounding_of_dissipated + norm(c.r) * carried),
              ("cone_violation",
               (c.kind != "polyhedral") * np.abs(written["cone_violation"] - distance),
               (1e-9 + turn) * norm(c.r) + c.tiny),
              ("class", _wrong_class(c, written["class"]).astype(float), np.zeros(c.count)))
    for name, error, allowed in fields:
        row = worst(error - allowed)
        if row is not None:
            yield (
                f"{name} of the {c.name(row[0])} is {written[name][row]}, off by {error[row]:.3g}")
    # Methods that end early may leave the cone by at most their residual.
    admitted = np.hypot(1, c.mu) * c.rho * c.own_residual
    row = worst(outside - (1e-9 + turn) * norm(c.r) - c.tiny - admitted)
    if row is not None:
        yield f"the impulse of the {c.name(row[0])} leaves its cone by {outside[row]:.3g} N s"

"""The residual of each contact law, written anew: how far (u, r) is from obeying it [m/s]. Its
tangential part counts over min(μ, 1).

Rows are contacts. u and r are split into the normal part (a number) and the tangential (two
numbers).
"""

import numpy as np

from shapes import norm


def on_round_cone(z_n, z_t, mu):
    """The nearest point of |z_t| ≤ μ z_n."""
    length = norm(z_t)
    edge = np.maximum(0, (z_n + mu * length) / (1 + mu * mu))
    inside = (z_n >= 0) & (length <= mu * z_n)
    scale = np.where(length > 0, mu * edge / np.where(length > 0, length, 1), 0)
    return np.where(inside, z_n, edge), np.where(inside[:, None], z_t, scale[:, None] * z_t)


def corners(facets):
    angle = 2 * np.pi * np.arange(facets) / facets
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _on_facetted_cone(z, mu, facets):
    """The nearest point of the cone over the polygon μ·corners: inside, on a facet, an edge or the
    tip.
    """
    rays = np.concatenate([np.ones((facets, 1)), mu * corners(facets)], axis=1)
    following = np.roll(rays, -1, axis=0)
    outward = np.cross(following, rays)
    if np.all(outward @ z <= 0) and z[0] >= 0:
        return z
    candidates = [np.zeros(3)]
    candidates += [max(0, z @ ray) / (ray @ ray) * ray for ray in rays]
    for ray, other in zip(rays, following):
        shares, *_ = np.linalg.lstsq(np.stack([ray, other], axis=1), z, rcond=None)
        if np.all(shares >= 0):
            candidates.append(shares[0] * ray + shares[1] * other)
    return min(candidates, key=lambda c: norm(c - z))


def _polyhedral(u_n, u_t, r_n, r_t, mu, rho, facets):
    result = np.empty(len(u_n))
    for i in range(len(u_n)):
        k = int(facets[i])
        shift = mu[i] * max(0, np.max(-corners(k) @ u_t[i]))
        r = np.concatenate([[r_n[i]], r_t[i]])
        z = r - rho[i] * np.concatenate([[u_n[i] + shift], u_t[i]])
        e = (r - _on_facetted_cone(z, mu[i], k)) / rho[i]
        result[i] = np.hypot(e[0], norm(e[1:]) / min(mu[i], 1))
    return result


def _round(u_n, u_t, r_n, r_t, mu, rho, shift):
    z_n, z_t = r_n - rho * (u_n + shift), r_t - rho[:, None] * u_t
    p_n, p_t = on_round_cone(z_n, z_t, mu)
    weight = 1 / np.where(mu > 0, np.minimum(mu, 1), 1)
    return np.sqrt((r_n - p_n)**2 + weight**2 * np.sum((r_t - p_t)**2, axis=1)) / rho


def residuals(kinds, facets, u_n, u_t, r_n, r_t, mu, rho):
    """The size of (r − P(r − ρ û)) / ρ of each contact's law. max_dissipation is coulomb where W
    does not couple n and t.
    """
    result = np.full(len(u_n), np.nan)
    for kind in set(kinds):
        rows = np.flatnonzero(kinds == kind)
        args = u_n[rows], u_t[rows], r_n[rows], r_t[rows]
        m, step = mu[rows], rho[rows]
        if kind == "polyhedral":
            # Without friction the cone is a ray and has no facets.
            facetted = _polyhedral(*args, np.where(m > 0, m, 1), step, facets[rows])
            result[rows] = np.where(m > 0, facetted, _round(*args, 0 * m, step, 0))
        elif kind == "cone_complementarity":
            result[rows] = _round(*args, m, step, 0)
        else:  # coulomb, max_dissipation; frictionless has μ = 0
            result[rows] = _round(*args, m, step,
                                  m * norm(args[1]) if kind != "frictionless" else 0)
    return result

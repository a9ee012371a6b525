"""Rotations and shapes for the tests, independent of the engine."""

import functools

import numpy as np


def norm(v):
    """Length of vectors, also of tiny ones whose squares are zero in doubles."""
    return functools.reduce(np.hypot, np.moveaxis(np.asarray(v, dtype=float), -1, 0))


def dot(a, b):
    return np.sum(a * b, axis=-1)


def product(p, q):
    """Product of quaternions (w, x, y, z): the rotation q, then the rotation p."""
    return product_rows(p[None], q[None])[0]


def product_rows(p, q):
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    axis = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate([w, axis], axis=-1)


def rotated(q, v):
    """v rotated by the unit quaternion q; both may be arrays of rows."""
    axis, w = q[..., 1:], q[..., :1]
    t = 2 * np.cross(axis, v)
    return v + w * t + np.cross(axis, t)


def rotated_back(q, v):
    return rotated(q * np.array([1.0, -1, -1, -1]), v)


def rotation_by(rotation):
    """Unit quaternion of the rotation about the vector `rotation` by its length [rad]."""
    return rotations_by(rotation[None])[0]


def rotations_by(rotations):
    angle = norm(rotations)[..., None]
    half = np.where(angle > 0, np.sin(angle / 2) / np.where(angle > 0, angle, 1), 0.5)
    return np.concatenate([np.cos(angle / 2), half * rotations], axis=-1)


def rotation_from_z(direction):
    """A rotation of the z axis to `direction`."""
    d = direction / norm(direction)
    across = np.cross([0.0, 0, 1], d)
    sine = norm(across)
    if sine < 1e-12:
        return np.array([1.0, 0, 0, 0]) if d[2] > 0 else np.array([0.0, 1, 0, 0])
    return rotation_by(across / sine * np.arctan2(sine, d[2]))


def _direction(v, length, otherwise):
    safe = np.where(length > 0, length, 1)
    return np.where((length > 0)[:, None], v / safe[:, None], otherwise)


def _to_ball(p, radius):
    length = norm(p)
    return length - radius, _direction(p, length, [0.0, 0, 1])


def _to_half_space(p):
    return p[:, 2], np.broadcast_to([0.0, 0, 1], p.shape)


def _to_box(p, half):
    beyond = np.abs(p) - half
    sign = np.where(p < 0, -1.0, 1.0)
    out = np.maximum(beyond, 0)
    outside = norm(out)
    face = np.eye(3)[np.argmax(beyond, axis=1)]
    away = _direction(sign * out, outside, [0.0, 0, 1])
    normal = np.where((outside > 0)[:, None], away, sign * face)
    return np.where(outside > 0, outside, np.max(beyond, axis=1)), normal


def _to_cylinder(p, radius, half_length):
    flat = p * [1, 1, 0]
    length = norm(flat)
    radial = _direction(flat, length, [1.0, 0, 0])
    axial = np.where(p[:, 2:] < 0, -1.0, 1.0) * np.array([0.0, 0, 1])
    side, cap = length - radius, np.abs(p[:, 2]) - half_length
    rim = np.hypot(side, cap)
    safe = np.where(rim > 0, rim, 1)[:, None]
    beyond_rim = (side > 0) & (cap > 0)
    by_side = side > cap
    distance = np.where(beyond_rim, rim, np.where(by_side, side, cap))
    normal = np.where(by_side[:, None], radial, axial)
    from_rim = (side[:, None] * radial + cap[:, None] * axial) / safe
    return distance, np.where(beyond_rim[:, None], from_rim, normal)


def _to_capsule(p, radius, half_length):
    along = np.clip(p[:, 2:], -half_length, half_length)
    away = p - along * np.array([0.0, 0, 1])
    length = norm(away)
    return length - radius, _direction(away, length, [1.0, 0, 0])


DISTANCES = {
    "sphere": _to_ball, "half_space": _to_half_space, "box": _to_box, "cylinder": _to_cylinder,
    "capsule": _to_capsule
}


def signed_distance(shape, position, quaternion, points):
    """Distances of points from the surface of `shape`, (kind, sizes…), and outward normals; poses
    and points in rows.
    """
    distance, normal = DISTANCES[shape[0]](rotated_back(quaternion, points - position), *shape[1:])
    return distance, rotated(quaternion, normal)

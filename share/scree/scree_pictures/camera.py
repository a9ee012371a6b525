"""Cameras: where they stand, and what they see."""

from dataclasses import dataclass, replace

import numpy as np

from .style import PictureError

# Direction from the middle of the picture to the camera, and direction that is up.
VIEWS = {
    "xy": ((0.0, -0.62, 1.0), (0, 1, 0)), "xz": ((0.12, -1.0, 0.3), (0, 0, 1)),
    "yz": ((1.0, -0.12, 0.3), (0, 0, 1))
}
FIELD_OF_VIEW = 25  # upright [degrees]
# Distances of bodies and of parts that are left out, in widths of the bodies.
FAR, REACH = 1.0, 3.0
MARGIN = 1.04  # around what must be seen, as a factor


@dataclass(frozen=True)
class Camera:
    """Camera at `position` that looks at `focus`."""
    position: np.ndarray  # [m]
    focus: np.ndarray  # [m]
    up: tuple
    field_of_view: float  # upright [degrees]; 0: parallel projection
    height: float  # of the picture in the plane through the focus [m]

    @property
    def axes(self):
        """Unit vectors to the right, up, and towards the camera."""
        back = unit(self.position - self.focus)
        right = np.cross(self.up, back)
        if np.linalg.norm(right) < 1e-6:  # looks along `up`
            right = np.cross((0, 1, 0) if abs(back[1]) < 0.9 else (1, 0, 0), back)
        right = unit(right)
        return np.array([right, np.cross(back, right), back])

    def pixels(self, points, size):
        """Places of points in a picture of this width and height, from the upper left corner on;
        NaN for points behind the camera.
        """
        right, up, towards = self.axes @ (points - self.focus).T
        scale = np.full(len(points), size[1] / self.height)
        if self.field_of_view > 0:
            distance = np.linalg.norm(self.position - self.focus)
            with np.errstate(divide="ignore"):
                scale = np.where(distance > towards, scale * distance / (distance - towards),
                                 np.nan)
        return np.stack([size[0] / 2 + scale * right, size[1] / 2 - scale * up], axis=1)

    def turned(self, angle):
        """The camera after a rotation about `up` through the focus [degrees]."""
        return replace(
            self, position=self.focus + rotated(self.position - self.focus, unit(self.up), angle))


def unit(vector):
    vector = np.asarray(vector, dtype=float)
    return vector / np.linalg.norm(vector)


def rotated(vector, axis, degrees):
    """Rodrigues' formula."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return c * vector + s * np.cross(axis, vector) + (1 - c) * (axis @ vector) * axis


def corners_of(low, high):
    """The eight corners of a box."""
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                     for z in (low[2], high[2])])


def camera_of(options, low, high, aspect):
    """The camera that the options of a picture ask for. By default it is just so far away that the
    box from `low` to `high` is in the picture, of width / height = `aspect`.
    """
    chosen = options.get("camera", {})
    angle = np.degrees(chosen.get("field_of_view", np.radians(FIELD_OF_VIEW)))
    direction, up = VIEWS[options.get("plane", "xz")]
    focus = np.array(chosen.get("to", (np.add(low, high)) / 2), dtype=float)
    if "from" in chosen:
        position = np.array(chosen["from"], dtype=float)
        if np.array_equal(position, focus):
            raise PictureError(
                "the camera stands in the middle of the picture; move `from` or `to`")
        return Camera(position, focus, up, angle,
                      height_seen(np.linalg.norm(position - focus), angle))
    corners = corners_of(low, high) - focus
    # All that an orbit shows is in the picture.
    turns = np.linspace(0, np.degrees(chosen.get("orbit", 0)), 25)
    points = [rotated(corner, unit(up), -turn) for corner in corners for turn in turns]
    return fitted(direction, up, focus + points, focus, aspect, angle)


def height_seen(distance, angle):
    """Height of what is seen at a distance; parallel projection shows as much as an angle of 25°.
    """
    return 2 * distance * np.tan(np.radians(angle or FIELD_OF_VIEW) / 2)


def fitted(direction, up, points, focus, aspect, angle):
    """The nearest camera in a direction from the focus that has all points in the picture."""
    camera = Camera(focus + unit(direction), focus, up, angle, 1)
    across, upwards, towards = camera.axes @ (points - focus).T
    half = MARGIN * np.maximum(abs(upwards), abs(across) / aspect)
    if angle == 0:
        height = 2 * half.max()
        distance = 3 * np.linalg.norm(points - focus, axis=1).max()
    else:
        distance = (half / np.tan(np.radians(angle) / 2) + towards).max()
        height = height_seen(distance, angle)
    return replace(camera, position=focus + distance * camera.axes[2], height=height)


def bounds_of(grains):
    """Two corners of a box around the bodies, without single ones that are far away; None if there
    are none.
    """
    x, r = grains["position"], grains["radius"][:, None]
    if len(x) == 0:
        return None
    near, far = np.percentile(x, (1, 99), axis=0)
    reach = FAR * (far - near).max() + 2 * r.max()
    some = np.all((x >= near - reach) & (x <= far + reach), axis=1)
    return (x - r)[some].min(axis=0), (x + r)[some].max(axis=0)


def union_of(bounds):
    """Two corners of a box around others, of which some may be None."""
    bounds = [b for b in bounds if b is not None]
    if not bounds:
        raise PictureError("there are no bodies in the region at this time")
    return np.min([low for low, _ in bounds], axis=0), np.max([high for _, high in bounds], axis=0)


def box_of(bodies, parts):
    """Two corners of a box around bodies and parts, as far as these are near the bodies."""
    low, high = bodies
    reach = REACH * (high - low).max()
    for part in parts:
        if part is None or len(part.owner) == 0:
            continue
        finite = part.triangles[np.bincount(part.owner)[part.owner] > 2]
        points = part.points[finite].reshape(-1, 3).clip(bodies[0] - reach, bodies[1] + reach)
        if len(points):
            low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return low, high

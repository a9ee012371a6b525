"""Files of a run: frames of bodies and parts, tables, and the manifest."""

import json
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from .style import PictureError

SPHERE, STRIP, HEXAHEDRON = 1, 6, 12  # VTK's types of cells
# Corners of the triangles and edges of a hexahedron, triangles anticlockwise seen from outside.
BOX_TRIANGLES = np.array([[0, 3, 2], [0, 2, 1], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
                          [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]])
BOX_EDGES = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4],
                      [1, 5], [2, 6], [3, 7]])


@dataclass
class Surfaces:
    """Surfaces of bodies or of parts."""
    points: np.ndarray  # (p, 3) [m]
    triangles: np.ndarray  # (t, 3) indices of points
    owner: np.ndarray  # (t,) body or part of each triangle
    edges: np.ndarray  # (e, 2) indices of points: edges of boxes


@dataclass
class Joints:
    """Joints that exist at a time."""
    position: np.ndarray  # (n, 3) [m]
    axis: np.ndarray  # (n, 3) unit vectors


class DamagedFrame(PictureError):
    """A frame cannot be read."""


@contextmanager
def opened(path):
    """A frame, open to be read. Raises DamagedFrame with its name."""
    try:
        with h5py.File(path) as file:
            yield file
    except (OSError, RuntimeError, KeyError, ValueError, IndexError) as error:
        fault = error.args[-1] if error.args else error
        raise DamagedFrame(f"{path} cannot be read: {fault}") from error


class Run:
    """Run directory; files are read when a picture needs them."""

    def __init__(self, path):
        self.path = Path(path)
        self.manifest = json.loads((self.path / "manifest.json").read_text())

    def frames(self):
        series = json.loads((self.path / "grains.hdf.series").read_text())
        return [(self.path / f["name"], f["time"]) for f in series["files"]]

    def chosen_frame(self, options):
        """File and time of the frame that `frame` or `time` names; the last by default."""
        frames = self.frames()
        if not frames:
            raise PictureError("the run has no frames yet")
        if "frame" in options:
            index = options["frame"]
            if not -len(frames) <= index < len(frames):
                raise PictureError(f"there is no frame {index}; the run has {len(frames)}, from 0")
            return frames[index]
        if "time" in options:
            return min(frames, key=lambda f: abs(f[1] - options["time"]))
        return frames[-1]

    def obstacles(self, time):
        """Shapes of the obstacles that are there at the frame nearest to a time, and their poses.
        """
        obstacles = self._shapes_at_end()
        frame = self._frame_at("obstacles", time)
        if frame is None:
            return [obstacle for obstacle in obstacles if not obstacle.get("absent")]
        with opened(frame) as file:
            fields = file["VTKHDF/FieldData"]
            positions, turns = fields["obstacle_position"][...], fields["obstacle_quaternion"][...]
            present = np.unique(file["VTKHDF/CellData/obstacle"][...])
        return [{**obstacles[k], "position": positions[k], "quaternion": turns[k]} for k in present]

    def _frame_at(self, kind, time):
        """File of the frame of obstacles or joints nearest to a time; None if the run has none."""
        series = self.path / f"{kind}.hdf.series"
        files = json.loads(series.read_text())["files"] if series.exists() else []
        if not files:
            return None
        return self.path / min(files, key=lambda f: abs(f["time"] - time))["name"]

    def parts(self, time):
        """Surfaces of obstacles at the frame nearest to a time; None if the run writes none."""
        frame = self._frame_at("obstacles", time)
        if frame is None:
            return None
        with opened(frame) as file:
            grid = file["VTKHDF"]
            return Surfaces(grid["Points"][...], grid["Connectivity"][...].reshape(-1, 3),
                            grid["CellData/obstacle"][...], np.zeros((0, 2), dtype=int))

    def lacks_parts(self):
        """True if a run that has ended has obstacles, but no frames of them."""
        ended = (self.path / "obstacles.json").exists()
        return ended and self._frame_at("obstacles", 0) is None and bool(self._shapes_at_end())

    def _shapes_at_end(self):
        return json.loads((self.path / "obstacles.json").read_text())["obstacles"]

    def joints(self, time):
        """Joints at the frame nearest to a time; None if the run has none."""
        frame = self._frame_at("joints", time)
        if frame is None:
            return None
        with opened(frame) as file:
            return Joints(file["VTKHDF/Points"][...], file["VTKHDF/PointData/axis"][...])

    def statistics(self):
        table = np.genfromtxt(self.path / "statistics.csv", delimiter=",", names=True, dtype=None,
                              encoding="utf-8")
        return np.atleast_1d(table)


def read_grains(path, region=None):
    """Arrays of a frame by name, for the bodies with their centre in the region.

    `position` and `size` are always there. `size` has the edges of boxes, and zeros for other
    bodies.
    """
    with opened(path) as file:
        grains = {name: data[...] for name, data in file["VTKHDF/CellData"].items()}
    grains.setdefault("size", np.zeros_like(grains["position"]))
    if region:
        inside = is_inside(grains["position"], region)
        grains = {name: data[inside] for name, data in grains.items()}
    return grains


def is_inside(x, region):
    return np.all((x >= region["min"]) & (x <= region["max"]), axis=1)


def read_surfaces(path):
    """Surfaces of the bodies of a frame that are no spheres, or None; owners are rows of the frame.
    """
    with opened(path) as file:
        grid = file["VTKHDF"]
        if "Types" not in grid or np.all(grid["Types"][...] == SPHERE):
            return None
        types = grid["Types"][...]
        points, names, offsets = (grid[name][...] for name in ("Points", "Connectivity", "Offsets"))
    strips, strip_owner = triangles_of_strips(names, offsets, types == STRIP)
    boxes = np.flatnonzero(types == HEXAHEDRON)
    corners = names[offsets[boxes][:, None] + np.arange(8)]
    return Surfaces(points, np.concatenate([strips, corners[:, BOX_TRIANGLES].reshape(-1, 3)]),
                    np.concatenate([strip_owner, np.repeat(boxes, len(BOX_TRIANGLES))]),
                    corners[:, BOX_EDGES].reshape(-1, 2))


def triangles_of_strips(names, offsets, is_strip):
    """Triangles with an area of all strips, anticlockwise seen from outside, and their cells."""
    cell = np.repeat(np.arange(len(is_strip)), np.diff(offsets))
    first = np.flatnonzero(is_strip[cell[:-2]] & (cell[:-2] == cell[2:]))
    triangles = names[first[:, None] + np.arange(3)]
    odd = (first - offsets[cell[first]]) % 2 == 1
    triangles[odd] = triangles[odd][:, [1, 0, 2]]
    a, b, c = triangles.T
    has_area = (a != b) & (b != c) & (a != c)
    return triangles[has_area], cell[first[has_area]]

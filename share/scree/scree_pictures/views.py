"""Pictures of a run in space, one or many: what is shown, from where, and in which colours."""

from dataclasses import dataclass

import numpy as np

from . import space
from .camera import bounds_of, box_of, camera_of, union_of
from .colouring import QUANTITIES, material_colours, scale_of
from .run_files import DamagedFrame, Surfaces, is_inside, read_grains, read_surfaces
from .sheet import Sheet, image_size
from .style import length_unit

AXES = {"xy": 2, "xz": 1, "yz": 0}  # along which the camera looks
CROWD = 400  # number of places of bodies by which walls are told from machinery
# Numbers of frames, and of bodies in each, by which the limits of a movie are found.
MAX_SAMPLES, MAX_BODIES = 60, 20_000
EVERYWHERE = {"min": np.full(3, -np.inf), "max": np.full(3, np.inf)}
# Half lengths of the axes of joints, in radii of bodies, and at least as a share of the height.
JOINT, SHORT = 0.5, 0.015


class Views:
    """Pictures of some frames of a run, with one camera and one scale. Needs a Screen."""

    def __init__(self, run, frames, options, size):
        self.run, self.frames, self.options = run, frames, options
        self.region = options.get("region", EVERYWHERE)
        layers = options.get("layers", 1)
        width, height = image_size(size)
        self.size = width // layers, height
        samples, bodies = self._samples()
        ends = {frames[0][1], frames[-1][1]}
        self.box = box_of(bodies, [unless_damaged(self._parts, time) for time in ends])
        self.layers = layers_of(bodies, AXES[options.get("plane", "xz")], layers)
        self.camera = camera_of(options, *self.box, self.size[0] / self.size[1])
        self.colour = options.get("colour", "speed")
        self.scale, materials = None, None
        if self.colour == "material":
            materials = np.unique(np.concatenate([g["material"] for g in samples]))
        else:
            self.scale = scale_of(run, self.colour, samples, options.get("limits"))
        self.sheet = Sheet(run, size, self.scale, materials, self.camera,
                           [time for _, time in frames], options,
                           labels_of(self.layers) if layers > 1 else [])
        self.stage = space.Stage(self.size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stage.close()

    def _samples(self):
        """Some bodies of some frames, and two corners of a box around all. Sets the crowd."""
        picked = {round(k) for k in np.linspace(0, len(self.frames) - 1, MAX_SAMPLES)}
        samples, bounds, crowd = [], [], []
        for k in sorted(picked):
            grains = unless_damaged(read_grains, self.frames[k][0])
            if grains is None:
                continue
            crowd.append(grains["position"][::max(1, len(grains["position"]) // CROWD)])
            grains, _ = cut(grains, None, self.region)
            bounds.append(bounds_of(grains))
            stride = max(1, len(grains["radius"]) // MAX_BODIES)
            samples.append({name: data[::stride] for name, data in grains.items()})
        if not samples:
            read_grains(self.frames[0][0])  # says why
        crowd = np.concatenate(crowd)
        self.crowd = crowd[::max(1, len(crowd) // CROWD)]
        return samples, union_of(bounds)

    def draw(self, index):
        """Draws a frame on the sheet. Raises DamagedFrame."""
        file, time = self.frames[index]
        grains, surfaces = cut(read_grains(file), read_surfaces(file), self.region)
        turn = np.degrees(self.options.get("camera", {}).get("orbit", 0))
        share = index / max(1, len(self.frames) - 1)
        camera, parts = self.camera.turned(turn * share), self._parts(time)
        images = [self._image(*layer.of(grains, surfaces), parts, camera) for layer in self.layers]
        self.sheet.show(np.concatenate(images, axis=1), time,
                        self._axes_of_joints(grains, time, camera))

    def _image(self, grains, surfaces, parts, camera):
        return self.stage.draw(grains, self._colours(grains), surfaces, parts, self.box, self.crowd,
                               camera)

    def _parts(self, time):
        return self.run.parts(time) if self.options.get("parts", True) else None

    def _axes_of_joints(self, grains, time, camera):
        """Both ends of the axes of joints in each panel, (n, 2, 2) [pixel]."""
        joints = self.run.joints(time) if self.options.get("joints", True) else None
        if joints is None:
            return []
        radius = np.median(grains["radius"]) if len(grains["radius"]) else 0
        reach = max(JOINT * radius, SHORT * camera.height)
        middle, *ends = (camera.pixels(joints.position + side * reach * joints.axis, self.size)
                         for side in (0, -1, 1))
        lines = np.stack(ends, axis=1)
        seen = is_inside(joints.position, self.region) & np.all(
            (middle >= 0) & (middle < self.size), axis=1) & np.isfinite(lines).all(axis=(1, 2))
        return np.concatenate([
            lines[seen & is_inside(joints.position, layer.region)] + [k * self.size[0], 0]
            for k, layer in enumerate(self.layers)
        ])

    def _colours(self, grains):
        if self.scale is None:
            return material_colours(grains["material"])
        return self.scale.colours(QUANTITIES[self.colour][0](grains))


@dataclass
class Layer:
    """The bodies with their centres between two coordinates along an axis."""
    axis: int
    low: float
    high: float

    @property
    def region(self):
        region = {end: corner.copy() for end, corner in EVERYWHERE.items()}
        region["min"][self.axis], region["max"][self.axis] = self.low, self.high
        return region

    def of(self, grains, surfaces):
        return cut(grains, surfaces, self.region)


def layers_of(bodies, axis, count):
    """Layers of one thickness that fill a box around bodies."""
    low, high = (corner[axis] for corner in bodies)
    limits = np.linspace(low, high, count + 1)
    if count == 1:
        limits[:] = -np.inf, np.inf
    return [Layer(axis, *pair) for pair in zip(limits[:-1], limits[1:])]


def labels_of(layers):
    """Limits of each layer, in one unit and with the digits that their thickness needs."""
    factor, unit = length_unit(max(abs(layers[0].low), abs(layers[-1].high)))
    thickness = factor * (layers[0].high - layers[0].low)
    digits = max(0, 1 - int(np.floor(np.log10(thickness))))
    low_high = [[round(factor * x, digits) + 0.0 for x in (layer.low, layer.high)]
                for layer in layers]
    return [
        f"{'xyz'[layers[0].axis]} = {low:.{digits}f} … {high:.{digits}f} {unit}"
        for low, high in low_high
    ]


def unless_damaged(read, of):
    """What is read; None if it is damaged."""
    try:
        return read(of)
    except DamagedFrame:
        return None


def cut(grains, surfaces, region):
    """The bodies with their centres in the region, so none without a position."""
    inside = is_inside(grains["position"], region)
    if surfaces is not None:
        chosen, row = inside[surfaces.owner], np.cumsum(inside) - 1
        edge_owner = np.zeros(len(surfaces.points), dtype=int)
        edge_owner[surfaces.triangles] = surfaces.owner[:, None]
        edges = surfaces.edges[inside[edge_owner[surfaces.edges[:, 0]]]]
        surfaces = Surfaces(surfaces.points, surfaces.triangles[chosen],
                            row[surfaces.owner[chosen]], edges)
    return {name: data[inside] for name, data in grains.items()}, surfaces

"""Pictures of a run in space, one or many: what is shown, from where, and in which colours."""

import numpy as np

from . import space
from .camera import box_of, camera_of
from .colouring import QUANTITIES, material_colours, scale_of
from .run_files import is_inside, read_grains, read_surfaces
from .sheet import Sheet, image_size

CROWD = 400  # number of places of bodies by which walls are told from machinery
MAX_SAMPLES = 60  # frames that are read to find the limits of a movie


class Views:
    """Pictures of some frames of a run, with one camera and one scale. Needs a Screen."""

    def __init__(self, run, frames, options, size):
        self.run, self.frames, self.options = run, frames, options
        self.region = options.get("region")
        self.size = image_size(size)
        picked = sorted({round(k) for k in np.linspace(0, len(frames) - 1, MAX_SAMPLES)})
        samples = [(read_grains(frames[k][0]), frames[k][1]) for k in picked]
        places = np.concatenate([g["position"] for g, _ in samples])
        self.crowd = places[::max(1, len(places) // CROWD)]
        if self.region:
            samples = [(cut(grains, None, self.region)[0], time) for grains, time in samples]
        self.box = box_of([g for g, _ in samples],
                          [self._parts(time) for time in {samples[0][1], samples[-1][1]}])
        self.camera = camera_of(options, *self.box, self.size[0] / self.size[1])
        self.colour = options.get("colour", "speed")
        self.scale, materials = None, None
        if self.colour == "material":
            materials = np.unique(np.concatenate([g["material"] for g, _ in samples]))
        else:
            self.scale = scale_of(run, self.colour, (g for g, _ in samples), options.get("limits"))
        self.sheet = Sheet(run, size, self.scale, materials, self.camera,
                           [time for _, time in frames], options)
        self.stage = space.Stage(self.size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stage.__exit__()

    def draw(self, index):
        """Draws a frame on the sheet."""
        file, time = self.frames[index]
        grains, surfaces = read_grains(file), read_surfaces(file)
        if self.region:
            grains, surfaces = cut(grains, surfaces, self.region)
        turn = np.degrees(self.options.get("camera", {}).get("orbit", 0))
        share = index / max(1, len(self.frames) - 1)
        image = self.stage.draw(grains, self._colours(grains), surfaces, self._parts(time),
                                self.box, self.crowd, self.camera.turned(turn * share))
        self.sheet.show(image, time)

    def _parts(self, time):
        return self.run.parts(time) if self.options.get("parts", True) else None

    def _colours(self, grains):
        if self.scale is None:
            return material_colours(grains["material"])
        return self.scale.colours(QUANTITIES[self.colour][0](grains))


def cut(grains, surfaces, region):
    """The bodies with their centres in the region."""
    inside = is_inside(grains["position"], region)
    if surfaces is not None:
        chosen, row = inside[surfaces.owner], np.cumsum(inside) - 1
        edge_owner = np.zeros(len(surfaces.points), dtype=int)
        edge_owner[surfaces.triangles] = surfaces.owner[:, None]
        surfaces.edges = surfaces.edges[inside[edge_owner[surfaces.edges[:, 0]]]]
        surfaces.triangles = surfaces.triangles[chosen]
        surfaces.owner = row[surfaces.owner[chosen]]
    return {name: data[inside] for name, data in grains.items()}, surfaces

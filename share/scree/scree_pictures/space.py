"""Draws bodies and parts in space by VTK; needs a Screen."""

import numpy as np
import vtkmodules.vtkRenderingOpenGL2 as opengl
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkFloatArray, vtkPoints, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkCleanPolyData, vtkFeatureEdges
from vtkmodules.vtkRenderingCore import (vtkActor, vtkLight, vtkPolyDataMapper, vtkRenderer,
                                         vtkRenderWindow)

from .camera import corners_of

# Direction of the light in the camera's frame (right, up, towards it), and brightness of a surface
# that faces away [-].
LIGHT, SHADE = (-0.35, 0.55, 0.75), 0.4
PART, GROUND, EDGE, BOX_EDGE = (0.62, 0.67, 0.74), (0.93, 0.93, 0.91), (0.45,) * 3, (0.2,) * 3
GLASS = 0.18  # opacity of walls before the bodies
PLANE_DEPTH = 0.1  # of drawn planes below the true ones, in margins
MARGIN = 0.02  # of planes around the box of the picture, as a share of its diagonal
# A part that holds less than this share of the bodies is no vessel; share of them behind a wall;
# share that a part must hide to be glass, and number of bodies by which this is tested.
HOLDS, ALMOST_ALL, HIDES, SIGHTS = 0.05, 0.9, 0.1, 60
FEATURE_ANGLE = 30  # edges of parts that are sharper are drawn [degrees]
# Of ambient occlusion: reaches in radii of bodies, number of directions, greatest darkness, and
# depth before a pixel from which on nothing hides it, in reaches.
REACHES, DIRECTIONS, DARKNESS, FAR_BEFORE = (1.0, 3.0), 4, 0.9, 3


class Stage:
    """Draws pictures of one size."""

    def __init__(self, size):
        self.size = size
        self.renderer = vtkRenderer()
        self.renderer.SetBackground(1, 1, 1)
        self.renderer.UseFXAAOn()
        self.renderer.AutomaticLightCreationOff()
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(*LIGHT)
        light.SetFocalPoint(0, 0, 0)
        self.renderer.AddLight(light)
        self.window = vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(*size)
        self.window.AddRenderer(self.renderer)

    def close(self):
        self.window.Finalize()
        del self.renderer, self.window

    def draw(self, grains, colours, surfaces, parts, box, crowd, camera):
        """Image, an array of rows of RGB from top to bottom.

        grains    arrays by name, as of read_grains()
        colours   (n, 3) bytes, of each body
        surfaces  of the bodies that are no spheres, or None
        parts     surfaces of obstacles, or None
        box       two corners; planes end a little beyond it
        crowd     (n, 3) places of some bodies; walls between them and the camera are glass [m]
        """
        self.renderer.RemoveAllViewProps()
        actors = [
            sphere_actors(grains, colours, surfaces),
            solid_actors(surfaces, colours),
            part_actors(parts, box, crowd, camera)
        ]
        for actor in (actor for some in actors for actor in some):
            self.renderer.AddActor(actor)
        self._aim(camera)
        self.window.Render()
        width, height = self.size
        pixels = vtkUnsignedCharArray()
        self.window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        image = vtk_to_numpy(pixels).reshape(height, width, 3)[::-1]
        reach = np.median(grains["radius"]) if len(grains["radius"]) else 0
        return darkened(image, self._depths(), reach * height / camera.height, reach)

    def _aim(self, camera):
        eye = self.renderer.GetActiveCamera()
        eye.SetFocalPoint(*camera.focus)
        eye.SetPosition(*camera.position)
        eye.SetViewUp(*camera.axes[1])
        eye.SetParallelProjection(bool(camera.field_of_view == 0))
        eye.SetParallelScale(camera.height / 2)
        if camera.field_of_view > 0:
            eye.SetViewAngle(camera.field_of_view)
        self.renderer.ResetCameraClippingRange()

    def _depths(self):
        """Distance of each second pixel from the camera along its axis; infinite for nothing [m].
        """
        array = vtkFloatArray()
        self.window.GetZbufferData(0, 0, self.size[0] - 1, self.size[1] - 1, array)
        depth = vtk_to_numpy(array).reshape(self.size[::-1])[::-1][::2, ::2]
        eye = self.renderer.GetActiveCamera()
        near, far = eye.GetClippingRange()
        if eye.GetParallelProjection():
            distance = near + (far - near) * depth
        else:
            distance = near * far / (far - (far - near) * depth)
        return np.where(depth < 1, distance, np.inf).astype(np.float32)


def darkened(image, depth, reach, radius):
    """Ambient occlusion: a pixel is darker if pixels around it are nearer to the camera.

    depth   of each second pixel [m]
    reach   one radius of a body [pixel]
    """
    if radius == 0:
        return image
    light = np.ones_like(depth)
    solid = np.where(np.isfinite(depth), depth, np.float32(1e30))
    for scale in REACHES:
        hidden = np.zeros_like(depth)
        step = max(1, round(scale * reach / 2))  # depths are of every second pixel
        for k in range(DIRECTIONS):
            angle = np.pi * (k + 0.5 * (scale != REACHES[0])) / DIRECTIONS
            right, down = round(step * np.cos(angle)), round(step * np.sin(angle))
            # Two pixels on opposite sides: together they tell a hollow from a slope.
            nearer = [
                (solid - shifted(solid, side * down, side * right)) / np.float32(scale * radius)
                for side in (-1, 1)
            ]
            # What is far before the pixel is something else.
            nearer = sum(np.where(d < FAR_BEFORE, d, 0) for d in nearer) / 2
            hidden += np.clip(nearer - 0.05, 0, 1)
        light -= DARKNESS / (len(REACHES) * DIRECTIONS) * blurred(hidden, max(1, step // 3))
    light = np.where(np.isfinite(depth), np.maximum(light, 0), 1)
    light = np.repeat(np.repeat(light, 2, axis=0), 2, axis=1)
    return (image * light[:image.shape[0], :image.shape[1], None]).astype(np.uint8)


def shifted(values, down, right):
    """Values at the place `down` and `right` of each; the border repeats."""
    rows = np.clip(np.arange(values.shape[0]) + down, 0, values.shape[0] - 1)
    columns = np.clip(np.arange(values.shape[1]) + right, 0, values.shape[1] - 1)
    return values[rows][:, columns]


def blurred(values, spread):
    """Means over about `spread` pixels on all sides."""
    half = max(1, spread // 2)
    for down, right in ((spread, 0), (0, spread), (half, 0), (0, half)):
        values = (2 * values + shifted(values, down, right) + shifted(values, -down, -right)) / 4
    return values


def poly_data(points):
    data, corners = vtkPolyData(), vtkPoints()
    corners.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    data.SetPoints(corners)
    return data


def cell_array(cells):
    """Cells of as many points each as the array has columns."""
    array = vtkCellArray()
    flat = np.ascontiguousarray(cells.reshape(-1), dtype=np.int64)
    array.SetData(cells.shape[1], numpy_to_vtkIdTypeArray(flat, deep=True))
    return array


def add_array(data, name, values):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
    array.SetName(name)
    data.AddArray(array)


def actor_of(mapper, colour=None, opacity=1.0):
    actor = vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetAmbient(SHADE)
    look.SetDiffuse(1 - SHADE)
    look.SetInterpolationToFlat()
    if colour is not None:
        mapper.ScalarVisibilityOff()
        look.SetColor(*colour)
        look.SetOpacity(opacity)
    return actor


def polygons_actor(data, colour=None, opacity=1.0):
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    return actor_of(mapper, colour, opacity)


def lines_actor(data, colour, width):
    actor = polygons_actor(data, colour)
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetLineWidth(width)
    return actor


def sphere_actors(grains, colours, surfaces):
    """Spheres, exact at each pixel."""
    is_sphere = np.ones(len(colours), dtype=bool)
    if surfaces is not None:
        is_sphere[surfaces.owner] = False
    count = np.count_nonzero(is_sphere)
    if count == 0:
        return []
    data = poly_data(grains["position"][is_sphere])
    data.SetVerts(cell_array(np.arange(count)[:, None]))
    add_array(data.GetPointData(), "radius", grains["radius"][is_sphere].astype(np.float32))
    add_array(data.GetPointData(), "colour", colours[is_sphere])
    data.GetPointData().SetActiveScalars("colour")
    mapper = opengl.vtkOpenGLSphereMapper()
    mapper.SetInputData(data)
    mapper.SetScaleArray("radius")
    return [actor_of(mapper)]


def solid_actors(surfaces, colours):
    """Bodies of other shapes, and the edges of boxes, which separate faces of one colour."""
    if surfaces is None or len(surfaces.triangles) == 0:
        return []
    data = poly_data(surfaces.points)
    data.SetPolys(cell_array(surfaces.triangles))
    add_array(data.GetCellData(), "colour", colours[surfaces.owner])
    data.GetCellData().SetActiveScalars("colour")
    edges = poly_data(surfaces.points)
    edges.SetLines(cell_array(surfaces.edges))
    return [polygons_actor(data), lines_actor(edges, BOX_EDGE, 1.0)]


def part_actors(parts, box, crowd, camera):
    """Obstacles. Walls between the camera and the bodies are glass. A plane is the ground."""
    if parts is None or len(parts.owner) == 0:
        return []
    is_plane = np.bincount(parts.owner)[parts.owner] <= 2
    actors = [
        plane_actor(parts.points[corners], box, camera)
        for corners in parts.triangles[is_plane][::2]
    ]
    triangles = parts.triangles[~is_plane]
    glass = is_wall_before(parts, triangles, parts.owner[~is_plane], crowd, camera.position)
    for some, opacity in ((triangles[~glass], 1.0), (triangles[glass], GLASS)):
        data = poly_data(parts.points)
        data.SetPolys(cell_array(some))
        actors += [polygons_actor(data, PART, opacity), edges_actor(data)]
    return [actor for actor in actors if actor is not None]


def is_wall_before(parts, triangles, owner, crowd, eye):
    """True for triangles that separate the camera from the bodies that their part holds, or from
    all bodies if it holds few, as a blade does. Parts that hide few bodies have none.
    """
    corners = parts.points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    offsets = np.einsum("ni,ni->n", normals, corners[:, 0])
    towards = np.sign(normals @ eye - offsets)
    result = np.zeros(len(triangles), dtype=bool)
    for part in np.unique(owner):
        own = np.flatnonzero(owner == part)
        low, high = corners[own].min(axis=(0, 1)), corners[own].max(axis=(0, 1))
        held = crowd[np.all((crowd >= low) & (crowd <= high), axis=1)]
        those = held if len(held) > HOLDS * len(crowd) else crowd
        behind = (normals[own] @ those.T - offsets[own, None]) * towards[own, None] < 0
        walls = own[behind.mean(axis=1) > ALMOST_ALL]
        tested = those[::max(1, len(those) // SIGHTS)]
        result[walls] = share_hidden(corners[walls], tested, eye) > HIDES
    return result


def share_hidden(corners, points, eye):
    """Share of the points that triangles hide from the eye (Möller and Trumbore's test)."""
    if len(corners) == 0:
        return 0
    sights = points - eye
    first, second = (corners[:, k] - corners[:, 0] for k in (1, 2))
    across = np.cross(sights[None], second[:, None])
    size = np.einsum("ni,nmi->nm", first, across)
    size[size == 0] = np.inf  # seen edge on
    start = eye - corners[:, 0]
    u = np.einsum("ni,nmi->nm", start, across) / size
    side = np.cross(start, first)
    v, along = side @ sights.T / size, np.einsum("ni,ni->n", side, second)[:, None] / size
    hidden = (u >= 0) & (v >= 0) & (u + v <= 1) & (along > 0) & (along < 1)
    return hidden.any(axis=0).mean()


def edges_actor(data):
    whole = vtkCleanPolyData()  # merges points, so that triangles share their edges
    whole.SetInputData(data)
    whole.SetTolerance(0)
    whole.ConvertPolysToLinesOff()
    edges = vtkFeatureEdges()
    edges.SetInputConnection(whole.GetOutputPort())
    edges.SetFeatureAngle(FEATURE_ANGLE)
    edges.NonManifoldEdgesOff()
    edges.ColoringOff()
    edges.Update()
    return lines_actor(edges.GetOutput(), EDGE, 1.0)


def plane_actor(corners, box, camera):
    """A rectangle of a plane that is as large as the box; None if the plane is seen from behind."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    if normal @ (camera.position - corners[0]) <= 0:
        return None
    first = np.eye(3)[np.argmin(abs(normal))]
    first = first - (first @ normal) * normal
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    margin = MARGIN * np.linalg.norm(np.subtract(*box))
    along = corners_of(*box) - corners[0]
    low, high = ([f(along @ axis) for axis in (first, second)] for f in (np.min, np.max))
    (a, b), (c, d) = np.subtract(low, margin), np.add(high, margin)
    origin = corners[0] - PLANE_DEPTH * margin * normal  # faces of parts in the plane are visible
    points = origin + np.array(
        [u * first + v * second for u, v in ((a, b), (c, b), (c, d), (a, d))])
    data = poly_data(points)
    data.SetPolys(cell_array(np.arange(4)[None]))
    actor = polygons_actor(data, np.array(GROUND) * (0.95 + 0.05 * abs(normal[2])))
    actor.GetProperty().LightingOff()  # walls stand out from the floor by their colour
    return actor

"""Renders bodies and obstacles with VTK; needs an X screen (xvfb-run makes one)."""

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy

# Direction of the light in the camera's frame (right, up, towards it), and brightness of a surface
# that faces away [-].
LIGHT, SHADE = np.array([-0.35, 0.55, 0.75]), 0.32
# Each sphere is a square that faces the camera; the shader cuts the disc out of it and shades it
# like a sphere lit from above left.
SPHERE_SHADER = """
//VTK::Color::Impl
  float squared = dot(offsetVCVSOutput.xy, offsetVCVSOutput.xy);
  if (squared > 1.0) { discard; }
  vec3 outward = vec3(offsetVCVSOutput.xy, sqrt(1.0 - squared));
  float light = %g + %g * max(0.0, dot(outward, normalize(vec3(%g, %g, %g))));
  ambientColor = vertexColorVSOutput.rgb * light;
  diffuseColor = vec3(0.0);
""" % (SHADE, 1 - SHADE, *LIGHT)

STONE, GROUND, EDGES = (0.72, 0.72, 0.70), (0.95, 0.95, 0.93), (0.5, 0.5, 0.5)
OPACITY = 0.35  # of surfaces
# Direction of the camera from the middle of the bodies, and direction that is up.
VIEWS = {
    "xy": ((0.0, -0.62, 1.0), (0, 1, 0)), "xz": ((0.12, -1.0, 0.3), (0, 0, 1)),
    "yz": ((1.0, -0.12, 0.3), (0, 0, 1))
}

# Corners of a box in half edges, and corners of its faces, anticlockwise seen from outside.
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4],
                  [1, 5, 7, 3]])
NORMALS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]])


def rotation_matrices(quaternions):
    w, x, y, z = quaternions.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x),
                      1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


def boxes_actor(grains, colours, camera_axes):
    """Boxes with the light of spheres, and with edges, which separate faces of one colour.

    The rows of `camera_axes` point to the right, up, and towards the camera.
    """
    rotation = rotation_matrices(grains["quaternion"])
    arms = CORNERS[None] * grains["size"][:, None, :] / 2
    corners = grains["position"][:, None, :] + np.einsum("nij,nkj->nki", rotation, arms)
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(corners.reshape(-1, 3)), deep=True))
    quads = FACES[None] + 8 * np.arange(len(corners))[:, None, None]
    cells = vtk.vtkCellArray()
    cells.SetData(
        4,
        numpy_to_vtkIdTypeArray(np.ascontiguousarray(quads.reshape(-1), dtype=np.int64), deep=True))
    boxes = vtk.vtkPolyData()
    boxes.SetPoints(points)
    boxes.SetPolys(cells)
    outward = np.einsum("nij,kj->nki", camera_axes @ rotation, NORMALS)
    light = SHADE + (1 - SHADE) * np.maximum(0, outward @ (LIGHT / np.linalg.norm(LIGHT)))
    lit = (colours[:, None, :] * light[:, :, None]).astype(np.uint8).reshape(-1, 3)
    boxes.GetCellData().SetScalars(numpy_to_vtk(lit, deep=True))
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(boxes)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.GetProperty().EdgeVisibilityOn()
    actor.GetProperty().SetEdgeColor(0.15, 0.15, 0.15)
    actor.GetProperty().SetLineWidth(1.5)
    return actor


def solids_actor(grains, colours, camera_axes):
    """Bodies of other shapes, as triangles of their surfaces, with the light of spheres."""
    triangles = np.concatenate(list(grains["surface"]))
    body = np.repeat(np.arange(len(colours)), [len(surface) for surface in grains["surface"]])
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(triangles.reshape(-1, 3)), deep=True))
    cells = vtk.vtkCellArray()
    cells.SetData(3,
                  numpy_to_vtkIdTypeArray(np.arange(3 * len(triangles), dtype=np.int64), deep=True))
    solids = vtk.vtkPolyData()
    solids.SetPoints(points)
    solids.SetPolys(cells)
    outward = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    light = SHADE + (1 - SHADE) * np.maximum(
        0, outward @ camera_axes.T @ (LIGHT / np.linalg.norm(LIGHT)))
    lit = (colours[body] * light[:, None]).astype(np.uint8)
    solids.GetCellData().SetScalars(numpy_to_vtk(np.ascontiguousarray(lit), deep=True))
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(solids)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    return actor


def spheres_actor(grains, colours):
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(grains["position"]), deep=True))
    cloud = vtk.vtkPolyData()
    cloud.SetPoints(points)
    for name, array in (("radius", grains["radius"].astype(np.float32)), ("colour", colours)):
        data = numpy_to_vtk(np.ascontiguousarray(array), deep=True)
        data.SetName(name)
        cloud.GetPointData().AddArray(data)
    cloud.GetPointData().SetActiveScalars("colour")
    mapper = vtk.vtkPointGaussianMapper()
    mapper.SetInputData(cloud)
    mapper.SetScaleArray("radius")
    mapper.SetScaleFactor(1.0)
    mapper.EmissiveOff()
    mapper.SetSplatShaderCode(SPHERE_SHADER)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    return actor


def pose_matrix(obstacle):
    w, x, y, z = obstacle["quaternion"]
    transform = vtk.vtkTransform()
    transform.Translate(obstacle["position"])
    angle = 2 * np.degrees(np.arctan2(np.linalg.norm([x, y, z]), w))
    if angle != 0:
        transform.RotateWXYZ(angle, x, y, z)
    return transform


def ball(radius, height):
    source = vtk.vtkSphereSource()
    source.SetRadius(radius)
    source.SetCenter(0, 0, height)
    source.SetThetaResolution(64)
    source.SetPhiResolution(48)
    return source


def tube(radius, half_length):
    source = vtk.vtkCylinderSource()  # about y
    source.SetRadius(radius)
    source.SetHeight(2 * half_length)
    source.SetResolution(96)
    upright = vtk.vtkTransform()
    upright.RotateX(90)
    rotated = vtk.vtkTransformPolyDataFilter()
    rotated.SetInputConnection(source.GetOutputPort())
    rotated.SetTransform(upright)
    return rotated


def sources_of(obstacle, size):
    """Surfaces of an obstacle in its own frame; a half-space is a square plate of half edge `size`.
    """
    shape = obstacle["shape"]
    if shape == "sphere":
        return [ball(obstacle["radius"], 0)]
    if shape == "cylinder":
        return [tube(obstacle["radius"], obstacle["half_length"])]
    if shape == "capsule":
        half = obstacle["half_length"]
        return [
            tube(obstacle["radius"], half),
            ball(obstacle["radius"], -half),
            ball(obstacle["radius"], half)
        ]
    if shape == "box":
        source = vtk.vtkCubeSource()
        source.SetXLength(2 * obstacle["half_extent"][0])
        source.SetYLength(2 * obstacle["half_extent"][1])
        source.SetZLength(2 * obstacle["half_extent"][2])
        return [source]
    plate = vtk.vtkPlaneSource()
    plate.SetOrigin(-size, -size, 0)
    plate.SetPoint1(size, -size, 0)
    plate.SetPoint2(-size, size, 0)
    return [plate]


def obstacle_actors(obstacle, low, high, towards_camera):
    """Actors of an obstacle: solid among or behind the bodies. A wall in front of them is drawn as
    edges, so that the bodies are visible.
    """
    middle, size = (low + high) / 2, np.linalg.norm(high - low)
    transform = pose_matrix(obstacle)
    if obstacle["shape"] == "half_space":
        normal = np.array(transform.TransformNormal(0, 0, 1))
        if normal @ towards_camera < 0.05:
            return []
        # The plate is below the middle of the bodies, also if the half-space's frame is not.
        foot = middle - ((middle - obstacle["position"]) @ normal) * normal
        transform = pose_matrix({**obstacle, "position": foot})
    actors = []
    for source in sources_of(obstacle, 6 * size):
        placed = vtk.vtkTransformPolyDataFilter()
        placed.SetInputConnection(source.GetOutputPort())
        placed.SetTransform(transform)
        placed.Update()
        bounds = np.array(placed.GetOutput().GetBounds()).reshape(3, 2)
        outside = np.any(bounds[:, 0] >= high - 0.02 * size) or np.any(
            bounds[:, 1] <= low + 0.02 * size)
        hides = obstacle["shape"] != "half_space" and outside and (bounds.mean(axis=1) -
                                                                   middle) @ towards_camera > 0
        last = placed
        if hides:
            last = vtk.vtkFeatureEdges()
            last.SetInputConnection(placed.GetOutputPort())
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(last.GetOutputPort())
        mapper.ScalarVisibilityOff()
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        ground = obstacle["shape"] == "half_space"
        colour = np.array(EDGES if hides else GROUND if ground else STONE)
        if ground:
            colour *= 0.95 + 0.05 * abs(normal[2])  # walls stand out from the floor
        actor.GetProperty().SetColor(*colour)
        actor.GetProperty().SetAmbient(1 if ground else 0.35)
        actor.GetProperty().SetDiffuse(0 if ground else 0.65)
        actors.append(actor)
    return actors


def obstacles_actor(points, triangles):
    """Half transparent surfaces of obstacles, which do not hide the bodies."""
    surface = vtk.vtkPolyData()
    corners = vtk.vtkPoints()
    corners.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    surface.SetPoints(corners)
    cells = vtk.vtkCellArray()
    cells.SetData(
        3,
        numpy_to_vtkIdTypeArray(np.ascontiguousarray(triangles.reshape(-1), dtype=np.int64),
                                deep=True))
    surface.SetPolys(cells)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(surface)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*STONE)
    actor.GetProperty().SetOpacity(OPACITY)
    actor.GetProperty().SetAmbient(0.35)
    actor.GetProperty().SetDiffuse(0.65)
    return actor


def reach(grains):
    """Half extents of each sphere or box along x, y and z."""
    boxes = np.einsum("nij,nj->ni", np.abs(rotation_matrices(grains["quaternion"])),
                      grains["size"] / 2)
    return np.where(is_box(grains)[:, None], boxes, grains["radius"][:, None])


def bounds(grains):
    """Two corners of a box around all bodies."""
    half = reach(grains)
    low, high = grains["position"] - half, grains["position"] + half
    for body in np.flatnonzero(is_solid(grains)):
        corners = grains["surface"][body].reshape(-1, 3)
        low[body], high[body] = corners.min(axis=0), corners.max(axis=0)
    return low.min(axis=0), high.max(axis=0)


def is_box(grains):
    return grains["size"][:, 0] > 0


def is_solid(grains):
    """True for bodies that are neither spheres nor boxes."""
    surfaces = grains.get("surface", [()] * len(grains["radius"]))
    return np.array([len(surface) > 0 for surface in surfaces], dtype=bool)


def render(grains, colours, obstacles, plane, size, surfaces=None):
    """Image as an array of rows of RGB, from top to bottom.

    `surfaces` are points, triangles and the obstacle of each triangle. With them, obstacles other
    than half-spaces are drawn half transparent.
    """
    low, high = bounds(grains)
    direction, up = VIEWS[plane]
    towards_camera = np.array(direction) / np.linalg.norm(direction)

    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    right = np.cross(up, towards_camera)
    right /= np.linalg.norm(right)
    camera_axes = np.array([right, np.cross(towards_camera, right), towards_camera])
    boxes, solids = is_box(grains), is_solid(grains)
    spheres = ~boxes & ~solids

    def those(chosen):
        return {name: data[chosen] for name, data in grains.items()}, colours[chosen]

    if spheres.any():
        renderer.AddActor(spheres_actor(*those(spheres)))
    if boxes.any():
        renderer.AddActor(boxes_actor(*those(boxes), camera_axes))
    if solids.any():
        renderer.AddActor(solids_actor(*those(solids), camera_axes))
    if surfaces is not None:
        points, triangles, obstacle = surfaces
        finite = np.array([obstacle["shape"] != "half_space" for obstacle in obstacles])
        renderer.AddActor(obstacles_actor(points, triangles[finite[obstacle]]))
        renderer.SetUseDepthPeeling(1)
        obstacles = [obstacle for obstacle in obstacles if obstacle["shape"] == "half_space"]
    for obstacle in obstacles:
        if obstacle.get("absent"):
            continue
        for actor in obstacle_actors(obstacle, low, high, towards_camera):
            renderer.AddActor(actor)
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(*((low + high) / 2))
    camera.SetPosition(*((low + high) / 2 + towards_camera))
    camera.SetViewUp(*up)
    camera.SetViewAngle(25)

    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetAlphaBitPlanes(1)
    window.SetSize(*size)
    window.AddRenderer(renderer)
    # The view shows all bodies; obstacles may extend beyond it.
    frame_bodies(renderer, camera, low, high, size)
    window.Render()

    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    image = grab.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, 3)[::-1]


def frame_bodies(renderer, camera, low, high, size):
    """Moves the camera back until every corner of the bodies' box is in the picture."""
    corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1)
                        for j in (0, 1) for k in (0, 1)])
    focus = (low + high) / 2
    back = np.array(camera.GetPosition()) - focus
    back /= np.linalg.norm(back)
    right = np.cross(camera.GetViewUp(), back)
    right /= np.linalg.norm(right)
    above = np.cross(back, right)
    slope = np.tan(np.radians(camera.GetViewAngle() / 2)) / 1.06
    offset = corners - focus
    distance = max((np.abs(offset @ above) / slope + offset @ back).max(),
                   (np.abs(offset @ right) / (slope * size[0] / size[1]) + offset @ back).max())
    camera.SetPosition(*(focus + distance * back))
    renderer.ResetCameraClippingRange()

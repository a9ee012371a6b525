"""The view in space: bodies at their positions, in their colours; obstacles hide none of them."""

import os
import shutil
import sys

from drawing import DrawingTest, main, np

import grains_view as view
import vtk
from pictures import run_under_virtual_screen
from vtk.util.numpy_support import vtk_to_numpy

UP = np.sqrt(0.5)
QUARTER_ABOUT_Z = [UP, 0, 0, UP]
RED, BLUE = [255, 0, 0], [0, 0, 255]


def grains(*bodies):
    """Arrays from (position, radius of a sphere or edges of a box[, quaternion])."""
    sizes = [[0, 0, 0] if np.isscalar(b[1]) else b[1] for b in bodies]
    return {
        "position": np.array([b[0] for b in bodies], dtype=float),
        "radius": np.array([b[1] if np.isscalar(b[1]) else 0 for b in bodies],
                           dtype=float), "size": np.array(sizes, dtype=float),
        "quaternion": np.array([b[2] if len(b) > 2 else [1, 0, 0, 0] for b in bodies])
    }


class Boxes(DrawingTest):

    def test_reach_as_far_as_they_are_turned(self):
        bodies = grains(([0, 0, 0], [2, 4, 6], QUARTER_ABOUT_Z), ([1, 1, 1], 0.5))
        np.testing.assert_allclose(view.reach(bodies), [[2, 1, 3], [0.5, 0.5, 0.5]])

    def test_have_their_corners_and_face_outwards(self):
        actor = view.boxes_actor(grains(([10, 0, 0], [2, 4, 6], QUARTER_ABOUT_Z)), np.array([RED]),
                                 np.eye(3))
        box = actor.GetMapper().GetInput()
        np.testing.assert_allclose(box.GetBounds(), [8, 12, -1, 1, -3, 3], atol=1e-12)
        normals = vtk.vtkPolyDataNormals()
        normals.SetInputData(box)
        normals.ComputePointNormalsOff()
        normals.ComputeCellNormalsOn()
        normals.ConsistencyOff()
        normals.SplittingOff()
        normals.Update()
        found = vtk_to_numpy(normals.GetOutput().GetCellData().GetNormals())
        points = vtk_to_numpy(box.GetPoints().GetData())
        for normal, corners in zip(found, view.FACES):
            self.assertGreater(normal @ (points[corners].mean(axis=0) - [10, 0, 0]), 0.9)

    def test_are_brightest_where_they_face_the_light(self):
        actor = view.boxes_actor(grains(([0, 0, 0], [1, 1, 1])), np.array([RED]), np.eye(3))
        red = vtk_to_numpy(actor.GetMapper().GetInput().GetCellData().GetScalars())[:, 0] / 255
        light = view.LIGHT / np.linalg.norm(view.LIGHT)
        wanted = view.SHADE + (1 - view.SHADE) * np.maximum(0, view.NORMALS @ light)
        np.testing.assert_allclose(red, wanted, atol=1 / 255)


class Obstacles(DrawingTest):
    LOW, HIGH = np.zeros(3), np.ones(3)
    BOX = {"shape": "box", "half_extent": [0.1, 0.2, 0.3], "quaternion": [1, 0, 0, 0]}

    def actors(self, obstacle, towards_camera=(0, 0, 1)):
        return view.obstacle_actors(obstacle, self.LOW, self.HIGH, np.array(towards_camera))

    def test_stand_where_they_are(self):
        (actor,) = self.actors({**self.BOX, "position": [0.5, 0.5, 0.5]})
        np.testing.assert_allclose(actor.GetBounds(), [0.4, 0.6, 0.3, 0.7, 0.2, 0.8], atol=1e-6)
        capsule = {
            "shape": "capsule", "radius": 0.1, "half_length": 0.2, "position": [0.5] * 3,
            "quaternion": [UP, 0, UP, 0]
        }  # along x by now
        bounds = np.array([actor.GetBounds() for actor in self.actors(capsule)])
        self.assertEqual(len(bounds), 3)
        np.testing.assert_allclose(bounds[:, 0].min(), 0.2, atol=1e-3)
        np.testing.assert_allclose(bounds[:, 1].max(), 0.8, atol=1e-3)
        np.testing.assert_allclose(bounds[:, 5].max(), 0.6, atol=1e-3)

    def test_before_the_bodies_are_shown_by_their_edges(self):
        behind, before = (self.actors({**self.BOX, "position": [0.5, 0.5, z]})[0] for z in (-1, 2))
        self.assertEqual(behind.GetProperty().GetColor(), view.STONE)
        self.assertEqual(before.GetProperty().GetColor(), view.EDGES)
        for actor, polygons in ((behind, 6), (before, 0)):
            actor.GetMapper().Update()
            self.assertEqual(actor.GetMapper().GetInput().GetNumberOfPolys(), polygons)

    def test_half_spaces_that_face_away_are_not_shown(self):
        floor = {"shape": "half_space", "position": [0, 0, 0], "quaternion": [1, 0, 0, 0]}
        (actor,) = self.actors(floor)
        self.assertAlmostEqual(actor.GetBounds()[4], 0)
        self.assertEqual(self.actors(floor, (0, 0, -1)), [])


class Parts(DrawingTest):

    def test_are_seen_through_and_stand_where_their_points_are(self):
        points = np.array([[0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 4], [9, 9, 9]], dtype=float)
        actor = view.obstacles_actor(points, np.array([[0, 1, 2], [0, 2, 3]]))
        surface = actor.GetMapper().GetInput()
        self.assertEqual(surface.GetNumberOfPolys(), 2)
        np.testing.assert_allclose(surface.GetCell(1).GetBounds(), [0, 0, 0, 3, 0, 4], atol=1e-12)
        self.assertEqual(actor.GetProperty().GetOpacity(), view.OPACITY)
        self.assertLess(view.OPACITY, 0.5)


class Camera(DrawingTest):

    def test_has_all_bodies_in_the_picture_and_little_else(self):
        renderer = vtk.vtkRenderer()
        camera = renderer.GetActiveCamera()
        low, high = np.array([0, 0, 0]), np.array([4, 1, 2])
        camera.SetFocalPoint(*((low + high) / 2))
        camera.SetPosition(*((low + high) / 2 + [0, -1, 0]))
        camera.SetViewUp(0, 0, 1)
        camera.SetViewAngle(25)
        view.frame_bodies(renderer, camera, low, high, (400, 200))
        matrix = camera.GetCompositeProjectionTransformMatrix(2, 0.1, 100)
        corners = np.array([[x, y, z, 1] for x in (0, 4) for y in (0, 1) for z in (0, 2)])
        seen = np.array([matrix.MultiplyPoint(corner) for corner in corners])
        seen = np.abs(seen[:, :2] / seen[:, 3:])
        self.assertLess(seen.max(), 1)
        self.assertGreater(seen.max(), 0.9)


class Image(DrawingTest):

    def test_shows_bodies_in_their_colours_where_they_are(self):
        if not os.environ.get("DISPLAY"):
            if not shutil.which("xvfb-run"):
                self.skipTest("xvfb-run is not installed: apt install xvfb xauth")
            command = [sys.executable, "-B", __file__, f"{type(self).__name__}"]
            done = run_under_virtual_screen(command, seconds=300)
            return self.assertEqual(done.returncode, 0, done.stderr)
        # Seen along −y: x to the right, z up.
        bodies = grains(([0, 0, 0], 1), ([4, 0, 2], [1.6, 1.6, 1.6]))
        image = view.render(bodies, np.array([RED, BLUE], dtype=np.uint8), [], "xz", (300, 200))
        self.assertEqual(image.shape, (200, 300, 3))
        image = image.astype(int)
        self.assertEqual(list(image[2, 2]), [255, 255, 255])
        red = np.argwhere((image[..., 0] > 60) & (image[..., 2] < 20))
        blue = np.argwhere((image[..., 2] > 60) & (image[..., 0] < 20))
        self.assertGreater(len(red), 1000)
        self.assertGreater(len(blue), 1000)
        # The sphere is to the left of the box, and below it: rows count from the top.
        self.assertLess(red[:, 1].max(), blue[:, 1].min())
        self.assertGreater(red[:, 0].mean(), blue[:, 0].mean() + 20)
        # It is lit from above left.
        middle = red.mean(axis=0).astype(int)
        bright, dark = (image[middle[0] + s * 20, middle[1] + s * 20, 0] for s in (-1, 1))
        self.assertGreater(bright, dark + 30)
        # Behind a part that is drawn half transparent they are still there, paler.
        wall = np.array([[-9, -3, -9], [9, -3, -9], [9, -3, 9], [-9, -3, 9]], dtype=float)
        part = {"shape": "box", "position": [0, -3, 0], "quaternion": [1, 0, 0, 0]}
        veiled = view.render(bodies, np.array([RED, BLUE], dtype=np.uint8), [part], "xz",
                             (300, 200), (wall, np.array([[0, 1, 2], [0, 2, 3]]), np.array([0, 0])))
        seen = veiled[middle[0], middle[1]].astype(int)
        self.assertGreater(seen[0], seen[2] + 30)
        self.assertGreater(seen[2], image[middle[0], middle[1], 2] + 10)
        return None


if __name__ == "__main__":
    main()

"""Pictures and movies in space: what is seen, where it is, in which colours, and in which files."""

import json
import shutil
import subprocess
from unittest import mock

from drawing import DrawingTest, main, np

import h5py
from scree_pictures import camera, colouring, movies, run_files, sheet, space, views
from scree_pictures.screen import Screen
from scree_pictures.style import PictureError

SIZE = (400, 240)
PURPLE, YELLOW = [68, 1, 84], [253, 231, 37]  # ends of the colours


def seen(view, points, size):
    """Pixels of points, from the upper left corner."""
    right, up, towards = view.axes @ (np.asarray(points, dtype=float) - view.position).T
    scale = size[1] / view.height
    if view.field_of_view:
        scale = size[1] / 2 / np.tan(np.radians(view.field_of_view) / 2) / -towards
    return np.stack([size[0] / 2 + scale * right, size[1] / 2 - scale * up], axis=1)


class RunTest(DrawingTest):

    def setUp(self):
        super().setUp()
        for program in ("Xvfb",):
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed")
        (self.directory / "manifest.json").write_text(
            json.dumps({"gravity": [0, 0, -9.81], "materials": ["clay", "ore"]}))
        self.files = []

    def add_frame(self, position, speed, time, radius=0.01):
        """A frame of spheres that move along x."""
        name, count = f"grains_{len(self.files)}.hdf", len(position)
        with h5py.File(self.directory / name, "w") as file:
            data = file.create_group("VTKHDF/CellData")
            data["position"] = np.array(position, dtype=float)
            data["velocity"] = np.outer(speed, [1.0, 0, 0])
            data["angular_velocity"] = np.zeros((count, 3))
            data["radius"] = np.full(count, radius)
            data["material"] = np.arange(count) % 2
        self.files.append({"name": name, "time": time})
        (self.directory / "grains.hdf.series").write_text(json.dumps({"files": self.files}))
        return run_files.Run(self.directory)

    def three_frames(self):
        """Two spheres, of which one moves; it is the faster the later."""
        for k in range(3):
            run = self.add_frame([[0, 0, 0], [0.1 + 0.02 * k, 0, 0]], [0, k], 0.1 * k)
        return run

    def image_of(self, run, options):
        path = movies.draw_grains(run, {"size": SIZE, **options}, self.directory / "picture.png")
        return (255 * movies.plt.imread(path)[..., :3]).round().astype(int)


def near(image, colour, darkest=20):
    """Places of pixels of a colour, whatever its brightness."""
    image = image.astype(float)
    norm = np.linalg.norm(image, axis=2) + 1e-9
    cosine = image @ np.array(colour, dtype=float) / np.linalg.norm(colour) / norm
    return np.argwhere((cosine > 0.99) & (norm > darkest))


class Cameras(DrawingTest):
    LOW, HIGH = np.array([0, 0, 0]), np.array([4, 1, 2])

    def test_have_the_whole_box_in_the_picture_and_little_else(self):
        for options in ({}, {"plane": "xy"}, {"plane": "yz", "camera": {"field_of_view": 0}}):
            view = camera.camera_of(options, self.LOW, self.HIGH, 2)
            pixels = seen(view, camera.corners_of(self.LOW, self.HIGH), (400, 200)) / [400, 200]
            self.assertGreater(pixels.min(), 0)
            self.assertLess(pixels.max(), 1)
            self.assertLess(min(pixels.min(), 1 - pixels.max()), 0.04)

    def test_stand_and_look_as_they_are_told(self):
        told = {"from": [9, 8, 7], "to": [1, 0, 1], "field_of_view": np.radians(40)}
        view = camera.camera_of({"camera": told}, self.LOW, self.HIGH, 2)
        np.testing.assert_array_equal(view.position, [9, 8, 7])
        np.testing.assert_allclose(seen(view, [[1, 0, 1]], (400, 200)), [[200, 100]])
        self.assertAlmostEqual(view.field_of_view, 40)

    def test_that_go_around_see_everything_from_all_sides(self):
        view = camera.camera_of({"camera": {"orbit": 2 * np.pi}}, self.LOW, self.HIGH, 2)
        for turn in range(0, 360, 30):
            pixels = seen(view.turned(turn), camera.corners_of(self.LOW, self.HIGH), (400, 200))
            self.assertTrue(np.all((pixels > 0) & (pixels < [400, 200])), turn)
        np.testing.assert_allclose(view.turned(360).position, view.position)


class Boxes(DrawingTest):

    def test_leave_out_lost_bodies_and_endless_parts_but_hold_the_vessel(self):
        rng = np.random.default_rng(1)
        grains = {"position": rng.uniform(0, 1, (500, 3)), "radius": np.full(500, 0.01)}
        grains["position"][0] = [0, 0, -1000]
        vessel = run_files.Surfaces(np.array([[-0.5, 0, 0], [1.5, 0, 0], [0, 0, 2.0], [0, 9e9, 0]]),
                                    np.array([[0, 1, 2]] * 3 + [[0, 1, 3]] * 2),
                                    np.array([0, 0, 0, 1, 1]), None)
        low, high = camera.box_of(camera.bounds_of(grains), [vessel])
        np.testing.assert_allclose(low, [-0.5, 0, 0], atol=0.03)
        np.testing.assert_allclose(high, [1.5, 1, 2], atol=0.03)


class Colours(RunTest):

    def test_have_a_floor_below_which_all_rests(self):
        run = self.add_frame([[0, 0, 0], [1, 0, 0]], [0, 1e-12], 1.0)
        scale = colouring.scale_of(run, "speed", [run_files.read_grains(run.frames()[0][0])])
        self.assertAlmostEqual(scale.high / scale.factor, 0.01 * np.sqrt(9.81 * 0.02))
        self.assertEqual(scale.label, "Speed [mm/s]")

    def test_are_those_of_all_frames_of_a_movie(self):
        run = self.three_frames()
        scale = colouring.scale_of(run, "speed",
                                   [run_files.read_grains(f) for f, _ in run.frames()])
        self.assertEqual(scale.low, 0)
        self.assertAlmostEqual(scale.high, 2, delta=0.03)
        told = colouring.scale_of(run, "speed", [run_files.read_grains(run.frames()[0][0])], (1, 5))
        self.assertEqual((told.low, told.high), (1, 5))

    def test_of_materials_are_named(self):
        run = self.three_frames()
        with Screen(), views.Views(run, run.frames(), {"colour": "material"}, SIZE) as shown:
            (legend,) = shown.sheet.figure.legends
            self.assertEqual([text.get_text() for text in legend.get_texts()], ["clay", "ore"])
            self.assertIsNone(shown.scale)


class Images(RunTest):

    def test_show_bodies_in_their_colours_where_they_are(self):
        image = self.image_of(self.three_frames(), {"frame": -1})
        self.assertEqual(image.shape, (*SIZE[::-1], 3))
        image = image[:, :int(0.86 * SIZE[0])]  # without the legend
        left, right = near(image, PURPLE), near(image, YELLOW)
        self.assertGreater(len(left), 200)
        self.assertAlmostEqual(len(left) / len(right), 1, delta=0.3)
        self.assertLess(left[:, 1].max(), right[:, 1].min())
        middle = left.mean(axis=0).astype(int)  # lit from above left
        bright, dark = (image[middle[0] + s * 6, middle[1] + s * 6].sum() for s in (-1, 1))
        self.assertGreater(bright, dark + 20)

    def test_have_a_scale_bar_of_the_length_that_it_says(self):
        run = self.add_frame([[0, 0, 0], [0.1, 0, 0]], [0, 1], 0)
        with Screen(), views.Views(run, run.frames(), {"camera": {"field_of_view": 0}}, SIZE) as v:
            length, pixels = v.sheet.bar
            left, right = seen(v.camera, [[0, 0, 0], [0.1, 0, 0]], sheet.image_size(SIZE))
            along = v.camera.axes[0] @ [0.1, 0, 0]
            self.assertAlmostEqual((right - left)[0] / along, pixels / length, places=6)

    def test_are_of_the_time_that_was_asked_for(self):
        run = self.three_frames()
        self.assertEqual(run.chosen_frame({"time": 0.12})[1], 0.1)
        self.assertEqual(run.chosen_frame({"frame": 0})[1], 0)
        self.assertEqual(run.chosen_frame({})[1], 0.2)
        with self.assertRaisesRegex(PictureError, "no frame 3; the run has 3"):
            run.chosen_frame({"frame": 3})

    def test_of_frames_without_bodies_are_empty(self):
        self.add_frame(np.zeros((0, 3)), [], 0)
        run = self.add_frame([[0, 0, 0], [0.1, 0, 0]], [0, 1], 0.1)
        with Screen(), views.Views(run, run.frames(), {"colour": "material"}, SIZE) as shown:
            shown.draw(0)
            self.assertEqual(shown.sheet.image.get_array().min(), 255)
            shown.draw(1)
            self.assertLess(shown.sheet.image.get_array().min(), 200)
        with self.assertRaisesRegex(PictureError, "no bodies"):
            self.image_of(run, {"frame": 0})

    def test_leave_no_screen_behind(self):
        run = self.three_frames()
        with Screen() as screen, views.Views(run, run.frames(), {}, SIZE) as v:
            v.draw(0)
        if screen.server is not None:  # there was no other
            self.assertIsNotNone(screen.server.poll())

    def test_leave_out_what_is_outside_of_the_region(self):
        region = {"min": [-1, -1, -1], "max": [0.05, 1, 1]}
        image = self.image_of(self.three_frames(), {"region": region, "limits": [0, 1]})
        self.assertEqual(len(near(image[:, :int(0.86 * SIZE[0])], YELLOW)), 0)


class JointsOfARun(RunTest):

    def setUp(self):
        super().setUp()
        with h5py.File(self.directory / "joints_0.hdf", "w") as file:
            file["VTKHDF/Points"] = np.array([[0.02, 0, 0], [0.02, 0, 0.1]])
            file["VTKHDF/PointData/axis"] = np.array([[0, 0, 1.0], [1.0, 0, 0]])
        (self.directory / "joints.hdf.series").write_text(
            json.dumps({"files": [{"name": "joints_0.hdf", "time": 0}]}))
        self.run = self.add_frame([[0, 0, 0], [0.05, 0, 0.1]], [0, 1], 0)

    def lines(self, options):
        with Screen(), views.Views(self.run, self.run.frames(), options, SIZE) as shown:
            shown.draw(0)
            return shown, np.array(shown.sheet.joints.get_segments())

    def test_are_lines_along_their_axes_before_the_bodies(self):
        shown, lines = self.lines({})
        expected = seen(shown.camera, [[0.02, 0, -0.005], [0.02, 0, 0.005]], shown.size)
        np.testing.assert_allclose(lines[0], expected)
        self.assertGreater(shown.sheet.joints.zorder, shown.sheet.image.zorder)

    def test_are_left_out_if_told_so_and_outside_of_the_region_and_behind_the_camera(self):
        region = {"min": [-1, -1, -1], "max": [1, 1, 0.05]}
        close = {"from": [0.02, -0.01, 0.05], "to": [0.02, 0, 0]}
        for count, options in ((0, {"joints": False}), (1, {"region": region}),
                               (1, {"camera": close})):
            self.assertEqual(len(self.lines(options)[1]), count, options)

    def test_stand_in_the_panel_of_their_layer(self):
        shown, lines = self.lines({"plane": "xy", "layers": 2})
        self.assertEqual(len(lines), 2)
        np.testing.assert_array_equal(lines.mean(axis=1)[:, 0] < shown.size[0], [True, False])


class Layers(RunTest):

    def test_hold_all_bodies_and_each_once(self):
        rng = np.random.default_rng(1)
        grains = {"position": rng.uniform(0, 0.1, (50, 3)), "radius": np.full(50, 0.001)}
        layers = views.layers_of(camera.bounds_of(grains), 1, 4)
        held = [layer.of(grains, None)[0]["position"] for layer in layers]
        self.assertEqual(sum(map(len, held)), 50)
        for layer, places in zip(layers, held):
            self.assertTrue(np.all((places[:, 1] >= layer.low) & (places[:, 1] <= layer.high)))
        self.assertAlmostEqual(layers[0].high - layers[0].low, layers[3].high - layers[3].low)
        self.assertEqual(views.labels_of([views.Layer(2, -1e-7, 0.02),
                                          views.Layer(2, 0.02, 0.04)]),
                         ["z = 0.0 … 2.0 cm", "z = 2.0 … 4.0 cm"])

    def test_are_drawn_next_to_each_other(self):
        run = self.add_frame([[0, 0, 0], [0, 0.1, 0]], [0, 1], 0)
        image = self.image_of(run, {"layers": 2})[:, :int(0.86 * SIZE[0])]
        self.assertLess(near(image, PURPLE)[:, 1].max(), 0.43 * SIZE[0])
        self.assertGreater(near(image, YELLOW)[:, 1].min(), 0.43 * SIZE[0])


class Occlusion(DrawingTest):

    def test_darkens_hollows_and_neither_slopes_nor_edges(self):
        rows = np.arange(120)
        white = np.full((240, 240, 3), 255, dtype=np.uint8)

        def brightness(profile):
            depth = np.tile(profile.astype(np.float32), (120, 1))
            return space.darkened(white, depth, 12, 1.0)[120, ::2, 0]

        self.assertGreaterEqual(brightness(10 + rows / 6.0)[20:100].min(), 254)
        groove = brightness(10 + np.clip(2 - abs(rows - 60) / 6, 0, 2))
        self.assertLess(groove[60], 230)
        ridge = brightness(10 - np.clip(2 - abs(rows - 60) / 6, 0, 2))
        self.assertGreaterEqual(ridge[60], 254)


class Walls(DrawingTest):

    def test_before_the_bodies_are_glass_and_blades_among_them_are_not(self):
        view = camera.camera_of({}, np.zeros(3), np.ones(3), 1)
        wall = np.array([[-5, 0, -5], [9, 0, -5], [-5, 0, 9.0]])
        aside = [[0, -1, 0], [0, 0.5, 0], [0, 2, 0], [99, -1, 0]]
        points = np.concatenate([wall + a for a in aside])
        parts = run_files.Surfaces(points, np.arange(12).reshape(4, 3), np.arange(4), None)
        crowd = np.random.default_rng(1).uniform(0, 1, (200, 3))
        glass = space.is_wall_before(parts, parts.triangles, parts.owner, crowd, view.position)
        np.testing.assert_array_equal(glass, [True, False, False, False])

    def test_that_are_planes_are_seen_from_their_front_only(self):
        view = camera.camera_of({}, np.zeros(3), np.ones(3), 1)
        box = (np.zeros(3), np.ones(3))
        floor = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0.0]])
        bounds = space.plane_actor(floor, box, view).GetBounds()
        np.testing.assert_allclose(bounds, [0, 1, 0, 1, 0, 0], atol=0.04)
        self.assertIsNone(space.plane_actor(floor[::-1], box, view))


class Strips(DrawingTest):

    def test_of_bodies_become_triangles_that_face_outwards(self):
        with h5py.File(self.directory / "frame.hdf", "w") as file:
            grid = file.create_group("VTKHDF")
            grid["Points"] = np.array([[5, 5, 5], [0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.0]])
            grid["Connectivity"] = [0, 1, 2, 3, 4, 4]
            grid["Offsets"], grid["Types"] = [0, 1, 6], np.array([1, 6], dtype=np.uint8)
        surfaces = run_files.read_surfaces(self.directory / "frame.hdf")
        np.testing.assert_array_equal(surfaces.owner, [1, 1])
        corners = surfaces.points[surfaces.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        np.testing.assert_allclose(normals, [[0, 0, 1], [0, 0, 1]])


class Movies(RunTest):
    OPTIONS = {"size": SIZE, "rate": 10}

    def test_have_a_frame_for_each_of_the_run(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed")
        run = self.three_frames()
        for name in ("movie.mp4", "movie.gif"):
            path = movies.draw_movie(run, self.OPTIONS, self.directory / name)
            found = subprocess.run([
                "ffprobe", "-v", "error", "-count_frames", "-show_entries",
                "stream=width,height,nb_read_frames", "-of", "csv=p=0", path
            ], capture_output=True, text=True, check=True)
            self.assertEqual(found.stdout.strip(), "400,240,3", name)
        self.assertEqual(list(self.directory.glob("*.part*")), [])

    def test_without_ffmpeg_are_numbered_images(self):
        run = self.three_frames()
        (self.directory / "movie").mkdir()
        (self.directory / "movie/frame_000009.png").write_text("of an earlier movie")
        with mock.patch.object(movies, "has_ffmpeg", return_value=False), \
                mock.patch("builtins.print") as said:
            path = movies.draw_movie(run, {**self.OPTIONS, "every": 2},
                                     self.directory / "movie.mp4")
        self.assertEqual(sorted(file.name for file in path.iterdir()),
                         ["frame_000000.png", "frame_000001.png"])
        self.assertIn("apt install ffmpeg", said.call_args_list[0].args[0])

    def test_lack_damaged_frames_and_name_them(self):
        run = self.three_frames()
        whole = (self.directory / "grains_1.hdf").read_bytes()
        (self.directory / "grains_1.hdf").write_bytes(whole[:len(whole) // 2])
        with mock.patch("builtins.print") as said:
            path = movies.draw_movie(run, self.OPTIONS, self.directory / "movie")
        self.assertEqual(len(list(path.iterdir())), 2)
        ((line,), _), = said.call_args_list
        self.assertRegex(line, "^warning: the movie lacks a frame: .*grains_1.hdf cannot be read")
        with self.assertRaisesRegex(PictureError, "grains_1.hdf cannot be read"):
            self.image_of(run, {"frame": 1})

    def test_lack_bodies_without_a_position(self):
        run = self.add_frame([[0, 0, 0], [np.nan, 0, 0], [0.1, 0, 0]], [0, 1, 1], 0)
        image = self.image_of(run, {})[:, :int(0.86 * SIZE[0])]
        self.assertGreater(len(near(image, PURPLE)), 200)
        self.assertGreater(len(near(image, YELLOW)), 200)

    def test_say_that_obstacles_have_no_frames(self):
        run = self.three_frames()
        for obstacles, warnings in (([], 0), ([{"shape": "half_space"}], 1)):
            (self.directory / "obstacles.json").write_text(json.dumps({"obstacles": obstacles}))
            with mock.patch("builtins.print") as said:
                self.image_of(run, {})
            self.assertEqual(said.call_count, warnings)

    def test_have_only_frames_between_two_times(self):
        run = self.three_frames()
        frames = movies.chosen_frames(run, {"first": 0.05, "last": 0.15})
        self.assertEqual([time for _, time in frames], [0.1])
        with self.assertRaisesRegex(PictureError, "no frames at these times"):
            movies.chosen_frames(run, {"first": 7})

    def test_of_an_unknown_kind_are_refused(self):
        with self.assertRaisesRegex(PictureError, "ends in .mp4, .webm, .gif, .webp"):
            movies.draw_movie(self.three_frames(), self.OPTIONS, self.directory / "movie.avi")


class TimeStamps(DrawingTest):

    def test_tell_all_frames_apart_and_do_not_jump(self):
        text = sheet.time_format([0, 0.25, 0.5, 2])
        self.assertEqual([text(t) for t in (0, 0.25, 2)],
                         ["t = 0.00 s", "t = 0.25 s", "t = 2.00 s"])
        self.assertEqual(sheet.time_format([0.02])(0.02), "t = 20 ms")


if __name__ == "__main__":
    main()

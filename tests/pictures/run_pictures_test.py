"""The pictures of a run show its statistics and its frames, and errors explain a missing one."""

import contextlib
import io
import json
from unittest import mock

from drawing import DrawingTest, main, np, shown, write_table

import h5py
import pictures
from scree_pictures import velocity_map

STATISTICS = {
    "time": [0.0, 0.5, 1.0], "kinetic_energy": [0, 0.002,
                                                0.001], "potential_energy": [0.010, 0.007, 0.006],
    "dissipated_energy": [0, 0.001, 0.003], "wall_work": [0, 0, 0], "residual": [0, 1e-5, 3e-4],
    "steps_not_converged": [0, 0, 2], "sweeps_mean": [0, 4, 6], "sweeps_max": [0, 9, 12]
}


class RunTest(DrawingTest):

    def run_of(self, statistics=None, **manifest):
        """A run directory with statistics and a manifest."""
        write_table(self.directory / "statistics.csv", statistics or STATISTICS)
        (self.directory / "manifest.json").write_text(
            json.dumps({"scene": {"name": "heap"}, "tolerance": 1e-4, "pictures": [], **manifest}))
        (self.directory / "obstacles.json").write_text(json.dumps({"obstacles": []}))
        return pictures.Run(self.directory)

    def add_frame(self, position, velocity, name="grains_0000.hdf", time=0.25):
        """A frame of spheres of radius 0.01 m, the last of the run."""
        count = len(position)
        with h5py.File(self.directory / name, "w") as file:
            data = file.create_group("VTKHDF/CellData")
            data["position"] = np.array(position, dtype=float)
            data["velocity"] = np.array(velocity, dtype=float)
            data["angular_velocity"] = np.zeros((count, 3))
            data["radius"] = np.full(count, 0.01)
            data["quaternion"] = np.tile([1.0, 0, 0, 0], (count, 1))
        (self.directory / "grains.hdf.series").write_text(
            json.dumps({"files": [{"name": name, "time": time}]}))

    def axes_of(self, draw, run, options=None):
        return self.figure_of(draw, run, options or {}, self.directory / "picture.png").axes


class Energy(RunTest):

    def test_balances_and_is_shown_in_a_unit_that_can_be_read(self):
        (axes,) = self.axes_of(pictures.draw_energy, self.run_of())
        self.assert_line(axes, "kinetic", [0, 0.5, 1], [0, 2, 1])
        self.assert_line(axes, "potential, change", [0, 0.5, 1], [0, -3, -4])
        self.assert_line(axes, "dissipated in contacts", [0, 0.5, 1], [0, 1, 3])
        self.assert_line(axes, "balance: kinetic + potential + dissipated − work", [0, 0.5, 1],
                         [0, 0, 0])
        self.assert_labels(axes, "Time [s]", "Energy [mJ]")
        self.assertEqual(axes.get_title(), "")

    def test_has_the_title_of_the_scene_if_there_is_one(self):
        (axes,) = self.axes_of(pictures.draw_energy, self.run_of(), {"title": "$5 a_b"})
        self.assertEqual(axes.get_title(), r"\$5 a_b")

    def test_has_the_work_of_walls_where_they_do_some(self):
        run = self.run_of({**STATISTICS, "wall_work": [0, 0.001, 0.004]})
        (axes,) = self.axes_of(pictures.draw_energy, run)
        self.assert_line(axes, "work of walls and flow", [0, 0.5, 1], [0, 1, 4])
        self.assert_line(axes, "balance: kinetic + potential + dissipated − work", [0, 0.5, 1],
                         [0, -1, -4])


class Residual(RunTest):

    def test_leaves_the_start_out_and_marks_where_the_tolerance_was_missed(self):
        above, below = self.axes_of(pictures.draw_residual, self.run_of())
        self.assert_line(above, "worst step since the last row", [0.5, 1], [1e-5, 3e-4])
        self.assert_line(above, "tolerance 0.0001", [0, 1], [1e-4, 1e-4])
        self.assert_line(above, "tolerance missed", [1], [3e-4])
        self.assertEqual(above.get_yscale(), "log")
        self.assert_line(below, "mean", [0.5, 1], [4, 6])
        band = below.collections[0].get_paths()[0].vertices
        self.assertEqual((band[:, 1].min(), band[:, 1].max()), (4, 12))

    def test_of_a_run_that_met_its_tolerance_has_no_mark(self):
        run = self.run_of({**STATISTICS, "steps_not_converged": [0, 0, 0]})
        above, _ = self.axes_of(pictures.draw_residual, run)
        self.assertNotIn("tolerance missed", shown(above))

    def test_of_a_run_without_a_step_is_refused(self):
        run = self.run_of({name: values[:1] for name, values in STATISTICS.items()})
        with self.assertRaisesRegex(pictures.PictureError, "the run has no step"):
            pictures.draw_residual(run, {}, self.directory / "picture.png")


class VelocityMap(RunTest):
    OPTIONS = {"region": {"min": [0, 0, 0], "max": [0.4, 0.2, 0.1]}, "cells": [2, 1]}

    def test_has_the_mean_of_each_cell_and_leaves_out_what_is_not_in_the_region(self):
        run = self.run_of()
        self.add_frame([[0.1, 0.1, 0.05], [0.1, 0.15, 0.05], [0.3, 0.1, 0.05], [0.3, 0.1, 9]],
                       [[3, 4, 0], [0, 0, 1], [0, 2, 0], [100, 0, 0]])
        axes = self.axes_of(pictures.draw_velocity_map, run, self.OPTIONS)[0]
        (mesh,) = axes.collections
        np.testing.assert_allclose(np.ravel(mesh.get_array()), [3, 2])
        self.assert_labels(axes, "x [cm]", "y [cm]")
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((0, 40), (0, 20)))
        self.assertEqual([text.get_text() for text in axes.texts], ["t = 250 ms"])
        self.assertEqual(mesh.colorbar.ax.get_ylabel(), "Speed, mean of each cell [m/s]")

    def test_without_bodies_is_refused(self):
        run = self.run_of()
        self.add_frame([[9, 9, 9]], [[0, 0, 0]])
        with self.assertRaisesRegex(pictures.PictureError, "no bodies in the region"):
            pictures.draw_velocity_map(run, self.OPTIONS, self.directory / "picture.png")

    def test_shows_the_outlines_of_what_stands_among_bodies_and_not_of_floors(self):
        figure, axes = pictures.plt.subplots()
        box = {"shape": "box", "half_extent": [1, 2, 3], "quaternion": [1, 0, 0, 0]}
        floor = {**box, "position": [0, 0, -9]}
        half_space = {"shape": "half_space", "quaternion": [1, 0, 0, 0], "position": [0, 0, 0]}
        velocity_map.draw_outlines(axes, [{**box, "position": [5, 0, 0]}, floor, half_space],
                                   ((0, 1), 2), (0, 2), 10)
        edge, face = axes.patches  # of the one box
        np.testing.assert_allclose(sorted(map(tuple,
                                              edge.get_xy()[:4])), [(40, -20), (40, 20), (60, -20),
                                                                    (60, 20)])
        self.assertGreater(face.get_zorder(), edge.get_zorder())

    def test_of_a_heap_at_rest_is_dark_and_not_a_rainbow(self):
        run = self.run_of(gravity=[0, 0, -10])
        self.add_frame([[0.1, 0.1, 0.05], [0.3, 0.1, 0.05]], [[1e-12, 0, 0], [0, 2e-12, 0]])
        (mesh,) = self.axes_of(pictures.draw_velocity_map, run, self.OPTIONS)[0].collections
        self.assertLess(mesh.get_array().max() / mesh.get_clim()[1], 1e-6)

    def test_has_lines_where_the_vessel_crosses_the_middle(self):
        wall = np.array([[[1, 2, -1], [1, 2, 1], [3, 6, 1]], [[1, 2, 5], [1, 2, 7], [3, 6, 7]]])
        np.testing.assert_allclose(velocity_map.sections(wall.astype(float), ((0, 1), 2), 0.0),
                                   [[[1, 2], [2, 4]]])


class TheScript(RunTest):

    def test_draws_the_other_pictures_when_one_cannot_be_drawn(self):
        self.run_of(pictures=[{"kind": "velocity_map", "file": "map", "options": {}},
                              {"kind": "energy", "file": "energy", "options": {"title": "$"}}])
        said = io.StringIO()
        with mock.patch("sys.argv", ["pictures.py", str(self.directory)]), \
                contextlib.redirect_stdout(said):
            self.assertEqual(pictures.main(), 1)
        self.assertIn("warning: map.png was not drawn: ", said.getvalue())
        self.assertEqual([p.name for p in (self.directory / "pictures").iterdir()], ["energy.png"])


class Units(DrawingTest):

    def test_have_the_prefix_that_makes_a_number_readable(self):
        for largest, unit, wanted in ((0.5, "s", (1, "s")), (0.049, "J", (1e3, "mJ")),
                                      (7e3, "Pa", (1e-3, "kPa")), (2e-13, "J", (1e12, "pJ")),
                                      (0, "s", (1, "s")), (np.inf, "s", (1, "s")),
                                      (0.002, "kg/s", (1e3, "g/s")), (3, "kg/s", (1, "kg/s"))):
            factor, name = pictures.scaled(largest, unit)
            self.assertEqual(name, wanted[1])
            self.assertAlmostEqual(factor / wanted[0], 1)

    def test_of_lengths_are_those_of_engineers(self):
        for extent, unit in ((2, "m"), (0.3, "cm"), (0.01, "mm"), (1e-4, "µm")):
            self.assertEqual(pictures.length_unit(extent)[1], unit)


class Shapes(DrawingTest):

    def test_hull_of_points_has_the_corners_alone(self):
        inner = [(0.5, 0.5), (0.2, 0.7), (0.5, 0)]
        hull = velocity_map.convex_hull(np.array([(0, 0), (1, 0), (1, 1), (0, 1)] + inner))
        np.testing.assert_array_equal(hull, [(0, 0), (1, 0), (1, 1), (0, 1)])

    def test_points_of_shapes_lie_on_them(self):
        turned = {"quaternion": [np.sqrt(0.5), np.sqrt(0.5), 0, 0], "position": [0, 0, 10]}
        points = velocity_map.surface_points(
            {"shape": "capsule", "radius": 1, "half_length": 2, **turned})  # about y by now
        np.testing.assert_allclose(np.ptp(points, axis=0), [2, 6, 2], atol=1e-12)
        np.testing.assert_allclose(points.mean(axis=0)[2], 10)
        self.assertIsNone(velocity_map.surface_points({"shape": "half_space", **turned}))


if __name__ == "__main__":
    main()

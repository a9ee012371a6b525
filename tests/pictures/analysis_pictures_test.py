"""The pictures of an analysis show the columns of its tables, in readable units."""

import contextlib
import io
import json
from unittest import mock

from drawing import DrawingTest, lines, main, np, shown, write_table

import analysis_pictures as pictures

ABOUT = {
    "title": "bed", "region": {"min": [0, 0, 0], "max": [0.04, 0.04, 0.02]}, "cells": [1, 1, 4],
    "mean_diameter": 0.002, "frames": 3, "first_time": 0.0, "last_time": 0.02
}
TIME = [0.0, 0.01, 0.02]  # s, shown as ms


class AnalysisTest(DrawingTest):

    def analysis(self, name="one", **about):
        directory = self.directory / name
        directory.mkdir()
        (directory / "analysis.json").write_text(json.dumps({**ABOUT, **about}))
        return pictures.Analysis(directory)

    def drawn(self, table, columns, **about):
        """The axes of one analysis with one table."""
        analysis = self.analysis(**about)
        write_table(analysis.path / f"{table}.csv", columns)
        figure = pictures.DRAW[table]([analysis], [analysis.table(table)])
        return figure.axes


class OverTime(AnalysisTest):

    def test_solid_fraction_is_drawn_from_zero(self):
        (axes,) = self.drawn("solid_fraction", {"time": TIME, "solid_fraction": [0.5, 0.6, 0.55]})
        self.assert_line(axes, "solid fraction", [0, 10, 20], [0.5, 0.6, 0.55])
        self.assert_labels(axes, "Time [ms]", "Solid fraction [–]")
        self.assertEqual(axes.get_ylim()[0], 0)
        self.assertEqual((axes.get_title(), len(axes.texts)), ("", 0))

    def test_bed_has_its_heights_in_a_unit_that_can_be_read(self):
        above, below = self.drawn(
            "bed", {
                "time": TIME, "solid_fraction": [0.6] * 3, "mean_height": [0.001, 0.002, 0.003],
                "max_height": [0.002, 0.003, 0.004]
            })
        self.assert_line(above, "solid fraction", [0, 10, 20], [0.6] * 3)
        self.assert_line(below, "mean", [0, 10, 20], [1, 2, 3])
        self.assert_line(below, "highest column", [0, 10, 20], [2, 3, 4])
        self.assert_labels(below, "Time [ms]", "Height above floor [mm]")

    def test_shares_of_rattlers_and_of_sliding_contacts_divide_by_none_where_there_are_none(self):
        above, below = self.drawn(
            "coordination", {
                "time": TIME, "bodies": [0, 10, 10], "contacts_loaded": [0, 20, 40],
                "contacts_sliding": [0, 5, 10], "coordination_number": [0, 4, 8],
                "coordination_number_loaded": [0, 5, 8], "coordination_number_backbone": [0, 6, 8],
                "rattlers": [0, 2, 1]
            })
        self.assert_line(above, "all bodies", [0, 10, 20], [0, 4, 8])
        self.assert_line(above, "with any contact", [0, 10, 20], [0, 5, 8])
        self.assert_line(above, "without rattlers", [0, 10, 20], [0, 6, 8])
        self.assert_line(below, "rattlers, of bodies", [0, 10, 20], [0, 0.2, 0.1])
        self.assert_line(below, "sliding, of loaded contacts", [0, 10, 20], [0, 0.25, 0.25])

    def test_stress_and_fabric(self):
        columns = {"time": TIME, "pressure": [0, 1e3, 3e3]}
        columns.update({entry: [0, 1e3, 2e3] for entry in ("xx", "yy", "zz", "xz")})
        columns.update({f"fabric_{e}": [0.3, 0.3, 0.4] for e in ("xx", "yy", "zz")})
        above, below = self.drawn("stress", columns)
        self.assert_line(above, "pressure", [0, 10, 20], [0, 1, 3])
        self.assert_line(above, "σ xz", [0, 10, 20], [0, 1, 2])
        self.assert_labels(above, "", "Stress [kPa]")
        self.assertEqual(shown(below), ["fabric xx", "fabric yy", "fabric zz"])

    def test_force_chains(self):
        above, below = self.drawn(
            "force_chains", {
                "time": TIME, "strong_share": [0.4, 0.4, 0.5], "strong_pressure_share": [
                    0.8, 0.8, 0.9
                ], "mean_normal_force": [0, 1e-3, 2e-3], "max_normal_force": [0, 3e-3, 4e-3]
            })
        self.assert_line(above, "of the pressure", [0, 10, 20], [0.8, 0.8, 0.9])
        self.assert_line(below, "largest", [0, 10, 20], [0, 3, 4])
        self.assert_labels(below, "Time [ms]", "Normal force [mN]")

    def test_discharge_and_energy(self):
        above, below = self.drawn(
            "discharge", {"time": TIME, "mass_rate": [0, 0.002, 0.001], "bodies_total": [0, 7, 11]})
        self.assert_line(above, "between two frames", [0, 10, 20], [0, 2, 1])
        self.assertEqual(above.get_ylabel(), "Discharge [g/s]")
        self.assert_line(below, "bodies since the first frame", [0, 10, 20], [0, 7, 11])

    def test_energy_is_of_the_whole_run_and_not_of_the_region(self):
        names = ("kinetic", "potential_change", "dissipated", "wall_work", "unaccounted")
        (axes,) = self.drawn(
            "energy", {"time": TIME, **{name: [0, k, 2 * k] for k, name in enumerate(names)}})
        self.assert_line(axes, "work of walls and flow", [0, 10, 20], [0, 3, 6])
        self.assertEqual(len(shown(axes)), 5)
        self.assert_labels(axes, "Time [ms]", "Energy [J]")

    def test_the_angle_in_a_drum_is_in_degrees_beside_its_mean(self):
        (axes,) = self.drawn("drum", {"time": TIME, "angle": np.radians([20, 22, 27])})
        angles, mean = axes.get_lines()
        np.testing.assert_allclose(angles.get_ydata(), [20, 22, 27])
        np.testing.assert_allclose(mean.get_ydata(), 23)
        self.assert_labels(axes, "Time [s]", "Angle of the surface [°]")

    def test_several_analyses_have_a_line_each(self):
        analyses = [self.analysis("loose", title="loose"), self.analysis("dense", title="dense")]
        tables = []
        for analysis, value in zip(analyses, (0.5, 0.6)):
            write_table(analysis.path / "solid_fraction.csv",
                        {"time": TIME, "solid_fraction": [value] * 3})
            tables.append(analysis.table("solid_fraction"))
        (axes,) = pictures.draw_solid_fraction(analyses, tables).axes
        self.assert_line(axes, "loose: solid fraction", [0, 10, 20], [0.5] * 3)
        self.assert_line(axes, "dense: solid fraction", [0, 10, 20], [0.6] * 3)
        colours = {line.get_color() for line in axes.get_lines()}
        self.assertEqual(len(colours), 2)


class Distributions(AnalysisTest):

    def test_residence_times_are_a_density_beside_their_mean(self):
        (axes,) = self.drawn("residence", {"id": [0, 1, 2, 3], "residence": [1, 1, 2, 4]})
        stairs = axes.patches[0].get_data()
        self.assertAlmostEqual(float(np.sum(stairs.values * np.diff(stairs.edges))), 1)
        self.assertAlmostEqual(stairs.values[10 - 1] + stairs.values[10],
                               5)  # half of all, in 0.1 s
        np.testing.assert_allclose(axes.get_lines()[0].get_xdata(), 2)
        self.assert_labels(axes, "Residence time [s]", "Probability density [1/s]")

    def test_radial_distribution_function_is_over_diameters(self):
        (axes,) = self.drawn(
            "rdf",
            {"r_inner": [0, 0.002, 0.004], "r_outer": [0.002, 0.004, 0.006], "g": [0, 2.5, 1.1]})
        stairs = axes.patches[0].get_data()
        np.testing.assert_allclose(stairs.values, [0, 2.5, 1.1])
        np.testing.assert_allclose(stairs.edges, [0, 1, 2, 3])
        self.assert_labels(axes, "Distance r / mean diameter d [–]", "g(r) [–]")

    def test_force_distribution_leaves_empty_bins_out(self):
        (axes,) = self.drawn("force_distribution", {
            "lower": [0, 1, 2], "upper": [1, 2, 3], "density": [0.7, 0, 0.3], "contacts": [7, 0, 3]
        })
        (line,) = axes.get_lines()
        np.testing.assert_allclose(line.get_xydata(), [[0.5, 0.7], [2.5, 0.3]])
        self.assertEqual(axes.get_yscale(), "log")

    def test_no_force_is_told(self):
        with self.assertRaisesRegex(pictures.PictureError, "no contact was loaded"):
            self.drawn("force_distribution",
                       {"lower": [0, 1], "upper": [1, 2], "density": [0, 0], "contacts": [0, 0]})


def profile(cells, **columns):
    count = int(np.prod(cells))
    table = {name: np.zeros(count) for name in ("x", "y", "z", "bodies", "solid_fraction")}
    for what in ("velocity", "angular_velocity"):
        table.update({f"{what}_{axis}": np.zeros(count) for axis in "xyz"})
    return {**table, "speed": np.zeros(count), "angular_speed": np.zeros(count), **columns}


class Profiles(AnalysisTest):

    def test_curves_have_gaps_where_there_was_no_body(self):
        above, middle, below = self.drawn(
            "velocity_profile",
            profile([1, 1, 4], z=[0.0025, 0.0075, 0.0125, 0.0175], bodies=[3, 2, 0, 0],
                    speed=[1, 2, 0, 0], velocity_x=[1, -2, 0, 0], angular_speed=[5, 6, 0, 0],
                    solid_fraction=[0.6, 0.3, 0, 0]))
        where = [2.5, 7.5, 12.5, 17.5]
        self.assert_line(above, "mean speed", where, [1, 2, np.nan, np.nan])
        self.assert_line(above, "mean velocity x", where, [1, -2, np.nan, np.nan])
        self.assert_line(middle, "mean angular speed", where, [5, 6, np.nan, np.nan])
        self.assert_line(below, "solid fraction", where, [0.6, 0.3, 0, 0])
        self.assert_labels(below, "z [mm]", "Solid fraction [–]")

    def test_maps_weight_means_with_bodies(self):
        cells = [2, 2, 2]  # the third axis is averaged over
        bodies = [1, 3, 0, 0, 2, 2, 1, 0]
        speed = [1, 5, 0, 0, 2, 4, 7, 0]
        axes = self.drawn("velocity_profile", profile(cells, bodies=bodies, speed=speed),
                          cells=cells)
        (mesh,) = axes[0].collections
        values = np.ma.filled(mesh.get_array().astype(float), np.nan).reshape(2, 2)
        # Rows are along y, columns along x: (1·1 + 3·5) / 4 = 4, none, 3, 7.
        np.testing.assert_allclose(values, [[4, 3], [np.nan, 7]])
        self.assert_labels(axes[0], "x [cm]", "y [cm]")
        self.assertIn("Speed [m/s]", [a.get_ylabel() for a in axes])

    def test_fields_weight_velocities_with_density_and_take_means_of_pressures(self):
        cells, columns = [2, 1, 2], ("density", "speed", "pressure", "temperature")
        region = {"min": [0, 0, 0], "max": [0.02, 0.01, 0.04]}
        table = {"x": [0] * 4, "y": [0] * 4, "z": [0, 1, 0, 1]}
        values = ([1, 3, 0, 2], [1, 2, 0, 4], [1e3, 2e3, 0, 4e3], [5, 6, 0, 8])
        axes = self.drawn("fields", {**table, **dict(zip(columns, values))},
                          fields={"region": region, "cells": cells, "width": 0.001})
        for ax, numbers in zip(axes,
                               ([1, 3, 0, 2], [1, 2, np.nan, 4], [1, 2, 0, 4], [5, 6, np.nan, 8])):
            (mesh,) = ax.collections
            seen = np.ma.filled(mesh.get_array().astype(float), np.nan).reshape(2, 2)
            np.testing.assert_allclose(seen, np.reshape(numbers, (2, 2)).T)
        self.assert_labels(axes[0], "x [cm]", "z [cm]")
        for label in ("Density [kg/m³]", "Pressure [kPa]", "Granular temperature [m²/s²]"):
            self.assertIn(label, [a.get_ylabel() for a in axes])

    def test_fields_along_one_axis_are_curves(self):
        table = {
            "z": [0.01, 0.04], "density": [1, 2], "speed": [3, 4], "pressure": [5, 6],
            "temperature": [7, 8]
        }
        region = {"min": [0, 0, 0], "max": [0.01, 0.01, 0.04]}
        axes = self.drawn("fields", table,
                          fields={"region": region, "cells": [1, 1, 2], "width": 0.001})
        for ax, name in zip(axes, ("density", "speed", "pressure", "temperature")):
            (line,) = ax.lines
            np.testing.assert_allclose(line.get_xdata(), [1, 4])
            np.testing.assert_allclose(line.get_ydata(), table[name])
        self.assertIn("t = ", axes[0].texts[0].get_text())

    def test_one_cell_has_no_picture(self):
        analysis = self.analysis(cells=[1, 1, 1])
        self.assertIsNone(pictures.draw_velocity_profile([analysis], [None]))

    def test_cells_along_different_axes_are_refused(self):
        analyses = [self.analysis("a", cells=[1, 1, 4]), self.analysis("b", cells=[4, 1, 1])]
        with self.assertRaisesRegex(pictures.PictureError, "cells along different axes"):
            pictures.draw_velocity_profile(analyses, [None, None])


class TheScript(AnalysisTest):

    def run_main(self, *arguments):
        said = io.StringIO()
        with mock.patch("sys.argv", ["analysis_pictures.py", *map(str, arguments)]), \
                contextlib.redirect_stdout(said):
            return pictures.main(), said.getvalue()

    def test_tells_of_a_directory_that_is_none_of_an_analysis(self):
        status, said = self.run_main(self.directory)
        self.assertEqual(status, 1)
        self.assertRegex(said, "warning: no pictures: .*give directories of scree analyse")

    def test_draws_the_other_tables_when_one_cannot_be_drawn(self):
        path = self.analysis().path
        write_table(path / "solid_fraction.csv", {"time": TIME, "solid_fraction": [0.5] * 3})
        write_table(path / "bed.csv", {"time": TIME, "solid_fraction": [0.5] * 3})
        (path / "rdf.png").write_text("of an earlier analysis")
        status, said = self.run_main(path)
        self.assertEqual(status, 1)
        self.assertIn("warning: bed.png was not drawn: ", said)
        self.assertIn(f"drew {path / 'solid_fraction.png'}", said)
        self.assertEqual([p.name for p in path.glob("*.png")], ["solid_fraction.png"])


class Names(AnalysisTest):

    def test_that_are_alike_become_paths(self):
        analyses = [self.analysis("a"), self.analysis("b")]
        pictures.make_names_unique(analyses)
        self.assertEqual([a.name for a in analyses], [str(a.path) for a in analyses])

    def test_of_one_frame_say_when_it_was(self):
        self.assertEqual(self.analysis("a", frames=1).when(), "t = 20 ms")
        self.assertEqual(self.analysis("b").when(), "3 frames, t = 0 s to 20 ms")
        self.assertFalse(lines(pictures.panels(1)[1][0]))


if __name__ == "__main__":
    main()

"""The picture of a single contact: contour lines, the conic, and the answer of each law."""

import contextlib
import io
import sys
from unittest import mock

from drawing import DrawingTest, lines, main, np

import contact_pictures as pictures

# A ball on a floor: W = diag(1, 3.5, 3.5) 1/kg, sliding along t.
BALL = dict(id="ball", W_nn=1, W_nt=0, W_no=0, W_tt=3.5, W_to=0, W_oo=3.5, q_n=-1, q_t=0.7, q_o=0,
            mu=0.1)
HEADER = ",".join(BALL)


def row(**changes):
    return ",".join(str(value) for value in {**BALL, **changes}.values())


class Geometry(DrawingTest):

    def test_impulses_in_the_plane_have_no_normal_velocity(self):
        problem = pictures.Problem({**BALL, "W_nt": 0.5, "W_no": -0.25})
        r = problem.in_plane(np.array([0.0, 1, 2]), np.array([3.0, 0, -1]))
        np.testing.assert_allclose((r @ problem.W + problem.q)[:, 0], 0, atol=1e-14)
        conic = problem.on_conic(np.linspace(0, 6, 7))
        np.testing.assert_allclose((conic @ problem.W + problem.q)[:, 0], 0, atol=1e-14)
        np.testing.assert_allclose(np.hypot(conic[:, 1], conic[:, 2]), 0.1 * conic[:, 0])

    def test_the_energy_is_that_of_the_objective(self):
        self.assertAlmostEqual(
            pictures.Problem(BALL).energy(np.array([1.0, -0.1, 0])),
            0.5 * (1 + 3.5 * 0.01) - 1 - 0.07)

    def test_rays_that_miss_the_plane_are_no_numbers(self):
        parts = pictures.Problem({**BALL, "q_n": 1})
        self.assertTrue(np.isnan(parts.on_conic(np.array([0.0, 1]))).all())


class Picture(DrawingTest):
    ANSWERS = ([np.array([1, -0.1,
                          0])], [np.array([1.1, -0.11,
                                           0])], [np.array([1, -0.1, 0]),
                                                  np.array([0, 0, 0])])

    def axes_of(self, answers=ANSWERS, **changes):
        problem = pictures.Problem({**BALL, **changes})
        return self.figure_of(pictures.draw, problem, answers, self.directory / "picture.png").axes

    def test_has_each_answer_where_it_is(self):
        plane, along = self.axes_of()
        self.assert_line(plane, "maximum dissipation", [-0.1], [0])
        self.assert_line(plane, "cone complementarity, as seen along the normal", [-0.11], [0])
        self.assert_line(plane, "Coulomb", [-0.1], [0])
        # The second answer of Coulomb's law has a mark, and no second line in the legend.
        marks = [line for line in plane.get_lines() if line.get_marker() == "o"]
        self.assertEqual([list(line.get_xydata()[0]) for line in marks], [[-0.1, 0], [0, 0]])
        # Along the edge: at 180°, with its energy; r = 0 has no direction.
        marks = [line.get_xydata()[0] for line in along.get_lines() if line.get_marker() == "o"]
        np.testing.assert_allclose(marks, [[180, -0.5525]])

    def test_has_the_circle_that_the_cone_cuts_out(self):
        plane, _ = self.axes_of()
        conic = lines(plane)["friction cone in the plane"]
        np.testing.assert_allclose(np.hypot(*conic.get_data()), 0.1)

    def test_has_names_with_units(self):
        plane, along = self.axes_of(id="a$b")
        self.assert_labels(plane, "$r_t$ [N s]", "$r_o$ [N s]")
        self.assertEqual(plane.get_title(), r"a\$b: energy [J] in the plane $u_n = 0$")
        self.assert_labels(along, "direction of friction [°]", "energy [J]")

    def test_says_so_where_the_cone_misses_the_plane(self):
        _, along = self.axes_of([[], [], [np.zeros(3)]], q_n=1)
        self.assertEqual([text.get_text() for text in along.texts],
                         ["the cone misses the plane, or has no friction"])


class Reader(DrawingTest):

    def rows_of(self, text):
        path = self.directory / "problems.csv"
        path.write_text(text, encoding="utf-8")
        return pictures.read_rows(path)

    def test_takes_comments_spaces_and_quotes(self):
        rows = self.rows_of(f"# of today\n{HEADER}\n\n {row(id=chr(34) + 'a' + chr(34))} \n")
        self.assertEqual([r["id"] for r in rows], ["a"])
        self.assertEqual(rows[0]["mu"], "0.1")

    def test_refuses_rows_of_another_width(self):
        with self.assertRaises(ValueError):
            self.rows_of(f"{HEADER}\n1,2,3\n")

    def test_names_of_files_differ_and_hold_no_path(self):
        taken = set()
        names = [
            pictures.file_name(pictures.Problem({**BALL, "id": i}), taken)
            for i in ("../up", "../up", "", "a b")
        ]
        self.assertEqual(names, [".._up.png", ".._up_2.png", "problem.png", "a_b.png"])


class TheScript(DrawingTest):

    def run_main(self, text, program):
        problems = self.directory / "problems.csv"
        problems.write_text(text)
        answering = self.directory / "program"
        answering.write_text(f"#!{sys.executable}\n{program}")
        answering.chmod(0o755)
        said = io.StringIO()
        arguments = ["contact_pictures.py", problems, self.directory / "out", answering]
        with mock.patch("sys.argv", list(map(str, arguments))), contextlib.redirect_stdout(said):
            return pictures.main(), said.getvalue()

    def test_says_how_many_problems_were_not_drawn(self):
        text = "\n".join([HEADER, *(row(id=k) for k in range(21))])
        with mock.patch.object(pictures, "draw",
                               lambda problem, answers, path: path.write_text("")):
            status, said = self.run_main(text, "print('id,r_n,r_t,r_o')")
        self.assertEqual((status, said.count("drew")), (0, 20))
        self.assertIn("warning: only the first 20 of 21 problems were drawn", said)

    def test_tells_what_the_program_refuses(self):
        program = "import sys\nprint('bad rows', file=sys.stderr)\nsys.exit(2)"
        with self.assertRaisesRegex(pictures.pictures.PictureError, "bad rows"):
            self.run_main(f"{HEADER}\n{row()}\n", program)


if __name__ == "__main__":
    main()

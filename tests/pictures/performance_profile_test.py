"""The performance profile has the shares of problems that each solver solved in time."""

from drawing import DrawingTest, lines, main, np, shown

import performance_profile as profile

ROWS = """problem,solver,status,seconds
a,fast,converged,1
a,slow,converged,4
b,fast,converged,3
b,slow,stalled,9
c,fast,time_limit,60
c,slow,converged,2
d,fast,stalled,1
d,slow,stalled,1
broken,,bad_input,
"""


class PerformanceProfile(DrawingTest):

    def times(self, text=ROWS):
        path = self.directory / "results.csv"
        path.write_text(text)
        return profile.times_of(path)

    def axes_of(self, times):
        return self.figure_of(profile.draw, times, self.directory / "profile.png").axes[0]

    def test_shares_rise_where_a_solver_is_within_a_factor_of_the_fastest(self):
        axes = self.axes_of(self.times())
        # Shares of four problems: d, which no solver solved, counts; an unusable file does not.
        self.assert_line(axes, "fast", [1, 1, 1, 6], [0, 0.25, 0.5, 0.5])
        self.assert_line(axes, "slow", [1, 1, 4, 6], [0, 0.25, 0.5, 0.5])
        self.assertEqual(lines(axes)["fast"].get_drawstyle(), "steps-post")
        self.assertEqual(axes.get_xscale(), "log")
        self.assert_labels(axes, "time over that of the fastest solver", "share of problems solved")
        self.assertEqual(axes.get_title(), "4 problems")

    def test_of_one_solver_is_over_seconds(self):
        one = "\n".join(row for row in ROWS.splitlines() if "slow" not in row)
        axes = self.axes_of(self.times(one))
        self.assert_line(axes, "fast", [1 / 1.5, 1, 3, 4.5], [0, 0.25, 0.5, 0.5])
        self.assert_labels(axes, "time [s]", "share of problems solved")
        self.assertEqual(axes.get_title(), "4 problems by fast")

    def test_solvers_beyond_the_colours_are_told_apart_by_dashes(self):
        times = {f"solver{k}": {"a": k + 1.0} for k in range(8)}
        drawn = lines(self.axes_of(times))
        self.assertEqual(len(shown(self.axes_of(times))), 8)
        looks = {(line.get_color(), line.get_linestyle()) for line in drawn.values()}
        self.assertEqual(len(looks), 8)

    def test_a_solver_that_solved_nothing_stays_at_zero(self):
        times = {"good": {"a": 1.0}, "bad": {"a": np.inf}}
        self.assert_line(self.axes_of(times), "bad", [1, 2], [0, 0])

    def test_a_table_without_a_solved_problem_is_refused(self):
        with self.assertRaisesRegex(profile.PictureError, "has no solved problem"):
            self.times("problem,solver,status,seconds\nbroken,,bad_input,\n")


if __name__ == "__main__":
    main()

"""The figure of scree study accuracy has the deviations of each answer over E_s."""

from drawing import DrawingTest, main, np, write_table

import accuracy_pictures as pictures

# Two answers; of each the first case, by two fillings, is what the others are compared with.
ROWS = {
    "answer": ["rate"] * 6 + ["angle"] * 6,
    "problem": ["flow"] * 6 + ["heap"] * 6,
    "seed": [1, 2] * 6,
    "unit": ["1/s"] * 6 + ["degrees"] * 6,
    "h": [0.02, 0.02, 0.02, 0.02, 0.04, 0.04] * 2,
    "asked": ["fine", "fine", "draft", "draft", "draft", "draft"] * 2,
    "value": [9, 11, 12, 12, 8, 8] + [20, 20, 21, 21, 20, 20],
    "residual": [0.001, 0.003, 0.1, 0.1, 0.2, 0.4] * 2,
    "verdict": ["met", "missed", "met", "met", "met", "met"] * 2,
    "sweeps": [100, 100, 10, 10, 12, 12] * 2,
    "overlap": [0.001, 0.002, 0.01, 0.01, 0.02, 0.03] * 2,
}


class AccuracyPictures(DrawingTest):

    def answers(self, rows=ROWS):
        path = self.directory / "answers.csv"
        write_table(path, rows)
        return pictures.Answers(path)

    def test_compares_means_over_fillings_with_the_first_case(self):
        fine, draft, long_step = self.answers().summary("rate")
        self.assertEqual((fine["mean"], fine["error"]), (10, 1))
        self.assertAlmostEqual(draft["deviation"], 0.2)
        self.assertAlmostEqual(draft["deviation_error"], 0.1)
        self.assertAlmostEqual(long_step["deviation"], -0.2)
        self.assertAlmostEqual(long_step["residual"], 0.3)

    def test_draws_a_panel_an_answer_and_a_line_a_time_step(self):
        figure = self.figure_of(pictures.draw, self.answers(), self.directory / "accuracy.png")
        rate, angle = figure.axes
        self.assert_labels(rate, "mean E_s of the steps", "deviation [%]")
        self.assertEqual(rate.get_title(), "rate:\n10 1/s")
        self.assertEqual(rate.get_xscale(), "log")
        for axes, deviations in ((rate, [0, 20]), (angle, [0, 5])):
            _, labels = axes.get_legend_handles_labels()
            self.assertEqual(labels, ["h = 0.02 √(d/g)", "h = 0.04 √(d/g)"])
            x, y = axes.containers[0].lines[0].get_data()
            np.testing.assert_allclose(np.array(x, float), [0.002, 0.1])
            np.testing.assert_allclose(np.array(y, float), deviations)
        self.assertGreater((self.directory / "accuracy.png").stat().st_size, 10_000)

    def test_puts_all_answers_of_a_case_into_a_row(self):
        head, fine, draft, _ = pictures.table_of(self.answers())
        self.assertEqual(head[-2:], ["rate", "angle"])
        self.assertEqual(
            draft, ["0.02", "draft", "0.1", "10", "0.01", "4 of 4", "+20.0 ± 10.0", "+5.0 ± 0.0"])
        self.assertEqual(fine[5], "2 of 4")

    def test_counts_a_run_once_that_gives_two_answers(self):
        rows = {**ROWS, "problem": ["flow"] * 12}
        _, fine, _, long_step = pictures.table_of(self.answers(rows))
        self.assertEqual((fine[5], long_step[4]), ("1 of 2", "0.03"))

    def test_one_filling_has_no_error(self):
        one = {name: column[::2] for name, column in ROWS.items()}
        _, _, draft, _ = pictures.table_of(self.answers(one))
        self.assertEqual(draft[-2:], ["+33.3", "+5.0"])

    def test_refuses_a_table_without_answers_or_a_column(self):
        with self.assertRaisesRegex(pictures.PictureError, "has no answers"):
            self.answers({name: [] for name in ROWS})
        with self.assertRaisesRegex(pictures.PictureError, "has no column overlap"):
            self.answers({name: ROWS[name] for name in ROWS if name != "overlap"})


if __name__ == "__main__":
    main()

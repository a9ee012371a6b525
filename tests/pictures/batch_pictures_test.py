"""The plot of a batch has the means of its runs over the first varied number."""

import json

from drawing import DrawingTest, main, np

import batch_pictures as batch

HEAD = "run,friction,law,seed,status,time,energy_dissipated,bodies_left,kinetic_energy,residual\n"
ROWS = HEAD + """a,0.1,coulomb,1,done,1,2,0,0,1
b,0.1,coulomb,2,done,1,4,0,0,1
c,0.5,coulomb,1,done,1,10,0,0,1
d,0.5,coulomb,2,failed,,,,,
e,0.1,frictionless,1,done,1,1,0,0,1
f,0.1,frictionless,2,done,1,1,0,0,1
g,0.5,frictionless,1,done,1,1,0,0,1
h,0.5,frictionless,2,done,1,1,0,0,1
"""
PATHS = {
    "friction": "default_law.friction", "law": "default_law.law", "seed": "bodies[0].random.seed"
}


class BatchPictures(DrawingTest):

    def table(self, text=ROWS, paths=None):
        (self.directory / "table.csv").write_text(text)
        parameters = [{"path": p, "label": n} for n, p in (paths or PATHS).items()]
        (self.directory / "batch.json").write_text(
            json.dumps({"scene": "x/heap.yaml", "parameters": parameters}))
        return batch.Table(self.directory)

    def test_runs_that_differ_in_a_seed_alone_are_one_point_with_a_bar(self):
        curves = self.table().curves("energy_dissipated")
        self.assertEqual(list(curves), ["law = coulomb", "law = frictionless"])
        x, mean, deviation, runs = curves["law = coulomb"]
        np.testing.assert_array_equal(x, [0.1, 0.5])
        np.testing.assert_array_equal(mean, [3, 10])
        np.testing.assert_allclose(deviation, [np.sqrt(2), 0])
        np.testing.assert_array_equal(runs, [2, 1])

    def test_a_run_that_failed_is_told_in_the_caption(self):
        axes = self.figure_of(batch.draw, self.table(), ["energy_dissipated"]).axes[0]
        (caption,) = (text.get_text() for text in axes.texts)
        self.assertIn("7 of 8 runs", caption)
        self.assertIn("one standard deviation", caption)
        self.assert_labels(axes, "friction", "energy_dissipated")

    def test_unasked_it_draws_what_differs(self):
        self.assertEqual(self.table().figures(), ["energy_dissipated"])

    def test_where_only_words_are_varied_each_has_its_place(self):
        rows = HEAD + "a,1,coulomb,1,done,1,2,0,0,1\nb,1,frictionless,1,done,1,4,0,0,1\n"
        table = self.table(rows, {"law": "default_law.law"})
        axes = self.figure_of(batch.draw, table, ["energy_dissipated"]).axes[0]
        self.assertEqual([t.get_text() for t in axes.get_xticklabels()],
                         ["coulomb", "frictionless"])

    def test_seeds_alone_are_an_axis_of_their_own(self):
        rows = HEAD + "a,1,c,1,done,1,2,0,0,1\nb,1,c,2,done,1,4,0,0,1\n"
        self.assertEqual(self.table(rows, {"seed": "bodies[0].random.seed"}).x, "seed")

    def test_a_table_without_numbers_is_refused(self):
        rows = HEAD + "a,0.1,c,1,missing,,,,,\n"
        with self.assertRaisesRegex(batch.PictureError, "no run has a number"):
            batch.draw(self.table(rows), ["time"])
        with self.assertRaisesRegex(batch.PictureError, "no column speed"):
            batch.draw(self.table(), ["speed"])


if __name__ == "__main__":
    main()

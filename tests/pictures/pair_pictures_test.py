"""The pictures of pair_pictures.py show the forces of a pair."""

from drawing import DrawingTest, main

import numpy as np
import pair_pictures


class Pair(DrawingTest):

    def forces(self):
        return {
            "iter": [0, 1, 2], "contact": [0, 1, 1], "un": [0, 1e-6, 2e-6],
            **{f"Fn{axis}": [0, 0, 0] for axis in "xy"}, "Fnz": [0, 1, 2],
            **{f"Fs{axis}": [0, 0, 0] for axis in "yz"}, "Fsx": [0, -0.3,
                                                                 -0.4], "elastic_normal": [0, 1, 4],
            "elastic_shear": [0, 1, 2], "damped": [0, 0, 0], "slid": [0, 0, 1]
        }

    def test_draws_forces_over_the_overlap_and_over_steps(self):
        columns = {name: np.array(values, float) for name, values in self.forces().items()}
        figure = self.figure_of(pair_pictures.draw, columns, self.directory / "pair.png")
        over_overlap, over_time, shear, books = figure.axes
        (line,) = over_overlap.lines
        self.assertEqual(list(line.get_xdata()), [1, 2])
        self.assertEqual(list(line.get_ydata()), [1, 2])
        self.assertEqual(over_overlap.get_xlabel(), "overlap [µm]")
        names = [text.get_text() for text in over_time.get_legend().get_texts()]
        self.assertEqual(names, ["|F_n|", "|F_s|"])
        self.assertEqual(list(over_time.lines[1].get_ydata()), [0, 0.3, 0.4])
        self.assertEqual(list(shear.lines[0].get_ydata()), [0, -0.3, -0.4])
        self.assertEqual(list(books.lines[3].get_ydata()), [0, 0, 1])


if __name__ == "__main__":
    main()

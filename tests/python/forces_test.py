"""Forces of contacts that slide: none, one or several [Preclik11]."""

import unittest

import numpy
import scree
from program import main

PHI = numpy.radians(60)  # of the rod of [Preclik11]: m = 1, l = 2, I = 1/3, g = 1


def plane_body(points, inertia):
    """W of contacts with a floor, for a body of 1 kg that moves in the plane of x and z; `points`
    from its centre of mass. The second tangent moves nothing.
    """
    rows = []
    for x, z in points:
        rows += [(0, 1, -x), (1, 0, z), (0, 0, 0)]  # normal z, then x: rates of x, z, turn about y
    rows = numpy.array(rows, float)
    return rows @ numpy.diag([1, 1, 1 / inertia]) @ rows.T


class TheRod(unittest.TestCase):
    W = plane_body([(-numpy.cos(PHI), -numpy.sin(PHI))], 1 / 3)
    SLIP = [(-1, 0)]

    def forces(self, load, mu=1.5):
        return scree.forces.of_slide(self.W, [load], self.SLIP, mu)

    def test_has_no_force_where_it_is_pressed_on_in_the_paradox(self):
        self.assertAlmostEqual(
            scree.forces.normal_response(self.W, self.SLIP, 1.5)[0, 0], -0.1986, delta=1e-4)
        self.assertEqual(len(self.forces(-1.0)), 0)
        self.assertFalse(scree.forces.has_one(self.W, self.SLIP, 1.5))

    def test_has_two_forces_where_it_lifts_off_in_the_paradox(self):
        self.assertEqual(len(self.forces(1.5)), 2)
        self.assertEqual(self.forces(1.5)[0], 0)
        self.assertAlmostEqual(self.forces(7.5545 * 0.198557)[1, 0], 7.5545, delta=1e-3)

    def test_has_one_force_below_the_paradox(self):
        self.assertTrue(scree.forces.has_one(self.W, self.SLIP, 1.0))
        self.assertAlmostEqual(self.forces(-1.0, mu=1.0)[0, 0], 2.217, delta=1e-3)
        self.assertEqual(self.forces(1.0, mu=1.0).tolist(), [[0]])


class ABoxOnTwoLegs(unittest.TestCase):
    """A box slides to the right on legs at −1 and 1, with its centre of mass at a height h: it tips
    over the front leg where μ h > 1.
    """

    def forces(self, mu, height, inertia):
        W = plane_body([(-1, -height), (1, -height)], inertia)
        slip = [(1, 0), (1, 0)]
        return scree.forces.of_slide(W, [-9.81, -9.81], slip, mu), scree.forces.has_one(W, slip, mu)

    def test_loads_its_front_leg_more(self):
        forces, one = self.forces(0.5, 1.2, 0.7)
        numpy.testing.assert_allclose(forces, [[9.81 / 2 * (1 - 0.6), 9.81 / 2 * (1 + 0.6)]])
        self.assertTrue(one)

    def test_tips_over_by_one_force_if_it_is_heavy_to_turn(self):
        (forces,), one = self.forces(0.9, 2.0, 5.0)
        response = 1 + (1 - 1.8) / 5  # of the front leg alone
        numpy.testing.assert_allclose(forces, [0, 9.81 / response])
        self.assertTrue(one)

    def test_has_no_force_if_it_is_light_to_turn(self):
        forces, one = self.forces(0.9, 2.0, 0.7)
        self.assertEqual(len(forces), 0)
        self.assertFalse(one)


class Input(unittest.TestCase):

    def test_is_refused_if_it_is_no_slide(self):
        W = numpy.eye(3)
        cases = (((numpy.eye(4), [1], [(1, 0)], 0.5), "shape"), ((W, [1, 2], [
            (1, 0)
        ], 0.5), "shape"), ((W, [1], [(0, 0)], 0.5), "must slide"), ((W, [1], [
            (1, 0)
        ], -1), "not negative"), ((W * numpy.nan, [1], [(1, 0)], 0.5), "finite"),
                 ((numpy.eye(51), numpy.ones(17), numpy.ones((17, 2)), 0.5), "16 are the most"))
        for arguments, message in cases:
            with self.assertRaisesRegex(scree.InputError, message):
                scree.forces.of_slide(*arguments)


if __name__ == "__main__":
    main()

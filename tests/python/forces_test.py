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


def random_contacts(random, contacts):
    rows = random.normal(size=(3 * contacts, 6))
    return rows @ numpy.diag(random.uniform(0.1, 3, 6)) @ rows.T, random.normal(size=(contacts, 3))


class ContactsThatStick(unittest.TestCase):
    """At rest the problem of forces is that of impulses, whose solvers are others."""

    def test_have_all_forces_of_the_closed_form(self):
        random = numpy.random.default_rng(1)
        several = 0
        for mu in (0.5, 2, 4) * 12:
            W, b = random_contacts(random, 1)
            exact = scree.laws.all_solutions("coulomb", W, b[0], mu)["r"]
            found = scree.forces.of_contacts(W, b, [(0, 0)], mu)[:, 0]
            self.assertEqual(len(found), len(exact))
            several += len(exact) > 1
            for f in found:
                self.assertLess(numpy.abs(exact - f).max(axis=1).min(), 1e-8 * (1 + abs(f).max()))
        self.assertGreater(several, 0)

    def test_have_those_of_a_solver_that_knows_nothing_of_ways(self):
        random = numpy.random.default_rng(7)
        for _ in range(3):
            W, b = random_contacts(random, 2)
            mu = random.uniform(0.1, 1, 2)
            found = scree.forces.of_contacts(W, b, numpy.zeros((2, 2)), mu)
            solved = scree.Problem(W, b.ravel(), mu).solve(tolerance=1e-11).r
            self.assertLess(numpy.abs(found - solved).max(axis=(1, 2)).min(), 1e-7)

    def test_hold_a_box_on_a_slope_until_the_angle_of_friction(self):
        W = plane_body([(-1, -0.5), (1, -0.5)], 1.0)
        for slope, slides in ((0.49, False), (0.51, True)):
            b = [(-1, slope, 0), (-1, slope, 0)]
            forces, = scree.forces.of_contacts(W, b, numpy.zeros((2, 2)), 0.5)
            a = W @ forces.ravel() + numpy.ravel(b)
            self.assertAlmostEqual(a[1], 0.01 if slides else 0, delta=1e-9)

    def test_beside_one_that_slides_have_the_forces_of_each(self):
        W = numpy.zeros((6, 6))
        W[:3, :3], W[3:, 3:] = TheRod.W, numpy.eye(3)
        forces = scree.forces.of_contacts(W, [(1.5, 0, 0), (-2, 0.3, 0)], [(-1, 0), (0, 0)], 1.5)
        self.assertEqual(len(forces), 2)
        for f in forces:
            numpy.testing.assert_allclose(f[1], (2, -0.3, 0), atol=1e-9)
        most = scree.forces.most_dissipative(W, [(1.5, 0, 0), (-2, 0.3, 0)], [(-1, 0), (0, 0)], 1.5)
        self.assertGreater(most[0, 0], 1)
        self.assertIsNone(scree.forces.most_dissipative(TheRod.W, [(-1, 0, 0)], [(-1, 0)], 1.5))


class Input(unittest.TestCase):

    def test_is_refused_if_it_has_too_many_ways(self):
        with self.assertRaisesRegex(scree.InputError, "of which 8 stick"):
            scree.forces.of_contacts(numpy.eye(24), numpy.zeros((8, 3)), numpy.zeros((8, 2)), 0.5)
        with self.assertRaisesRegex(scree.InputError, r"\(n, 3\)"):
            scree.forces.of_contacts(numpy.eye(3), [1], [(0, 0)], 0.5)

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

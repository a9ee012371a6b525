"""The limit of contact laws for small steps, by searches that know nothing of their equations."""

import unittest
import warnings

import numpy
import scree
from program import SOURCE, main

SCENE = {
    "scree": 1, "name": "limits", "until": "6 ms", "step": {"h": "1 ms"},
    "gravity": [4.1458851476763852, 0,
                -8.8908796093954106], "materials": {"stone": {"density": 2000}},
    "obstacles": [{"half_space": {"point": [0, 0, 0], "normal": [0, 0, 1]}}]
}
BOX = {"box": {"position": [0, 0, 0.05], "size": [0.2, 0.2, 0.1], "velocity": [0.5, 0, 0]}}
AXES = [0.1, 0.05, 0.03]  # of a stone [m]


def random_slide(random):
    """W and mu of a contact with a Painlevé number below 1, load and slip."""
    factor = random.normal(size=(3, 3))
    W = factor @ factor.T + 0.3 * numpy.eye(3)
    mu = random.uniform(0.05, 0.9) * W[0, 0] / numpy.hypot(W[0, 1], W[0, 2])
    return W, mu, random.uniform(0.5, 2), random.normal(size=2)


def most_dissipative(W, q, mu):
    """Impulse of least energy where the plane u_n = 0 cuts the surface of the cone: a search over
    the angle of friction.
    """
    middle, width = 0.0, numpy.pi
    for _ in range(14):
        angles = middle + width * numpy.linspace(-1, 1, 401)
        rays = numpy.stack(
            [numpy.ones_like(angles), mu * numpy.cos(angles), mu * numpy.sin(angles)])
        r = -q[0] / (W[0] @ rays) * rays
        energies = 0.5 * numpy.einsum("ik,ij,jk->k", r, W, r) + q @ r
        best = numpy.argmin(energies)
        middle, width = angles[best], width / 100
    return r[:, best]


def sine_of_deviation(r, u):
    """Sine of the angle from −u_t to friction."""
    friction, against = r[1:] / numpy.linalg.norm(r[1:]), -u[1:] / numpy.linalg.norm(u[1:])
    return against[0] * friction[1] - against[1] * friction[0]


class ASlide(unittest.TestCase):

    def test_by_max_dissipation_has_friction_off_the_slip_by_an_angle_that_no_step_changes(self):
        random = numpy.random.default_rng(1)
        for _ in range(60):
            W, mu, load, slip = random_slide(random)
            for h in (1e-1, 1e-3, 1e-6):
                q = numpy.array([-h * load, *slip])
                searched = most_dissipative(W, q, mu)
                u = W @ searched + q
                if u[1:] @ searched[1:] >= 0 or numpy.linalg.norm(u[1:]) < 0.1:
                    continue  # the contact sticks, or nearly
                against = -u[1:] / numpy.linalg.norm(u[1:])
                across = W[0, 1:] @ [-against[1], against[0]]
                wanted = -mu * across / W[0, 0]
                self.assertAlmostEqual(sine_of_deviation(searched, u), wanted, delta=1e-6)
                answer, = scree.laws.solve("max_dissipation", W, q, mu)
                self.assertAlmostEqual(sine_of_deviation(answer["r"], answer["u"]), wanted,
                                       delta=1e-8)
                answer, = scree.laws.solve("coulomb", W, q, mu)
                self.assertAlmostEqual(sine_of_deviation(answer["r"], answer["u"]), 0, delta=1e-8)


class ImpactDissipation(unittest.TestCase):
    LAWS = ("coulomb", "max_dissipation", "impact_dissipation")

    def after(self, steps, body):
        """Velocity and spin after some steps by coulomb, max_dissipation and impact_dissipation."""
        for law in self.LAWS:
            simulation = scree.Simulation(
                {**SCENE, "bodies": [body], "default_law": {"law": law, "friction": 0.4}})
            for _ in range(steps):
                simulation.step()
            yield (*simulation.columns.velocities[0], *simulation.columns.angular_velocities[0])

    def stone(self, speed):
        """A stone that strikes the floor in its third and fourth steps, at this speed [m/s]."""
        turn = numpy.array([0.8, 0.4, -0.3, 0.33]) / numpy.linalg.norm([0.8, 0.4, -0.3, 0.33])
        w, x, y, z = turn
        up = numpy.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
        height = numpy.linalg.norm(up * AXES) + 2.5e-3 * speed
        return {
            "solid": {
                "shape": {"ellipsoid": {"semi_axes": AXES}}, "position": [0, 0, float(height)],
                "velocity": [5, -2, -speed], "orientation": turn.tolist()
            }
        }

    def test_is_max_dissipation_where_a_stone_strikes(self):
        coulomb, max_dissipation, impact_dissipation = self.after(4, self.stone(1.0))
        self.assertEqual(impact_dissipation, max_dissipation)
        self.assertNotEqual(impact_dissipation, coulomb)

    def test_is_the_same_for_who_moves_with_the_floor(self):
        floor = SCENE["obstacles"][0]["half_space"]
        ends = []
        for drift in ([0, 0, 0], [2, 1, 0.5]):
            stone = self.stone(1.0)
            stone["solid"]["velocity"] = numpy.add([5, -2, -1], drift).tolist()
            simulation = scree.Simulation({
                **SCENE, "bodies": [stone],
                "obstacles": [{"half_space": {**floor, "motion": {"velocity": drift}}}],
                "default_law": {"law": "impact_dissipation", "friction": 0.4}
            })
            for _ in range(4):
                simulation.step()
            ends.append([
                *(simulation.columns.velocities[0] - drift),
                *simulation.columns.angular_velocities[0]
            ])
        numpy.testing.assert_allclose(*ends, atol=1e-9)

    def test_is_coulombs_law_where_a_box_slides(self):
        coulomb, max_dissipation, impact_dissipation = self.after(6, BOX)
        self.assertEqual(impact_dissipation, coulomb)
        self.assertGreater(max_dissipation[0] - coulomb[0], 5e-5)

    def test_of_a_single_contact_is_that_of_an_impact(self):
        random = numpy.random.default_rng(2)
        for _ in range(20):
            W, mu, load, slip = random_slide(random)
            answers = [
                scree.laws.solve(law, W, [-load, *slip], mu)[0]["r"].tolist()
                for law in ("max_dissipation", "impact_dissipation")
            ]
            self.assertEqual(*answers)


class TheLoopOfLoadAndFriction(unittest.TestCase):

    def test_converges_to_the_force_of_a_slide_where_the_painleve_number_is_below_one(self):
        # The rod at 60° that slides with −1 m/s: friction presses its end into the plane.
        W = numpy.array([[1.75, -0.75 * 3**0.5, 0], [-0.75 * 3**0.5, 3.25, 0], [0, 0, 4]])
        h = 1e-9
        for mu, converges in ((1.0, True), (1.5, False)):
            answer, = scree.laws.solve("coulomb", W, [-h, -1, 0], mu)
            load, loads = 0.0, []
            for _ in range(200):
                load = (1 + mu * 0.75 * 3**0.5 * load) / 1.75
                loads.append(load)
            factor = (loads[2] - loads[1]) / (loads[1] - loads[0])
            self.assertAlmostEqual(factor, answer["painleve"], delta=1e-12)
            self.assertEqual(factor < 1, converges)
            if converges:
                self.assertAlmostEqual(load, answer["r"][0] / h, delta=1e-6)
            else:
                self.assertGreater(load, 1e6)
                self.assertGreater(answer["r"][0], 0.3)  # an impulse


class PublishedBodies(unittest.TestCase):

    def test_six_masses_lose_the_energy_of_the_printed_table(self):
        for law, energy in (("max_dissipation", -0.6340074166739579), ("cone_complementarity",
                                                                       -0.7628644241183583)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the friction, and of parts without a rod
                simulation = scree.Simulation(SOURCE / "studies/academic/six_masses.yaml",
                                              {"default_law.law": law})
            before = simulation.columns.velocities[0].copy()
            simulation.step()
            after, spin = simulation.columns.velocities[0], simulation.columns.angular_velocities[0]
            change = 0.5 * (230.06 * (after @ after - before @ before) +
                            numpy.array([230, 106, 136]) @ spin**2)
            self.assertAlmostEqual(change, energy, delta=1e-9, msg=law)

    def test_the_rod_that_jams_gets_the_printed_impulse_of_a_step(self):
        simulation = scree.Simulation(SOURCE / "studies/painleve/rod.yaml")
        simulation.step()
        x, _, z = simulation.columns.velocities[0]
        self.assertAlmostEqual(z + 0.01, 0.3328845264, delta=1e-9)
        self.assertAlmostEqual(x + 1, 0.4407475953, delta=1e-9)


class AnOverlap(unittest.TestCase):

    def test_is_undone_in_one_step_where_error_reduction_is_one(self):
        ball = {"position": [0, 0, 0.099], "radius": 0.1}
        simulation = scree.Simulation({
            **SCENE, "gravity": [0, 0, 0], "allow_overlap": "2 mm", "bodies": [{"sphere": ball}],
            "default_law": {"law": "cone_complementarity", "friction": 0.4},
            "step": {"h": "1 ms", "error_reduction": 1, "recovery_speed": 10}
        })
        simulation.step()
        self.assertAlmostEqual(simulation.columns.positions[0, 2], 0.1, delta=1e-12)


class TheGyroscopicTerm(unittest.TestCase):

    def test_of_the_source_is_that_of_the_start_of_the_step(self):
        spin, size = [3.0, 4.0, 5.0], [0.3, 0.2, 0.1]
        box = {"position": [0, 0, 1], "size": size, "angular_velocity": spin}
        simulation = scree.Simulation({
            **SCENE, "gravity": [0, 0, 0], "step": {"h": "1 ms", "free_rotation": "explicit"},
            "bodies": [{"box": box}], "default_law": {"law": "coulomb", "friction": 0.4}
        })
        simulation.step()
        moments = numpy.dot(size, size) - numpy.square(size)
        change = -1e-3 * numpy.cross(spin, moments * spin) / moments
        numpy.testing.assert_allclose(simulation.columns.angular_velocities[0], spin + change,
                                      rtol=1e-12)


if __name__ == "__main__":
    main()

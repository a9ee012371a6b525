"""Contacts whose law has several solutions, by every method; slides on their way into Painlevé's
paradox; blocks of space.
"""

import unittest

import numpy
import scree
from program import SOURCE, main

SIX_MASSES = SOURCE / "studies/academic/six_masses.yaml"
ROD = SOURCE / "studies/painleve/rod.yaml"
METHODS = ("gauss_seidel", "auto", "psor", "jacobi", "newton", "newton_fischer_burmeister",
           "interior_point", "admm")


def impact(**settings):
    """The impact of the six masses by Coulomb's law: energy that it dissipates, and report."""
    changes = {key.replace("__", "."): value for key, value in settings.items()}
    simulation = scree.Simulation(SIX_MASSES, {"default_law.law": "coulomb", **changes})
    report = simulation.step()
    return report.dissipated_energy, report


class AnImpactWithThreeSolutions(unittest.TestCase):
    """[Preclik18, Table 1]: 0.252, 0.393 or 0.631 J."""

    def test_takes_that_of_the_policy_by_every_method(self):
        for policy, energy in (("dissipation", 0.63096), ("min_impulse", 0.25170), ("continuity",
                                                                                    0.25170)):
            for method in METHODS:
                lost, report = impact(solver__method=method, default_law__policy=policy)
                self.assertTrue(report.converged, method)
                self.assertAlmostEqual(lost, energy, delta=1e-5, msg=f"{policy} by {method}")

    def test_takes_the_most_dissipative_by_default_and_is_counted(self):
        lost, report = impact()
        self.assertAlmostEqual(lost, 0.63096, delta=1e-5)
        self.assertEqual(report.findings["several_solutions"], 1)

    def test_has_no_policy_under_another_law(self):
        with self.assertRaisesRegex(scree.SceneError, "policy chooses among the solutions of"):
            scree.Simulation(SIX_MASSES, {"default_law.policy": "continuity"})


class ARodThatSlides(unittest.TestCase):
    """[Preclik11, §2]: A = W_nn (1 − p), with a rod of m = 1 and l = 2 at 60°."""

    def test_has_the_painleve_number_along_its_slip(self):
        for friction in (0.5, 1.0, 1.5):
            simulation = scree.Simulation(ROD, {"default_law.friction": friction})
            number = simulation.step().findings["painleve"]
            sine, cosine = numpy.sqrt(0.75), 0.5
            self.assertAlmostEqual(number, friction * 3 * sine * cosine / (1 + 3 * cosine**2),
                                   delta=1e-6)

    def test_has_none_where_it_leans_at_rest(self):
        simulation = scree.Simulation(ROD, {"bodies[0].solid.velocity": [0, 0, 0]})
        self.assertEqual(simulation.step().findings["painleve"], 0)


class BlocksOfSpace(unittest.TestCase):
    """Gauss–Seidel inside them, weighted Jacobi between them."""
    PILE = {
        "scree": 1, "name": "pile", "until": "10 ms", "step": {"h": "1 ms"},
        "solver": {"method": "jacobi", "tolerance": 1e-8,
                   "max_sweeps": 100000}, "materials": {"stone": {"density": 2000}},
        "default_law": {"law": "coulomb", "friction": 0.5}, "bodies": [{
            "sphere": {
                "position": [0.02 * i + 0.002 * k, 0.02 * j, 0.01 + 0.0199 * k], "radius": 0.01,
                "velocity": [0.1 * k, 0, -0.2 * k]
            }
        } for i in range(4) for j in range(3) for k in range(3)],
        "obstacles": [{"half_space": {"point": [0, 0, 0], "normal": [0, 0, 1]}}]
    }

    def step(self, **solver):
        simulation = scree.Simulation(self.PILE,
                                      {f"solver.{key}": value for key, value in solver.items()})
        report = simulation.step()
        return simulation.columns.velocities.copy(), report

    def test_change_the_number_of_sweeps_and_not_the_answer(self):
        expected, _ = self.step(method="gauss_seidel")
        sweeps = []
        for blocks in ([1, 1, 1], [2, 1, 1], [4, 3, 1], [1000, 1000, 1000]):
            velocities, report = self.step(blocks=blocks)
            self.assertTrue(report.converged, blocks)
            numpy.testing.assert_allclose(velocities, expected, atol=1e-6)
            sweeps.append(report.sweeps)
        self.assertEqual(sweeps, sorted(sweeps))
        self.assertLess(2 * sweeps[0], sweeps[-1])

    def test_are_refused_where_they_have_no_use(self):
        for settings, message in (({"method": "gauss_seidel",
                                    "blocks": [2, 1, 1]}, "blocks are for the method jacobi"),
                                  ({"method": "newton", "relaxation": 0.7},
                                   "relaxation is for the methods psor and jacobi"),
                                  ({"blocks": [2, 1]}, "blocks"), ({"blocks": [0, 1, 1]}, "blocks"),
                                  ({"relaxation": 2}, "relaxation")):
            with self.assertRaisesRegex(scree.SceneError, message):
                self.step(**settings)

    def test_of_a_problem_from_arrays_are_labels(self):
        random = numpy.random.default_rng(3)
        factor = random.normal(size=(12, 14))
        problem = scree.Problem(factor @ factor.T, random.normal(size=12), 0.3)
        one, sweeps = (problem.solve(solver, tolerance=1e-300, max_iterations=10, **more)
                       for solver, more in (("jacobi", {"subdomains": [7] * 4, "relaxation": 1}),
                                            ("gauss_seidel", {})))
        numpy.testing.assert_array_equal(one.r, sweeps.r)
        for labels, message in (([0] * 3, "3 labels of subdomains for 4"), ([-1] * 4, "negative")):
            with self.assertRaisesRegex(scree.InputError, message):
                problem.solve("jacobi", subdomains=labels)


if __name__ == "__main__":
    main()

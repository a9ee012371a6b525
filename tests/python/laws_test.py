"""Single contacts in batches, and problems of many contacts."""

import csv
import subprocess
import unittest
import warnings

import numpy
import scree
from program import PROGRAM, SOURCE, main


def random_contacts(count, seed=1):
    """W, q and mu of contacts of all kinds, some beyond Painlevé's limit."""
    random = numpy.random.default_rng(seed)
    factors = random.normal(size=(count, 3, 3))
    W = factors @ factors.transpose(0, 2, 1) + 0.3 * numpy.eye(3)
    return W, random.normal(size=(count, 3)), random.uniform(0, 1.5, count)


class Laws(unittest.TestCase):

    def test_a_batch_is_what_the_program_answers_for_each_contact(self):
        file = SOURCE / "studies/academic/contacts.csv"
        rows = [
            row for row in csv.DictReader(line
                                          for line in file.read_text(encoding="utf-8").splitlines()
                                          if line and not line.startswith("#"))
        ]
        entries = (("nn", "nt", "no"), ("nt", "tt", "to"), ("no", "to", "oo"))
        W = [[[float(row[f"W_{entry}"]) for entry in line] for line in entries] for row in rows]
        q = [[float(row[f"q_{axis}"]) for axis in "nto"] for row in rows]
        mu = [float(row["mu"]) for row in rows]
        for law in scree.laws.NAMES[:6]:
            reported = subprocess.run(
                [PROGRAM, "contact", str(file), "--law", law], capture_output=True, text=True,
                check=False).stdout
            expected = [row for row in csv.DictReader(reported.splitlines()) if row.get("status")]
            answers = scree.laws.solve(law, W, q, mu)
            self.assertEqual(len(expected), len(answers))
            for row, answer in zip(expected, answers):
                for vector in "ru":
                    self.assertEqual([float(row[f"{vector}_{axis}"]) for axis in "nto"],
                                     answer[vector].tolist(), law)
                self.assertEqual(row["kind"], scree.CONTACT_CLASSES[answer["kind"]])
                self.assertEqual(row["status"], scree.laws.STATUS[answer["status"]])
                self.assertEqual(float(row["energy"]), answer["energy"])

    def test_answers_are_of_contacts_and_obey_their_laws(self):
        W, q, mu = random_contacts(500)
        for law in scree.laws.NAMES:
            answers = scree.laws.solve(law, W, q, mu)
            solved = answers["status"] == 0
            self.assertGreater(solved.mean(), 0.9, law)
            r, u = answers["r"][solved], answers["u"][solved]
            numpy.testing.assert_allclose(u,
                                          numpy.einsum("kij,kj->ki", W[solved], r) + q[solved],
                                          atol=1e-9)
            self.assertLess(answers["residual"][solved].max(), 1e-6, law)
            if law == "bilateral":
                numpy.testing.assert_allclose(u, 0, atol=1e-9)
                continue
            self.assertGreaterEqual(r[:, 0].min(), 0, law)
            slip = numpy.hypot(r[:, 1], r[:, 2])
            bound = 0 * mu[solved] if law == "frictionless" else mu[solved]
            self.assertLess((slip - bound * r[:, 0]).max(), 1e-9, law)
            numpy.testing.assert_allclose(answers["energy"][solved],
                                          0.5 * numpy.einsum("ki,ki->k", r, u + q[solved]),
                                          atol=1e-9)

    def test_one_of_them_for_all_is_each_of_them(self):
        W, q, mu = random_contacts(20)
        alike = scree.laws.solve("coulomb", W[0], q, 0.4)
        for k, answer in enumerate(alike):
            single, = scree.laws.solve("coulomb", W[0], q[k], 0.4)
            self.assertEqual(str(single), str(answer))
            self.assertEqual(single["r"].tolist(), answer["r"].tolist())
        self.assertEqual(scree.laws.solve("coulomb", W, q[0], mu).shape, (20,))

    def test_all_solutions_hold_the_one_that_is_taken(self):
        W, q, mu = random_contacts(300, seed=3)
        several = 0
        for k in range(300):
            found = scree.laws.all_solutions("coulomb", W[k], q[k], mu[k])
            taken, = scree.laws.solve("coulomb", W[k], q[k], mu[k])
            several += len(found) > 1
            if taken["status"] == 0:
                self.assertEqual(taken["solutions"], len(found))
                distance = numpy.abs(found["r"] - taken["r"]).max(axis=1).min()
                self.assertLess(distance, 1e-6 * (1 + numpy.abs(taken["r"]).max()))
        self.assertGreater(several, 0)

    def test_the_start_decides_where_continuity_is_asked_for(self):
        W, q, mu = random_contacts(300, seed=3)
        for k in range(300):
            for answer in scree.laws.all_solutions("coulomb", W[k], q[k], mu[k]):
                taken, = scree.laws.solve("coulomb", W[k], q[k], mu[k], start=answer["r"],
                                          choice="continuity")
                numpy.testing.assert_allclose(taken["r"], answer["r"], atol=1e-6, rtol=1e-6)

    def test_what_is_no_contact_is_refused(self):
        W = numpy.eye(3)
        for words, call in (("no rigid law 'glue'", lambda: scree.laws.solve("glue", W, [0, 0, 0])),
                            ("no rigid law 'hertz",
                             lambda: scree.laws.solve("hertz_mindlin", W, [0, 0, 0])),
                            (r"W has the shape \(2, 2\)",
                             lambda: scree.laws.solve("coulomb", W[:2, :2], [0, 0, 0])),
                            (r"q has the shape \(2,\)",
                             lambda: scree.laws.solve("coulomb", W, [0, 0])),
                            ("not symmetric",
                             lambda: scree.laws.solve("coulomb", W + numpy.eye(3, k=1), [0, 0, 0])),
                            ("finite and not negative",
                             lambda: scree.laws.solve("coulomb", W, [0, 0, 0], -1)),
                            ("finite and not negative",
                             lambda: scree.laws.solve("coulomb", W, [0, 0, 0], float("nan"))),
                            ("mu has the shape",
                             lambda: scree.laws.solve("coulomb", W, [0, 0, 0], [[1]])),
                            (r"q has the shape \(4, 3\); it must be \(3,\) or \(2, 3\)",
                             lambda: scree.laws.solve("coulomb", [W, W], numpy.zeros(
                                 (4, 3)), [1, 1])),
                            ("facets",
                             lambda: scree.laws.solve("polyhedral", W, [0, 0, 0], facets=3)),
                            ("choice",
                             lambda: scree.laws.solve("coulomb", W, [0, 0, 0], choice="best"))):
            with self.assertRaisesRegex(scree.InputError, words):
                call()

    def test_trouble_is_told_by_the_status(self):
        answer, = scree.laws.solve("coulomb", -numpy.eye(3), [-1, 0, 0], 0.3)
        self.assertEqual(scree.laws.STATUS[answer["status"]], "ill_posed")
        self.assertEqual(answer["r"].tolist(), [0, 0, 0])


class Problems(unittest.TestCase):

    def test_a_file_of_fclib_is_solved_as_by_the_program(self):
        solution = scree.solve(SOURCE / "tests/data/fclib/Rover3865.hdf5", tolerance=1e-10)
        self.assertEqual(solution.status, "converged")
        self.assertLessEqual(solution.residual, 1e-10)
        self.assertEqual(len(solution.r), len(solution.residuals))
        self.assertEqual(solution.history[-1, 1], solution.residual)
        self.assertEqual(solution.contradictory_contacts, [])

    def test_contacts_that_do_not_touch_each_other_are_single_contacts(self):
        W, q, _ = random_contacts(4, seed=5)
        whole = numpy.zeros((12, 12))
        for k in range(4):
            whole[3 * k:3 * k + 3, 3 * k:3 * k + 3] = W[k]
        solution = scree.solve(whole, q.ravel(), 0.2, tolerance=1e-12)
        alone = scree.laws.solve("coulomb", W, q, 0.2)
        numpy.testing.assert_allclose(solution.r, alone["r"], atol=1e-9)
        numpy.testing.assert_allclose(solution.u.ravel(), whole @ solution.r.ravel() + q.ravel(),
                                      atol=1e-12)
        self.assertEqual(solution.kinds.tolist(), alone["kind"].tolist())

    def test_solvers_agree_where_there_is_one_answer(self):
        W, q, _ = random_contacts(1, seed=7)
        problem = scree.Problem(W[0], q[0], 0.1, law="cone_complementarity")
        answers = [
            problem.solve(solver, tolerance=1e-10).r for solver in ("auto", "gauss_seidel", "apgd")
        ]
        for answer in answers[1:]:
            numpy.testing.assert_allclose(answer, answers[0], atol=1e-8)

    def test_lemkes_answer_is_of_the_law_that_it_solves_though_no_impulse_has_less_residual(self):
        W = numpy.array([[0.8619907007924331, 0.06948554307697678, 0.2211951308571858],
                         [0.06948554307697678, 0.7683445489547382, 0.01792102975013237],
                         [0.2211951308571858, 0.01792102975013237, 0.06139517081676399]])
        q = [-0.05993709905167472, 0.7353535391811254, 0.04650501662254124]
        for facets in (8, 16, 64):
            solution = scree.solve(W, q, 3.6, solver="lemke", facets=facets)
            self.assertGreater(solution.r[0, 0], 0.01)
            self.assertAlmostEqual(solution.u[0, 0], 0, delta=1e-9)

    def test_an_asymmetric_matrix_is_solved_with_a_warning(self):
        W = numpy.eye(3)
        W[0, 1] = 0.3
        with self.assertWarnsRegex(UserWarning, r"W is not symmetric: its entries at \(0, 1\)"):
            scree.solve(W, [-1, 0, 0], 0.3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            scree.solve(numpy.eye(3), [-1, 0, 0], 0.3)

    def test_complex_numbers_are_refused(self):
        for W, q in ((1j * numpy.eye(3), [-1, 0,
                                          0]), (numpy.eye(3), [-1j, 0,
                                                               0]), (numpy.eye(3), ["1", "0",
                                                                                    "0"])):
            with self.assertRaisesRegex(TypeError, "real numbers"):
                scree.solve(W, q, 0.3)

    def test_what_is_no_problem_is_refused(self):
        W = numpy.eye(3)
        problem = scree.Problem(W, [-1, 0, 0], 0.3)
        for words, call in (
            ("no rigid law", lambda: scree.Problem(W, [0, 0, 0], 0.3, law="glue")),
            ("it must be", lambda: scree.Problem(numpy.ones(
                (3, 2)), [0, 0, 0], 0.3)), ("3 n", lambda: scree.Problem(W, [0, 0], 0.3)),
            ("mu has the shape", lambda: scree.Problem(W, [0, 0, 0], [0.1, 0.2])),
            ("negative", lambda: scree.Problem(W, [0, 0, 0], -0.3)),
            ("no solver 'best'",
             lambda: problem.solve("best")), ("tolerance", lambda: problem.solve(tolerance=0)),
            ("does not take the law",
             lambda: scree.Problem(W, [-1, 0, 0], 0.3, law="max_dissipation").solve("apgd"))):
            with self.subTest(words), self.assertRaisesRegex(scree.InputError, words):
                call()
        with self.assertRaises(scree.OutputError):
            scree.Problem.read("nowhere.hdf5")

    def test_a_problem_without_a_solution_is_told(self):
        # Two contacts of one body with opposite normals that must both open.
        W = numpy.kron(numpy.array([[1, -1], [-1, 1]]), numpy.eye(3))
        solution = scree.solve(W, [-1, 0, 0, -1, 0, 0], 0.1)
        self.assertNotEqual(solution.status, "converged")


if __name__ == "__main__":
    main()

"""Measures the solution files of scree solve from the files alone."""

import unittest

from program import main
from solves import ALL, BODIES, DATA, OBJECT, ROVER, SOLVERS, SolveTest

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None


@unittest.skipUnless(h5py, "apt install python3-h5py python3-numpy")
class SolutionFile(SolveTest):
    """The answer, judged by the files alone."""

    def matrix(self, group):
        rows, columns, nz = (int(group[name][()][0]) for name in ("m", "n", "nz"))
        p, i, x = (group[name][()] for name in "pix")
        dense = np.zeros((rows, columns))
        if nz >= 0:
            np.add.at(dense, (i[:nz], p[:nz]), x[:nz])
        else:
            lines = np.repeat(np.arange(len(p) - 1), np.diff(p))
            count = p[-1]
            np.add.at(dense, (lines, i[:count]) if nz == -2 else (i[:count], lines), x[:count])
        return dense

    def equations(self, path):
        """W, q, mu."""
        with h5py.File(path) as file:
            if "fclib_local" in file:
                problem = file["fclib_local"]
                return self.matrix(
                    problem["W"]), problem["vectors/q"][()], problem["vectors/mu"][()]
            problem = file["fclib_global"]
            M, H = self.matrix(problem["M"]), self.matrix(problem["H"])
            if not np.triu(M, 1).any() or not np.tril(M, -1).any():
                M = M + M.T - np.diag(np.diag(M))
            W, free = H.T @ np.linalg.solve(M, H), H.T @ np.linalg.solve(
                M, problem["vectors/f"][()])
            return W, free + problem["vectors/w"][()], problem["vectors/mu"][()]

    def solution(self, path):
        with h5py.File(self.directory / path) as file:
            return file["solution/r"][()], file["solution/u"][()]

    def project(self, r, mu):
        """On the cones |r_t| <= mu r_n, case by case."""
        result = np.zeros_like(r)
        for k, (x, m) in enumerate(zip(r, mu)):
            t = np.hypot(x[1], x[2])
            if t <= m * x[0]:
                result[k] = x
            elif x[0] + m * t > 0:
                n = (x[0] + m * t) / (1 + m * m)
                result[k] = (n, *(m * n / t * x[1:])) if t > 0 else (n, 0, 0)
        return result

    def residuals(self, path, r, law):
        """E_s and E of the impulses."""
        W, q, mu = self.equations(path)
        u = W @ r + q
        v, x = u.reshape(-1, 3).copy(), r.reshape(-1, 3)
        if law == "coulomb":
            v[:, 0] += mu * np.hypot(v[:, 1], v[:, 2])
        rho = 3 / np.diag(W).reshape(-1, 3).sum(axis=1)[:, None]
        e = (x - self.project(x - rho * v, mu)) / rho
        e[:, 1:] /= np.where(mu > 0, np.minimum(mu, 1), 1)[:, None]
        q = q.reshape(-1, 3)
        parting = mu * np.hypot(q[:, 1], q[:, 2]) if law == "cone_complementarity" else 0
        scaled = np.linalg.norm(e) / np.linalg.norm(np.maximum(parting - q[:, 0], 0))
        largest = max(np.linalg.norm(a) for a in (q, r, u))
        return scaled, np.linalg.norm(x - self.project(x - v, mu)) / largest

    def test_obeys_the_law_by_every_solver(self):
        for path in ALL:
            for law, solvers in (("coulomb", SOLVERS[:3]), ("cone_complementarity",
                                                            ("auto", "interior_point", "admm"))):
                for solver in solvers:
                    with self.subTest(path=path.name, law=law, solver=solver):
                        reported = self.solve(path, "--law", law, "--solver", solver, "--out",
                                              "solution.hdf5", "--max-seconds", "5", status=None)
                        r, u = self.solution("solution.hdf5")
                        scaled, fclib = self.residuals(path, r, law)
                        self.assertAlmostEqual(scaled, reported["residual_scaled"],
                                               delta=1e-12 + 1e-6 * scaled)
                        self.assertAlmostEqual(fclib, reported["residual_fclib"],
                                               delta=1e-12 + 1e-6 * fclib)
                        if solver == "auto":
                            self.assertLessEqual(scaled, 1.001e-8)
                        W, q, _ = self.equations(path)
                        self.assertLess(np.linalg.norm(W @ r + q - u), 1e-9 * np.linalg.norm(q))

    def test_obeys_coulombs_law_where_other_programs_found_no_solution(self):
        for path in sorted((DATA.parent / "fclib_hard").glob("*.hdf5")):
            with self.subTest(path.name):
                self.assertEqual(
                    self.solve(path, "--out", "solution.hdf5", "--max-seconds", "200")["status"],
                    "converged")
                self.assertLessEqual(
                    self.residuals(path,
                                   self.solution("solution.hdf5")[0], "coulomb")[0], 1.001e-8)

    def test_has_the_problem_as_it_was(self):
        self.scree("solve", BODIES, "--out", "solution.hdf5")
        with h5py.File(BODIES) as before, h5py.File(self.directory / "solution.hdf5") as after:
            names = []
            before["fclib_global"].visit(names.append)
            for name in names:
                if isinstance(before["fclib_global"][name], h5py.Dataset):
                    self.assertTrue(
                        np.array_equal(before["fclib_global"][name][()],
                                       after["fclib_global"][name][()]), name)
            self.assertIn("v", after["solution"])

    def test_of_least_norm_has_the_same_velocities(self):
        self.scree("solve", OBJECT, "--out", "any.hdf5")
        reported = self.solve(OBJECT, "--minimum-norm", "--out", "least.hdf5")["hyperstatic"]
        (r, u), (least, v) = self.solution("any.hdf5"), self.solution("least.hdf5")
        self.assertTrue(reported["minimum_norm"])
        self.assertGreater(reported["dimension"], 0)
        self.assertLess(np.linalg.norm(least), np.linalg.norm(r) * (1 + 1e-12))
        self.assertLess(np.linalg.norm(u - v), 1e-6 * np.linalg.norm(self.equations(OBJECT)[1]))

    def test_refuses_what_a_file_says_wrong_with_its_dataset(self):
        path = self.place(("bad.hdf5", ROVER)) / "bad.hdf5"
        with h5py.File(path, "r+") as file:
            file["fclib_local/vectors/mu"][0] = -1
        error = self.scree("solve", path, status=2).stderr
        for word in ("bad.hdf5", "fclib_local/vectors/mu"):
            self.assertIn(word, error)

    def write_local(self, name, W, q, mu, V=None, R=None, s=None):
        """A file of a local problem."""
        path = self.directory / name
        with h5py.File(path, "w") as file:
            local = file.create_group("fclib_local")
            local["spacedim"] = np.array([3], dtype="i4")
            for matrix, dense in (("W", W), ("V", V), ("R", R)):
                if dense is None:
                    continue
                group = local.create_group(matrix)
                i, p = np.nonzero(np.ones_like(dense))
                for key, value in (("m", dense.shape[0]), ("n", dense.shape[1]), ("nz", dense.size),
                                   ("nzmax", dense.size)):
                    group[key] = np.array([value], dtype="i4")
                group["i"], group["p"], group["x"] = i.astype("i4"), p.astype("i4"), dense.ravel()
            local["vectors/q"], local["vectors/mu"] = np.array(q), np.array(mu)
            if s is not None:
                local["vectors/s"] = np.array(s)
        return path

    def test_contradictions_are_named(self):
        # A ball of unit mass between two plates that close, and a third contact that has nothing to
        # do with it.
        W = np.eye(9)
        W[0, 3] = W[3, 0] = -1
        path = self.write_local("squeezed.hdf5", W, [-0.5, 0.1, 0, -0.25, 0, 0, -1, 0, 0],
                                [0.3] * 3)
        run = self.scree("solve", path, "--out", "best.hdf5", status=3)
        self.assertIn("contacts 0, 1, counted from 0, contradict each other", run.stdout)
        self.assertIn("there is no solution", run.stderr)
        result = self.solve(path, status=3)
        self.assertEqual((result["status"], result["exit_status"]), ("infeasible", 3))
        self.assertEqual(result["contradiction"], {"contacts": [0, 1], "joints": []})
        r, u = self.solution("best.hdf5")
        self.assertTrue(np.isfinite(r).all())
        self.assertAlmostEqual(u[6], 0, places=7)
        self.assertNotIn(
            "contradiction",
            self.solve(path, "--solver", "gauss_seidel", "--max-iterations", "100", status=3))
        # A joint that holds contact 2's normal against what another row asks for.
        V = np.zeros((9, 2))
        V[6] = 1
        path = self.write_local("joints.hdf5", np.eye(9), [0.5, 0, 0, 0.5, 0, 0, 0.9, 0, 0],
                                [0.3] * 3, V, np.ones((2, 2)), [0.5, 0.6])
        self.assertEqual(
            self.solve(path, status=3)["contradiction"], {"contacts": [], "joints": [0, 1]})

    def test_hard_is_not_without_a_solution(self):
        for path in ALL:
            for law in ("coulomb", "cone_complementarity"):
                result = self.solve(path, "--tol", "1e-300", "--max-seconds", "5", "--law", law,
                                    status=None)
                self.assertIn(result["status"], ("converged", "stalled", "time_limit"), path.name)

    def test_joints_are_counted_by_their_rows(self):
        # Two contacts of unit masses, and a joint that holds the first one's normal velocity.
        path = self.write_local("joint.hdf5", np.eye(6), [-1.0, 0.1, 0, 2, 0, 0], [0.5, 0.5],
                                np.eye(6)[:, :1] * 0, np.eye(1), [-3.0])
        result = self.solve(path, "--out", "solution.hdf5", "--contacts", "contacts.csv")
        self.assertEqual((result["contacts"], result["joints"], result["classes"]),
                         (2, 1, {"separating": 1, "sticking": 1, "sliding": 0}))
        # ½ (1² + 0.1²) of the contact that stops, ½ 3² of the joint.
        self.assertAlmostEqual(result["dissipation"], 0.505 + 4.5, places=12)
        with h5py.File(self.directory / "solution.hdf5") as file:
            self.assertAlmostEqual(file["solution/l"][0], 3)
        self.assertEqual([row["class"] for row in self.rows("contacts.csv")],
                         ["sticking", "separating", "joint"])


if __name__ == "__main__":
    main()

"""scree solve: problem files in, percussions out, measured again from the file alone; what it
refuses.
"""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from program import PROGRAM, SOURCE, ProgramTest, main

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None
try:
    import matplotlib
except ImportError:
    matplotlib = None

DATA = SOURCE / "tests" / "data" / "fclib"
SPHERES, OBJECT, ROVER = (DATA / name for name in ("NESpheres_30_1.hdf5",
                                                   "OneObject-i1028-138.hdf5", "Rover3865.hdf5"))
BODIES = DATA / "LMGC_GlobalFrictionContactProblem00046.hdf5"
ALL = (BODIES, SPHERES, OBJECT, ROVER)
SOLVERS = ("auto", "gauss_seidel", "psor", "jacobi", "newton", "newton_fischer_burmeister",
           "interior_point", "apgd", "barzilai_borwein", "admm", "lemke")
LAWS = ("frictionless", "coulomb", "max_dissipation", "cone_complementarity", "polyhedral")


class SolveTest(ProgramTest):

    def solve(self, *arguments, status=0):
        """The result of one problem, or of several, as JSON."""
        return json.loads(self.scree("solve", *arguments, "--json", status=status).stdout)

    def rows(self, path):
        with open(self.directory / path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def place(self, *names):
        """A directory `problems` with copies of problem files: {name there: file}."""
        directory = self.directory / "problems"
        directory.mkdir()
        for name, path in names:
            shutil.copy(path, directory / name)
        return directory


class OneProblem(SolveTest):

    def test_is_reported_in_words(self):
        text = self.scree("solve", ROVER, "--out", "solution.hdf5").stdout
        for word in ("Rover3865: 5 contacts, law coulomb", "solved by   auto",
                     "status      converged", "E_s = ", "sliding", "written     solution.hdf5"):
            self.assertIn(word, text)

    def test_is_not_taken_as_symmetric_without_a_word(self):
        if h5py is None:
            self.skipTest(
                "install python3-h5py to change problem files: an asymmetric W was NOT tested")

        def change(share):
            shutil.copy(SPHERES, self.directory / "changed.hdf5")
            with h5py.File(self.directory / "changed.hdf5", "r+") as file:
                W = file["fclib_local/W"]
                off_diagonal = next(k for k in range(W["p"][1]) if W["i"][k] >= 3)
                W["x"][off_diagonal] += share * max(abs(W["x"][...]))

        change(0.3)
        result = self.scree("solve", "changed.hdf5", "--json", status=None)
        self.assertIn("W is not symmetric: its entries at (0, ", result.stderr)
        self.assertIn("differ by 0.3 of the largest", result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["asymmetry"], 0.3)
        change(0.01)
        self.assertIn(
            "differ by 0.01 of the largest",
            self.scree("solve", "changed.hdf5", SPHERES, "--out", "both", status=None).stderr)
        self.assertEqual(self.scree("solve", SPHERES).stderr, "")

    def test_is_reported_to_programs(self):
        result = self.solve(OBJECT)
        self.assertEqual((result["problem"], result["contacts"], result["joints"]),
                         ("OneObject-i1028-138", 23, 0))
        self.assertEqual((result["law"], result["solver"], result["status"], result["exit_status"]),
                         ("coulomb", "auto", "converged", 0))
        self.assertLessEqual(result["residual_scaled"], 1e-8)
        self.assertEqual(sum(result["classes"].values()), 23)
        self.assertIn(result["worst"]["contact"], range(23))
        self.assertNotIn("hyperstatic", result)
        self.assertEqual(self.everything(), {})

    def test_is_solved_by_every_solver_that_suits_the_law(self):
        for solver in SOLVERS:
            for law in ("frictionless", "cone_complementarity"):
                with self.subTest(solver=solver, law=law):
                    if solver == "lemke" and law != "frictionless":
                        continue  # of a round cone it has a polygon
                    result = self.solve(ROVER, "--solver", solver, "--law", law, "--tol", "1e-6")
                    self.assertEqual(result["status"], "converged")
                    self.assertLessEqual(result["residual_scaled"], 1e-6)

    def test_may_stand_after_the_options(self):
        self.assertEqual(self.solve("--solver", "newton", ROVER)["solver"], "newton")
        self.assertEqual(len(self.solve("--solver", "newton,auto", ROVER)["results"]), 2)

    def test_is_solved_by_every_law(self):
        for law in LAWS:
            self.assertEqual(self.solve(SPHERES, "--law", law)["status"], "converged", law)

    def test_a_missed_tolerance_is_told_and_the_best_percussions_are_written(self):
        result = self.scree("solve", OBJECT, "--solver", "gauss_seidel", "--max-iterations", "1",
                            "--out", "best.hdf5", status=3)
        self.assertIn("tolerance was missed", result.stderr)
        self.assertTrue((self.directory / "best.hdf5").is_file())
        result = self.solve(OBJECT, "--solver", "gauss_seidel", "--max-iterations", "1", status=3)
        self.assertEqual((result["status"], result["exit_status"]), ("stalled", 3))
        self.assertGreater(result["residual_scaled"], 1e-8)

    def test_an_interrupt_keeps_the_best_percussions(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([
                PROGRAM, "solve", OBJECT, "--solver", "gauss_seidel", "--tol", "1e-300",
                "--max-seconds", "1000", "--out", "best.hdf5", "--json"
            ], cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            asked = time.monotonic()
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, errors)
            self.assertLess(time.monotonic() - asked, 20)
            self.assertIn("Interrupted", errors)
            result = json.loads(output)
            self.assertEqual((result["status"], result["exit_status"]), ("stopped", 130))
            self.assertLess(result["residual_scaled"], 1)
            (self.directory / "best.hdf5").unlink()

    def test_a_solver_that_does_not_suit_says_what_to_take(self):
        error = self.scree("solve", ROVER, "--solver", "admm", "--law", "max_dissipation", "--out",
                           "x.hdf5", status=2).stderr
        for word in ("Rover3865.hdf5", "admm", "max_dissipation", "--solver auto"):
            self.assertIn(word, error)
        self.assertEqual(
            self.solve(ROVER, "--solver", "admm", "--law", "max_dissipation", status=2)["status"],
            "unsuited")
        self.assertEqual(self.everything(), {})

    def test_the_tables_tell_of_iterations_and_of_each_contact(self):
        result = self.solve(OBJECT, "--history", "history.csv", "--contacts", "contacts.csv",
                            "--minimum-norm")
        history, contacts = self.rows("history.csv"), self.rows("contacts.csv")
        self.assertEqual(history[0]["iteration"], "0")
        self.assertLessEqual(min(float(row["residual_scaled"]) for row in history), 1e-8)
        self.assertEqual(len(contacts), 23)
        for kind, count in result["classes"].items():
            self.assertEqual(sum(row["class"] == kind for row in contacts), count)
        self.assertAlmostEqual(sum(float(row["dissipation"]) for row in contacts),
                               result["dissipation"], places=12)
        worst = max(contacts, key=lambda row: float(row["residual"]))
        self.assertEqual((int(worst["block"]), float(worst["residual"])),
                         (result["worst"]["contact"], result["worst"]["residual"]))
        self.assertEqual(max(float(row["spread"]) for row in contacts),
                         result["hyperstatic"]["largest_spread"])

    def test_options_that_say_nothing_or_nonsense_are_refused(self):
        for options in (["--tol", "-1"], ["--tol", "0"], ["--tol", "nan"], ["--tol", "1e-8x"],
                        ["--max-seconds", "0"], ["--max-seconds", "inf"], ["--max-iterations", "0"],
                        ["--solver", "simplex"], ["--solver",
                                                  "auto,auto"], ["--law",
                                                                 "glue"], ["--facets", "8"],
                        ["--facets", "3", "--law",
                         "polyhedral"], ["--relaxation",
                                         "1"], ["--relaxation", "2", "--solver",
                                                "psor"], ["--relaxation", "0", "--solver",
                                                          "psor"], ["--acceleration", "anderson"],
                        ["--acceleration", "luck", "--solver",
                         "jacobi"], ["--threads", "2", "--solver", "newton"
                                     ], ["--out",
                                         ""], ["--history", "same.csv", "--contacts",
                                               "./same.csv"], ["--out", "nowhere/solution.hdf5"],
                        ["--out", "."], ["--solver", "auto,newton", "--history", "history.csv"]):
            with self.subTest(options):
                self.assertTrue(self.scree("solve", ROVER, *options, status=2).stderr)
        self.scree("solve", "nowhere.hdf5", status=2)
        self.scree("solve", self.directory, status=2)
        self.assertEqual(self.everything(), {})
        for options in (["--facets", "8", "--law",
                         "polyhedral"], ["--relaxation", "1.2", "--solver", "psor"],
                        ["--acceleration", "anderson", "--solver",
                         "gauss_seidel"], ["--threads", "2"]):
            self.scree("solve", ROVER, *options)

    def test_never_replaces_the_problem_nor_what_is_another_s(self):
        problems = self.place(("rover.hdf5", ROVER))
        (self.directory / "link.hdf5").symlink_to("problems/rover.hdf5")
        for out in ("problems/rover.hdf5", "problems/../problems/rover.hdf5", "link.hdf5"):
            for option in ("--out", "--contacts"):
                self.assertIn(
                    "would replace",
                    self.scree("solve", problems / "rover.hdf5", option, out, status=2).stderr)
        (self.directory / "solution.hdf5.part").write_text("mine")
        self.assertIn("in the way",
                      self.scree("solve", ROVER, "--out", "solution.hdf5", status=2).stderr)
        self.assertEqual((problems / "rover.hdf5").read_bytes(), ROVER.read_bytes())

    def test_damaged_files_are_named(self):
        for name, content in (("text.hdf5", b"no problem"), ("cut.hdf5", ROVER.read_bytes()[:5000]),
                              ("empty.hdf5", b"")):
            (self.directory / name).write_bytes(content)
            self.assertIn(name, self.scree("solve", name, status=2).stderr)
            self.assertEqual(self.solve(name, status=2)["exit_status"], 2)

    def test_what_cannot_be_written_gives_status_4(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        self.assertIn("No space left",
                      self.scree("solve", ROVER, "--contacts", "/dev/full", status=4).stderr)


class SeveralProblems(SolveTest):

    def test_a_directory_gives_tables_and_solutions(self):
        result = self.scree("solve", DATA, "--no-pictures")
        self.assertRegex(result.stdout, r"(?m)^Rover3865 +5 +coulomb +auto +converged ")
        out = self.directory / "out" / "solve_fclib"
        rows = self.rows(out / "results.csv")
        self.assertEqual([row["problem"] for row in rows], [path.stem for path in ALL])
        self.assertTrue(
            all(
                float(row["residual_scaled"]) <= 1e-8 and row["status"] == "converged"
                for row in rows))
        summary = json.loads((out / "results.json").read_text())["summary"]
        self.assertEqual((summary["problems"], summary["solvers"]["auto"]["status"]),
                         (4, {"converged": 4}))
        mean = summary["solvers"]["auto"]["geometric_mean_seconds"]
        product = 1
        for row in rows:
            product *= float(row["seconds"])
        self.assertAlmostEqual(mean, product**0.25, delta=1e-9 * mean)
        self.assertEqual(len((out / "table.md").read_text().splitlines()), 6)
        self.assertEqual(sorted(p.name for p in (out / "solutions").iterdir()),
                         [path.name for path in ALL])

    def test_each_problem_is_solved_by_each_solver(self):
        result = self.solve(ROVER, SPHERES, "--solver", "newton,gauss_seidel", "--out", "compared",
                            "--no-pictures")
        self.assertEqual([(r["problem"], r["solver"]) for r in result["results"]],
                         [(p.stem, s) for p in (ROVER, SPHERES)
                          for s in ("newton", "gauss_seidel")])
        self.assertEqual(sorted(result["summary"]["solvers"]), ["gauss_seidel", "newton"])
        self.assertEqual(len(self.rows("compared/results.csv")), 4)

    def test_a_problem_counts_as_solved_if_one_solver_solved_it(self):
        few = ("--max-iterations", "1")
        self.solve(OBJECT, "--solver", "gauss_seidel,jacobi", *few, status=3)
        result = self.solve(ROVER, "--solver", "lemke,gauss_seidel,auto", status=0)
        self.assertEqual(result["exit_status"], 0)

    def test_without_a_directory_to_write_nothing_is_written(self):
        self.assertIn("--out DIR", self.scree("solve", ROVER, SPHERES).stdout)
        self.assertEqual(self.everything(), {})

    def test_a_bad_file_is_told_in_its_row_and_the_others_go_on(self):
        directory = self.place(("a.hdf5", ROVER), ("c.h5", SPHERES))
        (directory / "b.hdf5").write_text("no problem, \"really\"")
        (directory / "notes.txt").write_text("no problem either")
        text = self.scree("solve", directory, "--no-pictures", status=2).stdout
        self.assertRegex(text, r"(?m)^b +bad_input: .*b\.hdf5")
        rows = self.rows("out/solve_problems/results.csv")
        self.assertEqual([(r["problem"], r["status"]) for r in rows], [("a", "converged"),
                                                                       ("b", "bad_input"),
                                                                       ("c", "converged")])
        self.assertIn("b.hdf5", rows[1]["message"])
        result = self.solve(directory, "--no-pictures", status=2)
        self.assertEqual((result["exit_status"], result["summary"]["not_usable"]), (2, 1))
        self.assertEqual(result["results"][1]["exit_status"], 2)

    def test_problems_of_one_name_keep_apart(self):
        directory = self.place(("rover.hdf5", ROVER), ("rover.h5", SPHERES))
        result = self.solve(directory, ROVER, "--out", "both", "--no-pictures")
        self.assertEqual([r["problem"] for r in result["results"]],
                         ["rover", "rover_2", "Rover3865"])
        self.assertEqual(len(list((self.directory / "both" / "solutions").iterdir())), 3)

    def test_never_replaces_a_problem_by_its_solution(self):
        self.scree("solve", ROVER, SPHERES, "--out", "first", "--no-pictures")
        error = self.scree("solve", "first/solutions", "--out", "first", status=2).stderr
        self.assertIn("would replace", error)

    def test_an_interrupt_keeps_what_was_solved(self):
        directory = self.place(("1.hdf5", SPHERES), ("2.hdf5", OBJECT))
        process = subprocess.Popen(
            [PROGRAM, "solve", directory, "--solver", "gauss_seidel", "--tol", "1e-300"],
            cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        table = self.directory / "out" / "solve_problems" / "results.csv"
        deadline = time.monotonic() + 60
        while not table.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.2)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertLess(time.monotonic() - asked, 20)  # not the 60 s that a solve may take
        self.assertIn("Interrupted", errors)
        self.assertIn("geometric mean", output.lower())
        self.assertEqual([row["problem"] for row in self.rows(table)], ["1"])
        result = json.loads((table.parent / "results.json").read_text())
        self.assertEqual((result["status"], result["exit_status"], len(result["results"])),
                         ("interrupted", 130, 1))

    @unittest.skipUnless(matplotlib, "apt install python3-matplotlib")
    def test_the_performance_profile_is_drawn(self):
        for solvers in ("auto", "auto,gauss_seidel,lemke"):
            self.scree("solve", DATA, "--solver", solvers, "--max-seconds", "1", "--out", solvers,
                       status=None)
            picture = self.directory / solvers / "performance_profile.png"
            self.assertEqual(picture.read_bytes()[1:4], b"PNG")

    def test_the_examples_of_the_help_work(self):
        examples = re.findall(r"(?m)^  scree solve (tests.*)$",
                              self.scree("solve", "--help").stdout)
        self.assertGreaterEqual(len(examples), 5)
        for example in examples:
            words = [
                SOURCE / word if word.startswith("tests/") else word for word in example.split()
            ]
            self.assertIn(self.scree("solve", *words, status=None).returncode, (0, 3), example)


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
        """E_s and E of the percussions."""
        W, q, mu = self.equations(path)
        u = W @ r + q
        v, x = u.reshape(-1, 3).copy(), r.reshape(-1, 3)
        if law == "coulomb":
            v[:, 0] += mu * np.hypot(v[:, 1], v[:, 2])
        rho = 3 / np.diag(W).reshape(-1, 3).sum(axis=1)[:, None]
        scaled = np.linalg.norm((x - self.project(x - rho * v, mu)) / rho) / np.linalg.norm(q)
        largest = max(np.linalg.norm(a) for a in (q, r, u))
        return scaled, np.linalg.norm(x - self.project(x - v, mu)) / largest

    def test_obeys_the_law_by_every_solver(self):
        for path in ALL:
            for law, solvers in (("coulomb", SOLVERS[:3]), ("cone_complementarity",
                                                            ("auto", "interior_point", "admm"))):
                for solver in solvers:
                    with self.subTest(path=path.name, law=law, solver=solver):
                        told = self.solve(path, "--law", law, "--solver", solver, "--out",
                                          "solution.hdf5", "--max-seconds", "5", status=None)
                        r, u = self.solution("solution.hdf5")
                        scaled, fclib = self.residuals(path, r, law)
                        self.assertAlmostEqual(scaled, told["residual_scaled"],
                                               delta=1e-12 + 1e-6 * scaled)
                        self.assertAlmostEqual(fclib, told["residual_fclib"],
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
        told = self.solve(OBJECT, "--minimum-norm", "--out", "least.hdf5")["hyperstatic"]
        (r, u), (least, v) = self.solution("any.hdf5"), self.solution("least.hdf5")
        self.assertTrue(told["minimum_norm"])
        self.assertGreater(told["dimension"], 0)
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

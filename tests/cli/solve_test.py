"""scree solve: impulses of problem files, measured from the files alone, and errors."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from program import PROGRAM, SOURCE, main
from solves import ALL, DATA, LAWS, OBJECT, ROVER, SOLVERS, SPHERES, SolveTest

try:
    import h5py
except ImportError:
    h5py = None
try:
    import matplotlib
except ImportError:
    matplotlib = None


class OneProblem(SolveTest):

    def test_is_reported_in_words(self):
        text = self.scree("solve", ROVER, "--out", "solution.hdf5").stdout
        for word in ("Rover3865: 5 contacts, law coulomb", "solved by   auto",
                     "status      converged", "E_s = ", "sliding", "written     solution.hdf5"):
            self.assertIn(word, text)

    def test_takes_subdomains_from_a_file(self):
        contacts = self.solve(OBJECT)["contacts"]
        labels = self.directory / "labels.txt"
        labels.write_text("\n".join(str(k % 3) for k in range(contacts)))
        self.solve(OBJECT, "--solver", "jacobi", "--subdomains", labels)
        for text, message in (("0 1", "2 labels of subdomains for 23"), ("0 x", "'x' is no whole"),
                              ("", "has no numbers")):
            labels.write_text(text)
            self.assertIn(
                message,
                self.scree("solve", OBJECT, "--solver", "jacobi", "--subdomains", labels,
                           status=2).stderr)

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

    def test_a_missed_tolerance_is_told_and_the_best_impulses_are_written(self):
        result = self.scree("solve", OBJECT, "--solver", "gauss_seidel", "--max-iterations", "1",
                            "--out", "best.hdf5", status=3)
        self.assertIn("tolerance was missed", result.stderr)
        self.assertTrue((self.directory / "best.hdf5").is_file())
        result = self.solve(OBJECT, "--solver", "gauss_seidel", "--max-iterations", "1", status=3)
        self.assertEqual((result["status"], result["exit_status"]), ("stalled", 3))
        self.assertGreater(result["residual_scaled"], 1e-8)

    def test_an_interrupt_keeps_the_best_impulses(self):
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
        self.assertIn("solution.hdf5.part exists",
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


if __name__ == "__main__":
    main()

"""scree study: studies of a single contact, which need no scene, and some studies of runs."""

import json
import re
import signal
import subprocess
import time

from program import PROGRAM, ProgramTest, main


class SingleContacts(ProgramTest):

    def test_computes_the_academic_contact_and_draws_it(self):
        self.scree("study", "academic", "--out", "academic")
        out = self.directory / "academic"
        rows = json.loads((out / "results.json").read_text())["table"]
        self.assertTrue(rows)
        self.assertTrue(all(row["same_digits"] for row in rows))
        for figure in ("conic.png", "hyperbola.png", "solutions_map.png"):
            self.assertGreater((out / figure).stat().st_size, 10_000, figure)

    def test_computes_the_paradox_and_draws_it(self):
        self.scree("study", "painleve", "--out", "painleve")
        out = self.directory / "painleve"
        self.assertIn("| §3.1, impulse Λ2, n | 0.3248 |", (out / "table.md").read_text())
        for name in ("solution_spaces", "forces", "convergence", "coefficient", "stiff_limit",
                     "penetration", "laws"):
            self.assertGreater((out / f"{name}.png").stat().st_size, 10_000, name)

    def test_says_in_a_line_that_standard_output_is_full(self):
        for name in ("academic", "painleve"):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, "study", name, "--out", name], cwd=self.directory,
                                        stdout=full, stderr=subprocess.PIPE, text=True, timeout=300,
                                        check=False)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("cannot read or write standard output: No space left on device",
                          result.stderr)
            self.assertNotIn("Traceback", result.stderr)


class AStudyOfRuns(ProgramTest):

    def test_passes_a_signal_on_to_its_run(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            process = subprocess.Popen(
                [PROGRAM, "study", "channel", "--quick", "--out", f"study{number}"],
                cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            run = self.directory / f"study{number}" / "then"
            while process.poll() is None and not (run / "statistics.csv").exists():
                time.sleep(0.01)
            process.send_signal(number)
            _, said = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, said)
            self.assertNotIn("Traceback", said)
            self.assertEqual(self.manifest(run)["status"], "interrupted")
            self.assertTrue(list((run / "restart").glob("*.hdf")))


class ABedLeftAlone(ProgramTest):
    # Misses that docs/validation/rest.md lists with causes. Improvements may shorten this list.
    MISSED = {
        "95 % of the loaded grains at rest from [s]",
        "loaded grains that are not at rest at the end",
        "sweeps a step at rest, at most",
        "drift of held grains, 99 of 100 below",
        "held grains that drift further than 1e-6 d",
    }

    def test_misses_the_figures_that_are_documented_and_says_so_in_its_exit_status(self):
        result = subprocess.run(
            [PROGRAM, "study", "rest", "--quick", "--threads", "1", "--out", "rest"],
            cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=600, check=False)
        rows = json.loads((self.directory / "rest/results.json").read_text())
        self.assertEqual(len(rows), 12)
        for row in rows:
            self.assertIs(row["missed"], not row["measured"] <= row["asked"], row)
        missed = {
            re.sub(r" over d in \d+ steps| of \d+(?= that)", "", row["figure"]) for row in rows
            if row["missed"]
        }
        self.assertLessEqual(missed, self.MISSED)
        self.assertEqual(result.returncode, 3 if missed else 0, result.stdout)
        table = (self.directory / "rest/table.md").read_text()
        self.assertEqual(table.count("| missed |"), 1 + len(missed))
        self.assertIn(table, result.stdout)


if __name__ == "__main__":
    main()

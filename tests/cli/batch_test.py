"""A batch of runs gives the same table, also after stops."""

import csv
import json
import random
import resource
import signal
import subprocess
import time

from program import BOXES, PROGRAM, ProgramTest, main

# Each run takes some hundredths of a second, and has checkpoints to go on from.
SCENE = BOXES.replace("output:\n", "output:\n  checkpoint_interval: 1 ms\n").replace(
    "until: 0.1 s", "until: 40 ms")
OVER = ("--over", "default_law.friction=0.1:0.8:8", "--over", "bodies[0].random.seed=1..3")


class BatchTest(ProgramTest):

    def setUp(self):
        super().setUp()
        self.scene = self.write_scene(SCENE)

    def batch(self, *arguments, **keywords):
        return self.scree("batch", self.scene, *arguments, **keywords)

    def table(self, out):
        return (self.directory / out / "table.csv").read_text()

    def rows(self, out):
        return list(csv.DictReader(self.table(out).splitlines()))


class Batch(BatchTest):

    def test_makes_a_run_of_each_combination_and_a_row_of_each(self):
        result = self.batch("--over", "default_law.friction=0.1,0.2", "--over",
                            "bodies[1].sphere.radius=1cm,11mm", "--no-plot", "--column",
                            "power=verdict.json:/obstacles/0/mean_power", "--out", "out")
        self.assertIn("[4/4]", result.stderr)
        rows = self.rows("out")
        self.assertEqual(len(rows), 4)
        self.assertEqual(rows[1]["run"], "friction=0.1_radius=11mm")
        self.assertEqual((rows[1]["friction"], rows[1]["radius"]), ("0.1", "0.011"))
        for row in rows:
            verdict = self.verdict(f"out/{row['run']}")
            self.assertEqual((row["status"], row["exit_status"]), ("done", "0"))
            self.assertEqual(float(row["residual"]), verdict["residual"]["value"])
            self.assertEqual(float(row["energy_dissipated"]), verdict["energy"]["dissipated"])
            self.assertEqual(float(row["power"]), verdict["obstacles"][0]["mean_power"])
            last = self.statistics(f"out/{row['run']}")[-1]
            self.assertEqual(float(row["kinetic_energy"]), float(last["kinetic_energy"]))
            log = (self.directory / "out" / row["run"] / "log.txt").read_text()
            self.assertIn("21 bodies", log)

    def test_a_run_of_it_is_the_run_that_its_values_make_alone(self):
        self.batch("--over", "default_law.friction=0.2,0.4", "--no-plot", "--out", "out")
        self.scree("run", self.scene, "--set", "default_law.friction=0.4", "--no-pictures", "--out",
                   "alone")
        self.assertEqual(self.verdict("alone"), self.verdict("out/friction=0.4"))
        self.assertEqual(
            self.statistics("alone")[-1]["state_hash"],
            self.statistics("out/friction=0.4")[-1]["state_hash"])
        self.scree("reproduce", "out/friction=0.4")

    def test_a_dry_run_lists_what_would_run_and_writes_nothing(self):
        before = self.everything()
        result = self.batch(*OVER, "--dry-run")
        self.assertIn("friction=0.1_seed=1  missing", result.stdout)
        self.assertIn("24 runs", result.stdout)
        self.assertIn("MB of memory", result.stdout)
        listed = json.loads(self.batch(*OVER, "--list", "--json").stdout)
        self.assertEqual(len(listed["runs"]), 24)
        self.assertEqual(listed["runs"][4]["values"], {"friction": "0.2", "seed": "2"})
        self.assertEqual(self.everything(), before)

    def test_bad_input_is_told_before_anything_is_written(self):
        before = self.everything()
        for over, words in (("default_law.frction=1,2", "did you mean 'friction'"),
                            ("default_law.friction=1,-2", "--over default_law.friction=-2"),
                            ("default_law.friction", "is not PATH=VALUES"), ("step.h=1us:2ms:3",
                                                                             "in different units"),
                            ("materials.ston.density=1,2", "did you mean 'stone'")):
            result = self.batch("--over", over, status=2)
            self.assertIn(words, result.stderr, over)
        for column, words in (("x", "give FILE:PLACE"), ("statistics.csv:kinetic_enrgy",
                                                         "did you mean 'kinetic_energy'"),
                              ("statistic.csv:sweeps_max",
                               "did you mean 'statistics.csv'"), ("cell.csv:work",
                                                                  "no table 'cell.csv'"),
                              ("verdict.json:/energy/creatd",
                               "did you mean 'created'"), ("verdict.json:/obstacles/7/work",
                                                           "no entry '7'"),
                              ("verdict.json:/obstacles/00/work",
                               "no entry '00'"), ("verdict.json:/obstacles/ 0/work",
                                                  "no entry ' 0'"),
                              ("verdict.json:/energy/compliant_laws/0/slid",
                               "no entry '0' in compliant_laws: the list is empty"),
                              ("verdict.json:/time/of",
                               "'time' has no entries"), ("verdict.json:/contacts/worst/residul",
                                                          "did you mean 'residual'"),
                              ("verdict.json:/contacts/excessive_rotation/agnle",
                               "did you mean 'angle'"), ("verdict.json:/motion_fault/wat",
                                                         "did you mean 'what'"),
                              ("verdict.json:/joints/error/value", "'joints' has no entries"),
                              ("obstacles.json:/obstacle",
                               "did you mean 'obstacles'"), ("verdikt.json:/tolerance",
                                                             "did you mean 'verdict.json'")):
            result = self.batch("--over", "until=0.1,0.2", "--column", column, status=2)
            self.assertIn(words, result.stderr, column)
        self.batch(status=2)
        self.scree("batch", "nowhere.yaml", *OVER, status=2)
        self.assertEqual(self.everything(), before)

    def test_a_run_that_misses_its_verdict_is_named_and_told_by_the_status(self):
        self.scene = self.write_scene(
            SCENE.replace("max_sweeps: 5000", "max_sweeps: 5000, tolerance: 1e-3"))
        result = self.batch("--over", "solver.max_sweeps=1,5000", "--set", "until=0.3 s",
                            "--no-plot", "--out", "out", status=3)
        self.assertIn("max_sweeps=1: missed", result.stderr)
        self.assertEqual([r["verdict"] for r in self.rows("out")], ["missed", "met"])

    def test_a_run_that_does_not_come_to_rest_says_so_first(self):
        self.scene = self.write_scene(SCENE.replace("until: 40 ms", "until: rest"))
        result = self.batch("--over", "rest.at_most=3 ms,4 ms", "--no-plot", "--out", "out",
                            status=3)
        self.assertIn("missed: Not at rest at t = 0.003 s", result.stderr)

    def test_a_run_that_was_changed_is_named_with_what_can_be_done_in_a_batch(self):
        self.batch("--over", "until=3ms,4ms", "--no-plot", "--out", "out")
        run = self.directory / "out" / "until=3ms"
        (run / "DONE").unlink()
        (run / "statistics.csv").write_text("time\n")
        result = self.batch("--over", "until=3ms,4ms", "--no-plot", "--out", "out", status=2)
        self.assertIn("remove the directory out/until=3ms to start this run again", result.stderr)
        self.assertNotIn("--force", result.stderr)

    def test_draws_a_plot(self):
        result = self.batch("--over", "default_law.friction=0.2,0.4", "--out", "out")
        if "No pictures" in result.stderr or "no pictures" in result.stderr:
            self.skipTest("matplotlib is not here")
        self.assertIn("drew out/batch.png", result.stderr)
        self.assertTrue((self.directory / "out" / "batch.png").exists())

    def test_goes_on_with_what_failed_for_a_full_disk(self):
        self.batch("--over", "default_law.friction=0.2,0.4", "--no-plot", "--out", "whole")

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

        result = self.batch("--over", "default_law.friction=0.2,0.4", "--no-plot", "--out", "out",
                            status=4, preexec_fn=small_files)
        self.assertIn("FAILED", result.stderr)
        self.batch("--over", "default_law.friction=0.2,0.4", "--no-plot", "--out", "out")
        self.assertEqual(self.table("out"), self.table("whole"))


class ABatchThatIsStopped(BatchTest):

    def begin(self, *arguments):
        return subprocess.Popen(
            [PROGRAM, "batch",
             str(self.scene), *OVER, "--no-plot", "-j", "2", *arguments], cwd=self.directory,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def test_gives_the_same_table_as_one_that_was_left_alone(self):
        self.batch(*OVER, "--no-plot", "--out", "whole", status=None)
        seed = random.randrange(1 << 32)
        moments = random.Random(seed)
        for number, begun in ((signal.SIGKILL, 1), (signal.SIGINT, 6), (signal.SIGKILL, 12),
                              (signal.SIGTERM, 17)):
            begun += moments.randrange(5)
            process = self.begin("--out", "cut")
            while process.poll() is None and len(list(
                (self.directory / "cut").glob("friction*"))) < begun:
                time.sleep(0.001)
            time.sleep(moments.uniform(0, 0.05))
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, {-number, 130}, errors)
            if process.returncode == 130:
                self.assertIn("the same command continues", errors)
            self.assertIn("missing", {row["status"] for row in self.rows("cut")})
        self.batch(*OVER, "--no-plot", "--out", "cut", status=None)
        with self.subTest(f"seed {seed}"):
            self.assertEqual(self.table("cut"), self.table("whole"))
        for row in self.rows("whole"):
            for file in ("verdict.json", "grains.hdf.series"):
                self.assertEqual((self.directory / "cut" / row["run"] / file).read_bytes(),
                                 (self.directory / "whole" / row["run"] / file).read_bytes())

    def test_resumes_what_was_in_flight(self):
        self.scene = self.write_scene(SCENE.replace("until: 40 ms", "until: 100 s"))
        process = self.begin("--out", "cut")
        out = self.directory / "cut"
        while process.poll() is None and len(list(out.glob("*/restart/*.hdf"))) < 4:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual({r["status"] for r in self.rows("cut")}, {"interrupted", "missing"})
        first = self.manifest("cut/friction=0.1_seed=1")
        self.assertEqual(first["status"], "interrupted")
        process = self.begin("--out", "cut")
        log = out / "friction=0.1_seed=1" / "log.txt"
        while process.poll() is None and "resumes" not in log.read_text():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertGreater(self.manifest("cut/friction=0.1_seed=1")["resumed_at_step"], 0)

    def test_is_not_run_by_two_at_a_time(self):
        self.scene = self.write_scene(SCENE.replace("until: 40 ms", "until: 100 s"))
        process = self.begin("--out", "cut")
        try:
            while process.poll() is None and not (self.directory / "cut" / "table.csv").exists():
                time.sleep(0.01)
            result = self.batch(*OVER, "--out", "cut", status=2)
            self.assertIn("another scree is writing", result.stderr)
        finally:
            process.kill()
            process.communicate(timeout=60)

    def test_is_refused_when_the_scene_or_the_values_are_others(self):
        self.batch("--over", "default_law.friction=0.2,0.4", "--no-plot", "--out", "out")
        before = self.everything()
        result = self.batch("--over", "default_law.friction=0.2,0.5", "--out", "out", status=2)
        self.assertIn("it varies default_law.friction=0.2,0.4", result.stderr)
        self.scene.write_text(SCENE.replace("count: 20", "count: 21"))
        result = self.batch("--over", "default_law.friction=0.2,0.4", "--out", "out", status=2)
        self.assertIn("was changed since", result.stderr)
        self.scene.write_text(SCENE)
        self.assertEqual(self.everything(), before)


if __name__ == "__main__":
    main()

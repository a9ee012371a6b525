"""scree run, from the first file to the exit status."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

from program import BALL, HEAP, PROGRAM, ProgramTest, main


class Run(ProgramTest):

    def test_resume_says_so_where_there_is_nothing_to_go_on_from(self):
        scene, words = self.write_scene(BALL), "there is no run in run; the run starts from t = 0"
        begun = self.scree("run", scene, "--out", "run", "--resume", "--until", "50 ms")
        self.assertIn(words + "\n", begun.stderr)
        resumed = self.scree("run", scene, "--out", "run", "--resume")
        self.assertNotIn("there is no", resumed.stderr)
        for out in ("runn", "runn/", "./runn"):
            misspelt = self.scree("run", scene, "--out", out, "--resume")
            self.assertIn("starts from t = 0; did you mean --out", misspelt.stderr)
            self.assertIn("run?\n", misspelt.stderr)
            shutil.rmtree(self.directory / "runn")
        shutil.rmtree(self.directory / "run/restart")
        again = self.scree("run", scene, "--out", "run", "--resume")
        self.assertIn("there is no checkpoint in run; the run starts from t = 0", again.stderr)

    def test_tells_of_bodies_that_fall_below_all_obstacles(self):
        plate = BALL.replace(
            "half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}",
            "box: {name: floor, min: [-3 cm, -3 cm, -1 cm], max: [3 cm, 3 cm, 0]}")
        beside = plate.replace("[0, 0, 2 cm]", "[5 cm, 0, 2 cm]")
        for scene, count in ((plate, 0), (beside, 1)):
            told = self.scree("run", self.write_scene(scene), "--out", "run", "--force",
                              "--no-pictures").stderr
            self.assertEqual("1 body is below all obstacles and falls without end" in told, count)
            self.assertEqual(self.verdict("run")["bodies"]["falling_without_end"], count)

    def test_misses_its_verdict_where_a_press_is_too_slow_for_the_tolerance(self):
        press = """scree: 1
until: 1.2 s
step: {h: 1 ms}
solver: {accuracy: reference}
materials: {glass: {density: 2500}}
default_law: {law: frictionless}
bodies:
  - sphere: {position: [0, 0, 5 mm], radius: 5 mm}
  - sphere: {position: [5, 0, 5 mm], radius: 5 mm, velocity: [10, 0, 0]}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - box:
      {name: press, position: [0, 0, 20 mm], size: [10 cm, 10 cm, 20 mm],
       motion: {velocity: [0, 0, -5e-4]}}
"""
        reported = self.scree("run", self.write_scene(press), "--out", "run", "--no-pictures",
                              status=3).stderr
        # That another body is fast hides nothing.
        self.assertRegex(reported, r"The tolerance 0\.0001 was missed in 1200 of 1200 steps")
        self.assertIn("The contacts are body 0 to floor, body 0 to press", reported)
        self.assertRegex(
            reported, r"Bodies were driven into each other in \d+ steps: at t = \S+ s body 0 and "
            r"(floor|press) "
            r"overlapped by 0\.0002\d* m, 5\.?\d* % of the smaller radius")
        contacts = json.loads((self.directory / "run/verdict.json").read_text())["contacts"]
        self.assertGreater(contacts["steps_of_growing_penetration"], 50)
        self.assertEqual(contacts["growing_penetration"]["a"], "body 0")
        self.assertGreater(
            sum(int(row["contacts_growing_penetration"]) for row in self.statistics("run")), 50)

    def test_tells_of_rebounds_that_are_missing(self):
        slow = """scree: 1
until: 0.1 s
step: {h: 1 ms}
gravity: [0, 0, 0]
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.3, restitution: 1}
bodies:
  - sphere: {position: [0, 0, 0], radius: 10 um, velocity: [1 mm/s, 0, 0]}
  - sphere: {position: [50 um, 0, 0], radius: 10 um}
"""
        reported = self.scree("run", self.write_scene(slow), "--out", "run", "--no-pictures").stderr
        self.assertRegex(
            reported,
            r"Rebounds are missing: 1 impact was slower than step.restitution_threshold, 0.01 m/s. "
            r"If each of them had rebounded alone, they would have kept at most (\S+) J of the "
            r"\1 J that contacts dissipated. This matters where bodies bounce and fly")
        verdict = json.loads((self.directory / "run/verdict.json").read_text())
        self.assertEqual(verdict["contacts"]["slow_restitution"]["impacts"], 1)
        self.assertEqual(verdict["contacts"]["missed_restitution"], {"impacts": 0, "energy": 0})
        reported = self.scree("run", self.write_scene(slow), "--out", "run", "--force",
                              "--no-pictures", "--set", "step.restitution_threshold=1 um/s").stderr
        self.assertNotIn("Rebounds are missing", reported)

    def test_tells_of_bodies_that_outrun_a_given_margin(self):
        scene = self.write_scene(
            BALL.replace("step: {h: 0.1 ms}", "step: {h: 0.1 ms, margin: 1 um}"))
        reported = self.scree("run", scene, "--out", "run", "--no-pictures").stderr
        self.assertRegex(
            reported, r"step.margin is 1e-06 m: \d+ times a body moved further than that in a step")

    def test_writes_everything_that_is_promised(self):
        scene = self.write_scene(BALL, "ball.yaml")
        self.scree("run", scene)
        run = self.directory / "out" / "ball"
        for name in ("scene.yaml", "resolved.yaml", "manifest.json", "log.txt", "log.jsonl",
                     "statistics.csv", "obstacles.json", "grains.hdf.series", "contacts.hdf.series",
                     "verdict.json", "DONE"):
            self.assertTrue((run / name).is_file(), name)
        self.assertFalse((run / "FAILED").exists())
        self.assertEqual((run / "scene.yaml").read_bytes(), scene.read_bytes())
        for line in (run / "log.jsonl").read_text().splitlines():
            self.assertIn("message", json.loads(line))

    def test_samples_at_the_times_asked_for_and_at_both_ends(self):
        self.scree("run", self.write_scene(BALL), "--until", "0.075 s", "--out", "run")
        series = json.loads((self.directory / "run" / "grains.hdf.series").read_text())
        times = [frame["time"] for frame in series["files"]]
        self.assertEqual(len(times), 5)
        for found, wanted in zip(times, (0, 0.02, 0.04, 0.06, 0.075)):
            self.assertAlmostEqual(found, wanted, places=12)
        for frame in series["files"]:
            self.assertTrue((self.directory / "run" / frame["name"]).is_file())
        steps = [int(row["step"]) for row in self.statistics("run")]
        self.assertEqual(steps, [0, 100, 200, 300, 400, 500, 600, 700, 750])

    def test_manifest_tells_what_ran_and_what_came_out(self):
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "run", "--set", "step.h=0.2 ms", "--threads", "1")
        manifest = self.manifest("run")
        self.assertEqual(manifest["status"], "done")
        self.assertEqual(manifest["exit_status"], 0)
        self.assertEqual(manifest["scene"]["sha256"],
                         hashlib.sha256(scene.read_bytes()).hexdigest())
        self.assertEqual(manifest["scene"]["overrides"], ["step.h=0.2 ms"])
        self.assertEqual(manifest["threads"], 1)
        self.assertGreater(len(manifest["build"]["compiler"]), 3)
        for name, checksum in manifest["outputs"].items():
            self.assertEqual(
                hashlib.sha256((self.directory / "run" / name).read_bytes()).hexdigest(), checksum,
                name)

    def test_gives_the_same_bits_on_any_number_of_threads_and_from_its_resolved_scene(self):
        self.scree("run", self.write_scene(HEAP), "--until", "20 ms", "--out", "one", "--threads",
                   "1")
        self.scree("run", self.directory / "one" / "resolved.yaml", "--out", "two", "--threads",
                   "2")
        hashes = [[row["state_hash"] for row in self.statistics(run)] for run in ("one", "two")]
        self.assertEqual(hashes[0], hashes[1])

    def test_json_is_one_object_on_standard_output(self):
        result = json.loads(self.scree("run", self.write_scene(BALL), "--json", "--quiet").stdout)
        self.assertEqual(result["status"], "done")
        self.assertEqual(result["steps"], 1000)
        self.assertEqual(result["steps_over_tolerance"], 0)

    def test_a_missed_tolerance_is_told_and_gives_status_3(self):
        result = self.scree("run", self.write_scene(HEAP), "--until", "5 ms", "--set",
                            "solver.max_sweeps=1", "--set", "solver.tolerance=1e-13", "--out",
                            "run", status=3)
        self.assertIn("The tolerance 1e-13 was missed in ", result.stderr)
        self.assertIn("first at t = ", result.stderr)
        self.assertTrue((self.directory / "run" / "DONE").exists())
        self.assertEqual(self.manifest("run")["exit_status"], 3)
        verdict = self.verdict("run")
        self.assertEqual((verdict["verdict"], verdict["exit_status"]), ("missed", 3))
        self.assertTrue(verdict["sentence"].startswith("The tolerance 1e-13 was missed in "))
        self.assertLess(verdict["steps_within_tolerance"], verdict["steps"])
        self.assertLess(verdict["contacts"]["share_within_tolerance"], 1)
        worst, residual = verdict["contacts"]["worst"], max(
            float(r["worst_residual"]) for r in self.statistics("run"))
        self.assertAlmostEqual(worst["residual"], residual, delta=1e-9 * residual)
        self.assertTrue(worst["a"].startswith("body "))
        self.assertIn(worst["class"], ("separating", "sticking", "sliding"))

    def test_a_verdict_tells_of_every_step_and_contact(self):
        self.scree("run", self.write_scene(BALL), "--out", "run")
        verdict = self.verdict("run")
        self.assertEqual((verdict["verdict"], verdict["status"], verdict["exit_status"]),
                         ("met", "done", 0))
        self.assertEqual((verdict["steps"], verdict["steps_within_tolerance"]), (1000, 1000))
        self.assertEqual(verdict["contacts"]["share_within_tolerance"], 1)
        self.assertGreater(verdict["contacts"]["solved"], 100)
        self.assertEqual(verdict["energy"]["created"], 0)
        self.assertGreater(verdict["energy"]["dissipated"], 0)
        shown = self.scree("info", "run").stdout
        self.assertIn("Every step met the tolerance", shown)
        self.assertIn("Contacts within their share of the tolerance: 100 %", shown)
        self.assertEqual(
            json.loads(self.scree("info", "run", "--json").stdout)["certified"], verdict)

    def test_energy_that_contacts_make_is_told_and_gives_status_3(self):
        # A column of balls loses its floor, and the solver does one sweep: what held them throws
        # them up.
        balls = "".join(f"  - sphere: {{position: [0, 0, {1 + 2 * k} cm], radius: 1 cm}}\n"
                        for k in range(20))
        scene = BALL[:BALL.index("bodies:")] + f"""bodies:
{balls}obstacles:
  - box:
      {{min: [-2 cm, -2 cm, -2 cm], max: [2 cm, 2 cm, 0],
        motion: {{velocity: [0, 0, 't < 0.05 ? 0 : -5']}}}}
"""
        settings = ("--until", "0.06 s", "--set", "step.h=1 ms", "--quiet")
        self.scree("run", self.write_scene(scene), "--out", "run", *settings, "--set",
                   "solver.max_sweeps=1", status=3)
        verdict = self.verdict("run")
        self.assertEqual(verdict["verdict"], "missed")
        made = [float(row["energy_created"]) for row in self.statistics("run")]
        self.assertAlmostEqual(verdict["energy"]["created"], sum(made), delta=1e-12 * sum(made))
        self.assertAlmostEqual(verdict["energy"]["created_in_step"]["value"], max(made))

    def test_a_row_of_balls_leaves_as_each_law_of_impacts_has_it(self):
        # The first of three hits the others, which touch: at e = 1/2 it stops, and they take half
        # of its speed each and half of its energy.
        balls = "".join(f"  - sphere: {{position: [{2 * k} cm, 0, 0], radius: 1 cm, "
                        f"velocity: [{int(k == 0)}, 0, 0]}}\n" for k in range(3))
        scene = BALL[:BALL.index("bodies:")].replace(
            "friction: 0.3",
            "friction: 0, restitution: 0.5") + f"gravity: [0, 0, 0]\nbodies:\n{balls}"
        for law in ("newton", "poisson", "energetic"):
            path = self.write_scene(scene.replace("h: 0.1 ms", f"h: 0.1 ms, impacts: {law}"))
            self.scree("run", path, "--no-pictures", "--out", law, "--until", "2 ms", "--set",
                       "solver.tolerance=1e-9")
            first, *_, last = self.statistics(law)
            part = float(last["kinetic_energy"]) / float(first["kinetic_energy"])
            self.assertAlmostEqual(part, 0.5, places=6, msg=law)
            self.assertIn(law, (self.directory / law / "resolved.yaml").read_text())

    def test_a_motion_that_is_no_number_ends_the_run_before_the_step(self):
        motion = ", motion: {velocity: [0, 0, '(abs(t-0.05005)<1e-9) ? sqrt(-1) : 0']}}"
        scene = self.write_scene(BALL.replace("normal: [0, 0, 1]}", "normal: [0, 0, 1]" + motion))
        self.scree("run", scene, "--out", "run", status=3)
        self.assertTrue((self.directory / "run" / "FAILED").exists())
        verdict = self.verdict("run")
        self.assertEqual((verdict["verdict"], verdict["status"]), ("missed", "failed"))
        self.assertEqual((verdict["time"], verdict["steps"]), (0.05, 500))
        fault = verdict["motion_fault"]
        self.assertEqual(fault["obstacle"], "floor")
        self.assertAlmostEqual(fault["time"], 0.05005)
        self.assertEqual(fault["what"],
                         "velocity[2], '(abs(t-0.05005)<1e-9) ? sqrt(-1) : 0', is nan")
        for part in ("motion of 'floor'", "t = 0.05005 s", fault["what"]):
            self.assertIn(part, verdict["sentence"])
        self.assertNotIn("null", (self.directory / "run" / "obstacles.json").read_text())
        self.assertEqual(self.statistics("run")[-1]["step"], "500")
        run = self.directory / "run"

        def written():
            return {
                file.relative_to(run): file.read_bytes()
                for pattern in ("frames/*", "statistics.csv", "*.json", "*.series")
                for file in run.glob(pattern)
                if file.name not in ("manifest.json", "log.jsonl", "verdict.json")
            }

        before = written()
        again = self.scree("run", scene, "--out", "run", "--resume", status=3)
        self.assertIn("motion of 'floor'", again.stderr)
        self.assertEqual(written(), before)

    def test_the_report_calls_obstacles_by_their_names(self):
        result = self.scree("run", self.write_scene(BALL), "--out", "run", "--set",
                            "solver.max_sweeps=1", "--set", "bodies[0].sphere.velocity=[1, 0, 0]",
                            status=None)
        self.assertIn("Worst contact: body 0 to floor, ", result.stderr)

    def test_bodies_that_find_no_room_to_enter_are_told_and_count_if_asked(self):
        inflow = """inflows:
  - {name: plate, point: [-1, 0, 0], velocity: [1, 0, 0], advance: 2 cm, radius: 1 cm,
     layer: {region: {min: [-1, 0, 0], max: [-98 cm, 4 cm, 2 cm]}, spacing: 2 cm}}
"""
        gate = """  - box:
      {name: gate, min: [-1, 5 cm, 0], max: [-95 cm, 15 cm, 4 cm],
       motion: {velocity: [0, -0.5, 0]}}
"""
        scene = self.write_scene(BALL + inflow)
        gated = self.write_scene(BALL.replace("output:", gate + "output:") + inflow, "gated.yaml")
        self.scree("run", scene, "--out", "free", "--strict-inflow")
        bodies = self.verdict("free")["bodies"]
        self.assertEqual((bodies["entered"], bodies["found_no_room"]), (8, 0))
        result = self.scree("run", gated, "--out", "gated")
        bodies = self.verdict("gated")["bodies"]
        self.assertEqual(bodies["entered"] + bodies["found_no_room"], 8)
        self.assertGreater(bodies["found_no_room"], 0)
        self.assertIn(f"{bodies['found_no_room']} found no room to enter", result.stderr)
        self.scree("run", gated, "--out", "strict", "--strict-inflow", status=3)
        self.assertIn("strict_inflow counts as missed", self.verdict("strict")["sentence"])
        self.scree("reproduce", "strict")

    def test_the_end_that_is_foretold_is_that_of_the_stages_that_are_left(self):
        stages = ("stages:\n  - {name: settle, until: rest, rest: {at_most: 100 s}}\n"
                  "  - {name: wait, until: 3 s}\n")
        scene = self.write_scene(
            BALL.replace("until: 0.1 s\n", "").replace("2 cm]", "1 cm]") + stages)
        terminal, other_end = os.openpty()
        with subprocess.Popen([PROGRAM, "run", scene, "--out", "run", "--no-pictures"],
                              cwd=self.directory, stderr=other_end) as process:
            os.close(other_end)
            reported = b""
            try:
                while part := os.read(terminal, 4096):
                    reported += part
            except OSError:  # Linux reports the end of a terminal so
                pass
        os.close(terminal)
        self.assertEqual(process.returncode, 0)
        ends = re.findall(r"t ([0-9.]+)/([0-9.]+) s [^\r]* ETA (at most )?", reported.decode())
        later = [(round(float(end)), at_most) for now, end, at_most in ends if float(now) > 0.5]
        self.assertEqual(set(later), {(3, "")})

    def test_a_run_is_replaced_only_when_asked(self):
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "run")
        before = self.everything()
        result = self.scree("run", scene, "--out", "run", status=2)
        self.assertIn("--force", result.stderr)
        self.assertEqual(self.everything(), before)
        self.scree("run", scene, "--out", "run", "--force", "--until", "10 ms")
        self.assertEqual(len(self.statistics("run")), 2)

    def test_what_is_no_run_is_never_replaced(self):
        (self.directory / "thesis").mkdir()
        (self.directory / "thesis" / "chapter.tex").write_text("years of work")
        scene = self.write_scene(BALL)
        before = self.everything()
        self.scree("run", scene, "--out", "thesis", "--force", status=2)
        self.assertEqual(self.everything(), before)

    def test_a_file_that_the_scene_needs_is_never_removed_with_the_run(self):
        table = "x,y,z,radius\n0,0,0.02,0.01\n"
        scene = self.write_scene(
            BALL.replace("  - sphere: {position: [0, 0, 2 cm], radius: 1 cm}",
                         "  - csv: {file: grains.csv}"))
        (self.directory / "grains.csv").write_text(table)
        for name in ("statistics.csv", "verdict.json", "frames/grains_000007.hdf"):
            self.scree("run", scene, "--out", "run", "--force", "--until", "1 ms")
            needed = self.directory / "run" / name
            needed.write_text(table)
            before = {file: (self.directory / file).read_bytes() for file in self.everything()}
            result = self.scree("run", scene, "--out", "run", "--force", "--set",
                                f"bodies[0].csv.file=run/{name}", status=2)
            self.assertIn(f"run/{name}, which belongs to the run", result.stderr)
            self.assertIn("move the file", result.stderr)
            self.assertEqual(
                {file: (self.directory / file).read_bytes() for file in self.everything()}, before)

    def test_the_scene_itself_is_never_removed_with_the_run(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--until", "1 ms")
        subprocess.run(["rm", "-r", str(self.directory / "run" / "restart")],
                       check=True)  # --resume starts over then
        before = self.everything()
        for name, option in (("scene.yaml", "--force"), ("resolved.yaml", "--force"),
                             ("resolved.yaml", "--resume")):
            result = self.scree("run", f"run/{name}", "--out", "run", option, status=2)
            self.assertIn(f"run/{name}, which belongs to the run", result.stderr)
        self.assertEqual(self.everything(), before)

    def test_nothing_is_written_through_links_out_of_the_directory(self):
        scene = self.write_scene(BALL)
        elsewhere = self.directory / "elsewhere"
        elsewhere.mkdir()
        for name in ("statistics.csv", "log.txt", "manifest.json", "frames", "restart",
                     "resolved.yaml.part", "manifest.json.part", "frames/grains_000000.hdf",
                     "frames/grains_000001.hdf.part"):
            self.scree("run", scene, "--out", "run", "--force", "--until", "20 ms")
            file = self.directory / "run" / name
            kept = elsewhere / file.name
            if file.exists():
                file.rename(kept)
            else:
                kept.write_text("mine")
            file.symlink_to(kept)
            before = {p: p.read_bytes() for p in elsewhere.rglob("*") if p.is_file()}
            with self.subTest(name):
                self.scree("run", scene, "--out", "run", "--force", "--until", "20 ms")
                self.assertEqual({p: p.read_bytes() for p in elsewhere.rglob("*") if p.is_file()},
                                 before)
                self.assertFalse(file.is_symlink())
        # All that there is of a run that was killed at its first file.
        (self.directory / "killed").mkdir()
        (self.directory / "killed/manifest.json.part").symlink_to(scene)
        before = scene.read_bytes()
        self.scree("run", scene, "--out", "killed", "--until", "1 ms")
        self.assertEqual(scene.read_bytes(), before)

    def test_times_are_the_decimal_numbers_that_they_stand_for(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--set", "step.h=0.2 ms", "--set",
                   "output.frame_interval=0.2 ms")
        for row in self.statistics("run"):
            self.assertEqual(float(row["time"]), int(row["step"]) * 2 / 10000)
        series = json.loads((self.directory / "run" / "grains.hdf.series").read_text())["files"]
        self.assertEqual([frame["time"] for frame in series], [k * 2 / 10000 for k in range(501)])
        self.assertTrue(
            all(
                len(line.split(",")[0]) <= 6
                for line in (self.directory / "run/statistics.csv").read_text().splitlines()))


class Interrupt(ProgramTest):

    def interrupt_with(self, number):
        scene = self.write_scene(HEAP)
        process = subprocess.Popen([PROGRAM, "run", str(scene), "--out", "run"], cwd=self.directory,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        series = self.directory / "run" / "grains.hdf.series"
        deadline = time.monotonic() + 60
        while not series.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.2)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        return errors

    def test_signals_end_a_run_between_two_steps_with_all_files_whole(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.assertIn("Interrupted at t = ", self.interrupt_with(number))
                run = self.directory / "run"
                self.assertIn("Interrupted", (run / "FAILED").read_text())
                self.assertFalse((run / "DONE").exists())
                manifest = self.manifest("run")
                self.assertEqual((manifest["status"], manifest["exit_status"]),
                                 ("interrupted", 130))
                verdict = self.verdict("run")
                self.assertEqual((verdict["status"], verdict["exit_status"]), ("interrupted", 130))
                rows = self.statistics("run")
                frame = json.loads((run / "grains.hdf.series").read_text())["files"][-1]
                self.assertAlmostEqual(float(rows[-1]["time"]), frame["time"], places=12)
                self.assertTrue((run / frame["name"]).is_file())
                subprocess.run(["rm", "-r", str(run)], check=True)


class FullDisk(ProgramTest):

    def test_is_told_with_the_file_and_gives_status_4(self):
        disk = self.directory / "disk"
        disk.mkdir()
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "none",
             str(disk)], capture_output=True, check=False).returncode == 0
        if not mounted:
            self.skipTest(
                "a small file system can be mounted by root only: a full disk was NOT tested")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=False)
        result = self.scree("run", self.write_scene(HEAP), "--until", "1 s", "--set",
                            "output.frame_interval=1 ms", "--out", "disk/run", status=4)
        self.assertIn("No space left on device; free some space there", result.stderr)
        self.assertIn("No space left on device", (disk / "run" / "FAILED").read_text())
        self.assertNotEqual(self.manifest("disk/run")["status"], "done")
        self.assertFalse((disk / "run" / "DONE").exists())
        self.assertEqual(list((disk / "run").rglob("*.part")), [])


if __name__ == "__main__":
    main()

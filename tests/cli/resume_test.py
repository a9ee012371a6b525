"""--resume continues any stopped or killed run, to the bits of an uninterrupted run."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

from program import HEAP, PROGRAM, ProgramTest, main

# Grains pour past a gate: bodies come and go, walls move, random numbers are drawn, pairs change. A
# few sweeps each step, however well they do: what a solve leaves undone must come back, too. They
# miss the tolerance, and each run ends with status 3 for it.
FLOW = """scree: 1
name: flow
until: 0.4 s
step: {h: 0.1 ms}
solver: {tolerance: 1e-9, max_sweeps: 5}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [4 cm, 2 cm, 1 cm]}
      spacing: 5 mm
      radius: 2.4 mm
      velocity: [0.5 m/s, 0, 0]
      jitter: [0.1, 0.1, 0.1]
      seed: 3
      avoid_obstacles: true
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - half_space: {name: left, point: [0, 0, 0], normal: [0, 1, 0]}
  - half_space: {name: right, point: [0, 2 cm, 0], normal: [0, -1, 0]}
  - box:
      {name: gate, min: [2.5 cm, 0.5 cm, 0], max: [2.8 cm, 1.5 cm, 1 cm],
       motion: {velocity: [0, 0, '0.02*sin(60*t)']}}
inflows:
  - name: plate
    point: [0, 0, 0]
    velocity: [0.5 m/s, 0, 0]
    advance: 5 mm
    layer: {region: {min: [0, 0, 0], max: [5 mm, 2 cm, 1 cm]}, spacing: 5 mm}
    radius: 2.4 mm
    jitter: [0, 0.1, 0.1]
    seed: 2
outflows:
  - {name: end, min: [4 cm, -.inf, -.inf], max: [.inf, .inf, .inf]}
output:
  frame_interval: 17 ms
  statistics_interval: 3 ms
  checkpoint_interval: 1 ms
  analysis:
    - name: flow
      region: {min: [0, 0, 0], max: [4 cm, 2 cm, 1 cm]}
      interval: 7 ms
      cells: [8, 4, 1]
      plane: {point: [2 cm, 0, 0], normal: [1, 0, 0]}
      force_chains: true
      residence: true
      fields: {cells: [2, 1, 1]}
    - {name: with_frames, region: {min: [1 cm, 0, 0], max: [3 cm, 2 cm, 1 cm]}}
"""


class ResumeTest(ProgramTest):

    def setUp(self):
        super().setUp()
        self.scene = self.write_scene(FLOW)

    def scree(self, command, *arguments, **keywords):
        if command == "run":
            arguments += ("--no-pictures",)  # they are drawn when a run has ended, and take long
            keywords.setdefault("status", 3)
        return super().scree(command, *arguments, **keywords)

    def run_whole(self, *arguments, out="whole"):
        self.scree("run", self.scene, "--out", out, *arguments)

    def assert_same_run(self, one, other):
        """Every frame and every table of an analysis byte by byte, and every column of the
        statistics but the seconds.
        """
        one, other = self.directory / one, self.directory / other
        tables = {
            p.relative_to(one / "analysis"): p.read_bytes() for p in (one / "analysis").rglob("*")
            if p.is_file()
        }
        self.assertEqual(
            tables, {
                p.relative_to(other / "analysis"): p.read_bytes()
                for p in (other / "analysis").rglob("*") if p.is_file()
            })
        self.assertGreaterEqual(len(tables), 20)
        names = sorted(p.name for p in (one / "frames").iterdir())
        self.assertEqual(names, sorted(p.name for p in (other / "frames").iterdir()))
        for name in [
                *(f"frames/{n}" for n in names), "grains.hdf.series", "contacts.hdf.series",
                "obstacles.json", "verdict.json"
        ]:
            self.assertEqual((one / name).read_bytes(), (other / name).read_bytes(), name)

        def rows(run):
            return [{k: v for k, v in row.items() if not k.startswith("seconds_")}
                    for row in self.statistics(run)]

        self.assertEqual(rows(one), rows(other))
        self.assertEqual((one / "DONE").exists(), (other / "DONE").exists())

    def interrupted(self, *arguments, after, number=signal.SIGKILL):
        """The exit status of a run that gets a signal some seconds after its start, or when a
        condition holds; 3 if it had ended before.
        """
        process = subprocess.Popen(
            [PROGRAM, "run", str(self.scene), "--no-pictures", *arguments], cwd=self.directory,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if callable(after):
            while process.poll() is None and not after():
                time.sleep(0.001)
        else:
            time.sleep(after)
        process.send_signal(number)
        _, self.errors = process.communicate(timeout=60)
        return process.returncode


class AKilledRun(ResumeTest):
    wanted_kills = 30

    def test_continues_to_the_same_bits_after_kills_at_random_moments(self):
        self.run_whole()
        seed = random.randrange(1 << 32)
        moments = random.Random(seed)
        kills = 0
        for run in range(100):
            out = f"cut{run}"
            # Each run is killed until it has been killed often, and left to end then.
            for _ in range(10):
                status = self.interrupted("--resume", "--out", out,
                                          after=moments.uniform(0.005, 0.25))
                if status == 3:
                    break
                self.assertEqual(status, -signal.SIGKILL, self.errors)
                kills += 1
                for series in (self.directory / out).rglob("*.series"):
                    json.loads(series.read_text())
            self.scree("run", self.scene, "--resume", "--out", out, "--threads",
                       moments.choice([1, 2]))
            with self.subTest(f"seed {seed}, run {run}, kill {kills}"):
                self.assert_same_run("whole", out)
            shutil.rmtree(self.directory / out)
            if kills >= self.wanted_kills:
                break
        self.assertGreaterEqual(kills, self.wanted_kills)

    def test_begins_anew_if_it_did_not_come_to_a_checkpoint(self):
        self.run_whole()
        self.scree("run", self.scene, "--resume", "--out", "cut")
        self.assert_same_run("whole", "cut")


class AHundredKills(AKilledRun):
    wanted_kills = 100


class AnInterruptedRun(ResumeTest):

    def test_writes_a_checkpoint_on_each_signal_and_goes_on_to_the_same_bits(self):
        self.run_whole()
        settings = ("--set", "output.checkpoint_interval=0", "--out", "cut")
        log = self.directory / "cut" / "log.txt"
        for starts, number in enumerate((signal.SIGINT, signal.SIGTERM), start=1):

            def stepping(starts=starts):
                return log.exists() and log.read_text().count("bodies,") == starts

            with self.subTest(number):
                self.assertEqual(
                    self.interrupted(*settings, "--resume", after=stepping, number=number), 130,
                    self.errors)
                self.assertIn("--resume", (self.directory / "cut" / "FAILED").read_text())
                self.assertTrue(list((self.directory / "cut" / "restart").iterdir()))
                self.assertRegex(
                    self.scree("info", "cut").stdout,
                    r"To continue from the last file in restart/:\n  scree run \S*\.yaml "
                    r"--out cut --resume --set output\.checkpoint_interval=0\n")
        self.scree("run", self.scene, *settings, "--resume")
        self.assertGreater(self.manifest("cut")["resumed_at_step"], 0)
        self.assert_same_run("whole", "cut")

    def test_is_not_cut_back_by_an_earlier_end(self):

        def stepping():
            return bool(list((self.directory / "cut").glob("restart/step_000000000[1-9]*.hdf")))

        self.assertEqual(self.interrupted("--out", "cut", after=stepping), -signal.SIGKILL,
                         self.errors)
        before = self.everything()
        result = self.scree("run", self.scene, "--out", "cut", "--resume", "--until", "1 ms",
                            status=2)
        self.assertIn("is already beyond t = 0.001 s", result.stderr)
        self.assertEqual(self.everything(), before)


class ACompleteRun(ResumeTest):

    def test_is_left_alone(self):
        self.run_whole()
        before = self.everything()
        result = self.scree("run", self.scene, "--out", "whole", "--resume")
        self.assertIn("is complete", result.stderr)
        self.assertEqual(self.everything(), before)

    def test_is_refused_when_its_end_was_changed(self):
        self.run_whole()
        run = self.directory / "whole"
        for change, objection in ((lambda: (run / "verdict.json").unlink(),
                                   "verdict.json was changed since the run"),
                                  (lambda: (run / "DONE").write_text("All is well.\n"),
                                   "DONE does not agree with"),
                                  (lambda: (run / "FAILED").write_text(""), "FAILED exists")):
            kept = {file: file.read_bytes() for file in (run / "verdict.json", run / "DONE")}
            change()
            reported = self.scree("run", self.scene, "--out", "whole", "--resume", status=2).stderr
            self.assertIn(f"is complete, but {objection}", reported)
            self.assertIn(f"warning: {objection}", self.scree("info", "whole").stderr)
            self.assertIn(objection,
                          json.loads(self.scree("info", "whole", "--json").stdout)["objections"][0])
            for file, content in kept.items():
                file.write_bytes(content)
        (run / "FAILED").unlink()
        self.assertNotIn("warning", self.scree("info", "whole").stderr)

    def test_is_no_failed_one_when_its_mark_is_renamed(self):
        self.run_whole()
        (self.directory / "whole/DONE").rename(self.directory / "whole/FAILED")
        reported = self.scree("info", "whole").stderr
        self.assertIn("DONE does not agree with manifest.json, or is missing", reported)
        self.assertIn("FAILED exists, but by manifest.json the run is done", reported)

    def test_can_be_made_longer(self):
        self.run_whole()
        self.scree("run", self.scene, "--out", "grown", "--until", "0.2501 s")
        self.scree("run", self.scene, "--out", "grown", "--resume")
        self.assert_same_run("whole", "grown")


class ACheckpointThatCannotBeUsed(ResumeTest):

    def setUp(self):
        super().setUp()
        self.scree("run", self.scene, "--out", "run", "--until", "50 ms")
        self.checkpoints = sorted((self.directory / "run" / "restart").iterdir())

    def refused(self, *arguments):
        before = self.everything()
        result = self.scree("run", self.scene, "--out", "run", "--resume", *arguments, status=2)
        self.assertEqual(self.everything(), before)
        return result.stderr

    def test_because_the_scene_was_changed_is_refused_with_the_line_that_differs(self):
        message = self.refused("--set", "default_law.friction=0.4")
        self.assertRegex(
            message, r"default_law.friction was 'friction: 0.5' \(line \d+ of resolved.yaml\) "
            r"and is 'friction: 0.4' now; give the same scene .* --force")

    def test_because_a_value_of_the_first_command_is_missing_is_refused_with_that_value(self):
        change = "default_law.friction=0.4"
        self.scree("run", self.scene, "--out", "run", "--until", "50 ms", "--set", change, "--set",
                   "name=other", "--force")
        message = self.refused("--set", "name=other")
        self.assertIn("default_law.friction was 'friction: 0.4'", message)
        self.assertIn(f"the run began with --set {change}, which this command lacks", message)
        self.scree("run", self.scene, "--out", "run", "--resume", "--until", "60 ms", "--set",
                   "name=other", "--set", change)

    def test_because_it_was_cut_short_is_refused_and_the_one_before_serves(self):
        self.assertEqual(len(self.checkpoints), 2, "the last two are kept")
        for keep in (0.0, 0.3, 0.99):
            whole = self.checkpoints[-1].read_bytes()
            self.checkpoints[-1].write_bytes(whole[:int(keep * len(whole))])
            message = self.refused()
            self.assertIn(self.checkpoints[-1].name, message)
            self.assertIn("remove that file to resume from the one before", message)
            self.checkpoints[-1].write_bytes(whole)
        self.checkpoints[-1].unlink()
        self.run_whole()
        self.scree("run", self.scene, "--out", "run", "--resume")
        self.assert_same_run("whole", "run")

    def test_because_a_bit_has_flipped_is_refused(self):
        whole = self.checkpoints[-1].read_bytes()
        for place in range(7, len(whole), len(whole) // 20):
            content = bytearray(whole)
            content[place] ^= 0x40
            self.checkpoints[-1].write_bytes(content)
            self.assertIn("damaged", self.refused())

    def test_because_it_is_something_else_is_refused(self):
        frame = next((self.directory / "run" / "frames").glob("grains*"))
        shutil.copy(frame, self.checkpoints[-1])
        self.assertIn("is not a checkpoint of scree, or is damaged: it holds grains",
                      self.refused())

    def test_because_a_file_it_counts_on_is_gone_or_cut_short_is_refused(self):
        for name in ("statistics.csv", "frames/grains_000001.hdf", "frames/contacts_000001.hdf",
                     "analysis/flow/stress.csv", "analysis/flow/frames/force_chains_000001.hdf"):
            file = self.directory / "run" / name
            whole = file.read_bytes()
            file.write_bytes(b"")
            self.assertIn(
                f"{name} is missing, or shorter than it was; restore it, or start again with "
                "--force", self.refused())
            file.unlink()
            self.assertIn(name, self.refused())
            file.write_bytes(whole)

    def test_because_a_file_it_counts_on_was_changed_is_refused(self):
        for name in ("statistics.csv", "frames/grains_000000.hdf", "frames/grains_000001.hdf",
                     "frames/contacts_000001.hdf", "analysis/flow/stress.csv",
                     "analysis/flow/frames/force_chains_000001.hdf"):
            file = self.directory / "run" / name
            whole = file.read_bytes()
            flipped = bytearray(whole)
            flipped[len(whole) // 2] ^= 1
            damages = [bytes(flipped)]
            if name.endswith("hdf"):  # tables grow: what comes later is cut off
                damages += [whole[:100], whole + b"more"]
            for damaged in damages:
                file.write_bytes(damaged)
                self.assertIn(f"{name} was cut short or changed since the run wrote it; restore it",
                              self.refused())
            file.write_bytes(whole)
        self.scree("run", self.scene, "--out", "run", "--resume")
        self.run_whole()
        self.assert_same_run("whole", "run")

    def test_because_a_file_is_a_link_is_refused(self):
        for name in ("statistics.csv", "frames", "analysis/flow/stress.csv", "manifest.json"):
            file, elsewhere = self.directory / "run" / name, self.directory / "elsewhere"
            file.rename(elsewhere)
            file.symlink_to(elsewhere)
            self.assertIn(f"{name} is a symbolic link", self.refused())
            file.unlink()
            elsewhere.rename(file)


class ASeriesOfFrames(ResumeTest):

    def test_that_was_damaged_is_written_again(self):
        self.run_whole("--until", "60 ms")
        whole = (self.directory / "whole/grains.hdf.series").read_text()
        for run, damaged in (("renamed", whole.replace("0.017", "0.018")), ("cut", whole[:-9]),
                             ("gone", None)):
            self.scree("run", self.scene, "--out", run, "--until", "40 ms")
            series = self.directory / run / "grains.hdf.series"
            series.unlink()
            if damaged is not None:
                series.write_text(damaged)
            self.scree("run", self.scene, "--out", run, "--resume", "--until", "60 ms")
            self.assert_same_run("whole", run)

    def test_of_many_frames_is_whole_whenever_it_is_read(self):
        process = subprocess.Popen([
            PROGRAM, "run", "--no-pictures", "--out", "run", "--until", "60 ms", "--set",
            "output={frame_interval: 0.1 ms, contacts: no, obstacles: no}", self.scene
        ], cwd=self.directory, stderr=subprocess.DEVNULL)
        series, seen = self.directory / "run/grains.hdf.series", set()
        while process.poll() is None:
            if series.exists():
                seen.add(len(json.loads(series.read_text())["files"]))
            time.sleep(1e-3)
        self.assertGreater(len(seen), 20)
        files = json.loads(series.read_text())["files"]
        self.assertEqual([file["name"] for file in files],
                         [f"frames/grains_{k:06}.hdf" for k in range(601)])


class ARunThatGoesOn(ResumeTest):

    def test_is_not_written_to_by_another(self):
        out = self.directory / "run"
        process = subprocess.Popen(
            [PROGRAM, "run", str(self.write_scene(HEAP, "heap.yaml")), "--out", out],
            cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        while not (out / "statistics.csv").exists():
            time.sleep(0.01)
        self.assertIn("run of heap: running", super().scree("info", out).stdout)
        for option in ("--resume", "--force"):
            result = self.scree("run", "heap.yaml", "--out", out, option, status=2)
            self.assertIn("another scree is writing to", result.stderr)
        process.kill()
        process.wait()
        self.assertIn("run of heap: killed", super().scree("info", out).stdout)
        self.scree("run", "heap.yaml", "--out", out, "--resume", "--until", "1 ms", status=None)
        self.assertTrue((out / "DONE").exists())


class AFullDisk(ResumeTest):

    def test_keeps_the_last_good_checkpoint_and_the_run_goes_on_once_there_is_room(self):
        disk = self.directory / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=700k", "none", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True,
                                               check=False).returncode != 0:
            self.skipTest(
                "a small file system can be mounted by root only: a full disk was NOT tested")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=False)
        result = self.scree("run", self.scene, "--out", "disk/run", status=4)
        self.assertIn("No space left on device; free some space there", result.stderr)
        self.assertTrue(list((disk / "run" / "restart").glob("*.hdf")))
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        self.scree("run", self.scene, "--out", "disk/run", "--resume")
        self.run_whole()
        self.assert_same_run("whole", "disk/run")


if __name__ == "__main__":
    main()

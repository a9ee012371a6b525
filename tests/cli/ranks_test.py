"""Runs on several ranks: the bits of one process, one writer, and ends that all ranks share."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from program import HEAP, PROGRAM, SOURCE, ProgramTest, main

STAGES = """scree: 1
name: stages
step: {h: 0.2 ms}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5, rolling_friction: 0.1 mm}
bodies:
  - lattice:
      region: {min: [0, 0, 2 cm], max: [4 cm, 4 cm, 5 cm]}
      spacing: 5 mm
      radius: 2.5 mm
      jitter: [0.01, 0.01, 0.01]
      seed: 3
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - box: {name: gate, min: [-1 cm, -1 cm, 1 cm], max: [5 cm, 5 cm, 1.9 cm]}
stages:
  - {name: hold, until: 30 ms}
  - {name: pour, until: 30 ms, remove: [gate]}
output:
  frame_interval: 10 ms
  statistics_interval: 1 ms
  checkpoint_interval: 7 ms
"""


def processes_of(parent):
    """Ids of all processes below one."""
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True,
        check=False).stdout.split()
    return [p for child in children for p in [int(child), *processes_of(int(child))]]


class RanksTest(ProgramTest):

    def setUp(self):
        super().setUp()
        if not Path(PROGRAM).with_name("scree-mpi").exists():
            self.skipTest("scree-mpi was not built: apt-get install libopenmpi-dev")
        if not shutil.which("mpirun"):
            self.skipTest("there is no mpirun: apt-get install openmpi-bin")

    def run_scene(self, scene, out, *arguments, ranks=0, threads=1, status=None, share=True):
        """Runs a scene; on ranks it shares even the smallest problems, unless not to `share`."""
        on_ranks = ("--ranks", ranks) if ranks else ()
        environment = os.environ | ({"SCREE_MIN_CHUNKS": "0"} if share else {})
        return self.scree("run", scene, "--out", out, "--threads", threads, "--no-pictures",
                          *on_ranks, *arguments, status=status, env=environment)

    def results(self, run):
        """Frames, verdict and statistics of a run, without seconds."""
        run = self.directory / run
        files = {
            str(p.relative_to(run)): p.read_bytes()
            for p in [*(run / "frames").iterdir(), run / "verdict.json", *run.glob("*.hdf.series")]
        }
        rows = [{k: v for k, v in row.items() if not k.startswith("seconds_")}
                for row in self.statistics(run.name)]
        return files, rows

    def assert_same_results(self, one, other):
        (files, rows), (other_files, other_rows) = self.results(one), self.results(other)
        self.assertEqual(rows, other_rows)
        self.assertEqual(files.keys(), other_files.keys())
        for name, content in files.items():
            self.assertEqual(content, other_files[name], name)

    def check(self, scene, until, *settings, ranks=(2, 3), threads=(1,)):
        """Compares runs of a scene on ranks with one process."""
        path = SOURCE / "scenes" / f"{scene}.yaml"
        arguments = ["--until", until]
        for setting in settings:
            arguments += ["--set", setting]
        one = self.run_scene(path, "one", *arguments, "--force")
        self.assertIn(one.returncode, (0, 3), one.stderr)
        for size in ranks:
            for count in threads:
                several = self.run_scene(path, "several", *arguments, "--force", ranks=size,
                                         threads=count)
                self.assertEqual(several.returncode, one.returncode, several.stderr)
                with self.subTest(scene=scene, ranks=size, threads=count):
                    self.assert_same_results("one", "several")
        self.assertEqual(self.manifest("several")["ranks"], ranks[-1])


class ScenesOnTwoAndThreeRanks(RanksTest):

    def test_a_flow_of_spheres_has_the_bits_of_one_process(self):
        self.check("channel_quick", "4 ms")

    def test_boxes_have_the_bits_of_one_process(self):
        self.check("boxes", "0.1 s")

    def test_a_drum_from_a_surface_has_the_bits_of_one_process(self):
        self.check("drum_from_stl", "30 ms", ranks=(3,))

    def test_a_robot_has_the_bits_of_one_process(self):
        self.check("gripper", "50 ms", ranks=(2,))


class EachKindOfSceneOnEachNumberOfRanks(RanksTest):

    def check_all(self, scene, until, *settings):
        self.check(scene, until, *settings, ranks=(2, 3, 4, 8), threads=(1, 2))

    def test_spheres_have_the_bits_of_one_process(self):
        self.check_all("channel_quick", "20 ms")
        self.check_all("bidisperse", "20 ms")
        self.check_all("drum", "0.1 s")

    def test_other_shapes_have_the_bits_of_one_process(self):
        self.check_all("boxes", "0.4 s")
        self.check_all("clumps", "0.3 s")

    def test_machines_have_the_bits_of_one_process(self):
        self.check_all("drum_from_stl", "0.1 s")
        self.check_all("blade_mixer", "0.1 s")
        self.check_all("conveyor", "0.3 s")

    def test_springs_have_the_bits_of_one_process(self):
        self.check_all("soft_pile", "20 ms")

    def test_robots_have_the_bits_of_one_process(self):
        self.check_all("gripper", "0.3 s")
        self.check_all("quadruped", "0.3 s")
        self.check_all("four_bar", "0.3 s")

    def test_a_sheared_cell_has_the_bits_of_one_process(self):
        self.check_all("shear", "2 ms")

    def test_a_hopper_that_opens_has_the_bits_of_one_process(self):
        self.check("hopper", "0.7 s", ranks=(2, 4), threads=(1,))


class ARunInStages(RanksTest):

    def test_has_the_bits_of_one_process(self):
        scene = self.write_scene(STAGES)
        self.run_scene(scene, "one")
        self.run_scene(scene, "several", ranks=3)
        self.assert_same_results("one", "several")
        self.assertEqual(len(self.verdict("several")["stages"]), 2)

    def test_continues_on_any_number_of_ranks_to_the_same_bits(self):
        scene = self.write_scene(STAGES)
        self.run_scene(scene, "one")
        for until, ranks in (("15 ms", 4), ("35 ms", 3), ("45 ms", 0), ("60 ms", 2)):
            self.run_scene(scene, "parts", "--until", until, "--resume", ranks=ranks)
        self.assert_same_results("one", "parts")


class AnEndOfAllRanks(RanksTest):

    def start(self, *arguments):
        scene = self.write_scene(HEAP)
        return subprocess.Popen([
            PROGRAM, "run", scene, "--out", "cut", "--no-pictures", "--set",
            "output.checkpoint_interval=1 ms", *arguments
        ], cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                env=os.environ | {"SCREE_MIN_CHUNKS": "0"})

    def wait_for_checkpoint(self, process):
        end = time.monotonic() + 60
        while not list((self.directory / "cut").glob("restart/*.hdf")):
            self.assertIsNone(process.poll(), "the run has ended")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def step_of(self, run):
        return max(int(p.stem.split("_")[1]) for p in (self.directory / run).glob("restart/*.hdf"))

    def assert_continues_to_the_bits_of_one_process(self):
        """Continues the run a little, and compares it with one that was not stopped."""
        until = f"{(self.step_of('cut') + 40) * 0.1} ms"
        scene = self.directory / "scene.yaml"
        checkpoints = ("--set", "output.checkpoint_interval=1 ms", "--until", until)
        self.run_scene(scene, "cut", *checkpoints, "--resume", ranks=2)
        self.run_scene(scene, "whole", *checkpoints)
        self.assert_same_results("whole", "cut")

    def ends_within(self, process, seconds):
        begin = time.monotonic()
        _, self.errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, seconds)
        return process.returncode

    def test_follows_a_signal_to_the_program_and_writes_a_checkpoint(self):
        process = self.start("--ranks", "2")
        self.wait_for_checkpoint(process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.ends_within(process, 10), 130, "as with one process")
        self.assertIn("Interrupted", self.errors)
        self.assert_continues_to_the_bits_of_one_process()

    def test_follows_the_death_of_one_and_leaves_a_good_checkpoint(self):
        seed = random.randrange(1 << 32)
        process = self.start("--ranks", "3")
        self.wait_for_checkpoint(process)
        names = {p: Path(f"/proc/{p}/comm").read_text().strip() for p in processes_of(process.pid)}
        ranks = [p for p, name in names.items() if name == "scree-mpi"]
        self.assertEqual(len(ranks), 3, names)
        os.kill(random.Random(seed).choice(ranks), signal.SIGKILL)
        self.assertNotEqual(self.ends_within(process, 10), 0, f"seed {seed}")
        self.assertIn("signal 9", self.errors, "mpirun says what happened")
        self.assertFalse(processes_of(process.pid))
        self.assert_continues_to_the_bits_of_one_process()

    def test_follows_a_full_disk(self):
        scene = self.write_scene(HEAP)
        command = ("mount -t tmpfs -o size=200k tmpfs disk || exit 77; exec \"$0\" run scene.yaml "
                   "--out disk/cut --no-pictures --ranks 2 --until 1 "
                   "--set output.frame_interval=1ms")
        (self.directory / "disk").mkdir()
        result = subprocess.run(["unshare", "-m", "bash", "-c", command, PROGRAM], cwd=scene.parent,
                                capture_output=True, text=True, timeout=100, check=False)
        if result.returncode == 77 or "unshare" in result.stderr:
            self.skipTest("only root can mount a small disk")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(result.stderr.count("scree: error:"), 1, "rank 0 alone reports it")

    def test_comes_in_time_with_a_checkpoint(self):
        for ranks in ((), ("--ranks", "2")):
            shutil.rmtree(self.directory / "cut", ignore_errors=True)
            begin = time.monotonic()
            process = self.start("--wall-time", "5 s", *ranks)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, errors)
            self.assertIn("Interrupted", errors)
            self.assertGreater(self.step_of("cut"), 0)
            if not ranks:  # the start of MPI is not counted, and takes long on a busy machine
                self.assertLess(time.monotonic() - begin, 6)
            self.assertTrue(json.loads((self.directory / "cut/manifest.json").read_text()))


class RanksThatCannotBe(RanksTest):

    def test_are_refused_once_with_the_status_of_one_process(self):
        scene = self.write_scene(HEAP.replace("until", "untill"))
        result = self.scree("run", scene, "--ranks", "3", status=2)
        self.assertEqual(result.stderr.count("unknown key"), 1, result.stderr)
        self.assertNotIn("mpirun", result.stderr)
        self.assertFalse((self.directory / "out").exists())

    def test_are_refused_by_other_commands(self):
        scene = self.write_scene(HEAP)
        result = self.scree("check", scene, "--ranks", "2", status=2)
        self.assertIn("there is no option --ranks", result.stderr)

    def test_are_refused_where_a_launcher_has_started_them(self):
        scene = self.write_scene(HEAP)
        result = self.scree("run", scene, "--ranks", "2", status=2,
                            env=os.environ | {"OMPI_COMM_WORLD_SIZE": "2"})
        self.assertIn("--ranks", result.stderr)

    def test_do_not_begin_by_mistake_in_the_script_of_a_job(self):
        scene = self.write_scene(HEAP)
        job = {
            "SLURM_NTASKS": "8", "SLURM_PROCID": "0", "SLURM_JOB_ID": "1",
            "SLURM_STEP_NUM_TASKS": "1"
        }
        self.scree("run", scene, "--until", "1 ms", "--no-pictures", status=None,
                   env=os.environ | job)
        self.assertEqual(self.manifest("out/scene")["ranks"], 1)

    def test_need_programs_whose_packages_are_named(self):
        scene = self.write_scene(HEAP)
        result = self.scree("run", scene, "--ranks", "2", status=2,
                            env=os.environ | {"PATH": "/nowhere"})
        self.assertIn("openmpi-bin", result.stderr)
        alone = self.directory / "scree"
        shutil.copy(PROGRAM, alone)
        result = subprocess.run([alone, "run", scene, "--ranks", "2"], capture_output=True,
                                text=True, cwd=self.directory, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("scree-mpi", result.stderr)

    def test_are_no_other_commands(self):
        program = Path(PROGRAM).with_name("scree-mpi")
        result = subprocess.run([program, "schema"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("use scree", result.stderr)


class ALauncher(RanksTest):

    def test_may_start_the_ranks_itself(self):
        scene = self.write_scene(STAGES)
        self.run_scene(scene, "one", "--until", "20 ms")
        result = subprocess.run([
            "mpirun", "-n", "2", PROGRAM, "run", scene, "--out", "several", "--until", "20 ms",
            "--no-pictures"
        ], cwd=self.directory, capture_output=True, text=True, check=False, timeout=100,
                                env=os.environ | {"SCREE_MIN_CHUNKS": "0"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.manifest("several")["ranks"], 2)
        self.assert_same_results("one", "several")

    def test_gets_one_message_for_a_scene_that_no_rank_can_read(self):
        scene = self.write_scene(HEAP.replace("until", "untill"))
        result = subprocess.run(["mpirun", "-n", "3", PROGRAM, "run", scene], cwd=self.directory,
                                capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("unknown key"), 1, result.stderr)


if __name__ == "__main__":
    main()

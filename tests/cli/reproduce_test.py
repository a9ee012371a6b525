"""The same scene gives the same bits, however it is run."""

import hashlib

from program import SOURCE, ProgramTest, main

# Scenes that are shipped, cut short: a pile that settles, a floor that shakes, grains that come and
# go past an obstacle.
SCENES = {"pile": "60 ms", "shaker": "60 ms", "channel_quick": "2 ms"}


class SameBits(ProgramTest):

    def hashes(self, scene, out, *arguments):
        """State hashes by step, which cover bodies, contacts and random streams."""
        self.scree("run", SOURCE / "scenes" / f"{scene}.yaml", "--until", SCENES[scene],
                   "--no-pictures", "--out", out, *arguments)
        return {row["step"]: row["state_hash"] for row in self.statistics(out)}

    def test_on_any_number_of_threads_with_any_sampling_and_with_or_without_output(self):
        for scene in SCENES:
            every_step = self.hashes(scene, scene, "--threads", "1", "--set",
                                     "output.statistics_interval=0")
            variants = {
                "two": ("--threads", "2"), "three": ("--threads", "3"), "four": ("--threads", "4"),
                "sampled": ("--set", "output.statistics_interval=0.7 ms", "--set",
                            "output.frame_interval=0.9 ms"),
                "bare": ("--set", "output.contacts=false", "--set", "output.frame_interval=0"),
                "checkpoints": ("--set", "output.checkpoint_interval=0.5 ms")
            }
            for name, arguments in variants.items():
                with self.subTest(scene=scene, variant=name):
                    found = self.hashes(scene, f"{scene}_{name}", *arguments)
                    self.assertGreaterEqual(len(found), 2)
                    self.assertEqual(found, {step: every_step[step] for step in found})


class Reproduce(ProgramTest):

    def setUp(self):
        super().setUp()
        self.scree("run", SOURCE / "scenes" / "shaker.yaml", "--until", "50 ms", "--out", "run",
                   "--threads", "1")

    def test_finds_the_same_bits_on_another_number_of_threads(self):
        result = self.scree("reproduce", "run", "--threads", "2")
        self.assertIn("Reproduced", result.stdout)

    def test_names_what_differs(self):
        statistics, manifest = (self.directory / "run" / name
                                for name in ("statistics.csv", "manifest.json"))
        before = hashlib.sha256(statistics.read_bytes()).hexdigest()
        statistics.write_bytes(statistics.read_bytes().replace(b"0x", b"0y", 1))
        manifest.write_text(manifest.read_text().replace(
            before,
            hashlib.sha256(statistics.read_bytes()).hexdigest()))
        self.assertIn("first statistics.csv", self.scree("reproduce", "run", status=3).stdout)

    def test_compares_with_what_the_run_wrote_and_nothing_else(self):
        for name in ("statistics.csv", "frames/grains_000000.hdf", "grains.hdf.series",
                     "verdict.json"):
            file = self.directory / "run" / name
            whole = file.read_bytes()
            file.write_bytes(whole + b"\n")
            self.assertIn(f"{name} was changed since the run",
                          self.scree("reproduce", "run", status=2).stderr)
            file.unlink()
            self.assertIn(f"{name} was changed since the run, or is missing",
                          self.scree("reproduce", "run", status=2).stderr)
            file.write_bytes(whole)

    def test_leaves_the_run_alone(self):
        before = self.everything()
        self.assertIn("choose another directory",
                      self.scree("reproduce", "run", "--out", "run", "--force", status=2).stderr)
        self.assertEqual(self.everything(), before)

    def test_refuses_what_cannot_be_run_again(self):
        self.scree("reproduce", "nowhere", status=2)
        resolved = self.directory / "run" / "resolved.yaml"
        resolved.write_text(resolved.read_text().replace("friction", "friction ", 1))
        self.assertIn("was changed since the run", self.scree("reproduce", "run", status=2).stderr)


if __name__ == "__main__":
    main()

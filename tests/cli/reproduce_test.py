"""The same scene gives the same bits, however it is run."""

from program import SOURCE, ProgramTest, main

# Scenes that are shipped, cut short: a pile that settles, a floor that shakes, grains that come and go past an obstacle.
SCENES = {"pile": "60 ms", "shaker": "60 ms", "channel_quick": "2 ms"}


class SameBits(ProgramTest):
    def hashes(self, scene, out, *arguments):
        """State hashes by step, which cover bodies, contacts and random streams."""
        self.scree("run", SOURCE / "scenes" / f"{scene}.yaml", "--until", SCENES[scene], "--no-pictures", "--out", out, *arguments)
        return {row["step"]: row["state_hash"] for row in self.statistics(out)}

    def test_on_any_number_of_threads_with_any_sampling_and_with_or_without_output(self):
        for scene in SCENES:
            every_step = self.hashes(scene, scene, "--threads", "1", "--set", "output.statistics_interval=0")
            variants = {"two": ("--threads", "2"), "three": ("--threads", "3"), "four": ("--threads", "4"),
                        "sampled": ("--set", "output.statistics_interval=0.7 ms", "--set", "output.frame_interval=0.9 ms"),
                        "bare": ("--set", "output.contacts=false", "--set", "output.frame_interval=0"),
                        "checkpoints": ("--set", "output.checkpoint_interval=0.5 ms")}
            for name, arguments in variants.items():
                with self.subTest(scene=scene, variant=name):
                    found = self.hashes(scene, f"{scene}_{name}", *arguments)
                    self.assertGreaterEqual(len(found), 2)
                    self.assertEqual(found, {step: every_step[step] for step in found})


class Reproduce(ProgramTest):
    def setUp(self):
        super().setUp()
        self.scree("run", SOURCE / "scenes" / "shaker.yaml", "--until", "50 ms", "--out", "run", "--threads", "1")

    def test_finds_the_same_bits_on_another_number_of_threads(self):
        result = self.scree("reproduce", "run", "--threads", "2")
        self.assertIn("Reproduced", result.stdout)

    def test_names_what_differs(self):
        with open(self.directory / "run" / "statistics.csv", "r+b") as file:
            content = file.read().replace(b"0x", b"0y", 1)
            file.seek(0)
            file.write(content)
        self.assertIn("first statistics.csv", self.scree("reproduce", "run", status=3).stdout)

    def test_refuses_what_cannot_be_run_again(self):
        self.scree("reproduce", "nowhere", status=2)
        resolved = self.directory / "run" / "resolved.yaml"
        resolved.write_text(resolved.read_text().replace("friction", "friction ", 1))
        self.assertIn("was changed since the run", self.scree("reproduce", "run", status=2).stderr)


if __name__ == "__main__":
    main()

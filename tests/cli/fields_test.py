"""Fields in scenes and files."""

from program import BALL, ProgramTest, main

NO_PICTURES = "--no-pictures"


def with_fields(fields):
    return BALL + "fields:\n" + "".join(f"  - {field}\n" for field in fields)


class Fields(ProgramTest):

    def test_a_force_that_is_not_finite_ends_the_run_with_field_body_and_frame(self):
        scene = self.write_scene(
            with_fields(["{name: well, force: [0, 0, 'z < 0.015 ? (z-z)/(z-z) : 0']}"]))
        result = self.scree("run", scene, "--out", "run", NO_PICTURES, status=3)
        self.assertIn("the field 'well' is invalid", result.stderr)
        verdict = self.verdict("run")
        fault = verdict["motion_fault"]
        self.assertEqual((fault["field"], fault["body"], fault["obstacle"]),
                         ("well", "body 0", None))
        self.assertEqual(verdict["status"], "failed")
        self.assertIn("is nan on body 0", fault["what"])
        frames = sorted((self.directory / "run/frames").glob("grains_*"))
        self.assertEqual(len(frames), 3, "two by their interval, and that of the last step")
        self.assertTrue(list((self.directory / "run/restart").glob("step_*")))

    def test_a_run_that_is_resumed_has_the_same_bits(self):
        scene = self.write_scene(
            with_fields([
                "{name: drag, force: [-0.1*vx, -0.1*vy, '-0.1*vz']}",
                "{name: shake, force: ['sin(300*t)', 0, 0], torque: [0, 1e-4, 0]}"
            ]))
        self.scree("run", scene, "--out", "whole", NO_PICTURES)
        self.scree("run", scene, "--out", "parts", "--until", "0.05 s", NO_PICTURES)
        self.scree("run", scene, "--out", "parts", "--resume", "--threads", "2", NO_PICTURES)
        whole, parts = self.statistics("whole")[-1], self.statistics("parts")[-1]
        self.assertEqual(whole["state_hash"], parts["state_hash"])
        self.assertEqual(whole["field_work"], parts["field_work"])
        self.assertNotEqual(float(whole["field_work"]), 0)
        self.assertEqual(self.verdict("whole")["fields"]["work"], float(whole["field_work"]))
        self.assertEqual(self.verdict("whole")["fields"], self.verdict("parts")["fields"])

    def test_a_drag_that_turns_velocities_round_misses_the_verdict(self):
        scene = self.write_scene(with_fields(["{force: [0, 0, '-mass*15000*vz']}"]))
        result = self.scree("run", scene, "--out", "run", NO_PICTURES, status=3)
        self.assertIn("by 1.5 times its velocity in a step", result.stderr)
        verdict = self.verdict("run")
        self.assertEqual(verdict["fields"]["swinging"], "body 0")
        self.assertAlmostEqual(verdict["fields"]["swing"]["value"], 1.5)
        self.assertEqual(verdict["verdict"], "missed")


if __name__ == "__main__":
    main()

"""What the program says to bad input, and that it leaves no trace then."""

import json

from program import BALL, ProgramTest, main


class BadInput(ProgramTest):
    def refused(self, *arguments, status=2):
        """Runs the program, and sees to it that nothing was written."""
        before = self.everything()
        result = self.scree(*arguments, status=status)
        self.assertEqual(self.everything(), before)
        self.assertNotEqual(result.stderr + result.stdout, "")
        return result

    def test_bad_command_lines_give_status_2(self):
        scene = self.write_scene(BALL)
        self.refused()
        self.refused("walk")
        self.refused("run")
        self.refused("run", scene, "--threads", "0")
        self.refused("run", scene, "--threads", "many")
        self.refused("run", scene, "--no-such-option")
        result = json.loads(self.refused("run", scene, "--json", "--threads", "0").stdout)
        self.assertEqual((result["status"], result["exit_status"]), ("error", 2))

    def test_every_problem_of_a_scene_is_told_with_its_place(self):
        scene = self.write_scene(BALL.replace("0.1 ms", "-0.1 ms").replace("0.1 s", "5 kg"), "bad.yaml")
        result = self.refused("run", scene)
        self.assertIn("bad.yaml:3:", result.stderr)
        self.assertIn("bad.yaml:4:", result.stderr)

    def test_problems_come_as_json_too(self):
        scene = self.write_scene(BALL.replace("density", "densty"))
        result = json.loads(self.refused("check", scene, "--json").stdout)
        self.assertEqual((result["status"], result["exit_status"]), ("error", 2))
        self.assertTrue(any(problem["line"] == 6 for problem in result["problems"]), result)

    def test_bad_overrides_are_refused(self):
        scene = self.write_scene(BALL)
        self.refused("run", scene, "--set", "step.h=-1 s")
        self.refused("run", scene, "--set", "step.no_such_key=1")
        self.refused("run", scene, "--set", "no equals sign")
        self.refused("run", scene, "--until", "soon")

    def test_files_that_do_not_exist_are_refused(self):
        self.assertIn("missing.yaml", self.refused("run", "missing.yaml").stderr)
        self.assertIn("missing", self.refused("info", "missing").stderr)

    def test_directories_that_cannot_be_made_give_status_4(self):
        scene = self.write_scene(BALL)
        result = self.refused("run", scene, "--out", "scene.yaml/run", status=4)
        self.assertIn("scene.yaml/run", result.stderr)
        self.assertIn("choose another directory", result.stderr)

    def test_info_refuses_what_it_does_not_know(self):
        self.write_scene("text", "notes.txt")
        self.write_scene("text", "text.hdf")
        for path in ("notes.txt", "text.hdf", "."):
            self.refused("info", path)


class Help(ProgramTest):
    def test_every_subcommand_teaches_by_example(self):
        self.assertIn("Exit status", self.scree("--help").stdout)
        for subcommand in ("run", "check", "info", "contact", "solve", "schema"):
            self.assertIn("Example", self.scree(subcommand, "--help").stdout, subcommand)

    def test_version_tells_the_commit(self):
        self.assertRegex(self.scree("--version").stdout, r"scree \d+\.\d+\.\d+\ncommit ")

    def test_schema_is_json(self):
        self.assertIn("properties", json.loads(self.scree("schema").stdout))


class CheckAndInfo(ProgramTest):
    def test_check_tells_what_a_run_takes_and_writes_nothing(self):
        scene = self.write_scene(BALL)
        before = self.everything()
        self.assertIn("1 000 steps of 0.0001 s", self.scree("check", scene).stdout)
        result = json.loads(self.scree("check", scene, "--json").stdout)
        self.assertEqual((result["bodies"], result["obstacles"], result["steps"]), (1, 1, 1000))
        self.assertAlmostEqual(result["mass"], 7800 * 4 / 3 * 3.14159265 * 0.01**3, places=6)
        self.assertEqual(self.everything(), before)

    def test_check_warns_of_a_step_that_is_too_long(self):
        result = json.loads(self.scree("check", self.write_scene(BALL), "--set", "step.h=9 ms", "--json").stdout)
        self.assertLess(result["advised_step"], 0.009)

    def test_info_describes_runs_frames_and_scenes(self):
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "run")
        self.assertIn("run of ball: done", self.scree("info", "run").stdout)
        self.assertEqual(json.loads(self.scree("info", "run", "--json").stdout)["frames"], 6)
        frame = json.loads(self.scree("info", "run/frames/grains_000005.hdf", "--json").stdout)
        self.assertEqual((frame["kind"], frame["points"], frame["step"]), ("grains", 1, 1000))
        self.assertIn("radius", [array["name"] for array in frame["arrays"]])
        self.assertIn("The scene is valid", self.scree("info", scene).stdout)


if __name__ == "__main__":
    main()

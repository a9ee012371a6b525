"""What check and info say of scenes and of runs."""

import json
import math

from program import BALL, ProgramTest, main


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
        result = json.loads(
            self.scree("check", self.write_scene(BALL), "--set", "step.h=9 ms", "--json").stdout)
        self.assertLess(result["advised_step"], 0.009)

    def test_check_advises_a_step_by_what_a_grain_falls_in_it(self):
        fall = math.sqrt(0.02 / 9.81)  # √(d/g) of the ball
        longer, shorter = (self.scree("check", self.write_scene(BALL), "--set",
                                      f"step.h={h}").stdout for h in (0.041 * fall, 0.039 * fall))
        self.assertIn(f"step.h = {0.04 * fall:.2g} s or less", longer)
        self.assertIn("0.039 of √(d/g) of the smallest: fine", shorter)
        result = json.loads(self.scree("check", self.write_scene(BALL), "--json").stdout)
        self.assertAlmostEqual(result["advised_step"], 0.04 * fall)
        self.assertAlmostEqual(result["fall_of_step"], 1e-4 / fall)

    def test_check_advises_a_step_by_how_far_bodies_fall(self):

        def reported(scene, *options):
            return json.loads(
                self.scree("check", self.write_scene(scene), "--json", *options).stdout)

        high = BALL.replace("2 cm]", "50 cm]").replace("until: 0.1 s", "until: 1 s")
        box = high.replace("half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}",
                           "box: {name: floor, min: [-9, -9, -9], max: [9, 9, 0]}")
        poured = high.replace("- sphere: {position: [0, 0, 50 cm], radius: 1 cm}", "[]").replace(
            "bodies:\n  []", "fillings:\n  - {name: rain, region: {min: [0, 0, 40 cm], max: "
            "[10 cm, 10 cm, 51 cm]}, radius: 1 cm, rate: 10 1/s}")
        for scene, drop in ((high, 0.49), (box, 0.49), (poured, 0.5)):
            result = reported(scene, "--set", "step.h=1 ms")
            self.assertAlmostEqual(result["drop"], drop)
            travel = math.sqrt(2 * 9.81 * drop) * 1e-3 / 0.01
            self.assertAlmostEqual(result["largest_travel"], travel)
            self.assertAlmostEqual(result["advised_step"], 0.3 / travel * 1e-3)
        words = self.scree("check", self.write_scene(high), "--set", "step.h=1 ms").stdout
        self.assertIn("after the longest possible fall, 0.49 m", words)
        self.assertIn("are advised: step.h = 0.00097 s or less", words)
        short = reported(high, "--set", "until=0.1 s")  # ends before that
        self.assertAlmostEqual(short["largest_travel"], 9.81 * 0.1 * 1e-4 / 0.01)
        lies = reported(BALL.replace("2 cm]", "1 cm]"))
        self.assertEqual(lies["drop"], 0)

    def test_check_advises_a_step_by_the_largest_gravity_of_all_stages(self):
        calm = BALL.replace(
            "until: 0.1 s", "stages:\n  - {name: a, until: 0.1 s}\n  - {name: b, "
            "until: 0.1 s%s}").replace("scree: 1", "scree: 1\ngravity: [0, 0, -1]")
        weak, strong = (json.loads(
            self.scree("check", self.write_scene(calm % gravity), "--json").stdout)
                        for gravity in ("", ", gravity: [0, 0, -100]"))
        self.assertAlmostEqual(weak["fall_of_step"], 1e-4 / math.sqrt(0.02 / 1))
        self.assertAlmostEqual(strong["fall_of_step"], 1e-4 / math.sqrt(0.02 / 100))
        # The ball falls by its radius.
        self.assertAlmostEqual(weak["largest_travel"], math.sqrt(2 * 1 * 0.01) * 1e-4 / 0.01)
        self.assertAlmostEqual(strong["largest_travel"], math.sqrt(2 * 100 * 0.01) * 1e-4 / 0.01)

    def test_check_does_not_call_a_step_fine_where_fields_act(self):
        field = "fields:\n  - {name: wind, force: ['1', 0, 0]}\n"
        later = "stages:\n  - {name: a, until: 10 ms}\n  - {name: b, until: 10 ms, " \
                "fields: [{name: wind, force: ['1', 0, 0]}]}\n"
        for scene in (BALL + field, BALL + later):
            reported = self.scree("check", self.write_scene(scene)).stdout
            self.assertIn("this leaves out fields, whose effect on speeds is unknown", reported)
            self.assertNotIn(": fine", reported)
        self.assertIn(": fine", self.scree("check", self.write_scene(BALL)).stdout)

    def test_check_advises_a_shorter_step_for_stacks_of_boxes(self):
        boxes = BALL.replace("- sphere: {position: [0, 0, 2 cm], radius: 1 cm}",
                             "- box: {position: [0, 0, 2 cm], size: [4 cm, 3 cm, 2 cm]}")
        fall = math.sqrt(0.02 / 9.81)  # of the shortest edge
        long, short = (self.scree("check", self.write_scene(boxes), "--set", f"step.h={h}").stdout
                       for h in (0.017 * fall, 0.0099 * fall))
        self.assertIn(
            f"for stacks of boxes 0.01 of √(d/g), d their shortest edge, is advised: "
            f"step.h = {0.01 * fall:.2g} s or less", long)
        self.assertNotIn("stacks of boxes", short)
        self.assertIn(": fine", short)

    def test_check_warns_of_numbers_that_are_likely_in_another_unit(self):

        def warned(scene):
            result = json.loads(self.scree("check", self.write_scene(scene), "--json").stdout)
            return {warning["path"]: warning["message"] for warning in result["warnings"]}

        law = "law: coulomb, friction: 0.3"
        self.assertEqual(warned(BALL), {})
        for replaced, by, path, words in ((law, "law: coulomb, friction: 30",
                                           "default_law.friction", "not an angle; tan 30°"),
                                          (law, law + ", rolling_friction: 0.011",
                                           "default_law.rolling_friction", "is a length"),
                                          (law, law + ", spinning_friction: 0.011",
                                           "default_law.spinning_friction", "is a length"),
                                          ("7800", "7.8", "materials.steel.density",
                                           "2.5 g/cm3 is 2500"), ("7800", "7.8e6",
                                                                  "materials.steel.density",
                                                                  "2.5 g/cm3 is 2500"),
                                          ("radius: 1 cm", "radius: 1 cm, density: 7.8",
                                           "bodies[0].sphere.density", "kg/m3")):
            found = warned(BALL.replace(replaced, by))
            self.assertEqual(list(found), [path])
            self.assertIn(words, found[path])
        for replaced, by in ((law, "law: coulomb, friction: 2"), (law,
                                                                  law + ", rolling_friction: 1 cm"),
                             ("7800", "20"), ("7800", "10 kg/m3"), ("7800", "30000")):
            self.assertEqual(warned(BALL.replace(replaced, by)), {})
        stages = BALL.replace(
            "until: 0.1 s", "stages:\n  - {name: a, until: 0.1 s}\n  - {name: b, "
            "until: 0.1 s, default_law: {law: coulomb, friction: 45}}")
        self.assertEqual(list(warned(stages)), ["stages[1].default_law.friction"])

    def test_check_advises_a_step_by_how_a_cell_is_strained(self):
        cell = """scree: 1
until: 1 s
gravity: [0, 0, 0]
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.3}
cell: {period: [1, 1, 1], rate: {xy: 5 1/s}}
bodies:
  - sphere: {position: [0, 0, 0], radius: 1 cm}
"""
        result = json.loads(self.scree("check", self.write_scene(cell), "--json").stdout)
        self.assertAlmostEqual(result["largest_travel"], 2 * 5 * 1e-3)
        self.assertAlmostEqual(result["advised_step"], 0.03)
        self.assertIn("neighbours past each other by up to 0.01 of a radius",
                      self.scree("check", self.write_scene(cell)).stdout)
        still = cell.replace("rate: {xy: 5 1/s}", "rate: {xy: 0}")
        self.assertNotIn("past each other", self.scree("check", self.write_scene(still)).stdout)

    def test_check_tells_what_an_accuracy_is_good_for(self):
        for accuracy, use in (("draft", "not for loads"), ("engineering", "forces to some 5 %"),
                              ("reference", "for reference solutions")):
            reported = self.scree("check", self.write_scene(BALL), "--set",
                                  f"solver={{accuracy: {accuracy}}}").stdout
            self.assertIn(use, reported)

    def test_warnings_that_are_alike_are_counted_and_others_still_told(self):
        parts = "".join(f"  - sphere: {{name: part {k}, position: [{1 + k}, 0, 0], radius: 0.1, "
                        f"motion: {{velocity: [sin({60000 + k} * t), 0, 0]}}}}\n"
                        for k in range(20))
        scene = self.write_scene(BALL.replace("obstacles:\n", "obstacles:\n" + parts))
        fast = ("--set", "bodies[0].sphere.velocity=[200,0,0]")
        self.assertEqual(len(json.loads(self.scree("check", scene, "--json").stdout)["warnings"]),
                         20)
        text = self.scree("check", scene, *fast).stdout
        self.assertEqual(text.count("changes within a step"), 3, text)
        self.assertIn("17 more warnings like the last; scree check --json lists them all", text)
        self.assertIn(
            "a body moves 2 times its radius in one step of 0.0001 s; for better "
            "contacts take step.h = 5e-05 s or less", text)
        log = self.scree("run", scene, *fast, "--out", "run").stderr
        self.assertEqual(log.count("changes within a step"), 3, log)
        self.assertIn("17 more warnings like the last", log)

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

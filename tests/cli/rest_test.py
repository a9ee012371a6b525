"""Runs until rest: reports on bodies that roll or rock."""

from program import ProgramTest, main

LEAVES = """scree: 1
until: rest
rest: {at_most: 1 s}
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - sphere: {position: [0, 0, 5 cm], radius: 5 mm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
outflows:
  - {name: end, min: [-1, -1, -1], max: [1, 1, 2 cm]}
"""


class Rest(ProgramTest):

    def test_is_missed_where_no_body_is_left(self):
        reported = self.scree("run", self.write_scene(LEAVES), "--out", "run", "--no-pictures",
                              status=3).stderr
        self.assertRegex(reported, r"Not at rest at t = 0\.0[78]\d* s: no body is left")
        self.assertNotIn("no body moves", reported)
        verdict = self.verdict("run")
        self.assertEqual((verdict["verdict"], verdict["end"]["by"]), ("missed", "no_bodies"))
        self.assertEqual((verdict["rest"]["reached"], verdict["rest"]["fastest"]), (False, None))
        again = self.scree("run", self.write_scene(LEAVES), "--out", "run", "--resume", status=3)
        self.assertIn("is complete", again.stderr)

    def test_waits_for_a_field_that_begins_later(self):
        lying = LEAVES.split("outflows:", maxsplit=1)[0].replace(
            "sphere: {position: [0, 0, 5 cm], radius: 5 mm}",
            "box: {position: [0, 0, 5 mm], size: [1 cm, 1 cm, 1 cm]}")
        blown = lying + "fields:\n  - {force: ['(t > 0.4 && t < 0.45) ? 8*mass : 0', 0, 0]}\n"
        for scene, earliest, latest in ((lying, 0.1, 0.2), (blown, 0.5, 1)):
            self.scree("run", self.write_scene(scene), "--out", "run", "--no-pictures", "--force")
            verdict = self.verdict("run")
            self.assertEqual(verdict["end"]["by"], "rest")
            self.assertTrue(earliest < verdict["time"] < latest, verdict["time"])

    def test_lets_no_stage_follow_where_no_body_is_left(self):
        stages = LEAVES.replace(
            "until: rest\nrest: {at_most: 1 s}", "stages:\n  - {name: drain, until: rest, rest: "
            "{at_most: 1 s}}\n  - {name: go on, until: 10 ms}")
        reported = self.scree("run", self.write_scene(stages), "--out", "run", "--no-pictures",
                              status=3).stderr
        self.assertIn("'drain' had no body left to come to rest at t = ", reported)
        ended = [stage["ended"] for stage in self.verdict("run")["stages"]]
        self.assertEqual(ended, ["no_bodies"])

    def test_is_met_by_a_scene_that_never_has_bodies(self):
        empty = LEAVES.replace("bodies:\n  - sphere: {position: [0, 0, 5 cm], radius: 5 mm}\n", "")
        reported = self.scree("run", self.write_scene(empty), "--out", "run",
                              "--no-pictures").stderr
        self.assertIn("there are no bodies, and no obstacle moves", reported)

    def test_does_not_say_of_a_ball_that_spins_in_its_place_that_nothing_moves(self):
        ball = LEAVES.split("outflows:",
                            maxsplit=1)[0].replace("5 cm], radius",
                                                   "5 mm], angular_velocity: [0, 0, 5], radius")
        reported = self.scree("run", self.write_scene(ball), "--out", "run", "--no-pictures").stderr
        self.assertNotIn("no body moves", reported)
        self.assertIn("no body leaves its position; body 0 spins fastest, at 5 rad/s", reported)

    def test_says_that_nothing_stops_what_rolls_where_no_law_does(self):
        cylinder = """scree: 1
until: rest
rest: {at_most: 0.3 s}
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.5%s}
bodies:
  - solid:
      shape: {cylinder: {radius: 5 mm, length: 10 mm}}
      position: [0, 0, 5 mm]
      orientation: {axis: [1, 0, 0], angle: 90 deg}
      velocity: [0.1, 0, 0]
      angular_velocity: [0, 20, 0]
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
"""
        why = "Only rolling_friction dissipates the energy of bodies that roll, or rock on round"
        cases = ("", self.assertIn), (", rolling_friction: 1 um", self.assertNotIn)
        for resistance, said in cases:
            reported = self.scree("run", self.write_scene(cylinder % resistance), "--out", "run",
                                  "--force", "--no-pictures", status=3).stderr
            self.assertIn("Not at rest at t = 0.3 s", reported)
            said(why, reported)

    def test_says_that_nothing_stops_what_spins_in_its_place_where_no_law_does(self):
        ellipsoid = """scree: 1
until: rest
rest: {at_most: 0.3 s}
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.5, rolling_friction: 0.5 mm%s}
bodies:
  - solid:
      shape: {ellipsoid: {semi_axes: [10 mm, 10 mm, 5 mm]}}
      position: [0, 0, 5 mm]
      angular_velocity: [0, 0, 8]
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
"""
        words = ("which spins in place, its rim at 0.08 m/s",
                 "Only spinning_friction dissipates the energy of a body that spins")
        cases = ("", self.assertIn), (", spinning_friction: 1 um", self.assertNotIn)
        for resistance, said in cases:
            reported = self.scree("run", self.write_scene(ellipsoid % resistance), "--out", "run",
                                  "--force", "--no-pictures", status=3).stderr
            self.assertIn("Not at rest at t = 0.3 s", reported)
            for what in words:
                said(what, reported)

    def test_names_what_rocks_for_ever_while_all_else_rests(self):
        balls = "".join(f"  - sphere: {{position: [{2 * k} cm, 10 cm, 5 mm], radius: 5 mm}}\n"
                        for k in range(19))
        rocks = self.write_scene(f"""scree: 1
until: rest
rest: {{at_most: 3 s}}
step: {{h: 1 ms}}
materials: {{glass: {{density: 2500}}}}
default_law: {{law: coulomb, friction: 0.5}}
bodies:
{balls}  - solid:
      shape: {{ellipsoid: {{semi_axes: [6 mm, 5 mm, 4 mm]}}}}
      position: [0, 0, 4 mm]
      velocity: [3.2e-3, 0, 0]
      angular_velocity: [0, 0.8, 0]
obstacles:
  - half_space: {{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}}
""")
        reported = self.scree("run", rocks, "--out", "whole", "--no-pictures").stderr
        self.assertRegex(
            reported, "At rest at t = 1.1[0-9]* s except for 1 body that rocks or rolls in place. "
            "The fastest is body 19, at up to 0.008")
        whole = self.verdict("whole")
        self.assertEqual(whole["rest"]["rocking"]["bodies"], 1)
        self.assertEqual(whole["rest"]["rocking"]["fastest"], "body 19")
        self.assertAlmostEqual(whole["rest"]["rocking"]["speed"], 8e-3, delta=4e-4)
        self.assertAlmostEqual(whole["rest"]["rocking"]["lasting"], whole["time"], delta=2e-3)
        # Stopped while it is watched, and gone on with.
        self.scree("run", rocks, "--out", "part", "--no-pictures", "--set", "rest.at_most=0.7 s",
                   status=3)
        self.assertIsNone(self.verdict("part")["rest"]["rocking"])
        self.scree("run", rocks, "--out", "part", "--no-pictures", "--resume")
        self.assertEqual(self.verdict("part")["rest"], whole["rest"])


if __name__ == "__main__":
    main()

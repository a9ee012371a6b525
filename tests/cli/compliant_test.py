"""Scenes with compliant laws: required keys, errors, and output of runs."""

import json
import re

from program import ProgramTest, main
from readers_test import need

SOFT = """scree: 1
name: soft
until: 20 ms
step: {h: auto}
materials:
  grain: {density: 2500}
  steel: {density: 7800}
default_law: {law: cundall_strack, k_n: 1e4 N/m, k_t: 3e3 N/m, friction: 0.4, restitution: 0.5}
laws:
  - {between: [steel, steel], law: coulomb, friction: 0.2}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [3 cm, 3 cm, 3 cm]}
      spacing: 1 cm
      radius: 5 mm
      material: grain
      velocity: [0.1, 0, -0.5]
  - sphere: {position: [1.5 cm, 1.5 cm, 4.5 cm], radius: 1 cm, material: steel}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1], material: steel}
output:
  frame_interval: 5 ms
  statistics_interval: 1 ms
  checkpoint_interval: 5 ms
"""

# The same with a law of its own between two materials.
TWO_LAWS = SOFT.replace(
    "bodies:", """  - between: [grain, steel]
    law: hertz_mindlin
    k_n: 1e7
    k_t: 1e7
    friction: 0.3
    restitution: 0.5
bodies:""")

# A plate comes down on a ball of Hertz' law, from rest; slowly, but it does not stop.
PRESS = """scree: 1
name: press
until: 0.2 s
step: {h: 30 us, allow_unstable: true}
materials:
  grain: {density: 2500, young: 1e7 Pa, poisson: 0.3}
  steel: {}
default_law: {law: hertz_mindlin, friction: 0.4, restitution: 0.5}
gravity: [0, 0, 0]
bodies:
  - sphere: {position: [0, 0, 5 mm], radius: 5 mm, material: grain}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1], material: steel}
  - box:
      name: press
      min: [-2 cm, -2 cm, 10 mm]
      max: [2 cm, 2 cm, 20 mm]
      material: steel
      motion: {velocity: [0, 0, "-0.1*sin(2*pi*t)^2"]}
output: {frame_interval: 0.1 s, statistics_interval: 10 ms}
"""

BALL = """scree: 1
name: ball
until: rest
step: {h: auto}
materials:
  grain: {density: 2500}
default_law: {law: cundall_strack, k_n: 1e4 N/m, k_t: 3e3 N/m, friction: 0.4, restitution: 0.2}
bodies:
  - sphere: {position: [0, 0, 6 mm], radius: 5 mm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output: {frame_interval: 0.1 s, statistics_interval: 10 ms}
"""


class Compliant(ProgramTest):

    def refuse(self, change, *words):
        text = SOFT
        for old, new in change.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        error = self.scree("check", self.write_scene(text), status=2).stderr
        for word in ("scene.yaml", *words):
            self.assertIn(word, error)

    def test_energy_stays_what_it_was_but_for_the_work_of_parts(self):
        self.scree("run", self.write_scene(SOFT), "--out", "run", "--no-pictures")
        rows = self.statistics("run")
        self.assertGreater(float(rows[-1]["damped"]), 0)

        def total(row):
            kept = ("kinetic_energy", "potential_energy", "elastic_normal", "elastic_shear",
                    "elastic_moment", "dissipated_energy")
            return sum(float(row[key]) for key in kept) - float(row["wall_work"])

        taken = float(rows[-1]["dissipated_energy"])
        for row in rows[1:]:
            self.assertAlmostEqual(total(row), total(rows[1]), delta=1e-6 * taken)

    def test_the_energies_of_laws_sum_up_to_the_last_row(self):
        for name, text in (("one", SOFT), ("two", TWO_LAWS)):
            self.scree("run", self.write_scene(text), "--out", name, "--no-pictures")
            laws = self.verdict(name)["energy"]["compliant_laws"]
            last = self.statistics(name)[-1]
            for key in ("elastic_normal", "elastic_shear", "elastic_moment", "damped", "slid",
                        "rolled"):
                self.assertAlmostEqual(sum(law[key] for law in laws), float(last[key]),
                                       delta=1e-9 * float(last["dissipated_energy"]))
            if name == "one":
                self.assertEqual([law["law"] for law in laws], ["cundall_strack"])
                self.assertEqual(laws[0]["pairs"], [["grain", "grain"], ["grain", "steel"]])
                continue
            self.assertEqual([law["law"] for law in laws], ["cundall_strack", "hertz_mindlin"])
            self.assertEqual([law["pairs"] for law in laws],
                             [[["grain", "grain"]], [["grain", "steel"]]])
            self.assertGreater(laws[1]["damped"], 0)

    def test_a_run_that_goes_on_ends_with_the_same_bits(self):
        scene = self.write_scene(TWO_LAWS)
        self.scree("run", scene, "--out", "whole", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--no-pictures", "--until", "10 ms")
        self.scree("run", scene, "--out", "parts", "--no-pictures", "--resume")
        self.assertEqual(self.verdict("whole")["energy"], self.verdict("parts")["energy"])
        self.assertEqual(
            self.statistics("whole")[-1]["state_hash"],
            self.statistics("parts")[-1]["state_hash"])

    def test_says_which_step_it_chose_and_why(self):
        reported = self.scree("check", self.write_scene(SOFT)).stdout
        self.assertIn("1/50 of the contact time", reported)
        self.assertIn("cundall_strack", reported)

    def test_refuses_steps_that_springs_cannot_take(self):
        self.refuse({"h: auto": "h: 1 ms"}, "step.h", "0.001 s is unstable",
                    "cundall_strack contacts between", "allow at most", "h: auto", "allow_unstable")
        self.refuse({"h: auto": "h: now"}, "step.h", "auto")
        text = SOFT.replace("h: auto", "h: 30 us")
        self.assertIn("it needs 50", self.scree("check", self.write_scene(text)).stdout)

    def test_refuses_auto_where_nothing_is_soft(self):
        soft = "cundall_strack, k_n: 1e4 N/m, k_t: 3e3 N/m, friction: 0.4, restitution: 0.5"
        self.refuse({soft: "coulomb, friction: 0.4"}, "step.h", "auto", "give a number")

    def test_refuses_laws_without_what_they_need(self):
        self.refuse({"k_n: 1e4 N/m, ": ""}, "default_law", "k_n")
        self.refuse({"k_t: 3e3 N/m, ": ""}, "default_law", "k_t")
        self.refuse({", restitution: 0.5": ""}, "default_law", "restitution", "normal_damping")
        self.refuse({"restitution: 0.5": "restitution: 0.5, normal_damping: 1"}, "one of the two")
        self.refuse({"k_n: 1e4 N/m": "k_n: 1e4 Pa"}, "k_n", "N/m")
        self.refuse({"k_n: 1e4 N/m": "k_n: 0"}, "k_n")
        self.refuse({"law: coulomb, friction": "law: coulomb, k_n: 3, friction"}, "rigid", "k_n")
        self.refuse({"law: cundall_strack, k_n: 1e4 N/m, k_t: 3e3 N/m": "law: hertz_mindlin"},
                    "young")
        self.refuse({"friction: 0.4": "adhesion: 1, friction: 0.4"}, "adhesion")
        self.refuse({"friction: 0.4, rest": "rest"}, "friction")

    def test_asks_for_moduli_only_where_bodies_can_touch(self):
        text = PRESS.replace("steel: {}", "steel: {density: 7800}")
        self.assertIn("is valid", self.scree("check", self.write_scene(text)).stdout)
        text = PRESS.replace("young: 1e7 Pa, poisson: 0.3", "poisson: 0.3")
        error = self.scree("check", self.write_scene(text), status=2).stderr
        self.assertRegex(error,
                         "hertz_mindlin between 'grain' and '(grain|steel)' has no stiffness")
        self.assertNotIn("'steel' and 'steel'", error)

    def test_refuses_parts_that_turn_by_more_than_half_a_turn_in_a_step(self):
        part = "name: floor, point: [0, 0, 0], normal: [0, 0, 1], material: steel"
        turning = part + ", motion: {angular_velocity: [0, 0, \"4e5*t/0.02\"]}"
        text = SOFT.replace(part, turning).replace("h: auto", "h: 10 us")
        error = self.scree("check", self.write_scene(text), status=2).stderr
        self.assertRegex(error,
                         r"step\.h.*the obstacle 'floor' rotates by (3\.9\d*|4) rad in a step")

    def test_ends_a_run_whose_springs_make_energy(self):
        text = SOFT.replace("{h: auto}", "{h: 0.5 ms, allow_unstable: true}")
        text = text.replace("until: 20 ms", "until: 1 s").replace(" 1 ms", " 5 ms")
        text = text.replace("restitution: 0.5", "restitution: 1")
        reported = self.scree("run", self.write_scene(text), "--out", "run", "--no-pictures",
                              status=3)
        self.assertIn("too long", reported.stderr + reported.stdout)
        self.assertTrue((self.directory / "run" / "frames").exists())

    def test_tells_of_grains_that_are_too_soft(self):
        text = SOFT.replace("k_n: 1e4 N/m", "k_n: 20 N/m").replace("k_t: 3e3 N/m", "k_t: 5 N/m")
        reported = self.scree("run", self.write_scene(text), "--out", "run", "--no-pictures",
                              status=3)
        self.assertIn("too soft", reported.stderr + reported.stdout)

    def test_keeps_the_moment_of_the_first_overlap_that_is_too_deep(self):
        text = SOFT.replace("k_n: 1e4 N/m", "k_n: 20 N/m").replace("k_t: 3e3 N/m", "k_t: 5 N/m")
        scene = self.write_scene(text.replace("_interval: 5 ms", "_interval: 20 ms"))
        reported = self.scree("run", scene, "--out", "run", "--no-pictures", status=3).stderr
        when = float(re.search(r"too soft in .*?: first at t = (\S+) s", reported).group(1))
        series = json.loads((self.directory / "run" / "grains.hdf.series").read_text())
        times = [file["time"] for file in series["files"]]
        self.assertEqual(len(times), 3)
        self.assertAlmostEqual(times[1], when, delta=1e-5 * when)
        # The run went on, and its checkpoints are of that moment and of the end.
        self.assertEqual(len(list((self.directory / "run").rglob("step_*"))), 2)
        self.assertGreater(self.verdict("run")["contacts"]["steps_too_soft"], 1)

    def test_ends_a_run_in_which_a_body_turns_too_far_in_a_step(self):
        text = SOFT.replace("k_t: 3e3 N/m, ", "k_t: 3e3 N/m, rolling_friction: 0.1 mm, ")
        text = text.replace("radius: 1 cm, material: steel}",
                            "radius: 1 cm, material: grain, angular_velocity: [3e5, 0, 0]}")
        text = text.replace("[1.5 cm, 1.5 cm, 4.5 cm]", "[4.5 cm, 1.5 cm, 1.01 cm]")
        scene = self.write_scene(text)
        reported = self.scree("run", scene, "--out", "run", "--no-pictures", status=3)
        said = reported.stderr + reported.stdout
        self.assertIn("body 27", said)
        self.assertRegex(said, r"step \d+, body 27, which has contacts or a joint, rotated by")
        fault = self.verdict("run")["contacts"]["excessive_rotation"]
        self.assertEqual(fault["body"], "body 27")
        self.assertGreater(fault["angle"], 3.1416)
        self.assertTrue((self.directory / "run" / "FAILED").exists())
        self.assertEqual(int(self.statistics("run")[-1]["step"]), fault["step"])

    def test_warns_when_contacts_get_too_stiff_for_the_step(self):
        scene = self.write_scene(PRESS)
        reported = self.scree("run", scene, "--out", "run", "--no-pictures", status=None)
        said = reported.stderr + reported.stdout
        self.assertRegex(said, r"too long for compliant contacts: at t = \S+ s, step \d+, ")
        fit = self.verdict("run")["contacts"]["step_too_long"]
        self.assertEqual(fit["a"], "body 0")
        self.assertIn(fit["b"], ("floor", "press"))
        self.assertGreater(fit["of_contact_time"], 0.05)
        self.assertNotIn("too long", self.scree("check", scene).stdout)

    def test_estimates_impacts_of_what_begins_at_rest(self):
        reported = self.scree("check", self.write_scene(PRESS.replace("h: 30 us",
                                                                      "h: auto"))).stdout
        self.assertIn("obstacles move at 0.09", reported)

    def test_says_where_local_damping_does_not_act(self):
        damped = "{h: auto, local_damping: 0.3}"
        text = SOFT.replace("{h: auto}", damped)
        self.assertIn("is not damped", self.scree("check", self.write_scene(text)).stdout)
        text = text.replace("  - {between: [steel, steel], law: coulomb, friction: 0.2}\n", "")
        text = text.replace("laws:\n", "")
        self.assertNotIn("damped", self.scree("check", self.write_scene(text)).stdout)
        drive = "  - {body: lid, direction: [0, 0, -1], force: 50 N}\n"
        lid = ("  - box: {name: lid, position: [0, 0, 1], size: [1 cm, 1 cm, 1 cm],"
               " material: steel}\n")
        text = text.replace("bodies:\n", "drives:\n" + drive + "bodies:\n" + lid)
        self.assertIn("joints or drives are not damped",
                      self.scree("check", self.write_scene(text)).stdout)

    def test_comes_to_rest_with_its_weight_in_the_springs(self):
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "run", "--no-pictures")
        rest = self.verdict("run")["rest"]
        self.assertTrue(rest["reached"])
        last = self.statistics("run")[-1]
        # m g = k_n δ
        weight = 2500 * 4 / 3 * 3.141592653589793 * 0.005**3 * 9.81
        self.assertAlmostEqual(float(last["max_penetration"]), weight / 1e4,
                               delta=0.01 * weight / 1e4)

    def test_frames_say_of_which_time_their_velocities_are(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.scree("run", self.write_scene(BALL), "--out", "run", "--no-pictures")
        scene = (self.directory / "run" / "resolved.yaml").read_text()
        h = float(re.search(r"h: (\S+)", scene).group(1))
        for path in sorted((self.directory / "run" / "frames").glob("grains_*")):
            with h5py.File(path) as file:
                time = float(file["scree"].attrs["time"])
                of_velocity = float(file["VTKHDF/FieldData/velocity_time"][0])
            self.assertAlmostEqual(of_velocity, time - h / 2 if time > 0 else 0, delta=1e-9 * h)


if __name__ == "__main__":
    main()

"""Scenes with compliant laws: what they need, what is refused, what a run writes of them."""

from program import ProgramTest, main

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

    def test_a_run_that_goes_on_ends_with_the_same_bits(self):
        scene = self.write_scene(SOFT)
        self.scree("run", scene, "--out", "whole", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--no-pictures", "--until", "10 ms")
        self.scree("run", scene, "--out", "parts", "--no-pictures", "--resume")
        self.assertEqual(
            self.statistics("whole")[-1]["state_hash"],
            self.statistics("parts")[-1]["state_hash"])

    def test_says_which_step_it_chose_and_why(self):
        told = self.scree("check", self.write_scene(SOFT)).stdout
        self.assertIn("1/50 of the contact time", told)
        self.assertIn("cundall_strack", told)

    def test_refuses_steps_that_springs_cannot_take(self):
        self.refuse({"h: auto": "h: 1 ms"}, "step.h", "unstable", "allow_unstable")
        self.refuse({"h: auto": "h: now"}, "step.h", "auto")
        text = SOFT.replace("h: auto", "h: 30 us")
        self.assertIn("50 are advised", self.scree("check", self.write_scene(text)).stdout)

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

    def test_ends_a_run_whose_springs_make_energy(self):
        text = SOFT.replace("{h: auto}", "{h: 0.5 ms, allow_unstable: true}")
        text = text.replace("until: 20 ms", "until: 1 s").replace(" 1 ms", " 5 ms")
        text = text.replace("restitution: 0.5", "restitution: 1")
        told = self.scree("run", self.write_scene(text), "--out", "run", "--no-pictures", status=3)
        self.assertIn("too long", told.stderr + told.stdout)
        self.assertTrue((self.directory / "run" / "frames").exists())

    def test_tells_of_grains_that_are_too_soft(self):
        text = SOFT.replace("k_n: 1e4 N/m", "k_n: 20 N/m").replace("k_t: 3e3 N/m", "k_t: 5 N/m")
        told = self.scree("run", self.write_scene(text), "--out", "run", "--no-pictures", status=3)
        self.assertIn("too soft", told.stderr + told.stdout)


if __name__ == "__main__":
    main()

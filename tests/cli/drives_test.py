"""Bodies on rails with a driving force, in scenes and files."""

import csv
import math

from program import SOURCE, ProgramTest, main

# A plate comes down on a soft ball on the floor: two springs of 1000 N/m, one behind the other.
PLATE_ON_A_SPRING = """scree: 1
name: servo
until: 1 s
step: {h: 20 us}
gravity: [0, 0, 0]
materials: {foam: {density: 1}}
default_law: {law: cundall_strack, k_n: 1000, k_t: 500, friction: 0.5, restitution: 0.3}
bodies:
  - sphere: {radius: 5 cm, position: [0, 0, 5 cm]}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - box: {name: plate, min: [-5 cm, -5 cm, 10 cm], max: [5 cm, 5 cm, 12 cm],
          motion: {velocity: [0, 0, "-0.02*(1 - force_z)"]}}
output: {statistics_interval: 10 ms}
"""

# A lid that sinks on beads and rotates as far as they allow.
LID = """scree: 1
name: lid
until: 0.4 s
step: {h: auto}
materials: {glass: {density: 2500}}
default_law: {law: cundall_strack, k_n: 2000, k_t: 1000, friction: 0.5, restitution: 0.3}
bodies:
  - random: {region: {min: [-2 cm, -2 cm, 0], max: [2 cm, 2 cm, 4 cm]}, radius: 3 mm, count: 150,
             seed: 1}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - half_space: {name: left, point: [-2 cm, 0, 0], normal: [1, 0, 0]}
  - half_space: {name: right, point: [2 cm, 0, 0], normal: [-1, 0, 0]}
  - half_space: {name: front, point: [0, -2 cm, 0], normal: [0, 1, 0]}
  - half_space: {name: back, point: [0, 2 cm, 0], normal: [0, -1, 0]}
  - box: {name: lid, min: [-19 mm, -19 mm, 42 mm], max: [19 mm, 19 mm, 5 cm],
          motion: {velocity: [0, 0, "max(-0.1, min(0.1, -0.1*(1 - force_z)))"],
                   angular_velocity: [0, 0, "min(0.5, 20*abs(torque_z))"]}}
  - box: {name: shelf, min: [5 cm, 0, 0], max: [6 cm, 1 cm, 1 cm]}
output: {statistics_interval: 1 ms}
"""


class DrivesTest(ProgramTest):

    def table(self, path):
        with open(self.directory / path, encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Servos(DrivesTest):

    def test_a_plate_on_a_spring_comes_to_its_force_as_the_equation_of_its_speed_has_it(self):
        self.scree("run", self.write_scene(PLATE_ON_A_SPRING), "--out", "run", "--no-pictures")
        rows = [row for row in self.table("run/obstacles.csv") if row["obstacle"] == "plate"]
        # d force/dt = stiffness * speed, speed = gain * (1 N - force): 1 - exp(-10 t), and the
        # mean of it over 10 ms
        for row in rows[5:]:
            t = float(row["time"])
            mean = 1 - math.exp(-10 * t) * (math.exp(0.1) - 1) / 0.1
            self.assertAlmostEqual(float(row["force_z"]), mean, delta=6e-3, msg=f"at {t} s")
        self.assertAlmostEqual(float(rows[-1]["force_z"]), 1, delta=1e-4)

    def test_of_a_stage_answers_from_its_start(self):
        moved = '[0, 0, "-0.02*(1 - force_z)"]'
        scene = PLATE_ON_A_SPRING.replace(f",\n          motion: {{velocity: {moved}}}", "")
        scene = scene.replace("until: 1 s\n", "") + f"""stages:
  - {{name: wait, until: 20 ms}}
  - {{name: press, until: 80 ms, move: {{plate: {{velocity: {moved}}}}}}}
"""
        self.scree("run", self.write_scene(scene), "--out", "run", "--no-pictures")
        self.scree("run", self.write_scene(scene), "--out", "cut", "--until", "50 ms",
                   "--no-pictures")
        self.scree("run", self.write_scene(scene), "--out", "cut", "--resume", "--no-pictures")
        self.assertEqual(*(self.statistics(run)[-1]["state_hash"] for run in ("run", "cut")))
        last = [row for row in self.table("run/obstacles.csv") if row["obstacle"] == "plate"][-1]
        mean = 1 - math.exp(-10 * 0.08) * (math.exp(0.1) - 1) / 0.1
        self.assertAlmostEqual(float(last["force_z"]), mean, delta=6e-3)
        self.scree("reproduce", "run")

    def test_of_beads_has_the_same_bits_for_any_threads_and_across_a_restart(self):
        scene = self.write_scene(LID)
        self.scree("run", scene, "--out", "whole", "--threads", "1", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--threads", "2", "--until", "0.3 s",
                   "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--threads", "2", "--resume", "--no-pictures")
        whole, parts = (self.statistics(run) for run in ("whole", "parts"))
        self.assertEqual([row["state_hash"] for row in whole], [row["state_hash"] for row in parts])
        lid = [row for row in self.table("whole/obstacles.csv") if row["obstacle"] == "lid"]
        self.assertGreater(max(float(row["force_z"]) for row in lid), 0.5)

    def test_speak_of_the_load_only_where_it_is_seen(self):
        for key, value in (("direction: [0, 0, 1], speed", '"-0.02*(1 - force_z)"'),
                           ("direction: [0, 0, 1], displacement", '"force_z"')):
            scene = self.write_scene(
                PLATE_ON_A_SPRING.replace('velocity: [0, 0, "-0.02*(1 - force_z)"]',
                                          f"{key}: {value}"))
            said = self.scree("check", scene, status=2).stderr
            self.assertIn("force_z", said)
            self.assertIn("not an expression of t", said)
        scene = self.write_scene(PLATE_ON_A_SPRING.replace("(1 - force_z)", "(1 - forse_z)"))
        self.assertIn("and the load", self.scree("check", scene, status=2).stderr)
        scene = self.write_scene(PLATE_ON_A_SPRING.replace("(1 - force_z)", "1/force_z"))
        self.assertIn("at t = 0", self.scree("check", scene, status=2).stderr)
        scene = self.write_scene(
            PLATE_ON_A_SPRING.replace("(1 - force_z)", "(1 - sqrt(0.5 - force_z))"))
        said = self.scree("run", scene, "--out", "run", "--no-pictures", status=3)
        self.assertIn("under a force of (", said.stdout + said.stderr)


# A box that a drive presses onto a floor, where nothing moves at all.
PRESSED = """scree: 1
until: 0.5 s
gravity: [0, 0, 0]
step: {h: 1 ms}
materials: {steel: {density: 1000}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - box: {name: block, position: [0, 0, 5 cm], size: [10 cm, 10 cm, 10 cm]}
drives:
  - {body: block, direction: [0, 0, -1], force: 20 N, max_speed: 1 m/s}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
"""


class Drives(DrivesTest):

    def test_that_press_what_stands_still_make_no_energy_by_rounding(self):
        said = self.scree("run", self.write_scene(PRESSED), "--out", "run", "--no-pictures").stdout
        self.assertNotIn("made energy", said)

    def test_a_press_goes_on_with_the_same_bits_and_its_bed_bears_what_it_presses_with(self):
        scene = SOURCE / "scenes/press.yaml"
        settings = [
            "--set", "bodies[0].random.count=30", "--set", "stages[0].until=0.35 s", "--set",
            "stages[1].until=20 ms", "--set", "step.h=0.5 ms", "--no-pictures"
        ]
        self.scree("run", scene, "--out", "whole", *settings)
        self.scree("run", scene, "--out", "parts", "--until", "0.2 s", *settings)
        self.scree("run", scene, "--out", "parts", "--until", "0.37 s", "--resume", "--threads",
                   "2", *settings)
        self.assertEqual(
            self.statistics("whole")[-1]["state_hash"],
            self.statistics("parts")[-1]["state_hash"])
        floor = [row for row in self.table("whole/obstacles.csv") if row["obstacle"] == "floor"]
        at_rest = [row for row in floor if 0.3 < float(row["time"]) < 0.349]
        beads = 30 * 2500 * 4 / 3 * 3.14159265 * 0.004**3 * 9.81
        # Walls bear a part by friction: no more arrives than 16 N and the weight of the beads.
        mean = sum(-float(row["force_z"]) for row in at_rest) / len(at_rest)
        self.assertLess(mean, 16 + beads + 0.01)
        self.assertGreater(mean, 8)
        walls = [
            row for row in self.table("whole/obstacles.csv")
            if 0.3 < float(row["time"]) < 0.349 and row["obstacle"] != "floor"
        ]
        borne = sum(-float(row["force_z"]) for row in walls) / len(at_rest)
        self.assertAlmostEqual(mean + borne, 16 + beads, delta=0.02)
        way = float(self.table("whole/joints.csv")[-1]["coordinate_1"])
        self.assertGreater(way, 0.03)
        self.assertLess(way, 0.06, "it has found the bed before its limit")


if __name__ == "__main__":
    main()

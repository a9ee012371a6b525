"""Sensors of a scene: readings against closed forms, sensors.csv, resumed runs, refused input."""

import csv

import numpy as np
import scree
from program import ProgramTest, main

# A rod that swings about a hinge, a block that rests on a floor, a box that nothing holds.
SCENE = """scree: 1
name: measured
until: 0.2 s
step: {h: 1 ms}
materials: {steel: {density: 7800}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - box: {name: rod, position: [0.15, 0, 2], size: [30 cm, 4 cm, 4 cm], mass: 2 kg}
  - box: {name: block, position: [1, 0, 0.1], size: [20 cm, 20 cm, 20 cm], mass: 3 kg}
  - box: {name: loose, position: [5, 0, 9], size: [10 cm, 20 cm, 30 cm], velocity: [1, 0, 0]}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
joints:
  - revolute: {name: hinge, a: world, b: rod, at: [0, 0, 2], axis: [0, 1, 0]}
sensors:
  - force: {name: scales, body: block}
  - force: {name: floor load, body: floor, rate: 100 Hz}
  - torque: {name: bearing, joint: hinge}
  - force: {name: pull, joint: hinge, rate: 200 Hz}
  - imu: {name: tip, body: rod, at: [15 cm, 0, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}
  - imu: {name: falling, body: loose, at: [0, 10 cm, 0]}
  - joint: {name: angle, joint: hinge}
  - range: {name: down, body: rod, at: [10 cm, 0, 0], direction: [0, 0, -2]}
  - range: {name: short, body: world, at: [1, 0, 1], direction: [0, 0, -1], max: 0.5 m}
output: {statistics_interval: 50 ms}
"""


class Sensors(ProgramTest):

    def rows(self, run):
        with open(self.directory / run / "sensors.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_readings_are_those_of_closed_forms(self):
        sim = scree.Simulation(SCENE)
        self.assertEqual(
            list(sim.sensors),
            ["scales", "floor load", "bearing", "pull", "tip", "falling", "angle", "down", "short"])
        sim.step(100)
        value = {name: sim.sensors[name].value for name in sim.sensors}
        np.testing.assert_allclose(value["scales"], [0, 0, 3 * 9.81], atol=1e-6)
        np.testing.assert_allclose(value["floor load"], [0, 0, -3 * 9.81], atol=1e-6)
        np.testing.assert_allclose(value["falling"], 0, atol=1e-9)
        self.assertEqual(value["angle"][0], sim.joints["hinge"].position)
        self.assertEqual(value["angle"][2], 0)
        self.assertAlmostEqual(value["bearing"][1], 0, delta=1e-9)
        self.expect_swing(sim, value)
        self.expect_ranges(sim, value)

    def expect_swing(self, sim, value):
        """A rod about its end; the tip feels its motion less gravity."""
        angle, rate, _ = value["angle"]
        length, moment = 0.15, 2 * (0.3**2 + 0.04**2) / 12 + 2 * 0.15**2
        # Velocities and accelerations are those half a step and a step before the angle.
        turn = 2 * 9.81 * length * np.cos(angle) / moment
        felt_along = -9.81 * np.sin(angle) - rate**2 * 0.3
        felt_across = -turn * 0.3 + 9.81 * np.cos(angle)
        # The sensor is turned by 90° about x: its y is the rod's z, its z the rod's −y.
        np.testing.assert_allclose(value["tip"][:3], [felt_along, felt_across, 0], atol=0.15)
        np.testing.assert_allclose(value["tip"][3:], [0, 0, -rate], atol=1e-9)

    def expect_ranges(self, sim, value):
        angle = value["angle"][0]
        # A point 25 cm from the hinge, and a ray across the rod.
        height = 2 - 0.25 * np.sin(angle)
        self.assertAlmostEqual(value["down"], height / np.cos(angle), delta=1e-9)
        self.assertEqual(value["short"], np.inf)
        self.assertEqual((sim.sensors["short"].kind, sim.sensors["short"].columns),
                         ("range", ["distance"]))

    def test_a_run_writes_them_at_their_rates_and_a_resumed_run_continues(self):
        self.write_scene(SCENE)
        self.scree("run", "scene.yaml", "--out", "whole", "--no-pictures")
        rows = self.rows("whole")
        self.assertEqual(len(rows), 200)
        self.assertEqual([int(row["step"]) for row in rows if row["floor load.force_z"]],
                         list(range(10, 201, 10)))
        self.assertEqual(sum(row["pull.force_x"] != "" for row in rows), 40)
        sim = scree.Simulation(SCENE)
        sim.step(150)
        for column, number in zip(sim.sensors["tip"].columns, sim.sensors["tip"].value):
            self.assertEqual(float(rows[149][f"tip.{column}"]), number)
        self.scree("run", "scene.yaml", "--out", "cut", "--no-pictures", "--until", "73 ms")
        self.scree("run", "scene.yaml", "--out", "cut", "--no-pictures", "--resume", "--until",
                   "0.2 s")
        self.assertEqual(self.rows("cut"), rows)

    def test_a_snapshot_gives_the_readings_again(self):
        sim = scree.Simulation(SCENE)
        sim.step(20)
        start = sim.snapshot()
        sim.step(5)
        before = [sim.sensors[name].value for name in sim.sensors]
        sim.restore(start)
        np.testing.assert_array_equal(sim.sensors["scales"].value, 0)
        sim.step(5)
        for old, name in zip(before, sim.sensors):
            np.testing.assert_array_equal(old, sim.sensors[name].value)

    def test_a_body_that_left_is_not_measured(self):
        sim = scree.Simulation(SCENE)
        sim.remove("loose")
        sim.step()
        self.assertTrue(np.isnan(sim.sensors["falling"].value).all())

    def test_bad_sensors_are_refused_with_line_and_key(self):
        for wrong, message in (
            ("- force: {name: a, body: blokc}",
             r"scene.yaml:\d+:\d+: sensors\[0\].force.body: there is no body or obstacle 'blokc'; "
             "did you mean 'block'"), ("- force: {name: a, body: block, joint: hinge}",
                                       "give exactly one of body and joint"),
            ("- imu: {name: a, body: floor}", "an IMU needs a body that moves freely"),
            ("- torque: {name: a, body: world}",
             "the world has no forces"), ("- joint: {name: a, joint: hing}",
                                          "no coordinate of a joint 'hing'.*'hinge'"),
            ("- range: {name: a, body: rod}",
             "direction"), ("- range: {name: a, body: rod, direction: [0, 0, 0]}",
                            "direction"), ("- force: {name: a, body: rod, rate: 5 m}", "rate"),
            ("- force: {name: a, body: rod}\n  - force: {name: a, body: block}",
             "another sensor has this name")):
            with self.subTest(wrong):
                head, rest = SCENE.split("sensors:\n")
                tail = rest[rest.index("output:"):]
                self.write_scene(f"{head}sensors:\n  {wrong}\n{tail}")
                result = self.scree("check", "scene.yaml", status=None)
                self.assertNotEqual(result.returncode, 0)
                self.assertRegex(result.stdout + result.stderr, message)
        with self.assertRaisesRegex(scree.InputError, "no sensor 'scale'; did you mean 'scales'"):
            scree.Simulation(SCENE).sensors["scale"]


if __name__ == "__main__":
    main()

"""The checks themselves: they find nothing wrong with two good runs, and what was damaged in
others.
"""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from property_test import failures_of
from runs import read_run, run_program
from scenes import Ball, Law, Obstacle, Scene, Wave

ZERO = np.zeros(3)
UPRIGHT = np.array([1.0, 0, 0, 0])


def scene_of(name, balls, obstacles):
    balls = [Ball(np.array(x), 0.01, np.array(v), np.array([0.0, 0, 20]), 0) for x, v in balls]
    return Scene(name, h=1e-3, steps=12, gravity=ZERO, densities=[2000.0], balls=balls,
                 laws={(0, 0): Law("coulomb", 0.3,
                                   0.5)}, obstacles=obstacles, solver={"tolerance": 1e-8})


# Two balls meet in space; a ball meets a box that comes towards it, while another flies by.
PAIR = scene_of("pair", [((-0.012, 0, 0), (1.0, 0, 0)), ((0.012, 0.004, 0), (-1.0, 0, 0.5))], [])
WALL = scene_of("wall", [((0, 0, 0.022), (0.5, 0, -1.0)), ((0.03, 0, 0.0151), (0, 0.2, 0.0))], [
    Obstacle(
        ("box", np.array([0.02, 0.02, 0.005])), ZERO, UPRIGHT, 0,
        linear=[Wave(0.0, "velocity"),
                Wave(0.0, "velocity"),
                Wave(0.3, "velocity", rate=100.0)])
])


class DamagedRuns(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="scree-")
        cls.addClassCleanup(temporary.cleanup)
        cls.directory = Path(temporary.name)
        cls.good = {}
        for scene in (PAIR, WALL):
            result = run_program(os.environ["SCREE_PROGRAM"], scene.text(),
                                 cls.directory / scene.name)
            cls.good[scene.name] = cls.directory / scene.name / "run", result

    def checks_after(self, scene, damage):
        """The names of the checks that fail once `damage` was done to a copy of the run."""
        original, result = self.good[scene.name]
        with tempfile.TemporaryDirectory(dir=self.directory) as copy:
            run = Path(copy) / "run"
            shutil.copytree(original, run)
            damage(run)
            return {name for name, _ in failures_of(scene, read_run(run, result))}

    def step_of_impact(self, scene):
        run = read_run(*self.good[scene.name])
        pushed = np.linalg.norm(run.contacts["impulse"], axis=1) > 0
        return int(run.contact_step[pushed][0])

    @staticmethod
    def change(kind, step, array, row, value):
        """A damage: row of an array in a frame becomes value(row)."""

        def damage(run):
            with h5py.File(run / f"frames/{kind}_{step:06}.hdf", "r+") as file:
                data = file["VTKHDF"]["CellData" if kind == "grains" else "PointData"][array]
                data[row] = value(data[row])

        return damage

    def change_json(self, name, key, value):

        def damage(run):
            whole = json.loads((run / name).read_text())
            inner = whole
            for part in key[:-1]:
                inner = inner[part]
            inner[key[-1]] = value
            (run / name).write_text(json.dumps(whole))

        return damage

    def change_statistics(self, column, row, value):

        def damage(run):
            lines = [line.split(",") for line in (run / "statistics.csv").read_text().splitlines()]
            lines[row + 1][lines[0].index(column)] = str(value)
            (run / "statistics.csv").write_text("\n".join(map(",".join, lines)) + "\n")

        return damage

    def test_nothing_is_wrong_with_the_good_runs(self):
        for scene in (PAIR, WALL):
            self.assertEqual(failures_of(scene, read_run(*self.good[scene.name])), [], scene.name)

    def test_a_velocity_that_is_off_by_a_billionth(self):
        step = self.step_of_impact(WALL)
        damage = self.change("grains", step, "velocity", 0, lambda v: v * (1 + 1e-9))
        self.assertLessEqual({"positions", "impulses"}, self.checks_after(WALL, damage))

    def test_an_angular_velocity(self):
        step = self.step_of_impact(WALL)
        damage = self.change("grains", step, "angular_velocity", 0, lambda w: w * (1 + 1e-6))
        self.assertIn("impulses", self.checks_after(WALL, damage))

    def test_a_position(self):
        damage = self.change("grains", 5, "position", 0, lambda x: x + 1e-12)
        self.assertIn("positions", self.checks_after(WALL, damage))

    def test_an_impulse(self):
        step = self.step_of_impact(WALL)
        damage = self.change("contacts", step, "impulse", 0, lambda r: r * (1 + 1e-6))
        self.assertIn("impulses", self.checks_after(WALL, damage))

    def test_impulses_that_obey_no_law(self):
        # The bodies move as the impulses say, but friction is twice what the law allows.
        step = self.step_of_impact(WALL)

        def damage(run):
            with h5py.File(run / f"frames/contacts_{step:06}.hdf") as file:
                n, r = (file[f"VTKHDF/PointData/{name}"][0] for name in ("normal", "impulse"))
            more = 3 * (r - (r @ n) * n)
            with h5py.File(run / f"frames/grains_{step:06}.hdf") as file:
                mass, radius = (file[f"VTKHDF/CellData/{name}"][0] for name in ("mass", "radius"))
            self.change("contacts", step, "impulse", 0, lambda r: r + more)(run)
            for later in range(step, 13):
                self.change("grains", later, "velocity", 0, lambda v: v - more / mass)(run)
                self.change("grains", later, "angular_velocity", 0,
                            lambda w: w - np.cross(n, more) / (0.4 * mass * radius))(run)

        found = self.checks_after(WALL, damage)
        self.assertLessEqual({"contact_frames", "verdict"}, found)
        self.assertNotIn("impulses", found)

    def test_momentum_from_nowhere(self):

        def damage(run):
            for step in range(6, 13):
                self.change("grains", step, "velocity", 1, lambda v: v + [0, 0, 1e-6])(run)

        self.assertIn("momentum", self.checks_after(PAIR, damage))

    def test_energy_from_nowhere(self):
        damage = self.change("grains", 1, "velocity", 1, lambda v: v * 1.001)
        self.assertIn("energy", self.checks_after(WALL, damage))

    def test_a_ball_that_passes_another(self):
        damage = self.change("grains", 2, "velocity", 0, lambda v: v * 25)
        self.assertIn("passing", self.checks_after(PAIR, damage))

    def test_a_ball_that_passes_a_wall(self):
        damage = self.change("grains", 2, "velocity", 0, lambda v: v * 40)
        self.assertIn("passing", self.checks_after(WALL, damage))

    def test_bodies_that_push_each_other_from_afar(self):

        def damage(run):
            for step in range(13):
                self.change("grains", step, "position", 1, lambda x: x + [0, 0, 0.03])(run)

        self.assertIn("ghosts", self.checks_after(PAIR, damage))

    def test_contacts_of_other_bodies(self):
        damage = self.change("contacts", self.step_of_impact(WALL), "id_a", 0, lambda i: 1)
        self.assertIn("impulses", self.checks_after(WALL, damage))

    def test_what_a_contact_says_of_itself(self):
        step = self.step_of_impact(WALL)
        for array, value in (("normal", lambda n: -n), ("gap", lambda g: g + 1e-6),
                             ("residual", lambda e: e + 1e-6), ("class", lambda k: (k + 1) % 3),
                             ("cone_violation", lambda c: c + 1e-3), ("dissipated_energy",
                                                                      lambda d: 1.001 * d)):
            with self.subTest(array):
                damage = self.change("contacts", step, array, 0, value)
                self.assertIn("contact_frames", self.checks_after(WALL, damage))

    def test_numbers_that_are_none(self):
        for array in ("velocity", "position", "radius"):
            with self.subTest(array):
                damage = self.change("grains", 12, array, 0, lambda x: x * np.nan)
                self.assertEqual({"finite_numbers"}, self.checks_after(WALL, damage))
        damage = self.change_json("obstacles.json", ("obstacles", 0, "position", 2), None)
        self.assertEqual({"finite_numbers"}, self.checks_after(WALL, damage))

    def test_a_verdict_that_was_swapped(self):
        for key, value, check in (("verdict", "missed", "outcome"),
                                  ("verdict", "missed", "verdict"), ("exit_status", 3, "outcome"),
                                  ("steps", 11, "outcome"), ("steps_within_tolerance", 11,
                                                             "verdict")):
            with self.subTest(key):
                damage = self.change_json("verdict.json", (key,), value)
                self.assertIn(check, self.checks_after(WALL, damage))

    def test_statistics_that_say_something_else(self):
        step = self.step_of_impact(WALL)
        columns = {
            "residual": (0.5, "verdict"), "kinetic_energy": (1.0, "statistics"),
            "dissipated_energy": (1.0, "ledger"), "contacts_loaded": (7, "statistics"),
            "contacts_sliding": (7, "statistics"), "max_penetration": (1e-6, "statistics"),
            "energy_created": (1e-3, "energy")
        }
        for column, (value, check) in columns.items():
            with self.subTest(column):
                damage = self.change_statistics(column, step, value)
                self.assertIn(check, self.checks_after(WALL, damage))

    def test_a_scene_in_other_units(self):
        damage = self.change("grains", 0, "radius", 0, lambda r: r * (1 + 1e-12))
        self.assertIn("start", self.checks_after(WALL, damage))

    def test_an_obstacle_that_goes_its_own_way(self):
        damage = self.change_json("obstacles.json", ("obstacles", 0, "position", 2), 0.0)
        self.assertIn("obstacles", self.checks_after(WALL, damage))


if __name__ == "__main__":
    unittest.main(verbosity=2)

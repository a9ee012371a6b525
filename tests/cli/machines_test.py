"""Screw, drum with lifters and mixer of the shipped scenes, with a few dozen grains: compares loads
of obstacles and transport with geometry, gravity and the energy balance.
"""

import csv

from program import SOURCE, ProgramTest, main
from readers_test import need

G = 9.81


class Machines(ProgramTest):

    def run_scene(self, name, until, *settings):
        need(self, "python3-h5py", "h5py")
        words = [word for each in settings for word in ("--set", each)]
        self.scree("run", SOURCE / "scenes" / f"{name}.yaml", "--out", "run", "--until", until,
                   "--no-pictures", "--set", "output.frame_interval=0.02", "--set",
                   "output.statistics_interval=0.02", *words)
        verdict = self.verdict("run")
        self.assertEqual(verdict["steps_within_tolerance"], verdict["steps"])

    def frames(self):
        """Time and arrays of the grains, by name, of each frame."""
        import h5py
        frames = []
        for path in sorted((self.directory / "run/frames").glob("grains_*.hdf")):
            with h5py.File(path) as file:
                data = file["VTKHDF/CellData"]
                grains = {name: data[name][...] for name in data}
                frames.append((float(file["scree"].attrs["time"][0]), grains))
        return frames

    def obstacles(self):
        with open(self.directory / "run/obstacles.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def impulse(self, column, since, until):
        """Force or torque of all obstacles over a time: rows are means since the sample before."""
        return 0.02 * sum(
            float(row[column])
            for row in self.obstacles() if since + 0.01 < float(row["time"]) < until + 0.01)

    def check_energy(self):
        """The work of the obstacles is heat, and motion and height of the grains."""
        samples = self.statistics("run")

        def change(name):
            return float(samples[-1][name]) - float(samples[0][name])

        work = sum(float(row["work"]) for row in self.obstacles()[-self.number_of_obstacles():])
        books = change("kinetic_energy") + change("potential_energy") + change("dissipated_energy")
        self.assertGreater(work, 0)
        self.assertAlmostEqual(work / books, 1, places=6)

    def number_of_obstacles(self):
        rows = self.obstacles()
        return sum(row["time"] == rows[0]["time"] for row in rows)

    def advance(self, since, until):
        """Along x, of the grains that the flight has: its first winding begins at x = 0 [m]."""
        import numpy as np
        frames = self.frames()
        first, last = (next(grains for time, grains in frames if time > t - 1e-6)
                       for t in (since, until))
        held = {grain: x for grain, x in zip(first["id"], first["position"][:, 0]) if x > 0.015}
        return np.array([
            x - held[grain] for grain, x in zip(last["id"], last["position"][:, 0]) if grain in held
        ])

    def test_a_screw_carries_grains_by_its_pitch_in_a_turn(self):
        pitch, turns = 0.06, 1.5  # at 60 rpm
        self.run_scene("screw_conveyor", "3 s", "fillings=[]", "output.analysis=[]", "step.h=0.001",
                       "bodies[0].random.count=40", "bodies[0].random.region.max[0]=0.09")
        ways = self.advance(1.5, 1.5 + turns)
        self.assertGreater(len(ways), 30)
        # They tumble between two windings: the mean is known to its scatter, a fiftieth.
        self.assertAlmostEqual(ways.mean() / (pitch * turns), 1, delta=0.06)
        self.assertGreater(ways.min(), 0.5 * pitch * turns)

    def test_a_screw_that_turns_the_other_way_carries_nothing(self):
        self.run_scene("screw_conveyor", "1.5 s", "fillings=[]", "output.analysis=[]",
                       "step.h=0.001", "motions.screw.speed=60 rpm")
        ways = self.advance(0.5, 1.5)
        self.assertLess(ways.max(), 0.01)
        self.assertLess(ways.mean(), -0.02)

    def test_a_drum_with_lifters_bears_the_torque_of_what_it_lifts(self):
        import numpy as np
        self.run_scene("lifter_drum", "1.4 s", "bodies[0].random.count=60")
        since, until = 0.6, 1.4
        frames = [(time, grains) for time, grains in self.frames() if time > since - 1e-6]

        def spin(grains):
            """Angular momentum about the axis [kg m²/s]."""
            m, r = grains["mass"], grains["radius"]
            (x, _, z), (u, _, w) = grains["position"].T, grains["velocity"].T
            return np.sum(m * (z * u - x * w) + 0.4 * m * r**2 * grains["angular_velocity"][:, 1])

        time = np.array([t for t, _ in frames])
        weight_at = [G * np.sum(grains["mass"] * grains["position"][:, 0]) for _, grains in frames]
        by_weight = np.sum(0.5 * (np.array(weight_at)[1:] + weight_at[:-1]) * np.diff(time))
        gained = spin(frames[-1][1]) - spin(frames[0][1])
        borne = self.impulse("torque_y", since, until)
        # The weight's lever is known at frames alone.
        self.assertAlmostEqual(borne / (by_weight - gained), 1, delta=0.02)
        # Lifters carry grains above the axis.
        highest = max(grains["position"][:, 2].max() for _, grains in frames)
        self.assertGreater(highest, 0.02)
        self.check_energy()

    def test_what_blades_turn_the_vessel_holds(self):
        import numpy as np
        self.run_scene("blade_mixer", "1.8 s", "bodies[0].random.count=40",
                       "bodies[1].random.count=40")
        last = self.frames()[-1][1]
        m, r = last["mass"], last["radius"]
        (x, y, _), (u, v, _) = last["position"].T, last["velocity"].T
        spin = np.sum(m * (x * v - y * u) + 0.4 * m * r**2 * last["angular_velocity"][:, 2])
        # Gravity has no torque about the axis: what obstacles bear is what the grains have lost.
        borne = self.impulse("torque_z", 0, 1.8)
        turned = 0.02 * sum(
            abs(float(row["torque_z"])) for row in self.obstacles() if row["obstacle"] == "vessel")
        # But for the gaps and overlaps at which contacts act: they are levers.
        self.assertAlmostEqual((borne + spin) / turned, 0, delta=1e-3)
        self.assertGreater(turned, 0)
        self.check_energy()


if __name__ == "__main__":
    main()

"""Sleeping beds: their files equal those without sleep, and any change wakes them."""

import h5py
import numpy as np
from program import ProgramTest, main

PILE = """scree: 1
name: pile
until: 2.5 s
step: {h: 1 ms, sleep: true}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5, rolling_friction: 0.1 mm, spinning_friction: 0.1 mm}
bodies:
  - lattice:
      region: {min: [0, 0, 0], max: [3 cm, 3 cm, 4 cm]}
      spacing: 1 cm
      radius: 4.9 mm
      jitter: [0.1, 0.1, 0.1]
      seed: 3
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - half_space: {name: west, point: [0, 0, 0], normal: [1, 0, 0]}
  - half_space: {name: east, point: [3 cm, 0, 0], normal: [-1, 0, 0]}
  - half_space: {name: south, point: [0, 0, 0], normal: [0, 1, 0]}
  - half_space: {name: north, point: [0, 3 cm, 0], normal: [0, -1, 0]}
output: {frame_interval: 0.5 s, statistics_interval: 100 ms, checkpoint_interval: 0.5 s}
"""


class Sleep(ProgramTest):

    def rows(self, run, kind, *names):
        """Arrays of the last frame of a run."""
        frame = sorted((self.directory / run / "frames").glob(f"{kind}_*.hdf"))[-1]
        with h5py.File(frame) as file:
            data = file["VTKHDF"]
            return [np.array(data[name]) for name in names]

    def test_changes_nothing_that_files_tell(self):
        self.scree("run", self.write_scene(PILE), "--out", "asleep")
        self.scree("run", self.write_scene(PILE), "--out", "awake", "--set", "step.sleep=false")
        last, other = self.statistics("asleep")[-1], self.statistics("awake")[-1]
        self.assertEqual((last["bodies_asleep"], other["bodies_asleep"]), ("36", "0"))
        self.assertEqual(last["contacts_asleep"], last["contacts"])
        for column in ("contacts", "contacts_touching", "contacts_loaded", "contacts_sliding"):
            self.assertEqual(last[column], other[column], column)
        verdict = self.verdict("asleep")
        self.assertEqual(verdict["bodies"]["asleep"], 36)
        self.assertEqual(verdict["contacts"]["asleep"], int(last["contacts"]))
        self.assertIn("At the end 36 of 36 bodies were asleep.", verdict["sentence"])
        self.assertLess(verdict["contacts"]["solved"],
                        0.9 * self.verdict("awake")["contacts"]["solved"])
        for part, same in zip(verdict["obstacles"], self.verdict("awake")["obstacles"]):
            np.testing.assert_allclose(part["mean_force"], same["mean_force"], atol=1e-3)
        places, others = (self.rows(run, "grains", "CellData/position")[0]
                          for run in ("asleep", "awake"))
        self.assertLess(np.abs(places - others).max(), 1e-6 * 9.8e-3)
        impulse, other = (self.rows(run, "contacts", "PointData/impulse")[0]
                          for run in ("asleep", "awake"))
        self.assertEqual(impulse.shape, other.shape)
        np.testing.assert_allclose(impulse, other, atol=1e-9)  # of weights of 1e-5 N s

    def test_goes_on_from_a_checkpoint_to_the_same_bits(self):
        scene = self.write_scene(PILE)
        self.scree("run", scene, "--out", "whole")
        self.scree("run", scene, "--out", "cut", "--until", "2.2 s")
        self.assertGreater(int(self.statistics("cut")[-1]["bodies_asleep"]), 0)
        self.scree("run", scene, "--out", "cut", "--resume", "--until", "2.5 s", "--threads", "2")
        self.assertEqual(
            self.statistics("cut")[-1]["state_hash"],
            self.statistics("whole")[-1]["state_hash"])

    def test_ends_with_a_stage_that_tilts(self):
        stages = """stages:
  - {name: settle, until: 2.5 s}
  - {name: tilt, until: 20 ms, gravity: [6, 0, -8]}
"""
        self.scree("run", self.write_scene(PILE.replace("until: 2.5 s\n", stages)), "--out", "run")
        asleep = [int(row["bodies_asleep"]) for row in self.statistics("run")]
        self.assertEqual(max(asleep), 36)
        self.assertEqual(asleep[-1], 0)

    def test_is_kept_in_the_resolved_scene(self):
        self.scree("run", self.write_scene(PILE), "--out", "run", "--until", "1 ms")
        resolved = self.directory / "run" / "resolved.yaml"
        self.assertIn("sleep: true", resolved.read_text())
        self.scree("check", resolved)

    def test_is_refused_where_no_contact_would_wake(self):
        soft = PILE.replace(
            "law: coulomb, friction: 0.5, rolling_friction: 0.1 mm, spinning_friction: 0.1 mm",
            "law: cundall_strack, k_n: 1e4, k_t: 1e4, friction: 0.5").replace("1 ms", "10 us", 1)
        blown = PILE + "fields:\n  - {force: [0, 0, '0.01 N']}\n"
        for text, why in ((soft, "compliant laws"), (blown, "fields")):
            result = self.scree("check", self.write_scene(text), status=2)
            self.assertIn(why, result.stderr)
            self.assertIn("scene.yaml:4:", result.stderr)
            self.assertIn("step.sleep", result.stderr)


if __name__ == "__main__":
    main()

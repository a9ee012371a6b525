"""Periodic cells in scenes and files."""

import csv

from program import SOURCE, ProgramTest, main

GAS = """scree: 1
name: gas
until: 0.02 s
gravity: [0, 0, 0]
step: {h: 0.1 ms}
cell: {period: [50 mm, 50 mm, 50 mm]}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.3, restitution: 0.8}
bodies:
  - random:
      region: {min: [0, 0, 0], max: [50 mm, 50 mm, 50 mm]}
      radius: 2.5 mm
      volume_fraction: 0.3
      jitter: [1, 1, 1]
      seed: 3
output:
  frame_interval: 10 ms
  statistics_interval: 5 ms
  analysis:
    - name: all
      region: {min: [-10 mm, 0, 0], max: [40 mm, 50 mm, 50 mm]}
"""

LATTICE = 2**0.5 * 2  # two cubes of a face-centred lattice of unit spheres
FACE_CENTRED = f"""scree: 1
name: face_centred
gravity: [0, 0, 0]
step: {{h: auto}}
cell:
  period: [{LATTICE!r}, {LATTICE!r}, {LATTICE!r}]
  pressure: {{x: 1, y: 1, z: 1}}
  viscosity: 20
  smoothing: 0.05
  max_rate: 0.3
materials: {{glass: {{density: 1}}}}
default_law: {{law: cundall_strack, k_n: 1e4, k_t: 8e3, friction: 0.25, restitution: 0.3}}
bodies:
""" + "".join(f"  - sphere: {{radius: 0.5, position: [{x!r}, {y!r}, {z!r}]}}\n"
              for x, y, z in ([(c + o + 0.25) * 2**0.5 for c, o in zip((i, j, k), offset)]
                              for i in range(2) for j in range(2) for k in range(2)
                              for offset in ((0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5),
                                             (0, 0.5, 0.5)))) + """
stages:
  - {name: press, until: 2}
  - name: compress
    until: 0.4
    cell:
      {rate: {zz: -1e-3}, pressure: {x: 1, y: 1}, viscosity: 20, smoothing: 0.05, max_rate: 0.3}
output: {statistics_interval: 0.01}
"""


class Periodic(ProgramTest):

    def table(self, path):
        with open(self.directory / path, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_a_face_centred_array_fails_at_the_stress_ratio_of_statics(self):
        # A sphere has 12 contacts; the four across z open. The other eight, at 45 degrees, have the
        # largest friction: a force (1 + mu) along z to (1 - mu) across. Four of them count for x.
        self.write_scene(FACE_CENTRED)
        for mu in (0.1, 0.25, 0.5):
            self.scree("run", "scene.yaml", "--out", "run", "--force", "--no-pictures", "--set",
                       f"default_law.friction={mu}")
            ratios = [
                float(row["contact_zz"]) * 2 / (float(row["contact_xx"]) + float(row["contact_yy"]))
                for row in self.table("run/cell.csv") if float(row["time"]) > 2
            ]
            self.assertAlmostEqual(max(ratios) / (2 * (1 + mu) / (1 - mu)), 1, delta=2e-3)

    def test_a_region_as_long_as_the_cell_holds_all_of_every_frame(self):
        (self.directory / "gas.yaml").write_text(GAS, encoding="utf-8")
        self.scree("run", "gas.yaml", "--out", "run", "--no-pictures")
        rows = self.table("run/analysis/all/solid_fraction.csv")
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.assertAlmostEqual(float(row["solid_fraction"]), 0.3, delta=1e-3)
            self.assertEqual(row["solid_fraction"][:10], rows[0]["solid_fraction"][:10])
            self.assertEqual(row["bodies"], rows[0]["bodies"])
        # From the frames, whose region is the cell if nobody says otherwise.
        self.scree("analyse", "run", "--no-pictures")
        for row in self.table("run/analysis/solid_fraction.csv"):
            self.assertEqual(row["solid_fraction"][:10], rows[0]["solid_fraction"][:10])

    def test_a_run_that_is_resumed_has_the_same_bits(self):
        scene = SOURCE / "scenes/chute.yaml"
        self.scree("run", scene, "--out", "whole", "--until", "0.2 s", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--until", "0.1 s", "--no-pictures")
        self.scree("run", scene, "--out", "parts", "--until", "0.2 s", "--resume", "--threads", "2",
                   "--no-pictures")
        self.assertEqual(
            self.statistics("whole")[-1]["state_hash"],
            self.statistics("parts")[-1]["state_hash"])

    def test_a_sheared_cell_books_its_work_and_goes_on_with_the_same_bits(self):
        scene = SOURCE / "scenes/shear.yaml"
        settings = [
            "--set", "bodies[0].random.radius=2 mm", "--set", "step.h=20 us", "--no-pictures"
        ]
        self.scree("run", scene, "--out", "whole", "--until", "60 ms", *settings)
        self.scree("run", scene, "--out", "parts", "--until", "30 ms", *settings)
        self.scree("run", scene, "--out", "parts", "--until", "60 ms", "--resume", *settings)
        self.assertEqual(self.table("whole/cell.csv"), self.table("parts/cell.csv"))
        row, last = self.table("whole/cell.csv")[-1], self.statistics("whole")[-1]
        self.assertEqual(last["state_hash"], self.statistics("parts")[-1]["state_hash"])
        self.assertAlmostEqual(float(row["work"]), float(last["wall_work"]), delta=1e-15)
        self.assertLess(float(row["edge_yy"]), 0.02, "it is pressed")
        self.assertEqual(float(row["rate_xy"]), 2)

    def test_stages_press_and_then_shear(self):
        scene = (SOURCE / "scenes/shear.yaml").read_text(encoding="utf-8")
        text = scene.replace("until: 1 s\n", "").replace("  rate: {xy: 2 1/s}\n", "") + (
            "stages:\n  - {name: press, until: 20 ms}\n"
            "  - name: shear\n    until: 20 ms\n    cell: {rate: {xy: 3 1/s, yy: -1 1/s}, "
            "pressure: {z: 1 kPa}}\n")
        (self.directory / "stages.yaml").write_text(text, encoding="utf-8")
        self.scree("run", "stages.yaml", "--out", "run", "--set", "step.h=20 us", "--set",
                   "bodies[0].random.radius=2 mm", "--no-pictures")
        rows = self.table("run/cell.csv")
        self.assertEqual([float(rows[1]["rate_xy"]), float(rows[1]["rate_zz"])], [0, 0])
        self.assertEqual([float(rows[-1]["rate_xy"]), float(rows[-1]["rate_yy"])], [3, -1])
        self.assertNotEqual(float(rows[-1]["rate_zz"]), 0)

    def test_what_does_not_fit_is_refused_with_its_place_and_size(self):

        def refusal(*lines):
            text = GAS
            for old, new in lines:
                self.assertIn(old, text)
                text = text.replace(old, new)
            (self.directory / "bad.yaml").write_text(text, encoding="utf-8")
            return self.scree("check", "bad.yaml", status=2).stderr

        period = "cell: {period: [50 mm, 50 mm, 50 mm]}"
        self.assertIn("bad.yaml:6:16: cell.period", refusal((period, "cell: {period: [0, 0, 0]}")))
        self.assertIn("-0.05", refusal((period, "cell: {period: [50 mm, -50 mm, 0]}")))
        self.assertIn("more than the period of the cell",
                      refusal((period, "cell: {period: [40 mm, 0, 0]}")))
        tight = refusal((period, "cell: {period: [9 mm, 0, 0]}"),
                        ("max: [50 mm, 50 mm, 50 mm]}\n      radius", "max: [9 mm, 50 mm, 50 mm]}\n"
                         "      radius"))
        self.assertIn("bodies[0].random", tight)
        self.assertIn("0.01 m", tight)
        flow = "cell: {period: [50 mm, 50 mm, 50 mm], rate: {xy: 200 1/s}}"
        self.assertIn("step.h = 5e-05 s or less", refusal((period, flow)))
        self.assertIn("viscosity", refusal((period, period[:-1] + ", pressure: {x: 1 Pa}}")))
        self.assertIn(
            "gravity must be",
            refusal((period, period[:-1] + ", rate: {xy: 1}}"),
                    ("gravity: [0, 0, 0]", "gravity: [0, 0, -1]")))
        floor = "obstacles:\n  - half_space: {point: [0, 0, 0], normal: [0, 0, 1]}\noutput:"
        self.assertIn("half-space must run along z", refusal(("output:", floor)))
        box = "obstacles:\n  - box: {position: [0, 0, -1], size: [50 mm, 1, 1]}\noutput:"
        self.assertIn("obstacles[0].box",
                      refusal((period, "cell: {period: [50 mm, 0, 0]}"), ("output:", box)))


if __name__ == "__main__":
    main()

"""Compares the needs that `scree check` forecasts with those of the run."""

import json
import os
import random
import subprocess

from program import PROGRAM, ProgramTest, main

SCENE = """scree: 1
until: 0.5 ms
step: {{h: 0.1 ms}}
solver: {{max_sweeps: 5}}
materials: {{glass: {{density: 2500}}}}
default_law: {{law: coulomb, friction: 0.5}}
bodies:
  - {bodies}
obstacles:
  - half_space: {{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}}
output: {{contacts: {contacts}}}
"""


def lattice(count, spacing):
    """A cube of spheres of 1 mm radius, with their spacing in mm."""
    edge = round(count**(1 / 3)) * spacing
    return (f"lattice: {{region: {{min: [0, 0, 0], max: [{edge} mm, {edge} mm, {edge} mm]}}, "
            f"spacing: {spacing} mm, "
            "radius: 1 mm, jitter: [0.1, 0.1, 0.1]}")


DENSE, DILUTE = 2.001, 3
RANDOM = ("random: {region: {min: [0, 0, 0], max: [80 mm, 80 mm, 80 mm]}, count: 50000, "
          "radius: {uniform: [0.6 mm, 1 mm]}}")


class ForecastTest(ProgramTest):

    def need(self, scene, *arguments):
        """Told and taken: memory and output in bytes."""
        reported = json.loads(self.scree("check", scene, "--json", *arguments).stdout)
        with open(os.devnull, "w", encoding="ascii") as nowhere, \
                subprocess.Popen([
                    PROGRAM, "run", scene, "--out", "run", "--force", "--no-pictures", *arguments],
                                 cwd=self.directory, stdout=nowhere, stderr=nowhere) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 3))
        files = (self.directory / "run").rglob("*")
        output = sum(path.stat().st_size for path in files if path.is_file())
        return reported, {"memory_bytes": 1024 * usage.ru_maxrss, "output_bytes": output}

    def expect(self, text, parts=("memory_bytes", "output_bytes")):
        reported, taken = self.need(self.write_scene(text))
        for part in parts:
            ratio = reported[part] / taken[part]
            self.assertTrue(0.8 < ratio < 1.2,
                            f"{part}: {reported[part]} reported, {taken[part]} taken\n{text}")


class OfManySpheres(ForecastTest):

    def test_is_right_for_lattices_dense_and_dilute_with_contacts_in_frames_and_without(self):
        for spacing in (DENSE, DILUTE):
            for contacts in ("true", "false"):
                self.expect(SCENE.format(bodies=lattice(50000, spacing), contacts=contacts))

    def test_is_right_for_a_random_filling_of_many_sizes(self):
        self.expect(SCENE.format(bodies=RANDOM, contacts="true"))

    def test_is_right_for_a_table_of_spheres_in_a_close_packing(self):
        numbers = random.Random(1)
        place = [2.0001e-3 * i for i in range(37)]
        rows = [[c + numbers.uniform(0, 1e-7) for c in (x, y, z + 1e-3)] for x in place
                for y in place for z in place]
        table = "x,y,z\n" + "".join(f"{x!r},{y!r},{z!r}\n" for x, y, z in rows)
        (self.directory / "table.csv").write_text(table)
        bodies = "csv: {file: table.csv, radius: 1 mm, velocity: [0, 0, -0.1]}"
        self.expect(
            SCENE.format(bodies=bodies, contacts="true").replace("until",
                                                                 "allow_overlap: true\nuntil"))

    def test_counts_what_an_inflow_brings(self):
        inflow = (
            "inflows:\n  - {point: [0, 0, 0], velocity: [1, 0, 0], advance: 2.2 mm, radius: 1 mm, "
            "layer: {region: "
            "{min: [0, 0, 0], max: [2.2 mm, 200 mm, 200 mm]}, spacing: [2.2 mm, 2.2 mm, 2.2 mm]}}\n"
        )
        for until in ("8 ms", "15 ms"):
            text = SCENE.format(bodies=lattice(8, DILUTE), contacts="false").replace(
                "until: 0.5 ms", f"until: {until}") + inflow
            reported, taken = self.need(self.write_scene(text))
            entered = sum(int(row["bodies_added"]) for row in self.statistics("run"))
            self.assertGreater(entered, 20000)
            self.assertAlmostEqual(reported["bodies_at_most"] / (8 + entered), 1, delta=0.2)
            self.assertAlmostEqual(reported["memory_bytes"] / taken["memory_bytes"], 1, delta=0.2)

    def test_says_so_when_a_bed_would_take_more(self):
        scene = self.write_scene(SCENE.format(bodies=lattice(50000, DILUTE), contacts="true"))
        self.assertRegex(
            self.scree("check", scene).stdout,
            r"memory +about [\d.]+ MB; [\d.]+ MB when all bodies lie in a dense bed\n"
            r"output +about [\d.]+ MB; [\d.]+ MB when all bodies lie in a dense bed, "
            r"with 2 frames\n")


class OfAMillionSpheres(ForecastTest):

    def test_is_right_dense_and_dilute(self):
        for spacing in (DENSE, DILUTE):
            self.expect(SCENE.format(bodies=lattice(1000000, spacing), contacts="true"))


if __name__ == "__main__":
    main()

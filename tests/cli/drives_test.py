"""Bodies on rails that a force drives, as users see them."""

import csv

from program import SOURCE, ProgramTest, main


class Drives(ProgramTest):

    def table(self, path):
        with open(self.directory / path, encoding="utf-8") as file:
            return list(csv.DictReader(file))

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
        floor = [row for row in self.table("whole/parts.csv") if row["part"] == "floor"]
        at_rest = [row for row in floor if 0.3 < float(row["time"]) < 0.349]
        beads = 30 * 2500 * 4 / 3 * 3.14159265 * 0.004**3 * 9.81
        # Walls bear a part by friction: no more arrives than 16 N and the weight of the beads.
        mean = sum(-float(row["force_z"]) for row in at_rest) / len(at_rest)
        self.assertLess(mean, 16 + beads + 0.01)
        self.assertGreater(mean, 8)
        walls = [
            row for row in self.table("whole/parts.csv")
            if 0.3 < float(row["time"]) < 0.349 and row["part"] != "floor"
        ]
        borne = sum(-float(row["force_z"]) for row in walls) / len(at_rest)
        self.assertAlmostEqual(mean + borne, 16 + beads, delta=0.02)
        way = float(self.table("whole/joints.csv")[-1]["coordinate_1"])
        self.assertGreater(way, 0.03)
        self.assertLess(way, 0.06, "it has found the bed before its limit")


if __name__ == "__main__":
    main()

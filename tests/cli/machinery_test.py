"""Files on obstacles: loads, surfaces that move, wear; belts, and fillings at a rate."""

import csv
import json
import math

from meshes_test import binary_stl, tube
from program import ProgramTest, main
from readers_test import need

DRUM = """scree: 1
name: drum
until: 0.2 s
step: {h: 0.5 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
motions:
  drum: {pivot: [0, 0, 0], axis: [0, 1, 0], speed: 60 rpm}
obstacles:
  - mesh: {name: drum, file: drum.stl, unit: mm, sides: two, wear: true, motion: drum}
  - half_space: {name: "front, glass", point: [0, -0.03, 0], normal: [0, 1, 0]}
  - half_space: {name: back, point: [0, 0.03, 0], normal: [0, -1, 0]}
bodies:
  - random:
      radius: 5 mm
      region: {min: [-5 cm, -3 cm, -5 cm], max: [5 cm, 3 cm, 5 cm]}
      count: 40
output: {frame_interval: 50 ms, statistics_interval: 50 ms}
"""

BELT = """scree: 1
name: belt
until: 0.5 s
step: {h: 1 ms}
materials: {stone: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
obstacles:
  - half_space:
      name: belt
      point: [0, 0, 0]
      normal: [0, 0, 1]
      surface_velocity: [0.7, 0, 0]
bodies:
  - sphere: {position: [0, 0, 0.05], radius: 5 cm}
"""

HOSE = """scree: 1
name: hose
until: 0.3 s
step: {h: 1 ms}
materials: {stone: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
obstacles:
  - half_space: {point: [0, 0, 0], normal: [0, 0, 1]}
fillings:
  - name: hose
    region: {min: [-0.1, -0.1, 0.2], max: [0.1, 0.1, 0.3]}
    rate: 200 1/s
    radius: {classes: [{radius: 5 mm, share: 0.5}, {radius: 8 mm, share: 0.5}]}
    velocity: [0, 0, -1]
  - name: boxes
    region: {min: [0.3, -0.1, 0.2], max: [0.5, 0.1, 0.3]}
    mass_rate: 0.2 kg/s
    from: 0.1 s
    size: [1 cm, 1 cm, 2 cm]
output: {statistics_interval: 0.1 s}
"""


class Machinery(ProgramTest):

    def table(self, name):
        with open(self.directory / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def rows(self, run):
        return self.table(f"{run}/obstacles.csv")

    def run_drum(self, *arguments):
        (self.directory / "drum.stl").write_bytes(binary_stl(tube(60, 80, 40)))
        self.scree("run", self.write_scene(DRUM), "--out", "run", *arguments)

    def test_tells_what_parts_bear_between_samples(self):
        self.run_drum()
        rows = self.rows("run")
        self.assertEqual([row["obstacle"] for row in rows[:3]], ["drum", "front, glass", "back"])
        self.assertEqual(len(rows), 3 * 4)
        drum = [row for row in rows if row["obstacle"] == "drum"]
        work = 0.0
        for row in drum:
            work += 0.05 * float(row["power"])
            self.assertAlmostEqual(work, float(row["work"]), places=12)
        # Nothing else moves: the work of the drum is that of the walls.
        statistics = self.table("run/statistics.csv")
        self.assertAlmostEqual(work, float(statistics[-1]["wall_work"]), places=12)
        # It rotates the bodies against their weight.
        speed = 2 * math.pi
        for row in drum[1:]:
            self.assertAlmostEqual(float(row["power"]), -speed * float(row["torque_y"]),
                                   delta=0.05 * float(row["power"]))
        total = self.verdict("run")["obstacles"]
        self.assertEqual([obstacle["name"] for obstacle in total], ["drum", "front, glass", "back"])
        self.assertAlmostEqual(total[0]["mean_power"], work / 0.2, places=12)
        mean = sum(float(row["force_z"]) for row in drum) / 4
        self.assertAlmostEqual(total[0]["mean_force"][2], mean, places=9)

    def test_frames_show_triangles_where_the_motion_says(self):
        need(self, "python3-vtk9", "vtk")
        import numpy as np
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy
        self.run_drum()
        series = json.loads((self.directory / "run/obstacles.hdf.series").read_text())["files"]
        self.assertEqual([file["time"] for file in series], [0, 0.05, 0.1, 0.15, 0.2])
        first = None
        for file in series:
            reader = vtk.vtkHDFReader()
            path = str(self.directory / "run" / file["name"])
            self.assertTrue(reader.CanReadFile(path))
            reader.SetFileName(path)
            reader.Update()
            grid = reader.GetOutput()
            self.assertEqual({grid.GetCellType(k) for k in range(grid.GetNumberOfCells())},
                             {vtk.VTK_TRIANGLE})
            names = grid.GetFieldData().GetAbstractArray("obstacle_name")
            self.assertEqual([names.GetValue(k) for k in range(3)],
                             ["drum", "front, glass", "back"])
            obstacle = vtk_to_numpy(grid.GetCellData().GetArray("obstacle"))
            corners = np.array([[grid.GetCell(k).GetPoints().GetPoint(i) for i in range(3)]
                                for k in np.flatnonzero(obstacle == 0)])
            self.assertEqual(len(corners), 80)
            first = corners if first is None else first
            angle = 2 * math.pi * file["time"]
            turn = np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0],
                             [-math.sin(angle), 0, math.cos(angle)]])
            np.testing.assert_allclose(corners, first @ turn.T, atol=1e-12)
            # The half-spaces are squares about the bodies, in their planes.
            for k, y in ((1, -0.03), (2, 0.03)):
                wall = np.array([[grid.GetCell(c).GetPoints().GetPoint(i) for i in range(3)]
                                 for c in np.flatnonzero(obstacle == k)])
                self.assertEqual(wall.shape, (2, 3, 3))
                np.testing.assert_allclose(wall[..., 1], y, atol=1e-12)
                self.assertGreater(np.ptp(wall[..., 0]), 0.12)
            rows = [row for row in self.rows("run") if float(row["time"]) == file["time"]]
            force = vtk_to_numpy(grid.GetCellData().GetArray("force"))
            table = vtk_to_numpy(grid.GetFieldData().GetArray("obstacle_force"))
            for k, row in enumerate(rows):
                wanted = [float(row[f"force_{axis}"]) for axis in "xyz"]
                np.testing.assert_allclose(force[obstacle == k], [wanted] * (obstacle == k).sum())
                np.testing.assert_allclose(table[k], wanted)

    def test_wear_of_triangles_adds_up_to_that_of_the_part(self):
        need(self, "python3-h5py", "h5py")
        import h5py
        self.run_drum()
        row = [row for row in self.rows("run") if row["obstacle"] == "drum"][-1]
        with h5py.File(self.directory / "run/frames/obstacles_000004.hdf") as file:
            data = file["VTKHDF/CellData"]
            for name in ("impact_wear", "sliding_wear"):
                wear = data[name][...][data["obstacle"][...] == 0]
                self.assertAlmostEqual(wear.sum() / float(row[name]), 1, places=9)
                self.assertEqual(abs(data[name][...][data["obstacle"][...] > 0]).max(), 0)
        self.assertGreater(float(row["sliding_wear"]), 0)

    def test_goes_on_to_the_same_bits(self):
        self.run_drum()
        self.scree("run", self.write_scene(DRUM), "--out", "other", "--until", "0.12 s")
        self.scree("run", self.write_scene(DRUM), "--out", "other", "--resume")
        for name in ("obstacles.csv", "frames/obstacles_000003.hdf", "frames/obstacles_000004.hdf"):
            self.assertEqual((self.directory / "run" / name).read_bytes(),
                             (self.directory / "other" / name).read_bytes(), name)

    def test_writes_nothing_of_parts_where_it_is_not_wanted(self):
        self.run_drum("--set", "output.obstacles=no", "--until", "0.1 s")
        self.assertFalse((self.directory / "run/obstacles.csv").exists())
        self.assertFalse((self.directory / "run/obstacles.hdf.series").exists())

    def test_belts_run(self):
        self.scree("run", self.write_scene(BELT), "--out", "run")
        energy = self.table("run/statistics.csv")[-1]
        mass = 2500 * 4 / 3 * math.pi * 0.05**3
        # A ball rolls at 2/7 of the belt's speed: ½ m v² + ½ 2/5 m v² (5/2)².
        wanted = 0.5 * mass * 0.2**2 * (1 + 0.4 * 2.5**2)
        self.assertAlmostEqual(float(energy["kinetic_energy"]) / wanted, 1, places=3)
        self.assertIn("the surface of 'belt' moves at 0.7 m/s",
                      self.scree("check", self.write_scene(BELT)).stdout)

    def test_fillings_let_in_what_is_due(self):
        said = self.scree("run", self.write_scene(HOSE), "--out", "run").stderr
        self.assertIn("Filling 'hose': 60 bodies", said)
        bodies = self.verdict("run")["bodies"]
        hose, boxes = bodies["fillings"]
        self.assertEqual((hose["due_number"], hose["entered"]), (60, 60))
        self.assertAlmostEqual(boxes["due_mass"], 0.04, places=12)
        self.assertEqual(boxes["entered"], 8)
        self.assertAlmostEqual(boxes["entered_mass"], 8 * 2500 * 2e-6, places=12)
        self.assertEqual(bodies["steps_waiting"], 0)
        rows = self.table("run/statistics.csv")
        self.assertEqual([int(row["bodies"]) for row in rows], [0, 20, 44, 68])
        self.scree("run", self.write_scene(HOSE), "--out", "other", "--until", "0.15 s")
        self.scree("run", self.write_scene(HOSE), "--out", "other", "--resume")
        other = self.table("other/statistics.csv")
        self.assertEqual(rows[-1]["state_hash"], other[-1]["state_hash"])

    def test_a_filling_that_finds_no_room_says_so(self):
        scene = HOSE.replace("rate: 200 1/s",
                             "rate: 50000 1/s").replace("until: 0.3", "until: 0.05")
        said = self.scree("run", self.write_scene(scene), "--out", "run").stderr
        self.assertIn("found no room and waited", said)
        bodies = self.verdict("run")["bodies"]
        self.assertGreater(bodies["steps_waiting"], 10)
        self.assertLess(bodies["fillings"][0]["entered"], 2500)
        self.assertEqual(bodies["fillings"][0]["due_number"], 2500)
        self.scree("run", self.write_scene(scene), "--out", "strict", "--strict-inflow", status=3)

    def test_a_filling_that_gets_not_one_body_in_misses_its_verdict_and_names_what_is_there(self):
        scene = """scree: 1
until: 0.1 s
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.3}
obstacles:
  - box: {name: plate, min: [-1, -1, %s], max: [1, 1, 0.1]}
fillings:
  - {name: hose, region: {min: [-0.1, -0.1, 0], max: [0.1, 0.1, 0.1]}, radius: 1 cm, %s}
"""
        missed = "No body of the filling 'hose' entered, although some were due: the obstacle 'pla"
        for rate in ("rate: 1000 1/s", "mass_rate: 1 kg/s"):
            reported = self.scree("run", self.write_scene(scene % ("-0.1", rate)), "--out", "run",
                                  "--force", "--no-pictures", status=3).stderr
            self.assertIn(missed, reported)
            self.assertEqual(self.verdict("run")["verdict"], "missed")
        # Nothing is due yet, or there is room below the plate.
        for low, rate in (("-0.1", "rate: 5 1/s"), ("-0.1", "mass_rate: 0.1 kg/s"),
                          ("0.05", "rate: 20 1/s")):
            reported = self.scree("run", self.write_scene(scene % (low, rate)), "--out", "run",
                                  "--force", "--no-pictures").stderr
            self.assertNotIn("No body of the filling", reported)

    def test_bad_fillings_are_told_where_they_stand(self):
        for old, new, said in (
            ("rate: 200 1/s", "rate: 200", None),
            ("    rate: 200 1/s\n", "", "give either rate, in bodies per second, or mass_rate"),
            ("share: 0.5}]", "share: 0.4}]", "the shares add up to 0.9, not to 1"),
            ("max: [0.1, 0.1, 0.3]", "max: [0.1, 0.1, 0.21]", "the largest body needs 0.016 m"),
            ("max: [0.1, 0.1, 0.3]", "max: [0.1, 0.1, 0.1]", "max[2] is below min[2]"),
            ("from: 0.1 s", "from: 0.1 s\n    until: 0.05 s", "until must be later than from"),
            ("until: 0.3 s", "until: rest",
             "never ends, so the run cannot come to rest; add 'until'"),
            ("rate: 200 1/s", "rate: 200 kg/s", "1/s"),
        ):
            result = self.scree("check", self.write_scene(HOSE.replace(old, new)),
                                status=2 if said else 0)
            if said:
                self.assertIn(said, result.stderr, new)


if __name__ == "__main__":
    main()

"""Surfaces from STL and OBJ files: runs with them, and errors for bad ones."""

import json
import math
import struct

from program import ProgramTest, main

SCENE = """scree: 1
name: drum
until: 0.05 s
step: {h: 0.5 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.4}
obstacles:
  - mesh:
      name: drum
      file: drum.stl
      unit: mm
      sides: two
      motion: {velocity: [0, 0, 0], angular_velocity: [0, 2, 0]}
  - half_space: {name: front, point: [0, -0.03, 0], normal: [0, 1, 0]}
  - half_space: {name: back, point: [0, 0.03, 0], normal: [0, -1, 0]}
bodies:
  - random:
      radius: 5 mm
      region: {min: [-5 cm, -3 cm, -5 cm], max: [5 cm, 3 cm, 5 cm]}
      count: 60
"""

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def tube(radius, length, count):
    """Triangles of the side of a cylinder about the y axis."""

    def corner(side, k):
        angle = 2 * math.pi * k / count
        return (radius * math.cos(angle), (side - 0.5) * length, radius * math.sin(angle))

    triangles = []
    for k in range(count):
        a, b = corner(0, k), corner(0, k + 1)
        c, d = corner(1, k + 1), corner(1, k)
        triangles += [(a, b, c), (a, c, d)]
    return triangles


def binary_stl(triangles):
    data = b"drum".ljust(80) + struct.pack("<I", len(triangles))
    for corners in triangles:
        numbers = [x for corner in corners for x in corner]
        data += struct.pack("<12fH", 0, 0, 0, *numbers, 0)
    return data


def ascii_stl(triangles):
    text = "solid drum\n"
    for corners in triangles:
        text += "facet normal 0 0 0\nouter loop\n"
        text += "".join("vertex {!r} {!r} {!r}\n".format(*corner) for corner in corners)
        text += "endloop\nendfacet\n"
    return (text + "endsolid drum\n").encode()


class Meshes(ProgramTest):

    def write(self, name, data):
        (self.directory / name).write_bytes(data)

    def said_of(self, data, scene=SCENE, status=0, name="drum.stl"):
        """Output of `scree check` for a scene with this file."""
        self.write(name, data)
        result = self.scree("check", self.write_scene(scene.replace("drum.stl", name)),
                            status=status)
        return result.stdout + result.stderr

    def test_hold_bodies_and_are_run_again_to_the_same_bytes(self):
        self.write("drum.stl", binary_stl(tube(100, 60, 64)))
        self.scree("run", self.write_scene(SCENE), "--no-pictures", "--out", "run")
        manifest = json.loads((self.directory / "run/manifest.json").read_text())
        self.assertIn("drum.stl", json.dumps(manifest))
        parts = json.loads((self.directory / "run/obstacles.json").read_text())["obstacles"]
        self.assertEqual((parts[0]["shape"], parts[0]["triangles"]), ("mesh", 128))
        self.assertAlmostEqual(parts[0]["high"][0], 0.1, places=7)
        self.scree("reproduce", "run")

    def test_of_both_kinds_of_stl_are_the_same(self):
        for name, write in (("binary", binary_stl), ("ascii", ascii_stl)):
            self.write("drum.stl", write(tube(100, 60, 64)))
            self.scree("run", self.write_scene(SCENE), "--no-pictures", "--out", name)
        last = sorted(path.name for path in (self.directory / "ascii/frames").iterdir())[-1]
        self.assertEqual((self.directory / "ascii/frames" / last).read_bytes(),
                         (self.directory / "binary/frames" / last).read_bytes())

    def test_are_told_of_with_their_size_and_where_mm_are_taken_for_metres(self):
        stl = binary_stl(tube(100, 60, 64))
        said = self.said_of(stl)
        self.assertIn("'drum' measures 0.2 × 0.06 × 0.2 m, from (-0.1, -0.03, -0.1)", said)
        self.assertNotIn("add 'unit: mm'", said)
        said = self.said_of(stl, SCENE.replace("unit: mm", "unit: m"))
        self.assertIn("'drum' is 200 m long", said)
        self.assertIn("if the numbers of 'drum.stl' are in mm, add 'unit: mm'", said)

    def test_with_open_edges_are_told_of(self):
        said = self.said_of(binary_stl(tube(100, 60, 64)), SCENE.replace("sides: two", "scale: 1"))
        self.assertIn("not closed: it has 128 open edges, the first near", said)
        self.assertIn("repels on both sides", said)

    def test_are_repaired_and_it_is_said(self):
        triangles = tube(100, 60, 64)
        triangles[7] = triangles[7][::-1]
        triangles += [triangles[3], ((0, 0, 0), (1, 1, 1), (2, 2, 2))]
        said = self.said_of(binary_stl(triangles))
        self.assertIn("one triangle that faced against its neighbours was flipped, near", said)
        self.assertIn("one duplicate triangle was removed, near", said)
        self.assertIn("one triangle without area was removed, near (0, 0, 0) m", said)

    def test_inside_out_are_turned(self):
        inward = TETRAHEDRON.replace("f 1 3 2", "f 1 2 3").replace("f 1 2 4", "f 1 4 2")
        inward = inward.replace("f 1 4 3", "f 1 3 4").replace("f 2 3 4", "f 2 4 3")
        scene = SCENE.replace("sides: two", "position: [0, 0, -1]")
        said = self.said_of(inward.encode(), scene, name="solid.obj")
        self.assertIn("all its normals pointed inward", said)
        self.assertNotIn("pointed inward",
                         self.said_of(TETRAHEDRON.encode(), scene, name="solid.obj"))

    def test_that_hold_bodies_inside_a_solid_are_refused(self):
        solid = TETRAHEDRON.replace("v 0 0 0", "v -0.01 -1 -1").replace("v 1 0 0", "v 4 -1 -1")
        solid = solid.replace("v 0 1 0", "v -0.01 4 -1").replace("v 0 0 1", "v -0.01 -1 4")
        scene = SCENE.replace("unit: mm", "unit: m").replace("sides: two", "sides: one")
        scene = scene[:scene.index("bodies:")]
        scene += "bodies:\n  - sphere: {position: [-9.95 mm, 0, 0], radius: 5 mm}\n"
        self.assertIn("overlap", self.said_of(solid.encode(), scene, status=2, name="solid.obj"))

    def test_that_are_bad_are_refused_with_file_and_reason(self):
        good = binary_stl(tube(100, 60, 8))
        nan = bytearray(good)
        nan[96:100] = struct.pack("<f", math.nan)
        for data, reason in (
            (b"", "is empty"),
            (good[:500], "is truncated or not an STL file: its header announces 16 triangles"),
            (good[:40], "has 40 bytes: too short for an STL file"),
            (bytes(nan), "has a vertex that is not finite, number 1"),
            (ascii_stl(tube(1, 1, 4))[:-15], "ends without 'endsolid'"),
            (b"solid x\nendsolid x\n", "triangle"),
            (binary_stl([((0, 0, 0), (1, 0, 0), (2, 0, 0))]), "has no triangle with an area"),
        ):
            said = self.said_of(data, status=2)
            self.assertRegex(said, r"obstacles\[0\]\.mesh\.file: '.*drum\.stl'")
            self.assertIn(reason, said)
        self.assertIn("not an .stl, .obj or .dae file", self.said_of(good, status=2,
                                                                     name="drum.ply"))
        (self.directory / "drum.stl").unlink()
        said = self.scree("check", self.write_scene(SCENE), status=2).stderr
        self.assertIn("is not a readable file", said)
        said = self.said_of(good, SCENE.replace("unit: mm", "unit: kg"), status=2)
        self.assertIn("'kg' is not a unit of length", said)

    def test_hold_boxes(self):
        scene = SCENE.replace("radius: 5 mm",
                              "size: [8 mm, 5 mm, 6 mm]").replace("count: 60", "count: 20")
        self.write("drum.stl", binary_stl(tube(100, 60, 64)))
        self.scree("run", self.write_scene(scene), "--no-pictures", "--out", "run")
        self.scree("reproduce", "run")

    def test_that_cut_boxes_are_refused_with_the_overlap(self):
        scene = SCENE[:SCENE.index("bodies:")]
        scene += "bodies:\n  - box: {position: [98 mm, 0, 0], size: [6 mm, 6 mm, 6 mm]}\n"
        said = self.said_of(binary_stl(tube(100, 60, 64)), scene, status=2)
        self.assertIn("overlaps the obstacle 'drum' by 0.00", said)


if __name__ == "__main__":
    main()

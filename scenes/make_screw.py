"""Writes screw.stl, a blade that winds around the x axis, and trough.stl, a channel with a round
floor, in millimetres.
"""

import math
import struct
from pathlib import Path

CORE, RADIUS, PITCH, TURNS, THICKNESS, PER_TURN = 8, 40, 50, 5, 3, 32
TROUGH, WALL, AROUND = 42, 60, 24


def quads(points, closed):
    """Triangles between rows of points, each row one ring or one line."""
    triangles = []
    for first, second in zip(points, points[1:]):
        count = len(first)
        for k in range(count if closed else count - 1):
            a, b, c, d = first[k], first[(k + 1) % count], second[(k + 1) % count], second[k]
            triangles += [(a, b, c), (a, c, d)]
    return triangles


def screw():
    """A solid blade: a rectangle that is wound, with its two ends closed."""
    rings = []
    for k in range(TURNS * PER_TURN + 1):
        angle = 2 * math.pi * k / PER_TURN
        x = PITCH * k / PER_TURN - TURNS * PITCH / 2
        rings.append([(x + dx, r * math.cos(angle), r * math.sin(angle))
                      for dx, r in ((0, CORE), (0, RADIUS), (THICKNESS, RADIUS), (THICKNESS, CORE))
                      ])
    triangles = quads(rings, True)
    for ring, order in ((rings[0], (0, 3, 2, 1)), (rings[-1], (0, 1, 2, 3))):
        a, b, c, d = (ring[k] for k in order)
        triangles += [(a, b, c), (a, c, d)]
    return [(a, c, b) for a, b, c in triangles]


def trough():
    """A sheet: half a pipe with walls above it."""
    angles = [math.pi * (1 + k / AROUND) for k in range(AROUND + 1)]
    profile = [(-TROUGH, WALL)] + [(TROUGH * math.cos(a), TROUGH * math.sin(a)) for a in angles]
    profile += [(TROUGH, WALL)]
    end = TURNS * PITCH / 2 + 10
    return quads([[(x, y, z) for y, z in profile] for x in (-end, end)], False)


def write(name, triangles):
    data = name.encode().ljust(80) + struct.pack("<I", len(triangles))
    for corners in triangles:
        numbers = [x for point in corners for x in point]
        data += struct.pack("<12fH", 0, 0, 0, *numbers, 0)
    Path(__file__).with_name(name).write_bytes(data)


if __name__ == "__main__":
    write("screw.stl", screw())
    write("trough.stl", trough())

"""Writes screw.stl: the flight of a screw about the x axis, a solid, in millimetres."""

import math
import struct
from pathlib import Path

INNER, OUTER, PITCH, TURNS, THICKNESS, FACETS = 8, 39, 60, 5, 4, 32


def section(k):
    """Four corners of the flight k facets along it."""
    angle, x = 2 * math.pi * k / FACETS, PITCH * k / FACETS
    return [(x + side * THICKNESS / 2, r * math.cos(angle), r * math.sin(angle))
            for r, side in ((INNER, -1), (OUTER, -1), (OUTER, 1), (INNER, 1))]


def quadrilateral(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def main():
    triangles = quadrilateral(*section(0)) + quadrilateral(*reversed(section(TURNS * FACETS)))
    for k in range(TURNS * FACETS):
        here, there = section(k), section(k + 1)
        for i in range(4):
            j = (i + 1) % 4
            triangles += quadrilateral(here[i], there[i], there[j], here[j])
    data = b"screw".ljust(80) + struct.pack("<I", len(triangles))
    for corners in triangles:
        numbers = [x for point in corners for x in point]
        data += struct.pack("<12fH", 0, 0, 0, *numbers, 0)
    Path(__file__).with_name("screw.stl").write_bytes(data)


if __name__ == "__main__":
    main()

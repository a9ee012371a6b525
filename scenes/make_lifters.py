"""Writes lifters.stl: the liner of a drum about the y axis with lifters, a solid, in
millimetres."""

import math
import struct
from pathlib import Path

OUTER, INNER, CREST, LENGTH = 108, 100, 84, 70
LIFTERS, FACETS, WIDTH = 8, 96, 2  # a lifter is WIDTH facets wide at its crest


def section(k):
    """Four corners of the liner k facets around it."""
    angle = 2 * math.pi * k / FACETS
    inside = CREST if k % (FACETS // LIFTERS) <= WIDTH else INNER
    return [(r * math.cos(angle), side * LENGTH / 2, r * math.sin(angle))
            for r, side in ((inside, -1), (OUTER, -1), (OUTER, 1), (inside, 1))]


def main():
    triangles = []
    for k in range(FACETS):
        here, there = section(k), section((k + 1) % FACETS)
        for i in range(4):
            j = (i + 1) % 4
            a, b, c, d = here[i], here[j], there[j], there[i]
            triangles += [(a, b, c), (a, c, d)]
    data = b"lifters".ljust(80) + struct.pack("<I", len(triangles))
    for corners in triangles:
        numbers = [x for point in corners for x in point]
        data += struct.pack("<12fH", 0, 0, 0, *numbers, 0)
    Path(__file__).with_name("lifters.stl").write_bytes(data)


if __name__ == "__main__":
    main()

"""Writes drum.stl: the side of a drum about the y axis, in millimetres."""

import math
import struct
from pathlib import Path

RADIUS, LENGTH, FACETS = 100, 60, 64


def corner(side, k):
    angle = 2 * math.pi * k / FACETS
    return (RADIUS * math.cos(angle), (side - 0.5) * LENGTH, RADIUS * math.sin(angle))


def main():
    triangles = []
    for k in range(FACETS):
        a, b = corner(0, k), corner(0, k + 1)
        c, d = corner(1, k + 1), corner(1, k)
        triangles += [(a, b, c), (a, c, d)]
    data = b"drum".ljust(80) + struct.pack("<I", len(triangles))
    for corners in triangles:
        numbers = [x for point in corners for x in point]
        data += struct.pack("<12fH", 0, 0, 0, *numbers, 0)
    Path(__file__).with_name("drum.stl").write_bytes(data)


if __name__ == "__main__":
    main()

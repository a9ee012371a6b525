#!/usr/bin/env python3
"""Makes quadruped.yaml: the robot of quadruped.urdf with motors, a gait, and what it walks on.

    scree import scenes/quadruped.urdf --out robot.yaml
    python3 scenes/make_quadruped.py robot.yaml > scenes/quadruped.yaml
"""

import argparse
import math
import re

HEAD = """# yaml-language-server: $schema=../share/scree/scene.schema.json
# Made by scree import of quadruped.urdf, and by make_quadruped.py.
"""
PERIOD = 0.4  # of the gait [s]
BEGIN = 2.0  # of walking [s]
# By the part of the period that has passed: swing and knee, from where the robot stands [rad].
# Legs are on the ground in the first half, and go backwards; in the second they are lifted.
GAIT = [(0.0, -0.15, 0.0), (0.5, 0.15, 0.0), (0.65, 0.29, -0.4), (0.85, 0.11, -0.4),
        (1.0, -0.15, 0.0)]
# Legs across from each other go together.
PHASE = {"front_left": 0.0, "rear_right": 0.0, "front_right": 0.5, "rear_left": 0.5}
STIFFNESS, DAMPING, MOST = 400, 8, 40  # of a motor [N m/rad, N m s/rad, N m]


def by_table(column, phase):
    """The rows of a column as an expression of t, linear in between, from BEGIN on."""
    turns = f"((t - {BEGIN:g})/{PERIOD:g} + {phase:g})"
    s = f"({turns} - rint({turns} - 0.5))"
    text = f"{GAIT[0][column]:g}"
    for (start, *values), (end, *after) in zip(GAIT, GAIT[1:]):
        change = after[column - 1] - values[column - 1]
        if change:
            text += f" + {change:g}*max(0, min(1, ({s} - {start:g})/{end - start:g}))"
    return f"max(0, min(1, t - {BEGIN:g}))*({text})"


def with_motors(scene):
    """Each joint of a leg gets a motor."""

    def motor(name):
        leg, joint = name.rsplit("_", 1)
        column = {"abduction": 0, "swing": 1, "knee": 2}[joint]
        target = by_table(column, PHASE[leg]) if column else "0"
        return (f'        motor: {{position: "{target}", max: {MOST} N m, stiffness: '
                f"{STIFFNESS} N m/rad, damping: {DAMPING} N m s/rad}}\n")

    name, lines = None, []
    for line in scene.splitlines(keepends=True):
        found = re.match(r'      name: "(\w+_(?:abduction|swing|knee))"', line)
        name = found.group(1) if found else name
        lines.append(line)
        if line == "      angle:\n":
            lines.append(motor(name))
    return "".join(lines)


def rubble(stones):
    """Convex stones of 4 to 7 cm, poured a little apart."""
    corners = [(math.cos(a), math.sin(a), z) for a in (0.2, 1.3, 2.7, 3.9, 5.2)
               for z in (-0.6, 0.5)] + [(0.1, 0, 0.9)]
    points = ", ".join(f"[{0.03 * x:.4f}, {0.025 * y:.4f}, {0.02 * z:.4f}]" for x, y, z in corners)
    return (f"  - random:\n      region: {{min: [-0.5, -0.5, 0], max: [1.5, 0.5, 0.12]}}\n"
            f"      count: {stones}\n      shape: {{polyhedron: {{points: [{points}]}}}}\n"
            "      scale: {uniform: [0.7, 1.2]}\n      seed: 7\n      material: stone\n")


def scene_of(imported, height, until, stones):
    """The robot of an imported scene, its feet `height` above the floor [m]."""
    # Comments tell of motors that the import lacks.
    text = HEAD + with_motors(re.sub(r"^#.*\n", "", imported, flags=re.M))
    lift = 0.355 + height

    def raised(match):
        x, y, z = (float(v) for v in match.group(2).split(","))
        return f"{match.group(1)}[{x!r}, {y!r}, {z + lift!r}]"

    # Places in the world stand six deep; those of parts of a clump are deeper.
    text = re.sub(r"^((?:      position|      at): )\[([^\]]+)\]", raised, text, flags=re.M)
    text = text.replace("name: \"quadruped\"",
                        "name: quadruped\ndescription: A robot on four legs stands, then walks.")
    text = text.replace("until: 1 s", f"until: {until:g} s")
    text = text.replace("  robot: {density: 1000}\n",
                        "  robot: {density: 1000}\n  stone: {density: 2600}\n")
    text = text.replace("friction: 0.5}", "friction: 0.8}", 1)
    # Without a material of its own a body would be of either.
    text = re.sub(r"^(      name: .*\n)(?=      position)", r"\1      material: robot\n", text,
                  flags=re.M)
    walls = (
        "obstacles:\n"
        "  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1], material: stone}\n")
    if stones:
        text = text.replace("joints:\n", rubble(stones) + "joints:\n", 1)
        for name, point, normal in (("left", [0, 0.5, 0], [0, -1, 0]), ("right", [0, -0.5,
                                                                                  0], [0, 1, 0]),
                                    ("back", [-0.5, 0, 0], [1, 0, 0]), ("front", [1.5, 0,
                                                                                  0], [-1, 0, 0])):
            walls += (f"  - half_space: {{name: {name}, point: {point}, normal: {normal}, "
                      "material: stone}\n")
    output = ("output:\n  frame_interval: 20 ms\n  statistics_interval: 10 ms\n"
              "  pictures:\n    - grains: {plane: xz}\n")
    return text.replace("joints:\n", walls + "joints:\n", 1) + output


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("imported", help="what scree import makes of quadruped.urdf")
    parser.add_argument("--height", type=float, default=0.001,
                        help="of the feet [m]; 0.16 above stones")
    parser.add_argument("--until", type=float, default=6, help="[s]")
    parser.add_argument("--stones", type=int, default=0, help="of a rubble, 500 say")
    given = parser.parse_args()
    with open(given.imported, encoding="utf-8") as file:
        print(scene_of(file.read(), given.height, given.until, given.stones), end="")


if __name__ == "__main__":
    main()

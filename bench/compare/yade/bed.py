"""Steps a bed of spheres in a box by Yade: yade -n -x -j1 bed.py JSON.

JSON has `radius`, `density`, `width`, `gravity`, `h`, `k_n`, `k_t`, `friction`, `damping`,
`damping_at_walls`, `local_damping`, `sections`, `steps`, and the files `positions` (x y z on each
line) and `out`, SI units. With `damping` the law is ViscElPhys_Basic, without it
FrictPhys_CundallStrack. The script writes the CPU seconds of each section and then the positions at
the end.
"""

import json
import math
import sys
import time

from yade import O, Vector3
from yade.utils import sphere, wall
from yade.wrapper import (Bo1_Sphere_Aabb, Bo1_Wall_Aabb, ForceResetter, FrictMat,
                          Ig2_Sphere_Sphere_ScGeom, Ig2_Wall_Sphere_ScGeom, InsertionSortCollider,
                          InteractionLoop, Ip2_FrictMat_FrictMat_FrictPhys,
                          Ip2_ViscElMat_ViscElMat_ViscElPhys, Law2_ScGeom_FrictPhys_CundallStrack,
                          Law2_ScGeom_ViscElPhys_Basic, NewtonIntegrator, ViscElMat)

# Margin of boxes beyond spheres, over the radius: 5 % is the fastest of 2, 5, 10, 20 and 50 %.
REACH = 0.1


def materials(bed):
    """Materials of the spheres and of the walls."""
    angle = math.atan(bed["friction"])
    if bed["damping"]:
        # Yade puts springs and dashpots a and b of two bodies in series: ab / (a + b).
        own = 2 * bed["damping"]
        of_wall = own * bed["damping_at_walls"] / (own - bed["damping_at_walls"])
        return [
            ViscElMat(density=bed["density"], frictionAngle=angle, kn=2 * bed["k_n"],
                      ks=2 * bed["k_t"], cn=cn, cs=0) for cn in (own, of_wall)
        ]
    # Two spheres have k_n = E R; a wall counts as a sphere of the same radius.
    stiff = FrictMat(density=bed["density"], frictionAngle=angle, young=bed["k_n"] / bed["radius"],
                     poisson=bed["k_t"] / bed["k_n"])
    return [stiff, stiff]


def engines(bed):
    """Engines of a step, in their order."""
    if bed["damping"]:
        mixed, law = Ip2_ViscElMat_ViscElMat_ViscElPhys(), Law2_ScGeom_ViscElPhys_Basic()
    else:
        mixed, law = Ip2_FrictMat_FrictMat_FrictPhys(), Law2_ScGeom_FrictPhys_CundallStrack()
    return [
        ForceResetter(),
        InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()],
                              verletDist=REACH * bed["radius"]),
        InteractionLoop(
            [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [mixed], [law]),
        NewtonIntegrator(damping=bed["local_damping"], gravity=Vector3(0, 0, -bed["gravity"]))
    ]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        bed = json.load(file)
    of_spheres, of_walls = materials(bed)
    with open(bed["positions"], encoding="utf-8") as file:
        for line in file:
            place = Vector3(*map(float, line.split()))
            O.bodies.append(sphere(place, bed["radius"], material=of_spheres))
    count = len(O.bodies)
    for axis, place, sense in ((2, 0, 1), (0, 0, 1), (0, bed["width"], -1), (1, 0, 1),
                               (1, bed["width"], -1)):
        O.bodies.append(wall(place, axis, sense=sense, material=of_walls))
    O.engines = engines(bed)
    O.dt = bed["h"]
    with open(bed["out"], "w", encoding="utf-8") as file:
        for _ in range(bed["sections"]):
            start = time.process_time()
            O.run(bed["steps"], wait=True)
            print(time.process_time() - start, file=file)
        for body in range(count):
            print(*(f"{x:.17g}" for x in O.bodies[body].state.pos), file=file)


main()

#!/usr/bin/python3
"""Compares scree and LAMMPS in the discharge of 5000 grains through a slot: CPU time of a simulated
second, rate of grains, and deepest overlap.

scree pours the grains (bench/data/slot_silo.yaml). Both programs begin with that bed, open the slot
at t = 0 and use one thread. LAMMPS has springs of 1e4 N/m, and its step is a twentieth of the
contact time. CPU times are those of whole programs.
"""

import argparse
import csv
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

SCENE = Path(__file__).resolve().parents[2] / "data" / "slot_silo.yaml"
K_N, DENSITY, MEAN_RADIUS, FRICTION, BELOW = 1e4, 2500, 2.5e-3, 0.5, -0.02
MEASURED_FROM = 0.2  # until the end [s]


def cpu_seconds(words):
    """CPU time of a program, which must end with a good status [s]."""
    before = os.times()
    status = subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode
    if status not in (0, 3):  # 3: steps of few sweeps that missed a tolerance
        sys.exit(f"silo.py: {words[0]} ended with status {status}")
    after = os.times()
    return (after.children_user - before.children_user + after.children_system -
            before.children_system)


def grains_of(run):
    """Positions and radii in the last frame of a run [m]."""
    frame = sorted((run / "frames").glob("grains_*.hdf"))[-1]
    with h5py.File(frame) as file:
        data = file["VTKHDF/CellData"]
        return np.array(data["position"]), np.array(data["radius"])


def deepest(points, radii):
    """Deepest overlap of two grains [m]."""
    max_overlap = 0.0
    order = np.argsort(points[:, 2])
    x, r = points[order], radii[order]
    for k in range(len(x) - 1):
        end = np.searchsorted(x[:, 2], x[k, 2] + 2 * r.max())
        way = np.linalg.norm(x[k + 1:end] - x[k], axis=1)
        max_overlap = max(max_overlap, np.max(r[k] + r[k + 1:end] - way, initial=0))
    return max_overlap


def left_between(times, left, begin, end):
    """Grains per second, from a table of the number that has left by each time."""
    return (np.interp(end, times, left) - np.interp(begin, times, left)) / (end - begin)


def scree(program, settings, bed, until, out):
    """CPU time [s], rate [1/s] and deepest overlap [m] of the flow."""
    stages = f'[{{"name": "open", "until": "{until} s", "remove": ["gate"]}}]'
    bodies = f'[{{"csv": {{"file": "{bed}", "material": "grain"}}}}]'
    words = [program, "run", SCENE, "--out", out, "--force", "--threads", "1", "--quiet",
             "--until", f"{until} s", "--set", f"stages={stages}", "--set", f"bodies={bodies}",
             "--set", "allow_overlap=1 mm"]  # yapf: disable
    for setting in settings:
        words += ["--set", setting]
    cpu = cpu_seconds(words)
    with open(out / "statistics.csv", encoding="utf-8") as file:
        rows = [(float(r["time"]), int(r["bodies_removed"])) for r in csv.DictReader(file)]
    times, removed = np.array(rows).T
    rate = left_between(times, np.cumsum(removed), MEASURED_FROM, until)
    return cpu, rate, deepest(*grains_of(out))


def lammps_input(points, radii, until, out):
    """Writes data.txt and in.txt; the dashpot leaves e = 0.5 of the speed of an impact."""
    mass = DENSITY * 4 / 3 * math.pi * MEAN_RADIUS**3
    contact_time = math.pi * math.sqrt(mass / 2 / K_N)
    # e = exp(-gamma t_c / 2), gamma times the effective mass is the dashpot
    gamma = 2 * math.log(2) / contact_time
    dt = contact_time / 20
    rows = "\n".join(f"{k + 1} 1 {2 * r} {DENSITY} {x} {y} {z}"
                     for k, (r, (x, y, z)) in enumerate(zip(radii, points)))
    (out / "data.txt").write_text(
        f"silo\n\n{len(radii)} atoms\n1 atom types\n-0.001 0.101 xlo xhi\n-0.001 0.061 ylo yhi\n"
        f"{BELOW} 0.4 zlo zhi\n\nAtoms\n\n{rows}\n", encoding="utf-8")
    rough = f"hooke/history {K_N} {2 / 7 * K_N} {gamma} 0 {FRICTION} 0"
    smooth = f"hooke/history {K_N} 0 {gamma} 0 0 0"
    steps = round(until / dt)
    (out / "in.txt").write_text(
        f"""units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data {out / 'data.txt'}
neighbor 0.001 bin
neigh_modify delay 0
pair_style gran/{rough}
pair_coeff * *
region left block -1 0.0375 -1 1 -0.01 0 side out
region right block 0.0625 1 -1 1 -0.01 0 side out
fix motion all nve/sphere
fix weight all gravity 9.81 vector 0 0 -1
fix x all wall/gran {rough} xplane 0 0.1
fix y all wall/gran {smooth} yplane 0 0.06
fix left all wall/gran/region {rough} region left
fix right all wall/gran/region {rough} region right
timestep {dt}
thermo_style custom step time atoms
thermo {max(1, round(0.01 / dt))}
thermo_modify lost ignore flush yes
run {steps}
write_dump all custom {out / 'end.txt'} x y z radius modify format float %.15g
""", encoding="utf-8")


def lammps(bed, until, out):
    """The same by LAMMPS."""
    lammps_input(*bed, until, out)
    cpu = cpu_seconds(["lmp", "-in", out / "in.txt", "-log", out / "log.txt", "-screen", "none"])
    table, inside = [], False
    for line in (out / "log.txt").read_text(encoding="utf-8").splitlines():
        if line.split()[:1] == ["Step"]:
            inside = True
        elif line.startswith("Loop"):
            inside = False
        elif inside and len(line.split()) == 3:
            table.append([float(word) for word in line.split()])
    _, times, atoms = np.array(table).T
    rate = left_between(times, atoms[0] - atoms, MEASURED_FROM, until)
    end = np.loadtxt(out / "end.txt", skiprows=9)
    return cpu, rate, deepest(end[:, :3], end[:, 3])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scree", default="build/release/apps/scree/scree", help="the program")
    parser.add_argument("--until", type=float, default=0.6, help="how long it flows [s]")
    parser.add_argument("--fill", help="of another length than the scene has, such as '0.5 s'")
    chosen = parser.parse_args()
    few, eight = (f"solver={{tolerance: 1e-9, max_sweeps: {n}}}" for n in (3, 8))
    longer, at_once = "step.h=1 ms", "step.error_reduction=0.8"
    kinds = {
        "20 sweeps": ["solver={tolerance: 1e-9, max_sweeps: 20}"
                      ], "draft": ["solver={accuracy: draft}"],
        "draft, h = 1 ms": ["solver={accuracy: draft}", longer],
        "draft, h = 1 ms, error_reduction 0.8": ["solver={accuracy: draft}", longer, at_once],
        "8 sweeps, h = 1 ms, error_reduction 0.8": [eight, longer, at_once],
        "3 sweeps, h = 1 ms": [few, longer], "engineering": ["solver={accuracy: engineering}"]
    }
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        fill = ["--until", chosen.fill] if chosen.fill else []
        cpu_seconds([chosen.scree, "run", SCENE, "--out", out / "fill", "--quiet", *fill])
        points, radii = grains_of(out / "fill")
        bed = out / "bed.csv"
        np.savetxt(bed, np.column_stack([points, radii]), delimiter=",", header="x,y,z,r",
                   comments="", fmt="%.17g")
        results = {"LAMMPS": lammps((points, radii), chosen.until, out)}
        for kind, settings in kinds.items():
            results[f"scree, {kind}"] = scree(chosen.scree, settings, bed, chosen.until,
                                              out / "flow")
    print("| | CPU seconds a simulated second | of LAMMPS' | grains/s | deepest overlap [d] |")
    print("|---|---|---|---|---|")
    of_lammps = results["LAMMPS"][0]
    for who, (cpu, rate, depth) in results.items():
        print(
            f"| {who} | {cpu / chosen.until:.1f} | {cpu / of_lammps:.3f} | {rate:.0f} | "
            f"{depth / 2 / MEAN_RADIUS:.4f} |", flush=True)


if __name__ == "__main__":
    main()

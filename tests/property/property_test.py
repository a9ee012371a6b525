"""Random scenes through the program: what every run must hold, by arithmetic of the test's own.

    export SCREE_PROGRAM=build/dev/apps/scree/scree
    python3 tests/property/property_test.py --seed 1 --count 100
    python3 tests/property/property_test.py --seed 1 --only 17 --keep runs      one scene, and its
    files
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np

import checks
import contact_checks
import likeness
import motion_checks
import paths
from contacts import Contacts
from generator import random_scene
from motion import Motion
from runs import BadOutput, read_run, run_program

CHECKS = [
    checks.outcome, checks.start, checks.obstacles, checks.statistics, checks.verdict,
    motion_checks.positions, motion_checks.impulses, motion_checks.momentum, motion_checks.energy,
    motion_checks.single_impacts, motion_checks.ledger, contact_checks.contact_frames,
    paths.passing, paths.ghosts
]
# Fractions of all scenes, and of scenes with a single pair [-].
SHARE_SCALED, SHARE_SHIFTED = 0.15, 0.4


def failures_of(scene, run):
    """All checks of a run, as (name of the check, sentence)."""
    found = [("finite_numbers", sentence) for sentence in checks.finite_numbers(run)]
    if found:
        return found
    motion = Motion(scene, run)
    contacts = Contacts(motion)
    return [(check.__name__, sentence) for check in CHECKS
            for sentence in check(scene, run, motion, contacts)]


def failures_of_scene(scene, directory, random):
    """Runs a scene and checks it; some also larger by powers of two, or elsewhere."""
    program = os.environ["SCREE_PROGRAM"]
    result = run_program(program, scene.text(), directory)
    if result.returncode not in (0, 3):
        return [("status", f"the program ends with {result.returncode}: {result.stderr.strip()}")]
    try:
        run = read_run(directory / "run", result)
        found = failures_of(scene, run)
        if random.uniform() < SHARE_SCALED:
            found += [("scaled", s) for s in likeness.scaled(program, scene, directory, random)]
        if len(scene.balls) + len(scene.obstacles) == 2 and random.uniform() < SHARE_SHIFTED:
            found += [("shifted", s)
                      for s in likeness.shifted(program, scene, directory, random, run)]
        return found
    except BadOutput as error:
        return [("output", str(error))]


def run_scene(task):
    seed, index, keep = task
    try:
        scene = random_scene(seed, index)
        random = np.random.default_rng([seed, index, 1])
        if keep:
            return index, scene.text(), failures_of_scene(scene, Path(keep) / scene.name, random)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="scree-", dir=memory) as directory:
            return index, scene.text(), failures_of_scene(scene, Path(directory), random)
    except Exception:  # a fault of the test itself, reported with its scene
        return index, "", [("test", traceback.format_exc())]


def report(options, index, text, found):
    """Writes the scene that fails, and prints its violations and the command to run it alone."""
    file = Path(options.failures) / f"seed{options.seed}_scene{index}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(f"scene {index}, {file}")
    for check, sentence in found:
        print(f"  {check}: {sentence}")
    print(
        f"  again: SCREE_PROGRAM={os.environ['SCREE_PROGRAM']} {sys.executable} {sys.argv[0]} "
        f"--seed {options.seed} --only {index}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the number of the first scene")
    parser.add_argument("--only", type=int, help="the number of the only scene")
    parser.add_argument("--keep", help="a directory for the files of the runs")
    parser.add_argument("--failures", default="property_failures", help="for scenes that fail")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    if options.only is not None:
        numbers = [options.only]
    tasks = [(options.seed, index, options.keep) for index in numbers]
    failed = 0
    with multiprocessing.Pool(min(len(tasks), os.cpu_count() or 1)) as pool:
        for index, text, found in pool.imap_unordered(run_scene, tasks, chunksize=4):
            if found:
                failed += 1
                report(options, index, text, found)
    print(f"seed {options.seed}: {len(tasks) - failed} of {len(tasks)} scenes pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""What the scripts of studies share: their command line, runs of scree, and results as JSON and as a table."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

# Beside the program the studies lie in share/scree; in the source, share/scree lies beside them.
HOME = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(next(p for p in (HOME, HOME / "share" / "scree") if (p / "pictures.py").exists())))
SCENES = HOME / "scenes"

import pictures  # noqa: E402  (the path has to be there first; also sets the style of all figures)


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scree", default="scree", help="the program")
    parser.add_argument("--out", type=Path, required=True, help="directory to write")
    parser.add_argument("--threads", type=int, default=0, help="number of threads (default: all cores)")
    parser.add_argument("--quick", action="store_true", help="a small version")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    return chosen


def run(main):
    """Runs a study; a file, or standard output, that cannot be written is told in one line, with status 4 as scree has it."""
    try:
        main()
        sys.stdout.flush()
    except OSError as error:
        # What is left to print cannot be; Python would complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        place = error.filename or "standard output"
        print(f"scree: error: cannot read or write {place}: {error.strerror or error}", file=sys.stderr)
        sys.exit(4)


def call(words, quiet=False):
    """Runs a command; its bad end is ours, but for status 3: a tolerance that was missed is a result."""
    try:
        status = subprocess.run([str(w) for w in words], stdout=subprocess.DEVNULL if quiet else None).returncode
    except KeyboardInterrupt:
        status = 130
    if status not in (0, 3):
        sys.exit(130 if status < 0 else status)


def simulate(study, name, scene, settings=()):
    """Runs a scene in OUT/name, or goes on with what is there; the run directory, as pictures.Run."""
    directory = study.out / name
    words = [study.scree, "run", SCENES / scene, "--out", directory, "--resume", "--no-pictures"]
    if study.threads:
        words += ["--threads", study.threads]
    for setting in settings:
        words += ["--set", setting]
    call(words)
    return pictures.Run(directory)


def write_results(study, results):
    (study.out / "results.json").write_text(json.dumps(results, indent=2) + "\n")


def markdown(rows):
    """A table from rows of cells, the first being its head."""
    lines = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"

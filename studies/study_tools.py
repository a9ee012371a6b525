"""Shared by the scripts of studies: command line, runs of scree, and results as JSON and table."""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

# Exit statuses of scree.
DONE, TOLERANCE_MISSED, INPUT_OUTPUT_FAILURE, INTERRUPTED = 0, 3, 4, 130
children = set()  # processes that are running
stopped = False


def stop(number, _frame):
    """Passes the first signal on to the running processes, which write checkpoints, and ends the
    study after them.
    """
    global stopped
    stopped = True
    for child in list(children):
        child.send_signal(number)
    print("scree: the study was stopped", file=sys.stderr)
    sys.exit(INTERRUPTED)


# Before the imports below, which take a while.
for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(each) is not signal.SIG_IGN:
        signal.signal(each, stop)

# Installed studies are in share/scree; in the source, share/scree is next to them.
HOME = Path(__file__).resolve().parent.parent
sys.path.insert(
    0, str(next(p for p in (HOME, HOME / "share" / "scree") if (p / "pictures.py").exists())))
SCENES = HOME / "scenes"

import pictures  # noqa: E402  (needs the path above; sets the style of all figures)


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scree", default="scree", help="the program")
    parser.add_argument("--out", type=Path, required=True, help="directory to write")
    parser.add_argument("--threads", type=int, default=0,
                        help="number of threads (default: all cores)")
    parser.add_argument("--quick", action="store_true", help="a small version")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    return chosen


def run(main):
    """Runs a study. If a file or standard output cannot be written, prints one line and exits with
    status 4, as scree does.
    """
    try:
        main()
        sys.stdout.flush()
    except OSError as error:
        # Discards the rest of the output; else Python would report it again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        target = error.filename or "standard output"
        print(f"scree: error: cannot read or write {target}: {error.strerror or error}",
              file=sys.stderr)
        sys.exit(INPUT_OUTPUT_FAILURE)


def call(words, quiet=False, captured=False):
    """Runs a command. If it fails, the study exits with its status; status 3 is no failure, as a
    missed tolerance is a result. `quiet` hides its standard output, `captured` all its output
    unless it fails.
    """
    if stopped:
        sys.exit(INTERRUPTED)
    streams = {"stdout": subprocess.DEVNULL} if quiet else {}
    if captured:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    # A new session, or signals of the terminal would reach the command twice.
    with subprocess.Popen([str(w) for w in words], start_new_session=True, text=True,
                          **streams) as child:
        children.add(child)
        output, _ = child.communicate()
        children.discard(child)
    if child.returncode not in (DONE, TOLERANCE_MISSED):
        if output and not stopped:
            print(f"{' '.join(map(str, words))}\n{output}", end="", file=sys.stderr)
        sys.exit(INTERRUPTED if child.returncode < 0 or stopped else child.returncode)


def simulate(study, name, scene, settings=()):
    """Runs a scene in OUT/name, or resumes the run there. Returns it as a pictures.Run."""
    directory = study.out / name
    words = [study.scree, "run", SCENES / scene, "--out", directory, "--no-pictures"]
    if (directory / "manifest.json").exists():
        words.append("--resume")
    if study.threads:
        words += ["--threads", study.threads]
    for setting in settings:
        words += ["--set", setting]
    call(words)
    return pictures.Run(directory)


def write_results(study, results):
    (study.out / "results.json").write_text(json.dumps(results, indent=2) + "\n")


def markdown(rows):
    """Table from rows of cells; the first row is the head."""
    lines = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"

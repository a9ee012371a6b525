"""What the scripts of studies share: their command line, runs of scree, and results as JSON and as
a table.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

# exit statuses, as scree has them
DONE, TOLERANCE_MISSED, INPUT_OUTPUT_FAILURE, INTERRUPTED = 0, 3, 4, 130
children = set()  # that run just now
stopped = False


def stop(number, _frame):
    """Passes a signal on, once, to what the study runs: a run writes a checkpoint then. The study
    ends when they have ended.
    """
    global stopped
    stopped = True
    for child in list(children):
        child.send_signal(number)
    print("scree: the study was stopped", file=sys.stderr)
    sys.exit(INTERRUPTED)


for each in (signal.SIGINT, signal.SIGTERM,
             signal.SIGHUP):  # now: what is imported below takes a while
    if signal.getsignal(each) is not signal.SIG_IGN:
        signal.signal(each, stop)

# Beside the program the studies lie in share/scree; in the source, share/scree lies beside them.
HOME = Path(__file__).resolve().parent.parent
sys.path.insert(
    0, str(next(p for p in (HOME, HOME / "share" / "scree") if (p / "pictures.py").exists())))
SCENES = HOME / "scenes"

import pictures  # noqa: E402  (the path has to be there first; also sets the style of all figures)


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
    """Runs a study; a file, or standard output, that cannot be written is told in one line, with
    status 4 as scree has it.
    """
    try:
        main()
        sys.stdout.flush()
    except OSError as error:
        # What is left to print cannot be; Python would complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        place = error.filename or "standard output"
        print(f"scree: error: cannot read or write {place}: {error.strerror or error}",
              file=sys.stderr)
        sys.exit(INPUT_OUTPUT_FAILURE)


def call(words, quiet=False, captured=False):
    """Runs a command; its bad end is ours, but for status 3: a tolerance that was missed is a
    result. `quiet`: without what it has to say on standard output; `captured`: without anything,
    unless it ends badly.
    """
    if stopped:
        sys.exit(INTERRUPTED)
    streams = {"stdout": subprocess.DEVNULL} if quiet else {}
    if captured:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    # In a session of its own, or it would get what is typed at the terminal twice.
    with subprocess.Popen([str(w) for w in words], start_new_session=True, text=True,
                          **streams) as child:
        children.add(child)
        said, _ = child.communicate()
        children.discard(child)
    if child.returncode not in (DONE, TOLERANCE_MISSED):
        if said and not stopped:
            print(f"{' '.join(map(str, words))}\n{said}", end="", file=sys.stderr)
        sys.exit(INTERRUPTED if child.returncode < 0 or stopped else child.returncode)


def simulate(study, name, scene, settings=()):
    """Runs a scene in OUT/name, or goes on with what is there; the run directory, as
    pictures.Run.
    """
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

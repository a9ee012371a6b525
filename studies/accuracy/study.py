#!/usr/bin/python3
"""Accuracy of answers over the residual of the steps: six answers, by several time
steps and tolerances, three to five fillings each.
"""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import grains
import runs
import study_tools
from problems import PROBLEMS

import accuracy_pictures as pictures  # noqa: E402  (study_tools sets its path)

STEPS = [0.01, 0.02, 0.04, 0.08]  # √(d/g)
COMPARED = 0.02  # step with more accuracies and more fillings
ASKED = {  # solver settings by name; a number is a tolerance that may stop sweeps at any time
    "0.01": {"tolerance": 0.01, "max_sweeps": 1000},
    "engineering": {"accuracy": "engineering"},
    "draft": {"accuracy": "draft"},
}
FINE = {"0.001": {"tolerance": 0.001, "max_sweeps": 1000}}  # reference
COARSE = {"3 sweeps": {"tolerance": 1, "max_sweeps": 3}}


def cases(quick):
    """(h, accuracy) of all runs; the reference is first."""
    if quick:
        return [(h, asked) for h in STEPS[1:3] for asked in ("engineering", "draft")]
    return [(COMPARED, asked)
            for asked in (*FINE, *ASKED, *COARSE)] + [(h, asked) for h in STEPS if h != COMPARED
                                                      for asked in ASKED]


def fillings(case, quick):
    """Seeds of the fillings."""
    if quick:
        return [1]
    return range(1, 6 if case[0] == COMPARED else 4)


def run_name(problem, case, seed):
    return f"{problem.name}_h{case[0]}_{case[1].replace(' ', '_')}_seed{seed}"


def scene_of(problem, case, seed):
    """The scene with statistics of each step, for its residual."""
    h, asked = case
    scene = problem.scene(seed)
    scene["step"] = {"h": h}
    scene["solver"] = {**FINE, **ASKED, **COARSE}[asked]
    scene["output"]["statistics_interval"] = h
    return scene


def row_of(problem, case, seed, run):
    """Results of a run: answers, residuals of its steps and cost."""
    table = run.statistics()
    verdict = json.loads((run.path / "verdict.json").read_text())
    loaded = table["contacts_loaded"] > 0
    seconds = sum(table[name].sum() for name in table.dtype.names if name.startswith("seconds_"))
    common = {
        "problem": problem.name, "h": case[0], "asked": case[1], "seed": seed, "residual": float(
            np.mean(table["residual"][loaded])), "worst_residual": verdict["residual"]["value"],
        "verdict": verdict["verdict"], "steps": verdict["steps"],
        "steps_missed": verdict["steps"] - verdict["steps_within_tolerance"],
        "sweeps": float(np.mean(table["sweeps_mean"][loaded])),
        "overlap": float(table["max_penetration"].max()),
        "seconds": float(seconds / table["time"][-1])
    }
    return [{"answer": answer, "unit": unit, "value": float(value), **common}
            for (answer, unit), value in zip(problem.answers.items(), problem.measure(run, case[0]))
            ]


def main():
    study = study_tools.arguments(__doc__)
    wanted = [(problem, case, seed) for case in cases(study.quick) for problem in PROBLEMS
              for seed in fillings(case, study.quick)]
    done = grains.run_all(study, {run_name(*each): scene_of(*each) for each in wanted})
    rows = [row for each in wanted for row in row_of(*each, done[run_name(*each)])]
    runs.write_csv(study.out / "answers.csv", rows[0].keys(), [row.values() for row in rows])
    table = pictures.Answers(study.out / "answers.csv")
    pictures.draw(table, study.out / "accuracy.png")
    found = [row for answer in table.names() for row in table.summary(answer)]
    runs.write_csv(study.out / "summary.csv", found[0].keys(), [row.values() for row in found])
    study_tools.write_results(study, found)
    text = study_tools.markdown(pictures.table_of(table))
    (study.out / "table.md").write_text(text)
    print(text)


if __name__ == "__main__":
    study_tools.run(main)

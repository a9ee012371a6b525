#!/usr/bin/python3
"""Compares mechanisms by joints and by contact with closed forms and published figures: single
bodies that stand, slide, roll and rock, tops that turn over, linkages, dominoes, a slider-crank
with play and a Geneva wheel.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import dominoes  # noqa: E402
import geneva  # noqa: E402
import linkages  # noqa: E402
import single_bodies as single  # noqa: E402
import tops  # noqa: E402


def statics(study, verdicts):
    shares = [0.995, 1.005]
    frictions = [0.1, 0.3]
    if not study.quick:
        shares = [0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 1.001, 1.002, 1.005, 1.01, 1.02, 1.05]
        frictions = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6]
    found = single.thresholds(study, shares)
    single.judge_thresholds(verdicts, found, shares)
    measured = single.incline(study, frictions)
    single.judge_incline(verdicts, frictions, measured)
    single.draw_statics(study, found, shares, frictions, measured)
    runs.write_csv(study.out / "thresholds.csv", ["what", "share", "moved"],
                   [[*case, way] for case, way in found.items()])
    runs.write_csv(study.out / "incline.csv", ["friction", *single.BODIES],
                   [[mu, *row] for mu, row in zip(frictions, measured.tolist())])


def rocking(study, verdicts):
    found = single.rocking(study)
    single.judge_rocking(verdicts, found)
    single.draw_rocking(study, found)
    runs.write_csv(study.out / "rocking.csv", ["law", "h", "impact", "ratio"],
                   [[*case, k + 1, ratio] for case, run in found.items()
                    for k, ratio in enumerate(single.ratios_of_impacts(*run))])


def turning(study, verdicts):
    of_nut = None if study.quick else tops.nut(study)
    if of_nut:
        tops.judge_nut(verdicts, *of_nut)
    of_top = tops.tops(study)
    tops.judge_tops(verdicts, of_top)
    tops.draw(study, of_nut, of_top)
    runs.write_csv(study.out / "tippe_top.csv", ["h", "time", "angle"],
                   [[h, t, a] for h, (time, angle) in of_top.items()
                    for t, a in zip(time.tolist(), angle.tolist())])


def rolling(study, verdicts):
    if study.quick:
        return
    of_top, of_coin = tops.rolling_tops(study), tops.coins(study)
    tops.judge_rolling(verdicts, of_top)
    tops.judge_coins(verdicts, of_coin)
    tops.draw_rolling(study, of_top, of_coin)
    runs.write_csv(study.out / "coin.csv", ["h", "time", "energy"],
                   [[h, t, e] for h, (_, _, time, energy) in of_coin.items()
                    for t, e in zip(time, energy / energy[0])])


def joints(study, verdicts):
    of_pendulum, found = linkages.pendulum(study), linkages.linkages(study)
    linkages.judge(verdicts, of_pendulum, found)
    linkages.draw(study, of_pendulum, found)
    play = linkages.sliders(study)
    linkages.judge_sliders(verdicts, play)
    linkages.draw_sliders(study, play)


def machines(study, verdicts):
    time, angle = geneva.turn_wheel(study)
    geneva.judge(verdicts, time, angle)
    geneva.draw(study, time, angle)
    runs.write_csv(study.out / "geneva.csv", ["time", "angle", "ideal"],
                   zip(time, angle,
                       geneva.ideal(time)[0]))
    if not study.quick:
        speeds = dominoes.waves(study)
        dominoes.judge(verdicts, speeds)
        dominoes.draw(study, speeds)
        runs.write_csv(study.out / "dominoes.csv", ["gap", "scale", "friction", "speed"],
                       [[*case, speed] for case, speed in speeds.items()])


def main():
    study = tools.arguments(__doc__)
    verdicts = runs.Verdicts()
    for part in (statics, rocking, turning, rolling, joints, machines):
        part(study, verdicts)
    verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

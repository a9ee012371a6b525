#!/usr/bin/python3
"""Does a law of contact impulses tend to Coulomb's law as the step tends to 0?

Bodies slide down an incline by each law, at steps from 10 ms to 10 µs. Their motion is compared
with an integration of the limit (slide.py), whose friction deviates from the slip under
max_dissipation alone. Then an ellipsoid strikes a floor at different instants of a step.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402
import slide  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
SLOPE, MU, G = np.radians(25), 0.4, 9.81
SPEED, TIME = 0.5, 0.2
STEPS = (1e-2, 1e-3, 1e-4, 1e-5)
LAWS = ("coulomb", "impact_dissipation", "cone_complementarity", "max_dissipation")
HEIGHTS = (0.01, 0.05, 0.1, 0.15, 0.2)  # of square boxes with edges of 0.2 m [m]
PRISM = (0.2, 0.1)  # edge and height [m]
TURN = np.radians(20)  # of the prism, about the normal of the incline
SHAPES = (*HEIGHTS, "prism")
COULOMBS = G * (np.sin(SLOPE) - MU * np.cos(SLOPE))  # acceleration by Coulomb's law


def shape_of(name):
    if name == "prism":
        return slide.rotated(*slide.prism(*PRISM), TURN)
    return slide.box((0.2, 0.2, name))


def label(name):
    return name if name == "prism" else f"box of height {name:g} m"


def body(name, law, place, step):
    """A body in the scene. One of cone_complementarity starts at the gap at which it rides."""
    points, _ = shape_of(name)
    gap = step * MU * SPEED * (law == "cone_complementarity")
    common = {
        "material": law, "position": [0, place, gap - points[0, 2]], "velocity": [SPEED, 0, 0]
    }
    if name != "prism":
        return {"box": {**common, "size": [0.2, 0.2, name]}}
    corners = np.vstack([points, points * [1, 1, -1]])
    return {"solid": {**common, "shape": {"polyhedron": {"points": corners.tolist()}}}}


def materials(restitution=0.0):
    """Materials, one for each law, and the laws that they have with the floor."""
    return {
        "materials": {"floor": {}, **{law: {"density": 600} for law in LAWS}}, "laws": [{
                          "between": [law, "floor"], "law": law, "friction": MU,
                          "restitution": restitution
                      } for law in LAWS]
    }


class Slides:
    """All bodies under all laws at one step: velocity along and across the incline, and spin, in
    each frame.
    """

    def __init__(self, study, step):
        self.step = step
        cases = [(name, law) for name in SHAPES for law in LAWS]
        bodies = [body(*case, float(k), step) for k, case in enumerate(cases)]
        run = runs.Run(study, f"slides_{step:g}", HERE / "slides.yaml",
                       {"step.h": step, "until": TIME, "bodies": bodies, **materials()})
        self.times = run.times()
        frames = [run.grains(k) for k in range(len(self.times))]
        self.motion = {
            case: np.array([[*f["velocity"][k, :2], f["angular_velocity"][k, 2]] for f in frames])
            for k, case in enumerate(cases)
        }

    def acceleration(self, *case):
        return (self.motion[case][-1, 0] - SPEED) / TIME


class Limits:
    """Motion of each body in the limit of small steps: by Coulomb's law, and by max_dissipation."""

    def __init__(self):
        self.slides = {(name, law): slide.Slide(shape_of(name), MU, SLOPE, G,
                                                law == "max_dissipation") for name in SHAPES
                       for law in ("coulomb", "max_dissipation")}
        self.end = {case: each.after(SPEED, TIME)[:3] for case, each in self.slides.items()}

    def error(self, slides, name, law):
        """Largest difference from the law's own limit at the end [m/s and rad/s]."""
        own = "max_dissipation" if law == "max_dissipation" else "coulomb"
        return np.abs(slides.motion[name, law][-1] - self.end[name, own]).max()


def ranges_of_a_table():
    """Accelerations (along, across, angular) of the box of height 0.1 m as a table on four legs, at
    both extremes of the load that statics leaves free; by law and spin [rad/s].
    """
    return {(law, spin): np.array([
        slide.Slide(shape_of(0.1), MU, SLOPE, G,
                    law == "max_dissipation").rates(np.array([SPEED, 0, spin, 0]), share)[:3]
        for share in (0, 1)
    ]) for law in ("coulomb", "max_dissipation") for spin in (0.0, 2.0)}


def closed_form(height):
    """Acceleration of a box by max_dissipation: g (sin α − μ cos α cos δ)."""
    points, moments = shape_of(height)
    W_nn, w = slide.coupling(points[0], moments)
    delta = np.arcsin(MU * abs(w[1]) / W_nn)
    return G * (np.sin(SLOPE) - MU * np.cos(SLOPE) * np.cos(delta))


class Impacts:
    """An ellipsoid that slides on after it has struck the floor, at different instants of a step:
    change of its velocity and, as a velocity, of its spin.
    """

    SEMI_AXES, TURN, VELOCITY = (0.1, 0.05, 0.03), (0.8, 0.4, -0.3, 0.33), (5.0, -2.0, -1.0)
    INSTANTS = (0, 0.1, 0.3, 0.5, 0.7, 0.9)  # gap at the start over the approach in the step
    LAWS = ("coulomb", "max_dissipation")
    RESTITUTION = 0.0

    def __init__(self, study, step):
        self.step = step
        cases = [(law, instant) for law in self.LAWS for instant in self.INSTANTS]
        w, x, y, z = turn = np.array(self.TURN) / np.linalg.norm(self.TURN)
        normal = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
        reach = np.linalg.norm(normal * self.SEMI_AXES)
        bodies = [{
            "solid": {
                "material": law, "shape": {"ellipsoid": {"semi_axes": self.SEMI_AXES}},
                "position": [0, k, reach - instant * step * self.VELOCITY[2]],
                "velocity": self.VELOCITY, "orientation": turn.tolist()
            }
        } for k, (law, instant) in enumerate(cases)]
        run = runs.Run(
            study, f"impacts_{self.RESTITUTION:g}_{step:g}", HERE / "slides.yaml", {
                "step.h": step, "until": 3 * step, "output.frame_interval": 3 * step,
                "gravity": [0, 0, 0], "bodies": bodies, **materials(self.RESTITUTION)
            })
        end = run.grains()
        spin = self.SEMI_AXES[0] * end["angular_velocity"]
        self.change = dict(zip(cases, np.hstack([end["velocity"] - self.VELOCITY, spin])))

    def off(self, law, instant):
        """Difference from the impact at the start of a step, over that impact."""
        whole = self.change[law, 0]
        return np.linalg.norm(self.change[law, instant] - whole) / np.linalg.norm(whole)

    def spread(self, law):
        return max(self.off(law, instant) for instant in self.INSTANTS)


class ImpactsAtOnce(Impacts):
    """The same with restitution, however little: a pair that rebounds is solved in one step."""

    RESTITUTION = 1e-9


def judge(all_slides, impacts, at_once, limits, verdicts):
    for slides in all_slides:
        for law in LAWS:
            worst = max(limits.error(slides, name, law) for name in SHAPES)
            # The riding gap falls with the step, and so does the error of curved paths.
            verdicts.near(f"{law}, h = {slides.step:g} s: off its limit [m/s, rad/s]", worst, 0,
                          0.12 * slides.step + 1e-7)
    finest = all_slides[-1]
    for height in HEIGHTS:
        verdicts.near(f"{label(height)}, max_dissipation: acceleration [m/s²]",
                      finest.acceleration(height, "max_dissipation"), closed_form(height), 1e-6)
    table = ranges_of_a_table()
    verdicts.near("table that slides straight, coulomb: effect of the loads [m/s², rad/s²]",
                  np.ptp(table["coulomb", 0.0], axis=0).max(), 0, 1e-9)
    for (law, spin), ends in table.items():
        print(f"table, {law}, spin {spin:g} rad/s: accelerations by load " +
              " to ".join(str(end.round(3)) for end in ends))
    for law in Impacts.LAWS:
        verdicts.near(f"ellipsoid, {law}, restitution 1e-9: impacts within a step differ by",
                      max(each.spread(law) for each in at_once), 0, 1e-6)
        print(f"ellipsoid, {law}: impacts within a step differ by " +
              ", ".join(f"{each.spread(law):.2%} (h = {each.step:g} s)" for each in impacts))


def tables(all_slides, limits, out):
    runs.write_csv(out / "slides.csv", [
        "body", "law", "step", "acceleration_along", "acceleration_across", "angular_acceleration",
        "limit_along", "limit_across", "limit_angular"
    ], [[
        label(name), law, slides.step, *((slides.motion[name, law][-1] - [SPEED, 0, 0]) / TIME),
        *((limits.end[name, "max_dissipation" if law == "max_dissipation" else "coulomb"] -
           [SPEED, 0, 0]) / TIME)
    ] for slides in all_slides for name in SHAPES for law in LAWS])


def draw(all_slides, impacts, limits, path):
    fig, axes = plt.subplots(1, 4, figsize=(19, 4.4))
    height, error, spin, instant = axes
    colours = dict(zip(LAWS, runs.COLOURS))
    finest = all_slides[-1]
    line = np.linspace(HEIGHTS[0], HEIGHTS[-1], 50)
    height.plot(line, [closed_form(h) for h in line], color="#222222", lw=1)
    height.axhline(COULOMBS, color="#222222", lw=1, label="closed forms")
    for law, marker in zip(LAWS, "sx+o"):
        height.plot(HEIGHTS, [finest.acceleration(h, law) for h in HEIGHTS], marker, ms=7,
                    mfc="none", color=colours[law], label=law)
        error.loglog([s.step for s in all_slides],
                     [abs(s.acceleration(0.1, law) - COULOMBS) + 1e-9 for s in all_slides], "o-",
                     ms=4, color=colours[law])
    for law in ("max_dissipation", "coulomb"):
        times = np.linspace(0, TIME, 21)
        spin.plot(times, [limits.slides["prism", law].after(SPEED, t, 20)[2] for t in times],
                  color="#222222", lw=1)
        spin.plot(finest.times, finest.motion["prism", law][:, 2], "o", ms=4, color=colours[law])
        instant.plot(Impacts.INSTANTS, [100 * impacts[-1].off(law, k) for k in Impacts.INSTANTS],
                     "o-", ms=4, color=colours[law])
    height.set(xlabel="height of the box [m]", ylabel="acceleration [m/s²]",
               title="Box on 25°, $\\mu$ = 0.4")
    error.set(xlabel="step [s]", ylabel="off Coulomb's slide [m/s²]", title="Box of height 0.1 m")
    spin.set(xlabel="time [s]", ylabel="spin [rad/s]", title="Prism, turned by 20°")
    instant.set(xlabel="gap over the approach in the step", ylabel="difference of the impact [%]",
                title="Ellipsoid that strikes a floor")
    height.legend(fontsize=9)
    fig.savefig(path, dpi=70)


def main():
    study = tools.arguments("Do the laws of contact impulses tend to Coulomb's law?")
    steps = STEPS[:3] if study.quick else STEPS
    kinds = [(kind, step) for kind in (Slides, Impacts, ImpactsAtOnce) for step in steps]
    done = runs.side_by_side(study, lambda each: each[0](study, each[1]), kinds)
    all_slides, impacts, at_once = (done[k * len(steps):(k + 1) * len(steps)] for k in range(3))
    limits, verdicts = Limits(), runs.Verdicts()
    judge(all_slides, impacts, at_once, limits, verdicts)
    tables(all_slides, limits, study.out)
    draw(all_slides, impacts, limits, study.out / "consistency.png")
    verdicts.finish(
        study, impacts={
            law: {f"{each.step:g}": each.spread(law) for each in impacts} for law in Impacts.LAWS
        })


if __name__ == "__main__":
    tools.run(main)

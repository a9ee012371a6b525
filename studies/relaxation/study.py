#!/usr/bin/python3
"""Effect of the convex relaxation of Coulomb's law on a sphere that slips, compared with Coulomb's
law itself.

A sphere of mass m and radius R touches a floor and slips with V. With κ = m R²/I, and the impulse P
m of the floor in the first step,

    v_n = P − g h,      slip = V − (1 + κ) μ P          while it slips
    Coulomb:     v_n = 0                P = g h
    relaxation:  v_n = μ · slip         P = (g h + μ V) / (1 + (1 + κ) μ²)

By either law, it stops slipping if V ≤ (1 + κ) μ g h. A sphere that lifts off then falls freely, as
the scheme does: first with v_n, then slower by g h each step. At a gap of h μ · slip it rides.
"""

import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

SCENE = Path(__file__).resolve().parent / "spheres_on_floor.yaml"
G, RADIUS, DENSITY = 9.81, 0.05, 1000.0
MASS = DENSITY * 4 / 3 * np.pi * RADIUS**3
SPEEDS = np.round(np.geomspace(0.1, 10, 9), 6)
FRICTIONS = (0.1, 0.4, 0.8)
INERTIAS = {"solid": 0.4, "shell": 2 / 3,
            "heavy core": 0.1}  # over m R²; a sphere cannot have more than a shell
STEPS = (1e-2, 1e-3, 1e-4)
LAWS = ("cone_complementarity", "coulomb")
# Observed with its NSC contact, the same relaxation [m/s, -, s, -, m]; not checked here, as the
# inertia of its body is unknown.
CHRONO = {"speed": 10.0, "friction": 0.4, "step": 1e-2, "force_over_weight": 36.0, "height": 0.5}


class Sphere:
    """A sphere that slips at the start, with the closed form of its first step."""

    def __init__(self, law, friction, inertia, speed, step):
        self.law, self.friction, self.inertia = law, friction, inertia
        self.speed, self.step = speed, step
        turning = 1 + 1 / inertia  # 1 + κ
        self.slips = speed > turning * friction * G * step
        relaxed = law == "cone_complementarity" and self.slips
        self.impulse = (G * step +
                        friction * speed) / (1 + turning * friction**2) if relaxed else G * step
        self.lift_off = self.impulse - G * step
        self.slip = speed - turning * friction * self.impulse if self.slips else 0.0

    def height(self, steps):
        """Height of the flight after `steps` steps [m]."""
        return self.step * (steps * self.lift_off - G * self.step * steps * (steps - 1) / 2)

    def top(self):
        """Maximum height [m], and the number of steps to it."""
        steps = np.floor(self.lift_off / (G * self.step)) + 1
        return self.height(steps), steps


def all_spheres(step):
    return [Sphere(*each, step) for each in product(LAWS, FRICTIONS, INERTIAS.values(), SPEEDS)]


def settings(spheres, gap=lambda sphere: 0.0):
    """A scene with these spheres side by side, far from each other; bodies have their ids in this
    order.
    """
    names = {(s.law, s.friction): f"{s.law} {s.friction}" for s in spheres}
    bodies = [{
        "sphere": {
            "material": names[s.law, s.friction], "position": [0, 1.0 * k, RADIUS + gap(s)],
            "radius": RADIUS, "velocity": [float(s.speed), 0, 0], "inertia": [s.inertia] * 3
        }
    } for k, s in enumerate(spheres)]
    return {
        "step.h": spheres[0].step, "bodies": bodies,
        "materials": {"floor": {}, **{name: {"density": DENSITY} for name in names.values()}},
        "laws": [{"between": [name, "floor"], "law": law, "friction": friction}
                 for (law, friction), name in names.items()]
    }


def slip_of(grains):
    return grains["velocity"][:, 0] - RADIUS * grains["angular_velocity"][:, 1]


def impulses(contacts, count):
    """Upward impulse of the floor on each sphere [N s]; 0 without contact."""
    up = np.zeros(count)
    up[contacts["id_a"]] = -contacts["impulse"][:, 2]
    return up


class FirstStep:
    """One step of all spheres, and the largest relative error of each quantity against the closed
    form.
    """

    def __init__(self, study, step):
        self.spheres = all_spheres(step)
        run = runs.Run(study, f"first_{step:g}", SCENE, {"until": step, **settings(self.spheres)})
        grains = run.grains()
        self.force = impulses(run.contacts(), len(self.spheres)) / (MASS * G * step
                                                                    )  # over the weight
        speeds = np.array([s.speed for s in self.spheres])
        self.error_of_force = np.abs(self.force / self._exact("impulse") * G * step - 1).max()
        self.error_of_velocity = (np.abs(grains["velocity"][:, 2] - self._exact("lift_off")) /
                                  speeds).max()
        self.error_of_slip = (np.abs(slip_of(grains) - self._exact("slip")) / speeds).max()

    def _exact(self, name):
        return np.array([getattr(s, name) for s in self.spheres])


class Flight:
    """Spheres that the relaxation lifts off, and those that slip by Coulomb's law, until the
    highest ones have landed.
    """

    def __init__(self, study, step):
        self.spheres = all_spheres(step)
        self.run = runs.Run(study, f"flight_{step:g}", SCENE,
                            {"until": 0.8, **settings(self.spheres)})
        self.times = self.run.times()
        self.heights = np.array(
            [self.run.grains(k)["position"][:, 2] - RADIUS for k in range(len(self.times))])

    def error(self):
        """Largest distance from the closed form before anything lands [m]."""
        largest = 0.0
        for k, sphere in enumerate(self.spheres):
            for time, height in zip(self.times, self.heights[:, k]):
                steps = round(time / sphere.step)
                # Two steps short: in the last but one the sphere is near enough for a contact.
                if sphere.height(steps + 2) >= 0 or sphere.lift_off == 0:
                    largest = max(largest,
                                  abs(height - sphere.height(steps) * (sphere.lift_off > 0)))
        return largest


class Ride:
    """Spheres that start at their riding gap h μ V and slip until they roll."""

    def __init__(self, study, step):
        self.step = step
        self.spheres = [Sphere(law, 0.4, 0.4, 2.0, step) for law in LAWS]
        relaxed = settings(self.spheres, gap=lambda s: s.step * s.friction * s.speed *
                           (s.law != "coulomb"))
        self.run = runs.Run(study, f"ride_{step:g}", SCENE, {"until": 0.2, **relaxed})
        self.times = np.array(self.run.times())
        frames = [self.run.grains(k) for k in range(len(self.times))]
        self.gaps = np.array([frame["position"][:, 2] - RADIUS for frame in frames])
        self.slips = np.array([slip_of(frame) for frame in frames])
        self.forces = np.array(
            [impulses(self.run.contacts(k), 2)
             for k in range(1, len(self.times))]) / (MASS * G * step)

    def error(self):
        """Largest error of the gaps h μ · slip of the relaxed sphere and 0 of Coulomb's, over the
        gap at the start [-].
        """
        wanted = np.array([0.4 * self.step, 0]) * self.slips
        return np.abs(self.gaps - wanted)[1:].max() / (self.step * 0.4 * 2.0)

    def force(self):
        """Forces of the relaxed sphere over the weight while it slips, from the fifth step on."""
        slipping = (self.slips[1:, 0] > 0.05) & (self.times[1:] > 4.5 * self.step)
        return self.forces[slipping, 0]


def draw_lift_off(firsts, flights, path):
    fig, (force, height, flight) = plt.subplots(1, 3, figsize=(15, 4.8))
    line = np.geomspace(0.1, 10, 200)
    for first, colour in zip(firsts, runs.COLOURS):
        step = first.spheres[0].step
        chosen = [
            k for k, s in enumerate(first.spheres)
            if (s.law, s.friction, s.inertia) == (LAWS[0], 0.4, 0.4)
        ]
        force.loglog(SPEEDS, first.force[chosen], "o", color=colour, label=f"h = {1e3 * step:g} ms")
        force.loglog(line, [Sphere(LAWS[0], 0.4, 0.4, v, step).impulse / (G * step) for v in line],
                     color=colour, lw=1)
    force.axhline(1, color="#222222", label="Coulomb, any h")
    force.set(xlabel="slip at the start [m/s]", ylabel="force of the first step over the weight",
              title="Solid sphere, $\\mu$ = 0.4")
    for friction, colour in zip(FRICTIONS, runs.COLOURS):
        for k, marker in zip(range(len(flights)), "o+x"):
            chosen = [
                i for i, s in enumerate(flights[k].spheres)
                if (s.law, s.friction, s.inertia) == (LAWS[0], friction, 0.4)
            ]
            reached = flights[k].heights[:, chosen].max(axis=0)
            # A frame every 10 ms does not see the top of a short flight.
            shown = np.array([flights[k].spheres[i].lift_off > 0.25 for i in chosen])
            height.loglog(SPEEDS[shown], reached[shown], marker, color=colour, mfc="none",
                          label=f"$\\mu$ = {friction}" if k == 0 else None)
        limit = friction * line / (1 + 3.5 * friction**2)
        height.loglog(line, limit**2 / (2 * G), color=colour, lw=1)
    height.set(xlabel="slip at the start [m/s]", ylabel="height reached [m]",
               title="Solid sphere; h = 10 ms o, 1 ms +, 0.1 ms x", xlim=(0.5, 14), ylim=(1e-3, 1))
    for name, inertia in INERTIAS.items():
        k = [(s.law, s.friction, s.inertia, s.speed) for s in flights[0].spheres].index(
            (LAWS[0], 0.4, inertia, 10.0))
        flight.plot(flights[0].times, flights[0].heights[:, k], "o", ms=3,
                    color=runs.COLOURS[list(INERTIAS).index(name)], label=name)
    body = Sphere(LAWS[0], 0.4, np.inf, 10.0, STEPS[0])
    steps = np.arange(body.top()[1] * 2)
    flight.plot(steps * body.step, body.height(steps), color="#888888", lw=1,
                label="does not turn (closed form)")
    flight.axhline(0, color="#222222", label="Coulomb")
    flight.set(xlabel="time [s]", ylabel="height [m]", title="10 m/s, $\\mu$ = 0.4, h = 10 ms",
               ylim=(-0.03, 0.95))
    for axis in (force, height, flight):
        axis.legend(loc="upper left" if axis is not flight else "upper right", fontsize=9)
    fig.savefig(path, dpi=70)


def draw_ride(rides, path):
    fig, (gap, scaled) = plt.subplots(1, 2, figsize=(10, 4.2))
    for ride, colour in zip(rides, runs.COLOURS):
        label = f"h = {1e3 * ride.step:g} ms"
        gap.plot(ride.times, 1e3 * ride.gaps[:, 0], "o-", ms=3, color=colour, label=label)
        scaled.plot(ride.times[1:], ride.forces[:, 0], "o-", ms=3, color=colour, label=label)
    gap.axhline(0, color="#222222", lw=1, label="Coulomb")
    gap.set(xlabel="time [s]", ylabel="gap [mm]", title="2 m/s, $\\mu$ = 0.4, solid sphere")
    scaled.set(xlabel="time [s]", ylabel="force over the weight")
    for axis in (gap, scaled):
        axis.legend(fontsize=9)
    fig.savefig(path, dpi=70)


def judge(firsts, flights, rides, verdicts):
    for first in firsts:
        h = f"h = {1e3 * first.spheres[0].step:g} ms"
        verdicts.near(f"force of the first step, over the closed form − 1, {h}",
                      first.error_of_force, 0, 1e-9)
        verdicts.near(f"lift-off velocity off the closed form, over the speed, {h}",
                      first.error_of_velocity, 0, 1e-11)
        verdicts.near(f"slip after the first step off the closed form, over the speed, {h}",
                      first.error_of_slip, 0, 1e-11)
    for flight in flights:
        verdicts.near(
            f"height in flight off the closed form [m], h = {1e3 * flight.spheres[0].step:g} ms",
            flight.error(), 0, 1e-10)
    for ride in rides:
        h = f"h = {1e3 * ride.step:g} ms"
        verdicts.near(f"gap off h μ · slip, over its start, {h}", ride.error(), 0, 1e-9)
        verdicts.near(f"force of a sphere that rides, mean over the weight, {h}",
                      ride.force().mean(), 1, 0.005)


def main():
    study = tools.arguments(
        "What the convex relaxation of Coulomb's law does to a sphere that slips.")
    steps = STEPS[:2] if study.quick else STEPS
    kinds = [(kind, step) for kind in (FirstStep, Flight, Ride) for step in steps]
    done = runs.side_by_side(study, lambda each: each[0](study, each[1]), kinds)
    firsts, flights, rides = (done[k * len(steps):(k + 1) * len(steps)] for k in range(3))
    runs.write_csv(
        study.out / "first_step.csv",
        ["law", "friction", "inertia", "speed", "step", "force_over_weight", "closed_form"],
        [[s.law, s.friction, s.inertia, s.speed, s.step, force, s.impulse / (G * s.step)]
         for first in firsts for s, force in zip(first.spheres, first.force)])
    draw_lift_off(firsts, flights, study.out / "lift_off.png")
    draw_ride(rides, study.out / "ride.png")
    verdicts = runs.Verdicts()
    judge(firsts, flights, rides, verdicts)
    body = Sphere(LAWS[0], CHRONO["friction"], np.inf, CHRONO["speed"],
                  CHRONO["step"])  # does not turn
    heights = {
        f"after {time:g} s": float(body.height(round(time / body.step))) for time in (0.2, 0.5)
    }
    closed_form = {
        "force_over_weight": float(body.impulse / (G * body.step)),
        "lift_off": float(body.lift_off), "top": float(body.top()[0]), **heights
    }
    verdicts.finish(study, chrono={**CHRONO, "closed_form": closed_form})


if __name__ == "__main__":
    tools.run(main)

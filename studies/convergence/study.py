#!/usr/bin/python3
"""Order of convergence in the time step, on problems with a closed form.

Each problem is a body, or fifty that do not meet, run to a fixed time with steps h, h/2, h/4 and
h/8. The error is the largest distance of a coordinate from the closed form; for fifty bodies it is
the root of the mean square. An impact happens at any instant of a step, so the error of a single
body is partly chance.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import study_tools as tools  # noqa: E402
import runs  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

SCENE = Path(__file__).resolve().parent / "ball_on_floor.yaml"
G = 9.81
RADIUS = 0.01
SPREAD = (np.arange(50) + 0.5) / 50  # values for bodies that differ in one number


def ball(position, velocity=(0, 0, 0), **more):
    return {
        "sphere": {
            "position": list(map(float, position)), "velocity": list(map(float, velocity)),
            "radius": RADIUS, **more
        }
    }


def floor(normal=(0, 0, 1), **more):
    return {"half_space": {"point": [0, 0, 0], "normal": list(map(float, normal)), **more}}


def rms(error):
    return float(np.sqrt(np.mean(np.square(error))))


class Problem:
    """A problem: its scene, end time and first step, and the error against the closed form."""

    def __init__(self, name, order, until, steps, settings, error):
        self.name, self.order, self.until = name, order, until
        self.steps, self.settings, self.error = steps, settings, error

    def errors(self, study, halvings=4):
        """(h, error) for h, h/2, h/4 …"""
        out = []
        for k in range(halvings):
            h = self.until / (self.steps * 2**k)
            run = runs.Run(study, f"{self.name.replace(' ', '_')}_{k}", SCENE,
                           {"until": self.until, "step.h": h, **self.settings})
            out.append((h, self.error(run.grains())))
        return out


def free_fall():
    until = 0.5
    return Problem("free fall", 1, until, 64, {"bodies": [ball([0, 0, 2])]},
                   lambda g: abs(g["position"][0, 2] - (2 - G * until**2 / 2)))


def slip_to_roll():
    """Slides for 2 v/(7 μ g), over 12 v²/(49 μ g), then rolls with 5/7 v."""
    until, mu, speed = 0.5, 0.2, 0.5 + SPREAD
    slides = 2 * speed / (7 * mu * G)
    exact = 12 * speed**2 / (49 * mu * G) + 5 / 7 * speed * (until - slides)
    bodies = [ball([0, 3 * RADIUS * i, RADIUS], [v, 0, 0]) for i, v in enumerate(speed)]
    return Problem("sliding to rolling", 1, until, 64,
                   {"bodies": bodies, "default_law.friction": mu},
                   lambda g: rms(g["position"][:, 0] - exact))


def incline():
    """Rolls with 5/7 g sin α."""
    until, angle = 1.0, np.radians(30)
    normal = np.array([np.sin(angle), 0, np.cos(angle)])
    down = np.array([np.cos(angle), 0, -np.sin(angle)])
    return Problem("rolling down an incline", 1, until, 64, {
        "bodies": [ball(RADIUS * normal)], "obstacles": [floor(normal)], "default_law.friction": 0.4
    }, lambda g: abs(g["position"][0] @ down - 5 / 14 * G * np.sin(angle) * until**2))


def bouncing():
    """A parabola between bounces; each bounce multiplies the speed by e."""
    until, e, start = 0.8, 0.7, 0.3 + 0.2 * SPREAD

    def height(drop):
        time, speed = np.sqrt(2 * drop / G), e * np.sqrt(2 * G * drop)
        while time + 2 * speed / G < until:
            time, speed = time + 2 * speed / G, e * speed
        return RADIUS + speed * (until - time) - G * (until - time)**2 / 2

    exact = np.array([height(drop) for drop in start])
    bodies = [ball([0, 3 * RADIUS * i, RADIUS + drop]) for i, drop in enumerate(start)]
    return Problem("bouncing ball", 1, until, 512,
                   {"bodies": bodies, "default_law.restitution": e, "default_law.friction": 0},
                   lambda g: rms(g["position"][:, 2] - exact))


def oblique_impact(quantity):
    """A ball hits a floor without gravity: impulses (1 + e) m v_n and min(μ (1 + e) m v_n, 2/7 m
    v_t).
    """
    until, e, mu, distance = 0.02, 0.98, 0.092, 0.01 + 0.01 * SPREAD
    speed, angle = 3.9, np.radians(45)
    v_n, v_t = speed * np.cos(angle), speed * np.sin(angle)
    after = np.array([v_t - min(mu * (1 + e) * v_n, 2 / 7 * v_t), 0, e * v_n])
    time = distance / v_n
    exact = np.array(
        [[v_t * t + after[0] * (until - t), 3 * RADIUS * i, RADIUS + after[2] * (until - t)]
         for i, t in enumerate(time)])
    bodies = [ball([0, 3 * RADIUS * i, RADIUS + d], [v_t, 0, -v_n]) for i, d in enumerate(distance)]
    settings = {
        "bodies": bodies, "gravity": [0, 0, 0], "default_law.restitution": e,
        "default_law.friction": mu
    }
    if quantity == "velocity":
        return Problem("oblique impact, velocity", None, until, 64, settings,
                       lambda g: np.abs(g["velocity"] - after).max())
    return Problem("oblique impact, position", 1, until, 64, settings,
                   lambda g: rms(g["position"] - exact))


def carried_by_a_shaking_floor():
    """A floor that moves by 5 mm sin 20 t to the side and 2 mm sin 20 t up: a block would stick, a
    ball lags as 2/7 says.
    """
    until, rate = 1.0, 20.0
    velocity = [f"5e-3*{rate}*cos({rate}*t)", 0, f"2e-3*{rate}*cos({rate}*t)"]
    # Rolling: the floor's acceleration a gives the ball 2/7 a, from a start at which both have that
    # relation of velocities.
    exact = np.array([2 / 7 * 5e-3, 2e-3]) * np.sin(rate * until) + [0, RADIUS]
    start = [2 / 7 * 5e-3 * rate, 0, 2e-3 * rate]
    spin = 5 / 7 * 5e-3 * rate / RADIUS  # the point of contact has the floor's velocity
    bodies = [ball([0, 0, RADIUS], start, angular_velocity=[0, -spin, 0])]
    return Problem(
        "carried by a shaking floor", 2, until, 128, {
            "bodies": bodies, "obstacles": [floor(motion={"velocity": velocity})],
            "default_law.friction": 0.8
        }, lambda g: np.abs(g["position"][0, [0, 2]] - exact).max())


def spin():
    """A ball that turns by ω t."""
    until, rate = 1.0, 10.0
    exact = np.array([np.cos(rate * until / 2), 0, 0, np.sin(rate * until / 2)])
    return Problem(
        "spin of a ball", 2, until, 64,
        {"bodies": [ball([0, 0, 1], angular_velocity=[0, 0, rate])], "gravity": [0, 0, 0]},
        lambda g: min(np.abs(g["quaternion"][0] - s * exact).max() for s in (1, -1)))


def rotate_back(q, v):
    """A vector of the inertial frame, in the body's."""
    w, u = q[0], -q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def tumbling():
    """About the unstable axis, one period of ω in the body's frame: 39.10573419726872 for moments
    1, 2, 3 and ω = (0.01, 1, 0.01).
    """
    omega = np.array([0.01, 1, 0.01])
    body = ball([0, 0, 1], angular_velocity=list(omega), mass=1.0, inertia=[1 / 3, 2 / 3, 1.0])
    return Problem(
        "tumbling about the unstable axis", 2, 39.10573419726872, 1000,
        {"bodies": [body], "gravity": [0, 0, 0]},
        lambda g: np.abs(rotate_back(g["quaternion"][0], g["angular_velocity"][0]) - omega).max())


PROBLEMS = [
    free_fall(),
    incline(),
    slip_to_roll(),
    bouncing(),
    oblique_impact("position"),
    carried_by_a_shaking_floor(),
    spin(),
    tumbling(),
    oblique_impact("velocity")
]


def slope(errors):
    """Slope of log error over log h, by least squares."""
    return float(np.polyfit(*np.log(np.array(errors).T), 1)[0])


def draw(results, path):
    fig, axis = plt.subplots(figsize=(10, 4.8))
    for k, (problem, errors) in enumerate(results):
        h, error = np.array(errors).T
        axis.loglog(h, error, "o-" if problem.order == 1 else "s--", color=runs.COLOURS[k],
                    label=f"{problem.name}: {slope(errors):.2f}")
    steps = np.array([5e-5, 1.5e-4])
    for order, start in ((1, 2e-6), (2, 2e-6)):
        axis.loglog(steps, start * (steps / steps[0])**order, color="#888888", lw=1)
        axis.text(1.05 * steps[1],
                  start * (steps[1] / steps[0])**order, f"order {order}", color="#888888",
                  fontsize=9, va="center")
    axis.set(xlabel="time step [s]", ylabel="error [m, rad/s or –]")
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    fig.savefig(path, dpi=90)


def main():
    study = tools.arguments(
        "Order of convergence in the time step, on problems that have a closed form.")
    verdicts, measured = runs.Verdicts(), list(
        zip(PROBLEMS, runs.side_by_side(study, lambda p: p.errors(study), PROBLEMS)))
    for problem, errors in measured:
        if problem.order is None:
            verdicts.near(f"error, {problem.name}", max(error for _, error in errors), 0, 1e-11)
        else:
            verdicts.near(f"order, {problem.name}", slope(errors), problem.order, 0.1)
    runs.write_csv(study.out / "errors.csv", ["problem", "h", "error"],
                   [[problem.name, h, error] for problem, errors in measured
                    for h, error in errors])
    draw([each for each in measured if each[0].order], study.out / "convergence.png")
    verdicts.finish(study)


if __name__ == "__main__":
    tools.run(main)

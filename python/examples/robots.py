"""Three robots that loops in Python drive at 500 Hz: a humanoid stands and crouches, a dog trots,
an arm grasps a box and lifts it.

    robot = Humanoid()
    robot.run(10)  # seconds
"""

import pathlib

import numpy as np
import scree

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


def turned(orientation, vector):
    """A vector by a quaternion, w first."""
    w, *v = orientation
    return vector + 2 * np.cross(v, np.cross(v, vector) + w * vector)


class Robot:
    """A robot in a scene with a floor. Its controller `drive` acts every second step of 1 ms."""
    bodies, obstacles = [], []

    def __init__(self, file, **entry):
        floor = {"half_space": {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}}
        self.sim = scree.Simulation({
            "scree": 1,
            "until": 1,
            "step": {"h": "1 ms"},
            "materials": {"rubber": {"density": 500}},
            "default_law": {"law": "coulomb", "friction": 0.8},
            "obstacles": [floor],
            "bodies": self.bodies,
            "robots": [{"file": str(SCENES / file), "name": "it", **entry}],
        })
        self.joints = self.sim.joints
        self.names = [name.removeprefix("it.") for name in self.joints.names]

    def pose(self, **angles):
        """Targets of all joints: those whose names end in a key, and 0."""
        return np.array(
            [sum(x for key, x in angles.items() if name.endswith(key)) for name in self.names])

    def run(self, seconds):
        for _ in range(round(500 * seconds)):
            self.drive()
            self.sim.step(2)


class Humanoid(Robot):
    """Stands, and crouches between 2 s and 8 s."""

    def __init__(self):
        super().__init__("humanoid.xml")

    def drive(self):
        phase = np.clip((self.sim.time - 2) / 6, 0, 1)
        depth = 0.3 * (1 - np.cos(2 * np.pi * phase))
        self.joints.target = depth * self.pose(hip_y=-1, knee=2, ankle_y=-1, shoulder_y=-1)

    def height(self):
        return self.sim.bodies["it.pelvis"].position[2]


class Dog(Robot):
    """Trots: legs across from each other swing together."""
    period = 0.4  # [s]

    def __init__(self):
        super().__init__("quadruped.urdf", position=[0, 0, 0.36], motors="position", stiffness=400,
                         damping=8)
        self.shift = np.array(
            [0 if name.startswith(("front_left", "rear_right")) else 0.5 for name in self.names])
        self.swing, self.knee = self.pose(swing=1), self.pose(knee=1)

    def drive(self):
        """On the ground in the first half of a period, legs go back; in the second they lift."""
        part = (self.sim.time / self.period + self.shift) % 1
        forth = np.interp(part, [0, 0.5, 0.65, 0.85, 1], [-0.15, 0.15, 0.29, 0.11, -0.15])
        lift = np.interp(part, [0.5, 0.65, 0.85, 1], [0, -0.4, -0.4, 0])
        self.joints.target = min(1, 2 * self.sim.time) * (self.swing * forth + self.knee * lift)

    def way(self):
        return self.sim.bodies["it.trunk"].position[0]


class Arm(Robot):
    """Reaches for a box, closes its fingers and lifts. The Jacobian of the hand turns its way in
    space into rates of the joints.
    """
    bodies = [{
        "box": {
            "name": "box", "position": [0.4, 0.1, 0.03], "size": [0.04, 0.05, 0.06],
            "material": "rubber"
        }
    }]
    grip = np.array([0, 0, 0.085])  # between the fingers, in the frame of the hand [m]

    def __init__(self):
        super().__init__("arm.urdf", motors="position", stiffness=2000, damping=60,
                         pose={"shoulder": 0.2, "elbow": 1.6, "wrist": 1.2})
        self.hand = self.sim.bodies["it.hand"]
        self.target = np.array(self.joints.position)
        above = self.sim.bodies["box"].position + [0, 0, 0.15]
        # From when on, where the hand goes, and how far the fingers close [s, m, m].
        self.plan = [(0, above, 0), (2, above - [0, 0, 0.145], 0), (4, above - [0, 0, 0.145], 0.04),
                     (5, above, 0.04)]

    def drive(self):
        goal, closed = next(
            (goal, closed) for start, goal, closed in reversed(self.plan) if self.sim.time >= start)
        way = self.rates(goal) * 0.002
        self.target[:4] += way
        self.target[4:] += np.clip(closed - self.target[4:], -2e-4, 2e-4)
        self.joints.target = self.target

    def rates(self, goal):
        """Rates of the four hinges that bring the grip nearer to its goal, pointing down."""
        grip = self.hand.position + turned(self.hand.orientation, self.grip)
        J = self.joints.jacobian("it.hand", grip)[:5, :4]  # it may spin about the vertical
        ahead = goal - grip
        tilt = np.cross(turned(self.hand.orientation, np.array([0, 0, 1])), [0, 0, -1])[:2]
        wish = np.concatenate([4 * ahead * min(1, 0.05 / np.linalg.norm(ahead)), 4 * tilt])
        return np.linalg.lstsq(np.vstack([J, 0.02 * np.eye(4)]), [*wish, 0, 0, 0, 0], rcond=None)[0]

    def height(self):
        return self.sim.bodies["box"].position[2]

"""Environments for learning, with the interface of Gymnasium: a robot on four legs that shall walk,
and a gripper that shall lift a box.

    environment = Quadruped()
    observation, info = environment.reset(seed=1)
    observation, reward, terminated, truncated, info = environment.step(action)

They need Gymnasium only if it is installed, and then register nothing: pass an object to it. Many
steps several worlds together.
"""

import pathlib

import numpy as np
import scree


class Bounds:
    """Arrays between two bounds, as gymnasium.spaces.Box."""

    def __init__(self, low, high, shape, dtype=np.float64):
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)
        self.shape, self.dtype = shape, np.dtype(dtype)

    def sample(self):
        return np.random.default_rng().uniform(self.low, self.high)

    def contains(self, x):
        return np.shape(x) == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))


try:
    from gymnasium import Env as Base
    from gymnasium.spaces import Box
except ImportError:
    Base, Box = object, Bounds

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


class Task(Base):
    """A robot in a scene, which starts each episode from the same state, shaken at random."""
    metadata: dict = {"render_modes": []}
    render_mode = None
    steps = 20  # of the scene for each action
    episode = 250  # actions

    def __init__(self, scene, actions, observations, **changes):
        self.sim = scree.Simulation(scene, **changes)
        self.action_space = Box(-1.0, 1.0, (actions,))
        self.observation_space = Box(-np.inf, np.inf, (observations,))
        self.random = np.random.default_rng()
        self.prepare()
        self.start = self.sim.snapshot()

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.sim.restore(self.start)
        self.shake()
        self.done = 0
        return self.observe(), {}

    def step(self, action):
        self.act(np.clip(action, -1, 1))
        self.sim.step(self.steps)
        return self.judge(action)

    def judge(self, action):
        """What the simulation says after the steps of an action."""
        self.done += 1
        return self.observe(), self.reward(action), self.failed(), self.done >= self.episode, {}

    def render(self):
        return None

    def close(self):
        pass


class Quadruped(Task):
    """Targets of twelve joints, 50 a second; the reward is the speed forwards."""
    stand = np.tile([0, 0.35, -0.7], 4)  # abduction, swing and knee of each leg [rad]
    reach = 0.4  # of the targets about that pose [rad]

    def __init__(self, **changes):
        super().__init__(SCENES / "quadruped.yaml", 12, 12 + 12 + 11, **changes)

    def prepare(self):
        joints = self.sim.joints
        joints.drive("position", stiffness=150, damping=1.5, max_effort=40)
        joints.target = self.stand
        self.sim.step(1500)

    def shake(self):
        q = self.sim.joints.coordinates
        q[2] += 0.02
        q[7:] += self.random.uniform(-0.05, 0.05, 12)
        self.sim.joints.coordinates = q

    def act(self, action):
        self.sim.joints.target[:] = self.stand + self.reach * action

    def observe(self):
        """Height, orientation and velocities of the trunk; angles of the joints and their rates."""
        joints = self.sim.joints
        return np.concatenate([joints.coordinates[2:], joints.rates])

    def reward(self, action):
        effort = np.square(self.sim.joints.effort).mean() / 40**2
        return float(self.sim.joints.rates[0] + 0.5 - 0.1 * effort)

    def failed(self):
        """The trunk is low, or leans by more than 60 degrees."""
        trunk = self.sim.bodies["trunk"]
        _, x, y, _ = trunk.orientation
        return bool(trunk.position[2] < 0.18 or 1 - 2 * (x * x + y * y) < 0.5)


class Gripper(Task):
    """Speeds of the lift and of both fingers; the reward is the height of the box."""
    speeds = np.array([0.2, 0.1, 0.1])  # [m/s]

    def __init__(self, **changes):
        super().__init__(SCENES / "gripper.yaml", 3, 3 + 3 + 7, **changes)

    def prepare(self):
        self.sim.joints.drive("velocity", max_effort=[200, 20, 20])
        self.sim.joints.target = 0

    def shake(self):
        offset = [*self.random.uniform(-0.01, 0.01, 2), 0]
        self.sim.move_to("load", self.sim.bodies["load"].position + offset)

    def act(self, action):
        self.sim.joints.target[:] = self.speeds * action

    def observe(self):
        """Places of lift and fingers, their speeds; place and orientation of the box."""
        joints, load = self.sim.joints, self.sim.bodies["load"]
        return np.concatenate([joints.position, joints.velocity, load.position, load.orientation])

    def reward(self, action):
        return float(self.sim.bodies["load"].position[2] - 0.05)

    def failed(self):
        return bool(np.abs(self.sim.bodies["load"].position[:2]).max() > 0.3)


class Many:
    """Several environments of one kind that step together. One that ends begins again; its info has
    the last observation of the episode.
    """

    def __init__(self, kind, count, threads=0, **changes):
        self.environments = [kind(**changes) for _ in range(count)]
        self.worlds = scree.Worlds([each.sim for each in self.environments], threads)

    def reset(self, *, seed=None, options=None):
        seeds = [None if seed is None else seed + k for k in range(len(self.environments))]
        results = [each.reset(seed=s) for each, s in zip(self.environments, seeds)]
        return np.array([observation for observation, _ in results]), {}

    def step(self, actions):
        for each, action in zip(self.environments, actions):
            each.act(np.clip(action, -1, 1))
        self.worlds.step(self.environments[0].steps)
        results = [each.judge(action) for each, action in zip(self.environments, actions)]
        observations, rewards, terminated, truncated, infos = map(list, zip(*results))
        for k, each in enumerate(self.environments):
            if terminated[k] or truncated[k]:
                infos[k]["final_observation"] = observations[k]
                observations[k], _ = each.reset()
        return (np.array(observations), np.array(rewards), np.array(terminated),
                np.array(truncated), infos)

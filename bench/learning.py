#!/usr/bin/python3
"""Speed of a learning loop: 64 quadrupeds take random actions until their worlds have made 10,000
steps each. Run it with ./dev python bench/learning.py [WORLDS [STEPS [THREADS]]]
"""

import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python/examples"))
from environments import Many, Quadruped  # noqa: E402  (the path comes first)

worlds, steps, threads = [int(x) for x in sys.argv[1:]] + [64, 10000, 0][len(sys.argv) - 1:]
many = Many(Quadruped, worlds, threads)
random = np.random.default_rng(1)
many.reset(seed=1)
episodes, reward = 0, 0.0
start = time.perf_counter()
actions = steps // Quadruped.steps
for _ in range(actions):
    _, rewards, terminated, truncated, _ = many.step(random.uniform(-1, 1, (worlds, 12)))
    episodes += int((terminated | truncated).sum())
    reward += rewards.mean() / actions
seconds = time.perf_counter() - start
print(f"{worlds} worlds, {actions} actions of {Quadruped.steps} steps: {seconds:.1f} s, "
      f"{worlds * actions * Quadruped.steps / seconds:.0f} steps/s, {episodes} episodes ended, "
      f"mean reward {reward:.3f}")

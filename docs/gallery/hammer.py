"""A hammer hits the free end of a rod: the impulse of the table on the other end."""
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scree

SCENE = Path(__file__).with_name("hammer.yaml")
K, ARM, H = 1e6, 0.3, 1e-6  # stiffness of the table, distance of end and hinge, step


def impulse_on_end(ratio: float, damping: float) -> float:
    sim = scree.Simulation(
        SCENE, {
            "default_law.normal_damping": damping,
            "joints[0].revolute.angle.spring.stiffness": ratio * K * ARM**2
        })
    sim.step()
    sim.apply_force("outer", [0, 0, -1 / H], point=[1, 0, 0])  # 1 N s in one step
    total = 0.0
    for _ in range(10000):
        sim.step()
        total -= H * sim.obstacle_force("table")[0][2]
    return total


ratios = np.logspace(-4, 4, 9)
for damping, name in ((2e3, "2 kN s/m"), (2e4, "20 kN s/m")):
    held = [impulse_on_end(ratio, damping) for ratio in ratios]
    plt.semilogx(ratios, held, "o-", label=f"dashpots of {name}")
    print(f"{name}: {held[0]:.3f} N s by a soft spring, {held[-1]:.3f} N s by a stiff one")
plt.axhline(0.1432, color="grey", linestyle="--", label="two rigid halves on a hinge, plastic")
plt.xlabel("stiffness of the rod over that of the table, c / (k a²)")
plt.ylabel("impulse of the table on the end [N s]")
plt.legend()
plt.savefig("hammer.png", dpi=100)

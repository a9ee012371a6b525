"""Torque of the drum and mixing of the beads, from out/gallery_drum."""
import matplotlib.pyplot as plt
import numpy as np
import scree

run = scree.open("out/gallery_drum")
obstacles = run.table("obstacles")
drum = obstacles[obstacles["obstacle"] == "drum"]
mixing = run.analyse(region=[[-0.06, -0.02, -0.06], [0.06, 0.02, 0.06]], cells=(8, 1, 8))["mixing"]


def turns(time):
    return np.maximum(0, time - 0.5) / 2


late = turns(drum["time"]) > 1
torque = abs(drum["torque_y"])
statistics = run.statistics
steady = turns(statistics["time"]) > 1
time, lost = statistics["time"][steady], statistics["dissipated_energy"][steady]
power = np.polyfit(time, lost, 1)[0]
omega = np.pi
print(f"torque {1e3 * torque[late].mean():.1f} ± {1e3 * torque[late].std():.1f} mN m; what contacts"
      f" dissipate, over the speed of turning: {1e3 * power / omega:.1f} mN m")
index = mixing["mixing_index"]
print(f"mixing index {index[0]:.2f} at first, {index[-1]:.2f} at the end")
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7, 6), layout="constrained")
axes[0].plot(turns(drum["time"]), 1e3 * torque, linewidth=0.5)
axes[0].axhline(1e3 * power / omega, color="k", linestyle="--", label="dissipation / speed")
axes[0].set(ylabel="torque [mN m]")
axes[0].legend()
axes[1].plot(turns(mixing["time"]), mixing["mixing_index"])
axes[1].set(xlabel="turns", ylabel="Lacey's mixing index")
figure.savefig("drum.png", dpi=100)

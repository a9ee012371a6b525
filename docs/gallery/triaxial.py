"""Stress ratio and solid fraction of out/triaxial over the compression."""
import matplotlib.pyplot as plt
import numpy as np
import scree

run = scree.open("out/triaxial")
cell = run.table("cell")
length = cell["edge_yy"]
begin = int(np.argmin(abs(cell["time"] - 0.15)))  # where the second stage begins
strain = np.log(length[begin] / length)
solid = np.sum(4 / 3 * np.pi * run.frames[-1].grains.radii**3)
fraction = solid / (cell["edge_xx"] * length * cell["edge_zz"])
stress = {axis: cell[f"smooth_{2 * axis}"] for axis in "xyz"}
mean = sum(stress.values()) / 3
ratio = (stress["y"] - (stress["x"] + stress["z"]) / 2) / np.maximum(mean, 1)  # 0 at first
late = strain > 0.3
print(f"at the end q/p = {ratio[late].mean():.2f} ± {ratio[late].std():.2f}, "
      f"solid fraction {fraction[late].mean():.3f}, before {fraction[begin]:.3f}")
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7, 6), layout="constrained")
axes[0].plot(strain[begin:], ratio[begin:])
axes[0].set(ylabel="q / p")
axes[1].plot(strain[begin:], fraction[begin:])
axes[1].set(xlabel="axial strain, ln(L0/L)", ylabel="solid fraction")
figure.savefig("triaxial.png", dpi=100)

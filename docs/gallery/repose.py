"""Angle of repose of the heaps in out/repose_batch, with the scatter of three fillings."""
import matplotlib.pyplot as plt
import numpy as np
import scree

batch = scree.open_batch("out/repose_batch")
region = [[-0.2, -0.2, 0], [0.2, 0.2, 0.1]]
frictions = np.unique(batch.table["friction"])
means, errors = [], []
for friction in frictions:
    angles = []
    for row in batch.table[batch.table["friction"] == friction]:
        tables = batch[row["run"]].analyse(heap=True, frames=1, region=region)
        if "heap" in tables.names:
            angles.append(np.degrees(np.atleast_1d(tables["heap"])["angle"][-1]))
    means.append(np.mean(angles))
    errors.append(np.std(angles, ddof=1) / np.sqrt(len(angles)))
    print(f"friction {friction}: {means[-1]:.1f} ± {errors[-1]:.1f}°, {len(angles)} heaps")
plt.figure(figsize=(6.5, 4), layout="constrained")
plt.errorbar(frictions, means, errors, fmt="o-", capsize=4)
plt.xlabel("friction between beads")
plt.ylabel("angle of repose [°]")
plt.ylim(bottom=0)
plt.savefig("repose.png", dpi=100)

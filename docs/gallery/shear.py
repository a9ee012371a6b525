"""mu(I) and phi(I) of the runs in out/shear_batch, and the law of glass beads."""
import matplotlib.pyplot as plt
import numpy as np
import scree

PRESSURE, DENSITY, DIAMETER, STRAIN_TO_FORGET = 1e3, 2500, 2e-3, 3
batch = scree.open_batch("out/shear_batch")
rows = []
for row in batch.table[batch.table["status"] == "done"]:
    run = batch[row["run"]]
    cell = run.table("cell")
    volume = cell["edge_xx"] * cell["edge_yy"] * cell["edge_zz"]
    solid = np.sum(4 / 3 * np.pi * run.frames[-1].grains.radii**3)
    late = (cell["time"] - 0.1) * row["xy"] > STRAIN_TO_FORGET
    shear = np.mean(cell["contact_yx"] + cell["kinetic_yx"], where=late)
    pressure = np.mean(cell["contact_yy"] + cell["kinetic_yy"], where=late)
    inertial = row["xy"] * DIAMETER * np.sqrt(DENSITY / pressure)
    rows.append([row["xy"], inertial, abs(shear) / pressure, np.mean(solid / volume, where=late)])
points = np.array(rows)
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for rate in np.unique(points[:, 0]):
    same = points[points[:, 0] == rate, 1:]
    inertial, friction, fraction = same.mean(axis=0)
    _, friction_error, fraction_error = same.std(axis=0)
    print(f"I = {inertial:.3f}: mu = {friction:.3f} ± {friction_error:.3f},"
          f" phi = {fraction:.3f} ± {fraction_error:.3f}")
    axes[0].errorbar(inertial, friction, friction_error, fmt="o", color="C0", capsize=3)
    axes[1].errorbar(inertial, fraction, fraction_error, fmt="o", color="C0", capsize=3)
curve = np.geomspace(0.02, 0.4)
axes[0].plot(curve, 0.383 + 0.26 / (0.279 / curve + 1), "k--", label="glass beads")
axes[0].legend()
axes[0].set(xscale="log", xlabel="I", ylabel="shear stress / pressure")
axes[1].set(xscale="log", xlabel="I", ylabel="solid fraction")
figure.savefig("shear.png", dpi=100)

"""The flow out of the silo by both laws, and Beverloo's law."""
import matplotlib.pyplot as plt
import numpy as np
import scree

DIAMETER, OUTLET, DENSITY, G = 6e-3, 36e-3, 2500, 9.81
BULK = [[-0.03, -0.03, 0.02], [0.03, 0.03, 0.05]]
plt.figure(figsize=(7, 4.5), layout="constrained")
for name, law in (("out/silo", "coulomb"), ("out/silo_soft", "cundall_strack")):
    run = scree.open(name)
    tables = run.analyse(region=BULK, plane=[[0, 0, -0.01], [0, 0, -1]])
    out = tables["discharge"]
    begin = out["time"][np.argmax(out["mass_total"] > 0)]
    line, = plt.plot(out["time"] - begin, out["mass_total"], label=law)
    plt.xlim(-0.1, 2)
    plateau = tables.figures["discharge"]["plateau"]
    if plateau is None:
        print(f"{law}: no plateau")
        continue
    solid = tables["solid_fraction"]
    flowing = (solid["time"] > plateau["begin"]) & (solid["time"] < plateau["end"])
    bulk = DENSITY * solid["solid_fraction"][flowing].max()
    scale = bulk * np.sqrt(G) * (OUTLET - 1.4 * DIAMETER)**2.5
    print(f"{law}: {plateau['mass_rate']:.3f} ± {plateau['error']:.3f} kg/s, C ="
          f" {plateau['mass_rate'] / scale:.2f}; Beverloo's 0.58 gives {0.58 * scale:.3f} kg/s")
    t = np.array([plateau["begin"], plateau["end"]])
    at = np.interp(t[0], out["time"], out["mass_total"])
    plt.plot(t - begin, at + plateau["mass_rate"] * (t - t[0]), "--", color=line.get_color())
plt.xlabel("time since the first bead fell [s]")
plt.ylabel("mass that left [kg]")
plt.legend()
plt.savefig("silo.png", dpi=100)

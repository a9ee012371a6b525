import matplotlib.pyplot as plt
import numpy as np
import scree

sim = scree.Simulation("""
scree: 1
until: 6 s
step: {h: 1 ms}
materials: {steel: {density: 7800}, wood: {density: 600}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - box: {name: plate, material: wood, position: [0, 0, -1 cm], size: [40 cm, 40 cm, 2 cm]}
  - sphere: {material: steel, position: [10 cm, -5 cm, 2 cm], radius: 2 cm}
joints:
  - universal: {a: world, b: plate, at: [0, 0, -1 cm], axis: [1, 0, 0], axis_2: [0, 1, 0]}
""")
rows: list[list[float]] = []


def control(sim):
    plate, ball = sim.body(0), sim.body(1)
    tilt = 2 * plate.orientation[1:3]  # about x and y, as long as it is small
    wanted = 1.3 * ball.position[:2] + 0.9 * ball.velocity[:2]  # [rad/m], [rad s/m]
    torque = 60 * (np.array([wanted[1], -wanted[0]]) - tilt) - 2 * plate.angular_velocity[:2]
    sim.apply_force(0, [0, 0, 0], torque=[*np.clip(torque, -3, 3), 0])
    if sim.time > 3 and rows[-1][0] <= 3:
        sim.change_velocity(1, [0.3, 0.2, 0])  # a push
    rows.append([sim.time, *(1e3 * ball.position[:2]), *np.degrees(tilt)])


sim.run(callback=control)
t, x, y, about_x, about_y = np.array(rows).T
figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(8, 5.5), layout="constrained")
top.plot(t, x, t, y)
top.set(ylabel="x and y of the ball [mm]")
top.legend(["x", "y"])
bottom.plot(t, about_x, t, about_y)
bottom.set(xlabel="time [s]", ylabel="tilt about x and y [°]")
figure.savefig("balance.png", dpi=100)
print(f"{np.hypot(x, y)[999]:.1f} mm off after 1 s, {np.hypot(x, y)[-1]:.1f} mm at the end")

"""Coordinates, rates and equations of motion of jointed bodies: closed forms, finite differences,
energies, and the steps of the engine.
"""

import numpy as np
import scree
from program import SOURCE, main
from support import PackageTest

G = 9.81
QUADRUPED = SOURCE / "scenes/quadruped.yaml"


def link(name, position, size=(0.05, 0.08, 0.3), **more):
    return {
        "box": {"name": name, "position": list(position), "size": list(size), "mass": 1.5, **more}
    }


def scene(bodies, joints, **more):
    return scree.Simulation({
        "scree": 1, "until": 1, "step": {"h": "0.1 ms"}, "materials": {"steel": {"density": 7800}},
        "default_law": {"law": "frictionless"}, "bodies": bodies, "joints": joints, **more
    })


def chain(floating=False):
    """A joint of each kind in a row; every second one has its ends the other way round."""
    kinds = [("revolute", {"axis": [0.2, 1, 0.1]}),
             ("universal", {"axis": [1, 0, 0.2], "axis_2": [0, 1, 0]}),
             ("cylindrical", {"axis": [0, 0.3, 1]}), ("prismatic", {"axis": [0.5, 0, 1]}),
             ("planar", {"axis": [0, 1, 0.2], "axis_2": [1, 0, 0]}), ("spherical", {}),
             ("screw", {"axis": [0.1, 0.2, 1], "pitch": 0.05}), ("fixed", {}),
             ("revolute", {"axis": [1, 0.4, 0]})]
    bodies, joints, last = [], [], "world"
    for k, (kind, more) in enumerate(kinds):
        name = f"link{k}"
        bodies.append(link(name, [0.02 * k, 0.01 * k, 1 - 0.3 * k]))
        a, b = (last, name) if k % 2 == 0 else (name, last)
        if k > 0 or not floating:
            joints.append({
                kind: {
                    "name": f"j{k}", "a": a, "b": b, "at": [0.02 * k, 0, 1.15 - 0.3 * k], **more
                }
            })
        last = name
    return scene(bodies, joints, ignore=[["steel", "steel"]])


def shake(sim, seed=3, size=0.4):
    """Moves all coordinates and rates at random; returns the rates."""
    random = np.random.default_rng(seed)
    q = sim.joints.coordinates
    sim.joints.coordinates = q + random.uniform(-size, size, q.shape)
    sim.joints.rates = random.uniform(-1, 1, sim.joints.rates.shape)
    return sim.joints.rates


class Trees(PackageTest):

    def double_pendulum(self):
        m, length = 1.5, 0.3
        sim = scene([link("upper", [0, 0, -length / 2]),
                     link("lower", [0, 0, -1.5 * length])],
                    [{"revolute": {"name": n, "a": a, "b": b, "at": [0, 0, z], "axis": [0, 1, 0]}}
                     for n, a, b, z in (("shoulder", "world", "upper", 0),
                                        ("elbow", "upper", "lower", -length))])
        return sim, m, length, length / 2, m * (length**2 + 0.05**2) / 12

    def test_a_double_pendulum_has_the_equations_of_the_textbook(self):
        sim, m, length, a, inertia = self.double_pendulum()
        sim.joints.coordinates = q = np.array([0.7, -1.1])
        sim.joints.rates = v = np.array([1.3, -0.6])
        M = np.array([[m * (length**2 + 2 * a**2 + 2 * length * a * np.cos(q[1])) + 2 * inertia, 0],
                      [m * (a**2 + length * a * np.cos(q[1])) + inertia, m * a**2 + inertia]])
        M[0, 1] = M[1, 0]
        coriolis = m * length * a * np.sin(q[1]) * np.array([-2 * v[0] * v[1] - v[1]**2, v[0]**2])
        far = m * a * G * np.sin(q.sum())
        gravity = np.array([m * G * (a + length) * np.sin(q[0]) + far, far])
        np.testing.assert_allclose(sim.joints.position, q, atol=1e-12)
        np.testing.assert_allclose(sim.joints.velocity, v, atol=1e-12)
        np.testing.assert_allclose(sim.joints.mass_matrix(), M, atol=1e-12)
        np.testing.assert_allclose(sim.joints.gravity_forces(), gravity, atol=1e-12)
        np.testing.assert_allclose(sim.joints.bias_forces(), coriolis + gravity, atol=1e-12)

    def test_half_of_v_M_v_is_the_kinetic_energy_for_each_kind_of_joint(self):
        for floating in (False, True):
            with self.subTest(floating=floating):
                sim = chain(floating)
                v = shake(sim)
                M = sim.joints.mass_matrix()
                np.testing.assert_allclose(M, M.T, atol=0)
                energy = 0
                for name in sim.bodies:
                    body = sim.bodies[name]
                    J = sim.joints.jacobian(name, body.centre_of_mass) @ v
                    np.testing.assert_allclose(J[3:], body.angular_velocity, atol=1e-12)
                    self.assertAlmostEqual(0,
                                           np.abs(J[:3] - sim.body(name).velocity).max(),
                                           delta=1e-12)
                    turn = self.rotation(body.orientation)
                    w = turn.T @ body.angular_velocity
                    x, y, z = np.array([0.05, 0.08, 0.3])**2
                    moments = 1.5 / 12 * np.array([y + z, z + x, x + y])
                    energy += 0.5 * 1.5 * J[:3] @ J[:3] + 0.5 * w @ (moments * w)
                self.assertAlmostEqual(v @ M @ v / 2, energy, delta=1e-12 * energy)

    @staticmethod
    def rotation(quaternion):
        w, x, y, z = quaternion
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

    def test_efforts_do_the_work_that_changes_kinetic_and_potential_energy(self):
        # v·b = v·(d/dt M v) − ½ v·dM/dt v + gravity = ½ v·dM/dt v + gravity at constant rates.
        sim, *_ = self.double_pendulum()
        v = shake(sim)
        q, t = sim.joints.coordinates, 1e-6
        power = v @ sim.joints.bias_forces()
        energies = []
        for sign in (1, -1):
            sim.joints.coordinates = q + sign * t * v
            heights = [sim.bodies[n].centre_of_mass[2] for n in sim.bodies]
            energies.append(v @ sim.joints.mass_matrix() @ v / 2 + 1.5 * G * sum(heights))
        self.assertAlmostEqual(power, (energies[0] - energies[1]) / (2 * t),
                               delta=1e-6 * abs(power))

    def test_jacobians_are_the_derivatives_of_places_for_each_kind_of_joint(self):
        sim = chain()
        shake(sim)
        q, names = sim.joints.coordinates, sim.joints.rate_names
        tip = sim.bodies["link8"].position
        J = sim.joints.jacobian("link8")
        # Coordinates and rates have one order up to the spherical joint j5 and behind it.
        at = names.index("j5.turn_x")
        self.assertEqual(len(q), len(names) + 1)
        for k, name in enumerate(names):
            if name.startswith("j5"):
                continue
            moved = q.copy()
            moved[k if k < at else k + 1] += 1e-6
            sim.joints.coordinates = moved
            np.testing.assert_allclose((sim.bodies["link8"].position - tip) / 1e-6, J[:3, k],
                                       atol=1e-5, err_msg=name)

    def test_coordinates_and_rates_can_be_read_back(self):
        for floating in (False, True):
            with self.subTest(floating=floating):
                sim = chain(floating)
                v = shake(sim)
                q = sim.joints.coordinates
                start = sim.snapshot()
                sim.step(20)
                sim.joints.coordinates = q
                sim.joints.rates = v
                np.testing.assert_allclose(sim.joints.coordinates, q, atol=1e-12)
                np.testing.assert_allclose(sim.joints.rates, v, atol=1e-12)
                other = scree.Snapshot(bytes(start))
                again = chain(floating)
                again.restore(other)
                for name in sim.bodies:
                    np.testing.assert_allclose(sim.bodies[name].position,
                                               again.bodies[name].position, atol=1e-12)

    def test_the_engine_accelerates_as_the_equations_of_motion_say(self):
        for floating in (False, True):
            with self.subTest(floating=floating):
                sim = chain(floating)
                shake(sim, size=0.2)
                sim.step()
                places, rates = [sim.joints.coordinates], []
                for _ in range(2):
                    sim.step()
                    places.append(sim.joints.coordinates)
                    rates.append(self.rates_between(sim, *places[-2:], floating))
                middle = chain(floating)
                middle.joints.coordinates = places[1]
                middle.joints.rates = (rates[0] + rates[1]) / 2
                expected = -np.linalg.solve(middle.joints.mass_matrix(),
                                            middle.joints.bias_forces())
                found = (rates[1] - rates[0]) / sim.h
                np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())

    @staticmethod
    def rates_between(sim, before, after, floating):
        """Rates of the present velocities in the middle of the step to which they belong."""
        middle = chain(floating)
        middle.joints.coordinates = (before + after) / 2
        for name in sim.bodies:
            body = sim.body(name)
            middle.change_velocity(name, body.velocity)
            middle.change_angular_velocity(name, body.angular_velocity)
        return middle.joints.rates

    def test_inverse_dynamics_are_M_times_accelerations_plus_bias(self):
        sim = chain(True)
        v = shake(sim)
        a = np.random.default_rng(1).uniform(-2, 2, v.shape)
        joints = sim.joints
        np.testing.assert_allclose(joints.inverse_dynamics(a),
                                   joints.mass_matrix() @ a + joints.bias_forces(), atol=1e-11)

    def test_gravity_forces_hold_an_arm_that_has_force_motors(self):
        sim, *_ = self.double_pendulum()
        sim.joints.drive("force")
        sim.joints.coordinates = [0.9, 0.4]
        sim.joints.target = sim.joints.gravity_forces()
        sim.step(1000)
        np.testing.assert_allclose(sim.joints.position, [0.9, 0.4], atol=1e-9)

    def test_a_robot_that_stands_on_its_feet_is_a_base_and_its_joints(self):
        sim = scree.Simulation(QUADRUPED)
        names, n = sim.joints.rate_names, len(sim.joints.names)
        self.assertEqual(names[:6], [
            "trunk.velocity_x", "trunk.velocity_y", "trunk.velocity_z", "trunk.turn_x",
            "trunk.turn_y", "trunk.turn_z"
        ])
        self.assertEqual(names[6:], sim.joints.names)
        self.assertEqual(sim.joints.coordinates.shape, (7 + n,))
        weight = G * sum(sim.bodies[name].mass for name in sim.bodies)
        self.assertAlmostEqual(sim.joints.gravity_forces()[2], weight, delta=1e-9 * weight)
        self.assertAlmostEqual(sim.joints.mass_matrix()[0, 0], weight / G, delta=1e-9)

    @staticmethod
    def total_energy(report):
        return (report.kinetic_energy + report.potential_energy + report.dissipated_energy -
                report.wall_work + report.joint_energy)

    def test_assigned_rates_of_a_rotor_are_work_from_outside(self):
        sim = scene([link("rod", [0, 0, -0.15])], [{
            "revolute": {"name": "pin", "a": "world", "b": "rod", "at": [0, 0, 0],
                         "axis": [0, 1, 0], "angle": {"armature": 0.4}}
        }], gravity=[0, 0, 0])  # yapf: disable
        sim.step(10)
        sim.joints.rates = [3]
        sim.step(10)
        self.assertAlmostEqual(sim.joints.velocity[0], 3, places=6)
        self.assertAlmostEqual(sim.report.joint_energy, 0.4 * 3**2 / 2, places=6)
        self.assertAlmostEqual(sim.report.dissipated_energy, 0, places=6)
        self.assertAlmostEqual(self.total_energy(sim.report), 0, places=6)

    def test_a_moved_robot_starts_from_there_and_its_books_close(self):
        sim = scree.Simulation(QUADRUPED)
        sim.step(200)
        q = sim.joints.coordinates
        q[2] += 0.1
        sim.joints.coordinates = q
        sim.joints.rates = np.zeros(18)
        before = sim.report
        sim.step(50)
        after = sim.report
        self.assertAlmostEqual(self.total_energy(after), self.total_energy(before), delta=1e-3)
        self.assertAlmostEqual(sim.joints.coordinates[2], q[2] - G * (50 * sim.h)**2 / 2,
                               delta=2e-3)

    def test_what_is_no_tree_is_refused_by_name(self):
        four_bar = scree.Simulation(SOURCE / "scenes/four_bar.yaml")
        with self.assertRaisesRegex(scree.InputError, "joint '.*' closes a loop"):
            four_bar.joints.mass_matrix()
        rope = scene([link("a", [0, 0, 0])], [{
            "rope": {
                "name": "line", "a": "world", "b": "a", "from": [0, 0, 1], "to": [0, 0, 0.1],
                "length": {"limits": [0, 1]}
            }
        }])
        with self.assertRaisesRegex(scree.InputError, "'line' is a rope"):
            rope.joints.coordinates
        locked = scene([link("a", [0, 0, 0], locked=["y"])], [{
            "revolute": {"name": "pin", "a": "world", "b": "a", "at": [0, 0, 0], "axis": [0, 1, 0]}
        }])
        with self.assertRaisesRegex(scree.InputError, "'pin' holds a body with locked axes"):
            locked.joints.rates
        sim, *_ = self.double_pendulum()
        for wrong, message in (([1], "there are 2 coordinates, not 1"),
                               ([1, np.nan], "coordinates must be finite")):
            with self.assertRaisesRegex(scree.InputError, message):
                sim.joints.coordinates = wrong
        with self.assertRaisesRegex(scree.InputError, "no body 'hand'"):
            sim.joints.jacobian("hand")

    def test_gears_refuse_coordinates_that_they_do_not_allow(self):
        sim = scene([link("a", [0, 0, 0]), link("b", [1, 0, 0])],
                    [{"revolute": {"name": n, "a": "world", "b": n, "at": at, "axis": [0, 1, 0]}}
                     for n, at in (("a", [0, 0, 0.1]), ("b", [1, 0, 0.1]))] +
                    [{"gear": {"name": "teeth", "first": "a", "second": "b", "ratio": -2}}])
        sim.joints.coordinates = [-1, 0.5]
        with self.assertRaisesRegex(scree.InputError, "the gear 'teeth' does not allow"):
            sim.joints.coordinates = [1, 0.5]
        np.testing.assert_allclose(sim.joints.position, [-1, 0.5])

    def test_a_rotor_adds_to_the_mass_matrix_and_pushes_both_bodies(self):

        def two_links(armature):
            return scene([link("a", [0, 0, 0]), link("b", [0, 0, -0.3])], [{
                "revolute": {
                    "name": "j", "a": "a", "b": "b", "at": [0, 0, -0.15], "axis": [0, 1, 0],
                    "angle": {"armature": armature}
                }
            }], gravity=[0, 0, 0])

        bare, geared = two_links(0), two_links(0.02)
        difference = geared.joints.mass_matrix() - bare.joints.mass_matrix()
        self.assertAlmostEqual(difference[6, 6], 0.02)
        self.assertAlmostEqual(np.abs(difference).sum(), 0.02)
        geared.joints.drive("force")
        geared.joints.target = 0.1
        expected = np.linalg.solve(geared.joints.mass_matrix(), [0] * 6 + [0.1])
        geared.step()
        np.testing.assert_allclose(geared.joints.rates, expected * geared.h / 2, atol=1e-9)
        geared.joints.target = 0
        geared.step(2000)
        # A free chain keeps its momenta, and with a rotor its energy.
        momentum = sum(1.5 * geared.body(n).velocity for n in geared.bodies)
        np.testing.assert_allclose(momentum, 0, atol=1e-9)
        report = geared.report
        total = report.kinetic_energy + report.joint_energy
        self.assertAlmostEqual(report.wall_work, total + report.dissipated_energy,
                               delta=1e-9 * total)


if __name__ == "__main__":
    main()

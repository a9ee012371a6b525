"""Robots by name, and what a gripper holds."""

import numpy as np
import scree
from program import SOURCE, main
from support import PackageTest

PAIR = {
    "scree": 1,
    "until": 1,
    "step": {"h": "1 ms"},
    "materials": {"rubber": {"density": 1000}},
    "default_law": {"law": "coulomb", "friction": 0.8},
    "obstacles": [{"half_space": {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}}],
    "robots": [
        {"file": str(SOURCE / "scenes/arm.urdf"), "name": "arm", "position": [2, 0, 0]},
        {"file": str(SOURCE / "scenes/quadruped.urdf"), "name": "dog", "position": [0, 0, 0.5]},
        {"file": str(SOURCE / "scenes/quadruped.urdf"), "name": "cat", "position": [0, 1, 0.5]},
    ],
}


class RobotsByName(PackageTest):

    def setUp(self):
        self.simulation = scree.Simulation(PAIR)
        self.cat = self.simulation.robots["cat"]

    def test_a_robot_has_the_names_of_its_file(self):
        alone = scree.Simulation({**PAIR, "robots": PAIR["robots"][2:]})
        self.assertEqual(list(self.simulation.robots), ["arm", "cat", "dog"])
        self.assertEqual(["cat." + name for name in self.cat.joints.names], alone.joints.names)
        self.assertEqual(["cat." + name for name in self.cat.joints], list(alone.joints))
        self.assertEqual(["cat." + name for name in self.cat.joints.rate_names],
                         alone.joints.rate_names)
        self.assertEqual(["cat." + name for name in self.cat.bodies], list(alone.bodies))

    def test_a_robot_among_others_is_read_and_driven_as_one_alone(self):
        alone = scree.Simulation({**PAIR, "robots": PAIR["robots"][2:]}).robots["cat"].joints
        own = self.cat.joints
        q = own.coordinates
        q[2] += 0.1
        for joints in (alone, own):
            joints.drive("position", stiffness=np.linspace(100, 200, 12), damping=5)
            joints.max_effort = 40
            joints.target[:] = 0.1
            joints.coordinates = q
            joints.rates = np.linspace(-1, 1, 18)
        self.simulation.step(20)
        for name in ("names", "rate_names", "mode"):
            self.assertEqual(getattr(own, name), getattr(alone, name))
        for name in ("stiffness", "damping", "max_effort", "target", "limits"):
            np.testing.assert_array_equal(getattr(own, name), getattr(alone, name))
        dog = self.simulation.robots["dog"].joints
        self.assertEqual(set(dog.mode), {"none"})
        self.assertTrue(np.isnan(dog.target).all())
        self.assertLess(np.abs(own.position - 0.1).max(), np.abs(dog.position - 0.1).max())

    def test_the_equations_of_motion_of_a_robot_are_those_of_it_alone(self):
        alone = scree.Simulation({**PAIR, "robots": PAIR["robots"][2:]}).joints
        own = self.cat.joints
        for joints in (alone, own):
            joints.rates = np.linspace(-1, 1, 18)
        for name, *given in (("mass_matrix",), ("bias_forces",), ("gravity_forces",),
                             ("inverse_dynamics", np.linspace(2, -1, 18))):
            np.testing.assert_allclose(
                getattr(own, name)(*given),
                getattr(alone, name)(*given), atol=1e-12)
        np.testing.assert_allclose(own.jacobian("trunk"), alone.jacobian("cat.trunk"), atol=1e-12)

    def test_a_name_that_no_robot_has_is_refused(self):
        with self.assertRaisesRegex(scree.InputError, "no robot 'cow'; the scene has: arm, cat"):
            self.simulation.robots["cow"]
        self.assertNotIn("cow", self.simulation.robots)


class AHeldCapsule(PackageTest):

    def finger(self, name, x, axis):
        slide = {"a": "hand", "b": name, "at": [x, 0, 0.2], "axis": axis,
                 "slide": {"motor": {"force": 12}}}  # yapf: disable
        box = {"name": name, "position": [x, 0, 0.2], "size": [0.02, 0.04, 0.1], "mass": 0.1}
        return {"box": box}, {"prismatic": {"name": name, **slide}}

    def test_does_not_creep_while_a_hand_moves_it_for_ten_seconds(self):
        left, left_slide = self.finger("left", -0.05, [1, 0, 0])
        right, right_slide = self.finger("right", 0.05, [-1, 0, 0])
        hand = {"name": "hand", "position": [0, 0, 0.3], "size": [0.1, 0.1, 0.05], "mass": 1}
        load = {"name": "load", "position": [0, 0, 0.2], "axis": [0, 0, 1], "radius": 0.02,
                "length": 0.08, "mass": 0.045}  # yapf: disable
        lift = {"name": "lift", "a": "world", "b": "hand", "at": [0, 0, 0.3], "axis": [0, 0, 1],
                "slide": {"motor": {"position": "0.05*sin(3*t)", "stiffness": 2e4,
                                    "damping": 200}}}  # yapf: disable
        simulation = scree.Simulation({
            **PAIR, "obstacles": [], "robots": [], "solver": {"accuracy": "reference"},
            "default_law": {"law": "coulomb", "friction": 0.7},
            "bodies": [{"box": hand}, left, right, {"capsule": load}],
            "joints": [{"prismatic": lift}, left_slide, right_slide],
        })  # yapf: disable
        place = simulation.bodies
        simulation.step(500)
        held = place["load"].position - place["hand"].position
        for _ in range(10):
            simulation.step(1000)
            now = place["load"].position - place["hand"].position
            self.assertLess(np.abs(now - held).max(), 1e-9)
        self.assertTrue(simulation.met)


if __name__ == "__main__":
    main()

"""Joints that are attached and detached on the way: a suction cup."""

import numpy as np
import scree
from program import main
from support import PackageTest


def hand_and_box(**joint):
    """A hand on a slider above a box that lies on a floor."""
    return {
        "scree": 1, "until": 1, "step": {"h": "1 ms"}, "materials": {"rubber": {"density": 1000}},
        "default_law": {"law": "coulomb", "friction": 0.8},
        "obstacles": [{"half_space": {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}}],
        "bodies": [
            {"box": {"name": "hand", "position": [0, 0, 0.5], "size": [0.1, 0.1, 0.05], "mass": 1}},
            {"box": {"name": "box", "position": [0, 0, 0.05], "size": [0.1, 0.1, 0.1], "mass": 1}},
        ],
        "joints": [
            {"prismatic": {"name": "lift", "a": "world", "b": "hand", "at": [0, 0, 0.5],
                           "axis": [0, 0, 1],
                           "slide": {"motor": {"position": 0, "stiffness": 1e5, "damping": 2e3}}}},
            {"fixed": {"name": "cup", "a": "hand", "b": "box", "at": [0, 0, 0.475],
                       "attached": False, **joint}},
        ],
    }  # yapf: disable


class AttachedJoints(PackageTest):

    def lower_and_lift(self, simulation):
        lift, cup = simulation.joints["lift"], simulation.joints["cup"]
        for target in np.linspace(0, -0.374, 500):
            lift.target = target
            simulation.step()
        simulation.step(100)
        cup.attach()
        for target in np.linspace(-0.374, 0, 500):
            lift.target = target
            simulation.step()
        simulation.step(200)

    def test_a_suction_cup_lifts_a_box_and_lets_it_fall(self):
        simulation = scree.Simulation(hand_and_box())
        cup, box = simulation.joints["cup"], simulation.bodies["box"]
        self.assertFalse(cup.is_there)
        self.lower_and_lift(simulation)
        self.assertTrue(cup.is_there)
        self.assertAlmostEqual(box.position[2], 0.05 + 0.374, delta=3e-4)
        self.assertAlmostEqual(cup.force[2], 9.81, delta=0.01)
        self.assertTrue(simulation.met)
        cup.detach()
        simulation.step(500)
        self.assertFalse(cup.is_there)
        self.assertAlmostEqual(box.position[2], 0.05, delta=1e-6)
        self.assertTrue(simulation.met)

    def test_a_snapshot_knows_what_is_attached_and_where(self):
        simulation = scree.Simulation(hand_and_box())
        apart = simulation.snapshot()
        self.lower_and_lift(simulation)
        attached = scree.Snapshot(bytes(simulation.snapshot()))
        simulation.step(50)
        expected = simulation.bodies["box"].position
        simulation.restore(apart)
        simulation.step(50)
        self.assertFalse(simulation.joints["cup"].is_there)
        other = scree.Simulation(hand_and_box())
        other.restore(attached)
        other.step(50)
        np.testing.assert_array_equal(other.bodies["box"].position, expected)

    def test_a_body_is_attached_with_a_plastic_impact(self):
        scene = {**hand_and_box(), "gravity": [0, 0, 0], "joints": hand_and_box()["joints"][1:]}
        simulation = scree.Simulation(scene)
        simulation.change_velocity("hand", [0, 0, 1.0])
        simulation.joints["cup"].attach()
        simulation.step()
        for name in ("hand", "box"):
            self.assertAlmostEqual(simulation.bodies[name].velocity[2], 0.5, places=9)
        simulation.step(20)
        self.assertTrue(simulation.met)

    def test_what_cannot_be_attached_is_refused_with_the_reason(self):
        rope = {"rope": {"name": "rope", "a": "hand", "b": "box", "from": [0, 0, 0.5],
                         "to": [0, 0, 0.1], "length": {"limits": [0, 1]}}}  # yapf: disable
        scene = hand_and_box()
        simulation = scree.Simulation({**scene, "joints": [*scene["joints"], rope]})
        with self.assertRaisesRegex(scree.InputError, "'rope' cannot be attached: it is a rope"):
            simulation.joints["rope"].attach()

    def test_a_body_moves_freely_while_its_joint_is_detached(self):
        simulation = scree.Simulation(hand_and_box())
        simulation.move_to("box", [0.3, 0, 0.05])
        simulation.joints["cup"].attach()
        with self.assertRaisesRegex(scree.InputError, "hangs in the joint 'cup'"):
            simulation.move_to("box", [0, 0, 0.05])
        np.testing.assert_allclose(simulation.joints.mass_matrix(), [[2]], atol=1e-12)
        simulation.joints["cup"].detach()
        np.testing.assert_allclose(simulation.joints.mass_matrix(), [[1]], atol=1e-12)


if __name__ == "__main__":
    main()

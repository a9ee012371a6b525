"""Springs, motors and limits of spherical joints, and rebounds at limits, against closed forms."""

import numpy as np
import scree
from program import main
from support import PackageTest

INERTIA = 0.4 * 0.1**2  # of the ball [kg m²]
AXIS = np.array([1, 2, 3]) / np.sqrt(14)


def every_turn(**drive):
    return {turn: drive for turn in ("turn_x", "turn_y", "turn_z")}


def scene(joint, gravity=0.0, h="1 ms", kind="spherical", **ball):
    """A ball of 1 kg in a joint to the world."""
    return {
        "scree": 1, "until": 1, "step": {"h": h}, "gravity": [0, 0, -gravity],
        "materials": {"steel": {"density": 7800}}, "default_law": {"law": "frictionless"},
        "bodies": [{"sphere": {"name": "ball", "position": [0, 0, 0], "radius": 0.1, "mass": 1,
                               **ball}}],
        "joints": [{kind: {"name": "joint", "a": "world", "b": "ball", "at": [0, 0, 0], **joint}}],
    }  # yapf: disable


class BallJoints(PackageTest):

    def spinning(self, joint, angular_velocity, **settings):
        simulation = scree.Simulation(scene(joint, **settings))
        simulation.change_angular_velocity("ball", angular_velocity)
        return simulation, simulation.joints["joint"], simulation.bodies["ball"]

    def test_a_spring_swings_about_any_axis_with_its_frequency(self):
        w = 2.0
        simulation, joint, _ = self.spinning(every_turn(spring={"stiffness": INERTIA * w**2}),
                                             3 * AXIS)
        found, expected = [], []
        for _ in range(200):
            simulation.step(10)
            found.append(joint.position)
            expected.append(1.5 * np.sin(w * simulation.time) * AXIS)
        np.testing.assert_allclose(found, expected, atol=1e-5)

    def test_springs_of_three_stiffnesses_keep_the_energy_of_a_body_that_turns_far(self):
        stiffness, inertia = np.array([0.02, 0.03, 0.05]), np.array([0.003, 0.004, 0.005])
        joint = {f"turn_{axis}": {"spring": {"stiffness": k}}
                 for axis, k in zip("xyz", stiffness)}  # yapf: disable
        drift = []
        for h in ("2 ms", "1 ms"):
            simulation, of, ball = self.spinning(joint, 4 * AXIS, h=h,
                                                 inertia=(100 * inertia).tolist())
            energy, farthest = [], 0
            last = None
            for _ in range(round(4 / simulation.h)):
                simulation.step()
                w, *v = ball.orientation
                spin = ball.angular_velocity
                spin = spin - 2 * np.cross(v, w * spin - np.cross(v, spin))  # in the ball
                turn = of.position
                middle = turn if last is None else (turn + last) / 2
                last = turn
                farthest = max(farthest, np.linalg.norm(turn))
                energy.append(inertia @ spin**2 / 2 + stiffness @ middle**2 / 2)
            drift.append(np.abs(np.array(energy[10:]) / energy[10] - 1).max())
        self.assertGreater(farthest, 1)
        self.assertLess(drift[1], 0.02)
        self.assertLess(drift[1], 0.6 * drift[0])

    def test_a_damper_brakes_as_its_equation_says(self):
        simulation, _, ball = self.spinning(every_turn(spring={"damping": INERTIA * 2}), AXIS)
        simulation.step(500)
        np.testing.assert_allclose(ball.angular_velocity, np.exp(-1) * AXIS, rtol=0.01)

    def test_friction_holds_and_stops(self):
        simulation, joint, ball = self.spinning(every_turn(friction=INERTIA * 2), [0, 0, 1])
        simulation.step(499)
        self.assertGreater(ball.angular_velocity[2], 1e-3)
        simulation.step(2)
        np.testing.assert_allclose(ball.angular_velocity, 0, atol=1e-12)
        self.assertAlmostEqual(joint.position[2], 0.25, delta=1e-3)

    def test_position_motors_reach_any_orientation(self):
        simulation, joint, ball = self.spinning({}, [0, 0, 0])
        joint.drive("position", stiffness=1, damping=0.1, max_effort=5)
        joint.target = goal = [0.7, -0.4, 1.5]
        simulation.step(3000)
        np.testing.assert_allclose(joint.position, goal, atol=1e-6)
        angle = np.linalg.norm(goal)
        np.testing.assert_allclose(ball.orientation,
                                   [np.cos(angle / 2), *np.sin(angle / 2) / angle * np.array(goal)],
                                   atol=1e-6)

    def test_a_velocity_motor_turns_on_past_half_a_revolution(self):
        simulation, joint, ball = self.spinning({"turn_z": {"motor": {"velocity": 4}}}, [0, 0, 4])
        for _ in range(300):
            simulation.step(10)
            self.assertAlmostEqual(ball.angular_velocity[2], 4, places=4)
            self.assertLess(abs(joint.position[2]), np.pi + 0.01)
        self.assertTrue(simulation.met)

    def test_the_largest_angle_stops_a_body_in_any_direction(self):
        limit = 0.5
        for axis in (AXIS, [0, 0, -1]):
            simulation, joint, ball = self.spinning({"max_angle": limit}, 2 * np.array(axis))
            simulation.step(400)
            np.testing.assert_allclose(joint.position, limit * np.array(axis), atol=1e-9)
            np.testing.assert_allclose(ball.angular_velocity, 0, atol=1e-9)
        simulation.apply_force("ball", [0, 0, 0], torque=[0, 0, -0.3])
        simulation.step()
        np.testing.assert_allclose(joint.effort, [0, 0, 0.3], atol=1e-6)
        self.assertTrue(simulation.met)

    def test_limits_of_a_turn_stop_it_alone(self):
        simulation, joint, _ = self.spinning({"turn_x": {"limits": [-0.2, 0.1]}}, [1, 0, 0.5])
        farthest = []
        for _ in range(100):
            simulation.step(10)
            farthest.append(joint.position[0])
        self.assertAlmostEqual(max(farthest), 0.1, delta=1e-6)
        self.assertGreater(joint.position[2], 0.3)

    def test_turns_count_along_the_axes_of_the_joint(self):
        simulation, joint, _ = self.spinning({"axis": [1, 0, 0], "axis_2": [0, 1, 0]}, [1, 0, 0])
        simulation.step(100)
        np.testing.assert_allclose(joint.position, [0, 0, 0.1], atol=1e-12)

    def test_assigned_coordinates_place_a_ball_and_its_springs(self):
        simulation, joint, _ = self.spinning(every_turn(spring={"stiffness": 1}), [0, 0, 0])
        half = 0.3
        simulation.joints.coordinates = [np.cos(half), *np.sin(half) * AXIS]
        np.testing.assert_allclose(joint.position, 2 * half * AXIS, atol=1e-12)
        self.assertEqual(simulation.joints.rate_names, joint.names)
        simulation.step(100)
        self.assertTrue(simulation.met)


class Rebounds(PackageTest):

    def test_a_slider_rebounds_from_its_limits_and_comes_to_rest(self):
        slide = {"axis": [0, 0, 1], "slide": {"limits": [-0.5, 1], "rebound": 0.8}}
        simulation = scree.Simulation(scene(slide, gravity=9.81, kind="prismatic"))
        ball = simulation.bodies["ball"]
        heights, speeds = [], []
        for _ in range(6000):
            simulation.step()
            heights.append(ball.position[2] + 0.5)
            speeds.append(ball.velocity[2])
        top = max(height for height, before, after in zip(heights, speeds, speeds[1:])
                  if before > 0 >= after)
        self.assertAlmostEqual(top, 0.8**2 * 0.5, delta=0.01)
        self.assertAlmostEqual(heights[-1], 0, delta=1e-9)
        self.assertAlmostEqual(speeds[-1], 0, delta=1e-9)
        self.assertTrue(simulation.met)

    def test_a_perfect_rebound_keeps_the_energy(self):
        slide = {"axis": [0, 0, 1], "slide": {"limits": [-0.1, 0.1], "rebound": 1}}
        simulation = scree.Simulation(scene(slide, kind="prismatic"))
        ball = simulation.bodies["ball"]
        simulation.change_velocity("ball", [0, 0, 1.3])
        for _ in range(100):
            simulation.step(10)
            self.assertAlmostEqual(abs(ball.velocity[2]), 1.3, places=7)
            self.assertLess(abs(ball.position[2]), 0.1 + 1e-9)
        self.assertTrue(simulation.met)

    def test_a_rebound_above_1_is_refused(self):
        slide = {"axis": [0, 0, 1], "slide": {"limits": [-0.1, 0.1], "rebound": 1.1}}
        with self.assertRaisesRegex(scree.SceneError, "rebound"):
            scree.Simulation(scene(slide, kind="prismatic"))


if __name__ == "__main__":
    main()

"""Robots from Python: joints, motors, snapshots, bodies by name."""

import gc
import pickle
import subprocess
import sys

import numpy
import scree
from program import BOXES, SOURCE, ProgramTest, main
from support import PackageTest

# Two links that hang on each other, and a pin that slides and turns.
ARM = """scree: 1
name: arm
until: 1 s
step: {h: 1 ms}
materials: {steel: {density: 7800}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - box: {name: upper, position: [0, 0, 0.9], size: [2 cm, 2 cm, 20 cm]}
  - box: {name: lower, position: [0, 0, 0.7], size: [2 cm, 2 cm, 20 cm]}
  - box: {name: ring, position: [1, 0, 0.5], size: [10 cm, 10 cm, 5 cm]}
  - box: {name: foot, position: [2, 0, 5 cm], size: [10 cm, 10 cm, 10 cm]}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
joints:
  - revolute:
      name: shoulder
      a: world
      b: upper
      at: [0, 0, 1]
      axis: [0, 1, 0]
      angle: {motor: {position: "0.5*t", stiffness: 400, damping: 20, max: 50}, limits: [-2, 1.5]}
  - revolute: {name: elbow, a: upper, b: lower, at: [0, 0, 0.8], axis: [0, 1, 0]}
  - cylindrical:
      {name: pin, a: world, b: ring, at: [1, 0, 0.5], axis: [0, 0, 1], slide: {limits: [-0.1, 0.1]}}
  - fixed: {name: base, a: world, b: foot, at: [2, 0, 0], strength: 1000 N}
"""

ROBOT = SOURCE / "scenes/quadruped.yaml"


class Joints(PackageTest):

    def test_names_are_those_of_joints_with_the_coordinate_if_there_are_several(self):
        joints = scree.Simulation(ARM).joints
        self.assertEqual(joints.names, ["shoulder", "elbow", "pin.slide", "pin.angle"])
        self.assertEqual(list(joints), ["shoulder", "elbow", "pin", "base"])
        self.assertEqual((len(joints), list(joints), joints.keys()),
                         (4, joints.keys(), list(joints)))
        self.assertTrue("elbow" in joints and "pin.slide" in joints and "knee" not in joints)
        self.assertEqual(joints["pin"].names, ["pin.slide", "pin.angle"])
        self.assertEqual((joints["pin"].kind, joints["base"].names), ("cylindrical", []))
        with self.assertRaisesRegex(scree.InputError, "no joint 'elbwo'; did you mean 'elbow'"):
            joints["elbwo"]
        with self.assertRaisesRegex(scree.InputError, "has no joints"):
            scree.Simulation(BOXES).joints["elbow"]

    def test_joints_of_a_robot_in_a_scene_have_its_name_before_theirs(self):
        robots = [{
            "file": str(SOURCE / "scenes/quadruped.urdf"), "name": name, "motors": "position",
            "position": [0, y, 1]
        } for name, y in (("dog", 0), ("cat", 2))]
        sim = scree.Simulation({
            "scree": 1, "until": 1, "step": {"h": "1 ms"}, "gravity": [0, 0, 0],
            "materials": {"steel": {"density": 7800}}, "robots": robots,
            "default_law": {"law": "coulomb", "friction": 0.5}
        })
        sim.joints["dog.front_left_knee"].target = -0.3
        sim.step(500)
        self.assertAlmostEqual(sim.joints["dog.front_left_knee"].position, -0.3, delta=1e-3)
        self.assertAlmostEqual(sim.joints["cat.front_left_knee"].position, 0, delta=1e-9)
        self.assertEqual(len(sim.joints.names), 24)
        self.assertAlmostEqual(sim.bodies["cat.trunk"].position[1], 2, delta=1e-9)

    def test_arrays_have_a_value_for_each_coordinate_and_a_joint_its_own(self):
        sim = scree.Simulation(ARM)
        sim.step(100)
        joints = sim.joints
        for name in ("position", "velocity", "effort", "target", "stiffness", "damping",
                     "max_effort"):
            values = getattr(joints, name)
            self.assertEqual((values.shape, values.dtype), ((4,), numpy.dtype("float64")), name)
            numpy.testing.assert_equal(getattr(joints["elbow"], name), values[1])
            numpy.testing.assert_equal(getattr(joints["pin"], name), values[2:])
            numpy.testing.assert_equal(getattr(joints["pin.angle"], name), values[3])
            if name != "target":
                with self.assertRaises(ValueError):
                    values[0] = 0
        self.assertEqual((joints.force.shape, joints.torque.shape), ((4, 3), (4, 3)))
        numpy.testing.assert_equal(joints["elbow"].force, joints.force[1])
        numpy.testing.assert_equal(joints["elbow"].torque, joints.torque[1])
        numpy.testing.assert_equal(
            joints.limits,
            [[-2, 1.5], [-numpy.inf, numpy.inf], [-0.1, 0.1], [-numpy.inf, numpy.inf]])
        numpy.testing.assert_equal(joints["shoulder"].limits, [-2, 1.5])
        self.assertEqual(joints.mode, ["position", "none", "none", "none"])
        self.assertEqual((joints["shoulder"].stiffness, joints["shoulder"].max_effort), (400, 50))
        self.assertIsInstance(joints["elbow"].position, float)

    def test_position_and_velocity_are_those_of_the_bodies(self):
        sim = scree.Simulation(ARM)
        sim.step(200)
        angle = sim.joints["shoulder"].position
        _, (w, _, y, _) = None, sim.bodies["upper"].orientation
        self.assertAlmostEqual(angle, 2 * numpy.arctan2(y, w), places=12)
        spins = [sim.bodies[name].angular_velocity[1] for name in ("upper", "lower")]
        numpy.testing.assert_allclose(sim.joints.velocity[:2], [spins[0], spins[1] - spins[0]],
                                      rtol=1e-12)

    def test_a_target_holds_until_it_is_taken_back(self):
        sim, left_alone = scree.Simulation(ARM), scree.Simulation(ARM)
        shoulder = sim.joints["shoulder"]
        self.assertTrue(numpy.isnan(shoulder.target))
        shoulder.target = -1
        sim.step(3000)
        self.assertAlmostEqual(shoulder.position, -1, delta=0.1)
        for nothing in (None, numpy.nan):
            shoulder.target = nothing
            self.assertTrue(numpy.isnan(sim.joints.target).all())
        self.assertTrue(left_alone.step(100).status == "met")

    def test_a_target_that_is_set_and_taken_back_changes_no_bit(self):
        sim, left_alone = scree.Simulation(ARM), scree.Simulation(ARM)
        sim.joints["shoulder"].target = 1
        sim.joints.target[:] = numpy.nan
        sim.joints["shoulder"].stiffness = 3
        sim.joints["shoulder"].stiffness = 400
        sim.step(50), left_alone.step(50)
        self.assertEqual(sim.state_hash, left_alone.state_hash)

    def test_targets_of_all_joints_are_a_view_to_write_into(self):
        sim = scree.Simulation(ROBOT)
        joints = sim.joints
        targets = joints.target
        targets[:] = 0.1
        numpy.testing.assert_equal(joints.target, numpy.full(12, 0.1))
        joints.target = numpy.linspace(-0.1, 0.1, 12)
        numpy.testing.assert_equal(targets, numpy.linspace(-0.1, 0.1, 12))
        joints.target += 0.05
        self.assertEqual(targets[0], -0.05)
        joints.target = 0
        sim.step(10)
        numpy.testing.assert_equal(targets, numpy.zeros(12))
        sim.restore(sim.snapshot())
        targets[3] = 0.2
        self.assertEqual(joints["front_right_abduction"].target, 0.2)
        del sim, joints
        gc.collect()
        self.assertEqual(targets[3], 0.2)

    def test_wrong_targets_are_refused_and_change_nothing(self):
        sim = scree.Simulation(ARM)
        joints = sim.joints
        for value, message in ((numpy.zeros(3), r"shape \(3,\); it must be \(4,\)"), (numpy.zeros(
            (2, 2)), r"shape \(2, 2\)"), ([0, 1, numpy.nan, numpy.nan], "'elbow' has no motor"),
                               ([numpy.inf, numpy.nan, numpy.nan, numpy.nan], "infinite")):
            with self.assertRaisesRegex(scree.InputError, message):
                joints.target = value
        with self.assertRaises(TypeError):
            joints.target = "up"
        self.assertTrue(numpy.isnan(joints.target).all())
        joints.target[1] = 1
        with self.assertRaisesRegex(scree.StepError, "elbow.*no motor"):
            sim.step()

    def test_a_motor_can_be_added_and_changed_between_steps(self):
        sim = scree.Simulation(ARM)
        elbow = sim.joints["elbow"]
        elbow.drive("position", stiffness=200, damping=8, max_effort=40)
        self.assertEqual((elbow.mode, elbow.stiffness, elbow.damping, elbow.max_effort),
                         ("position", 200, 8, 40))
        elbow.target = 0.4
        sim.step(2000)
        self.assertAlmostEqual(elbow.position, 0.4, delta=0.05)
        elbow.drive("force")
        elbow.target = 0
        sim.step(300)
        self.assertLess(abs(elbow.effort), 1e-9)
        ring = sim.joints["pin.slide"]
        with self.assertRaisesRegex(scree.InputError, "without a maximum force, against limits"):
            ring.drive("velocity")
        ring.drive("velocity", max_effort=1e3)
        ring.target = 0.02
        sim.step()
        self.assertAlmostEqual(ring.velocity, 0.02, delta=1e-6)
        with self.assertRaisesRegex(scree.InputError, "did you mean 'position'"):
            ring.drive("positon")
        with self.assertRaisesRegex(scree.InputError, "must be finite and not below 0"):
            sim.joints["shoulder"].damping = -1

    def test_motors_of_all_joints_change_together_or_not_at_all(self):
        joints = scree.Simulation(ROBOT).joints
        joints.stiffness = 300
        joints.damping = numpy.linspace(1, 12, 12)
        numpy.testing.assert_equal(joints.stiffness, numpy.full(12, 300))
        with self.assertRaises(scree.InputError):
            joints.max_effort = [10] * 11 + [-1]
        numpy.testing.assert_equal(joints.max_effort, numpy.full(12, 40))
        joints.drive("force", max_effort=25)
        self.assertEqual(joints.mode, ["force"] * 12)
        with self.assertRaisesRegex(scree.InputError, "has 2 words; give 12"):
            joints.drive(["force", "none"])

    def test_efforts_are_the_law_of_the_motor(self):
        sim = scree.Simulation(ROBOT)
        joints = sim.joints
        joints.target = 0
        sim.step(500)
        springs = -0.05 * joints.velocity
        law = numpy.clip(400 * (0 - joints.position) - 8 * joints.velocity, -40, 40) + springs
        numpy.testing.assert_allclose(joints.effort, law, atol=0.03)  # friction: 0.02

    def test_a_target_that_leads_by_damping_over_stiffness_times_its_speed_is_met(self):
        for lead, lag in ((0, 20 / 400 * 0.3), (20 / 400 * 0.3, 0)):
            sim = scree.Simulation(ARM, {"gravity": [0, 0, 0]})
            elbow = sim.joints["elbow"]
            elbow.drive("position", stiffness=400, damping=20)
            for _ in range(600):
                elbow.target = 0.3 * (sim.time + sim.h) + lead
                sim.step()
            self.assertAlmostEqual(0.3 * sim.time - elbow.position, lag, delta=1e-3)

    def test_a_joint_that_breaks_is_marked(self):
        sim = scree.Simulation(ARM)
        self.assertTrue(sim.joints.is_there.all())
        self.assertIsNone(sim.joints["base"].broken_at)
        sim.apply_force("foot", [1e4, 0, 0])
        sim.step()
        self.assertEqual(sim.joints.is_there.tolist(), [True, True, True, False])
        self.assertEqual((sim.joints["base"].is_there, sim.joints["base"].broken_at), (False, 1e-3))

    def test_an_arm_under_gravity_needs_the_torques_of_statics(self):
        sim = scree.Simulation(ARM)
        sim.joints["shoulder"].drive("position", stiffness=1e4, damping=100)
        sim.joints["elbow"].drive("position", stiffness=1e4, damping=100)
        sim.joints["shoulder"].target, sim.joints["elbow"].target = 0.5, 0.3
        sim.step(3000)
        mass, g, half = sim.body("upper").mass, 9.81, 0.1
        upper, lower = sim.joints["shoulder"].position, sim.joints.position[:2].sum()
        # An angle above 0 moves the arm, which hangs, to -x.
        at_elbow = mass * g * half * numpy.sin(lower)
        at_shoulder = at_elbow + mass * g * (half + 2 * half) * numpy.sin(upper)
        numpy.testing.assert_allclose(sim.joints.effort[:2], [at_shoulder, at_elbow], rtol=1e-6)
        # The joint at the shoulder bears both links.
        self.assertAlmostEqual(numpy.linalg.norm(sim.joints["shoulder"].force), 2 * mass * g,
                               places=5)


class WorldsOfJoints(PackageTest):

    def test_have_a_row_for_each_world(self):
        worlds = scree.Worlds([scree.Simulation(ROBOT) for _ in range(3)], threads=2)
        joints = worlds.joints
        self.assertEqual(joints.names, worlds[0].joints.names)
        targets = numpy.linspace(-0.1, 0.1, 36).reshape(3, 12)
        joints.target = targets
        worlds.step(20)
        for k in range(3):
            for name in ("position", "velocity", "effort", "target"):
                numpy.testing.assert_equal(
                    getattr(joints, name)[k], getattr(worlds[k].joints, name))
        alone = scree.Simulation(ROBOT)
        alone.joints.target = targets[1]
        alone.step(20)
        self.assertEqual(alone.state_hash, worlds[1].state_hash)
        joints.target = numpy.ones(12)
        numpy.testing.assert_equal(joints.target, numpy.ones((3, 12)))
        joints.target = None
        self.assertTrue(numpy.isnan(joints.target).all())
        with self.assertRaisesRegex(scree.InputError, r"must be \(3, 12\), \(12,\) or one number"):
            joints.target = numpy.zeros((2, 12))
        worlds[1].joints["front_left_knee"].drive("none")
        with self.assertRaisesRegex(scree.InputError, "world 1: 'front_left_knee' has no motor"):
            joints.target = 0
        self.assertTrue(numpy.isnan(joints.target).all())
        with self.assertRaisesRegex(scree.InputError, "world 1 has other joints than world 0"):
            scree.Worlds([alone, scree.Simulation(ARM)]).joints

    def test_have_masses_and_coordinates_of_their_own(self):
        worlds = scree.Worlds([scree.Simulation(ROBOT) for _ in range(2)])
        worlds[1].bodies["trunk"].mass = 9
        lift = [0, 0, 1] + [0] * 16
        q = worlds[1].joints.coordinates
        worlds[1].joints.coordinates = q + numpy.array(lift)
        self.assertEqual(worlds.joints.coordinates.shape, (2, 19))
        self.assertEqual(worlds.joints.rates.shape, (2, 18))
        numpy.testing.assert_allclose(worlds.joints.coordinates[1] - worlds.joints.coordinates[0],
                                      lift, atol=1e-12)
        masses = [world.joints.mass_matrix()[0, 0] for world in (worlds[0], worlds[1])]
        self.assertAlmostEqual(masses[1] - masses[0], 3, delta=1e-9)
        before = worlds[1].report
        worlds.step(100)
        after = worlds[1].report
        self.assertAlmostEqual(after.kinetic_energy + after.potential_energy - after.wall_work,
                               before.kinetic_energy + before.potential_energy - before.wall_work,
                               delta=0.2)
        with self.assertRaisesRegex(scree.InputError, "mass"):
            worlds[0].bodies["trunk"].mass = -1
        self.assertEqual(worlds[0].bodies["trunk"].mass, 6)


class Snapshots(ProgramTest):

    def steps_of(self, sim, steps):
        return [(sim.step() and None, sim.state_hash)[1] for _ in range(steps)]

    def test_a_restored_simulation_continues_with_the_same_bits(self):
        for scene, steps in ((ARM, 50), (BOXES, 100), (ROBOT, 50)):
            sim = scree.Simulation(scene)
            sim.step(20)
            if "shoulder" in sim.joints:
                sim.joints["shoulder"].target = 0.3
                sim.joints["shoulder"].stiffness = 300
            sim.apply_force(0, [0.1, 0, 0])
            snapshot = sim.snapshot()
            hashes = self.steps_of(sim, steps)
            sim.restore(snapshot)
            self.assertEqual((sim.state_hash, sim.time), (snapshot.state_hash, snapshot.time))
            self.assertEqual(self.steps_of(sim, steps), hashes)
            again = scree.Simulation(scene, threads=2)
            again.restore(scree.Snapshot(bytes(snapshot)))
            self.assertEqual(self.steps_of(again, steps), hashes)

    def test_a_snapshot_goes_to_another_process(self):
        sim = scree.Simulation(ROBOT)
        sim.joints.target = 0.05
        sim.step(30)
        file = self.directory / "robot.pickle"
        file.write_bytes(pickle.dumps(sim.snapshot()))
        sim.step(40)
        program = ("import pickle, sys, scree\n"
                   "sim = scree.Simulation(sys.argv[1])\n"
                   "sim.restore(pickle.load(open(sys.argv[2], 'rb')))\n"
                   "sim.step(40)\n"
                   "print(sim.state_hash)\n")
        result = subprocess.run([sys.executable, "-c", program,
                                 str(ROBOT), str(file)], capture_output=True, text=True,
                                timeout=120, check=True)
        self.assertEqual(int(result.stdout), sim.state_hash)

    def test_a_snapshot_knows_the_stage(self):
        text = ARM.replace("until: 1 s\n", "") + """stages:
  - {name: first, until: 20 ms}
  - {name: second, until: 20 ms, gravity: [0, 0, 0]}
"""
        sim = scree.Simulation(text)
        sim.step(10)
        first = sim.snapshot()
        sim.run()
        self.assertEqual(sim.stage, "second")
        second, end = sim.snapshot(), sim.state_hash
        sim.restore(first)
        self.assertEqual((sim.stage, sim.gravity[2]), ("first", -9.81))
        sim.run()
        self.assertEqual((sim.stage, sim.state_hash), ("second", end))
        fresh = scree.Simulation(text)
        fresh.restore(pickle.loads(pickle.dumps(second)))
        self.assertEqual((fresh.stage, fresh.gravity[2]), ("second", 0))
        with self.assertRaisesRegex(scree.InputError, "other stages"):
            scree.Simulation(ARM).restore(first)

    def test_the_verdict_begins_anew_after_a_failure(self):
        sim = scree.Simulation(ARM)
        start = sim.snapshot()
        sim.joints.target[1] = 1
        with self.assertRaises(scree.StepError):
            sim.step()
        self.assertFalse(sim.met)
        sim.restore(start)
        sim.step(10)
        self.assertTrue(sim.met)

    def test_other_or_damaged_bytes_are_refused(self):
        data = bytes(scree.Simulation(ARM).snapshot())
        for bad in (b"", data[:100], data[:-1], data + b"x", b"x" * 1000,
                    data[:200] + bytes([data[200] ^ 1]) + data[201:]):
            with self.assertRaises(scree.InputError):
                scree.Snapshot(bad)
        with self.assertRaises(scree.InputError):
            scree.Simulation(ROBOT).restore(scree.Snapshot(data))


class NamedBodies(PackageTest):

    def test_are_found_by_name_and_tell_similar_names(self):
        sim = scree.Simulation(ARM)
        self.assertEqual(list(sim.bodies), ["foot", "lower", "ring", "upper"])
        self.assertEqual((len(sim.bodies), "foot" in sim.bodies, "hand" in sim.bodies),
                         (4, True, False))
        self.assertEqual((sim.bodies["lower"].id, sim.bodies["lower"].name), (1, "lower"))
        with self.assertRaisesRegex(scree.InputError, "no body 'loer'; did you mean 'lower'"):
            sim.bodies["loer"]

    def test_names_stand_for_ids_in_every_call(self):
        sim = scree.Simulation(ARM)
        self.assertEqual(sim.body("ring").id, 2)
        numpy.testing.assert_equal(sim.rows(["ring", "upper"]), sim.rows([2, 0]))
        sim.apply_force("foot", [0, 0, -5])
        sim.apply_force(["foot", "ring"], [[0, 0, -5], [0, 0, 1]])
        numpy.testing.assert_equal(sim.bodies["foot"].applied[0], [0, 0, -10])
        sim.change_velocity("ring", [0, 0, 0.1])
        numpy.testing.assert_equal(sim.body("ring").velocity, [0, 0, 0.1])
        self.assertTrue(sim.has_body("foot"))
        with self.assertRaisesRegex(scree.InputError, "did you mean 'foot'"):
            sim.apply_force("fot", [0, 0, 1])

    def test_the_frame_of_a_link_is_that_of_its_shape_in_the_scene(self):
        sim = scree.Simulation(ROBOT)
        thigh = sim.bodies["front_left_thigh"]
        numpy.testing.assert_allclose(thigh.position, [0.2, 0.14, 0.356], atol=1e-12)
        numpy.testing.assert_allclose(thigh.orientation,
                                      [0.955336489125606, 0, 0.29552020666133955, 0], atol=1e-12)
        sim.step(200)
        before = thigh.position
        sim.step()
        numpy.testing.assert_allclose((thigh.position - before) / sim.h, thigh.velocity, atol=1e-3)

    def test_an_accelerometer_shows_gravity_at_rest_and_nothing_in_free_fall(self):
        sim = scree.Simulation(ARM.replace("joints:", "output: {}\njoints:").split("joints:")[0])
        ring, foot = sim.bodies["ring"], sim.bodies["foot"]
        sim.step(20)
        numpy.testing.assert_allclose(ring.accelerometer, [0, 0, 0], atol=1e-9)
        numpy.testing.assert_allclose(ring.acceleration, [0, 0, -9.81], atol=1e-9)
        numpy.testing.assert_allclose(foot.accelerometer, [0, 0, 9.81], atol=1e-3)
        sim.change_angular_velocity("ring", [0, 0, 2])
        numpy.testing.assert_allclose(ring.gyroscope, [0, 0, 2], atol=1e-12)
        force, _ = foot.contact_force
        numpy.testing.assert_allclose(force, [0, 0, 9.81 * foot.mass], rtol=1e-3, atol=1e-3)

    def test_contacts_of_two_are_those_between_them(self):
        sim = scree.Simulation(ROBOT)
        sim.step(500)
        feet = [
            sim.contacts_of(f"{leg}_shank", "floor")
            for leg in ("front_left", "front_right", "rear_left", "rear_right")
        ]
        self.assertEqual(sum(len(rows) for rows in feet), len(sim.contacts))
        weight = sum(rows["impulse"][:, 2].sum() for rows in feet) / sim.h
        mass = sum(sim.bodies[name].mass for name in sim.bodies)
        self.assertAlmostEqual(abs(weight) / (9.81 * mass), 1, delta=0.01)
        self.assertEqual(len(sim.contacts_of("trunk", "floor")), 0)
        with self.assertRaisesRegex(scree.InputError, "did you mean 'floor'"):
            sim.contacts_of("trunk", "flor")


if __name__ == "__main__":
    main()

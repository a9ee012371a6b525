"""Simulations from Python: the same bits as the program, views, steps, changes by hand."""

import gc
import os
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy
import scree
from program import BALL, BOXES, HEAP, ProgramTest, main
from support import AS_DICT, FAULT, RESTING, PackageTest

# For BALL: a drive, fields that change, and a floor that is moved, in 60 ms.
STAGES = """bodies:
  - sphere: {name: ball, position: [0, 0, 2 cm], radius: 1 cm}
  - box: {name: plate, position: [0, 0, 10 cm], size: [4 cm, 4 cm, 1 cm]}
drives:
  - {body: plate, direction: [0, 0, -1], force: 5 N, max_speed: 1 m/s, limits: [0, 7 cm]}
fields:
  - {force: [-0.1*vx, -0.1*vy, -0.1*vz], only: [ball]}
stages:
  - {name: fall, until: 30 ms}
  - name: lift
    until: 20 ms
    move: {floor: {direction: [0, 0, 1], speed: 0.1}}
    fields: [{force: [0.1, 0, 0]}]
  - {name: last, until: 10 ms, stop: [floor], gravity: [0, 0, -5]}
"""


class SameBits(ProgramTest):

    def last_hash(self, text, name, until):
        self.scree("run", self.write_scene(text), "--until", until, "--out", name, "--no-pictures",
                   status=None)
        return int(self.statistics(name)[-1]["state_hash"], 16)

    def test_a_scene_steps_to_the_same_bits_as_in_the_program_on_any_number_of_threads(self):
        for name, text in (("ball", BALL), ("boxes", BOXES), ("heap", HEAP)):
            expected = self.last_hash(text, name, "20 ms")
            for threads in (1, 2):
                simulation = scree.Simulation(text, {"until": "20 ms"}, threads=threads)
                simulation.run()
                self.assertEqual(simulation.state_hash, expected, f"{name}, {threads} threads")

    def test_text_file_and_dict_are_the_same_scene(self):
        file = self.write_scene(BALL)
        simulations = [
            scree.Simulation(source)
            for source in (BALL, file, str(file), AS_DICT, scree.Scene(BALL))
        ]
        for simulation in simulations:
            simulation.run()
        self.assertEqual(len({simulation.state_hash for simulation in simulations}), 1)

    def test_values_that_are_set_are_those_of_the_option_of_the_program(self):
        self.scree("run", self.write_scene(BALL), "--set", "step.h=0.2 ms", "--out", "set",
                   "--no-pictures")
        for value in ("0.2 ms", 2e-4, numpy.float64(2e-4)):
            simulation = scree.Simulation(BALL, {"step.h": value})
            simulation.run()
            self.assertEqual(simulation.state_hash,
                             int(self.statistics("set")[-1]["state_hash"], 16))

    def test_a_run_in_stages_with_fields_and_a_drive_has_the_bits_of_the_program(self):
        text = BALL.replace("bodies:\n  - sphere: {position: [0, 0, 2 cm], radius: 1 cm}\n", "")
        text = text.replace("until: 0.1 s\n", "") + STAGES
        self.scree("run", self.write_scene(text), "--out", "stages", "--no-pictures", status=None)
        expected = int(self.statistics("stages")[-1]["state_hash"], 16)
        simulation = scree.Simulation(text)
        self.assertEqual(simulation.stage_names, ["fall", "lift", "last"])
        self.assertEqual(simulation.run(), "time")
        self.assertEqual((simulation.stage, simulation.state_hash), ("last", expected))
        by_hand = scree.Simulation(text)
        for steps in (300, 200, 100):
            self.assertEqual(by_hand.stage, by_hand.stage_names[(300, 200, 100).index(steps)])
            by_hand.step(steps)
            if steps > 100:
                by_hand.next_stage()
        self.assertEqual(by_hand.state_hash, expected)
        self.assertNotEqual(by_hand.report.field_work, 0)
        with self.assertRaisesRegex(scree.InputError, "no stage after this one"):
            by_hand.next_stage()
        with self.assertRaisesRegex(scree.InputError, "has no stages"):
            scree.Simulation(BALL).next_stage()

    def test_a_stage_that_does_not_come_to_rest_ends_the_run(self):
        simulation = scree.Simulation(
            BALL.replace("until: 0.1 s\n", "") + "stages:\n"
            "  - {name: fall, until: rest, rest: {at_most: 20 ms}}\n  - {name: last, until: 1 s}\n")
        self.assertEqual(simulation.run(), "time")
        self.assertEqual((simulation.stage, round(simulation.time, 9)), ("fall", 0.02))
        self.assertFalse(simulation.met)

    def test_a_look_between_steps_changes_no_bit(self):
        watched, left_alone = scree.Simulation(BOXES), scree.Simulation(BOXES)
        for _ in range(100):
            watched.step()
            watched.contacts, watched.columns.positions, watched.verdict(), watched.obstacle_force(
                0)
        left_alone.step(100)
        self.assertEqual(watched.state_hash, left_alone.state_hash)


class Views(PackageTest):

    def test_shapes_and_types_are_those_of_the_docs_and_nobody_can_write(self):
        sim = scree.Simulation(BOXES)
        n = len(sim.columns)
        for name, shape, kind in (("ids", (n,), "uint64"), ("positions", (n, 3), "float64"),
                                  ("orientations", (n, 4),
                                   "float64"), ("velocities", (n, 3),
                                                "float64"), ("angular_velocities", (n, 3),
                                                             "float64"), ("radii", (n,), "float64"),
                                  ("masses", (n,), "float64"), ("prototypes", (n,), "uint16"),
                                  ("materials", (n,), "uint16"), ("present", (n,), "bool")):
            array = getattr(sim, name)
            self.assertEqual((array.shape, array.dtype), (shape, numpy.dtype(kind)), name)
            if name != "present":
                with self.assertRaises(ValueError):
                    array[0] = 0

    def test_a_view_follows_its_bodies_without_a_copy(self):
        sim = scree.Simulation(BALL)
        sim.step()
        columns = sim.columns
        positions, velocities = columns.positions, columns.velocities
        before = positions.copy()
        sim.step()
        self.assertTrue(columns.is_current)
        numpy.testing.assert_allclose(positions, before + sim.h * velocities, rtol=1e-15)
        self.assertEqual(positions.ctypes.data, sim.positions.ctypes.data)

    def test_a_stale_view_raises_and_ids_say_who_is_where(self):
        sim = self.heap()
        columns, ids = sim.columns, sim.ids.copy()
        self.step_until_reordered(sim)
        self.assertFalse(columns.is_current)
        with self.assertRaisesRegex(scree.StaleError, "take sim.columns again"):
            columns.positions
        with self.assertRaises(scree.StaleError):
            len(columns)
        self.assertFalse((sim.ids == ids).all())
        rows = sim.rows(sim.ids[::-1])
        numpy.testing.assert_array_equal(sim.ids[rows], sim.ids[::-1])

    def test_a_stale_view_of_rows_that_were_given_back_stays_as_it_was(self):
        sim = self.heap()
        stale = sim.positions
        while sim.positions.ctypes.data == stale.ctypes.data:
            before = stale.copy()
            sim.step()
        numpy.testing.assert_array_equal(numpy.isfinite(stale), True)
        self.assertLess(numpy.abs(stale - before).max(), 1e-3)

    def test_a_view_outlives_its_simulation(self):
        sim = self.heap()
        sim.step(3)
        arrays = {name: getattr(sim, name) for name in ("positions", "ids", "radii", "velocities")}
        copies = {name: array.copy() for name, array in arrays.items()}
        del sim
        gc.collect()
        others = [self.heap() for _ in range(3)]  # would take the memory
        for name, array in arrays.items():
            numpy.testing.assert_array_equal(array, copies[name], name)
        self.assertEqual(len(others), 3)

    def test_adding_and_removing_make_views_stale(self):
        sim = scree.Simulation(BALL)
        for change in (lambda: sim.add([0, 0, 0.1], 0.01), lambda: sim.remove(0)):
            columns = sim.columns
            change()
            self.assertFalse(columns.is_current)

    def test_numpy_hands_a_copy_on_by_dlpack(self):
        sim = self.heap()
        handed_on = numpy.from_dlpack(sim.positions.copy())
        numpy.testing.assert_array_equal(handed_on, sim.positions)

    def test_a_view_costs_microseconds(self):
        sim = self.heap()
        times = []
        for _ in range(200):
            start = time.perf_counter()
            sim.positions
            times.append(time.perf_counter() - start)
        print(f"a view takes {1e6 * statistics.median(times):.1f} us")
        self.assertLess(statistics.median(times), 100e-6)


class Contacts(PackageTest):

    def test_a_ball_at_rest_is_carried_by_its_weight(self):
        sim = scree.Simulation(RESTING)
        sim.step(20)
        contact, = sim.contacts
        weight = sim.masses[0] * 9.81
        self.assertEqual((contact["a"], contact["b"]), (0, scree.FIRST_OBSTACLE_ID))
        numpy.testing.assert_allclose(contact["impulse"] / sim.h, [0, 0, -weight], atol=1e-9)
        numpy.testing.assert_allclose(contact["normal"], [0, 0, -1], atol=0)
        numpy.testing.assert_allclose(sim.contact_force(0)[0], [0, 0, weight], atol=1e-9)
        numpy.testing.assert_allclose(sim.obstacle_force("floor")[0], [0, 0, -weight], atol=1e-9)
        self.assertEqual(scree.CONTACT_CLASSES[contact["kind"]], "sticking")

    def test_forces_of_contacts_sum_to_the_change_of_momentum(self):
        sim = scree.Simulation(BOXES)
        sim.step(150)
        before = {id: sim.body(id).velocity for id in sim.ids}
        sim.step()
        contacts = sim.contacts
        self.assertGreater(len(contacts), 20)
        for id, velocity in before.items():
            body = sim.body(id)
            on_b = contacts["impulse"][contacts["b"] == id].sum(axis=0)
            on_a = -contacts["impulse"][contacts["a"] == id].sum(axis=0)
            change = body.mass * (body.velocity - velocity - sim.h * sim.gravity)
            numpy.testing.assert_allclose(on_a + on_b, change, atol=1e-12)
            self.assertEqual(len(sim.contacts_of(id)),
                             ((contacts["a"] == id) | (contacts["b"] == id)).sum())

    def test_relative_velocities_are_those_of_the_bodies_where_they_touch(self):
        sim = scree.Simulation(HEAP, {"until": "1 s", "step.h": 1e-3})
        sim.step(60)
        position = dict(zip(sim.ids.tolist(), sim.positions.copy()))
        sim.step()
        contacts = sim.contacts
        self.assertGreater(len(contacts), 500)
        for contact in contacts:
            a = sim.body(contact["a"])
            half_gap = contact["gap"] / 2 * contact["normal"]
            u = -a.velocity - numpy.cross(a.angular_velocity,
                                          contact["point"] - half_gap - position[a.id])
            if contact["b"] < scree.FIRST_OBSTACLE_ID:
                b = sim.body(contact["b"])
                u += b.velocity + numpy.cross(b.angular_velocity,
                                              contact["point"] + half_gap - position[b.id])
            numpy.testing.assert_allclose(contact["relative_velocity"], u, atol=1e-7)

    def test_the_records_outlive_the_simulation(self):
        sim = scree.Simulation(RESTING)
        sim.step()
        contacts, copy = sim.contacts, sim.contacts.copy()
        del sim
        gc.collect()
        numpy.testing.assert_array_equal(contacts, copy)


class Steps(PackageTest):

    def test_run_ends_at_the_time_that_the_scene_or_the_caller_says(self):
        sim = scree.Simulation(BALL)
        self.assertEqual(sim.run(until=0.03), "time")
        self.assertEqual((sim.time, sim.report.step), (0.03, 300))
        self.assertEqual(sim.run(), "time")
        self.assertEqual(sim.time, 0.1)
        self.assertEqual(sim.run(until=0.05), "time")  # it is later already
        self.assertEqual(sim.time, 0.1)

    def test_run_ends_at_rest(self):
        sim = scree.Simulation(BALL, {"until": "rest", "rest.at_most": "10 s"})
        self.assertEqual(sim.run(), "rest")
        self.assertLess(sim.time, 1)
        self.assertTrue(sim.met)
        again = scree.Simulation(BALL, {"until": "10 s"})
        self.assertEqual(again.run("rest"), "rest")
        self.assertEqual(again.report.step, sim.report.step)

    def test_a_run_that_does_not_come_to_rest_in_time_says_so(self):
        sim = scree.Simulation(BALL)
        self.assertEqual(sim.run("rest"), "time")
        self.assertFalse(sim.met)
        self.assertIn("rest", " ".join(sim.verdict()))
        stopped = scree.Simulation(BALL)
        self.assertEqual(stopped.run("rest", callback=lambda _: True), "callback")
        self.assertTrue(stopped.met)  # nobody waited for rest

    def test_the_callback_comes_after_so_many_steps_and_may_end_the_run(self):
        sim = scree.Simulation(BALL)
        seen = []

        def callback(which):
            self.assertIs(which, sim)
            seen.append(which.report.step)
            return len(seen) == 3

        self.assertEqual(sim.run(callback=callback, every=25), "callback")
        self.assertEqual(seen, [25, 50, 75])
        self.assertEqual(sim.report.step, 75)

    def test_a_callback_ends_the_run_by_whatever_is_true(self):
        for true in (numpy.bool_(True), 1, numpy.array([1]), "yes"):
            sim = scree.Simulation(BALL)
            self.assertEqual(sim.run(callback=lambda _, true=true: true), "callback")
            self.assertEqual(sim.report.step, 1)
        sim = scree.Simulation(BALL)
        height = sim.positions[0, 2]
        self.assertEqual(sim.run(callback=lambda s: s.positions[0, 2] < height - 1e-3), "callback")
        for false in (None, False, numpy.bool_(False), 0, []):
            sim = scree.Simulation(BALL)
            self.assertEqual(sim.run(until=5e-4, callback=lambda _, false=false: false), "time")
        with self.assertRaises(ValueError):  # of NumPy: it is neither
            sim.run(callback=lambda _: numpy.array([1, 0]))

    def test_a_callback_that_raises_leaves_the_simulation_usable(self):
        sim, other = scree.Simulation(BALL), scree.Simulation(BALL)

        def callback(_):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            sim.run(callback=callback, every=10)
        self.assertEqual(sim.report.step, 10)
        sim.run()
        other.run()
        self.assertEqual(sim.state_hash, other.state_hash)

    def test_a_callback_may_look_at_the_simulation_push_and_step_it(self):
        sim = scree.Simulation(BALL)

        def callback(which):
            which.apply_force(0, [0, 0, which.masses[0] * 9.81])
            which.step()

        sim.run(until=0.02, callback=callback)
        self.assertEqual(sim.report.step, 200)

    def test_a_motion_that_cannot_be_followed_raises_and_the_report_says_what_it_gave(self):
        sim = scree.Simulation(FAULT)
        with self.assertRaisesRegex(scree.StepError, "floor"):
            sim.run()
        self.assertEqual(sim.report.status, "motion_fault")
        self.assertIn("nan", sim.report.motion_fault)
        self.assertEqual(sim.report.step, 50)
        self.assertFalse(sim.met)
        with self.assertRaises(scree.StepError):
            sim.step()

    def test_a_missed_tolerance_is_told_and_does_not_raise(self):
        sim = scree.Simulation(
            HEAP,
            {"until": "1 s", "solver.max_sweeps": 1, "solver.tolerance": 1e-12, "step.h": "1 ms"})
        sim.step(40)
        self.assertFalse(sim.met)
        self.assertEqual(sim.report.status, "missed")
        self.assertEqual(sim.report.findings["steps_over_tolerance"], 1)
        self.assertEqual(sim.report.findings["energy_created"], sim.report.energy_created)
        self.assertIn("tolerance", sim.verdict()[0])

    def test_no_steps_leave_all_as_it_is(self):
        sim = scree.Simulation(BALL)
        for _ in range(2):
            before, report = sim.state_hash, sim.report
            self.assertEqual(sim.step(0).time, report.time)
            for past in (0, sim.time):
                self.assertEqual(sim.run(until=past, callback=self.fail), "time")
            self.assertEqual(sim.state_hash, before)
            sim.step(10)

    def test_arguments_that_cannot_be_used_are_refused(self):
        sim = scree.Simulation(BALL)
        for words, call in (("until", lambda: sim.run("soon")), ("until is nan",
                                                                 lambda: sim.run(float("nan"))),
                            ("1e15 steps", lambda: sim.run(float("inf"))),
                            ("at least 0 s", lambda: sim.run(-1)), ("every",
                                                                    lambda: sim.run(every=0)),
                            ("threads", lambda: scree.Simulation(BALL, threads=-1))):
            with self.assertRaisesRegex(scree.InputError, words):
                call()
        with self.assertRaises(TypeError):
            sim.step(-1)
        with self.assertRaisesRegex(TypeError, "pass `set` to Scene"):
            scree.Simulation(scree.Scene(BALL), {"step.h": 1e-3})


class Interrupts(PackageTest):

    def interrupted(self, program):
        """Output of a Python program that gets Ctrl-C once it has said that it is ready."""
        with subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE,
                              text=True, env=os.environ) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            try:
                output, _ = process.communicate(timeout=60)
            finally:
                process.kill()
        return output

    def test_ctrl_c_ends_a_run_between_two_steps(self):
        output = self.interrupted("from program import HEAP\nimport scree\n"
                                  "sim = scree.Simulation(HEAP)\nprint('ready')\n"
                                  "try:\n    sim.run()\n"
                                  "except KeyboardInterrupt:\n"
                                  "    steps = sim.report.step\n    sim.step()\n"
                                  "    print(sim.report.step - steps)\n")
        self.assertEqual(output, "1\n")

    def test_ctrl_c_ends_worlds(self):
        output = self.interrupted("from program import HEAP\nimport scree\n"
                                  "worlds = scree.Worlds([scree.Simulation(HEAP)], 1)\n"
                                  "print('ready')\n"
                                  "try:\n    worlds.step(10**9)\n"
                                  "except KeyboardInterrupt:\n    print('ended')\n")
        self.assertEqual(output, "ended\n")


class Threads(PackageTest):

    def test_who_asks_for_a_simulation_that_is_stepped_is_refused(self):
        sim = self.heap()
        refused, begun = [], threading.Event()

        def step():
            begun.set()
            sim.step(400)

        thread = threading.Thread(target=step)
        thread.start()
        begun.wait()
        asks = (lambda: sim.step(), lambda: sim.run(), lambda: sim.positions, lambda: sim.contacts,
                lambda: sim.apply_force(0, [0, 0, 1]), lambda: sim.columns, lambda: sim.time)
        while thread.is_alive() and len(refused) < len(asks):
            try:
                asks[len(refused)]()
            except scree.BusyError as error:
                refused.append(str(error))
        thread.join()
        self.assertEqual(len(refused), len(asks))
        self.assertIn("another thread is stepping this simulation", refused[0])
        sim.step()

    def test_two_threads_step_two_simulations_to_the_bits_of_one(self):
        alone, *pair = [self.heap() for _ in range(3)]
        threads = [threading.Thread(target=sim.step, args=(50,)) for sim in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone.step(50)
        self.assertEqual({sim.state_hash for sim in pair}, {alone.state_hash})

    def test_worlds_step_to_the_same_bits_as_alone(self):
        scenes = [scree.Scene(BOXES, {"bodies[0].random.seed": seed}) for seed in range(4)]
        expected = []
        for scene in scenes:
            sim = scree.Simulation(scene)
            sim.step(100)
            expected.append(sim.state_hash)
        self.assertEqual(len(set(expected)), 4)
        for threads in (1, 2):
            worlds = scree.Worlds([scree.Simulation(scene) for scene in scenes], threads)
            worlds.step(60)
            worlds.step(40)
            self.assertEqual([world.state_hash for world in worlds], expected)

    def test_a_world_that_fails_is_named_and_the_others_go_on(self):
        worlds = scree.Worlds([scree.Simulation(BALL), scree.Simulation(FAULT)])
        with self.assertRaisesRegex(scree.StepError, "world 1: "):
            worlds.step(100)
        self.assertEqual([world.report.step for world in worlds], [100, 50])

    def test_worlds_must_be_different(self):
        sim = scree.Simulation(BALL)
        with self.assertRaisesRegex(scree.InputError, "twice"):
            scree.Worlds([sim, sim])
        with self.assertRaises(IndexError):
            scree.Worlds([sim])[1]


class Changes(PackageTest):

    def test_a_body_is_added_pushed_turned_and_removed(self):
        sim = scree.Simulation(BALL)
        id = sim.add([0.1, 0, 0.5], 0.02, "steel", velocity=[1, 0, 0], orientation=[2, 0, 0, 0])
        body = sim.body(id)
        self.assertAlmostEqual(body.mass, 7800 * 4 / 3 * numpy.pi * 0.02**3, places=12)
        sim.change_velocity([0, id], [[0, 0, 0], [0, 2, 0]])
        sim.change_angular_velocity(id, [0, 0, 3])
        sim.move_to(id, [0.2, 0, 0.5])
        sim.turn_to(id, [0, 0, 0, 1])
        sim.apply_force(id, [body.mass, 0, 0], torque=[0, 0, 1e-4])
        sim.step()
        moved = sim.body(id)
        numpy.testing.assert_allclose(moved.velocity, [sim.h, 2, -9.81 * sim.h], rtol=1e-12)
        inertia = 0.4 * body.mass * body.radius**2
        numpy.testing.assert_allclose(moved.angular_velocity, [0, 0, 3 + sim.h * 1e-4 / inertia])
        sim.remove(id)
        self.assertFalse(sim.has_body(id))
        self.assertEqual(sim.present.tolist(), [i != id for i in sim.ids])
        sim.step()
        self.assertEqual(sim.ids.tolist(), [0])

    def test_a_force_at_a_point_turns(self):
        sim = scree.Simulation(BALL)
        body = sim.body(0)
        sim.apply_force(0, [1, 0, 0], point=body.position + [0, 0, body.radius])
        sim.step()
        inertia = 0.4 * body.mass * body.radius**2
        numpy.testing.assert_allclose(
            sim.body(0).angular_velocity, [0, sim.h * body.radius / inertia, 0], rtol=1e-12)

    def test_a_part_is_driven_and_energy_is_accounted_for(self):
        sim = scree.Simulation(RESTING)
        first = sim.report

        def drive(which):
            which.move_obstacle("floor", linear=[0, 0, 0.1 * numpy.cos(50 * which.time)])

        sim.run(callback=drive)
        report = sim.report
        self.assertNotEqual(report.wall_work, 0)
        change = (report.kinetic_energy + report.potential_energy - first.kinetic_energy -
                  first.potential_energy)
        self.assertAlmostEqual(change + report.dissipated_energy, report.wall_work, places=12)

    def test_what_cannot_be_used_is_refused_with_the_body_and_changes_nothing(self):
        sim = scree.Simulation(BALL)
        before = sim.state_hash
        nan = float("nan")
        for words, call in (
            ("body 7: there is no body",
             lambda: sim.move_to(7, [0, 0, 1])), ("body 0: body.velocity is",
                                                  lambda: sim.change_velocity(0, [nan, 0, 0])),
            (r"shape \(2,\); it must be \(3,\) or \(1, 3\)",
             lambda: sim.move_to(0, [0, 1])), ("must be whole numbers",
                                               lambda: sim.move_to([0.5], [0, 0, 1])),
            ("body 18446744073709551615: there is no",
             lambda: sim.remove(-1)), ("no material 'wood'",
                                       lambda: sim.add([0, 0, 1], 0.01, "wood")),
            ("no prototype or material with this index",
             lambda: sim.add([0, 0, 1], 0.01, prototype=3)), ("no obstacle with the name wall",
                                                              lambda: sim.move_obstacle("wall")),
            ("there is no obstacle -1; there are", lambda: sim.obstacle_pose(-1)),
            ("torque and point",
             lambda: sim.apply_force(0, [0, 0, 1], torque=[0, 0, 1], point=[0, 0, 1])),
            ("body.radius is", lambda: sim.add([0, 0, 1], -1)), ("shape",
                                                                 lambda: sim.add([0, 0], 0.01))):
            with self.assertRaisesRegex(scree.InputError, words):
                call()
        self.assertEqual(sim.state_hash, before)

    def test_what_no_body_can_bear_or_reach_is_refused(self):
        sim = scree.Simulation(BALL)
        before = sim.state_hash
        for words, call in (("at most 3e8 m/s", lambda: sim.apply_force(0, [1e300, 0, 0])),
                            ("more than its radius", lambda: sim.move_to(0, [1e200, 0, 0])),
                            ("may exceed 3e8 m/s", lambda: sim.change_velocity(0, [0, 0, -1e9])),
                            ("may exceed 3e8 rad/s",
                             lambda: sim.change_angular_velocity(0, [1e20, 0, 0])),
                            ("more than its radius", lambda: sim.add([0, 0, 1e18], 0.01))):
            with self.subTest(words), self.assertRaisesRegex(scree.InputError, words):
                call()
        self.assertEqual(sim.state_hash, before)

    def test_what_is_no_real_number_is_refused(self):
        sim = scree.Simulation(BALL)
        for vector in ([1j, 0, 0], ["1", "2", "3"], [None, 0, 0], numpy.zeros(3, "m8[s]")):
            for call in (lambda v: sim.apply_force(0, v),
                         lambda v: sim.apply_force(0, [0, 0, 0], torque=v),
                         lambda v: sim.move_to(0, v), lambda v: sim.move_obstacle("floor", v)):
                with self.subTest(vector), self.assertRaisesRegex(TypeError, "real numbers"):
                    call(vector)
        for vector in ([0, 0, 1], numpy.zeros(3, "f4"), (False, True, False)):
            sim.apply_force(0, vector)


class BadScenes(PackageTest):

    def test_a_bad_scene_raises_with_file_line_and_key(self):
        with self.assertRaises(scree.SceneError) as caught:
            scree.Scene(BALL.replace("radius", "raduis"))
        problem, = caught.exception.problems
        self.assertEqual((problem.file, problem.line, problem.path),
                         ("<text>", 9, "bodies[0].sphere.raduis"))
        self.assertIn("did you mean 'radius'?", problem.message)
        self.assertIn("<text>:9:38: bodies[0].sphere.raduis: unknown key", str(caught.exception))
        self.assertIsInstance(caught.exception, scree.InputError)
        self.assertIsInstance(caught.exception, ValueError)

    def test_all_problems_are_told_in_one_go(self):
        with self.assertRaises(scree.SceneError) as caught:
            scree.Scene({"scree": 1, "until": "5 m", "step": {"h": -1}})
        self.assertEqual({problem.path
                          for problem in caught.exception.problems} >= {"until", "step.h"}, True)

    def test_a_file_that_is_missing_and_what_is_no_scene(self):
        with self.assertRaisesRegex(scree.SceneError, "nowhere.yaml: the scene file does not"):
            scree.Simulation("nowhere.yaml")
        with self.assertRaisesRegex(TypeError, "a scene is the name of a file"):
            scree.Simulation(3)
        with self.assertRaisesRegex(TypeError, "a scene cannot contain a set"):
            scree.Scene({"scree": {1}})

    def test_set_names_itself(self):
        with self.assertRaisesRegex(scree.SceneError, "--set step.h=5 kg"):
            scree.Scene(BALL, {"step.h": "5 kg"})


class Cost(PackageTest):

    def test_memory_does_not_grow_over_a_thousand_simulations(self):

        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def one():
            sim = scree.Simulation(scene)
            view = sim.positions
            sim.step(2)
            sim.add([0, 0, 1], 0.01)
            sim.step()
            sim.run(until=sim.time + 3 * sim.h, callback=lambda which: which.contacts)
            return view

        scene = scree.Scene(RESTING)
        for _ in range(200):
            one()
        gc.collect()
        before = resident()
        for _ in range(1000):
            one()
        gc.collect()
        grown = resident() - before
        print(f"a thousand simulations took {grown / 1024:.0f} KiB that were not given back")
        self.assertLess(grown, 2 << 20)

    def test_a_step_of_ten_thousand_bodies_costs_what_it_costs_in_the_engine(self):
        sim = scree.Simulation(
            HEAP, {"until": "1 s", "bodies[0].lattice.region.max": [0.11, 0.11, 0.105]})
        self.assertGreaterEqual(len(sim.columns), 10000)
        sim.step(5)
        shares = []
        for _ in range(20):
            start = time.perf_counter()
            report = sim.step()
            took = time.perf_counter() - start
            engine = sum(report.stage_seconds.values())
            shares.append((took - engine) / engine)
        share = statistics.median(shares)
        print(f"a step through Python takes {100 * share:.2f} % more than its stages")
        self.assertLess(share, 0.01)


if __name__ == "__main__":
    main()

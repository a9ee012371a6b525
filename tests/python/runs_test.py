"""Runs on disk, made and read from Python."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import warnings

import numpy
import scree
from program import BALL, BOXES, HEAP, SOURCE, ProgramTest, main


class Runs(ProgramTest):

    def test_a_run_of_the_program_is_read(self):
        self.scree("run", self.write_scene(BOXES), "--out", "run", "--no-pictures", status=None)
        run = scree.open(self.directory / "run")
        self.assertEqual(run.status, "done")
        self.assertEqual(run.objections, [])
        self.assertEqual(run.manifest, self.manifest("run"))
        self.assertEqual(run.verdict, self.verdict("run"))
        rows, table = self.statistics("run"), run.statistics
        self.assertEqual(list(table.dtype.names), list(rows[0]))
        for name in rows[0]:
            expected = [
                int(row[name], 16) if name == "state_hash" else float(row[name]) for row in rows
            ]
            self.assertEqual(table[name].tolist(), expected, name)

    def test_runs_of_each_version_are_read(self):
        for kept in (SOURCE / "tests/data/versions").iterdir():
            run = scree.open(kept / "run")
            self.assertEqual((run.status, run.objections), ("done", []), kept)
            self.assertEqual(run.manifest["version"], kept.name)
            self.assertEqual(run.statistics["step"][-1], 80)
            self.assertEqual(len(run.frames[-1].grains), 33)
            self.assertGreater(len(run.frames[-1].contacts), 30)

    def test_frames_are_what_the_simulation_was(self):
        run = scree.run(BOXES, self.directory / "run")
        frames = run.frames
        numpy.testing.assert_allclose(frames.times, [0, 0.02, 0.04, 0.06, 0.08, 0.1], atol=1e-15)
        sim = scree.Simulation(BOXES)
        sim.run(until=0.06)
        frame = frames.at(0.061)
        grains = frame.grains
        order = numpy.argsort(sim.ids)
        self.assertEqual((grains.time, grains.step, len(grains)), (0.06, 120, 21))
        for name in ("ids", "positions", "orientations", "velocities", "angular_velocities",
                     "radii", "masses", "materials"):
            numpy.testing.assert_array_equal(getattr(grains, name), getattr(sim, name)[order], name)
        contacts, expected = frame.contacts, sim.contacts
        self.assertGreater(len(contacts), 0)
        for name in contacts.dtype.names:
            if name != "angular_impulse":
                numpy.testing.assert_array_equal(contacts[name], expected[name], name)

    def test_columns_are_plotted_against_time(self):
        self.need_matplotlib()
        run = scree.run(BALL, self.directory / "run")
        axes = run.plot("kinetic_energy", "dissipated_energy")
        table, line = run.statistics, axes.get_lines()[0]
        self.assertEqual(axes.get_xlabel(), "Time [ms]")
        numpy.testing.assert_allclose(line.get_xdata(), 1e3 * table["time"])
        numpy.testing.assert_allclose(line.get_ydata() / line.get_ydata().max(),
                                      table["kinetic_energy"] / table["kinetic_energy"].max())
        self.assertIs(run.plot("force_z", table="obstacles", of="floor", axes=axes), axes)
        for error, columns, options in ((KeyError, ["wit"], {}), (ValueError, [
                "time", "kinetic_energy"
        ], {}), (ValueError, ["bodies"], {"of": "floor"}), (KeyError, ["force_z"],
                                                            {"table": "obstacles", "of": "roof"})):
            with self.assertRaises(error):
                run.plot(*columns, **options)

    def test_bodies_are_shown(self):
        self.need_matplotlib()
        run = scree.run(BALL, self.directory / "run")
        figure = run.show(time=0.04, size=(320, 200), region=[[-1, -1, -1], [1, 1, 1]])
        self.assertEqual((figure.get_size_inches() * figure.dpi).round().tolist(), [320, 200])
        picture = figure.axes[0].get_images()[0].get_array()
        self.assertGreater(numpy.count_nonzero(picture.min(axis=2) < 200), 100)

    def need_matplotlib(self):
        for module in ("matplotlib", "vtkmodules"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"{module} is not installed")
        import matplotlib
        matplotlib.use("Agg")

    def test_the_same_bits_as_the_program(self):
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "program", "--no-pictures")
        run = scree.run(scene, self.directory / "package")
        numpy.testing.assert_array_equal(
            run.statistics["state_hash"],
            scree.open(self.directory / "program").statistics["state_hash"])
        self.assertEqual(run.verdict, self.verdict("program"))
        self.assertEqual(run.scene.resolved, scree.open(self.directory / "program").scene.resolved)

    def test_the_program_reproduces_a_run_and_its_manifest_says_what_ran(self):
        scene = self.write_scene(BALL)
        run = scree.run(scene, self.directory / "run", {"step.h": 2e-4})
        self.assertEqual(run.manifest["scene"]["file"], str(scene))
        self.assertEqual(run.manifest["scene"]["overrides"], ["step.h=0.0002"])
        self.scree("reproduce", "run")
        with self.assertRaises(scree.InputError):  # would remove the scene
            scree.run(run.directory / "scene.yaml", run.directory, old_run="replace")
        self.assertTrue((run.directory / "scene.yaml").exists())

    def test_a_run_that_is_there_is_refused_replaced_or_gone_on_with(self):
        directory = self.directory / "run"
        scree.run(BALL, directory)
        with self.assertRaisesRegex(scree.InputError, "run"):
            scree.run(BALL, directory)
        scree.run(BALL, directory, {"until": "0.05 s"}, old_run="replace")
        self.assertEqual(scree.open(directory).statistics["time"][-1], 0.05)
        run = scree.run(BALL, directory, {"until": "0.1 s"}, old_run="go_on")
        self.assertEqual(run.statistics["time"][-1], 0.1)
        sim = scree.Simulation(BALL)
        sim.run()
        self.assertEqual(run.statistics["state_hash"][-1], sim.state_hash)
        with self.assertRaisesRegex(scree.InputError, "old_run"):
            scree.run(BALL, directory, old_run="keep")

    def test_ctrl_c_leaves_a_run_that_can_be_gone_on_with(self):
        program = ("from program import HEAP\nimport scree\nprint('ready')\n"
                   "try:\n    scree.run(HEAP, 'run')\n"
                   "except KeyboardInterrupt:\n    print(scree.open('run').status)\n")
        with subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE,
                              text=True, env=os.environ, cwd=self.directory) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            while not (self.directory / "run/statistics.csv").exists():
                time.sleep(0.02)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        self.assertEqual(output, "interrupted\n")
        step = int(scree.open(self.directory / "run").statistics["step"][-1])
        until = f"{step + 20}e-4 s"
        run = scree.run(HEAP, self.directory / "run", {"until": until}, old_run="go_on")
        sim = scree.Simulation(HEAP, {"until": until})
        sim.run()
        self.assertEqual(run.statistics["state_hash"][-1], sim.state_hash)

    def test_an_analysis_is_that_of_the_program(self):
        run = scree.run(HEAP, self.directory / "run", {"until": "20 ms"})
        region = [[0, 0, 0], [0.05, 0.05, 0.05]]
        analysis = run.analyse(region=region, cells=(1, 1, 5), fields=(2, 1, 3), width=0.004,
                               drum="y", residence=True, heap=True, times=(None, 0.015))
        self.scree("analyse", "run", "--region", "0,0,0,0.05,0.05,0.05", "--cells", "1,1,5",
                   "--fields", "2,1,3", "--width", "0.004", "--drum", "y", "--residence", "--heap",
                   "--to", "0.015", "--out", "reported", "--no-pictures")
        self.assertIn("solid_fraction", analysis.names)
        for name in analysis.names:
            reported = (self.directory / "reported" / f"{name}.csv").read_bytes()
            self.assertEqual((analysis.directory / f"{name}.csv").read_bytes(), reported, name)
            self.assertGreater(len(analysis[name].dtype.names), 1)
        self.assertEqual(len(analysis["velocity_profile"]), 5)
        self.assertEqual(len(analysis["fields"]), 6)
        self.assertEqual(analysis.figures["last"]["bodies"], 1000)
        with self.assertRaises(KeyError):
            analysis["nothing"]
        with self.assertRaisesRegex(ValueError, "region has 3 numbers"):
            run.analyse(region=[0, 0, 0])

    def test_a_run_of_a_hundred_thousand_frames_opens_in_a_second(self):
        run = scree.run(BALL, self.directory / "run")
        series = run.directory / "grains.hdf.series"
        listed = json.loads(series.read_text(encoding="utf-8"))
        files = listed["files"]
        end = files[-1]["time"]
        count = 100_000
        listed["files"] = [{**files[-1], "time": end * k / (count - 1)} for k in range(count)]
        series.write_text(json.dumps(listed), encoding="utf-8")
        begin = time.process_time()
        frames = scree.open(run.directory).frames
        last = frames.at(end).grains
        self.assertLess(time.process_time() - begin, 1)
        self.assertEqual((len(frames), last.time), (count, end))

    def test_what_is_no_run_is_refused(self):
        with self.assertRaisesRegex(scree.InputError, "does not hold a run of scree"):
            scree.open(self.directory)
        run = scree.run(BALL, self.directory / "run")
        (self.directory / "run/verdict.json").write_text("{}")
        self.assertEqual(len(run.objections), 1)

    def test_a_row_that_is_not_complete_is_left_out(self):
        run = scree.run(BALL, self.directory / "run")
        rows = len(run.statistics)
        with open(run.directory / "statistics.csv", "a", encoding="utf-8") as file:
            file.write("0.2,20")
        self.assertEqual(len(run.statistics), rows)

    def test_warnings_of_a_run_are_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scree.run(BALL, self.directory / "run").analyse(region=[[1, 1, 1], [2, 2, 2]])
        self.assertIn("no body has its centre in the region",
                      " ".join(str(warning.message) for warning in caught))


class Batches(ProgramTest):
    OVER = {"default_law.friction": [0.2, numpy.float64(0.4)], "bodies[0].sphere.radius": "1cm,9mm"}

    def test_are_those_of_the_program(self):
        scene = self.write_scene(BALL)
        self.scree("batch", scene, "--over", "default_law.friction=0.2,0.4", "--over",
                   "bodies[0].sphere.radius=1cm,9mm", "--no-plot", "--out", "program", status=None)
        batch = scree.batch(scene, self.OVER, self.directory / "package", jobs=2)
        self.assertEqual((self.directory / "program/table.csv").read_text(),
                         (self.directory / "package/table.csv").read_text())
        self.assertEqual(batch.names, [
            "friction=0.2_radius=1cm", "friction=0.2_radius=9mm", "friction=0.4_radius=1cm",
            "friction=0.4_radius=9mm"
        ])
        table = batch.table
        numpy.testing.assert_array_equal(table["friction"], [0.2, 0.2, 0.4, 0.4])
        numpy.testing.assert_array_equal(table["radius"], [0.01, 0.009, 0.01, 0.009])
        self.assertEqual(set(table["status"]), {"done"})
        self.assertEqual(batch[1].verdict["time"], table["time"][1])
        self.assertEqual(batch["friction=0.4_radius=9mm"].status, "done")
        self.assertEqual(batch.parameters["radius"], "bodies[0].sphere.radius")

    def test_are_gone_on_with_and_opened(self):
        batch = scree.batch(BALL, {"default_law.friction": [0.2, 0.4]}, self.directory / "out")
        done = (batch[0].directory / "DONE").stat().st_mtime_ns
        again = scree.batch(BALL, {"default_law.friction": [0.2, 0.4]}, self.directory / "out")
        self.assertEqual((again[0].directory / "DONE").stat().st_mtime_ns, done)
        self.assertEqual(scree.open_batch(self.directory / "out").names, batch.names)
        with self.assertRaisesRegex(scree.InputError, "it varies"):
            scree.batch(BALL, {"default_law.friction": [0.2, 0.5]}, self.directory / "out")
        with self.assertRaisesRegex(scree.InputError, "is not the directory of a batch"):
            scree.open_batch(self.directory)
        with self.assertRaisesRegex(scree.InputError, "did you mean"):
            scree.batch(BALL, {"default_law.frction": [0.2]}, self.directory / "other")
        self.assertFalse((self.directory / "other").exists())

    def test_a_scene_that_was_read_keeps_its_values(self):
        scene = scree.Scene(BALL, {"until": "10 ms"})
        batch = scree.batch(scene, {"bodies[0].sphere.radius": [0.01, 0.012]},
                            self.directory / "out", columns=["last=statistics.csv:time"])
        numpy.testing.assert_array_equal(batch.table["last"], [0.01, 0.01])

    def test_ctrl_c_raises_and_leaves_a_batch_that_goes_on(self):
        scene = self.write_scene(HEAP.replace("until: 100 s", "until: 0.1 s"))
        program = f"""import scree
scree.batch({str(scene)!r}, {{"default_law.friction": "0.1:0.8:8"}}, "out", jobs=2)
"""
        process = subprocess.Popen([sys.executable, "-c", program], cwd=self.directory,
                                   stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list(self.directory.glob("out/*/log*")) and not list(
                self.directory.glob("out/*/statistics.csv")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        table = scree.open_batch(self.directory / "out").table
        self.assertIn("missing", set(table["status"]))
        self.assertLessEqual(set(table["status"]), {"missing", "interrupted", "done"})


if __name__ == "__main__":
    main()

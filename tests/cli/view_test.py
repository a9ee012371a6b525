"""The server of `scree view`: whom it answers, what it reads, and that it changes nothing."""

import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse
from pathlib import Path

from program import BALL, BOXES, HEAP, PROGRAM, ProgramTest, main
from views import Viewer, status_and_bytes


class ViewTest(ProgramTest):

    def ran(self, text=BALL, status=0):
        self.scree("run", self.write_scene(text), "--out", "out", "-q", "--no-pictures",
                   status=status)
        return self.directory / "out"


class TheServer(ViewTest):

    def test_gives_the_page_at_the_address_that_it_prints(self):
        viewer = Viewer(self, self.ran())
        self.assertRegex(viewer.address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
        page = viewer.ask("").decode()
        self.assertIn("<title>scree view</title>", page)
        self.assertNotRegex(page, r'(src|href)="?http')

    def test_refuses_addresses_without_the_whole_token(self):
        viewer = Viewer(self, self.ran())
        for token in ("", viewer.token[:-1], viewer.token + "0", "0" * 32, viewer.token.upper()):
            if token == viewer.token:
                continue
            for question in ("", "run?first_frame=0", "frame?frame=0&colour=speed"):
                self.assertEqual(status_and_bytes(f"{viewer.root}{token}/{question}")[0], 403)

    def test_gives_no_file_and_no_list_of_files(self):
        viewer = Viewer(self, self.ran())
        for path in ("manifest.json", "frames", "frames/", "../../etc/passwd",
                     "..%2f..%2fetc%2fpasswd", "%2e%2e/manifest.json"):
            self.assertIn(status_and_bytes(viewer.address + path)[0], (400, 403, 404), path)

    def test_listens_to_this_machine_alone(self):
        viewer = Viewer(self, self.ran())
        port = urllib.parse.urlsplit(viewer.address).port
        lines = Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]
        listening = [line.split() for line in lines]
        addresses = {
            cells[1] for cells in listening
            if cells[3] == "0A" and int(cells[1].split(":")[1], 16) == port
        }
        self.assertEqual(addresses, {f"0100007F:{port:04X}"})

    def test_serves_several_viewers_and_shares_no_port(self):
        run = self.ran()
        first = Viewer(self, run)
        second = Viewer(self, run)
        self.assertNotEqual(first.token, second.token)
        self.assertEqual(
            first.json("run", first_frame=0)["times"],
            second.json("run", first_frame=0)["times"])
        port = str(urllib.parse.urlsplit(first.address).port)
        refused = self.scree("view", run, "--port", port, "--no-browser", status=2)
        self.assertIn("in use", refused.stderr)

    def test_takes_the_port_that_is_asked_for(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        viewer = Viewer(self, self.ran(), "--port", str(port))
        self.assertIn(f":{port}/", viewer.address)

    def test_ends_in_order_at_ctrl_c(self):
        self.assertEqual(Viewer(self, self.ran()).end(), 0)

    def test_refuses_a_directory_without_a_run(self):
        refused = self.scree("view", self.directory, status=2)
        self.assertIn("manifest.json", refused.stderr)


class TheAnswers(ViewTest):

    def test_leave_the_run_as_it_was(self):
        run = self.ran()
        before = self.everything(), self.times(run)
        viewer = Viewer(self, run)
        viewer.json("run", first_frame=0)
        viewer.frame(1, contacts=1)
        viewer.json("series", table="statistics", column="kinetic_energy")
        self.assertEqual((self.everything(), self.times(run)), before)

    def times(self, run):
        return {path: path.stat().st_mtime_ns for path in run.rglob("*")}

    def test_have_the_numbers_of_the_files(self):
        viewer = Viewer(self, self.ran())
        last = len(viewer.json("run", first_frame=0)["times"]) - 1
        body = viewer.json("body", frame=last, id=0)
        self.assertEqual(body["material"], "steel")
        self.assertEqual(body["radius"], 0.01)
        contact = body["contacts"][0]
        self.assertEqual((contact["b"]["name"], contact["law"]), ("floor", "coulomb"))
        weight = body["mass"] * 9.81
        self.assertAlmostEqual(contact["force"], weight, delta=0.01 * weight)
        self.assertEqual(viewer.json("contact", frame=last, contact=contact["contact"]), contact)
        self.assertEqual(viewer.json("body", frame=last, row=body["row"]), body)

    def test_describe_frames_by_header_and_columns(self):
        viewer = Viewer(self, self.ran(BOXES))
        header = viewer.frame(2, colour="largest_force", contacts=1)
        self.assertEqual(header["bodies"], 21)
        names = [column["name"] for column in header["columns"]]
        for name in ("position", "radius", "mesh", "orientation", "half_extent", "value",
                     "obstacle_points", "chain_ends"):
            self.assertIn(name, names)
        again = viewer.frame(3, known_obstacles=header["obstacles"]["key"])
        self.assertNotIn("obstacle_points", [column["name"] for column in again["columns"]])

    def test_keep_the_peaks_of_long_series(self):
        run = self.ran()
        rows = "".join(f"{k},{k},{1 if k == 4321 else 0}\n" for k in range(10000))
        (run / "statistics.csv").write_text("time,step,spike\n" + rows)
        series = Viewer(self, run).json("series", table="statistics", column="spike")["series"][0]
        self.assertEqual(series["highest"], {"time": 4321, "value": 1})
        self.assertLessEqual(len(series["values"]), 2000)
        self.assertEqual(series["times"][series["values"].index(1)], 4321)

    def test_have_a_series_for_each_part(self):
        viewer = Viewer(self, self.ran())
        answer = viewer.json("series", table="obstacles", column="force_z")
        self.assertEqual([series["owner"] for series in answer["series"]], ["floor"])

    def test_say_what_is_wrong_with_a_question(self):
        viewer = Viewer(self, self.ran())
        for question, parameters in (("frame", {"frame": 99, "colour": "speed"}), ("frame", {
                "frame": "-1", "colour": "speed"
        }), ("frame", {"frame": 0,
                       "colour": "taste"}), ("body", {"frame": 0, "id": 99
                                                      }), ("contact", {"frame": 0, "contact": 99}),
                                     ("series", {"table": "manifest", "column": "x"}),
                                     ("series", {"table": "statistics",
                                                 "column": "x"}), ("run", {"first_frame": "x"})):
            self.assertEqual(viewer.status(question, **parameters), 422, question)


class UnusualRuns(ViewTest):

    def test_a_damaged_frame_is_refused_and_the_others_are_shown(self):
        run = self.ran()
        frame = run / "frames" / "grains_000001.hdf"
        frame.write_bytes(frame.read_bytes()[:1000])
        viewer = Viewer(self, run)
        self.assertEqual(viewer.status("frame", frame=1, colour="speed"), 422)
        self.assertIn(b"damaged", viewer.ask("frame", frame=1, colour="speed"))
        self.assertEqual(viewer.frame(2)["bodies"], 1)

    def test_a_frame_behind_a_link_out_of_the_run_is_refused(self):
        run = self.ran()
        frame = run / "frames" / "grains_000001.hdf"
        outside = self.directory / "outside.hdf"
        shutil.move(frame, outside)
        frame.symlink_to(outside)
        viewer = Viewer(self, run)
        self.assertIn(b"outside of the run", viewer.ask("frame", frame=1, colour="speed"))

    def test_a_run_without_bodies_is_shown(self):
        text = re.sub(r"bodies:\n.*\n", "bodies: []\n", BALL)
        viewer = Viewer(self, self.ran(text))
        self.assertEqual(viewer.frame(0)["bodies"], 0)

    def test_frames_that_the_series_lacks_after_a_kill_are_found(self):
        run = self.ran()
        series = run / "grains.hdf.series"
        times = Viewer(self, run).json("run", first_frame=0)["times"]
        series.unlink()
        self.assertEqual(Viewer(self, run).json("run", first_frame=0)["times"], times)

    def test_a_run_in_progress_gets_new_frames(self):
        scene = self.write_scene(HEAP.replace("frame_interval: 1 s", "frame_interval: 1 ms"))
        program = subprocess.Popen(
            [PROGRAM, "run", str(scene), "--out", "out", "-q"], cwd=self.directory)
        self.addCleanup(program.wait)
        self.addCleanup(program.send_signal, signal.SIGTERM)
        run = self.directory / "out"
        self.wait_for(lambda: (run / "frames" / "grains_000000.hdf").exists())
        viewer = Viewer(self, run)
        count = len(viewer.json("run", first_frame=0)["times"])
        self.wait_for(lambda: viewer.json("run", first_frame=count)["times"])
        description = viewer.json("run", first_frame=count)
        self.assertEqual(description["outcome"], "open")
        self.assertEqual(viewer.frame(count)["time"], description["times"][0])

    def wait_for(self, condition):
        until = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)


if __name__ == "__main__":
    main()

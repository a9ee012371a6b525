"""Runs of all kinds are shown without an error in the browser's console."""

import os
import re
import time

from browser import BrowserTest
from program import BALL, BOXES, SOURCE, main

MILLION = """scree: 1
name: million
until: 0.1 ms
step: {h: 0.1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - lattice: {region: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1 cm, radius: 4.9 mm}
output: {contacts: false}
"""


class ThePage(BrowserTest):

    def shown(self, run, frame=0):
        """Opens a run, shows a frame, and fails if the picture has no more than a few colours."""
        self.open(run)
        self.show_frame(frame)
        self.assertGreater(self.colours_in_picture(), 20)

    def test_shows_a_drum_from_stl(self):
        self.shown(self.run_of(SOURCE / "scenes" / "drum_from_stl.yaml", "--until", "0.1 s"), 2)

    def test_shows_a_channel(self):
        run = self.run_of(SOURCE / "scenes" / "channel_quick.yaml", "--until", "5 ms", status=None)
        self.shown(run, 1)

    def test_shows_a_robot(self):
        self.shown(self.run_of(SOURCE / "scenes" / "quadruped.yaml", "--until", "0.1 s"), 5)

    def test_shows_boxes(self):
        self.shown(self.run_of(self.write_scene(BOXES)), 3)

    def test_shows_clumps_and_other_solids(self):
        self.shown(self.run_of(SOURCE / "scenes" / "solids.yaml", "--until", "0.1 s"), 5)
        self.shown(
            self.run_of(SOURCE / "scenes" / "clumps.yaml", "--until", "0.05 s", "--force",
                        status=None), 1)

    def test_shows_a_million_grains(self):
        run = self.run_of(self.write_scene(MILLION))
        start = time.monotonic()
        self.open(run)
        self.assertGreater(self.colours_in_picture(), 20)
        seconds = time.monotonic() - start
        print(f"a million grains were shown after {seconds:.1f} s")
        self.assertLess(seconds, 30, "5 s on an idle machine of two cores")
        self.turns_coarsely_and_is_fine_at_rest()

    def turns_coarsely_and_is_fine_at_rest(self):
        share = "const p = document.getElementById('picture'); return p.width / p.clientWidth"
        self.click("turn")
        self.wait_for(lambda: self.script(share) < 0.8)
        self.click("turn")
        self.wait_for(lambda: self.script(share) == 1)

    def test_opens_a_run_of_ten_thousand_frames(self):
        run = self.run_of(self.write_scene(BALL))
        for k in range(10000):
            file = run / "frames" / f"grains_{k:06}.hdf"
            if not file.exists():
                os.link(run / "frames" / "grains_000000.hdf", file)
        files = ",".join(f'{{"name": "frames/grains_{k:06}.hdf", "time": {k}}}'
                         for k in range(10000))
        (run /
         "grains.hdf.series").write_text(f'{{"file-series-version": "1.0", "files": [{files}]}}')
        start = time.monotonic()
        self.open(run)
        seconds = time.monotonic() - start
        print(f"a run of ten thousand frames was open after {seconds:.1f} s")
        self.assertIn("of 10000", self.text("time-text"))
        self.assertLess(seconds, 10, "1 s on an idle machine of two cores")

    def test_shows_a_failed_run_and_says_why(self):
        field = "fields:\n  - {name: well, force: [0, 0, 'z < 0.015 ? (z-z)/(z-z) : 0']}\n"
        run = self.run_of(self.write_scene(BALL + field), status=3)
        self.shown(run)
        self.assertIn("failed", self.text("outcome"))
        self.assertIn("nan", self.text("verdict"))

    def test_shows_a_run_without_bodies(self):
        self.open(self.run_of(self.write_scene(re.sub(r"bodies:\n.*\n", "bodies: []\n", BALL))))
        self.wait_for(lambda: "0 bodies" in self.text("drawn"))

    def test_says_which_frame_is_damaged_and_shows_the_others(self):
        run = self.run_of(self.write_scene(BALL))
        frame = run / "frames" / "grains_000002.hdf"
        frame.write_bytes(frame.read_bytes()[:2000])
        self.open(run)
        self.show_frame(1)
        self.click("next")
        self.wait_for(lambda: "damaged" in self.text("notice"))
        self.click("next")
        self.wait_for_frame(3)
        self.assertEqual(self.text("notice"), "")

    def test_follows_a_run_until_the_viewer_ends(self):
        viewer = self.open(self.run_of(self.write_scene(BALL)))
        viewer.end()
        self.click("next")
        self.wait_for(lambda: "The viewer has ended" in self.text("notice"))
        self.require_no_complaint(allowed="ERR_CONNECTION")


if __name__ == "__main__":
    main()

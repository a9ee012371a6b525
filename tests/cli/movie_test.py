"""scree movie and scree picture: files, sizes, and refused input."""

import shutil

from program import BALL, ProgramTest, main
from readers_test import need, png_size


class SpaceTest(ProgramTest):

    def setUp(self):
        super().setUp()
        for package, module in (("python3-matplotlib", "matplotlib"), ("python3-h5py", "h5py"),
                                ("python3-vtk9", "vtkmodules")):
            need(self, package, module)
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not installed: apt install xvfb")

    def ran(self, extra="", *arguments):
        self.scree("run", self.write_scene(BALL + extra), "--out", "run", "-q", *arguments)
        return self.directory / "run"


class Pictures(SpaceTest):

    def test_have_the_size_and_the_place_that_were_asked_for(self):
        run = self.ran()
        self.scree("picture", run, "--time", "0.04", "--size", "320,200", "--colour", "material")
        self.assertEqual(png_size(run / "picture.png"), (320, 200))
        self.scree("picture", run, "--frame=-2", "--camera-from=0,-1,0", "--field-of-view", "0",
                   "--out", "other/p.pdf")
        self.assertTrue((self.directory / "other/p.pdf").read_bytes().startswith(b"%PDF"))

    def test_with_options_that_cannot_be_are_refused(self):
        run = self.ran()
        for options, words in ((["--region=0,0,0,1,-1,1"], "first corner"), (["--limits", "2,1"],
                                                                             "below the second"),
                               (["--camera-from=1,0,0", "--camera-to=1,0,0"], "same point"),
                               (["--colour",
                                 "smell"], "--colour"), (["--frame", "1", "--time",
                                                          "0"], "--time")):
            self.assertIn(words, self.scree("picture", run, *options, status=2).stderr)
        self.assertIn("not", self.scree("picture", "nowhere", status=2).stderr)
        self.assertIn("there is no frame 99",
                      self.scree("picture", run, "--frame", "99", status=4).stderr)
        self.assertFalse((run / "picture.png").exists())


class Movies(SpaceTest):

    def setUp(self):
        super().setUp()
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed: apt install ffmpeg")

    def test_are_drawn_after_a_run_or_during_it(self):
        run = self.ran("  movie: {format: webm, size: [160, 90], camera: {orbit: 90 deg}}\n")
        self.assertTrue((run / "pictures/movie.webm").exists())
        self.assertIn("pictures/movie.webm", self.manifest("run")["outputs"])
        self.scree("movie", run, "--size", "160,91", "--every", "3")
        self.assertIn(b"ftyp", (run / "movie.mp4").read_bytes()[:12])

    def test_of_a_run_go_with_the_run(self):
        run = self.ran("  movie: {size: [160, 90]}\n")
        self.assertTrue((run / "pictures/movie.mp4").exists())
        self.scree("run", self.write_scene(BALL), "--out", "run", "-q", "--force")
        self.assertFalse((run / "pictures").exists())

    def test_have_only_frames_in_their_time(self):
        run = self.ran()
        self.scree("movie", run, "--from", "0.03", "--to", "0.07", "--out", "images", "--size",
                   "160,90")
        self.assertEqual(sorted(p.name for p in (self.directory / "images").iterdir()),
                         ["frame_000000.png", "frame_000001.png"])
        self.assertIn("swap", self.scree("movie", run, "--from", "1", "--to", "0", status=2).stderr)


if __name__ == "__main__":
    main()

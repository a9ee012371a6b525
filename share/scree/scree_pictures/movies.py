"""Movies and pictures in space: frames of a run, drawn into files."""

import shutil
import subprocess
import time

import matplotlib.pyplot as plt
import numpy as np

from .run_files import DamagedFrame
from .screen import Screen
from .style import PictureError
from .views import Views

GRAINS_SIZE = (1280, 800)
MOVIE_SIZE = (1920, 1080)
FRAMES_PER_SECOND = 25
INSTALL = "run apt install ffmpeg"
# Options of ffmpeg by the suffix of the file.
ENCODERS = {
    ".mp4": ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p",
             "-movflags", "+faststart"],
    ".webm": ["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-deadline", "realtime",
              "-cpu-used", "6", "-row-mt", "1", "-pix_fmt", "yuv420p"],
    ".gif": ["-filter_complex",
             "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none"],
    ".webp": ["-c:v", "libwebp", "-quality", "60", "-compression_level", "6", "-loop", "0"]
}  # yapf: disable
PROGRESS_INTERVAL = 10  # [s]


class Encoder:
    """A movie of images of one size, written by ffmpeg."""

    def __init__(self, path, size, rate):
        # The suffix stays last, since ffmpeg goes by it.
        self.path, self.temporary = path, path.with_suffix(".part" + path.suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [
            "ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
            f"{size[0]}x{size[1]}", "-r", f"{rate:g}", "-i", "-", *ENCODERS[path.suffix],
            str(self.temporary)
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)

    def add(self, image):
        try:
            self.process.stdin.write(np.ascontiguousarray(image).tobytes())
        except BrokenPipeError:
            raise self._failure() from None

    def _failure(self):
        lines = self.process.stderr.read().decode(errors="replace").strip().splitlines()
        return PictureError(f"ffmpeg failed: {lines[-1] if lines else 'without a message'}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.process.kill()
        self.process.stdin.close()
        with self.process.stderr:
            failed = self.process.wait() != 0 or kind is not None
            if not failed:
                self.temporary.replace(self.path)
                return
            self.temporary.unlink(missing_ok=True)
            if kind is None:
                raise self._failure()


class Images:
    """Numbered images in a directory, for where there is no ffmpeg."""

    def __init__(self, directory):
        self.path, self.count = directory, 0
        directory.mkdir(parents=True, exist_ok=True)
        for old in directory.glob("frame_[0-9]*.png"):
            old.unlink()

    def add(self, image):
        plt.imsave(self.path / f"frame_{self.count:06}.png", np.ascontiguousarray(image))
        self.count += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def has_ffmpeg():
    return shutil.which("ffmpeg") is not None


def sink_of(path, size, rate):
    """Where the images go: a movie, or a directory for a path without suffix."""
    if not path.suffix:
        return Images(path)
    if path.suffix not in ENCODERS:
        raise PictureError(f"{path}: a movie ends in {', '.join(ENCODERS)}; a name without an end "
                           "is a directory of PNG files")
    if has_ffmpeg():
        return Encoder(path, size, rate)
    directory = path.with_suffix("")
    print(f"warning: ffmpeg is not installed, so the movie goes to {directory} as numbered PNG "
          f"files; for {path.name}, {INSTALL}, and draw it again")
    return Images(directory)


def chosen_frames(run, options):
    first, last = options.get("first", -np.inf), options.get("last", np.inf)
    frames = [f for f in run.frames() if first <= f[1] <= last][::options.get("every", 1)]
    if not frames:
        raise PictureError("there are no frames at these times; scree info lists the frames")
    return frames


def say_what_is_missing(run, options):
    if options.get("parts", True) and run.lacks_parts():
        print("warning: no obstacles are drawn, since the run has no frames of them; run the scene "
              "again with output.obstacles: true")


def draw_movie(run, options, path):
    """Draws the movie of a run; returns the path that was written."""
    say_what_is_missing(run, options)
    width, height = options.get("size", MOVIE_SIZE)
    size = width // 2 * 2, height // 2 * 2  # encoders need even numbers
    frames = chosen_frames(run, options)
    begin = said = time.monotonic()
    with Screen(), Views(run, frames, options, size) as views, \
            sink_of(path, size, options.get("rate", FRAMES_PER_SECOND)) as sink:
        for k in range(len(frames)):
            try:
                views.draw(k)
            except DamagedFrame as error:
                print(f"warning: the movie lacks a frame: {error}")
                continue
            sink.add(views.sheet.pixels())
            if time.monotonic() > said + PROGRESS_INTERVAL:
                said = time.monotonic()
                print(f"frame {k + 1} of {len(frames)}, {(said - begin) / (k + 1):.2f} s each",
                      flush=True)
    return sink.path


def draw_grains(run, options, path):
    """Draws one frame of a run."""
    say_what_is_missing(run, options)
    size = options.get("size", GRAINS_SIZE)
    with Screen(), Views(run, [run.chosen_frame(options)], options, size) as views:
        views.draw(0)
        views.sheet.figure.savefig(path)
    plt.close(views.sheet.figure)
    return path

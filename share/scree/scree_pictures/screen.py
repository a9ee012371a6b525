"""An X screen for VTK: the user's, or a virtual one of Xvfb."""

import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from .style import PictureError

LONGEST_START = 30  # of Xvfb [s]


class Screen:
    """Screen that lasts as long as its `with` block. All VTK windows must be closed within."""

    def __enter__(self):
        self.server = None
        if os.environ.get("DISPLAY"):
            return self
        if not shutil.which("Xvfb"):
            raise PictureError(
                "there is no screen, and Xvfb is not installed; run apt install xvfb")
        self.directory = tempfile.TemporaryDirectory(prefix="scree-")
        key = Path(self.directory.name) / "key"
        key.write_bytes(_key())
        number, other_end = os.pipe()
        # Xvfb finds a free number by itself, and writes it into the pipe.
        self.server = subprocess.Popen([
            "Xvfb", "-displayfd",
            str(other_end), "-auth",
            str(key), "-screen", "0", "64x64x24", "-nolisten", "tcp", "-terminate"
        ], pass_fds=[other_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
        os.close(other_end)
        with os.fdopen(number) as pipe:
            display = pipe.readline().strip()
        if not display:
            self.server.wait(LONGEST_START)
            raise PictureError("Xvfb does not start; run Xvfb :99 to see the reason")
        self.before = os.environ.get("XAUTHORITY")
        os.environ.update(DISPLAY=f":{display}", XAUTHORITY=str(key))
        return self

    def __exit__(self, *_):
        if self.server is None:
            return
        del os.environ["DISPLAY"], os.environ["XAUTHORITY"]
        if self.before is not None:
            os.environ["XAUTHORITY"] = self.before
        self.server.terminate()
        self.server.wait()
        self.directory.cleanup()


def _key():
    """File of authority with a random key for any display, so that no other user sees the screen.
    """
    any_family, name, key = 0xFFFF, b"MIT-MAGIC-COOKIE-1", os.urandom(16)

    def counted(text):
        return struct.pack(">H", len(text)) + text

    return struct.pack(">H", any_family) + b"".join(map(counted, (b"", b"", name, key)))

"""An X screen for VTK: the user's, or a virtual one of Xvfb."""

import os
import shutil
import socket
import struct
import subprocess
import tempfile
from pathlib import Path

from .style import PictureError

LONGEST_START = 30  # of Xvfb [s]
TRIES = 5  # to start it
COOKIE = b"MIT-MAGIC-COOKIE-1"


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
        cookie = os.urandom(16)
        key.write_bytes(_key(cookie))
        # Two servers that start at the same moment may take one number: one cannot be reached.
        for _ in range(TRIES):
            display = self.start(key)
            self.client = _connected(display, cookie)
            if self.client:
                break
            self.stop()
        else:
            raise PictureError("Xvfb starts, and cannot be reached; try again")
        self.before = os.environ.get("XAUTHORITY")
        os.environ.update(DISPLAY=f":{display}", XAUTHORITY=str(key))
        return self

    def start(self, key):
        """Starts Xvfb, and returns the number of its display."""
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
        return display

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def __exit__(self, *_):
        if self.server is None:
            return
        del os.environ["DISPLAY"], os.environ["XAUTHORITY"]
        if self.before is not None:
            os.environ["XAUTHORITY"] = self.before
        self.client.close()
        self.stop()
        self.directory.cleanup()


def _connected(display, cookie):
    """A client of the display, or None. Xvfb ends with its last client, so this one stays."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(LONGEST_START)
    try:
        client.connect(f"\0/tmp/.X11-unix/X{display}")
        hello = struct.pack("<BxHHHHxx", ord("l"), 11, 0, len(COOKIE), len(cookie))
        client.sendall(hello + COOKIE + bytes(-len(COOKIE) % 4) + cookie)
        if client.recv(1) == b"\1":
            return client
    except OSError:
        pass
    client.close()
    return None


def _key(cookie):
    """File of authority with a key for any display, so that no other user sees the screen."""
    any_family = 0xFFFF

    def counted(text):
        return struct.pack(">H", len(text)) + text

    return struct.pack(">H", any_family) + b"".join(map(counted, (b"", b"", COOKIE, cookie)))

"""A viewer that runs during a test, and its answers as the page receives them."""

import json
import signal
import struct
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from program import PROGRAM


class Viewer:
    """`scree view` of a run; ends with the test."""

    def __init__(self, test, run, *options):
        self.process = subprocess.Popen(
            [PROGRAM, "view", str(run), "--no-browser", *options], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.end)
        self.address = self.process.stdout.readline().strip()
        test.assertTrue(self.address, "the viewer printed no address")

    def end(self):
        """Ends the viewer as Ctrl-C does, and returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    @property
    def root(self):
        """The address without its token."""
        return self.address.rsplit("/", 2)[0] + "/"

    @property
    def token(self):
        return self.address.rsplit("/", 2)[1]

    def ask(self, question, **parameters):
        """Bytes of an answer."""
        return status_and_bytes(f"{self.address}{question}?{urllib.parse.urlencode(parameters)}")[1]

    def status(self, question, **parameters):
        return status_and_bytes(f"{self.address}{question}?{urllib.parse.urlencode(parameters)}")[0]

    def json(self, question, **parameters):
        return json.loads(self.ask(question, **parameters))

    def frame(self, number, **parameters):
        """Header of a frame."""
        message = self.ask("frame", frame=number, **{"colour": "speed", **parameters})
        length = struct.unpack("<I", message[:4])[0]
        return json.loads(message[4:4 + length])


def status_and_bytes(address):
    try:
        with urllib.request.urlopen(address, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()

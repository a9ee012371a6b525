"""The committed page is what its sources make, byte by byte, and its lock file names no host."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
VIEWER = SOURCE / "viewer"
PAGE = SOURCE / "share" / "scree" / "viewer.html"
LACK = ("Node.js is missing" if not shutil.which("node") else "" if
        (VIEWER / "node_modules").is_dir() else "viewer/node_modules is missing: ./dev viewer")


class ThePage(unittest.TestCase):

    @unittest.skipIf(LACK, LACK)
    def test_is_the_bundle_of_its_sources(self):
        with tempfile.TemporaryDirectory() as directory:
            made = Path(directory) / "viewer.html"
            subprocess.run(["node", "build.mjs", made], cwd=VIEWER, check=True)
            self.assertEqual(made.read_bytes(), PAGE.read_bytes(), "run ./dev viewer")

    def test_loads_nothing(self):
        text = PAGE.read_text(encoding="utf-8")
        self.assertNotRegex(text, r'<(script|link|img)[^>]* (src|href)="(?!data:)')
        self.assertIn("default-src 'none'", text)

    def test_has_a_lock_file_without_hosts(self):
        lock = (VIEWER / "package-lock.json").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r'"resolved"|https?:', lock), [])


if __name__ == "__main__":
    RESULT = unittest.main(exit=False).result
    sys.exit(1 if not RESULT.wasSuccessful() else 77 if RESULT.skipped else 0)

"""mypy finds no mistake in the types of the package, nor in programs that use it."""

import os
import subprocess
import unittest

from guide_test import PROGRAMS
from program import SOURCE, ProgramTest, main

MYPY = "/usr/bin/mypy"


@unittest.skipUnless(os.path.exists(MYPY), "there is no mypy; apt install mypy")
class Types(ProgramTest):

    def mypy(self, *arguments):
        result = subprocess.run([MYPY, "--ignore-missing-imports", *arguments], capture_output=True,
                                cwd=self.directory, text=True, timeout=300, check=False,
                                env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_of_the_package_are_complete(self):
        self.mypy("--disallow-untyped-defs", "--disallow-incomplete-defs", "-p", "scree")

    def test_fit_the_programs_of_the_guide(self):
        for number, (program, _) in enumerate(PROGRAMS):
            (self.directory / f"program_{number}.py").write_text(program, encoding="utf-8")
        self.mypy(*sorted(file.name for file in self.directory.glob("*.py")))

    def test_fit_the_programs_of_the_gallery_and_the_examples(self):
        self.mypy(*(str(file) for folder in ("docs/gallery", "python/examples")
                    for file in sorted((SOURCE / folder).glob("*.py"))))


if __name__ == "__main__":
    main()

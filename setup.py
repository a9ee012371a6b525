"""Makes the wheel: CMake builds the engine, setuptools packs the package, the program and its data.

SCREE_BUILD names a build to take, as build/release; without it CMake makes one in build/wheel.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import setuptools
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"^project\(scree VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)


def cmake(*words):
    subprocess.check_call(["cmake", *map(str, words)], cwd=ROOT)


def new_build():
    """Builds what the wheel holds, for the Python that runs this."""
    build = ROOT / "build/wheel"
    cmake("--preset", "release", "-B", build, "-D", f"Python_EXECUTABLE={sys.executable}", "-D",
          "SCREE_BUILD_BENCH=OFF")
    cmake("--build", build)
    return build


class Build(build_py):

    def run(self):
        build = os.environ.get("SCREE_BUILD") or new_build()
        stage = pathlib.Path(self.build_lib).resolve().parent / "stage"
        for old in (stage, self.build_lib):
            shutil.rmtree(old, ignore_errors=True)
        for component in ("python", "program"):
            cmake("--install", build, "--prefix", stage, "--component", component, "--strip")
        shutil.copytree(stage / "lib/python3/dist-packages", self.build_lib)
        # Below the prefix of the environment, where the program looks for its data.
        data = [file for top in ("bin", "share") for file in (stage / top).rglob("*")]
        self.distribution.data_files = [(str(file.parent.relative_to(stage)), [str(file)])
                                        for file in data if file.is_file()]


class Distribution(setuptools.Distribution):

    def has_ext_modules(self):
        return True


setuptools.setup(version=VERSION[1], packages=["scree"], package_dir={"scree": "python/scree"},
                 cmdclass={"build_py": Build}, distclass=Distribution)

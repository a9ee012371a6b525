"""Problem files, and `scree solve` on them, for its tests."""

import csv
import json
import shutil

from program import SOURCE, ProgramTest

DATA = SOURCE / "tests" / "data" / "fclib"
SPHERES, OBJECT, ROVER = (DATA / name for name in ("NESpheres_30_1.hdf5",
                                                   "OneObject-i1028-138.hdf5", "Rover3865.hdf5"))
BODIES = DATA / "LMGC_GlobalFrictionContactProblem00046.hdf5"
ALL = (BODIES, SPHERES, OBJECT, ROVER)
SOLVERS = ("auto", "gauss_seidel", "psor", "jacobi", "newton", "newton_fischer_burmeister",
           "interior_point", "apgd", "barzilai_borwein", "admm", "lemke")
LAWS = ("frictionless", "coulomb", "max_dissipation", "cone_complementarity", "polyhedral")


class SolveTest(ProgramTest):

    def solve(self, *arguments, status=0):
        """The result of one problem, or of several, as JSON."""
        return json.loads(self.scree("solve", *arguments, "--json", status=status).stdout)

    def rows(self, path):
        with open(self.directory / path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def place(self, *names):
        """A directory `problems` with copies of problem files: {name there: file}."""
        directory = self.directory / "problems"
        directory.mkdir()
        for name, path in names:
            shutil.copy(path, directory / name)
        return directory

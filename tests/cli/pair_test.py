"""scree pair: forces of a compliant law for a motion, and errors."""

import csv
import gzip
import io
from program import SOURCE, ProgramTest, main

PRESS_AND_SHEAR = SOURCE / "tests" / "data" / "yade" / "i_a_press_shear.csv.gz"
YADES = ("--law", "cundall_strack", "--k_n", "1e5", "--k_t", "3e4", "--friction", "0.4", "--radius",
         "5mm,5mm", "--h", "10us")
HEADER = "x1,y1,z1,x2,y2,z2,vx1,vy1,vz1,vx2,vy2,vz2\n"


class Pair(ProgramTest):

    def rows(self, text):
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]

    def written(self, text):
        path = self.directory / "motion.csv"
        path.write_text(text, newline="")
        return path

    def refuse(self, motion, options, *words):
        error = self.scree("pair", self.written(motion), *options, "--out", "forces.csv",
                           status=2).stderr
        for word in words:
            self.assertIn(word, error)
        self.assertFalse((self.directory / "forces.csv").exists())

    def test_gives_the_forces_that_yade_gave(self):
        ours = self.rows(
            self.scree("pair", PRESS_AND_SHEAR, *YADES, "--rotations", "first_order").stdout)
        with gzip.open(PRESS_AND_SHEAR, "rt") as file:
            theirs = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(len(ours), len(theirs))
        for column in ("un", "Fnx", "Fny", "Fnz", "Fsx", "Fsy", "Fsz", "fx1", "fz2", "ty1", "tx2"):
            largest = max(abs(row[column]) for row in theirs) or 1
            difference = max(abs(a[column] - b[column]) for a, b in zip(ours, theirs))
            self.assertLess(difference, 1e-12 * largest, column)

    def test_writes_every_nth_row_with_the_number_of_its_step(self):
        rows = self.rows(self.scree("pair", PRESS_AND_SHEAR, *YADES, "--every", "100").stdout)
        self.assertEqual([row["iter"] for row in rows[:3]], [0, 100, 200])

    def test_books_where_the_work_went(self):
        for row in self.rows(self.scree("pair", PRESS_AND_SHEAR, *YADES).stdout):
            books = sum(row[key] for key in ("elastic_normal", "elastic_shear", "elastic_moment",
                                             "damped", "slid", "rolled"))
            self.assertAlmostEqual(books, -row["work"], delta=1e-15)
        self.assertGreater(row["slid"], 1e-6)

    def test_has_no_dashpot_unless_it_is_asked_for(self):
        plain = self.scree("pair", PRESS_AND_SHEAR, *YADES).stdout
        for none in (("--restitution", "1"), ("--normal_damping", "0")):
            self.assertEqual(self.scree("pair", PRESS_AND_SHEAR, *YADES, *none).stdout, plain)
        damped = self.scree("pair", PRESS_AND_SHEAR, *YADES, "--normal_damping", "10").stdout
        lost, little = (self.rows(text)[-1]["damped"] for text in (damped, plain))
        self.assertGreater(lost, 100 * abs(little))

    def test_draws_beside_the_forces_if_no_file_is_named(self):
        self.scree("pair", PRESS_AND_SHEAR, *YADES, "--out", "forces.csv", "--plot")
        self.assertTrue((self.directory / "forces.png").read_bytes().startswith(b"\x89PNG"))

    def test_takes_a_wall(self):
        motion = HEADER + "".join(f"0,0,0,0,0,{0.01 - 1e-6 * k},0,0,0,0,0,-0.1\n"
                                  for k in range(20))
        rows = self.rows(
            self.scree("pair", self.written(motion), "--law", "cundall_strack", "--k_n", "1e4",
                       "--k_t", "1e3", "--friction", "0.3", "--radius", "1 cm", "--h", "10 us",
                       "--wall").stdout)
        self.assertAlmostEqual(rows[-1]["fz2"], 1e4 * 19e-6, delta=1e-12)
        self.assertAlmostEqual(rows[-1]["fz1"], -1e4 * 19e-6, delta=1e-12)

    def test_gives_a_wall_the_moduli_of_the_sphere_or_its_own(self):
        motion = self.written(HEADER + 2 * "0,0,0,0,0,0.00499,0,0,0,0,0,0\n")

        def force(*options):
            rows = self.rows(
                self.scree("pair", motion, "--law", "hertz_mindlin", "--young", "1e9", "--poisson",
                           "0.25", "--friction", "0.3", "--radius", "5mm", "--h", "1us", "--wall",
                           *options).stdout)
            return rows[-1]["fz2"]

        def hertz(*moduli):  # 4/3 E* sqrt(R) overlap^(3/2), 1/E* the sum
            compliance = sum((1 - poisson**2) / young for young, poisson in moduli)
            return 4 / 3 / compliance * 5e-3**0.5 * 1e-5**1.5

        sphere = (1e9, 0.25)
        for options, moduli in (((), (sphere, sphere)), (("--wall_young", "rigid"), (sphere,)),
                                (("--wall_young", "3 GPa"),
                                 (sphere, (3e9, 0.25))), (("--wall_young", "3e9", "--wall_poisson",
                                                           "0.4"), (sphere, (3e9, 0.4)))):
            self.assertAlmostEqual(force(*options) / hertz(*moduli), 1, delta=1e-9)

    def test_refuses_bad_rows_by_their_lines(self):
        good = "0,0,0,0,0,0.02,0,0,0,0,0,0\n"
        self.refuse(HEADER + good + "0,0,0,0,0,nan,0,0,0,0,0,0\n", YADES, "line 3", "column z2")
        self.refuse(HEADER + good + "0,0,0\n", YADES, "line 3", "found 3 columns")
        self.refuse("x1,y1\n", YADES, "missing", "z1")
        self.refuse("", YADES, "is empty")

    def test_refuses_rows_that_are_not_one_step_apart(self):
        thinned = SOURCE / "tests" / "data" / "yade" / "ii_a_slide_roll.csv.gz"
        error = self.scree("pair", thinned, *YADES, status=2).stderr
        for words in ("line 3", "t is 0.0001 s", "--h is 1e-05 s", "each row must be one step"):
            self.assertIn(words, error)
        self.assertNotIn("line 4", error)  # reported once
        motion = "0,0,0,0,0,0.02,0,0,0,0,0,0\n"

        def rows(columns, values):
            head = columns + HEADER
            return head + "".join(value + motion for value in values)

        self.refuse(rows("iter,", ("0,", "1,", "3,")), YADES, "line 4", "from 1 to 3")
        self.refuse(rows("iter,t,", ("0,0,", "1,1e-4,")), YADES, "line 3", "t is 0.0001 s")
        slower = [f"{k},{k * 1.002e-5}," for k in range(9)]
        self.refuse(rows("iter,t,", slower), YADES, "line 3")
        slightly = [f"{k * 1.0002e-5}," for k in range(9)]  # seen when it has summed up
        self.refuse(rows("t,", slightly), YADES, "line 8")
        one_missing = [f"{0.3 + k * 1e-5:.7g}," for k in (0, 1, 2, 4, 5)]
        self.refuse(rows("t,", one_missing), YADES, "line 5")

    def test_takes_rows_that_are_steps_or_do_not_say(self):
        motion = "0,0,0,0,0,0.02,0,0,0,0,0,0\n"
        for columns, of in (("iter,t,", lambda k: f"{7 + k},{0.1 + 1e-5 * k:.17g},"),
                            ("t,", lambda k: f"{0.01234 + 1e-5 * k:.6g},"),
                            ("iter,", lambda k: f"{k - 2},"), ("iter,", lambda k: f"step {9 - k},"),
                            ("iter,t,", lambda k: f"{10 * k},{k * 1e-5},"), ("", lambda k: "")):
            text = columns + HEADER + "".join(of(k) + motion for k in range(300))
            out = self.scree("pair", self.written(text), *YADES).stdout
            self.assertEqual(len(out.splitlines()), 301)

    def test_refuses_parameters_that_no_law_has(self):
        row = HEADER + "0,0,0,0,0,0.02,0,0,0,0,0,0\n"

        def refuse(change, *words):
            options = list(YADES)
            for key, value in change.items():
                if key in options:
                    options[options.index(key) + 1] = value
                else:
                    options += [key, value]
            self.refuse(row, options, *words)

        refuse({"--k_n": "1e5 Pa"}, "k_n", "N/m")
        refuse({"--k_n": "-1"}, "k_n")
        refuse({"--law": "coulomb"}, "coulomb")
        refuse({"--restitution": "0.5"}, "--density")
        refuse({"--restitution": "0"}, "restitution")
        refuse({"--radius": "5mm,5mm,5mm"}, "--radius")
        refuse({"--radius": "-1mm"}, "radius")
        refuse({"--h": "0"}, "h")
        refuse({"--wall": "0,0,0"}, "--wall")
        refuse({"--wall": "0,0,1", "--radius": "1mm,2mm"}, "--radius", "differ")
        refuse({"--rotations": "some"}, "rotations")
        refuse({"--wall_young": "1e9"}, "--wall_young", "add --wall")
        refuse({"--wall": "0,0,1", "--wall_young": "soft"}, "young")


if __name__ == "__main__":
    main()

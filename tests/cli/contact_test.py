"""scree contact: impulses of problems, and errors."""

import csv
import io
import json
import math
import os
import unittest

from program import SOURCE, ProgramTest, main

ACADEMIC = SOURCE / "studies" / "academic" / "contacts.csv"
HEADER = "id,W_nn,W_nt,W_no,W_tt,W_to,W_oo,q_n,q_t,q_o,mu\n"
LAWS = ("coulomb", "max_dissipation", "cone_complementarity", "polyhedral", "frictionless",
        "bilateral")
# J_n = 1, slides: 0.5/3.5 would stick if mu >= 1/7
BALL_ON_FLOOR = "ball,1,0,0,3.5,0,3.5,-1,0.5,0,0.2\n"

try:
    import matplotlib  # noqa: F401
except ImportError:
    matplotlib = None


class Contact(ProgramTest):

    def solve(self, problems, *options, status=0):
        return self.rows(
            self.scree("contact", self.written(problems), *options, status=status).stdout)

    def written(self, problems):
        path = self.directory / "problems.csv"
        path.write_text(problems, newline="")
        return path

    def rows(self, text):
        return [{k: v if k in ("id", "kind", "status") else float(v) for k, v in row.items()}
                for row in csv.DictReader(io.StringIO(text))]

    def refuse(self, problems, *words):
        error = self.scree("contact", self.written(problems), "--out", "solved.csv",
                           status=2).stderr
        for word in ("problems.csv", *words):
            self.assertIn(word, error)
        self.assertFalse((self.directory / "solved.csv").exists())

    def test_lists_the_three_solutions_of_the_published_impact(self):
        rows = self.rows(self.scree("contact", ACADEMIC, "--all").stdout)
        printed = sorted([r for r in rows if r["id"] == "printed_frame"], key=lambda r: r["r_n"])
        known = [(0.1199453812147, -0.4390162558093, -0.06497162838043, -0.2517028593488),
                 (0.2919727865355, -0.8870891267546, -0.6165383043833, -0.3925678058191),
                 (1.558124573943, -0.9929110889978, -5.678913190217, -0.6309600061389)]
        self.assertEqual(len(rows), 9)
        for row, (n, t, o, energy) in zip(printed, known, strict=True):
            for key, value in (("r_n", n), ("r_t", t), ("r_o", o), ("energy", energy)):
                self.assertAlmostEqual(row[key], value, delta=1e-12 * max(1, abs(value)))
            self.assertEqual((row["kind"], row["n_solutions"], row["status"]),
                             ("sliding", 3, "solved"))

    def test_gives_each_law_its_own_answer_to_the_published_impact(self):
        for law, n, energy, kind in (("max_dissipation", 1.603097763685, -0.6340074166740,
                                      "sliding"), ("cone_complementarity", 3.565007511477,
                                                   -0.7628644241184, "sliding"),
                                     ("bilateral", 3.569446303055, -0.7732582754457, "sticking")):
            row = self.rows(self.scree("contact", ACADEMIC, "--law", law).stdout)[0]
            self.assertAlmostEqual(row["r_n"], n, delta=1e-11, msg=law)
            self.assertAlmostEqual(row["energy"], energy, delta=1e-11, msg=law)
            self.assertEqual((row["kind"], row["n_solutions"]), (kind, 1))
            self.assertLess(row["residual"], 1e-10)

    def test_a_cone_of_many_facets_comes_near_the_round_one(self):
        ball = HEADER + "ball,1,0.1,0,3.5,0,3.5,-1,1.5,0.7,0.2\n"
        round_cone = self.solve(ball)[0]
        off = []
        for facets in (8, 64):
            flat = self.solve(ball, "--law", "polyhedral", "--facets", facets)[0]
            off.append(abs(flat["r_t"] - round_cone["r_t"]) + abs(flat["r_o"] - round_cone["r_o"]))
        self.assertLess(off[1], 0.02)
        self.assertLess(off[1], off[0])

    def test_takes_columns_in_any_order_and_ignores_others(self):
        expected = self.solve(HEADER + BALL_ON_FLOOR)
        shuffled = self.solve("mu,colour,q_o,q_t,q_n,W_oo,W_to,W_tt,W_no,W_nt,W_nn,id\n"
                              "0.2,red,0,0.5,-1,3.5,0,3.5,0,0,1,ball\n")
        self.assertEqual(expected, shuffled)
        self.assertAlmostEqual(expected[0]["r_n"], 1)
        self.assertEqual(expected[0]["kind"], "sticking")

    def test_policy_continuity_stays_with_the_warm_start(self):
        # The rod of Painlevé's paradox jams or lets go; both obey Coulomb's law where it separates
        # by itself.
        rod = "id,W_nn,W_nt,W_no,W_tt,W_to,W_oo,q_n,q_t,q_o,mu,r0_n,r0_t,r0_o\n"
        block = "1.75,-1.299038105676658,0,3.25,0,4,0.01,-1,0,1.5"
        rows = self.solve(f"{rod}free,{block},0,0,0\njammed,{block},0.32,0.43,0\n", "--policy",
                          "continuity")
        self.assertEqual([r["kind"] for r in rows], ["separating", "sticking"])
        self.assertGreaterEqual(rows[0]["n_solutions"], 2)
        self.assertGreater(rows[0]["painleve"], 1)

    def test_counts_the_solutions_of_a_polyhedral_cone_too(self):
        block = "1.75,-1.299038105676658,0,3.25,0,4,0.015,-1.0433,0,1.5"
        rows = self.solve(f"{HEADER}rod,{block}\n", "--law", "polyhedral", "--all")
        self.assertEqual([r["kind"] for r in rows], ["separating", "sticking", "sliding"])
        self.assertTrue(all(r["residual"] < 1e-12 and r["n_solutions"] == 3 for r in rows))
        tiny = self.solve(HEADER + "tiny,1e-200,0,0,3.5e-200,0,3.5e-200,-1e-200,5e-201,0,0.2\n",
                          "--law", "polyhedral")[0]
        self.assertEqual((tiny["kind"], tiny["status"]), ("sticking", "solved"))

    def test_names_every_bad_row_with_its_line(self):
        self.refuse(
            HEADER + "a,1,0,0,x,0,1,0,0,0,1\n" + BALL_ON_FLOOR +
            "b,1,0,0,1,0,1,nan,0,0,1\nc,1,0,0,1,0,1,0,0,0,-1\nd,1\n", "line 2", "W_tt", "'x'",
            "line 4", "q_n", "line 5", "mu", "line 6", "columns")

    def test_refuses_a_file_without_its_columns(self):
        self.refuse("id,W_nn,mu\n1,2,3\n", "missing: W_nt W_no W_tt")
        self.refuse("", "empty")
        self.refuse(HEADER.replace("q_t", "q_n") + BALL_ON_FLOOR, "twice")
        self.scree("contact", ACADEMIC, "--law", "polyhedral", "--policy", "continuity", status=2)
        self.scree("contact", "nowhere.csv", status=2)

    def test_says_which_problem_is_ill_posed_and_writes_no_nan(self):
        text = (HEADER + BALL_ON_FLOOR + "flat,0,0,0,0,0,0,-1,0,0,1\n"
                "indefinite,1,2,0,1,0,1,-1,0,0,1\n"
                "huge,1e300,0,0,1e300,0,1e300,-1e300,1e300,0,1\n")
        for law in LAWS:
            rows = self.solve(text, "--law", law, status=3)
            self.assertEqual(rows[0]["status"], "solved", law)
            self.assertEqual(rows[1]["status"], "ill_posed", law)
            for row in rows:
                self.assertFalse(any(math.isnan(v) for v in row.values() if isinstance(v, float)),
                                 row)

    def test_counts_in_json_and_writes_the_file(self):
        result = self.scree("contact", ACADEMIC, "--out", "solved.csv", "--json")
        counts = json.loads(result.stdout)
        self.assertEqual((counts["exit_status"], counts["problems"], counts["status"]),
                         (0, 3, {"solved": 3}))
        self.assertEqual(len(self.rows((self.directory / "solved.csv").read_text())), 3)

    def test_never_replaces_what_it_reads_nor_what_is_another_s(self):
        problems = self.directory / "problems.csv"
        problems.write_text(HEADER + BALL_ON_FLOOR)
        (self.directory / "link.csv").symlink_to("problems.csv")
        for out in ("problems.csv", "link.csv", "./problems.csv"):
            self.assertIn("would replace",
                          self.scree("contact", problems, "--out", out, status=2).stderr)
        part = self.directory / "solved.csv.part"
        part.write_text("mine")
        self.assertIn("solved.csv.part exists",
                      self.scree("contact", problems, "--out", "solved.csv", status=2).stderr)
        self.assertEqual((problems.read_text(), part.read_text()), (HEADER + BALL_ON_FLOOR, "mine"))

    def test_writes_through_links_and_into_devices(self):
        (self.directory / "solved.csv").write_text("old")
        link = self.directory / "link.csv"
        link.symlink_to("solved.csv")
        self.scree("contact", ACADEMIC, "--out", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(self.rows((self.directory / "solved.csv").read_text())), 3)
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.scree("contact", ACADEMIC, "--out", pipe)
        self.assertTrue(pipe.is_fifo())
        self.assertEqual(len(self.rows(os.read(reader, 65536).decode())), 3)
        self.scree("contact", ACADEMIC, "--out", "/dev/null")
        self.assertIn("No space left",
                      self.scree("contact", ACADEMIC, "--out", "/dev/full", status=4).stderr)
        self.assertFalse(os.path.isfile("/dev/null") or os.path.isfile("/dev/full"))

    def test_numbers_that_overflow_are_inexact_and_infinite(self):
        text = (HEADER + "big,1e308,0,0,1e308,0,1e308,-1e308,1e308,0,1\n"
                "s2,1e-308,0,0,1e-308,0,1e-308,-1,1,0,1\n")
        for law in LAWS:
            for options in ([], ["--all"]):
                output = self.scree("contact", self.written(text), "--law", law, *options,
                                    status=3).stdout
                self.assertNotIn("nan", output, law)
                for row in self.rows(output):
                    self.assertNotEqual(
                        (row["status"], math.isfinite(row["residual"] + row["energy"])),
                        ("solved", False), row)

    def test_grades_a_list_as_it_grades_one_answer_and_counts_what_it_solved(self):
        # Coupled so closely that rounding shows, at scales from tiny to huge.
        blocks = [(w, c, mu) for w in (1e-300, 1e-100, 1, 1e100, 1e300)
                  for c in (0, 0.5, 0.99999, 1 - 1e-12, 1 - 1e-15) for mu in (0, 0.3, 1.5)]
        text = HEADER + "".join(f"b{k},{w},{-c * w},0,{w},0,{w},-0.01,1,0.3,{mu}\n"
                                for k, (w, c, mu) in enumerate(blocks))
        path = self.written(text)
        for law in LAWS:
            for options in ([], ["--all"]):
                result = self.scree("contact", path, "--law", law, *options, "--out", "solved.csv",
                                    "--json", status=None)
                for row in self.rows((self.directory / "solved.csv").read_text()):
                    if row["status"] == "solved":
                        self.assertLessEqual(row["residual"], 1e-6 * math.hypot(0.01, 1, 0.3),
                                             (law, row))
                    self.assertEqual(row["n_solutions"] > 0, row["status"] in ("solved", "inexact"),
                                     (law, row))
                self.assertEqual(json.loads(result.stdout)["problems"], len(blocks))

    def test_names_what_is_odd_about_a_table(self):
        self.refuse(
            HEADER.replace("id,", "id,id,") + "a," + BALL_ON_FLOOR, "line 1", "id occurs twice")
        self.refuse(HEADER + BALL_ON_FLOOR + "a\0b" + BALL_ON_FLOOR, "line 3", "NUL")
        self.refuse(HEADER + "a,+-5,0,0,1,0,1,0,0,0,1\n", "line 2", "'+-5'")
        self.refuse(HEADER + "a,1e400,0,0,1,0,1,0,0,0,1\n", "line 2", "'1e400'")
        self.refuse((HEADER + BALL_ON_FLOOR).replace(",", ";"), "line 1", "semicolons")
        self.refuse((HEADER + BALL_ON_FLOOR).replace(",", "\t"), "line 1", "tabs")
        self.refuse((HEADER + BALL_ON_FLOOR).replace("\n", "\r"), "line 1", "carriage return")
        self.refuse("#" + "x" * 70000 + "\n" + HEADER, "line 1", "longer than")

    def test_reads_numbers_too_small_for_it_as_zero_and_lines_of_windows(self):
        plain = self.solve(HEADER + BALL_ON_FLOOR)
        self.assertEqual(self.solve(HEADER + "ball,+1,-1e-400,1e-99999,3.5,0,3.5,-1,0.5,0,0.2\n"),
                         plain)
        self.assertEqual(self.solve((HEADER + BALL_ON_FLOOR).replace("\n", "\r\n")), plain)

    def test_refuses_options_that_say_nothing(self):
        for options in (["--out", ""], ["--out="], ["--json"], ["--json", "--out", ""],
                        ["--plot", ""], ["--facets", "8"], ["--law", "bilateral", "--facets",
                                                            "12"]):
            self.scree("contact", ACADEMIC, *options, status=2)
        self.scree("contact", ACADEMIC, "--law", "polyhedral", "--facets", "12")

    @unittest.skipUnless(matplotlib, "apt install python3-matplotlib")
    def test_tells_that_pictures_could_not_be_drawn(self):
        (self.directory / "file").write_text("")
        (self.directory / "pictures" / "printed_frame.png").mkdir(parents=True)
        for place in ("file", "/proc/nope", "pictures"):
            result = self.scree("contact", ACADEMIC, "--out", "solved.csv", "--plot", place,
                                "--json", status=4)
            self.assertIn("warning: ", result.stderr)
            self.assertNotIn("Traceback", result.stderr)
            self.assertEqual(json.loads(result.stdout)["exit_status"], 4)
        self.assertEqual(
            len([p for p in (self.directory / "pictures").glob("*.png") if p.is_file()]), 2)

    @unittest.skipUnless(matplotlib, "apt install python3-matplotlib")
    def test_gives_each_problem_a_picture_of_its_own(self):
        rest = BALL_ON_FLOOR.removeprefix("ball")
        self.scree(
            "contact",
            self.written(HEADER +
                         "".join(name + rest
                                 for name in ("a", "a", "a/", "a_", "a_2", "", "$x", "ö" * 300))),
            "--plot", "pictures")
        self.assertEqual(
            sorted(p.name for p in (self.directory / "pictures").iterdir()),
            sorted(f"{n}.png"
                   for n in ("a", "a_2", "a_", "a__2", "a_2_2", "problem", "_x", "ö" * 60)))

    @unittest.skipUnless(matplotlib, "apt install python3-matplotlib")
    def test_draws_the_problems(self):
        self.scree("contact", ACADEMIC, "--out", "solved.csv", "--plot", "pictures")
        self.assertEqual(len(list((self.directory / "pictures").glob("*.png"))), 3)


if __name__ == "__main__":
    main()

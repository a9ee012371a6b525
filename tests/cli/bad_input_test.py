"""Errors of the program for bad input, after which it leaves no trace."""

import json
import math
import os
import subprocess

from program import BALL, ProgramTest, main


class BadInput(ProgramTest):

    def refused(self, *arguments, status=2):
        """Runs the program, and sees to it that nothing was written."""
        before = self.everything()
        result = self.scree(*arguments, status=status)
        self.assertEqual(self.everything(), before)
        self.assertNotEqual(result.stderr + result.stdout, "")
        return result

    def test_bad_command_lines_give_status_2(self):
        scene = self.write_scene(BALL)
        self.refused()
        self.refused("walk")
        self.refused("run")
        self.refused("run", scene, "--threads", "0")
        self.refused("run", scene, "--threads", "many")
        self.refused("run", scene, "--no-such-option")
        result = json.loads(self.refused("run", scene, "--json", "--threads", "0").stdout)
        self.assertEqual((result["status"], result["exit_status"]), ("error", 2))

    def test_every_problem_of_a_scene_is_told_with_its_place(self):
        scene = self.write_scene(
            BALL.replace("0.1 ms", "-0.1 ms").replace("0.1 s", "5 kg"), "bad.yaml")
        result = self.refused("run", scene)
        self.assertIn("bad.yaml:3:", result.stderr)
        self.assertIn("bad.yaml:4:", result.stderr)

    def test_misspelt_subcommands_and_options_get_a_guess(self):
        scene = self.write_scene(BALL)
        for arguments, guess in ((("runn", scene),
                                  "there is no subcommand runn; did you mean 'run'?"),
                                 (("analyze", "out"),
                                  "there is no subcommand analyze; did you mean 'analyse'?"),
                                 (("run", scene, "--tread=2"),
                                  "there is no option --tread; did you mean '--threads'?"),
                                 (("run", scene, "--resum"),
                                  "there is no option --resum; did you mean '--resume'?"),
                                 (("run", scene, "other.yaml"), "other.yaml"),
                                 (("walk",),
                                  "no subcommand walk; allowed are run, batch, check, info")):
            self.assertIn(guess, self.refused(*arguments).stderr)

    def test_options_with_a_wrong_number_of_values_say_how_many_they_need(self):
        form = "XMIN,YMIN,ZMIN,XMAX,YMAX,ZMAX"
        for values, given in (("1", "1 was"), ("1,2,3", "3 were"), ("1,2,3,4,5,6,7", "7 were")):
            self.assertIn(f"--region needs 6 values, {form}; {given} given\n",
                          self.refused("analyse", "run", "--region", values).stderr)
        self.assertIn("--cells needs 3 values, NX,NY,NZ; 2 were given",
                      self.refused("analyse", "run", "--cells", "1,2").stderr)

    def test_options_that_are_set_to_nothing_are_refused(self):
        scene = self.write_scene(BALL)
        for arguments in (("run", scene, "--until", ""), ("run", scene, "--until="),
                          ("run", scene, "--out", ""), ("run", scene, "--set",
                                                        ""), ("analyse", "run", "--out", ""),
                          ("reproduce", "run", "--out", ""), ("study", "academic", "--out", "")):
            self.assertRegex(self.refused(*arguments).stderr, "empty|missing|expected PATH=VALUE")

    def test_yaml_that_is_nested_without_end_is_refused_with_the_reason(self):
        for text in ("bodies: " + "[" * 100000, "a: " + "{b: " * 100000,
                     "".join(" " * k + "- \n" for k in range(3000))):
            result = self.refused("check", self.write_scene(text, "deep.yaml"))
            self.assertRegex(result.stderr,
                             r"deep.yaml:\d+:\d+: lists and maps are nested more than \d+ deep")
        self.assertIn(
            "nested more than",
            self.refused("check", self.write_scene(BALL), "--set", "step.h=" + "[" * 9999).stderr)

    def test_control_characters_of_scenes_are_refused_and_never_printed(self):
        for name in (r"\e[2J", r"\x9b31m", r"\b", r"\x7f", r"\r"):
            for text in (BALL.replace("name: ball", f'name: "b{name}"'),
                         BALL.replace("name: floor", f'name: "f{name}"'),
                         BALL.replace("steel:", f'"st{name}eel":'),
                         BALL.replace("law: coulomb", f'law: "c{name}"')):
                result = self.refused("check", self.write_scene(text))
                self.assertIn("contains the control character 0x", result.stderr)
                self.assert_printable(result.stderr + result.stdout)
        self.assertIn(
            "a name must be on one line",
            self.refused("check", self.write_scene(BALL.replace("ball", r'"ba\nll"'))).stderr)
        for arguments in (("check", "no\x1b[2Jne.yaml"), ("r\x1b[2Jn",), ("info", "\x9b2J"),
                          ("run", self.write_scene(BALL), "--s\x07et")):
            self.assert_printable(self.refused(*arguments).stderr)

    def assert_printable(self, text):
        self.assertEqual([c for c in text if not c.isprintable() and c not in "\n\t"], [])

    def test_a_misspelt_shape_that_moves_is_told(self):
        scene = self.write_scene(
            BALL.replace("half_space: {", "half_spfce: {motion: {velocity: [0, 0, sin(t)]}, "))
        self.assertIn("unknown key 'half_spfce'; did you mean 'half_space'?",
                      self.refused("check", scene).stderr)

    def test_problems_come_as_json_too(self):
        scene = self.write_scene(BALL.replace("density", "densty"))
        result = json.loads(self.refused("check", scene, "--json").stdout)
        self.assertEqual((result["status"], result["exit_status"]), ("error", 2))
        self.assertTrue(any(problem["line"] == 6 for problem in result["problems"]), result)

    def test_bad_overrides_are_refused(self):
        scene = self.write_scene(BALL)
        self.refused("run", scene, "--set", "step.h=-1 s")
        self.refused("run", scene, "--set", "step.no_such_key=1")
        self.refused("run", scene, "--set", "no equals sign")
        self.refused("run", scene, "--until", "soon")

    def test_files_that_do_not_exist_are_refused(self):
        self.assertIn("missing.yaml", self.refused("run", "missing.yaml").stderr)
        self.assertIn("missing", self.refused("info", "missing").stderr)

    def test_directories_that_cannot_be_made_give_status_4(self):
        scene = self.write_scene(BALL)
        result = self.refused("run", scene, "--out", "scene.yaml/run", status=4)
        self.assertIn("scene.yaml/run", result.stderr)
        self.assertIn("choose another directory", result.stderr)

    def test_info_refuses_what_it_does_not_know(self):
        self.write_scene("text", "notes.txt")
        self.write_scene("text", "text.hdf")
        for path in ("notes.txt", "text.hdf", "."):
            self.refused("info", path)

    def test_a_file_that_was_tampered_with_does_not_reach_the_terminal(self):
        self.scree("run", self.write_scene(BALL), "--out", "run\x1b[2J")
        manifest = self.manifest("run\x1b[2J")
        manifest["scene"]["name"] = "ba\x1b[2Jll"
        (self.directory / "run\x1b[2J/manifest.json").write_text(json.dumps(manifest))
        shown = self.scree("info", "run\x1b[2J").stdout
        self.assertIn(r"run of ba\x1b[2Jll", shown)
        self.assert_printable(shown)
        shown = self.scree("analyse", "run\x1b[2J", "--region=-1,-1,-1,1,1,1",
                           "--no-pictures").stdout
        self.assertIn(r"run\x1b[2J, 6 frames", shown)
        self.assert_printable(shown)


class Manifests(ProgramTest):
    """Errors of info, analyse, reproduce and --resume for a manifest that no run has written."""

    def setUp(self):
        super().setUp()
        self.scene = self.write_scene(BALL)
        self.scree("run", self.scene, "--out", "run", "--until", "20 ms", "--no-pictures")
        self.whole = self.manifest("run")

    def commands(self):
        return (("info", "run"), ("info", "run", "--json"), ("reproduce", "run"),
                ("analyse", "run", "--region=-1,-1,-1,1,1,1", "--no-pictures"),
                ("run", self.scene, "--out", "run", "--until", "20 ms", "--resume"))

    def write(self, manifest):
        (self.directory / "run/manifest.json").write_text(json.dumps(manifest))

    def test_of_another_version_are_refused(self):
        for version in (99, 0, "1", None, 1.5, -1, 10**30):
            self.write({**self.whole, "manifest_version": version})
            before = self.everything()
            for command in self.commands():
                self.assertIn("manifest_version", self.scree(*command, status=2).stderr)
            self.assertEqual(self.everything(), before)

    def test_with_entries_missing_or_of_wrong_types_are_no_bug(self):
        wrong = (None, 5, "text", [], {}, [5], {"a": 5}, True, -1.5)
        for key in self.whole:
            for value in wrong:
                manifest = dict(self.whole)
                if value is None:
                    del manifest[key]
                else:
                    manifest[key] = value
                self.write(manifest)
                # One that is not needed, or fits, may be what it likes.
                command = self.commands()[wrong.index(value) % 5]
                result = self.scree(*command, status=None)
                self.assertIn(result.returncode, (0, 2),
                              f"{key} = {value}: {command} {result.stderr}")
                self.assertNotIn("bug", result.stderr, f"{key} = {value}: {command}")

    def test_lacking_what_is_needed_are_refused_with_its_name(self):
        for command, key in ((("info", "run"), "status"), (("info", "run"), "machine"),
                             (("reproduce", "run"), "scene"), (("reproduce", "run"), "outputs"),
                             (("reproduce", "run"), "input_files"), (self.commands()[3], "scene"),
                             (self.commands()[3], "outflows"), (self.commands()[4], "verdict")):
            self.write({k: v for k, v in self.whole.items() if k != key})
            options = ("--json",) if key == "verdict" else ()
            result = self.scree(*command, *options, status=2)
            self.assertRegex(result.stderr, f"manifest.json: {key}[a-z0-9_/]* is missing")
            self.assertIn("restore the file", result.stderr)

    def test_without_outputs_have_nothing_to_be_compared_with(self):
        for outputs in ({}, {"obstacles.json": self.whole["outputs"]["obstacles.json"]}, [], None):
            self.write({**self.whole, "outputs": outputs})
            result = self.scree("reproduce", "run", status=2)
            self.assertNotIn("Reproduced", result.stdout)
            self.assertIn("outputs" if not isinstance(outputs, dict) else "nothing to compare with",
                          result.stderr)

    def test_beside_damaged_files_are_no_bug(self):
        series, verdict = (self.directory / "run" / name
                           for name in ("grains.hdf.series", "verdict.json"))
        for text in ("", "{", "[]", '{"files": 5}', '{"files": [5]}',
                     '{"files": [{"name": 5, "time": 0}]}',
                     '{"files": [{"name": "../frame.hdf", "time": 0}]}',
                     '{"files": [{"name": "/frame.hdf", "time": 0}]}'):
            series.write_text(text)
            for command in (self.commands()[0], self.commands()[3]):
                self.assertIn("grains.hdf.series", self.scree(*command, status=2).stderr)
        self.write({k: v for k, v in self.whole.items() if k != "outputs"})
        self.assertIn("is not a series of frames", self.scree(*self.commands()[3], status=2).stderr)
        series.unlink()
        verdict.write_text("[")
        self.assertIn("verdict.json is damaged",
                      self.scree("info", "run", "--json", status=2).stderr)


class Places(ProgramTest):
    """Where results cannot go."""

    def test_that_are_files_are_told(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--until", "20 ms",
                   "--no-pictures")
        (self.directory / "file").write_text("mine")
        before = self.everything()
        analyse = ("analyse", "run", "--region=-1,-1,-1,1,1,1", "--no-pictures")
        for arguments in ((*analyse, "-o", "file"), (*analyse, "-o", "file/below"),
                          ("reproduce", "run", "-o", "file/below")):
            result = self.scree(*arguments, status=4)
            self.assertIn("a file is where a directory is needed", result.stderr)
        self.assertIn("choose another directory",
                      self.scree("reproduce", "run", "-o", "file", status=2).stderr)
        self.assertEqual(self.everything(), before)

    def test_that_are_reached_through_links_are_not_analysed_into(self):
        self.scree("run", self.write_scene(BALL), "--out", "run", "--until", "20 ms",
                   "--no-pictures")
        mine = self.directory / "mine"
        mine.mkdir()
        (mine / "bed.csv").write_text("mine")
        (self.directory / "run" / "analysis").symlink_to(mine)
        (self.directory / "tables").mkdir()
        (self.directory / "tables" / "bed.csv").symlink_to(mine / "bed.csv")
        before = self.everything()
        analyse = ("analyse", "run", "--region=-1,-1,-1,1,1,1", "--no-pictures")
        for arguments, link in (((*analyse,), "run/analysis"), ((*analyse, "-o", "tables"),
                                                                "tables/bed.csv")):
            self.assertIn(
                f"{link} is a symbolic link, and an analysis does not write through links",
                self.scree(*arguments, status=2).stderr)
        self.assertEqual(self.everything(), before)

    def test_that_are_read_only_are_told(self):
        disk = self.directory / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "none", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True,
                                               check=False).returncode != 0:
            self.skipTest("a read-only file system can be mounted by root only: it was NOT tested")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=False)
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "disk/run", "--until", "20 ms", "--no-pictures")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        analyse = ("analyse", "disk/run", "--region=-1,-1,-1,1,1,1", "--no-pictures")
        for arguments in (analyse, (*analyse, "--force-chains"), ("reproduce", "disk/run"),
                          ("run", scene, "--out", "disk/run", "--force"), ("run", scene, "--out",
                                                                           "disk/run", "--resume")):
            result = self.scree(*arguments, status=4)
            self.assertIn("Read-only file system; choose a directory that you may write to",
                          result.stderr)
        self.scree("info", "disk/run")
        self.scree(*analyse, "--out", "tables")
        self.scree("reproduce", "disk/run", "--out", "again")


class Help(ProgramTest):

    def test_every_subcommand_teaches_by_example(self):
        self.assertIn("Exit status", self.scree("--help").stdout)
        for subcommand in ("run", "check", "info", "contact", "solve", "schema"):
            self.assertIn("Example", self.scree(subcommand, "--help").stdout, subcommand)

    def test_version_tells_the_commit(self):
        self.assertRegex(self.scree("--version").stdout, r"scree \d+\.\d+\.\d+\ncommit ")

    def test_schema_is_json(self):
        self.assertIn("properties", json.loads(self.scree("schema").stdout))


class CheckAndInfo(ProgramTest):

    def test_check_tells_what_a_run_takes_and_writes_nothing(self):
        scene = self.write_scene(BALL)
        before = self.everything()
        self.assertIn("1 000 steps of 0.0001 s", self.scree("check", scene).stdout)
        result = json.loads(self.scree("check", scene, "--json").stdout)
        self.assertEqual((result["bodies"], result["obstacles"], result["steps"]), (1, 1, 1000))
        self.assertAlmostEqual(result["mass"], 7800 * 4 / 3 * 3.14159265 * 0.01**3, places=6)
        self.assertEqual(self.everything(), before)

    def test_check_warns_of_a_step_that_is_too_long(self):
        result = json.loads(
            self.scree("check", self.write_scene(BALL), "--set", "step.h=9 ms", "--json").stdout)
        self.assertLess(result["advised_step"], 0.009)

    def test_check_advises_a_step_by_what_a_grain_falls_in_it(self):
        fall = math.sqrt(0.02 / 9.81)  # √(d/g) of the ball
        longer, shorter = (self.scree("check", self.write_scene(BALL), "--set",
                                      f"step.h={h}").stdout for h in (0.041 * fall, 0.039 * fall))
        self.assertIn(f"step.h = {0.04 * fall:.2g} s or less", longer)
        self.assertIn("0.039 of √(d/g) of the smallest: fine", shorter)
        result = json.loads(self.scree("check", self.write_scene(BALL), "--json").stdout)
        self.assertAlmostEqual(result["advised_step"], 0.04 * fall)
        self.assertAlmostEqual(result["fall_of_step"], 1e-4 / fall)

    def test_check_advises_a_step_by_how_far_bodies_fall(self):

        def reported(scene, *options):
            return json.loads(
                self.scree("check", self.write_scene(scene), "--json", *options).stdout)

        high = BALL.replace("2 cm]", "50 cm]").replace("until: 0.1 s", "until: 1 s")
        box = high.replace("half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}",
                           "box: {name: floor, min: [-9, -9, -9], max: [9, 9, 0]}")
        poured = high.replace("- sphere: {position: [0, 0, 50 cm], radius: 1 cm}", "[]").replace(
            "bodies:\n  []", "fillings:\n  - {name: rain, region: {min: [0, 0, 40 cm], max: "
            "[10 cm, 10 cm, 51 cm]}, radius: 1 cm, rate: 10 1/s}")
        for scene, drop in ((high, 0.49), (box, 0.49), (poured, 0.5)):
            result = reported(scene, "--set", "step.h=1 ms")
            self.assertAlmostEqual(result["drop"], drop)
            travel = math.sqrt(2 * 9.81 * drop) * 1e-3 / 0.01
            self.assertAlmostEqual(result["largest_travel"], travel)
            self.assertAlmostEqual(result["advised_step"], 0.3 / travel * 1e-3)
        words = self.scree("check", self.write_scene(high), "--set", "step.h=1 ms").stdout
        self.assertIn("after the longest possible fall, 0.49 m", words)
        self.assertIn("are advised: step.h = 0.00097 s or less", words)
        short = reported(high, "--set", "until=0.1 s")  # ends before that
        self.assertAlmostEqual(short["largest_travel"], 9.81 * 0.1 * 1e-4 / 0.01)
        lies = reported(BALL.replace("2 cm]", "1 cm]"))
        self.assertEqual(lies["drop"], 0)

    def test_check_advises_a_step_by_the_largest_gravity_of_all_stages(self):
        calm = BALL.replace(
            "until: 0.1 s", "stages:\n  - {name: a, until: 0.1 s}\n  - {name: b, "
            "until: 0.1 s%s}").replace("scree: 1", "scree: 1\ngravity: [0, 0, -1]")
        weak, strong = (json.loads(
            self.scree("check", self.write_scene(calm % gravity), "--json").stdout)
                        for gravity in ("", ", gravity: [0, 0, -100]"))
        self.assertAlmostEqual(weak["fall_of_step"], 1e-4 / math.sqrt(0.02 / 1))
        self.assertAlmostEqual(strong["fall_of_step"], 1e-4 / math.sqrt(0.02 / 100))
        # The ball falls by its radius.
        self.assertAlmostEqual(weak["largest_travel"], math.sqrt(2 * 1 * 0.01) * 1e-4 / 0.01)
        self.assertAlmostEqual(strong["largest_travel"], math.sqrt(2 * 100 * 0.01) * 1e-4 / 0.01)

    def test_check_does_not_call_a_step_fine_where_fields_act(self):
        field = "fields:\n  - {name: wind, force: ['1', 0, 0]}\n"
        later = "stages:\n  - {name: a, until: 10 ms}\n  - {name: b, until: 10 ms, " \
                "fields: [{name: wind, force: ['1', 0, 0]}]}\n"
        for scene in (BALL + field, BALL + later):
            reported = self.scree("check", self.write_scene(scene)).stdout
            self.assertIn("this leaves out fields, whose effect on speeds is unknown", reported)
            self.assertNotIn(": fine", reported)
        self.assertIn(": fine", self.scree("check", self.write_scene(BALL)).stdout)

    def test_check_advises_a_shorter_step_for_stacks_of_boxes(self):
        boxes = BALL.replace("- sphere: {position: [0, 0, 2 cm], radius: 1 cm}",
                             "- box: {position: [0, 0, 2 cm], size: [4 cm, 3 cm, 2 cm]}")
        fall = math.sqrt(0.02 / 9.81)  # of the shortest edge
        long, short = (self.scree("check", self.write_scene(boxes), "--set", f"step.h={h}").stdout
                       for h in (0.017 * fall, 0.0099 * fall))
        self.assertIn(
            f"for stacks of boxes 0.01 of √(d/g), d their shortest edge, is advised: "
            f"step.h = {0.01 * fall:.2g} s or less", long)
        self.assertNotIn("stacks of boxes", short)
        self.assertIn(": fine", short)

    def test_check_warns_of_numbers_that_are_likely_in_another_unit(self):

        def warned(scene):
            result = json.loads(self.scree("check", self.write_scene(scene), "--json").stdout)
            return {warning["path"]: warning["message"] for warning in result["warnings"]}

        law = "law: coulomb, friction: 0.3"
        self.assertEqual(warned(BALL), {})
        for replaced, by, path, words in ((law, "law: coulomb, friction: 30",
                                           "default_law.friction", "not an angle; tan 30°"),
                                          (law, law + ", rolling_friction: 0.011",
                                           "default_law.rolling_friction", "is a length"),
                                          (law, law + ", spinning_friction: 0.011",
                                           "default_law.spinning_friction", "is a length"),
                                          ("7800", "7.8", "materials.steel.density",
                                           "2.5 g/cm3 is 2500"), ("7800", "7.8e6",
                                                                  "materials.steel.density",
                                                                  "2.5 g/cm3 is 2500"),
                                          ("radius: 1 cm", "radius: 1 cm, density: 7.8",
                                           "bodies[0].sphere.density", "kg/m3")):
            found = warned(BALL.replace(replaced, by))
            self.assertEqual(list(found), [path])
            self.assertIn(words, found[path])
        for replaced, by in ((law, "law: coulomb, friction: 2"), (law,
                                                                  law + ", rolling_friction: 1 cm"),
                             ("7800", "20"), ("7800", "10 kg/m3"), ("7800", "30000")):
            self.assertEqual(warned(BALL.replace(replaced, by)), {})
        stages = BALL.replace(
            "until: 0.1 s", "stages:\n  - {name: a, until: 0.1 s}\n  - {name: b, "
            "until: 0.1 s, default_law: {law: coulomb, friction: 45}}")
        self.assertEqual(list(warned(stages)), ["stages[1].default_law.friction"])

    def test_check_advises_a_step_by_how_a_cell_is_strained(self):
        cell = """scree: 1
until: 1 s
gravity: [0, 0, 0]
step: {h: 1 ms}
materials: {glass: {density: 2500}}
default_law: {law: coulomb, friction: 0.3}
cell: {period: [1, 1, 1], rate: {xy: 5 1/s}}
bodies:
  - sphere: {position: [0, 0, 0], radius: 1 cm}
"""
        result = json.loads(self.scree("check", self.write_scene(cell), "--json").stdout)
        self.assertAlmostEqual(result["largest_travel"], 2 * 5 * 1e-3)
        self.assertAlmostEqual(result["advised_step"], 0.03)
        self.assertIn("neighbours past each other by up to 0.01 of a radius",
                      self.scree("check", self.write_scene(cell)).stdout)
        still = cell.replace("rate: {xy: 5 1/s}", "rate: {xy: 0}")
        self.assertNotIn("past each other", self.scree("check", self.write_scene(still)).stdout)

    def test_check_tells_what_an_accuracy_is_good_for(self):
        for accuracy, use in (("draft", "not for loads"), ("engineering", "forces to some 5 %"),
                              ("reference", "for reference solutions")):
            reported = self.scree("check", self.write_scene(BALL), "--set",
                                  f"solver={{accuracy: {accuracy}}}").stdout
            self.assertIn(use, reported)

    def test_warnings_that_are_alike_are_counted_and_others_still_told(self):
        parts = "".join(f"  - sphere: {{name: part {k}, position: [{1 + k}, 0, 0], radius: 0.1, "
                        f"motion: {{velocity: [sin({60000 + k} * t), 0, 0]}}}}\n"
                        for k in range(20))
        scene = self.write_scene(BALL.replace("obstacles:\n", "obstacles:\n" + parts))
        fast = ("--set", "bodies[0].sphere.velocity=[200,0,0]")
        self.assertEqual(len(json.loads(self.scree("check", scene, "--json").stdout)["warnings"]),
                         20)
        text = self.scree("check", scene, *fast).stdout
        self.assertEqual(text.count("changes within a step"), 3, text)
        self.assertIn("17 more warnings like the last; scree check --json lists them all", text)
        self.assertIn(
            "a body moves 2 times its radius in one step of 0.0001 s; for better "
            "contacts take step.h = 5e-05 s or less", text)
        log = self.scree("run", scene, *fast, "--out", "run").stderr
        self.assertEqual(log.count("changes within a step"), 3, log)
        self.assertIn("17 more warnings like the last", log)

    def test_info_describes_runs_frames_and_scenes(self):
        scene = self.write_scene(BALL)
        self.scree("run", scene, "--out", "run")
        self.assertIn("run of ball: done", self.scree("info", "run").stdout)
        self.assertEqual(json.loads(self.scree("info", "run", "--json").stdout)["frames"], 6)
        frame = json.loads(self.scree("info", "run/frames/grains_000005.hdf", "--json").stdout)
        self.assertEqual((frame["kind"], frame["points"], frame["step"]), ("grains", 1, 1000))
        self.assertIn("radius", [array["name"] for array in frame["arrays"]])
        self.assertIn("The scene is valid", self.scree("info", scene).stdout)


if __name__ == "__main__":
    main()

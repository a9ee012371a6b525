"""Errors of the program for bad input, after which it leaves no trace."""

import json
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
        for subcommand in ("run", "check", "info", "contact", "solve", "view", "schema"):
            self.assertIn("Example", self.scree(subcommand, "--help").stdout, subcommand)

    def test_version_tells_commit_compiler_options_and_instruction_set(self):
        self.assertRegex(
            self.scree("--version").stdout,
            r"scree \d+\.\d+\.\d+\n(commit \w+.*\n)?\w+ [\d.]+ for \S+, \w+: -.*\n"
            r"with hdf5 .*\nkernels for \w+\n")

    def test_schema_is_json(self):
        self.assertIn("properties", json.loads(self.scree("schema").stdout))


if __name__ == "__main__":
    main()

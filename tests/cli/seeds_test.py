"""docs/seeds.md: its short commands run, and the tests that it names exist."""

import re
import shlex

from program import SOURCE, ProgramTest, main

PAGE = (SOURCE / "docs/seeds.md").read_text(encoding="utf-8")


class TheSources(ProgramTest):

    def test_are_reproduced_by_the_commands_of_the_page(self):
        tested = "".join((SOURCE / "tests" / name).read_text(encoding="utf-8")
                         for name in ("CMakeLists.txt", "cli/study_test.py"))
        commands = re.search(r"```\n(.*?)```", PAGE, re.S).group(1).splitlines()
        self.assertGreater(len(commands), 3)
        for command in commands:
            _, kind, *words = shlex.split(command.replace("studies/", f"{SOURCE}/studies/"))
            if kind == "study":  # other tests run them
                self.assertRegex(tested, rf'scree_study\({words[0]} |"study", "{words[0]}"',
                                 command)
            else:
                self.scree(kind, *words)

    def test_are_compared_by_tests_that_exist(self):
        tests = "\n".join(
            path.read_text(encoding="utf-8") for path in (SOURCE / "tests").rglob("*_test.cpp"))
        named = re.findall(r"`([\w/]+)\.([A-Z]\w+)`", PAGE)
        self.assertGreater(len(named), 20)
        for suite, name in named:
            test = rf"TEST(_F|_P)?\({suite.split('/')[-1]},\s*{name}\)"
            self.assertTrue(re.search(test, tests), f"{suite}.{name}")

    def test_have_a_status_each(self):
        for line in PAGE.splitlines():
            if line.startswith("|") and "---" not in line and "| status |" not in line:
                self.assertRegex(line.rsplit("|", 2)[1], "whole|in part|missing", line)


if __name__ == "__main__":
    main()

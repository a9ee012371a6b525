"""The manual page, and what shells complete, from tools/man_and_completions.py."""

import gzip
import shutil
import subprocess
import sys

from program import PROGRAM, SOURCE, ProgramTest, main


class ManualAndCompletions(ProgramTest):

    def setUp(self):
        super().setUp()
        subprocess.run(
            [sys.executable, SOURCE / "tools/man_and_completions.py", PROGRAM, self.directory],
            check=True)

    def completed(self, *words):
        """What bash completes after the last of these words."""
        count = len(words) - 1
        script = (f'. ./scree.bash; COMP_WORDS=("$@"); COMP_CWORD={count}; '
                  '_scree scree "${@: -1}" "${@: -2:1}"; echo "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-euc", script, "bash", *words], cwd=self.directory,
                              check=True, capture_output=True, text=True).stdout.split()

    def test_bash_completes_subcommands_options_values_and_leaves_files_to_itself(self):
        self.assertEqual(self.completed("scree", "ch"), ["check"])
        self.assertEqual(self.completed("scree", "run", "--no"), ["--no-pictures"])
        self.assertEqual(self.completed("scree", "solve", "--law", "pol"), ["polyhedral"])
        self.assertEqual(self.completed("scree", "solve", "-l", "pol"), ["polyhedral"])
        self.assertEqual(self.completed("scree", "run", ""), [])
        self.assertEqual(self.completed("scree", "run", "--out", ""), [])

    def test_other_shells_read_theirs(self):
        for shell, name in (("zsh", "_scree"), ("fish", "scree.fish")):
            if shutil.which(shell):
                subprocess.run([shell, "-n", self.directory / name], check=True)

    def test_the_manual_has_every_subcommand_and_option(self):
        page = gzip.decompress((self.directory / "scree.1.gz").read_bytes()).decode()
        text = page.replace(r"\-", "-")
        for line in self.scree("--help").stdout.split("Subcommands:\n")[1].split("\n\n")[0].split(
                "\n"):
            command = line.split()[0]
            self.assertIn(f".SH {command.upper()}\nscree {command} ", text)
        for option in ("--out", "--resume", "--dump-problems", "--minimum-norm", "--port"):
            self.assertIn(rf"\fB{option}\fR", text)


if __name__ == "__main__":
    main()

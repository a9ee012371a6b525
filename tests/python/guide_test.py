"""The programs of the guides that import scree print the output below them. Scenes that a guide
tells its reader to save are there.
"""

import os
import re
import subprocess
import sys

from program import SOURCE, ProgramTest, main

GUIDE = "".join((SOURCE / "docs/guide" / page).read_text(encoding="utf-8")
                for page in ("python.md", "driving_robots.md", "sensors.md", "your_robot.md"))
PROGRAMS = re.findall(r"^```python\n(.*?)^```\n\nprints\n\n```\n(.*?)^```$", GUIDE, re.M | re.S)
SCENES = re.findall(r"[Ss]ave this[^`]*as `([^`]*)`[^`]*?:\n\n```yaml\n(.*?)^```$", GUIDE,
                    re.M | re.S)


class Guide(ProgramTest):

    def test_its_programs_print_what_it_says_in_forty_lines_at_most(self):
        (self.directory / "scenes").symlink_to(SOURCE / "scenes")
        self.assertEqual(len(PROGRAMS), len(re.findall(r"^```python$", GUIDE, re.M)))
        self.assertGreater(len(PROGRAMS), 4)
        self.assertEqual([name for name, _ in SCENES], ["swing.yaml", "dog.yaml"])
        for name, scene in SCENES:
            self.write_scene(scene, name)
        for program, printed in PROGRAMS:
            self.assertLessEqual(program.count("\n"), 40)
            result = subprocess.run([sys.executable, "-c", program], cwd=self.directory,
                                    capture_output=True, text=True, timeout=120, check=False,
                                    env={**os.environ, "MPLBACKEND": "Agg"})
            self.assertEqual((result.stdout, result.stderr), (printed, ""), program)


if __name__ == "__main__":
    main()

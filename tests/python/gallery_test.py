"""Programs of the gallery: the controller as its page has it, others on small runs."""

import os
import subprocess
import sys

from program import SOURCE, ProgramTest, main

GALLERY = SOURCE / "docs/gallery"


class GalleryTest(ProgramTest):

    def printed(self, program):
        result = subprocess.run([sys.executable, GALLERY / program], cwd=self.directory,
                                capture_output=True, text=True, timeout=120, check=False,
                                env={**os.environ, "MPLBACKEND": "Agg"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.directory / program).with_suffix(".png").exists())
        return result.stdout


class Gallery(GalleryTest):

    def test_the_controller_brings_the_ball_to_the_middle(self):
        self.assertEqual(self.printed("balance.py"), "26.6 mm off after 1 s, 0.3 mm at the end\n")

    def test_a_table_pushes_the_end_of_a_soft_rod_and_not_of_a_stiff_one(self):
        self.assertEqual(
            self.printed("hammer.py"),
            "2 kN s/m: 0.170 N s by a soft spring, 0.001 N s by a stiff one\n"
            "20 kN s/m: 0.148 N s by a soft spring, 0.011 N s by a stiff one\n")

    def test_the_torque_of_the_drum_is_what_contacts_dissipate(self):
        self.scree("run", GALLERY / "drum.yaml", "--out", "out/gallery_drum", "--no-pictures",
                   "--set", "until=4.5", "--set", "bodies[0].random.count=60", "--set",
                   "bodies[1].random.count=60")
        printed = self.printed("drum.py")
        torque, lost = (float(printed.split(word)[1].split()[0])
                        for word in ("torque ", "of turning: "))
        self.assertGreater(torque, 0.5)
        self.assertAlmostEqual(torque / lost, 1, delta=0.1)


if __name__ == "__main__":
    main()

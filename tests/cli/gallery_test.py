"""The gallery: its scenes are valid and run, its links work, and its contacts have the solutions of
the page."""

import csv
import re

from program import SOURCE, ProgramTest, main

GALLERY = SOURCE / "docs/gallery"


class Gallery(ProgramTest):

    def test_scenes_are_valid_without_warnings_and_run(self):
        scenes = sorted(GALLERY.glob("*.yaml"))
        self.assertGreater(len(scenes), 4)
        for scene in scenes:
            with self.subTest(scene.name):
                checked = self.scree("check", scene)
                self.assertIn("The scene is valid.", checked.stdout)
                self.assertNotIn("warning", checked.stdout + checked.stderr)
                run = self.scree("run", scene, "--until", "1 ms", "--no-pictures", "--out",
                                 scene.stem, status=None)
                self.assertIn("Every step met", run.stderr)
                # 3 where a stage until rest has not come to it in this time
                self.assertEqual(run.returncode, 3 if "not at rest" in run.stderr.lower() else 0)

    def test_programs_have_forty_lines_at_most(self):
        for program in GALLERY.glob("*.py"):
            self.assertLessEqual(program.read_text(encoding="utf-8").count("\n"), 40, program.name)

    def test_pages_link_to_files_that_are_there_and_pictures_are_small(self):
        pages = sorted(GALLERY.glob("*.md"))
        index = (GALLERY / "index.md").read_text(encoding="utf-8")
        for page in pages:
            if page.name != "index.md":
                self.assertIn(f"]({page.name})", index)
            for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
                if link.startswith("https://"):
                    continue
                file = page.parent / link
                self.assertTrue(file.exists(), f"{page.name}: {link}")
                if file.suffix == ".png":
                    self.assertLess(file.stat().st_size, 200_000, link)

    def test_laws_answer_the_contacts_as_the_page_says(self):
        page = (GALLERY / "one_contact.md").read_text(encoding="utf-8")
        for law in ("coulomb", "max_dissipation", "cone_complementarity", "polyhedral"):
            self.scree("contact", GALLERY / "one_contact.csv", "--law", law, "--out", "solved.csv")
            with open(self.directory / "solved.csv", encoding="utf-8") as file:
                rod, sphere = csv.DictReader(file)
            figures = [float(rod[key]) for key in ("r_n", "u_n", "energy")]
            reported = re.search(rf"`{law}` \| (\S+) \| (\S+) \| (\S+) \|", page).groups()
            for figure, text in zip(figures, reported):
                self.assertAlmostEqual(figure, float(text.replace("−", "-")), places=4)
            # of a sphere, cone complementarity alone parts what slides, by mu times its speed
            sliding = (float(sphere["u_t"])**2 + float(sphere["u_o"])**2)**0.5
            parting = 0.4 * sliding if law == "cone_complementarity" else 0
            self.assertAlmostEqual(float(sphere["u_n"]), parting, places=12)


if __name__ == "__main__":
    main()

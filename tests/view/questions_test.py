"""Eight questions that a user has of a run, each answered by the page alone."""

import csv

from browser import BrowserTest, By
from program import BALL, SOURCE, main

# A heap in a box, at rest after a while.
PILE = """scree: 1
name: pile
until: 0.3 s
step: {h: 0.2 ms}
materials:
  glass: {density: 2500}
  steel: {density: 7800}
default_law: {law: coulomb, friction: 0.5}
laws:
  - {between: [glass, steel], law: max_dissipation, friction: 0.3}
bodies:
  - lattice:
      material: glass
      region: {min: [0, 0, 0], max: [4 cm, 4 cm, 6 cm]}
      spacing: 1 cm
      radius: 5 mm
      jitter: [0.1, 0.1, 0.1]
obstacles:
  - half_space: {name: floor, material: steel, point: [0, 0, 0], normal: [0, 0, 1]}
  - half_space: {name: west, material: steel, point: [0, 0, 0], normal: [1, 0, 0]}
  - half_space: {name: east, material: steel, point: [4.2 cm, 0, 0], normal: [-1, 0, 0]}
  - half_space: {name: south, material: steel, point: [0, 0, 0], normal: [0, 1, 0]}
  - half_space: {name: north, material: steel, point: [0, 4.2 cm, 0], normal: [0, -1, 0]}
output: {frame_interval: 50 ms, statistics_interval: 10 ms}
"""


class AUser(BrowserTest):

    def heads_and_rows(self, table):
        """Texts of a table: its rows, cell by cell."""
        return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
                for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]

    def selection(self):
        """Names and values of the selected thing."""
        table = self.find("selection").find_element(By.TAG_NAME, "table")
        return dict(self.heads_and_rows(table))

    def wait_for_selection(self, heading):
        self.wait_for(lambda: heading in self.script(
            "return document.querySelector('#selection h2')?.textContent ?? ''"))

    def test_sees_where_a_hopper_jams(self):
        run = self.run_of(SOURCE / "scenes" / "hopper.yaml", "--set",
                          "obstacles[2].hollow_cone.bottom_radius=6 mm", "--set",
                          "bodies[0].random.count=200")
        self.open(run)
        last = len(self.viewer.json("run", first_frame=0)["times"]) - 1
        self.show_frame(last)
        self.choose("colour", "largest_force")
        self.wait_for(lambda: " N" in self.text("legend-high"))
        self.click("select-highest")
        self.wait_for_selection("Body")
        height = float(self.selection()["position"].split(",")[2].split()[0])
        self.assertTrue(0.075 < height < 0.12, f"not in the cone, but at z = {height} m")

    def test_sees_what_pushes_a_grain(self):
        self.open(self.run_of(self.write_scene(PILE)))
        self.show_frame(6)
        self.click_picture(0.5, 0.5)
        self.wait_for_selection("Body")
        table = self.find("selection").find_elements(By.TAG_NAME, "table")[1]
        forces = [float(row[1].split()[0]) for row in self.heads_and_rows(table)]
        self.assertGreater(len(forces), 1)
        self.assertEqual(forces, sorted(forces, reverse=True))

    def test_sees_when_the_torque_of_a_drum_peaks(self):
        run = self.run_of(SOURCE / "scenes" / "drum_from_stl.yaml", "--until", "0.5 s")
        self.open(run)
        self.choose("plot-column", "obstacles/torque_y")
        link = self.wait_for(lambda: self.text("plot-highest") and self.find("plot-highest"))
        with open(run / "obstacles.csv", encoding="utf-8") as file:
            peak = max(csv.DictReader(file), key=lambda row: float(row["torque_y"]))
        self.assertIn(f"({peak['obstacle']})", link.text)
        link.click()
        self.wait_for(lambda: abs(self.shown_time() - float(peak["time"])) <= 0.025 + 1e-9)

    def test_sees_whether_the_run_kept_its_tolerance_and_why_not(self):
        scene = self.write_scene(PILE + "solver: {max_sweeps: 1, tolerance: 1e-9}\n")
        run = self.run_of(scene, status=3)
        self.open(run)
        self.assertIn("verdict missed", self.text("outcome"))
        shown = " ".join(self.text("verdict").split())
        self.assertIn(self.verdict("out")["sentence"], shown)

    def test_sees_which_contact_is_solved_worst(self):
        self.open(self.run_of(self.write_scene(PILE)))
        worst = self.verdict("out")["contacts"]["worst"]
        self.click("worst-contact")
        self.wait_for_selection(f"Body {worst['id_a']}")
        self.assertLessEqual(abs(self.shown_time() - worst["time"]), 0.025 + 1e-9)

    def test_sees_which_grain_is_the_fastest(self):
        self.open(self.run_of(self.write_scene(PILE)))
        self.show_frame(1)
        fastest = max((self.viewer.json("body", frame=1, row=row)
                       for row in range(self.viewer.frame(1)["bodies"])),
                      key=lambda body: body["speed"])
        self.click("select-highest")
        self.wait_for_selection(f"Body {fastest['id']}")

    def test_sees_which_joint_bears_the_most(self):
        self.open(self.run_of(SOURCE / "scenes" / "quadruped.yaml", "--until", "1 s"))
        self.show_frame(50)
        joints = self.viewer.frame(50)["joints"]
        most = max(joints, key=lambda joint: sum(x * x for x in joint["force"]))
        self.click("joints-section")
        first = self.heads_and_rows(self.find("joints-table"))[0]
        self.assertEqual(first[0], most["name"])

    def test_sees_by_which_law_and_how_well_a_contact_is_solved(self):
        self.open(self.run_of(self.write_scene(PILE)))
        self.show_frame(6)
        on_floor = next(body for body in (self.viewer.json("body", frame=6, row=row)
                                          for row in range(100))
                        if any(contact["b"]["name"] == "floor" for contact in body["contacts"]))
        self.find("find-id").send_keys(str(on_floor["id"]))
        self.find("find-id").submit()
        self.wait_for_selection(f"Body {on_floor['id']}")
        row = next(row for row in self.find("selection").find_elements(By.CSS_SELECTOR, "tr")
                   if row.text.startswith("floor"))
        row.find_element(By.CSS_SELECTOR, "button").click()
        self.wait_for_selection("Contact")
        contact = self.selection()
        self.assertEqual(contact["law"], "max_dissipation")
        for name in ("class", "gap", "impulse", "residual", "cone violation"):
            self.assertTrue(contact[name], name)


class TheControls(BrowserTest):

    def test_all_have_names_for_screen_readers(self):
        self.open(self.run_of(self.write_scene(BALL)))
        nameless = self.script("""
            const isNamed = e => e.labels?.length || e.getAttribute('aria-label') ||
              e.textContent.trim();
            return [...document.querySelectorAll('input, select, button, canvas, svg')]
              .filter(e => !e.hidden && !isNamed(e)).map(e => e.outerHTML)""")
        self.assertEqual(nameless, [])

    def test_work_by_the_keyboard(self):
        self.open(self.run_of(self.write_scene(BALL)))
        picture = self.find("picture")
        picture.send_keys(".")
        self.wait_for_frame(1)
        picture.send_keys(".")
        self.wait_for_frame(2)
        picture.send_keys(",")
        self.wait_for_frame(1)
        picture.send_keys(" ")
        self.wait_for_frame(5)
        self.wait_for(lambda: self.text("play") == "Play")
        before = self.chrome.get_screenshot_as_png()
        picture.send_keys("\ue014" * 6)  # arrow to the right
        picture.send_keys("+")
        self.wait_for(lambda: self.chrome.get_screenshot_as_png() != before)

    def test_slice_what_is_shown(self):
        self.open(self.run_of(self.write_scene(PILE)))
        self.script("document.getElementById('slice-axis').closest('details').open = true")
        self.choose("slice-axis", "x")
        self.script("const s = document.getElementById('slice-high'); s.value = 50;"
                    "s.dispatchEvent(new Event('input'))")
        self.wait_for(lambda: "of them in sight" in self.text("drawn"))
        self.assertIn("m to", self.text("slice-text"))

    def test_show_forces_between_bodies(self):
        self.open(self.run_of(self.write_scene(PILE)))
        self.show_frame(6)
        self.click("chains")
        self.wait_for(lambda: "contacts bear load" in self.text("chains-text"))


if __name__ == "__main__":
    main()

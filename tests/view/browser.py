"""Debian's chromium with the page of `scree view`, driven as a user would."""

import io
import shutil
import sys
import time
import unittest
from pathlib import Path

import numpy
from matplotlib.image import imread

sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))

try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select
    LACK = "" if shutil.which("chromium") and shutil.which("chromedriver") else "chromium"
except ImportError:
    By, LACK = None, "selenium"

from program import ProgramTest
from views import Viewer

HOW_TO_GET_IT = "apt install chromium chromium-driver python3-selenium"
SECONDS = 60  # that a page may take on a busy machine


@unittest.skipIf(LACK, f"{LACK} is missing: {HOW_TO_GET_IT}")
class BrowserTest(ProgramTest):
    """A test with a browser; no page may leave an error in its console."""

    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--use-gl=angle",
                         "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                         "--window-size=1280,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.chrome.service.Service(shutil.which("chromedriver"))
        cls.chrome = webdriver.Chrome(service=service, options=options)
        cls.addClassCleanup(cls.chrome.quit)
        cls.chrome.set_script_timeout(SECONDS)

    def run_of(self, scene, *options, status=0):
        """Runs a scene, and returns its directory."""
        self.scree("run", scene, "--out", "out", "-q", "--no-pictures", *options, status=status)
        return self.directory / "out"

    def open(self, run):
        """Shows a run, and waits for its first frame."""
        self.viewer = Viewer(self, run)
        self.chrome.get_log("browser")
        self.addCleanup(self.require_no_complaint)
        self.chrome.get(self.viewer.address)
        self.wait_for(lambda: self.script("return document.body.dataset.ready"))
        return self.viewer

    def require_no_complaint(self, allowed="422"):
        """A refused frame is logged by the browser itself, with its status 422."""
        complaints = [line["message"] for line in self.chrome.get_log("browser")]
        self.assertEqual([line for line in complaints if allowed not in line], [])

    def script(self, text, *arguments):
        return self.chrome.execute_script(text, *arguments)

    def wait_for(self, condition):
        until = time.monotonic() + SECONDS
        while not (found := condition()):
            self.assertLess(time.monotonic(), until, "the page did not get there in time")
            time.sleep(0.02)
        return found

    def find(self, name):
        return self.chrome.find_element(By.ID, name)

    def text(self, name):
        return self.find(name).text

    def choose(self, name, value):
        Select(self.find(name)).select_by_value(value)

    def click(self, name):
        """Presses a control by the keyboard, which scrolls to it, too."""
        self.script("arguments[0].scrollIntoView()", self.find(name))
        self.find(name).click()

    def show_frame(self, number):
        self.script(
            "const t = document.getElementById('time'); t.value = arguments[0];"
            "t.dispatchEvent(new Event('input'))", number)
        self.wait_for_frame(number)

    def wait_for_frame(self, number):
        self.wait_for(lambda: self.script("return document.body.dataset.frame") == str(number))

    def shown_frame(self):
        return int(self.script("return document.body.dataset.frame"))

    def shown_time(self):
        return self.viewer.json("run", first_frame=0)["times"][self.shown_frame()]

    def click_picture(self, right, down):
        """Clicks at these fractions of the picture."""
        picture = self.find("picture")
        size = picture.size
        ActionChains(self.chrome).move_to_element_with_offset(
            picture, round((right - 0.5) * size["width"]), round(
                (down - 0.5) * size["height"])).click().perform()

    def colours_in_picture(self):
        """Number of different colours in the picture of the bodies."""
        pixels = imread(io.BytesIO(self.find("picture").screenshot_as_png))[..., :3]
        return len(numpy.unique(pixels.reshape(-1, 3), axis=0))

"""Checkpoints that were altered and sealed again."""

import hashlib
import json
import shutil

from program import main
from readers_test import need
from resume_test import ResumeTest

# A pile that is pushed by a wall in its second stage.
STAGED = """scree: 1
name: staged
step: {h: 0.1 ms}
materials:
  glass: {density: 2500}
default_law: {law: coulomb, friction: 0.5}
bodies:
  - lattice:
      {region: {min: [0, 0, 0], max: [2 cm, 2 cm, 1 cm]}, spacing: 5 mm, radius: 2.4 mm}
obstacles:
  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - half_space: {name: wall, point: [-1 mm, 0, 0], normal: [1, 0, 0]}
stages:
  - {name: fall, until: 4 ms}
  - {name: push, until: 4 ms, move: {wall: {velocity: [0.1, 0, 0]}}}
output:
  frame_interval: 2 ms
  statistics_interval: 1 ms
  checkpoint_interval: 1 ms
  analysis:
    - name: box
      region: {min: [0, 0, 0], max: [2 cm, 2 cm, 1 cm]}
      plane: {point: [1 cm, 0, 0], normal: [1, 0, 0]}
      residence: true
      fields: {cells: [2, 1, 1]}
"""


def altered(tree):
    """The tree with each of its entries lost or a text, in turn, one at a time; of lists the last
    entry.
    """
    for k, key in enumerate(list(tree) if isinstance(tree, dict) else range(len(tree))[-1:]):
        copy = tree.copy()
        if k % 2 == 0 or isinstance(tree, list):
            del copy[key]
            yield f"{key} is lost", copy
        else:
            copy[key] = "a text"
            yield f"{key} is a text", copy
        # Reports are alike.
        if isinstance(tree[key], (dict, list)) and key not in ("first", "worst_missed"):
            for what, inner in altered(tree[key]):
                copy = tree.copy()
                copy[key] = inner
                yield f"{key}/{what}", copy


class AForgedCheckpoint(ResumeTest):

    def setUp(self):
        need(self, "python3-h5py", "h5py")
        super().setUp()
        self.scene = self.write_scene(STAGED)
        self.scree("run", self.scene, "--out", "run", "--until", "6 ms", status=0)
        (self.directory / "run").rename(self.directory / "kept")
        self.scree("run", self.scene, "--out", "whole", status=0)

    def resumed_after(self, change):
        """Result of a resumed run whose last checkpoint was changed and sealed again. If it is not
        refused, its frames are those of a whole run.
        """
        import h5py
        shutil.rmtree(self.directory / "run", ignore_errors=True)
        shutil.copytree(self.directory / "kept", self.directory / "run")
        file = sorted((self.directory / "run/restart").iterdir())[-1]
        file.write_bytes(file.read_bytes()[:-64])
        with h5py.File(file, "r+") as opened:
            change(opened)
        file.write_bytes(file.read_bytes() + hashlib.sha256(file.read_bytes()).hexdigest().encode())
        result = self.scree("run", self.scene, "--out", "run", "--resume", status=None)
        if result.returncode == 0:
            for frame in (self.directory / "whole/frames").iterdir():
                resumed = self.directory / "run/frames" / frame.name
                self.assertEqual(resumed.read_bytes(), frame.read_bytes(), frame.name)
        return result

    def test_with_altered_progress_is_refused(self):

        def replace_progress(opened, text):
            del opened["scree/progress"]
            opened["scree/progress"] = numpy.frombuffer(text.encode(), numpy.uint8)

        import h5py
        import numpy
        file = sorted((self.directory / "kept/restart").iterdir())[-1]
        with h5py.File(file) as opened:
            progress = json.loads(bytes(opened["scree/progress"][...]))
        refused = 0
        for what, change in (("it is no JSON", "{"), *altered(progress)):
            text = change if isinstance(change, str) else json.dumps(change)
            with self.subTest(what):
                result = self.resumed_after(
                    lambda opened, text=text: replace_progress(opened, text))
                self.assertIn(result.returncode, (0, 2), result.stderr)
                refused += result.returncode == 2
                if result.returncode == 2:
                    self.assertRegex(result.stderr, "progress|state of this scene|tally|restore")
        self.assertGreater(refused, 100)
        self.assertEqual(self.resumed_after(lambda opened: None).returncode, 0)

    def test_with_arrays_of_other_lengths_is_refused(self):

        def cut(opened, name):
            rows = opened[name][...]
            del opened[name]
            opened[name] = rows[:0]

        import h5py
        file = sorted((self.directory / "kept/restart").iterdir())[-1]
        with h5py.File(file) as opened:
            names = [f"scree/state/{n}" for n, rows in opened["scree/state"].items() if len(rows)]
        for name in names:
            result = self.resumed_after(lambda opened, name=name: cut(opened, name))
            with self.subTest(name):
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("is damaged", result.stderr)
                self.assertIn("resume from the one before", result.stderr)


if __name__ == "__main__":
    main()

"""Robots that loops in Python drive at 500 Hz."""

import sys

from program import SOURCE, main
from support import PackageTest

sys.path.insert(0, str(SOURCE / "python/examples"))
from robots import Arm, Dog, Humanoid  # noqa: E402  (the path comes first)


class DrivenRobots(PackageTest):

    def test_a_humanoid_stands_and_crouches_for_ten_seconds(self):
        robot = Humanoid()
        robot.run(5)
        self.assertLess(robot.height(), 0.85)
        robot.run(5)
        self.assertGreater(robot.height(), 0.9)
        self.assertTrue(robot.sim.met)

    def test_a_dog_trots_a_metre(self):
        robot = Dog()
        robot.run(3)
        self.assertGreater(robot.way(), 1)
        self.assertTrue(robot.sim.met)

    def test_an_arm_grasps_a_box_and_lifts_it(self):
        robot = Arm()
        robot.run(6.5)
        self.assertGreater(robot.height(), 0.16)
        self.assertTrue(robot.sim.met)


if __name__ == "__main__":
    main()

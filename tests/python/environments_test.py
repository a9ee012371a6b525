"""The example environments by the interface that Gymnasium describes, without Gymnasium."""

import sys

import numpy as np
from program import SOURCE, main
from support import PackageTest

sys.path.insert(0, str(SOURCE / "python/examples"))
from environments import Gripper, Many, Quadruped  # noqa: E402  (the path comes first)


class Environments(PackageTest):

    def test_they_have_the_interface_of_gymnasium(self):
        for kind in (Quadruped, Gripper):
            with self.subTest(kind.__name__):
                environment = kind()
                observation, info = environment.reset(seed=1, options={})
                self.assertTrue(environment.observation_space.contains(observation))
                self.assertEqual(info, {})
                action = environment.action_space.sample()
                self.assertTrue(environment.action_space.contains(action))
                result = environment.step(action)
                self.assertEqual([type(x) for x in result], [np.ndarray, float, bool, bool, dict])
                self.assertTrue(environment.observation_space.contains(result[0]))
                environment.close()

    def test_a_seed_gives_an_episode_again_to_the_bit(self):
        environment = Quadruped()
        actions = np.random.default_rng(2).uniform(-1, 1, (10, 12))

        def episode():
            first, _ = environment.reset(seed=4)
            return [first] + [environment.step(action)[0] for action in actions]

        np.testing.assert_array_equal(episode(), episode())
        self.assertFalse(np.array_equal(environment.reset(seed=5)[0], environment.reset(seed=6)[0]))

    def test_a_robot_that_stands_is_rewarded_and_one_that_falls_fails(self):
        environment = Quadruped()
        environment.reset(seed=1)
        for _ in range(10):
            _, reward, terminated, _, _ = environment.step(np.zeros(12))
        self.assertFalse(terminated)
        self.assertGreater(reward, 0.4)
        environment.sim.joints.drive("force")
        environment.sim.joints.target = 0
        for _ in range(25):
            environment.sim.step(20)
        self.assertTrue(environment.failed())

    def test_a_gripper_lifts_its_box_by_a_simple_policy(self):
        environment = Gripper()
        environment.reset(seed=1)
        for _ in range(25):
            environment.step([0, 1, 1])
        for _ in range(25):
            _, reward, terminated, _, _ = environment.step([0.5, 1, 1])
        self.assertGreater(reward, 0.03)
        self.assertFalse(terminated)

    def test_many_step_together_as_each_alone_and_begin_again(self):
        Gripper.episode, kept = 4, Gripper.episode
        try:
            many, alone = Many(Gripper, 3, 2), Gripper()
            actions = np.random.default_rng(3).uniform(-1, 1, (5, 3, 3))
            first, _ = many.reset(seed=7)
            expected = [alone.reset(seed=8)[0]]
            found = [first[1]]
            for k in range(4):
                observations, rewards, terminated, truncated, infos = many.step(actions[k])
                last = infos[1].get("final_observation", observations[1])
                found.append(last)
                expected.append(alone.step(actions[k][1])[0])
            np.testing.assert_array_equal(found, expected)
            self.assertTrue(truncated.all())
            self.assertEqual((observations.shape, rewards.shape), ((3, 13), (3,)))
            self.assertFalse(np.array_equal(observations[1], infos[1]["final_observation"]))
        finally:
            Gripper.episode = kept


if __name__ == "__main__":
    main()

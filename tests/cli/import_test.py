"""scree import: robots from URDF files."""

import csv
import math

import numpy as np

from program import SOURCE, ProgramTest, main

LEG = SOURCE / "scenes/leg.urdf"


def turn_about_y(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def masses_and_torques(angle, other):
    """Accelerations of hip and knee from the numbers of the file: M(q) q'' = gravity."""
    thigh, shank = turn_about_y(angle), turn_about_y(other)
    hip = np.array([0, 0, 1.0])
    knee = hip + thigh @ [0, 0, -0.4]
    # mass, centre, moment about y, which joints move it
    bodies = [(1.2, hip + thigh @ [0, 0, -0.2], 0.01625, (1, 0)),
              (0.6, knee + shank @ [0.01, 0, -0.15], 0.006, (1, 1)),
              (0.1, knee + shank @ [0, 0, -0.36], 3.6e-5, (1, 1))]
    mass, force = np.zeros((2, 2)), np.zeros(2)
    for m, centre, moment, moved in bodies:
        ways = [moved[k] * np.cross([0, 1, 0], centre - at) for k, at in enumerate((hip, knee))]
        for i in range(2):
            force[i] += m * np.dot(ways[i], [0, 0, -9.81])
            for k in range(2):
                mass[i, k] += m * np.dot(ways[i], ways[k]) + moment * moved[i] * moved[k]
    return mass, force


class Import(ProgramTest):

    def imported(self, urdf=LEG):
        return self.scree("import", urdf, "--out", "leg.yaml", "--force")

    def test_a_leg_begins_to_fall_as_its_numbers_say(self):
        text = LEG.read_text(encoding="utf-8")
        text = text.replace('lower="0"', 'lower="-3"')
        text = text.replace('<dynamics damping="0.02" friction="0.01"/>', "")
        text = text.replace('<mimic joint="hip" multiplier="-2"/>', "")
        (self.directory / "free.urdf").write_text(text, encoding="utf-8")
        self.imported("free.urdf")
        self.scree("run", "leg.yaml", "--out", "run", "--until", "0.02 s", "--no-pictures", "--set",
                   "step.h=0.1 ms", "--set", "output.statistics_interval=1 ms")
        with open(self.directory / "run/joints.csv", encoding="utf-8") as file:
            last = {row["joint"]: row for row in csv.DictReader(file)}
        hip, knee = np.linalg.solve(*masses_and_torques(0.3, -0.3))
        for name, acceleration in (("hip", hip), ("knee", knee)):
            reported = float(last[name]["coordinate_1"]) / (0.5 * 0.02**2)
            self.assertAlmostEqual(reported / acceleration, 1, delta=0.01)

    def test_a_joint_that_mimics_another_follows_it_by_a_gear(self):
        text = LEG.read_text(encoding="utf-8").replace('lower="0"', 'lower="-3"')
        text = text.replace('<dynamics damping="0.02" friction="0.01"/>', "")
        (self.directory / "geared.urdf").write_text(text, encoding="utf-8")
        self.imported("geared.urdf")
        self.scree("run", "leg.yaml", "--out", "run", "--until", "0.02 s", "--no-pictures", "--set",
                   "step.h=0.1 ms", "--set", "output.statistics_interval=1 ms")
        with open(self.directory / "run/joints.csv", encoding="utf-8") as file:
            last = {row["joint"]: row for row in csv.DictReader(file)}
        # q = (1, -2) x: (1, -2) M (1, -2) x'' = (1, -2) f
        mass, force = masses_and_torques(0.3, -0.3)
        way = np.array([1, -2])
        acceleration = way @ force / (way @ mass @ way)
        hip = float(last["hip"]["coordinate_1"])
        self.assertAlmostEqual(hip / (0.5 * 0.02**2) / acceleration, 1, delta=0.01)
        self.assertAlmostEqual(float(last["knee"]["coordinate_1"]) / hip, -2, delta=1e-9)
        self.assertEqual(last["knee as hip"]["coordinate_2"], last["hip"]["coordinate_1"])

    def test_a_joint_that_mimics_another_with_an_offset_begins_there(self):
        text = LEG.read_text(encoding="utf-8")
        text = text.replace('rpy="0 -0.6 0"', 'rpy="0 -1.1 0"')
        text = text.replace('multiplier="-2"', 'multiplier="-2" offset="0.5"')
        (self.directory / "offset.urdf").write_text(text, encoding="utf-8")
        self.imported("offset.urdf")
        moved = (self.directory / "leg.yaml").read_text(encoding="utf-8")
        self.assertIn("limits: [-0.5, 1.5]", moved)
        self.imported()
        self.scree("check", "leg.yaml")

        def places(scene):
            lines = [line for line in scene.splitlines() if "position:" in line]
            return [float(x) for line in lines for x in line.split("[")[1].rstrip("]").split(",")]

        expected = places((self.directory / "leg.yaml").read_text(encoding="utf-8"))
        np.testing.assert_allclose(places(moved), expected, atol=1e-12)

    def test_limits_friction_and_damping_are_taken(self):
        self.imported()
        scene = (self.directory / "leg.yaml").read_text(encoding="utf-8")
        self.assertIn("limits: [-1, 1]", scene)
        self.assertIn("friction: 0.01", scene.split("name: \"hip\"")[1].split("name: \"knee\"")[0])
        self.assertIn("damping: 0.02", scene)
        self.scree("run", "leg.yaml", "--out", "run", "--until", "0.5 s", "--no-pictures")

    def test_what_is_not_covered_is_told_and_listed(self):
        reported = self.imported().stderr
        scene = (self.directory / "leg.yaml").read_text(encoding="utf-8")
        for what in ("no motor; the file allows one with the effort 40", "transmission"):
            self.assertIn(what, reported)
            self.assertIn(what, scene)
        # All collisions are taken.
        for link in ("thigh", "shank", "foot"):
            self.assertNotIn(f"'{link}'", reported)

    def test_a_collision_that_is_off_the_centre_of_mass_touches_where_it_is(self):
        # A ball on a stick of no collision, its centre 0.3 m from the centre of mass.
        self.write_link("""<collision><origin xyz="0.3 0 0"/>
            <geometry><sphere radius="0.1"/></geometry></collision>""")
        self.imported("link.urdf")
        self.drop_on_a_floor(0.1 + 1e-6)

    def test_a_mesh_counts_by_its_hull(self):
        # A tetrahedron of 20 cm whose lowest corner is at z = -0.1.
        corners = ("v 0 0 -0.1\nv 0.1 0 0.1\nv -0.1 0.1 0.1\nv -0.1 -0.1 0.1\n"
                   "f 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n")
        (self.directory / "meshes").mkdir()
        (self.directory / "meshes/top.obj").write_text(corners, encoding="utf-8")
        for name in ("meshes/top.obj", "package://meshes/top.obj"):
            self.write_link(f"""<collision><geometry><mesh filename="{name}" scale="1 1 2"/>
                </geometry></collision>""")
            reported = self.imported("link.urdf").stderr
            self.assertIn("which has 4 corners", reported)
            self.drop_on_a_floor(0.2 + 1e-6)

    def test_what_cannot_be_is_refused_with_its_line(self):
        text = LEG.read_text(encoding="utf-8")
        for found, given, reason in (
            ("</robot>", "", "not valid XML"),
            ("<robot", "<sdf", "not valid XML"),
            ('value="0.6"', 'value="${mass}"', "run xacro first"),
        ):
            self.assertIn(found, text)
            (self.directory / "bad.urdf").write_text(text.replace(found, given, 1),
                                                     encoding="utf-8")
            reported = self.scree("import", "bad.urdf", status=2).stderr
            self.assertIn(reason, reported)
            self.assertRegex(reported, r"bad\.urdf:\d+: ")

    def write_arm(self):
        """A robot of four joints, two of which cannot be at 0."""
        self.arm = (("base", "upper", "revolute", (0.1, -0.2, 1), (0.3, -0.4, 1.1), (1, 2, 2),
                     (0.25, 1.5)), ("upper", "slide", "prismatic", (0, 0.3, 1), (-0.7, 0.2, 0.4),
                                    (0, 3, 4), (-0.9, -0.2)),
                    ("slide", "lower", "continuous", (0.2, 0.5, 1), (1.2, 0.5, -2), (0, 0, 1),
                     None), ("lower", "hand", "revolute", (-0.3, 0.1, 1), (0.1, 0.2, 0.3),
                             (1, 0, 0), (-1, 1)))
        text = '<robot name="arm"><link name="base"/>'
        for parent, child, kind, at, turn, axis, limits in self.arm:
            text += f"""<link name="{child}">
              <inertial><mass value="1"/><inertia ixx="2e-3" iyy="2e-3" izz="2e-3"/></inertial>
              <visual><geometry><sphere radius="0.1"/></geometry></visual>
              <collision><origin xyz="0.01 0 0"/>
              <geometry><cylinder radius="0.05" length="0.1"/></geometry></collision></link>
              <joint name="to_{child}" type="{kind}"><parent link="{parent}"/>
              <child link="{child}"/><origin xyz="{' '.join(map(str, at))}"
              rpy="{' '.join(map(str, turn))}"/><axis xyz="{' '.join(map(str, axis))}"/>"""
            if limits:
                text += f'<limit lower="{limits[0]}" upper="{limits[1]}"/>'
            text += "</joint>"
        text += '<material name="blue"><color rgba="0 0 1 1"/></material></robot>'
        (self.directory / "arm.urdf").write_text(text, encoding="utf-8")

    def places_of_arm(self, values):
        """Poses of its links, by forward kinematics with matrices."""
        pose, places = np.eye(4), []
        for (_, child, kind, at, turn, axis, _), value in zip(self.arm, values):
            roll, pitch, yaw = turn
            cr, sr, cy, sy = math.cos(roll), math.sin(roll), math.cos(yaw), math.sin(yaw)
            origin = np.eye(4)
            origin[:3, :3] = (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ turn_about_y(pitch)
                              @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))
            origin[:3, 3] = at
            way, joint = np.array(axis) / np.linalg.norm(axis), np.eye(4)
            if kind == "prismatic":
                joint[:3, 3] = value * way
            else:
                k = np.cross(np.eye(3), way)
                joint[:3, :3] += math.sin(value) * k + (1 - math.cos(value)) * k @ k
            pose = pose @ origin @ joint
            places.append((child, pose))
        return places

    def test_joints_begin_where_they_are_told_to_or_at_the_nearest_limit(self):
        self.write_arm()
        for options, values in (((), (0.25, -0.2, 0, 0)), (("--pose", "to_upper=1.1,to_lower=-2.5",
                                                            "--pose", "to_hand=1"), (1.1, -0.2,
                                                                                     -2.5, 1))):
            reported = self.scree("import", "arm.urdf", "--out", "arm.yaml", "--force",
                                  *options).stderr
            self.assertIn("'to_slide' starts at -0.2, because its limits exclude 0", reported)
            scene = (self.directory / "arm.yaml").read_text(encoding="utf-8")
            self.assertIn("'to_slide' starts at -0.2", scene)
            bodies, joints = scene.split("joints:")
            for (child, pose), value, link in zip(self.places_of_arm(values), values, self.arm):
                body = bodies.split(f'name: "{child}"')[1]
                found = [float(x) for x in body.split("position: [")[1].split("]")[0].split(",")]
                np.testing.assert_allclose(found, pose[:3, 3], atol=1e-12)
                w, *v = [float(x) for x in body.split("orientation: [")[1].split("]")[0].split(",")]
                k = np.cross(np.eye(3), np.array(v))
                np.testing.assert_allclose(
                    np.eye(3) + 2 * w * k + 2 * k @ k, pose[:3, :3], atol=1e-12)
                if link[-1]:
                    joint = joints.split(f'name: "to_{child}"')[1]
                    limits = [
                        float(x) for x in joint.split("limits: [")[1].split("]")[0].split(",")
                    ]
                    np.testing.assert_allclose(limits, np.array(link[-1]) - value, atol=1e-12)

    def test_a_pose_that_cannot_be_is_refused(self):
        self.write_arm()
        for pose, reason in (("to_upper=0.2",
                              "has the limits 0.25 and 1.5, but would start at 0.2"),
                             ("to_foot=1", "there is no joint 'to_foot'"),
                             ("to_hand", "write JOINT=VALUE"), ("to_hand=nan", "finite number"),
                             ("to_hand=1,to_hand=1", "a value already")):
            reported = self.scree("import", "arm.urdf", "--pose", pose, status=2).stderr
            self.assertIn(reason, reported)
        reported = self.scree("import", LEG, "--pose", "knee=0.1", status=2).stderr
        self.assertIn("mimics 'hip'", reported)
        reported = self.scree("import", LEG, "--pose", "ankle=0.1", status=2).stderr
        self.assertIn("because it is fixed", reported)

    def test_pictures_of_links_and_colours_are_told(self):
        self.write_arm()
        reported = self.scree("import", "arm.urdf").stderr
        self.assertIn("visual elements (4) are not covered", reported)
        self.assertIn("material elements (1) are not covered", reported)

    def test_what_has_no_mass_touches_as_part_of_what_holds_it(self):
        # A finger without mass, rotated and fixed 0.3 m from a body without collision.
        self.write_link("")
        text = (self.directory / "link.urdf").read_text(encoding="utf-8")
        finger = """<link name="finger"><collision><origin xyz="0 0 0.1"/><geometry>
            <sphere radius="0.05"/></geometry></collision></link><joint name="weld" type="fixed">
            <parent link="body"/><child link="finger"/><origin xyz="0.3 0 0" rpy="3.14159265358979
            0 0"/></joint></robot>"""
        (self.directory / "link.urdf").write_text(text.replace("</robot>", finger),
                                                  encoding="utf-8")
        self.assertNotIn("finger", self.imported("link.urdf").stderr)
        self.drop_on_a_floor(0.15 + 1e-6)

    def test_the_world_touches_as_an_obstacle(self):
        text = LEG.read_text(encoding="utf-8").replace(
            '<link name="stand"/>', """<link name="stand"><collision><origin xyz="0 0 1.2"/>
            <geometry><box size="0.3 0.3 0.4"/></geometry></collision></link>""")
        (self.directory / "stand.urdf").write_text(text, encoding="utf-8")
        self.imported("stand.urdf")
        reported = self.scree("check", "leg.yaml").stdout
        self.assertIn("obstacles  1", reported)
        ball = "bodies:\n  - sphere: {position: [0.17, 0, 1.3], radius: 0.03}\n"
        scene = (self.directory / "leg.yaml").read_text(encoding="utf-8")
        (self.directory / "ball.yaml").write_text(scene.replace("bodies:\n", ball),
                                                  encoding="utf-8")
        self.assertIn("overlaps the obstacle 'stand' by 0.01 m",
                      self.scree("check", "ball.yaml", status=2).stderr)

    def test_a_scene_that_will_be_refused_is_told_and_written(self):
        # The hand begins in the upper arm, which is not its neighbour.
        self.write_arm()
        text = (self.directory / "arm.urdf").read_text(encoding="utf-8")
        text = text.replace('xyz="0.2 0.5 1"', 'xyz="0 0 0"').replace('xyz="0 0.3 1"',
                                                                      'xyz="0 0.02 0"')
        (self.directory / "arm.urdf").write_text(text.replace(' upper="-0.2"', ' upper="-0.02"'),
                                                 encoding="utf-8")
        reported = self.scree("import", "arm.urdf", "--out", "leg.yaml", "--collide-all",
                              status=2).stderr
        self.assertRegex(reported, r"the link 'lower' .* overlaps the link 'upper'")
        self.assertIn("--pose", reported)
        scene = (self.directory / "leg.yaml").read_text(encoding="utf-8")
        (self.directory / "leg.yaml").write_text(scene + "ignore: [[lower, upper]]\n",
                                                 encoding="utf-8")
        self.scree("check", "leg.yaml")

    def write_link(self, collision):
        (self.directory / "link.urdf").write_text(
            f"""<robot name="one"><link name="body">
            <inertial><mass value="1"/><inertia ixx="0.02" iyy="0.025" izz="0.03"/></inertial>
            {collision}</link></robot>""", encoding="utf-8")

    def drop_on_a_floor(self, height):
        """The body touches a floor that is so far below its frame, and none that is lower."""
        scene = (self.directory / "leg.yaml").read_text(encoding="utf-8")
        for below, touches in ((height - 2e-6, True), (height, False)):
            floor = ("gravity: [0, 0, 0]\nobstacles:\n  - half_space: {point: [0, 0, "
                     f"{-below:.9f}], normal: [0, 0, 1]}}\n")
            (self.directory / "floor.yaml").write_text(scene + floor, encoding="utf-8")
            reported = self.scree("check", "floor.yaml", status=2 if touches else 0).stderr
            self.assertEqual("overlaps the obstacle" in reported, touches, reported)


if __name__ == "__main__":
    main()

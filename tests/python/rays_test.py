"""Rays against bodies and obstacles: each shape against its equation, meshes against all triangles,
many bodies against each of them.
"""

import numpy as np
import scree
from program import SOURCE, main
from support import PackageTest

SEED = 5
AT, TURN = np.array([0.3, -0.2, 0.5]), np.array([0.8, 0.3, -0.4, 0.33])


def rotation(quaternion):
    """Matrix of a quaternion, w first, of any length."""
    w, x, y, z = np.asarray(quaternion) / np.linalg.norm(quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def scene(bodies=(), obstacles=(), **more):
    return scree.Simulation({
        "scree": 1, "until": 1, "step": {"h": "1 ms"}, "gravity": [0, 0, 0], "allow_overlap": True,
        "materials": {"steel": {"density": 7800}}, "default_law": {"law": "frictionless"},
        "bodies": list(bodies), "obstacles": list(obstacles), **more
    })


def rays(count, reach, centre=AT):
    """Rays from a sphere about a centre to points within `reach` of it."""
    random = np.random.default_rng(SEED)
    origins = random.normal(size=(count, 3))
    origins *= 3 * reach / np.linalg.norm(origins, axis=1)[:, None]
    directions = random.uniform(-reach, reach, (count, 3)) - origins
    return origins + centre, directions / np.linalg.norm(directions, axis=1)[:, None]


def first_inside(inside, origins, directions, reach):
    """Distances at which rays enter the set inside(points) <= 0, by sampling and bisection."""
    at = np.linspace(0, 6 * reach, 6001)
    distances = np.full(len(origins), np.inf)
    for k, (origin, direction) in enumerate(zip(origins, directions)):
        values = inside(origin + at[:, None] * direction)
        if not (values <= 0).any():
            continue
        high = at[np.argmax(values <= 0)]
        low = high - at[1]
        for _ in range(60):
            middle = (low + high) / 2
            if inside((origin + middle * direction)[None])[0] <= 0:
                high = middle
            else:
                low = middle
        distances[k] = high
    return distances


def radius(p):
    return np.hypot(p[:, 0], p[:, 1])


SHAPES = {
    "sphere": ({"sphere": {"radius": 0.1}}, lambda p: np.linalg.norm(p, axis=1) - 0.1),
    "box": ({"box": {"size": [0.1, 0.2,
                              0.15]}}, lambda p: np.max(np.abs(p) - [0.05, 0.1, 0.075], axis=1)),
    "capsule": ({
        "solid": {"shape": {"capsule": {"radius": 0.05, "length": 0.12}}}
    }, lambda p: np.linalg.norm(p - np.clip(p[:, 2:], -0.06, 0.06) * [0, 0, 1], axis=1) - 0.05),
    "cylinder": ({"solid": {"shape": {"cylinder": {"radius": 0.06, "length": 0.2}}}},
                 lambda p: np.maximum(radius(p) - 0.06,
                                      np.abs(p[:, 2]) - 0.1)),
    "ellipsoid": ({"solid": {"shape": {"ellipsoid": {"semi_axes": [0.05, 0.08, 0.12]}}}},
                  lambda p: np.linalg.norm(p / [0.05, 0.08, 0.12], axis=1) - 1),
    "superellipsoid": ({
        "solid": {
            "shape": {"superellipsoid": {"semi_axes": [0.05, 0.08, 0.12], "exponents": [6, 3]}}
        }
    }, lambda p: ((np.abs(p[:, 0] / 0.05)**6 + np.abs(p[:, 1] / 0.08)**6)**0.5 + np.abs(
        p[:, 2] / 0.12)**3 - 1)),
    "octahedron": ({
        "solid": {
            "shape": {
                "polyhedron": {
                    "points": [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1],
                               [0, 0, -0.1]]
                }
            }
        }
    }, lambda p: np.abs(p).sum(axis=1) - 0.1),
}


def frustum(bottom, top, length, lowest):
    """Where a point is outside a frustum whose base is at z = lowest."""

    def inside(p):
        z = p[:, 2] - lowest
        return np.maximum(
            radius(p) - (bottom + (top - bottom) * z / length),
            np.abs(z - length / 2) - length / 2)

    return inside


class Rays(PackageTest):

    def expect(self, sim, inside, position=AT, orientation=TURN, reach=0.2, count=120):
        origins, directions = rays(count, reach, position)
        turn = rotation(orientation)
        expected = first_inside(lambda p: inside((p - position) @ turn), origins, directions, reach)
        hits = sim.raycast(origins, directions)
        there = np.isfinite(expected)
        self.assertGreater(there.sum(), count / 20)
        np.testing.assert_array_equal(np.isfinite(hits["distance"]), there)
        np.testing.assert_allclose(hits["distance"][there], expected[there], atol=1e-9)
        self.expect_normals(hits[there], directions[there], lambda p: inside((p - position) @ turn))
        return hits

    def expect_normals(self, hits, directions, inside):
        """Normals lead out of the set, along the gradient of its function."""
        gradient = np.stack([(inside(hits["point"] + d) - inside(hits["point"] - d)) / 2e-7
                             for d in 1e-7 * np.eye(3)], axis=1)
        cosines = (gradient * hits["normal"]).sum(axis=1) / np.linalg.norm(gradient, axis=1)
        np.testing.assert_allclose(np.linalg.norm(hits["normal"], axis=1), 1, atol=1e-12)
        self.assertGreater(np.median(cosines), 1 - 1e-6)
        self.assertGreater((cosines > 0.999).mean(), 0.95)  # differences fail at edges
        self.assertTrue(((hits["normal"] * directions).sum(axis=1) <= 1e-12).all())

    def test_rays_meet_bodies_where_their_equations_say(self):
        for name, (shape, inside) in SHAPES.items():
            with self.subTest(name):
                (kind, keys), = shape.items()
                body = {
                    kind: {**keys, "name": "it", "position": list(AT), "orientation": list(TURN)}
                }
                sim = scene([body])
                hits = self.expect(sim, inside)
                self.assertEqual(set(hits["id"][np.isfinite(hits["distance"])]),
                                 {sim.bodies["it"].id})
                self.assertEqual(set(hits["id"][~np.isfinite(hits["distance"])]), {2**64 - 1})

    def test_rays_meet_cones_and_frusta_as_bodies_and_as_obstacles(self):
        for bottom, top in ((0.1, 0), (0.05, 0.1), (0.08, 0.06)):
            shape = {"cone": {"radius": bottom, "length": 0.15}} if top == 0 else {
                "frustum": {"bottom_radius": bottom, "top_radius": top, "length": 0.15}
            }
            placed = {"solid": {"shape": shape, "position": list(AT), "orientation": list(TURN)}}
            for sim in (scene([placed]), scene(obstacles=[placed])):
                with self.subTest(f"{bottom} to {top}"):
                    self.expect(sim, frustum(bottom, top, 0.15, -0.075))

    def test_rays_meet_the_surface_of_a_clump_and_not_what_its_parts_hide(self):
        parts = [{"shape": {"sphere": {"radius": 0.06}}, "position": [0.03, 0, 0]},
                 {"shape": {"sphere": {"radius": 0.05}}, "position": [-0.04, 0.02, 0]}]
        clump = {
            "solid": {
                "name": "it", "shape": {"clump": parts}, "position": list(AT),
                "orientation": list(TURN)
            }
        }
        sim = scene([clump])
        self.expect(
            sim, lambda p: np.minimum(
                np.linalg.norm(p - [0.03, 0, 0], axis=1) - 0.06,
                np.linalg.norm(p - [-0.04, 0.02, 0], axis=1) - 0.05))
        inside = AT + rotation(TURN) @ [0.03, 0, 0]
        self.assertEqual(sim.raycast(inside, [1, 0, 0])["distance"][0], np.inf)

    def test_rays_meet_hollow_obstacles_on_both_sides(self):
        along = list(rotation(TURN)[:, 2])
        for closed in ("none", "bottom", "both"):
            with self.subTest(closed):
                sim = scene(obstacles=[{
                    "hollow_cone": {
                        "position": list(AT), "axis": along, "length": 0.2, "bottom_radius": 0.05,
                        "top_radius": 0.12, "closed": closed
                    }
                }])
                origins, directions = rays(200, 0.2)
                turn = rotation(TURN)
                expected = self.shell(origins, directions, turn, closed)
                np.testing.assert_allclose(
                    sim.raycast(origins, directions)["distance"], expected, atol=1e-9)
        hit, = sim.raycast(AT, along)
        self.assertAlmostEqual(hit["distance"], 0.1)
        np.testing.assert_allclose(hit["normal"], -np.array(along), atol=1e-12)

    @staticmethod
    def shell(origins, directions, turn, closed):
        """Distances at which the sign of r − R(z) changes between the ends, or rays meet discs."""
        at = np.linspace(0, 1.2, 12001)
        expected = np.full(len(origins), np.inf)
        for k in range(len(origins)):
            o, d = (origins[k] - AT) @ turn, directions[k] @ turn
            found = [np.inf]

            def outside(t):
                p = o + np.atleast_1d(t)[:, None] * d
                return radius(p) - (0.085 + 0.35 * p[:, 2])

            signs = np.sign(outside(at))
            for low, high in zip(at[:-1][signs[:-1] != signs[1:]], at[1:][signs[:-1] != signs[1:]]):
                for _ in range(60):
                    middle = (low + high) / 2
                    if (outside(low)[0] > 0) == (outside(middle)[0] > 0):
                        low = middle
                    else:
                        high = middle
                if abs((o + low * d)[2]) <= 0.1:
                    found.append(low)
            for is_there, z, r in ((closed != "none", -0.1, 0.05), (closed == "both", 0.1, 0.12)):
                t = (z - o[2]) / d[2]
                if is_there and t > 0 and radius((o + t * d)[None])[0] <= r:
                    found.append(t)
            expected[k] = min(found)
        return expected

    def test_rays_meet_meshes_as_every_triangle_alone_says(self):
        data = (SOURCE / "scenes/drum.stl").read_bytes()
        count = int.from_bytes(data[80:84], "little")
        record = np.dtype([("normal", "3f4"), ("corners", "(3,3)f4"), ("more", "u2")])
        corners = 1e-3 * np.frombuffer(data, record, count, 84)["corners"].astype(float)
        size = np.abs(corners).max()
        origins, directions = rays(200, size)
        turn = rotation(TURN)
        for sides in ("one", "two"):
            mesh = {
                "file": str(SOURCE / "scenes/drum.stl"), "unit": "mm", "position": list(AT),
                "orientation": list(TURN), "sides": sides
            }
            hits = scene(obstacles=[{"mesh": mesh}]).raycast(origins, directions)
            expected = [
                self.first_triangle((o - AT) @ turn, d @ turn, corners, sides)
                for o, d in zip(origins, directions)
            ]
            np.testing.assert_allclose(hits["distance"], expected, atol=1e-9 * size)
            self.assertGreater(np.isfinite(expected).sum(), 20)
            self.assertTrue(((hits["normal"] * directions).sum(axis=1) <= 0).all())

    @staticmethod
    def first_triangle(o, d, corners, sides):
        """Möller and Trumbore."""
        a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        p = np.cross(d, ac)
        with np.errstate(divide="ignore", invalid="ignore"):
            det = (ab * p).sum(axis=1)
            u = ((o - a) * p).sum(axis=1) / det
            q = np.cross(o - a, ab)
            v, t = (d * q).sum(axis=1) / det, (ac * q).sum(axis=1) / det
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & ((det > 0) | (sides == "two"))
        return t[hit].min(initial=np.inf)

    def test_no_ray_passes_between_the_triangles_of_a_mesh(self):
        heights = np.random.default_rng(SEED).uniform(0, 0.01, (21, 21)).round(3)
        sim = scene(obstacles=[{"height_map": {"values": heights.tolist(), "size": [1, 1]}}])
        x, y = np.meshgrid(np.linspace(-0.45, 0.45, 19), np.linspace(-0.45, 0.45, 19))
        above = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1)
        hits = sim.raycast(above, [0, 0, -1])  # through corners of triangles
        self.assertTrue((np.abs(hits["distance"] - 0.995) <= 0.006).all())

    def test_rays_meet_the_nearest_of_many_bodies(self):
        random = np.random.default_rng(SEED)
        centres, radii = random.uniform(0, 1, (500, 3)), random.uniform(0.005, 0.02, 500)
        sim = scene([{"sphere": {"position": c.tolist(), "radius": r}}
                     for c, r in zip(centres, radii)])
        origins, directions = rays(300, 0.5, np.array([0.5, 0.5, 0.5]))
        hits = sim.raycast(origins, directions)
        for o, d, hit in zip(origins, directions, hits):
            towards = (centres - o) @ d
            miss = ((centres - o)**2).sum(axis=1) - towards**2
            with np.errstate(invalid="ignore"):
                at = np.where(miss < radii**2, towards - np.sqrt(radii**2 - miss), np.inf)
            self.assertAlmostEqual(min(hit["distance"], 9), min(at.min(), 9), delta=1e-9)
            if np.isfinite(at.min()):
                self.assertEqual(hit["id"], sim.columns.ids[0] + np.argmin(at))
        for o, d, hit in list(zip(origins, directions, hits))[:20]:
            self.assertEqual(sim.raycast(o, d)["distance"][0], hit["distance"])  # without a tree

    def test_rays_end_at_their_range_and_pass_through_what_they_ignore(self):
        floor = {"half_space": {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}}
        ball = {"sphere": {"name": "ball", "position": [0, 0, 1], "radius": 0.1}}
        sim = scene([ball], [floor])
        hit, = sim.raycast([0, 0, 2], [0, 0, -5])
        self.assertAlmostEqual(hit["distance"], 0.9)
        hit, = sim.raycast([0, 0, 2], [0, 0, -1], ignore="ball")
        self.assertAlmostEqual(hit["distance"], 2)
        self.assertEqual(hit["id"], scree.FIRST_OBSTACLE_ID)
        np.testing.assert_array_equal(hit["normal"], [0, 0, 1])
        self.assertEqual(sim.raycast([0, 0, 2], [0, 0, -1], max_distance=0.8)["distance"], np.inf)
        self.assertEqual(sim.raycast([0, 0, 1], [0, 1, 0])["distance"], np.inf)
        self.assertAlmostEqual(sim.raycast([0, 0, 1], [0, 0, -1])["distance"][0], 1)

    def test_links_without_collision_are_not_seen(self):
        sim = scene([{"sphere": {"position": [0, 0, 0], "radius": 0.1, "material": "air"}},
                     {"sphere": {"position": [1, 0, 0], "radius": 0.1, "material": "steel"}}],
                    materials={"steel": {"density": 7800},
                               "air": {"density": 1}}, ignore=[["air", "air"], ["air", "steel"]])
        self.assertAlmostEqual(sim.raycast([-1, 0, 0], [1, 0, 0])["distance"][0], 1.9)

    def test_bad_rays_are_refused(self):
        sim = scene([{"sphere": {"position": [0, 0, 0], "radius": 0.1}}])
        for origins, directions, message in (([0, 0,
                                               1], [0, 0,
                                                    0], "ray 0 needs .* direction that is not 0"),
                                             ([[0, 0, 1],
                                               [0, 0, np.nan]], [0, 0,
                                                                 1], "ray 1 needs a finite origin"),
                                             ([0, 1], [0, 0, 1],
                                              r"origins has the shape \(2,\)"), (np.zeros(
                                                  (2, 3)), np.ones(
                                                      (3, 3)), r"origins has the shape \(2, 3\)")):
            with self.assertRaisesRegex(scree.InputError, message):
                sim.raycast(origins, directions)
        with self.assertRaisesRegex(scree.InputError, "range of rays must be above 0"):
            sim.raycast([0, 0, 1], [0, 0, 1], max_distance=0)
        with self.assertRaisesRegex(scree.InputError, "periodic"):
            scene([{"sphere": {"position": [0, 0, 0], "radius": 0.1}}],
                  cell={"period": [2, 0, 0]}).raycast([0, 0, 1], [0, 0, 1])


if __name__ == "__main__":
    main()

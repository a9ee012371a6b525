#include <cmath>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/io/frames.hpp"
#include "support/clumps.hpp"
#include "unit/io/io_fixture.hpp"
#include "unit/io/read_set.hpp"

namespace scree {
namespace {

using FramesOfSolids = InDirectory;

/// Bodies of all shapes, spheres and boxes among them.
struct Solids {
  test::World world{test::random_solids(27, test::coulomb(0.4), 1e-3, 5, true)};
  State state;

  Solids() {
    for (const Body& body : world.bodies) state.bodies.push_back(body);
    state.next_id = world.state.next_id;
  }
  const std::vector<Prototype>& prototypes() const { return world.model.prototypes; }
};

TEST_F(FramesOfSolids, AreReadWithTheirShapesToTheBit) {
  const Solids solids;
  const auto path = directory / "grains.hdf";
  write_grains(path, solids.state, solids.prototypes());
  const GrainsFrame found = read_grains(path), made = grains_of(solids.state, solids.prototypes());
  ASSERT_EQ(found.bodies.size(), 27U);
  ASSERT_EQ(found.prototypes.size(), solids.prototypes().size());
  for (std::size_t k = 0; k < found.prototypes.size(); ++k) {
    const Prototype &a = found.prototypes[k], &b = made.prototypes[k], &c = solids.prototypes()[k];
    EXPECT_EQ(a.shape.index(), c.shape.index());
    EXPECT_EQ(a.inertia, b.inertia);
    EXPECT_EQ(volume_properties(a.shape).volume, volume_properties(b.shape).volume);
    EXPECT_EQ(a.in_shape.position, c.in_shape.position);
    EXPECT_EQ(a.in_shape.orientation, c.in_shape.orientation);
    EXPECT_NEAR(norm(a.inertia - c.inertia), 0, 1e-14);
    const Vec3 probe{0.9, 0.7, -0.8};
    EXPECT_EQ(signed_distance(a.shape, probe).distance, signed_distance(b.shape, probe).distance);
    EXPECT_NEAR(signed_distance(a.shape, probe).distance, signed_distance(c.shape, probe).distance,
                1e-15);
  }
  for (std::size_t i = 0; i < 27; ++i)
    EXPECT_EQ(found.bodies.prototype[i], made.bodies.prototype[i]);
}

TEST_F(FramesOfSolids, KeepClumpsWithTheirParts) {
  test::World world(test::coulomb(0.4), 1e-3);
  test::add_clump(world, test::tri_sphere(0.1), {{1, 2, 3}, {}});
  const PlacedHull hull = convex_hull(test::times(0.2, test::wedge()));
  const PlacedClump placed =
      clump_of({{Polyhedron{hull.hull.get(), hull.size}, hull.pose},
                {Capsule{0.02, 0.1}, {{0.1, 0, 0}, rotation({1, 0, 0}, 0.4)}}},
               {hull.hull});
  world.model.clumps.push_back(placed.clump);
  world.solid(solid_prototype(placed), {{5, 0, 0}, {}});
  State state;
  for (const Body& body : world.bodies) state.bodies.push_back(body);
  write_grains(directory / "a.hdf", state, world.model.prototypes);
  const GrainsFrame found = read_grains(directory / "a.hdf");
  write_grains(directory / "b.hdf", found);
  EXPECT_EQ(text_of(directory / "a.hdf"), text_of(directory / "b.hdf"));
  ASSERT_EQ(found.prototypes.size(), 3U);
  EXPECT_EQ(found.clumps.size(), 2U);
  for (const std::size_t k : {1U, 2U}) {
    const Prototype &a = found.prototypes[k], &b = world.model.prototypes[k];
    EXPECT_EQ(volume_properties(a.shape).volume, volume_properties(b.shape).volume);
    EXPECT_NEAR(norm(a.inertia - b.inertia), 0, 1e-15);
    for (const Vec3& probe : {Vec3{0.9, 0.7, -0.8}, Vec3{0.1, -0.2, 0.1}, Vec3{-1, 0, 0.2}})
      EXPECT_NEAR(signed_distance(a.shape, probe).distance,
                  signed_distance(b.shape, probe).distance, 1e-14);
  }
}

TEST_F(FramesOfSolids, AreTheSameBytesWhenWrittenFromWhatWasRead) {
  const Solids solids;
  write_grains(directory / "a.hdf", solids.state, solids.prototypes());
  write_grains(directory / "b.hdf", read_grains(directory / "a.hdf"));
  EXPECT_EQ(text_of(directory / "a.hdf"), text_of(directory / "b.hdf"));
}

TEST_F(FramesOfSolids, HaveOneClosedStripForEachBodyWithItsVolume) {
  const Solids solids;
  const auto path = directory / "grains.hdf";
  write_grains(path, solids.state, solids.prototypes());
  const auto types = read<std::int64_t>(path, "/VTKHDF/Types", H5T_NATIVE_INT64),
             offsets = read<std::int64_t>(path, "/VTKHDF/Offsets", H5T_NATIVE_INT64),
             names = read<std::int64_t>(path, "/VTKHDF/Connectivity", H5T_NATIVE_INT64),
             shape = read<std::int64_t>(path, "/VTKHDF/CellData/shape", H5T_NATIVE_INT64);
  const auto points = read<double>(path, "/VTKHDF/Points", H5T_NATIVE_DOUBLE);
  const auto point = [&](std::int64_t name) {
    return Vec3{points[3 * name], points[3 * name + 1], points[3 * name + 2]};
  };
  ASSERT_EQ(types.size(), 27U);
  ASSERT_EQ(offsets.back(), static_cast<std::int64_t>(names.size()));
  ASSERT_EQ(*std::ranges::max_element(names) + 1, static_cast<std::int64_t>(points.size() / 3));
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Prototype& prototype = solids.prototypes()[static_cast<std::size_t>(shape[i])];
    if (prototype.is_sphere()) {
      EXPECT_EQ(types[i], 1);
    } else if (std::holds_alternative<Box>(prototype.shape)) {
      EXPECT_EQ(types[i], 12);
    } else {
      ASSERT_EQ(types[i], 6);
      double volume = 0;
      Vec3 area;  // of a closed surface it vanishes
      const Vec3 centre = solids.state.bodies.position[i];
      for (std::int64_t k = offsets[i]; k + 2 < offsets[i + 1]; ++k) {
        Vec3 a = point(names[k]) - centre, b = point(names[k + 1]) - centre;
        const Vec3 c = point(names[k + 2]) - centre;
        if ((k - offsets[i]) % 2 == 1) std::swap(a, b);
        volume += dot(a, cross(b, c)) / 6;
        area += cross(b - a, c - a);
      }
      const double radius = solids.state.bodies.radius[i],
                   whole = volume_properties(scaled(prototype.shape, radius)).volume;
      EXPECT_NEAR(norm(area), 0, 1e-12 * radius * radius) << "body " << i;
      const bool exact = std::holds_alternative<Polyhedron>(prototype.shape);
      EXPECT_NEAR(volume, whole, (exact ? 1e-12 : 0.1) * whole) << "body " << i;
    }
  }
}

TEST_F(FramesOfSolids, WithTablesThatAreDamagedAreRefused) {
  const Solids solids;
  const auto damaged = [&](const std::string& from, const std::string& to) {
    const auto path = directory / "grains.hdf";
    write_grains(path, solids.state, solids.prototypes());
    std::string bytes = text_of(path);
    const std::size_t at = bytes.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bytes.replace(at, from.size(), to);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_THROW(read_grains(path), InputError) << to;
  };
  damaged(R"("capsule")", R"("capsula")");
  damaged(R"("faces":[[)", R"("faces":[{)");
  damaged(R"("half_length":0)", R"("half_length":{)");
  damaged(R"("exponents":[2.0)", R"("exponents":[1.0)");
}

}  // namespace
}  // namespace scree

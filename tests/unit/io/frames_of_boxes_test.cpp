#include <hdf5.h>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/io/frames.hpp"
#include "unit/io/io_fixture.hpp"
#include "unit/io/read_set.hpp"

namespace scree {
namespace {

using FramesOfBoxes = InDirectory;

const Vec3 kSize{1, 2, 4};
const Quaternion kTurn = rotation({0, 0, 1}, M_PI / 2);

const std::vector<Prototype> kPrototypes = spheres_and_boxes(kSize);

/// A sphere between two boxes, one of them rotated and the other half as large; their order in
/// memory is not that of their ids.
State boxes_and_a_sphere() {
  State state;
  state.time = 0.5;
  state.step = 7;
  state.next_id = 3;
  state.bodies.push_back(
      {.id = {2}, .position = {30, 0, 0}, .radius = norm(kSize) / 4, .mass = 1, .prototype = 1});
  state.bodies.push_back({.id = {0},
                          .position = {10, 0, 0},
                          .orientation = kTurn,
                          .velocity = {1, 2, 3},
                          .radius = norm(kSize) / 2,
                          .mass = 8,
                          .prototype = 1,
                          .material = 1});
  state.bodies.push_back({.id = {1}, .position = {20, 0, 0}, .radius = 0.25, .mass = 2});
  return state;
}

TEST_F(FramesOfBoxes, HaveAHexahedronForEachBoxAndAVertexForEachSphere) {
  const auto path = directory / "grains.hdf";
  write_grains(path, boxes_and_a_sphere(), kPrototypes);
  EXPECT_EQ(read<std::int64_t>(path, "/VTKHDF/Types", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{12, 1, 12}));
  EXPECT_EQ(read<std::int64_t>(path, "/VTKHDF/Offsets", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{0, 8, 9, 17}));
  EXPECT_EQ(read<std::int64_t>(path, "/VTKHDF/NumberOfPoints", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{17}));
  EXPECT_EQ(read<std::int64_t>(path, "/VTKHDF/CellData/id", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(read<double>(path, "/VTKHDF/CellData/size", H5T_NATIVE_DOUBLE),
            (std::vector<double>{1, 2, 4, 0, 0, 0, 0.5, 1, 2}));
  const auto points = read<double>(path, "/VTKHDF/Points", H5T_NATIVE_DOUBLE);
  // The first corner of the first box, (−1/2, −1, −2) after a quarter revolution about z; the
  // sphere; the last corner of the last.
  EXPECT_NEAR(points[0], 10 + 1, 1e-14);
  EXPECT_NEAR(points[1], -0.5, 1e-14);
  EXPECT_NEAR(points[2], -2, 1e-14);
  EXPECT_EQ(points[24], 20);
  EXPECT_NEAR(points[48], 30 - 0.25, 1e-14);
  EXPECT_NEAR(points[49], 0.5, 1e-14);
  EXPECT_NEAR(points[50], 1, 1e-14);
}

TEST_F(FramesOfBoxes, AreReadWithTheirShapesAndPoses) {
  const auto path = directory / "grains.hdf";
  write_grains(path, boxes_and_a_sphere(), kPrototypes);
  const GrainsFrame frame = read_grains(path);
  const Bodies& bodies = frame.bodies;
  ASSERT_EQ(bodies.size(), 3U);
  EXPECT_EQ(frame.time, 0.5);
  EXPECT_EQ(bodies.position[0], (Vec3{10, 0, 0}));
  EXPECT_EQ(bodies.orientation[0], kTurn);
  EXPECT_EQ(bodies.velocity[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(bodies.material[0], 1);
  EXPECT_EQ(bodies.radius[1], 0.25);
  ASSERT_EQ(frame.prototypes.size(), 2U) << "boxes of one shape share a prototype";
  EXPECT_EQ(bodies.prototype[0], 1);
  EXPECT_EQ(bodies.prototype[1], 0);
  EXPECT_EQ(bodies.prototype[2], 1);
  const auto& box = std::get<Box>(frame.prototypes[1].shape);
  EXPECT_NEAR(norm(box.half_extent - kSize / norm(kSize)), 0, 1e-15);
  EXPECT_NEAR(norm(frame.prototypes[1].inertia - kPrototypes[1].inertia), 0, 1e-15);
}

TEST_F(FramesOfBoxes, SayOfWhichTimeTheirVelocitiesAre) {
  const auto path = directory / "grains.hdf";
  write_grains(path, boxes_and_a_sphere(), kPrototypes);
  EXPECT_FALSE(read_grains(path).velocity_time);
  write_grains(path, boxes_and_a_sphere(), kPrototypes, 0.4995);
  EXPECT_EQ(read<double>(path, "/VTKHDF/FieldData/velocity_time", H5T_NATIVE_DOUBLE),
            (std::vector<double>{0.4995}));
  const GrainsFrame frame = read_grains(path);
  EXPECT_EQ(frame.velocity_time, 0.4995);
  write_grains(directory / "again.hdf", frame);
  EXPECT_EQ(read_grains(directory / "again.hdf").velocity_time, 0.4995);
}

TEST_F(FramesOfBoxes, AreTheSameBytesWhenWrittenFromWhatWasRead) {
  write_grains(directory / "a.hdf", boxes_and_a_sphere(), kPrototypes);
  write_grains(directory / "b.hdf", read_grains(directory / "a.hdf"));
  EXPECT_EQ(text_of(directory / "a.hdf"), text_of(directory / "b.hdf"));
}

TEST_F(FramesOfBoxes, HaveTheShapesThatAreReadFromTheirFilesToTheBit) {
  RandomStream random{7, 0};
  State state;
  std::vector<Prototype> prototypes{Prototype{}};
  for (std::uint64_t id = 0; id < 50; ++id) {
    const Vec3 size{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    prototypes.push_back(spheres_and_boxes(size)[1]);
    const auto prototype = static_cast<PrototypeId>(prototypes.size() - 1);
    state.bodies.push_back(
        {.id = {id}, .radius = norm(size) / 2, .mass = 1, .prototype = prototype});
  }
  write_grains(directory / "grains.hdf", state, prototypes);
  const GrainsFrame read = read_grains(directory / "grains.hdf");
  const GrainsFrame made = grains_of(state, prototypes);
  ASSERT_EQ(read.prototypes.size(), made.prototypes.size());
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(read.bodies.prototype[i], made.bodies.prototype[i]);
    const auto edges = [&](const GrainsFrame& frame) {
      return std::get<Box>(frame.prototypes[frame.bodies.prototype[i]].shape).half_extent;
    };
    EXPECT_EQ(edges(read), edges(made));
  }
}

TEST_F(FramesOfBoxes, KeepTheirLayoutWhenNoBoxIsLeft) {
  State state = boxes_and_a_sphere();
  Bodies spheres;
  spheres.push_back(state.bodies[2]);
  state.bodies = spheres;
  const auto path = directory / "grains.hdf";
  write_grains(path, state, kPrototypes);
  EXPECT_EQ(read<std::int64_t>(path, "/VTKHDF/CellData/id", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{1}));
  EXPECT_EQ(read_grains(path).bodies.prototype[0], 0);
  write_grains(path, State{}, kPrototypes);
  EXPECT_EQ(read_grains(path).bodies.size(), 0U);
}

TEST_F(FramesOfBoxes, TellWhatTheyHold) {
  write_grains(directory / "grains.hdf", boxes_and_a_sphere(), kPrototypes);
  const FrameSummary frame = summarise_frame(directory / "grains.hdf");
  EXPECT_EQ(frame.kind, "grains");
  EXPECT_EQ(frame.points, 3U);
  ASSERT_EQ(frame.arrays.size(), 9U);
}

TEST_F(FramesOfBoxes, AreRefusedWithEdgesThatNoBoxHas) {
  const auto path = directory / "grains.hdf";
  write_grains(path, boxes_and_a_sphere(), kPrototypes);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "/VTKHDF/CellData/size", H5P_DEFAULT);
  const double sizes[] = {1, 2, -4, 0, 0, 0, 0.5, 1, 2};
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, sizes);
  H5Dclose(set);
  H5Fclose(file);
  EXPECT_THROW((void)read_grains(path), InputError);
}

}  // namespace
}  // namespace scree

/// Frames of obstacles and joints that were written are read as they were.
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/joint_frames.hpp"
#include "scree/io/obstacle_frames.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

using FramesOfScenery = InDirectory;

/// A model with two obstacles, and a state in which the second is displaced.
struct Scenery {
  Model model;
  State state;
  std::vector<ObstacleSurface> surfaces;

  Scenery() {
    for (const char* name : {"floor", "lid"}) {
      Obstacle obstacle;
      obstacle.name = name;
      obstacle.shape = Box{{1, 2, 3}};
      model.obstacles.push_back(obstacle);
      surfaces.push_back(surface_of(obstacle, {}));
    }
    state.time = 0.5;
    state.step = 7;
    state.obstacles.resize(2);
    state.obstacles[1].pose.position = {0, 0, 10};
  }
};

TEST_F(FramesOfScenery, OfObstaclesHaveTrianglesInSpaceAndLoads) {
  const Scenery scenery;
  const std::vector<MeanLoad> loads{{{1, 2, 3}, {4, 5, 6}, 7}, {}};
  const auto path = directory / "obstacles.hdf";
  write_obstacles(path, scenery.model, scenery.state, scenery.surfaces, loads);
  const ObstaclesFrame read = read_obstacles(path);
  EXPECT_EQ(read.time, 0.5);
  EXPECT_EQ(read.names, (std::vector<std::string>{"floor", "lid"}));
  EXPECT_EQ(read.triangles.size(), 24U);
  EXPECT_EQ(read.obstacle.front(), 0U);
  EXPECT_EQ(read.obstacle.back(), 1U);
  const Vec3 corner = read.points[read.triangles.back()[0]];
  EXPECT_EQ(std::abs(corner.z - 10), 3);
  EXPECT_EQ(read.loads[0].torque, (Vec3{4, 5, 6}));
  EXPECT_EQ(read.loads[0].power, 7);
}

TEST_F(FramesOfScenery, OfJointsHaveNamesAndForcesInSpace) {
  Scenery scenery;
  Joint joint;
  joint.name = "hinge";
  joint.a.body = kWorld;
  joint.b.body = obstacle_id(1);
  scenery.model.joints = {joint};
  JointRecord record;
  record.force = {1, 2, 3};
  record.coordinate = {0.25, 0, 0};
  const auto path = directory / "joints.hdf";
  write_joints(path, scenery.model, scenery.state, std::vector{record});
  const JointsFrame read = read_joints(path);
  ASSERT_EQ(read.joints.size(), 1U);
  EXPECT_EQ(read.joints[0].name, "hinge");
  EXPECT_EQ(read.joints[0].position, (Vec3{0, 0, 10}));
  EXPECT_EQ(read.joints[0].force, record.force);
  EXPECT_EQ(read.joints[0].coordinate, record.coordinate);
}

TEST_F(FramesOfScenery, AreRefusedIfTheyAreOfAnotherKind) {
  const auto path = directory / "grains.hdf";
  write_grains(path, grains_of(three_bodies(), kSpheres));
  EXPECT_EQ(time_of_frame(path), 0.25);
  EXPECT_THROW(read_obstacles(path), InputError);
  EXPECT_THROW(read_joints(path), InputError);
  write_file(directory / "damaged.hdf", "no frame");
  EXPECT_THROW(time_of_frame(directory / "damaged.hdf"), InputError);
}

}  // namespace
}  // namespace scree

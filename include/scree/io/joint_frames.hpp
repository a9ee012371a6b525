/// Frames of joints: a point at the position of each joint at one time, with its axes, force and
/// torque. docs/guide/output.md
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Pose of a joint: the origin of its frame in B, with the orientation of its frame in A. A gear
/// has the pose of its first joint. Both bodies must exist.
Pose joint_pose(const Model& model, const State& state, std::uint32_t joint);

/// Writes a VTKHDF 1.0 grid with a vertex for each existing joint, forces and torques in the
/// inertial frame. Records come from Simulation::joints(). Gives the checksum of the file. Throws
/// OutputError.
std::uint64_t write_joints(const std::filesystem::path& path, const Model& model,
                           const State& state, std::span<const JointRecord> records);

/// A joint of a frame. Coordinates and efforts are those of JointRecord.
struct FramedJoint {
  std::uint32_t joint = 0;  ///< index in the scene
  std::string name;
  Vec3 position;       ///< [m]
  Vec3 axis;           ///< unit vector
  Vec3 force, torque;  ///< in space [N], [N m]
  std::array<double, kMaxCoordinates> coordinate{}, effort{};
  double error = 0;  ///< [m]
};
/// Joints of a frame, as written by write_joints().
struct JointsFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::vector<FramedJoint> joints;
};
/// Throws OutputError if the file cannot be read, InputError if it is not a frame of joints, or an
/// array is missing or has an impossible value.
JointsFrame read_joints(const std::filesystem::path& path);

}  // namespace scree

/// Frames of joints: a point at the position of each joint at one time, with its axes, force and
/// torque. docs/guide/output.md
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

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

}  // namespace scree

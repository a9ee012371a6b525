/// Frames of joints: a point where each stands at one time, with its axes and what it bears.
/// docs/guide/output.md
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Where a joint stands: the origin of its frame in B, turned as its frame in A. A gear stands
/// where its first joint does. Its bodies must be there.
Pose joint_pose(const Model& model, const State& state, std::uint32_t joint);

/// Writes a VTKHDF 1.0 grid with a vertex for each joint that is there, forces and torques in the
/// inertial frame; the checksum of the file. Records as Simulation::joints() gives them. Throws
/// OutputError.
std::uint64_t write_joints(const std::filesystem::path& path, const Model& model,
                           const State& state, std::span<const JointRecord> records);

}  // namespace scree

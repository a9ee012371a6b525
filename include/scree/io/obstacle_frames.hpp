/// Frames of obstacles: their surfaces at one time as triangles, with the loads by bodies.
/// docs/guide/output.md
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Triangles, counter-clockwise seen from outside or from the front.
struct ObstacleSurface {
  std::vector<Vec3> points;  ///< in the obstacle's frame [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Visible patch of half-spaces: a square about the point of the plane nearest to `middle` at the
/// start of the run; it reaches `size` from that point.
struct PlanePatch {
  Vec3 middle;      ///< [m]
  double size = 1;  ///< [m] > 0
};
/// Patch that covers all bodies, regions of inflows and fillings, and bounded obstacles.
PlanePatch plane_patch(const Model& model, const State& state);
nlohmann::json as_json(const PlanePatch& patch);
PlanePatch plane_patch_from(const nlohmann::json& json);

/// Surface of an obstacle: for a mesh its facets in their order; curved surfaces within 0.3 % of
/// their radius.
ObstacleSurface surface_of(const Obstacle& obstacle, const PlanePatch& patch);

/// Mean load of bodies on an obstacle over some time.
struct MeanLoad {
  Vec3 force;        ///< on the obstacle [N]
  Vec3 torque;       ///< about its pivot [N m]
  double power = 0;  ///< given by the obstacle to bodies [W]
};

/// Writes a VTKHDF 1.0 grid of triangles. Gives the checksum of the file. Throws OutputError.
std::uint64_t write_obstacles(const std::filesystem::path& path, const Model& model,
                              const State& state, std::span<const ObstacleSurface> surfaces,
                              std::span<const MeanLoad> loads);

/// Obstacles of a frame, as written by write_obstacles().
struct ObstaclesFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::vector<Vec3> points;  ///< in space [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> obstacle;  ///< of each triangle
  std::vector<std::string> names;       ///< of each obstacle
  std::vector<MeanLoad> loads;          ///< on each obstacle
};
/// Throws OutputError if the file cannot be read, InputError if it is not a frame of obstacles, or
/// an array is missing or has an impossible value.
ObstaclesFrame read_obstacles(const std::filesystem::path& path);

}  // namespace scree

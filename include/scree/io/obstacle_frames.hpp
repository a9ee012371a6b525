/// Frames of obstacles: the surfaces of obstacles where they stand at one time, as triangles, with
/// what bodies did to them. docs/guide/output.md
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Triangles counter-clockwise for who looks from outside, or from the front.
struct ObstacleSurface {
  std::vector<Vec3> points;  ///< in the obstacle's frame [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// What is shown of half-spaces: a square about the place of the plane that is nearest to `middle`
/// when the run begins, and that reaches `size` from it.
struct PlanePatch {
  Vec3 middle;      ///< [m]
  double size = 1;  ///< [m] > 0
};
/// About all bodies, places of inflows and fillings, and obstacles that have an end.
PlanePatch plane_patch(const Model& model, const State& state);
nlohmann::json as_json(const PlanePatch& patch);
PlanePatch plane_patch_from(const nlohmann::json& json);

/// Of a mesh its own facets, in their order; curved surfaces within 0.3 % of their radius.
ObstacleSurface surface_of(const Obstacle& obstacle, const PlanePatch& patch);

/// Mean of what bodies did to an obstacle over some time.
struct MeanLoad {
  Vec3 force;        ///< on the obstacle [N]
  Vec3 torque;       ///< about its pivot [N m]
  double power = 0;  ///< that the obstacle gives to bodies [W]
};

/// Writes a VTKHDF 1.0 grid of triangles; the checksum of the file. Throws OutputError.
std::uint64_t write_obstacles(const std::filesystem::path& path, const Model& model,
                              const State& state, std::span<const ObstacleSurface> surfaces,
                              std::span<const MeanLoad> loads);

}  // namespace scree

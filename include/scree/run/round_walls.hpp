/// Round vessels about the region of an analysis: its corners beyond their walls hold no body.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/sim/model.hpp"

namespace scree {

/// A hollow cylinder or cone among the obstacles of a run.
struct RoundWall {
  std::string name;
  Hollow shape;
  Pose pose;
};

/// Round walls of a scene at its start.
std::vector<RoundWall> round_walls_of(const Model& model);
/// Round walls of a run, where its obstacles.json has them; none if it cannot be read.
std::vector<RoundWall> round_walls_of(const std::filesystem::path& run);

/// True if a part of the region lies outside of a wall, between its ends.
bool reaches_beyond(const Region& region, const RoundWall& wall);

/// Names of the walls that a region reaches beyond.
std::vector<std::string> corners_beyond(const Region& region, std::span<const RoundWall> walls);
/// Sentence on these; empty if there is none.
std::string describe_corners(const std::vector<std::string>& names);

}  // namespace scree

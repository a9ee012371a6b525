/// Identity of a scene: shows whether it is the one that a run started with.
#pragma once

#include <optional>
#include <string>

#include "scree/scene/scene.hpp"

namespace scree {

/// Resolved scene, followed by the checksums of the files it names, as comments. Throws OutputError
/// if one of them cannot be read.
std::string identity_of(const Scene& scene);

/// First value in which two scenes differ.
struct SceneDifference {
  std::string key;          ///< as in default_law.friction; empty for a checksum
  int line = 0;             ///< of resolved.yaml of the earlier scene, from 1; 0: it has none
  std::string before, now;  ///< the lines with the value, without indentation, or "nothing"
};

/// Compares identities or resolved scenes. Ignores `until` and `rest`, which may change when a run
/// is resumed. A key that is missing has its default.
std::optional<SceneDifference> first_difference(const std::string& before, const std::string& now);

}  // namespace scree

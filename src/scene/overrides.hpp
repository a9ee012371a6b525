/// Values that replace those of the file, as --set step.h=5us.
#pragma once

#include <string>
#include <vector>

#include "scene/node.hpp"
#include "scene/problems.hpp"

namespace scree::scene {

/// Applies "path=value" one after the other. A key that is not there yet is added, a list entry
/// must exist (or be the next one). Reports paths that cannot be followed.
void apply_overrides(Node& root, const std::vector<std::string>& overrides, Problems& problems);

}  // namespace scree::scene

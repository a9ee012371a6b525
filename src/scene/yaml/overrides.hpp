/// Overrides: values that replace those of the file, as in --set step.h=5us.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/yaml/node.hpp"
#include "scene/yaml/problems.hpp"

namespace scree::scene {

using PathStep = std::variant<std::string, std::size_t>;  ///< a key, or an index into a list

/// Splits bodies[2].sphere.radius into bodies, 2, sphere, radius; none if it is not a path.
std::optional<std::vector<PathStep>> split_path(std::string_view path);

std::vector<std::string> keys_of(const Node& map);

/// Applies "path=value" one after the other. Adds a missing key; a list entry must exist or be the
/// next one. Reports invalid paths.
void apply_overrides(Node& root, const std::vector<std::string>& overrides, Problems& problems);

}  // namespace scree::scene

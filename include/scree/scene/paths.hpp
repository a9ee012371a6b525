/// Values in scenes by their paths, as in bodies[2].sphere.radius.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace scree {

/// Reason why a path of a scene cannot be varied, with a suggestion; empty if the path has a value
/// or the schema knows its key. An override may add a material or a list entry; here that counts as
/// a mistake. `text` is the scene, `overrides` are as in load_scene(), which reports their errors.
std::string objection_to_path(const std::string& path, const std::string& text,
                              const std::vector<std::string>& overrides);

/// Value at each path of a resolved scene: a number in SI units, a word, or the YAML of a list or a
/// map on one line. Empty where there is none.
std::vector<std::string> values_at(std::span<const std::string> paths, const std::string& resolved);

/// Keys of a path, each with its index if it has one: bodies2, sphere, radius. Empty if it is not a
/// path.
std::vector<std::string> keys_of_path(const std::string& path);

}  // namespace scree

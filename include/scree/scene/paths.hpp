/// Values in scenes by their paths, as in bodies[2].sphere.radius.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace scree {

/// Why nothing stands at a path of a scene that could be varied, with what may have been meant;
/// empty if something does, or the schema knows the key. An override may add what it names, a new
/// material as well as an entry to a list; here that is taken for a slip. `text` is the scene,
/// `overrides` as load_scene() takes them; what is wrong in these is left to it.
std::string objection_to_path(const std::string& path, const std::string& text,
                              const std::vector<std::string>& overrides);

/// What stands at each path of a scene as it was resolved: a number in SI units, a word, or, of a
/// list or a map, its YAML on one line. Empty where nothing does.
std::vector<std::string> values_at(std::span<const std::string> paths, const std::string& resolved);

/// The keys of a path, each with its index if it has one: bodies2, sphere, radius. Empty if it is
/// no path.
std::vector<std::string> keys_of_path(const std::string& path);

}  // namespace scree

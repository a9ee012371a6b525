/// Files in a directory that belong to a run: only these are ever removed.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace scree {

/// Manifest in a directory; null if there is none of scree.
nlohmann::json own_manifest(const std::filesystem::path& directory);

/// Existing files of a run, relative to the directory, sorted, the manifest last. Empty without a
/// manifest of scree.
std::vector<std::filesystem::path> files_of_run(const std::filesystem::path& directory);

/// Symbolic links at names where a run writes a file or a directory.
std::vector<std::filesystem::path> links_in_run(const std::filesystem::path& directory);

/// Removes the files of a run, and its subdirectories if nothing else is in them; of links only the
/// links. Throws OutputError.
void remove_run(const std::filesystem::path& directory);

/// Removes the marks of a finished run, and half-written files of a killed one. Throws OutputError.
void remove_leavings(const std::filesystem::path& directory);

}  // namespace scree

/// Which files in a directory belong to a run: only these are ever removed.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace scree {

/// The manifest in a directory, or null if there is none of ours.
nlohmann::json own_manifest(const std::filesystem::path& directory);

/// Those that are there, relative to the directory, sorted; the manifest last. None if there is no
/// manifest of ours.
std::vector<std::filesystem::path> files_of_run(const std::filesystem::path& directory);

/// Symbolic links that stand where a run writes a file or a directory.
std::vector<std::filesystem::path> links_in_run(const std::filesystem::path& directory);

/// Removes the files of a run, and its subdirectories as far as nothing else is in them; of links
/// nothing but the links. Throws OutputError.
void remove_run(const std::filesystem::path& directory);

/// Removes what says that the run has ended, and what a kill left half written. Throws OutputError.
void remove_leavings(const std::filesystem::path& directory);

}  // namespace scree

/// manifest.json: the program, machine, times and end of a run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scree/io/run_directory.hpp"

namespace scree {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr int kManifestVersion = 1;

/// Current time in UTC, as in 2026-01-31T23:59:59Z.
std::string utc_now();

/// Start time of the run in a directory; none without a manifest of scree.
std::optional<std::string> begun_at(const std::filesystem::path& run_directory);

/// Manifest of a run that has started.
std::string manifest_at_start(const RunInputs& inputs, const std::string& started);

/// Manifest of a run that has ended, with the SHA-256 of all output except the logs, which are
/// still open.
std::string manifest_at_end(const RunInputs& inputs, const std::string& started,
                            const RunOutcome& outcome, const std::filesystem::path& run_directory);

}  // namespace scree

/// manifest.json: what ran, on what, when, and how it ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scree/io/run_directory.hpp"

namespace scree {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr int kManifestVersion = 1;

/// Now in UTC, as in 2026-01-31T23:59:59Z.
std::string utc_now();

/// When the run in a directory was begun; none if it has no manifest of ours.
std::optional<std::string> begun_at(const std::filesystem::path& run_directory);

/// The manifest of a run that has begun.
std::string manifest_at_start(const RunInputs& inputs, const std::string& started);

/// The manifest of a run that has ended, with the SHA-256 of all its output but the logs, which are
/// still open.
std::string manifest_at_end(const RunInputs& inputs, const std::string& started,
                            const RunOutcome& outcome, const std::filesystem::path& run_directory);

}  // namespace scree

/// Comparison of a run with its repetition, bit by bit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/run_manifest.hpp"

namespace scree {

/// Throws InputError if the run is not complete, or if one of its input or output files was changed
/// since. Pictures may differ.
void require_reproducible(const std::filesystem::path& run, const RunManifest& manifest);

struct RunComparison {
  std::size_t compared = 0;            ///< files
  std::vector<std::string> different;  ///< names of files
};

/// Compares frames byte by byte, and statistics except for their seconds. Pictures are not
/// compared: they depend on fonts and libraries. `manifest` belongs to `before`.
RunComparison compare_runs(const std::filesystem::path& before, const std::filesystem::path& now,
                           const RunManifest& manifest);

}  // namespace scree

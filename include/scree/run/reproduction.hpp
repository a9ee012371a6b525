/// Whether a run, run again, gives the same bits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/run_manifest.hpp"

namespace scree {

/// Throws InputError if the run is not complete, or if what went into it or came out of it was
/// changed since. Pictures may be drawn again.
void require_reproducible(const std::filesystem::path& run, const RunManifest& manifest);

struct RunComparison {
  std::size_t compared = 0;            ///< files
  std::vector<std::string> different;  ///< names of files
};

/// Frames byte by byte, statistics but for their seconds. Pictures are left out: they depend on
/// fonts and libraries. `manifest` is that of `before`.
RunComparison compare_runs(const std::filesystem::path& before, const std::filesystem::path& now,
                           const RunManifest& manifest);

}  // namespace scree

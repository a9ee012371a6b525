/// Going on with a run from its last checkpoint, as if it had never stopped.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "scree/analysis/run_summary.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/scene/scene.hpp"

namespace scree::cli {

/// What a run must have in common with its checkpoint: the scene with all defaults, and the checksums of the files it names.
std::string identity_of(const Scene& scene);

/// What a run in a directory can be gone on with.
struct Continuation {
  std::optional<Checkpoint>
      checkpoint;         ///< none: begin anew, for the run did not come to its first checkpoint, or is not there
  bool complete = false;  ///< DONE, and as far as asked
};

/// Throws InputError if the last checkpoint is damaged, or the run is of another scene; only `until` may differ.
Continuation find_continuation(const std::filesystem::path& directory, const Scene& scene, std::uint64_t last_step);

nlohmann::json as_json(const RunSummary& summary);
RunSummary summary_from(const nlohmann::json& json);

}  // namespace scree::cli

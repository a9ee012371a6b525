/// What came of a run, as JSON: the verdict in its directory, and the answer to --json.
#pragma once

#include <filesystem>

#include "scree/analysis/run_summary.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/sim/model.hpp"

namespace scree::cli {

/// The content of verdict.json; the same bits however often the run was stopped, and on any machine.
Json verdict_json(const RunSummary& summary, const RunOutcome& outcome, const Model& model);

/// What --json prints.
Json result_json(const RunSummary& summary, const RunOutcome& outcome, const std::filesystem::path& directory,
                 std::size_t frames, double wall_seconds);

}  // namespace scree::cli

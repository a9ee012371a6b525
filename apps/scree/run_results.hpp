/// What came of a run, as JSON: the verdict in its directory, and the answer to --json.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "scree/analysis/run_summary.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/sim/model.hpp"

namespace scree::cli {

/// The content of verdict.json; the same bits however often the run was stopped, and on any machine.
nlohmann::ordered_json verdict_json(const RunSummary& summary, const RunOutcome& outcome, const Model& model);

/// What --json prints.
nlohmann::ordered_json result_json(const RunSummary& summary, const RunOutcome& outcome,
                                   const std::filesystem::path& directory, std::size_t frames, double wall_seconds);

/// Indented; bytes that are not UTF-8 become replacement characters.
std::string as_text(const nlohmann::ordered_json& json);

}  // namespace scree::cli

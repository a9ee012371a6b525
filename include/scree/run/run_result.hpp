/// What came of a run, as values and as JSON.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/analysis/run_summary.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A stage of a run that has begun, and how it ended.
struct StageRecord {
  enum class End { at_rest, in_time, not_at_rest, at_condition, not_at_condition, no_bodies };
  std::string name;
  std::uint64_t first_step = 0, last_step = 0;  ///< that were done when it began and ended
  double begin = 0, end = 0;                    ///< the same as times [s]
  /// None: the run ended before the stage did
  std::optional<End> ended{};
};

const char* name(StageRecord::End end);
/// "'fill' came to rest at t = 0.41 s"
std::string describe(const StageRecord& stage);

/// What ended a run: the time that it was to take, rest or a condition, the time that these were
/// given at most, a state that is not to be trusted, somebody, or that no body was left to rest.
enum class EndedBy { time, rest, condition, limit, failure, interrupt, no_bodies };
const char* name(EndedBy end);

/// Counted from the beginning of the run, however often it was stopped and resumed.
struct RunResult {
  RunOutcome outcome;
  RunSummary summary{0, {}};
  EndedBy end = EndedBy::time;
  double wall_seconds = 0;  ///< in steps, output not counted [s]
  std::size_t frames = 0;
  std::vector<StageRecord> stages;           ///< those that have begun; none: the scene has none
  std::vector<ForceBooks> force_books;       ///< see State, at the end
  std::vector<ObstacleLoad> obstacle_loads;  ///< one per Model::obstacles, since the start
  std::vector<FillingState> fillings;        ///< one per Model::fillings
  /// It was to be resumed, and nothing was left to do: the outcome is that of then, the rest is
  /// empty.
  bool was_complete = false;
};

/// Of each filling what entered and what was due; and whether bodies had to wait.
std::vector<std::string> describe_fillings(const RunResult& result, const Model& model);

/// The content of verdict.json: the same bits however often the run was stopped, on any machine.
Json verdict_json(const RunResult& result, const Model& model);

/// The result of a run in this directory, for programs.
Json result_json(const RunResult& result, const std::filesystem::path& directory);

}  // namespace scree

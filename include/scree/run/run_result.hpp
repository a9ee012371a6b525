/// Result of a run, as values and as JSON.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/run_summary.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A stage of a run that has begun, and how it ended.
struct StageRecord {
  enum class End { at_rest, in_time, not_at_rest, at_condition, not_at_condition, no_bodies };
  std::string name;
  std::uint64_t first_step = 0, last_step = 0;  ///< number of steps done when it began and ended
  double begin = 0, end = 0;                    ///< the same as times [s]
  /// none: the run ended before the stage
  std::optional<End> ended{};
};

const char* name(StageRecord::End end);
/// "'fill' came to rest at t = 0.41 s"
std::string describe(const StageRecord& stage);

/// Reason for the end of a run: its end time; rest or a condition; the time limit (at_most) of
/// these; an invalid state; an interrupt by the user; or no body left to come to rest.
enum class EndedBy { time, rest, condition, limit, failure, interrupt, no_bodies };
const char* name(EndedBy end);

/// Result since the start of the run, however often it was stopped and resumed.
struct RunResult {
  RunOutcome outcome;
  RunSummary summary{0, {}};
  EndedBy end = EndedBy::time;
  double wall_seconds = 0;  ///< in steps, output not counted [s]
  std::size_t frames = 0;
  std::vector<StageRecord> stages;           ///< stages that have begun; empty without stages
  std::vector<ForceBooks> force_books;       ///< see State, at the end
  std::vector<ObstacleLoad> obstacle_loads;  ///< one per Model::obstacles, since the start
  std::vector<FillingState> fillings;        ///< one per Model::fillings
  /// True if the run to resume was already complete: the outcome is the earlier one, all other
  /// members are empty.
  bool was_complete = false;
};

/// Lines on each filling: bodies that entered and were due; and on bodies that had to wait.
std::vector<std::string> describe_fillings(const RunResult& result, const Model& model);

/// The content of verdict.json: the same bits however often the run was stopped, on any machine.
Json verdict_json(const RunResult& result, const Model& model);

/// Result of a run in this directory, for programs.
Json result_json(const RunResult& result, const std::filesystem::path& directory);

}  // namespace scree

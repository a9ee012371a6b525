/// Checkpoints of a run, and going on with it from the last of them as if it had never stopped.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "run/sampling.hpp"
#include "scree/analysis/run_summary.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// What a run in a directory can be gone on with.
struct Continuation {
  std::optional<Checkpoint>
      /// None: begin anew, for the run did not come to its first checkpoint, or is not there
      checkpoint;
  bool complete = false;  ///< DONE, and as far as asked
};

/// Throws InputError if the last checkpoint is damaged, or the run is of another scene; only its
/// end may differ, `until` and `rest`.
Continuation find_continuation(const std::filesystem::path& directory, const Scene& scene,
                               std::uint64_t last_step);

/// Of Checkpoint::progress, where Checkpoints has put it.
RunSummary summary_from(const nlohmann::json& json);

/// One that goes on where that of Checkpoint::progress, if it has one with this criterion, ended.
RestWatch rest_watch_from(const nlohmann::json& progress, const RestCriterion& criterion);
/// The same, with what the run has counted for any condition.
ConditionWatch condition_watch_from(const nlohmann::json& progress, const EndCondition& condition,
                                    const Simulation& simulation);

/// Says when a checkpoint is due, in simulated time and on the clock, and writes it.
class Checkpoints {
 public:
  Checkpoints(const std::filesystem::path& directory, const Scene& scene);

  bool is_due(std::uint64_t step);
  /// `recorder` is the mark of the Recorder, `wall_seconds` what steps took so far, `rest` null if
  /// the run does not end at rest, nor `condition` by one, `stages` null if it has none. Throws
  /// OutputError.
  void write(const State& state, const nlohmann::json& recorder, const RunSummary& summary,
             double wall_seconds, const RestWatch* rest, const ConditionWatch* condition,
             const nlohmann::json& stages);

 private:
  using Clock = std::chrono::steady_clock;

  CheckpointFiles files_;
  std::string identity_;  ///< of the scene, for Checkpoint::scene
  Sampling due_;
  double wall_interval_;  ///< [s]
  Clock::time_point last_ = Clock::now();
};

}  // namespace scree

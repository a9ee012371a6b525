/// Checkpoints of a run, and its continuation from the last one as if it had never stopped.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "run/sampling.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/run_summary.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// Data from which the run in a directory can continue.
struct Continuation {
  std::optional<Checkpoint>
      /// None: start again, since the run has no checkpoint yet, or does not exist
      checkpoint;
  bool complete = false;  ///< DONE, and up to the requested end
};

/// `overrides` are the values of --set in `scene`. Throws InputError if the last checkpoint is
/// damaged, or the run has another scene; only its end may differ, `until` and `rest`.
Continuation find_continuation(const std::filesystem::path& directory, const Scene& scene,
                               std::span<const std::string> overrides, std::uint64_t last_step);

/// A progress that does not fit its scene; read_progress() gives the message its place.
struct UnfitProgress : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws the InputError that the progress in the last checkpoint of a run lacks something.
[[noreturn]] void refuse_progress(const std::filesystem::path& directory, const char* lack);

/// Calls `read`, which reads the progress in a checkpoint, and refuses what it cannot read.
template <class Read>
auto read_progress(const std::filesystem::path& directory, Read&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    refuse_progress(directory, error.what());
  } catch (const UnfitProgress& error) {
    refuse_progress(directory, error.what());
  }
}

/// Summary in Checkpoint::progress, as written by Checkpoints. Throws UnfitProgress if it names
/// joints that the model lacks.
RunSummary summary_from(const nlohmann::json& json, const Model& model);

/// Watch that continues the one in Checkpoint::progress, if that has the same criterion.
RestWatch rest_watch_from(const nlohmann::json& progress, const RestCriterion& criterion);
/// The same for a condition, with the counts of the run for any condition.
ConditionWatch condition_watch_from(const nlohmann::json& progress, const EndCondition& condition,
                                    const Simulation& simulation);

/// Decides when a checkpoint is due, in simulated time and on the clock, and writes it.
class Checkpoints {
 public:
  Checkpoints(const std::filesystem::path& directory, const Scene& scene);

  bool is_due(std::uint64_t step);
  /// `recorder` is the mark of the Recorder, `wall_seconds` the time of the steps so far [s];
  /// `rest`, `condition` and `stages` are null if the run has none. Throws OutputError.
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

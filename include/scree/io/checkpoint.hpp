/// Checkpoints: all that a run needs to go on as if it had never stopped.
///
/// An HDF5 file: /scree with kind, version and the state hash, /scree/state with one dataset for
/// each field of the state (vectors as rows), /scree/scene and /scree/progress with text. Behind
/// it, the SHA-256 of all that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/sim/state.hpp"

namespace scree {

struct Checkpoint {
  State state;
  std::string scene;     ///< resolved; a run goes on only under the scene it was begun with
  std::string progress;  ///< JSON: what the run had counted and written by then
};

/// Throws OutputError if the file cannot be read; InputError if it is no checkpoint, cut short, or
/// damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// By the name of its file.
std::uint64_t step_of_checkpoint(const std::filesystem::path& file);

/// The checkpoints of a run, `restart/step_STEP.hdf`. The last two are kept: while one is being
/// written, and should it be lost with the disk's last words, there is another.
class CheckpointFiles {
 public:
  explicit CheckpointFiles(const std::filesystem::path& run_directory);

  /// Written beside its place, synced, renamed; only then is the oldest removed. Throws
  /// OutputError.
  void write(const State& state, const std::string& scene, const std::string& progress) const;

  /// Those that are there, newest first.
  std::vector<std::filesystem::path> list() const;

 private:
  std::filesystem::path directory_;
};

}  // namespace scree

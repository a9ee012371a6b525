/// Checkpoints: all data from which a run continues as if it had never stopped.
///
/// An HDF5 file: /scree with kind, version and the state hash, /scree/state with one dataset for
/// each field of the state (vectors as rows), /scree/scene and /scree/progress with text. At its
/// end, the SHA-256 of all bytes before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/sim/state.hpp"

namespace scree {

struct Checkpoint {
  State state;
  std::string scene;     ///< resolved; a run can only resume with the scene of its start
  std::string progress;  ///< JSON: counts and output files of the run so far
};

/// Throws OutputError if the file cannot be read; InputError if it is not a checkpoint, or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// Step of a checkpoint, from the name of its file.
std::uint64_t step_of_checkpoint(const std::filesystem::path& file);

/// The checkpoints of a run, `restart/step_STEP.hdf`. The last two are kept, so that one is left if
/// writing the other fails.
class CheckpointFiles {
 public:
  explicit CheckpointFiles(const std::filesystem::path& run_directory);

  /// Writes a file under a temporary name, syncs and renames it; removes the oldest checkpoint
  /// afterwards. Throws OutputError.
  void write(const State& state, const std::string& scene, const std::string& progress) const;

  /// Existing checkpoints, newest first.
  std::vector<std::filesystem::path> list() const;

 private:
  std::filesystem::path directory_;
};

}  // namespace scree

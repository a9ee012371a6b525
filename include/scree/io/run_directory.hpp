/// The directory of a run: its inputs, its outputs, and its outcome.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// A picture that is drawn at the end of a run; kind and options as in the scene.
struct PictureRequest {
  std::string kind;
  std::string file;          ///< name without directory and extension
  std::string options_json;  ///< "" or "{}": none
};

/// A box with a name, such as that of an outflow; flat or infinite ones are allowed.
struct NamedBox {
  std::string name;
  Vec3 min, max;  ///< [m]
};

/// Inputs of a run.
struct RunInputs {
  std::string scene_name;
  std::filesystem::path scene_file;
  std::string scene_source;    ///< the file, byte by byte
  std::string scene_resolved;  ///< with all defaults
  std::vector<std::string> overrides;
  /// Files named in the scene, such as tables of bodies
  std::vector<std::filesystem::path> input_files;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> command_line;
  int ranks = 1;                       ///< processes
  int threads = 1;                     ///< of each rank
  double tolerance = 0;                ///< target for every step [-]
  Vec3 gravity;                        ///< [m/s²]
  std::vector<std::string> materials;  ///< by the numbers that frames have
  std::vector<NamedBox> inflows;       ///< that hold the centres of new bodies
  std::vector<NamedBox> outflows;      ///< where bodies are deleted
  std::vector<PictureRequest> pictures;
  std::vector<std::string> analyses;  ///< each has the directory analysis/NAME
  std::uint64_t resumed_at_step = 0;  ///< 0: not resumed
};

/// Outcome of a run.
struct RunOutcome {
  enum class Status { done, failed, interrupted };
  Status status = Status::done;
  int exit_status = 0;
  std::string verdict;  ///< sentences, may have several lines
};

const char* name(RunOutcome::Status status);

/// Content of an existing directory.
enum class DirectoryContent { nothing, run, something_else };
DirectoryContent directory_content(const std::filesystem::path& path);

/// Action on a run that already exists.
enum class OldRun { refuse, replace, go_on };

/// Lock of a directory: only one program that takes it writes there. It leaves no file, and ends
/// with the program, however that ends.
class RunLock {
 public:
  /// Locks nothing.
  RunLock() = default;
  /// Locks the directory if it exists. Throws InputError if another program has locked it.
  explicit RunLock(const std::filesystem::path& directory);
  ~RunLock();
  RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  RunLock& operator=(RunLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

class RunDirectory {
 public:
  /// Makes the directory and writes scene.yaml, resolved.yaml and manifest.json into it. An
  /// existing run is replaced or continued, as `old_run` requires; only files that a run writes are
  /// ever removed. Throws InputError, with nothing changed, if the directory holds a run to be
  /// refused, or anything else, or if another program writes to it; OutputError if it cannot be
  /// written. `lock` is the lock of the directory, if the caller has it already.
  RunDirectory(std::filesystem::path path, RunInputs inputs, OldRun old_run, RunLock lock = {});

  const std::filesystem::path& path() const { return path_; }

  /// Writes manifest.json with the checksums of the output, then DONE or FAILED. Throws
  /// OutputError.
  void finish(const RunOutcome& outcome) const;

  /// Writes FAILED with the reason, if possible; never throws.
  void leave_failed(const RunOutcome& outcome) const noexcept;

 private:
  std::filesystem::path path_;
  RunInputs inputs_;
  std::string started_;
  RunLock lock_;
};

}  // namespace scree

/// The directory of a run: everything that went in, everything that came out, and how it ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// A picture that is drawn when the run ends; kind and options as the scene has them.
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

/// What goes into a run.
struct RunInputs {
  std::string scene_name;
  std::filesystem::path scene_file;
  std::string scene_source;    ///< the file, byte by byte
  std::string scene_resolved;  ///< with every default filled in
  std::vector<std::string> overrides;
  /// That the scene names, such as tables of bodies
  std::vector<std::filesystem::path> input_files;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> command_line;
  int threads = 1;
  double tolerance = 0;            ///< that every step is to meet [-]
  Vec3 gravity;                    ///< [m/s²]
  std::vector<NamedBox> inflows;   ///< that hold the centres of new bodies
  std::vector<NamedBox> outflows;  ///< where bodies are deleted
  std::vector<PictureRequest> pictures;
  std::vector<std::string> analyses;  ///< each has the directory analysis/NAME
  std::uint64_t resumed_at_step = 0;  ///< 0: begun anew
};

/// How a run ended.
struct RunOutcome {
  enum class Status { done, failed, interrupted };
  Status status = Status::done;
  int exit_status = 0;
  std::string verdict;  ///< in plain words, may have several lines
};

const char* name(RunOutcome::Status status);

/// What is there of a run already.
enum class DirectoryContent { nothing, run, something_else };
DirectoryContent directory_content(const std::filesystem::path& path);

/// What to do with a run that is there already.
enum class OldRun { refuse, replace, go_on };

/// While it lives, no other program that takes it writes to a directory. It leaves no file, and
/// ends with the program, however that ends.
class RunLock {
 public:
  /// Takes nothing.
  RunLock() = default;
  /// Takes the directory if it is there. Throws InputError if another program has it.
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
  /// Makes the directory and writes scene.yaml, resolved.yaml and manifest.json into it. A run that
  /// is there already is replaced, or gone on with, if `old_run` says so; nothing is ever removed
  /// but files that a run writes. Throws InputError, with nothing changed, if the directory holds a
  /// run that is to be refused, or holds anything else, or if another program writes to it;
  /// OutputError if it cannot be written. `lock` is the directory's, if it was taken to look at
  /// what is there.
  RunDirectory(std::filesystem::path path, RunInputs inputs, OldRun old_run, RunLock lock = {});

  const std::filesystem::path& path() const { return path_; }

  /// Writes manifest.json with the checksums of the output, then DONE or FAILED. Throws
  /// OutputError.
  void finish(const RunOutcome& outcome) const;

  /// Leaves FAILED with the reason if that can be written at all; never throws.
  void leave_failed(const RunOutcome& outcome) const noexcept;

 private:
  std::filesystem::path path_;
  RunInputs inputs_;
  std::string started_;
  RunLock lock_;
};

}  // namespace scree

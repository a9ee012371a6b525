/// Creates the directory of a run, protects other files in it, and records the outcome.
#include "scree/io/run_directory.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include "io/manifest.hpp"
#include "io/run_files.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Throws if a run must not be written to `path`; changes nothing.
void require_usable(const fs::path& path, OldRun old_run) {
  switch (directory_content(path)) {
    case DirectoryContent::nothing:
      return;
    case DirectoryContent::run:
      if (old_run != OldRun::refuse) return;
      throw InputError(
          fmt::format("{} already holds a run; choose another directory with --out, replace the "
                      "run with --force, or continue it with --resume",
                      path.string()));
    case DirectoryContent::something_else:
      throw InputError(
          fmt::format("{} exists and does not hold a run of scree, so it is left unchanged; choose "
                      "another directory with --out",
                      path.string()));
  }
}

/// True if an input is this file, or is reached through this link to a directory.
bool is_or_holds(const fs::path& path, const fs::path& input) {
  std::error_code ignored;
  if (fs::equivalent(path, input, ignored)) return true;
  if (!fs::is_symlink(path, ignored)) return false;
  const std::string named = fs::absolute(input).lexically_normal().string(),
                    link = fs::absolute(path).lexically_normal().string();
  return named == link || named.starts_with(link + "/");
}

/// Throws if the new run reads a file that would be removed.
void require_inputs_kept(const fs::path& directory, const RunInputs& inputs) {
  std::vector<fs::path> needed = inputs.input_files;
  needed.push_back(inputs.scene_file);
  std::vector<fs::path> removed = files_of_run(directory);
  for (const fs::path& link : links_in_run(directory)) removed.push_back(link);
  for (const fs::path& input : needed)
    for (const fs::path& name : removed)
      if (is_or_holds(directory / name, input))
        throw InputError(
            fmt::format("the scene needs {}, which belongs to the run in {} and would be removed "
                        "with it; move the file, or choose another directory with --out",
                        input.string(), directory.string()));
}

/// Throws if a resumed run would write a file through a link.
void require_no_links(const fs::path& directory) {
  const auto links = links_in_run(directory);
  if (!links.empty())
    throw InputError(fmt::format(
        "{} is a symbolic link, and a run does not write through links; replace it by the file or "
        "directory it points to, or start again with --force, which removes the link",
        (directory / links.front()).string()));
}

}  // namespace

const char* name(RunOutcome::Status status) {
  switch (status) {
    case RunOutcome::Status::done:
      return "done";
    case RunOutcome::Status::failed:
      return "failed";
    case RunOutcome::Status::interrupted:
      return "interrupted";
  }
  return "";
}

DirectoryContent directory_content(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return DirectoryContent::nothing;
  // A directory that cannot be read counts as empty: writing to it reports the reason.
  if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown)
    return DirectoryContent::nothing;
  if (status.type() != fs::file_type::directory) return DirectoryContent::something_else;
  if (!files_of_run(path).empty()) return DirectoryContent::run;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    // A run that was killed while it wrote its first file does not count.
    if (entry.path().filename() != part_path(kManifestFile))
      return DirectoryContent::something_else;
  }
  return DirectoryContent::nothing;
}

RunLock::RunLock(const fs::path& directory)
    : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // File systems without locks are used without.
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return;
  ::close(std::exchange(descriptor_, -1));
  throw InputError(fmt::format(
      "another scree is writing to {}; wait for it, or choose another directory with --out",
      directory.string()));
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RunDirectory::RunDirectory(fs::path path, RunInputs inputs, OldRun old_run, RunLock lock)
    : path_(std::move(path)),
      inputs_(std::move(inputs)),
      started_(utc_now()),
      lock_(std::move(lock)) {
  require_usable(path_, old_run);
  if (old_run == OldRun::replace) require_inputs_kept(path_, inputs_);
  if (old_run == OldRun::go_on) require_no_links(path_);
  make_directories(path_);
  if (!lock_) {
    lock_ = RunLock(path_);
    require_usable(path_, old_run);  // another run may have started meanwhile
  }
  if (old_run == OldRun::go_on) {
    started_ = begun_at(path_).value_or(started_);
    remove_leavings(path_);
  } else {
    remove_run(path_);
  }
  // The manifest comes first: whatever happens next, the directory is recognised as a run.
  write_file(path_ / kManifestFile, manifest_at_start(inputs_, started_));
  write_file(path_ / "scene.yaml", inputs_.scene_source);
  write_file(path_ / "resolved.yaml", inputs_.scene_resolved);
  make_directories(path_ / "frames");
  if (!inputs_.pictures.empty()) make_directories(path_ / "pictures");
}

void RunDirectory::finish(const RunOutcome& outcome) const {
  write_file(path_ / kManifestFile, manifest_at_end(inputs_, started_, outcome, path_));
  write_file(path_ / (outcome.status == RunOutcome::Status::done ? "DONE" : "FAILED"),
             outcome.verdict + "\n");
}

void RunDirectory::leave_failed(const RunOutcome& outcome) const noexcept {
  try {
    write_file(path_ / "FAILED", outcome.verdict + "\n");
    finish(outcome);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the error that led here is
                                     // reported already
  }
}

}  // namespace scree

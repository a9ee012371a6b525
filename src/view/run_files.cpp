/// Finds the files of a run, its frames and its outcome.
#include "view/run_files.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/parsed_json.hpp"
#include "scree/io/run_manifest.hpp"
#include "view/library_lock.hpp"
#include "view/table_series.hpp"

namespace scree::view {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

std::string text_or_nothing(const fs::path& file) { return is_there(file) ? read_file(file) : ""; }

/// JSON of a file; null if it does not exist, or is damaged.
Json json_or_nothing(const fs::path& file) {
  const auto json = parsed_json<Json>(text_or_nothing(file));
  return json.is_discarded() ? Json() : json;
}

/// How a run ended; "open" if it has not, or was killed. Takes no lock, which could stop a run that
/// begins at this moment.
std::string outcome_of(const RunManifest& manifest, const fs::path& run) {
  std::string status = manifest.text("/status");
  if (status != "running") return status;
  return is_there(run / "FAILED") ? "failed" : "open";
}

FrameFiles files_of(const fs::path& run, std::size_t k, const fs::path& grains, double time) {
  const auto other = [&](const char* kind) {
    const fs::path file = fmt::format("frames/{}_{:06}.hdf", kind, k);
    return is_there(run / file) ? file : fs::path();
  };
  return {time, grains, other("contacts"), other("obstacles"), other("joints")};
}

/// True if a path is a directory, or lies in it. Both are canonical.
bool is_inside(const fs::path& directory, const fs::path& path) {
  return std::ranges::mismatch(directory, path).in1 == directory.end();
}

}  // namespace

RunFiles::RunFiles(const fs::path& run) {
  const RunManifest is_a_run(run);
  directory_ = fs::canonical(run);
  scene_ = facts_of(text_or_nothing(directory_ / "resolved.yaml"));
  refresh();
}

void RunFiles::refresh() {
  const std::lock_guard lock(mutex_);
  const std::vector<ListedFrame> listed = read_series(directory_ / "grains.hdf.series");
  for (std::size_t k = frames_.size(); k < listed.size(); ++k)
    frames_.push_back(files_of(directory_, k, listed[k].file, listed[k].time));
  append_unlisted();
}

/// Frames that the series does not list yet. The list of a run in progress lags behind, and a run
/// that was killed leaves it so.
void RunFiles::append_unlisted() {
  for (;;) {
    const std::size_t k = frames_.size();
    const fs::path next = fmt::format("frames/grains_{:06}.hdf", k);
    if (!is_there(directory_ / next)) return;
    try {
      const std::lock_guard library(library_lock());
      frames_.push_back(files_of(directory_, k, next, time_of_frame(inside(next))));
    } catch (const std::exception&) {
      return;  // a damaged frame that no list has is of no known time
    }
  }
}

FrameFiles RunFiles::frame(std::size_t k) const {
  const std::lock_guard lock(mutex_);
  if (k >= frames_.size())
    throw InputError(fmt::format("the run has no frame {}; it has {}", k, frames_.size()));
  return frames_[k];
}

fs::path RunFiles::inside(const fs::path& file) const {
  std::error_code error;
  fs::path real = fs::canonical(directory_ / file, error);
  if (error) throw OutputError(fmt::format("cannot read {}: {}", file.string(), error.message()));
  if (!is_inside(directory_, real))
    throw InputError(fmt::format("{} lies outside of the run", file.string()));
  return real;
}

Json RunFiles::description(std::size_t first_frame) const {
  const RunManifest manifest(directory_);
  const std::string outcome = outcome_of(manifest, directory_);
  Json times = Json::array();
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = first_frame; k < frames_.size(); ++k) times.push_back(frames_[k].time);
  }
  return {{"name", manifest.text("/scene/name")},
          {"directory", directory_.string()},
          {"outcome", outcome},
          {"verdict", manifest.has("/verdict") ? manifest.text("/verdict")
                                               : text_or_nothing(directory_ / "FAILED")},
          {"certified", json_or_nothing(directory_ / "verdict.json")},
          {"objections", outcome == "open" ? std::vector<std::string>{} : manifest.objections()},
          {"gravity", manifest.list("/gravity")},
          {"materials", scene_.materials},
          {"tables", tables_of(*this)},
          {"first_frame", first_frame},
          {"times", times}};
}

}  // namespace scree::view

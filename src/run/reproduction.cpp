/// Compares a run with its repetition, for `scree reproduce`.
#include "scree/run/reproduction.hpp"

#include <fmt/format.h>
#include <sstream>

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/sha256.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Throws InputError if an input file of the run was changed or is missing.
void require_same_inputs(const fs::path& run, const RunManifest& manifest) {
  if (manifest.text("/status") != "done")
    throw InputError(fmt::format("the run in {} is not complete: complete it first, with --resume",
                                 run.string()));
  if (sha256_of_file(run / "resolved.yaml") != manifest.text("/scene/resolved_sha256"))
    throw InputError(fmt::format("{} was changed since the run", (run / "resolved.yaml").string()));
  for (std::size_t k = 0; k < manifest.list("/input_files").size(); ++k) {
    const std::string pointer = fmt::format("/input_files/{}", k),
                      file = manifest.text(pointer + "/file");
    if (!is_as_written(file, manifest.text(pointer + "/sha256")))
      throw InputError(fmt::format(
          "{}, which the scene names, was changed since the run, or is missing; restore the file",
          file));
  }
}

/// Throws InputError if the files to compare with were changed since the run. Pictures may differ.
void require_same_outputs(const fs::path& run, const RunManifest& manifest) {
  const Json& outputs = manifest.object("/outputs");
  for (const char* needed : {"statistics.csv", "grains.hdf.series", "verdict.json"})
    if (!outputs.contains(needed))
      throw InputError(fmt::format(
          "the manifest in {} does not list {}, which every run writes: there is nothing to "
          "compare with; restore the manifest that the run wrote, or run the scene again",
          run.string(), needed));
  for (const auto& [name, checksum] : outputs.items())
    if (!name.ends_with(".png") &&
        !is_as_written(run / name, checksum.is_string() ? checksum.get<std::string>() : ""))
      throw InputError(fmt::format(
          "{} was changed since the run, or is missing: there is nothing to compare with",
          (run / name).string()));
}

/// statistics.csv without the columns of seconds, which depend on the machine.
std::string without_seconds(const std::string& table) {
  std::istringstream lines(table);
  std::string line, result;
  std::vector<bool> is_compared;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    const bool header = is_compared.empty();
    for (std::size_t k = 0; std::getline(cells, cell, ','); ++k) {
      if (header) is_compared.push_back(!cell.starts_with("seconds_"));
      if (k < is_compared.size() && is_compared[k]) result += cell + ",";
    }
    result += "\n";
  }
  return result;
}

}  // namespace

void require_reproducible(const fs::path& run, const RunManifest& manifest) {
  require_same_inputs(run, manifest);
  require_same_outputs(run, manifest);
}

RunComparison compare_runs(const fs::path& before, const fs::path& now,
                           const RunManifest& manifest) {
  RunComparison result;
  for (const auto& [name, checksum] : manifest.object("/outputs").items()) {
    if (name.ends_with(".png") || name == "scene.yaml" || name == "DONE") continue;
    ++result.compared;
    const bool same = fs::exists(now / name) &&
                      (name == "statistics.csv" ? without_seconds(read_file(before / name)) ==
                                                      without_seconds(read_file(now / name))
                                                : sha256_of_file(now / name) == checksum);
    if (!same) result.different.push_back(name);
  }
  return result;
}

}  // namespace scree

/// Reads manifest.json of a run, with errors that name the entry.
#include "scree/io/run_manifest.hpp"

#include <fmt/format.h>
#include <limits>

#include "io/manifest.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/parsed_json.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/sha256.hpp"

namespace scree {

namespace fs = std::filesystem;

RunManifest::RunManifest(const fs::path& run_directory) : directory_(run_directory) {
  if (directory_content(directory_) != DirectoryContent::run)
    throw InputError(fmt::format("{} does not hold a run of scree (there is no {} of a run)",
                                 directory_.string(), kManifestFile));
  json_ = parsed_json(read_file(directory_ / kManifestFile));
  if (const int version = whole_number("/manifest_version"); version != kManifestVersion)
    throw InputError(
        fmt::format("{}: manifest_version is {}, but this scree reads {}; use the version of scree "
                    "that made the run",
                    (directory_ / kManifestFile).string(), version, kManifestVersion));
}

const Json& RunManifest::at(const std::string& pointer) const {
  static const Json nothing;
  const Json::json_pointer parsed(pointer);
  return json_.contains(parsed) ? json_.at(parsed) : nothing;
}

const Json& RunManifest::require(bool good, const std::string& pointer, const char* needed) const {
  const Json& value = at(pointer);
  if (good) return value;
  throw InputError(fmt::format(
      "{}: {} is {}, but {} is needed; restore the file that the run wrote, or run the scene again",
      (directory_ / kManifestFile).string(), pointer.substr(1),
      value.is_null() ? "missing" : std::string("of the type ") + value.type_name(), needed));
}

std::string RunManifest::text(const std::string& pointer) const {
  return require(at(pointer).is_string(), pointer, "text").get<std::string>();
}

bool RunManifest::truth(const std::string& pointer) const {
  return require(at(pointer).is_boolean(), pointer, "true or false").get<bool>();
}

double RunManifest::number(const std::string& pointer) const {
  return require(at(pointer).is_number(), pointer, "a number").get<double>();
}

int RunManifest::whole_number(const std::string& pointer) const {
  const Json& value = at(pointer);
  const bool fits =
      value.is_number_integer() && value >= 0 && value <= std::numeric_limits<int>::max();
  return require(fits, pointer, "a whole number ≥ 0").get<int>();
}

const Json& RunManifest::list(const std::string& pointer) const {
  return require(at(pointer).is_array(), pointer, "a list");
}

const Json& RunManifest::object(const std::string& pointer) const {
  return require(at(pointer).is_object(), pointer, "an object");
}

std::string RunManifest::status() const {
  std::string status = text("/status");
  if (status != "running") return status;
  // A run that was killed, or had a full disk, could not write its status.
  try {
    const RunLock nobody_writes(directory_);
    std::error_code ignored;
    return fs::exists(directory_ / "FAILED", ignored) ? "failed" : "killed";
  } catch (const InputError&) {
    return status;
  }
}

std::vector<std::string> RunManifest::objections() const {
  std::vector<std::string> objections;
  if (!has("/verdict")) return objections;
  const auto holds = [&](const char* file, const std::string& written) {
    std::error_code ignored;
    return fs::exists(directory_ / file, ignored) && read_file(directory_ / file) == written;
  };
  const bool done = text("/status") == "done";
  const char *const mark = done ? "DONE" : "FAILED", *const other = done ? "FAILED" : "DONE";
  if (!holds(mark, text("/verdict") + "\n"))
    objections.push_back(
        fmt::format("{} does not agree with {}, or is missing", mark, kManifestFile));
  if (std::error_code ignored; fs::exists(directory_ / other, ignored))
    objections.push_back(
        fmt::format("{} exists, but by {} the run is {}", other, kManifestFile, text("/status")));
  const char* const verdict = "verdict.json";
  if (const std::string pointer = std::string("/outputs/") + verdict;
      has(pointer) && !is_as_written(directory_ / verdict, text(pointer)))
    objections.push_back(fmt::format("{} was changed since the run, or is missing", verdict));
  return objections;
}

}  // namespace scree

/// scree reproduce: run again what a run directory holds, and compare bit by bit.
#include <cstdio>
#include <fmt/format.h>
#include <sstream>

#include "commands.hpp"
#include "exit_status.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/io/sha256.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Throws InputError if what went into the run is not there any more.
void require_same_inputs(const fs::path& run, const RunManifest& manifest) {
  if (manifest.text("/status") != "done")
    throw InputError(fmt::format("the run in {} is not complete: go on with it first, with --resume", run.string()));
  if (sha256_of_file(run / "resolved.yaml") != manifest.text("/scene/resolved_sha256"))
    throw InputError(fmt::format("{} was changed since the run", (run / "resolved.yaml").string()));
  for (std::size_t k = 0; k < manifest.list("/input_files").size(); ++k) {
    const std::string place = fmt::format("/input_files/{}", k), file = manifest.text(place + "/file");
    if (!fs::exists(file) || sha256_of_file(file) != manifest.text(place + "/sha256"))
      throw InputError(
          fmt::format("{}, which the scene names, was changed since the run, or is gone; put the file back", file));
  }
}

/// Throws InputError if the files to compare with are not those that the run wrote. Pictures may be drawn again.
void require_same_outputs(const fs::path& run, const RunManifest& manifest) {
  const Json& outputs = manifest.object("/outputs");
  for (const char* needed : {"statistics.csv", "grains.hdf.series", "verdict.json"})
    if (!outputs.contains(needed))
      throw InputError(
          fmt::format("the manifest in {} does not list {}, which every run writes: there is nothing to compare with; "
                      "put the manifest back as the run wrote it, or run the scene again",
                      run.string(), needed));
  for (const auto& [name, checksum] : outputs.items())
    if (!name.ends_with(".png") && (!fs::exists(run / name) || sha256_of_file(run / name) != checksum))
      throw InputError(fmt::format("{} was changed since the run, or is gone: there is nothing to compare with",
                                   (run / name).string()));
}

/// statistics.csv without the columns of seconds, which are the machine's.
std::string without_seconds(const std::string& table) {
  std::istringstream lines(table);
  std::string line, result;
  std::vector<bool> kept;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    const bool header = kept.empty();
    for (std::size_t k = 0; std::getline(cells, cell, ','); ++k) {
      if (header) kept.push_back(!cell.starts_with("seconds_"));
      if (k < kept.size() && kept[k]) result += cell + ",";
    }
    result += "\n";
  }
  return result;
}

struct Comparison {
  std::size_t compared = 0;
  std::vector<std::string> different;
};

/// Frames byte by byte, statistics but for their seconds. Pictures are left out: they depend on fonts and libraries.
Comparison compare(const fs::path& before, const fs::path& now, const RunManifest& manifest) {
  Comparison result;
  for (const auto& [name, checksum] : manifest.object("/outputs").items()) {
    if (name.ends_with(".png") || name == "scene.yaml" || name == "DONE") continue;
    ++result.compared;
    const bool same = fs::exists(now / name) && (name == "statistics.csv" ? without_seconds(read_file(before / name)) ==
                                                                                without_seconds(read_file(now / name))
                                                                          : sha256_of_file(now / name) == checksum);
    if (!same) result.different.push_back(name);
  }
  return result;
}

}  // namespace

int reproduce_run(const ReproduceOptions& options) {
  const RunManifest manifest(options.run);
  require_same_inputs(options.run, manifest);
  require_same_outputs(options.run, manifest);
  const BuildInfo build = build_info();
  const std::string version = manifest.text("/version"), commit = manifest.text("/commit");
  if (version != build.version || commit != build.commit)
    say(stderr, "note: the run was made by scree {}, commit {}; this is {}, commit {}\n", version, commit,
        build.version, build.commit);

  RunOptions again;
  again.scene = options.run / "resolved.yaml";
  const fs::path run = fs::weakly_canonical(options.run);
  again.out = options.out.empty() ? run.parent_path() / (run.filename().string() + ".reproduced") : options.out;
  if (fs::weakly_canonical(again.out) == run)
    throw InputError("--out is the run itself, which is to be compared with; choose another directory");
  again.threads = options.threads;
  again.force = options.force;
  again.pictures = false;
  again.quiet = options.quiet || options.json;
  again.command_line = options.command_line;
  if (const int status = run_scene(again); status != kDone && status != kToleranceMissed) return status;

  const Comparison found = compare(options.run, again.out, manifest);
  if (options.json) {
    const Json json{{"status", found.different.empty() ? "same" : "different"},
                    {"directory", again.out.string()},
                    {"compared", found.compared},
                    {"different", found.different}};
    std::fputs(as_text(json).c_str(), stdout);
  } else if (found.different.empty()) {
    say(stdout, "Reproduced: {} files are the same bit by bit (statistics but for seconds; pictures not compared).\n",
        found.compared);
  } else {
    say(stdout, "NOT reproduced: {} of {} files differ, first {}\n", found.different.size(), found.compared,
        found.different.front());
  }
  return found.different.empty() ? kDone : kToleranceMissed;
}

}  // namespace scree::cli

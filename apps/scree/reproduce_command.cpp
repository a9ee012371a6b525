/// scree reproduce: run again what a run directory holds, and compare bit by bit.
#include <cstdio>
#include <fmt/format.h>
#include <sstream>

#include "commands.hpp"
#include "exit_status.hpp"
#include "scree/core/error.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/sha256.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

Json manifest_of(const fs::path& run) {
  if (directory_content(run) != DirectoryContent::run)
    throw InputError(fmt::format("{} holds no run of scree (there is no manifest.json of one)", run.string()));
  return Json::parse(read_file(run / "manifest.json"));
}

/// Throws InputError if what went into the run is not there any more.
void require_same_inputs(const fs::path& run, const Json& manifest) {
  if (manifest.at("status") != "done")
    throw InputError(fmt::format("the run in {} is not complete: go on with it first, with --resume", run.string()));
  if (sha256_of_file(run / "resolved.yaml") != manifest.at("scene").at("resolved_sha256"))
    throw InputError(fmt::format("{} was changed since the run", (run / "resolved.yaml").string()));
  for (const Json& input : manifest.at("input_files")) {
    const auto file = input.at("file").get<std::string>();
    if (!fs::exists(file) || sha256_of_file(file) != input.at("sha256"))
      throw InputError(
          fmt::format("{}, which the scene names, was changed since the run, or is gone; put the file back", file));
  }
}

/// Throws InputError if the files to compare with are not those that the run wrote. Pictures may be drawn again.
void require_same_outputs(const fs::path& run, const Json& manifest) {
  for (const auto& [name, checksum] : manifest.at("outputs").items())
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
Comparison compare(const fs::path& before, const fs::path& now, const Json& manifest) {
  Comparison result;
  for (const auto& [name, checksum] : manifest.at("outputs").items()) {
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
  const Json manifest = manifest_of(options.run);
  require_same_inputs(options.run, manifest);
  require_same_outputs(options.run, manifest);
  const BuildInfo build = build_info();
  if (manifest.at("version") != build.version || manifest.at("commit") != build.commit)
    std::fprintf(stderr, "note: the run was made by scree %s, commit %s; this is %s, commit %s\n",
                 manifest.at("version").get<std::string>().c_str(), manifest.at("commit").get<std::string>().c_str(),
                 build.version.c_str(), build.commit.c_str());

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
    std::printf("Reproduced: %zu files are the same bit by bit (statistics but for seconds; pictures not compared).\n",
                found.compared);
  } else {
    std::printf("NOT reproduced: %zu of %zu files differ, first %s\n", found.different.size(), found.compared,
                found.different.front().c_str());
  }
  return found.different.empty() ? kDone : kToleranceMissed;
}

}  // namespace scree::cli

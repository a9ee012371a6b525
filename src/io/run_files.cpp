#include "io/run_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "io/manifest.hpp"
#include "scree/io/files.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFixedNames{
    "scene.yaml",        "resolved.yaml",       "log.txt",      "log.jsonl", "statistics.csv", "obstacles.json",
    "grains.hdf.series", "contacts.hdf.series", "verdict.json", "DONE",      "FAILED"};

void add_if_there(const fs::path& directory, const fs::path& file, std::vector<fs::path>& files) {
  std::error_code ignored;
  if (fs::is_regular_file(fs::symlink_status(directory / file, ignored))) files.push_back(file);
}

/// What is in a subdirectory of a run; nothing if it is a link to somewhere else.
std::vector<fs::path> names_in(const fs::path& directory) {
  std::vector<fs::path> names;
  std::error_code ignored;
  if (!fs::is_directory(fs::symlink_status(directory, ignored))) return names;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) names.push_back(entry.path().filename());
  return names;
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw cannot_write(file, error.value());
}

/// analysis/NAME of each analysis that the run itself makes.
std::vector<fs::path> analysis_directories(const nlohmann::json& manifest) {
  std::vector<fs::path> directories;
  for (const auto& analysis : manifest.value("analyses", nlohmann::json::array())) {
    if (!analysis.is_string()) continue;
    const fs::path own = "analysis" / fs::path(analysis.get<std::string>()).filename();
    if (own.filename() != "." && own.filename() != "..") directories.push_back(own);
  }
  return directories;
}

/// What the run itself analysed; not what was analysed afterwards.
void add_analyses(const fs::path& directory, const nlohmann::json& manifest, std::vector<fs::path>& files) {
  static const std::regex table_name("[a-z_]+(\\.part)?\\.(csv|json|png|hdf\\.series)(\\.part)?");
  static const std::regex frame_name("force_chains_[0-9]{6,}\\.hdf(\\.part)?");
  if (!fs::is_directory(fs::symlink_status(directory / "analysis"))) return;
  for (const fs::path& own : analysis_directories(manifest)) {
    for (const fs::path& name : names_in(directory / own))
      if (std::regex_match(name.string(), table_name)) add_if_there(directory, own / name, files);
    for (const fs::path& name : names_in(directory / own / "frames"))
      if (std::regex_match(name.string(), frame_name)) add_if_there(directory, own / "frames" / name, files);
  }
}

void remove_if_empty(const fs::path& directory) {
  std::error_code not_empty;
  if (fs::is_directory(fs::symlink_status(directory, not_empty))) fs::remove(directory, not_empty);
}

}  // namespace

nlohmann::json own_manifest(const fs::path& directory) {
  std::ifstream file(directory / kManifestFile);
  if (!file) return nullptr;
  auto json = nlohmann::json::parse(file, nullptr, false);
  const bool ours = json.is_object() && json.value("program", nlohmann::json()) == "scree";
  return ours ? json : nullptr;
}

std::vector<fs::path> files_of_run(const fs::path& directory) {
  std::vector<fs::path> files;
  const nlohmann::json manifest = own_manifest(directory);
  if (manifest.is_null()) return files;

  for (const fs::path name : kFixedNames) {
    add_if_there(directory, name, files);
    add_if_there(directory, part_path(name), files);
  }
  static const std::regex frame_name("(grains|contacts)_[0-9]{6,}\\.hdf(\\.part)?");
  for (const fs::path& name : names_in(directory / "frames"))
    if (std::regex_match(name.string(), frame_name)) add_if_there(directory, "frames" / name, files);
  static const std::regex checkpoint_name("step_[0-9]{12,}\\.hdf(\\.part)?");
  for (const fs::path& name : names_in(directory / "restart"))
    if (std::regex_match(name.string(), checkpoint_name)) add_if_there(directory, "restart" / name, files);
  static const std::regex problem_name("step_[0-9]{8,}\\.hdf5(\\.part)?");
  for (const fs::path& name : names_in(directory / "problems"))
    if (std::regex_match(name.string(), problem_name)) add_if_there(directory, "problems" / name, files);
  const bool own_pictures = fs::is_directory(fs::symlink_status(directory / "pictures"));
  for (const auto& picture : manifest.value("pictures", nlohmann::json::array())) {
    if (!picture.is_object() || !picture.contains("file") || !picture["file"].is_string()) continue;
    // filename(): a manifest that was tampered with does not lead out of the directory.
    const fs::path name = fs::path(picture["file"].get<std::string>() + ".png").filename();
    if (own_pictures) add_if_there(directory, "pictures" / name, files);
  }
  add_analyses(directory, manifest, files);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  add_if_there(directory, kManifestFile, files);
  return files;
}

void remove_run(const fs::path& directory) {
  std::vector<fs::path> files = files_of_run(directory);
  if (files.empty()) return;
  // The manifest goes last: while anything is left, even an empty directory, it is known for what it is.
  const fs::path manifest = files.back();
  files.pop_back();
  std::set<fs::path, std::greater<>> parents{"frames", "pictures", "problems", "restart", "analysis"};
  for (const fs::path& own : analysis_directories(own_manifest(directory))) parents.insert({own, own / "frames"});
  for (const fs::path& file : files) {
    remove_file(directory / file);
    for (fs::path parent = file.parent_path(); !parent.empty(); parent = parent.parent_path()) parents.insert(parent);
  }
  for (const fs::path& parent : parents) remove_if_empty(directory / parent);  // from the deepest up
  remove_file(directory / manifest);
}

void remove_leavings(const fs::path& directory) {
  for (const fs::path& file : files_of_run(directory))
    if (file == "DONE" || file == "FAILED" || file == "verdict.json" || file.extension() == ".part")
      remove_file(directory / file);
}

}  // namespace scree

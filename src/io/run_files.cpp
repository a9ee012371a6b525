/// Lists and removes the files that a run writes.
#include "io/run_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "io/manifest.hpp"
#include "scree/io/files.hpp"
#include "scree/io/parsed_json.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFixedNames{"scene.yaml",
                                 "resolved.yaml",
                                 "log.txt",
                                 "log.jsonl",
                                 "statistics.csv",
                                 "cell.csv",
                                 "joints.csv",
                                 "bodies.csv",
                                 "obstacles.json",
                                 "grains.hdf.series",
                                 "contacts.hdf.series",
                                 "joints.hdf.series",
                                 "obstacles.hdf.series",
                                 "obstacles.csv",
                                 "verdict.json",
                                 "DONE",
                                 "FAILED"};

/// Existing files and links with names that a run writes, relative to its directory.
class Listing {
 public:
  explicit Listing(const fs::path& directory) : directory_(directory) {}

  void add(const fs::path& name) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(directory_ / name, ignored);
    if (fs::is_regular_file(status)) files.push_back(name);
    if (fs::is_symlink(status)) links.push_back(name);
  }
  /// Adds files of a subdirectory whose names match; nothing if the subdirectory is a link.
  void add_matching(const fs::path& subdirectory, const std::regex& pattern) {
    std::error_code ignored;
    if (!is_directory(subdirectory)) return;
    for (const auto& entry : fs::directory_iterator(directory_ / subdirectory, ignored)) {
      const fs::path name = entry.path().filename();
      if (std::regex_match(name.string(), pattern)) add(subdirectory / name);
    }
  }
  /// True for a directory; a link is listed as a link.
  bool is_directory(const fs::path& subdirectory) {
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(directory_ / subdirectory, ignored))) return true;
    if (std::ranges::find(links, subdirectory) == links.end()) add(subdirectory);
    return false;
  }

  std::vector<fs::path> files, links;

 private:
  const fs::path& directory_;
};

/// analysis/NAME of each analysis made by the run itself.
std::vector<fs::path> analysis_directories(const nlohmann::json& manifest) {
  std::vector<fs::path> directories;
  for (const auto& analysis : manifest.value("analyses", nlohmann::json::array())) {
    if (!analysis.is_string()) continue;
    const fs::path own = "analysis" / fs::path(analysis.get<std::string>()).filename();
    if (own.filename() != "." && own.filename() != "..") directories.push_back(own);
  }
  return directories;
}

/// Adds analyses made by the run itself, not later ones.
void add_analyses(const nlohmann::json& manifest, Listing& listing) {
  static const std::regex table_name(
      "[a-z_]+(\\.part)?\\.(csv|json|png|vti|hdf\\.series)(\\.part)?");
  static const std::regex frame_name("force_chains_[0-9]{6,}\\.hdf(\\.part)?");
  for (const fs::path& own : analysis_directories(manifest)) {
    if (!listing.is_directory("analysis") || !listing.is_directory(own)) continue;
    listing.add_matching(own, table_name);
    listing.add_matching(own / "frames", frame_name);
  }
}

void add_pictures(const nlohmann::json& manifest, Listing& listing) {
  if (!listing.is_directory("pictures")) return;
  for (const auto& picture : manifest.value("pictures", nlohmann::json::array())) {
    if (!picture.is_object() || !picture.contains("file") || !picture["file"].is_string()) continue;
    // filename(): a forged manifest cannot name files outside of the directory.
    const fs::path name = fs::path(picture["file"].get<std::string>()).filename();
    for (const char* end : {".png", ".mp4", ".webm", ".gif", ".webp"})
      for (const char* part : {"", ".part"})
        listing.add("pictures" / fs::path(name.string() + part + end));
  }
  // of a movie without ffmpeg
  static const std::regex image_name("frame_[0-9]{6,}\\.png");
  if (listing.is_directory("pictures/movie")) listing.add_matching("pictures/movie", image_name);
}

Listing listing_of(const fs::path& directory, const nlohmann::json& manifest) {
  static const std::regex frame_name(
      "(grains|contacts|joints|obstacles)_[0-9]{6,}\\.hdf(\\.part)?");
  static const std::regex checkpoint_name("step_[0-9]{12,}\\.hdf(\\.part)?");
  static const std::regex problem_name("step_[0-9]{8,}\\.hdf5(\\.part)?");
  Listing listing(directory);
  for (const fs::path name : kFixedNames) {
    listing.add(name);
    listing.add(part_path(name));
  }
  listing.add_matching("frames", frame_name);
  listing.add_matching("restart", checkpoint_name);
  listing.add_matching("problems", problem_name);
  add_pictures(manifest, listing);
  add_analyses(manifest, listing);
  for (std::vector<fs::path>* names : {&listing.files, &listing.links}) {
    std::ranges::sort(*names);
    names->erase(std::unique(names->begin(), names->end()), names->end());
  }
  listing.add(part_path(kManifestFile));
  listing.add(kManifestFile);
  return listing;
}

}  // namespace

nlohmann::json own_manifest(const fs::path& directory) {
  std::ifstream file(directory / kManifestFile);
  if (!file) return nullptr;
  const std::string text(std::istreambuf_iterator<char>(file), {});
  auto json = parsed_json<nlohmann::json>(text);
  const bool ours = json.is_object() && json.value("program", nlohmann::json()) == "scree";
  return ours ? json : nullptr;
}

std::vector<fs::path> files_of_run(const fs::path& directory) {
  const nlohmann::json manifest = own_manifest(directory);
  return manifest.is_null() ? std::vector<fs::path>() : listing_of(directory, manifest).files;
}

std::vector<fs::path> links_in_run(const fs::path& directory) {
  const nlohmann::json manifest = own_manifest(directory);
  return manifest.is_null() ? std::vector<fs::path>() : listing_of(directory, manifest).links;
}

void remove_run(const fs::path& directory) {
  const nlohmann::json manifest = own_manifest(directory);
  if (manifest.is_null()) return;
  const Listing listing = listing_of(directory, manifest);
  std::set<fs::path, std::greater<>> parents{"frames", "pictures", "problems", "restart",
                                             "analysis"};
  for (const fs::path& own : analysis_directories(manifest)) parents.insert({own, own / "frames"});
  for (const auto* names : {&listing.files, &listing.links})
    for (const fs::path& name : *names) {
      if (name != kManifestFile) remove_file(directory / name);
      for (fs::path parent = name.parent_path(); !parent.empty(); parent = parent.parent_path())
        parents.insert(parent);
    }
  // deepest first
  for (const fs::path& parent : parents) remove_if_empty(directory / parent);
  // The manifest is removed last: until then the directory is recognised as a run.
  remove_file(directory / kManifestFile);
}

void remove_leavings(const fs::path& directory) {
  for (const fs::path& file : files_of_run(directory))
    if (file == "DONE" || file == "FAILED" || file == "verdict.json" || file.extension() == ".part")
      remove_file(directory / file);
}

}  // namespace scree

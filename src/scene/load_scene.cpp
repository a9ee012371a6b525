#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "scene/build.hpp"
#include "scene/document.hpp"
#include "scene/overrides.hpp"
#include "scene/schema.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

namespace {

using namespace scene;

// [byte]; more bodies than fit here belong into a CSV file
constexpr std::uintmax_t kLargestFile = 32u << 20;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string message) {
  throw SceneError({{file.string(), 0, 0, "", std::move(message)}});
}

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) refuse(file, "the scene file does not exist");
  if (std::filesystem::is_directory(file, error))
    refuse(file, "is a directory, a scene file is needed");
  if (const auto size = std::filesystem::file_size(file, error); !error && size > kLargestFile)
    refuse(file, fmt::format("has {} MiB, at most {} are read; put many bodies into a CSV file",
                             size >> 20, kLargestFile >> 20));
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> piece(1 << 16);
  // Devices and pipes have no size beforehand
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile) refuse(file, "is too large for a scene");
  }
  if (in.bad()) refuse(file, fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

/// Files the scene names keep their place when the resolved scene is stored elsewhere.
void make_paths_absolute(Node& root, const std::filesystem::path& directory) {
  Node* bodies = root.find("bodies");
  if (!bodies) return;
  for (Node& entry : bodies->children)
    for (Node& group : entry.children)
      if (Node* file = group.key == "csv" ? group.find("file") : nullptr; file && file->is_string())
        file->text = std::filesystem::absolute(directory / file->text).lexically_normal().string();
}

void build_scene(Build& build) {
  build_settings(build);
  build_materials(build);
  build_obstacles(build);
  build_flows(build);
  build.scene.state = initial_state(build.scene.model);
  build_bodies(build);
  build_output(build);
  check_overlaps(build);
  check_seams(build);
}

}  // namespace

Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Scene result;
  result.source = read_text(file);
  std::vector<std::string> origins;
  origins.reserve(overrides.size());
  for (const std::string& text : overrides) origins.push_back("--set " + text);
  Problems problems(file.string(), origins);

  std::optional<Node> root = parse_document(result.source, 0, problems);
  if (!root) problems.raise();
  if (root->kind == Node::Kind::null && overrides.empty())
    refuse(file, "the file is empty, a scene is needed");
  apply_overrides(*root, overrides, problems);
  fill_names(*root, file.stem().string());
  fill_solver(*root);
  fill_rest(*root);
  resolve(*root, problems);
  validate(*root, problems);
  if (!root->is_map()) problems.raise();

  Build build{*root, file.parent_path(), result, problems};
  build_scene(build);
  problems.raise();

  result.warnings = problems.warnings();
  make_paths_absolute(*root, file.parent_path());
  result.resolved = emit_document(*root);
  return result;
}

}  // namespace scree

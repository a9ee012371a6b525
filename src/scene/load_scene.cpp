/// Loads a scene: runs all readers and checks in order, and chooses step.h: auto.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <numbers>
#include <sstream>

#include "scene/build.hpp"
#include "scene/yaml/document.hpp"
#include "scene/yaml/overrides.hpp"
#include "scene/yaml/schema.hpp"
#include "scree/core/spelling.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/force_times.hpp"
#include "scree/sim/touching_materials.hpp"
#include "sim/checks/check_model.hpp"

namespace scree {

namespace {

using namespace scene;

// [byte] more bodies than this belong into a CSV file
constexpr std::uintmax_t kLargestFile = 32u << 20;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string message) {
  throw SceneError({{file.string(), 0, 0, "", std::move(message)}});
}

/// Makes paths of files absolute, so that the resolved scene can be stored elsewhere.
void make_paths_absolute(Node& root, const std::filesystem::path& directory) {
  const auto make_absolute = [&](Node* file) {
    if (file && file->is_string())
      file->text = std::filesystem::absolute(directory / file->text).lexically_normal().string();
  };
  const auto make_shape_absolute = [&](Node* shape) {
    Node* polyhedron = shape ? shape->find("polyhedron") : nullptr;
    Node* mesh = polyhedron ? polyhedron->find("mesh") : nullptr;
    if (mesh) make_absolute(mesh->find("file"));
  };
  const auto make_mesh_absolute = [&](Node& entry) {
    Node* shape = entry.find("shape");
    make_shape_absolute(shape);
    Node* clump = shape ? shape->find("clump") : nullptr;
    if (!clump) return;
    for (Node& part : clump->children) make_shape_absolute(part.find("shape"));
  };
  for (Node& entry : root.find("bodies")->children)
    for (Node& group : entry.children) {
      if (group.key == "csv") make_absolute(group.find("file"));
      if (group.key == "from") make_absolute(group.find("run"));
      make_mesh_absolute(group);
    }
  for (Node& entry : root.find("obstacles")->children)
    for (Node& obstacle : entry.children) {
      if (obstacle.key == "mesh" || obstacle.key == "height_map")
        make_absolute(obstacle.find("file"));
      make_mesh_absolute(obstacle);
      if (Node* motion = obstacle.find("motion")) make_absolute(motion->find("table"));
    }
  for (Node& filling : root.find("fillings")->children) make_mesh_absolute(filling);
  for (Node& motion : root.find("motions")->children) make_absolute(motion.find("table"));
  for (Node& entry : root.find("joints")->children)
    for (Node& joint : entry.children)
      for (Node& drive : joint.children)
        if (Node* motor = drive.find("motor")) make_absolute(motor->find("table"));
  if (Node* stages = root.find("stages"))
    for (Node& stage : stages->children)
      for (Node& motion : stage.find("move")->children) make_absolute(motion.find("table"));
}

/// Adds the time of the checkpoint that bodies come from, where the scene asked for the last one.
void record_times(const Build& build, Node& root) {
  auto taken = build.taken.begin();
  for (Node& entry : root.find("bodies")->children)
    for (Node& group : entry.children) {
      if (group.key != "from") continue;
      const double time = (taken++)->run->state.time;
      if (group.find("time")) continue;
      group.children.push_back(number_node(time));
      group.children.back().key = "time";
    }
}

/// Reports superellipsoids with Hertz' law, which needs a curvature that they do not have here.
void check_curvatures(Build& build) {
  const Model& model = build.scene.model;
  const Bodies& bodies = build.scene.state.bodies;
  const auto is_refused = [&](MaterialId material) {
    for (std::size_t m = 0; m < model.materials.size(); ++m)
      if (model.laws(static_cast<MaterialId>(m), material).kind == LawKind::hertz_mindlin)
        return true;
    return false;
  };
  constexpr const char* kRefused =
      "hertz_mindlin does not support ellipsoids and superellipsoids, alone or in a clump; take "
      "cundall_strack for this material, or another shape";
  for (const BodyGroup& group : build.groups)
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      if (!has_superellipsoid(model.prototypes[bodies.prototype[i]].shape) ||
          !is_refused(bodies.material[i]))
        continue;
      build.problems.report(*group.node, kRefused);
      break;
    }
  for (const Filling& filling : model.fillings)
    if (std::ranges::any_of(filling.kinds, [&](const Filling::Kind& kind) {
          return has_superellipsoid(model.prototypes[kind.prototype].shape) &&
                 is_refused(kind.material);
        }))
      build.problems.report(*build.fillings.at(filling.name), kRefused);
  for (const Obstacle& obstacle : model.obstacles)
    if (has_superellipsoid(obstacle.shape) && is_refused(obstacle.material))
      build.problems.report(*build.obstacles.at(obstacle.name), kRefused);
}

/// Reports pairs with Hertz' law that can touch but have no stiffness.
void check_stiffness(Build& build) {
  const Model& model = build.scene.model;
  const Node* standard = build.root.find("default_law");
  for (const auto& [a, b] : pairs_without_stiffness(model, build.scene.state))
    build.problems.report(
        standard ? *standard : build.root["laws"],
        fmt::format("hertz_mindlin between '{}' and '{}' has no stiffness: give one of these "
                    "materials the moduli young and poisson, or give the law k_n and k_t",
                    model.materials[a].name, model.materials[b].name));
}

void build_scene(Build& build) {
  build_settings(build);
  build_cell(build);
  build_materials(build);
  build_motions(build);
  build_obstacles(build);
  build_ignored_materials_and_obstacles(build);  // obstacles so far, for layers of inflows
  build_flows(build);
  build_fillings(build);
  build.scene.state = initial_state(build.scene.model);
  build_ignored_materials_and_obstacles(build);
  build_bodies(build);
  build_ignored(build);
  build_joints(build);
  build_drives(build);
  build_sensors(build);
  build_fields(build);
  check_stiffness(build);
  check_curvatures(build);
  build_output(build);
  check_cell(build);
  check_overlaps(build);
  check_meshes(build);
  check_values(build);
  take_over_contacts(build);
}

/// Replaces `step.h: auto` by the number that bodies and laws need, from a trial scene built with
/// another step. False if other problems prevent that. Problems of the trial go to `unheard`, which
/// has the same file and overrides as `problems`.
bool choose_step(Node& root, const std::filesystem::path& file, Scene& result, Problems& problems,
                 Problems unheard) {
  Node* step = root.find("step");
  Node* h = step && step->is_map() ? step->find("h") : nullptr;
  if (!h || h->text != "auto") return true;
  const Node asked = *h;
  const auto give = [&](double value) {
    Node number = number_node(value);
    number.key = h->key;
    number.key_position = h->key_position;
    number.position = asked.position;
    number.parent = h->parent;
    *h = number;
  };
  give(1e-6);
  Scene trial;
  trial.source = result.source;
  Node copy = root;  // problems are reported when the final scene is built
  link_parents(copy);
  Build build{copy, file.parent_path(), trial, unheard};
  build_scene(build);
  try {
    unheard.raise();
  } catch (const SceneError&) {
    return false;  // reported when the final scene is built
  }
  const auto times = force_times(trial.model, trial.state, trial.until);
  if (!times && !problems.empty()) return false;  // laws with problems are missing
  if (!times) {
    problems.report(
        *h, "h: auto needs a compliant law, and no pair of this scene has one; give a number");
    return false;
  }
  // Three digits, easy to repeat
  const double exact = times->advised_step();
  const double digit = std::pow(10.0, std::floor(std::log10(exact)) - 2);
  const double chosen =
      std::strtod(fmt::format("{:.2e}", std::floor(exact / digit) * digit).c_str(), nullptr);
  if (!(chosen > 0) || !std::isfinite(chosen)) {
    problems.report(
        *h, fmt::format(
                "h: auto found contacts that last {:.3g} s, too short for any step; give a number",
                times->contact_time));
    return false;
  }
  give(chosen);
  result.step_choice =
      times->is_by_stability()
          ? fmt::format(
                "step.h = {} s, half of {:.3g} s, the stability limit of {} contacts between '{}' "
                "and '{}'",
                chosen, times->stability_limit, name(times->min_stable.law),
                times->min_stable.first, times->min_stable.second)
          : fmt::format(
                "step.h = {} s, 1/{:.0f} of the contact time {:.3g} s of {} between '{}' "
                "and '{}'{}",
                chosen, kStepsOfContact, times->contact_time, name(times->shortest.law),
                times->shortest.first, times->shortest.second, impact_of(*times));
  return true;
}

}  // namespace

BodyId Scene::body(std::string_view body_name) const {
  const auto found = std::ranges::find(named_bodies, body_name, &NamedBody::name);
  if (found != named_bodies.end()) return found->id;
  std::vector<std::string> names;
  for (const NamedBody& each : named_bodies) names.push_back(each.name);
  const std::string wanted(body_name);
  throw InputError(fmt::format("there is no body '{}'{}", wanted, suggestion(wanted, names)));
}

std::string scene_text(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) refuse(file, "the scene file does not exist");
  if (std::filesystem::is_directory(file, error)) refuse(file, "is a directory; give a scene file");
  if (const auto size = std::filesystem::file_size(file, error); !error && size > kLargestFile)
    refuse(file, fmt::format("has {} MiB; at most {} are allowed: put many bodies into a CSV file",
                             size >> 20, kLargestFile >> 20));
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> piece(1 << 16);
  // Devices and pipes do not report a size
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile) refuse(file, "is too large for a scene");
  }
  if (in.bad()) refuse(file, fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return load_scene_text(scene_text(file), file, overrides);
}

Scene load_scene_text(std::string text, const std::filesystem::path& file,
                      const std::vector<std::string>& overrides) {
  Scene result;
  result.source = std::move(text);
  std::vector<std::string> origins;
  origins.reserve(overrides.size());
  for (const std::string& entry : overrides) origins.push_back("--set " + entry);
  Problems problems(file.string(), origins);

  std::optional<Node> root = parse_document(result.source, 0, problems);
  if (!root) problems.raise();
  if (root->kind == Node::Kind::null && overrides.empty())
    refuse(file, "the file is empty; write a scene into it");
  apply_overrides(*root, overrides, problems);
  fill_runs(*root);
  fill_names(*root, file.stem().string());
  fill_solver(*root);
  fill_rest(*root);
  fill_impacts(*root);
  fill_stages(*root);
  resolve(*root, problems);
  validate(*root, problems);
  if (!root->is_map()) problems.raise();
  if (problems.empty()) sum_stages(*root);
  build_robots(*root, file.parent_path(), problems);

  const bool step_is_known = choose_step(*root, file, result, problems, {file.string(), origins});
  Build build{*root, file.parent_path(), result, problems};
  build_scene(build);
  if (step_is_known) check_step(build);
  check_local_damping(build);
  check_sleep(build);
  if (problems.empty()) build_stages(build);
  problems.raise();

  result.warnings = problems.warnings();
  make_paths_absolute(*root, file.parent_path());
  record_times(build, *root);
  result.resolved = emit_document(*root);
  return result;
}

}  // namespace scree

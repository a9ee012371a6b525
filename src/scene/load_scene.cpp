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
#include "scene/document.hpp"
#include "scene/overrides.hpp"
#include "scene/schema.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/force_times.hpp"
#include "scree/sim/touching_materials.hpp"

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
  const auto make_absolute = [&](Node* file) {
    if (file && file->is_string())
      file->text = std::filesystem::absolute(directory / file->text).lexically_normal().string();
  };
  for (Node& entry : root.find("bodies")->children)
    for (Node& group : entry.children)
      if (group.key == "csv") make_absolute(group.find("file"));
  for (Node& entry : root.find("obstacles")->children)
    for (Node& part : entry.children) {
      if (part.key == "mesh") make_absolute(part.find("file"));
      if (Node* motion = part.find("motion")) make_absolute(motion->find("table"));
    }
  for (Node& motion : root.find("motions")->children) make_absolute(motion.find("table"));
}

/// Hertz' law needs a stiffness from somewhere wherever bodies can touch.
void check_stiffness(Build& build) {
  const Model& model = build.scene.model;
  const Node* standard = build.root.find("default_law");
  for (const auto& [a, b] : pairs_without_stiffness(model, build.scene.state))
    build.problems.report(
        standard ? *standard : build.root["laws"],
        fmt::format("hertz_mindlin between '{}' and '{}' has no stiffness: give one of these "
                    "materials its moduli young and poisson, or the law k_n and k_t",
                    model.materials[a].name, model.materials[b].name));
}

void build_scene(Build& build) {
  build_settings(build);
  build_materials(build);
  build_motions(build);
  build_obstacles(build);
  build_flows(build);
  build.scene.state = initial_state(build.scene.model);
  build_bodies(build);
  build_joints(build);
  check_stiffness(build);
  build_output(build);
  check_overlaps(build);
  check_seams(build);
}

/// How fast and how deep the impact is that a step was chosen by; empty where that does not matter.
std::string impact_of(const ForceTimes& times) {
  if (!times.impact) return "";
  const ImpactEstimate& impact = *times.impact;
  std::vector<std::string> why;
  if (impact.meeting > 0) why.push_back(fmt::format("bodies meet at {:.3g} m/s", impact.meeting));
  if (impact.fall > 0) why.push_back(fmt::format("a body may fall by {:.3g} m", impact.drop));
  if (impact.parts > 0) why.push_back(fmt::format("parts move at {:.3g} m/s", impact.parts));
  if (why.empty()) why.push_back("nothing moves or falls, and this was taken");
  return fmt::format(
      " at {:.3g} m/s ({}){}", impact.speed(), fmt::join(why, ", "),
      times.by_weight ? ", as deep as the weight of the heaviest body presses it" : "");
}

/// Gives `step.h: auto` its number: what the bodies and laws of the scene need, built with another
/// one first. False: other problems of the scene leave it without one.
bool choose_step(Node& root, const std::filesystem::path& file, Scene& result, Problems& problems) {
  Node* step = root.find("step");
  Node* h = step && step->is_map() ? step->find("h") : nullptr;
  if (!h || h->text != "auto") return true;
  const Node asked = *h;
  const auto give = [&](double value) {
    Node number = number_node(value);
    number.key = h->key;
    number.key_place = h->key_place;
    number.place = asked.place;
    number.parent = h->parent;
    *h = number;
  };
  give(1e-6);
  Scene trial;
  trial.source = result.source;
  Problems unheard(file.string(), {});
  Node copy = root;  // problems are told when the scene is built in earnest
  link_parents(copy);
  Build build{copy, file.parent_path(), trial, unheard};
  build_scene(build);
  try {
    unheard.raise();
  } catch (const SceneError&) {
    return false;  // told when the scene is built in earnest
  }
  const auto times = force_times(trial.model, trial.state, trial.until);
  if (!times && !problems.empty()) return false;  // laws that have problems are not there
  if (!times) {
    problems.report(*h,
                    "h: auto follows from the contact time of compliant laws, and no pair of "
                    "this scene has one; give a number");
    return false;
  }
  // Three digits: a number that people can repeat.
  const double exact = times->contact_time / kStepsOfContact;
  const double digit = std::pow(10.0, std::floor(std::log10(exact)) - 2);
  const double chosen =
      std::strtod(fmt::format("{:.2e}", std::floor(exact / digit) * digit).c_str(), nullptr);
  if (!(chosen > 0) || !std::isfinite(chosen)) {
    problems.report(*h, fmt::format("h: auto finds contacts that last {:.3g} s, which no step can "
                                    "follow; give a number",
                                    times->contact_time));
    return false;
  }
  give(chosen);
  result.step_choice = fmt::format(
      "step.h = {} s, 1/{:.0f} of the contact time {:.3g} s of {} between '{}' and '{}'{}", chosen,
      kStepsOfContact, times->contact_time, name(times->law), times->first, times->second,
      impact_of(*times));
  return true;
}

/// Local damping acts on bodies whose contacts are all compliant: it follows from their forces.
void check_local_damping(Build& build) {
  const Model& model = build.scene.model;
  const Node* step = build.root.find("step");
  const Node* node = step ? step->find("local_damping") : nullptr;
  if (!node || !sound(*node) || !(model.step.local_damping > 0)) return;
  const TouchingMaterials touching(model, build.scene.state);
  const auto is_rigid = [](const PairLaw& law) { return !is_compliant(law); };
  if (!touching.any_law(model, is_compliant))
    build.problems.warn(*node,
                        "no two bodies of this scene have a compliant law, and it damps nothing "
                        "else: leave it out");
  else if (touching.any_law(model, is_rigid))
    build.problems.warn(*node,
                        "some pairs of this scene have rigid laws: a body is not damped in steps "
                        "in which it has a contact with one of them");
}

/// Whether no part that compliant contacts touch turns by more than half a turn in a step, which
/// they would take for a turn the other way. Tells of the first that does.
bool check_turns_of_parts(Build& build, const Node& node) {
  const Model& model = build.scene.model;
  const TouchingMaterials touching(model, build.scene.state);
  for (std::uint32_t k = 0; k < model.obstacles.size(); ++k) {
    const Obstacle& part = model.obstacles[k];
    const double turn = model.step.h * fastest_turn(model, build.scene.state, k, build.scene.until);
    if (!(turn > std::numbers::pi)) continue;
    bool soft = false;
    for (std::size_t m = 0; m < model.materials.size(); ++m) {
      const auto other = static_cast<MaterialId>(m);
      soft = soft || (touching.touch(other, part.material) &&
                      is_compliant(model.laws(other, part.material)));
    }
    if (!soft) continue;
    build.problems.report(
        node, fmt::format("the part '{}' turns by {:.3g} rad in a step, and compliant contacts "
                          "take more than half a turn for one the other way: take {:.2g} s or less",
                          part.name, turn, 0.1 * model.step.h / turn));
    return false;
  }
  return true;
}

/// Steps must be short enough for compliant contacts.
void check_step(Build& build) {
  const auto times = force_times(build.scene.model, build.scene.state, build.scene.until);
  if (!times) return;
  const double h = build.scene.model.step.h;
  const Node* step = build.root.find("step");
  const Node* node = step ? step->find("h") : nullptr;
  if (!node || !sound(*node)) return;
  const Node* forced = step->find("allow_unstable");
  if (h > kStablePart * times->stability_limit && !(forced && forced->truth)) {
    build.problems.report(
        *node, fmt::format("{} s is more than {} of {:.3g} s, from which on contacts of {} between "
                           "'{}' and '{}' can be unstable; take {:.2g} s or less, h: auto, or set "
                           "step.allow_unstable",
                           h, kStablePart, times->stability_limit, name(times->law), times->first,
                           times->second, times->contact_time / kStepsOfContact));
    return;
  }
  if (!check_turns_of_parts(build, *node)) return;
  constexpr double kFarTurn = 1;  // [rad]
  double turn = 0;
  for (const Vec3& spin : build.scene.state.bodies.angular_velocity)
    turn = std::max(turn, h * norm(spin));
  if (turn > kFarTurn)
    build.problems.warn(
        *node, fmt::format("a body turns by {:.3g} rad in a step; from half a turn on compliant "
                           "contacts take the turn for one the other way: {:.2g} s or less is "
                           "advised",
                           turn, 0.1 * h / turn));
  if (h > times->contact_time / kStepsOfContact * 1.01)
    build.problems.warn(
        *node,
        fmt::format("a contact of {} between '{}' and '{}' lasts {:.3g} s{}, which is {:.3g} "
                    "steps; {:.0f} are advised: {:.2g} s or less, or h: auto",
                    name(times->law), times->first, times->second, times->contact_time,
                    impact_of(*times), times->contact_time / h, kStepsOfContact,
                    times->contact_time / kStepsOfContact));
}

}  // namespace

Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return load_scene_text(read_text(file), file, overrides);
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
    refuse(file, "the file is empty, a scene is needed");
  apply_overrides(*root, overrides, problems);
  fill_names(*root, file.stem().string());
  fill_solver(*root);
  fill_rest(*root);
  resolve(*root, problems);
  validate(*root, problems);
  if (!root->is_map()) problems.raise();

  const bool step_is_known = choose_step(*root, file, result, problems);
  Build build{*root, file.parent_path(), result, problems};
  build_scene(build);
  if (step_is_known) check_step(build);
  check_local_damping(build);
  problems.raise();

  result.warnings = problems.warnings();
  make_paths_absolute(*root, file.parent_path());
  result.resolved = emit_document(*root);
  return result;
}

}  // namespace scree

/// Imports robots: reads a description, repairs it, and writes it as a scene.
#include <algorithm>
#include <fmt/format.h>

#include "scene/mjcf/mjcf.hpp"
#include "scene/robots/robot.hpp"
#include "scene/urdf/urdf.hpp"
#include "scene/xml_file.hpp"
#include "scree/core/error.hpp"
#include "scree/scene/scene.hpp"

namespace scree {
namespace {

using robots::Findings;
using robots::Link;
using robots::Robot;

Robot read(const std::filesystem::path& file, const std::string& keyframe, Findings& findings) {
  findings.files.push_back(file);
  tinyxml2::XMLDocument document;
  if (const auto fault = scene::parse(document, scene::read_as_utf8(file)))
    throw InputError(
        fmt::format("{}:{}: this is not valid XML: {}", file.string(), fault->line, fault->name));
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root && std::string_view(root->Name()) == "mujoco")
    return robots::read_mjcf(*root, keyframe, findings);
  if (!keyframe.empty())
    throw InputError(
        fmt::format("{}: --pose {}: a URDF file has no keyframes; write JOINT=VALUE, a "
                    "finite number in rad or m, as in elbow=-1.2",
                    file.string(), keyframe));
  return robots::read_urdf(document, findings);
}

void repair(Robot& robot, const std::filesystem::path& file, const RobotOptions& options,
            bool is_in_scene, Findings& findings) {
  drop_joints_without_links(robot, findings);
  open_loops(robot, findings);
  drop_mimics_of_nothing(robot, findings);
  straighten_limits(robot, findings);
  set_starts(robot, file, options, findings);
  choose_bases(robot, options.base);
  merge_links_on_fixed_joints(robot);
  if (is_in_scene) drop_obstacles(robot);
  part_the_world(robot);
  read_meshes(robot, file, options, findings);
  drop_planes_that_move(robot, findings);
  thicken_thin_parts(robot, findings);
  drop_parts_too_many(robot, findings);
  fill_masses(robot, options.density, findings);
  raise_above_planes(robot, findings);
  check_closures(robot, findings);
  if (!options.collide_all) ignore_neighbours_and_overlaps(robot, findings);
  correct_moments(robot, options.density, findings);
  raise_tiny_moments(robot, findings);
  fold_links_without_mass(robot, findings);
}

/// Replaces paths such as "bodies[2].solid" by names of links.
std::string with_links(const Robot& robot, std::string text) {
  std::size_t k = 0;
  for (const Link& link : robot.links) {
    if (robot.is_fixed(link.name)) continue;
    const std::string path = fmt::format("bodies[{}].", k++);
    for (std::size_t at; (at = text.find(path)) != std::string::npos;) {
      const std::size_t end =
          text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + path.size());
      const std::size_t length = end == std::string::npos ? end : end - at;
      text.replace(at, length, fmt::format("the link '{}'", link.name));
    }
  }
  return text;
}

/// Other warnings, such as those of parts that are not connected, are usual for robots.
bool is_about_inertia(const SceneProblem& problem) {
  return problem.path.find("inertia") != std::string::npos;
}

/// Loads the scene, for its warnings of inertia, or the reasons why it would be refused.
void check(const Robot& robot, const std::filesystem::path& file, ImportedRobot& result) {
  const auto in_words = [&](const SceneProblem& problem) {
    return with_links(robot, problem.path) + ": " + with_links(robot, problem.message);
  };
  try {
    const Scene scene = load_scene_text(result.scene, file);
    for (const SceneProblem& problem : scene.warnings)
      if (is_about_inertia(problem)) result.warnings.push_back(in_words(problem));
  } catch (const SceneError& error) {
    for (const SceneProblem& problem : error.problems) result.refused.push_back(in_words(problem));
  }
}

}  // namespace

Robot robots::sound_robot(const std::filesystem::path& file, const RobotOptions& options,
                          bool is_in_scene, Findings& findings) {
  Robot robot = read(file, options.keyframe, findings);
  repair(robot, file, options, is_in_scene, findings);
  return robot;
}

ImportedRobot import_robot(const std::filesystem::path& file, const RobotOptions& options) {
  Findings findings;
  const Robot robot = robots::sound_robot(file, options, false, findings);
  ImportedRobot result;
  result.scene = scene_of(robot, file, options, findings);
  result.bases = bases_of(robot);
  for (const auto& [at, found, done] : findings.repairs)
    result.repaired.push_back({findings.file_of(at), at.line, found, done});
  for (const auto& [at, text] : findings.remarks)
    result.not_covered.push_back({findings.file_of(at), at.line, text});
  check(robot, file, result);
  return result;
}

}  // namespace scree

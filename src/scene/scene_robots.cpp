/// Replaces the robots of a scene by their bodies, obstacles and joints.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

#include "scene/build.hpp"
#include "scene/robots/robot.hpp"
#include "scene/robots/writer.hpp"
#include "scene/yaml/document.hpp"
#include "scene/yaml/schema.hpp"
#include "scree/core/error.hpp"

namespace scree::scene {
namespace {

constexpr const char* kUntouched = "without collision";

/// Options of an entry that has passed the schema.
RobotOptions options_of(const Node& entry, const std::filesystem::path& directory) {
  RobotOptions options;
  for (const Node& joint : entry["pose"].children) options.start[joint.key] = joint.number;
  if (const Node* keyframe = entry.find("keyframe")) options.keyframe = keyframe->text;
  if (const Node* base = entry.find("base"))
    options.base = base->text == "fixed" ? RobotOptions::Base::fixed : RobotOptions::Base::floating;
  options.density = entry["density"].number;
  for (const Node& package : entry["packages"].children)
    options.packages[package.key] = directory / package.text;
  if (const Node* motors = entry.find("motors")) {
    using enum RobotMotors::Kind;
    const auto kind = motors->text == "position"   ? position
                      : motors->text == "velocity" ? velocity
                                                   : effort;
    options.motors = RobotMotors{kind, number_if(entry, "stiffness"), number_if(entry, "damping")};
  }
  return options;
}

/// Names of materials, robots' own included.
std::vector<std::string> materials_of(const Node& root) {
  std::vector<std::string> names;
  for (const Node& material : root["materials"].children) names.push_back(material.key);
  return names;
}

/// Name of the first body, obstacle or joint in an entry of a list.
std::string name_in(const Node& entry) {
  const Node* name = entry.children.empty() ? nullptr : entry.children[0].find("name");
  return name ? name->text : "";
}

void set_position(Node& node, const SourcePosition& position) {
  node.position = node.key_position = position;
  for (Node& child : node.children) set_position(child, position);
}

class SceneRobots {
 public:
  SceneRobots(Node& root, const std::filesystem::path& directory, Problems& problems)
      : root_(root), directory_(directory), problems_(problems) {}

  void operator()() {
    const Node* all = root_.find("robots");
    if (!all) return;
    Node robots = *all;
    link_parents(robots);
    std::erase_if(root_.children, [](const Node& child) { return child.key == "robots"; });
    link_parents(root_);
    if (!sound(robots) || !robots.is_list() || !has_lists()) return;
    for (const Node& entry : robots.children) {
      try {
        add(entry);
      } catch (const InputError& error) {
        report(entry, error.what());
      } catch (const OutputError& error) {
        report(entry, error.what());
      }
    }
    add_ignored();
    for (const char* list : {"obstacles", "bodies", "joints"}) put_first(list);
    link_parents(root_);
  }

 private:
  /// True if the lists that robots add to are lists; the validation reports others.
  bool has_lists() const {
    const Node* materials = root_.find("materials");
    return materials && materials->is_map() &&
           std::ranges::all_of(std::array{"obstacles", "bodies", "joints", "ignore"},
                               [&](const char* list) {
                                 const Node* found = root_.find(list);
                                 return found && found->is_list();
                               });
  }

  void report(const Node& entry, const std::string& message) {
    problems_.report_at(nearest_position(entry), path_in(entry), message);
  }
  /// Path of an entry, whose list is a copy.
  static std::string path_in(const Node& entry) {
    return fmt::format("robots[{}]", &entry - entry.parent->children.data());
  }

  void add(const Node& entry) {
    const std::filesystem::path file = directory_ / entry["file"].text;
    const Node* given = entry.find("name");
    const std::string name = given ? given->text : file.stem().string();
    if (!names_.insert(name).second)
      return report(entry, "another robot has this name; give another");
    const Node* material = entry.find("material");
    if (!material)
      return report(entry, fmt::format("the key 'material' is missing; give one of {}",
                                       joined(materials_of(root_))));
    if (!root_["materials"].find(material->text))
      return report(entry, fmt::format("there is no material '{}'", material->text));
    const auto turn = orientation(entry["orientation"], problems_);
    if (!turn) return;
    robots::Findings findings;
    const RobotOptions options = options_of(entry, directory_);
    robots::Robot robot = robots::sound_robot(file, options, true, findings);
    prefix_names(robot, name + ".");
    for (const auto& [at, found, done] : findings.repairs)
      problems_.warn_in(
          findings.file_of(at).string(), at.line, path_in(entry),
          fmt::format("{}:{}: {}; {}", findings.file_of(at).string(), at.line, found, done));
    const robots::InScene in_scene{robots::yaml_text(material->text),
                                   {vec3(entry["position"]), *turn}};
    splice(entry, name, scene_of(robot, file, options, findings, in_scene), file.string());
  }

  /// Adds what a scene has of a robot alone.
  void splice(const Node& entry, const std::string& name, const std::string& text,
              const std::string& file) {
    Problems own(file, {});
    auto alone = parse_document(text, 0, own);
    if (alone) {
      resolve(*alone, own);
      validate(*alone, own);
    }
    for (const SceneProblem& problem : own.sorted())
      report(entry,
             fmt::format("the robot cannot be simulated: {}: {}", problem.path, problem.message));
    if (!own.empty() || !alone) return;
    set_position(*alone, nearest_position(entry));
    take_material(*alone, name);
    for (const char* list : {"obstacles", "bodies", "joints"})
      for (Node& each : alone->find(list)->children) {
        each.label = fmt::format("robots: {}", name_in(each));
        added_[list].push_back(std::move(each));
      }
    for (Node& pair : alone->find("ignore")->children) ignored_.push_back(std::move(pair));
  }

  /// Takes the material of links without collision, under a name of its own.
  void take_material(Node& alone, const std::string& name) {
    Node& materials = *alone.find("materials");
    const auto found = std::ranges::find(materials.children, kUntouched, &Node::key);
    if (found == materials.children.end()) return;
    const std::string own = fmt::format("{}.{}", name, kUntouched);
    found->key = own;
    for (Node& body : alone.find("bodies")->children)
      for (Node& each : body.children)
        if (Node* material = each.find("material"); material && material->text == kUntouched)
          material->text = own;
    std::erase_if(alone.find("ignore")->children, [](const Node& pair) {
      return std::ranges::any_of(pair.children, [](const Node& n) { return n.text == kUntouched; });
    });
    root_.find("materials")->children.push_back(std::move(*found));
    untouched_.push_back(own);
  }

  void put_first(const char* list) {
    std::vector<Node>& all = root_.find(list)->children;
    std::vector<Node>& added = added_[list];
    all.insert(all.begin(), std::make_move_iterator(added.begin()),
               std::make_move_iterator(added.end()));
  }

  /// Links without collision touch nothing.
  void add_ignored() {
    std::vector<Node>& all = root_.find("ignore")->children;
    all.insert(all.end(), std::make_move_iterator(ignored_.begin()),
               std::make_move_iterator(ignored_.end()));
    for (const std::string& own : untouched_)
      for (const std::string& other : materials_of(root_)) {
        Node pair;
        pair.kind = Node::Kind::list;
        pair.children = {string_node(own), string_node(other)};
        all.push_back(std::move(pair));
      }
  }

  Node& root_;
  const std::filesystem::path& directory_;
  Problems& problems_;
  std::set<std::string> names_;
  std::vector<std::string> untouched_;
  std::map<std::string, std::vector<Node>> added_;
  std::vector<Node> ignored_;
};

}  // namespace

void build_robots(Node& root, const std::filesystem::path& directory, Problems& problems) {
  SceneRobots(root, directory, problems)();
}

}  // namespace scree::scene

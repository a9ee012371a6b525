/// Imports robots from URDF files: links, joints, gears and messages.
#include "scree/scene/urdf.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "scene/urdf_file.hpp"
#include "scree/scene/scene.hpp"

namespace scree {
namespace {

using urdf::Element;
using urdf::yaml_of;
using urdf::yaml_text;

struct Link {
  const Element* element = nullptr;
  std::string name;
  Pose pose;             ///< pose of its frame in the world at the start
  Link* body = nullptr;  ///< body it belongs to: itself or its holder; null: not yet known
  std::vector<urdf::Collision> collisions;  ///< collisions of all links that belong to it
  bool has_mass() const { return element->FirstChildElement("inertial") != nullptr; }
};

class Importer {
 public:
  Importer(const std::filesystem::path& file, const std::map<std::string, double>& start)
      : file_(file), given_(start) {}

  ImportedRobot operator()() {
    const Element* robot = file_.root();
    if (!robot || std::string_view(robot->Name()) != "robot")
      file_.refuse(robot,
                   "the root element is not robot; give a URDF file (expand xacro files first)");
    read_links(*robot);
    check_start(*robot);
    place_links(*robot);
    for (Link* link : bodies_) add_body(*link);
    for (const Element* joint : joints_) add_joint(*joint);
    add_gears();
    list_unread_elements(*robot);
    const char* name = robot->Attribute("name");
    ImportedRobot result{
        scene_text_of(name ? name : file_.path().stem().string()), file_.not_covered(), {}};
    result.refused = reasons_to_refuse(result.scene);
    return result;
  }

 private:
  // Links, from the root outwards

  void read_links(const Element& robot) {
    for (const auto* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
      const std::string name = file_.text_of(*e, "name");
      if (!links_.emplace(name, Link{e, name, {}, nullptr, {}}).second)
        file_.refuse(e, fmt::format("two links have the name '{}'; give each its own name", name));
    }
    if (links_.empty()) file_.refuse(&robot, "the robot has no link");
  }
  Link& link_of(const Element& joint, const char* which) {
    const Element* end = joint.FirstChildElement(which);
    if (!end) file_.refuse(&joint, fmt::format("a joint needs a {}", which));
    const auto found = links_.find(file_.text_of(*end, "link"));
    if (found == links_.end())
      file_.refuse(end, fmt::format("there is no link '{}'", file_.text_of(*end, "link")));
    return found->second;
  }

  void place_links(const Element& robot) {
    std::vector<const Element*> joints;
    std::set<std::string> children;
    for (const auto* e = robot.FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
      joints.push_back(e);
      const Link& child = link_of(*e, "child");
      if (!children.insert(child.name).second)
        file_.refuse(e,
                     fmt::format("the link '{}' is the child of two joints; a robot must be a tree",
                                 child.name));
    }
    for (const auto* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
      if (Link& root = links_.at(file_.text_of(*e, "name")); !children.contains(root.name))
        adopt(root, root);
    // Parents first, independent of the order of the file
    std::size_t before = joints.size() + 1;
    while (!joints.empty() && joints.size() < before) {
      before = joints.size();
      std::erase_if(joints, [&](const Element* joint) {
        if (!link_of(*joint, "parent").body) return false;
        place_child(*joint);
        return true;
      });
    }
    if (!joints.empty())
      file_.refuse(joints.front(), "the joints form a loop; a robot must be a tree");
  }

  /// Attaches a link to a body; a link without mass belongs to another link or to the world.
  void adopt(Link& link, Link& body) {
    link.body = &body;
    if (&link == &body) bodies_.push_back(&link);
    for (const auto* e = link.element->FirstChildElement("collision"); e;
         e = e->NextSiblingElement("collision"))
      body.collisions.push_back({e, urdf::seen_from(body.pose, link.pose)});
  }

  /// Name of the body that a link belongs to: the world if it has neither mass nor collisions.
  static std::string name_of_body(const Link& link) {
    const Link& body = *link.body;
    if (!body.has_mass() && body.collisions.empty()) return "world";
    return !body.has_mass() && body.name == "world" ? "world link" : body.name;
  }
  void add_body(Link& link) {
    if (link.has_mass())
      bodies_text_ +=
          urdf::body_of_link(file_, *link.element, link.name, link.pose, link.collisions);
    else if (!link.collisions.empty())
      obstacles_text_ += urdf::obstacle_of_link(file_, *link.element, name_of_body(link), link.pose,
                                                link.collisions);
  }

  void place_child(const Element& joint) {
    const std::string name = file_.text_of(joint, "name"), type = file_.text_of(joint, "type");
    const Link& parent = link_of(joint, "parent");
    Link& child = link_of(joint, "child");
    child.pose = moved(parent.pose, file_.origin_of(joint));
    const Vec3 along = axis_of(joint, name, type);
    const double start = start_of(joint);
    if (type == "prismatic" && start != 0)
      child.pose.position += start * rotate(child.pose.orientation, along);
    else if (start != 0)
      child.pose.orientation = normalised(child.pose.orientation * rotation(along, start));
    if (!child.has_mass() && type != "fixed")
      file_.refuse(
          child.element,
          fmt::format(
              "the link '{}' moves on the joint '{}' but has no inertial; moving links need a mass",
              child.name, name));
    adopt(child, child.has_mass() ? child : *parent.body);
    if (child.has_mass()) joints_.push_back(&joint);
  }

  void add_joint(const Element& joint) {
    const std::string name = file_.text_of(joint, "name"), type = file_.text_of(joint, "type");
    const Link &parent = link_of(joint, "parent"), &child = link_of(joint, "child");
    for (const char* what : {"safety_controller", "calibration"})
      if (const auto* e = joint.FirstChildElement(what))
        file_.note_missing(*e, fmt::format("{} of the joint '{}' is not covered", what, name));
    if (type == "floating") return;

    const bool turns = type == "revolute" || type == "continuous";
    const std::string key = type == "continuous" ? "revolute" : type;
    if (!turns && type != "fixed" && type != "prismatic" && type != "planar")
      file_.refuse(&joint, fmt::format("the joint '{}' has the type '{}'; it must be fixed, "
                                       "revolute, continuous, prismatic, planar or floating",
                                       name, type));
    joints_text_ += fmt::format("  - {}:\n      name: {}\n      a: {}\n      b: {}\n      at: {}\n",
                                key, yaml_text(name), yaml_text(name_of_body(parent)),
                                yaml_text(child.name), yaml_of(child.pose.position));
    if (type == "fixed") return;
    joints_text_ += fmt::format(
        "      axis: {}\n", yaml_of(rotate(child.pose.orientation, axis_of(joint, name, type))));
    if (type == "planar") return;
    add_drive(joint, name, turns);
    coordinates_.emplace(name, turns);
    if (joint.FirstChildElement("mimic")) mimics_.push_back(&joint);
  }

  /// Axis of a joint, a unit vector.
  Vec3 axis_of(const Element& joint, const std::string& name, const std::string& type) const {
    if (type == "fixed" || type == "floating") return {};
    const auto* axis = joint.FirstChildElement("axis");
    const Vec3 along = axis ? file_.vector(*axis, "xyz") : Vec3{1, 0, 0};
    if (norm(along) == 0)
      file_.refuse(axis, fmt::format("the axis of the joint '{}' is zero", name));
    return along / norm(along);
  }

  static const Element* joint_of(const Element& robot, const std::string& name) {
    for (const auto* e = robot.FirstChildElement("joint"); e; e = e->NextSiblingElement("joint"))
      if (e->Attribute("name", name.c_str())) return e;
    return nullptr;
  }

  /// Checks that starting values belong to joints with a free coordinate.
  void check_start(const Element& robot) const {
    for (const auto& [name, value] : given_) {
      const Element* joint = joint_of(robot, name);
      if (!joint)
        file_.refuse(&robot, fmt::format("there is no joint '{}' to start at {}", name, value));
      const std::string type = file_.text_of(*joint, "type");
      if (type != "revolute" && type != "continuous" && type != "prismatic")
        file_.refuse(
            joint,
            fmt::format(
                "the joint '{}' cannot start at a value, because it is {}; hinges and sliders can",
                name, type));
      if (const auto* mimic = joint->FirstChildElement("mimic"))
        file_.refuse(joint,
                     fmt::format("the joint '{}' mimics '{}'; give the start of that joint instead",
                                 name, file_.text_of(*mimic, "joint")));
    }
  }

  struct Limits {
    double lower, upper;
    bool hold(double value) const { return lower <= value && value <= upper; }
  };
  /// Limits of a joint; none for types without limits.
  std::optional<Limits> limits_of(const Element& joint) const {
    const std::string name = file_.text_of(joint, "name"), type = file_.text_of(joint, "type");
    if (type != "revolute" && type != "prismatic") return {};
    const auto* limit = joint.FirstChildElement("limit");
    if (!limit)
      file_.refuse(&joint, fmt::format("the joint '{}' needs a limit; a hinge without limits is "
                                       "continuous",
                                       name));
    const Limits limits{file_.number_or(limit, "lower", 0), file_.number_or(limit, "upper", 0)};
    if (limits.lower > limits.upper)
      file_.refuse(
          limit,
          fmt::format("the limits of the joint '{}' are in the wrong order: lower is {}, upper {}",
                      name, limits.lower, limits.upper));
    return limits;
  }

  /// Starting value of a joint: for a mimicking joint from the other one, else the given value,
  /// else 0 or the limit nearest to 0.
  double start_of(const Element& joint, int mimics = 0) const {
    const auto limits = limits_of(joint);
    double start = 0;
    if (const auto* mimic = joint.FirstChildElement("mimic")) {
      constexpr int kMax = 1000;
      const std::string other = file_.text_of(*mimic, "joint");
      const Element* followed = joint_of(*joint.Parent()->ToElement(), other);
      if (!followed) file_.refuse(mimic, fmt::format("there is no joint '{}' to mimic", other));
      if (mimics == kMax) file_.refuse(mimic, "joints mimic each other in a loop");
      start = file_.number_or(mimic, "multiplier", 1) * start_of(*followed, mimics + 1) +
              file_.number_or(mimic, "offset", 0);
    } else if (const auto given = given_.find(file_.text_of(joint, "name"));
               given != given_.end()) {
      start = given->second;
    } else if (limits) {
      start = std::clamp(start, limits->lower, limits->upper);
    }
    if (limits && !limits->hold(start))
      file_.refuse(joint.FirstChildElement("limit"),
                   fmt::format("the joint '{}' has the limits {} and {}, but would start at {}; "
                               "set its start, or that of the joint it mimics, with --pose",
                               file_.text_of(joint, "name"), limits->lower, limits->upper, start));
    return start;
  }

  /// Adds gears after all joints, because a joint may mimic a later one.
  void add_gears() {
    for (const Element* joint : mimics_) {
      const Element& mimic = *joint->FirstChildElement("mimic");
      const std::string name = file_.text_of(*joint, "name"), other = file_.text_of(mimic, "joint");
      const auto followed = coordinates_.find(other);
      if (followed == coordinates_.end() || other == name)
        file_.refuse(&mimic, fmt::format("the joint '{}' cannot mimic '{}', which is not another "
                                         "hinge or slider of the robot",
                                         name, other));
      const double multiplier = file_.number_or(&mimic, "multiplier", 1);
      if (multiplier == 0)
        file_.refuse(&mimic, fmt::format("the joint '{}' mimics '{}' with the multiplier 0; make "
                                         "it fixed if it must not move",
                                         name, other));
      const bool turns = coordinates_.at(name), other_turns = followed->second;
      // The length of a rack comes first
      const bool swapped = turns && !other_turns;
      joints_text_ += fmt::format(
          "  - {}:\n      name: {}\n      first: {}\n      second: {}\n",
          turns == other_turns ? "gear" : "rack", yaml_text(fmt::format("{} as {}", name, other)),
          yaml_text(swapped ? other : name), yaml_text(swapped ? name : other));
      joints_text_ += fmt::format("      {}: {}\n      collide: true\n",
                                  turns == other_turns ? "ratio" : "radius",
                                  swapped ? 1 / multiplier : multiplier);
    }
  }

  void add_drive(const Element& joint, const std::string& name, bool turns) {
    const auto* limit = joint.FirstChildElement("limit");
    const auto* dynamics = joint.FirstChildElement("dynamics");
    const double start = start_of(joint);
    const auto limits = limits_of(joint);
    const bool by_itself = !given_.contains(name) && !joint.FirstChildElement("mimic");
    if (start != 0)
      file_.note_missing(
          joint, fmt::format("the joint '{0}' starts at {1}{2}; its coordinate counts from there",
                             name, start,
                             by_itself ? ", because its limits exclude 0 (--pose " + name +
                                             "=VALUE lets it start elsewhere)"
                                       : ""));
    std::string drive;
    if (limits)
      drive +=
          fmt::format("        limits: [{}, {}]\n", limits->lower - start, limits->upper - start);
    for (const char* what : {"effort", "velocity"})
      if (limit && limit->Attribute(what))
        file_.note_missing(
            *limit, fmt::format("the joint '{}' has no motor; the file allows one with the {} {}",
                                name, what, file_.number(*limit, what)));
    if (const double damping = file_.number_or(dynamics, "damping", 0); damping != 0)
      drive += fmt::format("        spring: {{damping: {}}}\n", damping);
    if (const double friction = file_.number_or(dynamics, "friction", 0); friction != 0)
      drive += fmt::format("        friction: {}\n", friction);
    if (!drive.empty())
      joints_text_ += fmt::format("      {}:\n{}", turns ? "angle" : "slide", drive);
  }

  /// Lists elements that the importer does not read.
  void list_unread_elements(const Element& robot) {
    static const std::set<std::string_view> kOfLinks{"inertial", "collision", "visual"},
        kOfJoints{"parent",     "child",    "origin", "axis",
                  "limit",      "dynamics", "mimic",  "safety_controller",
                  "calibration"};
    const Element *visual = nullptr, *colour = nullptr;
    std::size_t visuals = 0, colours = 0;
    for (const auto* e = robot.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view kind = e->Name();
      if (kind == "material") {
        if (!colour) colour = e;
        ++colours;
        continue;
      }
      if (kind != "link" && kind != "joint") {
        file_.note_missing(*e, fmt::format("the element {} is not covered", kind));
        continue;
      }
      const auto& known = kind == "link" ? kOfLinks : kOfJoints;
      for (const auto* part = e->FirstChildElement(); part; part = part->NextSiblingElement()) {
        if (!known.contains(part->Name()))
          file_.note_missing(*part, fmt::format("{} of the {} '{}' is not covered", part->Name(),
                                                kind, file_.text_of(*e, "name")));
        if (std::string_view(part->Name()) != "visual") continue;
        if (!visual) visual = part;
        ++visuals;
      }
    }
    if (visual)
      file_.note_missing(
          *visual,
          fmt::format("visual elements ({}) are not covered: pictures show the collision shapes",
                      visuals));
    if (colour)
      file_.note_missing(
          *colour,
          fmt::format("material elements ({}) are not covered: nothing has a colour", colours));
  }

  /// Reasons why the scene would be refused, with names of links.
  std::vector<std::string> reasons_to_refuse(const std::string& scene) const {
    std::vector<std::string> reasons;
    try {
      load_scene_text(scene, file_.path());
    } catch (const SceneError& error) {
      for (const SceneProblem& problem : error.problems)
        reasons.push_back(with_links(problem.path) + ": " + with_links(problem.message));
    }
    return reasons;
  }
  /// Replaces paths such as "bodies[2].solid" by names of links.
  std::string with_links(std::string text) const {
    std::size_t k = 0;
    for (const Link* link : bodies_) {
      if (!link->has_mass()) continue;
      const std::string path = fmt::format("bodies[{}].", k++);
      for (std::size_t at; (at = text.find(path)) != std::string::npos;) {
        const std::size_t end =
            text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + path.size());
        const std::size_t length = end == std::string::npos ? end : end - at;
        text.replace(at, length, fmt::format("the link '{}'", link->name));
      }
    }
    return text;
  }

  std::string scene_text_of(const std::string& name) const {
    std::string text = fmt::format(
        "# Made by scree import of {}.\n"
        "scree: 1\nname: {}\nuntil: 1 s\nstep: {{h: 1 ms}}\nmaterials:\n  robot: {{density: "
        "1000}}\ndefault_law: {{law: coulomb, friction: 0.5}}\n",
        file_.path().filename().string(), yaml_text(name));
    if (!file_.not_covered().empty()) text += "# Not covered:\n";
    for (const std::string& what : file_.not_covered()) text += "#   " + what + '\n';
    if (!obstacles_text_.empty()) text += "obstacles:\n" + obstacles_text_;
    if (!bodies_text_.empty()) text += "bodies:\n" + bodies_text_;
    if (!joints_text_.empty()) text += "joints:\n" + joints_text_;
    return text;
  }

  urdf::UrdfFile file_;
  std::map<std::string, Link> links_;
  const std::map<std::string, double>& given_;  ///< starting values of joints
  std::vector<Link*> bodies_;                   ///< links that do not belong to another
  std::vector<const Element*> joints_;          ///< joints between bodies, parents first
  std::string obstacles_text_, bodies_text_, joints_text_;
  std::map<std::string, bool> coordinates_;  ///< hinges and sliders; true for an angle
  std::vector<const Element*> mimics_;       ///< joints that follow others
};

}  // namespace

ImportedRobot import_urdf(const std::filesystem::path& file,
                          const std::map<std::string, double>& start) {
  return Importer(file, start)();
}

}  // namespace scree

#include "scree/scene/urdf.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "scene/urdf_file.hpp"

namespace scree {
namespace {

using urdf::Element;
using urdf::yaml_of;
using urdf::yaml_text;

struct Link {
  const Element* element = nullptr;
  std::string name;
  Pose pose;         ///< of its frame, in the world with all joints at 0
  std::string body;  ///< that it is of: its own, another link's, or world; empty: not yet known
};

class Importer {
 public:
  explicit Importer(const std::filesystem::path& file) : file_(file) {}

  ImportedRobot operator()() {
    const Element* robot = file_.root();
    if (!robot || std::string_view(robot->Name()) != "robot")
      file_.refuse(robot,
                   "the file has no element robot at its top; give a URDF file (xacro files have "
                   "to be expanded first)");
    read_links(*robot);
    place_links(*robot);
    for (const auto* e = robot->FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view kind = e->Name();
      if (kind != "link" && kind != "joint" && kind != "material")
        file_.lacks(*e, fmt::format("the element {} is not covered", kind));
    }
    const char* name = robot->Attribute("name");
    return {in_all(name ? name : file_.path().stem().string()), file_.not_covered()};
  }

 private:
  // Links, from the root outwards.

  void read_links(const Element& robot) {
    for (const auto* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
      const std::string name = file_.text_of(*e, "name");
      if (!links_.emplace(name, Link{e, name, {}, ""}).second)
        file_.refuse(e,
                     fmt::format("two links are called '{}'; give each a name of its own", name));
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
        file_.refuse(e, fmt::format("the link '{}' is the child of two joints; a robot is a tree",
                                    child.name));
    }
    for (const auto* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
      if (!children.contains(file_.text_of(*e, "name")))
        add_root(links_.at(file_.text_of(*e, "name")));
    // Parents first, whatever the order of the file.
    std::size_t before = joints.size() + 1;
    while (!joints.empty() && joints.size() < before) {
      before = joints.size();
      std::erase_if(joints, [&](const Element* joint) {
        if (link_of(*joint, "parent").body.empty()) return false;
        add_joint(*joint);
        return true;
      });
    }
    if (!joints.empty())
      file_.refuse(joints.front(), "the joints go round in a circle; a robot is a tree");
    add_gears();
  }

  void add_body(Link& link) {
    link.body = link.name;
    bodies_ += urdf::body_of_link(file_, *link.element, link.name, link.pose);
  }
  void add_root(Link& root) {
    if (root.element->FirstChildElement("inertial"))
      add_body(root);
    else
      take_on(root, "world");
  }
  /// A link without mass is a part of another.
  void take_on(Link& link, const std::string& body) {
    link.body = body;
    for (const auto* e = link.element->FirstChildElement("collision"); e;
         e = e->NextSiblingElement("collision"))
      file_.lacks(*e,
                  fmt::format("nothing touches the collision of the link '{}', which has no mass",
                              link.name));
  }

  void add_joint(const Element& joint) {
    const std::string name = file_.text_of(joint, "name"), type = file_.text_of(joint, "type");
    const Link& parent = link_of(joint, "parent");
    Link& child = link_of(joint, "child");
    child.pose = moved(parent.pose, file_.origin_of(joint));
    const bool turns = type == "revolute" || type == "continuous", slides = type == "prismatic";
    const Vec3 along = axis_of(joint, name, type);
    const double start = turns || slides ? start_of(joint) : 0;
    // Where the joint stands that it mimics, all others at 0.
    if (slides && start != 0) child.pose.position += start * rotate(child.pose.orientation, along);
    if (turns && start != 0)
      child.pose.orientation = normalised(child.pose.orientation * rotation(along, start));
    if (!child.element->FirstChildElement("inertial")) {
      if (type != "fixed")
        file_.refuse(child.element, fmt::format("the link '{}' moves on the joint '{}' and has no "
                                                "inertial; what moves needs a mass",
                                                child.name, name));
      take_on(child, parent.body);
      return;
    }
    add_body(child);
    for (const char* what : {"safety_controller", "calibration"})
      if (const auto* e = joint.FirstChildElement(what))
        file_.lacks(*e, fmt::format("{} of the joint '{}' is not covered", what, name));
    if (type == "floating") return;

    const std::string key = type == "continuous" ? "revolute" : type;
    if (!turns && type != "fixed" && type != "prismatic" && type != "planar")
      file_.refuse(&joint,
                   fmt::format("the joint '{}' is of the type '{}'; it must be fixed, revolute, "
                               "continuous, prismatic, planar or floating",
                               name, type));
    joints_ += fmt::format("  - {}:\n      name: {}\n      a: {}\n      b: {}\n      at: {}\n", key,
                           yaml_text(name), yaml_text(parent.body), yaml_text(child.body),
                           yaml_of(child.pose.position));
    if (type == "fixed") return;
    joints_ += fmt::format("      axis: {}\n", yaml_of(rotate(child.pose.orientation, along)));
    if (type == "planar") return;
    add_drive(joint, name, turns, type != "continuous", start);
    coordinates_.emplace(name, turns);
    if (joint.FirstChildElement("mimic")) mimics_.push_back(&joint);
  }

  /// Along which a joint slides or about which it turns, of length 1.
  Vec3 axis_of(const Element& joint, const std::string& name, const std::string& type) const {
    if (type == "fixed" || type == "floating") return {};
    const auto* axis = joint.FirstChildElement("axis");
    const Vec3 along = axis ? file_.vector(*axis, "xyz") : Vec3{1, 0, 0};
    if (norm(along) == 0)
      file_.refuse(axis, fmt::format("the axis of the joint '{}' is zero", name));
    return along / norm(along);
  }

  /// The value of a joint where all that mimic none are at 0.
  double start_of(const Element& joint, int mimics = 0) const {
    const auto* mimic = joint.FirstChildElement("mimic");
    if (!mimic) return 0;
    constexpr int kMost = 1000;
    const std::string other = file_.text_of(*mimic, "joint");
    const Element* followed = nullptr;
    for (const auto* e = joint.Parent()->FirstChildElement("joint"); e;
         e = e->NextSiblingElement("joint"))
      if (e->Attribute("name", other.c_str())) followed = e;
    if (!followed) file_.refuse(mimic, fmt::format("there is no joint '{}' to mimic", other));
    if (mimics == kMost) file_.refuse(mimic, "joints mimic each other in a circle");
    return file_.number_or(mimic, "multiplier", 1) * start_of(*followed, mimics + 1) +
           file_.number_or(mimic, "offset", 0);
  }

  /// Gears come after all joints: a joint may mimic one that stands below it.
  void add_gears() {
    for (const Element* joint : mimics_) {
      const Element& mimic = *joint->FirstChildElement("mimic");
      const std::string name = file_.text_of(*joint, "name"), other = file_.text_of(mimic, "joint");
      const auto followed = coordinates_.find(other);
      if (followed == coordinates_.end() || other == name)
        file_.refuse(&mimic,
                     fmt::format("the joint '{}' cannot mimic '{}', which is no other hinge or "
                                 "slider of the robot",
                                 name, other));
      const double multiplier = file_.number_or(&mimic, "multiplier", 1);
      if (multiplier == 0)
        file_.refuse(&mimic,
                     fmt::format("the joint '{}' mimics '{}' with the multiplier 0; if it is not "
                                 "to move, make it fixed",
                                 name, other));
      const bool turns = coordinates_.at(name), other_turns = followed->second;
      // Of a rack the length comes first.
      const bool swapped = turns && !other_turns;
      joints_ += fmt::format("  - {}:\n      name: {}\n      first: {}\n      second: {}\n",
                             turns == other_turns ? "gear" : "rack",
                             yaml_text(fmt::format("{} as {}", name, other)),
                             yaml_text(swapped ? other : name), yaml_text(swapped ? name : other));
      joints_ += fmt::format("      {}: {}\n      collide: true\n",
                             turns == other_turns ? "ratio" : "radius",
                             swapped ? 1 / multiplier : multiplier);
    }
  }

  /// `start` is the value of the joint that is 0 in the scene.
  void add_drive(const Element& joint, const std::string& name, bool turns, bool has_limits,
                 double start) {
    const auto* limit = joint.FirstChildElement("limit");
    const auto* dynamics = joint.FirstChildElement("dynamics");
    if (has_limits && !limit)
      file_.refuse(&joint, fmt::format("the joint '{}' needs a limit; a hinge without limits is "
                                       "continuous",
                                       name));
    std::string drive;
    if (has_limits) {
      const double lower = file_.number_or(limit, "lower", 0),
                   upper = file_.number_or(limit, "upper", 0);
      if (!(lower <= start && upper >= start))
        file_.refuse(limit,
                     fmt::format("the joint '{}' has the limits {} and {}, and scenes begin with "
                                 "joints at 0{}; turn the frame of its origin",
                                 name, lower, upper,
                                 start == 0 ? "" : fmt::format(", this one at {}", start)));
      drive += fmt::format("        limits: [{}, {}]\n", lower - start, upper - start);
    }
    for (const char* what : {"effort", "velocity"})
      if (limit && limit->Attribute(what))
        file_.lacks(*limit, fmt::format("the joint '{}' has no motor, which could have the {} {}",
                                        name, what, file_.number(*limit, what)));
    if (const double damping = file_.number_or(dynamics, "damping", 0); damping != 0)
      drive += fmt::format("        spring: {{damping: {}}}\n", damping);
    if (const double friction = file_.number_or(dynamics, "friction", 0); friction != 0)
      drive += fmt::format("        friction: {}\n", friction);
    if (!drive.empty()) joints_ += fmt::format("      {}:\n{}", turns ? "angle" : "slide", drive);
  }

  std::string in_all(const std::string& name) const {
    std::string text = fmt::format(
        "# Made by scree import of {}.\n"
        "scree: 1\nname: {}\nuntil: 1 s\nstep: {{h: 1 ms}}\nmaterials:\n  robot: {{density: "
        "1000}}\ndefault_law: {{law: coulomb, friction: 0.5}}\n",
        file_.path().filename().string(), yaml_text(name));
    if (!file_.not_covered().empty()) text += "# Not covered:\n";
    for (const std::string& what : file_.not_covered()) text += "#   " + what + '\n';
    if (!bodies_.empty()) text += "bodies:\n" + bodies_;
    if (!joints_.empty()) text += "joints:\n" + joints_;
    return text;
  }

  urdf::UrdfFile file_;
  std::map<std::string, Link> links_;
  std::string bodies_, joints_;
  std::map<std::string, bool> coordinates_;  ///< of hinges and sliders: whether it is an angle
  std::vector<const Element*> mimics_;       ///< joints that follow others
};

}  // namespace

ImportedRobot import_urdf(const std::filesystem::path& file) { return Importer(file)(); }

}  // namespace scree

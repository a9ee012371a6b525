/// Reads URDF files: XML to the description of a robot.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <set>

#include "scene/urdf/attributes.hpp"
#include "scene/urdf/urdf.hpp"
#include "scene/xml_file.hpp"
#include "scree/core/error.hpp"

namespace scree::robots {
namespace {

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

class UrdfReader {
 public:
  UrdfReader(const tinyxml2::XMLDocument& document, Findings& findings)
      : document_(document), findings_(findings), attributes_(findings) {}

  Robot operator()() {
    const Element& root = robot_element();
    robot_.name = attributes_.name(root, "name");
    if (robot_.name.empty()) robot_.name = findings_.files[0].stem().string();
    for (const auto* e = root.FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
      read_link(*e);
    for (const auto* e = root.FirstChildElement("joint"); e; e = e->NextSiblingElement("joint"))
      read_joint(*e);
    leave_out_macros(root);
    if (robot_.links.empty()) attributes_.refuse(&root, "the robot has no link");
    list_unread_elements(root);
    return std::move(robot_);
  }

 private:
  const Element& robot_element() const {
    if (const Element* robot = document_.FirstChildElement("robot")) return *robot;
    const Element* root = document_.RootElement();
    const std::string found = root ? root->Name() : "";
    attributes_.refuse(root,
                       fmt::format("the root element is not robot{}; give a URDF or an MJCF file",
                                   found.empty() ? "" : " but " + found));
  }

  /// Leaves out macros of xacro; refuses a file whose links are all in macros.
  void leave_out_macros(const Element& root) {
    for (const auto* e = root.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view name = e->Name();
      if (!name.starts_with("xacro:") || name == "xacro:arg" || name == "xacro:property") continue;
      const std::string found = fmt::format("{} is a macro of xacro", name),
                        advice = fmt::format("run xacro first (xacro {} > ROBOT.urdf)",
                                             findings_.files[0].filename().string());
      if (robot_.links.empty()) attributes_.refuse(e, fmt::format("{}; {}", found, advice));
      findings_.repair(e->GetLineNum(), found, "it is left out; to have it, " + advice);
    }
  }

  // --- links ---

  void read_link(const Element& element) {
    Link link;
    link.place = element.GetLineNum();
    link.name = attributes_.name(element, "name");
    if (link.name.empty()) {
      link.name = fmt::format("link {}", robot_.links.size() + 1);
      findings_.repair(link.place, "a link has no name", fmt::format("it is '{}'", link.name));
    }
    if (const Link* first = robot_.find(link.name)) {
      findings_.repair(
          link.place,
          fmt::format("the link '{}' is there already, on line {}", link.name, first->place.line),
          "this one is left out");
      return;
    }
    read_inertia(element, link);
    for (const auto* e = element.FirstChildElement("collision"); e;
         e = e->NextSiblingElement("collision"))
      read_collision(*e, link);
    robot_.links.push_back(std::move(link));
  }

  void read_inertia(const Element& element, Link& link) {
    const Element* inertial = element.FirstChildElement("inertial");
    if (!inertial) return;
    if (const auto* next = inertial->NextSiblingElement("inertial"))
      findings_.repair(next->GetLineNum(),
                       fmt::format("the link '{}' has a second inertial", link.name),
                       "the first one counts");
    const Element *mass = inertial->FirstChildElement("mass"),
                  *tensor = inertial->FirstChildElement("inertia");
    const Pose origin = attributes_.origin_of(*inertial);
    Inertia inertia{attributes_.number(mass, "value", 0), origin.position, {}};
    link.inertia_place = (mass ? mass : inertial)->GetLineNum();
    const auto entry = [&](const char* name) { return attributes_.number(tensor, name, 0); };
    const double xx = entry("ixx"), yy = entry("iyy"), zz = entry("izz"), xy = entry("ixy"),
                 xz = entry("ixz"), yz = entry("iyz");
    Eigen::Matrix3d along;
    along << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    const auto& q = origin.orientation;
    const Eigen::Matrix3d turn = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    inertia.tensor = turn * along * turn.transpose();
    if (inertia.mass < 0) {
      findings_.repair(link.inertia_place,
                       fmt::format("the link '{}' has a mass of {} kg", link.name, inertia.mass),
                       "it counts as if it had none");
      return;
    }
    link.inertia = inertia;
  }

  void read_collision(const Element& collision, Link& link) {
    const Element* geometry = collision.FirstChildElement("geometry");
    const Element* shape = geometry ? geometry->FirstChildElement() : nullptr;
    Part part;
    part.place = (shape ? shape : &collision)->GetLineNum();
    part.pose = attributes_.origin_of(collision);
    const std::string reason = shape ? trouble_of(*shape, part) : "it has no geometry";
    if (reason.empty())
      link.parts.push_back(std::move(part));
    else
      findings_.repair(
          part.place,
          fmt::format("a collision of the link '{}' cannot be used: {}", link.name, reason),
          "the link goes without it");
  }

  /// Reads a shape into a part. Returns why it cannot be used; empty if it can.
  std::string trouble_of(const Element& shape, Part& part) {
    const std::string kind = in_lower_case(shape.Name());
    if (kind == "box") {
      part.kind = Part::Kind::box;
      part.size = attributes_.vector(&shape, "size", {});
      for (int k = 0; k < 3; ++k) part.size[k] = std::abs(part.size[k]);
      return norm(part.size) > 0 ? "" : "a box needs a size";
    }
    if (kind == "sphere" || kind == "cylinder" || kind == "capsule") {
      part.kind = kind == "sphere"     ? Part::Kind::sphere
                  : kind == "cylinder" ? Part::Kind::cylinder
                                       : Part::Kind::capsule;
      part.size.x = std::abs(attributes_.number(&shape, "radius", 0));
      part.size.z = std::abs(attributes_.number(&shape, "length", 0));
      const bool has_size = part.size.x > 0 || (kind == "cylinder" && part.size.z > 0);
      return has_size ? "" : fmt::format("a {} needs a radius", kind);
    }
    if (kind == "plane") {
      part.kind = Part::Kind::plane;
      const Vec3 normal = attributes_.vector(&shape, "normal", {0, 0, 1});
      const Vec3 way = norm(normal) > 0 ? normal / norm(normal) : Vec3{0, 0, 1};
      part.pose.orientation = part.pose.orientation * rotation_between({0, 0, 1}, way);
      return "";
    }
    if (kind != "mesh") return fmt::format("{} is not a shape that scree has", shape.Name());
    part.kind = Part::Kind::mesh;
    part.file = attributes_.name(shape, "filename");
    part.scale = attributes_.vector(&shape, "scale", {1, 1, 1});
    return part.file.empty() ? "a mesh needs a filename" : "";
  }

  // --- joints ---

  void read_joint(const Element& element) {
    Joint joint;
    joint.place = element.GetLineNum();
    joint.parent = end_of(element, "parent");
    joint.child = end_of(element, "child");
    joint.name = attributes_.name(element, "name");
    name_joint(joint);
    joint.origin = attributes_.origin_of(element);
    const std::string type = type_of(element, joint.name);
    joint.kind = kKinds.at(type);
    const Vec3 axis = axis_of(element, joint);
    joint.normal = axis;
    if (joint.kind == Joint::Kind::hinge || joint.kind == Joint::Kind::slider)
      joint.coordinates.push_back(coordinate_of(element, joint, type == "continuous", axis));
    if (joint.kind == Joint::Kind::ball) {
      const Element* dynamics = element.FirstChildElement("dynamics");
      joint.turns.damping = not_below_zero(dynamics, "damping", joint.name);
      joint.turns.friction = not_below_zero(dynamics, "friction", joint.name);
    }
    robot_.joints.push_back(std::move(joint));
  }

  /// Link at an end; empty if it is not given.
  std::string end_of(const Element& joint, const char* which) {
    const Element* end = joint.FirstChildElement(which);
    return end ? attributes_.name(*end, "link") : "";
  }

  void name_joint(Joint& joint) {
    const auto is_taken = [&](const std::string& name) {
      return std::ranges::find(robot_.joints, name, &Joint::name) != robot_.joints.end();
    };
    const std::string given = joint.name;
    if (joint.name.empty()) joint.name = "to " + joint.child;
    for (int k = 2; is_taken(joint.name); ++k)
      joint.name = fmt::format("{} {}", given.empty() ? "to " + joint.child : given, k);
    if (joint.name != given)
      findings_.repair(joint.place,
                       given.empty() ? "a joint has no name"
                                     : fmt::format("a second joint has the name '{}'", given),
                       fmt::format("it is '{}'", joint.name));
  }

  std::string type_of(const Element& element, const std::string& name) {
    std::string given = in_lower_case(attributes_.name(element, "type"));
    if (kKinds.contains(given)) return given;
    findings_.repair(element.GetLineNum(),
                     given.empty()
                         ? fmt::format("the joint '{}' has no type", name)
                         : fmt::format("the joint '{}' has the unknown type '{}'", name, given),
                     "it is fixed");
    return "fixed";
  }

  /// Axis of a joint, a unit vector.
  Vec3 axis_of(const Element& element, const Joint& joint) {
    constexpr Vec3 kOfUrdf{1, 0, 0};
    using enum Joint::Kind;
    if (joint.kind != hinge && joint.kind != slider && joint.kind != planar) return kOfUrdf;
    const Element* axis = element.FirstChildElement("axis");
    const Vec3 along = attributes_.vector(axis, "xyz", kOfUrdf);
    if (const double length = norm(along); length > 0 && std::isfinite(length))
      return along / length;
    findings_.repair(axis->GetLineNum(),
                     fmt::format("the axis of the joint '{}' is zero", joint.name),
                     "it is that of a joint without one, 1 0 0");
    return kOfUrdf;
  }

  Coordinate coordinate_of(const Element& element, const Joint& joint, bool is_continuous,
                           const Vec3& axis) {
    Coordinate result;
    result.name = joint.name;
    result.place = element.GetLineNum();
    result.turns = joint.kind == Joint::Kind::hinge;
    result.axis = axis;
    const Element *limit = element.FirstChildElement("limit"),
                  *dynamics = element.FirstChildElement("dynamics"),
                  *mimic = element.FirstChildElement("mimic");
    if (!is_continuous) result.limits = limits_of(limit, joint);
    result.effort = strength_of(limit, "effort", joint.name);
    result.velocity = strength_of(limit, "velocity", joint.name);
    result.damping = not_below_zero(dynamics, "damping", joint.name);
    result.friction = not_below_zero(dynamics, "friction", joint.name);
    if (mimic) {
      result.mimic =
          Mimic{attributes_.name(*mimic, "joint"), attributes_.number(mimic, "multiplier", 1),
                attributes_.number(mimic, "offset", 0), mimic->GetLineNum()};
    }
    return result;
  }

  /// Limits of a hinge or a slider; none if the file gives none.
  std::optional<Limits> limits_of(const Element* limit, const Joint& joint) {
    const bool none = !limit || (!limit->Attribute("lower") && !limit->Attribute("upper"));
    if (none) {
      findings_.repair((limit ? limit->GetLineNum() : joint.place),
                       fmt::format("the joint '{}' has no lower and no upper limit", joint.name),
                       "it moves without limits");
      return {};
    }
    const Limits limits{attributes_.number(limit, "lower", 0, true),
                        attributes_.number(limit, "upper", 0, true)};
    const auto is_zero = [&](const char* what) {
      const char* text = limit->Attribute(what);
      return !text || scene::numbers_in(text).values == std::vector<double>{0};
    };
    if (is_zero("lower") && is_zero("upper") && is_zero("effort") && is_zero("velocity")) {
      findings_.repair(limit->GetLineNum(),
                       fmt::format("the limits, the effort and the velocity of the joint '{}' are "
                                   "all 0, as where nobody has set them",
                                   joint.name),
                       "it moves without limits");
      return {};
    }
    return limits;
  }

  /// Effort or velocity of a joint's motor; 0 if it is unknown.
  double strength_of(const Element* limit, const char* what, const std::string& joint) {
    constexpr double kNone = 1e15;
    const double value = attributes_.number(limit, what, HUGE_VAL, true);
    if (value > 0) return value < kNone ? value : 0;
    findings_.repair(limit->GetLineNum(),
                     fmt::format("the joint '{}' has a largest {} of {}", joint, what, value),
                     "it counts as unknown");
    return 0;
  }

  double not_below_zero(const Element* dynamics, const char* what, const std::string& joint) {
    const double value = attributes_.number(dynamics, what, 0);
    if (value >= 0) return value;
    findings_.repair(dynamics->GetLineNum(),
                     fmt::format("the joint '{}' has a {} of {}", joint, what, value),
                     "it counts as 0");
    return 0;
  }

  // --- the rest ---

  struct Count {
    int line, number;
  };

  /// Lists elements that the importer does not read, each kind once.
  void list_unread_elements(const Element& root) {
    static const std::set<std::string_view> kOfLinks{"inertial", "collision"},
        kOfJoints{"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"};
    std::map<std::string, Count> counts;
    const auto count = [&](const Element& element, std::string what) {
      ++counts.try_emplace(std::move(what), Count{element.GetLineNum(), 0}).first->second.number;
    };
    for (const auto* e = root.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view kind = e->Name();
      if (kind != "link" && kind != "joint") {
        if (!kind.starts_with("xacro:")) count(*e, e->Name());
        continue;
      }
      const auto& known = kind == "link" ? kOfLinks : kOfJoints;
      for (const auto* part = e->FirstChildElement(); part; part = part->NextSiblingElement())
        if (!known.contains(part->Name())) count(*part, part->Name());
    }
    for (const auto& [what, of] : counts)
      findings_.remark(of.line,
                       fmt::format("{} elements ({}) are not covered{}", what, of.number,
                                   what == "visual"     ? ": pictures show the collision shapes"
                                   : what == "material" ? ": nothing has a colour"
                                                        : ""));
  }

  static const std::map<std::string, Joint::Kind> kKinds;

  const tinyxml2::XMLDocument& document_;
  Findings& findings_;
  Attributes attributes_;
  Robot robot_;
};

const std::map<std::string, Joint::Kind> UrdfReader::kKinds{
    {"fixed", Joint::Kind::fixed},      {"revolute", Joint::Kind::hinge},
    {"continuous", Joint::Kind::hinge}, {"prismatic", Joint::Kind::slider},
    {"planar", Joint::Kind::planar},    {"floating", Joint::Kind::floating},
    {"spherical", Joint::Kind::ball},   {"ball", Joint::Kind::ball}};

}  // namespace

Robot read_urdf(const tinyxml2::XMLDocument& document, Findings& findings) {
  return UrdfReader(document, findings)();
}

}  // namespace scree::robots

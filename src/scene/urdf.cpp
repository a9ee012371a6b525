#include "scree/scene/urdf.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tinyxml2.h>

#include "scene/build.hpp"
#include "scree/core/error.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {
namespace {

using Element = tinyxml2::XMLElement;
using Matrix = Eigen::Matrix3d;

struct Link {
  const Element* element = nullptr;
  std::string name;
  Pose pose;         ///< of its frame, in the world with all joints at 0
  std::string body;  ///< that it is of: its own, another link's, or world; empty: not yet known
};

std::string yaml_of(const Vec3& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z);
}
std::string yaml_of(const Quaternion& q) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}]", q.w, q.x, q.y, q.z);
}
/// In quotes, as JSON and YAML both have them.
std::string yaml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

class Importer {
 public:
  explicit Importer(const std::filesystem::path& file) : file_(file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
      throw OutputError(
          fmt::format("cannot read {}; check the path and its permissions", file.string()));
    if (document_.Parse(text.str().c_str()) != tinyxml2::XML_SUCCESS)
      throw InputError(fmt::format("{}:{}: this is no XML: {}", file.string(),
                                   document_.ErrorLineNum(), document_.ErrorName()));
  }

  ImportedRobot operator()() {
    const Element* robot = document_.RootElement();
    if (!robot || std::string_view(robot->Name()) != "robot")
      refuse(robot,
             "the file has no element robot at its top; give a URDF file (xacro files have "
             "to be expanded first)");
    read_links(*robot);
    place_links(*robot);
    for (const auto* e = robot->FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view kind = e->Name();
      if (kind != "link" && kind != "joint" && kind != "material")
        lacks(*e, fmt::format("the element {} is not covered", kind));
    }
    const char* name = robot->Attribute("name");
    return {in_all(name ? name : file_.stem().string()), std::move(not_covered_)};
  }

 private:
  [[noreturn]] void refuse(const Element* at, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), at ? at->GetLineNum() : 1, what));
  }
  void lacks(const Element& at, const std::string& what) {
    not_covered_.push_back(fmt::format("line {}: {}", at.GetLineNum(), what));
  }

  // Numbers and names of the file.

  std::string text_of(const Element& element, const char* attribute) const {
    const char* text = element.Attribute(attribute);
    if (!text || !*text)
      refuse(&element, fmt::format("{} needs the attribute {}", element.Name(), attribute));
    return text;
  }
  std::vector<double> numbers(const Element& element, const char* attribute,
                              std::size_t count) const {
    std::istringstream words(text_of(element, attribute));
    words.imbue(std::locale::classic());
    std::vector<double> values;
    for (double value; words >> value;) values.push_back(value);
    const bool all = words.eof() && values.size() == count &&
                     std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
    if (!all)
      refuse(&element,
             fmt::format("{} has {}=\"{}\"; {} finite number{} needed", element.Name(), attribute,
                         text_of(element, attribute), count, count == 1 ? " is" : "s are"));
    return values;
  }
  double number(const Element& element, const char* attribute) const {
    return numbers(element, attribute, 1)[0];
  }
  double number_or(const Element* element, const char* attribute, double otherwise) const {
    return element && element->Attribute(attribute) ? number(*element, attribute) : otherwise;
  }
  Vec3 vector(const Element& element, const char* attribute) const {
    const auto v = numbers(element, attribute, 3);
    return {v[0], v[1], v[2]};
  }
  /// Of the child `origin`; turns are about the fixed axes x, y and z in this order.
  Pose origin_of(const Element& element) const {
    const Element* origin = element.FirstChildElement("origin");
    Pose pose;
    if (!origin) return pose;
    if (origin->Attribute("xyz")) pose.position = vector(*origin, "xyz");
    if (origin->Attribute("rpy")) {
      const Vec3 rpy = vector(*origin, "rpy");
      pose.orientation =
          rotation({0, 0, 1}, rpy.z) * rotation({0, 1, 0}, rpy.y) * rotation({1, 0, 0}, rpy.x);
    }
    return pose;
  }
  static Pose within(const Pose& outer, const Pose& inner) {
    return {outer.position + rotate(outer.orientation, inner.position),
            normalised(outer.orientation * inner.orientation)};
  }

  // Links, from the root outwards.

  void read_links(const Element& robot) {
    for (const auto* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
      const std::string name = text_of(*e, "name");
      if (!links_.emplace(name, Link{e, name, {}, ""}).second)
        refuse(e, fmt::format("two links are called '{}'; give each a name of its own", name));
    }
    if (links_.empty()) refuse(&robot, "the robot has no link");
  }
  Link& link_of(const Element& joint, const char* which) {
    const Element* end = joint.FirstChildElement(which);
    if (!end) refuse(&joint, fmt::format("a joint needs a {}", which));
    const auto found = links_.find(text_of(*end, "link"));
    if (found == links_.end())
      refuse(end, fmt::format("there is no link '{}'", text_of(*end, "link")));
    return found->second;
  }

  void place_links(const Element& robot) {
    std::vector<const Element*> joints;
    std::set<std::string> children;
    for (const auto* e = robot.FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
      joints.push_back(e);
      const Link& child = link_of(*e, "child");
      if (!children.insert(child.name).second)
        refuse(e, fmt::format("the link '{}' is the child of two joints; a robot is a tree",
                              child.name));
    }
    for (const auto* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
      if (!children.contains(text_of(*e, "name"))) add_root(links_.at(text_of(*e, "name")));
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
      refuse(joints.front(), "the joints go round in a circle; a robot is a tree");
    add_gears();
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
      lacks(*e, fmt::format("nothing touches the collision of the link '{}', which has no mass",
                            link.name));
  }

  void add_joint(const Element& joint) {
    const std::string name = text_of(joint, "name"), type = text_of(joint, "type");
    const Link& parent = link_of(joint, "parent");
    Link& child = link_of(joint, "child");
    child.pose = within(parent.pose, origin_of(joint));
    const bool turns = type == "revolute" || type == "continuous", slides = type == "prismatic";
    const Vec3 along = axis_of(joint, name, type);
    const double start = turns || slides ? start_of(joint) : 0;
    // Where the joint stands that it mimics, all others at 0.
    if (slides && start != 0) child.pose.position += start * rotate(child.pose.orientation, along);
    if (turns && start != 0)
      child.pose.orientation = normalised(child.pose.orientation * rotation(along, start));
    if (!child.element->FirstChildElement("inertial")) {
      if (type != "fixed")
        refuse(child.element, fmt::format("the link '{}' moves on the joint '{}' and has no "
                                          "inertial; what moves needs a mass",
                                          child.name, name));
      take_on(child, parent.body);
      return;
    }
    add_body(child);
    for (const char* what : {"safety_controller", "calibration"})
      if (const auto* e = joint.FirstChildElement(what))
        lacks(*e, fmt::format("{} of the joint '{}' is not covered", what, name));
    if (type == "floating") return;

    const std::string key = type == "continuous" ? "revolute" : type;
    if (!turns && type != "fixed" && type != "prismatic" && type != "planar")
      refuse(&joint, fmt::format("the joint '{}' is of the type '{}'; it must be fixed, revolute, "
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
    const Vec3 along = axis ? vector(*axis, "xyz") : Vec3{1, 0, 0};
    if (norm(along) == 0) refuse(axis, fmt::format("the axis of the joint '{}' is zero", name));
    return along / norm(along);
  }

  /// The value of a joint where all that mimic none are at 0.
  double start_of(const Element& joint, int mimics = 0) const {
    const auto* mimic = joint.FirstChildElement("mimic");
    if (!mimic) return 0;
    constexpr int kMost = 1000;
    const std::string other = text_of(*mimic, "joint");
    const Element* followed = nullptr;
    for (const auto* e = joint.Parent()->FirstChildElement("joint"); e;
         e = e->NextSiblingElement("joint"))
      if (e->Attribute("name", other.c_str())) followed = e;
    if (!followed) refuse(mimic, fmt::format("there is no joint '{}' to mimic", other));
    if (mimics == kMost) refuse(mimic, "joints mimic each other in a circle");
    return number_or(mimic, "multiplier", 1) * start_of(*followed, mimics + 1) +
           number_or(mimic, "offset", 0);
  }

  /// Gears come after all joints: a joint may mimic one that stands below it.
  void add_gears() {
    for (const Element* joint : mimics_) {
      const Element& mimic = *joint->FirstChildElement("mimic");
      const std::string name = text_of(*joint, "name"), other = text_of(mimic, "joint");
      const auto followed = coordinates_.find(other);
      if (followed == coordinates_.end() || other == name)
        refuse(&mimic, fmt::format("the joint '{}' cannot mimic '{}', which is no other hinge or "
                                   "slider of the robot",
                                   name, other));
      const double multiplier = number_or(&mimic, "multiplier", 1);
      if (multiplier == 0)
        refuse(&mimic, fmt::format("the joint '{}' mimics '{}' with the multiplier 0; if it is not "
                                   "to move, make it fixed",
                                   name, other));
      const bool turns = coordinates_.at(name), other_turns = followed->second;
      // Of a rack the length comes first.
      const bool swapped = turns && !other_turns;
      joints_ +=
          fmt::format("  - {}:\n      name: {}\n      first: {}\n      second: {}\n",
                      turns == other_turns ? "gear" : "rack", yaml_text(name + " as " + other),
                      yaml_text(swapped ? other : name), yaml_text(swapped ? name : other));
      joints_ += fmt::format("      {}: {:.17g}\n      collide: true\n",
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
      refuse(&joint, fmt::format("the joint '{}' needs a limit; a hinge without limits is "
                                 "continuous",
                                 name));
    std::string drive;
    if (has_limits) {
      const double lower = number_or(limit, "lower", 0), upper = number_or(limit, "upper", 0);
      if (!(lower <= start && upper >= start))
        refuse(limit, fmt::format("the joint '{}' has the limits {} and {}, and scenes begin with "
                                  "joints at 0{}; turn the frame of its origin",
                                  name, lower, upper,
                                  start == 0 ? "" : fmt::format(", this one at {}", start)));
      drive += fmt::format("        limits: [{:.17g}, {:.17g}]\n", lower - start, upper - start);
    }
    for (const char* what : {"effort", "velocity"})
      if (limit && limit->Attribute(what))
        lacks(*limit, fmt::format("the joint '{}' has no motor, which could have the {} {}", name,
                                  what, number(*limit, what)));
    if (const double damping = number_or(dynamics, "damping", 0); damping != 0)
      drive += fmt::format("        spring: {{damping: {:.17g}}}\n", damping);
    if (const double friction = number_or(dynamics, "friction", 0); friction != 0)
      drive += fmt::format("        friction: {:.17g}\n", friction);
    if (!drive.empty()) joints_ += fmt::format("      {}:\n{}", turns ? "angle" : "slide", drive);
  }

  // Bodies.

  struct Inertia {
    double mass;
    Pose frame;    ///< centre and principal axes, in the world
    Vec3 moments;  ///< about them [kg m²]
  };

  Inertia inertia_of(const Link& link) {
    const Element& inertial = *link.element->FirstChildElement("inertial");
    const Element *mass = inertial.FirstChildElement("mass"),
                  *tensor = inertial.FirstChildElement("inertia");
    if (!mass || !tensor)
      refuse(&inertial,
             fmt::format("the inertial of the link '{}' needs mass and inertia", link.name));
    Inertia result{number(*mass, "value"), within(link.pose, origin_of(inertial)), {}};
    if (!(result.mass > 0))
      refuse(mass, fmt::format("the link '{}' has a mass of {} kg; it must be above 0", link.name,
                               result.mass));
    const double xx = number(*tensor, "ixx"), yy = number(*tensor, "iyy"),
                 zz = number(*tensor, "izz"), xy = number_or(tensor, "ixy", 0),
                 xz = number_or(tensor, "ixz", 0), yz = number_or(tensor, "iyz", 0);
    result.moments = {xx, yy, zz};
    if (xy != 0 || xz != 0 || yz != 0) {
      Matrix m;
      m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      Eigen::SelfAdjointEigenSolver<Matrix> solver(m);
      Matrix axes = solver.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) *= -1;
      const Eigen::Quaterniond q(axes);
      result.frame.orientation =
          normalised(result.frame.orientation * Quaternion{q.w(), q.x(), q.y(), q.z()});
      const auto& moments = solver.eigenvalues();
      result.moments = {moments[0], moments[1], moments[2]};
    }
    const Vec3& I = result.moments;
    const double sum = I.x + I.y + I.z, most = std::max({I.x, I.y, I.z}),
                 least = std::min({I.x, I.y, I.z});
    constexpr double kRounding = 1e-9;
    if (!(least > 0) || 2 * most > sum * (1 + kRounding))
      refuse(tensor,
             fmt::format("no body has the principal moments {:.6g}, {:.6g} and {:.6g} kg m² "
                         "of the link '{}': none may be 0 or less, or more than the other "
                         "two together",
                         I.x, I.y, I.z, link.name));
    return result;
  }

  /// A body with exactly the inertia of its link, and with the shapes of its collisions: a plain
  /// sphere or box where it has the moments, else a clump. Meshes count by their hulls, and that is
  /// told. A link without any gets, told too, the smallest sphere that can have these moments.
  void add_body(Link& link) {
    link.body = link.name;
    const Inertia of = inertia_of(link);
    std::vector<const Element*> collisions;
    for (const auto* e = link.element->FirstChildElement("collision"); e;
         e = e->NextSiblingElement("collision"))
      collisions.push_back(e);
    if (collisions.empty()) {
      const double radius = least_radius(of);
      lacks(*link.element, fmt::format("contacts see a sphere of radius {:.6g} m about the centre "
                                       "of mass of the link '{}', which has no collision",
                                       radius, link.name));
      add_sphere(link, of, radius);
      return;
    }
    if (collisions.size() == 1 && add_plain(link, of, *collisions[0])) return;
    bodies_ += fmt::format(
        "  - solid:\n      name: {}\n      position: {}\n      orientation: {}\n      mass: "
        "{:.17g}\n",
        yaml_text(link.name), yaml_of(link.pose.position), yaml_of(link.pose.orientation), of.mass);
    const Pose centre = within(inverse(link.pose), of.frame);
    bodies_ += fmt::format(
        "      inertia: {{centre: {}, orientation: {}, moments: {}}}\n      shape:\n        "
        "clump:\n",
        yaml_of(centre.position), yaml_of(centre.orientation), yaml_of(of.moments));
    for (const Element* collision : collisions) add_part(link, *collision);
  }

  static Pose inverse(const Pose& pose) {
    const Quaternion back = conjugate(pose.orientation);
    return {rotate(back, -1.0 * pose.position), back};
  }

  /// Of a sphere that can have the moments of a link [m].
  static double least_radius(const Inertia& of) {
    constexpr double kAbove = 1 + 1e-6;
    const Vec3& I = of.moments;
    return std::sqrt((I.x + I.y + I.z) / (2 * of.mass)) * kAbove;
  }

  const Element& geometry_of(const Link& link, const Element& collision) const {
    const Element* geometry = collision.FirstChildElement("geometry");
    if (!geometry || !geometry->FirstChildElement())
      refuse(&collision, fmt::format("a collision of '{}' needs a geometry", link.name));
    return *geometry->FirstChildElement();
  }

  void add_sphere(const Link& link, const Inertia& of, double radius) {
    const double unit = of.mass * radius * radius;
    bodies_ += fmt::format(
        "  - sphere:\n      name: {}\n      position: {}\n      orientation: {}\n      radius: "
        "{:.17g}\n      mass: {:.17g}\n      inertia: {}\n",
        yaml_text(link.name), yaml_of(of.frame.position), yaml_of(of.frame.orientation), radius,
        of.mass, yaml_of(of.moments / unit));
  }

  /// A sphere about the centre of mass, or a box with the moments of a full one; false: it is none.
  bool add_plain(const Link& link, const Inertia& of, const Element& collision) {
    const Element& geometry = geometry_of(link, collision);
    const Pose at = within(link.pose, origin_of(collision));
    const std::string_view kind = geometry.Name();
    if (kind == "box") return add_box(link, of, at, vector(geometry, "size"));
    if (kind != "sphere") return false;
    const double radius = number(geometry, "radius");
    if (norm(at.position - of.frame.position) > 1e-9 * radius || radius < least_radius(of))
      return false;
    add_sphere(link, of, radius);
    return true;
  }

  /// One part of a clump, in the frame of its link.
  void add_part(const Link& link, const Element& collision) {
    const Element& geometry = geometry_of(link, collision);
    const std::string_view kind = geometry.Name();
    const Pose at = origin_of(collision);
    std::string shape;
    if (kind == "sphere")
      shape = fmt::format("sphere: {{radius: {:.17g}}}", length(geometry, "radius"));
    else if (kind == "box")
      shape = fmt::format("box: {{size: {}}}", yaml_of(vector(geometry, "size")));
    else if (kind == "cylinder" || kind == "capsule")
      shape = fmt::format("{}: {{radius: {:.17g}, length: {:.17g}}}", kind,
                          length(geometry, "radius"), length(geometry, "length"));
    else if (kind == "mesh")
      shape = fmt::format("polyhedron: {{points: {}}}", hull_of(link, geometry));
    else
      refuse(&geometry, fmt::format("a collision of '{}' is a {}; it must be a sphere, box, "
                                    "cylinder, capsule or mesh",
                                    link.name, kind));
    bodies_ += fmt::format(
        "          - shape: {{{}}}\n            position: {}\n            "
        "orientation: {}\n",
        shape, yaml_of(at.position), yaml_of(at.orientation));
  }

  double length(const Element& element, const char* attribute) const {
    const double value = number(element, attribute);
    if (!(value > 0))
      refuse(&element,
             fmt::format("{} has {} {}; it must be above 0", element.Name(), attribute, value));
    return value;
  }

  /// Corners of the hull of a mesh, as a list.
  std::string hull_of(const Link& link, const Element& mesh) {
    const std::string name = text_of(mesh, "filename");
    const auto file = mesh_file(name);
    if (!file)
      refuse(&mesh, fmt::format("there is no file '{}'; paths count from the URDF file, and "
                                "package://NAME/ is a folder NAME at or above it",
                                name));
    const Vec3 scale = mesh.Attribute("scale") ? vector(mesh, "scale") : Vec3{1, 1, 1};
    try {
      std::vector<Vec3> points = scene::read_triangles(*file).vertices;
      for (Vec3& p : points) p = {scale.x * p.x, scale.y * p.y, scale.z * p.z};
      const PlacedHull hull = convex_hull(points);
      lacks(mesh, fmt::format("contacts see the mesh '{}' of the link '{}' as the convex hull of "
                              "its points, which has {} corners",
                              name, link.name, hull.hull->vertices().size()));
      std::string corners;
      for (const Vec3& v : hull.hull->vertices()) {
        const Vec3 at = hull.pose.position + rotate(hull.pose.orientation, hull.size * v);
        corners += (corners.empty() ? "" : ", ") + yaml_of(at);
      }
      return '[' + corners + ']';
    } catch (const InputError& e) {
      refuse(&mesh, fmt::format("'{}' {}", name, e.what()));
    } catch (const std::invalid_argument& e) {
      refuse(&mesh, fmt::format("'{}' makes no body: {}", name, e.what()));
    }
  }

  /// Where a mesh is: beside the file, or in a package that is a folder at or above it.
  std::optional<std::filesystem::path> mesh_file(const std::string& name) const {
    constexpr std::string_view kPackage = "package://", kFile = "file://";
    const auto folder = std::filesystem::absolute(file_).parent_path();
    const auto if_there = [](std::filesystem::path file) {
      return std::filesystem::is_regular_file(file) ? std::optional(std::move(file)) : std::nullopt;
    };
    if (name.starts_with(kFile)) return if_there(name.substr(kFile.size()));
    if (!name.starts_with(kPackage)) return if_there(folder / name);
    const std::filesystem::path inside = name.substr(kPackage.size());
    for (auto above = folder;; above = above.parent_path()) {
      if (auto found = if_there(above / inside)) return found;
      if (above == above.parent_path()) return {};
    }
  }

  /// If its moments are those of a full box.
  bool add_box(const Link& link, const Inertia& of, const Pose& at, const Vec3& size) {
    constexpr double kAlike = 1e-3;
    const auto moment = [&](const Vec3& axis) {
      const Vec3 a = rotate_back(of.frame.orientation, rotate(at.orientation, axis));
      return of.moments.x * a.x * a.x + of.moments.y * a.y * a.y + of.moments.z * a.z * a.z;
    };
    const Vec3 full = of.mass / 12 *
                      Vec3{size.y * size.y + size.z * size.z, size.z * size.z + size.x * size.x,
                           size.x * size.x + size.y * size.y};
    const Vec3 given{moment({1, 0, 0}), moment({0, 1, 0}), moment({0, 0, 1})};
    // As sorted, they are the same only if the box stands along the principal axes.
    const auto sorted = [](Vec3 v) {
      if (v.x > v.y) std::swap(v.x, v.y);
      if (v.y > v.z) std::swap(v.y, v.z);
      if (v.x > v.y) std::swap(v.x, v.y);
      return v;
    };
    const bool alike = norm(given - full) <= kAlike * norm(full) &&
                       norm(sorted(of.moments) - sorted(full)) <= kAlike * norm(full) &&
                       norm(at.position - of.frame.position) <= 1e-9 * norm(size);
    if (!alike) return false;
    bodies_ += fmt::format(
        "  - box:\n      name: {}\n      position: {}\n      orientation: {}\n      size: {}\n     "
        " "
        "mass: {:.17g}\n",
        yaml_text(link.name), yaml_of(at.position), yaml_of(at.orientation), yaml_of(size),
        of.mass);
    return true;
  }

  std::string in_all(const std::string& name) const {
    std::string text = fmt::format(
        "# Made by scree import of {}.\n"
        "scree: 1\nname: {}\nuntil: 1 s\nstep: {{h: 1 ms}}\nmaterials:\n  robot: {{density: "
        "1000}}\ndefault_law: {{law: coulomb, friction: 0.5}}\n",
        file_.filename().string(), yaml_text(name));
    if (!not_covered_.empty()) text += "# Not covered:\n";
    for (const std::string& what : not_covered_) text += "#   " + what + '\n';
    if (!bodies_.empty()) text += "bodies:\n" + bodies_;
    if (!joints_.empty()) text += "joints:\n" + joints_;
    return text;
  }

  std::filesystem::path file_;
  tinyxml2::XMLDocument document_;
  std::map<std::string, Link> links_;
  std::string bodies_, joints_;
  std::map<std::string, bool> coordinates_;  ///< of hinges and sliders: whether it is an angle
  std::vector<const Element*> mimics_;       ///< joints that follow others
  std::vector<std::string> not_covered_;
};

}  // namespace

ImportedRobot import_urdf(const std::filesystem::path& file) { return Importer(file)(); }

}  // namespace scree

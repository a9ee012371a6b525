/// Reads the tree of bodies in an MJCF file, with their joints and masses.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "scene/mjcf/model.hpp"
#include "scene/robots/inertia.hpp"

namespace scree::robots {
namespace {

/// A body while it is read.
struct FileBody {
  Link link;
  Pose in_parent, in_world;  ///< at the references of all joints
  std::vector<std::pair<const Tag*, Pose>> joints,
      bodies;  ///< each with the pose of its parent tag
  std::optional<Inertia> given;
  Inertia of_geoms;
};

std::optional<Limits> limits_of(Mjcf& mjcf, const Tag& tag, bool turns);

class BodyReader {
 public:
  explicit BodyReader(Mjcf& mjcf) : mjcf_(mjcf), values_(mjcf.values), robot_(mjcf.robot) {}

  void read_world(const Tag& tag) {
    FileBody world;
    world.link.name = "world";
    world.link.place = tag.place;
    world.link.is_world = true;
    names_.insert("world");
    read_contents(tag, {}, world, nullptr);
    robot_.links.push_back(std::move(world.link));
    for (const auto& [body, frame] : world.bodies) read_body(*body, frame, "world", {});
  }

 private:
  void read_body(const Tag& tag, const Pose& frame, const std::string& parent,
                 const Pose& parent_in_world) {
    FileBody body;
    body.link.place = tag.place;
    body.link.name = name_for(tag);
    body.in_parent = moved(frame, values_.pose(tag));
    body.in_world = moved(parent_in_world, body.in_parent);
    const bool needs_geoms = values_.compiler().from_geoms == Compiler::Inertia::yes ||
                             (values_.compiler().from_geoms == Compiler::Inertia::where_missing &&
                              std::ranges::none_of(tag.children, is_inertial));
    read_contents(tag, own_frame(body), body, needs_geoms ? &body.of_geoms : nullptr);
    settle_inertia(body, needs_geoms);
    add_joints(tag, body, parent);
    const std::string name = body.link.name;
    robot_.links.push_back(std::move(body.link));
    for (const auto& [child, at] : body.bodies) read_body(*child, at, name, body.in_world);
  }

  static bool is_inertial(const Tag& tag) { return tag.name == "inertial"; }

  /// Pose in a body of the frame of what is in it: its own, or that of the world.
  Pose own_frame(const FileBody& body) const {
    return values_.compiler().global ? seen_from(body.in_world, {}) : Pose{};
  }

  /// A name that no other body has.
  std::string name_for(const Tag& tag) {
    const std::string given = tag.text("name");
    std::string name = given.empty() ? fmt::format("body {}", robot_.links.size()) : given;
    const std::string wish = name;
    for (int k = 2; !names_.insert(name).second; ++k) name = fmt::format("{} {}", wish, k);
    if (!given.empty() && name != given)
      mjcf_.findings.repair(tag.place, fmt::format("a second body has the name '{}'", given),
                            fmt::format("it is '{}'", name));
    return name;
  }

  /// Reads what stands in a body or in a frame of it.
  void read_contents(const Tag& tag, const Pose& frame, FileBody& body, Inertia* mass) {
    for (const Tag& child : tag.children) {
      if (child.name == "geom") read_geom(mjcf_, child, frame, body.link, mass);
      if (child.name == "site") add_site(child, frame, body);
      if (child.name == "joint" || child.name == "freejoint")
        body.joints.emplace_back(&child, frame);
      if (child.name == "body") body.bodies.emplace_back(&child, frame);
      if (child.name == "inertial") read_inertial(child, frame, body);
      if (child.name == "frame")
        read_contents(child, moved(frame, values_.pose(child)), body, mass);
    }
  }

  void add_site(const Tag& tag, const Pose& frame, const FileBody& body) {
    if (const std::string name = tag.text("name"); !name.empty())
      mjcf_.sites[name] = {body.link.name, moved(frame, values_.pose(tag))};
  }

  // --- masses ---

  void read_inertial(const Tag& tag, const Pose& frame, FileBody& body) {
    body.link.inertia_place = tag.place;
    Inertia own;
    own.mass = values_.number(tag, "mass", 0);
    if (own.mass < 0) {
      mjcf_.findings.repair(
          tag.place, fmt::format("the body '{}' has a mass of {} kg", body.link.name, own.mass),
          "it counts as if it had none");
      return;
    }
    const std::vector<double> full = values_.numbers(tag, "fullinertia", 6);
    if (full.size() == 6) {
      own.tensor << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
    } else {
      const Vec3 moments = values_.vector(tag, "diaginertia", {});
      own.tensor.diagonal() << moments.x, moments.y, moments.z;
    }
    body.given = seen_at(moved(frame, values_.pose(tag)), own);
  }

  void settle_inertia(FileBody& body, bool from_geoms) {
    Link& link = body.link;
    const auto inertia = from_geoms
                             ? (body.of_geoms.mass > 0 ? std::optional(body.of_geoms) : body.given)
                             : body.given;
    if (link.inertia_place.line == 0) link.inertia_place = link.place;
    const Compiler& compiler = values_.compiler();
    if (!inertia && !(compiler.min_mass > 0)) return;
    link.inertia = inertia.value_or(Inertia{});
    link.inertia->mass = std::max(link.inertia->mass, compiler.min_mass);
    bound_moments(link);
  }

  /// Raises the principal moments to the smallest that the compiler allows, and balances them where
  /// it asks for that.
  void bound_moments(Link& link) const {
    const Compiler& compiler = values_.compiler();
    PrincipalMoments principal = principal_moments(*link.inertia);
    Vec3& m = principal.moments;
    const Vec3 before = m;
    for (int k = 0; k < 3; ++k) m[k] = std::max(m[k], compiler.min_moment);
    const bool is_possible = m.x + m.y >= m.z && m.y + m.z >= m.x && m.z + m.x >= m.y;
    if (compiler.balances_inertia && !is_possible) {
      const double mean = (m.x + m.y + m.z) / 3;
      m = {mean, mean, mean};
    }
    if (!(m == before)) link.inertia->tensor = tensor_of(principal);
  }

  // --- joints ---

  void add_joints(const Tag& tag, const FileBody& body, const std::string& parent) {
    std::vector<Joint> chain;
    for (const auto& [joint, frame] : body.joints) {
      Joint read = joint_of(*joint, frame);
      if (read.kind != Joint::Kind::fixed) chain.push_back(std::move(read));
    }
    if (chain.empty())
      chain.push_back({.name = fmt::format("{} fixed", body.link.name), .place = tag.place});
    if (values_.flag(tag, "mocap", false))
      mjcf_.left_out.count(tag.place, "mocap bodies", "they stand still");
    std::string from = parent;
    for (std::size_t k = 0; k < chain.size(); ++k) {
      Joint& joint = chain[k];
      joint.parent = from;
      joint.child = k + 1 < chain.size() ? add_between(body, joint) : body.link.name;
      if (k == 0) joint.origin = body.in_parent;
      name_joint(joint, body.link.name);
      add_position(joint);
      from = joint.child;
      robot_.joints.push_back(std::move(joint));
    }
  }

  /// Adds a link between two joints of one body.
  std::string add_between(const FileBody& body, const Joint& joint) {
    Link between;
    const std::string wish = fmt::format("{} between", body.link.name);
    between.name = wish;
    for (int k = 2; !names_.insert(between.name).second; ++k)
      between.name = fmt::format("{} {}", wish, k);
    between.place = joint.place;
    between.is_between = true;
    robot_.links.push_back(between);
    return between.name;
  }

  Joint joint_of(const Tag& tag, const Pose& frame) {
    Joint joint;
    joint.place = tag.place;
    joint.name = tag.text("name");
    const std::string type = tag.name == "freejoint" ? "free" : tag.text("type");
    const Vec3 anchor = moved(frame, {values_.vector(tag, "pos", {}), {}}).position;
    if (type == "free") {
      joint.kind = Joint::Kind::floating;
    } else if (type == "ball") {
      joint.kind = Joint::Kind::ball;
      joint.at = anchor;
      joint.turns = turns_of(tag);
    } else {
      const bool slides = type == "slide";
      if (!slides && !type.empty() && type != "hinge")
        mjcf_.findings.repair(
            tag.place, fmt::format("the joint '{}' has the unknown type '{}'", joint.name, type),
            "it is a hinge");
      joint.kind = slides ? Joint::Kind::slider : Joint::Kind::hinge;
      joint.coordinates.push_back(coordinate_of(mjcf_, tag, frame, !slides));
      joint.at = slides ? Vec3{} : anchor;
    }
    return joint;
  }

  Turns turns_of(const Tag& tag) {
    Turns turns;
    // No orientation is farther away than half a revolution.
    const auto limits = limits_of(mjcf_, tag, true);
    if (limits && limits->upper > 0 && limits->upper < std::numbers::pi)
      turns.max_angle = limits->upper;
    if (!mjcf_.disabled.contains("passive")) {
      turns.damping = values_.not_below_zero(tag, "damping");
      turns.stiffness = values_.not_below_zero(tag, "stiffness");
    }
    if (!mjcf_.disabled.contains("frictionloss"))
      turns.friction = values_.not_below_zero(tag, "frictionloss");
    if (const auto* armature = tag.find("armature");
        armature && values_.number(tag, "armature", 0) != 0)
      mjcf_.left_out.count(armature->place, "armature of ball joints");
    return turns;
  }

  void name_joint(Joint& joint, const std::string& body) {
    const std::string given = joint.name;
    const std::string wish = given.empty() ? fmt::format("{} joint", body) : given;
    joint.name = wish;
    for (int k = 2; !joint_names_.insert(joint.name).second; ++k)
      joint.name = fmt::format("{} {}", wish, k);
    if (!given.empty() && joint.name != given)
      mjcf_.findings.repair(joint.place, fmt::format("a second joint has the name '{}'", given),
                            fmt::format("it is '{}'", joint.name));
    for (Coordinate& coordinate : joint.coordinates) coordinate.name = joint.name;
  }

  void add_position(const Joint& joint) {
    using enum Joint::Kind;
    if (joint.kind == fixed) return;
    const std::size_t count = joint.kind == floating ? 7 : joint.kind == ball ? 4 : 1;
    mjcf_.positions.push_back({joint.name, mjcf_.number_of_positions(), count});
  }

  Mjcf& mjcf_;
  const Values& values_;
  Robot& robot_;
  std::set<std::string> names_, joint_names_;
};

/// Limits of a joint; none if it has none.
std::optional<Limits> limits_of(Mjcf& mjcf, const Tag& tag, bool turns) {
  const Values& values = mjcf.values;
  const std::vector<double> range = values.numbers(tag, "range", 2);
  const std::string name = tag.text("name");
  const std::string limited = tag.text("limited");
  if (limited == "false" || mjcf.disabled.contains("limit")) return {};
  if (range.size() != 2) {
    if (limited == "true" || range.size() == 1)
      mjcf.findings.repair(tag.place,
                           fmt::format("the joint '{}' is limited but has no range", name),
                           "it moves without limits");
    return {};
  }
  if (limited != "true" && !values.compiler().auto_limits)
    mjcf.findings.repair(
        tag.find("range")->place,
        fmt::format("the joint '{}' has a range, but neither limited nor autolimits say so", name),
        "it is limited");
  return turns ? Limits{values.angle(range[0]), values.angle(range[1])}
               : Limits{range[0], range[1]};
}

}  // namespace

Coordinate coordinate_of(Mjcf& mjcf, const Tag& tag, const Pose& frame, bool turns) {
  const Values& values = mjcf.values;
  const auto in_rad = [&](double value) { return turns ? values.angle(value) : value; };
  Coordinate result;
  result.place = tag.place;
  result.turns = turns;
  result.anchor = moved(frame, {values.vector(tag, "pos", {}), {}}).position;
  const Vec3 along = values.vector(tag, "axis", {0, 0, 1});
  const double length = norm(along);
  result.axis = {0, 0, 1};
  if (length > 0 && std::isfinite(length))
    result.axis = along / length;
  else
    mjcf.findings.repair(tag.find("axis")->place,
                         fmt::format("the axis of the joint '{}' is zero", tag.text("name")),
                         "it is 0 0 1");
  result.axis = rotate(frame.orientation, result.axis);
  result.reference = in_rad(values.number(tag, "ref", 0));
  if (auto limits = limits_of(mjcf, tag, turns))
    result.limits = Limits{limits->lower - result.reference, limits->upper - result.reference};
  if (!mjcf.disabled.contains("passive")) {
    result.damping = values.not_below_zero(tag, "damping");
    result.stiffness = values.not_below_zero(tag, "stiffness");
  }
  if (!mjcf.disabled.contains("frictionloss"))
    result.friction = values.not_below_zero(tag, "frictionloss");
  result.rest = in_rad(values.number(tag, "springref", 0)) - result.reference;
  result.armature = values.not_below_zero(tag, "armature");
  return result;
}

void read_bodies(Mjcf& mjcf, const Tag& world) { BodyReader(mjcf).read_world(world); }

}  // namespace scree::robots

/// Repairs of the tree of links and joints, and the links that fixed joints make one.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "scene/robots/inertia.hpp"
#include "scene/robots/robot.hpp"

namespace scree::robots {
namespace {

constexpr const char* kLeftOut = "the joint is left out";

/// True if the parents of a joint lead back to it.
bool is_in_loop(const Robot& robot, const Joint& joint) {
  std::set<std::string> seen;
  const Joint* at = robot.joint_of(joint.parent);
  while (at && at->child != joint.child && seen.insert(at->child).second)
    at = robot.joint_of(at->parent);
  return at && at->child == joint.child;
}

/// True if following the mimics of a joint leads back to it.
bool mimics_itself(Robot& robot, const Coordinate& coordinate) {
  std::set<std::string> seen;
  for (const Coordinate* at = &coordinate; at && at->mimic; at = robot.coordinate(at->mimic->joint))
    if (!seen.insert(at->name).second) return true;
  return false;
}

/// True for a mimic with multiplier 0, and for one of a fixed joint.
bool holds_still(const Robot& robot, const Mimic& mimic) {
  const auto followed = std::ranges::find(robot.joints, mimic.joint, &Joint::name);
  return mimic.multiplier == 0 ||
         (followed != robot.joints.end() && followed->kind == Joint::Kind::fixed);
}

std::string trouble_of(Robot& robot, const Coordinate& coordinate) {
  const Mimic& mimic = *coordinate.mimic;
  if (mimic.joint == coordinate.name) return "itself";
  if (!robot.coordinate(mimic.joint))
    return fmt::format("'{}', which is no hinge or slider of the robot", mimic.joint);
  if (mimics_itself(robot, coordinate)) return fmt::format("'{}' in a loop", mimic.joint);
  return "";
}

/// Makes a joint fixed at a value of its coordinate.
void fix_at(Joint& joint, double value) {
  joint.coordinates[0].start = value;
  joint.origin = after(joint);
  joint.coordinates.clear();
  joint.kind = Joint::Kind::fixed;
}

/// Fixes a joint that mimics but cannot move, and frees one that mimics nothing. False if its mimic
/// is sound.
bool repair_mimic(Robot& robot, Joint& joint, Findings& findings) {
  const Mimic mimic = *joint.coordinates[0].mimic;
  if (holds_still(robot, mimic)) {
    findings.repair(
        mimic.place,
        fmt::format("the joint '{}' mimics '{}' but cannot move", joint.name, mimic.joint),
        fmt::format("it is fixed at {}", mimic.offset));
    fix_at(joint, mimic.offset);
    return true;
  }
  const std::string trouble = trouble_of(robot, joint.coordinates[0]);
  if (trouble.empty()) return false;
  findings.repair(mimic.place, fmt::format("the joint '{}' mimics {}", joint.name, trouble),
                  "it moves by itself");
  joint.coordinates[0].mimic.reset();
  return true;
}

/// Adds a link, at a pose in the frame of another, to that one.
void merge(Link& into, const Link& link, const Pose& at) {
  for (Part part : link.parts) {
    part.pose = moved(at, part.pose);
    into.parts.push_back(std::move(part));
  }
  if (!link.inertia) return;
  if (!into.has_mass()) into.inertia_place = link.inertia_place;
  into.inertia = sum(into.inertia.value_or(Inertia{}), seen_at(at, *link.inertia));
}

/// Moves the ends of a closure from the child of a fixed joint to its parent.
void move_ends(Closure& closure, const Joint& gone) {
  if (closure.a == gone.child) {
    closure.a = gone.parent;
    closure.at = moved(gone.origin, {closure.at, {}}).position;
    if (closure.relative) closure.relative = moved(gone.origin, *closure.relative);
  }
  if (closure.b == gone.child) {
    closure.b = gone.parent;
    if (closure.relative) closure.relative = moved(*closure.relative, seen_from(gone.origin, {}));
  }
}

/// True if a link, or one that fixed joints make one with it, has a mass.
bool has_mass_in_all(const Robot& robot, const Link& link) {
  if (link.has_mass()) return true;
  return std::ranges::any_of(robot.joints, [&](const Joint& joint) {
    return joint.kind == Joint::Kind::fixed && joint.parent == link.name &&
           has_mass_in_all(robot, *robot.find(joint.child));
  });
}

/// True if the file means a root to be fixed: it is the world, or has a mass of 0, or there is no
/// mass that could move.
bool stands_still(const Robot& robot, const Link& root) {
  const bool is_world = root.is_world || (root.name == "world" && !root.has_mass());
  const bool is_heavy_as_0 = root.inertia && root.inertia->mass == 0;
  return is_world || is_heavy_as_0 || !has_mass_in_all(robot, root);
}

}  // namespace

void drop_joints_without_links(Robot& robot, Findings& findings) {
  std::erase_if(robot.joints, [&](const Joint& joint) {
    std::string found;
    for (const auto& [end, name] : {std::pair("parent", joint.parent), {"child", joint.child}})
      if (name.empty())
        found = fmt::format("the joint '{}' has no {}", joint.name, end);
      else if (!robot.find(name))
        found = fmt::format("the {} of the joint '{}' is '{}', and there is no such link", end,
                            joint.name, name);
    if (found.empty() && joint.parent == joint.child)
      found = fmt::format("the joint '{}' joins '{}' to itself", joint.name, joint.child);
    if (!found.empty()) findings.repair(joint.place, found, kLeftOut);
    return !found.empty();
  });
}

void open_loops(Robot& robot, Findings& findings) {
  std::set<std::string> children;
  std::erase_if(robot.joints, [&](const Joint& joint) {
    if (children.insert(joint.child).second) return false;
    findings.repair(
        joint.place,
        fmt::format("the link '{}' is the child of a second joint, '{}'", joint.child, joint.name),
        kLeftOut);
    return true;
  });
  for (std::size_t k = 0; k < robot.joints.size();) {
    const Joint& joint = robot.joints[k];
    if (!is_in_loop(robot, joint)) {
      ++k;
      continue;
    }
    findings.repair(joint.place, fmt::format("the joint '{}' closes a loop of links", joint.name),
                    kLeftOut);
    robot.joints.erase(robot.joints.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

void drop_mimics_of_nothing(Robot& robot, Findings& findings) {
  // A joint that becomes fixed may be mimicked by another
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (Joint& joint : robot.joints)
      if (!joint.coordinates.empty() && joint.coordinates[0].mimic)
        is_changed = repair_mimic(robot, joint, findings) || is_changed;
  }
}

void straighten_limits(Robot& robot, Findings& findings) {
  for (Joint& joint : robot.joints)
    for (Coordinate& coordinate : joint.coordinates) {
      if (!coordinate.limits || coordinate.limits->lower <= coordinate.limits->upper) continue;
      findings.repair(coordinate.place,
                      fmt::format("the limits {} and {} of the joint '{}' are in the wrong order",
                                  coordinate.limits->lower, coordinate.limits->upper, joint.name),
                      "it moves without limits");
      coordinate.limits.reset();
    }
}

void choose_bases(Robot& robot, RobotOptions::Base base) {
  using enum RobotOptions::Base;
  for (Joint& joint : robot.joints) {
    if (base == fixed && joint.kind == Joint::Kind::floating) joint.kind = Joint::Kind::fixed;
    if (base == floating && joint.kind == Joint::Kind::fixed &&
        robot.find(joint.parent)->is_world && has_mass_in_all(robot, *robot.find(joint.child)))
      joint.kind = Joint::Kind::floating;
  }
  for (const Link& link : robot.links) {
    if (robot.joint_of(link.name)) continue;
    if (base == fixed || link.is_world || (base == as_written && stands_still(robot, link)))
      robot.fixed.push_back(link.name);
  }
}

void drop_obstacles(Robot& robot) {
  for (Link& link : robot.links)
    if (link.is_world)
      std::erase_if(link.parts, [&](const Part& part) { return part.link == link.name; });
}

void part_the_world(Robot& robot) {
  std::vector<Part> parts;
  for (Link& link : robot.links)
    if (link.is_world) parts.insert(parts.end(), link.parts.begin(), link.parts.end());
  for (Link& link : robot.links)
    if (link.is_world) link.parts.clear();
  for (Part& part : parts) {
    Link link;
    const std::string wish = !part.name.empty()     ? part.name
                             : part.link == "world" ? "ground"
                                                    : part.link;
    link.name = wish;
    for (int k = 2; robot.find(link.name); ++k) link.name = fmt::format("{} {}", wish, k);
    link.place = part.place;
    link.is_obstacle = true;
    link.parts.push_back(std::move(part));
    robot.fixed.push_back(link.name);
    robot.links.push_back(std::move(link));
  }
}

void merge_links_on_fixed_joints(Robot& robot) {
  for (auto joint = robot.joints.begin(); joint != robot.joints.end();) {
    if (joint->kind != Joint::Kind::fixed) {
      ++joint;
      continue;
    }
    const Joint gone = *joint;
    robot.joints.erase(joint);
    merge(*robot.find(gone.parent), *robot.find(gone.child), gone.origin);
    for (Closure& closure : robot.closures) move_ends(closure, gone);
    for (Joint& other : robot.joints)
      if (other.parent == gone.child) {
        other.parent = gone.parent;
        other.origin = moved(gone.origin, other.origin);
      }
    std::erase_if(robot.links, [&](const Link& link) { return link.name == gone.child; });
    joint = robot.joints.begin();
  }
}

}  // namespace scree::robots

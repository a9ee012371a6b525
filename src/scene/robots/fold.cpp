/// Links that move but have neither mass nor collision: their joints become one universal,
/// cylindrical or planar joint, or the link gets a small mass.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scene/robots/inertia.hpp"
#include "scene/robots/robot.hpp"

namespace scree::robots {
namespace {

constexpr double kSmall = 1e-3;  // mass and moments of such a link over those of its neighbour [-]

Joint* only_joint(Robot& robot, const std::string& link, std::string Joint::*end) {
  Joint* found = nullptr;
  for (Joint& joint : robot.joints) {
    if (joint.*end != link) continue;
    if (found) return nullptr;
    found = &joint;
  }
  return found;
}

bool is_hinge(const Joint* joint) { return joint && joint->kind == Joint::Kind::hinge; }
bool is_slider(const Joint* joint) { return joint && joint->kind == Joint::Kind::slider; }

constexpr double kAngle = 1e-7;  // between axes [rad]

/// Point where the axes of two hinges cross at right angles, in the frame of the second one's
/// child; none if they do not.
std::optional<Vec3> crossing(const Joint& first, const Joint& second) {
  const Pose frame = after(second);  // in that of the link between
  const Coordinate &one = first.coordinates[0], &other = second.coordinates[0];
  const Vec3 a = one.axis, b = rotate(frame.orientation, other.axis),
             apart = moved(frame, {other.anchor, {}}).position - one.anchor;
  constexpr double kDistance = 1e-7;
  if (std::abs(dot(a, b)) > kAngle) return {};
  if (std::abs(dot(apart, cross(a, b))) > kDistance) return {};
  // The point of the second axis that is nearest to the first one
  const Vec3 on_b = one.anchor + apart - dot(apart, b) * b;
  return seen_from(frame, {on_b, {}}).position;
}

/// Joint that moves as two or three do, without the links between them; its name and its ends are
/// not set. None if there is no such kind.
std::optional<Joint> universal_of(const Joint& first, const Joint& second) {
  if (!is_hinge(&first) || !is_hinge(&second)) return {};
  const auto at = crossing(first, second);
  if (!at) return {};
  Joint joint{.kind = Joint::Kind::universal, .origin = first.origin, .at = *at};
  joint.coordinates = {first.coordinates[0], second.coordinates[0]};
  joint.coordinates[1].offset = second.origin;
  return joint;
}

/// A slider and a hinge along the same direction.
std::optional<Joint> cylindrical_of(const Joint& first, const Joint& second) {
  if (!is_slider(&first) || !is_hinge(&second)) return {};
  const Coordinate& turn = second.coordinates[0];
  const Vec3 axis = rotate(second.origin.orientation, turn.axis);
  if (norm(axis - first.coordinates[0].axis) > kAngle) return {};
  Joint joint{.kind = Joint::Kind::cylindrical, .origin = first.origin, .at = second.at};
  joint.coordinates = {first.coordinates[0], turn};
  joint.coordinates[1].offset = second.origin;
  return joint;
}

/// Two sliders and a hinge, all at right angles to each other.
std::optional<Joint> planar_of(const Joint& first, const Joint& second, const Joint& third) {
  if (!is_slider(&first) || !is_slider(&second) || !is_hinge(&third)) return {};
  const Pose last = moved(second.origin, third.origin);
  Coordinate x = first.coordinates[0], y = second.coordinates[0], turn = third.coordinates[0];
  y.axis = rotate(second.origin.orientation, y.axis);
  const Vec3 z = rotate(last.orientation, turn.axis);
  if (dot(cross(x.axis, y.axis), z) < 0) std::swap(x, y);
  if (norm(cross(x.axis, y.axis) - z) > kAngle) return {};
  turn.offset = last;
  Joint joint{.kind = Joint::Kind::planar, .origin = first.origin, .at = third.at};
  joint.coordinates = {x, y, turn};
  return joint;
}

std::string kind_in_words(Joint::Kind kind) {
  return kind == Joint::Kind::universal ? "universal"
         : kind == Joint::Kind::planar  ? "planar"
                                        : "cylindrical";
}

/// Replaces joints that follow each other by one.
void replace(Robot& robot, const std::vector<std::string>& names, Joint joint, Findings& findings) {
  std::set<std::string> between;
  for (const std::string& name : names) {
    const auto old = std::ranges::find(robot.joints, name, &Joint::name);
    if (joint.name.empty()) {
      joint.parent = old->parent;
      joint.place = old->place;
    }
    joint.name += (joint.name.empty() ? "" : ", ") + name;
    if (name != names.back()) between.insert(old->child);
    joint.child = old->child;
  }
  for (const std::string& name : between) {
    const Link& link = *robot.find(name);
    const std::string done =
        fmt::format("its joints are one {} joint, '{}'", kind_in_words(joint.kind), joint.name);
    if (!link.is_between)
      findings.repair(link.place,
                      fmt::format("the link '{}' moves but has neither mass nor collision", name),
                      done);
  }
  if (robot.find(*between.begin())->is_between)
    findings.remark(joint.place,
                    fmt::format("hinges and sliders of one body are one {} joint, '{}'",
                                kind_in_words(joint.kind), joint.name));
  *std::ranges::find(robot.joints, names[0], &Joint::name) = joint;
  std::erase_if(robot.joints, [&](const Joint& other) {
    return std::ranges::find(names, other.name) != names.end();
  });
  std::erase_if(robot.links, [&](const Link& link) { return between.contains(link.name); });
}

/// Link with a mass that is nearest to a link, first among those that hang on it; null if none.
const Link* neighbour_with_mass(const Robot& robot, const std::string& link, bool downwards) {
  for (const Joint& joint : robot.joints) {
    if ((downwards ? joint.parent : joint.child) != link) continue;
    const Link* next = robot.find(downwards ? joint.child : joint.parent);
    if (next->has_mass()) return next;
    if (const Link* far = neighbour_with_mass(robot, next->name, downwards)) return far;
  }
  return nullptr;
}

void give_small_mass(const Robot& robot, Link& link, Findings& findings) {
  const Link* like = neighbour_with_mass(robot, link.name, true);
  if (!like) like = neighbour_with_mass(robot, link.name, false);
  Inertia small{1, {}, 0.01 * Eigen::Matrix3d::Identity()};
  if (like)
    small = {
        like->inertia->mass, {}, like->inertia->tensor.trace() / 3 * Eigen::Matrix3d::Identity()};
  link.inertia = Inertia{kSmall * small.mass, {}, kSmall * small.tensor};
  link.inertia_place = link.place;
  const std::string mass =
      fmt::format("{:.3g} kg{}", link.inertia->mass,
                  like ? fmt::format(", a thousandth of '{}'", like->name) : "");
  if (link.is_between)
    findings.remark(link.place, fmt::format("a body between two joints of one body, '{}', has {}",
                                            link.name, mass));
  else
    findings.repair(
        link.place,
        fmt::format("the link '{}' moves but has neither mass nor collision", link.name),
        fmt::format("it gets {}", mass));
}

bool is_empty(const Robot& robot, const Link& link) {
  return !link.has_mass() && !robot.is_fixed(link.name);
}

/// Makes one joint of those at a link without mass; false if that cannot be done.
bool fold_at(Robot& robot, const Link& link, Findings& findings) {
  if (!is_empty(robot, link)) return false;
  const Joint *first = only_joint(robot, link.name, &Joint::child),
              *second = only_joint(robot, link.name, &Joint::parent);
  if (!first || !second) return false;
  const Link& next = *robot.find(second->child);
  const Joint* third =
      is_empty(robot, next) ? only_joint(robot, next.name, &Joint::parent) : nullptr;
  if (auto joint = third ? planar_of(*first, *second, *third) : std::nullopt) {
    replace(robot, {first->name, second->name, third->name}, std::move(*joint), findings);
    return true;
  }
  auto joint = universal_of(*first, *second);
  if (!joint) joint = cylindrical_of(*first, *second);
  if (joint) replace(robot, {first->name, second->name}, std::move(*joint), findings);
  return joint.has_value();
}

}  // namespace

void fold_links_without_mass(Robot& robot, Findings& findings) {
  for (std::size_t k = 0; k < robot.links.size();)
    if (!fold_at(robot, robot.links[k], findings))
      ++k;
    else
      k = 0;
  std::vector<Link*> left;
  for (Link& link : robot.links)
    if (is_empty(robot, link)) left.push_back(&link);
  for (Link* link : left) give_small_mass(robot, *link, findings);
}

}  // namespace scree::robots

/// Links that move but have neither mass nor collision: two hinges become a universal joint, or the
/// link gets a small mass.
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

/// Point where the axes of two hinges cross at right angles, in the frame of the second one's
/// child; none if they do not.
std::optional<Vec3> crossing(const Joint& first, const Joint& second) {
  const Pose frame = after(second);  // in that of the link between
  const Vec3 a = first.coordinates[0].axis,
             b = rotate(frame.orientation, second.coordinates[0].axis), apart = frame.position;
  constexpr double kAngle = 1e-7, kDistance = 1e-7;
  if (std::abs(dot(a, b)) > kAngle) return {};
  if (std::abs(dot(apart, cross(a, b))) > kDistance) return {};
  // The point of the second axis that is nearest to the first one
  const Vec3 on_b = apart - dot(apart, b) * b;
  return seen_from(frame, {on_b, {}}).position;
}

/// Makes one universal joint of two hinges, without the link between them.
void fold(Robot& robot, Joint& first, Joint& second, const Vec3& at, Findings& findings) {
  const std::string between = first.child, name = first.name + ", " + second.name;
  findings.repair(robot.find(between)->place,
                  fmt::format("the link '{}' moves but has neither mass nor collision", between),
                  fmt::format("its joints are one universal joint, '{}'", name));
  first.name = name;
  first.kind = Joint::Kind::universal;
  first.child = second.child;
  first.coordinates.push_back(second.coordinates[0]);
  first.coordinates[1].offset = second.origin;
  first.at = at;
  const std::string gone = second.name;
  std::erase_if(robot.joints, [&](const Joint& joint) { return joint.name == gone; });
  std::erase_if(robot.links, [&](const Link& link) { return link.name == between; });
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
  findings.repair(link.place,
                  fmt::format("the link '{}' moves but has neither mass nor collision", link.name),
                  fmt::format("it gets {:.3g} kg{}", link.inertia->mass,
                              like ? fmt::format(", a thousandth of '{}'", like->name) : ""));
}

bool is_empty(const Robot& robot, const Link& link) {
  return !link.has_mass() && !robot.is_fixed(link.name);
}

}  // namespace

void fold_links_without_mass(Robot& robot, Findings& findings) {
  for (std::size_t k = 0; k < robot.links.size();) {
    const std::string name = robot.links[k].name;
    Joint *first = only_joint(robot, name, &Joint::child),
          *second = only_joint(robot, name, &Joint::parent);
    const auto at = is_empty(robot, robot.links[k]) && is_hinge(first) && is_hinge(second)
                        ? crossing(*first, *second)
                        : std::nullopt;
    if (at)
      fold(robot, *first, *second, *at, findings);
    else
      ++k;
  }
  std::vector<Link*> left;
  for (Link& link : robot.links)
    if (is_empty(robot, link)) left.push_back(&link);
  for (Link* link : left) give_small_mass(robot, *link, findings);
}

}  // namespace scree::robots

/// Links that do not touch each other: neighbours, and those that overlap where they start.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "scene/robots/inertia.hpp"
#include "scene/robots/robot.hpp"
#include "scree/collision/contact_points.hpp"

namespace scree::robots {
namespace {

using Poses = std::map<std::string, Pose>;

/// Ball around the parts of a link, in the world.
struct Ball {
  Vec3 centre;
  double radius = 0;
};

bool are_in(const std::set<std::pair<std::string, std::string>>& pairs, const std::string& a,
            const std::string& b) {
  return pairs.contains({a, b}) || pairs.contains({b, a});
}

/// True if the file lets two parts touch.
bool may_touch(const Robot& robot, const Part& a, const Part& b) {
  if (are_in(robot.touching, a.name, b.name)) return true;
  if (are_in(robot.excluded, a.link, b.link)) return false;
  return (a.filter.type & b.filter.affinity) != 0 || (b.filter.type & a.filter.affinity) != 0;
}

bool may_touch(const Robot& robot, const Link& a, const Link& b) {
  return std::ranges::any_of(a.parts, [&](const Part& one) {
    return std::ranges::any_of(b.parts,
                               [&](const Part& other) { return may_touch(robot, one, other); });
  });
}

Ball ball_around(const Link& link, const Pose& pose) {
  const Vec3 centre = pose_of(link.parts[0]).position;
  Ball ball{pose.position + rotate(pose.orientation, centre)};
  for (const Part& part : link.parts) ball.radius = std::max(ball.radius, reach_from(centre, part));
  return ball;
}

double distance_of(const Part& a, const Pose& at_a, const Part& b, const Pose& at_b) {
  return separation(shape_of(a), moved(at_a, pose_of(a)), shape_of(b), moved(at_b, pose_of(b)))
      .distance;
}

/// Depth to which two links overlap [m], 0 if they touch; none if they are apart.
std::optional<double> overlap_of(const Robot& robot, const Link& a, const Pose& at_a, const Link& b,
                                 const Pose& at_b) {
  const Ball of_a = ball_around(a, at_a), of_b = ball_around(b, at_b);
  if (norm(of_a.centre - of_b.centre) > of_a.radius + of_b.radius) return {};
  double depth = -std::numeric_limits<double>::infinity();
  for (const Part& one : a.parts)
    for (const Part& other : b.parts)
      if (may_touch(robot, one, other))
        depth = std::max(depth, -distance_of(one, at_a, other, at_b));
  constexpr double kTouching = 1e-6;  // of the smaller ball
  if (depth < -kTouching * std::min(of_a.radius, of_b.radius)) return {};
  // What stands on the ground touches it
  const bool is_on_ground = a.is_obstacle || b.is_obstacle;
  if (is_on_ground && depth < kTouching * std::min(of_a.radius, of_b.radius)) return {};
  return std::max(depth, 0.0);
}

/// True if a link becomes several obstacles, of which joints hold the first.
bool is_several(const Robot& robot, const Link& link) {
  return robot.is_fixed(link.name) && link.parts.size() > 1;
}

/// Adds a link, and those beyond it if it stands between two joints of one body.
void add_body(const Robot& robot, const std::string& link, std::set<std::string>& found) {
  if (!found.insert(link).second || !robot.find(link)->is_between) return;
  for (const Joint& joint : robot.joints) {
    if (joint.parent == link) add_body(robot, joint.child, found);
    if (joint.child == link) add_body(robot, joint.parent, found);
  }
}

/// Links that at most so many joints join to one.
std::set<std::string> neighbours_of(const Robot& robot, const std::string& link, int joints) {
  std::set<std::string> found{link};
  for (int k = 0; k < joints; ++k) {
    const std::set<std::string> before = found;
    for (const Joint& joint : robot.joints) {
      if (joint.kind == Joint::Kind::floating) continue;
      if (before.contains(joint.parent)) add_body(robot, joint.child, found);
      if (before.contains(joint.child)) add_body(robot, joint.parent, found);
    }
  }
  return found;
}

bool are_on_one_joint(const Robot& robot, const Link& a, const Link& b) {
  return std::ranges::any_of(robot.joints, [&](const Joint& joint) {
    return joint.kind != Joint::Kind::floating &&
           ((joint.parent == a.name && joint.child == b.name) ||
            (joint.parent == b.name && joint.child == a.name));
  });
}

/// Depth of a link in a plane [m]; 0 if it does not reach it.
double depth_in(const Robot& robot, const Part& plane, const Link& link, const Pose& pose) {
  double depth = 0;
  for (const Part& part : link.parts)
    if (may_touch(robot, plane, part)) depth = std::max(depth, -distance_of(plane, {}, part, pose));
  return depth;
}

/// True if a link hangs on a joint, over others.
bool hangs_on(const Robot& robot, const std::string& link, const Joint& joint) {
  const Joint* at = robot.joint_of(link);
  while (at && at != &joint) at = robot.joint_of(at->parent);
  return at;
}

/// Coordinate of a slider among the joints of a body in the world that moves it along a direction;
/// null if there is none.
Coordinate* lift_of(Robot& robot, Joint* joint, const Vec3& up) {
  constexpr double kAlong = 0.999;
  while (joint) {
    for (Coordinate& of : joint->coordinates)
      if (!of.turns && std::abs(dot(rotate(joint->origin.orientation, of.axis), up)) > kAlong)
        return &of;
    if (!robot.find(joint->child)->is_between) return nullptr;
    const auto next = std::ranges::find(robot.joints, joint->child, &Joint::parent);
    joint = next == robot.joints.end() ? nullptr : &*next;
  }
  return nullptr;
}

/// Raises what hangs on a joint of the world by a height; false if the joint does not allow it.
bool lift(Robot& robot, Joint& joint, const Vec3& up, double height) {
  if (joint.kind == Joint::Kind::floating) {
    joint.origin.position += height * up;
    return true;
  }
  Coordinate* by = lift_of(robot, &joint, up);
  if (!by) return false;
  const double start =
      by->start + height * (dot(by->axis, rotate_back(joint.origin.orientation, up)) > 0 ? 1 : -1);
  if (by->limits && !by->limits->hold(start)) return false;
  by->start = start;
  return true;
}

void raise_above(Robot& robot, const Link& ground, const Part& plane, Findings& findings) {
  const Vec3 up = rotate(plane.pose.orientation, {0, 0, 1});
  for (Joint& joint : robot.joints) {
    if (!robot.find(joint.parent)->is_world) continue;
    const Poses poses = place(robot);
    double depth = 0;
    for (const Link& link : robot.links)
      if (!robot.is_fixed(link.name) && hangs_on(robot, link.name, joint))
        depth = std::max(depth, depth_in(robot, plane, link, poses.at(link.name)));
    constexpr double kRounding = 1e-9;
    if (depth < kRounding || !lift(robot, joint, up, depth)) continue;
    findings.repair(robot.find(joint.child)->place,
                    fmt::format("what hangs on '{}' starts {:.3g} m below the plane '{}'",
                                joint.name, depth, ground.name),
                    "it is raised");
  }
}

}  // namespace

void raise_above_planes(Robot& robot, Findings& findings) {
  for (const Link& link : robot.links)
    if (link.is_obstacle && link.parts[0].kind == Part::Kind::plane)
      raise_above(robot, link, link.parts[0], findings);
}

void ignore_neighbours_and_overlaps(Robot& robot, Findings& findings) {
  const Poses at_start = place(robot), at_zero = place(robot, true);
  const auto overlap = [&](const Link& a, const Link& b) {
    const auto depth = overlap_of(robot, a, at_start.at(a.name), b, at_start.at(b.name));
    // Only the start tells how high a robot stands
    if (a.is_obstacle || b.is_obstacle) return depth;
    return std::max(depth, overlap_of(robot, a, at_zero.at(a.name), b, at_zero.at(b.name)));
  };
  for (auto b = robot.links.begin(); b != robot.links.end(); ++b) {
    if (b->parts.empty()) continue;
    const auto joined = neighbours_of(robot, b->name, 1);
    const auto near = neighbours_of(robot, b->name, robot.joints_between_ignored);
    for (auto a = robot.links.begin(); a != b; ++a) {
      const bool both_fixed = robot.is_fixed(a->name) && robot.is_fixed(b->name);
      if (a->parts.empty() || both_fixed) continue;
      const bool apart = joined.contains(a->name) || !may_touch(robot, *a, *b);
      const auto depth = apart ? std::nullopt : overlap(*a, *b);
      if (depth)
        findings.repair(
            b->place,
            fmt::format("the links '{}' and '{}' {} at the start", a->name, b->name,
                        *depth > 0 ? fmt::format("overlap by {:.3g} m", *depth) : "touch"),
            "they ignore each other");
      if (!may_touch(robot, *a, *b)) {
        robot.ignore.emplace_back(a->name, b->name);
        continue;
      }
      const bool joint_sees_to_it =
          are_on_one_joint(robot, *a, *b) && !is_several(robot, *a) && !is_several(robot, *b);
      if (depth || (near.contains(a->name) && !joint_sees_to_it))
        robot.ignore.emplace_back(a->name, b->name);
    }
  }
}

}  // namespace scree::robots

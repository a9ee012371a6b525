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

constexpr int kIgnored = 2;  // joints between links that ignore each other

/// Ball around the parts of a link, in the world.
struct Ball {
  Vec3 centre;
  double radius = 0;
};

Ball ball_around(const Link& link, const Pose& pose) {
  const Vec3 centre = pose_of(link.parts[0]).position;
  Ball ball{pose.position + rotate(pose.orientation, centre)};
  for (const Part& part : link.parts) ball.radius = std::max(ball.radius, reach_from(centre, part));
  return ball;
}

/// Depth to which two links overlap [m], 0 if they touch; none if they are apart.
std::optional<double> overlap_of(const Link& a, const Pose& at_a, const Link& b, const Pose& at_b) {
  const Ball of_a = ball_around(a, at_a), of_b = ball_around(b, at_b);
  if (norm(of_a.centre - of_b.centre) > of_a.radius + of_b.radius) return {};
  double depth = -std::numeric_limits<double>::infinity();
  for (const Part& one : a.parts)
    for (const Part& other : b.parts)
      depth = std::max(depth, -separation(shape_of(one), moved(at_a, pose_of(one)), shape_of(other),
                                          moved(at_b, pose_of(other)))
                                   .distance);
  constexpr double kTouching = 1e-6;  // of the smaller ball
  if (depth < -kTouching * std::min(of_a.radius, of_b.radius)) return {};
  return std::max(depth, 0.0);
}

/// True if a link becomes several obstacles, of which joints hold the first.
bool is_several(const Robot& robot, const Link& link) {
  return robot.is_fixed(link.name) && link.parts.size() > 1;
}

/// Links that at most so many joints join to one.
std::set<std::string> neighbours_of(const Robot& robot, const std::string& link, int joints) {
  std::set<std::string> found{link};
  for (int k = 0; k < joints; ++k) {
    const std::set<std::string> before = found;
    for (const Joint& joint : robot.joints) {
      if (joint.kind == Joint::Kind::floating) continue;
      if (before.contains(joint.parent)) found.insert(joint.child);
      if (before.contains(joint.child)) found.insert(joint.parent);
    }
  }
  return found;
}

}  // namespace

void ignore_neighbours_and_overlaps(Robot& robot, Findings& findings) {
  const Poses at_start = place(robot), at_zero = place(robot, true);
  const auto overlap = [&](const Link& a, const Link& b) {
    return std::max(overlap_of(a, at_start.at(a.name), b, at_start.at(b.name)),
                    overlap_of(a, at_zero.at(a.name), b, at_zero.at(b.name)));
  };
  for (auto b = robot.links.begin(); b != robot.links.end(); ++b) {
    if (b->parts.empty()) continue;
    const auto joined = neighbours_of(robot, b->name, 1);
    const auto near = neighbours_of(robot, b->name, kIgnored);
    for (auto a = robot.links.begin(); a != b; ++a) {
      const bool both_fixed = robot.is_fixed(a->name) && robot.is_fixed(b->name);
      if (a->parts.empty() || both_fixed) continue;
      const auto depth = joined.contains(a->name) ? std::nullopt : overlap(*a, *b);
      if (depth)
        findings.repair(
            b->place,
            fmt::format("the links '{}' and '{}' {} at the start", a->name, b->name,
                        *depth > 0 ? fmt::format("overlap by {:.3g} m", *depth) : "touch"),
            "they ignore each other");
      const bool joint_sees_to_it =
          joined.contains(a->name) && !is_several(robot, *a) && !is_several(robot, *b);
      if (depth || (near.contains(a->name) && !joint_sees_to_it))
        robot.ignore.emplace_back(a->name, b->name);
    }
  }
}

}  // namespace scree::robots

/// Rotors that are geared to joints. A rotor resists the motion of its joint alone. A scene has
/// none, so its inertia goes to the link that turns with the joint.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/robots/inertia.hpp"

namespace scree::robots {
namespace {

using Matrix = Eigen::Matrix3d;
using Vector = Eigen::Vector3d;

/// Axis of a hinge in the world.
struct Axis {
  Vec3 at, along;
};

Axis axis_of(const std::map<std::string, Pose>& poses, const Joint& joint, std::size_t k) {
  Joint until = joint;
  until.coordinates.resize(k + 1);
  const Pose frame = moved(poses.at(joint.parent), after(until));
  const Coordinate& of = joint.coordinates[k];
  return {moved(frame, {of.anchor, {}}).position, rotate(frame.orientation, of.axis)};
}

/// Moment of a link about an axis [kg m²].
double moment_about(const Axis& axis, const Link& link, const Pose& pose) {
  if (!link.inertia) return 0;
  const Inertia at = seen_at(pose, *link.inertia);
  const Vec3 arm = cross(at.centre - axis.at, axis.along);
  const Vector n(axis.along.x, axis.along.y, axis.along.z);
  return n.dot(at.tensor * n) + at.mass * dot(arm, arm);
}

bool hangs_below(const Robot& robot, std::string link, const std::string& root) {
  while (link != root) {
    const Joint* joint = robot.joint_of(link);
    if (!joint) return false;
    link = joint->parent;
  }
  return true;
}

/// True if the inertia of a rotor may go to the link that turns with it: the other side of the
/// joint stands still, or has a larger moment about the axis.
bool may_turn_with(const Robot& robot, const std::map<std::string, Pose>& poses, const Joint& joint,
                   const Axis& axis, double armature) {
  if (robot.is_fixed(joint.parent)) return true;
  double rest = 0;
  for (const Link& link : robot.links)
    if (!robot.is_fixed(link.name) && !hangs_below(robot, link.name, joint.child))
      rest += moment_about(axis, link, poses.at(link.name));
  return armature <= rest;
}

bool is_possible(const Matrix& tensor) {
  const Vector m = Eigen::SelfAdjointEigenSolver<Matrix>(tensor).eigenvalues();
  return m[0] >= 0 && m[0] + m[1] >= m[2];
}

/// Adds a moment about an axis, and about the others as little as a body needs: at most half of it,
/// as a disc has.
void add_moment(Matrix& tensor, const Vector& n, double moment) {
  const Matrix along = n * n.transpose(), across = Matrix::Identity() - along;
  double low = 0, high = 0.5;
  constexpr int kHalvings = 40;
  if (is_possible(tensor + moment * along)) high = 0;
  for (int k = 0; k < kHalvings && high > 0; ++k) {
    const double middle = (low + high) / 2;
    (is_possible(tensor + moment * (along + middle * across)) ? high : low) = middle;
  }
  tensor += moment * (along + high * across);
}

}  // namespace

void add_armatures(Robot& robot, Findings& findings) {
  const auto poses = place(robot);
  std::vector<Place> added, left_out;
  for (const Joint& joint : robot.joints)
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
      const Coordinate& of = joint.coordinates[k];
      if (of.armature == 0) continue;
      const Axis axis = axis_of(poses, joint, k);
      if (!of.turns || !may_turn_with(robot, poses, joint, axis, of.armature)) {
        left_out.push_back(of.place);
        continue;
      }
      added.push_back(of.place);
      const Vec3 n = rotate_back(poses.at(joint.child).orientation, axis.along);
      add_moment(robot.find(joint.child)->inertia->tensor, {n.x, n.y, n.z}, of.armature);
    }
  if (!added.empty())
    findings.remark(std::ranges::min(added),
                    fmt::format("armatures ({}) are approximated: the moments of the links behind "
                                "the joints have them",
                                added.size()));
  if (!left_out.empty())
    findings.remark(std::ranges::min(left_out),
                    fmt::format("armatures ({}) are not covered: of sliders, and those that exceed "
                                "the moment of the rest of the robot",
                                left_out.size()));
}

}  // namespace scree::robots

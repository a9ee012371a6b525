/// Robots: access to links and joints, and where the links are.
#include "scene/robots/robot.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace scree::robots {
namespace {

/// Text with spaces for newlines and the like, which values of attributes may have.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

}  // namespace

void Findings::repair(Place at, const std::string& found, const std::string& done) {
  const Repair repair{at, on_one_line(found), on_one_line(done)};
  const auto is_same = [&](const Repair& other) {
    return other.at == at && other.found == repair.found && other.done == repair.done;
  };
  if (std::ranges::none_of(repairs, is_same)) repairs.push_back(repair);
}

void Findings::remark(Place at, const std::string& text) {
  remarks.push_back({at, on_one_line(text)});
}

std::string Findings::in_words(Place at) const {
  if (at.file == 0) return fmt::format("line {}", at.line);
  return fmt::format("{}:{}", file_of(at).filename().string(), at.line);
}

void Findings::sort() {
  std::ranges::stable_sort(repairs, {}, &Repair::at);
  std::ranges::stable_sort(remarks, {}, &Remark::at);
}

const Link* Robot::find(const std::string& link) const {
  const auto found = std::ranges::find(links, link, &Link::name);
  return found == links.end() ? nullptr : &*found;
}
Link* Robot::find(const std::string& link) {
  return const_cast<Link*>(std::as_const(*this).find(link));
}

const Joint* Robot::joint_of(const std::string& child) const {
  const auto found = std::ranges::find(joints, child, &Joint::child);
  return found == joints.end() ? nullptr : &*found;
}

Coordinate* Robot::coordinate(const std::string& joint) {
  for (Joint& each : joints)
    for (Coordinate& coordinate : each.coordinates)
      if (coordinate.name == joint) return &coordinate;
  return nullptr;
}

bool Robot::is_fixed(const std::string& link) const {
  return std::ranges::find(fixed, link) != fixed.end();
}

void prefix_names(Robot& robot, const std::string& prefix) {
  const auto rename = [&](std::string& name) { name.insert(0, prefix); };
  for (Link& link : robot.links) rename(link.name);
  for (Joint& joint : robot.joints) {
    rename(joint.name);
    rename(joint.parent);
    rename(joint.child);
    for (Coordinate& coordinate : joint.coordinates) {
      rename(coordinate.name);
      if (coordinate.mimic) rename(coordinate.mimic->joint);
    }
  }
  for (std::string& link : robot.fixed) rename(link);
  for (auto& [a, b] : robot.ignore) {
    rename(a);
    rename(b);
  }
  for (Closure& closure : robot.closures) {
    rename(closure.name);
    rename(closure.a);
    rename(closure.b);
  }
}

Pose seen_from(const Pose& of, const Pose& pose) {
  const Quaternion back = conjugate(of.orientation);
  return {rotate(back, pose.position - of.position), normalised(back * pose.orientation)};
}

Pose after(const Joint& joint, bool at_zero) {
  Pose pose = joint.origin;
  for (const Coordinate& coordinate : joint.coordinates) {
    pose = moved(pose, coordinate.offset);
    const double value = at_zero ? 0 : coordinate.start;
    if (value == 0) continue;
    if (coordinate.turns) {
      const Quaternion before = pose.orientation;
      pose.orientation = normalised(before * rotation(coordinate.axis, value));
      pose.position +=
          rotate(before, coordinate.anchor) - rotate(pose.orientation, coordinate.anchor);
    } else {
      pose.position += value * rotate(pose.orientation, coordinate.axis);
    }
  }
  return pose;
}

std::map<std::string, Pose> place(const Robot& robot, bool at_zero) {
  std::map<std::string, Pose> poses;
  for (const Link& link : robot.links)
    if (!robot.joint_of(link.name)) poses[link.name] = {};
  // Parents first, independent of the order of the file
  for (std::size_t before = 0; before != poses.size();) {
    before = poses.size();
    for (const Joint& joint : robot.joints)
      if (poses.contains(joint.parent) && !poses.contains(joint.child))
        poses[joint.child] = moved(poses[joint.parent], after(joint, at_zero));
  }
  return poses;
}

}  // namespace scree::robots

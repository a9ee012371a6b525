/// Trees of bodies: their links, their coordinates, and changes of both.
#include <algorithm>
#include <numbers>

#include "scree/core/error.hpp"
#include "scree/sim/solid_prototype.hpp"
#include "sim/dynamics/joint_tree_internals.hpp"
#include "sim/joints/joint_functions.hpp"

namespace scree {
namespace {

bool is_fixed_end(BodyId end) { return end == kWorld || is_obstacle(end); }

void require_in_tree(const Simulation& simulation, std::uint32_t k) {
  const Joint& joint = simulation.model().joints[k];
  const auto refuse = [&](const std::string& reason) {
    throw InputError("joint '" + joint.name + "' " + reason);
  };
  if (is_loose(joint.kind))
    refuse("is a " + std::string(name(joint.kind)) + ", which has no place in a tree of joints");
  const auto is_there = [&](BodyId end) { return is_fixed_end(end) || simulation.has_body(end); };
  if (simulation.state().joints[k].broken_at >= 0 || !is_there(joint.a.body) ||
      !is_there(joint.b.body))
    refuse("is gone; a tree needs all of its joints");
  for (const BodyId end : {joint.a.body, joint.b.body})
    if (!is_fixed_end(end) &&
        simulation.model().prototypes[simulation.body(end).prototype].locked.any())
      refuse("holds a body with locked axes, which trees of joints do not support");
}

std::size_t coordinates_of_link(JointKind kind) {
  return kind == JointKind::spherical ? 4 : coordinates_of(kind).size();
}

}  // namespace

JointTree::JointTree(Simulation& simulation)
    : internals_(std::make_unique<Internals>(Internals{simulation})) {
  if (simulation.model().domain.repeats())
    throw InputError("trees of joints do not work in a periodic cell");
  Internals& own = *internals_;
  own.find_links();
  own.number_rates();
  if (!own.links.empty()) own.origin = simulation.body(own.links[0].id).position;
  own.find_columns();
}

JointTree::~JointTree() = default;

std::size_t JointTree::size() const { return internals_->columns.size(); }

void JointTree::Internals::add_link(std::uint32_t joint, std::size_t parent, BodyId id) {
  const double sign = simulation.model().joints[joint].b.body == id ? 1 : -1;
  for (const Link& link : links)
    if (link.id == id)
      throw InputError("joint '" + simulation.model().joints[joint].name +
                       "' closes a loop; leave one joint of the loop out");
  links.push_back({id, parent, joint, sign});
}

/// Adds all bodies below links from this one on.
void JointTree::Internals::add_children(std::size_t from, std::vector<bool>& used) {
  const auto& joints = simulation.model().joints;
  for (std::size_t parent = from; parent < links.size(); ++parent)
    for (std::uint32_t k = 0; k < joints.size(); ++k) {
      const BodyId a = joints[k].a.body, b = joints[k].b.body, own = links[parent].id;
      if (used[k] || (a != own && b != own)) continue;
      used[k] = true;
      add_link(k, parent, a == own ? b : a);
    }
}

void JointTree::Internals::find_links() {
  const auto& joints = simulation.model().joints;
  std::vector<bool> used(joints.size());
  std::vector<BodyId> bodies;
  for (std::uint32_t k = 0; k < joints.size(); ++k) {
    used[k] = is_gear(joints[k].kind) || simulation.state().joints[k].detached_at >= 0;
    if (used[k]) continue;
    require_in_tree(simulation, k);
    const BodyId a = joints[k].a.body, b = joints[k].b.body;
    for (const BodyId end : {a, b})
      if (!is_fixed_end(end)) bodies.push_back(end);
    if (!is_fixed_end(a) && !is_fixed_end(b)) continue;
    used[k] = true;
    add_link(k, kRoot, is_fixed_end(a) ? b : a);
  }
  add_children(0, used);
  std::ranges::sort(bodies);
  for (const BodyId body : bodies) {
    if (std::ranges::find(links, body, &Link::id) != links.end()) continue;
    links.push_back({body});
    add_children(links.size() - 1, used);
  }
}

/// Gives rates and coordinates their order: bases, then joints.
void JointTree::Internals::number_rates() {
  std::size_t rate = 0;
  std::vector<Link*> of_joint(simulation.model().joints.size());
  for (Link& link : links) {
    if (!link.is_base()) {
      of_joint[link.joint] = &link;
      continue;
    }
    link.first = rate;
    link.count = 6;
    link.first_coordinate = coordinates;
    rate += 6;
    coordinates += 7;
  }
  for (std::size_t k = 0; k < of_joint.size(); ++k) {
    if (!of_joint[k]) continue;
    Link& link = *of_joint[k];
    const JointKind kind = simulation.model().joints[k].kind;
    link.first = rate;
    link.count = coordinates_of(kind).size();
    link.first_coordinate = coordinates;
    rate += link.count;
    coordinates += coordinates_of_link(kind);
  }
  columns.resize(rate);
}

Pose JointTree::Internals::pose_of_end(BodyId end) const {
  if (end == kWorld) return {};
  if (is_obstacle(end)) return simulation.state().obstacles[end.value - kFirstObstacleId].pose;
  const Body body = simulation.body(end);
  return {body.position, body.orientation};
}

Twist JointTree::Internals::twist_of_end(BodyId end) const {
  if (end == kWorld) return {};
  if (is_obstacle(end)) return simulation.state().obstacles[end.value - kFirstObstacleId].twist;
  const Body body = simulation.body(end);
  return {body.velocity, body.angular_velocity};
}

/// Pose of the frame of a base.
Pose JointTree::Internals::frame_of_base(const Link& base) const {
  const Body body = simulation.body(base.id);
  return shape_pose(simulation.model().prototypes[body.prototype], body.radius,
                    {body.position, body.orientation});
}

void JointTree::Internals::find_columns() {
  const Model& model = simulation.model();
  const auto rotation_about = [&](const Vec3& axis, const Vec3& at, std::size_t carriers) {
    return Column{{axis, cross(at - origin, axis)}, carriers};
  };
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Link& link : links) {
    Column* own = columns.data() + link.first;
    if (link.is_base()) {
      const Vec3 at = frame_of_base(link).position;
      for (const Vec3& axis : axes) *own++ = {{{}, axis}, 0};
      for (const Vec3& axis : axes) *own++ = rotation_about(axis, at, 3);
      continue;
    }
    const Joint& joint = model.joints[link.joint];
    const Pose a = pose_of_end(joint.a.body), b = pose_of_end(joint.b.body);
    const JointFrames f = frames_of(model.domain, joint, state_of(link), a, b);
    const Vec3 at = b.position + f.arm_b;
    if (joint.kind == JointKind::spherical) {
      for (const Vec3& axis : {f.x, f.y, f.z}) *own++ = rotation_about(axis, at, 0);
      continue;
    }
    const JointFunctions rows = functions_of(joint, f, {});
    for (std::size_t k = 0; k < link.count; ++k) {
      own[k] = rotation_about(rows.free[k].angular, at, k);
      own[k].motion.linear += rows.free[k].axis;
    }
    if (joint.kind == JointKind::screw)
      own->motion.linear += joint.pitch / (2 * std::numbers::pi) * f.z;
  }
}

std::vector<BodyId> JointTree::bases() const {
  std::vector<BodyId> bases;
  for (const Internals::Link& link : internals_->links)
    if (link.is_base()) bases.push_back(link.id);
  return bases;
}

std::vector<std::string> JointTree::rate_names(
    const std::function<std::string(BodyId)>& name_of) const {
  std::vector<std::string> names(size());
  for (const Internals::Link& link : internals_->links) {
    std::string* own = names.data() + link.first;
    if (link.is_base()) {
      for (const char* part :
           {".velocity_x", ".velocity_y", ".velocity_z", ".turn_x", ".turn_y", ".turn_z"})
        *own++ = name_of(link.id) + part;
    } else {
      for (const FreeCoordinate& each : free_coordinates({&internals_->joint_of(link), 1}))
        *own++ = each.name;
    }
  }
  return names;
}

}  // namespace scree

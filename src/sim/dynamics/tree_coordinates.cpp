/// Coordinates and rates of trees of bodies: read them, and set them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/core/error.hpp"
#include "scree/sim/solid_prototype.hpp"
#include "sim/dynamics/joint_tree_internals.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/motion/body_motion.hpp"

namespace scree {
namespace {

Pose inverse(const Pose& pose) {
  return {rotate_back(pose.orientation, -pose.position), conjugate(pose.orientation)};
}

Quaternion quaternion_from(const double* q) {
  const Quaternion given{q[0], q[1], q[2], q[3]};
  if (!(norm(given) > 0)) throw InputError("an orientation among the coordinates has the length 0");
  return normalised(given);
}

/// Pose of the frame in B in that in A.
Pose pose_between(const Joint& joint, const double* q) {
  const Vec3 z{0, 0, 1};
  switch (joint.kind) {
    case JointKind::revolute:
      return {{}, rotation(z, q[0])};
    case JointKind::prismatic:
      return {q[0] * z, {}};
    case JointKind::cylindrical:
      return {q[0] * z, rotation(z, q[1])};
    case JointKind::universal:
      return {{}, rotation(z, q[0]) * rotation({1, 0, 0}, q[1])};
    case JointKind::planar:
      return {{q[0], q[1], 0}, rotation(z, q[2])};
    case JointKind::screw:
      return {joint.pitch / (2 * std::numbers::pi) * q[0] * z, rotation(z, q[0])};
    case JointKind::spherical:
      return {{}, quaternion_from(q)};
    default:
      return {};
  }
}

void require_numbers(std::span<const double> numbers, std::size_t size, const char* what) {
  if (numbers.size() != size)
    throw InputError("there are " + std::to_string(size) + " " + what + ", not " +
                     std::to_string(numbers.size()));
  for (const double x : numbers)
    if (!std::isfinite(x)) throw InputError(std::string(what) + " must be finite");
}

/// Pose of a link at coordinates of its own, and of the body at the other end of its joint.
Pose pose_at(const Joint& joint, const Pose& frame_b, bool is_end_b, const Pose& other,
             const double* q) {
  const Pose between = pose_between(joint, q);
  if (is_end_b) return moved(moved(moved(other, joint.a.frame), between), inverse(frame_b));
  return moved(moved(moved(other, frame_b), inverse(between)), inverse(joint.a.frame));
}

/// Coordinates of a joint in the state, from those of its link in a tree.
std::array<double, kMaxDrives> state_coordinates(JointKind kind, const double* q,
                                                 std::size_t count) {
  std::array<double, kMaxDrives> all{};
  if (kind != JointKind::spherical) {
    std::copy_n(q, count, all.begin());
    return all;
  }
  const Vec3 turn = rotation_vector(quaternion_from(q), {});
  return {turn.x, turn.y, turn.z, norm(turn)};
}

/// Energy of the springs of a joint at its coordinates [J].
double spring_energy(const Joint& joint, const JointState& state) {
  double energy = 0;
  for (std::size_t d = 0; d < joint.drives.size(); ++d) {
    const double stretch = state.coordinate[d] - joint.drives[d].rest;
    energy += 0.5 * joint.drives[d].stiffness * stretch * stretch;
  }
  return energy;
}

/// Checks that the coordinates of joints fit their gears.
void require_gears(const Model& model, const State& state) {
  constexpr double kTolerance = 1e-6;
  for (const Joint& gear : model.joints) {
    if (!is_gear(gear.kind)) continue;
    const auto value = [&](const GearEnd& end) {
      return state.joints[end.joint].coordinate[static_cast<std::size_t>(end.coordinate)];
    };
    const double first = value(gear.geared[0]), second = gear.ratio * value(gear.geared[1]);
    if (!(std::abs(first - second - gear.offset) <=
          kTolerance * (1 + std::abs(first) + std::abs(second))))
      throw InputError("the gear '" + gear.name +
                       "' does not allow these coordinates: " + std::to_string(first) +
                       " should be " + std::to_string(second + gear.offset));
  }
}

}  // namespace

std::vector<double> JointTree::coordinates() const {
  const Internals& own = *internals_;
  std::vector<double> all(own.coordinates);
  for (const Internals::Link& link : own.links) {
    double* to = all.data() + link.first_coordinate;
    const auto take = [&](const Quaternion& q) {
      for (const double x : {q.w, q.x, q.y, q.z}) *to++ = x;
    };
    if (link.is_base()) {
      const Pose pose = own.frame_of_base(link);
      for (int k = 0; k < 3; ++k) *to++ = pose.position[k];
      take(pose.orientation);
      continue;
    }
    const Joint& joint = own.joint_of(link);
    if (joint.kind == JointKind::spherical) {
      const auto frame = [&](const JointEnd& end) {
        return own.pose_of_end(end.body).orientation * end.frame.orientation;
      };
      take(conjugate(frame(joint.a)) *
           frame({joint.b.body, frame_b_of(joint, own.state_of(link))}));
      continue;
    }
    const auto& coordinate = own.simulation.state().joints[link.joint].coordinate;
    std::copy_n(coordinate.begin(), link.count, to);
  }
  return all;
}

std::vector<double> JointTree::rates() const {
  const Internals& own = *internals_;
  std::vector<double> all(size());
  for (const Internals::Link& link : own.links) {
    double* to = all.data() + link.first;
    const auto take = [&](const Vec3& v) {
      for (int k = 0; k < 3; ++k) *to++ = v[k];
    };
    if (link.is_base()) {
      const Pose pose = own.pose_of_end(link.id);
      const Twist twist = own.twist_of_end(link.id);
      take(velocity_at(pose, twist, own.frame_of_base(link).position));
      take(twist.angular);
      continue;
    }
    const Joint& joint = own.joint_of(link);
    const JointFrames f = frames_of(own.simulation.model().domain, joint, own.state_of(link),
                                    own.pose_of_end(joint.a.body), own.pose_of_end(joint.b.body));
    const auto motion_of_end = [&](BodyId end) {
      const Twist twist = own.twist_of_end(end);
      return Motion{twist.linear, twist.angular};
    };
    const Motion between =
        motion_between(f, motion_of_end(joint.a.body), motion_of_end(joint.b.body));
    if (joint.kind == JointKind::spherical) {
      const Vec3& w = between.angular_velocity;
      take({dot(w, f.x), dot(w, f.y), dot(w, f.z)});
      continue;
    }
    const JointFunctions rows = functions_of(joint, f, {});
    for (std::size_t k = 0; k < link.count; ++k) to[k] = rate_of(rows.free[k], between);
  }
  return all;
}

/// Poses of all links at some coordinates.
std::vector<Pose> JointTree::Internals::poses_at(std::span<const double> q) const {
  std::vector<Pose> poses;
  for (const Link& link : links) {
    const double* own = q.data() + link.first_coordinate;
    if (link.is_base()) {
      const Body body = simulation.body(link.id);
      poses.push_back(body_pose(simulation.model().prototypes[body.prototype], body.radius,
                                {{own[0], own[1], own[2]}, quaternion_from(own + 3)}));
      continue;
    }
    const Joint& joint = joint_of(link);
    const bool is_end_b = link.sign > 0;
    const Pose other = link.parent == kRoot ? pose_of_end(is_end_b ? joint.a.body : joint.b.body)
                                            : poses[link.parent];
    poses.push_back(pose_at(joint, frame_b_of(joint, state_of(link)), is_end_b, other, own));
  }
  return poses;
}

void JointTree::move_to(std::span<const double> coordinates) {
  Internals& own = *internals_;
  require_numbers(coordinates, own.coordinates, "coordinates");
  const std::vector<Pose> poses = own.poses_at(coordinates);
  const Model& model = own.simulation.model();
  State state = own.simulation.state();
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const Internals::Link& link = own.links[k];
    const BodyIndex i = own.simulation.index_of(link.id);
    const double before = total_energy(model, state.bodies, i);
    state.bodies.position[i] = poses[k].position;
    state.bodies.orientation[i] = poses[k].orientation;
    state.ledger.wall_work += total_energy(model, state.bodies, i) - before;
    state.sleep.disturb(i);
    if (link.is_base()) continue;
    JointState& memory = state.joints[link.joint];
    const JointState last = memory;
    memory = {.coordinate = state_coordinates(
                  own.joint_of(link).kind, coordinates.data() + link.first_coordinate, link.count),
              .stored = last.stored,
              .attached_at = last.attached_at,
              .frame_b = last.frame_b};
    const double stretched =
        spring_energy(own.joint_of(link), memory) - spring_energy(own.joint_of(link), last);
    memory.stored += stretched;
    state.ledger.wall_work += stretched;
  }
  require_gears(model, state);
  state.neighbours.valid = false;
  own.simulation.restore(state);
  own.find_columns();
}

void JointTree::change_rates(std::span<const double> rates) {
  const Internals& own = *internals_;
  require_numbers(rates, size(), "rates");
  const std::vector<double> none(size()), before = this->rates();
  const auto velocities = own.motions_at(rates, none, Internals::Ground::moves).velocity;
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    const BodyId id = own.links[k].id;
    const auto& [angular, linear] = velocities[k];
    const Vec3 arm = own.simulation.body(id).position - own.origin;
    own.simulation.change_velocity(id, linear + cross(angular, arm));
    own.simulation.change_angular_velocity(id, angular);
  }
  own.accelerate_rotors(before, rates);
}

/// Gives the rotors of joints the energy of other rates, as work from outside.
void JointTree::Internals::accelerate_rotors(std::span<const double> before,
                                             std::span<const double> after) const {
  State state = simulation.state();
  double work = 0;
  for (const Link& link : links)
    for (std::size_t r = link.first; r < link.first + link.count && !link.is_base(); ++r) {
      const double own = 0.5 * armature_of(r) * (after[r] * after[r] - before[r] * before[r]);
      state.joints[link.joint].stored += own;
      work += own;
    }
  if (work == 0) return;
  state.ledger.wall_work += work;
  simulation.restore(state);
}

}  // namespace scree

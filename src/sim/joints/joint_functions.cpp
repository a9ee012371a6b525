/// Kinds of joints. To add one: give it a name and an entry in kKinds, from existing building
/// blocks or a new one in `row`.
#include "sim/joints/joint_functions.hpp"

#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// Building blocks of rows.
enum class Block : std::uint8_t {
  none,
  shift_x,  // d·x
  shift_y,  // d·y
  shift_z,  // d·z
  tilt_x,   // z'·x: tilt of z' towards x
  tilt_y,   // z'·y
  twist,    // x'·y: rotation of B about z
  cross,    // x'·z: tilt of x' towards z
  length,   // |d|
  stretch,  // |d| − length
  angle_z,  // angle of x' about z
  angle_x,  // angle of B about x'
  helix,    // d·z − pitch · angle_z / 2π
  turn,     // ρ and |ρ|: all coordinates of a rotation about a point
  blade,    // velocity along z'
  roll_x,   // velocity of the lowest point along x
  roll_y    // the same along y
};

struct Kind {
  const char* name;
  std::array<Block, JointFunctions::kMaxHeld> held;
  std::array<Block, kMaxCoordinates> free;  // `turn` stands for all
  std::array<JointCoordinate, kMaxCoordinates> coordinates;
};

/// One per JointKind, in its order.
constexpr std::array<Kind, kJointKinds.size()> all_kinds() {
  using enum Block;
  constexpr JointCoordinate kAngle{"angle", true}, kSlide{"slide", false};
  return std::array<Kind, kJointKinds.size()>{
      Kind{"fixed", {shift_x, shift_y, shift_z, tilt_x, tilt_y, twist}, {}, {}},
      Kind{"spherical",
           {shift_x, shift_y, shift_z},
           {turn},
           {JointCoordinate{"turn_x", true}, JointCoordinate{"turn_y", true},
            JointCoordinate{"turn_z", true}}},
      Kind{"revolute", {shift_x, shift_y, shift_z, tilt_x, tilt_y}, {angle_z}, {kAngle}},
      Kind{"prismatic", {shift_x, shift_y, tilt_x, tilt_y, twist}, {shift_z}, {kSlide}},
      Kind{"cylindrical", {shift_x, shift_y, tilt_x, tilt_y}, {shift_z, angle_z}, {kSlide, kAngle}},
      Kind{"universal",
           {shift_x, shift_y, shift_z, cross},
           {angle_z, angle_x},
           {kAngle, JointCoordinate{"angle_2", true}}},
      Kind{"planar",
           {shift_z, tilt_x, tilt_y},
           {shift_x, shift_y, angle_z},
           {JointCoordinate{"slide_x", false}, JointCoordinate{"slide_y", false}, kAngle}},
      Kind{"distance", {stretch}, {}, {}},
      Kind{"screw", {shift_x, shift_y, tilt_x, tilt_y, helix}, {angle_z}, {kAngle}},
      Kind{"rope", {}, {length}, {JointCoordinate{"length", false}}},
      Kind{"gear", {}, {}, {}},
      Kind{"rack", {}, {}, {}},
      Kind{"knife_edge", {blade}, {}, {}},
      Kind{"rolling", {shift_z, roll_x, roll_y}, {}, {}}};
}
constexpr std::array<Kind, kJointKinds.size()> kKinds = all_kinds();

const Kind& kind_of(JointKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

/// Angle plus the full revolutions that bring it nearest to another [rad].
double next_to(double angle, double last) {
  constexpr double kRevolution = 2 * std::numbers::pi;
  return angle + kRevolution * std::round((last - angle) / kRevolution);
}

JointFunction shift(const JointFrames& f, const Vec3& axis) {
  return {dot(f.d, axis), axis, {}, false};
}
/// Row of·with, `of` an axis of B and `with` one of A.
JointFunction lean(const Vec3& of, const Vec3& with) {
  return {dot(of, with), {}, cross(of, with), true};
}
/// Row of |d| minus a length.
JointFunction stretched(const JointFrames& f, double length) {
  const double distance = norm(f.d);
  const Vec3 along = distance > 0 ? f.d / distance : f.z;
  return {distance - length, along, {}, false};
}
JointFunction angle_about_z(const JointFrames& f, double last) {
  return {next_to(std::atan2(dot(f.x_b, f.y), dot(f.x_b, f.x)), last), {}, f.z, true};
}

/// Adds the coordinates of a rotation by ρ: its components, and its length. Their rates are
///
///     dρ/dt = ω − ½ ρ×ω + c ρ×(ρ×ω),   c = (1 − |ρ|/2 cot(|ρ|/2)) / |ρ|²,   d|ρ|/dt = ω·ρ/|ρ|
void add_turns(JointFunctions& rows, const JointFrames& f, const Vec3& last) {
  constexpr double kSmall = 1e-3;
  const Vec3 turn = rotation_vector(f.relative, last),
             rho = turn.x * f.x + turn.y * f.y + turn.z * f.z;
  const double angle = norm(turn);
  const double c =
      angle < kSmall ? 1.0 / 12 : (1 - angle / 2 / std::tan(angle / 2)) / (angle * angle);
  const Vec3 axes[] = {f.x, f.y, f.z};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 across = cross(rho, axes[k]);
    rows.free[k] = {
        turn[static_cast<int>(k)], {}, axes[k] + 0.5 * across + c * cross(rho, across), true};
  }
  rows.free[3] = {angle, {}, angle > 0 ? rho / angle : f.z, true};
  rows.free_count = kMaxDrives;
}

JointFunction row(Block block, const Joint& joint, const JointFrames& f, double last) {
  switch (block) {
    case Block::shift_x:
      return shift(f, f.x);
    case Block::shift_y:
      return shift(f, f.y);
    case Block::shift_z:
      return shift(f, f.z);
    case Block::tilt_x:
      return lean(f.z_b, f.x);
    case Block::tilt_y:
      return lean(f.z_b, f.y);
    case Block::twist:
      return lean(f.x_b, f.y);
    case Block::cross:
      return lean(f.x_b, f.z);
    case Block::length:
      return stretched(f, 0);
    case Block::stretch:
      return stretched(f, joint.length);
    case Block::angle_z:
      return angle_about_z(f, last);
    case Block::angle_x:
      return {next_to(std::atan2(dot(f.z, f.y_b), dot(f.z, f.z_b)), last), {}, f.x_b, true};
    case Block::helix: {
      const double rise = joint.pitch / (2 * std::numbers::pi);
      return {dot(f.d, f.z) - rise * angle_about_z(f, last).value, f.z, -rise * f.z, false};
    }
    case Block::blade:
      return {0, f.z_b, {}, false, true};
    case Block::roll_x:
      return {0, f.x, -joint.length * f.y, false, true};
    case Block::roll_y:
      return {0, f.y, joint.length * f.x, false, true};
    case Block::turn:
    case Block::none:
      break;
  }
  return {};
}

/// rotate() of a unit vector along one axis.
Vec3 rotated_axis(const Quaternion& q, int axis) {
  const Vec3 v{q.x, q.y, q.z};
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  const double t_next = 2 * v[last], t_last = -2 * v[next];
  Vec3 to;
  to[axis] = 1 + (v[next] * t_last - v[last] * t_next);
  to[next] = q.w * t_next - v[axis] * t_last;
  to[last] = q.w * t_last + v[axis] * t_next;
  return to;
}

}  // namespace

Vec3 rotation_vector(const Quaternion& q, Vec3 last) {
  constexpr double kRevolution = 2 * std::numbers::pi;
  if (const double angle = norm(last); angle > std::numbers::pi) last *= 1 - kRevolution / angle;
  const Vec3 sine{q.x, q.y, q.z};
  const double length = norm(sine);
  if (length == 0) return {};
  const double angle = 2 * std::atan2(length, std::abs(q.w));
  const Vec3 along = (q.w < 0 ? -1 : 1) / length * sine;
  const Vec3 shorter = angle * along, longer = (angle - kRevolution) * along;
  return norm(shorter - last) <= norm(longer - last) ? shorter : longer;
}

std::string_view name(JointKind kind) { return kind_of(kind).name; }

std::span<const JointCoordinate> coordinates_of(JointKind kind) {
  const Kind& of = kind_of(kind);
  std::size_t count = 0;
  while (count < of.coordinates.size() && of.coordinates[count].name) ++count;
  return std::span(of.coordinates).first(count);
}

std::vector<FreeCoordinate> free_coordinates(std::span<const Joint> joints) {
  std::vector<FreeCoordinate> all;
  for (std::uint32_t k = 0; k < joints.size(); ++k) {
    const std::span<const JointCoordinate> own = coordinates_of(joints[k].kind);
    for (int d = 0; d < static_cast<int>(own.size()); ++d) {
      const auto i = static_cast<std::size_t>(d);
      const std::string given = i < joints[k].drives.size() ? joints[k].drives[i].name : "";
      const std::string of_joint =
          own.size() == 1 ? joints[k].name : joints[k].name + "." + own[i].name;
      all.push_back({given.empty() ? of_joint : given, k, d, own[i].is_angle});
    }
  }
  return all;
}

JointFrames frames_of(const Domain& domain, const Joint& joint, const JointState& state,
                      const Pose& a, const Pose& b) {
  JointFrames f;
  const Pose& frame_b = frame_b_of(joint, state);
  const Quaternion q_a = a.orientation * joint.a.frame.orientation,
                   q_b = b.orientation * frame_b.orientation;
  f.relative = conjugate(q_a) * q_b;
  f.x = rotated_axis(q_a, 0);
  f.y = rotated_axis(q_a, 1);
  f.z = rotated_axis(q_a, 2);
  f.x_b = rotated_axis(q_b, 0);
  f.y_b = rotated_axis(q_b, 1);
  f.z_b = rotated_axis(q_b, 2);
  f.arm_a = rotate(a.orientation, joint.a.frame.position);
  f.arm_b = rotate(b.orientation, frame_b.position);
  f.d = domain.separation(a.position + f.arm_a, b.position + f.arm_b);
  return f;
}

JointFunctions functions_of(const Joint& joint, const JointFrames& frames,
                            const std::array<double, kMaxDrives>& last) {
  const Kind& kind = kind_of(joint.kind);
  JointFunctions rows;
  rows.d = frames.d;
  for (const Block block : kind.held)
    if (block != Block::none)
      rows.held[static_cast<std::size_t>(rows.held_count++)] = row(block, joint, frames, last[0]);
  if (kind.free[0] == Block::turn) {
    add_turns(rows, frames, {last[0], last[1], last[2]});
    return rows;
  }
  for (const Block block : kind.free)
    if (block != Block::none) {
      const auto k = static_cast<std::size_t>(rows.free_count++);
      rows.free[k] = row(block, joint, frames, last[k]);
    }
  return rows;
}

JointFunctions functions_of_gear(const Joint& gear, const JointFunction& first,
                                 const JointFunction& second) {
  JointFunctions rows;
  rows.held_count = 1;
  rows.held[0] = {first.value - gear.ratio * second.value - gear.offset, {}, {}, first.is_angle};
  rows.free_count = 2;
  rows.free[0] = first;
  rows.free[1] = second;
  return rows;
}

}  // namespace scree

/// Joints: what holds two bodies together, and what drives, stops or brakes what they leave free.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// How B can move relative to A. x, y and z are the axes of the joint's frame in A, x', y' and z'
/// those of its frame in B; d leads from the origin of the one to that of the other.
enum class JointKind : std::uint8_t {
  fixed,        ///< not at all
  spherical,    ///< turns about a point
  revolute,     ///< turns about z
  prismatic,    ///< slides along z
  cylindrical,  ///< both
  universal,    ///< turns about z, and about x', which stays across z
  planar,       ///< slides along x and y, turns about z
  distance,     ///< keeps |d|
  screw,        ///< turns about z, and slides along it by its pitch a turn
  rope,         ///< as far as limits of |d| say
  gear,         ///< couples coordinates of two other joints, both angles or both lengths
  rack,         ///< the same of a length and an angle
};
inline constexpr std::array kJointKinds{
    JointKind::fixed,       JointKind::spherical, JointKind::revolute, JointKind::prismatic,
    JointKind::cylindrical, JointKind::universal, JointKind::planar,   JointKind::distance,
    JointKind::screw,       JointKind::rope,      JointKind::gear,     JointKind::rack};
std::string_view name(JointKind kind);
/// Whether a joint is one of coordinates of other joints, not of two bodies.
inline constexpr bool is_gear(JointKind kind) {
  return kind == JointKind::gear || kind == JointKind::rack;
}

/// What a joint leaves free: lengths [m] along axes, angles [rad] about them, in the order above.
struct JointCoordinate {
  const char* name;
  bool is_angle;
};
std::span<const JointCoordinate> coordinates_of(JointKind kind);
inline constexpr int kMaxCoordinates = 3;

/// One end of a joint that is held by nothing that moves.
inline constexpr BodyId kWorld{~std::uint64_t{0}};

struct JointEnd {
  BodyId body = kWorld;  ///< free body, obstacle or kWorld
  Pose frame;            ///< of the joint, in that of the body; of the world in the inertial one
};

/// What brings a coordinate where it is to be, or tries to.
struct Motor {
  enum class Kind : std::uint8_t {
    none,
    velocity,  ///< target [m/s] or [rad/s], asked for the middle of the step
    position,  ///< target [m] or [rad], asked for the end of the step
    force      ///< target [N] or [N m], asked for the start of the step
  };
  Kind kind = Kind::none;
  /// Called once a step, from one thread. If it throws, or gives what is not finite, the step is
  /// not done: see Report::motion_fault.
  std::function<double(double t)> target;
  double max = std::numeric_limits<double>::infinity();  ///< force or torque [N] or [N m] > 0
  /// Of a position motor: force k (target − position) − c velocity, by the implicit Euler rule,
  /// instead of what takes it to its target in one step [N/m, N s/m; N m/rad, N m s/rad]
  double stiffness = 0, damping = 0;
  /// Beside a force motor, asked with the target: a damper of this size [N s/m] or [N m s/rad] ≥ 0
  std::function<double(double t)> damper{};
};

/// What one coordinate is subject to. A coordinate's unit is that of lengths or of angles.
struct JointDrive {
  double lower = -std::numeric_limits<double>::infinity();  ///< limits of the coordinate
  double upper = std::numeric_limits<double>::infinity();
  Motor motor;
  double stiffness = 0;  ///< of a spring [N/m] or [N m/rad] ≥ 0
  double rest = 0;       ///< of the coordinate, where the spring has no force
  double damping = 0;    ///< of a damper [N s/m] or [N m s/rad] ≥ 0
  double friction = 0;   ///< dry, of a given size [N] or [N m] ≥ 0
  /// Dry friction over the force that the joint holds with: Coulomb's coefficient [-], of an angle
  /// times the radius of its pin [m]; ≥ 0
  double friction_of_force = 0;

  bool has_limits() const { return lower > -kNone || upper < kNone; }
  bool is_free() const {
    return !has_limits() && motor.kind == Motor::Kind::none && stiffness == 0 && damping == 0 &&
           friction == 0 && friction_of_force == 0;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();
};

/// A coordinate of a joint.
struct GearEnd {
  std::uint32_t joint = 0;  ///< in Model::joints, before the gear; none that is a gear itself
  int coordinate = 0;       ///< of those that coordinates_of() names
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  JointEnd a, b;      ///< a gear has none, and leaves both as they are
  double length = 0;  ///< of a distance [m] > 0
  double pitch = 0;   ///< of a screw, along z a turn [m]
  /// Of a gear or a rack, x = ratio · y + offset: x and y, turns counted; of a rack x is the length
  std::array<GearEnd, 2> geared{};
  double ratio = 0;                  ///< [-], of a rack [m/rad]; not 0
  double offset = 0;                 ///< [m] or [rad]
  std::vector<JointDrive> drives{};  ///< of the first coordinates; what is beyond them is free
  /// Its bodies can touch each other; of a gear those of its one joint and those of the other
  bool collide = false;
  /// It breaks in the step in which it bears more, at the origin of its frame in B, of a gear on B
  /// of its first joint [N] > 0, [N m] > 0
  double strength = std::numeric_limits<double>::infinity();
  double torque_strength = std::numeric_limits<double>::infinity();
};

/// A joint as the last step left it.
struct JointRecord {
  std::uint32_t joint = 0;  ///< in Model::joints
  bool is_there = true;     ///< false: one of its bodies has left, or it has broken
  double broken_at = -1;    ///< when it broke [s]; negative: it is whole
  /// [m] or [rad]; turns are counted. Of a gear the two that it couples
  std::array<double, kMaxCoordinates> coordinate{};
  /// Of what drives, stops and brakes each [N] or [N m]; of a gear what it does along both
  std::array<double, kMaxCoordinates> effort{};
  /// On B at the origin of its frame, in the frame in A as the step began; efforts are part of
  /// them. Of a gear the same of its first joint
  Vec3 force, torque;
  /// By how far its ends are apart, or beyond a limit [m]; angles times the smaller radius
  double error = 0;
};

}  // namespace scree

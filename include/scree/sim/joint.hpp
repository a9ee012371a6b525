/// Joints connect two bodies. Each free coordinate can have a motor, a spring, limits and dry
/// friction.
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

/// Motion of B relative to A that a joint allows. x, y and z are the axes of the joint's frame in
/// A, x', y' and z' those of its frame in B; d leads from the origin of the first to that of the
/// second.
enum class JointKind : std::uint8_t {
  fixed,        ///< none
  spherical,    ///< rotation about a point
  revolute,     ///< rotation about z
  prismatic,    ///< translation along z
  cylindrical,  ///< both
  universal,    ///< rotation about z, and about x', which stays perpendicular to z
  planar,       ///< translation along x and y, rotation about z
  distance,     ///< |d| is constant
  screw,        ///< rotation about z, and translation along it by the pitch per revolution
  rope,         ///< |d| is within its limits
  gear,         ///< couples coordinates of two other joints: two angles or two lengths
  rack,         ///< couples a length and an angle of two other joints
  knife_edge,   ///< all but a velocity of the origin in B along z'
  /// that of a wheel or ball on a plane across z, at the distance `length` below the origin in B:
  /// it keeps its distance, and its lowest point has no velocity along x and y
  rolling,
};
inline constexpr std::array kJointKinds{
    JointKind::fixed,       JointKind::spherical, JointKind::revolute, JointKind::prismatic,
    JointKind::cylindrical, JointKind::universal, JointKind::planar,   JointKind::distance,
    JointKind::screw,       JointKind::rope,      JointKind::gear,     JointKind::rack,
    JointKind::knife_edge,  JointKind::rolling};
std::string_view name(JointKind kind);
/// True for kinds whose coordinates do not say where B is and how it is turned: they have no place
/// in a tree of joints.
inline constexpr bool is_loose(JointKind kind) {
  return kind == JointKind::distance || kind == JointKind::rope || kind == JointKind::knife_edge ||
         kind == JointKind::rolling;
}
/// True if a joint couples coordinates of other joints instead of two bodies.
inline constexpr bool is_gear(JointKind kind) {
  return kind == JointKind::gear || kind == JointKind::rack;
}

/// Free coordinates of a joint: lengths [m] along axes, angles [rad] about them, in the order
/// above.
struct JointCoordinate {
  const char* name;
  bool is_angle;
};
std::span<const JointCoordinate> coordinates_of(JointKind kind);
inline constexpr int kMaxCoordinates = 3;
/// The coordinates of a spherical joint are the rotation vector of B relative to A, along the axes
/// of the frame in A. Its drives may have a fourth, with the upper limit of the angle of rotation
/// alone.
inline constexpr int kMaxDrives = kMaxCoordinates + 1;

/// Body of a joint's end that is fixed in the inertial frame.
inline constexpr BodyId kWorld{~std::uint64_t{0}};

struct JointEnd {
  BodyId body = kWorld;  ///< free body, obstacle or kWorld
  Pose frame;  ///< frame of the joint in that of the body; for kWorld, in the inertial frame
};

/// Drives a coordinate to a target velocity or position, or applies a force.
struct Motor {
  enum class Kind : std::uint8_t {
    none,
    velocity,  ///< target [m/s] or [rad/s], evaluated for the middle of the step
    position,  ///< target [m] or [rad], evaluated for the end of the step
    force      ///< target [N] or [N m], evaluated for the start of the step
  };
  Kind kind = Kind::none;
  /// Called once a step, from one thread; twice for a position motor with gains, to know the rate
  /// of its target. If it throws, or returns a value that is not finite, the step is not done: see
  /// Report::motion_fault.
  std::function<double(double t)> target;
  /// maximum force or torque [N] or [N m] > 0
  double max = std::numeric_limits<double>::infinity();
  /// Gains of a position motor: force k (target − position) − max(c, h k) velocity. Both 0: the
  /// motor reaches its target in one step [N/m, N s/m; N m/rad, N m s/rad]
  double stiffness = 0, damping = 0;
  /// The damping acts on the rate of the error, velocity − rate of the target, instead of the
  /// velocity. A target that is set by hand has no rate.
  bool damps_error = false;
  /// Damper that acts with a force motor, evaluated with the target [N s/m] or [N m s/rad] ≥ 0
  std::function<double(double t)> damper{};
};

/// Settings of a motor that a user may change between steps; kind and units as for Motor. max > 0,
/// the gains ≥ 0.
struct MotorSettings {
  Motor::Kind kind = Motor::Kind::none;
  double max = std::numeric_limits<double>::infinity();
  double stiffness = 0, damping = 0;  ///< of position motors only

  bool operator==(const MotorSettings&) const = default;
};
/// True if a position motor acts as a spring with a damper.
inline bool has_gains(const MotorSettings& motor) { return motor.stiffness + motor.damping > 0; }
inline MotorSettings settings_of(const Motor& motor) {
  return {motor.kind, motor.max, motor.stiffness, motor.damping};
}

/// Motor, limits, spring and friction of one coordinate. A coordinate has the unit of a length or
/// of an angle.
struct JointDrive {
  std::string name{};  ///< of the coordinate; empty: that of the joint, see FreeCoordinate
  double lower = -std::numeric_limits<double>::infinity();  ///< limits of the coordinate
  double upper = std::numeric_limits<double>::infinity();
  /// Coefficient of restitution of the limits, 0 to 1; 0 below StepSettings::restitution_threshold
  double rebound = 0;
  Motor motor;
  double stiffness = 0;  ///< stiffness of a spring [N/m] or [N m/rad] ≥ 0
  double rest = 0;       ///< coordinate at which the spring has no force
  double damping = 0;    ///< coefficient of a damper [N s/m] or [N m s/rad] ≥ 0
  double friction = 0;   ///< constant dry friction [N] or [N m] ≥ 0
  /// Ratio of dry friction to the constraint force of the joint: Coulomb's coefficient [-]; for an
  /// angle, times the radius of its pin [m]; ≥ 0
  double friction_of_force = 0;
  /// Inertia of a rotor that turns with the coordinate, as geared to it: it resists accelerations
  /// of the coordinate, with reactions on both bodies [kg] or [kg m²] ≥ 0
  double armature = 0;

  bool has_limits() const { return lower > -kNone || upper < kNone; }
  bool is_free() const {
    return !has_limits() && motor.kind == Motor::Kind::none && stiffness == 0 && damping == 0 &&
           friction == 0 && friction_of_force == 0 && armature == 0;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();
};

/// Coordinate of a joint that a gear couples.
struct GearEnd {
  std::uint32_t joint = 0;  ///< index in Model::joints, below the gear's; not a gear
  int coordinate = 0;       ///< index in the order of coordinates_of()
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  JointEnd a, b;      ///< default for a gear, which has none
  double length = 0;  ///< length of a distance joint, radius of a rolling one [m] > 0
  double pitch = 0;   ///< travel of a screw along z per revolution [m]
  /// Coordinates of a gear or a rack: x = ratio · y + offset. Both count revolutions; x of a rack
  /// is the length
  std::array<GearEnd, 2> geared{};
  double ratio = 0;   ///< [-], for a rack [m/rad]; not 0
  double offset = 0;  ///< [m] or [rad]
  /// one for each of the first coordinates, see also kMaxDrives; further ones are free
  std::vector<JointDrive> drives{};
  /// True if its bodies can touch each other; for a gear, bodies of its one joint those of the
  /// other
  bool collide = false;
  bool attached = true;  ///< false: absent until Simulation::attach()
  /// Force [N] > 0 and torque [N m] > 0 at which the joint breaks, at the origin of its frame in B;
  /// for a gear, on B of its first joint. It breaks in the step that exceeds one
  double strength = std::numeric_limits<double>::infinity();
  double torque_strength = std::numeric_limits<double>::infinity();
};

/// Free coordinate of a joint that is no gear.
struct FreeCoordinate {
  /// JointDrive::name, or that of the joint; if it has several coordinates, with that of this one,
  /// as in "pin.slide"
  std::string name;
  std::uint32_t joint = 0;  ///< index in Model::joints
  int coordinate = 0;       ///< index in the order of coordinates_of()
  bool is_angle = false;
};
/// Free coordinates of all joints, in the order of the joints and of coordinates_of().
std::vector<FreeCoordinate> free_coordinates(std::span<const Joint> joints);

/// Joint after the last step.
struct JointRecord {
  std::uint32_t joint = 0;  ///< index in Model::joints
  bool is_there = true;     ///< false if one of its bodies has left, or it has broken
  double broken_at = -1;    ///< time at which it broke [s]; negative: it is intact
  /// Values [m] or [rad]; revolutions are counted. For a gear, those of the two coordinates
  std::array<double, kMaxCoordinates> coordinate{};
  /// Sum of the forces of motor, spring, limits and friction, by coordinate [N] or [N m]; for a
  /// gear, the coupling forces along both
  std::array<double, kMaxCoordinates> effort{};
  /// Force and torque on B at the origin of its frame, along the axes of the frame in A at the
  /// start of the step, efforts included. For a gear, those of its first joint
  Vec3 force, torque;
  /// Distance between its ends, or beyond a limit [m]; angles are multiplied by the smaller radius
  double error = 0;
};

}  // namespace scree

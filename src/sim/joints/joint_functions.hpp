/// Geometry of joints: constraint rows and free coordinates, as functions of the poses of its two
/// frames.
#pragma once

#include <array>

#include "scree/geometry/domain.hpp"
#include "scree/sim/joint.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Frames of a joint, inertial.
struct JointFrames {
  Quaternion relative;  ///< orientation of the frame in B relative to that in A
  Vec3 x, y, z;         ///< axes of the frame in A
  Vec3 x_b, y_b, z_b;   ///< axes of the frame in B
  Vec3 d;               ///< from the origin of the first to that of the second [m]
  Vec3 arm_a, arm_b;    ///< from the bodies' centres to the origins [m]
};
JointFrames frames_of(const Domain& domain, const Joint& joint, const JointState& state,
                      const Pose& a, const Pose& b);
/// Frame of a joint in B, as modelled or where it was attached.
inline const Pose& frame_b_of(const Joint& joint, const JointState& state) {
  return state.attached_at >= 0 ? state.frame_b : joint.b.frame;
}
/// Rotation vector of an orientation, nearest to the last one. Its length may pass π within a step;
/// the next step begins with the shorter way round.
Vec3 rotation_vector(const Quaternion& q, Vec3 last);

/// Function of the two poses, and its rate:
///
///     d value / dt = axis·(v_B − v_A) + angular·(ω_B − ω_A),      v at the origin of the frame in
///     B
///
/// A row that couples velocities alone has a rate, and the value 0.
struct JointFunction {
  double value;  ///< [m] or [rad]
  Vec3 axis;     ///< [-], or 0 for an angle
  Vec3 angular;  ///< [-] for an angle, [m] for a length
  bool is_angle;
  bool of_velocities = false;
};

struct JointFunctions {
  static constexpr int kMaxHeld = 6;
  int held_count = 0, free_count = 0;
  std::array<JointFunction, kMaxHeld> held;  ///< 0 where the joint is closed
  std::array<JointFunction, kMaxDrives> free;
  Vec3 d;  ///< that of JointFrames, for rows of velocities [m]
};
/// Rows and coordinates of a joint. `last` are earlier coordinates: angles are the nearest within
/// half a revolution. A gear has none by itself.
JointFunctions functions_of(const Joint& joint, const JointFrames& frames,
                            const std::array<double, kMaxDrives>& last);

/// Functions of a gear between these coordinates: they are its `free`. held[0] is its one row, with
/// the rate of the first less ratio times that of the second.
JointFunctions functions_of_gear(const Joint& gear, const JointFunction& first,
                                 const JointFunction& second);

}  // namespace scree

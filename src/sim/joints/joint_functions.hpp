/// Geometry of joints: constraint rows and free coordinates, as functions of the poses of its two
/// frames.
#pragma once

#include <array>

#include "scree/geometry/domain.hpp"
#include "scree/sim/joint.hpp"

namespace scree {

/// Frames of a joint, inertial.
struct JointFrames {
  Vec3 x, y, z;        ///< axes of the frame in A
  Vec3 x_b, y_b, z_b;  ///< axes of the frame in B
  Vec3 d;              ///< from the origin of the first to that of the second [m]
  Vec3 arm_a, arm_b;   ///< from the bodies' centres to the origins [m]
};
JointFrames frames_of(const Domain& domain, const Joint& joint, const Pose& a, const Pose& b);

/// Function of the two poses, and its rate:
///
///     d value / dt = axis·(v_B − v_A) + angular·(ω_B − ω_A),      v at the origin of the frame in
///     B
struct JointFunction {
  double value;  ///< [m] or [rad]
  Vec3 axis;     ///< [-], or 0 for an angle
  Vec3 angular;  ///< [-] for an angle, [m] for a length
  bool is_angle;
};

struct JointFunctions {
  static constexpr int kMaxHeld = 6;
  int held_count = 0, free_count = 0;
  std::array<JointFunction, kMaxHeld> held;  ///< 0 where the joint is closed
  std::array<JointFunction, kMaxCoordinates> free;
};
/// Rows and coordinates of a joint. `last` are earlier coordinates: angles are the nearest within
/// half a revolution. A gear has none by itself.
JointFunctions functions_of(const Joint& joint, const JointFrames& frames,
                            const std::array<double, kMaxCoordinates>& last);

/// Functions of a gear between these coordinates: they are its `free`. held[0] is its one row, with
/// the rate of the first less ratio times that of the second.
JointFunctions functions_of_gear(const Joint& gear, const JointFunction& first,
                                 const JointFunction& second);

}  // namespace scree

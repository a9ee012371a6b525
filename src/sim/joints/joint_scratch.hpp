/// Data of a step for joints, besides the state.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/core/exact_sum.hpp"
#include "scree/core/ids.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "scree/solvers/joint_elimination.hpp"
#include "sim/joints/joint_functions.hpp"
#include "sim/motion/velocities.hpp"

namespace scree {

/// Joints of a step. Rows of angles are scaled by a lever, the smaller radius of the bodies.
struct JointScratch {
  /// Ends of a joint: indices of bodies, obstacles with Neighbours::kObstacle, or kWorldEnd
  struct Ends {
    BodyIndex a, b;
    bool is_there;  ///< true if neither has left
  };
  static constexpr BodyIndex kWorldEnd = 0xffffffff;
  std::vector<Ends> ends;
  /// Frames of each joint that exists, at the start of the step; gears have none, and functions by
  /// functions_of_gear()
  std::vector<JointFrames> frames;
  std::vector<JointFunctions> functions;
  std::vector<BodyIndex> bodies;  ///< free bodies of joints
  /// Pose after the step of each of these. See find_poses_after()
  AlignedVector<Pose> poses;
  /// Motion in the step, without pseudo-velocity, and where it leads.
  struct Path {
    Motion motion;
    Pose pose;
    Vec3 angular_velocity;  ///< there [rad/s]
  };
  AlignedVector<Path> paths;  ///< one per body, like `poses`

  /// Kind of a driven row.
  enum class Drive : std::uint8_t { limit, motor, spring, friction, rotor };
  static constexpr int kDrives = 5, kRemembered = 4;  ///< impulses of rotors are not remembered
  /// Data of one of ContactProblem::joints.
  struct Block {
    std::uint32_t joint;
    int coordinate;  ///< kHeld: the constraint rows
    std::array<Drive, kDrives> drive;
    double lever;  ///< lever of rows of angles [m]
    double limit;  ///< value of the coordinate at its limit, if that has a row [m] or [rad]
    std::size_t first_row;  ///< index in `rows`
    /// True if it has a row of such a drive, not a limit.
    bool has(Drive kind) const { return std::ranges::find(drive, kind) != drive.end(); }
    /// True if a row is part of the effort of its coordinate.
    bool is_effort(int row) const {
      return coordinate != kHeld && drive[static_cast<std::size_t>(row)] != Drive::rotor;
    }
    /// True for the angle of rotation of a spherical joint, which is no coordinate.
    bool is_angle_of_ball() const { return coordinate == kMaxCoordinates; }
    /// Index of a row in JointState::curvature.
    std::size_t curvature(int row) const {
      return static_cast<std::size_t>(coordinate == kHeld ? row
                                                          : JointFunctions::kMaxHeld + coordinate);
    }
  };
  static constexpr int kHeld = -1;
  std::vector<Block> blocks;
  /// Rates of a row [m/s].
  struct Row {
    double wall;    ///< by prescribed motions
    double before;  ///< before the step
    double own;     ///< target in the bias, without prescribed motion and curvature
    /// Force and torque on B per unit of r, at the origin of its frame, in the frame in A
    Vec3 force, torque;
    double scale;  ///< lever for angles, else 1
  };
  std::vector<Row> rows;  ///< rows of all blocks, one after the other
  const Row& row(std::size_t block, std::size_t k) const {
    return rows[blocks[block].first_row + k];
  }

  /// Motor of a coordinate in this step; none if it has no target.
  struct StepMotor : MotorSettings {
    double target = 0;
    double target_rate = 0;  ///< of a position motor with gains, mean over the step [1/s]
    double damper = 0;       ///< Motor::damper
    bool damps_error = false;
  };
  std::vector<std::array<StepMotor, kMaxDrives>> motors;  ///< one entry per joint
  /// Limit of a coordinate that has a row in this step.
  enum class Limit : std::uint8_t { none, lower, upper };
  std::vector<std::array<Limit, kMaxDrives>> limits;
  std::vector<JointElimination::RowVelocities>
      curvature;  ///< see apply_nonlinear_correction() [m/s]
  std::vector<JointElimination::RowVelocities>
      first_curvature;  ///< with velocities before the step
  /// Misses of rows after the step, as velocities that would remove them [m/s], and the largest
  /// [m]; see note_missed()
  std::vector<JointElimination::RowVelocities> missed;
  double max_missed = 0;
  /// Impulses of joints, and records of their bodies: kept by let_joints_act_first()
  std::vector<std::array<double, JointBlock::kMaxRows>> remembered;
  std::vector<BodyRecord> free_records;
  /// Sums over the joints of an island.
  struct IslandLook {
    double curvature_change = 0;  ///< change of its biases by the last curvature, squared [m²/s²]
    double max_missed = 0;        ///< [m]
    double spring_swing = 0;      ///< the finding, of this island [rad]
    std::uint32_t fastest_spring = 0;
  };
  std::vector<IslandLook> looks;  ///< one per island
  /// Joint at the end of the step: coordinates, and its largest miss [m].
  struct Found {
    bool is_known = false;
    double error = 0;
    std::array<double, kMaxDrives> coordinate{};
  };
  std::vector<Found> found;  ///< one per joint, with `poses` as in find_missed()
  bool fits =
      false;  ///< rows fit the final velocities of the step: set by apply_nonlinear_correction()
  /// Pseudo-velocities that close joints; one per free body, or empty
  AlignedVector<JointElimination::Motion> pseudo_velocity, pseudo_velocity_before;
  /// Mobilities of bodies of joints that compliant laws may touch: see find_mobilities()
  std::vector<JointElimination::Mobility> mobilities;
  static constexpr std::uint32_t kNoMobility = 0xffffffff;
  std::vector<std::uint32_t> mobility_of;  ///< index of each free body there, or kNoMobility
  /// Mobility of pairs of these that joints connect, by a and b: from the body of lower index to
  /// the other
  struct PairMobility {
    BodyIndex a, b;
    JointElimination::Mobility mobility;
  };
  std::vector<PairMobility> pair_mobilities;
  ContactProblem held;  ///< constraint rows for these
  JointElimination of_held;
  AlignedVector<double> stiffness;  ///< one per free body, h² F·a, see scale_inertia() [kg m²]
  AlignedVector<double> inertia_scaling;  ///< one per free body, see inertia_scaling_of() [-]
  double effective_dt = 0;                ///< duration of the step, with half_step_factor() [s]
  double curvature_change = 0;            ///< change in the last update, squared [m²/s²]
  /// Data of driven rows: forces of springs, the velocities that these cause, impulses and W; see
  /// accumulate_joints()
  std::vector<JointElimination::RowVelocities> forces, responses, impulses, compliances;
};

}  // namespace scree

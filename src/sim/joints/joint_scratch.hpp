/// What a step needs of joints besides the state.
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
#include "sim/motion.hpp"

namespace scree {

/// Joints of a step. Rows of angles are scaled by a lever, the smaller radius of the bodies.
struct JointScratch {
  /// Of each joint: indices of bodies, obstacles with Neighbours::kObstacle, or kWorldEnd
  struct Ends {
    BodyIndex a, b;
    bool is_there;  ///< neither has left
  };
  static constexpr BodyIndex kWorldEnd = 0xffffffff;
  std::vector<Ends> ends;
  /// Of each joint that is there, as its bodies stand when the step begins; of gears no frames, and
  /// functions as functions_of_gear() has them
  std::vector<JointFrames> frames;
  std::vector<JointFunctions> functions;
  std::vector<BodyIndex> bodies;  ///< free ones that joints hold
  /// Of each free body among these: where it goes, and how. See find_poses_after()
  AlignedVector<Pose> poses;
  AlignedVector<Motion> motions;

  /// What a driven row is.
  enum class Drive : std::uint8_t { limit, motor, spring, friction };
  static constexpr int kDrives = 4;
  /// Of each of ContactProblem::joints.
  struct Block {
    std::uint32_t joint;
    int coordinate;  ///< kHeld: the rows that hold
    std::array<Drive, kDrives> drive;
    double lever;  ///< of rows of angles [m]
    double limit;  ///< of its row of a limit, if it has one: the coordinate there [m] or [rad]
    std::size_t first_row;  ///< in `rows`
    /// Whether it has a row of such a drive, no limit.
    bool has(Drive kind) const { return std::ranges::find(drive, kind) != drive.end(); }
    /// Of JointState::curvature, that of a row.
    std::size_t curvature(int row) const {
      return static_cast<std::size_t>(coordinate == kHeld ? row
                                                          : JointFunctions::kMaxHeld + coordinate);
    }
  };
  static constexpr int kHeld = -1;
  std::vector<Block> blocks;
  /// Of a row there [m/s].
  struct Row {
    double wall;    ///< rate by what moves as prescribed
    double before;  ///< rate before the step
    double own;     ///< of the bias, what is asked of the row but for its wall and its bend
    /// On B of a unit of r, at the origin of its frame, in the frame in A
    Vec3 force, torque;
    double scale;  ///< lever of angles, else 1
  };
  std::vector<Row> rows;  ///< of all blocks, one after the other
  const Row& row(std::size_t block, std::size_t k) const {
    return rows[blocks[block].first_row + k];
  }

  /// What a motor of each joint was asked for in this step.
  struct Asked {
    double target = 0;
    double damper = 0;  ///< Motor::damper
  };
  std::vector<std::array<Asked, kMaxCoordinates>> asked;
  /// Of each joint's coordinates: the limit that has a row in this step.
  enum class Limit : std::uint8_t { none, lower, upper };
  std::vector<std::array<Limit, kMaxCoordinates>> limits;
  std::vector<JointElimination::RowVelocities>
      curvature;  ///< see apply_nonlinear_correction() [m/s]
  std::vector<JointElimination::RowVelocities>
      first_curvature;  ///< with velocities before the step
  /// By how far rows miss where bodies go, as velocities that would undo it, and the largest [m/s]
  /// and [m]; see note_missed()
  std::vector<JointElimination::RowVelocities> missed;
  double max_missed = 0;
  /// What was found of the joints of an island.
  struct IslandLook {
    ExactSum squared_q, squared_rounding;  ///< see ContactProblem [m²/s²]
    double curvature_change = 0;           ///< squared, of its biases by the last bends [m²/s²]
    double max_missed = 0;                 ///< [m]
    double spring_swing = 0;               ///< see Report
    std::uint32_t fastest_spring = 0;
  };
  std::vector<IslandLook> looks;  ///< of each island
  /// How a joint ends the step: coordinates, and by how far it misses most [m].
  struct Found {
    bool is_known = false;
    double error = 0;
    std::array<double, kMaxCoordinates> coordinate{};
  };
  std::vector<Found> found;  ///< of each joint with `poses` as find_missed() had them
  bool fits =
      false;  ///< with the velocities that the step ends with: apply_nonlinear_correction() said so
  /// What closes joints, apart from velocities; of each free body, or empty
  AlignedVector<JointElimination::Motion> pseudo_velocity, pseudo_velocity_before;
  /// Of bodies of joints that compliant laws may touch: see find_mobilities()
  std::vector<JointElimination::Mobility> mobilities;
  static constexpr std::uint32_t kNoMobility = 0xffffffff;
  std::vector<std::uint32_t> mobility_of;  ///< of each free body, its place there or kNoMobility
  /// Of pairs of these that joints connect, by a and b: from the one with the lower index to the
  /// other
  struct PairMobility {
    BodyIndex a, b;
    JointElimination::Mobility mobility;
  };
  std::vector<PairMobility> pair_mobilities;
  ContactProblem held;  ///< rows that hold, for these
  JointElimination of_held;
  AlignedVector<double> stiffness;  ///< of each free body, h² F·a, see scale_inertia() [kg m²]
  AlignedVector<double> inertia_scaling;  ///< of each free body, see inertia_scaling_of() [-]
  double effective_dt = 0;                ///< of the step, by half_step_factor() [s]
  double curvature_change = 0;            ///< squared, of the last look [m²/s²]
  /// Of driven rows: forces of springs, how these would part them, impulses and W; see
  /// accumulate_joints()
  std::vector<JointElimination::RowVelocities> forces, responses, impulses, compliances;
};

}  // namespace scree

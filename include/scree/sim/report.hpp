/// What a step did.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/laws/contact_law.hpp"
#include "scree/math/vec3.hpp"
#include "scree/sim/field.hpp"
#include "scree/sim/force_energy.hpp"

namespace scree {

/// Stages of step(), in their order; the names are the same in reports, statistics.csv, profilers
/// and docs.
enum class StepStage : std::uint8_t {
  predict,
  broad_phase,
  narrow_phase,
  forces,
  assemble,
  warm_start,
  solve,
  certify,
  correct,
  advance,
  store
};
inline constexpr std::array<std::string_view, 11> kStageNames{
    "predict", "broad_phase", "narrow_phase", "forces",  "assemble", "warm_start",
    "solve",   "certify",     "correct",      "advance", "store"};

/// One contact after the solve: for files and analysis.
struct ContactRecord {
  BodyId a, b;
  Vec3 point;       ///< midway between the two surfaces [m]
  Vec3 normal;      ///< unit, from A to B
  Vec3 impulse;     ///< on B, with cohesion [N s]
  double gap;       ///< before the step [m]
  double residual;  ///< natural map of the contact's own law, |r − P(r − ρû)|/ρ [m/s]
  ContactClass kind;
  double cone_violation = 0;             ///< distance of r from the cone [N s]
  double complementarity_violation = 0;  ///< |r·û| [J]
  /// In this step; < 0 where a gap term or a rebound gives more than friction takes [J]
  double dissipated_energy = 0;
  double painleve_number = 0;  ///< μ |(W_nt1, W_nt2)| / W_nn; 0 between spheres [-]
  Vec3 angular_impulse{};      ///< rolling friction, on B [N m s]
  /// Of B against A where the impulse acts, after the step, inertial frame [m/s]; not in files
  Vec3 relative_velocity{};
};

/// The contact of the largest residual.
struct WorstContact {
  BodyId a, b;
  double residual = 0;  ///< [m/s]; 0: there is none
  ContactClass kind = ContactClass::separating;
};

/// A prescribed motion that gave no twist to make a step with, a motor without a target, or a field
/// whose force is not finite.
struct MotionFault {
  std::uint32_t obstacle = 0;  ///< index in Model::obstacles
  double time = 0;             ///< for which it was asked [s]
  std::string what;            ///< what it gave, or what it threw
  /// Instead of an obstacle: of a motor, index in Model::joints
  std::optional<std::uint32_t> joint{};
  bool is_cell = false;  ///< instead of an obstacle: of the cell, which is strained
  /// Instead of an obstacle: of a field, index in Model::fields; and the body that it acts on
  std::optional<std::uint32_t> field{};
  BodyId body{};
};

/// The energy that contacts make in a step is a difference; less than this part of what it is a
/// difference of is rounding [-].
inline constexpr double kEnergyRounding = 1e-12;

/// Impacts of pairs whose law has e > 0 that began the step apart and end it stopped, without a
/// rebound.
struct MissedRestitution {
  std::uint64_t impacts = 0;
  /// ½ e² u² / W_nn, u the speed of the impact: what e would have left of their motion along
  /// the normal [J]
  double energy = 0;

  MissedRestitution& operator+=(const MissedRestitution& other) {
    impacts += other.impacts;
    energy += other.energy;
    return *this;
  }
};

/// Impacts that were solved by phases, see ImpactLaw.
struct ImpactWork {
  double compression = 0;     ///< energy that compression took [J]
  double expansion = 0;       ///< energy that expansion gave back [J]
  std::size_t held_back = 0;  ///< sets of connected contacts whose expansion was held back
};

/// Overlap over the smaller inner radius, see Prototype, from which on none may grow [-].
inline constexpr double kDeepOverlap = 0.05;

/// Overlap of a compliant contact over the smaller inner radius, see Prototype, from which on the
/// law no longer describes the bodies [-].
inline constexpr double kTooSoft = 0.1;

/// The compliant contact that is deepest for its bodies.
struct SoftOverlap {
  BodyId a{}, b{};
  double depth = 0;  ///< [m]
  double share = 0;  ///< of the smaller inner radius [-]; 0: none is beyond kTooSoft
};

/// Forces of compliant laws have given energy from nowhere: the step is too long for the springs.
struct EnergyGrowth {
  BodyId fastest{};   ///< the body of the largest kinetic energy
  double energy = 0;  ///< given since the start [J]
};

/// A body or an obstacle with compliant contacts, or at the end of a joint, that turned by more
/// than half a turn in a step: they took it for a turn the other way.
struct ExcessiveRotation {
  BodyId body{};
  double turn = 0;  ///< [rad]
};

struct Report {
  double time = 0;         ///< after the step [s]
  std::uint64_t step = 0;  ///< steps done so far
  std::size_t bodies = 0;
  std::size_t bodies_asleep = 0;  ///< of them; see StepSettings::sleep

  std::size_t contacts = 0;           ///< in the set, and of bodies that sleep
  std::size_t contacts_asleep = 0;    ///< of them, those not solved in this step
  std::size_t contacts_touching = 0;  ///< of them, with gap < 0
  std::size_t contacts_loaded = 0;    ///< of them, with r_n > 0
  std::size_t contacts_sliding = 0;   ///< of the loaded, at the edge of the cone
  double max_penetration = 0;         ///< [m]
  /// The overlap that is largest for its bodies, over the smaller inner radius [-]
  double max_relative_penetration = 0;
  /// Of those that overlap by more than kDeepOverlap, how many velocities drove deeper still in the
  /// step
  std::size_t contacts_growing_penetration = 0;
  /// Of pairs that hit in this step, by how much the line between them turns until they touch: the
  /// error of their normal [rad]. Of shapes that are no spheres: by how much they turn in the step.
  double largest_turn = 0;

  double residual = 0;        ///< E_s at the end of the solve [-]
  double worst_residual = 0;  ///< largest natural-map residual of one contact [m/s]
  int sweeps = 0;
  bool converged = true;         ///< residual ≤ tolerance
  double convergence_ratio = 0;  ///< see SolveResult [-]
  /// Contacts whose local problem had no solution; max_dissipation's was taken
  std::size_t local_failures = 0;
  /// Pairs that meet within the step although no contact was made of them
  std::size_t contacts_left_out = 0;
  /// The same where StepSettings::margin says that they are none
  std::size_t contacts_beyond_margin = 0;
  /// Bodies that move further in this step than StepSettings::margin reaches: what they meet beyond
  /// it is in no list.
  std::size_t bodies_beyond_margin = 0;
  /// Impulses of the same step brought the pair together
  MissedRestitution missed_restitution;
  MissedRestitution slow_restitution;  ///< slower than StepSettings::restitution_threshold
  ImpactWork impact_work;
  /// Contacts with more than their part of the tolerance, see Certificate
  std::size_t contacts_over_tolerance = 0;

  double kinetic_energy = 0;     ///< [J]
  double potential_energy = 0;   ///< of gravity, zero at the origin, half a step back [J]
  double dissipated_energy = 0;  ///< in contacts since the start [J]
  double wall_work = 0;          ///< see EnergyLedger [J]
  double field_work = 0;         ///< of fields since the start, part of wall_work [J]
  FieldSwing field_swing;
  /// Of compliant laws, half a step back as potential_energy. What they dissipated is part of
  /// dissipated_energy, too.
  ForceEnergy force_energy;
  std::size_t force_contacts = 0;  ///< with compliant laws; part of `contacts`
  SoftOverlap soft_overlap;
  /// Set: the state is not to be trusted; stop
  std::optional<EnergyGrowth> energy_growth;
  std::optional<ExcessiveRotation>
      excessive_rotation;  ///< the same; of the body that turned furthest
  /// In springs of joints, half a step back as potential_energy [J]
  double joint_energy = 0;
  std::size_t joints = 0;  ///< that are there
  /// By how far ends of one are apart after the step, or beyond a limit [m]
  double joint_error = 0;
  double joint_velocity = 0;      ///< by how fast they part, at most [m/s]
  std::uint32_t worst_joint = 0;  ///< that of joint_velocity, in Model::joints
  /// By what joints hold with, beyond the work of what moves as prescribed: no joint gives or takes
  /// any, but steps that are too long for how fast its bodies turn. Below 0: taken. Joints on
  /// obstacles that move are not counted; 0 in a first step, where velocities need not fit the
  /// joints yet [J]
  double joint_work = 0;
  std::uint32_t working_joint = 0;  ///< of most of it, in Model::joints
  /// In a step that missed its tolerance: all whose ends part by a tenth of joint_velocity or more
  std::vector<std::uint32_t> joints_missed;
  /// Light bodies that joints pull so hard that they would swing faster than the step can follow:
  /// they turn with more inertia than they have
  std::size_t bodies_slowed = 0;
  /// h √(k W) of the spring of a joint that swings fastest: its phase in a step, where it is small.
  /// What dampers keep from swinging is not counted [rad]
  double spring_swing = 0;
  std::uint32_t fastest_spring = 0;  ///< the joint of it, in Model::joints
  std::size_t joints_broken = 0;     ///< this step
  std::uint32_t broken_joint = 0;    ///< one of these, in Model::joints
  double bias_work = 0;              ///< of gap terms and rebounds, −Σ b r_n, this step [J]
  /// Energy given by pushing overlapping bodies apart, this step; dissipated_energy is less by
  /// it [J]
  double push_work = 0;
  /// By contacts beyond the work of walls, gap terms and rebounds, this step; 0 within rounding
  /// [J]
  double energy_created = 0;
  /// By sets of connected contacts in which Newton's law gives rebounds, beyond what the same sets
  /// took, this step. Known where no joints are, the cell is not strained, and overlaps are undone
  /// apart from velocities; else 0 [J]
  double energy_of_rebounds = 0;

  std::size_t bodies_added = 0;       ///< this step
  std::size_t bodies_skipped = 0;     ///< places of the inflow that were taken, this step
  std::size_t bodies_removed = 0;     ///< this step
  std::size_t fillings_waiting = 0;   ///< fillings with a body that is due and found no place
  std::size_t bodies_not_finite = 0;  ///< > 0: the state is not to be trusted; stop

  /// Set: the step was not done, and the state is as it was. Each further step tries again.
  std::optional<MotionFault> motion_fault;

  bool neighbours_rebuilt = false;   ///< the list was made anew: bodies are stored in another order
  bool neighbours_extended = false;  ///< pairs of a few fast bodies were added to it
  std::array<double, kStageNames.size()> stage_seconds{};
};

/// Of contacts, those with no more than their part of the tolerance; 1 if there are none [-].
inline double share_within_tolerance(std::uint64_t contacts, std::uint64_t over_tolerance) {
  return contacts == 0 ? 1
                       : 1 - static_cast<double>(over_tolerance) / static_cast<double>(contacts);
}

}  // namespace scree

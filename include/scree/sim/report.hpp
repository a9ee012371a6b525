/// Report of a step: counts, residuals, energies and faults.
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

/// Contact after the solve, for files and analysis.
struct ContactRecord {
  BodyId a, b;
  Vec3 point;       ///< midway between the two surfaces [m]
  Vec3 normal;      ///< unit, from A to B
  Vec3 impulse;     ///< on B, with cohesion [N s]
  double gap;       ///< natural map of the contact's law, |r − P(r − ρû)|/ρ [m/s]
  double residual;  ///< natural map of the contact's own law, |r − P(r − ρû)|/ρ [m/s]
  ContactClass kind;
  double cone_violation = 0;             ///< distance of r from the cone [N s]
  double complementarity_violation = 0;  ///< |r·û| [J]
  /// In this step; < 0 where a gap term or a rebound gives more than friction takes [J]
  double dissipated_energy = 0;
  double painleve_number = 0;  ///< μ |(W_nt1, W_nt2)| / W_nn; 0 between spheres [-]
  Vec3 angular_impulse{};      ///< rolling friction, on B [N m s]
  /// Velocity of B relative to A where the impulse acts, after the step, inertial frame [m/s]; not
  /// in files
  Vec3 relative_velocity{};
};

/// Contact of the largest residual.
struct WorstContact {
  BodyId a, b;
  double residual = 0;  ///< see contact_residual() [m/s]; 0: there is no contact
  ContactClass kind = ContactClass::separating;
  double force = 0;           ///< that the contact carries, as the mean of the step [N]
  double unsolved_force = 0;  ///< that its law asks for besides [N]
};

/// Fault that prevents a step: a prescribed motion without a usable twist, a motor without a
/// target, or a field whose force is not finite.
struct MotionFault {
  std::uint32_t obstacle = 0;  ///< index in Model::obstacles
  double time = 0;             ///< time of the evaluation [s]
  std::string what;            ///< value that it returned, or message that it threw
  /// Index in Model::joints of the motor, instead of an obstacle
  std::optional<std::uint32_t> joint{};
  bool is_cell = false;  ///< true for the strained cell, instead of an obstacle
  /// Index in Model::fields, instead of an obstacle, and the body on which the field acts
  std::optional<std::uint32_t> field{};
  BodyId body{};
};

/// Relative rounding error of the energy that contacts create in a step, which is a difference [-].
inline constexpr double kEnergyRounding = 1e-12;

/// Impacts of pairs whose law has e > 0 that should have rebounded but were stopped within the
/// step.
struct MissedRestitution {
  std::uint64_t impacts = 0;
  /// Kinetic energy along the normal that e would have left, ½ e² u² / W_nn, u the speed of the
  /// impact [J]
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
  std::size_t held_back = 0;  ///< sets of connected contacts whose expansion was limited
};

/// Ratio of overlap to the smaller inscribed radius, see Prototype, above which overlaps must not
/// grow [-].
inline constexpr double kDeepOverlap = 0.05;

/// Ratio of overlap to the smaller inscribed radius, see Prototype, above which a compliant law no
/// longer describes the bodies [-].
inline constexpr double kTooSoft = 0.1;

/// Compliant contact of the largest relative overlap.
struct SoftOverlap {
  BodyId a{}, b{};
  double depth = 0;  ///< [m]
  double share = 0;  ///< fraction of the smaller inscribed radius [-]; 0: none exceeds kTooSoft
};

/// Energy that compliant laws created from nothing: the step is too long for the springs.
struct EnergyGrowth {
  BodyId fastest{};   ///< body of the largest kinetic energy
  double energy = 0;  ///< created since the start [J]
};

/// Body or obstacle with compliant contacts, or at the end of a joint, that rotated by more than π
/// in a step: contacts and joints mistook it for a rotation in the opposite direction.
struct ExcessiveRotation {
  BodyId body{};
  double angle = 0;  ///< rotation in the step [rad]
};

struct Report {
  double time = 0;         ///< after the step [s]
  std::uint64_t step = 0;  ///< steps done so far
  std::size_t bodies = 0;
  std::size_t bodies_asleep = 0;  ///< sleeping ones of them; see StepSettings::sleep

  std::size_t contacts = 0;           ///< all contacts, those of sleeping bodies included
  std::size_t contacts_asleep = 0;    ///< contacts not solved in this step, as their bodies sleep
  std::size_t contacts_touching = 0;  ///< contacts with gap < 0
  std::size_t contacts_loaded = 0;    ///< contacts with r_n > 0
  std::size_t contacts_sliding = 0;   ///< loaded contacts at the edge of the cone
  double max_penetration = 0;         ///< [m]
  /// Largest ratio of overlap to the smaller inscribed radius [-]
  double max_relative_penetration = 0;
  /// Contacts with overlaps above kDeepOverlap that velocities increased in the step
  std::size_t contacts_growing_penetration = 0;
  /// Rotation of the line between the bodies until they touch, at most, of pairs that hit in this
  /// step: the error of their normal [rad]. For shapes other than spheres: rotation of the bodies
  /// in the step.
  double max_rotation = 0;

  double residual = 0;        ///< E_s at the end of the solve [-]
  double worst_residual = 0;  ///< largest natural-map residual of one contact [m/s]
  int sweeps = 0;
  bool converged = true;         ///< residual ≤ tolerance
  double convergence_ratio = 0;  ///< see SolveResult [-]
  /// Contacts whose local problem had no solution; they take that of max_dissipation
  std::size_t local_failures = 0;
  /// Pairs that meet within the step without being contacts; in a cell also those that meet by
  /// other images than the nearest
  std::size_t contacts_left_out = 0;
  /// Pairs of these that StepSettings::margin excludes
  std::size_t contacts_beyond_margin = 0;
  /// Bodies that move further in this step than StepSettings::margin: the pair list may lack pairs
  /// that they meet.
  std::size_t bodies_beyond_margin = 0;
  /// Impulses of the same step brought these pairs together
  MissedRestitution missed_restitution;
  MissedRestitution slow_restitution;  ///< impacts slower than StepSettings::restitution_threshold
  ImpactWork impact_work;
  /// Contacts above their share of the tolerance, see Certificate
  std::size_t contacts_over_tolerance = 0;

  double kinetic_energy = 0;     ///< [J]
  double potential_energy = 0;   ///< energy in gravity, zero at the origin, half a step earlier [J]
  double dissipated_energy = 0;  ///< in contacts since the start [J]
  double wall_work = 0;          ///< see EnergyLedger [J]
  double field_work = 0;         ///< work of fields since the start, included in wall_work [J]
  FieldSwing field_swing;
  /// Energy of compliant laws, half a step earlier as potential_energy. dissipated_energy includes
  /// their dissipation.
  ForceEnergy force_energy;
  std::size_t force_contacts = 0;  ///< contacts with compliant laws; included in `contacts`
  SoftOverlap soft_overlap;
  /// Set: the state is not reliable; stop
  std::optional<EnergyGrowth> energy_growth;
  std::optional<ExcessiveRotation>
      excessive_rotation;  ///< set: as above; the body with the largest rotation
  /// Energy of the springs of joints, half a step earlier as potential_energy [J]
  double joint_energy = 0;
  std::size_t joints = 0;  ///< intact joints with both bodies
  /// Largest distance between the ends of a joint after the step, or beyond a limit [m]
  double joint_error = 0;
  double joint_velocity = 0;      ///< largest speed at which the ends of a joint separate [m/s]
  std::uint32_t worst_joint = 0;  ///< joint of joint_velocity, in Model::joints
  /// Energy that the constraint forces of joints create beyond the work of prescribed motions;
  /// below 0: energy that they take. It arises only when steps are too long for how fast the bodies
  /// rotate. Joints on moving obstacles are not counted; 0 in a first step, where velocities may
  /// still violate the joints [J]
  double joint_work = 0;
  std::uint32_t working_joint = 0;  ///< joint of the largest share of joint_work, in Model::joints
  /// All joints whose ends separate by a tenth of joint_velocity or more, in a step that missed its
  /// tolerance
  std::vector<std::uint32_t> joints_missed;
  /// Light bodies with increased rotational inertia: joints pull them so hard that they would
  /// oscillate faster than the step resolves
  std::size_t bodies_slowed = 0;
  /// Largest h √(k W) of the springs of joints: the phase of an oscillation in a step, where it is
  /// small. Overdamped springs are not counted [rad]
  double spring_swing = 0;
  std::uint32_t fastest_spring = 0;  ///< joint of spring_swing, in Model::joints
  std::size_t joints_broken = 0;     ///< in this step
  std::uint32_t broken_joint = 0;    ///< one of these, in Model::joints
  double bias_work = 0;  ///< work of gap terms and rebounds, −Σ b r_n, in this step [J]
  /// Energy from separating overlapping bodies, in this step; dissipated_energy is reduced by it
  /// [J]
  double push_work = 0;
  /// Energy that contacts create beyond the work of walls, gap terms and rebounds, in this step; 0
  /// within rounding [J]
  double energy_created = 0;
  /// Energy that rebounds of Newton's law create in sets of connected contacts, beyond the
  /// dissipation of the same sets, in this step. Computed without joints, without strain of the
  /// cell, and where overlaps are removed apart from velocities; else 0 [J]
  double energy_of_rebounds = 0;

  std::size_t bodies_added = 0;       ///< in this step
  std::size_t bodies_skipped = 0;     ///< positions of the inflow that were occupied, in this step
  std::size_t bodies_removed = 0;     ///< in this step
  std::size_t fillings_waiting = 0;   ///< fillings with a body that is due but has no free position
  std::size_t bodies_not_finite = 0;  ///< > 0: the state is not reliable; stop

  /// Set: the step was not done, and the state is unchanged. Each further step tries again.
  std::optional<MotionFault> motion_fault;

  /// the neighbour list was rebuilt: bodies are stored in another order
  bool neighbours_rebuilt = false;
  bool neighbours_extended = false;  ///< pairs of a few fast bodies were added to it
  std::array<double, kStageNames.size()> stage_seconds{};
};

/// Fraction of the contacts within their share of the tolerance; 1 without contacts [-].
inline double share_within_tolerance(std::uint64_t contacts, std::uint64_t over_tolerance) {
  return contacts == 0 ? 1
                       : 1 - static_cast<double>(over_tolerance) / static_cast<double>(contacts);
}

}  // namespace scree

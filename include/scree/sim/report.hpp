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
#include "scree/sim/findings.hpp"
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
  double residual = 0;        ///< E_s at the end of the solve [-]
  double worst_residual = 0;  ///< largest natural-map residual of one contact [m/s]
  int sweeps = 0;
  bool converged = true;         ///< residual ≤ tolerance
  double convergence_ratio = 0;  ///< see SolveResult [-]
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
  /// Energy of compliant laws, half a step earlier as potential_energy. dissipated_energy includes
  /// their dissipation.
  ForceEnergy force_energy;
  std::size_t force_contacts = 0;  ///< contacts with compliant laws; included in `contacts`
  /// Energy of the springs and rotors of joints, half a step earlier as potential_energy [J]
  double joint_energy = 0;
  std::size_t joints = 0;  ///< intact joints with both bodies
  /// Largest distance between the ends of a joint after the step, or beyond a limit [m]
  double joint_error = 0;
  /// All joints whose ends separate by a tenth of joint_velocity or more, in a step that missed its
  /// tolerance
  std::vector<std::uint32_t> joints_missed;
  double bias_work = 0;  ///< work of gap terms and rebounds, −Σ b r_n, in this step [J]
  /// Energy from separating overlapping bodies, in this step; dissipated_energy is reduced by it
  /// [J]
  double push_work = 0;
  std::size_t bodies_added = 0;    ///< in this step
  std::size_t bodies_skipped = 0;  ///< positions of the inflow that were occupied, in this step
  std::size_t bodies_removed = 0;  ///< in this step
  /// Set: the step was not done, and the state is unchanged. Each further step tries again.
  std::optional<MotionFault> motion_fault;

  /// the neighbour list was rebuilt: bodies are stored in another order
  bool neighbours_rebuilt = false;
  bool neighbours_extended = false;  ///< pairs of a few fast bodies were added to it
  std::array<double, kStageNames.size()> stage_seconds{};

  /// Findings of the step that have no member above, by their rows in the table
  std::array<Measured, kMaxFindings> findings{};
  Measured& operator[](Finding finding) { return findings[finding.index()]; }
  const Measured& operator[](Finding finding) const { return findings[finding.index()]; }
};

/// Fraction of the contacts within their share of the tolerance; 1 without contacts [-].
inline double share_within_tolerance(double contacts, double over_tolerance) {
  return contacts == 0 ? 1 : 1 - over_tolerance / contacts;
}

}  // namespace scree

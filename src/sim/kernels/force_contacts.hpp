/// Contacts with compliant laws, eight at a time: one text in lanes, compiled per instruction set
/// in its own translation unit. docs/theory/compliant_laws.md
#pragma once

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/core/instruction_set.hpp"
#include "scree/laws/force_numbers.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Data of a body for forces: position at t, motion at t − h/2.
struct alignas(32) ForceBody {
  Vec3 position;           ///< [m]
  double radius;           ///< radius of a sphere [m]
  Vec3 velocity;           ///< [m/s]
  double inverse_mass;     ///< [1/kg]
  Vec3 rotation;           ///< h ω [rad]
  double inverse_inertia;  ///< valid for a sphere [1/(kg m²)]
};

/// Forces and torques of contacts on a body, separated for the energy balance.
struct alignas(kCacheLine) ForceRow {
  Vec3 elastic, damping, shear;  ///< forces of springs and cohesion, dashpots, shear springs [N]
  Vec3 damping_torque, shear_torque;  ///< about its centre [N m]
  double unused = 0;

  Vec3 force() const { return elastic + damping + shear; }
  Vec3 torque() const { return damping_torque + shear_torque; }
  ForceRow& operator+=(const ForceRow& other) {
    elastic += other.elastic;
    damping += other.damping;
    shear += other.shear;
    damping_torque += other.damping_torque;
    shear_torque += other.shear_torque;
    return *this;
  }
};
static_assert(sizeof(ForceRow) == 128);

/// Further torques on a body about its centre, of bodies other than spheres and of laws with
/// moments [N m].
struct TorqueRow {
  Vec3 elastic, moment;

  TorqueRow& operator+=(const TorqueRow& other) {
    elastic += other.elastic;
    moment += other.moment;
    return *this;
  }
};

/// Up to eight contacts of one law, in lanes: input and output of their forces. A lane has two
/// spheres, or a sphere and a surface, or two surfaces that touch at a point; for the latter two
/// the caller gives the surface.
struct alignas(kCacheLine) ForceBatch {
  int count = 0;                      ///< the lanes from this one on have bodies at rest
  BodyIndex a[kBlock], b[kBlock];     ///< for obstacles the body at rest
  const ForceMemory* before[kBlock];  ///< the step
  ForceMemory* after[kBlock];         ///< null in lanes without a contact
  Vec3 moment[kBlock];                ///< by springs, on B: before the step, then after it [N m]
  std::uint32_t pair[kBlock];         ///< index in the list
  std::uint32_t slot[kBlock];         ///< slot in the memory of contacts
  std::uint32_t row_a[kBlock], row_b[kBlock];  ///< rows that receive its forces

  bool has_displacements;  ///< between spheres: `displacement` counts
  bool has_moments;        ///< true if the law gives moments
  /// See PairMotion::wall_way; between spheres the vector from B to its image nearest to A [m]
  double displacement[3][kBlock];
  bool has_flows;          ///< between spheres: `flow` counts
  double flow[3][kBlock];  ///< velocity of that image relative to B [m/s]

  bool has_turns = false;  ///< `turned` counts
  double turned[kBlock];   ///< compliance by rotation, in addition to 1/m of both [1/kg]

  bool has_joints = false;     ///< `mass_factor` counts
  double mass_factor[kBlock];  ///< see effective_mass_factor() [-]

  // Fields for surfaces only.
  bool has_points = false;  ///< `softness` and `together` count
  double softness[kBlock];  ///< factor of the normal spring: see EnergyCap [-]
  /// fraction of the pair's stiffness, over the points that share its dashpot [-]
  double together[kBlock];
  double is_point[kBlock];       ///< 1: forces act at a point of both, without arms; else 0
  double normal[3][kBlock];      ///< from A to B
  double overlap[kBlock];        ///< [m]
  double rotation_b[3][kBlock];  ///< h ω of an obstacle [rad]
  double radius[kBlock];         ///< R* [m]
  double inner[kBlock];          ///< smaller inscribed radius of the two bodies [m]
  double share[kBlock];          ///< fraction of the pair's stiffness [-]
  Vec3 point[kBlock];            ///< [m]
  std::uint32_t feature[kBlock];
  ForceMemory remembered[kBlock];  ///< a pair writes memories before all its points have read

  // Output.
  /// Forces on B; torques before the multiplication by the arms, alike for A and B, and with −1
  ForceRow on_b[kBlock];
  double arm_a[kBlock], arm_b[kBlock];  ///< [m]
  Vec3 moment_on_b[kBlock];             ///< on A the opposite [N m]
};

/// Results of eight contacts after the step, besides their memories. Steps store as little as
/// possible, as few callers read it; force_contact_of() computes the rest on demand.
struct alignas(kCacheLine) ForceBlock {
  static constexpr std::uint32_t kNoSlot = 0xffffffff;  ///< slot of a lane without a contact
  double elastic[kBlock];                               ///< F_e − F_c [N]
  double damping[kBlock];                               ///< F_d [N]
  BodyIndex a[kBlock], b[kBlock];
  std::uint32_t slot[kBlock];
  std::uint8_t sliding;   ///< one bit per lane
  std::uint8_t dashpots;  ///< bits of lanes with D ≠ 0
  bool of_spheres;        ///< true if lever and arms follow from radii and overlaps thus:
  RotationScheme rotations;
  BranchVectors branch;

  // Valid only in lanes with the bit of `dashpots`.
  alignas(kCacheLine) double dashpot[3][kBlock];  ///< D [N]
  // Valid for shapes other than spheres.
  double lever[kBlock];                 ///< [-]
  double arm_a[kBlock], arm_b[kBlock];  ///< [m]
};

/// Part of the dashpots in the moments of a ForceBlock, for laws with moments; on B [N m].
struct MomentBlock {
  Vec3 dashpot[kBlock];
};

/// Energies of springs [J].
struct SpringEnergies {
  double normal = 0, shear = 0, moment = 0;

  SpringEnergies& operator+=(const SpringEnergies& other);
  double sum() const { return normal + shear + moment; }
};

/// Power of the forces of contacts on bodies or obstacles [W].
struct ForcePower {
  double elastic = 0, damping = 0, shear = 0, moment = 0;

  /// Adds the power of forces on a body with these velocities.
  void add(const ForceRow& row, const TorqueRow& torques, const Vec3& velocity,
           const Vec3& angular_velocity) {
    elastic += dot(row.elastic, velocity) + dot(torques.elastic, angular_velocity);
    damping += dot(row.damping, velocity) + dot(row.damping_torque, angular_velocity);
    shear += dot(row.shear, velocity) + dot(row.shear_torque, angular_velocity);
    moment += dot(torques.moment, angular_velocity);
  }
  double sum() const { return elastic + damping + shear + moment; }
  ForcePower& operator+=(const ForcePower& other) {
    elastic += other.elastic;
    damping += other.damping;
    shear += other.shear;
    moment += other.moment;
    return *this;
  }
  ForcePower& operator-=(const ForcePower& other) {
    elastic -= other.elastic;
    damping -= other.damping;
    shear -= other.shear;
    moment -= other.moment;
    return *this;
  }
};

/// Sums over contacts by lane: independent of the number of lanes in a register.
struct alignas(kCacheLine) ForceSums {
  double normal_energy[kBlock] = {}, shear_energy[kBlock] = {},
         moment_energy[kBlock] = {};  ///< [J]
  double sheared[kBlock] = {};        ///< work of sticking shear springs, in the step so far [J]
  double loaded[kBlock] = {}, sliding[kBlock] = {};  ///< numbers of contacts
  double depth = 0;                                  ///< [m]
  /// Largest overlap over the smaller inscribed radius of the bodies, or of their parts [-], and
  /// its pair
  double share = 0;
  double overlap = 0;  ///< overlap of that contact [m]
  std::uint32_t deepest = 0;

  SpringEnergies held() const;
};
double sum_of_lanes(const double (&lanes)[kBlock]);

namespace kernels {

struct ForceKernels {
  /// Finds which of pairs [8 k, 8 k + 8) of two spheres touch: bits of touching[k].
  void (*find)(const BodyIndex* a, const BodyIndex* b, std::size_t pairs, const ForceBody* bodies,
               std::uint8_t* touching);
  /// Evaluates the forces of a batch, of two spheres each or with a surface each; their memories,
  /// and their contributions to the sums. `moments` is null if the law has none.
  void (*of_spheres)(ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                     ForceBlock& block, MomentBlock* moments, ForceSums& sums);
  void (*of_surfaces)(ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                      ForceBlock& block, MomentBlock* moments, ForceSums& sums);
  /// Adds the forces of a batch of spheres to the rows of its bodies. Rows from `own` on belong to
  /// one pair each.
  void (*add_rows)(const ForceBatch& batch, std::size_t own, ForceRow* rows);
};

extern const ForceKernels scalar_force_kernels;
#if defined(__x86_64__)
extern const ForceKernels avx2_force_kernels;
extern const ForceKernels avx512_force_kernels;
#endif

const ForceKernels& force_kernels_of(InstructionSet set);

}  // namespace kernels
}  // namespace scree

/// Contacts with compliant laws, eight at a time: one text in lanes, compiled per instruction set
/// in a translation unit of its own. docs/theory/compliant_laws.md
#pragma once

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/core/instruction_set.hpp"
#include "scree/laws/force_numbers.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// What forces need of a body: place at t, motion at t − h/2.
struct alignas(32) ForceBody {
  Vec3 position;           ///< [m]
  double radius;           ///< of a sphere [m]
  Vec3 velocity;           ///< [m/s]
  double inverse_mass;     ///< [1/kg]
  Vec3 turn;               ///< h ω [rad]
  double inverse_inertia;  ///< of a sphere [1/(kg m²)]
};

/// Forces and torques of contacts on a body, by where their work goes.
struct alignas(kCacheLine) ForceRow {
  Vec3 elastic, damping, shear;       ///< of springs and cohesion, dashpots, shear springs [N]
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

/// What else turns a body about its centre, of bodies that are no spheres and of laws with moments
/// [N m].
struct TorqueRow {
  Vec3 elastic, moment;

  TorqueRow& operator+=(const TorqueRow& other) {
    elastic += other.elastic;
    moment += other.moment;
    return *this;
  }
};

/// Contacts of one law, eight or less, in lanes: what their forces follow from, and their forces. A
/// lane is one of two spheres, or of a sphere and a surface, or of two surfaces that touch at a
/// point; of the latter two the surface is given.
struct alignas(kCacheLine) ForceBatch {
  int count = 0;                      ///< the lanes from there on are of bodies at rest
  BodyIndex a[kBlock], b[kBlock];     ///< the body at rest for obstacles
  const ForceMemory* before[kBlock];  ///< the step
  ForceMemory* after[kBlock];         ///< null in lanes without a contact
  Vec3 moment[kBlock];                ///< of springs, on B: before the step, then after it [N m]
  std::uint32_t pair[kBlock];         ///< in the list
  std::uint32_t place[kBlock];        ///< in the memory of contacts
  std::uint32_t row_a[kBlock], row_b[kBlock];  ///< where its forces go

  bool has_ways;     ///< between spheres: `way` counts
  bool has_moments;  ///< the law gives moments
  /// See PairMotion::wall_way; between spheres from B to its image nearest to A [m]
  double way[3][kBlock];
  bool has_flows;          ///< between spheres: `flow` counts
  double flow[3][kBlock];  ///< by how much faster than B that image moves [m/s]

  bool has_turns = false;  ///< `turned` counts
  double turned[kBlock];   ///< by what a push turns, beside 1/m of both [1/kg]

  bool has_joints = false;     ///< `mass_factor` counts
  double mass_factor[kBlock];  ///< see effective_mass_factor() [-]

  // Of surfaces alone.
  bool has_points = false;   ///< `softness` and `together` count
  double softness[kBlock];   ///< of the normal spring: see EnergyCap [-]
  double together[kBlock];   ///< of the pair's stiffness, of the points that share its dashpot [-]
  double is_point[kBlock];   ///< 1: forces act at a point of both, no arms; or 0
  double normal[3][kBlock];  ///< from A to B
  double overlap[kBlock];    ///< [m]
  double rotation_b[3][kBlock];  ///< h ω of an obstacle [rad]
  double radius[kBlock];         ///< R* [m]
  double inner[kBlock];          ///< the smaller inner radius of the two bodies [m]
  double share[kBlock];          ///< of the pair's stiffness [-]
  Vec3 point[kBlock];            ///< [m]
  std::uint32_t feature[kBlock];
  ForceMemory
      remembered[kBlock];  ///< a pair writes what it remembers before all its points have read

  // What comes of it.
  /// On B; torques before they are multiplied by the arms, of A and of B alike, and with −1
  ForceRow on_b[kBlock];
  double arm_a[kBlock], arm_b[kBlock];  ///< [m]
  Vec3 moment_on_b[kBlock];             ///< on A the opposite [N m]
};

/// What is to be known of eight contacts after the step beside what they remember. Steps write no
/// more of it than they must, as few look: the rest is made when somebody does, see
/// force_contact_of().
struct alignas(kCacheLine) ForceBlock {
  static constexpr std::uint32_t kNoPlace = 0xffffffff;  ///< of a lane without a contact
  double elastic[kBlock];                                ///< F_e − F_c [N]
  double damping[kBlock];                                ///< F_d [N]
  BodyIndex a[kBlock], b[kBlock];
  std::uint32_t place[kBlock];
  std::uint8_t sliding;   ///< a bit of each lane
  std::uint8_t dashpots;  ///< whose D is not zero
  bool of_spheres;        ///< lever and arms follow from radii and overlaps, in this way:
  RotationScheme rotations;
  BranchVectors branch;

  // Of lanes with the bit of `dashpots` alone.
  alignas(kCacheLine) double dashpot[3][kBlock];  ///< D [N]
  // Of others than spheres alone.
  double lever[kBlock];                 ///< [-]
  double arm_a[kBlock], arm_b[kBlock];  ///< [m]
};

/// Dashpots' part of moments of a ForceBlock, of laws that have any; on B [N m].
struct MomentBlock {
  Vec3 dashpot[kBlock];
};

/// Held by springs [J].
struct SpringEnergies {
  double normal = 0, shear = 0, moment = 0;

  SpringEnergies& operator+=(const SpringEnergies& other);
  double sum() const { return normal + shear + moment; }
};

/// Of the forces of contacts on bodies or obstacles [W].
struct ForcePower {
  double elastic = 0, damping = 0, shear = 0, moment = 0;

  /// Adds that of forces on what moves so.
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

/// Sums over contacts, lane by lane: the same however many lanes a register has.
struct alignas(kCacheLine) ForceSums {
  double normal_energy[kBlock] = {}, shear_energy[kBlock] = {},
         moment_energy[kBlock] = {};  ///< [J]
  double sheared[kBlock] = {};  ///< work of shear springs that do not slide, in the step so far [J]
  double loaded[kBlock] = {}, sliding[kBlock] = {};  ///< contacts
  double depth = 0;                                  ///< [m]
  /// Of the contact that is deepest for its bodies, or their parts: over the smaller inner radius
  /// [-], and its pair
  double share = 0;
  double overlap = 0;  ///< of that contact [m]
  std::uint32_t deepest = 0;

  SpringEnergies held() const;
};
double sum_of_lanes(const double (&lanes)[kBlock]);

namespace kernels {

struct ForceKernels {
  /// Which of pairs [8 k, 8 k + 8) of two spheres touch: bits of touching[k].
  void (*find)(const BodyIndex* a, const BodyIndex* b, std::size_t pairs, const ForceBody* bodies,
               std::uint8_t* touching);
  /// The forces of the contacts of a batch, of two spheres each or with a surface each; what
  /// they remember, and what they add to the sums. `moments` is null where the law has none.
  void (*of_spheres)(ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                     ForceBlock& block, MomentBlock* moments, ForceSums& sums);
  void (*of_surfaces)(ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                      ForceBlock& block, MomentBlock* moments, ForceSums& sums);
  /// The forces of a batch of spheres to the rows of its bodies. Rows from `own` on are of one pair
  /// each.
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

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

/// Eight contacts of one law on their way to their forces. A lane is one of two spheres, or of a
/// sphere and a surface, or of two surfaces that touch at a point; of the latter two the surface is
/// given.
struct alignas(kCacheLine) ForceBatch {
  BodyIndex a[kBlock], b[kBlock];     ///< the body at rest for obstacles
  std::uint32_t place[kBlock];        ///< in the memory of contacts
  const ForceMemory* memory[kBlock];  ///< before this step
  Vec3 moment[kBlock];                ///< before this step [N m]

  double is_surface[kBlock];  ///< 1 or 0; the rest counts where it is 1
  double is_point[kBlock];    ///< 1: forces act at a point of both, no arms
  double normal[3][kBlock];   ///< from A to B
  double overlap[kBlock];     ///< [m]
  /// See PairMotion::wall_way; between spheres from B to its image nearest to A [m]
  double way[3][kBlock];
  double turn_b[3][kBlock];  ///< h ω of an obstacle [rad]
  double radius[kBlock];     ///< R* [m]
  double inner[kBlock];      ///< the smaller inner radius of the two bodies [m]
  double share[kBlock];      ///< of the pair's stiffness [-]
  double filled[kBlock];     ///< 1: a contact; 0: none, which counts nowhere
  bool is_plain;             ///< see ForceBlock
};

/// Eight contacts with their forces, a lane each; places without a contact have both bodies at rest
/// and no force. Forces on B, (push + damping) n + lever (shear + dashpot), act at the centres;
/// the torques arm × n × −(shear + dashpot) on both bodies, and ±(rolling) come to it.
struct alignas(kCacheLine) ForceBlock {
  static constexpr std::uint32_t kNoPlace = 0xffffffff;  ///< of a lane without a contact
  double normal[3][kBlock];
  double overlap[kBlock];               ///< [m]
  double closing[kBlock];               ///< −u_n in the step that led here [m/s]
  double push[kBlock];                  ///< F_e − F_c [N]
  double damping[kBlock];               ///< F_d [N]
  double shear[3][kBlock];              ///< S [N]
  double dashpot[3][kBlock];            ///< D [N]
  double lever[kBlock];                 ///< [-]
  double arm_a[kBlock], arm_b[kBlock];  ///< [m]
  double slides[kBlock];                ///< 1 or 0
  BodyIndex a[kBlock], b[kBlock];
  std::uint32_t place[kBlock];
  /// All contacts are of spheres with each other or with obstacles at rest: then what bodies'
  /// records say of their motion is all that powers need.
  bool is_plain;

  /// Whether forces act at a point of both bodies: then there are no arms.
  bool is_at_point(int lane) const { return arm_a[lane] == 0; }
};

/// Moments of a ForceBlock, of laws that have any.
struct alignas(kCacheLine) MomentBlock {
  double spring[3][kBlock], dashpot[3][kBlock];  ///< on B [N m]
};

/// What a contact does to its bodies.
struct PairForce {
  Vec3 on_b;                ///< on A the opposite [N]
  Vec3 torque_a, torque_b;  ///< about the centres [N m]
};

/// Held by springs [J].
struct SpringEnergies {
  double normal = 0, shear = 0, moment = 0;

  SpringEnergies& operator+=(const SpringEnergies& other);
  double sum() const { return normal + shear + moment; }
};

/// Of the forces of contacts on bodies [W].
struct ForcePower {
  double push = 0, damping = 0, shear = 0, moment = 0;
  double held = 0;   ///< that of shear springs that do not slide
  double walls = 0;  ///< that obstacles give to the bodies

  ForcePower& operator+=(const ForcePower& other);
};

/// Sums over contacts, lane by lane: the same however many lanes a register has.
double sum_of_lanes(const double (&lanes)[kBlock]);
struct alignas(kCacheLine) PowerLanes {
  double push[kBlock] = {}, damping[kBlock] = {}, shear[kBlock] = {}, moment[kBlock] = {},
         held[kBlock] = {};

  ForcePower sum() const;
};
struct alignas(kCacheLine) ForceSums {
  double normal_energy[kBlock] = {}, shear_energy[kBlock] = {},
         moment_energy[kBlock] = {};                 ///< [J]
  double loaded[kBlock] = {}, sliding[kBlock] = {};  ///< contacts
  PowerLanes before;  ///< of plain blocks, with the velocities of t − h/2
  double depth = 0;   ///< [m]
  /// Of the contact that is deepest for its bodies: over the smaller inner radius [-], and its
  /// place in the memory of contacts
  double share = 0;
  std::uint32_t deepest = 0;

  SpringEnergies held() const;
};

namespace kernels {

struct ForceKernels {
  /// The forces of the contacts of a batch, an element of `on_pairs` each, and what they add to the
  /// sums. `moments` is null where the law has none.
  void (*evaluate)(const ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                   ForceBlock& block, MomentBlock* moments, PairForce* on_pairs, ForceSums& sums);
  /// Adds the powers of a plain block's forces with the motions that `bodies` have.
  void (*add_power)(const ForceBlock& block, const MomentBlock* moments, const ForceBody* bodies,
                    double h, PowerLanes& sum);
  /// What the contacts of a block remember, to their places.
  void (*remember)(const ForceBlock& block, ForceMemory* memory);
};

extern const ForceKernels scalar_force_kernels;
#if defined(__x86_64__)
extern const ForceKernels avx2_force_kernels;
extern const ForceKernels avx512_force_kernels;
#endif

const ForceKernels& force_kernels_of(InstructionSet set);

}  // namespace kernels
}  // namespace scree

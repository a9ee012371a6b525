/// Assembly of contacts of spheres, eight at a time: one text in lanes, compiled per instruction
/// set in its own translation unit.
#pragma once

#include "scree/core/instruction_set.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "sim/contacts/contact_terms.hpp"

namespace scree {

/// Eight contacts of spheres, a lane each. Unused lanes have the values of empty().
struct alignas(kCacheLine) SphereContacts {
  BodyIndex a[kBlock], b[kBlock];  ///< records

  double apart[3][kBlock];       ///< x_B − x_A [m]
  double touch[kBlock];          ///< distance of centres that touch [m]
  double radius[kBlock];         ///< the smaller one [m]
  double position_size[kBlock];  ///< size of both positions [m]
  double before[3][kBlock];      ///< v_B − v_A at the end of the step before [m/s]
  double restitution[kBlock];    ///< e [-]
  double friction[kBlock];       ///< μ [-]
  double remembered[3][kBlock];  ///< impulse of the step before [N s]
  /// 1: the plane of the lane is known, as for an obstacle; 0: it is that of two spheres
  double has_plane[kBlock];

  // Plane, see SeparatingPlane.
  double normal[3][kBlock];
  double gap[kBlock], remaining_gap[kBlock];  ///< [m]
  double turn_cosine[kBlock];

  double impulse[3][kBlock];              ///< initial impulse of the solve [N s]
  double bias[kBlock];                    ///< [m/s]
  double rebounds[kBlock];                ///< 1 if the bias is a rebound, else 0
  double suppressed_restitution[kBlock];  ///< see ContactTerms [-]
  double correction_gap[kBlock];          ///< see CorrectionBlock [m/s]
  double depth[kBlock];                   ///< overlap over radius; < 0 apart [-]
  double rounding[kBlock];                ///< see ContactTerms [m/s]
  double q_n[kBlock];                     ///< normal part of q = u with the gap term [m/s]

  static SphereContacts empty(BodyIndex at_rest);
};

namespace kernels {

struct SphereKernels {
  /// Computes all other fields from those above the planes; `bodies` have the free velocities.
  void (*complete)(SphereContacts& contacts, const BodyRecord* bodies,
                   const TermSettings& settings);
};

extern const SphereKernels scalar_sphere_kernels;
#if defined(__x86_64__)
extern const SphereKernels avx2_sphere_kernels;
extern const SphereKernels avx512_sphere_kernels;
#endif

const SphereKernels& sphere_kernels_of(InstructionSet set);

}  // namespace kernels
}  // namespace scree

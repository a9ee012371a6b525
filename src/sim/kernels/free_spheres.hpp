/// Spheres that rotate about every axis, eight at a time: their velocity increments by forces, and
/// their motion. One text in lanes, compiled per instruction set in its own translation unit.
#pragma once

#include "scree/core/instruction_set.hpp"
#include "scree/math/quaternion.hpp"
#include "sim/kernels/force_contacts.hpp"

namespace scree {

/// Eight consecutive spheres in the arrays of bodies, from the first of them.
struct EightSpheres {
  const double *mass, *radius;
  double inertia[kBlock];  ///< over m r² [-]
  Vec3 *position, *velocity, *angular_velocity;
  Quaternion* orientation;
  BodyRecord* records;
};

/// Values common to all of them.
struct SphereStep {
  double h;                 ///< [s]
  double half_step_factor;  ///< fraction of a step's forces that velocities get [-]
  Vec3 velocity;            ///< increment by gravity in the step [m/s]
  Vec3 gravity;             ///< [m/s²]
  Vec3 drift;               ///< drift of the neighbour list in the step [m]
};

/// Power of forces on bodies by lane: independent of the number of lanes in a register [W].
struct alignas(kCacheLine) LanePowers {
  double elastic[kBlock] = {}, damping[kBlock] = {}, shear[kBlock] = {};

  ForcePower sum() const {
    return {sum_of_lanes(elastic), sum_of_lanes(damping), sum_of_lanes(shear), 0};
  }
};

/// Energies of spheres at the end of a step.
struct alignas(kCacheLine) SphereEnergies {
  double kinetic[kBlock], potential[kBlock];  ///< [J]
  double finite[kBlock];  ///< 0 if a position or a velocity is not finite, else 1
};

namespace kernels {

struct FreeSphereKernels {
  /// Sets records of bodies in free fall, and their travel in the step [m].
  void (*predict)(const EightSpheres& spheres, const SphereStep& step, double (&travel)[kBlock]);
  /// Sets their records for forces.
  void (*record)(const EightSpheres& spheres, double h, ForceBody* bodies);
  /// Adds the forces in the rows of all their contacts to their records; finds the power of the
  /// forces with the motions before and after.
  void (*give)(const EightSpheres& spheres, const SphereStep& step, const ForceRow* rows,
               LanePowers& before, LanePowers& after);
  /// Gives them the velocities of their records, moves and rotates them. `skin`: see Neighbours.
  void (*advance)(const EightSpheres& spheres, const SphereStep& step, double* skin,
                  SphereEnergies& energies);
  /// Rotates any bodies by h ω, exactly.
  void (*turn)(Quaternion* orientations, const Vec3* angular_velocities, std::size_t bodies,
               double h);
};

extern const FreeSphereKernels scalar_free_sphere_kernels;
#if defined(__x86_64__)
extern const FreeSphereKernels avx2_free_sphere_kernels;
extern const FreeSphereKernels avx512_free_sphere_kernels;
#endif

const FreeSphereKernels& free_sphere_kernels_of(InstructionSet set);

}  // namespace kernels
}  // namespace scree

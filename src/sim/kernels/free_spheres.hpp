/// Spheres that turn about every axis, eight at a time: what forces give them, and how they move
/// on. One text in lanes, compiled per instruction set in a translation unit of its own.
#pragma once

#include "scree/core/instruction_set.hpp"
#include "scree/math/quaternion.hpp"
#include "sim/kernels/force_contacts.hpp"

namespace scree {

/// Eight spheres that lie one behind the other in the arrays of bodies, from the first of them.
struct EightSpheres {
  const double *mass, *radius;
  double inertia[kBlock];  ///< over m r² [-]
  Vec3 *position, *velocity, *angular_velocity;
  Quaternion* orientation;
  BodyRecord* records;
};

/// What is the same for all of them.
struct SphereStep {
  double h;                 ///< [s]
  double half_step_factor;  ///< part of a step's forces that velocities get [-]
  Vec3 velocity;            ///< what gravity adds in the step [m/s]
  Vec3 gravity;             ///< [m/s²]
  Vec3 drift;               ///< of the list of neighbours in the step [m]
};

/// Power of forces on bodies, lane by lane: the same however many lanes a register has [W].
struct alignas(kCacheLine) LanePowers {
  double elastic[kBlock] = {}, damping[kBlock] = {}, shear[kBlock] = {};

  ForcePower sum() const {
    return {sum_of_lanes(elastic), sum_of_lanes(damping), sum_of_lanes(shear), 0};
  }
};

/// Of spheres at the end of a step.
struct alignas(kCacheLine) SphereEnergies {
  double kinetic[kBlock], potential[kBlock];  ///< [J]
  double finite[kBlock];                      ///< 0 where a place or a velocity is not, else 1
};

namespace kernels {

struct FreeSphereKernels {
  /// Records of bodies that fall freely, and how far they go in the step [m].
  void (*predict)(const EightSpheres& spheres, const SphereStep& step, double (&way)[kBlock]);
  /// What forces need of them.
  void (*record)(const EightSpheres& spheres, double h, ForceBody* bodies);
  /// From what forces give the spheres, in the rows of all their contacts, to their records; and
  /// the power of the forces with the motions before and after.
  void (*give)(const EightSpheres& spheres, const SphereStep& step, const ForceRow* rows,
               LanePowers& before, LanePowers& after);
  /// Gives them the velocities of their records, moves and turns them. `slack`: see Neighbours.
  void (*advance)(const EightSpheres& spheres, const SphereStep& step, double* skin,
                  SphereEnergies& energies);
  /// Turns any bodies by h ω, exactly.
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

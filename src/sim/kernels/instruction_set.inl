// Kernels of this folder for one instruction set: compiled once for each, with SCREE_OF_SET and
// SCREE_LANES defined.
#include "sim/kernels/force_contacts.inl"
#include "sim/kernels/free_spheres.inl"
#include "sim/kernels/sphere_contacts.inl"

namespace scree::kernels {
const ForceKernels SCREE_OF_SET(force_kernels){find, of_spheres, of_surfaces, add_rows};
const FreeSphereKernels SCREE_OF_SET(free_sphere_kernels){predict, record, give, advance, turn};
const SphereKernels SCREE_OF_SET(sphere_kernels){complete};
}  // namespace scree::kernels

#define SCREE_LANES 8
#include "sim/kernels/force_contacts.inl"

namespace scree::kernels {
const ForceKernels avx512_force_kernels{find, of_spheres, of_surfaces, add_rows};
}  // namespace scree::kernels

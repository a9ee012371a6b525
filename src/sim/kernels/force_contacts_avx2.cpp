#define SCREE_LANES 4
#include "sim/kernels/force_contacts.inl"

namespace scree::kernels {
const ForceKernels avx2_force_kernels{find, of_spheres, of_surfaces, add_rows};
}  // namespace scree::kernels

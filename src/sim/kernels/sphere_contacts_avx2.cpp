#define SCREE_LANES 4
#include "sim/kernels/sphere_contacts.inl"

namespace scree::kernels {
const SphereKernels avx2_sphere_kernels{complete};
}  // namespace scree::kernels

#define SCREE_LANES 8
#include "sim/kernels/sphere_contacts.inl"

namespace scree::kernels {
const SphereKernels avx512_sphere_kernels{complete};
}  // namespace scree::kernels

#define SCREE_LANES 1
#include "sim/kernels/sphere_contacts.inl"

namespace scree::kernels {
const SphereKernels scalar_sphere_kernels{complete};
}  // namespace scree::kernels

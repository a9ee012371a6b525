#define SCREE_LANES 1
#include "sim/kernels/free_spheres.inl"

namespace scree::kernels {
const FreeSphereKernels scalar_free_sphere_kernels{predict, record, give, advance, turn};
}  // namespace scree::kernels

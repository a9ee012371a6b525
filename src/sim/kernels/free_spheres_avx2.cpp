#define SCREE_LANES 4
#include "sim/kernels/free_spheres.inl"

namespace scree::kernels {
const FreeSphereKernels avx2_free_sphere_kernels{predict, record, give, advance, turn};
}  // namespace scree::kernels

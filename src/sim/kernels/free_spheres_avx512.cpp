#define SCREE_LANES 8
#include "sim/kernels/free_spheres.inl"

namespace scree::kernels {
const FreeSphereKernels avx512_free_sphere_kernels{predict, record, give, advance, turn};
}  // namespace scree::kernels

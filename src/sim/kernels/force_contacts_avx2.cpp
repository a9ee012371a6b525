#define SCREE_LANES 4
#include "sim/kernels/force_contacts.inl"

namespace scree::kernels {
const ForceKernels avx2_force_kernels{evaluate, add_power, remember};
}  // namespace scree::kernels

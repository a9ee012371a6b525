#define SCREE_LANES 8
#include "sim/kernels/force_contacts.inl"

namespace scree::kernels {
const ForceKernels avx512_force_kernels{evaluate, add_power, remember};
}  // namespace scree::kernels

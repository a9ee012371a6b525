#define SCREE_LANES 1
#include "sim/kernels/force_contacts.inl"

namespace scree::kernels {
const ForceKernels scalar_force_kernels{evaluate, add_power, remember};
}  // namespace scree::kernels

#define SCREE_LANES 1
#include "solvers/kernels/diagonal_kernels.inl"

namespace scree::kernels {
const DiagonalKernels scalar_kernels{"scalar", apply, relax, certify};
}

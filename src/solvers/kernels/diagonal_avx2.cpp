#define SCREE_LANES 4
#include "solvers/kernels/diagonal_kernels.inl"

namespace scree::kernels {
const DiagonalKernels avx2_kernels{"avx2", apply, relax, certify};
}

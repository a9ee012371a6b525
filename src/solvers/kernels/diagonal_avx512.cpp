#define SCREE_LANES 8
#include "solvers/kernels/diagonal_kernels.inl"

namespace scree::kernels {
const DiagonalKernels avx512_kernels{"avx512", apply, relax, certify};
}

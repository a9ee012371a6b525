#define SCREE_LANES 8
#include "solvers/kernels/local_solves.inl"

namespace scree::kernels {
const LocalSolves avx512_local_solves{"avx512", solve_batches};
}

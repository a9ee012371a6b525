#define SCREE_LANES 4
#include "solvers/kernels/local_solves.inl"

namespace scree::kernels {
const LocalSolves avx2_local_solves{"avx2", solve_batches};
}

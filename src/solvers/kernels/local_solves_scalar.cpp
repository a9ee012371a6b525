#define SCREE_LANES 1
#include "solvers/kernels/local_solves.inl"

namespace scree::kernels {
const LocalSolves scalar_local_solves{"scalar", solve_batches};
}

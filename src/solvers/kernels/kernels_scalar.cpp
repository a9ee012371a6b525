#define SCREE_LANES 1
#include "solvers/kernels/dense_kernels.inl"
#include "solvers/kernels/diagonal_kernels.inl"
#include "solvers/kernels/full_kernels.inl"
#include "solvers/kernels/turning_kernels.inl"

namespace scree::kernels {
const Kernels scalar_kernels{apply,
                             relax,
                             certify,
                             apply_full,
                             OfLaws<AnyLaw>::relax,
                             OfLaws<AnyLaw>::certify,
                             apply_turning,
                             relax_turning,
                             push,
                             push_full,
                             {take_product, take_row}};
const LocalSolves scalar_local_solves{solve_batches};
}  // namespace scree::kernels

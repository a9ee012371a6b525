#define SCREE_LANES 4
#include "solvers/kernels/dense_kernels.inl"
#include "solvers/kernels/diagonal_kernels.inl"
#include "solvers/kernels/full_kernels.inl"
#include "solvers/kernels/turning_kernels.inl"

namespace scree::kernels {
const Kernels avx2_kernels{apply,
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
const LocalSolves avx2_local_solves{solve_batches};
}  // namespace scree::kernels

#define SCREE_LANES 4
#include "solvers/kernels/contact_kernels.inl"
#include "solvers/kernels/dense_kernels.inl"
#include "solvers/kernels/rolling_kernels.inl"
#include "solvers/kernels/sphere_contact_kernels.inl"

namespace scree::kernels {
const Kernels avx2_kernels{apply,
                           relax,
                           certify,
                           apply_full,
                           OfLaws<AnyLaw>::relax,
                           OfLaws<AnyLaw>::certify,
                           apply_rolling,
                           relax_rolling,
                           correct,
                           correct_full,
                           {take_product, take_row}};
const LocalSolves avx2_local_solves{solve_batches};
}  // namespace scree::kernels

// The kernels of this folder for one instruction set: compiled once for each, with SCREE_OF_SET and
// SCREE_LANES defined.
#include "solvers/kernels/contact_kernels.inl"
#include "solvers/kernels/dense_kernels.inl"
#include "solvers/kernels/rolling_kernels.inl"
#include "solvers/kernels/sphere_contact_kernels.inl"

namespace scree::kernels {
const Kernels SCREE_OF_SET(kernels){apply,
                                    relax,
                                    certify,
                                    apply_contacts,
                                    OfLaws<AnyLaw>::relax,
                                    OfLaws<AnyLaw>::certify,
                                    apply_rolling,
                                    relax_rolling,
                                    correct,
                                    correct_contacts,
                                    {take_product, take_row}};
const LocalSolves SCREE_OF_SET(local_solves){solve_batches};
}  // namespace scree::kernels

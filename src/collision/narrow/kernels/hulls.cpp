#include "collision/narrow/kernels/hulls.hpp"

namespace scree::kernels {

HullKernels hull_kernels_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_hull_kernels;
  if (set == InstructionSet::avx2) return avx2_hull_kernels;
#endif
  return scalar_hull_kernels;
}

}  // namespace scree::kernels

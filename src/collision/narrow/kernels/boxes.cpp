#include "collision/narrow/kernels/boxes.hpp"

namespace scree::kernels {

BoxKernels box_kernels_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_box_kernels;
  if (set == InstructionSet::avx2) return avx2_box_kernels;
#endif
  return scalar_box_kernels;
}

}  // namespace scree::kernels

#include "sim/kernels/free_spheres.hpp"

namespace scree {

const kernels::FreeSphereKernels& kernels::free_sphere_kernels_of(
    [[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_free_sphere_kernels;
  if (set == InstructionSet::avx2) return avx2_free_sphere_kernels;
#endif
  return scalar_free_sphere_kernels;
}

}  // namespace scree

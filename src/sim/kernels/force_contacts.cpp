#include "sim/kernels/force_contacts.hpp"

#include <numeric>

namespace scree {

SpringEnergies& SpringEnergies::operator+=(const SpringEnergies& other) {
  normal += other.normal;
  shear += other.shear;
  moment += other.moment;
  return *this;
}

double sum_of_lanes(const double (&lanes)[kBlock]) {
  return std::accumulate(lanes, lanes + kBlock, 0.0);
}

SpringEnergies ForceSums::held() const {
  return {sum_of_lanes(normal_energy), sum_of_lanes(shear_energy), sum_of_lanes(moment_energy)};
}

const kernels::ForceKernels& kernels::force_kernels_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_force_kernels;
  if (set == InstructionSet::avx2) return avx2_force_kernels;
#endif
  return scalar_force_kernels;
}

}  // namespace scree

#include "sim/kernels/sphere_contacts.hpp"

#include <algorithm>

namespace scree {

SphereContacts SphereContacts::empty(BodyIndex at_rest) {
  SphereContacts contacts{};
  std::ranges::fill(contacts.a, at_rest);
  std::ranges::fill(contacts.b, at_rest);
  std::ranges::fill(contacts.touch, 1.0);
  return contacts;
}

const kernels::SphereKernels& kernels::sphere_kernels_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_sphere_kernels;
  if (set == InstructionSet::avx2) return avx2_sphere_kernels;
#endif
  return scalar_sphere_kernels;
}

}  // namespace scree

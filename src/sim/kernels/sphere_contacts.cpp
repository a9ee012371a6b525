#include "sim/kernels/sphere_contacts.hpp"

#include <algorithm>
#include <cstring>

#include "scree/solvers/gauss_seidel.hpp"

namespace scree {

SphereContacts SphereContacts::empty(BodyIndex at_rest) {
  SphereContacts contacts{};
  std::ranges::fill(contacts.a, at_rest);
  std::ranges::fill(contacts.b, at_rest);
  std::ranges::fill(contacts.touch, 1.0);
  return contacts;
}

const kernels::SphereKernels& kernels::active_sphere_kernels() {
#if defined(__x86_64__)
  for (const SphereKernels* set : {&avx512_sphere_kernels, &avx2_sphere_kernels})
    if (std::strcmp(set->instruction_set, GaussSeidel::instruction_set()) == 0) return *set;
#endif
  return scalar_sphere_kernels;
}

}  // namespace scree

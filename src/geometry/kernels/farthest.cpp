#include "geometry/kernels/farthest.hpp"

namespace scree::kernels {

std::vector<double> columns_of(std::span<const Vec3> vectors) {
  constexpr std::size_t kWidest = 8;
  const std::size_t filled = (vectors.size() + kWidest - 1) / kWidest * kWidest;
  std::vector<double> columns(3 * filled);
  for (std::size_t k = 0; k < filled; ++k)
    for (std::size_t i = 0; i < 3; ++i)
      columns[i * filled + k] = vectors[k < vectors.size() ? k : 0][static_cast<int>(i)];
  return columns;
}

Farthest farthest_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_farthest;
  if (set == InstructionSet::avx2) return avx2_farthest;
#endif
  return scalar_farthest;
}

Heights heights_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_heights;
  if (set == InstructionSet::avx2) return avx2_heights;
#endif
  return scalar_heights;
}

}  // namespace scree::kernels

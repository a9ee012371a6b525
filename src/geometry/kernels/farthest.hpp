/// The vector of a set that goes farthest along a direction: vertices of a hull, normals of its
/// faces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/instruction_set.hpp"
#include "scree/math/vec3.hpp"

namespace scree::kernels {

/// Vectors as the kernels read them: all x, then all y and all z, each filled up to whole registers
/// by the first vector. There must be one at least.
std::vector<double> columns_of(std::span<const Vec3> vectors);

/// Index of the vector whose product with the direction is the greatest, the first of equal ones;
/// 0 if there is a NaN in each product. The same for all instruction sets.
using Farthest = std::uint32_t (*)(std::span<const double> columns, const Vec3& direction);
Farthest farthest_of(InstructionSet set);

extern const Farthest scalar_farthest;
/// Writes for each vector its product with the direction, less `scale` times its offset, and
/// returns the index of the greatest as above. As many offsets and heights as columns are long.
using Heights = std::uint32_t (*)(std::span<const double> columns, std::span<const double> offsets,
                                  const Vec3& direction, double scale, std::span<double> heights);
Heights heights_of(InstructionSet set);

extern const Heights scalar_heights;
#if defined(__x86_64__)
extern const Farthest avx2_farthest;
extern const Farthest avx512_farthest;
extern const Heights avx2_heights;
extern const Heights avx512_heights;
#endif

}  // namespace scree::kernels

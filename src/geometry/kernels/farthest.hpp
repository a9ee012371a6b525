/// Kernels for the farthest vector of a set along a direction: vertices of a hull, normals of its
/// faces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/instruction_set.hpp"
#include "scree/math/vec3.hpp"

namespace scree::kernels {

/// Vectors in columns for the kernels: all x, then all y and all z. Each column is filled up to
/// whole registers by the first vector. There must be at least one vector.
std::vector<double> columns_of(std::span<const Vec3> vectors);

/// Index of the vector with the largest product with the direction, the first of equal ones; 0 if
/// every product is NaN. The same for all instruction sets.
using Farthest = std::uint32_t (*)(std::span<const double> columns, const Vec3& direction);
Farthest farthest_of(InstructionSet set);

extern const Farthest scalar_farthest;
/// Writes each vector's product with the direction, minus `scale` times its offset, and returns the
/// index of the largest as above. `offsets` and `heights` are as long as a column.
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

/// The arithmetic of convex shapes that comes in numbers: faces that some point is above, and two
/// pieces of surface laid one over the other. In lanes, without branches, as for boxes. The same
/// bits for all instruction sets.
#pragma once

#include <cstdint>
#include <span>

#include "scree/core/instruction_set.hpp"
#include "scree/math/vec3.hpp"

namespace scree::kernels {

/// What a word of bits tells of: bit k is item k.
inline constexpr int kBits = 64;

/// A face, an edge or a point as seen along a direction n.
struct SeenFeature {
  static constexpr int kMax = 8;

  std::span<const Vec3> corners;  ///< [m], round the outward normal; kMax at most
  int edges;                      ///< from a corner to the next: 0 of a point, 1 of an edge
  double side;                    ///< 1 if its outward normal points along n, −1 if against it
};

/// Two pieces seen along one direction.
struct FeatureOverlay {
  /// Corners of A that lie on the inner side of all edges of B, bit k is corner k; and of B of A.
  std::uint64_t of_a, of_b;
  std::uint64_t crossings;  ///< bit k kMax + l: edge k of A and edge l of B cross
};

struct HullKernels {
  /// Of `faces` heights those above `least`: bits for 64 of them in each word. Heights are read up
  /// to the next multiple of 8.
  void (*faces_above)(const double* height, int faces, double least, std::uint64_t* above);
  /// Along n, unit. A corner that is `slack` [m] beside an edge is not yet outside.
  void (*lay_over)(const SeenFeature& a, const SeenFeature& b, const Vec3& n, double slack,
                   FeatureOverlay& overlay);
};
HullKernels hull_kernels_of(InstructionSet set);

extern const HullKernels scalar_hull_kernels;
#if defined(__x86_64__)
extern const HullKernels avx2_hull_kernels;
extern const HullKernels avx512_hull_kernels;
#endif

}  // namespace scree::kernels

namespace scree {

/// Those of the widest instruction set that the machine has.
inline const kernels::HullKernels& hull_kernels() {
  static const kernels::HullKernels kKernels = kernels::hull_kernels_of(widest_instruction_set());
  return kKernels;
}

/// Calls `use(k)` for each bit k that is set, in rising order.
template <class Use>
void for_each_bit(std::uint64_t bits, const Use& use) {
  for (; bits != 0; bits &= bits - 1) use(__builtin_ctzll(bits));
}

}  // namespace scree

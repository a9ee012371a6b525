/// Arithmetic of convex shapes for many items: faces below a point, and two support features laid
/// over each other. In lanes and branch-free, as for boxes. The same bits for all instruction sets.
#pragma once

#include <cstdint>
#include <span>

#include "scree/core/instruction_set.hpp"
#include "scree/math/vec3.hpp"

namespace scree::kernels {

/// Number of items in a bit mask: bit k is item k.
inline constexpr int kBits = 64;

/// Face, edge or point viewed along a direction n.
struct SeenFeature {
  static constexpr int kMax = 8;

  std::span<const Vec3> corners;  ///< [m], counter-clockwise about the outward normal; at most kMax
  int edges;                      ///< number of edges: 0 for a point, 1 for an edge
  double side;                    ///< 1 if its outward normal points along n, −1 if against it
};

/// Two features viewed along one direction.
struct FeatureOverlay {
  /// Corners of A on the inner side of all edges of B (bit k is corner k), and of B for A.
  std::uint64_t of_a, of_b;
  std::uint64_t crossings;  ///< bit k kMax + l: edge k of A and edge l of B cross
};

struct HullKernels {
  /// Finds heights above `least`; 64 bits in each word. Heights are read up to the next multiple of
  /// 8.
  void (*faces_above)(const double* height, int faces, double least, std::uint64_t* above);
  /// Overlays two features along the unit vector n. A corner within `slack` [m] of an edge is not
  /// outside.
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

/// Kernels for the widest instruction set of this machine.
inline const kernels::HullKernels& hull_kernels() {
  static const kernels::HullKernels kKernels = kernels::hull_kernels_of(widest_instruction_set());
  return kKernels;
}

/// Calls `use(k)` for each set bit k, in increasing order.
template <class Use>
void for_each_bit(std::uint64_t bits, const Use& use) {
  for (; bits != 0; bits &= bits - 1) use(__builtin_ctzll(bits));
}

}  // namespace scree

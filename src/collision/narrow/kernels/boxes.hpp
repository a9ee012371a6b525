/// The arithmetic of two boxes that comes in eights: vertices, and crossings of edges. In lanes,
/// without branches: which of them come out is as good as random, and a processor that guesses
/// wrong loses more than the arithmetic costs. The same bits for all instruction sets.
#pragma once

#include <cstdint>

#include "scree/core/instruction_set.hpp"
#include "scree/math/vec3.hpp"

namespace scree::kernels {

/// Cores of two boxes in A's axes, from A's centre. Vertex v of a box has coordinate k at
/// +half_extent where bit k of v is set, else at −half_extent.
struct TwoBoxes {
  Vec3 half_of_a, half_of_b;  ///< [m] ≥ 0
  Vec3 axes_of_b[3];          ///< unit
  Vec3 centre_of_b;           ///< [m]
};

/// The ways from each vertex to the other box: of B's in [0, 8), of A's in [8, 16).
struct VertexWays {
  double way2[16];    ///< squared length [m²]
  double extent[16];  ///< directions in which the part extends that it meets: 0 to 3
  /// Those that are as short as the shortest but for a rounding or some: bit k is way k.
  std::uint32_t shortest;
};

/// A direction along which two boxes are looked at, and what counts.
struct Look {
  Vec3 n, n_in_b;            ///< unit, from A to B, in A's and in B's axes
  double lowest_of_b;        ///< along n [m]
  double depth;              ///< of parts of A below its farthest, and of B above its lowest [m]
  double slack;              ///< a vertex so far beside a face lies over it [m]
  std::uint32_t of_a, of_b;  ///< vertices that count, bit v is vertex v
};
struct BoxEdge {
  int axis, vertex;  ///< one of its two vertices
};
struct Crossing {
  BoxEdge edge_of_a, edge_of_b;
  Vec3 on_a;      ///< [m]
  double height;  ///< of B above it, along n [m]
};
/// What lies over what. Edges are those of the face of each box that lies most nearly across n.
struct Overlay {
  std::uint32_t of_a, of_b;               ///< vertices over the other box, bit v is vertex v
  double height_of_a[8], height_of_b[8];  ///< of the other above them [m]
  int crossings;
  Crossing crossing[16];  ///< by edges of A, then of B
};

struct BoxKernels {
  void (*vertex_ways)(const TwoBoxes& boxes, VertexWays& ways);
  void (*lay_over)(const TwoBoxes& boxes, const Look& look, Overlay& overlay);
};
BoxKernels box_kernels_of(InstructionSet set);

extern const BoxKernels scalar_box_kernels;
#if defined(__x86_64__)
extern const BoxKernels avx2_box_kernels;
extern const BoxKernels avx512_box_kernels;
#endif

}  // namespace scree::kernels

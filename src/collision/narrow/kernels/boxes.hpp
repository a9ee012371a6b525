/// Arithmetic of two boxes for groups of eight: vertices, and crossings of edges. In lanes and
/// branch-free: the outcomes are nearly random, and mispredicted branches would cost more than the
/// arithmetic. The same bits for all instruction sets.
#pragma once

#include <cstdint>

#include "scree/core/instruction_set.hpp"
#include "scree/math/vec3.hpp"

namespace scree::kernels {

/// Cores of two boxes in A's axes, relative to A's centre. Vertex v of a box has its coordinate k
/// at +half_extent if bit k of v is set, else at −half_extent.
struct TwoBoxes {
  Vec3 half_of_a, half_of_b;  ///< [m] ≥ 0
  Vec3 axes_of_b[3];          ///< unit
  Vec3 centre_of_b;           ///< [m]
};

/// Displacements from each vertex to the other box: of B's vertices in [0, 8), of A's in [8, 16).
struct VertexDisplacements {
  double distance2[16];  ///< squared length [m²]
  double extent[16];     ///< dimension of the feature that it meets: 0 to 3
  /// Displacements as short as the shortest up to some rounding: bit k is displacement k.
  std::uint32_t shortest;
};

/// Direction along which two boxes are compared, and limits.
struct Look {
  Vec3 n, n_in_b;      ///< unit, from A to B, in A's and in B's axes
  double lowest_of_b;  ///< along n [m]
  double depth;        ///< depth of features of A below its farthest, and of B above its lowest [m]
  double slack;        ///< a vertex within this of a face lies over it [m]
  std::uint32_t of_a, of_b;  ///< vertices that count, bit v is vertex v
};
struct BoxEdge {
  int axis, vertex;  ///< one of its two vertices
};
struct Crossing {
  BoxEdge edge_of_a, edge_of_b;
  Vec3 on_a;      ///< [m]
  double height;  ///< height of B above it, along n [m]
};
/// Vertices over the other box, and crossings of edges. Edges are those of the face of each box
/// most nearly orthogonal to n.
struct Overlay {
  std::uint32_t of_a, of_b;               ///< vertices over the other box, bit v is vertex v
  double height_of_a[8], height_of_b[8];  ///< height of the other box above them [m]
  int crossings;
  Crossing crossing[16];  ///< by edges of A, then of B
};

struct BoxKernels {
  void (*vertex_displacements)(const TwoBoxes& boxes, VertexDisplacements& displacements);
  void (*lay_over)(const TwoBoxes& boxes, const Look& look, Overlay& overlay);
};
BoxKernels box_kernels_of(InstructionSet set);

extern const BoxKernels scalar_box_kernels;
#if defined(__x86_64__)
extern const BoxKernels avx2_box_kernels;
extern const BoxKernels avx512_box_kernels;
#endif

}  // namespace scree::kernels

/// Rounded boxes, a common form of boxes and capsules: all points within a radius of a box.
///
/// A box has radius 0. A capsule is a box without width: only its axis is left.
#pragma once

#include <bit>
#include <cstdint>

#include "scree/collision/contact_points.hpp"

namespace scree {

struct RoundedBox {
  Vec3 half_extent;  ///< of the box [m] ≥ 0
  double radius;     ///< [m] ≥ 0; > 0 only for a box without width along x and y
};
inline RoundedBox rounded(const Box& b) { return {b.half_extent, 0}; }
inline RoundedBox rounded(const Capsule& c) { return {{0, 0, c.half_length}, c.radius}; }

/// Vertex v: its coordinate k is +half_extent if bit k of v is set, else −half_extent.
inline Vec3 vertex(const Vec3& half_extent, int v) {
  return {v & 1 ? half_extent.x : -half_extent.x, v & 2 ? half_extent.y : -half_extent.y,
          v & 4 ? half_extent.z : -half_extent.z};
}
/// Set of vertices: bit v is vertex v.
using VertexSet = std::uint32_t;
/// Calls visit(v) for each vertex in increasing order.
template <class Visit>
void for_each_vertex(VertexSet set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(std::countr_zero(set));
}
/// Vertices that do not coincide with an earlier one; a box without width has coincident vertices.
VertexSet distinct_vertices(const Vec3& half_extent);
/// Distinct vertices visible against n: vertices of faces whose outward normal has a component
/// along n of more than a tenth.
VertexSet seen_vertices(const Vec3& half_extent, const Vec3& n);

/// Separation and contact points of two rounded boxes. Features: 0–7 vertices of A, 8–15 of B, then
/// pairs of edges.
SurfaceDistance separation_of_boxes(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b,
                                    const Pose& pose_b);
Manifold points_of_boxes(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b,
                         const Pose& pose_b, double margin);

}  // namespace scree
